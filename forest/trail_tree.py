"""The tree of trails: where its files are, what its state says, and the union of two of them.

A union is what is in either tree, less what either has forgotten, less what is older than the later of their prune
dates, less feedback on what is not there. So it does not matter in which order, how often or by which way trees meet.
This module knows no git: contents are whatever can be compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from forest.canonical import canonical_bytes
from forest.days import parse_day

TREE_FORMAT = 1
STATE_PATH = "state.json"
MAX_STATE_BYTES = 64 * 1024
MAX_ERASED = 1_000

Kind = Literal["trail", "question", "forgotten", "good", "bad"]
_SHA = "[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{60}"
_PATHS = re.compile(
    rf"trails/(?P<trail>{_SHA})\.(?P<what>json|txt)"
    rf"|forgotten/(?P<forgotten>{_SHA})"
    rf"|feedback/(?P<judged>{_SHA})/(?P<event>[0-9a-f]{{64}})-(?P<verdict>good|bad)\.json"
)
_ERASURE = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class TreePlace:
    """What a path of the tree says.

    Attributes:
        kind: a trail, its question's words, that it is forgotten, or what somebody thought of it.
        trail: id of the trail.
        event: id of the feedback, else "".
    """

    kind: Kind
    trail: str
    event: str = ""


def place_of(path: str) -> TreePlace | None:
    """Return what a path says, None for one that a tree of trails does not have; `state.json` is none of these."""
    found = _PATHS.fullmatch(path)
    if found is None:
        return None
    trail = (found["trail"] or found["forgotten"] or found["judged"]).replace("/", "")
    if found["trail"]:
        return TreePlace("trail" if found["what"] == "json" else "question", trail)
    if found["forgotten"]:
        return TreePlace("forgotten", trail)
    return TreePlace("good" if found["verdict"] == "good" else "bad", trail, found["event"])


def trail_path(trail_id: str) -> str:
    """Return where a trail is."""
    return f"trails/{_sharded(trail_id)}.json"


def question_path(trail_id: str) -> str:
    """Return where the words of a trail's question are."""
    return f"trails/{_sharded(trail_id)}.txt"


def forgotten_path(trail_id: str) -> str:
    """Return the path whose presence says that a trail is forgotten."""
    return f"forgotten/{_sharded(trail_id)}"


def feedback_folder(trail_id: str) -> str:
    """Return the folder of what was thought of a trail."""
    return f"feedback/{_sharded(trail_id)}"


def feedback_path(trail_id: str, event_id: str, verdict: str) -> str:
    """Return where one feedback is; `good` or `bad` stands in its name, so that counting reads no file."""
    return f"{feedback_folder(trail_id)}/{event_id}-{verdict}.json"


def _sharded(trail_id: str) -> str:
    return f"{trail_id[:2]}/{trail_id[2:4]}/{trail_id[4:]}"


@dataclass(frozen=True, slots=True)
class TreeState:
    """What holds for a whole tree.

    Attributes:
        erased: ids of the erasures that its history has gone through, sorted. A history that lacks one of them still
            holds what was erased, and must not become a parent.
        pruned_before: trails of earlier days are not kept; "" keeps all. A day, as YYYY-MM-DD.
    """

    erased: tuple[str, ...] = ()
    pruned_before: str = ""

    @property
    def epoch(self) -> int:
        """How often the history was begun anew."""
        return len(self.erased)

    def join(self, other: TreeState) -> TreeState:
        """Return what holds for the union of two trees."""
        return TreeState(tuple(sorted({*self.erased, *other.erased})), max(self.pruned_before, other.pruned_before))

    def keeps(self, day: date) -> bool:
        """Tell whether what is of a day is kept."""
        return day.isoformat() >= self.pruned_before

    def as_bytes(self) -> bytes:
        """Return the canonical bytes of `state.json`."""
        fields = {
            "epoch": self.epoch,
            "erased": list(self.erased),
            "format": TREE_FORMAT,
            "pruned_before": self.pruned_before,
        }
        return canonical_bytes(fields)


def state_from(data: bytes | None) -> TreeState | None:
    """Read a `state.json`; None when it is missing, not canonical or beyond a bound."""
    if data is None or len(data) > MAX_STATE_BYTES:
        return None
    try:
        fields: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    erased, before = fields.get("erased"), fields.get("pruned_before")
    if not isinstance(erased, list) or len(erased) > MAX_ERASED or not isinstance(before, str):
        return None
    if not all(isinstance(one, str) and _ERASURE.fullmatch(one) for one in erased):
        return None
    if before and (len(before) != len("2026-01-01") or parse_day(before) is None):
        return None
    state = TreeState(tuple(erased), before)
    return state if state.as_bytes() == data and list(erased) == sorted(set(erased)) else None


@dataclass(frozen=True, slots=True)
class TrailTree:
    """A tree of trails, or the part of one that matters to a union.

    Attributes:
        state: of the whole tree.
        files: contents by path, without `state.json`: anything that tells equal contents from others.
    """

    state: TreeState
    files: Mapping[str, str]


def union(one: TrailTree, two: TrailTree, day_of: Callable[[str], date | None]) -> TrailTree:
    """Return the union of two trees.

    Args:
        one: a tree.
        two: another.
        day_of: the day of a trail by its id; None for one that cannot be read, which is not kept. Asked only about the
            trails of a tree whose own prune date is not the later one.

    Returns:
        The same tree in whichever order they are given.
    """
    state = one.state.join(two.state)
    both = {**two.files, **one.files}
    for path in one.files.keys() & two.files.keys():  # a path says its content; where they differ one is forged
        both[path] = min(one.files[path], two.files[path])
    places = {path: place for path in sorted(both) if (place := place_of(path))}
    gone = {place.trail for place in places.values() if place.kind == "forgotten"}
    gone |= _pruned((one, two), state, day_of)
    trails = {place.trail for place in places.values() if place.kind == "trail"} - gone
    kept = {path: both[path] for path, place in places.items() if place.kind == "forgotten" or place.trail in trails}
    return TrailTree(state, kept)


def _pruned(trees: Iterable[TrailTree], state: TreeState, day_of: Callable[[str], date | None]) -> set[str]:
    aged = [tree for tree in trees if tree.state.pruned_before < state.pruned_before]
    places = (place_of(path) for tree in aged for path in tree.files)
    ids = {place.trail for place in places if place is not None and place.kind == "trail"}
    days = {trail_id: day_of(trail_id) for trail_id in sorted(ids)}
    return {trail_id for trail_id, day in days.items() if day is None or not state.keeps(day)}
