"""Numbers as legal headings write them: digits, Roman numerals, ordinals in words.

Owns the value of a heading's number, which orders headings; the spelling of an article's key is `forest.legal_numbers`.
"""

import re
from itertools import pairwise

from forest.legal_numbers import ordinal_at, split_words
from forest.text import fold

# Stems of the ordinals that headings use, for patterns that look for them in running text.
ORDINAL_WORD = (
    r"(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|s[eé]ptim[oa]|octav[oa]|noven[oa]|nono"
    r"|und[eé]cim[oa]|duod[eé]cim[oa]|d[eé]cimo(?:primer|segund|tercer|cuart|quint|sext|s[eé]ptim|ctav|octav|noven)[oa]"
    r"|d[eé]cim[oa]|vig[eé]sim[oa]|trig[eé]sim[oa]|cuadrag[eé]sim[oa]|quincuag[eé]sim[oa]|sexag[eé]sim[oa])"
)
_ROMAN = re.compile(r"(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})", re.IGNORECASE)
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_DIGITS = re.compile(r"(\d{1,3},\d{3}|\d{1,4})\s?(?:[oaºª°]|er|ro)?")


def roman(text: str) -> int | None:
    """The value of a Roman numeral up to 399, None when the text is not one."""
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [*(_ROMAN_DIGITS[c] for c in text.upper()), 0]
    return sum(-a if a < b else a for a, b in pairwise(values))


def ordinal(text: str) -> int | None:
    """The value of an ordinal in words (`Vigésimo Segundo` is 22), masculine or feminine; None for other words."""
    masculine = re.sub(r"\b(primer|tercer)\b", r"\1o", re.sub(r"a\b", "o", fold(text)))
    words = split_words(masculine)
    found = ordinal_at(words, 0)
    return found[0] if found and found[1] == len(words.folded) else None


def number(text: str) -> int | None:
    """The value of a heading's number in any spelling: `Único` is 1, `Preliminar` 0, None when it is no number."""
    plain = text.strip().rstrip(".")
    if digits := _DIGITS.fullmatch(plain):
        return int(digits.group(1).replace(",", ""))
    if fold(plain) in ("unico", "unica"):
        return 1
    if fold(plain) == "preliminar":
        return 0
    worded = ordinal(plain)
    return worded if worded is not None else roman(plain)
