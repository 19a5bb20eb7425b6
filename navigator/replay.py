"""Replay: a recorded hunt taken again, step by step, on the commit and the days that it was recorded with.

A journal is a file that anybody may have written: nothing in it is trusted, every step is taken by the same code as
when it was recorded, and what it shows now is compared with what the journal says that it showed. Nothing is recorded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, get_args

from forest.answer import Answer
from forest.days import parse_day
from forest.errors import ForestError, RevisionUnknown, WalkNotFound
from forest.history import Snapshot, open_snapshot
from forest.journal import WalkRecord
from forest.limits import MAX_QUESTION_CHARACTERS
from forest.observation import Observation, clean
from forest.state import State, open_state
from forest.validity import Clock, ClockSource
from forest.versions import VERSIONS
from navigator.actions import Action, Ending, Enter, GiveUp, parse_action
from navigator.actions import Answer as Answering
from navigator.answering import conclude
from navigator.tool_calling import answer_of
from navigator.toolbox import MOST_ARGUMENTS, Toolbox
from navigator.world import World

MOST_STEPS = 10_000  # of a person's walk at most
_MOST_ACTION = MOST_ARGUMENTS + 100
_MOST_BUDGET = 100_000
_MOST_PLACE = 4_096
_SAID = 90  # characters of a line that differs
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_HALF = re.compile("[\ud800-\udfff]")
_SEEN = ("tokens", "shown", "total", "truncated", "next")


@dataclass(frozen=True, slots=True)
class Retaken:
    """A recorded step, taken again.

    Attributes:
        line: as the journal has it.
        difference: what differs, in a sentence; "" when the same was shown.
    """

    line: Mapping[str, Any]
    difference: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What a journal says of the hunt as a whole, checked.

    Attributes:
        question: as asked.
        clock: the days that it was about.
        place: how the forest was named when it was recorded; commands that steps show say so.
        commit: that was read.
        today: of a hunt that calls tools, the day it was; None for a walk.
        budget_tokens: of a hunt that calls tools, of what one call shows.
    """

    question: str
    clock: Clock
    place: str
    commit: str
    today: date | None
    budget_tokens: int


@dataclass
class Replay:
    """A replay while it lasts.

    Attributes:
        record: the journal.
        remarks: what differs of the hunt as a whole, in sentences.
    """

    record: WalkRecord
    remarks: list[str]
    _player: _Player

    def steps(self) -> Iterator[Retaken]:
        """Take the recorded steps again, one by one."""
        for place, line in enumerate(self.record.steps[:MOST_STEPS], start=1):
            told = [f"Step {place} is missing."] if line["step"] != place else []
            try:
                differences = [*told, *_differences(line, self._player.take(line))]
            except (ForestError, ValueError, OverflowError) as error:
                why = str(error) if isinstance(error, ForestError) else "what it holds is no action's."
                differences = [*told, f"It cannot be taken again: {why}"]
            yield Retaken(line, " ".join(differences))
        if len(self.record.steps) > MOST_STEPS:
            self.remarks.append(f"Only the first {MOST_STEPS:,} of {len(self.record.steps):,} steps were taken again.")

    def answer_differs(self) -> str:
        """Return how the recorded ending is not what the steps come to, "" when it is; once the steps were taken."""
        if self.record.ending is None:
            return ""
        ending = self.record.ending["ending"]
        if ending not in get_args(Ending):
            return f"{clean(ending)[:_SAID]!r} is no ending of a walk."
        answer = self._player.answer(ending)
        said = json.loads(json.dumps([asdict(claim) for claim in answer.claims], default=str))
        if said != self.record.ending["answer"]["claims"]:
            return "The recorded answer is not what these steps come to."
        if (ending == "answered") != bool(said):
            return f"The recorded ending, {ending.replace('_', ' ')}, is not what these steps come to."
        return ""


@contextmanager
def replaying(record: WalkRecord, head: Snapshot) -> Iterator[Replay]:
    """Open a recorded hunt to be taken again, on its commit and its days.

    Raises:
        WalkNotFound: the journal does not say what it takes to do so.
        ForestError: the forest of that commit cannot be opened.
    """
    setup = _setup_of(record)
    remarks = _versions(record)
    try:
        then = head if setup.commit == head.commit else open_snapshot(head.folder, setup.commit)
    except RevisionUnknown:
        then = head
        remarks.append(f"Commit {setup.commit[:12]} is not in this repository; the steps are taken at HEAD.")
    if record.header.get("tree") != then.tree:
        remarks.append("The recorded tree is not the one of that commit: the forest or the journal has changed.")
    with open_state(then, None, setup.clock.as_of) as state:
        state.place = setup.place
        yield Replay(record, remarks, _player(setup, state))


# --- taking steps -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a step shows now, and where it was taken."""

    at: str
    hops: int
    observation: Observation[Any]


@dataclass(frozen=True, slots=True)
class _Player:
    """Takes steps of one kind of hunt again.

    Attributes:
        take: does what a line of the journal says.
        answer: says what the steps taken so far come to, for an ending.
    """

    take: Callable[[Mapping[str, Any]], _Taken]
    answer: Callable[[Ending], Answer]


def _player(setup: Setup, state: State) -> _Player:
    return _of_walk(setup, state) if setup.today is None else _of_tools(setup, setup.today, state)


def _of_walk(setup: Setup, state: State) -> _Player:
    world = World(state, setup.clock, question=setup.question)
    last: list[Action] = []

    def take(line: Mapping[str, Any]) -> _Taken:
        at, action = world.here.id if world.here else "", parse_action(_action_in(line))
        last[:] = [action]
        # Where a walk begins, and what a question names, may be entered without having been shown.
        if isinstance(action, Enter) and "was not shown on this walk" not in line["observation"]["text"]:
            world.show(action.node)
        observation = world.take(action)
        return _Taken(at, world.hops, observation)

    def answer(ending: Ending) -> Answer:
        action = last[0] if last else None
        missing = action.missing if isinstance(action, GiveUp) else ""
        remark = action.remark if isinstance(action, Answering) else ""
        # An answer of which nothing stands is recorded as an abstention.
        came_to: Ending = "answered" if isinstance(action, Answering) and ending == "abstained" else ending
        return conclude(setup.question, world, came_to, missing, remark)

    return _Player(take, answer)


def _of_tools(setup: Setup, today: date, state: State) -> _Player:
    box = Toolbox(state, setup.question, setup.clock, today, setup.budget_tokens)

    def take(line: Mapping[str, Any]) -> _Taken:
        at = box.here
        return _Taken(at, 0, box.take(_action_in(line)))

    return _Player(take, lambda ending: answer_of(box, ending))


def _action_in(line: Mapping[str, Any]) -> str:
    action: str = line["action"]
    if len(action) > _MOST_ACTION or _HALF.search(action):
        raise ValueError(action)
    return action


def _differences(line: Mapping[str, Any], now: _Taken) -> list[str]:
    """Return in sentences how a recorded step is not what it is now."""
    seen = line["observation"]
    told = []
    if seen["text"] != now.observation.text:
        told.append(_first_difference(seen["text"], now.observation.text))
    else:
        told += [
            f"{name} was recorded as {clean(str(seen.get(name)))[:_SAID]!r} and is {getattr(now.observation, name)!r}."
            for name in _SEEN
            if seen.get(name) != getattr(now.observation, name)
        ]
    if line["at"] != now.at:
        told.append(f"It was recorded at {clean(line['at'])[:_SAID] or 'no node'} and is at {now.at or 'no node'}.")
    if line.get("hops") != now.hops:
        told.append(f"Hops were recorded as {clean(str(line.get('hops')))[:_SAID]} and are {now.hops}.")
    return told


def _first_difference(then: str, now: str) -> str:
    before, after = then.split("\n"), now.split("\n")
    place = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    was, comes = (_shown(lines[place]) if place < len(lines) else "nothing" for lines in (before, after))
    return f"Line {place + 1} was recorded as {was} and is {comes}."


def _shown(line: str) -> str:
    text = clean(line)
    return f"«{text[:_SAID]}…»" if len(text) > _SAID else f"«{text}»"


# --- what a journal says of the hunt as a whole -----------------------------------------------------------------------


def _setup_of(record: WalkRecord) -> Setup:
    header = record.header
    question, commit = header["question"], header.get("commit")
    if len(question) > MAX_QUESTION_CHARACTERS or _HALF.search(question):
        raise _unusable(record, "its question is none that could have been asked")
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise _unusable(record, "it does not say which commit was read")
    place = header.get("place", "")
    if not isinstance(place, str) or len(place) > _MOST_PLACE or _HALF.search(place):
        raise _unusable(record, "it does not say how the forest was named")
    tools = next((line["tools"] for line in record.steps if "tools" in line), None)
    if tools is None:
        return Setup(question, _clock_of(record), place, commit, None, 0)
    today = _day(tools.get("today")) if isinstance(tools, dict) else None
    budget = tools.get("budget_tokens") if isinstance(tools, dict) else None
    if today is None or not isinstance(budget, int) or not 0 < budget <= _MOST_BUDGET:
        raise _unusable(record, "it does not say on which day and within which budget the tools were called")
    return Setup(question, _clock_of(record), place, commit, today, budget)


def _clock_of(record: WalkRecord) -> Clock:
    told = record.header.get("clock")
    clock = told if isinstance(told, dict) else {}
    as_of, start, end = (_day(clock.get(name)) for name in ("as_of", "start", "end"))
    source, known = clock.get("source"), get_args(ClockSource)
    if (
        start is None
        or end is None
        or start >= end
        or source not in known
        or (as_of is None) != (clock.get("as_of") is None)
    ):
        raise _unusable(record, "it does not say which days the question is about")
    return Clock(as_of, start, end, known[known.index(source)])


def _day(value: object) -> date | None:
    return parse_day(value) if isinstance(value, str) else None


def _unusable(record: WalkRecord, why: str) -> WalkNotFound:
    return WalkNotFound(f"Walk {record.id} cannot be taken again: {why}.", "`forest walks` shows what it recorded.")


def _versions(record: WalkRecord) -> list[str]:
    """Return in a sentence which versions the hunt was recorded with, where they are others than now."""
    told = record.header.get("versions")
    then = told if isinstance(told, dict) else {}
    changed = [
        f"{name} {clean(str(then.get(name)))[:20]}, now {now}"
        for name, now in VERSIONS.items()
        if then.get(name) != now
    ]
    return [f"It was recorded with other versions: {'; '.join(changed)}."] if changed else []
