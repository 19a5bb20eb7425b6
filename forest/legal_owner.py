"""The instrument that a citation's articles belong to, as the words after the articles say it.

Owns the reading of "de esta Ley", "constitucional", "del Código Civil Federal", "de dicha Ley", and when a word is
meant as an abbreviation. Which names are known is the register's to say (`forest.legal_names`); citations as wholes
are read by `forest.legal_reading`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from forest.legal_names import (
    CONSTITUTION,
    NOUNS,
    QUALIFIERS,
    SELF_NOUNS,
    NameHit,
    Register,
    goes_on,
    is_abbreviation,
    name_candidates,
    norm_codes,
    unknown_end,
)
from forest.legal_numbers import Words, skip_ordinal_dot, split_words
from forest.legal_spoken import (
    bearers_of,
    foreign_end,
    goes_on_spoken,
    is_spoken_noun,
    neutral_end,
    spoken_end,
    spoken_readings,
)

Scope = Literal["this", "named", "unknown_name", "bare"]

_STRUCTURE = frozenset("libro titulo capitulo seccion apartado parte anexo".split())
POINTING_BACK = frozenset(
    "dicho dicha dichos dichas citado citada mismo misma propio propia referido referida mencionado mencionada "
    "aludido aludida invocado invocada indicado indicada expresado antes aquella aquel ese esa ordenamiento "
    "ordenamientos cuerpo".split()
)
_ADVERBIAL = frozenset("manera forma modo conformidad acuerdo que".split())
_BEFORE_AN_ABBREVIATION = frozenset("la del al de el en segun conforme con por y o ley codigo".split())
SPANISH_SHORT_WORDS = frozenset(("la", "le", "lo", "las", "les", "los", "con", "ley"))
_CONSTITUTIONAL = frozenset(("constitucional", "constitucionales"))
# "artículo 42 y demás relativos y aplicables de la Ley X"
_AND_OTHERS = frozenset("relativos correlativos aplicables conducentes y articulos preceptos disposiciones".split())
_ASKED_AT_ONCE = 20_000
_MOST_SPOKEN_NAMES = 20
POINTERS = frozenset("este esta estos estas presente presentes".split())


@dataclass(frozen=True, slots=True)
class Owner:
    """The instrument that a citation's articles are said to belong to, and the position after its name."""

    scope: Scope
    end: int
    instruments: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class ReadyText:
    """A text ready to be read: its words, the registered names at each position, the norms' codes.

    `spoken` holds, for a question only, what each noun that begins no registered name begins instead.
    """

    words: Words
    hits: dict[int, NameHit]
    norms: dict[int, tuple[int, str]]
    constitution: tuple[str, ...]
    loose: bool
    spoken: dict[int, Owner] = field(default_factory=dict)


def prepare(text: str, register: Register, *, loose: bool) -> ReadyText:
    """Return a text ready to be read.

    Args:
        text: Any text.
        register: Asked for all names that could stand in the text: once, or for a long text once for every
            `_ASKED_AT_ONCE` names, so that a hostile text cannot fill the memory.
        loose: Whether a person typed it: abbreviations may be in small letters, and names may lack words.
    """
    words = split_words(text)
    ends = {offset: i + 1 for i, offset in enumerate(words.ends)}
    at = {offset: i for i, offset in enumerate(words.starts)}
    norms = {at[s]: (ends[e], code) for s, e, code in norm_codes(text) if s in at and e in ends}
    hits: dict[int, NameHit] = {}
    candidates: list[tuple[int, str, int]] = []
    for i, word in enumerate(words.folded):
        if word in NOUNS:
            candidates.extend((i, name, end) for name, end in name_candidates(words, i))
        elif is_abbreviation(words, i) or (loose and words.is_word(i) and len(word) > 1):
            candidates.append((i, word, i + 1))
        if len(candidates) >= _ASKED_AT_ONCE:
            hits |= _known(candidates, register)
            candidates = []
    hits |= _known(candidates, register)
    adjectival = not _CONSTITUTIONAL.isdisjoint(words.folded)
    constitution = tuple(register.names({CONSTITUTION}).get(CONSTITUTION, ())) if adjectival else ()
    spoken = _spoken_names(words, hits, register) if loose else {}
    return ReadyText(words, hits, norms, constitution, loose, spoken)


def _spoken_names(words: Words, hits: dict[int, NameHit], register: Register) -> dict[int, Owner]:
    """Return what a question names at each noun: known by a part of its name, or unknown with all that was typed."""
    ends: dict[int, int] = {}
    for i, word in enumerate(words.folded):
        hit = hits.get(i)
        complete = hit is not None and not goes_on_spoken(words, i, hit.end)
        if is_spoken_noun(word) and not complete:
            end = max(spoken_end(words, i), foreign_end(words, hit.end) if hit else 0)
            if end > i + 1:
                ends[i] = end
        if len(ends) >= _MOST_SPOKEN_NAMES:
            break
    readings = {i: spoken_readings(words, i, end) for i, end in ends.items()}
    wanted = {name for some in readings.values() for reading in some for name in reading.whole}
    known = register.names(wanted) if wanted else {}
    out: dict[int, Owner] = {}
    for i, end in ends.items():
        out[i] = Owner("unknown_name", end, (), name_between(words, i, end))
        for reading in readings[i]:
            if bearers := bearers_of(reading, known, register):
                out[i] = Owner("named", reading.end, bearers, name_between(words, i, reading.end))
                break
    return out


def _known(candidates: list[tuple[int, str, int]], register: Register) -> dict[int, NameHit]:
    known = register.names({name for _, name, _ in candidates}) if candidates else {}
    # Candidates of one place come shortest first, so that the longest known one stays.
    return {i: NameHit(tuple(known[name]), end) for i, name, end in candidates if name in known}


def name_between(words: Words, first: int, end: int) -> str:
    """Return the text from position `first` up to and without position `end`, "" when that is nothing."""
    return words.text[words.starts[first] : words.ends[end - 1]] if end > first else ""


def abbreviation_counts(text: ReadyText, i: int, *, owned: bool) -> bool:
    """Return whether the word at `i`, equal to a registered abbreviation, is meant as one.

    `owned` says that "artículo N de la" stands before it, where nearly nothing else can follow.
    """
    words = text.words
    written, short = is_abbreviation(words, i), len(words.at(i))
    if owned:
        return written or (text.loose and words.at(i) not in SPANISH_SHORT_WORDS)
    if not written:
        return text.loose and short >= 4
    shouting = any(words.raw(k).isupper() and len(words.raw(k)) > 1 for k in (i - 1, i + 1))
    if shouting or short < 3:
        return short >= 4
    before = words.at(i - 1)
    return short >= 4 or text.loose or not before.isalnum() or before in _BEFORE_AN_ABBREVIATION


def owner_by_name(text: ReadyText, i: int) -> Owner | None:
    """Return the instrument whose name begins at position `i`; None when no instrument's name begins there."""
    words, hit = text.words, text.hits.get(i)
    if i in text.norms:
        end, code = text.norms[i]
        return Owner("named" if hit else "unknown_name", end, hit.instruments if hit else (), code)
    if words.at(i) == "norma":
        for k in range(i + 1, i + 4):
            if k in text.norms:
                return owner_by_name(text, k)
    if words.at(i) not in NOUNS:
        if hit and abbreviation_counts(text, i, owned=True):
            end = foreign_end(words, hit.end) if text.loose else hit.end
            if end > hit.end:
                return Owner("unknown_name", end, (), name_between(words, i, end))  # "la LGAg de Jalisco"
            return Owner("named", hit.end, hit.instruments, words.raw(i))
        unknown = is_abbreviation(words, i) and words.raw(i).isupper() and 3 <= len(words.at(i)) <= 8
        return Owner("unknown_name", i + 1, (), words.raw(i)) if unknown else None
    if i in text.spoken:
        return text.spoken[i]
    if hit and (not goes_on(words, i, hit.end) or (text.loose and neutral_end(words, hit.end) > hit.end)):
        end = neutral_end(words, hit.end) if text.loose else hit.end
        return Owner("named", end, hit.instruments, name_between(words, i, hit.end))
    end = max(unknown_end(words, i)[0], hit.end if hit else 0)
    return Owner("unknown_name", end, (), name_between(words, i, end))


def _owner_after_link(text: ReadyText, i: int, depth: int = 0) -> Owner | None:
    """Return the instrument said at `i`, where "artículo 5 de la" has just been read; None means a bare citation."""
    words, word = text.words, text.words.at(i)
    if word in POINTERS:
        k = i + 1
        while words.at(k) in ("propio", "propia", "mismo", "misma", "presente"):
            k += 1
        if words.at(k) in SELF_NOUNS:
            end = k + 2 if words.capital(k + 1) and words.at(k + 1) in QUALIFIERS else k + 1
            return Owner("this", end, (), name_between(words, i, end))
        if words.at(k) in _STRUCTURE:
            return None
        end = k + 1 if words.at(k) in NOUNS else 0
        return Owner("unknown_name", end, (), name_between(words, i, end))
    if word in POINTING_BACK:
        named = text.hits.get(i + 1)
        if text.loose and words.at(i + 1) in NOUNS and (named or i + 1 in text.spoken):
            return owner_by_name(text, i + 1)
        if named and words.at(i + 1) in NOUNS and not goes_on(words, i + 1, named.end):
            return Owner("named", named.end, named.instruments, name_between(words, i + 1, named.end))
        if words.at(i + 1) in _STRUCTURE:
            return None
        end = i + 2 if words.at(i + 1) in NOUNS | SELF_NOUNS else i + 1
        return Owner("unknown_name", end, (), name_between(words, i, end))
    if word == "acuerdo" and words.at(i + 1) in ("con", "a", "al") and words.at(i - 1) == "de":
        return None
    if word in _STRUCTURE and depth == 0:
        for k in range(i + 1, i + 16):
            if words.at(k) in (".", ";", ""):
                return None
            if words.at(k) in ("de", "del") and words.at(k + 1) and words.at(k - 1) != "y":
                after = k + 1 + (words.at(k + 1) in ("la", "el", "los", "las"))
                if words.at(after) in NOUNS or words.at(after) in POINTERS or words.at(after) in POINTING_BACK:
                    return _owner_after_link(text, after, depth + 1)
        return None
    return owner_by_name(text, i)


def _short_right_after(text: ReadyText, i: int) -> bool:
    """Return whether an abbreviation of two letters stands right after an article's number: "art. 20 LN"."""
    words, hit = text.words, text.hits.get(i)
    if hit is None or len(words.at(i)) != 2 or not is_abbreviation(words, i):
        return False
    return words.at(i) not in SPANISH_SHORT_WORDS or not words.is_word(i + 1)


def owner_at(text: ReadyText, i: int) -> Owner | None:
    """Return the instrument said after a list of articles that ends at `i`, None when the citation is bare."""
    words = text.words
    i = skip_ordinal_dot(words, i)
    k = i + (words.at(i) == ",")
    if words.at(k) in ("ambos", "ambas", "todos", "todas"):
        k += 1
        k += words.at(k) in ("ellos", "ellas")
        k += words.at(k) == ","
    if words.at(k) == "y" and words.at(k + 1) == "demas":
        k += 2
        while words.at(k) in _AND_OTHERS:
            k += 1
    k += words.at(k) in ("vigente", "vigentes")
    if words.at(k) in _CONSTITUTIONAL:
        scope: Scope = "named" if text.constitution else "unknown_name"
        return Owner(scope, k + 1, text.constitution, words.raw(k))
    link = words.at(k)
    if link in ("de", "del", "a", "al"):
        after = k + 1 + (words.at(k + 1) in ("la", "el", "los", "las"))
        if link in ("a", "al") and words.at(after) not in NOUNS | POINTERS:
            return None
        owner = _owner_after_link(text, after)
        if owner is None and link in ("de", "del") and words.at(after) not in _STRUCTURE | _ADVERBIAL | POINTERS:
            # Of something, but of what cannot be told.
            return Owner("unknown_name", 0)
        return owner
    direct = text.hits.get(k)
    if k in text.spoken or (text.loose and _short_right_after(text, k)):
        return owner_by_name(text, k)
    if direct and (words.at(k) in NOUNS or (len(words.at(k)) > 2 and abbreviation_counts(text, k, owned=True))):
        named = owner_by_name(text, k)
        return named if named and (named.scope == "named" or text.loose) else None
    return None
