"""Whole citations in a text, each read on its own.

Owns what a mention is and where one begins: the word `artículo`, the name of an instrument, a number with its
instrument after it. What neighbouring citations mean for each other is `forest.legal_context`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from forest.legal_names import NAMING_NOUNS, NOUNS, unknown_end
from forest.legal_numbers import Words, fold, number_at, skip_ordinal_dot
from forest.legal_owner import (
    POINTERS,
    POINTING_BACK,
    Owner,
    ReadyText,
    Scope,
    abbreviation_counts,
    name_between,
    owner_at,
    owner_by_name,
)
from forest.legal_parts import CONJUNCTIONS, PART_HEADS, ArticleList, articles_at, parts_end

_ARTICLE_WORDS = frozenset(("articulo", "articulos", "art", "arts"))
_MOST_LONE_NUMBERS = 10
_BEFORE_A_LONE_NUMBER = frozenset(("el", "los", "del", "al", ""))


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
        return unnamed and (words[0] in POINTERS | POINTING_BACK or (len(words) == 1 and words[0] in NOUNS))

    @property
    def transitory(self) -> bool:
        """Whether the articles are transitory ones, of the instrument or of a decree that amended it."""
        return any(key.startswith("trans-") for key in self.articles)


@dataclass(frozen=True, slots=True)
class Found:
    """A mention with the positions of its first word and after its last."""

    mention: Mention
    first: int
    last: int


def _mention(text: ReadyText, first: int, listed: ArticleList, owner: Owner | None, *, transitory: bool) -> Found:
    words = text.words
    end = max(listed.end, owner.end if owner else 0)
    keys = tuple(f"trans-{key}" for key in listed.keys) if transitory else listed.keys
    ranges = tuple((f"trans-{a}", f"trans-{b}") for a, b in listed.ranges) if transitory else listed.ranges
    return Found(
        Mention(
            start=words.starts[first],
            end=words.ends[end - 1],
            scope=owner.scope if owner else ("bare" if listed.closed else "unknown_name"),
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
    if words.capital(i) and words.raw(k) == "…":
        return True  # what a decree does not print again: "Artículo Cuarto ……"
    stopped = k > number_end or words.at(k) in (".", "-", "–", "—")
    k += words.at(k) == "."
    if not words.capital(i) or not stopped:
        return False
    if words.at(k) in ("-", "–", "—") and not words.glued(k + 1):
        return True
    start = words.starts[i]
    line = words.text[max(start - 80, words.text.rfind("\n", max(0, start - 80), start) + 1) : start]
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


def _citation_at(text: ReadyText, i: int) -> Found | None:
    """Return the citation that begins with the word `artículo` at position `i`."""
    words = text.words
    if words.at(i - 1) == "antes":
        return None  # "Artículo recorrido (antes artículo 185)": the number is no longer that article's
    if (relative := _relative_at(words, i)) is not None and words.at(i) == "articulo":
        owner = owner_at(text, relative[1])
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
    if listed is None or _is_heading(words, i, listed.end):
        return None
    if words.at(i) in ("articulos", "arts") and len(listed.keys) == 1:
        listed = replace(listed, closed=False)
    after = listed.end + (words.at(listed.end) == "." and words.at(listed.end + 1).startswith("transitori"))
    after += words.at(after) == ","
    if words.at(after) in ("transitorio", "transitorios"):
        transitory = True
        listed = replace(listed, end=after + 1)
    return _mention(text, i, listed, owner_at(text, listed.end), transitory=transitory)


def _numbers_of_an_instrument(text: ReadyText, i: int) -> Found | None:
    """Return the citation that begins with a number at `i` and says its instrument: "123 constitucional"."""
    listed = articles_at(text.words, i, most=_MOST_LONE_NUMBERS)
    owner = owner_at(text, listed.end) if listed else None
    if listed is None or owner is None or owner.name == "":
        return None
    return _mention(text, i, listed, owner, transitory=False)


def _lone_number_at(text: ReadyText, i: int) -> Found | None:
    words = text.words
    if words.glued(i) or words.at(i - 1) not in _BEFORE_A_LONE_NUMBER:
        return None
    found = _numbers_of_an_instrument(text, i)
    return found if found and found.mention.scope == "named" else None


def _name_at(text: ReadyText, i: int) -> Found | None:
    """Return the mention of an instrument, without articles, whose name begins at position `i`."""
    words, hit = text.words, text.hits.get(i)
    if words.at(i - 1) in POINTERS or (words.at(i - 1) in POINTING_BACK and words.at(i - 1) != "antes" and not hit):
        return None
    if i not in text.norms:
        if words.at(i) not in NOUNS:
            if hit is None or not abbreviation_counts(text, i, owned=False):
                return None
        elif hit and hit.end == i + 1 and (not words.capital(i) or words.at(i + 1) in ("de", "del")):
            return None  # "constitución" alone is what founders do, unless a capital says otherwise
        elif hit is None and (words.at(i) not in NAMING_NOUNS or not unknown_end(words, i)[1]):
            return None
    owner = owner_by_name(text, i)
    if owner is None:
        return None
    detail = ""
    end = owner.end
    if i in text.norms and (parts := parts_end(words, end)) > end:
        detail, end = name_between(words, end, parts).strip(" ,"), parts
    return _mention(text, i, ArticleList((), (), detail, end), owner, transitory=False)


def _part_of_norm_at(text: ReadyText, i: int) -> Found | None:
    """Return the citation of a norm that begins with one of its numerals: "numeral 5.2 de la NOM-035-STPS-2018"."""
    words = text.words
    end = parts_end(words, i)
    if end == i or words.at(end) not in ("de", "del"):
        return None
    k = end + 1 + (words.at(end + 1) == "la")
    owner = owner_by_name(text, k) if k in text.norms or words.at(k) == "norma" else None
    if owner is None or not any(first < owner.end and first >= k for first in text.norms):
        return None
    return _mention(text, i, ArticleList((), (), name_between(words, i, end), end), owner, transitory=False)


def scan(text: ReadyText) -> Iterator[Found]:
    """Yield the citations of a text in order, each read on its own, without its neighbours."""
    words, i = text.words, 0
    parts = PART_HEADS if text.norms else frozenset[str]()
    while i < len(words.folded):
        word = words.folded[i]
        found: Found | None = None
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
