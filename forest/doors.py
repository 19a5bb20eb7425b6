"""Doors: every way on from a node as a walker sees it, each with its one line and its number.

A typed edge carries its own scent; a hierarchy door, and an edge seen from its far end, show the target's own scent,
unless the node overrides it. An edge that leads to no node, or to none that is known, is no door.
"""

from __future__ import annotations

from dataclasses import dataclass

from forest.catalog import Catalog, NodeRow, Period
from forest.edge import BUILT_IN, EdgeKinds


@dataclass(frozen=True, slots=True)
class Door:
    """One way on.

    Attributes:
        kind: `parent`, `child`, the kind of an edge out, or the inverse kind of an edge in.
        to: id behind the door.
        scent: its line; "" when nobody states one.
        title: of the node behind it.
        node_kind: the kind of the node behind it.
        number: 1-based place among all doors of the node, under one clock.
        states: id of the node whose passport states the line.
    """

    kind: str
    to: str
    scent: str
    title: str
    node_kind: str
    number: int
    states: str


def count_doors(catalog: Catalog, node: NodeRow, in_force: Period | None = None) -> int:
    """Return how many doors a node has; see `doors_of`."""
    return sum(_counts(catalog, node, in_force))


def _counts(catalog: Catalog, node: NodeRow, in_force: Period | None) -> tuple[int, int, int, int]:
    return (
        int(catalog.parent(node) is not None),
        catalog.count_children(node, in_force),
        catalog.count_edges_out(node),
        catalog.count_edges_in(node.id),
    )


def doors_of(
    catalog: Catalog,
    node: NodeRow,
    kinds: EdgeKinds = BUILT_IN,
    limit: int = 50,
    start: int = 1,
    in_force: Period | None = None,
) -> tuple[Door, ...]:
    """Return up to `limit` doors of a node from number `start` on.

    Args:
        catalog: of the forest.
        node: where one stands.
        kinds: gives edges that arrive their inverse kinds.
        limit: how many at most.
        start: number of the first.
        in_force: of versions among the children, only those whose period meets this one are doors; None lets all be.

    Returns:
        Parent, children by id, edges out by kind and id, edges in by kind and id.
    """
    doors: list[Door] = []
    first = 1
    for count, section in zip(_counts(catalog, node, in_force), _SECTIONS, strict=True):
        skipped = max(start - first, 0)
        room = min(limit - len(doors), count - skipped)
        if room > 0:
            found = section(catalog, node, kinds, room, skipped, in_force)
            doors += [
                Door(kind, to.id, scent, to.title, to.kind, number, states)
                for number, (kind, to, scent, states) in enumerate(found, start=first + skipped)
            ]
        first += count
    return tuple(doors)


_Way = tuple[str, NodeRow, str, str]


def _above(
    catalog: Catalog, node: NodeRow, _kinds: EdgeKinds, _limit: int, _offset: int, _in_force: Period | None
) -> list[_Way]:
    parent = catalog.parent(node)
    return [] if parent is None else [_way(catalog, node, "parent", parent)]


def _below(
    catalog: Catalog, node: NodeRow, _kinds: EdgeKinds, limit: int, offset: int, in_force: Period | None
) -> list[_Way]:
    return [_way(catalog, node, "child", child) for child in catalog.children(node, limit, offset, in_force)]


def _out(
    catalog: Catalog, node: NodeRow, _kinds: EdgeKinds, limit: int, offset: int, _in_force: Period | None
) -> list[_Way]:
    edges = catalog.edges_out(node, limit, offset)
    ends = catalog.by_ids({to for _, to, _, _ in edges})
    return [(kind, ends[to], scent, node.id) for kind, to, scent, _ in edges]


def _in(
    catalog: Catalog, node: NodeRow, kinds: EdgeKinds, limit: int, offset: int, _in_force: Period | None
) -> list[_Way]:
    edges = catalog.edges_in(node.id, limit, offset=offset)
    sources = catalog.by_numbers(num for _, num in edges)
    known = {kind: kinds.get(kind) for kind, _ in edges}
    inverse = {kind: found.inverse if found is not None else f"{kind}_of" for kind, found in known.items()}
    return [_way(catalog, node, inverse[kind], sources[num]) for kind, num in edges]


_SECTIONS = (_above, _below, _out, _in)


def _way(catalog: Catalog, node: NodeRow, kind: str, target: NodeRow) -> _Way:
    override = catalog.override(node, target.id)
    return kind, target, override or target.scent, node.id if override else target.id
