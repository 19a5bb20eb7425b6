"""One grammar of the citations that Mexican legal texts and questions make, in Spanish.

Owns how a citation as a whole is read: which articles, of which instrument. It serves both the edges drawn from a
law's text and the resolving of what a question names. Numbers are `forest.legal_numbers`, lists and parts
`forest.legal_parts`, names `forest.legal_names`; turning a mention into an edge is the curator's.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from forest.legal_names import (
    CONSTITUTION,
    NAMING_NOUNS,
    NOUNS,
    QUALIFIERS,
    SELF_NOUNS,
    NameHit,
    NameRegister,
    Register,
    aliases_of,
    former_names,
    goes_on,
    is_abbreviation,
    name_candidates,
    norm_codes,
    unknown_end,
)
from forest.legal_numbers import Words, article_key, fold, number_at, ordinal_at, split_words
from forest.legal_parts import CONJUNCTIONS, PART_HEADS, ArticleList, articles_at, parts_end, skip_ordinal_dot

__all__ = [
    "CONSTITUTION",
    "Mention",
    "NameRegister",
    "Named",
    "Register",
    "Scope",
    "aliases_of",
    "article_key",
    "find_citations",
    "fold",
    "former_names",
    "identifiers",
    "norm_codes",
]

Scope = Literal["this", "named", "unknown_name", "bare"]

_ARTICLE_WORDS = frozenset(("articulo", "articulos", "art", "arts"))
_STRUCTURE = frozenset("libro titulo capitulo seccion apartado parte anexo".split())
_POINTING_BACK = frozenset(
    "dicho dicha dichos dichas citado citada mismo misma propio propia referido referida mencionado mencionada "
    "aludido aludida invocado invocada indicado indicada expresado antes aquella aquel ordenamiento ordenamientos "
    "cuerpo".split()
)
_ADVERBIAL = frozenset("manera forma modo conformidad acuerdo que".split())
_BEFORE_A_LONE_NUMBER = frozenset(("el", "los", "del", "al", ""))
_BEFORE_AN_ABBREVIATION = frozenset("la del al de el en segun conforme con por y o ley codigo".split())
_SPANISH_SHORT_WORDS = frozenset(("la", "le", "lo", "las", "les", "los", "con", "ley"))
_JOINING = frozenset(", ; asi como el la los las en del de con relacion relacionado relacionada concordancia".split())
_POINTERS = frozenset("este esta estos estas presente presentes".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A citation as a text makes it.

    Attributes:
        start: Offset of its first character, the `a` of "artículo 76" or the first letter of the name.
        end: Offset after its last character.
        scope: "this": the text says it is its own instrument ("esta Ley"); "named": the register knows the name;
            "unknown_name": another instrument, which the register does not know, which only earlier words tell
            ("dicha Ley"), or which cannot be told for certain (then `name` is ""); "bare": no instrument is said.
        articles: Article keys in the order of the text; `trans-2` for the second transitory article; empty when an
            instrument is named without an article, or when `relative` says which one.
        ranges: Pairs among `articles` between which the text means all ("artículos 20 a 25").
        detail: Words about parts of the articles ("fracción II, inciso a)"), "" if there are none.
        instruments: Ids that bear the name, in order; several make it ambiguous.
        name: The instrument's name as written, "" if there is none.
        relative: -1 for "artículo anterior", +1 for "artículo siguiente", 0 otherwise.
    """

    start: int
    end: int
    scope: Scope
    articles: tuple[str, ...] = ()
    ranges: tuple[tuple[str, str], ...] = ()
    detail: str = ""
    instruments: tuple[str, ...] = ()
    name: str = ""
    relative: int = 0

    @property
    def points_back(self) -> bool:
        """Whether the instrument is said in words that only earlier ones explain: "dicha Ley", "la Ley"."""
        words = fold(self.name).split()
        unnamed = self.scope == "unknown_name" and bool(words)
        return unnamed and (words[0] in _POINTERS | _POINTING_BACK or (len(words) == 1 and words[0] in NOUNS))

    @property
    def transitory(self) -> bool:
        """Whether the articles are transitory ones, of the instrument or of a decree that amended it."""
        return any(key.startswith("trans-") for key in self.articles)


@dataclass(frozen=True, slots=True)
class _Owner:
    """The instrument that a citation's articles are said to belong to, and the position after its name."""

    scope: Scope
    end: int
    instruments: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """A mention with the positions of its first word and after its last."""

    mention: Mention
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Text:
    """A text ready to be read: its words, the registered names at each position, the norms' codes."""

    words: Words
    hits: dict[int, NameHit]
    norms: dict[int, tuple[int, str]]
    constitution: tuple[str, ...]
    loose: bool


def _prepare(text: str, register: Register, *, loose: bool) -> _Text:
    words = split_words(text)
    ends = {offset: i + 1 for i, offset in enumerate(words.ends)}
    at = {offset: i for i, offset in enumerate(words.starts)}
    norms = {at[s]: (ends[e], code) for s, e, code in norm_codes(text) if s in at and e in ends}
    candidates: dict[int, list[tuple[str, int]]] = {}
    for i, word in enumerate(words.folded):
        if word in NOUNS:
            candidates[i] = name_candidates(words, i)
        elif is_abbreviation(words, i) or (loose and words.is_word(i) and len(word) > 1):
            candidates[i] = [(word, i + 1)]
    asked = {name for several in candidates.values() for name, _ in several}
    known = register.names(asked | {CONSTITUTION})
    hits = {
        i: NameHit(tuple(known[name]), end)
        for i, several in candidates.items()
        for name, end in several
        if name in known
    }  # the last of several is the longest
    return _Text(words, hits, norms, tuple(known.get(CONSTITUTION, ())), loose)


def _name(words: Words, first: int, end: int) -> str:
    return words.text[words.starts[first] : words.ends[end - 1]] if end > first else ""


def _abbreviation_counts(text: _Text, i: int, *, owned: bool) -> bool:
    """Return whether the word at `i`, equal to a registered abbreviation, is meant as one.

    `owned` says that "artículo N de la" stands before it, where nearly nothing else can follow.
    """
    words = text.words
    written, short = is_abbreviation(words, i), len(words.at(i))
    if owned:
        return written or (text.loose and words.at(i) not in _SPANISH_SHORT_WORDS)
    if not written:
        return text.loose and short >= 4
    shouting = any(words.raw(k).isupper() and len(words.raw(k)) > 1 for k in (i - 1, i + 1))
    if shouting or short < 3:
        return short >= 4
    before = words.at(i - 1)
    return short >= 4 or not before.isalnum() or before in _BEFORE_AN_ABBREVIATION


def _owner_by_name(text: _Text, i: int) -> _Owner | None:
    """Return the instrument whose name begins at position `i`; None when no instrument's name begins there."""
    words, hit = text.words, text.hits.get(i)
    if i in text.norms:
        end, code = text.norms[i]
        return _Owner("named" if hit else "unknown_name", end, hit.instruments if hit else (), code)
    if words.at(i) == "norma":
        for k in range(i + 1, i + 4):
            if k in text.norms:
                return _owner_by_name(text, k)
    if words.at(i) not in NOUNS:
        if hit and _abbreviation_counts(text, i, owned=True):
            return _Owner("named", hit.end, hit.instruments, words.raw(i))
        unknown = is_abbreviation(words, i) and words.raw(i).isupper() and 3 <= len(words.at(i)) <= 8
        return _Owner("unknown_name", i + 1, (), words.raw(i)) if unknown else None
    if hit and not goes_on(words, i, hit.end):
        return _Owner("named", hit.end, hit.instruments, _name(words, i, hit.end))
    end = max(unknown_end(words, i)[0], hit.end if hit else 0)
    return _Owner("unknown_name", end, (), _name(words, i, end))


def _owner_after_link(text: _Text, i: int, depth: int = 0) -> _Owner | None:
    """Return the instrument said at `i`, where "artículo 5 de la" has just been read; None means a bare citation."""
    words, word = text.words, text.words.at(i)
    if word in _POINTERS:
        k = i + 1
        while words.at(k) in ("propio", "propia", "mismo", "misma", "presente"):
            k += 1
        if words.at(k) in SELF_NOUNS:
            end = k + 2 if words.capital(k + 1) and words.at(k + 1) in QUALIFIERS else k + 1
            return _Owner("this", end, (), _name(words, i, end))
        if words.at(k) in _STRUCTURE:
            return None
        end = k + 1 if words.at(k) in NOUNS else i
        return _Owner("unknown_name", end, (), _name(words, i, end))
    if word in _POINTING_BACK:
        named = text.hits.get(i + 1)
        if named and words.at(i + 1) in NOUNS and not goes_on(words, i + 1, named.end):
            return _Owner("named", named.end, named.instruments, _name(words, i + 1, named.end))
        end = i + 2 if words.at(i + 1) in NOUNS | SELF_NOUNS else i + 1
        return _Owner("unknown_name", end, (), _name(words, i, end))
    if word in _STRUCTURE and depth == 0:
        for k in range(i + 1, i + 16):
            if words.at(k) in (".", ";", ""):
                return None
            if words.at(k) in ("de", "del") and words.at(k + 1) and words.at(k - 1) != "y":
                after = k + 1 + (words.at(k + 1) in ("la", "el", "los", "las"))
                if words.at(after) in NOUNS or words.at(after) in _POINTERS or words.at(after) in _POINTING_BACK:
                    return _owner_after_link(text, after, depth + 1)
        return None
    return _owner_by_name(text, i)


def _owner_at(text: _Text, i: int) -> _Owner | None:
    """Return the instrument said after a list of articles that ends at `i`, None when the citation is bare."""
    words = text.words
    i = skip_ordinal_dot(words, i)
    k = i + (words.at(i) == ",")
    if words.at(k) in ("ambos", "ambas", "todos", "todas"):
        k += 1
        k += words.at(k) in ("ellos", "ellas")
        k += words.at(k) == ","
    k += words.at(k) in ("vigente", "vigentes")
    if words.at(k) in ("constitucional", "constitucionales"):
        scope: Scope = "named" if text.constitution else "unknown_name"
        return _Owner(scope, k + 1, text.constitution, words.raw(k))
    link = words.at(k)
    if link in ("de", "del", "a", "al"):
        after = k + 1 + (words.at(k + 1) in ("la", "el", "los", "las"))
        if link in ("a", "al") and words.at(after) not in NOUNS | _POINTERS:
            return None
        owner = _owner_after_link(text, after)
        if owner is None and link in ("de", "del") and words.at(after) not in _STRUCTURE | _ADVERBIAL | _POINTERS:
            # Of something, but of what cannot be told.
            return _Owner("unknown_name", i)
        return owner
    direct = text.hits.get(k)
    if direct and (words.at(k) in NOUNS or (len(words.at(k)) > 2 and _abbreviation_counts(text, k, owned=True))):
        named = _owner_by_name(text, k)
        return named if named and named.scope == "named" else None
    return None


def _mention(text: _Text, first: int, listed: ArticleList, owner: _Owner | None, *, transitory: bool) -> _Found:
    words = text.words
    end = max(listed.end, owner.end if owner else 0)
    keys = tuple(f"trans-{key}" for key in listed.keys) if transitory else listed.keys
    ranges = tuple((f"trans-{a}", f"trans-{b}") for a, b in listed.ranges) if transitory else listed.ranges
    return _Found(
        Mention(
            start=words.starts[first],
            end=words.ends[end - 1],
            scope=owner.scope if owner else "bare",
            articles=keys,
            ranges=ranges,
            detail=listed.detail,
            instruments=owner.instruments if owner else (),
            name=owner.name if owner else "",
        ),
        first,
        end,
    )


def _is_heading(words: Words, i: int, number_end: int) -> bool:
    """Return whether "Artículo 5" at `i` heads an article instead of citing one: "ARTÍCULO 5.- El patrón"."""
    if words.at(i - 1) == "#":
        return True
    k = skip_ordinal_dot(words, number_end)
    stopped = k > number_end or words.at(k) in (".", "-", "–", "—")
    k += words.at(k) == "."
    if not words.capital(i) or not stopped:
        return False
    if words.at(k) in ("-", "–", "—") and not words.glued(k + 1):
        return True
    line = words.text[words.text.rfind("\n", 0, words.starts[i]) + 1 : words.starts[i]]
    opens = words.capital(k) or not words.is_word(k) or words.at(k + 1) == ")"
    return not line.strip(" #*>") or (opens and not words.raw(i - 1).islower())


def _relative_at(words: Words, i: int) -> tuple[int, int] | None:
    """Return -1 or +1 and the position after "artículo anterior" or the like, for the word `artículo` at `i`."""
    k = i + 1 + (words.at(i + 1) in ("inmediato", "inmediatamente"))
    if words.at(k) in ("anterior", "precedente"):
        return -1, k + 1
    if words.at(k) == "siguiente" and words.at(k + 1) != ":":
        return 1, k + 1
    if words.at(k) == "que" and words.at(k + 1) in ("antecede", "precede"):
        return -1, k + 2
    if words.at(k) == "que" and words.at(k + 1) == "sigue" and words.at(k + 2) != ":":
        return 1, k + 2
    if words.at(i - 1) in ("anterior", "precedente"):
        return -1, i + 1
    return None


def _citation_at(text: _Text, i: int) -> _Found | None:
    """Return the citation that begins with the word `artículo` at position `i`."""
    words = text.words
    if words.at(i - 1) == "antes":
        return None  # "Artículo recorrido (antes artículo 185)": the number is no longer that article's
    if (relative := _relative_at(words, i)) is not None and words.at(i) == "articulo":
        owner = _owner_at(text, relative[1])
        first = i - (relative[1] == i + 1)  # "el anterior artículo"
        found = _mention(text, first, ArticleList((), (), "", relative[1]), owner, transitory=False)
        return replace(found, mention=replace(found.mention, relative=relative[0]))
    k = i + 1
    if words.at(i) in ("art", "arts") and words.at(k) == ".":
        k += 1
    if words.at(k) in ("numero", "numeros", "num", "no", "nos") and number_at(words, k + 1 + (words.at(k + 1) == ".")):
        k += 1 + (words.at(k + 1) == ".")
    transitory = words.at(k) in ("transitorio", "transitorios")
    k += transitory
    if words.at(k) in ("del", "desde", "de", "el", "los"):
        k += 1 + (words.at(k + 1) in ("el", "los"))
    number = number_at(words, k)
    if number is None or _is_heading(words, i, number[1]):
        return None
    listed = articles_at(words, k)
    if listed is None:
        return None
    after = listed.end + (words.at(listed.end) == "." and words.at(listed.end + 1).startswith("transitori"))
    after += words.at(after) == ","
    if words.at(after) in ("transitorio", "transitorios"):
        transitory = True
        listed = replace(listed, end=after + 1)
    return _mention(text, i, listed, _owner_at(text, listed.end), transitory=transitory)


def _numbers_of_an_instrument(text: _Text, i: int) -> _Found | None:
    """Return the citation that begins with a number at `i` and says its instrument: "123 constitucional"."""
    listed = articles_at(text.words, i)
    owner = _owner_at(text, listed.end) if listed else None
    if listed is None or owner is None or owner.name == "":
        return None
    return _mention(text, i, listed, owner, transitory=False)


def _lone_number_at(text: _Text, i: int) -> _Found | None:
    words = text.words
    if words.glued(i) or words.at(i - 1) not in _BEFORE_A_LONE_NUMBER:
        return None
    found = _numbers_of_an_instrument(text, i)
    return found if found and found.mention.scope == "named" else None


def _name_at(text: _Text, i: int) -> _Found | None:
    """Return the mention of an instrument, without articles, whose name begins at position `i`."""
    words, hit = text.words, text.hits.get(i)
    if words.at(i - 1) in _POINTERS or (words.at(i - 1) in _POINTING_BACK and words.at(i - 1) != "antes" and not hit):
        return None
    if i not in text.norms:
        if words.at(i) not in NOUNS:
            if hit is None or not _abbreviation_counts(text, i, owned=False):
                return None
        elif hit and hit.end == i + 1 and (not words.capital(i) or words.at(i + 1) in ("de", "del")):
            return None  # "constitución" alone is what founders do, unless a capital says otherwise
        elif hit is None and (words.at(i) not in NAMING_NOUNS or not unknown_end(words, i)[1]):
            return None
    owner = _owner_by_name(text, i)
    if owner is None:
        return None
    detail = ""
    end = owner.end
    if i in text.norms and (parts := parts_end(words, end)) > end:
        detail, end = _name(words, end, parts).strip(" ,"), parts
    return _mention(text, i, ArticleList((), (), detail, end), owner, transitory=False)


def _part_of_norm_at(text: _Text, i: int) -> _Found | None:
    """Return the citation of a norm that begins with one of its numerals: "numeral 5.2 de la NOM-035-STPS-2018"."""
    words = text.words
    end = parts_end(words, i)
    if end == i or words.at(end) not in ("de", "del"):
        return None
    k = end + 1 + (words.at(end + 1) == "la")
    owner = _owner_by_name(text, k) if k in text.norms or words.at(k) == "norma" else None
    if owner is None or not any(first < owner.end and first >= k for first in text.norms):
        return None
    return _mention(text, i, ArticleList((), (), _name(words, i, end), end), owner, transitory=False)


def _scan(text: _Text) -> Iterator[_Found]:
    """Yield the citations of a text in order, each read on its own, without its neighbours."""
    words, i = text.words, 0
    parts = PART_HEADS if text.norms else frozenset[str]()
    while i < len(words.folded):
        word = words.folded[i]
        found: _Found | None = None
        if word in _ARTICLE_WORDS:
            found = _citation_at(text, i)
        elif word in NAMING_NOUNS or i in text.hits or i in text.norms:
            found = _name_at(text, i)
        elif word[0].isdigit():
            found = _lone_number_at(text, i)
        elif word in parts:
            found = _part_of_norm_at(text, i)
        if found is None:
            i += 1
            continue
        yield found
        i = found.last
        while found and found.mention.articles and found.mention.scope != "bare":
            # "artículos 3 de la Ley A y 7 de la Ley B": the word is not repeated.
            k = i + (words.at(i) in (",", ";"))
            k += words.at(k) in CONJUNCTIONS
            k += words.at(k) in ("el", "los", "del") and k > i
            found = _numbers_of_an_instrument(text, k) if k > i and words.at(k).isdigit() else None
            if found:
                yield found
                i = found.last


def _only_joins(words: Words, first: int, end: int) -> bool:
    """Return whether nothing but conjunctions and names of parts stands between two citations."""
    joins = CONJUNCTIONS | PART_HEADS | _JOINING
    return end - first <= 14 and all(
        words.at(k) in joins or words.at(k) in (")", "ultimo", "primer", "tercer") or len(words.at(k)) == 1
        or words.raw(k).isupper() or ordinal_at(words, k) is not None
        for k in range(first, end)
    )  # fmt: skip


def _belongs_to_name_before(words: Words, before: _Found, found: _Found) -> bool:
    """Return whether a bare citation is of the instrument named just before: "la LFT, en su artículo 76"."""
    if before.mention.articles or before.mention.relative or before.mention.scope not in ("named", "unknown_name"):
        return False
    between = [words.at(k) for k in range(before.last, found.first)]
    if between[:1] and between[0] in (",", ":", "(", "-"):
        between = between[1:]
    return between in ([], ["en", "su"], ["en", "sus"], ["su"], ["sus"], ["los"], ["el"])


def _owned_by_a_later_all(words: Words, found: list[_Found]) -> set[int]:
    """Return the indices of bare citations in a sentence that ends in "todos de la Ley X" or "ambos del Código Y"."""
    out: set[int] = set()
    for i, item in enumerate(found):
        if item.mention.scope not in ("named", "unknown_name"):
            continue
        tail = range(item.first, item.last) if item.mention.articles else range(item.first - 5, item.first)
        if not any(words.at(k) in ("todos", "todas", "ambos", "ambas") for k in tail):
            continue
        for before in range(i - 1, -1, -1):
            between = range(found[before].last, found[before + 1].first)
            if any(words.at(k) == "." and words.capital(k + 1) for k in between):
                break
            if found[before].mention.scope == "bare":
                out.add(before)
    return out


def _opens_a_foreign_list(words: Words, item: _Found) -> bool:
    """Return whether what follows a name may list that instrument's articles by their numbers alone.

    "Del Código Penal Federal: a) Terrorismo, previsto en el artículo 139; b) …", or an item that begins "De la Ley
    Federal de Armas de Fuego, el delito previsto en el artículo 84 Bis". Nothing says where such a list ends.
    """
    if item.mention.articles or item.mention.scope not in ("named", "unknown_name"):
        return False
    before = item.first - 1 - (words.at(item.first - 1) in ("la", "el", "los", "las"))
    if words.at(before) in ("de", "del") and words.capital(before):
        return True
    for k in range(item.last, item.last + 25):
        if words.at(k) in (":", ".", ";", ""):
            return words.at(k) == ":"
    return False


def _in_context(words: Words, found: list[_Found]) -> list[_Found]:
    """Return the citations with each bare one read beside its neighbours.

    One that follows a name is of that instrument. One that is joined by a mere conjunction to a citation of another
    instrument could belong to either, so it is of neither.
    """
    out: list[_Found] = []
    for item in found:
        if out and item.mention.scope == "bare" and not item.mention.relative:
            before = out[-1]
            if _belongs_to_name_before(words, before, item):
                owner = before.mention
                joined = replace(
                    item.mention, start=owner.start, scope=owner.scope, instruments=owner.instruments, name=owner.name
                )
                out[-1] = _Found(joined, before.first, item.last)
                continue
        out.append(item)
    unclear: set[int] = set()
    for order in (range(1, len(out)), range(len(out) - 2, -1, -1)):
        for i in order:
            other = i - 1 if order.step == 1 else i + 1
            if out[i].mention.scope != "bare" or out[i].mention.relative or not out[other].mention.articles:
                continue
            left, right = min(i, other), max(i, other)
            foreign = out[other].mention.scope in ("named", "unknown_name") or other in unclear
            if foreign and _only_joins(words, out[left].last, out[right].first):
                unclear.add(i)
    unclear |= _owned_by_a_later_all(words, out)
    foreign_from = min((item.last for item in out if _opens_a_foreign_list(words, item)), default=len(words.folded))
    return [
        replace(item, mention=replace(item.mention, scope="unknown_name"))
        if i in unclear or (item.mention.scope == "bare" and item.mention.articles and item.first >= foreign_from)
        else item
        for i, item in enumerate(out)
    ]


def _citations(text: str, register: Register, *, loose: bool) -> tuple[Mention, ...]:
    ready = _prepare(text, register, loose=loose)
    return tuple(item.mention for item in _in_context(ready.words, list(_scan(ready))))


def find_citations(text: str, register: Register) -> tuple[Mention, ...]:
    """Return what a legal text cites, in the order of the text.

    Args:
        text: Any text; the headings of articles ("Artículo 5.- …") are no citations.
        register: Asked once for all candidate names of the text.

    Returns:
        Mentions that do not overlap; empty when nothing is cited. A name is "named" only when it is certain: when the
        words that follow make it another name it is "unknown_name".
    """
    return _citations(text, register, loose=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a question names, resolved as far as it is certain; everything in the order of the question, none twice.

    Attributes:
        articles: (instrument id, article key) of articles that exist.
        missing: (instrument id, article key) of articles which that instrument does not have.
        instruments: Ids of all instruments named without doubt, with or without an article.
        unknown: Names of instruments, as written, that the register does not hold.
        ambiguous: (name as written, ids that bear it).
        bare: Keys of articles named without any instrument.
        norms: Codes of technical norms, whether the register holds them or not.
        gazette_dates: ISO dates of issues of the gazette ("DOF 27-12-2022").
        mentions: The citations from which all this comes.
    """

    articles: tuple[tuple[str, str], ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    instruments: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    ambiguous: tuple[tuple[str, tuple[str, ...]], ...] = ()
    bare: tuple[str, ...] = ()
    norms: tuple[str, ...] = ()
    gazette_dates: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()


_MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
_GAZETTE_DATE = re.compile(
    r"\b(?:d\.?o\.?f\b\.?|diario oficial(?: de la federaci[oó]n)?)[^\d\n]{0,24}"
    r"(?P<day>\d{1,2})(?:[-/.]| de )(?P<month>\d{1,2}|[a-z]{4,10})(?:[-/.]| del? )(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_WIDEST_RANGE = 30


def _gazette_dates(text: str) -> Iterator[str]:
    for match in _GAZETTE_DATE.finditer(text):
        month = match["month"].casefold()
        number = int(month) if month.isdigit() else _MONTHS.index(month) + 1 if month in _MONTHS else 0
        try:
            yield datetime.date(int(match["year"]), number, int(match["day"])).isoformat()
        except ValueError:
            continue


def _with_ranges(mention: Mention) -> Iterator[str]:
    """Yield the mention's keys and the plain numbers between the ends of its ranges."""
    yield from mention.articles
    for low, high in mention.ranges:
        if low.isdigit() and high.isdigit() and 0 < int(high) - int(low) <= _WIDEST_RANGE:
            yield from map(str, range(int(low) + 1, int(high)))


def identifiers(question: str, register: Register) -> Named:
    """Return which instruments and articles a question names, and what of it cannot be found.

    Args:
        question: Words of a person: accents and capitals may be missing, abbreviations may be in small letters.
        register: Asked once for names, and once for each article.

    Returns:
        What is named. "¿qué dice la ley sobre vacaciones?" names nothing; "ley federal de dragones" names an unknown
        instrument; "artículo 76" alone is bare. Transitory articles are in `mentions` only.
    """
    mentions = _citations(question, register, loose=True)
    articles: dict[tuple[str, str], bool] = {}
    instruments: list[str] = []
    unknown: list[str] = []
    ambiguous: list[tuple[str, tuple[str, ...]]] = []
    bare: list[str] = []
    for mention in mentions:
        if len(mention.instruments) > 1:
            ambiguous.append((mention.name, mention.instruments))
        elif mention.instruments:
            instruments.extend(mention.instruments)
            if not mention.transitory:
                pairs = [(mention.instruments[0], key) for key in _with_ranges(mention)]
                articles.update((pair, register.has_article(*pair)) for pair in pairs)
        elif mention.scope == "unknown_name" and mention.name and not mention.points_back:
            unknown.append(mention.name)
        elif not mention.transitory:
            bare.extend(mention.articles)
    return Named(
        articles=tuple(pair for pair, exists in articles.items() if exists),
        missing=tuple(pair for pair, exists in articles.items() if not exists),
        instruments=tuple(dict.fromkeys(instruments)),
        unknown=tuple(dict.fromkeys(unknown)),
        ambiguous=tuple(dict.fromkeys(ambiguous)),
        bare=tuple(dict.fromkeys(bare)),
        norms=tuple(dict.fromkeys(code for _, _, code in norm_codes(question))),
        gazette_dates=tuple(dict.fromkeys(_gazette_dates(question))),
        mentions=mentions,
    )
