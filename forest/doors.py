"""Doors: every way on from a node as a walker sees it, each with its one line and its number.

A typed edge carries its own scent; a hierarchy door, and an edge seen from its far end, show the target's own scent,
unless the node overrides it. An edge that leads to no node, or to none that is known, is no door. Shortcuts that trails
earned come last, so that they change no other door's number.
"""

from __future__ import annotations

from dataclasses import dataclass

from forest.catalog import NodeRow, Period
from forest.shortcut import SHORTCUT, Shortcut
from forest.shortcuts import evidence_of, shortcut_to, shown_shortcuts
from forest.state import State


@dataclass(frozen=True, slots=True)
class Door:
    """One way on.

    Attributes:
        kind: `parent`, `child`, the kind of an edge out, the inverse kind of an edge in, or `shortcut`.
        to: id behind the door.
        scent: its line; "" when nobody states one.
        title: of the node behind it.
        node_kind: the kind of the node behind it.
        number: 1-based place among all doors of the node, under one clock.
        states: id of the node whose passport states the line.
        note: of a shortcut, applied or not, what it spans and carries; "" for every other door.
    """

    kind: str
    to: str
    scent: str
    title: str
    node_kind: str
    number: int
    states: str
    note: str = ""


def count_doors(state: State, node: NodeRow, in_force: Period | None = None) -> int:
    """Return how many doors a node has; see `doors_of`."""
    return sum(_counts(state, node, in_force))


def _counts(state: State, node: NodeRow, in_force: Period | None) -> tuple[int, int, int, int, int]:
    catalog = state.catalog
    return (
        int(catalog.parent(node) is not None),
        catalog.count_children(node, in_force),
        catalog.count_edges_out(node),
        catalog.count_edges_in(node.id),
        len(shown_shortcuts(state, node)),
    )


def doors_of(
    state: State, node: NodeRow, limit: int = 50, start: int = 1, in_force: Period | None = None
) -> tuple[Door, ...]:
    """Return up to `limit` doors of a node from number `start` on.

    Args:
        state: of the forest; what is not known on its day is no door.
        node: where one stands.
        limit: how many at most.
        start: number of the first.
        in_force: of versions among the children, only those whose period meets this one are doors; None lets all be.

    Returns:
        Parent, children by id, edges out by kind and id, edges in by kind and id, shortcuts by id.
    """
    doors: list[Door] = []
    first = 1
    for count, section in zip(_counts(state, node, in_force), _SECTIONS, strict=True):
        skipped = max(start - first, 0)
        room = min(limit - len(doors), count - skipped)
        if room > 0:
            found = section(state, node, room, skipped, in_force)
            doors += [
                Door(kind, to.id, scent, to.title, to.kind, number, states, note)
                for number, (kind, to, scent, states, note) in enumerate(found, start=first + skipped)
            ]
        first += count
    return tuple(doors)


_Way = tuple[str, NodeRow, str, str, str]


def _above(state: State, node: NodeRow, _limit: int, _offset: int, _in_force: Period | None) -> list[_Way]:
    parent = state.catalog.parent(node)
    return [] if parent is None else [_way(state, node, "parent", parent)]


def _below(state: State, node: NodeRow, limit: int, offset: int, in_force: Period | None) -> list[_Way]:
    return [_way(state, node, "child", child) for child in state.catalog.children(node, limit, offset, in_force)]


def _out(state: State, node: NodeRow, limit: int, offset: int, _in_force: Period | None) -> list[_Way]:
    edges = state.catalog.edges_out(node, limit, offset)
    ends = state.catalog.by_ids({to for _, to, _, _ in edges})
    return [
        (kind, ends[to], scent, node.id, _note(state, shortcut_to(state, node.id, to)) if kind == SHORTCUT else "")
        for kind, to, scent, _ in edges
    ]


def _in(state: State, node: NodeRow, limit: int, offset: int, _in_force: Period | None) -> list[_Way]:
    edges = state.catalog.edges_in(node.id, limit, offset=offset)
    sources, kinds = state.catalog.by_numbers(num for _, num in edges), state.config.edge_kinds
    known = {kind: kinds.get(kind) for kind, _ in edges}
    inverse = {kind: found.inverse if found is not None else f"{kind}_of" for kind, found in known.items()}
    return [_way(state, node, inverse[kind], sources[num]) for kind, num in edges]


def _earned(state: State, node: NodeRow, limit: int, offset: int, _in_force: Period | None) -> list[_Way]:
    found = shown_shortcuts(state, node)[offset : offset + limit]
    return [(SHORTCUT, to, to.scent, to.id, _note(state, shortcut)) for shortcut, to in found]


_SECTIONS = (_above, _below, _out, _in, _earned)


def _way(state: State, node: NodeRow, kind: str, target: NodeRow) -> _Way:
    override = state.catalog.override(node, target.id)
    return kind, target, override or target.scent, node.id if override else target.id, ""


def _note(state: State, shortcut: Shortcut | None) -> str:
    """Say what a shortcut spans and carries, or that it carries nothing any more; "" for an edge somebody wrote."""
    if shortcut is None:
        return ""
    spans = f"{len(shortcut.way)} doors at once" if len(shortcut.way) > 1 else "a door"
    evidence = evidence_of(state, shortcut)
    if evidence.changed:
        return f"{spans}; what it carried has changed"
    carried = len(evidence.passages)
    return f"{spans}, with {carried} passage{'' if carried == 1 else 's'}"
