"""Finding passages: what the question names first, then BM25, each hit with the reasons for its place.

Raw scores come from `forest.search`, the factors from `forest.ranking`; which words of a hit answer is
`forest.quoting`'s to say.
"""

from __future__ import annotations

import math

from forest.analyzer import question_stems
from forest.catalog import NodeRow
from forest.naming import held_then, nodes_of_names
from forest.parts import part_passage, parts_of, passages_of_parts
from forest.question import Query, coverage
from forest.ranking import Found, Ranking
from forest.reading import read_passage
from forest.search import Window
from forest.state import State
from forest.validity import Clock

# How many raw hits are ranked by what the catalog knows of them, and how many of those are read and ranked again.
_POOL = 120
_READ = 40
_WIDENED_WEIGHT = 0.6
_OF_NAMED = 6
PART_NAMED = "part named"


def window_of(state: State, clock: Clock) -> Window:
    """Return the days that a state's day and a clock confine a search to."""
    return Window(state.as_of, clock.start, clock.end)


def search_passages(state: State, query: Query, limit: int, read: int = _READ) -> tuple[Found, ...]:
    """Return the best passages for a question, best first.

    Args:
        state: of the forest.
        query: from `forest.question.read_question`.
        limit: how many at most.
        read: how many hits are read to be ranked by their words: more finds better, fewer is faster.

    Returns:
        Passages of the nodes that the question names, then those of the instruments that it names, then others, each by
        score; ties go to the lower id. Texts outside the clock's window are not among them, and those known later than
        its `as_of` change neither scores nor order.
    """
    state = state.on(query.clock.as_of)
    nodes = [node for node in nodes_of_names(state, query) if held_then(node, query)]
    found = [passage for node in nodes for passage in _named_passages(state, node, query)]
    if query.named.instruments and query.stems:
        found += _scored(state, query, 1, query.named.instruments, read)
    found += _scored(state, query, 2 if query.named.instruments else 1, (), read)
    first: dict[str, Found] = {}
    for passage in found:
        first.setdefault(passage.reading.passage.id, passage)
    return tuple(first.values())[:limit]


def _scored(state: State, query: Query, tier: int, families: tuple[str, ...], read: int) -> list[Found]:
    hits = state.index.search(_tokens(query), _POOL, window_of(state, query.clock), families)
    rows = state.catalog.by_numbers(hit.node for hit in hits)
    ranking = Ranking(state, query, tier, rows.values())
    known = [(ranking.by_catalog(rows[hit.node], hit), hit) for hit in hits if hit.node in rows]
    known.sort(key=lambda pair: (-math.prod(amount for _, amount in pair[0]), pair[1].node, pair[1].ordinal))
    found = [ranking.by_reading(rows[hit.node], hit, why) for why, hit in known[:read]]
    return sorted(found, key=lambda f: (-f.score, f.reading.node.num, f.reading.passage.ordinal))


def _tokens(query: Query) -> list[tuple[str, float]]:
    """Return the tokens to search for: the question's own in full, those it is widened by in part."""
    words = query.stems or question_stems(query.text)
    others = dict.fromkeys(meant for group in query.widened.values() for meant in group if meant not in words)
    return [*((word, 1.0) for word in words), *((word, _WIDENED_WEIGHT) for word in others)]


def _named_passages(state: State, node: NodeRow, query: Query) -> list[Found]:
    """Return the passages of a node that the question names: the parts named, else what speaks of the rest."""
    parts = passages_of_parts(state, node, query)
    if not parts and any(part_passage(state, node, *part) == 0 for part in parts_of(query, node)):
        return []  # the text that is asked for is a part that it does not have
    if parts:
        return [Found(read_passage(state, node, at), 0, 1.0, 1.0, ((PART_NAMED, 1.0),)) for at in parts]
    hits = state.index.search(_tokens(query), _OF_NAMED, Window(state.as_of), node=node.num) if query.stems else ()
    first = (1,) if state.catalog.count_passages(node) else ()
    readings = [read_passage(state, node, at) for at in sorted({*(hit.ordinal for hit in hits), *first})]
    found = [Found(r, 0, 1.0, coverage(query, (r.text, node.title)), (("named", 1.0),)) for r in readings]
    if not query.stems:
        return found
    return sorted(found, key=lambda f: -coverage(query, (f.reading.text,)))
