"""The toolbox: what a model that calls tools can do, one action at a time, and the same actions again for a replay.

An action is one line: a tool's name and its arguments, `answer` and a conclusion, or `reply` and words that are
neither. What an action shows depends on the forest, the days and the actions before it, and on nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from forest.analyzer import stems
from forest.observation import Observation
from forest.state import State
from forest.text import one_line
from forest.tools import Reply, Session
from forest.tools.schema import TOOLS, call
from forest.tools.session import reading_of
from forest.validity import Clock
from navigator.answering import complaint_of
from navigator.citing import Citing
from navigator.fencing import line_of
from navigator.meant import another_meant
from navigator.tool_replies import reply_text
from navigator.world import Noted, World, said

ANSWER, REPLY = "answer", "reply"
MOST_ARGUMENTS = 4_000  # characters: a list of ids is far shorter
_MOST_CITES = 8
_MOST_NAME = 40  # characters of a filter's name
_MOST_DROPPED = 12  # names of filters told as left out: more than there are
_FILTERS_ON_DAYS = ("as_of", "in_force_on")  # what may be known and what holds is never widened
_MOST_WORDS = 600  # characters of an answer, and of what is missing


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a model concludes.

    Attributes:
        answer: the short datum, "" when it abstains.
        cites: ids of passages.
        missing: what it did not find, in its own words.
    """

    answer: str
    cites: tuple[str, ...]
    missing: str


@dataclass
class Toolbox:
    """One hunt's tools, and what came of it so far.

    Attributes:
        state: of the forest.
        question: as asked.
        clock: the days that it is about.
        today: the day it is.
        budget_tokens: of what one call shows.
        notes: what the last conclusion claims, whether it stands or not.
        complaints: why some of it does not stand, in sentences.
        missing: what the last conclusion says is missing.
        concluded: whether the last action was a conclusion that can be read.
        repeated: how many calls in a row brought what an equal call had brought.
        tokens: of everything shown.
    """

    state: State
    question: str
    clock: Clock
    today: date
    budget_tokens: int
    notes: list[Noted] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    missing: str = ""
    concluded: bool = False
    repeated: int = 0
    tokens: int = 0
    session: Session = field(init=False)
    _shown: dict[str, int] = field(default_factory=dict)
    _calls: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    _steps: int = 0

    def __post_init__(self) -> None:
        # A question about one day sets it for all calls; one about a year may be about any text of that year.
        one_day = self.clock.source != "today" and self.clock.end - self.clock.start == timedelta(days=1)
        day = self.clock.start if one_day else None
        self.session = Session(self.state, self.today, self.clock.as_of, day)

    @property
    def read(self) -> tuple[str, ...]:
        """Ids of the passages read and shown, in the order of their first reading; only these may be cited."""
        return tuple(chunk for chunk in self.session.read if chunk in self._shown)

    @property
    def here(self) -> str:
        """Id of the node whose passage was read last, "" before any was."""
        return self.read[-1].partition("#")[0] if self.read else ""

    def take(self, action: str) -> Observation[Any]:
        """Do one action and return what it shows; what cannot be done is told."""
        self._steps += 1
        verb, _, rest = action.partition(" ")
        self.concluded = False
        if verb == ANSWER:
            observation = self._conclude(rest)
        elif verb == REPLY:
            observation = said(self._no_call())
        else:
            observation = self._call(verb, rest)
        self.tokens += observation.tokens
        return observation

    def world(self) -> World:
        """Return a world that holds what is claimed, for the same checks and answer as those of a walk."""
        state = self.session.now
        here = state.catalog.find(self.here) if self.here else None
        return World(state, self.clock, here, notes=self.notes, question=self.question)

    def _no_call(self) -> str:
        if self.read:
            return "No tool was called. Call one, or conclude with what was read."
        return f"No tool was called, and nothing was read yet. Call a tool: {', '.join(TOOLS)}."

    def _call(self, name: str, text: str) -> Observation[Any]:
        arguments = arguments_of(text)
        if name == "read_chunks" and isinstance(arguments, dict):
            arguments = self._within_budget(arguments)
        reply = self._wider(name, arguments, call(self.session, name, arguments))
        observation, seen = reply_text(reply, self.budget_tokens)
        for chunk, end in seen.items():
            self._shown[chunk] = max(end, self._shown.get(chunk, 0))
        key = (name, json.dumps(arguments, sort_keys=True, ensure_ascii=False))
        before = self._calls.get(key)
        self._calls[key] = (before[0] if before else self._steps, observation.text)
        self.repeated = self.repeated + 1 if before is not None and before[1] == observation.text else 0
        if self.repeated and before is not None:
            return said(f"This is call {before[0]} again, and it brings the same. {self._otherwise(name)}")
        return observation

    def _wider(self, name: str, arguments: object, reply: Reply[Any]) -> Reply[Any]:
        """Return what a search brings without the filters that left nothing of it, saying so; days stay.

        Small models fill in every filter that they are told of, and would spend all their calls on nothing.
        """
        given = arguments.get("filters") if isinstance(arguments, Mapping) else None
        if (
            reply.found
            or reply.status == "error"
            or not isinstance(arguments, Mapping)
            or not isinstance(given, Mapping)
        ):
            return reply
        days = {key: given[key] for key in _FILTERS_ON_DAYS if given.get(key) is not None}
        dropped = [line_of(str(key))[:_MOST_NAME] for key in given if key not in days]
        if not dropped:
            return reply
        wider = call(self.session, name, {**arguments, "filters": days or None})
        if not wider.items:
            return reply
        note = f"{reply.message} This is what there is without {', '.join(dropped[:_MOST_DROPPED])}."
        return replace(wider, notes=(note, *wider.notes))

    def _within_budget(self, arguments: dict[str, object]) -> dict[str, object]:
        """Read no more than can be shown: what was read and not shown could be cited unseen."""
        given = arguments.get("budget_tokens")
        if given is None or (isinstance(given, int) and not isinstance(given, bool) and given > self.budget_tokens):
            return {**arguments, "budget_tokens": self.budget_tokens}
        return arguments

    def _otherwise(self, name: str) -> str:
        unread = [chunk for chunk in self.session.chunks if chunk not in self.session.read][:3]
        if name != "read_chunks" and unread:
            return f"Read passages with read_chunks, such as {', '.join(map(line_of, unread))}, or ask in other words."
        return "Ask for something else, or in other words."

    # --- concluding ---------------------------------------------------------------------------------------------------

    def _conclude(self, text: str) -> Observation[Any]:
        conclusion = conclusion_of(text)
        self.notes, self.complaints, self.missing = [], [], ""
        if conclusion is None:
            return said('This is no conclusion. Write {"answer": "…", "cites": ["…"], "missing": "…"}.')
        self.concluded, self.missing = True, conclusion.missing
        if conclusion.answer:
            self._claim(conclusion)
        return said(" ".join(self.complaints) or "The hunt ends here.")

    def _claim(self, conclusion: Conclusion) -> None:
        read = set(self.read)
        unread = [cite for cite in conclusion.cites if cite not in read]
        self.complaints = [
            f"{line_of(cite)[:100]} was not read in this hunt: only what was read may be cited." for cite in unread
        ]
        readings = [reading_of(self.session, cite) for cite in conclusion.cites if cite in read]
        if not readings:
            if not unread:
                self.complaints.append("No passage is cited.")
            return
        citing = Citing(self.session.now, self.question, tuple(readings), self._shown)
        value = citing.value(conclusion.answer)
        if not stems(value) and not any(c.isdigit() for c in value):
            self.complaints.append(f"«{line_of(value)}» answers nothing.")
            return
        world = self.world()
        told = [
            (note, complaint_of(world, note) or another_meant(world, note))
            for note in (citing.noted(reading, value) for reading in readings)
        ]
        best, complaint = next((one for one in told if not one[1]), told[0])
        others = [(reading, citing.lead(reading, best)) for reading in readings if reading is not best.reading]
        self.complaints += [
            f"{reading.passage.id} was cited, and no sentence of it speaks of the question."
            for reading, lead in others
            if lead is None
        ]
        self.notes = [lead for _, lead in others if lead is not None]
        # A value of something else that is asked about is kept as words that came near, without their value.
        meant = complaint and not complaint_of(world, best)
        self.notes.insert(0, Noted(best.reading, best.runs, "") if meant else best)
        if complaint:
            self.complaints.append(complaint)


def arguments_of(text: str) -> object:
    """Return arguments as data; a text in JSON that holds JSON is read again. What is no JSON is None."""
    try:
        value = json.loads(text)
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def action_of(name: str, arguments: object) -> str:
    """Return the line of a call; arguments that are too long become none.

    Args:
        name: as the model wrote it.
        arguments: JSON text as the model wrote it, or data.
    """
    data = arguments_of(arguments) if isinstance(arguments, str) else arguments
    if data is None and isinstance(arguments, str) and not arguments.strip():
        data = {}  # a tool without arguments is called without any
    try:
        text = json.dumps(data, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = "null"
    plain = "".join(c for c in name if c.isascii() and (c.isalnum() or c in "_-"))[:40] or "unnamed"
    if plain in (ANSWER, REPLY):
        plain = f"{plain}_"
    return f"{plain} {text if len(text) <= MOST_ARGUMENTS else 'null'}"


def conclusion_of(text: str) -> Conclusion | None:
    """Return the conclusion that a JSON text is, None when it is none."""
    data = arguments_of(text)
    if not isinstance(data, Mapping) or not ({"answer", "missing"} & data.keys()):
        return None
    answer, cites, missing = data.get("answer"), data.get("cites"), data.get("missing")
    listed = [cites] if isinstance(cites, str) else cites if isinstance(cites, list) else []
    ids = [one for one in listed if isinstance(one, str)][:_MOST_CITES]
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        answer = str(answer)
    return Conclusion(_words(answer), tuple(dict.fromkeys(ids)), _words(missing))


def _words(value: object) -> str:
    text = one_line(value) if isinstance(value, str) else ""
    return text[:_MOST_WORDS].strip(" .«»\"“”'")
