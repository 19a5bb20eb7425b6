"""Everything that can be compared by value: money, days, numbers, shares, quantities, ordinals, identifiers, names.

Owns the value, its reading from Spanish legal text, and its equality; `docs/decisions/0009-values.md` says what is
equal and what is not. Amounts are `forest.values_measures`, dates `forest.values_days`, identifiers
`forest.values_names`. What a question asks for, and whether an answer is right, is for others to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal, get_args

from forest.legal_numbers import Words, fold, split_words
from forest.values_days import DAY_STARTS, day_at
from forest.values_figures import MINUS, run_end, without_emphasis
from forest.values_measures import measure_at
from forest.values_names import IDENTIFIER_STARTS, identifier_at, list_member_at, without_articles
from forest.values_ordinals import ordinal_number_at, ordinal_words, roman, roman_at
from forest.values_units import MONEY_STARTS
from forest.values_words import AMOUNT_STARTS, amount_at

Kind = Literal["money", "date", "number", "percentage", "quantity", "ordinal", "identifier", "name"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Value:
    """Something that a text says and that another text may say in other words.

    Attributes:
        kind: what it is.
        amount: of money (in units of the currency), numbers, percentages (13 for 13 %), quantities and ordinals;
            exact, a Fraction only when no decimal number is (1/3). None for others.
        unit: the currency (`MXN`), or what is counted (`day`, `business_day`, `UMA`, `mg/L`); "" when there is none.
        day: year, month, day of a date; month and day may be missing, and the year is 0 in "1 de febrero".
        text: the normal form of identifiers and names, "" for others.
    """

    kind: Kind
    amount: Decimal | Fraction | None = None
    unit: str = ""
    day: tuple[int, int | None, int | None] | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value and where it stands: character offsets of the text it was found in."""

    value: Value
    start: int
    end: int


def exact(amount: Fraction) -> Decimal | Fraction:
    """Return an amount as a decimal number when it is one, so that equal amounts are equal values.

    Examples:
        >>> exact(Fraction(1, 8)), exact(Fraction(1, 3))
        (Decimal('0.125'), Fraction(1, 3))
    """
    below, tens = amount.denominator, 0
    while 10**tens % below and tens < below.bit_length():
        tens += 1
    if 10**tens % below:
        return amount
    sign, digits = int(amount < 0), str(abs(amount.numerator) * (10**tens // below))
    return Decimal((sign, tuple(map(int, digits)), -tens))


_STARTS = DAY_STARTS | AMOUNT_STARTS | MONEY_STARTS | IDENTIFIER_STARTS | MINUS


@lru_cache(maxsize=1 << 15)
def _begins(word: str) -> bool:
    """Tell whether a value may begin with a folded word, whatever follows; codes and Roman numerals aside."""
    if word[0].isdigit() or word in _STARTS:
        return True
    alone = ordinal_words(split_words(word))
    return ordinal_number_at(alone, alone, 0) is not None


@dataclass(frozen=True, slots=True)
class _Text:
    """A text ready to be read at any of its words."""

    words: Words
    masculine: Words

    def may_begin(self, i: int) -> bool:
        """Tell whether a value may begin at `i`: a quick look that spares most words the readings."""
        words = self.words
        if _begins(words.at(i)) or (words.glued(i + 1) and words.glued(i + 2)):
            return True
        return words.raw(i).isupper()

    def readings(self, i: int, *, weak: bool) -> Iterator[tuple[Value | None, int]]:
        """Yield every reading that begins at `i` and where it ends; one of None claims its words and means nothing."""
        if (day := day_at(self.words, i)) is not None:
            yield Value("date", day=day[0]) if day[0] else None, day[1]
        if (identifier := identifier_at(self.words, self.masculine, i)) is not None:
            yield Value("identifier", text=identifier[0]), identifier[1]
        if (measure := measure_at(self.words, i, weak=weak)) is not None:
            yield Value(measure.kind, exact(measure.amount), measure.unit), measure.end
        if (place := ordinal_number_at(self.words, self.masculine, i) or roman_at(self.words, i)) is not None:
            yield _ordinal(place[0]), place[1]


def _ordinal(place: int) -> Value:
    return Value("ordinal", Decimal(place))


def _prepare(text: str) -> _Text:
    words = without_emphasis(split_words(text))
    return _Text(words, ordinal_words(words))


def find_values(text: str, kinds: Collection[Kind] | None = None) -> tuple[FoundValue, ...]:
    """Return the values that stand in a text, in its order.

    Args:
        text: any text; accents, case and kinds of blanks do not matter.
        kinds: which to return, None for all. "12 días" is a quantity and holds no number, whatever is asked for.

    Returns:
        Values that do not overlap; of several readings that begin at one word, the longest. An amount that is written
        twice, "12 (doce) días", is one value; the first end of a range has the unit of the second ("50 a 250 UMA");
        what goes on in a list of articles or fractions is an identifier too ("artículos 76, 78 y 80"). Names are never
        found. Takes time linear in the length of `text`.
    """
    wanted = frozenset(KINDS if kinds is None else kinds)
    ready = _prepare(text)
    words, out = ready.words, list[FoundValue]()
    for value, start, end in _all_values(ready):
        if value.kind in wanted:
            out.append(FoundValue(value, words.starts[start], words.ends[end - 1]))
    return tuple(out)


_Placed = tuple[Value, int, int]
_LINKS_OF_RANGE = frozenset(("a", "al", "y", "e", "o", "u", "hasta", "-", "–"))


def _all_values(ready: _Text) -> Iterator[_Placed]:
    """Yield every value with the positions of its first word and after its last."""
    waiting: _Placed | None = None
    for placed in _longest_values(ready):
        if waiting is not None:
            yield _with_unit_of(waiting, placed, ready.words)
        waiting = placed
    if waiting is not None:
        yield waiting


def _with_unit_of(first: _Placed, second: _Placed, words: Words) -> _Placed:
    """Return the first end of a range with the unit that only the second has: "50 a 250 veces la UMA"."""
    (value, start, end), (other, other_start, _) = first, second
    article = words.at(other_start - 1) in ("el", "la", "los", "las")
    linked = other_start - article == end + 1 and words.at(end) in _LINKS_OF_RANGE
    if not linked or value.kind != "number" or value.amount is None or other.amount is None:
        return first
    unitless = other.kind in ("number", "ordinal") or Fraction(value.amount) >= Fraction(other.amount)
    return first if unitless else (Value(other.kind, value.amount, other.unit), start, end)


def _longest_values(ready: _Text) -> Iterator[_Placed]:
    words, i = ready.words, 0
    cited, cited_end = "", 0
    while i < len(words.folded):
        if not ready.may_begin(i):
            i += 1
            continue
        member = list_member_at(words, i, cited, cited_end) if cited else None
        best = max(ready.readings(i, weak=False), key=lambda reading: reading[1], default=None)
        if member is not None and (best is None or best[1] <= member[1]):
            best = Value("identifier", text=member[0]), member[1]
        if best is None:
            i = run_end(words, i) if words.at(i)[:1].isdigit() else i + 1
            continue
        value, end = best
        if value is not None:
            if value.kind == "identifier":
                cited, cited_end = value.text, end
            yield value, i, end
        i = end


_LEADS = frozenset("el la los las de del dia fecha en a al partir desde dof".split())
_ENDS = frozenset((".", ",", ";", ":", ")", "(", '"', "'", "«", "»", "“", "”", "¿", "?", "¡", "!", "*", "-", "–"))


def parse_value(text: str, kind: Kind | None = None) -> Value | None:
    """Return the one value that a whole text is, None when it is none or says more.

    Args:
        text: "$315.04", "12 (doce) días", "el 1o. de enero de 2026". Punctuation around it does not matter, nor do
            articles and words like `día` and `a partir de` before it.
        kind: what it must be; None for whatever it is, names excepted. As an ordinal "12", "doce" and "XII" count too;
            as a date a year; as an identifier or a name any words are one.
    """
    ready = _prepare(text)
    first, last = 0, len(ready.words.folded)
    while last and ready.words.at(last - 1) in _ENDS:
        last -= 1
    if kind == "name":
        return _named("name", without_articles(text))
    starts = [first]
    while first < last and (ready.words.at(first) in _LEADS or ready.words.at(first) in _ENDS):
        first += 1
        starts.append(first)
    for start in starts:
        for value, end in _read(ready, start, kind):
            if value is not None and end >= last:  # a closing parenthesis may be the value's own
                return value
    return _named("identifier", fold(text)) if kind == "identifier" else None


def _named(kind: Kind, text: str) -> Value | None:
    return Value(kind, text=text) if text else None


def _read(ready: _Text, i: int, kind: Kind | None) -> Iterator[tuple[Value | None, int]]:
    readings = sorted(ready.readings(i, weak=True), key=lambda reading: -reading[1])
    yield from (found for found in readings if kind is None or (found[0] is not None and found[0].kind == kind))
    amount = amount_at(ready.words, i)
    if kind == "number" and amount is not None:
        yield Value("number", exact(amount.value)), amount.end
    if kind == "ordinal":
        if amount is not None and amount.value.denominator == 1:
            yield _ordinal(int(amount.value)), amount.end
        if (value := roman(ready.words.raw(i))) is not None:
            yield _ordinal(value), i + 1


def same_value(a: Value, b: Value) -> bool:
    """Tell whether two values are the same: kind, exact amount, unit, day and normal form.

    Nothing is rounded or converted: 12 months are not a year, 50 % is not one half, a month is none of its days.
    """
    if a.amount is None or b.amount is None:
        return a == b
    same_amount = Fraction(a.amount) == Fraction(b.amount)
    return same_amount and (a.kind, a.unit, a.day, a.text) == (b.kind, b.unit, b.day, b.text)


def same_amount(a: Value, b: Value) -> bool:
    """Tell whether two values are the same, or one is a bare number of the same amount, as in the cell of a table."""
    if same_value(a, b):
        return True
    if a.amount is None or b.amount is None or "number" not in (a.kind, b.kind):
        return False
    return Fraction(a.amount) == Fraction(b.amount)


def holds_value(text: str, value: Value, *, bare: bool = False) -> bool:
    """Tell whether a text holds a value, in whatever words.

    Args:
        text: any text.
        value: what is looked for. A name is held as whole words, accents, case and articles aside. So is an identifier
            that has no form of its own; one that has ("NOM-001-SEMARNAT-2021") is held where it is found whole.
        bare: whether a number without unit counts too, as in a table that names the unit in its head.
    """
    if value.kind == "name":
        return f" {value.text} " in f" {without_articles(text)} "
    found = find_values(text, {value.kind, "number"} if bare else {value.kind})
    if any(same_amount(one.value, value) if bare else same_value(one.value, value) for one in found):
        return True
    formless = value.kind == "identifier" and "-" not in value.text and not find_values(value.text, {"identifier"})
    return formless and f" {value.text} " in f" {fold(text)} "
