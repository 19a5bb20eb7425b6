"""Amounts with all that belongs to them: money with its cents, shares, quantities, and what parentheses say once more.

Owns where such a writing ends and what it amounts to. Numbers are `forest.values_words`, names of units
`forest.values_units`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from forest.legal_numbers import Words
from forest.values_figures import MINUS, Amount
from forest.values_units import COUNTED, currency_at, currency_before, unit_at
from forest.values_words import amount_at, decimals_after

_PER_CENT = (("%",), ("por", "ciento"), ("porciento",), ("por", "cien"), ("por", "100"))
_PER_THOUSAND = (("al", "millar"), ("‰",), ("por", "millar"), ("por", "mil"))
_POINTS: dict[tuple[str, ...], int] = {("puntos", "porcentuales"): 1, ("puntos", "base"): 100}
_TAKE_HALVES = frozenset(("day", "week", "month", "year", "hour"))


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount, its kind and unit as `forest.values.Value` has them, and the position after its last word."""

    kind: Literal["money", "number", "percentage", "quantity"]
    amount: Fraction
    unit: str
    end: int


def measure_at(words: Words, i: int, *, weak: bool, nested: bool = False) -> Measure | None:
    """Return the amount that begins at `i` with all that belongs to it, None when none begins there.

    Args:
        words: the text.
        i: where it should begin: a sign, a currency's sign, the first word of a number.
        weak: whether words like `un` and `medio` are numbers without anything that they count.
        nested: whether it stands in parentheses after another writing of the same amount.
    """
    sign, j = 1, i
    if words.at(j) in MINUS and words.glued(j + 1) and not (words.glued(j) and words.at(j - 1) != "("):
        sign, j = -1, j + 1
    currency, j = currency_before(words, j) or ("", j)
    amount = amount_at(words, j)
    if amount is None:
        return None
    amount = replace(amount, value=sign * amount.value)
    said = _told(words, amount, currency)
    again = None if nested else _said_again(words, amount, said)
    if again is not None:
        return _joined(words, amount, currency, said, again)
    if said is not None:
        return None if amount.weak and said.unit in COUNTED and not weak else said
    glued_on = words.glued(amount.end) and (words.is_word(amount.end) or words.at(amount.end) == "_")
    return None if glued_on or (amount.weak and not weak) else Measure("number", amount.value, "", amount.end)


def _told(words: Words, amount: Amount, currency: str) -> Measure | None:
    return _money(words, amount, currency) or _counted(words, amount)


def _said_again(words: Words, amount: Amount, said: Measure | None) -> Measure | None:
    """Return what the parenthesis after an amount says, up to after it, when it says the same once more."""
    end = said.end if said else amount.end
    inner = measure_at(words, end + 1, weak=True, nested=True) if words.at(end) == "(" else None
    if inner is None or words.at(inner.end) != ")" or inner.amount != (said.amount if said else amount.value):
        return None
    if said and inner.kind != "number" and (inner.kind, inner.unit) != (said.kind, said.unit):
        return None
    return replace(inner, end=inner.end + 1)


def _joined(words: Words, amount: Amount, currency: str, said: Measure | None, again: Measure) -> Measure:
    """Return one measure of what is said before, in and after a parenthesis: "12 (doce) días"."""
    if said is None and again.kind != "number":
        said = again
    if said is None:
        found = _told(words, replace(amount, end=again.end), currency)
        return found or again
    said = replace(said, end=again.end)
    currency_again = currency_at(words, said.end) if said.kind == "money" else None
    same = currency_again is not None and currency_again[0] == said.unit
    return replace(said, end=currency_again[1]) if currency_again and same else said


def _money(words: Words, amount: Amount, prefix: str) -> Measure | None:
    value, end, currency = amount.value, amount.end, prefix
    if words.at(end) in ("centavo", "centavos") and not prefix:
        owner = currency_at(words, end + 2) if words.at(end + 1) == "de" else None
        return Measure("money", value / 100, *(owner or ("MXN", end + 1)))
    if words.at(end) in ("mdp", "mdd"):
        return Measure("money", value * 10**6, {"mdp": "MXN", "mdd": "USD"}[words.at(end)], end + 1)
    # "$315 04/100", "(trescientos quince 04/100 M.N.)"
    cents = _cents(words, end) if value.denominator == 1 and words.at(end).isdigit() else None
    if cents and (prefix or currency_at(words, cents[1])):
        value, end = value + cents[0], cents[1]
    named = currency_at(words, end + (words.at(end) == "de" and (amount.scaled or bool(prefix))))
    if named:
        currency, end = named
        if value.denominator == 1 and (cents := _cents(words, end)):
            value, end = value + cents[0], cents[1]
        again = currency_at(words, end)
        if again and again[0] == currency:
            end = again[1]
    return Measure("money", value, currency, end) if currency else None


def _cents(words: Words, i: int) -> tuple[Fraction, int] | None:
    """Return what follows the word `pesos` at `i`, in pesos, and the position after it: "04/100", "con 4 centavos"."""
    j = i + (words.at(i) in ("con", "y"))
    if words.at(j + 1) == "/" and words.at(j + 2) == "100" and words.at(j).isdigit() and len(words.at(j)) <= 2:
        return Fraction(int(words.at(j)), 100), j + 3
    count = amount_at(words, j) if j > i else None
    if count and words.at(count.end) in ("centavo", "centavos") and count.value < 100:
        return count.value / 100, count.end + 1
    return decimals_after(words, i)


def _counted(words: Words, amount: Amount) -> Measure | None:
    j = amount.end
    if (by := _POINTS.get(words.folded[j : j + 2])) is not None:
        return Measure("quantity", amount.value / by, "percentage_point", j + 2)
    if end := _phrase(words, j, _PER_CENT):
        return Measure("percentage", amount.value, "", end)
    if end := _phrase(words, j, _PER_THOUSAND):
        return Measure("percentage", amount.value / 10, "", end)
    unit = unit_at(words, j + (amount.scaled and words.at(j) == "de"), figures=amount.figures)
    if unit is None:
        return None
    name, end = unit
    half = name in _TAKE_HALVES and words.folded[end : end + 2] in (("y", "medio"), ("y", "media"))
    return Measure("quantity", amount.value + Fraction(half, 2), name, end + 2 * half)


def _phrase(words: Words, i: int, phrases: tuple[tuple[str, ...], ...]) -> int:
    """Return the position after the one of `phrases` that stands at `i`, 0 when none does."""
    return next((i + len(p) for p in phrases if words.folded[i : i + len(p)] == p), 0)
