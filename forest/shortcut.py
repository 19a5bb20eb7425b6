"""Shortcuts: a way that trails walked often enough to be a door of its own, as a value with canonical bytes.

A shortcut leads from the node where the trails entered to the one where their answers stand, and carries the passages
that they cite. It holds no word and no stem of a question: a trail that is forgotten leaves its id here and no more.
Where shortcuts are kept is `forest.overlay`; when one is minted, `forest.shortcuts`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any

from forest.canonical import OID, SHA256, Reader, canonical_bytes
from forest.days import parse_day
from forest.errors import ForestError
from forest.ids import problem_of_id, work_of
from forest.trail import ENTRY, CitedPassage, TrailWrong, WalkedDoor, cited_from, cited_row

SHORTCUT = "shortcut"
SHORTCUT_FORMAT = 1
MAX_SHORTCUT_BYTES = 64 * 1024
MOST_DOORS = 16
MOST_PASSAGES = 16
MOST_TRAILS = 64

_KIND = re.compile(r"[a-z][a-z0-9_-]{0,39}")


class ShortcutWrong(ForestError):
    """Bytes that are no shortcut: another format, not canonical, a field that is missing or beyond a bound."""


_READ = Reader("shortcut", ShortcutWrong, SHORTCUT_FORMAT, MAX_SHORTCUT_BYTES)


@dataclass(frozen=True)
class Shortcut:
    """A door that trails earned.

    Attributes:
        way: the useful doors that it spans, from where the trails entered to where their answers stand; never empty.
        passages: what the trails cited on that way, in its order.
        commit: that was walked when it was minted.
        trails: ids of trails that walked it, the latest last, `MOST_TRAILS` at most.
        minted: the day since which it is there.
        reinforced: the day on which a trail walked it last.
    """

    way: tuple[WalkedDoor, ...]
    passages: tuple[CitedPassage, ...]
    commit: str
    trails: tuple[str, ...]
    minted: date
    reinforced: date

    @cached_property
    def id(self) -> str:
        """SHA-256 of the doors of the way, in hexadecimal: another way between the same nodes is another shortcut."""
        return hashlib.sha256(canonical_bytes(_rows(self.way))).hexdigest()

    @property
    def source(self) -> str:
        """Id of the node from which it leads."""
        return self.way[0].source

    @property
    def to(self) -> str:
        """Id behind it, as the last door of the way says it: a work leads to the version that the clock selects."""
        return self.way[-1].to

    @property
    def path(self) -> str:
        """Its file in the overlay; the shortcuts of a node lie together."""
        return shortcut_path(self.source, self.id)


def shortcut_path(source: str, shortcut_id: str) -> str:
    """Return the path of the file of a shortcut from its source and its id."""
    place = hashlib.sha256(source.encode()).hexdigest()
    return f"{place[:2]}/{place[2:]}/{shortcut_id}.json"


def leads_to(door: WalkedDoor, node_id: str) -> bool:
    """Tell whether a door can have led to a node: to itself, or, by the clock, to a version of the work it names."""
    return door.to in (node_id, work_of(node_id))


def shortcut_bytes(shortcut: Shortcut) -> bytes:
    """Return the canonical bytes of a shortcut: JSON with sorted keys, without spaces, NFC, in UTF-8."""
    return canonical_bytes(
        {
            "format": SHORTCUT_FORMAT,
            "way": _rows(shortcut.way),
            "passages": [cited_row(cited) for cited in shortcut.passages],
            "commit": shortcut.commit,
            "trails": list(shortcut.trails),
            "minted": shortcut.minted.isoformat(),
            "reinforced": shortcut.reinforced.isoformat(),
        }
    )


def shortcut_from(data: bytes) -> Shortcut:
    """Read a shortcut from its canonical bytes.

    Raises:
        ShortcutWrong: they are not the canonical bytes of a shortcut within all bounds.
    """
    shortcut = _checked(_READ.fields(data))
    _READ.canonical(shortcut_bytes(shortcut), data)
    return shortcut


def _checked(fields: Mapping[str, Any]) -> Shortcut:
    way = tuple(_door(row) for row in _READ.items(fields, "way", MOST_DOORS))
    if not way or any(not leads_to(door, after.source) for door, after in pairwise(way)):
        raise ShortcutWrong("The doors of a shortcut's way follow one another.")
    try:
        passages = tuple(cited_from(row) for row in _READ.items(fields, "passages", MOST_PASSAGES))
    except TrailWrong as error:
        raise ShortcutWrong(error.message) from None
    trails = tuple(_READ.matching(trail, SHA256, "trail") for trail in _READ.items(fields, "trails", MOST_TRAILS))
    minted, reinforced = _day(fields.get("minted")), _day(fields.get("reinforced"))
    if not trails or len(set(trails)) != len(trails) or reinforced < minted:
        raise ShortcutWrong("A shortcut names each of its trails once, and was reinforced no earlier than minted.")
    return Shortcut(way, passages, _READ.matching(fields.get("commit"), OID, "commit"), trails, minted, reinforced)


def _rows(way: tuple[WalkedDoor, ...]) -> list[list[str]]:
    return [[door.source, door.kind, door.to] for door in way]


def _door(row: object) -> WalkedDoor:
    if not isinstance(row, list) or len(row) != 3 or not all(isinstance(text, str) for text in row):
        raise ShortcutWrong("A door of a shortcut's way is its source, its kind and its target.")
    source, kind, to = row
    if problem_of_id(source) or problem_of_id(to):
        raise ShortcutWrong("A shortcut names nodes by well-formed ids.")
    if not _KIND.fullmatch(kind) or kind in (ENTRY, SHORTCUT):
        raise ShortcutWrong("A shortcut spans doors that are no shortcuts themselves.")
    return WalkedDoor(source, kind, to, useful=True)


def _day(value: object) -> date:
    day = parse_day(value) if isinstance(value, str) else None
    if day is None:
        raise ShortcutWrong("A shortcut's days are written as YYYY-MM-DD.")
    return day
