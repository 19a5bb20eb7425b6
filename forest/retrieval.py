"""Finding passages: what the question names first, then BM25, each hit with the reasons for its place.

Owns the order of hits. What a question names is read by `forest.legal`, raw scores come from `forest.search`, and which
words of a hit answer is `forest.oneshot`'s to say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from forest.analyzer import question_stems, stems
from forest.catalog import NodeRow
from forest.days import days_in
from forest.edge import BUILT_IN
from forest.ids import work_of
from forest.kind import carries, kind_asked
from forest.legal import Named, identifiers
from forest.legal_numbers import fold
from forest.reading import Reading, read_passage
from forest.search import Hit, Window, family_of
from forest.state import State
from forest.text import fold as plain
from forest.text import sentences
from forest.validity import Clock, Verdict, reads_so, version_in_force
from forest.vocabulary import widen

# How many raw hits are ranked by what the catalog knows of them, and how many of those are read and ranked again.
_POOL = 120
_READ = 40

# Every signal but the text score is a factor between a floor and a ceiling, so that none can bury the text score.
# Chosen on bench/questions/laws.jsonl, measured on laws-held-out.jsonl (docs/benchmarks.md).
_PASSPORT_FLOOR = 0.6  # share of the question's words in title, scent and summary
_COVERAGE_FLOOR = 0.7  # share in passage, passport and lineage
_SENTENCE_FLOOR = 0.4  # share in the best single sentence
_KIND_FACTOR = 1.4  # a sentence about the question carries the kind of answer asked for
_DEFINES_FACTOR = 1.5
_BEGINNING_WORDS = 9
_ALL_BUT = 0.99
_MATTER_FACTOR = 1.4  # the question has every content word of the instrument's name
_CITED_CEILING = 0.4  # how often other instruments cite this one, on a logarithmic scale
_CITED_OFTEN = 300
_OWN_CITED_CEILING = 0.1
_OWN_CITED_OFTEN = 30
_STRUCTURE_FACTOR = 0.7  # a chapter or a law as a whole tells where a rule is, not what it says
_SIDE_FACTOR = 0.5  # transitory, amending and repealed texts, unless the question asks for one
_SIDE_TAGS = frozenset(("transitorio", "reforma", "derogado"))
_ASKS_SIDE = re.compile(r"\b(?:transitori|decreto|reforma|derog|abrog|entr\w{1,6} en vigor)")
_NAME_WORDS = "ley federal general nacional código orgánica reglamentaria reglamento estatuto mexicana"
_ALIKE = 5
_YEAR_LENGTH = len("2026")
_WIDENED_WEIGHT = 0.6


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


@dataclass(frozen=True, slots=True)
class Query:
    """A question made ready for search.

    Attributes:
        text: as asked.
        named: instruments and articles that it names.
        stems: its other words, each once, in order: what the answer is about.
        widened: for some of its stems, others that count as the same (`forest.vocabulary`).
        weights: rarity of each stem in this forest, `log(1 + N / (1 + df))`; words that name a relation have none.
        clock: the days it is about.
    """

    text: str
    named: Named
    stems: tuple[str, ...]
    widened: dict[str, tuple[str, ...]]
    weights: dict[str, float]
    clock: Clock


def read_question(state: State, question: str, clock: Clock, named: Named | None = None) -> Query:
    """Make a question ready: what it names, and the words that are left."""
    named = named if named is not None else identifiers(question, state.catalog)
    spans = [(m.start, m.end) for m in named.mentions if m.instruments or m.articles]
    if named.articles or clock.span[1] - clock.span[0] > _YEAR_LENGTH:
        # A day or a month only sets the clock; texts that are about a year often say it, so a year is searched too.
        spans.append(clock.span)
    rest = _without(question, spans)
    words = question_stems(rest)
    widened = {stem: entry.meant for entry in widen(rest) for stem in entry.stems if stem in words}
    counted = [word for word in words if word not in _relation_stems()]
    weights = {word: _rarity(state, (word, *widened.get(word, ()))) for word in counted}
    return Query(question, named, words, widened, weights, clock)


def _rarity(state: State, stems_of_one_word: Collection[str]) -> float:
    """Return how telling a word is: `log(1 + N / (1 + df))`, the law's word for it standing in for an everyday one."""
    size, counts = state.index.size, [state.index.frequency(stem) for stem in stems_of_one_word]
    return math.log(1 + size / (1 + max(counts)))


def window_of(clock: Clock) -> Window:
    """Return the days that a clock confines a search to."""
    return Window(clock.as_of, clock.start, clock.end)


def search_passages(state: State, query: Query, limit: int, read: int = _READ) -> tuple[Found, ...]:
    """Return the best passages for a question, best first.

    Args:
        state: of the forest.
        query: from `read_question`.
        limit: how many at most.
        read: how many hits are read to be ranked by their words: more finds better, fewer is faster.

    Returns:
        Passages of the nodes that the question names, then those of the instruments that it names, then others, each by
        score; ties go to the lower id. Texts outside the clock's window are not among them.
    """
    nodes = [node for node in nodes_of_names(state, query) if held_then(node, query.clock)]
    found = [passage for node in nodes for passage in _named_passages(state, node, query)]
    if query.named.instruments and query.stems:
        found += _scored(state, query, 1, query.named.instruments, read)
    found += _scored(state, query, 2 if query.named.instruments else 1, (), read)
    first: dict[str, Found] = {}
    for passage in found:
        first.setdefault(passage.reading.passage.id, passage)
    return tuple(first.values())[:limit]


def _scored(state: State, query: Query, tier: int, families: tuple[str, ...], read: int) -> list[Found]:
    hits = state.index.search(_tokens(query), _POOL, window_of(query.clock), families)
    rows = state.catalog.by_numbers(hit.node for hit in hits)
    ranking = _Ranking(state, query, tier, rows.values())
    known = [(ranking.by_catalog(rows[hit.node], hit), hit) for hit in hits if hit.node in rows]
    known.sort(key=lambda pair: (-math.prod(amount for _, amount in pair[0]), pair[1].node, pair[1].ordinal))
    found = [ranking.by_reading(rows[hit.node], hit, why) for why, hit in known[:read]]
    return sorted(found, key=lambda f: (-f.score, f.reading.node.num, f.reading.passage.ordinal))


def _tokens(query: Query) -> list[tuple[str, float]]:
    """Return the tokens to search for: the question's own in full, those it is widened by in part."""
    words = query.stems or question_stems(query.text)
    others = dict.fromkeys(meant for group in query.widened.values() for meant in group if meant not in words)
    return [*((word, 1.0) for word in words), *((word, _WIDENED_WEIGHT) for word in others)]


def nodes_of_names(state: State, query: Query) -> tuple[NodeRow, ...]:
    """Return the nodes of the articles and norms that a question names, as they read on its days.

    A work with versions is replaced by those in force; when none is known to be, the work itself stands for it. An
    instrument named alone, with nothing asked of it, is meant itself.
    """
    ids = [f"{instrument}/art-{key}" for instrument, key in query.named.articles]
    for transitories in transitory_articles(state, query).values():
        ids += [node.id for node in transitories] if len(transitories) == 1 else []
    borne = state.catalog.bearers([fold(code) for code in query.named.norms])
    ids += [node_id for bearers in borne.values() for node_id in bearers]
    if not ids and not query.stems and not query.named.missing:
        ids += query.named.instruments
    nodes: list[NodeRow] = []
    for node_id in dict.fromkeys(ids):
        verdict = version_in_force(state.catalog, node_id, query.clock.start, query.clock.end)
        nodes.extend(verdict.versions or (state.catalog.node(node_id),))
    return tuple(nodes)


def transitory_articles(state: State, query: Query) -> dict[str, tuple[NodeRow, ...]]:
    """Return the nodes that each transitory article named in a question may be, by its key (`trans-2`).

    Each decree that issued or amended a law has transitory articles of its own; a date in the question tells which.
    """
    dates = {day.isoformat() for _, _, day in days_in(plain(query.text)) if day is not None}
    found: dict[str, tuple[NodeRow, ...]] = {}
    for mention in query.named.mentions:
        laws = mention.instruments or query.named.instruments
        for key in mention.articles if mention.transitory and len(laws) == 1 else ():
            members = state.catalog.members(f"{laws[0]}/dof-", key)
            found[key] = tuple(m for m in members if not dates or any(f"/dof-{day}" in m.id for day in dates))
    return found


def verdicts(state: State, query: Query) -> tuple[tuple[str, Verdict], ...]:
    """Return (work, verdict) of the articles that a question names and that have several texts."""
    found = []
    for instrument, key in query.named.articles:
        work = f"{instrument}/art-{key}"
        if state.catalog.versions(work):
            found.append((work, version_in_force(state.catalog, work, query.clock.start, query.clock.end)))
    return tuple(found)


def known_then(node: NodeRow, clock: Clock) -> bool:
    """Tell whether a text could be known on the clock's `as_of`: published, and consolidating nothing later."""
    return clock.as_of is None or node.known_on is None or node.known_on <= clock.as_of


def held_then(node: NodeRow, clock: Clock) -> bool:
    """Tell whether a text may be given for a clock: known on its `as_of`, and not what it is by a later reform."""
    return known_then(node, clock) and reads_so(node, clock.end)


def coverage(query: Query, texts: Iterable[str]) -> float:
    """Return the share of the question's words, weighted by rarity, that some texts hold; see `share_held`."""
    return share_held(query, stems(" ".join(texts)))


def share_held(query: Query, tokens: Iterable[str]) -> float:
    """Return the share of the question's words, weighted by rarity, that are among some tokens; 1 when it has none.

    A word counts as held, too, by one that begins alike (`emitir`, `emisión`): this measures whether a text speaks of
    the same things, and stemming Spanish verbs is not exact. The words that name a relation (`sustituyó`, `emite`) do
    not count: an answer says what stands in the relation, rarely its name.
    """
    total = sum(query.weights.values())
    if not total:
        return 1.0
    held = _held(query, set(tokens))
    return sum(query.weights[word] for word in held) / total


def held_words(query: Query, text: str) -> frozenset[str]:
    """Return which of the question's search tokens a text holds."""
    return _held(query, set(stems(text)))


def _held(query: Query, tokens: set[str]) -> frozenset[str]:
    told = ((word, *query.widened.get(word, ())) for word in query.weights)
    return frozenset(same[0] for same in told if any(_holds(tokens, word) for word in same))


def _holds(held: set[str], word: str) -> bool:
    if word in held:
        return True
    if len(word) < _ALIKE or not word.isalpha():
        return False
    beginning = word[: max(_ALIKE, len(word) - 2)]
    return any(other.startswith(beginning) for other in held)


@lru_cache(maxsize=1)
def _relation_stems() -> frozenset[str]:
    phrases = (words for kind in BUILT_IN for words in (*kind.words, *kind.inverse_words))
    return frozenset(stem for phrase in phrases if " " not in phrase for stem in question_stems(phrase))


def _named_passages(state: State, node: NodeRow, query: Query) -> list[Found]:
    readings = [read_passage(state, node, passage.ordinal) for passage in state.catalog.passages(node)]
    found = [Found(r, 0, 1.0, coverage(query, (r.text, node.title)), (("named", 1.0),)) for r in readings]
    if not query.stems:
        return found
    # The node is given; among its passages those that speak of the rest of the question come first.
    return sorted(found, key=lambda f: -coverage(query, (f.reading.text,)))


class _Ranking:
    """The factors of one search: what its hits share is looked up once."""

    def __init__(self, state: State, query: Query, tier: int, rows: Collection[NodeRow]) -> None:
        self._state, self._query, self._tier = state, query, tier
        self._kind = kind_asked(query.text)
        self._asked = set(stems(query.text))
        self._asks_side = bool(_ASKS_SIDE.search(fold(query.text)))
        ids = {work_of(row.id) for row in rows}
        families = {family_of(node_id) for node_id in ids}
        self._standing = state.catalog.standing(ids | families)
        self._of_the_matter = {family for family in families if self._has_the_name(family)}
        self._lineages: dict[str, tuple[NodeRow, ...]] = {}

    def by_catalog(self, node: NodeRow, hit: Hit) -> list[tuple[str, float]]:
        """Return the factors that need no reading, the text score first."""
        passport = share_held(self._query, node.stems.split())
        _, elsewhere = self._standing.get(family_of(node.id), (0, 0))
        own, _ = self._standing.get(work_of(node.id), (0, 0))
        why = [
            ("bm25", hit.score),
            ("passport coverage", _bounded(_PASSPORT_FLOOR, passport)),
            ("law cited by others", 1 + _CITED_CEILING * _logarithmic(elsewhere, _CITED_OFTEN)),
            ("text cited by others", 1 + _OWN_CITED_CEILING * _logarithmic(own, _OWN_CITED_OFTEN)),
        ]
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
        why = [
            *why,
            ("coverage", _bounded(_COVERAGE_FLOOR, covered)),
            ("coverage of one sentence", _bounded(_SENTENCE_FLOOR, best)),
        ]
        if self._kind != "any" and any(
            share >= best / 2 and carries(self._kind, unit) for share, unit in zip(shares, units, strict=True)
        ):
            why.append((f"carries the kind asked: {self._kind}", _KIND_FACTOR))
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


def _logarithmic(count: int, often: int) -> float:
    return min(1.0, math.log1p(count) / math.log1p(often))


def _bounded(floor: float, share: float) -> float:
    return floor + (1 - floor) * share


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text
