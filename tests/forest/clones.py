"""Clones of a small forest that sync their trails through a hub."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from forest.history import Snapshot, open_snapshot
from forest.remotes import find_remote, trust
from forest.side_ref import SideRef
from forest.state import open_state
from forest.sync import Synced, sync
from forest.trail import Trail
from forest.trails import deposit, stored_trails
from tests.conftest import git
from tests.forest.trail_making import made_trail

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
TODAY = NOW.date()


@dataclass(frozen=True)
class Clone:
    """A clone of the forest and what a person does with it."""

    folder: Path

    @property
    def snapshot(self) -> Snapshot:
        return open_snapshot(self.folder)

    @property
    def ref(self) -> SideRef:
        return SideRef(self.snapshot, "trails")

    @property
    def tree(self) -> str:
        return git(self.folder, "rev-parse", f"{self.ref.ref}^{{tree}}")

    @property
    def ids(self) -> set[str]:
        return {stored.trail.id for stored in stored_trails(self.snapshot) if not stored.private}

    def deposit(self, question: str, minutes: int = 0, *, private: bool = False) -> Trail:
        trail = made_trail(self.folder, question, minutes=minutes)
        deposit(self.snapshot, trail, question, private=private)
        return trail

    def trust(self, other: Path | str) -> None:
        trust(self.snapshot, find_remote(self.snapshot, str(other)))

    def sync(self, other: Path | str = "origin", now: datetime = NOW) -> Synced:
        with open_state(self.snapshot) as state:
            return sync(state, find_remote(state.snapshot, str(other)), now)


def hub_of(folder: Path, place: Path) -> Path:
    """Make the bare repository that all clones come from."""
    git(folder, "clone", "-q", "--bare", str(folder), str(place))
    return place


def clone_of(hub: Path, name: str, *, trusting: bool = True) -> Clone:
    git(hub, "clone", "-q", str(hub), str(hub.parent / name))
    made = Clone(hub.parent / name)
    if trusting:
        made.trust("origin")
    return made
