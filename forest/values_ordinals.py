"""Ordinals and Roman numerals as values: "décimo segundo", "vigésima primera", "12o.", "XII".

Owns their reading at a word. The ordinals that number articles, which these extend, are `forest.legal_numbers`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from forest.legal_numbers import Words, ordinal_at
from forest.values_figures import digits_at, inside_a_code

_SHORT_ORDINALS = {"primer": "primero", "tercer": "tercero"}


def ordinal_words(words: Words) -> Words:
    """Return a text with its ordinals in the masculine: "vigésima primera" as `vigesimo primero`."""
    return replace(words, folded=tuple(map(_masculine, words.folded)))


def _masculine(word: str) -> str:
    return _SHORT_ORDINALS.get(word) or (f"{word[:-1]}o" if word.endswith("a") else word)


_MARKS = frozenset("o a er ro ra do da to ta vo va mo ma no na".split())
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def roman(text: str) -> int | None:
    """Return the value of a Roman numeral in capitals up to 399, None when the text is not one in its normal form."""
    if not text or len(text) > 12 or any(letter not in _ROMAN for letter in text):
        return None
    digits = [*(_ROMAN[letter] for letter in text), 0]
    value = sum(-a if a < b else a for a, b in pairwise(digits))
    return value if 0 < value < 400 and text == _to_roman(value) else None


def _to_roman(value: int) -> str:
    out = ""
    for digits, number in (
        ("C", 100), ("XC", 90), ("L", 50), ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)
    ):  # fmt: skip
        out += digits * (value // number)
        value %= number
    return out


def ordinal_number_at(words: Words, masculine: Words, i: int) -> tuple[int, int] | None:
    """Return the ordinal at `i` and the position after it: "décimo segundo", "12o.", "1.º".

    Args:
        words: the text.
        masculine: the same text from `ordinal_words`.
        i: where it should begin.
    """
    if digits := digits_at(words, i):
        if len(digits) > 6 or inside_a_code(words, i):
            return None
        j = i + 1 + (words.at(i + 1) == "." and words.glued(i + 1) and words.raw(i + 2) in ("º", "ª", "°"))
        # "45°C" is a temperature.
        if words.glued(j) and words.at(j) in _MARKS and not (words.glued(j + 1) and words.is_word(j + 1)):
            dotted = words.at(j + 1) == "." and words.glued(j + 1)
            return int(digits), j + 1 + dotted
        return None
    return ordinal_at(masculine, i)


def roman_at(words: Words, i: int) -> tuple[int, int] | None:
    """Return the Roman numeral of two letters or more at `i` and the position after it; one letter is seldom one."""
    raw = words.raw(i)
    glued_on = words.glued(i + 1) and words.at(i + 1) not in (".", ",", ";", ")", ":")
    value = None if len(raw) < 2 or words.glued(i) or glued_on else roman(raw)
    return (value, i + 1) if value else None
