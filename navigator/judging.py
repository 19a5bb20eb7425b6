"""Judging: the places that the scout reached, what there may answer, and how well.

Owns the values `Place` and `Candidate` and everything that speaks for or against them. Where to go next is
`navigator.scout`'s; what words weigh is `forest.weighing`'s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from forest.analyzer import asked_words
from forest.catalog import NodeRow
from forest.contrasts import agreeing, contradicts
from forest.doors import Door
from forest.fitting import works_above
from forest.ids import work_of
from forest.picking import WORDS, Pick, names_in, tells
from forest.plan import Anchor, Relation
from forest.text import fold
from forest.validity import may_be_given
from forest.weighing import Scales
from navigator.world import World

# What speaks against a way; each is small beside what a word of the question weighs.
_PER_HOP = 0.02
_UNLIKELY_WAY = 0.06
_BACKWARDS = 0.06
_NOTHING_NEW = 0.05
_HIERARCHY = 0.06
_THROUGH_A_HUB = 0.15
_ARRIVES = 0.3  # what speaks for one
# What speaks against a candidate.
_NAME_LEFT_OUT = 0.4
_PROPER_LEFT_OUT = 0.4
_CHANGE_NOT_WALKED = 0.15
_SUPERSEDED = 0.2
_NOT_IN_FORCE = 0.5
_ANOTHER_OF_ITS_SET = 0.3
_NOT_FROM_THE_NAME = 0.15
_NOT_A_NODE = 0.25
_NO_LIST = 0.2
_CHANGE_UNKNOWN = 0.4
_NOT_SAID = 0.3
_ECHOED = 0.15  # what speaks for one
_NAMED = 1.0  # head start of a way from what the question names
_FADING = 0.4  # of the head start at each door that explains nothing
_BESIDE = 14  # characters between a name and the words of a relation of its
_THE_SAME = 0.6
CHANGES = {"superseded_by": "supersedes", "amended_by": "amends", "repealed_by": "repeals", "corrected_by": "corrects"}
_ALL_CHANGES = frozenset((*CHANGES, *CHANGES.values()))
_REPLACED = frozenset(("supersedes", "repeals"))


@dataclass(frozen=True, slots=True)
class Link:
    """A door gone through: from which node, and what it was."""

    source: str
    door: Door


@dataclass(frozen=True, slots=True)
class Place:
    """A node reached, and what the way to it explains.

    Attributes:
        node: its id.
        links: the doors gone through to it.
        explained: the question's words that the way holds.
        own: those that its title, what it stands under and the scent of the door to it hold.
        door: those that its title, the scent of the door to it and the sentences that establish that door hold.
        used: numbers of the plan's relations that were walked.
        penalty: what speaks against the way.
        named: head start of a way that begins at what the question names; it fades over doors that explain nothing.
        said: the sentences that establish the last door.
    """

    node: str
    links: tuple[Link, ...] = ()
    explained: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    door: frozenset[str] = frozenset()
    used: frozenset[int] = frozenset()
    penalty: float = 0.0
    named: float = 0.0
    said: str = ""

    @property
    def key(self) -> tuple[str, frozenset[int], bool]:
        """By what two ways come to the same: the node, the relations walked to it, and whether from a name."""
        return self.node, self.used, self.named > 0

    @property
    def way(self) -> frozenset[str]:
        """All nodes on the way, this one too."""
        return frozenset((self.node, *(link.source for link in self.links)))


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may answer.

    Attributes:
        place: where it stands.
        pick: the sentences; None when the node itself is what is asked for.
        value: the short value.
        fit: how well it answers, 0 to about 1, whatever the way cost.
        score: the fit less what speaks against the way and the candidate.
    """

    place: Place
    pick: Pick | None
    value: str
    fit: float
    score: float

    @property
    def own(self) -> frozenset[str]:
        """The question's words that it holds itself."""
        return self.place.door if self.pick is None else self.pick.held

    def says_as(self, other: Candidate) -> bool:
        """Tell whether two candidates say the same."""
        if self.value == other.value and self.value != WORDS:
            return True
        if self.pick is None or other.pick is None:
            return False
        return (self.pick.passage, self.pick.units) == (other.pick.passage, other.pick.units)


@dataclass
class Judge:
    """Weighs places and candidates for one question.

    Attributes:
        scales: what the question's words weigh.
        world: where the walk takes place; read, never changed.
        anchors: what the question names, as far as it is known by now.
        inverses: each edge kind's name as seen from its far end, both ways.
        changed: by node, the kinds of change that other texts made to it.
        replaced: nodes that another text had replaced by the days that the question is about.
        kinds: by node, the kinds of all doors that it showed.
        candidates: everything that may answer, in the order in which it was found.
    """

    scales: Scales
    world: World
    anchors: tuple[Anchor, ...]
    inverses: dict[str, str]
    changed: dict[str, set[str]] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    _works: dict[str, frozenset[str]] = field(default_factory=dict)

    def note_door(self, place: Place, door: Door) -> None:
        """Remember of which kind a door of a node is."""
        self.kinds.setdefault(place.node, set()).add(door.kind)
        if door.kind in CHANGES:
            self.changed.setdefault(place.node, set()).add(CHANGES[door.kind])
            if CHANGES[door.kind] in _REPLACED and self._has_begun(door.to):
                self.replaced.add(place.node)

    # --- ways ----------------------------------------------------------------------------------------------------

    def entry(self, node: str, rank: int = 0, *, named: bool = False) -> Place:
        """Return a node where the walk may begin; `rank` is its place among what a search found."""
        return Place(node, penalty=rank * _PER_HOP, named=_NAMED if named else 0.0)

    def promise(self, place: Place) -> float:
        """Return how much a way promises: the share of the question that it explains, less what speaks against it."""
        return self.scales.share(place.explained, place.used) - place.penalty + place.named

    def behind(self, here: Place, door: Door, said: str) -> Place | None:
        """Return the place behind a door as far as it can be told before going there; None where it goes in a circle.

        Args:
            here: from where it leads.
            door: as it was shown.
            said: the sentences here that establish it.
        """
        if any(door.to in (link.door.to, link.source) for link in here.links):
            return None
        used, penalty, named = here.used, here.penalty + _PER_HOP, here.named
        relation = self._relation_of(door, used)
        if relation is not None:
            used, penalty = used | {relation[0]}, penalty + relation[1]
        own = self.scales.held(f"{door.scent} {door.title}")
        told = self.scales.held(said)
        explained = here.explained | own | told
        if relation is None and explained == here.explained:
            penalty, named = penalty + _NOTHING_NEW, named * _FADING
        if door.kind in ("parent", "child"):
            penalty += _HIERARCHY
        if here.links and self._undoes(here.links[-1].door.kind, door.kind):
            penalty += _THROUGH_A_HUB
        if self._arrives(here, door):
            penalty -= _ARRIVES
        links = (*here.links, Link(here.node, door))
        return Place(door.to, links, explained, own, own | told, used, penalty, named, said)

    def spanned(self, here: Place, end: Place) -> Place:
        """Return the end of a way that a shortcut spans as what it is from here: one hop."""
        fades = end.explained == here.explained and end.used == here.used
        return replace(end, penalty=here.penalty + _PER_HOP, named=here.named * (_FADING if fades else 1.0))

    def arrived(self, place: Place, node: NodeRow) -> Place:
        """Return a place as it is where the way to it landed."""
        above = " ".join(ancestor.title for ancestor in self.world.state.catalog.ancestors(node)[:-1])
        own = place.own | self.scales.held(f"{node.title} {above}")
        return replace(place, node=node.id, explained=place.explained | own, own=own)

    def waits_for_a_door(self, place: Place) -> bool:
        """Tell whether the next relation to walk has shown no door here, at a text that the question names."""
        waiting = [r for i, r in enumerate(self.scales.plan.relations) if i not in place.used][:1]
        at_name = any(place.node in anchor.nodes for anchor in self.anchors)
        return at_name and any(not self.kinds.get(place.node, set()) & set(relation.kinds) for relation in waiting)

    def _relation_of(self, door: Door, used: frozenset[int]) -> tuple[int, float] | None:
        """Return which relation of the plan a door is, and what speaks against it being that one."""
        for i, relation in enumerate(self.scales.plan.relations):
            if i not in used and door.kind in relation.kinds:
                likely = door.kind in relation.asked
                if not likely and _ALL_CHANGES & set(relation.kinds) and self._is_of_a_name(relation):
                    continue  # what replaced X is not what X replaced
                backwards = any(i < other for other in used)
                return i, (0.0 if likely else _UNLIKELY_WAY) + (_BACKWARDS if backwards else 0.0)
        return None

    def _arrives(self, here: Place, door: Door) -> bool:
        """Tell whether a door leads into a law that the question names and the way has not been in."""
        families = {node.partition("/")[0] for node in here.way}
        law = door.to.partition("/")[0]
        return law not in families and "/" in door.to and any(law in anchor.nodes for anchor in self.anchors)

    def _undoes(self, one: str, other: str) -> bool:
        """Tell whether a door goes back the way another came: up to a hub and down to one of its many others."""
        return {one, other} == {"parent", "child"} or self.inverses.get(one) == other

    # --- candidates ----------------------------------------------------------------------------------------------

    def consider(self, place: Place, pick: Pick | None, value: str) -> None:
        """Remember what may answer, weighed; the walker stands at the place."""
        scales, text = self.scales, pick.text if pick else ""
        # A body is not what is asked for because of what it stands under.
        unit = pick.held | scales.held(text) if pick else place.door
        unit |= scales.held(" ".join(agreeing(scales.plan.rest, text)))
        own, way = (place.own, place.explained) if pick else (place.door, frozenset[str]())
        itself = scales.of_words(scales.clause, unit)
        fit = scales.fit(unit, own, way, place.explained, place.used)
        fit -= _NAME_LEFT_OUT * self._names_left_out(place, text)
        fit -= _CHANGE_NOT_WALKED * self._changes_not_walked(place, unit)
        fit -= _CHANGE_UNKNOWN * self._changes_unknown(place, unit)
        fit -= _SUPERSEDED * self._is_superseded(place)
        fit -= _NOT_FROM_THE_NAME * bool(self.anchors and place.links and not place.named)
        fit -= _PROPER_LEFT_OUT * min(2, len(scales.proper - place.explained - unit - self._years()))
        fit -= _ANOTHER_OF_ITS_SET * contradicts(scales.plan.rest, text)
        fit -= _NOT_IN_FORCE * (not self._holds_then(text))
        asked = scales.plan.asked
        fit -= _NOT_SAID * bool(
            asked.kind == "open" and not asked.many and value == WORDS and not tells(asked.noun, text)
        )
        fit -= _NOT_A_NODE if pick and asked.kind == "node" else 0.0
        fit -= _NO_LIST * bool(pick and asked.many and asked.kind in ("words", "open") and not pick.is_list)
        favour = 0.1 * itself + (_ECHOED if pick and _echoes(text, place.said) else 0.0)
        self.candidates.append(Candidate(place, pick, value, fit, fit + favour - place.penalty))

    def can_be_asked_for(self, title: str, kind: str) -> bool:
        """Tell whether a node can be what is asked for by its noun."""
        noun = self.scales.plan.asked.noun
        if not noun:  # who
            return kind == "entity"
        return noun in fold(title) or kind in ("entity", "instrument", "publication", "provision")

    def best(self) -> Candidate | None:
        """Return what answers best; the first found of equals."""
        return max(self.candidates, key=lambda candidate: candidate.score, default=None)

    def lead(self, best: Candidate) -> float:
        """Return by how much a candidate leads over what says something else."""
        return best.score - max((c.score for c in self.candidates if not c.says_as(best)), default=0.0)

    def is_one_of_several(self, best: Candidate) -> bool:
        """Tell whether another row of the same table, with another value, answers exactly as well."""
        if best.pick is None or self.scales.plan.asked.many or not best.pick.text.startswith("|"):
            return False
        return any(
            c.pick is not None
            and c.pick.passage == best.pick.passage
            and c.pick.text.startswith("|")
            and c.score == best.score
            and not c.says_as(best)
            for c in self.candidates
        )

    def speaks_of_the_same(self, change: Candidate, best: Candidate) -> bool:
        """Tell whether a change answers the question as well as what it changed: it may be about another part."""
        if change.pick is None or best.pick is None:
            return False
        held = self.scales.clause & best.pick.held
        return self.scales.of_words(held, change.pick.held) >= _THE_SAME

    def missing(self, best: Candidate | None) -> str:
        """Return what of the question nothing explained, in its words."""
        held = frozenset[str]()
        if best is not None:
            held = best.place.explained | (best.pick.held if best.pick else frozenset())
        used = best.place.used if best else frozenset[int]()
        relations = [r.words for i, r in enumerate(self.scales.plan.relations) if i not in used]
        lacking = {stem for stem, weight in self.scales.query.weights.items() if stem not in held and weight > 1}
        words = [word for word, stem in asked_words(self.scales.query.text) if stem in lacking]
        return ", ".join(dict.fromkeys([*relations, *words])) or "the kind of answer that is asked for"

    def _years(self) -> frozenset[str]:
        """Return the question's years that the text where one stands may be in force in."""
        node, clock = self.world.here, self.world.clock
        if node is None or self.scales.is_titled or node.in_force_from is None:
            return frozenset()  # what does not say when it holds must name the year itself
        return frozenset(str(year) for year in range(clock.start.year, clock.end.year + 1))

    def _holds_then(self, text: str) -> bool:
        node = self.world.here
        return node is not None and may_be_given(node, self.world.clock, text)

    def _names_left_out(self, place: Place, text: str) -> int:
        """Return how many of the question's names are neither on the way, nor above it, nor in a text."""
        works = frozenset[str]().union(*map(self._works_above, place.way))
        return sum(
            not (works & {work_of(named) for named in anchor.nodes} or names_in(text, anchor.words))
            and not any(node.startswith(f"{named}/") for node in place.way for named in anchor.nodes)
            for anchor in self.anchors
        )

    def _works_above(self, node: str) -> frozenset[str]:
        if node not in self._works:
            row = self.world.state.catalog.find(node)
            self._works[node] = works_above(self.world.state, row) if row else frozenset({work_of(node)})
        return self._works[node]

    def _has_begun(self, node: str) -> bool:
        """Tell whether a text holds before the end of the days that the question is about, or does not say when."""
        row = self.world.state.catalog.find(node)
        return row is None or row.in_force_from is None or row.in_force_from < self.world.clock.end

    def _changes_not_walked(self, place: Place, unit: frozenset[str]) -> int:
        """Return how many changes the question speaks of, that texts on the way underwent, were not followed."""
        changes = set[str]().union(*(self.changed.get(node, set()) for node in place.way))
        return sum(
            bool(changes & set(relation.kinds)) and i not in place.used and not self.scales.names(i, unit)
            for i, relation in enumerate(self.scales.plan.relations)
        )

    def _changes_unknown(self, place: Place, unit: frozenset[str]) -> int:
        """Return how many changes the question supposes of a text it names, that no door of the way is of."""
        if not place.named:
            return 0
        known = set[str]().union(*(self.kinds.get(node, set()) for node in place.way))
        return sum(
            bool(_ALL_CHANGES & set(relation.kinds))
            and self._is_of_a_name(relation)
            and i not in place.used
            and not known & set(relation.asked)
            and not self.scales.names(i, unit | place.explained)
            for i, relation in enumerate(self.scales.plan.relations)
        )

    def _is_of_a_name(self, relation: Relation) -> bool:
        """Tell whether the words of a relation stand beside a name: "sustituyó a la NOM-…"."""
        return any(
            0 <= gap <= _BESIDE
            for anchor in self.anchors
            for gap in (anchor.start - relation.end, relation.start - anchor.end)
        )

    def _is_superseded(self, place: Place) -> bool:
        """Tell whether a text that the question does not name, nor leads to, was replaced by another."""
        if place.named or place.node not in self.replaced:
            return False
        return not any(link.door.kind in _REPLACED for link in place.links)


def _echoes(row: str, said: str) -> bool:
    """Tell whether a table row is the one that the sentences before it name: "grado 3" and "| 3 | 23 días |"."""
    if not row.startswith("|") or not said:
        return False
    key = fold(row.strip("| ").partition("|")[0].strip())
    return bool(key) and bool(re.search(rf"(?<![\w.-]){re.escape(key)}(?![\w-])", fold(said)))
