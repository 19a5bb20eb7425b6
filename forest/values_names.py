"""Legal identifiers as values: codes of norms, articles and their parts, file numbers, in one normal form.

Owns what an identifier is, where it ends, and the normal form by which two spellings of it are equal. It knows no
register: "LFT" and "Ley Federal del Trabajo" are two names here; which instruments exist, and what citations mean, is
`forest.legal`.
"""

from __future__ import annotations

from forest.legal_names import is_abbreviation, unknown_end
from forest.legal_numbers import Words, fold, number_at, skip_ordinal_dot
from forest.values_ordinals import ordinal_number_at, roman

_DASHES = frozenset(("-", "–", "‑", "—", "−", "‐", "‒"))
_NORMS = frozenset(("nom", "nmx", "proy"))
_MOST_PARTS = 10
_LONGEST_PIECE = 14
_LONGEST_CODE = 40
# Words before the label of a cited part, and how its normal form spells them.
HEADS = {
    "libro": "libro", "titulo": "titulo", "capitulo": "capitulo", "seccion": "seccion", "articulo": "articulo",
    "art": "articulo", "arts": "articulo", "articulos": "articulo", "apartado": "apartado", "fraccion": "fraccion",
    "frac": "fraccion", "fracc": "fraccion", "inciso": "inciso", "numeral": "numeral", "parrafo": "parrafo",
    "apartados": "apartado", "fracciones": "fraccion", "incisos": "inciso", "numerales": "numeral",
    "parrafos": "parrafo", "transitorio": "transitorio", "anexo": "anexo",
}  # fmt: skip
_ORDER = tuple(dict.fromkeys(HEADS.values()))
# Words that a norm's code or a cited part can begin with, besides ordinals.
IDENTIFIER_STARTS = _NORMS | frozenset(HEADS)
_AFTER_ORDINAL = frozenset(("parrafo", "transitorio"))
_LIST_MARKS = frozenset((",", ";", "y", "e", "o", "u", "a", "al", "ni"))
_WIDEST_GAP = 2
_SUFFIXES = frozenset("bis ter quater quinquies sexies".split())
_OWNERS = frozenset("ley codigo reglamento constitucion norma lineamientos estatuto acuerdo decreto".split())


def identifier_at(words: Words, masculine: Words, i: int) -> tuple[str, int] | None:
    """Return the identifier that begins at position `i`, in normal form, and the position after it.

    Args:
        words: the text.
        masculine: the same text from `forest.values_ordinals.ordinal_words`.
        i: where it should begin.

    Returns:
        `nom-001-semarnat-2021` for a norm; `articulo 76 fraccion 2 lft` for a cited part, the parts from the widest to
        the narrowest and then the instrument as named; `se-dgn-123-2024` for any other code of letters and digits.
    """
    if words.at(i) in _NORMS and not (words.glued(i) and words.at(i - 1)[:1].isalnum()):
        return _norm_at(words, i)
    return _parts_at(words, masculine, i) or _code_at(words, i)


def _piece(words: Words, i: int) -> tuple[str, int]:
    """Return the letters and digits that stand together at `i`, joined, and the position after them."""
    text, j = "", i
    while (words.glued(j) or j == i) and j < i + _MOST_PARTS:
        joint = words.at(j) in ("/", "&") and words.glued(j + 1) and words.at(j + 1)[:1].isalnum() and text
        if not words.at(j)[:1].isalnum() and not joint:
            break
        text, j = text + words.at(j), j + 1
    return text, j


def _norm_at(words: Words, i: int) -> tuple[str, int] | None:
    parts, j = [words.at(i)], i + 1
    while len(parts) < _MOST_PARTS:
        k = j + (words.at(j) in _DASHES)
        piece, end = _piece(words, k)
        if not piece or len(piece) > _LONGEST_PIECE or not _norm_goes_on(words, j, k, parts, piece):
            break
        numbered = any(p[0].isdigit() for p in parts)
        parts, j = [*parts, piece], end
        if numbered and len(piece) == 4 and piece.isdigit():
            break
    return ("-".join(parts), j) if any(part[0].isdigit() for part in parts) else None


def _norm_goes_on(words: Words, j: int, k: int, parts: list[str], piece: str) -> bool:
    """Return whether a norm's code that has `parts` up to `j` goes on with `piece` at `k`."""
    figures, capitals = piece.isdigit() and len(piece) <= 4, words.raw(k).isupper() and len(piece) > 1
    if k > j:  # after a dash; one with blanks around it is a dash of the sentence, unless a code goes on behind it
        return words.glued(j) or words.glued(k) or figures or capitals
    numbered = any(part[0].isdigit() for part in parts)
    dated = piece.isalpha() and len(words.at(k + 1)) == 4 and words.at(k + 1).isdigit()  # "nom 035 stps 2018"
    return figures or (numbered and (capitals or dated))


def _label_at(words: Words, masculine: Words, i: int, head: str) -> tuple[str, int] | None:
    """Return the label after a head like `fracción` in normal form ("XXV" is 25) and the position after it."""
    if head == "articulo":
        return number_at(words, i)
    quotes = words.at(i) in ('"', "“", "«", "'")
    j = i + quotes
    value = roman(words.raw(j)) if head != "inciso" else None
    if value is not None and head != "apartado":
        suffix = words.at(j + 1) if words.at(j + 1) in _SUFFIXES else ""
        return (f"{value}-{suffix}", j + 2) if suffix else (str(value), j + 1)
    if words.at(j)[:1].isdigit() and words.at(j).isascii():
        label, j = str(int(words.at(j)[:9])), j + 1
        for _ in range(_MOST_PARTS):
            if not (words.at(j) in (".", "-") and words.glued(j) and words.glued(j + 1) and words.at(j + 1).isdigit()):
                break
            label, j = f"{label}.{int(words.at(j + 1)[:9])}", j + 2
        return label, j
    ordinal = ordinal_number_at(words, masculine, j)
    if ordinal is not None and head != "inciso":
        return str(ordinal[0]), ordinal[1]
    if words.at(j) in ("unico", "unica"):
        return "unico", j + 1
    if len(words.at(j)) == 1 and words.is_word(j):
        end = j + 1
        end += words.at(end) in ('"', "”", "»", "'") and bool(quotes)
        end += words.at(end) == ")" and words.glued(end)
        return words.at(j), end
    return None


def _parts_at(words: Words, masculine: Words, i: int) -> tuple[str, int] | None:
    found: dict[str, str] = {}
    j = end = i
    while len(found) < _MOST_PARTS:
        head = HEADS.get(words.at(j))
        if head is not None:
            j += 1 + (words.at(j + 1) == "." and words.glued(j + 1))
            label = _label_at(words, masculine, j, head)
        else:
            label = ordinal_number_text(words, masculine, j)
            head = HEADS.get(words.at(label[1])) if label else None
            if label is None or head not in _AFTER_ORDINAL:
                break
            label = (label[0], label[1] + 1)
        if label is None or head in found:
            break
        found[head] = label[0]
        j = end = skip_ordinal_dot(words, label[1])
        while words.at(j) in (",", "de", "del", "la", "el", "y", "su") and j < end + 4:
            j += 1
    if not found:
        return None
    said = " ".join(f"{head} {found[head]}" for head in _ORDER if head in found)
    owner = _owner_at(words, end)
    return (f"{said} {owner[0]}", owner[1]) if owner else (said, end)


def list_member_at(words: Words, i: int, cited: str, end: int) -> tuple[str, int] | None:
    """Return what goes on at `i` in the list of articles or fractions that `cited` begins: "artículos 76, 78 y 80".

    Args:
        words: the text.
        i: where a number stands.
        cited: the identifier before, in normal form.
        end: the position after it; only marks and `y`, `o`, `a` may stand between.
    """
    marked = 0 < i - end <= _WIDEST_GAP and all(words.at(k) in _LIST_MARKS for k in range(end, i))
    if not marked or words.glued(i):
        return None
    if words.at(i)[:1].isdigit() and cited.startswith("articulo "):
        number = number_at(words, i)
        if number is None or (words.glued(number[1]) and words.at(number[1])[:1].isalnum()):
            return None
        owner = _owner_at(words, number[1])
        return (f"articulo {number[0]} {owner[0]}", owner[1]) if owner else (f"articulo {number[0]}", number[1])
    value = roman(words.raw(i)) if "fraccion " in cited else None
    return (f"fraccion {value}", i + 1) if value else None


def ordinal_number_text(words: Words, masculine: Words, i: int) -> tuple[str, int] | None:
    """Return the ordinal at `i` as digits and the position after it."""
    found = ordinal_number_at(words, masculine, i)
    return (str(found[0]), found[1]) if found else None


def _owner_at(words: Words, i: int) -> tuple[str, int] | None:
    """Return the instrument named right after a cited part, folded, and the position after its name."""
    j = i
    while words.at(j) in (",", "de", "del", "la", "el", "los") and j < i + 4:
        j += 1
    linked = any(words.at(k) in ("de", "del") for k in range(i, j))
    if words.at(j) in _NORMS:
        return _norm_at(words, j)
    if is_abbreviation(words, j) and (linked or j == i) and roman(words.raw(j)) is None:
        return words.at(j), j + 1
    if linked and words.at(j) in _OWNERS:
        end, clear = unknown_end(words, j)
        if clear or words.at(j) == "constitucion":
            return without_articles(words.text[words.starts[j] : words.ends[end - 1]]), end
    return None


def _code_at(words: Words, i: int) -> tuple[str, int] | None:
    """Return a code of letters and digits that marks join without blanks: "ACDO.SA2.HCT.300322/90.P.DIR"."""
    if words.glued(i) and (words.at(i - 1)[:1].isalnum() or words.at(i - 1) in ("/", ".", "-", "_", "@")):
        return None
    joints, j, capitals, digits = 0, i, False, False
    while (j == i or words.glued(j)) and j < i + _LONGEST_CODE:
        token = words.at(j)
        if token[:1].isalnum():
            capitals = capitals or words.raw(j).isupper()
            digits = digits or token.isdigit()
        elif token in _DASHES or token in ("/", ".", "_"):
            if not (words.glued(j + 1) and words.at(j + 1)[:1].isalnum()):
                break
            joints += 1
        else:
            break
        j += 1
    if not joints or not capitals or not digits or not words.at(j - 1)[:1].isalnum():
        return None
    return "-".join(fold(words.text[words.starts[i] : words.ends[j - 1]]).split()), j


_ARTICLES = frozenset(("el", "la", "los", "las"))
_CONTRACTED = {"del": "de", "al": "a"}


def without_articles(text: str) -> str:
    """Return the words of a name, folded, without articles: "la Secretaría del Trabajo" is `secretaria de trabajo`."""
    return " ".join(_CONTRACTED.get(word, word) for word in fold(text).split() if word not in _ARTICLES)
