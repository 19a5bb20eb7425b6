"""A report of the retrieval bench as Markdown and as plain data for JSON. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bench.retrieval.report import ALL, BY, Report
from bench.retrieval.scores import GIVEN, METRICS, Metric
from bench.statistics import Difference, Summary
from forest.text import one_line, printable

_NONE = "–"
_FIRST_HITS = ("document_recall@1", "evidence_recall@1.own", "evidence_recall@1.frozen", "evidence_recall@1.gold")
_LEVERS = ("document_recall@1", "document_recall@10", "document_mrr", "evidence_recall@1.own", "evidence_mrr.gold")
_INTERVALS = (
    "Means with 95 % intervals, shares in percent. Differences are of the same questions, in percentage points (of mrr "
    "as they are), with intervals from 10,000 resamples of chains; one without 0 is marked *."
)
_BY_NAME = {str(metric): metric for metric in METRICS}


def markdown(report: Report) -> str:
    """Return a report as Markdown."""
    lines = ["# Retrieval", "", *(f"- {name}: {value}" for name, value in report.header.items()), "", _INTERVALS]
    lines += _first_hits(report)
    for by in BY:
        title = "All questions" if by == "questions" else f"By {by}"
        for given in ("", *GIVEN):
            metrics = [metric for metric in METRICS if metric.given == given]
            what = f"evidence in {GIVEN[given]}" if given else "documents"
            rows = _rows(report, by, metrics)
            if rows:
                lines += ["", f"## {title}: {what}", "", *_table(_head(by, metrics), rows)]
    lines += _differences(report)
    return "\n".join(one_line(printable(line)) if line else line for line in lines) + "\n"


def _head(by: str, metrics: Sequence[Metric]) -> list[str]:
    return [by, "n", "arm", *(metric.short for metric in metrics)]


def _rows(report: Report, by: str, metrics: Sequence[Metric]) -> list[list[str]]:
    rows = []
    for group in report.groups(by):
        for arm in report.arms:
            cells = [report.summaries.get((by, group, arm, str(metric))) for metric in metrics]
            if cells[0] is not None:
                told = (_summary(cell, metric) for cell, metric in zip(cells, metrics, strict=True))
                rows.append([group, str(cells[0].n), arm, *told])
    return rows


def _first_hits(report: Report) -> list[str]:
    """Tell whether first hits got worse than the baseline's, over all questions."""
    if not report.baseline:
        return []
    rows = []
    for name in _FIRST_HITS:
        cells = [report.summaries["questions", ALL, arm, name] for arm in (report.measured, report.baseline)]
        change = report.compared["questions", ALL, report.measured, report.baseline, name]
        metric = _BY_NAME[name]
        rows.append([name, *(_summary(c, metric) for c in cells), _difference(change, metric), _verdict(change)])
    head = ["metric", report.measured, report.baseline, "difference", "first hits"]
    return ["", "## First hits", "", *_table(head, rows)]


def _verdict(change: Difference) -> str:
    if change.is_clear and change.mean is not None:
        return "better" if change.mean > 0 else "worse"
    return "no clear difference" if change.low is not None else _NONE


def _differences(report: Report) -> list[str]:
    """Tell what each arm changes over all questions, and the measured arm by group."""
    lines: list[str] = []
    metrics = [_BY_NAME[name] for name in _LEVERS]
    pairs = dict.fromkeys((one, other) for by, _, one, other, _ in report.compared if by == "questions")
    rows = [[f"{one} − {other}", *_changes(report, "questions", ALL, one, other, metrics)] for one, other in pairs]
    if rows:
        lines += ["", "## Differences: all questions", "", *_table(["arms", *map(str, metrics)], rows)]
    one, other = report.measured, report.baseline
    rows = [
        [by, group, *_changes(report, by, group, one, other, metrics)]
        for by in BY
        for group in report.groups(by)
        if by != "questions" and other
    ]
    if rows:
        lines += ["", f"## Differences: {one} − {other}", "", *_table(["by", "group", *map(str, metrics)], rows)]
    return lines


def _changes(report: Report, by: str, group: str, one: str, other: str, metrics: Iterable[Metric]) -> list[str]:
    return [_difference(report.compared[by, group, one, other, str(metric)], metric) for metric in metrics]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _summary(summary: Summary | None, metric: Metric) -> str:
    if summary is None or summary.mean is None:
        return _NONE
    return f"{_number(summary.mean, metric)}{_interval(summary.low, summary.high, metric)}"


def _difference(change: Difference, metric: Metric) -> str:
    if change.mean is None:
        return _NONE
    interval = _interval(change.low, change.high, metric, sign="+")
    return f"{_number(change.mean, metric, sign='+')}{interval}{' *' if change.is_clear else ''}"


def _interval(low: float | None, high: float | None, metric: Metric, *, sign: str = "") -> str:
    if low is None or high is None:
        return ""
    return f" [{_number(low, metric, sign=sign)}, {_number(high, metric, sign=sign)}]"


def _number(value: float, metric: Metric, *, sign: str = "") -> str:
    return f"{100 * value:{sign}.1f}" if metric.is_share else f"{value:{sign}.3f}"


def plain(report: Report) -> dict[str, Any]:
    """Return a report as data for JSON; a metric's key is the string by which it is named everywhere."""
    summaries: dict[str, Any] = {}
    for (by, group, arm, metric), summary in report.summaries.items():
        summaries.setdefault(by, {}).setdefault(group, {}).setdefault(arm, {})[metric] = asdict(summary)
    return {
        "header": dict(report.header),
        "arms": list(report.arms),
        "baseline": report.baseline,
        "metrics": summaries,
        "differences": [
            {"by": by, "group": group, "one": one, "other": other, "metric": metric, **asdict(change)}
            for (by, group, one, other, metric), change in report.compared.items()
        ],
        "questions": {q.id: {"documents": _sorted(q.documents), "evidence": _sorted(q.evidence)} for q in report.asked},
        "rankings": [
            {"arm": r.arm, "question": r.question, "documents": list(r.documents), "evidence": _lists(r.evidence)}
            for r in report.ranked
        ],
    }


def _sorted(groups: Iterable[frozenset[str]]) -> list[list[str]]:
    return [sorted(group) for group in groups]


def _lists(evidence: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {given: list(passages) for given, passages in evidence.items()}
