"""A chart: a measure by pass, a line with intervals for each condition, a panel for each role. SVG, written as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bench.learning.figures import Told
from bench.learning.trial import ROLES, Role
from bench.statistics import Summary

_COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#7b4b94", "#b08900", "#444444")
_WIDTH, _HEIGHT, _GAP = 300, 240, 60  # of a panel
_TOP, _LEFT, _LEGEND = 56, 56, 18
_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a panel's figures go: its left edge, the passes, and what the vertical axis reaches."""

    left: float
    passes: int
    most: float

    def x(self, number: int) -> float:
        return self.left + _WIDTH * (number / self.passes if self.passes else 0.5)

    def y(self, value: float) -> float:
        return _TOP + _HEIGHT * (1 - value / self.most)


def draw(told: Sequence[Told], measure: str, title: str) -> str:
    """Return a chart as an SVG document.

    Args:
        told: the conditions, a line each.
        measure: whose means are drawn, of figures that are not below 0; the axis begins at 0.
        title: above the panels.
    """
    roles = [role for role in ROLES if any(one.questions[role] for one in told)]
    width = _LEFT + len(roles) * (_WIDTH + _GAP)
    height = _TOP + _HEIGHT + 64 + _LEGEND * len(told)
    ends = [end for one in told for f in one.figures if f.measure == measure for end in _ends(f.mean)]
    step = _nice(max(ends, default=1.0) / _MOST_TICKS)
    most = step * math.ceil(max(ends, default=1.0) / step) if ends else step
    passes = max((one.passes for one in told), default=0)
    parts = [_text(_LEFT, 20, title, 'font-size="15"')]
    for at, role in enumerate(roles):
        frame = _Frame(_LEFT + at * (_WIDTH + _GAP), passes, most)
        parts += _axes(frame, step, role)
        for number, one in enumerate(told):
            if one.questions[role]:
                parts += _line(frame, one, measure, role, number, len(told))
    for number, one in enumerate(told):
        y = _TOP + _HEIGHT + 60 + _LEGEND * number
        parts.append(f'<rect x="{_LEFT}" y="{y - 9}" width="12" height="10" fill="{_colour(number)}"/>')
        parts.append(_text(_LEFT + 20, y, f"{one.condition} ({measure}, means with 95 % intervals)"))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _ends(mean: Summary) -> Iterator[float]:
    yield from (value for value in (mean.mean, mean.high) if value is not None and math.isfinite(value))


def _nice(least: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below `least`."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= least)


def _axes(frame: _Frame, step: float, role: Role) -> Iterator[str]:
    bottom = _TOP + _HEIGHT
    yield _text(frame.left, _TOP - 12, role, 'font-weight="bold"')
    for tick in range(round(frame.most / step) + 1):
        y = frame.y(tick * step)
        yield f'<line x1="{frame.left}" x2="{frame.left + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield _text(frame.left - 6, y + 4, f"{tick * step:g}", 'text-anchor="end"')
    for number in range(frame.passes + 1):
        label = str(number) if number else "cold"
        yield _text(frame.x(number), bottom + 18, label, 'text-anchor="middle"')
    yield _text(frame.left + _WIDTH / 2, bottom + 36, "pass", 'text-anchor="middle"')


def _line(frame: _Frame, told: Told, measure: str, role: Role, at: int, of: int) -> Iterator[str]:
    aside = (at - (of - 1) / 2) * 5  # so that the intervals of several conditions stand beside each other
    points: list[str] = []
    for number in range(told.passes + 1):
        mean = told.figure(measure, role, number).mean
        if mean.mean is None:
            continue
        x, y = frame.x(number) + aside, frame.y(mean.mean)
        points.append(f"{x:.1f},{y:.1f}")
        if mean.low is not None and mean.high is not None:
            low, high = frame.y(mean.low), frame.y(mean.high)
            yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{_colour(at)}"/>'
        interval = "" if mean.low is None else f" [{mean.low:.2f}, {mean.high:.2f}]"
        tip = escape(f"{told.condition}, pass {number}: {mean.mean:.2f}{interval}, n {mean.n}")
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{_colour(at)}"><title>{tip}</title></circle>'
    yield f'<polyline points="{" ".join(points)}" fill="none" stroke="{_colour(at)}" stroke-width="2"/>'


def _colour(at: int) -> str:
    return _COLOURS[at % len(_COLOURS)]


def _text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'
