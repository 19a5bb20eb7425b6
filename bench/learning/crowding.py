"""Crowding: many trails of one question, and what they do to questions that have nothing to do with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from bench.learning.asking import Asker, Hunt, scout_hunt
from bench.learning.misled import LEFT, Stage, is_same
from bench.learning.planting import copies
from bench.learning.trial import Trial
from bench.metrics import Case
from bench.question import Question
from forest.errors import WrongUsage
from forest.forgetting import forget
from forest.heat import open_heat
from forest.ids import work_of
from forest.routes import HeatFelt, Memory
from forest.spelling import wording_of
from forest.state import open_state
from forest.trail import Trail
from forest.trails import deposit_all, find_trail

_TRIED = 12  # trails that are compared
_DOORS = 2  # useful ones: heat on an entry alone would be less than what walks leave
FELT: tuple[HeatFelt, ...] = ("on", "unconditioned")


@dataclass(frozen=True, slots=True)
class Crowded:
    """What many trails of one question did to others under one kind of heat.

    Attributes:
        heat: `on`, or `unconditioned`.
        n: how many unrelated questions.
        felt: at how many of them some door of the trails is lifted or lowered at all.
        most: the largest factor among these doors.
        least: the smallest.
        first: how many begin at another node than cold, or go another way from there.
        changed: how many walks differ from the cold ones in anything.
        raised: how many stood at a node of the trails where they did not stand cold and that holds none of their gold.
        lost: how many were answered right cold and are not any more.
        gained: the other way round.
    """

    heat: HeatFelt
    n: int
    felt: int
    most: float
    least: float
    first: int
    changed: int
    raised: int
    lost: int
    gained: int


def crowd(
    forest: Path,
    crowding: Sequence[Question],
    others: Sequence[Question],
    *,
    most: int,
    count: int,
    days: int,
    today: date,
    hunt: Hunt = scout_hunt,
) -> tuple[str, tuple[Crowded, ...]]:
    """Leave many trails of one question in a copy of a forest, and return its id and what they did to others.

    Args:
        forest: the folder of a copy, in which nothing was left yet.
        crowding: of the first of them that leave a trail with two useful doors, the one whose doors most others come
            by: where nobody comes by, no heat could do harm.
        others: questions; those of its chain are left out, and those whose gold is where its walk was.
        most: how many of them are asked, those that come by its doors first.
        count: how many trails.
        days: over how many days they are spread.
        today: the day of questions that have none.
        hunt: how a question is walked.

    Raises:
        WrongUsage: no question leaves such a trail.
    """
    with Asker(forest, hunt) as asker:
        stage = Stage(forest, asker, today)
        walked = {q.id: set(trial.way) for q, trial in zip(others, stage.ask(others, "sister", None), strict=True)}
        question, trail, chosen = _busiest(stage, crowding, others, walked)
        chosen = chosen[:most]
        # Not the trail itself, which was forgotten, but others like it.
        other = replace(trail, time=trail.time - timedelta(microseconds=1))
        deposit_all(stage.snapshot, [(one, question.question) for one in copies(other, count, days)])
        cold = stage.ask(chosen, "sister", None)
        found = []
        for heat in FELT:
            now = stage.ask(chosen, "sister", Memory(deposit=False, heat=heat, shortcuts=False))
            boosts = [_boosts(stage, q, trail, heat) for q in chosen]
            found.append(_crowded(heat, stage, chosen, trail, cold, now, boosts))
    return question.id, tuple(found)


def _busiest(
    stage: Stage, crowding: Sequence[Question], others: Sequence[Question], walked: Mapping[str, set[str]]
) -> tuple[Question, Trail, list[Question]]:
    """Return a question, its trail, and the questions that it has nothing to do with, those that come by it first."""
    best: tuple[int, Question, Trail, list[Question]] | None = None
    tried = 0
    for question in crowding:
        (trial,) = stage.ask([question], "walked", LEFT)
        if not trial.deposited:
            continue
        trail = find_trail(stage.snapshot, trial.deposited).trail
        forget(stage.snapshot, [trail.id])
        if trail.useful < _DOORS:
            continue
        led = {work_of(door.to) for door in trail.doors}
        begun = {door.source or door.to for door in trail.doors}
        unrelated = [q for q in others if q.chain != question.chain and not led & {work_of(g.node) for g in q.gold}]
        by = {q.id for q in unrelated if begun & walked[q.id]}
        if best is None or len(by) > best[0]:
            best = len(by), question, trail, sorted(unrelated, key=lambda q: q.id not in by)
        tried += 1
        if tried == _TRIED:
            break
    if best is None:
        raise WrongUsage(
            "No walk of these questions leaves a trail with two useful doors.", "Name others with --questions."
        )
    return best[1:]


def _boosts(stage: Stage, question: Question, trail: Trail, heat: HeatFelt) -> list[float]:
    """Return the factors that the doors of a trail have for a question."""
    day = question.today or stage.today
    with open_state(stage.snapshot, as_of=question.as_of) as state:
        text = wording_of(state, question.question).text
        with open_heat(state, day, conditioned=heat == "on") as opened:
            felt = opened.felt_by(text)
            return [felt.boost(door.source, door.to) for door in trail.doors]


def _crowded(
    heat: HeatFelt,
    stage: Stage,
    questions: Sequence[Question],
    trail: Trail,
    cold: Sequence[Trial],
    now: Sequence[Trial],
    boosts: Sequence[Sequence[float]],
) -> Crowded:
    led = {work_of(door.to) for door in trail.doors}
    rows = list(zip(stage.posed(questions), cold, now, strict=True))
    right = [(Case(p, was.attempt).is_right, Case(p, is_.attempt).is_right) for p, was, is_ in rows]
    raised = [
        led
        & (set(map(work_of, is_.way)) - set(map(work_of, was.way)) - {work_of(gold.node) for gold in p.question.gold})
        for p, was, is_ in rows
    ]
    every = [boost for some in boosts for boost in some]
    return Crowded(
        heat,
        len(rows),
        sum(any(boost != 1.0 for boost in some) for some in boosts),
        max(every, default=1.0),
        min(every, default=1.0),
        sum(was.way[:2] != is_.way[:2] for _, was, is_ in rows),
        sum(not is_same(was, is_) for _, was, is_ in rows),
        sum(map(bool, raised)),
        sum(was and not is_ for was, is_ in right),
        sum(is_ and not was for was, is_ in right),
    )
