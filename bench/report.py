"""Reports: what a run's attempts are worth, as a value (`Report`) that is written as Markdown or JSON.

Owns which figures there are and what they are grouped by. Whether answers are right is never averaged over single-hop
and multi-hop questions together: each figure is of one group of questions. What a metric is stands in `bench.metrics`,
intervals are `bench.statistics`, the Markdown is `bench.tables`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from bench.attempt import AttemptsWrong, Header, Run
from bench.choosing import GROUPS
from bench.controls import CONTROLS, Control
from bench.failures import FAILURES, failure_of
from bench.metrics import Case, Metric, cases, parse_metric
from bench.question import Question
from bench.repeating import Repeated, repetitions
from bench.routing import Routing, routing_of
from bench.statistics import Difference, Scored, Summary, difference, summarise

ALL = "all questions"
BY: dict[str, Callable[[Question], str]] = {
    "category": lambda q: q.category,
    "hops": lambda q: str(q.hops),
    "phrasing": lambda q: q.phrasing,
    "split": lambda q: q.split,
}
# Of a dimension that does not itself keep them apart, single-hop and multi-hop questions make separate groups.
_APART = ("category", "phrasing", "split")
METRICS = tuple(
    "answer_correct right_and_cited every_hop_cited citation_precision citation_recall citation_resolves "
    "citation_support part_coverage evidence_recall@6 evidence_recall@20 all_hops@6 all_hops@20 abstained "
    "abstention_precision abstention_recall premise_corrected false_statements hops steps tokens".split()
)
# Told of a run with a model: seconds differ from run to run, and without one nobody waits.
MODEL_METRICS = tuple(
    "model_calls prompt_tokens completion_tokens cached_tokens decided_by_model wall_seconds tokens_per_correct "
    "seconds_per_correct".split()
)
# What a model is for: it, beside the same walk without one, and beside the same model without the walk.
PAIRS = (("mixed", "scout"), ("llm", "rag"), ("llm", "first"), ("llm", "tools"), ("mixed", "llm"))
_COMPARED = ("answer_correct", "right_and_cited", "all_hops@6")
_BY_METRICS = ("answer_correct",)
_PAIR_METRICS = ("answer_correct", "right_and_cited", "false_statements", "abstained")
_REPEATED_METRICS = ("answer_correct", "right_and_cited")
RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Table:
    """Summaries of one metric: (arm, group) in the order of rows and columns; groups without questions are left out."""

    metric: str
    by: str
    cells: Mapping[tuple[str, str], Summary]


@dataclass(frozen=True, slots=True)
class Compared:
    """How far one arm is above another on a metric in one group of questions."""

    metric: str
    group: str
    one: str
    other: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class Controlled:
    """An arm without and with a control, on one metric in one group, and the change with its interval."""

    control: str
    metric: str
    group: str
    arm: str
    without: Summary
    under: Summary
    change: Difference


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says. All but `repeated` is of the first repetition, in which every question is asked once.

    Attributes:
        header: of the run without control, else of the first.
        planned: how many attempts the run has when it is whole.
        made: how many there are.
        errors: how many of them raised.
        estimated: how many have tokens of a model that its server did not count.
        crowded: by arm, how many could not show their model all that they found, or nothing.
        groups: for each metric a table by `GROUPS`, by all questions together, or by both.
        by: tables by the dimensions asked for.
        failures: for each (arm, group) how many attempts failed by each class.
        compared: arms with each other.
        pairs: those of `PAIRS` that were run.
        repeated: what questions that were asked again were worth in each repetition.
        controlled: arms with themselves under each control.
        routing: what the router's choices cost, by `GROUPS` and over all; empty without its three arms.
        still_right: by control, attempts that are right though the evidence is gone: (arm, question).
    """

    header: Header
    planned: int
    made: int
    errors: int
    estimated: int
    crowded: Mapping[str, int]
    groups: tuple[Table, ...]
    by: tuple[Table, ...]
    failures: Mapping[tuple[str, str], Mapping[str, int]]
    compared: tuple[Compared, ...]
    pairs: tuple[Compared, ...]
    repeated: tuple[Repeated, ...]
    controlled: tuple[Controlled, ...]
    routing: tuple[Routing, ...]
    still_right: Mapping[str, tuple[tuple[str, str], ...]]


def report(runs: Sequence[Run], *, by: Sequence[str] = tuple(BY), metrics: Sequence[str] = (), seed: int = 1) -> Report:
    """Make the report of a run and its controls.

    Args:
        runs: one run, and any controls of it.
        by: dimensions of `BY` to break the figures down by.
        metrics: the only ones to report. Empty means those of `METRICS`, with a model those of `MODEL_METRICS` too,
            `answer_correct` in the break-down, and of each control its own.
        seed: of the bootstrap.

    Raises:
        AttemptsWrong: no run, two of the same control, controls alone, or one of another forest or other questions.
        WrongUsage: a metric that there is not.
    """
    base = _base(runs)
    usual = METRICS + (MODEL_METRICS if base.header.model else ())
    shown = [parse_metric(name) for name in metrics or usual]
    broken_down = [parse_metric(name) for name in metrics or _BY_METRICS]
    compared = [parse_metric(name) for name in metrics or _COMPARED]
    every, header = cases(base), base.header
    found = _first(every)
    arms = tuple(header.arms)
    by_name = {run.header.control: run for run in runs if run is not base}
    under = {control: _first(cases(by_name[name])) for name, control in CONTROLS.items() if name in by_name}
    return Report(
        header=header,
        planned=header.attempts_of_arm(len(base.posed)) * len(arms),
        made=len(every),
        errors=sum(bool(case.attempt.error) for case in every),
        estimated=sum(use is not None and use.usage.estimated for use in (c.attempt.reply.use for c in every)),
        crowded=_crowded(every),
        groups=tuple(_of_groups(found, arms, metric, seed) for metric in shown),
        by=tuple(_broken_down(found, arms, metric, name, seed) for name in by for metric in broken_down),
        failures=_failures(found, arms),
        compared=tuple(_compared(found, tuple(combinations(arms, 2)), compared, seed)),
        pairs=tuple(_compared(found, _pairs(arms), [parse_metric(name) for name in metrics or _PAIR_METRICS], seed)),
        repeated=tuple(repetitions(every, arms, _REPEATED_METRICS)),
        controlled=tuple(c for control in under for c in _controlled(found, under[control], metrics, control, seed)),
        routing=tuple(r for name, here in (*_grouped(found), (ALL, found)) if (r := routing_of(name, here, seed))),
        still_right={
            control.name: tuple(
                (case.attempt.arm, case.question.id)
                for case in controlled
                if case.question.gold and not any(case.posed.gold) and case.is_right
            )
            for control, controlled in under.items()
            if control.takes_evidence
        },
    )


def _base(runs: Sequence[Run]) -> Run:
    if not runs:
        raise AttemptsWrong("There is no run to report.", "Name files that `forest bench run` wrote.")
    base = next((run for run in runs if not run.header.control), None) or runs[0]
    if base.header.control and len(runs) > 1:
        raise AttemptsWrong("There are only controls.", "Report them with the run that they are compared with.")
    names = Counter(run.header.control for run in runs)
    if twice := [name or "no control" for name, count in names.items() if count > 1]:
        raise AttemptsWrong(f"Two runs have {twice[0]}.", "Report one run and its controls at a time.")
    if unknown := [name for name in names if name and name not in CONTROLS]:
        raise AttemptsWrong(f"There is no control {unknown[0]!r}.", f"Controls are {', '.join(CONTROLS)}.")
    for run in runs:
        differing = set(run.header.differences(base.header)) - {"control", "tree", "seed"}
        if differing:
            raise AttemptsWrong(
                f"{run.path} and {base.path} are not of one bench: other {', '.join(sorted(differing))}.",
                "Report one run and its controls at a time.",
            )
    return base


def _of_groups(found: Sequence[Case], arms: Sequence[str], metric: Metric, seed: int) -> Table:
    def groups(question: Question) -> tuple[str, ...]:
        return (*(name for name, holds in GROUPS.items() if holds(question)), ALL)

    columns = {"groups": (*GROUPS,), "all": (ALL,), "both": (*GROUPS, ALL)}[metric.measure.over]
    return _table(found, arms, metric, "group", groups, columns, seed)


def _broken_down(found: Sequence[Case], arms: Sequence[str], metric: Metric, by: str, seed: int) -> Table:
    def groups(question: Question) -> tuple[str, ...]:
        name = BY[by](question)
        if by not in _APART:
            return (name,)
        if not question.gold:
            return (f"{name}, no hop",)
        return (f"{name}, {'multi-hop' if question.is_multi_hop else 'single-hop'}",)

    columns = sorted({group for case in found for group in groups(case.question)})
    return _table(found, arms, metric, by, groups, columns, seed)


def _table(
    found: Sequence[Case],
    arms: Sequence[str],
    metric: Metric,
    by: str,
    groups: Callable[[Question], tuple[str, ...]],
    columns: Iterable[str],
    seed: int,
) -> Table:
    cells = {}
    for group in columns:
        here = [case for case in found if group in groups(case.question)]
        for arm in arms:
            if scored := _scored(here, arm, metric):
                cells[arm, group] = summarise(scored, is_yes_or_no=metric.measure.is_yes_or_no, seed=seed)
    return Table(str(metric), by, cells)


def _scored(found: Iterable[Case], arm: str, metric: Metric) -> list[Scored]:
    return [metric.scored(case) for case in found if case.attempt.arm == arm]


def _failures(found: Sequence[Case], arms: Sequence[str]) -> dict[tuple[str, str], dict[str, int]]:
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for group, here in _grouped(found):
        for arm in arms:
            told: Counter[str] = Counter(failure_of(case) or RIGHT for case in here if case.attempt.arm == arm)
            if told:
                counts[arm, group] = {name: told[name] for name in (RIGHT, *FAILURES)}
    return counts


def _grouped(found: Iterable[Case]) -> Iterator[tuple[str, list[Case]]]:
    told = tuple(found)
    return ((group, [case for case in told if holds(case.question)]) for group, holds in GROUPS.items())


def _first(found: Iterable[Case]) -> tuple[Case, ...]:
    return tuple(case for case in found if case.attempt.repetition == 1)


def _crowded(found: Iterable[Case]) -> dict[str, int]:
    return dict(Counter(c.attempt.arm for c in found if c.attempt.reply.left_out or not c.is_posed))


def _pairs(arms: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((other, one) for one, other in PAIRS if one in arms and other in arms)


def _compared(
    found: Sequence[Case], pairs: Sequence[tuple[str, str]], metrics: Sequence[Metric], seed: int
) -> Iterator[Compared]:
    """Yield how far the second arm of each pair is above the first."""
    for metric in metrics:
        for group, here in _grouped(found):
            for other, one in pairs:
                scores = (_scored(here, one, metric), _scored(here, other, metric))
                told = difference(*scores, is_paired=metric.measure.is_paired, seed=seed)
                if told.mean is not None:
                    yield Compared(str(metric), group, one, other, told)


def _controlled(
    found: Sequence[Case], under: Sequence[Case], metrics: Sequence[str], control: Control, seed: int
) -> Iterator[Controlled]:
    groups = dict(_grouped(under))
    for metric in map(parse_metric, metrics or control.metrics):
        for group, here in _grouped(found):
            for arm in dict.fromkeys(case.attempt.arm for case in here):
                before, after = _scored(here, arm, metric), _scored(groups[group], arm, metric)
                change = difference(after, before, is_paired=True, seed=seed)
                if change.mean is not None:
                    without, with_it = (
                        summarise(scored, is_yes_or_no=metric.measure.is_yes_or_no, seed=seed)
                        for scored in (before, after)
                    )
                    yield Controlled(control.name, str(metric), group, arm, without, with_it, change)
