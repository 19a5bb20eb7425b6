"""What the commands of the retrieval bench share: options, progress on standard error, the header, where reports go."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

from bench.retrieval.rankers import BASELINE, WITHOUT, Ranker
from bench.retrieval.report import Report, make_report
from bench.retrieval.run import rank_all
from bench.retrieval.scores import CANDIDATES, DOCUMENTS, PASSAGES
from bench.retrieval.tables import markdown, plain
from bench.retrieval.wanted import Wanted
from forest.errors import ForestError
from forest.state import State
from forest.versions import VERSIONS

_EACH, _EACH_NODES = 50, 10_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all commands of the retrieval bench have."""
    parser.add_argument(
        "--today", type=date.fromisoformat, default=date(2026, 11, 30), help="the day of questions that have none"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    parser.add_argument("--no-levers", action="store_true", help="leave out the arms without one signal each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything as JSON too")


def header(state: State, files: Sequence[Path], asked: Sequence[Wanted], options: argparse.Namespace) -> dict[str, str]:
    """Return what is measured on what, a line each by its name."""
    versions = ", ".join(f"{name} {version}" for name, version in VERSIONS.items())
    told = ", ".join(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()[:12]}" for file in files)
    return {
        "forest": f"tree {state.snapshot.tree[:12]}, commit {state.snapshot.commit[:12]}; {versions}",
        "questions": f"{told}; {len(asked)} with evidence",
        "ranked": f"{DOCUMENTS} documents, {PASSAGES} passages; evidence in {CANDIDATES} documents",
        "day of questions that have none": options.today.isoformat(),
        "seed": str(options.seed),
    }


def measure(arms: Mapping[str, Ranker], asked: Sequence[Wanted], head: Mapping[str, str], seed: int) -> Report:
    """Ask every ranker every question, and score.

    Args:
        arms: rankers by name, the measured one first.
        asked: the questions.
        head: what is measured on what.
        seed: of the bootstrap.
    """
    main = [arm for arm in arms if not arm.startswith(WITHOUT)]
    return make_report(head, asked, rank_all(arms, asked, _progress), main=main, baseline=BASELINE, seed=seed)


def tell(reports: Sequence[Report], to: Path | None) -> None:
    """Print reports as Markdown, and write them as JSON where asked."""
    print("\n".join(markdown(report) for report in reports), end="")
    if to is not None:
        told = [plain(report) for report in reports]
        to.write_text(json.dumps(told if len(told) > 1 else told[0], ensure_ascii=False, indent=1) + "\n", "utf-8")


def run_command(main: Callable[[], None]) -> None:
    """Run a command; our own errors become a sentence and an exit status."""
    try:
        main()
    except ForestError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)


def indexing(done: int, total: int) -> None:
    """Tell how far the index of a forest is."""
    if done % _EACH_NODES == 0 or done == total:
        print(f"indexing: {done:,} of {total:,} nodes", file=sys.stderr, flush=True)


def _progress(arm: str, done: int, total: int) -> None:
    if done % _EACH == 0 or done == total:
        print(f"{arm}: {done:,} of {total:,} questions", file=sys.stderr, flush=True)
