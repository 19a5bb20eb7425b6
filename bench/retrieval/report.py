"""The report of a run: means with intervals by groups of questions, and differences between arms, as a value.

Owns which figures there are. What a metric is stands in `bench.retrieval.scores`, intervals are `bench.statistics`,
the Markdown is `bench.retrieval.tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.retrieval.scores import METRICS, Metric, Ranked
from bench.retrieval.wanted import Wanted
from bench.statistics import Difference, Scored, Summary, difference, summarise

ALL = "all"
BY: dict[str, Callable[[Wanted], str]] = {
    "questions": lambda _: ALL,
    "category": lambda q: q.category,
    "phrasing": lambda q: q.phrasing,
    "category and phrasing": lambda q: f"{q.category}, {q.phrasing}" if q.phrasing else "",
    "hops": lambda q: "one hop" if q.hops == 1 else "several hops",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a run is worth.

    Attributes:
        header: what was run on what, a line each by its name.
        arms: in the order in which they were asked, the measured one first.
        baseline: the arm that the others are compared with, "" when it is not among them.
        summaries: by (dimension of `BY`, group, arm, metric as it prints); groups without a name are left out.
        compared: by (dimension, group, one, other, metric): how far `one` is above `other`.
        asked: the questions.
        ranked: the rankings.
    """

    header: Mapping[str, str]
    arms: tuple[str, ...]
    baseline: str
    summaries: Mapping[tuple[str, str, str, str], Summary]
    compared: Mapping[tuple[str, str, str, str, str], Difference]
    asked: tuple[Wanted, ...]
    ranked: tuple[Ranked, ...]

    @property
    def measured(self) -> str:
        """The arm that is measured."""
        return self.arms[0]

    def groups(self, by: str) -> tuple[str, ...]:
        """Return the groups of a dimension, sorted."""
        return tuple(sorted({group for name, group, _, _ in self.summaries if name == by}))


def make_report(
    header: Mapping[str, str],
    asked: Sequence[Wanted],
    ranked: Sequence[Ranked],
    *,
    main: Sequence[str],
    baseline: str,
    seed: int,
) -> Report:
    """Score every ranking.

    Args:
        header: what was run on what.
        asked: the questions.
        ranked: all arms on all of them.
        main: the arms that are told by group; the others are told over all questions only.
        baseline: what the measured arm, the first, is compared with in every group.
        seed: of the bootstrap.
    """
    arms = tuple(dict.fromkeys(r.arm for r in ranked))
    by_place = {(r.arm, r.question): r for r in ranked}
    summaries: dict[tuple[str, str, str, str], Summary] = {}
    compared: dict[tuple[str, str, str, str, str], Difference] = {}
    for by, group, here in _groups(asked):
        for metric in METRICS:
            scored = {arm: _scored(here, arm, metric, by_place) for arm in arms if group == ALL or arm in main}
            for arm, scores in scored.items():
                summaries[by, group, arm, str(metric)] = summarise(scores, is_yes_or_no=metric.is_yes_or_no, seed=seed)
            for one, other in _pairs(tuple(scored), baseline):
                compared[by, group, one, other, str(metric)] = difference(
                    scored[one], scored[other], is_paired=True, seed=seed
                )
    return Report(header, arms, baseline if baseline in arms else "", summaries, compared, tuple(asked), tuple(ranked))


def _groups(asked: Sequence[Wanted]) -> Iterator[tuple[str, str, list[Wanted]]]:
    for by, group_of in BY.items():
        for group in sorted({group_of(q) for q in asked} - {""}):
            yield by, group, [q for q in asked if group_of(q) == group]


def _pairs(arms: Sequence[str], baseline: str) -> Iterator[tuple[str, str]]:
    """Yield the measured arm less every other, then the others less the baseline."""
    yield from ((arms[0], other) for other in arms[1:])
    yield from ((one, baseline) for one in arms[1:] if baseline in arms and one != baseline)


def _scored(
    here: Sequence[Wanted], arm: str, metric: Metric, by_place: Mapping[tuple[str, str], Ranked]
) -> list[Scored]:
    return [Scored(q.id, q.chain, metric.of(q, by_place[arm, q.id])) for q in here]
