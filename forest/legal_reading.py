"""Whole citations in a text, each read on its own.

Owns what a mention is and where one begins: the word `artículo`, the name of an instrument, a number with its
instrument after it. What neighbouring citations mean for each other is `forest.legal_context`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from forest.legal_names import NAMING_NOUNS, NOUNS, is_abbreviation, unknown_end
from forest.legal_numbers import Words, fold, number_at, ordinal_at, skip_ordinal_dot
from forest.legal_owner import (
    POINTERS,
    POINTING_BACK,
    SPANISH_SHORT_WORDS,
    Owner,
    ReadyText,
    Scope,
    abbreviation_counts,
    name_between,
    owner_at,
    owner_by_name,
)
from forest.legal_parts import (
    CONJUNCTIONS,
    PART_HEADS,
    ArticleList,
    article_number_at,
    articles_at,
    counts_something,
    is_plain_year,
    parts_before,
    parts_end,
    parts_in,
)
from forest.legal_spoken import tells_whose

_ARTICLE_WORDS = frozenset(("articulo", "articulos", "art", "arts"))
_TRANSITORY = frozenset(("transitorio", "transitorios"))
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
        parts: Of a question only: (article key, kind, label) of each part of an article that it names, in its order;
            kinds are fraccion, inciso, apartado, parrafo and numeral, labels "XL", "II-bis", "z", "D", "10", "ultimo".
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
    parts: tuple[tuple[str, str, str], ...] = ()

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
    closed = listed.closed or text.loose
    return Found(
        Mention(
            start=words.starts[first],
            end=words.ends[end - 1],
            scope=owner.scope if owner else ("bare" if closed else "unknown_name"),
            articles=keys,
            ranges=ranges,
            detail=listed.detail,
            instruments=owner.instruments if owner else (),
            name=owner.name if owner else "",
            parts=_parts_of(words, listed, transitory=transitory) if text.loose else (),
        ),
        first,
        end,
    )


def _parts_of(words: Words, listed: ArticleList, *, transitory: bool) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (f"trans-{key}" if transitory else key, kind, label)
        for key, first, end in listed.parts
        for kind, label in _said_parts(words, first, end)
    )


def _said_parts(words: Words, first: int, end: int) -> tuple[tuple[str, str], ...]:
    while first < end and words.at(first) in (
        ",",
        "y",
        "e",
        "o",
        "en",
        "de",
        "del",
        "por",
        "con",
        "su",
        "sus",
        "la",
        "el",
    ):
        first += 1
    return parts_in(words, first, end) or ()


def _with_parts_around(text: ReadyText, found: Found, before: int) -> Found:
    """Return a citation of a question with the parts said before it ("fracción II del …") and after its instrument.

    Args:
        text: The question.
        found: A citation of it.
        before: Position after the citation before this one.
    """
    words, mention = text.words, found.mention
    if not mention.articles:
        return found
    parts, details, last, end = list(mention.parts), [mention.detail], found.last, mention.end
    ahead = parts_before(words, found.first, before)
    if ahead:
        parts[:0] = [(mention.articles[0], *part) for part in _said_parts(words, *ahead)]
        details.insert(0, name_between(words, *ahead).strip(" ,."))
    after = parts_end(words, last, loose=True)
    said = _said_parts(words, last, after)
    if said:
        parts += [(mention.articles[-1], *part) for part in said]
        details.append(name_between(words, last, after).strip(" ,."))
        last, end = after, words.ends[after - 1]
    if not ahead and not said:
        return found
    mention = replace(mention, parts=tuple(parts), detail="; ".join(filter(None, details)), end=end)
    return Found(mention, found.first, last)


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
    number = article_number_at(words, k, loose=text.loose)
    if number is None or (not text.loose and _is_heading(words, i, number[1])):
        return None
    listed = articles_at(words, k, loose=text.loose, plural=words.at(i) in ("articulos", "arts"))
    if listed is None or (not text.loose and _is_heading(words, i, listed.end)):
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
    listed = articles_at(text.words, i, most=_MOST_LONE_NUMBERS, loose=text.loose)
    owner = owner_at(text, listed.end) if listed else None
    if listed is None or owner is None or owner.name == "":
        return None
    return _mention(text, i, listed, owner, transitory=False)


def _lone_number_at(text: ReadyText, i: int) -> Found | None:
    words = text.words
    if words.glued(i):
        return None
    if words.at(i - 1) not in _BEFORE_A_LONE_NUMBER:
        number = number_at(words, i) if text.loose else None
        # "reforma 123 CPEUM": nothing but an article's number stands right before an abbreviation.
        if number is None or is_plain_year(number[0]) or not _abbreviates_or_adjective(text, number[1]):
            return None
    found = _numbers_of_an_instrument(text, i)
    return found if found and found.mention.scope == "named" else None


def _abbreviates_or_adjective(text: ReadyText, i: int) -> bool:
    words = text.words
    if words.at(i) == "constitucional":
        return True
    return i in text.hits and words.at(i) not in NOUNS and is_abbreviation(words, i)


def _articles_after_name(text: ReadyText, first: int, owner: Owner) -> Found | None:
    """Return the citation of a question that says the number right after the name: "LFT 76 y 80", "CFF 29-A"."""
    words, k = text.words, owner.end
    if owner.scope != "named" or not words.at(k).isdigit() or (is_plain_year(words.at(k)) and not words.glued(k + 1)):
        return None
    listed = articles_at(words, k, most=_MOST_LONE_NUMBERS, loose=True)
    if listed is None or counts_something(words, listed.end):
        return None
    return _mention(text, first, listed, owner, transitory=False)


def _article_follows(text: ReadyText, i: int) -> bool:
    """Return whether an article that is said to be of nothing else follows at `i`: "constitución, artículo 123"."""
    words = text.words
    k = i + (words.at(i) in (",", ":", "(", "-"))
    k += words.at(k) == "en" and words.at(k + 1) in ("su", "sus")
    k += words.at(k) in ("su", "sus", "el", "los")
    found = _citation_at(text, k) if words.at(k) in _ARTICLE_WORDS else None
    return found is not None and found.mention.scope == "bare" and not found.mention.relative


def _typed_name_at(text: ReadyText, i: int) -> Found | None:
    """Return the mention of an instrument in a question, with the article that follows it at once, or None."""
    words, hit = text.words, text.hits.get(i)
    owner = owner_by_name(text, i)
    if owner is None or (words.at(i) not in NOUNS and hit is None):
        return None
    numbered = _articles_after_name(text, i, owner)
    if words.at(i) not in NOUNS:
        # In small letters, one of three may be any word, unless an article follows.
        known = len(words.at(i)) > 2 and words.at(i) not in SPANISH_SHORT_WORDS
        clear = abbreviation_counts(text, i, owned=False) or (is_abbreviation(words, i) and owner.end > i + 1)
        clear = clear or (known and (numbered is not None or _article_follows(text, owner.end)))
    elif owner.end == i + 1 and owner.scope != "named":
        clear = False
    elif owner.end == i + 1:
        clear = (words.capital(i) and words.at(i + 1) not in ("de", "del")) or _article_follows(text, owner.end)
        clear = clear or (numbered is not None and not words.is_word(numbered.last))
    elif hit and i not in text.spoken:
        clear = True
    else:
        clear = _is_clear(text, i, owner) or numbered is not None or _article_follows(text, owner.end)
    if not clear:
        return None
    return numbered or _mention(text, i, ArticleList((), (), "", owner.end), owner, transitory=False)


def _is_clear(text: ReadyText, i: int, owner: Owner) -> bool:
    """Return whether words typed after a noun name an instrument though no article is asked for.

    A capital, a word like `federal`, a year, a state or the name of another instrument say so: "ley federal de
    dragones", "constitución de 1857", "ley de aguas de Jalisco", "reglamento de la ley de dragones". "la ley del
    trabajo" is what people call any such law.
    """
    words = text.words
    within = range(i + 1, owner.end)
    told = any(words.at(k) in NOUNS or is_plain_year(words.at(k)) for k in within) or tells_whose(words, i, owner.end)
    return words.at(i) in NAMING_NOUNS and (told or unknown_end(words, i)[1])


def _name_at(text: ReadyText, i: int) -> Found | None:
    """Return the mention of an instrument, without articles, whose name begins at position `i`."""
    words, hit = text.words, text.hits.get(i)
    if words.at(i - 1) in POINTERS or (words.at(i - 1) in POINTING_BACK and words.at(i - 1) != "antes" and not hit):
        return None
    if text.loose and i not in text.norms:
        return _typed_name_at(text, i)
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


def _transitory_at(text: ReadyText, i: int) -> Found | None:
    """Return the transitory article that a question names without the word `artículo`: "segundo transitorio"."""
    words = text.words
    if words.at(i) in _TRANSITORY:
        k = i + 1 + (words.at(i + 1) in ("el", "los"))
        if words.at(k).isdigit() and len(words.at(k)) > 2:
            return None
        listed = articles_at(words, k, loose=True)
        if listed is None:
            return None
    else:
        listed = articles_at(words, i, most=_MOST_LONE_NUMBERS, loose=True)
        if listed is None or words.at(listed.end) not in _TRANSITORY:
            return None
        listed = replace(listed, end=listed.end + 1)
    return _mention(text, i, listed, owner_at(text, listed.end), transitory=True)


def _numeral_at(text: ReadyText, i: int) -> Found | None:
    """Return the article that a question calls a numeral: "numeral 19 de la LFT"."""
    plural = text.words.at(i) == "numerales"
    listed = articles_at(text.words, i + 1, most=_MOST_LONE_NUMBERS, loose=True, plural=plural)
    owner = owner_at(text, listed.end) if listed else None
    if listed is None or owner is None or owner.name == "":
        return None
    return _mention(text, i, listed, owner, transitory=False)


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


def _typed_at(text: ReadyText, i: int) -> Found | None:
    """Return a citation that only a question makes in such words, beginning at position `i`, or None."""
    words = text.words
    if words.at(i) in _TRANSITORY or words.at(i).isdigit() or words.at(i) == "unico" or ordinal_at(words, i):
        return _transitory_at(text, i)
    if words.at(i) in ("numeral", "numerales"):
        return _numeral_at(text, i)
    if words.at(i) in NOUNS and i in text.spoken:
        return _name_at(text, i)
    return None


def scan(text: ReadyText) -> Iterator[Found]:
    """Yield the citations of a text in order, each read on its own, without its neighbours."""
    last = 0
    for found in _scan(text):
        if found.first < last:
            continue  # a part said after the instrument belongs to the citation before
        yield (found := _with_parts_around(text, found, last) if text.loose else found)
        last = found.last


def _scan(text: ReadyText) -> Iterator[Found]:
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
        if found is None and text.loose:
            found = _typed_at(text, i)
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
