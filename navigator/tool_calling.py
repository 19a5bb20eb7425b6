"""Plain tool calling: a model is given the tools, calls at most six times, and then must conclude.

It is what everybody builds first, and the baseline of the walk: no plan, no options, no notes. Its answer goes through
the same checks as a walk's. What a call shows is `navigator.toolbox`'s, how the model is told `navigator.tool_talk`'s.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import TypeVar

from forest.answer import Answer
from forest.fitting import Asking
from forest.spelling import wording_of
from forest.state import State
from forest.text import one_line
from forest.tools.schema import definitions
from navigator.actions import Ending
from navigator.answering import complaint_of, conclude
from navigator.chat import Chat, Completion, ModelFailed, Schema, ToolCall, TooLong
from navigator.fencing import MARKS, defused
from navigator.meter import Meter, OutOfTime
from navigator.prompting import prompt
from navigator.tool_forms import call_schema, calls_of, conclusion_in, conclusion_schema, names_of, tool_in_words
from navigator.tool_talk import (
    CONCLUSION_TOKENS,
    Talk,
    tokens_of_tools,
)
from navigator.toolbox import ANSWER, REPLY, Toolbox, action_of
from navigator.walk import Limits, Step, Walk

NAVIGATOR = "tools"
MOST_CALLS = 6
LIMITS = Limits(steps=16, tokens=24_000, wall_seconds=900.0)
_SHARE_OF_CALLS = 0.75  # of the time: with what is left it concludes
_REPLY_TOKENS = 900
_LEAST_REPLY_TOKENS = 200
_SHARE_OF_WINDOW = 6
_MOST_WHY = 200
_T = TypeVar("_T")
_MOST_MISSING = 200


@dataclass
class _Hunt:
    """One hunt while it lasts."""

    box: Toolbox
    talk: Talk
    meter: Meter
    limits: Limits
    language: str
    tools: Sequence[Schema]
    shuffle: int
    clock: Callable[[], float]
    begun: float
    record: Callable[[Mapping[str, object]], None]
    steps: list[Step] = field(default_factory=list)
    calls_left: int = MOST_CALLS
    understood: bool = False
    metered: int = 0

    def run(self) -> Ending:
        """Call until it is enough, then conclude."""
        try:
            try:
                early = self._call()
            except TooLong:
                if not self.box.read:
                    raise
                early = ""  # without the tools there is room to conclude
            if (limit := self._limit()) is not None:
                return limit
            if not self.box.read:
                return "abstained" if self.understood else "malformed_replies"
            return self._conclude(early)
        except OutOfTime:
            return "time_limit"
        except ModelFailed:
            return "model_error"

    def _limit(self) -> Ending | None:
        return self.limits.reached(len(self.steps), self.box.tokens, self.clock() - self.begun)

    def _in_a_hurry(self) -> bool:
        spent = self.clock() - self.begun
        return spent >= self.limits.wall_seconds * _SHARE_OF_CALLS or self._limit() is not None

    # --- calling ------------------------------------------------------------------------------------------------------

    def _call(self) -> str:
        """Let the model call; return the conclusion that it came to by itself, "" when it came to none."""
        self._begin()
        while self.calls_left > 0 and not self._in_a_hurry():
            completion = self._ask()
            calls = calls_of(completion, MOST_CALLS - self.calls_left + 1)
            concluded = "" if calls else conclusion_in(completion.text)
            if (concluded or not calls) and self.box.read:
                self.talk.keep(completion, ())
                return concluded
            self.talk.keep(completion, calls)
            if not calls:
                self._no_call(completion)
            for made in calls:
                self._take(made, completion.text if completion.calls else "")
            if self.box.repeated > 1:  # told once, and the same again
                break
        return ""

    def _begin(self) -> None:
        names = {"calls": self.calls_left, "clock": self.box.clock.words, "fence": MARKS}
        system = prompt("tools", self.language, **names)
        if not self.talk.native:
            listed = "\n".join(map(tool_in_words, self.tools))
            system = f"{system}\n\n{prompt('tools_in_words', self.language, tools=listed)}"
        self.talk.begin(system, defused(self.box.question))

    def _ask(self) -> Completion:
        try:
            return self.talk.ask(tools=self.tools, schema=None if self.talk.native else call_schema(self.tools))
        except ModelFailed as error:
            if not (self.talk.native and not self.steps and not isinstance(error, OutOfTime)):
                raise
        self._in_words()
        return self.talk.ask(schema=call_schema(self.tools))

    def _in_words(self) -> None:
        """Begin anew with the tools told in words, where the form of a call is held by a schema."""
        self.talk.native = False
        self._begin()
        for step in self.steps:
            self.talk.tell(
                f"{step.action}\n{step.observation.text}", f"{step.action[:_MOST_WHY]} (folded to save room)"
            )

    def _no_call(self, completion: Completion) -> None:
        """Tell a model that called nothing to call; from then on it is held to the form."""
        self.calls_left -= 1
        told = self._step(f"{REPLY} {one_line(completion.text)[:_MOST_WHY]}", "")
        if self.talk.native:
            self._in_words()
            self.talk.tell(self._calls_left())
        else:
            self.talk.tell(f"{told} {self._calls_left()}")

    def _take(self, made: ToolCall, why: str) -> None:
        if self.calls_left < 1:
            self.talk.show(made, f"Not done: {self._calls_left()}")
            return
        self.calls_left -= 1
        action = action_of(made.name, made.arguments)
        self.understood |= action.startswith(tuple(f"{name} {{" for name in names_of(self.tools)))
        told = self._step(action, why)
        self.talk.show(made, f"{told}\n{self._calls_left()}")

    def _calls_left(self) -> str:
        return f"Calls left: {self.calls_left}." if self.calls_left else "No calls are left."

    def _step(self, action: str, why: str) -> str:
        action = action.encode("utf-8", "replace").decode()  # halves of characters, which JSON can write
        at = self.box.here
        observation = self.box.take(action)
        made = self.meter.calls[self.metered :]
        self.metered += len(made)
        step = Step(
            len(self.steps) + 1, at, action, one_line(why)[:_MOST_WHY], observation, 0, by_model=True, calls=made
        )
        self.steps.append(step)
        self.record(line_of_step(step, self.box))
        return observation.text

    # --- concluding ---------------------------------------------------------------------------------------------------

    def _conclude(self, early: str) -> Ending:
        """Ask for the conclusion, and once more with the complaint when it does not stand."""
        schema = conclusion_schema(_ordered(self.box.read, self.shuffle))
        for attempt in range(2):
            text = early if early and not attempt else self._asked_to_conclude(schema)
            told = self._step(f"{ANSWER} {text}", "")
            if self.box.concluded and not self._refused():
                return "answered" if self.box.notes else "abstained"
            if attempt or self._limit() is not None:
                break
            self.talk.tell(prompt("tools_again", self.language, complaint=told))
        return "answered" if self.box.concluded else "malformed_replies"

    def _refused(self) -> bool:
        """Tell whether something was claimed and nothing of it stands."""
        world = self.box.world()
        stands = any(note.value and not complaint_of(world, note) for note in self.box.notes)
        return bool(self.box.complaints) and not stands

    def _asked_to_conclude(self, schema: Schema) -> str:
        listed = "\n".join(f"- {defused(chunk)}" for chunk in self.box.read)
        self.talk.tell(prompt("tools_conclude", self.language, passages=listed, question=defused(self.box.question)))
        completion = self.talk.ask(schema=schema, limit_tokens=CONCLUSION_TOKENS)
        self.talk.keep(completion, ())
        return conclusion_in(completion.text) or one_line(completion.text)[:_MOST_WHY]


def call_tools(
    state: State,
    asking: Asking,
    *,
    today: date,
    chat: Chat,
    record: Callable[[Mapping[str, object]], None],
    limits: Limits | None = None,
    shuffle: int = 0,
    language: str = "",
    clock: Callable[[], float] = time.monotonic,
) -> Walk:
    """Let a model find the answer to one question by calling tools.

    Args:
        state: of the forest, opened for what may be known.
        asking: the question made ready.
        today: the day it is.
        chat: the model.
        record: keeps each line as it happens (`forest.journal.Journal.write`), after the header.
        limits: where it is stopped, `LIMITS` unless given; near the time it concludes.
        shuffle: 0 gives tools and passages in their order, any other number in another one.
        language: of the prompts, `es` or `en`; "" for the question's own.
        clock: gives seconds.

    Raises:
        KeyboardInterrupt: as it came; the record has its ending then, too.
    """
    bounds, begun = limits or LIMITS, clock()
    meter = Meter(chat, clock, begun + bounds.wall_seconds)
    tools = _ordered(definitions(), shuffle)
    # Definitions that fill half of a small window leave no room to read: there the tools are told in words.
    native = tokens_of_tools(tools) * 2 <= chat.window_tokens
    hunting = _Hunt(
        Toolbox(state, asking.text, asking.clock, today, _reply_budget(chat, tools if native else ())),
        Talk(meter, native),
        meter,
        bounds,
        language or wording_of(state, asking.text).language,
        tools,
        shuffle,
        clock,
        begun,
        record,
    )
    try:
        ending = hunting.run()
    except KeyboardInterrupt:
        record({"ending": "interrupted", "answer": asdict(answer_of(hunting.box, "interrupted"))})
        raise
    answer = answer_of(hunting.box, ending)
    if ending == "answered" and not answer.claims:
        ending = "abstained"
    record({"ending": ending, "answer": asdict(answer), "use": meter.use(len(hunting.steps)).as_line()})
    steps, read = tuple(hunting.steps), hunting.box.read
    return Walk(answer, ending, steps, 0, hunting.box.tokens, read, use=meter.use(len(steps)))


def line_of_step(step: Step, box: Toolbox) -> dict[str, object]:
    """Return a step as the journal keeps it, with what else it takes to show the same again."""
    return {**step.as_line(), "tools": {"today": box.today.isoformat(), "budget_tokens": box.budget_tokens}}


def answer_of(box: Toolbox, ending: Ending) -> Answer:
    """Return what a hunt says, with what was wrong with its citations."""
    world = box.world()
    said = [complaint_of(world, note) for note in box.notes]
    remark = " ".join(complaint for complaint in box.complaints if complaint not in said)
    stands = ending == "answered" and any(note.value and not complaint_of(world, note) for note in box.notes)
    missing = box.missing[:_MOST_MISSING] or ("" if stands else one_line(box.question)[:_MOST_MISSING])
    return conclude(box.question, world, ending, missing, remark)


def _ordered(items: Sequence[_T], shuffle: int) -> list[_T]:
    """Return things in their order, or in another one that is the same for the same number."""
    ordered = [*items]
    if shuffle:
        random.Random(shuffle).shuffle(ordered)  # noqa: S311 - an order to try, not a secret
    return ordered


def _reply_budget(chat: Chat, tools: Sequence[Schema]) -> int:
    """Return how many tokens a reply may have so that a few of them fit into the window beside the tools."""
    room = chat.window_tokens - tokens_of_tools(tools)
    return min(_REPLY_TOKENS, max(room // _SHARE_OF_WINDOW, _LEAST_REPLY_TOKENS))
