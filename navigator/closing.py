"""Closing: from the candidate that answers to the notes that prove it, and to what is said beside it.

The words that establish each hop of the way are noted, then those that answer. What the text changed since, and what
the question supposes wrongly, is looked at first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from forest.observation import Observation
from forest.picking import Pick, names_in, same_thing
from forest.units import Unit
from forest.values import Value, holds_value
from navigator.actions import Basis, Decision, Drop, Enter, Note, Read
from navigator.answering import complaint_of
from navigator.explorer import Explorer, Steps, Way
from navigator.judging import Candidate
from navigator.meant import another_meant

ENOUGH = 0.66  # how well a candidate must answer
_ALTERED = ("amended_by", "corrected_by")
_AS_FITTING = 0.75  # how well a change must answer beside what it changed


def follow_changes(
    explorer: Explorer, best: Candidate, ways: Iterable[Way], most_steps: int
) -> Generator[Decision, Observation[Any], Candidate | None]:
    """See whether the text that answers was amended or corrected, and return what then stands instead, if anything.

    Args:
        explorer: of the walk.
        best: what answers.
        ways: on from there, the most promising first.
        most_steps: of the walk, after which no change is looked at any more.
    """
    for way in ways:
        place, door = way.place, way.door
        if door is None or door.kind not in _ALTERED or explorer.world.steps >= most_steps:
            continue
        before = len(explorer.judge.candidates)
        arrived = yield from explorer.go(place, door)
        if arrived is not None:
            yield from explorer.look(arrived)
            yield from explorer.read(arrived)
        told = [c for c in explorer.judge.candidates[before:] if c.fit >= best.fit * _AS_FITTING]
        told = [c for c in told if explorer.judge.speaks_of_the_same(c, best)]
        if told:
            return max(told, key=lambda candidate: candidate.score)
    return None


def false_premise(explorer: Explorer, best: Candidate) -> tuple[Pick | None, str]:
    """Return what the texts on the way say instead of a value that the question supposes, and a sentence on it.

    Only amounts are held against the texts: a day in a question is mostly a matter of its clock. Where the texts
    have neither the value nor another of the same thing, the sentence alone says that it is not confirmed.
    """
    read = {passage: units for passage, units in explorer.units.items() if passage.rpartition("#")[0] in best.place.way}
    for value in explorer.said:
        if value.kind not in ("money", "percentage", "quantity") and not _is_exact(value):
            continue
        if any(holds_value(unit.text, value, bare=True) for units in read.values() for unit in units):
            continue
        told = (
            same_thing(units, passage.rpartition("#")[0], value, explorer.scales.query)
            for passage, units in read.items()
        )
        found = [pick for pick in told if pick is not None]
        truth = max(found, key=lambda pick: explorer.scales.share(pick.held, frozenset()), default=None)
        supposed = f"{value.amount} {value.unit}".strip()
        held = truth.held | best.place.explained if truth else frozenset[str]()
        if truth is not None and explorer.scales.share(held, best.place.used) >= ENOUGH:
            return truth, f"The question supposes {supposed}; the text says {truth.value}."
        return None, f"confirmation of the {supposed} that the question supposes"
    return None, ""


def note(explorer: Explorer, best: Candidate) -> Steps:
    """Note the words that establish each hop, then those that answer."""
    noted: set[tuple[str, tuple[int, ...]]] = set()
    answered = False
    for at, link in enumerate(best.place.links):
        if link.door.kind in ("parent", "child"):
            continue
        if explorer.here() != link.source:
            yield Decision(Enter(link.source), "to quote what establishes the way")
        observation = yield Decision(Basis(link.door.number), f"the words behind «{link.door.kind}»")
        last = at == len(best.place.links) - 1 and best.pick is None
        for passage, words, numbers in notes_of(observation):
            holds = last and names_in(words, best.value)
            answered = answered or holds
            answers = best.pick is not None and (passage, numbers) == (best.pick.passage, best.pick.units)
            if holds or not (answers or (passage, numbers) in noted):
                noted.add((passage, numbers))
                yield Decision(Note(passage, numbers, best.value if holds else ""), "it establishes the way")
    if best.pick is not None:
        yield Decision(Note(best.pick.passage, best.pick.units, best.value), "it answers")
    elif not answered:
        yield from note_node(explorer, best)


def noted(explorer: Explorer, best: Candidate) -> Generator[Decision, Observation[Any], str]:
    """Note what proves a candidate, and return "", or why it cannot be claimed: then nothing of it stays noted."""
    world = explorer.world
    before = len(world.notes)
    yield from note(explorer, best)
    answering = [one for one in world.notes[before:] if one.value]
    told = [complaint_of(world, one) or another_meant(world, one) for one in answering]
    complaint = next(filter(None, told), "" if told else f"No words that were read say «{best.value}».")
    if complaint:
        for number in range(len(world.notes), before, -1):
            yield Decision(Drop(number), complaint)
    return complaint


def note_node(explorer: Explorer, best: Candidate) -> Steps:
    """Note the beginning of a node that is itself what is asked for."""
    if explorer.here() != best.place.node:
        yield Decision(Enter(best.place.node), "to quote what answers")
    observation = yield Decision(Read(1), "the text that answers")
    if observation.items:
        unit = observation.items[0]
        passage = f"{best.place.node}#{unit.passage}"
        yield Decision(Note(passage, (unit.number,), best.value), "it is what is asked for")


def _is_exact(value: Value) -> bool:
    """Tell whether a bare number is an amount, which has decimals, rather than a count or a year."""
    return value.kind == "number" and value.amount is not None and value.amount != int(value.amount)


def notes_of(observation: Observation[Any]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return (passage, words, numbers) of the units that a basis was shown in."""
    shown: dict[str, list[Unit]] = {}
    for node, unit in observation.items:
        shown.setdefault(f"{node}#{unit.passage}", []).append(unit)
    return [
        (passage, " ".join(unit.text for unit in units), tuple(unit.number for unit in units))
        for passage, units in shown.items()
    ]
