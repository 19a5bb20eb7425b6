"""Finding passages: what the question names first, then BM25, each hit with the reasons for its place.

Owns the order of hits. What a question names is read by `forest.legal`, raw scores come from `forest.search`, and which
words of a hit answer is `forest.oneshot`'s to say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from forest.analyzer import question_stems, stems
from forest.catalog import NodeRow
from forest.edge import BUILT_IN
from forest.kind import carries, kind_asked
from forest.legal import Named, identifiers
from forest.legal_numbers import fold
from forest.reading import Reading, read_passage
from forest.search import Hit, Window
from forest.state import State
from forest.validity import Clock, Verdict, version_in_force

# How many raw hits are read and ranked again, and how far that may move them: bounded, so that no signal can bury the
# text score.
_POOL = 60
_COVERAGE_FLOOR = 0.5
_PASSAGE_FLOOR = 0.75
_KIND_FACTOR = 1.1
_ALIKE = 5
_DEMOTED_FACTOR = 0.75
_DEMOTED_TAGS = frozenset(("transitorio", "decreto", "derogado"))


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
        weights: rarity of each stem in this forest, `log(1 + N / (1 + df))`; words that name a relation have none.
        clock: the days it is about.
    """

    text: str
    named: Named
    stems: tuple[str, ...]
    weights: dict[str, float]
    clock: Clock


def read_question(state: State, question: str, clock: Clock, named: Named | None = None) -> Query:
    """Make a question ready: what it names, and the words that are left."""
    named = named if named is not None else identifiers(question, state.catalog)
    rest = _without(question, [(m.start, m.end) for m in named.mentions if m.instruments or m.articles])
    words = question_stems(rest)
    size = state.index.size
    counted = [word for word in words if word not in _relation_stems()]
    weights = {word: math.log(1 + size / (1 + state.index.frequency(word))) for word in counted}
    return Query(question, named, words, weights, clock)


def window_of(clock: Clock) -> Window:
    """Return the days that a clock confines a search to."""
    return Window(clock.as_of, clock.start, clock.end)


def search_passages(state: State, query: Query, limit: int) -> tuple[Found, ...]:
    """Return the best passages for a question, best first.

    Args:
        state: of the forest.
        query: from `read_question`.
        limit: how many at most.

    Returns:
        Passages of the nodes that the question names, then those of the instruments that it names, then others, each by
        score; ties go to the lower id. Texts outside the clock's window are not among them.
    """
    nodes = [node for node in nodes_of_names(state, query) if known_then(node, query.clock)]
    found = [passage for node in nodes for passage in _named_passages(state, node, query)]
    if query.named.instruments and query.stems:
        found += _scored(state, query, 1, query.named.instruments)
    found += _scored(state, query, 2 if query.named.instruments else 1, ())
    first: dict[str, Found] = {}
    for passage in found:
        first.setdefault(passage.reading.passage.id, passage)
    return tuple(first.values())[:limit]


def _scored(state: State, query: Query, tier: int, families: tuple[str, ...]) -> list[Found]:
    words = query.stems or question_stems(query.text)
    hits = state.index.search([(word, 1.0) for word in words], _POOL, window_of(query.clock), families)
    rows = state.catalog.by_numbers(hit.node for hit in hits)
    found = [_ranked(state, rows[hit.node], hit, query, tier) for hit in hits if hit.node in rows]
    return sorted(found, key=lambda f: (-f.score, f.reading.node.num, f.reading.passage.ordinal))


def nodes_of_names(state: State, query: Query) -> tuple[NodeRow, ...]:
    """Return the nodes of the articles and norms that a question names, as they read on its days.

    A work with versions is replaced by those in force; when none is known to be, the work itself stands for it. An
    instrument named alone, with nothing asked of it, is meant itself.
    """
    ids = [f"{instrument}/art-{key}" for instrument, key in query.named.articles]
    borne = state.catalog.names([fold(code) for code in query.named.norms])
    ids += [node_id for bearers in borne.values() for node_id in bearers]
    if not ids and not query.stems and not query.named.missing:
        ids += query.named.instruments
    nodes: list[NodeRow] = []
    for node_id in dict.fromkeys(ids):
        verdict = version_in_force(state.catalog, node_id, query.clock.start, query.clock.end)
        nodes.extend(verdict.versions or (state.catalog.node(node_id),))
    return tuple(nodes)


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


def coverage(query: Query, texts: Iterable[str]) -> float:
    """Return the share of the question's words, weighted by rarity, that some texts hold; 1 when it has none.

    A word counts as held, too, by one that begins alike (`emitir`, `emisión`): this measures whether a text speaks of
    the same things, and stemming Spanish verbs is not exact. The words that name a relation (`sustituyó`, `emite`) do
    not count: an answer says what stands in the relation, rarely its name.
    """
    total = sum(query.weights.values())
    if not total:
        return 1.0
    held = set(stems(" ".join(texts)))
    return sum(weight for word, weight in query.weights.items() if _holds(held, word)) / total


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
    found = [Found(r, 0, 1.0, coverage(query, _texts(state, r)), (("named", 1.0),)) for r in readings]
    if not query.stems:
        return found
    # The node is given; among its passages those that speak of the rest of the question come first.
    return sorted(found, key=lambda f: -coverage(query, (f.reading.text,)))


def _ranked(state: State, node: NodeRow, hit: Hit, query: Query, tier: int) -> Found:
    reading = read_passage(state, node, hit.ordinal)
    covered = coverage(query, _texts(state, reading))
    kind = kind_asked(query.text)
    why = [
        ("bm25", hit.score),
        ("coverage", _bounded(_COVERAGE_FLOOR, covered)),
        ("coverage of the passage alone", _bounded(_PASSAGE_FLOOR, coverage(query, (reading.text,)))),
    ]
    if kind != "any" and carries(kind, reading.text):
        why.append((f"carries the kind asked: {kind}", _KIND_FACTOR))
    if not _DEMOTED_TAGS.isdisjoint(node.tags) and not _DEMOTED_TAGS & set(stems(query.text)):
        why.append(("transitory, decree or repealed", _DEMOTED_FACTOR))
    return Found(reading, tier, math.prod(amount for _, amount in why), covered, tuple(why))


def _bounded(floor: float, share: float) -> float:
    return floor + (1 - floor) * share


def _texts(state: State, reading: Reading) -> tuple[str, ...]:
    node = reading.node
    above = (n.title for n in state.catalog.ancestors(node)[:-1])
    return (reading.text, node.title, node.scent, node.summary, " ".join(node.tags), *above)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text
