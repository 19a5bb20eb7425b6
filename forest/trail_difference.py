"""The difference of two trees of trails: what only one of them has, with a bound on what is looked at."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from forest.admission import Candidate
from forest.side_ref import SideRef
from forest.trail_tree import (
    STATE_PATH,
    TreePlace,
    feedback_folder,
    feedback_path,
    forgotten_path,
    place_of,
    question_path,
    trail_path,
)

MOST_LOOKED_AT = 20_000
_ODD = "?"


@dataclass
class Difference:
    """What tells their tree from ours, without `state.json`.

    Attributes:
        mine: our files, by path, where they have none or another.
        trails: theirs that we do not have.
        verdicts: theirs that we do not have, with their blobs.
        forgotten: ids of trails that only they have forgotten.
        unseen: how many of those three there are beside the ones named here.
        odd: how many files they have that no tree of trails has, or that say other than ours at the same path.
    """

    mine: dict[str, str] = field(default_factory=dict)
    trails: list[Candidate] = field(default_factory=list)
    verdicts: list[tuple[TreePlace, str]] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    unseen: int = 0
    odd: int = 0

    @property
    def theirs(self) -> int:
        """How much they have that we do not."""
        return len(self.trails) + len(self.verdicts) + len(self.forgotten) + self.unseen + self.odd

    @property
    def paths(self) -> frozenset[str]:
        """Paths that name their files which are told here."""
        return frozenset(
            [trail_path(one.trail) for one in self.trails]
            + [verdict_path(place) for place, _ in self.verdicts]
            + [forgotten_path(trail_id) for trail_id in self.forgotten]
        )


def difference_of(
    ref: SideRef, mine: str, theirs: str, only: Collection[str] | None = None, *, most: int = MOST_LOOKED_AT
) -> Difference:
    """Return the difference of two commits.

    Args:
        ref: reads them.
        mine: our commit, "" without.
        theirs: their commit.
        only: of what is theirs alone, tell what these paths name; None is everything.
        most: files of theirs to tell. Of more, any may be told: each time others, so that none is hidden for good.
    """
    sample = _Sample(most)
    found = Difference()
    for path, ours, other in ref.changes(mine, theirs, _ODD):
        place = place_of(path)
        if path == STATE_PATH:
            continue
        if ours and ours != _ODD:
            found.mine[path] = ours
        if other and (ours or place is None or other == _ODD):
            found.odd += 1
        elif other and place is not None:
            found.odd += 0 if sample.see(path, place, other, only) else 1
    for place, blob, question in sample.kept:
        if place.kind == "trail":
            found.trails.append(Candidate(place.trail, blob, question))
        elif place.kind == "forgotten":
            found.forgotten.append(place.trail)
        else:
            found.verdicts.append((place, blob))
    found.unseen = sample.seen - len(sample.kept)
    return found


class _Sample:
    """Some of many files, each with the same chance, in bounded memory."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: tuple[str, int | None] = ("", None)
        self._chance = random.Random()  # noqa: S311 - which are looked at first is no secret
        self.kept: list[tuple[TreePlace, str, str]] = []
        self.seen = 0

    def see(self, path: str, place: TreePlace, blob: str, only: Collection[str] | None) -> bool:
        """Take note of a file; return whether it belongs to a tree of trails where it is."""
        if place.kind == "question":  # it comes right behind its trail
            trail, at = self._last
            if at is not None and trail == place.trail:
                self.kept[at] = (*self.kept[at][:2], blob)
            return trail == place.trail
        at = self._place() if only is None or path in only else None
        if at is not None:
            self.kept[at : at + 1] = [(place, blob, "")]
        if place.kind == "trail":
            self._last = place.trail, at
        return True

    def _place(self) -> int | None:
        self.seen += 1
        if len(self.kept) < self._most:
            return len(self.kept)
        drawn = self._chance.randrange(self.seen)
        return drawn if drawn < self._most else None


def verdict_path(place: TreePlace) -> str:
    """Return where a verdict is."""
    return feedback_path(place.trail, place.event, place.kind)


def files_of(ref: SideRef, commit: str, trail_ids: Iterable[str]) -> dict[str, str]:
    """Return the files of some trails in a commit, with what was thought of them; blobs by path."""
    ids = list(trail_ids)
    paths = [path for trail_id in ids for path in (trail_path(trail_id), question_path(trail_id))]
    folders = [feedback_folder(trail_id) for trail_id in ids]
    return ref.find(commit, paths) | dict(ref.entries(commit, folders) if folders else ())
