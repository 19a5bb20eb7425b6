"""What a command costs, as ratios of one run: cold starts over `import click`, a warm search over raw tantivy.

Machines are noisy and differ, so no figure stands alone: everything is timed in turns, in one run, and the least of
each is compared. Run it as `python -m bench.speed FOREST [QUESTION]`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from forest.analyzer import stems
from forest.history import open_snapshot
from forest.legal import identifiers
from forest.oneshot import hunt
from forest.question import read_question
from forest.retrieval import search_passages
from forest.state import State, open_state
from forest.validity import clock_for

_FOREST = (sys.executable, "-m", "forest.cli")


@dataclass(frozen=True, slots=True)
class Timing:
    """The least seconds of something over all rounds, and the name of what it is compared with."""

    name: str
    wall_seconds: float
    base: str


def least(things: Sequence[tuple[str, str, Callable[[], object]]], rounds: int) -> tuple[Timing, ...]:
    """Time things in turns.

    Args:
        things: (name, name of its base, what to run).
        rounds: how often each is run; the least counts, as noise only adds.
    """
    best = dict.fromkeys((name for name, _, _ in things), float("inf"))
    for _ in range(rounds):
        for name, _, thing in things:
            begun = time.perf_counter()
            thing()
            best[name] = min(best[name], time.perf_counter() - begun)
    return tuple(Timing(name, best[name], base) for name, base, _ in things)


def cold(folder: Path, question: str, rounds: int) -> tuple[Timing, ...]:
    """Time whole processes."""
    place = ("--forest", str(folder))
    commands: list[tuple[str, tuple[str, ...]]] = [
        ('python -c "import click"', (sys.executable, "-c", "import click")),
        ("forest --help", (*_FOREST, "--help")),
        ("forest search, cold", (*_FOREST, "search", question, *place)),
        ("forest hunt, cold", (*_FOREST, "hunt", question, *place)),
    ]
    return least([(name, commands[0][0], _process(command)) for name, command in commands], rounds)


def warm(state: State, question: str, rounds: int) -> tuple[Timing, ...]:
    """Time searches of an open state."""
    today = date(2026, 1, 1)

    def search() -> object:
        named = identifiers(question, state.catalog)
        clock = clock_for(question, as_of=None, in_force_on=None, today=today, named=named.spans)
        return search_passages(state, read_question(state, question, clock, named), 10)

    tokens = [(stem, 1.0) for stem in dict.fromkeys(stems(question))]
    things: list[tuple[str, str, Callable[[], object]]] = [
        ("raw tantivy, same words, one field", "", lambda: state.index.search_raw(tokens, 10)),
        ("the index alone, all fields", "", lambda: state.index.search(tokens, 10)),
        ("search, warm: names, ranking, ten passages read and verified", "", search),
        ("hunt, warm", "", lambda: hunt(state, question, today=today)),
    ]
    return least([(name, things[0][0], thing) for name, _, thing in things], rounds)


def _process(command: tuple[str, ...]) -> Callable[[], object]:
    return lambda: subprocess.run(command, capture_output=True, check=False)


def table(timings: Sequence[Timing]) -> str:
    """Return timings with their ratios to the base, as a markdown table."""
    seconds = {timing.name: timing.wall_seconds for timing in timings}
    lines = ["| what | milliseconds | ratio |", "|---|---|---|"]
    for timing in timings:
        ratio = timing.wall_seconds / seconds[timing.base]
        lines.append(f"| {timing.name} | {timing.wall_seconds * 1000:.2f} | {ratio:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forest", type=Path)
    parser.add_argument("question", nargs="?", default="¿Cuántos días de vacaciones corresponden el primer año?")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with open_state(open_snapshot(options.forest)) as state:
        counts = state.catalog.counts()
        print(f"{counts['nodes']:,} nodes, {counts['passages']:,} passages; least of {options.rounds} rounds\n")
        print(table(cold(options.forest, options.question, options.rounds)), end="\n\n")
        print(table(warm(state, options.question, options.rounds)))


if __name__ == "__main__":
    main()
