"""Telling of courses that were made before, also of different runs, without asking anything.

python -m bench.learning.told FILE... [--chart FILE.svg] [--measure NAME] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.learning.chart import draw
from bench.learning.course import read_course
from bench.learning.figures import MEASURES, tell
from bench.learning.tables import markdown, plain
from forest.errors import ForestError
from forest.text import escaped, printable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; see the module.

    Returns:
        0, or the status of what was refused.
    """
    drawn = [name for name in MEASURES if name != "waste"]  # which may be below 0
    parser = argparse.ArgumentParser(
        prog="python -m bench.learning.told", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", type=Path, nargs="+", help="what `forest learn` wrote, a file for each condition")
    parser.add_argument("--chart", type=Path, metavar="FILE.svg", help="draw a measure pass by pass")
    parser.add_argument("--measure", choices=drawn, default="steps_to_gold", help="which is drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    options = parser.parse_args(arguments)
    try:
        told = [tell(read_course(path), seed=options.seed) for path in options.files]
    except ForestError as error:
        print(printable(str(error)), file=sys.stderr)
        return error.exit_code
    if options.chart is not None:
        options.chart.write_text(draw(told, options.measure, options.measure), encoding="utf-8")
    print(escaped(json.dumps(plain(told), ensure_ascii=False, indent=1)) if options.json else markdown(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
