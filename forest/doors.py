"""Doors: every way on from a node as a walker sees it, each with its one line.

A typed edge carries its own scent; a hierarchy door, and an edge seen from its far end, show the target's own scent,
unless the node overrides it.
"""

from __future__ import annotations

from dataclasses import dataclass

from forest.catalog import Catalog, NodeRow
from forest.edge import BUILT_IN, EdgeKinds


@dataclass(frozen=True, slots=True)
class Door:
    """One way on.

    Attributes:
        kind: `parent`, `child`, the kind of an edge out, or the inverse kind of an edge in.
        to: id behind the door.
        scent: its line; "" when the node behind it states none.
    """

    kind: str
    to: str
    scent: str


def doors_of(
    catalog: Catalog, node: NodeRow, kinds: EdgeKinds = BUILT_IN, limit: int = 50
) -> tuple[tuple[Door, ...], int]:
    """Return the first `limit` doors of a node and how many there are in all.

    Returns:
        Parent, children by id, edges out as (kind, id), edges in as (inverse kind, id); the count is exact.
    """
    doors: list[Door] = []
    parent = catalog.parent(node)
    if parent is not None:
        doors.append(_door(catalog, node, "parent", parent))
    doors += [_door(catalog, node, "child", child) for child in catalog.children(node, limit)]
    doors += [Door(kind, to, scent) for kind, to, scent, _ in catalog.edges_out(node)]
    arriving = catalog.edges_in(node.id, limit)
    sources = catalog.by_numbers(num for _, num in arriving)
    for kind, num in arriving:
        known = kinds.get(kind)
        if num in sources:
            doors.append(_door(catalog, node, known.inverse if known else f"{kind}_of", sources[num]))
    return tuple(doors[:limit]), catalog.count_doors(node)


def _door(catalog: Catalog, node: NodeRow, kind: str, target: NodeRow) -> Door:
    return Door(kind, target.id, catalog.override(node, target.id) or target.scent)
