"""Where the words stand that a walk needs: which node states a door, which passages of a node speak of something."""

from __future__ import annotations

from collections.abc import Iterator

from forest.analyzer import question_stems
from forest.catalog import NodeRow
from forest.doors import Door, doors_of
from forest.outline import Part, period_of
from forest.reading import read_passage
from forest.retrieval import window_of
from forest.search import Within, family_of
from forest.state import State
from forest.validity import Clock

_FIRST_WORDS = 12
_DOORS, _MOST_DOORS = 200, 4_000


def basis_of(state: State, here: NodeRow, door: Door) -> tuple[NodeRow, str]:
    """Return the node that states a door's edge, and the words of its body that establish it; "" for the hierarchy."""
    for kind, to, _, basis in state.catalog.edges_out(here):
        if (kind, to) == (door.kind, door.to):
            return here, basis
    far = state.catalog.node(door.to)
    inverse = {kind.inverse: kind.name for kind in state.config.edge_kinds}
    for kind, to, _, basis in state.catalog.edges_out(far):
        if kind == inverse.get(door.kind) and to == here.id:
            return far, basis
    return here, ""


def door_to(state: State, node: NodeRow, kind: str, to: str, clock: Clock) -> Door | None:
    """Return the door of a kind that leads from a node to another, as it is numbered under a clock; None for none.

    Of a hub's doors only the first `_MOST_DOORS` are looked through.
    """
    start = 1
    while start <= _MOST_DOORS:
        doors = doors_of(state, node, _DOORS, start, period_of(clock))
        for door in doors:
            if (door.kind, door.to) == (kind, to):
                return door
        if len(doors) < _DOORS:
            break
        start += _DOORS
    return None


def parts_with(state: State, node: NodeRow, words: str, clock: Clock, limit: int) -> Iterator[Part]:
    """Yield what speaks of some words, best first: the passages of a node, and of a law also the nodes below it.

    Args:
        state: of the forest.
        node: where to look.
        words: what to look for.
        clock: texts below a law that are not in force on its days are passed over.
        limit: how many parts at most.
    """
    tokens = [(stem, 1.0) for stem in question_stems(words)]
    if node.kind != "instrument" or family_of(node.id) != node.id:
        for hit in state.index.search(tokens, limit, within=Within(node=node.num)):
            yield _passage_part(state, node, hit.ordinal)
        return
    hits = state.index.search(tokens, limit, window_of(state, clock), Within(families=(node.id,)))
    rows = state.catalog.by_numbers(hit.node for hit in hits)
    seen: set[int] = set()
    for hit in hits:
        if hit.node == node.num:
            yield _passage_part(state, node, hit.ordinal)
        elif hit.node in rows and hit.node not in seen:
            seen.add(hit.node)
            below = rows[hit.node]
            yield Part("child", below.id, below.title, below.scent, 0, len(seen))


def _passage_part(state: State, node: NodeRow, ordinal: int) -> Part:
    reading = read_passage(state, node, ordinal)
    beginning = " ".join(reading.text.split()[:_FIRST_WORDS])
    title = " > ".join(reading.passage.heading)
    return Part("passage", reading.passage.id, title, beginning, reading.passage.tokens, ordinal)
