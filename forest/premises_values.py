"""Premises of value: an amount that a question states, held against the text that speaks of just that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from forest.asked import Asked
from forest.catalog import NodeRow
from forest.fitting import Asking, Candidate, as_changed, candidates, claim_of_pick
from forest.question import read_question
from forest.ranking import Found
from forest.retrieval import search_passages
from forest.state import State
from forest.suppositions import Correction, is_exact, stated_values, without_stating
from forest.values import FoundValue, Kind, Value, find_values, holds_value
from forest.weighing import scales_of

_CORRECTS = 0.6  # how well a sentence must fit the supposition itself
_HOLDS = 0.5  # how much of its words the sentence and its place must hold
_LEAD = 0.05  # by which it must lead over what another text says
_SEARCHED = 6  # passages, for the words of the supposition alone
_AMOUNTS: frozenset[Kind] = frozenset(("money", "quantity", "number"))
_SHARES: frozenset[Kind] = frozenset(("percentage", "number"))
_COUNTS: frozenset[Kind] = frozenset(("quantity", "number"))
_DAY: frozenset[Kind] = frozenset(("date",))
_DAYS = frozenset(("day", "business_day"))


def corrected_value(state: State, found: Sequence[Found], asking: Asking) -> Correction | None:
    """Return the first value that a question states and that the text denies, None when none is denied.

    Args:
        state: of the forest.
        found: passages that a search for the question gave.
        asking: the question.
    """
    corrections = (
        _of_value(state, found, asking, (start, end), value) for start, end, value in stated_values(asking.text)
    )
    return next((correction for correction in corrections if correction is not None), None)


def _of_value(
    state: State, found: Sequence[Found], asking: Asking, clause: tuple[int, int], value: FoundValue
) -> Correction | None:
    supposed = asking.text[value.start : value.end]
    part = _about(state, asking, clause, value)
    found = (*found, *search_passages(state, part.scales.query, _SEARCHED))
    told = [c for c in candidates(state, found, part) if c.names >= 1]
    if not told:
        return None
    best = as_changed(state, told[0], part)
    if best.fit < _CORRECTS or best.held < _HOLDS or not best.value:
        return None
    rivals = [
        c for c in told if not c.says_as(best) and c.fit > best.fit - _LEAD and c.found.reading.node != _node(best)
    ]
    if rivals or _is_said(found, best, value):
        return None
    return Correction(supposed, best.value, claim_of_pick(state, best))


def _node(candidate: Candidate) -> NodeRow:
    return candidate.found.reading.node


def _is_said(found: Iterable[Found], best: Candidate, value: FoundValue) -> bool:
    """Tell whether what is supposed stands in the passage that says otherwise, or in another of its node."""
    readings = [f.reading for f in found if f.reading.node.id == _node(best).id]
    return any(_holds(reading.text, value.value) for reading in (*readings, best.found.reading))


def _holds(text: str, value: Value) -> bool:
    """Tell whether a text has a value, or the same figure without a unit or beside one that was left out."""
    if holds_value(text, value, bare=True):
        return True
    alike = (found.value for found in find_values(text) if found.value.amount is not None)
    return any(v.amount == value.amount and (not v.unit or not value.unit) for v in alike)


def _about(state: State, asking: Asking, clause: tuple[int, int], value: FoundValue) -> Asking:
    """Return the question what the value of a supposition is, in place of the question that supposes it."""
    start, end = clause
    rest, plan = without_stating(asking.plan.rest), asking.plan
    kept = f"{' ' * start}{rest[start : value.start]}{' ' * (value.end - value.start)}{rest[value.end : end]}"
    unit = value.value.unit
    units = _DAYS if unit in _DAYS else frozenset((unit,)) if unit else frozenset(("MXN",))
    asked = Asked("value", _AMOUNTS, units, start=start, end=end)
    if value.value.kind == "percentage":
        asked = Asked("value", _SHARES, start=start, end=end)
    elif value.value.kind == "date":
        asked = Asked("value", _DAY, start=start, end=end)
    elif value.value.kind == "number" and not is_exact(value):
        asked = Asked("value", _COUNTS, start=start, end=end)
    relations = tuple(r for r in plan.relations if start <= r.start < end)
    part = replace(plan, relations=relations, asked=asked, rest=kept)
    scales = scales_of(part, read_question(state, kept, asking.clock))
    return replace(asking, scales=scales, said=(value.value,))
