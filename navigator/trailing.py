"""Trailing: which doors a walk went through, which of them led to what its answer cites, and the trail made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import heappop, heappush
from itertools import count

from forest.answer import Answer
from forest.citation import Citation
from forest.trail import MAX_CITED, MAX_DOORS, CitedPassage, Trail, WalkedDoor, question_id, signature_of
from forest.versions import VERSIONS

_FOUND_IS_FAR = 4  # doors that an entry found by a search counts for


@dataclass(frozen=True, slots=True)
class Gone:
    """A door that was gone through.

    Attributes:
        source: id of the node where the walker stood, "" for a node that was entered.
        kind: of the door as it was seen, `entry` for such a node.
        to: id behind the door, as the door says it.
        landed: id of the node in which the walker then stood: of a work with versions perhaps one of these.
    """

    source: str
    kind: str
    to: str
    landed: str


def trail_of(
    answer: Answer,
    gone: Iterable[Gone],
    proven: Collection[tuple[str, str]],
    named: Collection[str],
    *,
    searched: str,
    ending: str,
    navigator: str,
    now: datetime,
) -> Trail | None:
    """Return the trail of a walk whose answer was verified, None of one that claims nothing.

    Args:
        answer: as it was concluded; only its claims count.
        gone: doors gone through, in order.
        proven: (source, to) of the doors whose establishing words were read.
        named: ids of the nodes that the question names.
        searched: the question as it was searched, of which the signature is made.
        ending: of the walk.
        navigator: who decided its steps.
        now: when it ended.
    """
    if not answer.claims:
        return None
    cited = tuple(dict.fromkeys(_passage(c) for claim in answer.claims for c in claim.citations))[:MAX_CITED]
    return Trail(
        question=question_id(answer.question),
        signature=signature_of(searched),
        analyzer=VERSIONS["analyzer"],
        doors=walked_doors(gone, {passage.node for passage in cited}, proven, named),
        cited=cited,
        ending=ending,
        navigator=navigator,
        commit=answer.commit,
        tree=answer.tree,
        time=now.astimezone(UTC),
    )


def walked_doors(
    gone: Iterable[Gone],
    cited: Collection[str],
    proven: Collection[tuple[str, str]] = (),
    named: Collection[str] = (),
) -> tuple[WalkedDoor, ...]:
    """Return each door gone through once, and whether it was useful.

    Useful are the doors of a shortest way from an entry to each cited node. What a search found is as far as a few
    doors: a similar question may name the same node, and a search for its words find another. Where the end of a chain
    was entered all the same the chain is useful too: the doors whose establishing words were read, and the way to where
    each of these begins.

    Args:
        gone: in order.
        cited: ids of nodes whose passages the answer cites.
        proven: (source, to) of the doors whose establishing words were read.
        named: ids of the nodes that the question names.
    """
    first = dict[tuple[str, str], Gone]()
    for one in gone:
        first.setdefault((one.source, one.landed), one)
    useful = {door for node in cited for door in _shortest(first, named, node)}
    chained = {ends for ends, one in first.items() if ends[0] and (one.source, one.to) in proven}
    useful |= chained | {door for source, _ in chained for door in _shortest(first, named, source)}
    told = dict[tuple[str, str], WalkedDoor]()
    for ends, one in first.items():
        known = told.get((one.source, one.to))
        is_useful = ends in useful or (known is not None and known.useful)
        told[one.source, one.to] = WalkedDoor(one.source, one.kind, one.to, is_useful)
    # Of a very long walk those that were of use come first into what a trail can hold, all in the order of walking.
    kept = sorted(told.values(), key=lambda door: not door.useful)[:MAX_DOORS]
    return tuple(door for door in told.values() if door in kept)


def _shortest(gone: Mapping[tuple[str, str], Gone], named: Collection[str], node: str) -> tuple[tuple[str, str], ...]:
    """Return the doors of the shortest way from an entry to a node, the entry among them; the first walked of equals.

    Shortest paths by Dijkstra (1959), from one beginning before all entries.
    """
    ways = dict[str, list[tuple[int, str]]]()
    for (source, landed), one in gone.items():
        far = 1 if source or one.to in named else _FOUND_IS_FAR
        ways.setdefault(source, []).append((far, landed))
    order = count()
    waiting, before = [(0, next(order), "", "")], dict[str, str]()
    while waiting:
        far, _, here, source = heappop(waiting)
        if here in before:
            continue
        before[here] = source
        if here == node:
            break
        for more, landed in ways.get(here, ()):
            heappush(waiting, (far + more, next(order), landed, here))
    path = list[tuple[str, str]]()
    while node and node in before:
        path.append((before[node], node))
        node = before[node]
    return tuple(reversed(path))


def _passage(citation: Citation) -> CitedPassage:
    c = citation
    return CitedPassage(c.node, c.passage, c.path, c.blob, c.start, c.end, c.sha256)
