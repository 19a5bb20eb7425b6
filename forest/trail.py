"""Trails: what a verified walk leaves behind, as an immutable value with canonical bytes and an id made of them.

A trail says which question was asked (by its hash; the words are kept apart, so that they can be forgotten), which
doors were walked, which of them led to what the answer cites, and what was cited. Where trails are kept is
`forest.trails`; what they are worth to later walks is `forest.heat`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from forest.analyzer import question_stems
from forest.canonical import OID, SHA256, Reader, canonical_bytes
from forest.errors import ForestError
from forest.ids import problem_of_id
from forest.limits import MAX_NODE_BYTES
from forest.vocabulary import widen

TRAIL_FORMAT = 1
ENTRY = "entry"
MAX_TRAIL_BYTES = 64 * 1024
MAX_DOORS = 64
MAX_CITED = 64
MAX_STEMS = 256
MOST_USEFUL = 8  # doors; longer ways count as so long

_MAX_STEM = 100  # characters
_MAX_WORD = 40
_MAX_PATH_BYTES = 1000
_MAX_PASSAGE = 100_000
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_VERSION = re.compile(r"[a-z0-9][a-z0-9.-]*")
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


class TrailWrong(ForestError):
    """Bytes that are no trail: another format, not canonical, a field that is missing or beyond a bound."""


_READ = Reader("trail", TrailWrong, TRAIL_FORMAT, MAX_TRAIL_BYTES)


@dataclass(frozen=True, slots=True)
class WalkedDoor:
    """One door of a walk, each told once.

    Attributes:
        source: id of the node from which it leads, "" for a node that was entered from a search or by its name.
        kind: of the door as it was seen (`superseded_by`, `child`), `entry` for such a node.
        to: id behind the door, as the door says it; of a node that was entered its own.
        useful: whether it lies on a way from an entry to a node whose passage the answer cites.
    """

    source: str
    kind: str
    to: str
    useful: bool


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A passage that the answer cites, with what proves it: a `Citation` without the commit and the words.

    Attributes:
        node: id of the node.
        passage: ordinal of the passage in it, from 1.
        path: the node's file, relative to the forest.
        blob: id of the file's bytes.
        start: first byte of the passage in the blob.
        end: one past its last byte.
        sha256: of those bytes.
    """

    node: str
    passage: int
    path: str
    blob: str
    start: int
    end: int
    sha256: str

    @property
    def id(self) -> str:
        """The passage's name, `node#n`."""
        return f"{self.node}#{self.passage}"


@dataclass(frozen=True)
class Trail:
    """What one verified walk left.

    Attributes:
        question: SHA-256 of the question's UTF-8, in hexadecimal; the words are not here.
        signature: what the question is about, `signature_of` its words: sorted, each once.
        analyzer: version of the analyzer that made the signature.
        doors: that were walked, in the order of their first walking.
        cited: passages that the answer cites, those that answer first.
        ending: of the walk.
        navigator: who decided its steps.
        commit: that was walked.
        tree: of the forest in it.
        time: when it ended, UTC, in microseconds: two walks of one question are two trails.
    """

    question: str
    signature: tuple[str, ...]
    analyzer: str
    doors: tuple[WalkedDoor, ...]
    cited: tuple[CitedPassage, ...]
    ending: str
    navigator: str
    commit: str
    tree: str
    time: datetime

    @cached_property
    def id(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return hashlib.sha256(trail_bytes(self)).hexdigest()

    @property
    def day(self) -> date:
        """The day (UTC) on which it ended."""
        return self.time.date()

    @property
    def useful(self) -> int:
        """How many of its doors were useful, at most `MOST_USEFUL`."""
        return min(sum(door.useful for door in self.doors), MOST_USEFUL)


def question_id(question: str) -> str:
    """Return the name of a question: SHA-256 of its UTF-8, in hexadecimal."""
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()


def signature_of(text: str) -> tuple[str, ...]:
    """Return the sorted search tokens that a question is about, its names among them.

    Everyday words are replaced by those of the law, so that both ways of asking meet.

    Args:
        text: the question as it is searched: slips mended, in Spanish (`forest.wording`).

    Returns:
        At most `MAX_STEMS` tokens.

    Examples:
        >>> signature_of("¿Cuál norma sustituyó a la NOM-026-SPC-2019?")
        ('nom-026-spc-2019', 'norm', 'sustitu')
    """
    wider = widen(text)
    replaced = {stem for entry in wider for stem in entry.stems}
    meant = {stem for entry in wider for stem in entry.meant}
    found = {unicodedata.normalize("NFC", stem) for stem in (set(question_stems(text)) - replaced) | meant}
    return tuple(stem for stem in sorted(found) if len(stem) <= _MAX_STEM and stem.isprintable())[:MAX_STEMS]


def trail_bytes(trail: Trail) -> bytes:
    """Return the canonical bytes of a trail: JSON with sorted keys, without spaces, NFC, in UTF-8."""
    fields = {
        "format": TRAIL_FORMAT,
        "question": trail.question,
        "signature": list(trail.signature),
        "analyzer": trail.analyzer,
        "doors": [[door.source, door.kind, door.to, int(door.useful)] for door in trail.doors],
        "cited": [cited_row(cited) for cited in trail.cited],
        "ending": trail.ending,
        "navigator": trail.navigator,
        "commit": trail.commit,
        "tree": trail.tree,
        "time": trail.time.astimezone(UTC).strftime(_TIME),
    }
    return canonical_bytes(fields)


def trail_from(data: bytes) -> Trail:
    """Read a trail from its canonical bytes.

    Raises:
        TrailWrong: they are not the canonical bytes of a trail within all bounds.
    """
    trail = _checked(_READ.fields(data))
    _READ.canonical(trail_bytes(trail), data)
    return trail


def _checked(fields: Mapping[str, Any]) -> Trail:
    signature = tuple(_text(stem, "a stem", _MAX_STEM) for stem in _READ.items(fields, "signature", MAX_STEMS))
    if list(signature) != sorted(set(signature)):
        raise TrailWrong("A trail's signature is sorted, each stem once.")
    doors = tuple(_door(value) for value in _READ.items(fields, "doors", MAX_DOORS))
    if len({(door.source, door.to) for door in doors}) != len(doors):
        raise TrailWrong("A trail tells each door once.")
    cited = tuple(cited_from(value) for value in _READ.items(fields, "cited", MAX_CITED))
    if not cited:
        raise TrailWrong("A trail cites something.")
    return Trail(
        question=_READ.matching(fields.get("question"), SHA256, "question"),
        signature=signature,
        analyzer=_word(fields.get("analyzer"), _VERSION, "analyzer"),
        doors=doors,
        cited=cited,
        ending=_word(fields.get("ending"), _WORD, "ending"),
        navigator=_word(fields.get("navigator"), _WORD, "navigator"),
        commit=_READ.matching(fields.get("commit"), OID, "commit"),
        tree=_READ.matching(fields.get("tree"), OID, "tree"),
        time=_time(fields.get("time")),
    )


def _door(value: object) -> WalkedDoor:
    source, kind, to, useful = _row(value, 4, "door")
    if type(useful) is not int or useful not in (0, 1):
        raise TrailWrong("A trail's door is useful, 1, or not, 0.")
    kind = _word(kind, _WORD, "kind of door")
    if (source == "") != (kind == ENTRY):
        raise TrailWrong("A door without a source is an entry, and no other is.")
    return WalkedDoor("" if source == "" else _id(source), kind, _id(to), bool(useful))


def cited_row(cited: CitedPassage) -> list[str | int]:
    """Return a cited passage as it is written into JSON; `cited_from` reads it back."""
    return [cited.node, cited.passage, cited.path, cited.blob, cited.start, cited.end, cited.sha256]


def cited_from(value: object) -> CitedPassage:
    """Read a cited passage from JSON data.

    Raises:
        TrailWrong: a field is malformed or beyond a bound.
    """
    node, passage, path, blob, start, end, sha256 = _row(value, 7, "citation")
    path = _text(path, "a path", _MAX_PATH_BYTES)
    if not path or len(path.encode()) > _MAX_PATH_BYTES or any(part in ("", ".", "..") for part in path.split("/")):
        raise TrailWrong("A trail's path leads to a file of the forest.")
    first, last = _number(start, MAX_NODE_BYTES), _number(end, MAX_NODE_BYTES)
    if first >= last:
        raise TrailWrong("A trail's passage ends after it begins.")
    return CitedPassage(
        node=_id(node),
        passage=max(_number(passage, _MAX_PASSAGE), 1),
        path=path,
        blob=_READ.matching(blob, OID, "blob"),
        start=first,
        end=last,
        sha256=_READ.matching(sha256, SHA256, "sha256"),
    )


def _row(value: object, length: int, what: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise TrailWrong(f"A trail's {what} has {length} fields.")
    return value


def _text(value: object, what: str, most: int) -> str:
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise TrailWrong(f"In a trail {what} is printable text of at most {most} characters.")
    return value


def _word(value: object, shape: re.Pattern[str], what: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_WORD or not shape.fullmatch(value):
        raise TrailWrong(f"A trail's {what} is a plain word.")
    return value


def _id(value: object) -> str:
    if not isinstance(value, str) or problem_of_id(value):
        raise TrailWrong("A trail names nodes by well-formed ids.")
    return value


def _number(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise TrailWrong(f"A number of a trail is out of 0 to {most:,}.")
    return value


def _time(value: object) -> datetime:
    if isinstance(value, str) and len(value) == len("2026-01-01T00:00:00.000000Z"):
        try:
            return datetime.strptime(value, _TIME).replace(tzinfo=UTC)
        except ValueError:
            pass
    raise TrailWrong("A trail's time is written as 2026-01-01T00:00:00.000000Z.")
