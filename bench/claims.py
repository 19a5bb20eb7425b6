"""What an answer claims: its short values, or the values and words that its sentences affirm.

Owns which values of a sentence could be meant as the answer, and leaves out those that the sentence takes back
(`bench.affirming`). Whether a claim is right is for `bench.grading` to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bench.affirming import asks_past, bound_at, is_denied, is_end_of_range, is_past, is_rough
from bench.question import Answer
from forest.legal_numbers import Words, fold, split_words
from forest.values import Kind, Value, find_values, parse_value, same_value
from forest.values_names import HEADS, without_articles

_NORMS = ("nom-", "nmx-", "proy-")
_DAYS = frozenset(("day", "business_day"))
_ARTICLES = frozenset(("el", "la", "los", "las"))


@dataclass(frozen=True, slots=True)
class Said:
    """What an arm answered.

    Attributes:
        values: the short values that it claims, in its own words; empty when it gives only sentences.
        text: its full words, quotations included.
        abstained: whether it says that it has no answer.
    """

    values: tuple[str, ...] = ()
    text: str = ""
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that an answer claims, their value if they have one, and which bound they are said to be."""

    text: str
    value: Value | None
    bound: str = ""


class ClaimReader:
    """One answer to one question, read for claims."""

    def __init__(self, said: Said, question: str) -> None:
        self.said = said
        self.asked = tuple(found.value for found in find_values(question))
        self._past_is_asked = asks_past(question)

    def claims(self, expected: Answer, traps: tuple[str, ...]) -> list[Claim]:
        """Return what the answer claims, of the type that is expected, none twice."""
        if self.said.values:
            found = list(self._short_claims())
        elif expected.type in ("name", "text"):
            found = list(self._words_claimed((*expected.forms, *traps)))
        else:
            found = self._values_claimed(expected, traps)
        return list({(claim.value or fold(claim.text), claim.bound): claim for claim in found}.values())

    def _short_claims(self) -> Iterator[Claim]:
        for text in self.said.values:
            value = parse_value(text)
            inside = [] if value else list(find_values(text))
            if len(inside) == 1 and not self._taken_back(text, inside[0].start, inside[0].end, ranges=True):
                value = inside[0].value
            places = self._places(text, value)
            if places and all(self._taken_back(self.said.text, *place, ranges=False) for place in places):
                continue
            if is_denied(text, 0, len(text)) or (inside and value is None and len(inside) == 1):
                continue
            bounds = {bound_at(self.said.text, start) for start, _ in places} or {""}
            yield Claim(text, value, bounds.pop() if len(bounds) == 1 else "")

    def _places(self, text: str, value: Value | None) -> list[tuple[int, int]]:
        """Return where the answer's sentences hold a short value."""
        if value is None:
            return list(occurrences(self.said.text, text))
        return [(one.start, one.end) for one in find_values(self.said.text) if same_value(one.value, value)]

    def _taken_back(self, text: str, start: int, end: int, *, ranges: bool) -> bool:
        past = not self._past_is_asked and is_past(text, start)
        in_range = ranges and is_end_of_range(text, start, end)
        return past or in_range or is_denied(text, start, end) or is_rough(text, start)

    def _values_claimed(self, expected: Answer, traps: tuple[str, ...]) -> list[Claim]:
        text, out, bare = self.said.text, [], []
        known = [value for form in (*expected.forms, *traps) if (value := parse_form(form, expected.type)) is not None]
        for one in find_values(text):
            if any(same_value(one.value, asked) for asked in self.asked):
                continue
            if self._taken_back(text, one.start, one.end, ranges=True):
                continue
            claim = Claim(text[one.start : one.end], one.value, bound_at(text, one.start))
            if is_candidate(one.value, expected.type, known):
                out.append(claim)
            elif one.value.kind == "number":
                bare.append(claim)
        return out or bare

    def _words_claimed(self, forms: tuple[str, ...]) -> Iterator[Claim]:
        text = self.said.text
        for form in forms:
            if any(not self._taken_back(text, *place, ranges=False) for place in occurrences(text, form)):
                yield Claim(form, None)


def is_candidate(value: Value, kind: str, known: list[Value]) -> bool:
    """Tell whether a value of a text could be meant as an answer of type `kind` whose forms and traps are `known`."""
    if kind == "identifier":
        return value.kind == kind and _family(value) in map(_family, known)
    units = {one.unit for one in known}
    units |= _DAYS if units & _DAYS else set()
    if value.kind == "quantity" and (kind == "number" or value.unit in units):
        return True
    if value.kind == kind and kind != "quantity":
        return True
    if kind == "number" and value.day is not None and value.day[1:] == (None, None):
        return any(one.amount == value.day[0] for one in known)
    # The same figures with another unit: "200 UMA o 200 pesos".
    measured = value.kind in ("money", "quantity", "percentage")
    return measured and any(one.amount is not None and value.amount == one.amount for one in known)


def _family(value: Value) -> str:
    """Return which sort of identifier a value is: code of a norm, cited part of a text, other code."""
    first = value.text.partition(" ")[0]
    return "norm" if first.startswith(_NORMS) else "part" if first in HEADS else "code"


_TYPED: dict[str, Kind] = {
    "money": "money", "date": "date", "number": "number", "percentage": "percentage", "quantity": "quantity",
    "ordinal": "ordinal", "identifier": "identifier",
}  # fmt: skip


def parse_form(text: str, kind: str) -> Value | None:
    """Return a form as a value of its type, or of whatever type it is: a fine may be in pesos or in UMA.

    Of a form that says more ("por lo menos seis días"), the one value that it holds.
    """
    typed = _TYPED.get(kind)
    value = (parse_value(text, typed) or parse_value(text)) if typed else None
    # Any words are an identifier when one is asked for; what stands out among them is the better one.
    if typed and (value is None or (typed == "identifier" and "-" not in value.text)):
        inside = find_values(text, {typed})
        value = inside[0].value if len(inside) == 1 else value
    return value


def _plain_words(words: Words) -> list[int]:
    return [i for i in range(len(words.folded)) if words.at(i)[:1].isalnum() and words.at(i) not in _ARTICLES]


def occurrences(text: str, form: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of `form` stand in `text`, articles aside, as (start, end); not inside a longer name."""
    words, wanted = split_words(text), without_articles(form).split()
    at = _plain_words(words)
    plain = [{"del": "de", "al": "a"}.get(words.at(i), words.at(i)) for i in at]
    for k in range(len(at) - len(wanted) + 1):
        if wanted and plain[k : k + len(wanted)] == wanted:
            first, last = at[k], at[k + len(wanted) - 1]
            if not _goes_on(words, first, last):
                yield words.starts[first], words.ends[last]


def _goes_on(words: Words, first: int, last: int) -> bool:
    """Return whether a capitalised name at `[first, last]` goes on with another capitalised word."""
    raw, following = words.raw(last), words.raw(last + 1)
    shouting = raw.isupper() and words.raw(first).isupper()
    return words.capital(first) and words.capital(last) and following[:1].isupper() and not shouting
