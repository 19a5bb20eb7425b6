"""The route `walk`: a question is walked by a navigator, journalled as it goes, and answered."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime

from forest.errors import WrongUsage
from forest.journal import JOURNAL_FORMAT, Journal
from forest.legal import identifiers
from forest.question import read_question
from forest.state import State
from forest.validity import Clock, clock_for
from forest.versions import VERSIONS
from navigator.period import published_in
from navigator.plan import Plan, plan_of
from navigator.scout import scout
from navigator.walk import Limits, Navigator, Walk, walk
from navigator.weighing import scales_of
from navigator.world import World


def _scout(state: State, question: str, world: World, plan: Plan) -> Navigator:
    kinds = state.config.edge_kinds
    return scout(scales_of(plan, read_question(state, plan.rest, world.clock)), world, question, kinds)


NAVIGATORS: Mapping[str, Callable[[State, str, World, Plan], Navigator]] = {"scout": _scout}


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

    Raises:
        WrongUsage: there is no such navigator.
    """
    make = NAVIGATORS.get(navigator)
    if make is None:
        raise WrongUsage(f"There is no navigator {navigator!r}.", f"Navigators: {', '.join(NAVIGATORS)}.")
    named = identifiers(question, state.catalog)
    plan = plan_of(question, named, state.catalog, state.config.edge_kinds)
    names = (*named.spans, *((anchor.start, anchor.end) for anchor in plan.anchors))  # a year in a name is no day
    if published_in(question) is not None:  # its days are those of the gazette, not those on which a rule holds
        names = ((0, len(question)),)
    clock = clock_for(question, as_of=as_of, in_force_on=in_force_on, today=today, named=names)
    world = World(state, clock)
    decisions = make(state, question, world, plan)
    if not journal:
        return walk(question, world, decisions, lambda _: None, time.monotonic, limits, plan.sub_questions())
    book = open_journal(state, question, clock, navigator)
    try:
        return walk(question, world, decisions, book.write, time.monotonic, limits, plan.sub_questions())
    finally:
        book.close()


def walk_route(
    state: State, question: str, *, today: date, as_of: date | None, in_force_on: date | None, navigator: str
) -> Walk:
    """Take the route `walk`, journalled."""
    return hunt(state, question, today=today, as_of=as_of, in_force_on=in_force_on, navigator=navigator, journal=True)


def open_journal(state: State, question: str, clock: Clock, navigator: str) -> Journal:
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
        }
    )
    return book
