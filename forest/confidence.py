"""Confidence: how sure a one-shot answer is, in parts from 0 to 1 and as one figure that is a probability.

The parts are what `forest.fitting` found; their weights were fitted by `bench.calibration` on the development split of
the fixture's questions (docs/decisions/0012-the-router.md), and the figure says what share of answers like this one
was right there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from forest.asked import AnswerKind
from forest.fitting import Candidate, changes_of
from forest.state import State
from forest.validity import Clock

# What the parts are called, in the order in which they are told.
PARTS = ("fit", "coverage", "sentence", "identifiers", "kind", "margin", "versions")
OVERALL = "overall"
SAFE = 0.6  # below this nothing is claimed; chosen on the development split
# Of `python -m bench.calibration`: log-odds of being right.
_INTERCEPT = -9.27
_WEIGHTS: Mapping[str, float] = {
    "fit": 2.94,
    "coverage": 1.29,
    "sentence": 0.40,
    "identifiers": 2.50,
    "kind": 1.67,
    "margin": 1.90,
    "versions": 1.10,
}
_FULL_LEAD = 0.25  # a lead in fit that leaves no doubt which of two is meant
_NEAR_KIND = 0.5  # words where a value may have been meant
_TOUCHED = 0.5
_VALUES = frozenset(("amount", "date", "name"))


def parts_of(
    state: State, best: Candidate, others: Sequence[Candidate], kind: AnswerKind, clock: Clock
) -> dict[str, float]:
    """Return the parts of the confidence in a candidate, by name, each from 0 to 1.

    Args:
        state: of the forest.
        best: the candidate.
        others: all that were considered, with it or without, what fits best first.
        kind: of answer that is asked for.
        clock: the days it is about.

    Returns:
        fit: how well sentence and place together answer.
        coverage: share of the question's words, by rarity, that they hold.
        sentence: share of the words of the asking clause that the sentence itself holds.
        identifiers: share of the names and proper words of the question that they hold.
        kind: 1 when the kind of answer asked for was found, 0.5 when only words were, 0 when it was not.
        margin: lead over the best that says something else.
        versions: 0 when another text replaced the one that says it, 0.5 when one amended or corrected it without
            speaking of the same, else 1.
    """
    rival = next((c.fit for c in others if not c.says_as(best) and not _is_changed_by(state, c, best, clock)), 0.0)
    told = {
        "fit": best.fit,
        "coverage": best.held,
        "sentence": best.own,
        "identifiers": best.names,
        "kind": _kind_found(best, kind),
        "margin": (best.fit - max(rival, 0.0)) / _FULL_LEAD,
        "versions": _versions(state, best, clock),
    }
    return {name: round(min(1.0, max(0.0, told[name])), 3) for name in PARTS}


def _is_changed_by(state: State, old: Candidate, best: Candidate, clock: Clock) -> bool:
    """Tell whether a candidate stands in a text that the best one's changed: what was changed is no rival."""
    changing = best.found.reading.node
    return changing in changes_of(state, old.found.reading.node, clock)


def _versions(state: State, best: Candidate, clock: Clock) -> float:
    node = best.found.reading.node
    if changes_of(state, node, clock, ("supersedes", "repeals")):
        return 0.0
    return _TOUCHED if changes_of(state, node, clock, ("amends", "corrects")) else 1.0


def _kind_found(best: Candidate, kind: AnswerKind) -> float:
    if kind == "list":
        return 1.0 if best.pick.is_list else 0.0
    if kind in _VALUES:
        return 1.0 if best.value else 0.0
    return 1.0 if kind in ("definition", "yes_no") or best.value else _NEAR_KIND


def overall(parts: Mapping[str, float]) -> float:
    """Return the share of answers with such parts that were right, from 0 to 1."""
    odds = _INTERCEPT + sum(weight * parts[name] for name, weight in _WEIGHTS.items())
    return round(1 / (1 + math.exp(-odds)), 3)
