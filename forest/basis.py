"""Bases: where in a node's body the words stand that establish one of its edges."""

from __future__ import annotations

import re

from forest.analyzer import stems
from forest.catalog import NodeRow
from forest.reading import Reading, read_passage
from forest.search import Within
from forest.state import State
from forest.units import Unit, numbered

_MOST_PASSAGES = 60


def units_of_basis(state: State, node: NodeRow, basis: str) -> tuple[Reading | None, tuple[Unit, ...]]:
    """Return the passage of a node that holds the words of a basis, and those of its sentences that they stand in."""
    words = [re.escape(word) for word in basis.split()]
    if not words:
        return None, ()
    wanted = re.compile(r"\s+".join(words))
    for ordinal in _where_to_look(state, node, basis):
        reading = read_passage(state, node, ordinal)
        match = wanted.search(reading.text)
        if match:
            units = numbered(reading.text, ordinal, reading.passage.heading)
            return reading, tuple(u for u in units if u.start < match.end() and match.start() < u.end)
    return None, ()


def _where_to_look(state: State, node: NodeRow, words: str) -> list[int]:
    count = state.catalog.count_passages(node)
    if count <= _MOST_PASSAGES:
        return list(range(1, count + 1))
    tokens = [(stem, 1.0) for stem in dict.fromkeys(stems(words))]  # a book: ask the index where to look
    return [hit.ordinal for hit in state.index.search(tokens, _MOST_PASSAGES, within=Within(node=node.num))]
