"""Numbers as Spanish texts write them: cardinals in words, mixed with figures, with decimals and as fractions.

Owns what amount begins at a word. Digits alone are `forest.values_figures`, ordinals `forest.values_ordinals`; what is
counted is `forest.values_units`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from forest.legal_numbers import Words
from forest.values_figures import MOST_DIGITS, Amount, digits_at, figure_at, vulgar_fraction

_ONES = {"un": 1, "una": 1, "uno": 1} | {
    word: value for value, word in enumerate("dos tres cuatro cinco seis siete ocho nueve".split(), start=2)
}
_TEENS = {
    word: value
    for value, word in enumerate(
        "diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte".split(), start=10
    )
} | {f"veinti{word}": 20 + value for word, value in _ONES.items()}
_TENS = {
    word: 10 * value
    for value, word in enumerate("treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(), start=3)
}
_JOINED_TENS = {
    f"{ten[:-1]}{y}{one}": t + o for ten, t in _TENS.items() for y in ("ai", "i") for one, o in _ONES.items()
}
_BELOW_HUNDRED = _ONES | _TEENS | _JOINED_TENS
# "veinte y cinco", "diez y ocho": the old spelling.
_TAKE_ONES = _TENS | {"diez": 10, "veinte": 20}
_HUNDREDS = {
    "cien": 100, "ciento": 100,
    **{
        f"{stem}{ending}": 100 * value
        for value, stem in ((2, "doscient"), (3, "trescient"), (4, "cuatrocient"), (5, "quinient"), (6, "seiscient"),
                            (7, "setecient"), (8, "ochocient"), (9, "novecient"))
        for ending in ("os", "as")
    },
}  # fmt: skip
_MILLIONS = {"millon": 10**6, "millones": 10**6}
_BILLIONS = {"billon": 10**12, "billones": 10**12}  # long scale, as in Spanish
_THOUSAND_MILLIONS = (("miles", "de", "millones"), ("mil", "de", "millones"))

_TENTHS = {
    f"{stem}{ending}": value
    for stem, value in (
        ("decim", 10), ("centesim", 100), ("milesim", 1000), ("diezmilesim", 10**4), ("cienmilesim", 10**5),
        ("millonesim", 10**6),
    )
    for ending in ("o", "a", "os", "as")
}  # fmt: skip
_PARTS = {"medio": 2, "medios": 2, "tercio": 3, "tercios": 3} | {
    f"{stem}{ending}": value
    for value, stem in ((4, "cuart"), (5, "quint"), (6, "sext"), (7, "septim"), (8, "octav"), (9, "noven"))
    for ending in ("o", "os")
}
_FEMININE = {
    "tercera": 3, "cuarta": 4, "quinta": 5, "sexta": 6, "septima": 7, "octava": 8, "novena": 9, "decima": 10,
    "centesima": 100, "milesima": 1000,
}  # fmt: skip
_PARTS_SAID = _FEMININE | {f"{word}s": value for word, value in _FEMININE.items()}
_AVOS = {**_BELOW_HUNDRED, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "cien": 100}
# Words that an amount without digits can begin with.
AMOUNT_STARTS = frozenset(
    (*_BELOW_HUNDRED, *_TAKE_ONES, *_HUNDREDS, *_FEMININE, "mil", "cero", "mitad", "medio", "media")
)  # fmt: skip


def _group_at(words: Words, i: int) -> tuple[int, int] | None:
    """Return the value of the words at `i` that make a number from 1 to 999, and the position after them."""
    total, j = 0, i
    hundred = _HUNDREDS.get(words.at(j))
    if hundred:
        total, j = hundred, j + 1
        if words.at(i) == "cien":
            return total, j
    word = words.at(j)
    if word in _TAKE_ONES and words.at(j + 1) in ("y", "i") and words.at(j + 2) in _ONES:
        return total + _TAKE_ONES[word] + _ONES[words.at(j + 2)], j + 3
    small = _TENS.get(word) or _BELOW_HUNDRED.get(word)
    if small:
        total, j = total + small, j + 1
    return (total, j) if total else None


def _below_million(words: Words, i: int, *, words_only: bool) -> Amount | None:
    """Return the amount at `i` up to where `millones` may follow: "2 mil 300", "doscientos mil", "mil", "315.04"."""
    figures = bool(digits_at(words, i))
    if figures:
        head = None if words_only else figure_at(words, i)
    elif words.at(i) == "mil":
        head = Amount(Fraction(1), i, figures=False)
    elif words.at(i) == "cero":
        return Amount(Fraction(0), i + 1, figures=False)
    else:
        group = _group_at(words, i)
        weak = group is not None and group[1] == i + 1 and words.at(i) in ("un", "una", "uno")
        head = Amount(Fraction(group[0]), group[1], figures=False, weak=weak) if group else None
    if head is None or words.at(head.end) != "mil" or (words.glued(head.end) and figures):
        return head
    if head.value >= 1000:
        return head
    total, j = head.value * 1000, head.end + 1
    if total.denominator != 1 or not head.plain | (not figures):
        return Amount(total, j, figures=figures, scaled=True)
    rest = _group_at(words, j)
    if rest is None and digits_at(words, j) and not words.glued(j) and len(words.at(j)) <= 3:
        found = figure_at(words, j)
        rest = (int(found.value), found.end) if found and found.plain and 0 < found.value < 1000 else None
    if rest is None:
        return Amount(total, j, figures=figures, scaled=True)
    return Amount(total + rest[0], rest[1], figures=figures)


def _cardinal_at(words: Words, i: int) -> Amount | None:
    amount = _below_million(words, i, words_only=False)
    for scales in (_BILLIONS, _MILLIONS):
        if amount is None:
            return None
        by, end = scales.get(words.at(amount.end), 0), amount.end + 1
        if scales is _MILLIONS and words.folded[amount.end : end + 2] in _THOUSAND_MILLIONS:
            by, end = 10**9, end + 2
        if not by:
            continue
        total = Amount(amount.value * by, end, figures=amount.figures, scaled=True)
        rest = _below_million(words, end, words_only=True)
        if rest is None and amount.value.denominator == 1 and digits_at(words, end) and not words.glued(end):
            rest = _below_million(words, end, words_only=False)
        follows = words.at(rest.end) if rest else ""
        if rest is None or rest.value >= 10**6 or rest.value.denominator != 1 or (rest.plain and rest.figures):
            return total
        if follows in _MILLIONS and scales is _BILLIONS:
            return Amount(total.value + rest.value * 10**6, rest.end + 1, figures=amount.figures, scaled=True)
        if follows in _MILLIONS or follows in _BILLIONS:
            return total
        return Amount(total.value + rest.value, rest.end, figures=amount.figures, scaled=rest.scaled)
    return amount


def _denominator_at(words: Words, i: int, count: Fraction) -> tuple[int, int] | None:
    """Return what the parts at `i` are parts of ("tercios" is 3) and the position after them."""
    word = words.at(i)
    if word in _PARTS_SAID and words.at(i + 1) in ("parte", "partes"):
        return _PARTS_SAID[word], i + 2
    for ending in ("avos", "avo", "avas", "ava"):
        stem = word.removesuffix(ending)
        number = (_AVOS.get(stem) or _AVOS.get(f"{stem}e") or _AVOS.get(f"{stem}o")) if stem != word else None
        if number and number > 10:
            return number, i + 1 + (words.at(i + 1) in ("parte", "partes"))
    if word in _TENTHS:
        return _TENTHS[word], i + 1
    if word in _PARTS and word.endswith("s") == (count > 1):
        return _PARTS[word], i + 1
    return None


def _tail(words: Words, amount: Amount) -> Amount:
    """Return an amount in words with its decimals: "ciento cinco punto cinco", "dos tercios", "tres y medio"."""
    j = amount.end
    if words.at(j) in ("punto", "coma") and not words.glued(j):
        k, zeros = j + 1, 0
        while words.at(k) == "cero" and zeros < MOST_DIGITS:
            k, zeros = k + 1, zeros + 1
        group = _group_at(words, k)
        if group:
            below = 10 ** (zeros + len(str(group[0])))
            return Amount(amount.value + Fraction(group[0], below), group[1], figures=False)
        if zeros:
            return replace(amount, end=k, weak=False)
    parts = _denominator_at(words, j, amount.value) if amount.value.denominator == 1 and amount.value < 1000 else None
    if parts is not None:
        return Amount(amount.value / parts[0], parts[1], figures=amount.figures)
    if words.at(j) == "y" and words.at(j + 1) in ("medio", "media"):
        scale = words.at(j - 1)
        by = _MILLIONS.get(scale) or _BILLIONS.get(scale) or (1000 if scale == "mil" else 1)
        return Amount(amount.value + Fraction(by, 2), j + 2, amount.figures, scaled=amount.scaled)
    if (decimals := decimals_after(words, j)) is not None:
        return Amount(amount.value + decimals[0], decimals[1], figures=amount.figures)
    return amount


def decimals_after(words: Words, i: int) -> tuple[Fraction, int] | None:
    """Return the decimals that `con` adds at `i` ("con ocho diezmilésimos") and the position after them."""
    if words.at(i) not in ("con", "y"):
        return None
    count = _below_million(words, i + 1, words_only=False)
    if count is None or count.value.denominator != 1:
        return None
    below = _TENTHS.get(words.at(count.end))
    return (count.value / below, count.end + 1) if below and count.value < below else None


def amount_at(words: Words, i: int) -> Amount | None:
    """Return the amount that begins at position `i`, None when none does.

    Args:
        words: the text.
        i: where it should begin: digits, the first word of a cardinal, `mitad`, `tercera parte`, `medio`.

    Returns:
        The longest reading. Looks ahead a bounded number of words, except along one run of groups of digits.
    """
    word = words.at(i)
    if (vulgar := vulgar_fraction(word)) is not None:
        return Amount(vulgar, i + 1, figures=True)
    if word == "mitad":
        return Amount(Fraction(1, 2), i + 1, figures=False)
    if word in ("medio", "media"):
        return Amount(Fraction(1, 2), i + 1, figures=False, weak=True)
    if word in _FEMININE and words.at(i + 1) == "parte":
        return Amount(Fraction(1, _FEMININE[word]), i + 2, figures=False)
    cardinal = _cardinal_at(words, i)
    return _tail(words, cardinal) if cardinal else None
