"""Ranking: the factors that place a hit, each named with its amount.

Every signal but the text score is a factor between a floor and a ceiling, so that none can bury the text score. They
were chosen on bench/questions/laws.jsonl and measured on questions kept apart (docs/benchmarks.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain

from forest.analyzer import stems
from forest.catalog import NodeRow
from forest.ids import work_of
from forest.kind import carries, kind_asked
from forest.question import Query, coverage, share_held
from forest.reading import Reading, read_passage
from forest.search import Hit, family_of
from forest.state import State
from forest.text import fold, sentences

_PASSPORT = "passport coverage"
_LONG_PASSAGES = 4
_PASSPORT_FLOOR = 0.6  # share of the question's words in title, scent and summary
_COVERAGE_FLOOR = 0.7  # share in passage, passport and lineage
_SENTENCE_FLOOR = 0.4  # share in the best single sentence
_KIND_FACTOR = 1.4  # a sentence about the question carries the kind of answer asked for
_DEFINES_FACTOR = 1.5
_BEGINNING_WORDS = 9
_LONGEST_TERM = 90
_ALL_BUT = 0.99
_MATTER_FACTOR = 1.4  # the question has every content word of the instrument's name
_CITED_CEILING = 0.4  # how many other instruments cite this one, on a logarithmic scale
_CITED_OFTEN = 100
_LAW_SPEAKS_CEILING = 0.4  # how many of the raw hits are of the same instrument
_OWN_CITED_CEILING = 0.1
_OWN_CITED_OFTEN = 30
_STRUCTURE_FACTOR = 0.7  # a chapter or a law as a whole tells where a rule is, not what it says
_SIDE_FACTOR = 0.5  # transitory, amending and repealed texts, unless the question asks for one
_SIDE_TAGS = frozenset(("transitorio", "reforma", "derogado"))
_ASKS_SIDE = re.compile(r"\b(?:transitori|decreto|reforma|derog|abrog|entr\w{1,6} en vigor)")
_NAME_WORDS = "ley federal general nacional código orgánica reglamentaria reglamento estatuto mexicana"


@dataclass(frozen=True, slots=True)
class Found:
    """A passage in its place.

    Attributes:
        reading: the passage, read and verified.
        tier: 0 when the question names its node; 1 when it names its instrument, or none; 2 when it names another.
        score: what it is ordered by within its tier.
        coverage: share of the question's words, weighted by rarity, that passage, passport and lineage hold; 0 to 1.
        why: (signal, amount) of everything that made the score.
    """

    reading: Reading
    tier: int
    score: float
    coverage: float
    why: tuple[tuple[str, float], ...]


class Ranking:
    """The factors of one search: what its hits share is looked up once."""

    def __init__(self, state: State, query: Query, tier: int, rows: Collection[NodeRow]) -> None:
        self._state, self._query, self._tier = state, query, tier
        self._kind = kind_asked(query.text)
        self._asked = {*stems(query.text), *chain.from_iterable(query.widened.values())}
        self._asks_side = bool(_ASKS_SIDE.search(fold(query.text)))
        ids = {work_of(row.id) for row in rows}
        families = {family_of(node_id) for node_id in ids}
        self._standing = state.catalog.standing(ids | families)
        self._of_the_matter = {family for family in families if self._has_the_name(family)}
        counts = Counter(family_of(row.id) for row in rows)
        most = max(counts.values(), default=1)
        self._speaks = {family: count / most for family, count in counts.items()}
        self._lineages: dict[str, tuple[NodeRow, ...]] = {}

    def by_catalog(self, node: NodeRow, hit: Hit) -> list[tuple[str, float]]:
        """Return the factors that need no reading, the text score first."""
        passport = share_held(self._query, node.stems.split())
        _, elsewhere = self._standing.get(family_of(node.id), (0, 0))
        own, _ = self._standing.get(work_of(node.id), (0, 0))
        why = [
            ("bm25", hit.score),
            (_PASSPORT, _bounded(_PASSPORT_FLOOR, passport)),
            ("law cited by others", 1 + _CITED_CEILING * _logarithmic(elsewhere, _CITED_OFTEN)),
            ("text cited by others", 1 + _OWN_CITED_CEILING * _logarithmic(own, _OWN_CITED_OFTEN)),
        ]
        why.append(("law that speaks of it", 1 + _LAW_SPEAKS_CEILING * self._speaks[family_of(node.id)]))
        if family_of(node.id) in self._of_the_matter:
            why.append(("law named by its matter", _MATTER_FACTOR))
        if self._kind == "definition" and self._defines(node.summary):
            why.append(("begins by defining it", _DEFINES_FACTOR))
        if node.kind in ("topic", "instrument"):
            why.append(("structure", _STRUCTURE_FACTOR))
        if not self._asks_side and ((node.kind == "publication" and "/" in node.id) or _SIDE_TAGS & set(node.tags)):
            why.append(("transitory, amending or repealed", _SIDE_FACTOR))
        return why

    def by_reading(self, node: NodeRow, hit: Hit, why: list[tuple[str, float]]) -> Found:
        """Read the passage and add the factors of its words."""
        reading = read_passage(self._state, node, hit.ordinal)
        units = [reading.text[start:end] for start, end in sentences(reading.text)]
        tokens = [stems(unit) for unit in units]
        shares = [share_held(self._query, unit_tokens) for unit_tokens in tokens]
        best = max(shares, default=0.0)
        around = stems(" ".join((*node.tags, *(above.title for above in self._lineage(node)))))
        covered = share_held(self._query, chain(node.stems.split(), around, *tokens))
        passport = share_held(self._query, node.stems.split())
        if best > passport and self._state.catalog.count_passages(node) >= _LONG_PASSAGES:
            # A long text's passport cannot speak of all of it; its best sentence then stands in for it.
            why = [(name, amount) for name, amount in why if name != _PASSPORT]
            why.append((f"{_PASSPORT} of a long text", _bounded(_PASSPORT_FLOOR, best)))
        why = [
            *why,
            ("coverage", _bounded(_COVERAGE_FLOOR, covered)),
            ("coverage of one sentence", _bounded(_SENTENCE_FLOOR, best)),
        ]
        if self._kind != "any" and any(
            share >= best / 2 and carries(self._kind, unit) for share, unit in zip(shares, units, strict=True)
        ):
            why.append((f"carries the kind asked: {self._kind}", _KIND_FACTOR))
        if self._kind == "definition" and any(is_entry(self._query, unit) for unit in units):
            why.append(("has an entry for it", _DEFINES_FACTOR))
        return Found(reading, self._tier, math.prod(amount for _, amount in why), covered, tuple(why))

    def _defines(self, summary: str) -> bool:
        beginning = " ".join(summary.split()[:_BEGINNING_WORDS])
        return carries("definition", summary) and coverage(self._query, (beginning,)) > _ALL_BUT

    def _lineage(self, node: NodeRow) -> tuple[NodeRow, ...]:
        folder = node.path.rpartition("/")[0]
        if folder not in self._lineages:
            self._lineages[folder] = self._state.catalog.ancestors(node)[:-1]
        return self._lineages[folder]

    def _has_the_name(self, family: str) -> bool:
        """Tell whether the question has every content word of an instrument's name."""
        law = self._state.catalog.find(family)
        if law is None or law.kind != "instrument":
            return False
        words = set(stems(law.title)) - set(stems(_NAME_WORDS))
        return bool(words) and words <= self._asked


def is_entry(query: Query, unit: str) -> bool:
    """Tell whether a sentence is an entry of a list of terms (`XV. Producto orgánico: ...`) for what is asked."""
    term, colon, _ = unit[:_LONGEST_TERM].partition(":")
    return bool(colon) and coverage(query, (term,)) > _ALL_BUT


def _logarithmic(count: int, often: int) -> float:
    return min(1.0, math.log1p(count) / math.log1p(often))


def _bounded(floor: float, share: float) -> float:
    return floor + (1 - floor) * share
