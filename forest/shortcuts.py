"""Shortcuts as a walker meets them, and how trails earn them.

A way is minted when trails of similar questions walked it often enough, from the node where they entered to the one
where the answer's passage stands; every further trail reinforces it. A node has a bounded number, and a newcomer takes
the place of a cold one only: a place that is still walked is worth more than one that is new, and two ways that
alternate must not drive each other out at every walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from forest.catalog import NodeRow
from forest.config import ShortcutSettings
from forest.ids import work_of
from forest.shortcut import (
    MAX_SHORTCUT_BYTES,
    MOST_DOORS,
    MOST_PASSAGES,
    MOST_TRAILS,
    SHORTCUT,
    Shortcut,
    leads_to,
    shortcut_bytes,
)
from forest.state import State
from forest.trail import ENTRY, CitedPassage, Trail, WalkedDoor

# (a trail, the node where it entered, the id behind its last door) -> trails of similar questions that entered and
# ended there, itself among them. Which is similar, and which may be told to others, is for it to know.
Similar = Callable[[Trail, str, str], Iterable[Trail]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a shortcut carries, as it stands in the forest now.

    Attributes:
        passages: where the passages cited stand, in the order of the way; empty when any of them changed.
        changed: names (`node#n`) of passages whose bytes stand in their node no more, or whose node is not known.
    """

    passages: tuple[CitedPassage, ...]
    changed: tuple[str, ...]


def shortcuts_of(state: State, node_id: str) -> tuple[Shortcut, ...]:
    """Return the shortcuts that lead from a node, by target and id; those minted after the state's day are not there.

    Among them are those that were applied: the node's passport then states the edge, and the passages are here.
    """
    found = state.shortcuts.of(node_id)
    return tuple(one for one in found if state.as_of is None or one.minted <= state.as_of)


def shown_shortcuts(state: State, node: NodeRow) -> tuple[tuple[Shortcut, NodeRow], ...]:
    """Return the shortcuts that are doors of a node beside its edges, each with the node behind it, by target.

    Of several to one target the one shown is that behind `shortcut_to`. One whose edge the passport states, and one
    whose target does not exist or is not known yet, is none of them. At most `most_per_node` are shown.
    """
    targets = state.catalog.by_ids({one.to for one in shortcuts_of(state, node.id)} - {node.id})
    best = {to: one for to in targets if (one := shortcut_to(state, node.id, to)) is not None}
    new = [one for one in best.values() if not state.catalog.has_edge(node, SHORTCUT, one.to)]
    kept = sorted(new, key=_most_walked_first)[: state.config.shortcuts.most_per_node]
    return tuple((one, targets[one.to]) for one in sorted(kept, key=lambda one: one.to))


def shortcut_to(state: State, source: str, to: str) -> Shortcut | None:
    """Return the shortcut behind a door of kind `shortcut`, applied or not: of several the one walked last.

    None when the door is an edge that somebody wrote, or whose shortcut is not in this repository.
    """
    found = [one for one in shortcuts_of(state, source) if one.to == to]
    return min(found, key=_most_walked_first, default=None)


def _most_walked_first(shortcut: Shortcut) -> tuple[int, int, str]:
    return -shortcut.reinforced.toordinal(), -len(shortcut.trails), shortcut.id


def evidence_of(state: State, shortcut: Shortcut) -> Evidence:
    """Find the passages of a shortcut in the forest as it is now, by their hashes; offsets and numbers may differ."""
    nodes = state.catalog.by_ids({cited.node for cited in shortcut.passages})
    standing, changed = [], []
    for cited in shortcut.passages:
        node = nodes.get(cited.node)
        found = state.catalog.passage_of_bytes(node, cited.sha256) if node is not None else None
        if node is None or found is None:
            changed.append(cited.id)
        else:
            standing.append(
                CitedPassage(node.id, found.ordinal, node.path, node.blob, found.start, found.end, found.sha256)
            )
    return Evidence(() if changed else tuple(standing), tuple(changed))


def faults_of(state: State, shortcut: Shortcut, today: date) -> tuple[str, ...]:
    """Return why a shortcut is proposed for retirement; empty when nothing speaks against it."""
    ends = [door.source for door in shortcut.way] + [shortcut.to]
    there = state.catalog.by_ids(ends)
    faults = [f"{gone} is no node any more" for gone in dict.fromkeys(ends) if gone not in there]
    faults += [f"{name} has changed" for name in evidence_of(state, shortcut).changed]
    if shortcut.reinforced > today:
        faults.append(f"it says that it was walked on {shortcut.reinforced}, after today")
    elif is_cold(shortcut, state.config.shortcuts, today):
        faults.append(f"cold: not walked since {shortcut.reinforced}")
    return tuple(faults)


def is_cold(shortcut: Shortcut, settings: ShortcutSettings, today: date) -> bool:
    """Tell whether no trail has walked a shortcut for longer than `cold_after_days`."""
    return (today - shortcut.reinforced).days > settings.cold_after_days


# --- minting ----------------------------------------------------------------------------------------------------------


def way_of(trail: Trail) -> tuple[WalkedDoor, ...]:
    """Return the useful doors that led a trail from where it entered to the node whose passage answers.

    Followed backwards from that node, each time by the door that reached it last. Empty when the answer stands where
    the trail entered, or no useful doors lead there.
    """
    useful = [door for door in trail.doors if door.useful]
    way: list[WalkedDoor] = []
    at, before = trail.cited[0].node, len(useful)
    while True:
        arrival = next((i for i in range(before - 1, -1, -1) if leads_to(useful[i], at)), None)
        if arrival is None:
            return ()
        if useful[arrival].kind == ENTRY:
            return tuple(reversed(way))
        way.append(useful[arrival])
        at, before = useful[arrival].source, arrival


def spanned(state: State, way: tuple[WalkedDoor, ...]) -> tuple[WalkedDoor, ...]:
    """Return a way with the doors that its shortcuts span in their place, so that whoever took one walked its way.

    Empty when it cannot be told what a shortcut spans, when the way goes in a circle, or is longer than one may be.
    """
    doors: list[WalkedDoor] = []
    for door in way:
        if door.kind != SHORTCUT:
            doors.append(door)
        elif (behind := shortcut_to(state, door.source, door.to)) is not None:
            doors += behind.way
        else:
            return ()
    passed = [work_of(door.source) for door in doors] + [work_of(door.to) for door in doors[-1:]]
    return tuple(doors) if len(set(passed)) == len(passed) and len(doors) <= MOST_DOORS else ()


def consider(state: State, trail: Trail, today: date, similar: Similar) -> Shortcut | None:
    """Mint the shortcut that a trail makes due, or reinforce the one whose way it walked.

    A way that ends where it began is none. One over a single door is worth nothing, as that door is there, unless it
    carries passages of more than its end.

    Args:
        state: of the forest that was walked.
        trail: deposited already.
        today: what minting and reinforcement are dated by.
        similar: finds the trails to count; see `Similar`.

    Returns:
        The shortcut as it is now; None when there is none, or nothing about it changed.
    """
    state = state.unlimited
    way = spanned(state, way_of(trail))
    if not way:
        return None
    seen = Shortcut(way, _on_the_way(way, [trail]), trail.commit, (trail.id,), today, today)
    known = _known(state, seen)
    if known is not None:
        if _reinforced(state, known, seen) == known:
            return None
    else:
        walked = [one for one in similar(trail, way[0].source, way[-1].to) if spanned(state, way_of(one)) == way]
        trails = {one.id: one for one in sorted(walked, key=lambda one: (one.time, one.id))}
        if trail.id not in trails or len(trails) < state.config.shortcuts.min_trails:
            return None
        passages = _on_the_way(way, [trail, *reversed(trails.values())])
        seen = replace(seen, passages=passages, trails=tuple(trails)[-MOST_TRAILS:])
        if len(way) == 1 and all(leads_to(way[0], cited.node) for cited in passages):
            return None
    return _kept(state, seen, today)


def _kept(state: State, seen: Shortcut, today: date) -> Shortcut | None:
    """Write a shortcut, or what a trail adds to it, into the overlay; return it as it then is."""
    written: list[Shortcut] = []

    def change() -> Mapping[str, Shortcut | None]:
        written.clear()
        known = _known(state, seen)
        if known is not None:
            now = _reinforced(state, known, seen)
            if now == known:
                return {}
            written.append(now)
            return {now.path: now}
        gives_way = _place_for(state, seen.source, today)
        if gives_way is None or len(shortcut_bytes(seen)) > MAX_SHORTCUT_BYTES:
            return {}
        written.append(seen)
        return {**gives_way, seen.path: seen}

    trails = "\n".join(seen.trails)
    state.shortcuts.change(change, f"Shortcut from {seen.source} to {seen.to}\n\nTrails:\n{trails}")
    return written[0] if written else None


def _known(state: State, shortcut: Shortcut) -> Shortcut | None:
    return next((one for one in state.shortcuts.of(shortcut.source) if one.id == shortcut.id), None)


def _place_for(state: State, source: str, today: date) -> Mapping[str, None] | None:
    """Return which shortcuts of a node give way to a new one; None when it has no place for one.

    Those that were applied stay: without their record the edge would carry nothing.
    """
    there, settings = state.shortcuts.of(source), state.config.shortcuts
    too_many = len(there) + 1 - settings.most_per_node
    node = state.catalog.find(source)
    cold = [
        one
        for one in there
        if is_cold(one, settings, today) and not (node and state.catalog.has_edge(node, SHORTCUT, one.to))
    ]
    if too_many > len(cold):
        return None
    coldest = sorted(cold, key=lambda one: (one.reinforced, len(one.trails), one.id))
    return {one.path: None for one in coldest[: max(too_many, 0)]}


def _reinforced(state: State, known: Shortcut, seen: Shortcut) -> Shortcut:
    """Return a shortcut with what a trail on its way adds; itself when that is nothing.

    One with all the trails that it may name changes once a day. Passages that changed in the forest are replaced by
    those that the new trail cites.
    """
    new = [one for one in seen.trails if one not in known.trails]
    full = len(known.trails) == MOST_TRAILS and seen.reinforced <= known.reinforced
    if not new or full:
        return known
    passages = known.passages
    if evidence_of(state, known).changed:
        passages = seen.passages
    return replace(
        known,
        passages=passages,
        trails=(*known.trails, *new)[-MOST_TRAILS:],
        reinforced=max(known.reinforced, seen.reinforced),
    )


def _on_the_way(way: tuple[WalkedDoor, ...], trails: Iterable[Trail]) -> tuple[CitedPassage, ...]:
    """Return the passages that trails cite of nodes on a way, in its order; where room is short, the first trail's."""
    places = {work_of(door.source): place for place, door in enumerate(way)} | {work_of(way[-1].to): len(way)}
    found: dict[tuple[str, str], CitedPassage] = {}
    for trail in trails:
        for cited in trail.cited:
            if work_of(cited.node) in places and len(found) < MOST_PASSAGES:
                found.setdefault((cited.node, cited.sha256), cited)
    return tuple(sorted(found.values(), key=lambda one: (places[work_of(one.node)], one.node, one.passage)))
