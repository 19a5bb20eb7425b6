"""The route `walk`: a question is walked by a navigator, journalled as it goes, and answered."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime

from forest.errors import WrongUsage
from forest.fitting import Asking, asking_of
from forest.journal import JOURNAL_FORMAT, Journal
from forest.state import State
from forest.validity import Clock
from forest.versions import VERSIONS
from navigator.period import published_in
from navigator.scout import Patience, scout
from navigator.walk import Limits, Navigator, Walk, walk
from navigator.world import World


def _scout(state: State, asking: Asking, world: World, patience: Patience | None) -> Navigator:
    return scout(asking.scales, world, asking.text, state.config.edge_kinds, patience)


NAVIGATORS: Mapping[str, Callable[[State, Asking, World, Patience | None], Navigator]] = {"scout": _scout}


def hunt(
    state: State,
    question: str,
    *,
    today: date,
    as_of: date | None = None,
    in_force_on: date | None = None,
    navigator: str = "scout",
    limits: Limits | None = None,
    journal: bool = False,
    patience: Patience | None = None,
    decided: Mapping[str, object] | None = None,
) -> Walk:
    """Walk for the answer to one question.

    Args:
        state: of the forest, opened for the same `as_of`.
        question: in a person's words.
        today: the day it is.
        as_of: as if nothing published later existed.
        in_force_on: texts in force that day; beats a date read in the question.
        navigator: name of who decides, one of `NAVIGATORS`.
        limits: where the walk is stopped.
        journal: whether each step is kept on disk as it happens.
        patience: when the walk concludes before its last step; never unless given.
        decided: why it was walked, for the journal (`navigator.router`).

    Raises:
        WrongUsage: there is no such navigator.
    """
    make = NAVIGATORS.get(navigator)
    if make is None:
        raise WrongUsage(f"There is no navigator {navigator!r}.", f"Navigators: {', '.join(NAVIGATORS)}.")
    asking = asking_of(
        state,
        question,
        today=today,
        as_of=as_of,
        in_force_on=in_force_on,
        dated=published_in(question) is not None,
    )
    plan, clock = asking.plan, asking.clock
    world = World(state, clock)
    decisions = make(state, asking, world, patience)
    if not journal:
        return walk(question, world, decisions, lambda _: None, time.monotonic, limits, plan.sub_questions())
    book = open_journal(state, question, clock, navigator, decided)
    try:
        return walk(question, world, decisions, book.write, time.monotonic, limits, plan.sub_questions())
    finally:
        book.close()


def walk_route(
    state: State, question: str, *, today: date, as_of: date | None, in_force_on: date | None, navigator: str
) -> Walk:
    """Take the route `walk`, journalled."""
    return hunt(state, question, today=today, as_of=as_of, in_force_on=in_force_on, navigator=navigator, journal=True)


def open_journal(
    state: State, question: str, clock: Clock, navigator: str, decided: Mapping[str, object] | None = None
) -> Journal:
    """Begin the journal of a walk: its header is on the disk when this returns."""
    begun = datetime.now(UTC)
    # Microseconds first: ids sort by time also within a second.
    book = Journal(state.folder.parent, f"{begun:%Y%m%dT%H%M%S}-{begun.microsecond:05x}{secrets.randbelow(4096):03x}")
    book.write(
        {
            "format": JOURNAL_FORMAT,
            "question": question,
            "navigator": navigator,
            "clock": asdict(clock),
            "commit": state.snapshot.commit,
            "tree": state.snapshot.tree,
            "versions": VERSIONS,
            "begun": begun.isoformat(timespec="seconds"),
            **({"router": decided} if decided is not None else {}),
        }
    )
    return book
