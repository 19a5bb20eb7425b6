"""What a node still says and where it still leads when some words of its body are gone.

Owns the removal: the words, the edges and the period that rest on them, and the doors that go with those edges. What
follows from it is `bench.strictness`, and for the controls of a bench run whoever makes those forests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.sought import Text, text_of
from bench.texts import Texts
from forest.edge import Edge
from forest.ids import work_of
from forest.node import Node
from forest.store import parent_path
from forest.text import one_line

HIERARCHY = ("parent", "child")


@dataclass(frozen=True, slots=True)
class Door:
    """A way on that is left.

    Attributes:
        to: id of the node behind it, or of its work.
        kind: one of `HIERARCHY`, or the kind of the edge, in whichever direction.
        source: id of the node that states the edge; "" for the hierarchy.
        line: title and scent that it shows.
    """

    to: str
    kind: str
    source: str
    line: Text


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a node: its lines (body in pieces, passport) and its doors."""

    text: Text
    doors: tuple[Door, ...]


def without(body: str, spans: Sequence[str]) -> str:
    """Return a body with every occurrence of some spans cut out; white space in them does not matter."""
    for span in spans:
        if span.strip():
            # A mark stands where words were, so that those before and after do not make a new phrase.
            body = re.sub(r"\s+".join(re.escape(word) for word in span.split()), "\n\n|\n\n", body)
    return body


def rests_on(basis: str, body: str, spans: Sequence[str]) -> bool:
    """Tell whether a basis lies in the spans or overlaps them: it stands in the body, and not in what is left."""
    words = one_line(basis)
    return bool(words) and words in one_line(body) and words not in one_line(without(body, spans))


def left_of(texts: Texts, node: Node, spans: Sequence[str]) -> Left:
    """Remove spans from a node, with the edges and the period whose basis lies in them or overlaps them."""
    passport = node.passport
    edges = tuple(edge for edge in passport.edges if not rests_on(edge.basis, node.body, spans))
    doors = tuple(_doors(texts, node, edges))
    behind = {work_of(door.to) for door in doors}
    overrides = (line for to, line in passport.scents.items() if work_of(to) in behind)
    period = passport.in_force
    days = (passport.published, passport.text_as_of, *passport.reforms)
    if period is not None and not rests_on(period.basis, node.body, spans):
        days = (*days, period.start, period.end)
    lines = (
        *(passport.id, passport.title, passport.summary, passport.scent, *passport.tags, *passport.aliases),
        *passport.source.values(),
        *(str(day) for day in days if day is not None),
        *(line for edge in edges for line in (edge.to, edge.scent, edge.basis)),
        *overrides,
        *without(node.body, spans).split("|\n\n"),
    )
    return Left(text_of(*lines), doors)


def _doors(texts: Texts, node: Node, edges: Sequence[Edge]) -> Iterator[Door]:
    parent = texts.paths.get(parent_path(node.path))
    if parent is not None:
        yield _door(texts, node, parent, "parent")
    for child in texts.children.get(node.path, ()):
        yield _door(texts, node, child, "child")
    for edge in edges:
        yield _door(texts, node, edge.to, edge.kind, node.id, edge.scent)
    for one in texts.arriving.get(work_of(node.id), ()):
        if one.source != node.id:
            yield _door(texts, node, one.source, one.edge.kind, one.source)


def _door(texts: Texts, node: Node, to: str, kind: str, source: str = "", scent: str = "") -> Door:
    behind = [texts.nodes[to]] if to in texts.nodes else [texts.nodes[v] for v in texts.works.get(work_of(to), ())]
    told = scent or node.passport.scents.get(to, "")
    return Door(
        to, kind, source, text_of(*(line for n in behind for line in (n.passport.title, told or n.passport.scent)))
    )
