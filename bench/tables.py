"""A report as Markdown and as plain data for JSON. Values come in, text goes out; nothing is computed here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from bench.choosing import GROUPS
from bench.controls import CONTROLS
from bench.metrics import Metric, parse_metric
from bench.repeating import Repeated
from bench.report import ALL, Compared, Controlled, Report, Table
from bench.routing import Routing
from bench.statistics import Difference, Summary
from forest.text import one_line, printable

_LISTED = 20
_ROUNDED = 100
_NONE = "–"
_FIRST = "answer_correct"
_DIFFERENCES = (
    "The mean of the first arm less that of the second on the same questions, shares in percentage points; 95 % "
    "intervals from 10,000 resamples of chains. An interval without 0 is marked *."
)
_REPEATED = (
    "Questions that were asked again, with the order of what the model is shown changed. The margin is the largest "
    "mean less the smallest, in percentage points; the same: questions with the same score every time."
)
_ROUTING = (
    "What `auto` chose, as shares of all questions of a group: kept the search; kept it though the walk was right and "
    "the search was not; walked though the search had answered and was right. Its tokens as a share of the walk's, and "
    "the share of its own that went to walks in vain."
)


def markdown(report: Report) -> str:
    """Return a report as Markdown, every figure with n and its 95 % interval."""
    arms = tuple(report.header.arms)
    lines = _head(report)
    if first := next((table for table in report.groups if table.metric == _FIRST), None):
        lines += ["", f"## {_FIRST}", "", *_by_group(first, arms)]
    for group in (*GROUPS, ALL):
        if rows := _metric_rows(report.groups, group, arms):
            lines += ["", f"## {group.capitalize()}", "", *markdown_table(["metric", *arms], rows)]
    for table in report.by:
        lines += ["", f"## {table.metric} by {table.by}", "", *_by_group(table, arms)]
    lines += ["", "## Failures", "", "How many attempts failed, by the first link that broke.", ""]
    lines += _failure_lines(report)
    if report.repeated:
        lines += ["", "## Repetitions", "", _REPEATED, "", *_repeated_lines(report.repeated)]
    if report.routing:
        lines += ["", "## Routing", "", _ROUTING, "", *_routing_lines(report.routing)]
    if report.pairs:
        lines += ["", "## What the model adds", "", _DIFFERENCES]
        for metric in dict.fromkeys(c.metric for c in report.pairs):
            lines += ["", *_compared_lines([c for c in report.pairs if c.metric == metric])]
    if report.compared:
        lines += ["", "## Differences", "", _DIFFERENCES]
        for metric in dict.fromkeys(c.metric for c in report.compared):
            lines += ["", *_compared_lines([c for c in report.compared if c.metric == metric])]
    for name in dict.fromkeys(c.control for c in report.controlled):
        lines += ["", f"## Control {name}", "", CONTROLS[name].expectation, ""]
        lines += _control_lines([c for c in report.controlled if c.control == name])
        if name in report.still_right:
            lines += ["", *_still_right_lines(report.still_right[name])]
    return "\n".join(_clean(line) for line in lines) + "\n"


def _head(report: Report) -> list[str]:
    header = report.header
    versions = ", ".join(f"{name} {version}" for name, version in header.versions.items())
    split = f"split {header.split}" if header.split else ""
    again = f" of each {_nth(header.repeat_every)} question" if header.repeat_every > 1 else ""
    asked = f"repetitions {header.repetitions}{again}; seed {header.seed}"
    lines = [
        "# Bench report",
        "",
        f"- forest: tree {header.tree[:12]}, commit {header.commit[:12]}; {versions}; code {header.code}",
        f"- questions: {'; '.join(filter(None, (', '.join(header.questions), split, header.choice)))}",
        f"- day of questions that have none: {header.today}; {asked}",
        f"- attempts: {report.made} of {report.planned}; {report.errors} raised an error",
    ]
    if header.control:
        lines.append(f"- control: {header.control}; made from tree {header.base_tree[:12]}")
    if header.model:
        lines.append(f"- model: {', '.join(f'{name} {value}' for name, value in header.model.items())}")
    if report.estimated:
        lines.append(f"- tokens of {report.estimated} attempts are estimated: the server did not count them")
    for arm, count in report.crowded.items():
        lines.append(f"- {arm}: attempts whose window was too small for all that is shown: {count}")
    for arm, parameters in header.arms.items():
        told = ", ".join(f"{name} {value}" for name, value in parameters.items()) or "no parameters"
        lines.append(f"- arm {arm}: {told}")
    return lines


def _nth(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def _by_group(table: Table, arms: Sequence[str]) -> list[str]:
    """Return a table with a row for each group and a column for each arm."""
    metric = parse_metric(table.metric)
    groups = dict.fromkeys(group for _, group in table.cells)
    rows = [[group, *(summary_text(table.cells.get((arm, group)), metric) for arm in arms)] for group in groups]
    return markdown_table([table.by, *arms], rows)


def _metric_rows(tables: Iterable[Table], group: str, arms: Sequence[str]) -> list[list[str]]:
    """Return a row for each metric that scores any attempt in a group."""
    rows = []
    for table in tables:
        cells = [table.cells.get((arm, group)) for arm in arms]
        if any(cell is not None and cell.n for cell in cells):
            metric = parse_metric(table.metric)
            rows.append([table.metric, *(summary_text(cell, metric) for cell in cells)])
    return rows


def _failure_lines(report: Report) -> list[str]:
    counts = report.failures
    used = [name for name in next(iter(counts.values()), {}) if any(c[name] for c in counts.values())]
    rows = [[group, arm, *(str(c[name]) for name in used)] for (arm, group), c in counts.items()]
    return markdown_table(["group", "arm", *used], rows)


def _routing_lines(routing: Sequence[Routing]) -> list[str]:
    share = parse_metric(_FIRST)
    rows = [
        [
            r.group,
            *(summary_text(told, share) for told in (r.kept, r.kept_in_error, r.walked_in_vain, r.best)),
            *(_NONE if told is None else _number(told, share) for told in (r.tokens, r.tokens_in_vain)),
        ]
        for r in routing
    ]
    head = ["group", "kept", "kept in error", "walked in vain", "either right", "tokens of walk", "tokens in vain"]
    return markdown_table(head, rows)


def _repeated_lines(repeated: Sequence[Repeated]) -> list[str]:
    rows = [
        [
            r.metric,
            r.group,
            r.arm,
            ", ".join(f"{100 * mean:.1f} %" for mean in r.means),
            f"{100 * r.margin:.1f}",
            f"{100 * r.same:.1f} %",
            str(r.n),
        ]
        for r in repeated
    ]
    return markdown_table(["metric", "group", "arm", "each repetition", "margin", "the same", "n"], rows)


def _compared_lines(compared: Sequence[Compared]) -> list[str]:
    metric = parse_metric(compared[0].metric)
    cells = {(f"{c.one} − {c.other}", c.group): difference_text(c.difference, metric) for c in compared}
    pairs, groups = dict.fromkeys(pair for pair, _ in cells), [g for g in GROUPS if any(g == c.group for c in compared)]
    rows = [[pair, *(cells.get((pair, group), _NONE) for group in groups)] for pair in pairs]
    return markdown_table([str(metric), *groups], rows)


def _control_lines(controlled: Sequence[Controlled]) -> list[str]:
    """Return a row for each arm in each group and a column for each metric: from, to, and the change."""
    cells = {(c.group, c.arm, c.metric): c for c in controlled}
    metrics = list(dict.fromkeys(c.metric for c in controlled))
    rows = [
        [group, arm, *(_change(cells.get((group, arm, metric)), parse_metric(metric)) for metric in metrics)]
        for group, arm in dict.fromkeys((c.group, c.arm) for c in controlled)
    ]
    return markdown_table(["group", "arm", *metrics], rows)


def _change(told: Controlled | None, metric: Metric) -> str:
    if told is None or told.without.mean is None or told.under.mean is None:
        return _NONE
    before, after = (_number(s.mean, metric) for s in (told.without, told.under) if s.mean is not None)
    return f"{before} → {after}: {difference_text(told.change, metric)}"


def _still_right_lines(still_right: Sequence[tuple[str, str]]) -> list[str]:
    if not still_right:
        return ["No attempt is right without its evidence."]
    told = ", ".join(f"{question} ({arm})" for arm, question in still_right[:_LISTED])
    more = f" and {len(still_right) - _LISTED} more" if len(still_right) > _LISTED else ""
    return [f"Right without its evidence: {len(still_right)}: {told}{more}."]


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table's lines."""
    told = list(rows)
    if not told:
        return ["Nothing to tell."]
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *told)]


def summary_text(summary: Summary | None, metric: Metric) -> str:
    """Return a mean with its interval, n and how many are unscored."""
    if summary is None:
        return _NONE
    unscored = f", {summary.unscored} unscored" if summary.unscored else ""
    if summary.mean is None:
        return f"{_NONE} (n {summary.n}{unscored})"
    interval = _interval(summary.low, summary.high, metric)
    return f"{_number(summary.mean, metric)}{interval} (n {summary.n}{unscored})"


def difference_text(difference: Difference, metric: Metric) -> str:
    """Return a difference with its interval and n; one that is clear is marked."""
    if difference.mean is None:
        return _NONE
    mean = _number(difference.mean, metric, sign="+", unit=False)
    interval = _interval(difference.low, difference.high, metric, sign="+")
    return f"{mean}{interval} (n {difference.n}){' *' if difference.is_clear else ''}"


def _interval(low: float | None, high: float | None, metric: Metric, *, sign: str = "") -> str:
    if low is None or high is None:
        return ""
    return f" [{_number(low, metric, sign=sign, unit=False)}, {_number(high, metric, sign=sign, unit=False)}]"


def _number(value: float, metric: Metric, *, sign: str = "", unit: bool = True) -> str:
    if math.isinf(value):
        return "∞"
    if metric.measure.unit == "share":
        return f"{100 * value:{sign}.1f}{' %' if unit else ''}"
    return f"{value:{sign}.2f}" if abs(value) < _ROUNDED else f"{value:{sign},.0f}"


def plain(report: Report) -> dict[str, Any]:
    """Return a report as data for JSON; the key of a metric is the string by which it is named everywhere."""
    tables: dict[str, dict[str, dict[str, dict[str, Any]]]] = {}
    for table in (*report.groups, *report.by):
        by = tables.setdefault(table.metric, {}).setdefault(table.by, {})
        for (arm, group), summary in table.cells.items():
            by.setdefault(group, {})[arm] = asdict(summary)
    failures: dict[str, dict[str, dict[str, int]]] = {}
    for (arm, group), counts in report.failures.items():
        failures.setdefault(group, {})[arm] = dict(counts)
    data = {
        "header": {**asdict(report.header), "today": report.header.today.isoformat()},
        "attempts": {
            "planned": report.planned,
            "made": report.made,
            "errors": report.errors,
            "estimated": report.estimated,
            "crowded": dict(report.crowded),
        },
        "metrics": tables,
        "failures": failures,
        "routing": [asdict(r) for r in report.routing],
        "differences": [asdict(c) for c in report.compared],
        "pairs": [asdict(c) for c in report.pairs],
        "repetitions": [asdict(r) for r in report.repeated],
        "controls": [asdict(c) for c in report.controlled],
        "still_right": {name: [list(pair) for pair in pairs] for name, pairs in report.still_right.items()},
    }
    return cast("dict[str, Any]", finite(data))


def finite(value: object) -> object:
    """Return data with None for every number that is not finite, which JSON does not have."""
    if isinstance(value, Mapping):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _clean(line: str) -> str:
    return one_line(printable(line)) if line else line
