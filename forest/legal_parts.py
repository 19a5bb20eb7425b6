"""Parts of articles and lists of articles, as citations write them.

Owns what follows the word `artículo` up to the name of the instrument: numbers, lists, ranges, and the fractions,
paragraphs and letters that say which part is meant. The instrument itself, and the citation as a whole, are
`forest.legal`.
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
# A number before one of these counts something and is no article: "artículo 5, 30 días después".
_MEASURES = frozenset(
    "dia dias mes meses ano anos hora horas minutos por veces pesos salarios unidades centavos kilometros metros "
    "toneladas trabajadores personas puntos enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre % mil millones".split()
)


@dataclass(frozen=True, slots=True)
class ArticleList:
    """Articles that one citation lists, the ranges among them, what is said of their parts, and where it ends.

    A list is closed by the conjunction before its last number. One that is not has lost its end, as happens where a
    page ended in print, and with it perhaps the name of its law.
    """

    keys: tuple[str, ...]
    ranges: tuple[tuple[str, str], ...]
    detail: str
    end: int
    closed: bool = True


def _ordinal_end(words: Words, i: int) -> int | None:
    if words.at(i) in _LOOSE_ORDINALS:
        return i + 1
    found = ordinal_at(words, i)
    return found[1] if found else None


def _value_end(words: Words, i: int, head: str) -> int | None:
    """Return the position after the one value at `i` that a head like `fracción` takes, or None."""
    word = words.at(i)
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


def _part_end(words: Words, i: int) -> int | None:
    """Return the position after the one part at `i` ("fracciones I a III", "segundo párrafo"), or None."""
    head = words.at(i)
    if head in PART_HEADS:
        end = _value_end(words, i + 1 + (words.at(i + 1) == "."), head)
        plural = head.endswith("s")
        for _ in range(_MOST_PARTS):
            if end is None:
                break
            k = end + (words.at(end) == ",")
            k += words.at(k) in CONJUNCTIONS or words.at(k) in RANGE_WORDS
            # "artículos 2, numeral 1, 147": after the singular the next number is an article again.
            if k == end or (not plural and words.at(k).isdigit()):
                break
            more = _value_end(words, k, head)
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


def parts_end(words: Words, i: int) -> int:
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
        end = _part_end(words, k)
        if end is None:
            return i
        owner = end + 1 + (words.at(end + 1) == "los")
        if words.at(end) in ("de", "del") and words.at(owner) in ("articulo", "articulos"):
            return i
        i = end
    return i


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


def _counts_something(words: Words, i: int) -> bool:
    """Return whether the number that ends at `i` is an amount, a date or the mark of an item, and no article."""
    following = words.at(i + 1) if words.at(i) == "de" else words.at(i)
    if following in _MEASURES or following in ("parrafo", "parrafos", ")"):
        return True
    return words.at(i) in ("-", "/", ".", ",") and words.glued(i) and words.glued(i + 1) and words.at(i + 1).isdigit()


def articles_at(words: Words, i: int, most: int = 5000) -> ArticleList | None:
    """Return the list of at most `most` articles whose first number stands at `i`, or None when none does."""
    first = number_at(words, i)
    if first is None:
        return None
    worded = not words.at(i).isdigit()
    keys, ranges, details = [first[0]], [], []
    end = first[1]
    # "artículo 8.1 de la Convención": the first paragraph of article 8.
    if words.at(end) == "." and words.glued(end) and words.glued(end + 1) and words.at(end + 1).isdigit():
        if len(words.at(end + 1)) > 1:
            return None  # "artículos 3605.00": a tariff item
        details.append(words.at(end + 1))
        end += 2
    elif words.at(end) in (",", "/") and words.glued(end) and words.glued(end + 1) and words.at(end + 1).isdigit():
        return None
    closed = True
    while len(keys) < most:
        after = skip_ordinal_dot(words, end)
        parts = parts_end(words, after)
        if parts > after:
            details.append(words.text[words.starts[after] : words.ends[parts - 1]].strip(" ,."))
            end = after = parts
        k, ranged = _separator(words, after)
        if k == after or (words.at(k).isdigit() is False and not worded):
            break
        found = number_at(words, k)
        if found is None or _counts_something(words, found[1]):
            break
        closed = words.at(k - 1) != ","
        if ranged:
            ranges.append((keys[-1], found[0]))
        keys.append(found[0])
        end = found[1]
    closed = closed or (words.at(end) in CONJUNCTIONS and words.at(end + 1) in ("demas", "relativos"))
    return ArticleList(tuple(dict.fromkeys(keys)), tuple(ranges), "; ".join(filter(None, details)), end, closed)
