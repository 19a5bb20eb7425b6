"""How figures are shown: Markdown for people, plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from bench.learning.figures import MEASURES, Deposits, Figure, Told
from bench.learning.trial import ROLES, Role
from bench.statistics import Difference, Summary

_ROLES: dict[Role, str] = {
    "paraphrase": "Paraphrases, never walked for their trails",
    "walked": "Walked questions",
    "sister": "Sisters, to which no harm must be done",
}


def markdown(told: Sequence[Told]) -> str:
    """Return the figures of some conditions: what came of each beside the others, then every measure of each."""
    lines = ["# Learning", "", *_beside(told)]
    for one in told:
        lines += _condition(one)
    return "\n".join(lines)


def plain(told: Sequence[Told]) -> list[dict[str, Any]]:
    """Return the figures as JSON-ready data."""
    return [asdict(one) for one in told]


def _beside(told: Sequence[Told]) -> Iterator[str]:
    """Yield the last pass of each condition and role beside the cold one, in a row."""
    yield "| condition | questions | n | steps to gold, of cold | right | every hop cited | false | wrong deposits |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in told:
        for role in _ROLES:
            if one.questions[role] and one.passes:
                yield f"| {' | '.join(_row(one, role))} |"
    yield ""


def _row(told: Told, role: Role) -> Iterator[str]:
    yield from (told.condition, role, str(told.questions[role]))
    yield _ratio(told.figure("steps_to_gold", role, told.passes).ratio)
    for measure in ("answer_correct", "every_hop_cited", "false_statements"):
        before, now = (told.figure(measure, role, number).mean.mean for number in (0, told.passes))
        yield "–" if before is None or now is None else f"{100 * before:.1f} → {100 * now:.1f} %"
    left = sum(d.left for d in told.deposits)
    wrong = round(sum((d.wrong.mean or 0.0) * d.left for d in told.deposits))
    yield f"{wrong} of {left}" if role == "walked" else ""


def _condition(told: Told) -> Iterator[str]:
    asked = ", ".join(f"{count} {role}" for role, count in told.questions.items() if count)
    yield f"## {told.condition}"
    yield ""
    yield f"{told.passes} passes after the cold one; questions: {asked}; {told.errors} errors. Means, 95 % intervals."
    yield ""
    for role in sorted(ROLES, key=list(_ROLES).index):
        if told.questions[role]:
            yield from _role(told, role)
    if told.deposits:
        yield from _left(told.deposits)


def _role(told: Told, role: Role) -> Iterator[str]:
    last = told.passes
    names = ["cold", *(f"pass {number}" for number in range(1, last + 1))]
    ends = [f"pass {last} less cold", "of cold"] if last else []
    yield f"### {_ROLES[role]}"
    yield ""
    yield f"| measure | {' | '.join(names + ends)} |"
    yield f"|---|{'---|' * len(names + ends)}"
    for measure in MEASURES:
        figures = [told.figure(measure, role, number) for number in range(last + 1)]
        cells = [_mean(figure.mean, figure) for figure in figures]
        if last:
            cells += [_difference(figures[-1]), _ratio(figures[-1].ratio)]
        yield f"| `{measure}` | {' | '.join(cells)} |"
    yield ""


def _left(deposits: Sequence[Deposits]) -> Iterator[str]:
    yield "### What was left"
    yield ""
    yield "| pass | walked | left a trail | of these wrong | of these wrong, or a hop not cited |"
    yield "|---|---|---|---|---|"
    for d in deposits:
        yield f"| {d.number} | {d.walked} | {d.left} | {_share(d.wrong)} | {_share(d.uncited)} |"
    yield ""


def _mean(summary: Summary, figure: Figure) -> str:
    if MEASURES[figure.measure].is_yes_or_no:
        return _share(summary)
    if summary.mean is None:
        return "–"
    digits = 0 if summary.mean >= 1000 else 1
    return f"{summary.mean:,.{digits}f}{_between(summary, 1, digits)}"


def _share(summary: Summary) -> str:
    return "–" if summary.mean is None else f"{100 * summary.mean:.1f} %{_between(summary, 100, 1)}"


def _difference(figure: Figure) -> str:
    found = figure.difference
    if found.mean is None:
        return "–"
    is_share = MEASURES[figure.measure].is_yes_or_no
    scale, unit = (100, " points") if is_share else (1, "")
    clear = "**" if found.is_clear else ""
    return f"{clear}{scale * found.mean:+,.1f}{unit}{_between(found, scale, 1, '+')}{clear} (n {found.n})"


def _ratio(summary: Summary | None) -> str:
    return "" if summary is None else _share(summary)


def _between(of: Summary | Difference, scale: int, digits: int, sign: str = "") -> str:
    if of.low is None or of.high is None:
        return ""
    return f" [{scale * of.low:{sign},.{digits}f}, {scale * of.high:{sign},.{digits}f}]"
