"""The scout: a navigator without a model. It follows the relations that a question asks for, reads, and picks.

It keeps a list of doors seen and not yet taken, and always takes the one that leaves least of the question
unexplained. It answers when hardly anything is left, and abstains with what it found otherwise.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import count, islice
from typing import Any

from forest.analyzer import stems
from forest.basis import units_of_basis
from forest.catalog import NodeRow
from forest.doors import Door
from forest.edge import EdgeKinds
from forest.observation import Observation
from forest.picking import Pick, names_in, picks, same_thing
from forest.plan import Anchor
from forest.ranking import Found
from forest.text import fold
from forest.units import Unit
from forest.values import Value, find_values, holds_value
from forest.weighing import Scales, without
from navigator.actions import Answer, Basis, Decision, Doors, Enter, Find, GiveUp, Hop, Note, Read, Search
from navigator.evidence import basis_of
from navigator.judging import Candidate, Judge, Place
from navigator.period import published_in
from navigator.walk import Navigator
from navigator.world import World

_STEPS = 140  # after which it decides with what it has
_FOR_CHANGES = 16  # more steps, to see whether the answer was changed
_ENTRIES = 5  # nodes found by search that are looked at first
_NAMES = 5  # written with capitals, that are looked for
_NAMESAKES = 3  # texts that one may mean
_DOOR_PAGES = 4
_DOOR_PAGES_ASKED = 12  # where the question names the text, and no door of the relation that it asks for was seen yet
_IDLE_DOORS = 4
_READ_WHOLE = 4  # passages of a node that are all read; of longer ones those that speak of the question
_ENOUGH = 0.66  # how well a candidate must answer
_PLENTY = 0.86  # how well one must answer for the walk to stop looking
_LEAD = 0.12  # and by how much it must lead
_ALTERED = ("amended_by", "corrected_by")
_AS_FITTING = 0.75  # how well a change must answer beside what it changed
# Told as missing.
_TOO_LITTLE = "what the question is about: name a text, or say more"
_COMPUTED = "a value computed from several: what was found is quoted, not computed with"
_CAPITALS = re.compile(
    r"(?<=[\w,;:»)] )[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+(?: (?:de |del |la |las |los |y )*[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+)+"
)
_ANY_TEXT = ("", "documento", "publicacion", "texto", "disposicion", "instrumento")


@dataclass(frozen=True, slots=True)
class Patience:
    """After how many steps without progress a walk concludes with what it has.

    Progress is something that answers better, or a way that explains more of the question.

    Attributes:
        satisfied: when what it has may be answered.
        searching: when it may not.
    """

    satisfied: int
    searching: int


_Steps = Generator[Decision, Observation[Any], Any]


@dataclass
class _Scout:
    question: str
    scales: Scales
    world: World
    judge: Judge
    said: tuple[Value, ...]
    patience: Patience | None = None
    improved: int = 0  # the step at which something better was last found, or a way that explains more
    furthest: float = 0.0  # the most of the question that a way explained
    visited: set[tuple[str, frozenset[int], bool]] = field(default_factory=set)
    picked: dict[str, tuple[Pick, ...]] = field(default_factory=dict)
    units: dict[str, tuple[Unit, ...]] = field(default_factory=dict)
    options: list[tuple[float, int, Place, Door | None]] = field(default_factory=list)
    order: Iterator[int] = field(default_factory=count)

    def walk(self) -> Navigator:
        """Look at what a search finds, then follow doors from what the question names, and conclude."""
        period = published_in(self.question)
        if period is not None and self.scales.plan.asked.kind in ("node", "words", "open") and self.names_a_body():
            yield from self.list_published(*period)
            return
        yield from self.find_names()
        yield from self.glance()
        for node in self.named():
            self.world.show(node)
            self.offer(self.judge.entry(node, named=True), None)
        while self.options and self.world.steps < _STEPS and not (self.is_plenty() or self.is_settled()):
            _, _, place, door = heapq.heappop(self.options)
            arrived = yield from self.go(place, door)
            if arrived is None or (arrived.node, arrived.used, arrived.named > 0) in self.visited:
                continue
            self.visited.add((arrived.node, arrived.used, arrived.named > 0))
            explained = self.scales.share(arrived.explained, arrived.used)
            if explained > self.furthest:
                self.furthest, self.improved = explained, self.world.steps
            yield from self.look(arrived)
            yield from self.read(arrived)
        yield from self.follow_changes()
        yield from self.conclude()

    # --- looking around ------------------------------------------------------------------------------------------

    def glance(self) -> _Steps:
        """Search for the question's words and read the passages found: many questions need no walk."""
        observation = yield Decision(Search(self.question), "what do its words find?")
        hits: dict[str, list[Found]] = {}
        for found in observation.items:
            hits.setdefault(found.reading.node.id, []).append(found)
        for rank, (node, found_here) in enumerate(list(hits.items())[:_ENTRIES]):
            arrived = yield from self.go(self.judge.entry(node, rank), None)
            if arrived is None:
                continue
            text = " ".join(f"{f.reading.node.scent} {f.reading.node.summary} {f.reading.text}" for f in found_here)
            self.visited.add((arrived.node, arrived.used, False))
            yield from self.look(replace(arrived, explained=arrived.explained | self.scales.held(text)))
            yield from self.read_passages(arrived, [f.reading.passage.ordinal for f in found_here])

    def find_names(self) -> _Steps:
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

    def offer(self, place: Place, door: Door | None) -> None:
        """Remember a way that may be taken."""
        heapq.heappush(self.options, (-self.judge.promise(place), next(self.order), place, door))

    def go(self, place: Place, door: Door | None) -> Generator[Decision, Observation[Any], Place | None]:
        """Go where an option leads and return the place as it is there."""
        if door is None:
            yield Decision(Enter(place.node), "the question names it" if place.named else "the search found it")
        else:
            source = place.links[-1].source
            if self.here() != source:
                yield Decision(Enter(source), "back, to take another door")
            if self.here() != source:
                return None
            yield Decision(Hop(door.number), self.why(place, door))
        return self.judge.arrived(place) if self.world.here is not None else None

    def here(self) -> str:
        """Return the id of where the walker stands."""
        return self.world.here.id if self.world.here else ""

    def why(self, place: Place, door: Door) -> str:
        """Return the reason for taking a door, in words."""
        asked = [r for r in self.scales.plan.relations if door.kind in r.kinds]
        relation = f"«{asked[0].words}» is asked; " if asked else ""
        explained = self.scales.share(place.explained, place.used)
        return f"{relation}{door.kind}: {door.scent or door.title}; {explained:.0%} explained"

    def look(self, place: Place) -> _Steps:
        """See the doors of where one stands and remember where they lead."""
        start, idle = 1, Counter[str]()
        for page in range(_DOOR_PAGES_ASKED):
            observation = yield Decision(Doors(start), "where does it lead?")
            for door in observation.items:
                self.judge.note_door(place, door)
                behind = self.judge.behind(place, door, self.said_of(door))
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

    def said_of(self, door: Door) -> str:
        """Return the sentences of where one stands that establish a door; the far end's are not known yet."""
        here = self.world.here
        if here is None or door.kind in ("parent", "child"):
            return ""
        node, basis = basis_of(self.world.state, here, door)
        if node.id != here.id:
            return ""
        _, units = units_of_basis(self.world.state, here, basis)
        return " ".join(unit.text for unit in units)

    def read(self, place: Place) -> _Steps:
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

    def read_passages(self, place: Place, ordinals: list[int]) -> _Steps:
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

    def is_plenty(self) -> bool:
        """Tell whether looking further is not worth it."""
        best, asked = self.judge.best(), self.scales.plan.asked
        if best is None or (asked.many and asked.kind in ("words", "open") and not (best.pick and best.pick.is_list)):
            return False
        return best.fit >= _PLENTY and self.judge.lead(best) >= _LEAD

    def is_settled(self) -> bool:
        """Tell whether nothing better was found for longer than there is patience for."""
        best = self.judge.best()
        if self.patience is None:
            return False
        enough = best is not None and best.fit >= _ENOUGH
        return self.world.steps - self.improved >= (self.patience.satisfied if enough else self.patience.searching)

    def follow_changes(self) -> _Steps:
        """See whether the text that answers best was amended or corrected: what the change says then stands instead."""
        best = self.judge.best()
        if best is None or best.fit < _ENOUGH:
            return
        for _, _, place, door in sorted(self.options, key=lambda option: option[:2]):
            if door is None or door.kind not in _ALTERED or place.links[-1].source != best.place.node:
                continue
            if len(place.links) != len(best.place.links) + 1 or self.world.steps >= _STEPS + _FOR_CHANGES:
                continue
            before = len(self.judge.candidates)
            arrived = yield from self.go(place, door)
            if arrived is not None:
                yield from self.look(arrived)
                yield from self.read(arrived)
            told = [c for c in self.judge.candidates[before:] if c.fit >= best.fit * _AS_FITTING]
            told = [c for c in told if self.judge.speaks_of_the_same(c, best)]
            if told:
                better = max(told, key=lambda candidate: candidate.score)
                self.judge.candidates.append(replace(better, score=best.score + 1))
                return

    # --- what a body published -----------------------------------------------------------------------------------

    def names_a_body(self) -> bool:
        """Tell whether the question names a body that issues texts."""
        found = (self.world.state.catalog.find(node) for node in self.named())
        return any(node is not None and node.kind == "entity" for node in found)

    def list_published(self, first: date, after: date) -> _Steps:
        """List what the bodies that the question names published in a half-open period."""
        notes: list[Note] = []
        for node in self.named():
            self.world.show(node)
            yield Decision(Enter(node), "the question names it")
            start = 1
            while start:
                observation = yield Decision(Doors(start), "what has it published?")
                for door in observation.items:
                    behind = self.world.state.catalog.find(door.to) if door.kind == "issues" else None
                    if behind is None or behind.published is None or not first <= behind.published < after:
                        continue
                    if self.is_of_the_kind(behind):
                        basis = yield Decision(Basis(door.number), f"published on {behind.published}")
                        notes += [Note(passage, numbers, door.title) for passage, _, numbers in _notes_of(basis)[:1]]
                start = start + observation.shown if observation.next and observation.shown else 0
        for note in notes:
            yield Decision(note, "it was published then")
        days = f"from {first} to {after - timedelta(days=1)}"
        if notes:
            yield Decision(Answer(f"Published {days}, by the passports of what it issued."), "those are all")
        else:
            yield Decision(GiveUp(f"anything published {days}"), "nothing that it issued is of those days")

    def is_of_the_kind(self, node: NodeRow) -> bool:
        """Tell whether a text is of the kind that the question asks for by its noun."""
        noun = self.scales.plan.asked.noun
        return noun in _ANY_TEXT or bool(
            frozenset(stems(noun)) & frozenset((*node.stems.split(), *stems(" ".join(node.tags))))
        )

    # --- the end -------------------------------------------------------------------------------------------------

    def conclude(self) -> _Steps:
        """Note the evidence of the way and the answer, or abstain."""
        best = self.judge.best()
        if best is None:
            yield Decision(GiveUp(self.judge.missing(None)), "nothing that was read holds an answer")
            return
        truth, remark = self.false_premise(best)
        if truth is not None:
            yield from self.note(replace(best, pick=truth, value=truth.value))
            yield Decision(Answer(remark), "the question supposes what the text denies")
            return
        yield from self.note(best)
        if self.scales.plan.asked.computed:
            yield Decision(GiveUp(_COMPUTED), "it reads values, and does not compute with them")
        elif best.fit < _ENOUGH:
            yield Decision(GiveUp(self.judge.missing(best)), f"the best answers only {best.fit:.0%} of the question")
        elif not self.scales.says_enough:
            yield Decision(GiveUp(_TOO_LITTLE), "one word alone tells no answer from another")
        elif remark:
            yield Decision(GiveUp(remark), "the question supposes what nothing read confirms")
        else:
            yield Decision(Answer(), f"it answers {best.fit:.0%} of the question")

    def false_premise(self, best: Candidate) -> tuple[Pick | None, str]:
        """Return what the texts on the way say instead of a value that the question supposes, and a sentence on it.

        Only amounts are held against the texts: a day in a question is mostly a matter of its clock. Where the texts
        have neither the value nor another of the same thing, the sentence alone says that it is not confirmed.
        """
        read = {passage: units for passage, units in self.units.items() if passage.rpartition("#")[0] in best.place.way}
        for value in self.said:
            if value.kind not in ("money", "percentage", "quantity") and not _is_exact(value):
                continue
            if any(holds_value(unit.text, value, bare=True) for units in read.values() for unit in units):
                continue
            told = (
                same_thing(units, passage.rpartition("#")[0], value, self.scales.query)
                for passage, units in read.items()
            )
            found = [pick for pick in told if pick is not None]
            truth = max(found, key=lambda pick: self.scales.share(pick.held, frozenset()), default=None)
            supposed = f"{value.amount} {value.unit}".strip()
            held = truth.held | best.place.explained if truth else frozenset[str]()
            if truth is not None and self.scales.share(held, best.place.used) >= _ENOUGH:
                return truth, f"The question supposes {supposed}; the text says {truth.value}."
            return None, f"confirmation of the {supposed} that the question supposes"
        return None, ""

    def note(self, best: Candidate) -> _Steps:
        """Note the words that establish each hop, then those that answer."""
        noted: set[tuple[str, tuple[int, ...]]] = set()
        answered = False
        for at, link in enumerate(best.place.links):
            if link.door.kind in ("parent", "child"):
                continue
            if self.here() != link.source:
                yield Decision(Enter(link.source), "to quote what establishes the way")
            observation = yield Decision(Basis(link.door.number), f"the words behind «{link.door.kind}»")
            last = at == len(best.place.links) - 1 and best.pick is None
            for passage, words, numbers in _notes_of(observation):
                holds = last and names_in(words, best.value)
                answered = answered or holds
                answers = best.pick is not None and (passage, numbers) == (best.pick.passage, best.pick.units)
                if holds or not (answers or (passage, numbers) in noted):
                    noted.add((passage, numbers))
                    yield Decision(Note(passage, numbers, best.value if holds else ""), "it establishes the way")
        if best.pick is not None:
            yield Decision(Note(best.pick.passage, best.pick.units, best.value), "it answers")
        elif not answered:
            yield from self.note_node(best)

    def note_node(self, best: Candidate) -> _Steps:
        """Note the beginning of a node that is itself what is asked for."""
        if self.here() != best.place.node:
            yield Decision(Enter(best.place.node), "to quote what answers")
        observation = yield Decision(Read(1), "the text that answers")
        if observation.items:
            unit = observation.items[0]
            passage = f"{best.place.node}#{unit.passage}"
            yield Decision(Note(passage, (unit.number,), best.value), "it is what is asked for")


def _is_exact(value: Value) -> bool:
    """Tell whether a bare number is an amount, which has decimals, rather than a count or a year."""
    return value.kind == "number" and value.amount is not None and value.amount != int(value.amount)


def _notes_of(observation: Observation[Any]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return (passage, words, numbers) of the units that a basis was shown in."""
    shown: dict[str, list[Unit]] = {}
    for node, unit in observation.items:
        shown.setdefault(f"{node}#{unit.passage}", []).append(unit)
    return [
        (passage, " ".join(unit.text for unit in units), tuple(unit.number for unit in units))
        for passage, units in shown.items()
    ]


def scout(scales: Scales, world: World, question: str, kinds: EdgeKinds, patience: Patience | None = None) -> Navigator:
    """Return the scout's decisions for a question.

    Args:
        scales: the question's plan, and what its words weigh.
        world: where it walks; read, never changed: only decisions change it.
        question: as asked.
        kinds: the forest's edge kinds.
        patience: when it concludes before its last step; never unless given.
    """
    said = tuple(found.value for found in find_values(question))
    inverses = {kind.name: kind.inverse for kind in kinds} | {kind.inverse: kind.name for kind in kinds}
    return _Scout(question, scales, world, Judge(scales, world, scales.plan.anchors, inverses), said, patience).walk()
