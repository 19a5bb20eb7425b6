"""The walk: ask the navigator, act, record, stop. One loop for every navigator: person, scout or model.

A navigator is a generator: it yields a decision and is sent what the decision showed. It knows nothing of journals,
limits and endings; this loop knows nothing of how decisions are made.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from forest.answer import Answer
from forest.observation import Observation
from forest.text import printable
from navigator import actions
from navigator.actions import Decision, Ending
from navigator.answering import conclude
from navigator.telling import steps_text
from navigator.world import World

Navigator = Generator[Decision, Observation[Any], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a walk is stopped. Reaching one is an ending of its own, not an answer.

    Attributes:
        steps: the most steps.
        tokens: the most tokens shown.
        wall_seconds: the most time.
    """

    steps: int = 240
    tokens: int = 120_000
    wall_seconds: float = 300.0

    def reached(self, steps: int, tokens: int, wall_seconds: float) -> Ending | None:
        """Return which limit is reached, None when none is."""
        if steps >= self.steps:
            return "step_limit"
        if tokens >= self.tokens:
            return "token_limit"
        return "time_limit" if wall_seconds >= self.wall_seconds else None


@dataclass(frozen=True, slots=True)
class Step:
    """One step as recorded.

    Attributes:
        number: from 1.
        at: id of the node where it was decided, "" before any was entered.
        action: as `navigator.actions.parse_action` reads it.
        why: what the navigator says of its choice.
        observation: what it showed.
        hops: doors gone through so far.
    """

    number: int
    at: str
    action: str
    why: str
    observation: Observation[Any]
    hops: int

    def as_line(self) -> dict[str, object]:
        """Return the step as the journal keeps it; items are left out, their text is there."""
        names = ("text", "tokens", "shown", "total", "truncated", "next")
        shown = {name: getattr(self.observation, name) for name in names}
        return {
            "step": self.number,
            "at": self.at,
            "action": self.action,
            "why": self.why,
            "hops": self.hops,
            "observation": shown,
        }


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk that ended.

    Attributes:
        answer: what it says, its claims checked.
        ending: why it stopped.
        steps: in order.
        hops: doors gone through.
        tokens: of everything shown.
        read: ids of the passages read, in the order of their first reading.
        plan: the chained sub-questions, in words; empty for a navigator that makes none.
    """

    answer: Answer
    ending: Ending
    steps: tuple[Step, ...]
    hops: int
    tokens: int
    read: tuple[str, ...]
    plan: tuple[str, ...] = ()

    def told(self) -> str:
        """Return the plan and every step for a terminal."""
        lines = [f"Plan: {'; '.join(self.plan)}", ""] if self.plan else []
        lines.append(steps_text(step.as_line() for step in self.steps))
        counts = f"{len(self.steps)} steps, {self.hops} hops, {len(self.read)} passages read, {self.tokens} tokens"
        return printable("\n".join([*lines, "", f"Ending: {self.ending.replace('_', ' ')} ({counts})."]))

    def as_json(self, *, explain: bool) -> dict[str, object]:
        """Return the answer and how the walk went, as JSON-ready data; with the steps if asked."""
        facts: dict[str, object] = {
            "ending": self.ending,
            "hops": self.hops,
            "tokens": self.tokens,
            "read": list(self.read),
            "plan": list(self.plan),
        }
        facts["steps"] = [step.as_line() for step in self.steps] if explain else len(self.steps)
        return {**asdict(self.answer), "walk": facts}


def walk(
    question: str,
    world: World,
    navigator: Navigator,
    record: Callable[[Mapping[str, object]], None],
    clock: Callable[[], float],
    limits: Limits | None = None,
    plan: tuple[str, ...] = (),
) -> Walk:
    """Walk until the navigator answers or gives up, or a limit is reached.

    Args:
        question: as asked.
        world: where the walk takes place.
        navigator: decides.
        record: keeps each line as it happens (`forest.journal.Journal.write`).
        clock: gives seconds, for the time limit.
        limits: where it is stopped.
        plan: the sub-questions, to be told.

    Raises:
        KeyboardInterrupt: as it came; the record has its ending then, too.
    """
    bounds, begun = limits or Limits(), clock()
    steps: list[Step] = []
    try:
        decision = next(navigator)
        while True:
            at = world.here.id if world.here else ""
            observation = world.take(decision.action)
            steps.append(Step(len(steps) + 1, at, str(decision.action), decision.why, observation, world.hops))
            record(steps[-1].as_line())
            ending = _ending(decision) or bounds.reached(len(steps), world.tokens, clock() - begun)
            if ending is not None:
                break
            decision = navigator.send(observation)
    except KeyboardInterrupt:
        record({"ending": "interrupted", "answer": asdict(conclude(question, world, "interrupted", ""))})
        raise
    missing = decision.action.missing if isinstance(decision.action, actions.GiveUp) else ""
    remark = decision.action.remark if isinstance(decision.action, actions.Answer) else ""
    answer = conclude(question, world, ending, missing, remark)
    if ending == "answered" and not answer.claims:
        ending = "abstained"
    record({"ending": ending, "answer": asdict(answer)})
    return Walk(answer, ending, tuple(steps), world.hops, world.tokens, world.read, plan)


def _ending(decision: Decision) -> Ending | None:
    match decision.action:
        case actions.Answer():
            return "answered"
        case actions.GiveUp():
            return "abstained"
    return None
