"""A forest as the texts that a question's evidence is compared with: whole files, names, and what is joined.

Owns which texts there are, by which names nodes are called, and which nodes edges and folders join; works and their
versions count as one. What may not stand where is `bench.strictness`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bench.holding import words_of
from bench.sought import Text, text_of
from forest.edge import Edge
from forest.ids import work_of
from forest.node import Node
from forest.store import parent_path


@dataclass(frozen=True, slots=True)
class Stated:
    """An edge and the node that states it."""

    source: str
    edge: Edge


@dataclass(frozen=True, slots=True)
class Texts:
    """The nodes of one forest.

    Attributes:
        nodes: by id.
        texts: the whole file of each, by id.
        bearers: ids by each folded title, alias, id and source code.
        works: ids by work.
        stated: edges by the works that they join.
        arriving: edges by the work that they lead to.
        children: ids by the path of the parent's file.
        paths: ids by path.
    """

    nodes: Mapping[str, Node]
    texts: Mapping[str, Text]
    bearers: Mapping[str, tuple[str, ...]]
    works: Mapping[str, tuple[str, ...]]
    stated: Mapping[frozenset[str], tuple[Stated, ...]]
    arriving: Mapping[str, tuple[Stated, ...]]
    children: Mapping[str, tuple[str, ...]]
    paths: Mapping[str, str]

    def names(self, node_id: str) -> tuple[str, ...]:
        """Return titles, aliases, ids and source codes of a node's work and all its versions, as written."""
        versions = self.works.get(work_of(node_id), ())
        return tuple(dict.fromkeys(name for found in versions for name in names_of(self.nodes[found])))

    def called(self, phrase: str) -> tuple[str, ...]:
        """Return the ids of the nodes of which `phrase` is a title, alias or identifier."""
        return self.bearers.get(words_of(phrase), ())

    def names_node(self, phrase: str, node_id: str) -> bool:
        """Tell whether `phrase` is a title, alias or identifier of a node, its work or a version of that."""
        return any(work_of(found) == work_of(node_id) for found in self.called(phrase))

    def between(self, one: str, other: str) -> tuple[Stated, ...]:
        """Return the edges that join two nodes, whichever states them."""
        return self.stated.get(frozenset((work_of(one), work_of(other))), ())


def names_of(node: Node) -> tuple[str, ...]:
    """Return title, aliases, id, work and source code of one node, those that it has."""
    p = node.passport
    names = (p.title, *p.aliases, p.id, work_of(p.id), p.source.get("code", ""))
    return tuple(dict.fromkeys(name for name in names if words_of(name).strip()))


def read_texts(nodes: Iterable[Node]) -> Texts:
    """Make the nodes of a forest ready; of nodes with one id the first counts."""
    known: dict[str, Node] = {}
    for node in nodes:
        known.setdefault(node.id, node)
    bearers: defaultdict[str, list[str]] = defaultdict(list)
    works: defaultdict[str, list[str]] = defaultdict(list)
    stated: defaultdict[frozenset[str], list[Stated]] = defaultdict(list)
    arriving: defaultdict[str, list[Stated]] = defaultdict(list)
    children: defaultdict[str, list[str]] = defaultdict(list)
    for node in known.values():
        for name in dict.fromkeys(words_of(name) for name in names_of(node)):
            bearers[name].append(node.id)
        works[work_of(node.id)].append(node.id)
        children[parent_path(node.path)].append(node.id)
        for edge in node.passport.edges:
            stated[frozenset((work_of(node.id), work_of(edge.to)))].append(Stated(node.id, edge))
            arriving[work_of(edge.to)].append(Stated(node.id, edge))
    return Texts(
        known,
        {node.id: text_of(node.text) for node in known.values()},
        {name: tuple(ids) for name, ids in bearers.items()},
        {work: tuple(ids) for work, ids in works.items()},
        {pair: tuple(edges) for pair, edges in stated.items()},
        {work: tuple(edges) for work, edges in arriving.items()},
        {path: tuple(ids) for path, ids in children.items()},
        {node.path: node.id for node in known.values()},
    )
