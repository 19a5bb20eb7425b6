"""What becomes of a walk when its endpoint misbehaves: `python -m bench.endpoints --forest FOREST` prints the table.

For each way of misbehaving (`bench.unruly`): how the walk ended, how long it took, how much memory it needed beside
what was there before, whether its journal is whole, and whether anybody heard what is not for them.
"""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import click

from bench.retrieval.command import run_command
from bench.unruly import MISBEHAVIOURS, Behaviour, obedient, redirect_to, serving
from forest.commands import HELP, forest_option, json_option, open_forest, read_days, today_option
from forest.journal import read_walk
from forest.render import to_json
from forest.state import State
from navigator.endpoint import Endpoint
from navigator.openai_chat import OpenAIChat
from navigator.route import hunt
from navigator.walk import Limits, Walk

_KEY = "a-key-that-nobody-else-must-see"
_STEPS = 160  # more than any endpoint here lets a walk take, but the one that does as it should
_QUESTION = "¿Quién emitió la norma que sustituyó a la NOM-001-SEMARNAT-1996?"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one walk.

    Attributes:
        endpoint: the way in which it misbehaves.
        ending: of the walk.
        steps: taken.
        calls: of the model.
        wall_seconds: in all.
        peak_kilobytes: of Python's memory, beside what was there before.
        journal: `whole` when it has every step of the walk and its ending, else `torn`.
        leaks: places that saw the key and must not: a server that the endpoint pointed to, the journal.
        said: what the answer tells of it.
    """

    endpoint: str
    ending: str
    steps: int
    calls: int
    wall_seconds: float
    peak_kilobytes: int
    journal: str
    leaks: int
    said: str

    def row(self) -> tuple[str, ...]:
        """Return it as a row of the table."""
        seconds, kilobytes = f"{self.wall_seconds:.2f}", f"{self.peak_kilobytes:,}"
        counts = (str(self.steps), str(self.calls), seconds, kilobytes)
        return (self.endpoint, self.ending, *counts, self.journal, str(self.leaks))


_HEAD = ("endpoint", "ending", "steps", "calls", "seconds", "peak KB", "journal", "leaks")


@dataclass(frozen=True, slots=True)
class Walker:
    """A walk to be taken over and over.

    Attributes:
        state: of the forest.
        question: that is asked.
        navigator: who asks the model.
        today: the day it is.
        timeout_seconds: of one call.
    """

    state: State
    question: str
    navigator: str
    today: date
    timeout_seconds: float

    def take(self, url: str) -> Walk:
        """Walk once."""
        chat = OpenAIChat(Endpoint(url, key=_KEY, timeout_seconds=self.timeout_seconds))
        try:
            return hunt(
                self.state,
                self.question,
                today=self.today,
                navigator=self.navigator,
                chat=chat,
                journal=True,
                limits=Limits(steps=_STEPS, wall_seconds=10 * self.timeout_seconds),
            )
        finally:
            chat.close()


def outcomes(walker: Walker) -> Iterator[Outcome]:
    """Yield what becomes of a walk on each endpoint, and first of one on an endpoint that does as it should."""
    with serving(obedient) as warm:
        walker.take(warm.url)  # what is loaded once is not the fault of the first in the table
    with serving(obedient) as elsewhere:
        ways = {"obedient": obedient, **MISBEHAVIOURS, "redirect": redirect_to(elsewhere.url)}
        for name, behaviour in ways.items():
            outcome = _outcome(name, behaviour, walker)
            yield replace(outcome, leaks=outcome.leaks + len(elsewhere.asked))


def _outcome(name: str, behaviour: Behaviour, walker: Walker) -> Outcome:
    with serving(behaviour) as server:
        tracemalloc.start()
        begun = time.monotonic()
        try:
            walk = walker.take(server.url)
            seconds = time.monotonic() - begun
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    record = read_walk(walker.state.folder.parent, "last")
    ending = record.ending["ending"] if record.ending is not None else ""
    is_whole = ending == walk.ending and [step["step"] for step in record.steps] == [s.number for s in walk.steps]
    kept = json.dumps([record.steps, record.ending, walk.as_json(explain=True)], default=str)
    return Outcome(
        name,
        walk.ending,
        len(walk.steps),
        walk.use.calls,
        round(seconds, 3),
        peak // 1024,
        "whole" if is_whole else "torn",
        int(_KEY in kept),
        " ".join(walk.answer.notes),
    )


def table(found: list[Outcome]) -> str:
    """Return outcomes as a table in Markdown."""
    rows = [_HEAD, tuple("---" for _ in _HEAD), *(outcome.row() for outcome in found)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@click.command(context_settings=HELP)
@forest_option
@click.option("--navigator", default="llm", show_default=True, help="Who asks the model.")
@click.option("--timeout", default=2.0, show_default=True, metavar="SECONDS", help="Of one call of the model.")
@click.option("--question", default=_QUESTION, help="What is asked.")
@today_option
@json_option
def main(folder: Path | None, navigator: str, timeout: float, question: str, today: str | None, as_json: bool) -> None:
    """Print what becomes of a walk on endpoints that misbehave."""
    now = read_days(None, None, today)[2]
    with open_forest(folder) as state:
        found = list(outcomes(Walker(state, question, navigator, now, timeout)))
    click.echo(to_json(found) if as_json else table(found))


if __name__ == "__main__":
    run_command(main)
