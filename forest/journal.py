"""The journal: every step of a walk, appended as it happens, so that a walk that was killed can still be read.

A walk is one file of JSON lines: a header, one line a step, at the end how it ended, and the trail that it left. A line
is on the disk before the next step is taken; a torn last line is what a kill leaves, and reading skips it. The journal
is not derived state: it cannot be made again from the tree.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forest.errors import WalkNotFound
from forest.text import escaped

JOURNAL_FORMAT = 1
_KEPT_WALKS = 500
_WALK_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{8}")
_FOLDER = "walks"
_MAX_LINE_BYTES = 4 * 1024 * 1024
_MAX_WALK_BYTES = 256 * 1024 * 1024

# What readers rely on in each kind of line; a line without it is skipped.
_HEADER = {"question": str, "navigator": str}
_STEP = {"step": int, "at": str, "action": str, "why": str, "observation": dict}
_SEEN = {"text": str, "tokens": int}
_ENDING = {"ending": str, "answer": dict}
_DEPOSIT = {"deposited": str}
_CLAIM = {"value": str, "text": str, "citations": list}
_CITATION = {"node": str}


@dataclass(frozen=True, slots=True)
class WalkRecord:
    """A walk as its journal tells it.

    Attributes:
        id: names its file; begins with the time (UTC) at which it began.
        header: question, navigator, clock, commit, tree, versions.
        steps: one mapping a step, in order.
        ending: the line after the last step: `ending` and `answer`; None for a walk that goes on, or was killed.
        deposited: id of the trail that it left, "" for none.
    """

    id: str
    header: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    ending: Mapping[str, Any] | None
    deposited: str = ""


class Journal:
    """Writes one walk. Each `write` is durable when it returns."""

    def __init__(self, home: Path, walk_id: str) -> None:
        folder = home / _FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        _prune(folder)
        self.path = folder / f"{walk_id}.jsonl"
        # Questions are the user's own: nobody else on the machine need read them. O_EXCL: a walk is never overwritten.
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)

    def write(self, line: Mapping[str, object]) -> None:
        """Append one line and wait until it is on the disk."""
        text = escaped(json.dumps(line, ensure_ascii=False, default=str))
        data = memoryview(f"{text}\n".encode())
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def walk_ids(home: Path) -> tuple[str, ...]:
    """Return the ids of the walks that are kept, the latest first."""
    return tuple(path.stem for path in sorted(_files(home / _FOLDER), reverse=True))


def read_walk(home: Path, walk_id: str) -> WalkRecord:
    """Read one walk, finished or not.

    Args:
        home: the folder of this forest's states.
        walk_id: its id, or `last` for the latest that can be read.

    Raises:
        WalkNotFound: there is no such walk, or its file holds no walk of a format that this code reads.
    """
    known = walk_ids(home)
    if walk_id == "last":
        found = next((record for one in known if (record := _record(home, one)) is not None), None)
        if found is None:
            raise WalkNotFound("No walk that can be read is recorded here.", "`forest walk` begins one.")
        return found
    if walk_id not in known:
        raise WalkNotFound(f"There is no walk {walk_id[:80]!r}.", "List them with `forest walks`.")
    record = _record(home, walk_id)
    if record is None:
        raise WalkNotFound(f"The journal of walk {walk_id} cannot be read.", "It may be of another version of forest.")
    return record


def read_walks(home: Path) -> tuple[tuple[WalkRecord, ...], tuple[str, ...]]:
    """Return the walks that are kept, the latest first, and the ids of those whose journals cannot be read."""
    records = {walk_id: _record(home, walk_id) for walk_id in walk_ids(home)}
    return (
        tuple(record for record in records.values() if record is not None),
        tuple(walk_id for walk_id, record in records.items() if record is None),
    )


def _record(home: Path, walk_id: str) -> WalkRecord | None:
    try:
        lines = list(_lines(home / _FOLDER / f"{walk_id}.jsonl"))
    except OSError:
        return None
    if not lines or lines[0].get("format") != JOURNAL_FORMAT or not _has(lines[0], _HEADER):
        return None
    steps = (line for line in lines[1:] if _has(line, _STEP) and _has(line["observation"], _SEEN))
    endings = (line for line in lines[1:] if _has(line, _ENDING) and _claims_are_sound(line["answer"]))
    left = (line["deposited"] for line in lines[1:] if _has(line, _DEPOSIT))
    return WalkRecord(walk_id, lines[0], tuple(steps), next(endings, None), next(left, ""))


def _has(value: object, types: Mapping[str, type]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(name), kind) for name, kind in types.items())


def _claims_are_sound(answer: Mapping[str, Any]) -> bool:
    claims = answer.get("claims")
    return isinstance(claims, list) and all(
        _has(claim, _CLAIM) and claim["citations"] and all(_has(cited, _CITATION) for cited in claim["citations"])
        for claim in claims
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > _MAX_WALK_BYTES:
            return
        while line := file.readline(_MAX_LINE_BYTES):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):  # what a kill tore
                continue
            if isinstance(value, dict):
                yield value


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    # No links, and no pipes, which would keep a reader waiting.
    return [path for path in folder.glob("*.jsonl") if _WALK_ID.fullmatch(path.stem) and _is_plain(path)]


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _prune(folder: Path) -> None:
    for path in sorted(_files(folder), reverse=True)[_KEPT_WALKS:]:
        path.unlink(missing_ok=True)
