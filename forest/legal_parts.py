"""Parts of articles and lists of articles, as citations write them.

Owns what follows the word `artículo` up to the name of the instrument: numbers, lists, ranges, and the fractions,
paragraphs and letters that say which part is meant. The instrument itself, and the citation as a whole, are
`forest.legal`. Where a function takes `loose`, it reads as people type: numbers in words, "fracción 7", "4 a".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from forest.legal_numbers import Words, number_at, ordinal_at, skip_ordinal_dot

CONJUNCTIONS = frozenset(("y", "e", "o", "u", "ni"))
RANGE_WORDS = frozenset(("a", "al", "hasta"))

_FRACTION_HEADS = frozenset(("fraccion", "fracciones", "frac", "fracs", "fracc", "fraccs"))
_LETTER_HEADS = frozenset(("inciso", "incisos", "subinciso", "subincisos", "apartado", "apartados", "letra"))
_PARAGRAPH_HEADS = frozenset(("parrafo", "parrafos"))
_NUMERAL_HEADS = frozenset("numeral numerales punto puntos base bases regla reglas subnumeral".split())
_ORDINAL_HEADS = frozenset("parrafo parrafos parte enunciado supuesto apartado oracion".split())
_LOOSE_ORDINALS = frozenset(
    "primer tercer primera segunda tercera ultimo ultima ultimos penultimo antepenultimo".split()
)
PART_HEADS = _FRACTION_HEADS | _LETTER_HEADS | _PARAGRAPH_HEADS | _NUMERAL_HEADS
# A reader that gives up and tries again one word later must not look ahead without end.
_MOST_PARTS = 30
_ROMAN = re.compile(r"[ivxlcdm]{1,8}\Z")
_MARKS_OF_PARTS = frozenset(", ; y e o u en de del la el las los su sus por con ) a al".split())
# "1 a 3000" is no list of articles to ask for one by one.
_MOST_PARTS_OF_A_RANGE = 40
# A number before one of these counts something and is no article: "artículo 5, 30 días después".
_MEASURES = frozenset(
    "dia dias mes meses ano anos hora horas minutos por veces pesos salarios unidades centavos kilometros metros "
    "toneladas trabajadores personas puntos enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre % mil millones".split()
)


_UNITS = "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince".split()
_TEENS = "dieciseis diecisiete dieciocho diecinueve veinte".split()
_TWENTIES = "uno dos tres cuatro cinco seis siete ocho nueve".split()
_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_HUNDREDS = (
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()
)
_BELOW_THIRTY = {
    **{word: value for value, word in enumerate([*_UNITS, *_TEENS], start=1)},
    **{f"veinti{word}": value for value, word in enumerate(_TWENTIES, start=21)},
}
_FULL_TENS = {word: value * 10 for value, word in enumerate(_TENS, start=3)}
_FULL_HUNDREDS = {"cien": 100, **{word: value * 100 for value, word in enumerate(_HUNDREDS, start=1)}}
_ROMAN_DIGITS = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10} | {
    "ix": 9, "v": 5, "iv": 4, "i": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArticleList:
    """Articles that one citation lists, the ranges among them, what is said of their parts, and where it ends.

    A list is closed by the conjunction before its last number. One that is not has lost its end, as happens where a
    page ended in print, and with it perhaps the name of its law. `parts` holds (article key, first position, position
    after the last) of what is said of each article's parts.
    """

    keys: tuple[str, ...]
    ranges: tuple[tuple[str, str], ...]
    detail: str
    end: int
    closed: bool = True
    parts: tuple[tuple[str, int, int], ...] = ()


def _cardinal_at(words: Words, i: int) -> tuple[int, int] | None:
    """Return the value of the cardinal in words at `i` ("ciento veintitrés") up to 2999, and the position after it."""
    k, total = i, 0
    if words.at(k) == "mil" or (words.at(k) == "dos" and words.at(k + 1) == "mil"):
        total, k = (1000, k + 1) if words.at(k) == "mil" else (2000, k + 2)
    if words.at(k) in _FULL_HUNDREDS:
        total, k = total + _FULL_HUNDREDS[words.at(k)], k + 1
    if words.at(k) in _FULL_TENS:
        total, k = total + _FULL_TENS[words.at(k)], k + 1
        if words.at(k) == "y" and _BELOW_THIRTY.get(words.at(k + 1), 10) < 10:
            total, k = total + _BELOW_THIRTY[words.at(k + 1)], k + 2
    elif words.at(k) in _BELOW_THIRTY:
        total, k = total + _BELOW_THIRTY[words.at(k)], k + 1
    return (total, k) if total else None


def article_number_at(words: Words, i: int, *, loose: bool) -> tuple[str, int] | None:
    """Return the article number at `i` in normal form and the position after it, None when there is none.

    When `loose`, also one that no article can bear ("artículo 0"), one in words ("artículo ciento veintitrés"), and
    one whose small letter stands apart ("artículo 4 a de la ley").
    """
    found = number_at(words, i)
    if not loose:
        return found
    word = words.at(i)
    if found is None:
        if word.isdigit() and word.isascii() and len(word) < 10:
            return str(int(word)), i + 1
        cardinal = _cardinal_at(words, i)
        return (str(cardinal[0]), cardinal[1]) if cardinal else None
    key, end = found
    letter = words.at(end)
    if key.isdigit() and len(letter) == 1 and "a" <= letter <= "z" and words.at(end + 1) in ("de", "del"):
        return f"{key}-{letter}", end + 1
    return found


def is_plain_year(word: str) -> bool:
    """Return whether a word is four digits that nearly always mean a year."""
    return len(word) == 4 and word.isdigit() and word[:2] in ("18", "19", "20")


def _ordinal_end(words: Words, i: int) -> int | None:
    if words.at(i) in _LOOSE_ORDINALS:
        return i + 1
    found = ordinal_at(words, i)
    return found[1] if found else None


def _value_end(words: Words, i: int, head: str, *, loose: bool = False) -> int | None:
    """Return the position after the one value at `i` that a head like `fracción` takes, or None."""
    word = words.at(i)
    if loose and head in _FRACTION_HEADS and word.isdigit() and len(word) < 4:
        return i + 1
    if head in _PARAGRAPH_HEADS:
        return i + 1 if word.isdigit() else _ordinal_end(words, i)
    if head in _FRACTION_HEADS:
        if not _ROMAN.match(word):
            return i + 1 if len(word) == 1 and words.capital(i) else _ordinal_end(words, i)
        suffix = words.at(i + 1)
        if suffix in ("bis", "ter", "quater", "quinquies"):
            return i + 3 if words.at(i + 2).isdigit() else i + 2
        lettered = suffix in ("-", "–") and words.glued(i + 1) and words.glued(i + 2) and len(words.at(i + 2)) == 1
        return i + 3 if lettered else i + 1
    if word.isdigit() and (head in _NUMERAL_HEADS or head in ("apartado", "apartados")):
        i += 1
        if words.glued(i) and words.at(i) in ("o", "a"):
            i = skip_ordinal_dot(words, i + 1)
        while words.at(i) == "." and words.glued(i) and words.glued(i + 1) and words.at(i + 1).isdigit():
            i += 2
        return i + 1 if words.at(i) == ")" else i
    if words.at(i) in ('"', "“", "'") and len(words.at(i + 1)) <= 2 and words.at(i + 2) in ('"', "”", "'"):
        return i + 3
    if len(word) <= 4 and word.isalpha() and words.at(i + 1) == ")" and words.glued(i + 1):
        return i + 2
    if (len(word) == 1 and word.isalpha()) or (head in _NUMERAL_HEADS and _ROMAN.match(word)):
        return i + 1
    return _ordinal_end(words, i) if head in _NUMERAL_HEADS else None


def _part_end(words: Words, i: int, *, loose: bool = False) -> int | None:
    """Return the position after the one part at `i` ("fracciones I a III", "segundo párrafo"), or None."""
    head = words.at(i)
    if head in PART_HEADS:
        end = _value_end(words, i + 1 + (words.at(i + 1) == "."), head, loose=loose)
        plural = head.endswith("s")
        for _ in range(_MOST_PARTS):
            if end is None:
                break
            k = end + (words.at(end) == ",")
            k += words.at(k) in CONJUNCTIONS or words.at(k) in RANGE_WORDS
            # "artículos 2, numeral 1, 147": after the singular the next number is an article again.
            if k == end or (not plural and words.at(k).isdigit()):
                break
            more = _value_end(words, k, head, loose=loose)
            if more is None or words.at(more) in _ORDINAL_HEADS:
                break
            end = more
        return end
    if head == "in" and words.at(i + 1) == "fine":
        return i + 2
    for _ in range(12):
        ordinal = _ordinal_end(words, i)
        if ordinal is None:
            return None
        if words.at(ordinal) in _ORDINAL_HEADS:
            return ordinal + 1
        i = ordinal + (words.at(ordinal) == ",")
        i += words.at(i) in CONJUNCTIONS or words.at(i) in RANGE_WORDS
    return None


def parts_end(words: Words, i: int, *, loose: bool = False) -> int:
    """Return the position after all parts named from `i` on, `i` when there are none.

    Parts that belong to another article ("artículo 7 y segundo párrafo del artículo 8") are left alone.
    """
    if len(words.at(i)) == 1 and words.is_word(i) and words.at(i + 1) == ")" and words.glued(i + 1):
        i += 2  # "artículo 228 a) de la Ley"
    for _ in range(_MOST_PARTS):
        k = i + (words.at(i) == ",")
        k += words.at(k) in CONJUNCTIONS
        bare_head = k
        if words.at(k) in ("en", "de", "del", "por", "con"):
            k += 1
        article = words.at(k) in ("su", "sus", "la", "el", "las", "los")
        if article and (k > bare_head or words.at(k + 1) in PART_HEADS):
            k += 1
        end = _part_end(words, k, loose=loose)
        if end is None:
            return i
        owner = end + 1 + (words.at(end + 1) == "los")
        if words.at(end) in ("de", "del") and words.at(owner) in ("articulo", "articulos"):
            return i
        i = end
    return i


def roman(number: int) -> str:
    """Return a number in capital Roman numerals."""
    out = ""
    for digits, value in _ROMAN_DIGITS.items():
        out += digits * (number // value)
        number %= value
    return out.upper()


def from_roman(word: str) -> int | None:
    """Return the value of a Roman numeral in small letters, None for one that is not well formed."""
    total, rest = 0, word
    for digits, value in _ROMAN_DIGITS.items():
        while rest.startswith(digits):
            total, rest = total + value, rest.removeprefix(digits)
    return total if total and not rest and roman(total).lower() == word else None


def _kind_of(head: str) -> str:
    if head in _FRACTION_HEADS:
        return "fraccion"
    if head.startswith("apartado"):
        return "apartado"
    if head in _LETTER_HEADS:
        return "inciso"
    return "parrafo" if head in _PARAGRAPH_HEADS else "numeral" if head in _NUMERAL_HEADS else ""


def _label(words: Words, first: int, end: int, kind: str) -> str:
    """Return the normal form of the value at `[first, end)`: "XL", "II-bis", "z", "D", "10", "ultimo"."""
    said = [words.at(k) for k in range(first, end) if words.at(k)[0].isalnum()]
    ordinal = ordinal_at(words, first)
    if ordinal and ordinal[1] == end:
        return roman(ordinal[0]) if kind == "fraccion" else str(ordinal[0])
    if kind == "fraccion" and said[0].isdigit():
        return roman(int(said[0]))
    if kind == "parrafo":
        said[0] = {"primer": "1", "tercer": "3", "primera": "1", "segunda": "2", "tercera": "3"}.get(said[0], said[0])
        return said[0].removesuffix("s")
    if kind == "numeral":
        return (
            ".".join(word.upper() if _ROMAN.match(word) else word for word in said if word not in ("o", "a")) or said[0]
        )
    return "-".join([said[0] if kind == "inciso" else said[0].upper(), *said[1:]])


def _labels_between(low: str, high: str, kind: str) -> list[str]:
    """Return the labels between the ends of a range of parts ("fracciones I a III"); none when they cannot be told."""
    if kind == "fraccion":
        one, two = from_roman(low.lower()), from_roman(high.lower())
        inner = range(one + 1, two) if one and two else range(0)
        return [roman(n) for n in inner] if len(inner) < _MOST_PARTS_OF_A_RANGE else []
    if low.isdigit() and high.isdigit():
        inner = range(int(low) + 1, int(high))
        return [str(n) for n in inner] if len(inner) < _MOST_PARTS_OF_A_RANGE else []
    return [chr(c) for c in range(ord(low) + 1, ord(high))] if len(low) == len(high) == 1 else []


def _values_at(words: Words, i: int, head: str, end: int) -> tuple[list[str], int]:
    """Return the labels of the values listed from `i` on after a head like `fracciones`, and the position after."""
    labels: list[str] = []
    ranged, after = False, i
    while after <= end and (value := _value_end(words, i, head, loose=True)) is not None and value <= end:
        if labels and words.at(value) in _ORDINAL_HEADS:
            break  # "fracción II y segundo párrafo"
        label = _label(words, i, value, _kind_of(head))
        labels += [*(_labels_between(labels[-1], label, _kind_of(head)) if ranged else ()), label]
        after = value
        i = value + (words.at(value) == ",")
        ranged = words.at(i) in RANGE_WORDS
        i += ranged or words.at(i) in CONJUNCTIONS
        if i == value:
            break
    return labels, after


def parts_in(words: Words, first: int, end: int) -> tuple[tuple[str, str], ...] | None:
    """Return (kind, label) of each part named in `[first, end)`, None when anything else is said there.

    Kinds are fraccion, inciso, apartado, parrafo and numeral.
    """
    out: list[tuple[str, str]] = []
    k = first
    while k < end:
        head = words.at(k)
        if head in PART_HEADS:
            labels, after = _values_at(words, k + 1 + (words.at(k + 1) == "."), head, end)
            if not labels:
                return None
            out += [(_kind_of(head), label) for label in labels]
            k = after
        elif len(head) == 1 and head.isalpha() and words.at(k + 1) == ")" and words.glued(k + 1):
            out.append(("inciso", head))
            k += 2
        elif (ordinal := _ordinal_end(words, k)) is not None:
            ordinals = [_label(words, k, ordinal, "parrafo")]
            k = ordinal
            while words.at(k) in (",", "y", "e", "o", "a", "al") and k < end:
                following = _ordinal_end(words, k + 1)
                if following is None:
                    break
                label = _label(words, k + 1, following, "parrafo")
                ordinals += [
                    *(_labels_between(ordinals[-1], label, "parrafo") if words.at(k) in ("a", "al") else ()),
                    label,
                ]
                k = following
            if words.at(k) not in _ORDINAL_HEADS:
                return None
            kind = _kind_of(words.at(k))
            out += [(kind, label) for label in ordinals if kind]
            k += 1
        elif head == "in" and words.at(k + 1) == "fine":
            k += 2
        elif head in _MARKS_OF_PARTS and k > first:
            k += 1
        else:
            return None
    return tuple(out)


def parts_before(words: Words, i: int, lowest: int) -> tuple[int, int] | None:
    """Return where the parts stand that are said before the article at `i`, from `lowest` on: "fracción VII del …"."""
    end = i - 1 - (words.at(i - 1) in ("el", "los"))
    if words.at(end) not in ("de", "del"):
        return None
    starts = [s for s in range(max(lowest, end - _MOST_PARTS), end) if parts_in(words, s, end)]
    return (starts[0], end) if starts else None


def _separator(words: Words, i: int) -> tuple[int, bool]:
    """Return the position after what separates two listed articles at `i`, and whether it makes a range."""
    k = i + (words.at(i) in (",", ";"))
    ranged = words.at(k) in RANGE_WORDS
    if ranged or words.at(k) in CONJUNCTIONS:
        k += 1
        if words.at(k) == "/" and words.at(k + 1) in CONJUNCTIONS:
            k += 2
        ranged = ranged or words.at(k) in RANGE_WORDS
        k += words.at(k) in ("el", "los", "del", "al", "hasta")
    elif words.at(k) == "asi" and words.at(k + 1) == "como":
        k += 2
        k += words.at(k) in ("el", "los", "del")
    return k, ranged


def counts_something(words: Words, i: int) -> bool:
    """Return whether the number that ends at `i` is an amount, a date or the mark of an item, and no article."""
    following = words.at(i + 1) if words.at(i) == "de" else words.at(i)
    if following in _MEASURES or following in ("parrafo", "parrafos", ")"):
        return True
    return words.at(i) in ("-", "/", ".", ",") and words.glued(i) and words.glued(i + 1) and words.at(i + 1).isdigit()


def _first_of_range(key: str) -> tuple[str, str] | None:
    """Return the ends of a range written as one number: "74-76"."""
    low, _, high = key.partition("-")
    return (low, high) if low.isdigit() and high.isdigit() and int(low) < int(high) else None


def _decimal_at(words: Words, i: int) -> bool:
    """Return whether a comma or slash at `i` stands between two numbers without a blank: "74,75"."""
    return words.at(i) in (",", "/") and words.glued(i) and words.glued(i + 1) and words.at(i + 1).isdigit()


def _hyphen_makes_range(words: Words, i: int) -> bool:
    """Return whether a hyphen at `i` stands between two plain numbers: "100-110", "74 - 76"."""
    return words.at(i) in ("-", "–", "—") and words.at(i - 1).isdigit() and words.at(i + 1).isdigit()


def articles_at(
    words: Words, i: int, most: int = 5000, *, loose: bool = False, plural: bool = False
) -> ArticleList | None:
    """Return the list of at most `most` articles whose first number stands at `i`, or None when none does.

    When `loose` and `plural` ("artículos 74-76"), a hyphen between two plain numbers makes a range of them.
    """
    first = article_number_at(words, i, loose=loose)
    if first is None:
        return None
    worded = not words.at(i).isdigit()
    hyphens = loose and plural
    keys: list[str] = []
    ranges: list[tuple[str, str]] = []
    details: list[str] = []
    places: list[tuple[str, int, int]] = []

    def listed(key: str) -> None:
        ends = _first_of_range(key) if hyphens else None
        if ends:
            ranges.append(ends)
        keys.extend(ends or (key,))

    listed(first[0])
    end = first[1]
    # "artículo 8.1 de la Convención": the first paragraph of article 8.
    if words.at(end) == "." and words.glued(end) and words.glued(end + 1) and words.at(end + 1).isdigit():
        if len(words.at(end + 1)) > 1:
            return None  # "artículos 3605.00": a tariff item
        details.append(words.at(end + 1))
        end += 2
    elif _decimal_at(words, end) and not (hyphens or (loose and words.at(end) == "/")):
        return None
    closed = True
    while len(keys) < most:
        after = skip_ordinal_dot(words, end)
        parts = parts_end(words, after, loose=loose)
        if parts > after:
            details.append(words.text[words.starts[after] : words.ends[parts - 1]].strip(" ,."))
            places.append((keys[-1], after, parts))
            end = after = parts
        hyphened = hyphens and _hyphen_makes_range(words, after)
        split = (hyphens or (loose and words.at(after) == "/")) and _decimal_at(words, after)
        k, ranged = (after + 1, hyphened) if hyphened or split else _separator(words, after)
        if k == after or (words.at(k).isdigit() is False and not worded):
            break
        found = article_number_at(words, k, loose=loose)
        joined = hyphens and (_hyphen_makes_range(words, found[1]) or _decimal_at(words, found[1])) if found else False
        if found is None or (counts_something(words, found[1]) and not joined):
            break
        closed = words.at(k - 1) != ","
        if ranged:
            ranges.append((keys[-1], found[0]))
        listed(found[0])
        end = found[1]
    closed = closed or (words.at(end) in CONJUNCTIONS and words.at(end + 1) in ("demas", "relativos"))
    detail = "; ".join(filter(None, details))
    return ArticleList(tuple(dict.fromkeys(keys)), tuple(ranges), detail, end, closed, tuple(places))
