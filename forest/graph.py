"""Questions about the whole forest as a graph: what is reachable, what goes in circles.

The door to networkx, which is imported when such a question is asked: the doors of one node are the catalog's.
Vertices are whatever hashable, ordered names the caller uses; answers are plain tuples and sets in a stable order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping


def reachable(start: str, links: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return what can be walked to from `start` when every link can be walked in both directions.

    Args:
        start: a vertex; it is reachable from itself even when no link touches it.
        links: pairs of vertices; direction and repetition do not matter.
    """
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_node(start)
    graph.add_edges_from(links)
    return frozenset(nx.node_connected_component(graph, start))


def cycles(links: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return one shortest cycle for each knot of directed links, each beginning with its lowest vertex.

    A knot is a strongly connected component: it may hold any number of cycles, but mending one at a time mends all,
    whereas listing them all may take exponential time. Links from a vertex to itself are left out.

    Returns:
        Cycles without the repeated first vertex, ordered by their first vertex; empty when there is none.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((source, target) for source, target in links if source != target)
    knots = [knot for knot in nx.strongly_connected_components(graph) if len(knot) > 1]
    return tuple(sorted(_shortest_cycle(graph.adj, knot) for knot in knots))


def _shortest_cycle(following: Mapping[str, Iterable[str]], knot: set[str]) -> tuple[str, ...]:
    """Walk breadth first from the lowest vertex of a knot until it comes back."""
    first = min(knot)
    came_from: dict[str, str] = {}
    queue = deque([first])
    while queue:
        here = queue.popleft()
        for there in sorted(v for v in following[here] if v in knot):
            if there == first:
                path = [here]
                while path[-1] != first:
                    path.append(came_from[path[-1]])
                return tuple(reversed(path))
            if there not in came_from:
                came_from[there] = here
                queue.append(there)
    raise AssertionError("a strongly connected component comes back to each of its vertices")
