"""The world that a walker is in: where it stands, what it has been shown, read and noted.

Every navigator acts on it through the same actions and sees the same observations. Only what was shown can be entered,
and only what was read can be noted; a request that cannot be met is answered with an observation that says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from forest.basis import units_of_basis
from forest.catalog import NodeRow
from forest.doors import Door
from forest.errors import ForestError, WrongUsage
from forest.heat import NO_HEAT, Felt
from forest.observation import Line, Observation, Page, clean, fitted
from forest.outline import outline, passport_command, step_command
from forest.reading import Reading, read_passage
from forest.scent import scent
from forest.shortcut import SHORTCUT, Shortcut
from forest.shortcuts import evidence_of, shortcut_to
from forest.state import State
from forest.steps import Landing, land, read, search_step
from forest.text import count_tokens
from forest.trail import ENTRY
from forest.units import Unit
from forest.validity import Clock, may_be_given
from navigator.actions import (
    Action,
    Answer,
    Back,
    Basis,
    Doors,
    Drop,
    Enter,
    Find,
    GiveUp,
    Hop,
    Note,
    Outline,
    Read,
    Search,
)
from navigator.evidence import basis_of, parts_with
from navigator.trailing import Gone

_FOUND_PARTS = 4
_LEAST_READ = 600  # tokens; less shows no sentence
_FEW = 8  # numbers named in a refusal
_NAME_CHARACTERS = 100  # of what a refusal names: anything may have been asked for


@dataclass(frozen=True, slots=True)
class Noted:
    """Sentences or rows that were kept.

    Attributes:
        reading: the passage, read and verified.
        runs: (start, end) in its text of each unbroken run of what was kept.
        value: the short value that answers, `WORDS` when the words do, "" for words that lead to the answer.
    """

    reading: Reading
    runs: tuple[tuple[int, int], ...]
    value: str

    @property
    def quotes(self) -> tuple[str, ...]:
        """The words of each run."""
        return tuple(self.reading.text[start:end] for start, end in self.runs)


@dataclass
class World:
    """One walk's surroundings and its memory.

    Attributes:
        state: of the forest, as of the clock's day.
        clock: the days the question is about.
        here: the node where the walker stands, None before it has entered one.
        steps: actions taken.
        hops: doors gone through.
        tokens: of everything shown so far.
        read: ids of the passages read, in the order of their first reading.
        notes: what was kept, in order.
        question: as asked; "" for a walk without one.
        gone: doors gone through, in order, what was entered among them.
        proven: (source, to) of the doors whose establishing words were read.
        named: ids of the nodes that the question names, as far as they were shown.
        felt: what earlier walks of similar questions left on doors; moves entries within its bound.
        begin_at: id of the node at which the walk begins; "" for what a search finds and the question names.
        with_shortcuts: whether doors that trails earned may be gone through.
        with_cases: whether what verified answers to similar questions cite is offered as places to visit.
    """

    state: State
    clock: Clock
    here: NodeRow | None = None
    steps: int = 0
    hops: int = 0
    tokens: int = 0
    notes: list[Noted] = field(default_factory=list)
    question: str = ""
    gone: list[Gone] = field(default_factory=list)
    proven: set[tuple[str, str]] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    felt: Felt = NO_HEAT
    begin_at: str = ""
    with_shortcuts: bool = True
    with_cases: bool = False
    _came_from: list[NodeRow] = field(default_factory=list)
    _shown: set[str] = field(default_factory=set)
    _units: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)

    @property
    def read(self) -> tuple[str, ...]:
        """Ids of the passages read, in the order of their first reading."""
        return tuple(self._units)

    def take(self, action: Action) -> Observation[Any]:
        """Do one action and return what it shows; what cannot be done is told, and costs what it says."""
        try:
            observation = self._do(action)
        except ForestError as error:
            observation = said(str(error))
        self.steps += 1
        self.tokens += observation.tokens
        return observation

    def _do(self, action: Action) -> Observation[Any]:
        match action:
            case Search(words):
                hits = search_step(self.state, words, self.clock, lift=None if self.felt is NO_HEAT else self._lift)
                self._shown.update(found.reading.node.id for found in hits.items)
                return hits
            case Enter(node):
                if node not in self._shown:
                    shown = clean(node)[:_NAME_CHARACTERS]
                    raise WrongUsage(f"{shown} was not shown on this walk.", "Search for it, or hop through a door.")
                return self._enter(node)
            case Find(words):
                return self._find(words)
            case Basis(number):
                return self._basis(number)
            case Outline(start):
                return self._outline(start)
            case Doors(start):
                doors = scent(self.state, self._position().id, self.clock, start)
                self._shown.update(door.to for door in doors.items)
                return doors
            case Hop(number):
                return self._hop(number)
            case Read(passage, start):
                return self._read(passage, start)
            case Back():
                if not self._came_from:
                    raise WrongUsage("There is nowhere to go back to.", "This is where the walk began.")
                self.here = self._came_from.pop()
                return said(f"Back at {self.here.id}: {clean(self.here.title)}.")
            case Note():
                return self._note(action)
            case Drop(number):
                return self._drop(number)
            case Answer() | GiveUp():
                return said("The walk ends here.")

    def show(self, node: str, *, named: bool = False) -> None:
        """Let a node be entered that no step has shown: the question names it, or answers to similar ones cite it."""
        self._shown.add(node)
        if named:
            self.named.add(node)

    def _position(self) -> NodeRow:
        if self.here is None:
            raise WrongUsage("You stand nowhere yet.", "Search, then enter a node.")
        return self.here

    def _stand(self, landing: Landing) -> Observation[Any]:
        if self.here is not None:
            self._came_from.append(self.here)
        self.here = landing.node
        if not landing.line:
            return self._outline(1)
        # Why it is this version, or none, stands under the first line and is paid from the same budget.
        line = clean(landing.line)
        budget = self.state.config.outline_budget_tokens
        shown = self._outline(1, budget - count_tokens(f"{line}\n"))
        first, _, rest = shown.text.partition("\n")
        text = f"{first}\n{line}\n{rest}"
        return replace(shown, text=text, tokens=count_tokens(text))

    def _outline(self, start: int, budget: int | None = None) -> Observation[Any]:
        observation = outline(self.state, self._position().id, self.clock, start, budget)
        self._shown.update(part.id for part in observation.items if part.kind == "child")
        return observation

    def _door(self, number: int) -> Door:
        door = next(iter(scent(self.state, self._position().id, self.clock, number).items), None)
        if door is None or door.number != number or door.to not in self._shown:
            raise WrongUsage(f"{self._position().id} has shown no door {number}.", "See its doors first.")
        return door

    def _enter(self, node: str) -> Observation[Any]:
        landing = land(self.state, node, self.clock)
        here, parent = self.here, self.state.catalog.parent(landing.node)
        known = {place for one in self.gone for place in (one.to, one.landed)}
        if here is not None and parent is not None and parent.id == here.id:  # a part that was shown where one stands
            self.gone.append(Gone(here.id, "child", node, landing.node.id))
        elif node not in known:  # else one only goes back to where one was
            self.gone.append(Gone("", ENTRY, node, landing.node.id))
        return self._stand(landing)

    def _hop(self, number: int) -> Observation[Any]:
        here, door = self._position(), self._door(number)
        # Up, the work itself is wanted, not its version in force, from where one may come.
        up = door.kind == "parent"
        landing = Landing(self.state.catalog.node(door.to), "") if up else land(self.state, door.to, self.clock)
        self.hops += 1
        if door.kind == SHORTCUT:
            return self._take_shortcut(here, door, landing)
        self.gone.append(Gone(here.id, door.kind, door.to, landing.node.id))
        return self._stand(landing)

    def shortcut(self, node: str, to: str) -> Shortcut | None:
        """Return the shortcut behind a door of that kind; None where none is known, or none may be gone through."""
        return shortcut_to(self.state, node, to) if self.with_shortcuts else None

    def _take_shortcut(self, here: NodeRow, door: Door, landing: Landing) -> Observation[Any]:
        """Land behind a shortcut, and read what it carries, as far as a read has room.

        It is walked as the doors that it spans: nothing that they establish is skipped, and what it leaves to later
        walks is what they would have left.
        """
        shortcut = self.shortcut(here.id, door.to)
        if shortcut is None:  # an edge that somebody wrote
            self.gone.append(Gone(here.id, door.kind, door.to, landing.node.id))
            return self._stand(landing)
        for walked, after in zip_longest(shortcut.way, shortcut.way[1:]):
            landed = after.source if after is not None else landing.node.id
            self.gone.append(Gone(walked.source, walked.kind, walked.to, landed))
            self._shown.update((walked.source, walked.to))
        passages = [passage.id for passage in evidence_of(self.state, shortcut).passages]
        return self._with_carried(self._stand(landing), passages)

    def _with_carried(self, landed: Observation[Any], passages: list[str]) -> Observation[Any]:
        """Return what is shown on landing, with passages under it that a shortcut carries; what is left out is told."""
        room, told = self.state.config.read_budget_tokens, list[str]()
        left = list[str]()
        for passage in passages:
            shown = read(self.state, passage, self.clock, budget=max(room, _LEAST_READ)) if room > 0 else None
            if shown is None or shown.truncated:
                left.append(passage)
                continue
            room -= shown.tokens
            self._keep(passage, shown.items)
            told.append(shown.text)
        if left:
            command = step_command(self.state, self.clock, "read", left[0])
            told.append(f"NOT SHOWN of what the shortcut carries: {', '.join(left)}. Read: {command}")
        text = "\n\n".join([landed.text, *told])
        return replace(landed, text=text, tokens=count_tokens(text), truncated=landed.truncated or bool(left))

    def _lift(self, node: NodeRow) -> float:
        """Return what a search hit's score is multiplied by; texts not in force then are not lifted."""
        boost = self.felt.boost("", node.id)
        return min(boost, 1.0) if boost > 1.0 and not may_be_given(node, self.clock, "") else boost

    def _basis(self, number: int) -> Observation[Any]:
        here, door = self._position(), self._door(number)
        node, basis = basis_of(self.state, here, door)
        reading, units = units_of_basis(self.state, node, basis)
        if reading is None:
            raise WrongUsage(f"Door {number} of {here.id} rests on no words.", "")
        self.proven.add((here.id, door.to))
        passage = reading.passage.id
        budget = self.state.config.read_budget_tokens

        def command(at: int) -> str:
            return step_command(self.state, self.clock, "read", passage, at=units[at - 1].number)

        page = Page(budget, 1, len(units), f"sentences and rows of {passage} that establish door {number}", command)
        head = [Line(f"{node.id}  {clean(node.title)}", passport_command(self.state, node.id))]
        lines = [Line(f"[{unit.number}] {clean(unit.text)}") for unit in units]
        observation = fitted(page, head, [(node.id, unit) for unit in units], lines)
        self._keep(passage, (unit for _, unit in observation.items))
        return observation

    def _find(self, words: str) -> Observation[Any]:
        node = self._position()
        parts = tuple(parts_with(self.state, node, words, self.clock, _FOUND_PARTS))
        self._shown.update(part.id for part in parts if part.kind == "child")
        budget = self.state.config.search_budget_tokens
        outlined = step_command(self.state, self.clock, "outline", node.id)
        what = f"parts of {node.id} that have such words"
        told = f"MORE MAY HAVE THEM, as only the best {_FOUND_PARTS} were looked for: {outlined}"
        page = Page(budget, 1, len(parts), what, lambda _: outlined, told if len(parts) == _FOUND_PARTS else "")
        lines = [
            Line(
                f"[{part.number}] {part.id}  {clean(part.title)}: {clean(part.line)}",
                step_command(self.state, self.clock, "read" if part.kind == "passage" else "outline", part.id),
            )
            for part in parts
        ]
        return fitted(page, [], parts, lines)

    def _read(self, number: int, start: int) -> Observation[Any]:
        passage = f"{self._position().id}#{number}"
        observation = read(self.state, passage, self.clock, start)
        self._keep(passage, observation.items)
        return observation

    def _keep(self, passage: str, units: Iterable[Unit]) -> None:
        known = self._units.setdefault(passage, {})
        known.update((unit.number, (unit.start, unit.end)) for unit in units)

    def _note(self, note: Note) -> Observation[Any]:
        units = self._units.get(note.passage, {})
        unread = [number for number in note.units if number not in units]
        if unread or not note.units:
            which = ", ".join(map(str, unread[:_FEW])) + (", …" if len(unread) > _FEW else "")
            passage = clean(note.passage)[:_NAME_CHARACTERS]
            raise WrongUsage(
                f"Sentence {which} of {passage} was not read.", "Only what was read on this walk can be noted."
            )
        node_id, _, ordinal = note.passage.rpartition("#")
        reading = read_passage(self.state, self.state.catalog.node(node_id), int(ordinal))
        runs: list[tuple[int, int]] = []
        for number in sorted(set(note.units)):
            start, end = units[number]
            if runs and number - 1 in note.units:
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
        noted = Noted(reading, tuple(runs), note.value)
        self.notes.append(noted)
        return said(f"Note {len(self.notes)}: {' […] '.join(map(clean, noted.quotes))}")

    def _drop(self, number: int) -> Observation[Any]:
        if not 1 <= number <= len(self.notes):
            raise WrongUsage(f"There is no note {number}.", f"Notes kept: {len(self.notes)}.")
        del self.notes[number - 1]
        return said(f"Note {number} is dropped. Notes kept: {len(self.notes)}.")


def said(text: str) -> Observation[Any]:
    """Return an observation of one sentence, which is complete."""
    return Observation(text, count_tokens(text), 0, 0, False, "", ())
