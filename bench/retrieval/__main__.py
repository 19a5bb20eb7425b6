"""How well documents and evidence are found: `python -m bench.retrieval FOREST QUESTIONS...` prints the tables.

FOREST is committed; QUESTIONS are files of the bench's questions or of questions over laws, or folders of *.jsonl.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.retrieval.command import add_options, header, indexing, measure, run_command, tell
from bench.retrieval.rankers import rankers
from bench.retrieval.wanted import read_wanted
from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.state import open_state


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.retrieval", description=__doc__)
    parser.add_argument("forest", metavar="FOREST", type=Path)
    parser.add_argument("questions", metavar="QUESTIONS", nargs="+", type=Path)
    add_options(parser)
    options = parser.parse_args()
    files = [f for path in options.questions for f in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if not files:
        raise WrongUsage("No file of questions is named.", "Name files, or a folder of *.jsonl.")
    with open_state(open_snapshot(options.forest), indexing) as state:
        asked = read_wanted(state, files)
        arms = rankers(state, options.today, levers=not options.no_levers)
        report = measure(arms, asked, header(state, files, asked, options), options.seed)
    tell([report], options.json)


if __name__ == "__main__":
    run_command(main)
