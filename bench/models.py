"""Models compared: runs of the same arms on the same questions with different models, as a value and as Markdown.

A difference is a tie when its paired interval holds 0, or when it is no larger than what asking again with another
order of options moved either of the two (`bench.repeating`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, cast

from bench.attempt import AttemptsWrong, Header, Run
from bench.choosing import GROUPS
from bench.metrics import Case, Metric, cases, parse_metric
from bench.repeating import repetitions
from bench.report import MODEL_METRICS
from bench.statistics import Difference, Summary, difference, summarise
from bench.tables import difference_text, finite, markdown_table, summary_text
from forest.errors import WrongUsage
from forest.text import one_line, printable

SCORES = ("answer_correct", "right_and_cited", "false_statements", "abstained")
_JUDGED = ("answer_correct", "right_and_cited")
_MILLION = 1_000_000
_PRICE = re.compile(r"(?P<name>.{1,200})=(?P<prompt>\d{1,9}(?:\.\d{1,9})?),(?P<completion>\d{1,9}(?:\.\d{1,9})?)")
_ABOUT = (
    "The mean of the first model less that of the second on the same questions, in percentage points, with the 95 % "
    "interval of a paired bootstrap over chains. Margin: how far a model's own score moved when questions were asked "
    "again with the order of options changed, the larger of the two."
)


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in any currency; cached ones count as others."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class Row:
    """One model in one arm on one group of questions.

    Attributes:
        group: name of the group.
        arm: name of the arm.
        model: name of the model.
        figures: by metric.
        cost: of all its attempts together, None without a price.
        cost_per_correct: that over its right answers, None when there is none.
    """

    group: str
    arm: str
    model: str
    figures: Mapping[str, Summary]
    cost: float | None
    cost_per_correct: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Two models in one arm on one group of questions.

    Attributes:
        metric: name of the metric.
        group: name of the group.
        arm: name of the arm.
        one: name of a model.
        other: name of the other.
        difference: how far the first is above the second.
        margin: the larger of their margins of repetition, None when nothing was asked again.
        better: name of the better one, "" for a tie.
        why: of a tie.
    """

    metric: str
    group: str
    arm: str
    one: str
    other: str
    difference: Difference
    margin: float | None
    better: str
    why: str


@dataclass(frozen=True, slots=True)
class Compared:
    """All that a comparison says."""

    headers: Mapping[str, Header]
    rows: tuple[Row, ...]
    verdicts: tuple[Verdict, ...]


def read_price(text: str) -> tuple[str, Price]:
    """Read `NAME=in,out`, prices of a million tokens.

    Raises:
        WrongUsage: it is not of that form.
    """
    match = _PRICE.fullmatch(text)
    if match is None:
        raise WrongUsage(f"--price cannot be {text[:60]!r}.", "Write NAME=in,out: what a million tokens cost.")
    return match["name"], Price(float(match["prompt"]), float(match["completion"]))


def compare(runs: Sequence[Run], prices: Mapping[str, Price] | None = None, *, seed: int = 1) -> Compared:
    """Compare the models of some runs.

    Args:
        runs: two or more, of the same bench but for the model.
        prices: by model.
        seed: of the bootstrap.

    Raises:
        AttemptsWrong: fewer than two, one without a model, two of the same name, or runs of different benches.
        WrongUsage: a price for a model that is none of theirs.
    """
    named = _by_model(runs)
    costs = prices or {}
    if unknown := [name for name in costs if name not in named]:
        raise WrongUsage(f"There is no run with the model {unknown[0]!r}.", f"Models are {', '.join(named)}.")
    every = {name: cases(run) for name, run in named.items()}
    first = {name: tuple(c for c in found if c.attempt.repetition == 1) for name, found in every.items()}
    arms = [
        arm
        for arm in runs[0].header.arms
        if any(c.attempt.reply.use is not None for found in first.values() for c in found if c.attempt.arm == arm)
    ]
    rows = [
        _row(group, arm, name, here, costs.get(name), seed)
        for group in GROUPS
        for arm in arms
        for name, found in first.items()
        if (here := _of(found, group, arm))
    ]
    margins = {
        (r.metric, r.group, r.arm, name): r.margin
        for name, found in every.items()
        for r in repetitions(found, arms, _JUDGED)
    }
    return Compared(
        {name: run.header for name, run in named.items()}, tuple(rows), tuple(_verdicts(first, arms, margins, seed))
    )


def _by_model(runs: Sequence[Run]) -> dict[str, Run]:
    if len(runs) < 2:
        raise AttemptsWrong("One run is nothing to compare.", "Name a file for each model.")
    found: dict[str, Run] = {}
    for run in runs:
        name = str(run.header.model.get("name", ""))
        if not name:
            raise AttemptsWrong(f"{run.path} was run without a model.", "Give --endpoint when it is run.")
        if name in found:
            raise AttemptsWrong(f"Two runs have the model {name}.", "Name one with --endpoint NAME=URL.")
        if other := set(run.header.differences(runs[0].header)) - {"model"}:
            raise AttemptsWrong(
                f"{run.path} and {runs[0].path} are not of one bench: other {', '.join(sorted(other))}.",
                "Ask each model the same questions of the same forest.",
            )
        found[name] = run
    return found


def _of(found: Iterable[Case], group: str, arm: str) -> list[Case]:
    return [case for case in found if case.attempt.arm == arm and GROUPS[group](case.question)]


def _row(group: str, arm: str, name: str, here: Sequence[Case], price: Price | None, seed: int) -> Row:
    figures = {}
    for metric in map(parse_metric, (*SCORES, *MODEL_METRICS)):
        scored = [metric.scored(case) for case in here]
        figures[str(metric)] = summarise(scored, is_yes_or_no=metric.measure.is_yes_or_no, seed=seed)
    cost = None if price is None else sum(_cost(case, price) for case in here)
    right = sum(case.is_right for case in here)
    return Row(group, arm, name, figures, cost, cost / right if cost is not None and right else None)


def _cost(case: Case, price: Price) -> float:
    use = case.attempt.reply.use
    if use is None:
        return 0.0
    return (use.usage.prompt_tokens * price.prompt + use.usage.completion_tokens * price.completion) / _MILLION


def _verdicts(
    first: Mapping[str, Sequence[Case]],
    arms: Sequence[str],
    margins: Mapping[tuple[str, str, str, str], float],
    seed: int,
) -> Iterator[Verdict]:
    for metric in map(parse_metric, _JUDGED):
        for group in GROUPS:
            for arm in arms:
                for one, other in combinations(first, 2):
                    pair = [[metric.scored(case) for case in _of(first[name], group, arm)] for name in (one, other)]
                    told = difference(pair[0], pair[1], is_paired=True, seed=seed)
                    known = [
                        m for name in (one, other) if (m := margins.get((str(metric), group, arm, name))) is not None
                    ]
                    if told.mean is not None:
                        yield _judged(metric, group, arm, (one, other), told, max(known, default=None))


def _judged(
    metric: Metric, group: str, arm: str, names: tuple[str, str], told: Difference, margin: float | None
) -> Verdict:
    mean, why = told.mean or 0.0, ""
    if not told.is_clear:
        why = "the interval holds 0" if told.low is not None else "too few chains to tell"
    elif margin is not None and abs(mean) <= margin:
        why = "within the repetition margin"
    better = "" if why else names[0] if mean > 0 else names[1]
    return Verdict(str(metric), group, arm, *names, told, margin, better, why)


def markdown(compared: Compared) -> str:
    """Return a comparison as Markdown."""
    header = next(iter(compared.headers.values()))
    chosen = "; ".join(
        filter(None, (", ".join(header.questions), f"split {header.split}" * bool(header.split), header.choice))
    )
    lines = [
        "# Models compared",
        "",
        f"- forest: tree {header.tree[:12]}; code {header.code}",
        f"- questions: {chosen}",
    ]
    lines += [
        f"- model {name}: {', '.join(f'{key} {value}' for key, value in told.model.items() if key != 'name')}"
        for name, told in compared.headers.items()
    ]
    priced = any(row.cost is not None for row in compared.rows)
    for group in dict.fromkeys(row.group for row in compared.rows):
        lines += [
            "",
            f"## {group.capitalize()}",
            "",
            *_group_lines([r for r in compared.rows if r.group == group], priced),
        ]
    lines += ["", "## Differences", "", _ABOUT]
    for metric in dict.fromkeys(v.metric for v in compared.verdicts):
        lines += ["", *_verdict_lines([v for v in compared.verdicts if v.metric == metric])]
    return "\n".join(one_line(printable(line)) if line else line for line in lines) + "\n"


def _group_lines(rows: Sequence[Row], priced: bool) -> list[str]:
    names = list(rows[0].figures)
    head = ["arm", "model", *names, *(["cost", "cost per correct"] if priced else [])]
    told = []
    for row in rows:
        costs = [_money(row.cost), _money(row.cost_per_correct)] if priced else []
        told.append([row.arm, row.model, *(summary_text(row.figures[n], parse_metric(n)) for n in names), *costs])
    return markdown_table(head, told)


def _verdict_lines(verdicts: Sequence[Verdict]) -> list[str]:
    metric = parse_metric(verdicts[0].metric)
    rows = [
        [
            v.group,
            v.arm,
            f"{v.one} − {v.other}",
            difference_text(v.difference, metric),
            "–" if v.margin is None else f"{100 * v.margin:.1f}",
            v.better or f"tie: {v.why}",
        ]
        for v in verdicts
    ]
    return markdown_table(["group", "arm", str(metric), "difference", "margin", "better"], rows)


def _money(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def plain(compared: Compared) -> dict[str, Any]:
    """Return a comparison as data for JSON."""
    data = {
        "models": {name: dict(header.model) for name, header in compared.headers.items()},
        "rows": [asdict(row) for row in compared.rows],
        "differences": [asdict(verdict) for verdict in compared.verdicts],
    }
    return cast("dict[str, Any]", finite(data))
