"""What there is of trails in this repository, for `forest status`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forest.errors import RemoteUnusable
from forest.forgetting import fetched_refs
from forest.history import Snapshot
from forest.journal import read_walks
from forest.remotes import configured_remotes, find_remote, is_trusted
from forest.side_ref import SideRef
from forest.trail_tree import place_of
from forest.trails import read_state, side_ref


@dataclass(frozen=True, slots=True)
class RemoteStatus:
    """What was last seen of one remote.

    Attributes:
        name: as it is configured, else as its ref is called.
        trusted: whether its trails may come in.
        commit: of its trails, "" when it was never synced.
        trails: how many there were, in all.
        refspec: by which a plain `git fetch` would fetch them too.
    """

    name: str
    trusted: bool
    commit: str
    trails: int
    refspec: str


@dataclass(frozen=True, slots=True)
class TrailStatus:
    """What there is of trails.

    Attributes:
        tip: commit of the shared trails, "" without.
        shared: how many there are.
        private: how many are kept from every sync.
        epoch: how often the history was begun anew.
        pruned_before: earlier trails are not kept; "" keeps all.
        here_only: shared trails that no remote had when it was last synced.
        remotes: those that are configured or were synced.
        walks: how many walks the journal has.
        unfinished: how many of them have no ending: they go on, or were killed.
        unreadable: how many cannot be read.
    """

    tip: str
    shared: int
    private: int
    epoch: int
    pruned_before: str
    here_only: int
    remotes: tuple[RemoteStatus, ...]
    walks: int
    unfinished: int
    unreadable: int


def trail_status(snapshot: Snapshot, home: Path) -> TrailStatus:
    """Return what there is of trails.

    Args:
        snapshot: the forest.
        home: the folder of its states, with the journal.
    """
    records, unreadable = read_walks(home)
    seen = fetched_refs(snapshot)
    with side_ref(snapshot) as own, side_ref(snapshot, private=True) as private:
        tip = own.tip()
        ids = set(_ids(own, tip))
        elsewhere = {name: set(_ids(own, commit)) for name, commit in seen.items()}
        state = read_state(own, tip)
        return TrailStatus(
            tip=tip,
            shared=len(ids),
            private=sum(1 for _ in _ids(private, private.tip())),
            epoch=state.epoch,
            pruned_before=state.pruned_before,
            here_only=len(ids.difference(*elsewhere.values())),
            remotes=_remotes(snapshot, seen, {name: len(found) for name, found in elsewhere.items()}),
            walks=len(records),
            unfinished=sum(record.ending is None for record in records),
            unreadable=len(unreadable),
        )


def _ids(ref: SideRef, commit: str) -> Iterator[str]:
    for path, _ in ref.entries(commit, ["trails"]):
        place = place_of(path)
        if place is not None and place.kind == "trail":
            yield place.trail


def _remotes(snapshot: Snapshot, seen: dict[str, str], counts: dict[str, int]) -> tuple[RemoteStatus, ...]:
    prefix = f"refs/forest/{snapshot.forest_id}/"
    told: dict[str, tuple[str, bool]] = {}
    for name in configured_remotes(snapshot):
        with contextlib.suppress(RemoteUnusable):  # of another protocol: git's business, not ours
            remote = find_remote(snapshot, name)
            told[f"from/{remote.key}"] = name, is_trusted(snapshot, remote)
    for key in seen:
        told.setdefault(key, (key.removeprefix("from/"), False))
    return tuple(
        RemoteStatus(name, trusted, seen.get(key, ""), counts.get(key, 0), f"+{prefix}trails:{prefix}{key}")
        for key, (name, trusted) in told.items()
    )
