"""The walk: ask the navigator, act, record, stop. One loop for every navigator: person, scout or model.

A navigator is a generator: it yields a decision and is sent what the decision showed. It knows nothing of journals,
limits and endings; this loop knows nothing of how decisions are made.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from forest.answer import Answer
from forest.errors import ForestError
from forest.observation import Observation
from forest.text import printable
from navigator import actions
from navigator.actions import Decision, Ending
from navigator.answering import conclude
from navigator.chat import ModelFailed
from navigator.meter import Call, Meter, OutOfTime, Use
from navigator.telling import steps_text
from navigator.world import World

Navigator = Generator[Decision, Observation[Any], None]


class Malformed(ForestError):
    """A navigator gives up on a model whose replies cannot be read. No word of them is in it."""


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
        by_model: whether a model chose it.
        calls: of a model, made to choose it.
        read: ids of the passages that it was the first to read.
    """

    number: int
    at: str
    action: str
    why: str
    observation: Observation[Any]
    hops: int
    by_model: bool = False
    calls: tuple[Call, ...] = ()
    read: tuple[str, ...] = ()

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
            "by_model": self.by_model,
            "calls": [call.as_line() for call in self.calls],
            "read": list(self.read),
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
        use: what was asked of a model.
        deposited: id of the trail that it left, "" for none.
        remark: what is to be told of that, a sentence; "" for nothing.
    """

    answer: Answer
    ending: Ending
    steps: tuple[Step, ...]
    hops: int
    tokens: int
    read: tuple[str, ...]
    plan: tuple[str, ...] = ()
    use: Use = field(default_factory=Use)
    deposited: str = ""
    remark: str = ""

    def told(self) -> str:
        """Return the plan and every step for a terminal."""
        lines = [f"Plan: {'; '.join(self.plan)}", ""] if self.plan else []
        lines.append(steps_text(step.as_line() for step in self.steps))
        counts = f"{len(self.steps)} steps, {self.hops} hops, {len(self.read)} passages read, {self.tokens} tokens"
        lines += ["", f"Ending: {self.ending.replace('_', ' ')} ({counts})."]
        if self.use.calls:
            lines.append(f"Asked: {self.use.told()}.")
        if self.deposited:
            lines.append(f"Trail: {self.deposited[:12]}.")
        return printable("\n".join([*lines, *([self.remark] if self.remark else [])]))

    def as_json(self, *, explain: bool) -> dict[str, object]:
        """Return the answer and how the walk went, as JSON-ready data; with the steps if asked."""
        facts: dict[str, object] = {
            "ending": self.ending,
            "hops": self.hops,
            "tokens": self.tokens,
            "read": list(self.read),
            "plan": list(self.plan),
            "use": self.use.as_line(),
            "deposited": self.deposited,
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
    meter: Meter | None = None,
) -> Walk:
    """Walk until the navigator answers or gives up, a limit is reached, or its model fails.

    Args:
        question: as asked.
        world: where the walk takes place.
        navigator: decides.
        record: keeps each line as it happens (`forest.journal.Journal.write`).
        clock: gives seconds, for the time limit.
        limits: where it is stopped.
        plan: the sub-questions, to be told; until a decision comes with others.
        meter: through which the navigator asks its model, if it has one.

    Raises:
        KeyboardInterrupt: as it came; the record has its ending then, too.
    """
    bounds, begun = limits or Limits(), clock()
    steps: list[Step] = []
    missing = remark = ""
    try:
        decision = next(navigator)
        while True:
            plan = decision.plan or plan
            steps.append(_taken(world, decision, steps, meter))
            record(steps[-1].as_line())
            ending = _ending(decision) or bounds.reached(len(steps), world.tokens, clock() - begun)
            if ending is not None:
                break
            decision = navigator.send(steps[-1].observation)
        missing = decision.action.missing if isinstance(decision.action, actions.GiveUp) else ""
        remark = decision.action.remark if isinstance(decision.action, actions.Answer) else ""
    except KeyboardInterrupt:
        answer = conclude(question, world, "interrupted", "")
        record({"ending": "interrupted", "answer": asdict(answer), "use": _use(steps, meter).as_line()})
        raise
    except OutOfTime:
        ending = "time_limit"
    except Malformed:
        ending = "malformed_replies"
    except ModelFailed as error:
        ending, remark = "model_error", str(error)
    answer = conclude(question, world, ending, missing, remark)
    if ending == "answered" and not answer.claims:
        ending = "abstained"
    use = _use(steps, meter)
    record({"ending": ending, "answer": asdict(answer), "use": use.as_line()})
    return Walk(answer, ending, tuple(steps), world.hops, world.tokens, world.read, plan, use)


def _taken(world: World, decision: Decision, before: list[Step], meter: Meter | None) -> Step:
    """Do what was decided; the calls that it cost are those that no step before it has."""
    at = world.here.id if world.here else ""
    counted = sum(len(step.calls) for step in before)
    calls = meter.calls[counted:] if meter is not None else ()
    known = len(world.read)
    observation = world.take(decision.action)
    action, number = str(decision.action), len(before) + 1
    read = world.read[known:]
    return Step(number, at, action, decision.why, observation, world.hops, decision.by_model, calls, read)


def _use(steps: list[Step], meter: Meter | None) -> Use:
    decided = sum(step.by_model for step in steps)
    return meter.use(decided) if meter is not None else Use(decided=decided)


def _ending(decision: Decision) -> Ending | None:
    match decision.action:
        case actions.Answer():
            return "answered"
        case actions.GiveUp():
            return "abstained"
    return None
