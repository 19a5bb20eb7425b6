"""Ranking: the factors that place a passage, each named with its amount.

The text score is BM25 times how much of the question passage, passport and best sentence hold; every signal beside it
is a factor between a floor and a ceiling, so that none can bury the text. All of them depend on passage, question and
forest alone, never on what else was found or on what a search was confined to: a filtered search gives the complete
ranking, filtered. The amounts were chosen on bench/questions/laws.jsonl and measured apart (docs/benchmarks.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache

from forest.analyzer import stems
from forest.bodies import Body, bodies_in
from forest.catalog import NodeRow
from forest.ids import work_of
from forest.kind import MARKS, carries, kind_asked
from forest.question import Query, alike, begins_like, coverage
from forest.reading import Reading
from forest.search import Proposal, family_of
from forest.state import State
from forest.text import fold
from forest.traits import LONGEST_TERM, read_traits

Why = tuple[tuple[str, float], ...]

# What belongs to the text score: the factor of a passage that holds none of the question's words.
_TEXT_FLOORS = {
    "passport coverage": 0.6,  # share of the question's words in title, scent and summary
    "coverage": 0.7,  # share in passage, passport and lineage
    "coverage of one sentence": 0.6,  # share in the best single sentence
}
LEAST, MOST = 0.5, 4.0
_KIND_FACTOR = 1.4  # a sentence about the question carries the kind of answer asked for
_DEFINES_FACTOR = 1.5
_BEGINNING_WORDS = 9
_ALL_BUT = 0.99
_MATTER_FACTOR = 1.4  # the question has every content word of the instrument's name
_CITED_CEILING = 0.4  # how many other instruments cite this one, on a logarithmic scale
_CITED_OFTEN = 100
_LAW_SPEAKS_CEILING = 0.4  # how many of the first raw hits, over the whole forest, are of the same instrument
_FIRST_RAW = 120
_MIDDLE = 1.2
_OF_LAWS = ("law cited by others", "law that speaks of it")
_OWN_CITED_CEILING = 0.1
_OWN_CITED_OFTEN = 30
_STRUCTURE_FACTOR = 0.7  # a chapter or a law as a whole tells where a rule is, not what it says
_SIDE_FACTOR = 0.5  # transitory, amending and repealed texts, unless the question asks for one
_INSTRUMENT_FACTOR = 1.6  # the question names the instrument, in full or by an abbreviation
_ISSUER_FACTOR = 1.4  # a body that the question names issued the document
_BODY_IN_TITLE_FACTOR = 1.3  # or its title names it
_DAY_FACTOR = 1.5  # the gazette printed the document on the day or in the month that the question names, or soon after
_SOON_AFTER_A_DAY, _SOON_AFTER_A_MONTH = timedelta(days=4), timedelta(days=45)
_A_DAY, _A_MONTH = timedelta(days=1), timedelta(days=31)
_ACT_FACTOR = 1.15  # the document is of the kind of act that the question names
_RECENT_CEILING = 0.5  # when recent texts are preferred: of today's gazette; half of that for each five years
_RECENT_HALF_YEARS = 5.0
_DAYS_OF_A_YEAR = 365.25
_SIDE_TAGS = frozenset(("transitorio", "reforma", "derogado"))
_ASKS_SIDE = re.compile(r"\b(?:transitori|decreto|reforma|derog|abrog|entr\w{1,6} en vigor)")
_NAME_WORDS = "ley federal general nacional código orgánica reglamentaria reglamento estatuto mexicana"
_ACT = re.compile(
    r"\b(acuerdo|aviso|bando|calendario|circular|codigo|convenio|convocatoria|decreto|edicto|estatuto|extracto|ley|"
    r"lineamiento|listado|lista|manual|nom|norma|oficio|plan|programa|proyecto|regla|reglamento|resolucion|respuesta|"
    r"tarifa|tasa)(?:e?s)?\b"
)

# What can be left out to see what it is worth: names of signals, as `why` tells them.
SIGNALS = (
    "passport coverage",
    "coverage",
    "coverage of one sentence",
    "carries the kind asked",
    "defines it",
    "law cited by others",
    "text cited by others",
    "law that speaks of it",
    "law named by its matter",
    "instrument named",
    "institution named",
    "day named",
    "kind of act named",
    "structure",
    "transitory, amending or repealed",
    "recent",
    "vocabulary",
    "identifiers",
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in its place, not read yet.

    Attributes:
        node: whose it is.
        ordinal: its place in the node.
        tier: 0 when the question names its node; 1 when it names its instrument, or none; 2 when it names another.
        score: what it is ordered by within its tier: the product of the amounts in `why`.
        coverage: share of the question's words, weighted by rarity, that passage, passport and lineage hold; 0 to 1.
        why: (signal, amount) of everything that made the score, the text score first.
    """

    node: NodeRow
    ordinal: int
    tier: int
    score: float
    coverage: float
    why: Why

    @property
    def order(self) -> tuple[int, float, int, int]:
        """What ranked passages are sorted by; ties go to the lower id."""
        return self.tier, -self.score, self.node.num, self.ordinal


@dataclass(frozen=True, slots=True)
class Found:
    """A passage in its place, read and verified; its other attributes are those of `Ranked`."""

    reading: Reading
    tier: int
    score: float
    coverage: float
    why: Why


class Ranking:
    """The factors of one question in one forest as of one day."""

    def __init__(
        self,
        state: State,
        query: Query,
        *,
        without: frozenset[str] = frozenset(),
        recent_before: date | None = None,
        first_raw: Callable[[int], Iterable[int]],
    ) -> None:
        """Look up once what the factors of a question share.

        Args:
            state: of the forest, as of the question's day.
            query: what is asked.
            without: names of `SIGNALS` that do not count.
            recent_before: prefer recent texts, counted back from this day; None leaves age alone.
            first_raw: gives the numbers of the nodes of the first raw hits for the question over the whole forest.
        """
        self._state, self._query, self._without = state, query, without
        self._kind = kind_asked(query.text)
        folded = fold(query.text)
        self._asks_side = bool(_ASKS_SIDE.search(folded))
        self._asked = {*stems(query.text), *(stem for meant in query.widened.values() for stem in meant)}
        self._total = sum(query.weights.values())
        self._held_by: dict[str, frozenset[str]] = {}
        self._bodies: tuple[Body, ...] = bodies_in(state, query.text) if "institution named" not in without else ()
        self._acts = frozenset(match[1] for match in _ACT.finditer(folded))
        self._recent_before = recent_before
        self._standing: dict[str, tuple[int, int]] = {}
        self._families: dict[str, Why] = {}
        self._laws: dict[str, bool] = {}
        widened = query.widened
        told = ((word, (word, *widened.get(word, ()))) for word in query.weights)
        self._told = tuple((word, tuple(map(begins_like, same))) for word, same in told)
        self._speaks = self._shares(first_raw) if "law that speaks of it" not in without else {}

    @cached_property
    def most(self) -> float:
        """The most by which any passage's factors can multiply its BM25 score."""
        families = {*self._speaks, *map(family_of, self._query.named.instruments)}
        self._look_up(families)
        known = (_product(self._of_family(family)) for family in families)
        ceilings = [
            max(1 + _CITED_CEILING, *known) if families else 1 + _CITED_CEILING,
            1 + _OWN_CITED_CEILING,
            _ISSUER_FACTOR if self._bodies else 1.0,
            _ACT_FACTOR if self._acts else 1.0,
            _DAY_FACTOR if self._query.clock.source == "question" else 1.0,
            1 + _RECENT_CEILING if self._recent_before else 1.0,
        ]
        return self.most_with(math.prod(ceilings), 1.0)

    def most_with(self, by_catalog: float, covered: float) -> float:
        """Return the most by which a passage's factors can multiply its BM25 score.

        Args:
            by_catalog: the product of what `by_catalog` gave.
            covered: what `covered` gave.
        """
        counted = (floor for name, floor in _TEXT_FLOORS.items() if name not in self._without)
        lifts = {"any": 1.0, "definition": _KIND_FACTOR * _DEFINES_FACTOR**2}.get(self._kind, _KIND_FACTOR)
        return math.prod(_bounded(floor, covered) for floor in counted) * _clamped(by_catalog * lifts)

    def place(self, text_score: float, by_catalog: Why, by_text: Why) -> tuple[float, Why]:
        """Return the score of a passage, and everything that made it.

        The signals beside the text count between `LEAST` and `MOST` in all: of two passages the one whose text score is
        more than `MOST / LEAST` times the other's stays above it, whatever else speaks for the other.
        """
        signals = _product((*by_catalog, *(one for one in by_text if one[0] not in _TEXT_FLOORS)))
        limit = (("limit of signals", _clamped(signals) / signals),) if signals != _clamped(signals) else ()
        why = (("bm25", text_score), *by_catalog, *by_text, *limit)
        return _product(why), why

    def learn(self, rows: Iterable[NodeRow]) -> None:
        """Look up at once what `by_catalog` asks of some nodes."""
        ids = {work_of(row.id) for row in rows}
        self._look_up(ids | {family_of(node_id) for node_id in ids})

    def _look_up(self, ids: set[str]) -> None:
        new = ids - self._standing.keys()
        if new:
            self._standing |= dict.fromkeys(new, (0, 0)) | self._state.catalog.standing(new)

    def by_catalog(self, node: NodeRow, document: NodeRow) -> Why:
        """Return the factors that a node has by what the catalog knows of it and of its document."""
        own, _ = self._standing.get(work_of(node.id), (0, 0))
        why = [*self._of_family(family_of(node.id))]
        if document.kind == "publication" and document.id == family_of(node.id):
            # Nothing cites a notice, and nothing else in it speaks: what is no sign against it counts as the middle.
            why = [(name, max(amount, _MIDDLE)) if name in _OF_LAWS else (name, amount) for name, amount in why]
            why += [(name, _MIDDLE) for name in _OF_LAWS if name not in dict(why)]
        why.append(("text cited by others", 1 + _OWN_CITED_CEILING * _logarithmic(own, _OWN_CITED_OFTEN)))
        if (amount := self._by_body(document)) > 1:
            why.append(("institution named", amount))
        if self._is_of_the_day(document):
            why.append(("day named", _DAY_FACTOR))
        if self._acts and self._is_act(document):
            why.append(("kind of act named", _ACT_FACTOR))
        if self._recent_before is not None:
            why.append(("recent", 1 + _RECENT_CEILING * _recency(document.published, self._recent_before)))
        if self._kind == "definition" and self._defines(node.summary):
            why.append(("defines it", _DEFINES_FACTOR))
        if node.kind in ("topic", "instrument"):
            why.append(("structure", _STRUCTURE_FACTOR))
        if not self._asks_side and (_SIDE_TAGS & set(node.tags) or self._is_of_a_law(node)):
            why.append(("transitory, amending or repealed", _SIDE_FACTOR))
        return tuple((name, amount) for name, amount in why if name not in self._without)

    def _of_family(self, family: str) -> Why:
        """Return the factors that all of one instrument share."""
        found = self._families.get(family)
        if found is None:
            _, elsewhere = self._standing.get(family, (0, 0))
            why = [("law cited by others", 1 + _CITED_CEILING * _logarithmic(elsewhere, _CITED_OFTEN))]
            if family in self._speaks:
                why.append(("law that speaks of it", 1 + _LAW_SPEAKS_CEILING * self._speaks[family]))
                if self._has_the_name(family):
                    why.append(("law named by its matter", _MATTER_FACTOR))
            if family in self._query.named.instruments:
                why.append(("instrument named", _INSTRUMENT_FACTOR))
            found = self._families[family] = tuple((name, amount) for name, amount in why if name not in self._without)
        return found

    def covered(self, node: NodeRow, proposal: Proposal) -> float:
        """Return the share of the question's words that passage, passport and lineage hold; 0 to 1."""
        if not self._total:
            return 1.0
        text = f" {node.stems} {proposal.text('lineage')} {proposal.text('tags')} {proposal.text('body')} "
        held = (word for word, told in self._told if any(one in text for one in told))
        return math.fsum(self._query.weights[word] for word in held) / self._total

    def by_text(self, node: NodeRow, proposal: Proposal, covered: float) -> Why:
        """Return the factors that a passage has by its words."""
        body = proposal.text("body").split()
        traits = list(read_traits(proposal.traits))
        shares = [self._share(body[trait.start : trait.end]) for trait in traits]
        best = max(shares, default=0.0)
        passport = self._share(node.stems.split())
        # A text's passport cannot speak of all of it; its best sentence then stands in for it.
        why = [
            (name, _bounded(floor, share))
            for (name, floor), share in zip(_TEXT_FLOORS.items(), (max(passport, best), covered, best), strict=True)
        ]
        mark = MARKS.get(self._kind, "")
        if mark and any(mark in trait.marks and share >= best / 2 for trait, share in zip(traits, shares, strict=True)):
            why.append(("carries the kind asked", _KIND_FACTOR))
        if self._kind == "definition" and any(
            self._share(body[trait.start : trait.term_end]) > _ALL_BUT
            for trait in traits
            if trait.term_end > trait.start
        ):
            why.append(("defines it", _DEFINES_FACTOR))
        return tuple((name, amount) for name, amount in why if name not in self._without)

    def _share(self, tokens: Sequence[str]) -> float:
        """Return what `forest.question.share_held` gives, remembering which words each token stands for."""
        if not self._total:
            return 1.0
        held: set[str] = set()
        for token in tokens:
            found = self._held_by.get(token)
            if found is None:
                found = self._held_by[token] = self._words_of(token)
            if found:
                held |= found
        return math.fsum(self._query.weights[word] for word in held) / self._total

    def _words_of(self, token: str) -> frozenset[str]:
        widened = self._query.widened
        told = ((word, (word, *widened.get(word, ()))) for word in self._query.weights)
        return frozenset(word for word, same in told if any(alike(one, token) for one in same))

    def _shares(self, first_raw: Callable[[int], Iterable[int]]) -> Mapping[str, float]:
        """Return for each family how many of the first raw hits are of it, as a share of the most."""
        rows = self._state.catalog.by_numbers(set(numbers := list(first_raw(_FIRST_RAW))))
        counts = Counter(family_of(rows[num].id) for num in numbers if num in rows)
        most = max(counts.values(), default=1)
        return {family: count / most for family, count in counts.items()}

    def _is_of_the_day(self, document: NodeRow) -> bool:
        """Tell whether a publication was printed on the day or in the month that a question names, or soon after."""
        clock = self._query.clock
        length = clock.end - clock.start
        if (
            clock.source != "question"
            or length > _A_MONTH
            or document.published is None
            or document.kind != "publication"
        ):
            return False
        soon = _SOON_AFTER_A_DAY if length == _A_DAY else _SOON_AFTER_A_MONTH
        return clock.start <= document.published < clock.end + soon

    def _is_of_a_law(self, node: NodeRow) -> bool:
        """Tell whether a publication is one of those that made an instrument what it is."""
        family = family_of(node.id)
        if node.kind != "publication" or family == node.id:
            return False
        if family not in self._laws:
            found = self._state.catalog.find(family)
            self._laws[family] = found is not None and found.kind == "instrument"
        return self._laws[family]

    def _by_body(self, document: NodeRow) -> float:
        """Return what it is worth that a body which the question names issued a document, or stands in its title."""
        if any(body.id and body.id in document.issuers for body in self._bodies):
            return _ISSUER_FACTOR
        title = set(stems(document.title)) if self._bodies else set()
        return _BODY_IN_TITLE_FACTOR if any(set(body.stems) <= title for body in self._bodies) else 1.0

    def _is_act(self, document: NodeRow) -> bool:
        """Tell whether a document's title begins with a kind of act that the question names, or a tag says so."""
        first = _ACT.match(fold(document.title))
        return (first is not None and first[1] in self._acts) or not self._acts.isdisjoint(document.tags)

    def _defines(self, summary: str) -> bool:
        beginning = " ".join(summary.split()[:_BEGINNING_WORDS])
        return carries("definition", summary) and coverage(self._query, (beginning,)) > _ALL_BUT

    def _has_the_name(self, family: str) -> bool:
        """Tell whether the question has every content word of an instrument's name."""
        law = self._state.catalog.find(family)
        words = set(stems(law.title)) - _name_stems() if law is not None and law.kind == "instrument" else set()
        return bool(words) and words <= self._asked


def is_entry(query: Query, unit: str) -> bool:
    """Tell whether a sentence is an entry of a list of terms (`XV. Producto orgánico: ...`) for what is asked."""
    term, colon, _ = unit[:LONGEST_TERM].partition(":")
    return bool(colon) and coverage(query, (term,)) > _ALL_BUT


@lru_cache(maxsize=1)
def _name_stems() -> frozenset[str]:
    return frozenset(stems(_NAME_WORDS))


def _recency(published: date | None, today: date) -> float:
    """Return 1 for a text of today, half of it for each `_RECENT_HALF_YEARS` of age; 0 for one without a day."""
    if published is None:
        return 0.0
    years = max((today - published).days, 0) / _DAYS_OF_A_YEAR
    return math.pow(2.0, -years / _RECENT_HALF_YEARS)


def _product(why: Iterable[tuple[str, float]]) -> float:
    return math.prod(amount for _, amount in why)


def _clamped(signals: float) -> float:
    return min(max(signals, LEAST), MOST)


def _logarithmic(count: int, often: int) -> float:
    return min(1.0, math.log1p(count) / math.log1p(often))


def _bounded(floor: float, share: float) -> float:
    return floor + (1 - floor) * share
