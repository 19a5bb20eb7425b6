"""What is looked for in texts, by words and by value, and whether a text holds it.

Owns the comparison; the normal form of words is `bench.holding`, what a value is `forest.values`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from bench.holding import words_of
from forest.values import FoundValue, Kind, Value, find_values, parse_value, same_value

_KINDS: tuple[Kind, ...] = ("money", "date", "number", "percentage", "quantity", "ordinal", "identifier")
# A bare number or ordinal inside a chain counts anything: it is compared by its words.
_TELLING: tuple[Kind, ...] = ("money", "date", "percentage", "quantity")


@dataclass(frozen=True, slots=True)
class Text:
    """A text made ready to be searched; equal to another with the same characters."""

    raw: str
    words: str = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in texts.

    Attributes:
        forms: ways of writing it, from `words_of`.
        value: what it is worth, None when only its words count.
    """

    forms: tuple[str, ...]
    value: Value | None = None


def text_of(*parts: str) -> Text:
    """Return some texts as one, in which no phrase runs from one part into the next."""
    raw = "\n\n".join(parts)
    # The bar is no word, so that it keeps the last words of a part from the first of the next one.
    return Text(raw, "|".join(words_of(part) for part in parts))


def sought(phrases: Iterable[str], value: Value | None = None) -> Sought:
    """Return what to look for: phrases as words, those without any left out, and a value."""
    forms = dict.fromkeys(words_of(phrase) for phrase in phrases)
    return Sought(tuple(form for form in forms if form.strip()), value)


def held(text: Text, what: Sought) -> str:
    """Return the words of a text that hold what is sought, "" when none do.

    Words count as whole words, values by what they are worth: `doce días` holds what `12 días` seeks.
    """
    found = next((form.strip() for form in what.forms if form in text.words), "")
    if found or what.value is None:
        return found
    values = values_in(text.raw, what.value.kind)
    return next((text.raw[v.start : v.end] for v in values if same_value(v.value, what.value)), "")


@lru_cache(maxsize=16384)
def values_in(raw: str, kind: Kind) -> tuple[FoundValue, ...]:
    """Return the values of one kind in a text, in its order."""
    return find_values(raw, (kind,))


def value_of(phrase: str, answer_type: str) -> Value | None:
    """Return what a phrase is worth as an answer of one type; None for names, words, and what cannot be read as it."""
    kind = next((kind for kind in _KINDS if kind == answer_type), None)
    return parse_value(phrase, kind) if kind is not None else None


def value_of_bridge(phrase: str) -> Value | None:
    """Return what words that lead on are worth, None when only the words count."""
    found = (parse_value(phrase, kind) for kind in _TELLING)
    return next((value for value in found if value is not None), None)
