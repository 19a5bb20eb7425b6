"""Figures: what each pass of a course is worth, and what it is worth beside the cold pass, with intervals.

Owns the measures of single trials and the figures made of them. Statistics are `bench.statistics`; how figures are
shown is `bench.learning.tables` and `bench.learning.chart`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bench.attempt import Posed
from bench.learning.course import Course
from bench.learning.trial import ROLES, Role, Trial
from bench.metrics import Case, parse_metric
from bench.statistics import Difference, Scored, Summary, difference, summarise
from forest.ids import work_of


@dataclass(frozen=True)
class Look:
    """A trial beside what was asked and beside the cold trial of the same question: all that a measure looks at.

    Attributes:
        posed: the question, with its gold passages.
        trial: the trial.
        cold: of the same question.
        is_taught: whether the question, or the one that it paraphrases, left a trail in any pass.
    """

    posed: Posed
    trial: Trial
    cold: Trial
    is_taught: bool = False

    @cached_property
    def case(self) -> Case:
        """The attempt beside its question."""
        return Case(self.posed, self.trial.attempt)

    @property
    def doors_needed(self) -> int:
        """How many doors the gold chain takes: an entry, and one for each further work that holds gold."""
        return len({work_of(gold.node) for gold in self.posed.question.gold})


@dataclass(frozen=True, slots=True)
class Measure:
    """What is made of one trial.

    Attributes:
        score: None where it does not apply.
        is_yes_or_no: whether every score is 0 or 1.
        is_ratio: whether its share of the cold pass is told.
    """

    score: Callable[[Look], float | None]
    is_yes_or_no: bool = False
    is_ratio: bool = False


def _metric(name: str) -> Callable[[Look], float | None]:
    metric = parse_metric(name)
    return lambda look: metric.score(look.case)


def _steps_to_gold(look: Look) -> float | None:
    """Steps until the last gold passage was read; all steps of a walk that did not read all."""
    return None if look.case.has_failed else float(look.trial.steps_to_gold)


def _steps_to_gold_read(look: Look) -> float | None:
    """The same, only of questions of which this pass and the cold one read all."""
    return float(look.trial.steps_to_gold) if look.trial.has_all and look.cold.has_all else None


def _steps_to_gold_taught(look: Look) -> float | None:
    """Steps until the last gold passage, only of questions that left a trail in some pass, and of their paraphrases."""
    return _steps_to_gold(look) if look.is_taught else None


def _waste(look: Look) -> float | None:
    """Doors walked less doors that the gold chain takes; below 0 where a shortcut or another way leads past some."""
    return None if look.case.has_failed else float(look.trial.doors - look.doors_needed)


def _all_read(look: Look) -> float | None:
    """1 when a passage of every gold hop was read."""
    return None if look.case.has_failed else float(look.trial.has_all)


def _citations(look: Look) -> float | None:
    """Distinct passages cited."""
    return None if look.case.has_failed else float(len(look.case.cited))


def _first_changed(look: Look) -> float | None:
    """1 when the node where the walk began, or the first that it went to from there, is not that of the cold pass."""
    return None if look.case.has_failed else float(look.trial.way[:2] != look.cold.way[:2])


MEASURES: dict[str, Measure] = {
    "steps_to_gold": Measure(_steps_to_gold, is_ratio=True),
    "steps_to_gold_read": Measure(_steps_to_gold_read, is_ratio=True),
    "steps_to_gold_taught": Measure(_steps_to_gold_taught, is_ratio=True),
    "all_read": Measure(_all_read, is_yes_or_no=True),
    "steps": Measure(_metric("steps"), is_ratio=True),
    "waste": Measure(_waste),
    "tokens": Measure(_metric("tokens"), is_ratio=True),
    "answer_correct": Measure(_metric("answer_correct"), is_yes_or_no=True),
    "right_and_cited": Measure(_metric("right_and_cited"), is_yes_or_no=True),
    "every_hop_cited": Measure(_metric("every_hop_cited"), is_yes_or_no=True),
    "false_statements": Measure(_metric("false_statements"), is_yes_or_no=True),
    "citations": Measure(_citations),
    "first_changed": Measure(_first_changed, is_yes_or_no=True),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one role in one pass.

    Attributes:
        measure: its name.
        role: of the questions.
        number: of the pass.
        mean: over the questions, with its interval.
        difference: this pass less the cold one, paired by question.
        ratio: the sum of this pass over the sum of the cold one, on the same questions; None where it is not told.
    """

    measure: str
    role: Role
    number: int
    mean: Summary
    difference: Difference
    ratio: Summary | None


@dataclass(frozen=True, slots=True)
class Deposits:
    """What was left in one pass.

    Attributes:
        number: of the pass.
        walked: how many questions were.
        left: how many left a trail.
        wrong: of these the share whose answer is wrong.
        uncited: of these the share whose answer is wrong or does not cite every gold hop.
    """

    number: int
    walked: int
    left: int
    wrong: Summary
    uncited: Summary


@dataclass(frozen=True, slots=True)
class Told:
    """All figures of a course."""

    condition: str
    passes: int
    questions: dict[str, int]
    figures: tuple[Figure, ...]
    deposits: tuple[Deposits, ...]
    errors: int

    def figure(self, measure: str, role: Role, number: int) -> Figure:
        """Return one figure.

        Raises:
            StopIteration: there is none.
        """
        wanted = (measure, role, number)
        return next(f for f in self.figures if (f.measure, f.role, f.number) == wanted)


def tell(course: Course, *, seed: int = 1) -> Told:
    """Return the figures of the passes that have all their trials."""
    passes = course.passes
    figures = [
        _figure(name, role, number, looks(course, role, number), looks(course, role, 0), seed)
        for role in ROLES
        if course.posed[role]
        for name in MEASURES
        for number in range(passes + 1)
    ]
    return Told(
        str(course.heading.condition)
        + (", scents blanked" if course.heading.blanked else "")
        + (", from the root" if course.heading.at_root else ""),
        passes,
        {role: len(course.posed[role]) for role in ROLES},
        tuple(figures),
        tuple(_deposits(number, looks(course, "walked", number), seed) for number in range(1, passes + 1)),
        sum(bool(trial.attempt.error) for trial in course.trials),
    )


def looks(course: Course, role: Role, number: int) -> list[Look]:
    """Return the trials of a role in a pass, in the order of the questions; those that are not made are left out."""
    made = {trial.key: trial for trial in course.trials}
    taught = {trial.attempt.question for trial in course.trials if trial.deposited}
    keys = [(posed, (number, role, posed.question.id), (0, role, posed.question.id)) for posed in course.posed[role]]
    return [
        Look(posed, made[key], made[cold], (posed.question.paraphrases or posed.question.id) in taught)
        for posed, key, cold in keys
        if key in made and cold in made
    ]


def scored(measure: str, some: Sequence[Look]) -> list[Scored]:
    """Return the scores of a measure, each with the chain of its question."""
    score = MEASURES[measure].score
    return [Scored(look.posed.question.id, look.posed.question.chain, score(look)) for look in some]


def _figure(name: str, role: Role, number: int, now: list[Look], cold: list[Look], seed: int) -> Figure:
    measure, one, other = MEASURES[name], scored(name, now), scored(name, cold)
    mean = summarise(one, is_yes_or_no=measure.is_yes_or_no, seed=seed)
    ratio = summarise(list(_ratios(one, other)), is_yes_or_no=False, seed=seed) if measure.is_ratio else None
    return Figure(name, role, number, mean, difference(one, other, is_paired=True, seed=seed), ratio)


def _ratios(one: Sequence[Scored], other: Sequence[Scored]) -> Iterator[Scored]:
    cold = {s.question: s.score for s in other}
    for s in one:
        before = cold.get(s.question)
        if s.score is not None and before is not None:
            yield Scored(s.question, s.chain, s.score, before)


def _deposits(number: int, walked: Sequence[Look], seed: int) -> Deposits:
    left = [look for look in walked if look.trial.deposited]

    def share(of: Callable[[Look], bool]) -> Summary:
        scores = [Scored(look.posed.question.id, look.posed.question.chain, float(of(look))) for look in left]
        return summarise(scores, is_yes_or_no=True, seed=seed)

    return Deposits(
        number,
        len(walked),
        len(left),
        share(lambda look: not look.case.is_right),
        share(lambda look: not (look.case.is_right and all(look.case.hops_cited))),
    )
