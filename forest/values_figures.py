"""Numbers in digits: groups, decimals, fractions, and runs of digits that are no numbers.

Owns which separators mean what. Numbers in words, and words that go on from digits ("1.5 millones"), are
`forest.values_words`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from forest.legal_numbers import Words

# Longer figures are no amounts but noise, and converting them would cost the square of their length.
MOST_DIGITS = 30
_COMMAS = frozenset((",", "'", "’", "´", "`"))
_BLANKS = frozenset((" ", "\u00a0", "\u2009", "\u202f", "\u2007"))
MINUS = frozenset(("-", "−", "–"))
_DASHES = frozenset(("-", "–", "‑"))
_IN_RUNS = frozenset((".", ",", "'", "’", "´", "`", "/", "-", "–", "‑", ":"))


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that begins at some word.

    Attributes:
        value: exact.
        end: the position after its last word.
        figures: whether it begins with digits; abbreviated units follow these only.
        plain: whether it is nothing but digits, so that it may be a year or number an article.
        weak: whether its word is seldom a number by itself: `un`, `una`, `medio`.
        scaled: whether it ends with `millones` or the like, after which `de` precedes what is counted.
    """

    value: Fraction
    end: int
    figures: bool
    plain: bool = False
    weak: bool = False
    scaled: bool = False


def without_emphasis(words: Words) -> Words:
    """Return a text without the asterisks by which markdown emphasises: "**12** días"."""
    if "*" not in words.folded:
        return words
    kept = [i for i, word in enumerate(words.folded) if word != "*"]
    starts, ends = (tuple(row[i] for i in kept) for row in (words.starts, words.ends))
    return Words(words.text, starts, ends, tuple(words.folded[i] for i in kept))


def run_end(words: Words, i: int) -> int:
    """Return the position after the unbroken run of digits and separators that begins at the digits at `i`."""
    j = i + 1
    while words.glued(j) and (
        words.at(j)[:1].isdigit() or (words.at(j) in _IN_RUNS and words.glued(j + 1) and words.at(j + 1)[:1].isdigit())
    ):
        j += 1
    return j


def digits_at(words: Words, i: int) -> str:
    """Return the digits at `i`, "" when something else stands there."""
    word = words.at(i)
    return word if word.isascii() and word.isdigit() else ""


def _is_blank_group(words: Words, i: int) -> bool:
    """Return whether three digits stand at `i`, one blank after the digits before them: "1 234"."""
    if len(digits_at(words, i)) != 3 or words.glued(i):
        return False
    return words.text[words.ends[i - 1] : words.starts[i]] in _BLANKS


def _is_group(words: Words, i: int, separators: frozenset[str]) -> bool:
    glued = words.at(i) in separators and words.glued(i) and words.glued(i + 1)
    return glued and len(digits_at(words, i + 1)) == 3


def _after_mark(words: Words, i: int, mark: str) -> str:
    """Return the digits that follow `mark` at `i` without a blank, "" when there are none."""
    glued = words.at(i) == mark and words.glued(i) and words.glued(i + 1)
    return digits_at(words, i + 1) if glued else ""


def inside_a_code(words: Words, i: int) -> bool:
    """Return whether the digits at `i` go on after a letter: "m3", "COVID-19"."""
    if not words.glued(i):
        return False
    before = words.at(i - 1)
    if before[:1].isalnum() or before == "_":
        return True
    return before in ("-", "–", "‑", "/", ".") and words.glued(i - 1) and words.at(i - 2)[:1].isalpha()


def figure_at(words: Words, i: int) -> Amount | None:
    """Return the amount in digits at `i`, None when there is none or the run of digits is something else.

    `1,234.56`, `1 234.56`, `1'234,567` and `1.234,56` have groups; `0.5` and `0,5` decimals; `1,234` is 1234 and
    `1.234` is not; `8.5.1`, `1,2,3` and `41/2006` are no amounts.
    """
    first = digits_at(words, i)
    if not first or len(first) > MOST_DIGITS or inside_a_code(words, i):
        return None
    j, whole, grouped = i + 1, first, ""
    if len(first) <= 3 and first[0] != "0":
        if _is_group(words, j, _COMMAS):
            grouped = ","
            while _is_group(words, j, _COMMAS):
                whole, j = whole + words.at(j + 1), j + 2
        elif _is_group(words, j, frozenset(".")) and (
            _is_group(words, j + 2, frozenset(".")) or len(_after_mark(words, j + 2, ",")) not in (0, 3)
        ):
            grouped = "."
            while _is_group(words, j, frozenset(".")):
                whole, j = whole + words.at(j + 1), j + 2
        elif _is_blank_group(words, j):
            grouped = " "
            while _is_blank_group(words, j) and len(whole) <= MOST_DIGITS:
                whole, j = whole + words.at(j), j + 1
    decimals = _after_mark(words, j, ".") if grouped != "." else ""
    if not decimals and grouped != ",":
        after_comma = _after_mark(words, j, ",")
        decimals = after_comma if len(after_comma) != 3 or whole == "0" or grouped else ""
    j += 2 if decimals else 0
    if len(whole) + len(decimals) > MOST_DIGITS:
        return None
    value = Fraction(int(whole + decimals), 10 ** len(decimals))
    plain = j == i + 1
    if plain and _after_mark(words, j, "/"):
        return _ratio(words, i)
    if words.glued(j) and words.at(j) in _IN_RUNS and words.glued(j + 1) and words.at(j + 1)[:1].isdigit():
        return Amount(value, j, figures=True) if _is_range(words, i, j, value) else None
    return _with_vulgar(words, Amount(value, j, figures=True, plain=plain))


def _is_range(words: Words, i: int, j: int, low: Fraction) -> bool:
    """Return whether the run at `i` is two numbers with one dash at `j`, the first one less: "50-250 UMA"."""
    high = digits_at(words, j + 1)
    return words.at(j) in _DASHES and run_end(words, i) == j + 2 and len(high) <= MOST_DIGITS and low < int(high)


def _ratio(words: Words, i: int) -> Amount | None:
    """Return the fraction `a/b` at `i`; None for the number of a file ("41/2006") or a day ("27/12/2022")."""
    above, below, end = int(words.at(i)), words.at(i + 2), i + 3
    goes_on = words.glued(end) and (
        words.at(end)[:1].isalnum() or (words.at(end) in ("/", "-") and words.glued(end + 1))
    )
    if goes_on or len(below) > 4 or int(below) > 1000 or not above < int(below):
        return None
    return Amount(Fraction(above, int(below)), end, figures=True)


def vulgar_fraction(word: str) -> Fraction | None:
    """Return the value of one character like `½`, folded; None for other words."""
    above, slash, below = word.partition("⁄")
    fits = slash and above.isascii() and above.isdigit() and below.isascii() and below.isdigit() and int(below[:9]) > 0
    return Fraction(int(above[:9]), int(below[:9])) if fits else None


def _with_vulgar(words: Words, amount: Amount) -> Amount:
    """Return a whole number with the fraction after it: "1½", "1 1/2"."""
    if not amount.plain:
        return amount
    if (half := vulgar_fraction(words.at(amount.end))) is not None:
        return Amount(amount.value + half, amount.end + 1, figures=True)
    if not words.glued(amount.end) and _after_mark(words, amount.end + 1, "/") and digits_at(words, amount.end):
        part = _ratio(words, amount.end) if len(words.at(amount.end)) < 3 else None
        if part is not None and part.value.denominator <= 16:
            return Amount(amount.value + part.value, part.end, figures=True)
    return amount
