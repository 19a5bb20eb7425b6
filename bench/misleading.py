"""Misleading: how far wrong trails move later answers, and whether many walks of one question draw in others.

    python -m bench.misleading planted FOREST --questions FILE... [--paraphrases FILE...] [--count 20] [--each 1]
    python -m bench.misleading crowd FOREST --questions FILE... [--count 100] [--days 50] [--others 50]

`planted` leaves trails that are verified and wrong (`bench.learning.planting`) and asks their questions and paraphrases
before, after, after `bad` feedback on each, and after they were forgotten. `crowd` leaves many trails of one question
and asks unrelated ones, feeling heat by similarity and then unconditioned, where the fault must show. Both work in a
copy of the forest. What is compared is where walks stand and what they answer; whether they get shorter is
`bench.learning`'s.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from bench.choosing import Choice, choose
from bench.launching import question_files
from bench.learning.choosing import choose_questions
from bench.learning.copying import copy_forest
from bench.learning.crowding import crowd
from bench.learning.misled import planted
from bench.question import load_questions
from forest.errors import ForestError, WrongUsage
from forest.history import open_snapshot
from forest.text import printable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; see the module.

    Returns:
        0, or the status of what was refused.
    """
    options = _options(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="forest-misled-", ignore_cleanup_errors=True) as place:
            forest = copy_forest(open_snapshot(options.forest), Path(place) / "forest")
            told = _planted(forest, options) if options.what == "planted" else _crowd(forest, options)
    except ForestError as error:
        print(printable(str(error)), file=sys.stderr)
        return error.exit_code
    if options.json:
        print(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        print("\n".join(_table(told["rows"])))
        print(f"\n{told['about']}")
    return 0


def _planted(forest: Path, options: argparse.Namespace) -> dict[str, Any]:
    asking = choose_questions(
        question_files(options.questions),
        question_files(options.paraphrases) if options.paraphrases else (),
        (),
        hops=options.hops,
    )
    wrong, effects = planted(forest, asking, count=options.count, each=options.each, today=options.today)
    if not wrong:
        raise WrongUsage("No walk of these questions leaves a trail.", "Name others with --questions.")
    about = f"{len(wrong)} wrong trails, {options.each} for each of {len({one.question for one in wrong})} questions."
    return {"rows": [asdict(one) for one in effects], "planted": [asdict(one) for one in wrong], "about": about}


def _crowd(forest: Path, options: argparse.Namespace) -> dict[str, Any]:
    every = load_questions(question_files(options.questions))
    long = [q for q in every if q.is_answerable and q.hops >= options.hops]
    some = choose([q for q in every if q.is_answerable], Choice(limit=3 * options.others))
    question, effects = crowd(
        forest, long, some, most=options.others, count=options.count, days=options.days, today=options.today
    )
    about = f"{options.count} trails of {question}, over {options.days} days."
    return {"rows": [asdict(one) for one in effects], "question": question, "about": about}


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    names = list(rows[0]) if rows else []
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        cells = (f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row.values())
        yield f"| {' | '.join(cells)} |"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.misleading", description=(__doc__ or "").partition("\n")[0])
    ways = parser.add_subparsers(dest="what", required=True)
    for name, about in (("planted", "wrong trails, and their undoing"), ("crowd", "many trails of one question")):
        way = ways.add_parser(name, help=about)
        way.add_argument("forest", type=Path, help="a folder with forest.yaml, committed; it is only read")
        way.add_argument("--questions", type=Path, nargs="+", required=True, help="files of questions, or folders")
        way.add_argument("--hops", type=int, default=3, help="the least of a question whose walk leaves a trail")
        way.add_argument("--today", type=date.fromisoformat, default=date.today(), help="of questions without a day")  # noqa: DTZ011
        way.add_argument("--json", action="store_true", help="print JSON instead of a table")
        way.add_argument("--count", type=int, default=20 if name == "planted" else 100, help="how many")
    ways.choices["planted"].add_argument("--paraphrases", type=Path, nargs="+", help="of these questions")
    ways.choices["planted"].add_argument("--each", type=int, default=1, help="wrong trails for each question")
    ways.choices["crowd"].add_argument("--days", type=int, default=50, help="over which the trails are spread")
    ways.choices["crowd"].add_argument("--others", type=int, default=50, help="unrelated questions that are asked")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
