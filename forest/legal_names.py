"""Names of Mexican instruments (laws, codes, regulations, norms) as texts write them.

Owns the register protocol, the short forms that a title safely has, and the rule that says where a name in a text
begins and ends. It never guesses: a name that goes on beyond a registered one is another name. A person types names
in small letters and leaves words out; where such a name ends, and what it may stand for, is read here too. Which
article is cited, and of what, is `forest.legal`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from forest.legal_numbers import Words, fold

CONSTITUTION = "constitucion politica de los estados unidos mexicanos"

# Nouns that begin the name of an instrument whose articles can be cited.
NOUNS = frozenset(
    (
        "ley codigo reglamento constitucion estatuto decreto acuerdo convenio convencion tratado norma "
        "lineamientos reglas ordenanza presupuesto resolucion circular leyes codigos reglamentos "
        "estatutos tarifa protocolo pacto manual bando proyecto impuesto nom nmx"
    ).split()
)
# Those that are an instrument's own name for itself: "esta Ley". A decree only carries one, so "este Decreto" is not.
SELF_NOUNS = frozenset(
    ("ley codigo reglamento constitucion estatuto ordenamiento norma ordenanza lineamientos reglas").split()
)
# Those that name an instrument by themselves, in a sentence that cites no article.
NAMING_NOUNS = frozenset(("ley", "codigo", "reglamento", "constitucion", "estatuto"))

_LONGEST_NAME_WORDS = 48
_LINKS = frozenset(["de", "del", "la", "las", "lo", "los", "el", "y", "e", "para", "en", "sobre", "contra", "que"])
LINKS_OF_UNKNOWN = _LINKS | {"a", "al", "con", "un", "una"}
QUALIFIERS = frozenset(
    (
        "federal general organica organico nacional reglamentaria estatal local civil penal fiscal "
        "mercantil familiar interior interno electoral monetaria aduanera agraria minera militar"
    ).split()
)
# Capitalised words that may stand right after a complete name without being part of it.
NOT_OF_A_NAME = frozenset(
    (
        "articulo articulos art titulo capitulo seccion libro publicado publicada publicados publicadas "
        "dof nueva nuevo parrafo parrafos fraccion fracciones inciso incisos apartado transitorio "
        "transitorios numeral fe texto unico primero segundo tercero cuarto quinto sexto septimo octavo "
        "noveno decimo se en el la los las para cuando no si este esta asimismo ademas por con al del lo "
        "las dicha dicho reforma reformado reformada adicionado adicionada derogado derogada vigente "
        "numero tambien salvo toda todo sin ser son que como"
    ).split()
)
TERRITORIES = frozenset(
    ("estado estados entidad entidades municipio municipios ciudad distrito jalisco mexico departamento").split()
)
# Words after a name which say that another law of the same name is meant.
BYGONE = frozenset(["abrogado", "abrogada", "abrogados", "abrogadas", "anterior"])
_ADJECTIVE_ENDING = re.compile(r"(?:al|il|ari[oa]|ic[oa]|iv[oa]|ori[oa])(?:e?s)?\Z")
_ROMAN = re.compile(r"[IVXLCDM]{1,8}\Z")
_NORM = re.compile(
    r"\b(?:PROY-)?(?:NOM|NMX)(?:[ ]\d{1,4}[ ][A-Z]{2,10}(?:[ ]\d{4})?"
    r"|(?:[-–][A-Z]{1,3})?[-– ]\d{1,4}(?:/\d{1,2})?(?:[-–][A-Z0-9/]{1,12}){0,4})\b",
    re.IGNORECASE,
)


class Register(Protocol):
    """What names instruments have, and which articles; a catalog answers it with one query for many names."""

    def names(self, folded: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Return, for those of the folded names or abbreviations that are known, the ids of who bears them."""
        ...

    def has_article(self, instrument_id: str, key: str) -> bool:
        """Return whether that instrument has an article of that key (see `article_key`)."""
        ...


@runtime_checkable
class BeginningsRegister(Register, Protocol):
    """A register that can also be asked for names of which only the beginning is known."""

    def names_beginning(self, folded: str, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return the folded names that are `folded` or go on after it with a blank, and the ids of who bears them.

        At most `limit` names, the first in the order of their characters: as many as `limit` means that there may be
        more. "ley de aguas" begins "ley de aguas nacionales", and not "ley de aguaspotables".
        """
        ...


class NameRegister:
    """A register in memory."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._sorted: tuple[str, ...] = ()
        self._articles: dict[str, frozenset[str]] = {}

    def add(self, instrument_id: str, names: Iterable[str], article_keys: Iterable[str] = ()) -> None:
        """Say that an instrument bears `names` (titles, short forms, abbreviations) and has these articles.

        A name that several instruments bear is kept for all of them: it is ambiguous.
        """
        for name in filter(None, map(fold, names)):
            self._names[name] = tuple(sorted({*self._names.get(name, ()), instrument_id}))
        self._sorted = ()
        self._articles[instrument_id] = self._articles.get(instrument_id, frozenset()) | frozenset(article_keys)

    def names(self, folded: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the ids that bear each known one of the folded names, in order of id."""
        return {name: self._names[name] for name in folded if name in self._names}

    def names_beginning(self, folded: str, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return the first `limit` names, in order, that are `folded` or go on after it with a blank."""
        self._sorted = self._sorted or tuple(sorted(self._names))
        found = [folded] if folded in self._names else []
        first, end = bisect_left(self._sorted, f"{folded} "), bisect_left(self._sorted, f"{folded}!")
        return {name: self._names[name] for name in [*found, *self._sorted[first:end]][:limit]}

    def has_article(self, instrument_id: str, key: str) -> bool:
        """Return whether the instrument was added with that article; False for an unknown instrument."""
        return key in self._articles.get(instrument_id, frozenset())


_FORMER = re.compile(r"\(\s{0,3}antes\b([^()]{0,400})\)", re.IGNORECASE)
_TAIL = re.compile(r",\s{1,3}(?:reglamentari[oa]s?|relativ[oa]s?|en materia|en lo que se refiere)\b", re.IGNORECASE)
_CONSTITUTION_SHORT = (
    "Constitución", "Constitución Política", "Constitución Federal", "Constitución General",
    "Constitución General de la República", "Constitución Política Federal", "Constitución Mexicana",
    "Constitución Política Mexicana", "Constitución de los Estados Unidos Mexicanos", "Carta Magna",
)  # fmt: skip


def aliases_of(title: str) -> tuple[str, ...]:
    """Return the names under which a text can cite the instrument of that title without meaning another.

    The title itself without what it says in parentheses; what stands before ", Reglamentaria …" or a like tail; for
    the federal constitution the customary short forms. No name is cut at any other comma: titles are full of them.

    Args:
        title: The official title, in any case.

    Returns:
        Names, the longest first, none twice; none when `title` has no words.
    """
    full = " ".join(re.sub(r"\([^()]{0,600}\)", " ", title).split()).strip(" .,;")
    tail = _TAIL.search(full)
    names = [full, full[: tail.start()] if tail else full]
    if fold(full) == CONSTITUTION:
        names.extend(_CONSTITUTION_SHORT)
    return tuple(dict.fromkeys(name for name in names if fold(name)))


def former_names(title: str) -> tuple[str, ...]:
    """Return the names that the title itself says the instrument had: `… (Antes "Ley Minera")`."""
    found = (" ".join(m.group(1).split()).strip(' "“”.,;') for m in _FORMER.finditer(title))
    return tuple(dict.fromkeys(name for name in found if fold(name)))


def norm_codes(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return each technical norm named in `text` as (start, end, code), the code in capitals with hyphens."""
    return tuple((m.start(), m.end(), re.sub("[– ]", "-", m.group()).upper()) for m in _NORM.finditer(text))


@dataclass(frozen=True, slots=True)
class NameHit:
    """A registered name in a text: whose it is, and the position after its last word."""

    instruments: tuple[str, ...]
    end: int


def name_candidates(words: Words, i: int) -> list[tuple[str, int]]:
    """Return every folded name that could begin at position `i`, shortest first, with the position after it."""
    out: list[tuple[str, int]] = []
    name, count, j = "", 0, i
    while count < _LONGEST_NAME_WORDS and (word := words.at(j)):
        if word[0].isalnum():
            name = name + word if words.glued(j) and words.at(j - 1)[0].isalnum() else f"{name} {word}".lstrip()
            count += 1
            if not (words.glued(j + 1) and words.at(j + 1)[0].isalnum()):
                out.append((name, j + 1))
        elif word not in (",", "-", "–", "/") and not (word == "." and words.at(j - 1) == "o" and words.glued(j)):
            break
        j += 1
    return out


def is_abbreviation(words: Words, i: int) -> bool:
    """Return whether what stands at `i` is written like an abbreviation: at least two of its letters are capitals."""
    raw = words.raw(i)
    return 2 <= len(raw) <= 12 and raw[0].isupper() and sum(c.isupper() for c in raw) >= 2


def goes_on(words: Words, i: int, end: int) -> bool:
    """Return whether the words after the registered name at `[i, end)` make it the name of something else.

    "Ley Federal de Derechos" is no mention of that law in "Ley Federal de Derechos de Autor Universitario", nor
    "Constitución" one of the federal constitution in "Constitución del Estado de Jalisco".
    """
    word = words.at(end)
    if not words.is_word(end):
        return False
    if word in BYGONE or (word == "que" and words.at(end + 1) == "se" and words.at(end + 2).startswith("abrog")):
        return True
    # Written all in small letters, a name and what is said about it look alike; then its grammar must decide.
    small = not any(words.capital(k) for k in range(i + 1, end)) and not words.capital(i)
    if word in _LINKS:
        k = end
        while words.at(k) in _LINKS and k < end + 4:
            k += 1
        after = words.at(k)
        if after in TERRITORIES and word in ("de", "del", "para"):
            return True
        if after.isdigit():
            return word in ("de", "del") and len(after) == 4
        proper = words.capital(k) and after not in NOUNS and after not in NOT_OF_A_NAME
        if word in ("y", "e"):
            return proper and k == end + 1 and not _ROMAN.match(words.raw(k))
        if word == "en":
            return proper and after == "materia"
        if word in ("de", "del", "para", "sobre", "contra"):
            return proper or (small and word in ("de", "del") and words.is_word(k))
        return False
    if words.capital(end) and not words.raw(i).isupper() | (word in NOUNS) | (word in NOT_OF_A_NAME):
        return not is_abbreviation(words, end) and not _ROMAN.match(words.raw(end))
    return small and bool(_ADJECTIVE_ENDING.search(word)) and word not in ("actual", "tal", "cual", "cuales")


def unknown_end(words: Words, i: int) -> tuple[int, bool]:
    """Return where a name that begins at `i` and is in no register ends, and whether it clearly is a name.

    It is clear when a capitalised word belongs to it, or when a word like `federal` qualifies the noun: "ley federal
    de dragones" names a law, "la ley sobre vacaciones" and "la ley del trabajo" do not.
    """
    if is_abbreviation(words, i + 1) and words.raw(i + 1).isupper() and not words.raw(i).isupper():
        return i + 1, False  # "Código CIE-11"
    end, clear = i + 1, False
    while end < i + _LONGEST_NAME_WORDS:
        k = _after_links(words, end, first=not clear)
        noun_again = words.at(k) in NOUNS and clear and k > end
        if not words.is_word(k) or not words.capital(k) or noun_again or (k == end and words.at(k) in NOT_OF_A_NAME):
            break
        end, clear = k + 1, True
    if clear:
        shouting = words.raw(i).isupper() and end == i + 2 and words.at(i + 1) not in QUALIFIERS
        return end, not shouting
    if words.at(end) in QUALIFIERS:
        while words.at(end) in QUALIFIERS:
            end += 1
        while words.at(end) in ("de", "del", "para", "sobre", "contra") and end < i + 16:
            k = end
            while words.at(k) in _LINKS:
                k += 1
            if not words.is_word(k) or words.at(k) == "materia":
                break
            end, clear = k + 1, True
    return end, clear or (words.at(i) in ("codigo", "reglamento") and end > i + 1)


def _after_links(words: Words, i: int, *, first: bool) -> int:
    """Return the position after the small words at `i` that can join two words of one name, `i` when none can.

    "su Reglamento y las Reglas", "la Ley de Ciencia y en el Plan" name two things each.
    """
    word, following = words.at(i), words.at(i + 1)
    if (first and word in ("y", "e", "que", "en", "el", "la", "a", "al", "con")) or (
        word in ("y", "e", "en") and following in ("el", "la", "los", "las", "en", "para", "con", "su")
    ):
        return i
    k = i
    while words.at(k) in LINKS_OF_UNKNOWN and k < i + 4:
        k += 1
    return k


# --- names as people type them ---
