"""One grammar of the citations that Mexican legal texts and questions make, in Spanish: its front door.

Owns the two questions that can be asked of it: what a legal text cites, and what a question names. The grammar itself
is in `forest.legal_numbers` (article numbers), `legal_parts` (lists, fractions), `legal_names` (names, the register),
`legal_owner` (of which instrument), `legal_reading` (whole citations) and `legal_context` (their neighbours); turning
a mention into an edge is the curator's.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from forest.days import MONTHS
from forest.legal_context import in_context
from forest.legal_names import (
    CONSTITUTION,
    NOUNS,
    BeginningsRegister,
    NameRegister,
    Register,
    aliases_of,
    former_names,
    norm_codes,
)
from forest.legal_numbers import article_key, fold
from forest.legal_owner import Scope, prepare
from forest.legal_reading import Mention, scan

__all__ = [
    "CONSTITUTION",
    "BeginningsRegister",
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


def _citations(text: str, register: Register, *, loose: bool) -> tuple[Mention, ...]:
    ready = prepare(text, register, loose=loose)
    return tuple(item.mention for item in in_context(ready.words, list(scan(ready)), loose=loose))


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
        parts: (instrument id, article key, kind, label) of each part that the question names of an article that
            exists; kind is fraccion, inciso, apartado, parrafo or numeral, label "XL", "II-bis", "z", "D", "10".
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
    parts: tuple[tuple[str, str, str, str], ...] = ()

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where in the question instruments are named: dates inside them are part of the name."""
        return tuple((mention.start, mention.end) for mention in self.mentions if mention.name)


_GAZETTE_DATE = re.compile(
    r"\b(?:d\.?o\.?f\b\.?|diario oficial(?: de la federaci[oó]n)?)[^\d\n]{0,24}"
    r"(?P<day>\d{1,2})(?:[-/.]| de )(?P<month>\d{1,2}|[a-z]{4,10})(?:[-/.]| del? )(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_WIDEST_RANGE = 30
_RANGE_END = re.compile(r"(\d{1,6})(?:-([a-z]))?")


def _gazette_dates(text: str) -> Iterator[str]:
    for match in _GAZETTE_DATE.finditer(text):
        month = match["month"].casefold()
        number = int(month) if month.isdigit() else MONTHS.index(month) + 1 if month in MONTHS else 0
        try:
            yield datetime.date(int(match["year"]), number, int(match["day"])).isoformat()
        except ValueError:
            continue


def keys_between(low: str, high: str) -> tuple[str, ...] | None:
    """Return the article keys between the ends of a range, None where they are too many or cannot be told.

    Examples:
        >>> keys_between("5", "8"), keys_between("153-a", "153-d"), keys_between("1", "900")
        (('6', '7'), ('153-b', '153-c'), None)
    """
    first, last = _RANGE_END.fullmatch(low), _RANGE_END.fullmatch(high)
    if first is None or last is None:
        return None
    if not first[2] and not last[2]:
        begin, end = int(low), int(high)
        return tuple(map(str, range(begin + 1, end))) if 0 < end - begin <= _WIDEST_RANGE else None
    if first[1] != last[1] or not last[2] or (first[2] or "") >= last[2]:
        return None
    after = ord(first[2]) + 1 if first[2] else ord("a")
    return tuple(f"{first[1]}-{chr(letter)}" for letter in range(after, ord(last[2])))


def _with_ranges(mention: Mention) -> Iterator[str]:
    """Yield the mention's keys and, in their place, those between the ends of its ranges."""
    ends = dict(mention.ranges)
    for key in mention.articles:
        yield key
        yield from (keys_between(key, ends[key]) or ()) if key in ends else ()


def _adopted(mention: Mention, owners: dict[str, str]) -> Mention:
    """Return an article of no instrument as one of the only instrument that the question names.

    Args:
        mention: Any of the question's.
        owners: The instruments that the question names, each with its name as written; empty unless all are known.
    """
    unowned = mention.scope in ("bare", "this") or mention.points_back
    if len(owners) != 1 or not unowned or not mention.articles:
        return mention
    ((instrument, name),) = owners.items()
    if norm_codes(name):
        return mention  # a norm has numerals
    noun = next((word for word in fold(mention.name).split() if word in NOUNS), "")
    # "la LFT y el artículo 5 del reglamento": of another instrument, which is not named.
    if noun and noun != "norma" and noun[0] != fold(name)[:1]:
        return mention
    return replace(mention, scope="named", instruments=(instrument,), name="")


def identifiers(question: str, register: Register) -> Named:
    """Return which instruments and articles a question names, and what of it cannot be found.

    Args:
        question: Words of a person: accents and capitals may be missing, abbreviations may be in small letters.
        register: Asked once for names, and once for each article.

    Returns:
        What is named. "¿qué dice la ley sobre vacaciones?" names nothing; "ley federal de dragones" names an unknown
        instrument, and so does "Ley Federal del Trabajo de 1931"; "artículo 76" alone is bare, unless the question
        names one instrument and no other. Transitory articles are in `mentions` only. A name that lacks a qualifier
        ("ley de protección al consumidor" for the federal one) or its end is that of all instruments that it fits.
    """
    mentions = _citations(question, register, loose=True)
    owners = {mention.instruments[0]: mention.name for mention in mentions if len(mention.instruments) == 1}
    if not any(len(mention.instruments) > 1 or _names_unknown(mention) for mention in mentions):
        mentions = tuple(_adopted(mention, owners) for mention in mentions)
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
        elif _names_unknown(mention):
            unknown.append(mention.name)
        elif not mention.transitory:
            bare.extend(mention.articles)
    said = [
        (mention.instruments[0], *part)
        for mention in mentions
        if len(mention.instruments) == 1
        for part in mention.parts
    ]
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
        parts=tuple(dict.fromkeys(part for part in said if articles.get(part[:2]))),
    )


def _names_unknown(mention: Mention) -> bool:
    return mention.scope == "unknown_name" and bool(mention.name) and not mention.points_back
