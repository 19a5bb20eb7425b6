"""Misled: walks before and after wrong trails were planted, and what of it feedback and forgetting undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench.attempt import Asked, Posed
from bench.learning.asking import Asker, Hunt, Task, scout_hunt
from bench.learning.choosing import Asking
from bench.learning.planting import copies, plant
from bench.learning.trial import Role, Trial
from bench.metrics import Case
from bench.question import Question, gold_passages
from forest.forgetting import forget
from forest.history import open_snapshot
from forest.ids import work_of
from forest.routes import Memory
from forest.state import open_state
from forest.trails import deposit, feedback, find_trail

FELT = Memory(deposit=False)
LEFT = Memory(deposit=True, heat="off", shortcuts=False)


@dataclass(frozen=True, slots=True)
class Effect:
    """What became of the walks of some questions, beside those before anything was planted.

    Attributes:
        after: what was done last: `planted`, `feedback`, `forgotten`.
        role: of the questions.
        n: how many.
        right_before: right answers before.
        right: right answers now.
        answers: how many answer something else, or abstain where they answered.
        first: how many begin at another node, or go another way from there.
        wrong: how many stood at the node that a planted trail led to, and did not before.
        same: how many walks are the same to the step.
        steps: mean of all steps, less that before.
    """

    after: str
    role: Role
    n: int
    right_before: int
    right: int
    answers: int
    first: int
    wrong: int
    same: int
    steps: float


@dataclass(frozen=True, slots=True)
class Planted:
    """One wrong trail: its question, its id, and the work that it leads to."""

    question: str
    trail: str
    leads_to: str


def planted(
    forest: Path, asking: Asking, *, count: int, each: int, today: date, hunt: Hunt = scout_hunt
) -> tuple[tuple[Planted, ...], tuple[Effect, ...]]:
    """Plant wrong trails in a copy of a forest and return them, and what they and their undoing did.

    Args:
        forest: the folder of a copy, in which nothing was left yet.
        asking: the questions; those are taken, in order, whose walks leave a trail that a wrong one can be made of.
        count: how many questions are misled.
        each: how many wrong trails each gets.
        today: the day of questions that have none.
        hunt: how a question is walked.
    """
    with Asker(forest, hunt) as asker:
        stage = Stage(forest, asker, today)
        wrong = stage.plant(asking.walked, count, each)
        misled = {one.question for one in wrong}
        chosen: dict[Role, list[Question]] = {
            "walked": [q for q in asking.walked if q.id in misled],
            "paraphrase": [q for q in asking.paraphrases if q.paraphrases in misled],
        }
        before = {role: stage.ask(some, role, None) for role, some in chosen.items()}
        effects: list[Effect] = []

        def look(after: str) -> None:
            for role, some in chosen.items():
                now = stage.ask(some, role, FELT)
                effects.append(_effect(after, role, stage.posed(some), before[role], now, wrong))

        look("planted")
        for one in wrong:
            feedback(stage.snapshot, one.trail, "bad")
        look("feedback")
        forget(stage.snapshot, [one.trail for one in wrong])
        look("forgotten")
    return tuple(wrong), tuple(effects)


class Stage:
    """A copy of a forest in which questions are asked again and again."""

    def __init__(self, forest: Path, asker: Asker, today: date) -> None:
        self.snapshot = open_snapshot(forest)
        self._asker = asker
        self.today = today
        self._posed: dict[str, Posed] = {}

    def posed(self, questions: Sequence[Question]) -> list[Posed]:
        """Return questions with their gold passages."""
        with open_state(self.snapshot) as state:
            for q in questions:
                if q.id not in self._posed:
                    self._posed[q.id] = Posed(q, gold_passages(state, q))
        return [self._posed[q.id] for q in questions]

    def ask(self, questions: Sequence[Question], role: Role, memory: Memory | None) -> list[Trial]:
        """Return a trial of each question."""
        return [self._trial(posed, role, memory) for posed in self.posed(questions)]

    def _trial(self, posed: Posed, role: Role, memory: Memory | None) -> Trial:
        q = posed.question
        asked = Asked(q.question, q.today or self.today, q.as_of, q.in_force_on)
        return self._asker.trial(Task(0, role, q.id, asked, posed.gold, memory))

    def plant(self, questions: Sequence[Question], count: int, each: int) -> list[Planted]:
        """Walk questions for real trails, put wrong ones in their place, and return these."""
        found: list[Planted] = []
        misled = 0
        for posed in self.posed(questions):
            if misled == count:
                break
            left = self._trial(posed, "walked", LEFT).deposited
            if not left:
                continue
            real = find_trail(self.snapshot, left).trail
            forget(self.snapshot, [left])
            gold = {work_of(gold.node) for gold in posed.question.gold}
            with open_state(self.snapshot, as_of=posed.question.as_of) as state:
                wrong = plant(state, real, gold)
            if wrong is None:
                continue
            misled += 1
            for trail in copies(wrong, each, days=1):
                trail_id = deposit(self.snapshot, trail, posed.question.question)
                found.append(Planted(posed.question.id, trail_id, work_of(trail.cited[0].node)))
        return found


def _effect(
    after: str,
    role: Role,
    posed: Sequence[Posed],
    before: Sequence[Trial],
    now: Sequence[Trial],
    wrong: Sequence[Planted],
) -> Effect:
    rows = list(zip(posed, before, now, strict=True))
    leads = {one.question: one.leads_to for one in wrong}

    def count(of: Callable[[Posed, Trial, Trial], bool]) -> int:
        return sum(of(*row) for row in rows)

    def led(posed: Posed, was: Trial, is_: Trial) -> bool:
        node = leads[posed.question.paraphrases or posed.question.id]
        return node in map(work_of, is_.way) and node not in map(work_of, was.way)

    return Effect(
        after,
        role,
        len(rows),
        count(lambda p, was, _: Case(p, was.attempt).is_right),
        count(lambda p, _, is_: Case(p, is_.attempt).is_right),
        count(lambda _, was, is_: was.attempt.reply.values != is_.attempt.reply.values),
        count(lambda _, was, is_: was.way[:2] != is_.way[:2]),
        count(led),
        count(lambda _, was, is_: is_same(was, is_)),
        sum(is_.attempt.reply.steps - was.attempt.reply.steps for _, was, is_ in rows) / len(rows) if rows else 0.0,
    )


def is_same(one: Trial, other: Trial) -> bool:
    """Tell whether two trials are of walks that read, stood and answered the same."""
    return (one.way, one.reached, one.doors, one.attempt.reply) == (
        other.way,
        other.reached,
        other.doors,
        other.attempt.reply,
    )
