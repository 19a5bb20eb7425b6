"""Minting: when a way that trails walked becomes a shortcut, and what further trails add to it.

A way is minted when trails of similar questions walked it often enough, from the node where they entered to the one
where the answer's passage stands; every further trail reinforces it. A node has a bounded number, and a newcomer takes
the place of a cold one only: a place that is still walked is worth more than one that is new, and two ways that
alternate must not drive each other out at every walk. Private trails earn nothing, as others would see it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from forest.applying import apply_by_itself
from forest.heat import open_heat
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
from forest.shortcuts import evidence_of, is_applied, is_cold, shortcut_to
from forest.state import State
from forest.trail import ENTRY, CitedPassage, Trail, WalkedDoor
from forest.trail_tree import forgotten_path, trail_path
from forest.trails import read_trail, side_ref, verdicts_of

# (a trail, the node where it entered, the id behind its last door) -> trails of similar questions that entered and
# ended there, itself among them. Which is similar, and which may be told to others, is for it to know.
Similar = Callable[[Trail, str, str], Iterable[Trail]]


def similar_trails(state: State) -> Similar:
    """Return what finds trails by the trail index, where similar means what it means for heat (`tau`).

    Of the newest, `MOST_TRAILS` at most; those that are not shared, or that more people called bad than good, are left
    out.
    """

    def similar(trail: Trail, source: str, to: str) -> Iterator[Trail]:
        with open_heat(state, trail.day) as heat:
            known = [one for one in heat.walked_alike(trail.signature, source, to) if one.bad <= one.good]
        with side_ref(state.snapshot) as shared:
            paths = {trail_path(one.id): one.id for one in known[:MOST_TRAILS]}
            for path, blob in shared.find(shared.tip(), paths).items():
                if (one := read_trail(shared, paths[path], blob)) is not None:
                    yield one

    return similar


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
    passed = [door.source for door in doors] + [door.to for door in doors[-1:]]
    return tuple(doors) if len(set(passed)) == len(passed) and len(doors) <= MOST_DOORS else ()


def consider(state: State, trail: Trail, today: date, similar: Similar | None = None) -> Shortcut | None:
    """Mint the shortcut that a trail makes due, or reinforce the one whose way it walked.

    A way that ends where it began is none. One over a single door is worth nothing, as that door is there, unless it
    carries passages of more than its end.

    Args:
        state: of the forest that was walked.
        trail: deposited already.
        today: what minting and reinforcement are dated by.
        similar: finds the trails to count; see `Similar`. None asks the trail index.

    Returns:
        The shortcut as it is now; None when there is none, or nothing about it changed.

    Raises:
        RepositoryUnusable: the overlay cannot be written.
    """
    state = state.unlimited
    way = spanned(state, way_of(trail))
    if not way:
        return None
    seen = Shortcut(way, _on_the_way(way, [trail]), trail.commit, (trail.id,), today, today)
    if (known := _known(state, seen)) is not None:
        now = _kept(state, seen, today) if _reinforced(state, known, seen) != known else None
    else:
        due = _due(state, seen, trail, similar or similar_trails(state), today)
        now = _kept(state, due, today) if due is not None else None
    if now is not None and state.config.shortcuts.by_itself and not is_applied(state, now):
        apply_by_itself(state, now)
    return now


def _due(state: State, seen: Shortcut, trail: Trail, similar: Similar, today: date) -> Shortcut | None:
    """Return what is to be minted of a way that a trail walked, None when it is not yet due or has no place."""
    if _place_for(state, seen.source, today) is None:
        return None
    walked = [one for one in similar(trail, seen.source, seen.to) if spanned(state, way_of(one)) == seen.way]
    trails = {one.id: one for one in sorted(walked, key=lambda one: (one.time, one.id))}
    if trail.id not in trails or len(trails) < state.config.shortcuts.min_trails:
        return None
    passages = _on_the_way(seen.way, [trail, *reversed(trails.values())])
    if len(seen.way) == 1 and all(leads_to(seen.way[0], cited.node) for cited in passages):
        return None
    return replace(seen, passages=passages, trails=tuple(trails)[-MOST_TRAILS:])


def retire(state: State, shortcuts: Sequence[Shortcut]) -> None:
    """Take shortcuts off the overlay. Edges that were applied stay in the passports.

    Raises:
        RepositoryUnusable: the overlay cannot be written.
    """
    named = "\n".join(f"{one.id}: {one.source} -> {one.to}" for one in shortcuts)
    gone: dict[str, Shortcut | None] = {one.path: None for one in shortcuts}
    state.shortcuts.change(
        lambda: gone, f"Retire {len(shortcuts)} shortcut{'' if len(shortcuts) == 1 else 's'}\n\n{named}"
    )


def reconsider(state: State, trail_ids: Collection[str] | None = None) -> tuple[Shortcut, ...]:
    """Take trails that were forgotten, or that more people call bad than good, off the shortcuts that they earned.

    One that then has fewer than `min_trails` goes; it comes again when others walk its way.

    Args:
        state: of the forest.
        trail_ids: of trails that something was said of, or that went; None looks at all.

    Returns:
        The shortcuts that went.

    Raises:
        RepositoryUnusable: the overlay cannot be written.
    """
    state, asked = state.unlimited, None if trail_ids is None else frozenset(trail_ids)
    gone: list[Shortcut] = []

    def change() -> Mapping[str, Shortcut | None]:
        gone.clear()
        changed: dict[str, Shortcut | None] = {}
        named = [one for one in state.shortcuts.all() if asked is None or asked.intersection(one.trails)]
        wrong = _disowned(state, {trail for one in named for trail in one.trails})
        for one in named:
            left = tuple(trail for trail in one.trails if trail not in wrong)
            if len(left) < min(state.config.shortcuts.min_trails, len(one.trails)):
                gone.append(one)
                changed[one.path] = None
            else:
                changed[one.path] = replace(one, trails=left)
        return changed

    if state.shortcuts.all():
        state.shortcuts.change(change, "Shortcuts without trails that were taken back")
    return tuple(gone)


def _disowned(state: State, trail_ids: Collection[str]) -> frozenset[str]:
    """Return which of some trails were forgotten, or called bad by more than called them good."""
    bad = {trail for trail, (good, bad) in verdicts_of(state.snapshot, trail_ids).items() if bad > good}
    with side_ref(state.snapshot) as shared:
        paths = {forgotten_path(trail): trail for trail in trail_ids}
        return frozenset(bad | {paths[path] for path in shared.find(shared.tip(), paths)})


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
    cold = [one for one in there if is_cold(one, settings, today) and not is_applied(state, one)]
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
