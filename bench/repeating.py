"""Repetitions: what the same questions are worth when they are asked again, and how far that moves a score.

A repetition shows a model the same in another order, so a difference between two models that is within the margin
of either is no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.choosing import GROUPS
from bench.metrics import Case, Metric, parse_metric


@dataclass(frozen=True, slots=True)
class Repeated:
    """The means of an arm in each repetition, over the questions of a group that were asked in all of them.

    Attributes:
        metric: its name.
        group: name of the group.
        arm: its name.
        means: by repetition.
        same: share of the questions with the same score every time.
        n: how many questions.
    """

    metric: str
    group: str
    arm: str
    means: tuple[float, ...]
    same: float
    n: int

    @property
    def margin(self) -> float:
        """The largest mean less the smallest."""
        return max(self.means) - min(self.means)


def repetitions(found: Sequence[Case], arms: Iterable[str], metrics: Iterable[str]) -> list[Repeated]:
    """Return what repetitions were worth, of every metric, group and arm that has questions asked more than once."""
    return [
        repeated
        for metric in map(parse_metric, metrics)
        for group, holds in GROUPS.items()
        for arm in arms
        if (repeated := _repeated(metric, group, arm, [c for c in found if c.attempt.arm == arm and holds(c.question)]))
    ]


def _repeated(metric: Metric, group: str, arm: str, found: Sequence[Case]) -> Repeated | None:
    last = max((case.attempt.repetition for case in found), default=1)
    if last == 1:
        return None
    scores: dict[str, dict[int, float]] = {}
    for case in found:
        if (score := metric.score(case)) is not None:
            scores.setdefault(case.question.id, {})[case.attempt.repetition] = score
    whole = [by for by in scores.values() if len(by) == last]
    if not whole:
        return None
    means = tuple(sum(by[number] for by in whole) / len(whole) for number in range(1, last + 1))
    return Repeated(
        str(metric), group, arm, means, sum(len(set(by.values())) == 1 for by in whole) / len(whole), len(whole)
    )
