"""Exploring: what every walker without a person does around it, whoever decides where to go.

It searches, enters, sees doors and reads, and remembers the ways that may be taken and what may answer. Which way is
taken next, and when it is enough, is the business of `navigator.scout` and `navigator.guided`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any

from forest.basis import units_of_basis
from forest.catalog import NodeRow
from forest.doors import Door
from forest.edge import EdgeKinds
from forest.observation import Observation
from forest.picking import Pick, picks
from forest.plan import Anchor
from forest.ranking import Found
from forest.shortcut import SHORTCUT
from forest.text import fold
from forest.units import Unit
from forest.validity import may_be_given
from forest.values import Value, find_values
from forest.weighing import Scales, without
from navigator.actions import Decision, Doors, Enter, Find, Hop, Read, Search
from navigator.evidence import basis_of, door_to
from navigator.judging import Judge, Place
from navigator.world import World

_ENTRIES = 5  # nodes found by search that are looked at first
_CASES = 8  # places where similar questions were answered
_NAMES = 5  # written with capitals, that are looked for
_NAMESAKES = 3  # texts that one may mean
_DOOR_PAGES = 4
_DOOR_PAGES_ASKED = 12  # where the question names the text, and no door of the relation that it asks for was seen yet
_IDLE_DOORS = 4
_READ_WHOLE = 4  # passages of a node that are all read; of longer ones those that speak of the question
_CAPITALS = re.compile(
    r"(?<=[\w,;:»)] )[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+(?: (?:de |del |la |las |los |y )*[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+)+"
)

Steps = Generator[Decision, Observation[Any], Any]


@dataclass(frozen=True, slots=True)
class Way:
    """A way that may be taken.

    Attributes:
        promise: how much it promises, by `navigator.judging`, as earlier walks of similar questions lift it.
        place: where it leads, and what the way there explains.
        door: that leads there, a shortcut over all of the way's last doors perhaps; None for a node that is entered.
        source: id of the node from which the door leads, "" for none.
        is_warm: whether earlier walks lift it.
    """

    promise: float
    place: Place
    door: Door | None
    source: str = ""
    is_warm: bool = False


@dataclass
class Explorer:
    """A walk's memory and its hands.

    Attributes:
        question: as asked.
        scales: the question's plan, and what its words weigh.
        world: where it walks; read, never changed: only decisions change it.
        judge: weighs places and what may answer.
        said: the values that the question itself has.
        improved: the step at which something better was last found, or a way that explains more.
        furthest: the most of the question that a way explained.
        visited: keys of the places reached.
        warmed: ids of the nodes reached by ways that earlier walks of similar questions lift.
        picked: by passage, what may answer in it.
        units: by passage, its sentences and rows as read.
    """

    question: str
    scales: Scales
    world: World
    judge: Judge
    said: tuple[Value, ...]
    improved: int = 0
    furthest: float = 0.0
    visited: set[tuple[str, frozenset[int], bool]] = field(default_factory=set)
    warmed: set[str] = field(default_factory=set)
    picked: dict[str, tuple[Pick, ...]] = field(default_factory=dict)
    units: dict[str, tuple[Unit, ...]] = field(default_factory=dict)
    _ways: list[tuple[float, int, Way]] = field(default_factory=list)
    _gone: list[tuple[float, int, Way]] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=count)
    _offered: set[str] = field(default_factory=set)
    _hits: list[tuple[int, str, list[Found]]] | None = None

    # --- ways ----------------------------------------------------------------------------------------------------

    def begin(self) -> Steps:
        """Look at what a search finds, and offer what the question names."""
        yield from self.find_names()
        yield from self.glance()
        self.offer_named()

    def offer_named(self) -> None:
        """Offer what the question names; what was offered before is not offered again."""
        for node in self.named():
            if node not in self._offered:
                self._offered.add(node)
                self.world.show(node, named=True)
                self.offer(self.judge.entry(node, named=True), None)

    def offer_cases(self) -> None:
        """Offer where walks of similar questions found what their answers cite, as places to visit."""
        catalog, felt = self.world.state.catalog, self.world.felt
        lifted = (to for source, to, _ in felt.warmest() if felt.boost(source, to) > 1)
        rows = catalog.by_ids(islice(dict.fromkeys(lifted), _CASES))
        for node in sorted(rows.values(), key=lambda row: row.num):
            self.world.show(node.id)
            held = self.scales.held(f"{node.title} {node.scent} {node.summary}")
            self.offer(replace(self.judge.entry(node.id), explained=held), None)

    def offer(self, place: Place, door: Door | None, source: str = "") -> None:
        """Remember a way that may be taken."""
        promise, boost = self.judge.promise(place), self._boost(place, door)
        if promise > 0:
            promise *= boost
        source = source or (place.links[-1].source if door is not None else "")
        heappush(self._ways, (-promise, next(self._order), Way(promise, place, door, source, boost > 1)))

    def _boost(self, place: Place, door: Door | None) -> float:
        """Return what earlier walks of similar questions make of a way.

        No text is lifted that was not in force then, but for one that the question itself names.
        """
        felt, world = self.world.felt, self.world
        if door is None:
            boost = felt.boost("", place.node)
        elif door.kind == SHORTCUT:
            boost = max(felt.boost(link.source, link.door.to) for link in place.links)
        else:
            boost = felt.boost(place.links[-1].source, door.to)
        if boost > 1 and (door is not None or not place.named):
            node = world.state.catalog.by_ids({place.node}).get(place.node)
            if node is None or not may_be_given(node, world.clock, ""):
                return 1.0
        return boost

    def ways(self, *, gone: bool = False) -> tuple[Way, ...]:
        """Return the ways remembered, the most promising first; if asked also those that were taken out."""
        entries = [*self._ways, *self._gone] if gone else self._ways
        return tuple(way for _, _, way in sorted(entries, key=lambda entry: entry[:2]))

    def best_way(self) -> Way | None:
        """Take the most promising way out of those remembered; None when there is none."""
        if not self._ways:
            return None
        self._gone.append(heappop(self._ways))
        return self._gone[-1][2]

    def warm_way(self) -> Way | None:
        """Take the most promising way out if earlier walks lift it; None, and nothing is taken, if they do not."""
        return self.best_way() if self._ways and self._ways[0][2].is_warm else None

    def take(self, way: Way, *, again: bool = False) -> Generator[Decision, Observation[Any], Place | None]:
        """Go a way, see the doors of where it leads, and read there.

        Args:
            way: to be taken.
            again: also where another way of the same worth led there before: what stands there counts for this one.

        Returns:
            The place reached; None when the way could not be gone, or came to the same as one taken before.
        """
        arrived = yield from self.go(way.place, way.door, way.source)
        if arrived is None or (not again and arrived.key in self.visited):
            return None
        self.visited.add(arrived.key)
        if way.is_warm:
            self.warmed.add(arrived.node)
        explained = self.scales.share(arrived.explained, arrived.used)
        if explained > self.furthest:
            self.furthest, self.improved = explained, self.world.steps
        yield from self.look(arrived)
        yield from self.read(arrived)
        return arrived

    # --- looking around ------------------------------------------------------------------------------------------

    def glance(self, *, warm_only: bool = False) -> Steps:
        """Search for the question's words and read the passages found: many questions need no walk.

        Args:
            warm_only: stop before the first that earlier walks of similar questions do not lift; the others are read
                when this is called again.
        """
        if self._hits is None:
            self._hits = yield from self._search()
        while self._hits:
            rank, node, found = self._hits[0]
            if warm_only and self.world.felt.boost("", node) <= 1:
                return
            del self._hits[0]
            arrived = yield from self.go(self.judge.entry(node, rank), None)
            if arrived is None:
                continue
            text = " ".join(f"{f.reading.node.scent} {f.reading.node.summary} {f.reading.text}" for f in found)
            self.visited.add(arrived.key)
            yield from self.look(replace(arrived, explained=arrived.explained | self.scales.held(text)))
            yield from self.read_passages(arrived, [f.reading.passage.ordinal for f in found])

    def _search(self) -> Generator[Decision, Observation[Any], list[tuple[int, str, list[Found]]]]:
        """Return (rank, node, its passages) of the first nodes that a search for the question's words finds."""
        observation = yield Decision(Search(self.question), "what do its words find?")
        hits: dict[str, list[Found]] = {}
        for found in observation.items:
            hits.setdefault(found.reading.node.id, []).append(found)
        return [(rank, node, here) for rank, (node, here) in enumerate(list(hits.items())[:_ENTRIES])]

    def find_names(self) -> Steps:
        """Look for the texts whose titles have the names that the question writes with capitals but not in full."""
        for match in islice(_CAPITALS.finditer(self.scales.plan.rest), _NAMES):
            name = match.group()
            observation = yield Decision(Search(name), f"which texts are called «{name}»?")
            named = dict.fromkeys(f.reading.node for f in observation.items if fold(name) in fold(f.reading.node.title))
            shortest = sorted(named, key=lambda node: (len(node.title), node.num))[:_NAMESAKES]
            if shortest:
                nodes = tuple(node.id for node in shortest)
                self.judge.anchors = (*self.judge.anchors, Anchor(nodes, match.start(), match.end(), name))
                self.judge.scales = self.scales = without(self.scales, name)

    def named(self) -> tuple[str, ...]:
        """Return the nodes that the question names, each once; beside articles, a law named alone is not entered."""
        nodes = tuple(dict.fromkeys(node for anchor in self.judge.anchors for node in anchor.nodes))
        return tuple(node for node in nodes if "/art-" in node) or nodes

    def go(
        self, place: Place, door: Door | None, source: str = ""
    ) -> Generator[Decision, Observation[Any], Place | None]:
        """Go where an option leads and return the place as it is there; `source` is where a shortcut begins."""
        if door is None:
            yield Decision(Enter(place.node), "the question names it" if place.named else "the search found it")
        else:
            source = source or place.links[-1].source
            if self.here() != source:
                yield Decision(Enter(source), "back, to take another door")
            if self.here() != source:
                return None
            yield Decision(Hop(door.number), self.why(place, door))
        return self.judge.arrived(place, self.world.here) if self.world.here is not None else None

    def here(self) -> str:
        """Return the id of where the walker stands."""
        return self.world.here.id if self.world.here else ""

    def why(self, place: Place, door: Door) -> str:
        """Return the reason for taking a door, in words."""
        asked = [r for r in self.scales.plan.relations if door.kind in r.kinds]
        relation = f"«{asked[0].words}» is asked; " if asked else ""
        explained = self.scales.share(place.explained, place.used)
        return f"{relation}{door.kind}: {door.scent or door.title}; {explained:.0%} explained"

    def look(self, place: Place) -> Steps:
        """See the doors of where one stands and remember where they lead."""
        start, idle = 1, Counter[str]()
        for page in range(_DOOR_PAGES_ASKED):
            observation = yield Decision(Doors(start), "where does it lead?")
            for door in observation.items:
                if door.kind == SHORTCUT:
                    if (spanned := self._spanned(place, door)) is not None:
                        self.offer(spanned, door, place.node)
                    continue
                self.judge.note_door(place, door)
                behind = self.judge.behind(place, door, self.said_of(self.world.here, door))
                if behind is None:
                    continue
                if behind.explained == place.explained and behind.used == place.used:
                    idle[door.kind] += 1
                if idle[door.kind] <= _IDLE_DOORS:  # of a hub's many doors that say nothing of the question, a few
                    self.offer(behind, door)
            start += observation.shown
            more = page + 1 < _DOOR_PAGES or self.judge.waits_for_a_door(place)
            if not observation.next or not observation.shown or not more:
                break

    def _spanned(self, here: Place, door: Door) -> Place | None:
        """Return what lies behind a shortcut: all that the way explains which it spans, for one hop."""
        world, end = self.world, here
        shortcut = world.shortcut(here.node, door.to)
        for walked in shortcut.way if shortcut is not None else ():
            source = world.state.catalog.by_ids({walked.source}).get(walked.source)
            spanned = door_to(world.state, source, walked.kind, walked.to, world.clock) if source else None
            if source is None or spanned is None:
                return None
            if source.id != here.node:  # on the way; where it begins one has been
                end = self.judge.arrived(replace(end, node=source.id), source)
            behind = self.judge.behind(end, spanned, self.said_of(source, spanned))
            if behind is None:
                return None
            end = behind
        return self.judge.spanned(here, end) if shortcut is not None else None

    def said_of(self, here: NodeRow | None, door: Door) -> str:
        """Return the sentences of a node that establish a door of it; the far end's are not known yet."""
        if here is None or door.kind in ("parent", "child"):
            return ""
        node, basis = basis_of(self.world.state, here, door)
        if node.id != here.id:
            return ""
        _, units = units_of_basis(self.world.state, here, basis)
        return " ".join(unit.text for unit in units)

    def read(self, place: Place) -> Steps:
        """Read where one stands and remember what may answer."""
        node, plan = self.world.here, self.scales.plan
        if node is None:
            return
        passages = self.world.state.catalog.count_passages(node)
        ordinals = list(range(1, passages + 1))
        if passages > _READ_WHOLE:
            words = plan.rest.strip() or node.title
            found = yield Decision(Find(" ".join(words.split())), f"{passages} passages: which speak of it?")
            ordinals = [part.number for part in found.items if part.kind == "passage"]
        elif node.kind == "instrument" and place.links:  # a law reached on the way: which of its articles?
            found = yield Decision(Find(" ".join(plan.rest.split()) or node.title), "which of its parts speak of it?")
            for part in found.items:
                if part.kind == "child":
                    below = Door("child", part.id, part.line, part.title, "provision", 0, part.id)
                    behind = self.judge.behind(place, below, "")
                    if behind is not None:
                        self.offer(behind, None)
        yield from self.read_passages(place, ordinals)
        if plan.asked.kind == "node" and place.links and self.judge.can_be_asked_for(node.title, node.kind):
            self.judge.consider(place, None, node.title)

    def read_passages(self, place: Place, ordinals: list[int]) -> Steps:
        """Read some passages of where one stands; what was read before is not read again."""
        for ordinal in ordinals:
            passage = f"{place.node}#{ordinal}"
            if passage not in self.picked:
                observation = yield Decision(Read(ordinal), "what does it say?")
                self.units[passage] = observation.items
                asked, query = self.scales.plan.asked, self.scales.query
                self.picked[passage] = tuple(picks(observation.items, place.node, asked, query, self.said))
            before = self.judge.best()
            for pick in self.picked[passage]:
                self.judge.consider(place, pick, pick.value)
            if self.judge.best() is not before:
                self.improved = self.world.steps


def explorer_of(scales: Scales, world: World, question: str, kinds: EdgeKinds) -> Explorer:
    """Return what explores for a question.

    Args:
        scales: the question's plan, and what its words weigh.
        world: where it walks.
        question: as asked.
        kinds: the forest's edge kinds.
    """
    said = tuple(found.value for found in find_values(question))
    inverses = {kind.name: kind.inverse for kind in kinds} | {kind.inverse: kind.name for kind in kinds}
    return Explorer(question, scales, world, Judge(scales, world, scales.plan.anchors, inverses), said)
