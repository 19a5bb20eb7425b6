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
from forest.legal_names import CONSTITUTION, NOUNS, NameRegister, Register, aliases_of, former_names, norm_codes
from forest.legal_numbers import article_key, fold
from forest.legal_owner import Scope, prepare
from forest.legal_reading import Mention, scan

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


def _citations(text: str, register: Register, *, loose: bool) -> tuple[Mention, ...]:
    ready = prepare(text, register, loose=loose)
    return tuple(item.mention for item in in_context(ready.words, list(scan(ready))))


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


def _gazette_dates(text: str) -> Iterator[str]:
    for match in _GAZETTE_DATE.finditer(text):
        month = match["month"].casefold()
        number = int(month) if month.isdigit() else MONTHS.index(month) + 1 if month in MONTHS else 0
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


# What people leave out of a name when they ask: "ley de protección al consumidor", "código civil".
_LEFT_OUT = ("federal", "general", "nacional", "organica")


_WORDS_OF_A_NAME = 14
_SPOKEN = re.compile(r"[^\s,;:?!¿¡.()«»\"]+")


def _completed(mention: Mention, question: str, register: Register) -> Mention:
    """Return a mention of an unknown name as one of the only instrument whose name has just one qualifier more.

    The name is read on from its noun, the longest reading first: typed in small letters, it has no visible end.
    """
    if mention.scope != "unknown_name" or fold(mention.name).partition(" ")[0] not in NOUNS:
        return mention
    start = mention.end - len(mention.name)
    ends = [match.end() for match in _SPOKEN.finditer(question, start, start + 200)][:_WORDS_OF_A_NAME]
    readings = {end: _with_qualifiers(fold(question[start:end])) for end in reversed(ends[1:])}
    known = register.names([name for names in readings.values() for name in names])
    for end, names in readings.items():
        bearers = {bearer for name in names for bearer in known.get(name, ())}
        if bearers:
            unique = len(bearers) == 1 and end >= mention.end
            return replace(mention, scope="named", instruments=tuple(bearers), end=end) if unique else mention
    return mention


def _with_qualifiers(name: str) -> tuple[str, ...]:
    noun, _, rest = name.partition(" ")
    return tuple(f"{noun} {word} {rest}" for word in _LEFT_OUT) + tuple(f"{noun} {rest} {word}" for word in _LEFT_OUT)


def identifiers(question: str, register: Register) -> Named:
    """Return which instruments and articles a question names, and what of it cannot be found.

    Args:
        question: Words of a person: accents and capitals may be missing, abbreviations may be in small letters.
        register: Asked once for names, and once for each article.

    Returns:
        What is named. "¿qué dice la ley sobre vacaciones?" names nothing; "ley federal de dragones" names an unknown
        instrument; "artículo 76" alone is bare. Transitory articles are in `mentions` only. A name that lacks one
        qualifier of a single instrument's ("ley de protección al consumidor" for the federal one) is that instrument.
    """
    mentions = tuple(_completed(mention, question, register) for mention in _citations(question, register, loose=True))
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
