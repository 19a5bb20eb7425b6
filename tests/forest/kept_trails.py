"""Trails in memory, told as `forest.trails` tells them, so that heat can be tested without a repository's refs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from forest.history import Snapshot
from forest.trail import CitedPassage, Trail, WalkedDoor, question_id, signature_of
from forest.trail_index import INDEX_NAME, TrailIndex
from forest.trail_store import TrailStore
from forest.versions import VERSIONS

TODAY = date(2026, 12, 1)
NOWHERE = Snapshot(Path(), Path(), "", "", "")
_CITED = CitedPassage("nom-b", 1, "b.md", "0" * 40, 0, 9, "0" * 64)


def walked(text: str, *doors: tuple[str, str] | tuple[str, str, bool], day: date = TODAY, second: int = 0) -> Trail:
    """A trail of a question through doors (source, to), useful unless a third value says otherwise."""
    made = []
    for source, to, *useful in doors:
        made.append(WalkedDoor(source, "cites" if source else "entry", to, bool(useful[0]) if useful else True))
    return Trail(
        question=question_id(text),
        signature=signature_of(text),
        analyzer=VERSIONS["analyzer"],
        doors=tuple(made),
        cited=(_CITED,),
        ending="answered",
        navigator="scout",
        commit="0" * 40,
        tree="0" * 40,
        time=datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(seconds=second),
    )


@dataclass(frozen=True)
class Told:
    """Changes, as `forest.trails` tells them."""

    added: Iterable[tuple[str, Trail]]
    gone: Iterable[str]
    verdicts: Mapping[str, tuple[int, int]]
    tips: str


@dataclass
class Kept:
    """A set of trails with its history, and what was said of them."""

    trails: dict[str, Trail] = field(default_factory=dict)
    verdicts: dict[str, tuple[int, int]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    _history: list[tuple[dict[str, Trail], dict[str, tuple[int, int]]]] = field(default_factory=list)

    def keep(self, *trails: Trail) -> None:
        self.trails.update((trail.id, trail) for trail in trails)
        self._changed()

    def forget(self, *trail_ids: str) -> None:
        for trail_id in trail_ids:
            self.trails.pop(trail_id, None)
        self._changed()

    def judge(self, trail_id: str, good: int, bad: int) -> None:
        self.verdicts[trail_id] = (good, bad)
        self._changed()

    def _changed(self) -> None:
        self._history.append((dict(self.trails), dict(self.verdicts)))

    def tips_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002
        return str(len(self._history)) if self._history else ""

    def changes_since(self, snapshot: Snapshot, tips: str) -> Told:
        self.asked.append(tips)
        before, said = self._history[int(tips) - 1] if tips else ({}, {})
        return Told(
            added=((trail_id, trail) for trail_id, trail in self.trails.items() if trail_id not in before),
            gone=tuple(trail_id for trail_id in before if trail_id not in self.trails),
            verdicts={key: verdict for key, verdict in self.verdicts.items() if said.get(key, (0, 0)) != verdict},
            tips=self.tips_of(snapshot),
        )

    def questions_of(self, snapshot: Snapshot, trail_ids: Collection[str]) -> Mapping[str, str]:  # noqa: ARG002
        return {trail_id: self.texts[trail_id] for trail_id in trail_ids if trail_id in self.texts}

    def index(self, folder: Path) -> TrailIndex:
        """The index in a folder, caught up."""
        return TrailIndex(TrailStore(NOWHERE, folder / INDEX_NAME, self))


def older(trail: Trail, days: int) -> Trail:
    return replace(trail, time=trail.time - timedelta(days=days))
