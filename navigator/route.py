"""The route `walk`: a question is walked by a navigator, journalled as it goes, and answered."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, date, datetime

from forest.errors import WrongUsage
from forest.fitting import asking_of
from forest.heat import open_heat
from forest.journal import JOURNAL_FORMAT, Journal
from forest.routes import Memory, Walking
from forest.spelling import wording_of
from forest.state import State
from forest.text import printable
from forest.validity import Clock
from forest.versions import VERSIONS
from navigator.chat import Chat
from navigator.endpoint import endpoint_for
from navigator.guided import llm, mixed
from navigator.leaving import leave_trail
from navigator.meter import Meter
from navigator.opening import open_chat
from navigator.period import published_in
from navigator.scout import Patience, scout
from navigator.setting import Setting
from navigator.telling import steps_text
from navigator.tool_calling import NAVIGATOR as TOOLS
from navigator.tool_calling import call_tools
from navigator.walk import Limits, Navigator, Walk, walk
from navigator.world import World

Make = Callable[[Setting], Navigator]


def _scout(setting: Setting) -> Navigator:
    asking = setting.asking
    return scout(asking.scales, setting.world, asking.text, setting.state.config.edge_kinds, setting.patience)


# Who can decide, by name; and which of these ask a model, which they take by `setting.model_for(name)`.
NAVIGATORS: Mapping[str, Make] = {"scout": _scout, "llm": llm, "mixed": mixed}
ASKING = frozenset(("llm", "mixed", TOOLS))


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
    chat: Chat | None = None,
    language: str = "",
    tell: Callable[[str], None] | None = None,
    shuffle: int = 0,
    memory: Memory | None = None,
    begin_at: str = "",
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
        chat: the model that the navigator asks, if it asks one.
        language: of the prompts; "" for the question's own.
        tell: is told each step as it happens, as text for a terminal.
        shuffle: seed of another order of the options that a model is shown; 0 for the navigator's own order.
        memory: what the walk takes from earlier ones and leaves to later ones; None for nothing either way.
            The navigator `tools` goes through no doors, and neither feels nor leaves anything.
        begin_at: id of the node at which the scout begins; "" for what a search finds and the question names.

    Raises:
        WrongUsage: there is no such navigator, or it needs a model and there is none.
    """
    if navigator not in (known := (*NAVIGATORS, TOOLS)):
        raise WrongUsage(f"There is no navigator {navigator!r}.", f"Navigators: {', '.join(known)}.")
    bounds, begun = limits or Limits(), time.monotonic()
    asking = asking_of(
        state,
        question,
        today=today,
        as_of=as_of,
        in_force_on=in_force_on,
        dated=published_in(question) is not None,
    )
    world = World(
        state,
        asking.clock,
        question=question,
        begin_at=begin_at,
        with_shortcuts=memory is not None and memory.shortcuts,
        with_cases=memory is not None and memory.cases,
    )
    meter = Meter(chat, time.monotonic, begun + bounds.wall_seconds) if chat is not None else None

    def seconds_left() -> float:
        return bounds.wall_seconds - (time.monotonic() - begun)

    setting = Setting(state, asking, world, bounds, seconds_left, patience, meter, language, shuffle)
    if navigator in ASKING:
        setting.model_for(navigator)  # says so before a journal is begun
    book = open_journal(state, question, asking.clock, navigator, decided) if journal else None

    def record(line: Mapping[str, object]) -> None:
        if book is not None:
            book.write(line)
        if tell is not None and "step" in line:
            tell(printable(steps_text([line])))

    try:
        if navigator == TOOLS and chat is not None:
            return call_tools(
                state,
                asking,
                today=today,
                chat=chat,
                record=record,
                limits=limits,
                shuffle=shuffle,
                language=language,
            )
        plan = asking.plan.sub_questions()
        if memory is None:
            return walk(question, world, NAVIGATORS[navigator](setting), record, time.monotonic, bounds, plan, meter)
        searched, now = wording_of(state, question).text, _moment(today)
        with ExitStack() as stack:
            if memory.heat != "off":
                heat = stack.enter_context(open_heat(state, now.date(), conditioned=memory.heat == "on"))
                world.felt = heat.felt_by(searched)
            decisions = NAVIGATORS[navigator](setting)
            walked = walk(question, world, decisions, record, time.monotonic, bounds, plan, meter)
        return leave_trail(state, walked, world, memory, record, searched=searched, navigator=navigator, now=now)
    finally:
        if book is not None:
            book.close()


def _moment(today: date) -> datetime:
    """Return the time it is, UTC; on another day than today the same hour of that day."""
    now = datetime.now(UTC)
    return now if today == now.astimezone().date() else datetime.combine(today, now.timetz())


def walk_route(
    state: State, question: str, *, today: date, as_of: date | None, in_force_on: date | None, walking: Walking
) -> Walk:
    """Take the route `walk`, journalled."""
    chat, language = model_of(walking)
    return hunt(
        state,
        question,
        today=today,
        as_of=as_of,
        in_force_on=in_force_on,
        navigator=walking.navigator,
        journal=True,
        chat=chat,
        language=language,
        tell=walking.tell,
        memory=walking.memory,
    )


def model_of(walking: Walking) -> tuple[Chat | None, str]:
    """Return the model that a walk will ask, None for none, and the language of its prompts.

    Raises:
        WrongUsage: what names the model is malformed, or the navigator asks none.
    """
    if walking.navigator in ASKING:
        endpoint = endpoint_for(url=walking.endpoint, model=walking.model, key=walking.key)
        return (open_chat(endpoint), endpoint.language) if endpoint is not None else (None, "")
    if walking.endpoint or walking.model or walking.key:
        raise WrongUsage(
            f"The navigator {walking.navigator} asks no model, so none can be named.",
            f"Navigators that ask one: {', '.join(sorted(ASKING))}.",
        )
    return None, ""


def open_journal(
    state: State,
    question: str,
    clock: Clock,
    navigator: str,
    decided: Mapping[str, object] | None = None,
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
            "place": state.place,
            "begun": begun.isoformat(timespec="seconds"),
            **({"router": decided} if decided is not None else {}),
        }
    )
    return book
