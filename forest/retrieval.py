"""Finding passages: what the question names first, then BM25, each hit with the reasons for its place.

Raw scores come from `forest.search`, the factors from `forest.ranking`. What is given is exact: raw hits are weighed
until no passage that is left could come among the first. Which words of a hit answer is `forest.quoting`'s to say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from forest.analyzer import question_stems
from forest.catalog import NodeRow
from forest.naming import held_then, nodes_of_names
from forest.parts import part_passage, parts_of, passages_of_parts
from forest.question import Query, coverage
from forest.ranking import Found, Ranked, Ranking
from forest.reading import read_passage
from forest.search import Batch, Window, Within
from forest.state import State
from forest.validity import Clock

_WIDENED_WEIGHT = 0.6
_OF_NAMED = 6
PART_NAMED = "part named"
# A question of common words alone may have to weigh everything: beyond so many the rest is left, and said to be.
MOST_WEIGHED = 16_000


@dataclass(frozen=True, slots=True)
class Ranks:
    """The first of a ranking.

    Attributes:
        found: best first, one of each group.
        weighed: how many passages were scored.
        complete: nothing that was not weighed could be among them.
        exhausted: nothing else fits: all groups are there.
    """

    found: tuple[Ranked, ...]
    weighed: int
    complete: bool
    exhausted: bool


def window_of(state: State, clock: Clock) -> Window:
    """Return the days that a state's day and a clock confine a search to.

    A day that somebody gives as the one on which a text holds leaves out what came later. One that is read in a
    question may as well be that of which a publication speaks, printed afterwards.
    """
    return Window(state.as_of, clock.start, clock.end, with_later_acts=clock.source == "question")


def search_passages(state: State, query: Query, limit: int) -> tuple[Found, ...]:
    """Return the best passages for a question, best first.

    Args:
        state: of the forest.
        query: from `forest.question.read_question`.
        limit: how many at most.

    Returns:
        Passages of the nodes that the question names, then those of the instruments that it names, then others, each by
        score; ties go to the lower id. Texts outside the clock's window are not among them, and those known later than
        its `as_of` change neither scores nor order.
    """
    state = state.on(query.clock.as_of)
    found = named_passages(state, query)
    ranking = ranking_of(state, query)
    searches = [(1, Within(families=query.named.instruments))] if query.named.instruments and query.stems else []
    searches.append((2 if query.named.instruments else 1, Within()))
    for tier, within in searches:
        ranks = rank(state, query, ranking, limit, within, tier=tier)
        found += [_read(state, ranked) for ranked in ranks.found]
    first: dict[str, Found] = {}
    for passage in found:
        first.setdefault(passage.reading.passage.id, passage)
    return tuple(first.values())[:limit]


def ranking_of(state: State, query: Query, without: frozenset[str] = frozenset(), *, recent: bool = False) -> Ranking:
    """Return the factors of a question; those of age count back from the last day of its clock."""
    tokens, window = tokens_of(query), window_of(state, query.clock)

    def first_raw(limit: int) -> list[int]:
        return [hit.node for hit in state.index.search(tokens, limit, window)]

    recent_before = query.clock.end if recent else None
    return Ranking(state, query, without=without, recent_before=recent_before, first_raw=first_raw)


def rank(
    state: State,
    query: Query,
    ranking: Ranking,
    limit: int,
    within: Within,
    *,
    tier: int = 1,
    group: Callable[[NodeRow, int], Hashable] = lambda node, ordinal: (node.num, ordinal),
) -> Ranks:
    """Return the first of a ranking, exactly.

    Args:
        state: of the forest, as of the question's day.
        query: what is asked.
        ranking: its factors.
        limit: how many at most.
        within: what the search is confined to; it changes no score.
        tier: of all that is found.
        group: of passages in one group only the best is found, as of one document.
    """
    best: dict[Hashable, Ranked] = {}
    weighed = 0
    floor = 0.0  # a passage below this score is not among the first
    dropped = False
    for batch in state.index.proposals(tokens_of(query), window_of(state, query.clock), within):
        weighed += len(batch.proposals)
        dropped = dropped or floor > 0
        for ranked in _weigh(state, ranking, batch, tier, floor):
            key = group(ranked.node, ranked.ordinal)
            if key not in best or ranked.order < best[key].order:
                best[key] = ranked
        first = sorted(best.values(), key=lambda ranked: ranked.order)[:limit]
        floor = first[-1].score if len(first) == limit else 0.0
        if batch.ceiling * ranking.most < floor or weighed >= MOST_WEIGHED:
            surpassed = batch.ceiling * ranking.most < floor
            all_seen = not batch.ceiling and not dropped and len(best) <= limit
            return Ranks(tuple(first), weighed, surpassed or not batch.ceiling, exhausted=all_seen)
    first = sorted(best.values(), key=lambda ranked: ranked.order)
    return Ranks(tuple(first[:limit]), weighed, complete=True, exhausted=len(first) <= limit)


def _weigh(state: State, ranking: Ranking, batch: Batch, tier: int, floor: float) -> list[Ranked]:
    rows = state.catalog.by_numbers(proposal.node for proposal in batch.proposals)
    documents = rows | state.catalog.by_numbers({row.document for row in rows.values()} - rows.keys())
    ranking.learn(rows.values())
    by_node: dict[int, tuple[tuple[str, float], ...]] = {}
    ranked = []
    for proposal in batch.proposals:
        node = rows.get(proposal.node)
        if node is None:
            continue
        if node.num not in by_node:
            by_node[node.num] = ranking.by_catalog(node, documents.get(node.document, node))
        # What is cheap to know bounds the score, and mostly settles that it is not among the first.
        by_catalog = math.prod(amount for _, amount in by_node[node.num])
        if proposal.bound * ranking.most_with(by_catalog, 1.0) < floor:
            continue
        covered = ranking.covered(node, proposal)
        if proposal.bound * ranking.most_with(by_catalog, covered) < floor:
            continue
        by_text = ranking.by_text(node, proposal, covered)
        score, why = ranking.place(proposal.score(), by_node[node.num], by_text)
        ranked.append(Ranked(node, proposal.ordinal, tier, score, covered, why))
    return ranked


def _read(state: State, ranked: Ranked) -> Found:
    reading = read_passage(state, ranked.node, ranked.ordinal)
    return Found(reading, ranked.tier, ranked.score, ranked.coverage, ranked.why)


def tokens_of(query: Query) -> list[tuple[str, float]]:
    """Return the tokens to search for: the question's own in full, those it is widened by in part."""
    words = query.stems or question_stems(query.text)
    others = dict.fromkeys(meant for group in query.widened.values() for meant in group if meant not in words)
    return [*((word, 1.0) for word in words), *((word, _WIDENED_WEIGHT) for word in others)]


def named_passages(state: State, query: Query) -> list[Found]:
    """Return the passages of the nodes that a question names, in its order: the parts named, else what speaks of it."""
    nodes = [node for node in nodes_of_names(state, query) if held_then(node, query)]
    return [passage for node in nodes for passage in _of_node(state, node, query)]


def _of_node(state: State, node: NodeRow, query: Query) -> list[Found]:
    parts = passages_of_parts(state, node, query)
    if not parts and any(part_passage(state, node, *part) == 0 for part in parts_of(query, node)):
        return []  # the text that is asked for is a part that it does not have
    if parts:
        return [Found(read_passage(state, node, at), 0, 1.0, 1.0, ((PART_NAMED, 1.0),)) for at in parts]
    confined = Within(node=node.num)
    hits = state.index.search(tokens_of(query), _OF_NAMED, Window(state.as_of), confined) if query.stems else ()
    first = (1,) if state.catalog.count_passages(node) else ()
    readings = [read_passage(state, node, at) for at in sorted({*(hit.ordinal for hit in hits), *first})]
    found = [Found(r, 0, 1.0, coverage(query, (r.text, node.title)), (("named", 1.0),)) for r in readings]
    if not query.stems:
        return found
    return sorted(found, key=lambda f: -coverage(query, (f.reading.text,)))
