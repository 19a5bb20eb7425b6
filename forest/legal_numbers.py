"""Words of a Spanish legal text, and the numbers that its articles carry.

Owns folding (so that accents, case and punctuation do not tell two names apart), the splitting of a text into words
that remember where they stand, and the normal form of an article's number. Names of instruments are
`forest.legal_names`; whole citations are `forest.legal`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"\d+|[^\W\d_][a-zA-ZÀ-ɏ\u0300-\u036fºª]*|[^\w\s]|_|\w")
_FOLDED_WORD = re.compile(r"[^\W_]+")

_UNITS = ("primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "septimo", "octavo", "noveno")
_TENS = (
    "decimo", "vigesimo", "trigesimo", "cuadragesimo", "quincuagesimo", "sexagesimo", "septuagesimo",
    "octogesimo", "nonagesimo",
)  # fmt: skip
_HUNDREDS = {"centesimo": 100, "ducentesimo": 200, "tricentesimo": 300}
_SUFFIX_WORDS = frozenset(
    (
        "bis ter quater cuater quates quinquies quinquis quinties quintus quintis quintum sexies sexties sextus sextis "
        "septies septimus septimis octies octavus octavis nonies novies nonus nonis novenus novenis decies undecies "
        "duodecies terdecies tercies quaterdecies quindecies quinquiesdecies sexdecies sexiesdecies septdecies "
        "septiesdecies octodecies octiesdecies novodecies noniesdecies"
    ).split()
)
_ORDINAL_MARKS = frozenset(("o", "er", "ro", "do", "to", "vo", "mo", "no"))
_DIGRAPHS = frozenset(("ll", "rr", "ch"))
# Folding makes one letter of N and Ñ, and laws number articles with both (29-N, 29-Ñ): the key spells Ñ out.
_ENYE = "enie"
_HYPHENS = frozenset("-–‑")
# A lone capital that is also a Spanish word is a suffix only where a hyphen says so: "ARTÍCULOS 5 Y 6".
_LETTERS_THAT_ARE_WORDS = frozenset("eouy")


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("°", "º"))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def fold(text: str) -> str:
    """Return `text` with nothing left but its words, so that two ways of writing one name are equal.

    Args:
        text: Any text. Case, accents, punctuation and the kind or number of blanks are forgotten; `º` and `°` count
            as the letter `o`.

    Returns:
        Casefolded words of letters and digits with single spaces between, or "" when `text` has none.
    """
    return " ".join(_FOLDED_WORD.findall(_plain(text)))


@lru_cache(maxsize=1 << 16)
def _fold_token(token: str) -> str:
    return _plain(token)


@dataclass(frozen=True, slots=True)
class Words:
    """A text as words, numbers and single marks, each with its place; positions outside read as nothing."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    folded: tuple[str, ...]

    def at(self, i: int) -> str:
        """Return the folded word or the mark at position `i`, "" outside the text."""
        return self.folded[i] if 0 <= i < len(self.folded) else ""

    def raw(self, i: int) -> str:
        """Return what stands at position `i` as written, "" outside the text."""
        return self.text[self.starts[i] : self.ends[i]] if 0 <= i < len(self.folded) else ""

    def glued(self, i: int) -> bool:
        """Return whether nothing, not even a blank, separates position `i` from the one before."""
        return 0 < i < len(self.folded) and self.starts[i] == self.ends[i - 1]

    def is_word(self, i: int) -> bool:
        """Return whether a word of letters stands at `i` (and not a number or a mark)."""
        return self.at(i)[:1].isalpha()

    def capital(self, i: int) -> bool:
        """Return whether a word that begins with a capital letter stands at `i`."""
        return self.raw(i)[:1].isupper()


def split_words(text: str) -> Words:
    """Return `text` as `Words`; every mark that is no letter, digit or blank is a word of its own."""
    starts: list[int] = []
    ends: list[int] = []
    folded: list[str] = []
    for match in _TOKEN.finditer(text):
        token = _fold_token(match.group())
        if token:  # an accent that stands on no letter folds to nothing
            starts.append(match.start())
            ends.append(match.end())
            folded.append(token)
    return Words(text, tuple(starts), tuple(ends), tuple(folded))


def _ordinal_words() -> dict[str, tuple[int, int, int]]:
    """Return each ordinal written as one word: its value, and the highest and lowest power of ten it fills."""
    table = {word: (value, 0, 0) for value, word in enumerate(_UNITS, start=1)}
    table |= {"nono": (9, 0, 0), "setimo": (7, 0, 0), "undecimo": (11, 1, 0), "duodecimo": (12, 1, 0)}
    table |= {word: (value, 2, 2) for word, value in _HUNDREDS.items()}
    for tens, stem in enumerate(_TENS, start=1):
        table[stem] = (tens * 10, 1, 1)
        for unit, word in enumerate(_UNITS, start=1):
            # decimoctavo, vigesimoctavo: the two vowels are written as one.
            for joined in {stem + word, stem.removesuffix("o") + word if word == "octavo" else stem + word}:
                table[joined] = (tens * 10 + unit, 1, 0)
    return table


_ORDINALS = _ordinal_words()


def ordinal_at(words: Words, i: int) -> tuple[int, int] | None:
    """Return the value of the ordinal in words at `i` ("décimo segundo" is 12) and the position after it."""
    total, low = 0, 3
    while (found := _ORDINALS.get(words.at(i))) and found[1] < low:
        total += found[0]
        low = found[2]
        i += 1
    return (total, i) if total else None


def _letter_suffix(words: Words, i: int) -> str:
    raw, folded = words.raw(i), words.at(i)
    if raw.casefold() in ("ñ", "n\u0303") or folded == _ENYE:
        return _ENYE
    return folded if (len(folded) == 1 and folded.isalpha() and folded.isascii()) or folded in _DIGRAPHS else ""


def _spaced_letter_is_suffix(words: Words, i: int) -> bool:
    """Return whether the lone capital at `i`, a blank after the number, belongs to it: "artículo 15 B de"."""
    raw = words.raw(i)
    if len(raw) != 1 or not raw.isupper() or words.at(i) in _LETTERS_THAT_ARE_WORDS:
        return False
    following = words.at(i + 1)
    if following in (")", ".-") or (words.glued(i + 1) and following not in (",", ";", ".", ":")):
        return False
    # "ARTÍCULO 14 A LA LEY", "ARTÍCULOS 20 A 25": here the A is a preposition.
    return words.at(i) != "a" or not (following.isdigit() or following in ("la", "las", "lo", "los", "el", "que"))


def _suffix_at(words: Words, i: int, after: str) -> tuple[str, int] | None:
    """Return one suffix of an article's number at `i` and the position after it; `after` is what came before."""
    j = i
    while words.at(j) in (".", "-", "–") and words.glued(j) and j < i + 2:
        j += 1
    if words.at(j) in _SUFFIX_WORDS:
        return words.at(j), j + 1
    dotted = i + 1 if words.at(i) == "." and words.glued(i) else i
    if words.at(dotted) in _HYPHENS and words.glued(dotted) and words.glued(dotted + 1):
        part = dotted + 1
        if words.at(part).isdigit() and dotted == i:
            once_more = words.at(part + 1) in _HYPHENS and words.glued(part + 1)
            short = len(words.at(part)) <= 2 and not once_more
            return (str(int(words.at(part))), part + 1) if short else None
        letter = _letter_suffix(words, part)
        return (letter, part + 1) if letter and not _word_goes_on(words, part + 1) else None
    if words.at(i).isdigit() and after in _SUFFIX_WORDS and len(words.at(i)) <= 2:
        decimal = words.at(i + 1) in (".", ",") and words.glued(i + 1) and words.at(i + 2).isdigit()
        return None if decimal and words.glued(i + 2) else (str(int(words.at(i))), i + 1)
    letter = _letter_suffix(words, i)
    if letter and words.glued(i) and not _word_goes_on(words, i + 1) and len(words.at(i)) == 1:
        return letter, i + 1
    if letter and not after.isalpha() | (len(after) == 1) and _spaced_letter_is_suffix(words, i):
        return letter, i + 1
    if letter and after in _SUFFIX_WORDS and _spaced_letter_is_suffix(words, i):
        return letter, i + 1
    return None


def _word_goes_on(words: Words, i: int) -> bool:
    return words.glued(i) and words.is_word(i)


def number_at(words: Words, i: int) -> tuple[str, int] | None:
    """Return the article number that begins at position `i`, in normal form, and the position after it.

    Args:
        words: The text.
        i: Where the number should begin: digits, an ordinal in words, or `único`.

    Returns:
        `("15-a", position)`, or None when no article number begins there.
    """
    first = words.at(i)
    if first.isdigit():
        if not first.isascii() or len(first) > 5 or int(first) == 0:
            return None
        parts, i = [str(int(first))], i + 1
        if words.glued(i) and (words.at(i) in _ORDINAL_MARKS or words.raw(i) == "ª"):
            i += 1
        elif words.at(i) == "." and words.at(i + 1) == "o" and words.glued(i) and words.glued(i + 1):
            i += 2
    elif first == "unico":
        return "unico", i + 1
    elif (ordinal := ordinal_at(words, i)) is not None:
        parts, i = [str(ordinal[0])], ordinal[1]
    else:
        return None
    for _ in range(3):
        suffix = _suffix_at(words, i, parts[-1])
        if suffix is None:
            break
        parts.append(suffix[0])
        i = suffix[1]
    return "-".join(parts), i


def skip_ordinal_dot(words: Words, i: int) -> int:
    """Return the position after the full stop of an abbreviated ordinal that ends at `i` ("5o."), or `i`."""
    marked = words.at(i - 1) in _ORDINAL_MARKS and words.glued(i - 1)
    return i + 1 if marked and words.at(i) == "." and words.glued(i) else i


def article_key(label: str) -> str | None:
    """Return the normal form of an article's number, the part of its id after `art-`.

    `1o.`, `1º`, `1` and `primero` are all "1"; `3o. Bis` is "3-bis", `15 A` "15-a", `27-Z-2` "27-z-2",
    `Décimo Segundo` "12", `ÚNICO` "unico", `29-Ñ` "29-enie".

    Args:
        label: The number as a heading or a citation writes it, with or without the word `artículo` before it.

    Returns:
        A key made of `[a-z0-9-]`, equal for all ways of writing one number and its own normal form; None when the
        label is not exactly one article number.
    """
    words = split_words(label)
    i = 0
    if words.at(0) in ("articulo", "art"):
        i = 2 if words.at(1) == "." else 1
    found = number_at(words, i)
    if found is None:
        return None
    key, i = found
    while words.at(i) in (".", "-", "–", "—", ":", ")"):
        i += 1
    if i != len(words.folded):
        return None
    # What is not its own normal form (`1–0A`) is no number that an article bears.
    return key if key == label or article_key(key) == key else None
