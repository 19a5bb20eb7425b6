"""Planting: trails that are verified and wrong, made of real ones, and many copies of one trail.

A planted trail is under its question, its doors were walked and its citation is a passage that stands; only that it
calls another way the useful one, to a node that does not hold the answer. So nothing that is checked tells it from a
good one, and what it does to later walks is the worst that an honest mistake can do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import timedelta

from forest.ids import work_of
from forest.state import State
from forest.steps import land, step_clock
from forest.trail import ENTRY, CitedPassage, Trail, WalkedDoor


def plant(state: State, trail: Trail, gold: Collection[str]) -> Trail | None:
    """Return a wrong trail made of a real one, None when its walk went nowhere else.

    Args:
        state: of the forest.
        trail: of a walk.
        gold: works that hold the answer or lead to it: none of them is where the wrong way ends.
    """
    for door in trail.doors:
        way = _way_to(trail.doors, door)
        if door.useful or work_of(door.to) in gold or not way:
            continue
        cited = _passage(state, trail, door.to)
        if cited is not None:
            doors = tuple(replace(one, useful=one in way) for one in trail.doors)
            return replace(trail, doors=doors, cited=(cited,))
    return None


def _way_to(doors: Iterable[WalkedDoor], last: WalkedDoor) -> tuple[WalkedDoor, ...]:
    """Return doors that lead from an entry through `last`, () when none of them begins at one."""
    before = {door.to: door for door in reversed(tuple(doors))}
    way = [last]
    while way[-1].kind != ENTRY:
        earlier = before.get(way[-1].source)
        if earlier is None or earlier in way:
            return ()
        way.append(earlier)
    return tuple(way)


def _passage(state: State, trail: Trail, node_id: str) -> CitedPassage | None:
    node = land(state, node_id, step_clock(today=trail.day)).node
    passage = next((p for p in state.catalog.passages(node) if p.end > p.start), None)
    if passage is None:
        return None
    return CitedPassage(node.id, passage.ordinal, node.path, node.blob, passage.start, passage.end, passage.sha256)


def copies(trail: Trail, count: int, days: int) -> list[Trail]:
    """Return so many trails of one walk, spread over days up to its own, no two at the same second.

    Args:
        trail: the walk's; the last copy of its day is itself.
        count: how many.
        days: over how many days, so that no cap on what one day may count hides what many walks do.
    """
    back = [timedelta(days=at % days, seconds=at // days) for at in range(count)]
    return [replace(trail, time=trail.time - ago) for ago in back]
