"""Forgetting: trails that go, by name or by age, and a history that is begun anew without them.

A forgotten trail leaves a tombstone, so that no clone brings it back. It is still in the history of the ref until the
history is erased: the tree as it is becomes a commit without a parent, marked so that clones that sync leave their own
old history too. What git then holds of it are objects that nothing names, which `git gc` drops in time.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from forest.errors import RepositoryUnusable, WrongUsage
from forest.history import Snapshot, run_git
from forest.side_ref import Change, Content, SideRef
from forest.trail_tree import (
    MAX_ERASED,
    STATE_PATH,
    TrailTree,
    feedback_folder,
    forgotten_path,
    place_of,
    question_path,
    trail_path,
    union,
)
from forest.trails import StoredTrail, not_found, read_state, read_trail, side_ref, stored_trails


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did.

    Attributes:
        refs: whose history was begun anew.
        dropped: refs that were deleted, as they led to the old history: what was last fetched from remotes.
    """

    refs: tuple[str, ...]
    dropped: tuple[str, ...]


def forget(snapshot: Snapshot, trail_ids: Collection[str]) -> int:
    """Let trails go, with what was thought of them and their questions' words; return how many there were.

    Args:
        snapshot: the forest.
        trail_ids: their full ids. One that is forgotten already is no change.

    Raises:
        TrailNotFound: one is neither here nor forgotten. Nothing was changed then.
    """
    wanted = sorted(set(trail_ids))
    refs = side_ref(snapshot), side_ref(snapshot, private=True)
    here = [_among(ref, trail_path, wanted) for ref in refs]
    known = set().union(*here, *(_among(ref, forgotten_path, wanted) for ref in refs))
    if unknown := [trail_id for trail_id in wanted if trail_id not in known]:
        raise not_found(unknown[0])
    for ref, ids in zip(refs, here, strict=True):
        if ids:
            ref.apply(lambda tip: Change(_tombstones(ref, tip, ids)), _told("Forget", len(ids)))  # noqa: B023
    return len(set().union(*here))


def _among(ref: SideRef, path_of: Callable[[str], str], ids: Collection[str]) -> set[str]:
    found = ref.find(ref.ref, [path_of(trail_id) for trail_id in ids])
    return {place.trail for path in found if (place := place_of(path))}


def _tombstones(ref: SideRef, tip: str, ids: Collection[str]) -> dict[str, Content]:
    changes: dict[str, Content] = {}
    for trail_id in ids:
        changes |= {forgotten_path(trail_id): b"", trail_path(trail_id): None, question_path(trail_id): None}
    folders = [feedback_folder(trail_id) for trail_id in ids]
    return changes | {path: None for path, _ in ref.entries(tip, folders)}


def _told(verb: str, count: int) -> str:
    return f"{verb} {count} trail{'s' if count != 1 else ''}"


def trails_asked(snapshot: Snapshot, question: str) -> tuple[str, ...]:
    """Return the ids of the trails of a question, told in exactly these words."""
    words = question.encode("utf-8", "surrogatepass")
    with side_ref(snapshot) as ref:
        blob = ref.blob_id(words)
    return tuple(dict.fromkeys(one.trail.id for one in stored_trails(snapshot) if one.question == blob))


def trails_at(snapshot: Snapshot, node_id: str) -> tuple[str, ...]:
    """Return the ids of the trails that walked through a node or cite it."""
    return tuple(dict.fromkeys(one.trail.id for one in stored_trails(snapshot) if touches(one, node_id)))


def touches(stored: StoredTrail, node_id: str) -> bool:
    """Tell whether a trail walked through a node or cites it."""
    trail = stored.trail
    return any(node_id in (door.source, door.to) for door in trail.doors) or any(
        cited.node == node_id for cited in trail.cited
    )


def erase(snapshot: Snapshot, erasure: str = "") -> Erased:
    """Begin the history of the trails anew, so that what was forgotten is not in it any more.

    Args:
        snapshot: the forest.
        erasure: names this erasure, 16 hexadecimal digits; drawn at random when not given.

    Raises:
        RepositoryUnusable: git cannot do it, or it was done too often.
    """
    name = erasure or secrets.token_hex(8)
    rewritten = []
    for private in (False, True):
        ref = side_ref(snapshot, private=private)
        if ref.tip():
            ref.apply(lambda tip: _alone(ref, tip, name), "Begin anew")  # noqa: B023
            drop_reflog(snapshot, ref.ref)
            rewritten.append(ref.ref)
    return Erased(tuple(rewritten), drop_fetched(snapshot))


def _alone(ref: SideRef, tip: str, name: str) -> Change:
    state = read_state(ref, tip)
    if len(state.erased) >= MAX_ERASED:
        raise RepositoryUnusable(f"The history of {ref.ref} was begun anew {MAX_ERASED:,} times, which is the limit.")
    erased = replace(state, erased=tuple(sorted({*state.erased, name})))
    return Change({STATE_PATH: erased.as_bytes()}, parents=())


def drop_reflog(snapshot: Snapshot, ref: str) -> None:
    """Forget which commits a ref has named; there is such a log only where git was told to keep one of every ref."""
    if run_git(snapshot.folder, "reflog", "exists", ref).returncode == 0:
        run_git(snapshot.folder, "reflog", "expire", "--expire=all", "--expire-unreachable=all", ref)


def fetched_refs(snapshot: Snapshot) -> dict[str, str]:
    """Return what was last seen of remotes: commits by the name of the side ref that keeps them."""
    prefix = f"refs/forest/{snapshot.forest_id}/"
    done = run_git(snapshot.folder, "for-each-ref", "--format=%(refname) %(objectname)", f"{prefix}from/")
    rows = (line.split() for line in done.stdout.decode("ascii", "replace").splitlines())
    return {row[0].removeprefix(prefix): row[1] for row in rows}


def drop_fetched(snapshot: Snapshot) -> tuple[str, ...]:
    """Delete what was last seen of remotes, as it leads to histories that are left behind; return the refs."""
    dropped = []
    for name, commit in fetched_refs(snapshot).items():
        with contextlib.suppress(WrongUsage):  # a name that is none of ours
            ref = SideRef(snapshot, name)
            if ref.move(commit, "", "Begin anew"):
                dropped.append(ref.ref)
    return tuple(dropped)


def prune(snapshot: Snapshot, before: date, today: date) -> int:
    """Let go of all trails of before a day, here and in every clone that syncs; return how many trails.

    Args:
        snapshot: the forest.
        before: the first day that is kept. An earlier one than last time changes nothing.
        today: the day; `before` may not be later.

    Raises:
        WrongUsage: `before` lies in the future.
    """
    if before > today:
        raise WrongUsage(f"{before} is not over yet.", "Name a day up to today.")
    gone: set[str] = set()
    for private in (False, True):
        with side_ref(snapshot, private=private) as ref:
            if ref.tip():
                ref.apply(lambda tip: _pruned(ref, tip, before, gone), f"Prune before {before}")
    return len(gone)


def _pruned(ref: SideRef, tip: str, before: date, gone: set[str]) -> Change:
    state = read_state(ref, tip)
    later = replace(state, pruned_before=max(state.pruned_before, before.isoformat()))
    if later == state:
        return Change()
    files = dict(ref.entries(tip))
    kept = union(TrailTree(state, files), TrailTree(later, {}), partial(_day, ref, files))
    old = {place.trail for path in files.keys() - kept.files.keys() if (place := place_of(path))}
    gone |= old
    changes: dict[str, Content] = {STATE_PATH: later.as_bytes()}
    return Change(changes | {path: None for path in files if (place := place_of(path)) and place.trail in old})


def _day(ref: SideRef, files: Mapping[str, str], trail_id: str) -> date | None:
    trail = read_trail(ref, trail_id, files[trail_path(trail_id)])
    return trail.day if trail is not None else None
