"""Derived state: a catalog and an index for one committed tree, found, checked, or built.

A state is a function of (tree id, versions of format, analyzer, chunker, schema and index) and lives in a folder named
after them under the repository's own directory, or under the user's cache where that cannot be written. It is safe to
delete. A folder appears complete, by rename, and never changes afterwards: readers take no lock and never wait; one
writer builds at a time. Its manifest has the hash of every file; a file whose size or times are not those last seen is
hashed again, and a state that does not match is built anew.

A new folder starts from the records of an earlier one: only files that changed are digested again (`_fill`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from forest.catalog import Catalog
from forest.errors import StateUnusable
from forest.history import ObjectReader, Snapshot
from forest.search import Index
from forest.store import read_config
from forest.versions import VERSIONS

if TYPE_CHECKING:
    from forest.build import Progress
    from forest.config import Config
    from forest.overlay import Overlay

_KEPT_STATES = 3
_STATE_NAME = re.compile(r"[0-9a-f]{20}-[0-9a-f]{8}(?:\.\d+\.(?:part|old))?")
_MANIFEST, _SEEN, _CATALOG, _INDEX = "manifest.json", "seen.json", "catalog.sqlite", "index"
_RECORDS = "records.sqlite"


@dataclass
class State:
    """An open derived state of one snapshot, perhaps as of a day. Close it, or use it as a context manager.

    Attributes:
        snapshot: what is committed.
        folder: where the state is.
        catalog: read as of the day.
        as_of: everything is as if nothing known later existed; None is no limit.
        others: this state as of other days, opened when asked for.
        place: the forest's folder as its user wrote it, for the commands that steps show; "" when there is no need.
    """

    snapshot: Snapshot
    folder: Path
    catalog: Catalog
    as_of: date | None = None
    place: str = ""
    _last: tuple[str, bytes | None] | None = field(default=None, repr=False)
    _opened: State | None = field(default=None, repr=False)
    others: dict[date | None, State] = field(default_factory=dict, repr=False)

    def __enter__(self) -> State:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open, also of the states of other days that came from this one."""
        for other in (*self.others.values(), self):
            other.catalog.close()
        if self._opened is None:
            self.objects.close()
            if "shortcuts" in self.__dict__:
                self.shortcuts.close()

    def on(self, day: date | None) -> State:
        """Return this state as of the earlier of its own day and another; None leaves it alone. Do not close it."""
        if day is None or (self.as_of is not None and self.as_of <= day):
            return self
        return self._as_of(day)

    @property
    def unlimited(self) -> State:
        """This state as of no day, to tell what is only known later from what is not there. Do not close it."""
        return self._as_of(None)

    def _as_of(self, day: date | None) -> State:
        opened = self._opened or self
        if day == opened.as_of:
            return opened
        others = opened.others
        if day not in others:
            catalog = Catalog(self.folder / _CATALOG, day)
            others[day] = State(self.snapshot, self.folder, catalog, day, self.place, _opened=opened)
        return others[day]

    @cached_property
    def index(self) -> Index:
        """The search index, opened at first use: showing a node does not need it."""
        return self._opened.index if self._opened is not None else Index(self.folder / _INDEX)

    @cached_property
    def shortcuts(self) -> Overlay:
        """Doors that trails earned, of any day; looked at when doors are, as a search needs none of them."""
        if self._opened is not None:
            return self._opened.shortcuts
        from forest.overlay import Overlay

        return Overlay(self.snapshot, self.folder.parent, self.objects)

    def read_blob(self, oid: str) -> bytes | None:
        """Return a committed blob; the last one is kept, as the passages of a large node are read one by one."""
        if self._last is None or self._last[0] != oid:
            self._last = oid, self.objects.read(oid)
        return self._last[1]

    @cached_property
    def config(self) -> Config:
        """What the forest's `forest.yaml` says."""
        return self._opened.config if self._opened is not None else read_config(self.snapshot, self.objects)

    @cached_property
    def objects(self) -> ObjectReader:
        """Reads committed blobs."""
        return self._opened.objects if self._opened is not None else ObjectReader(self.snapshot.folder)


def open_state(snapshot: Snapshot, progress: Progress | None = None, as_of: date | None = None) -> State:
    """Open the state of a snapshot; build it when it is missing, for another tree or version, or damaged.

    Args:
        snapshot: what is committed.
        progress: called with (nodes done, nodes in all) while building.
        as_of: everything read through the state is as if nothing published, or consolidated up to a day, after this
            one existed; what does not say when is then not there either, but for topics and entities.

    Raises:
        NotAForest: the snapshot has no usable `forest.yaml`.
        StateUnusable: it cannot be built anywhere, or what was built cannot be read.
    """
    for home in homes_of(snapshot):
        folder = home / _state_name(snapshot)
        # Tantivy locks what it opens, so that a state that one may only read is of no use.
        if os.access(folder / _INDEX, os.W_OK) and _is_sound(folder, snapshot.tree):
            with suppress(StateUnusable):
                return State(snapshot, folder, Catalog(folder / _CATALOG, as_of), as_of)
    for home in homes_of(snapshot):
        try:
            home.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(home, os.W_OK):
            return _build_once(snapshot, home, progress, as_of)
    raise StateUnusable(
        f"Neither {snapshot.common_dir} nor your cache folder can be written.", "Make one of them writable."
    )


def _build_once(snapshot: Snapshot, home: Path, progress: Progress | None, as_of: date | None) -> State:
    from filelock import FileLock

    folder = home / _state_name(snapshot)
    try:
        with FileLock(home / "lock"):
            # Another process may have built it while this one waited.
            if not _is_sound(folder, snapshot.tree) or not _opens(folder):
                _replace(folder, lambda part: _fill(snapshot, part, progress))
                _prune(home, keep=folder)
    except (OSError, sqlite3.Error) as error:
        raise StateUnusable(
            f"What is derived from {snapshot.folder} cannot be written to {home}: {error}.", "Is the disk full?"
        ) from None
    return State(snapshot, folder, Catalog(folder / _CATALOG, as_of), as_of)


def _opens(folder: Path) -> bool:
    try:
        Catalog(folder / _CATALOG).close()
        Index(folder / _INDEX)
    except StateUnusable:
        return False
    return True


def _fill(snapshot: Snapshot, folder: Path, progress: Progress | None) -> None:
    from forest.build import build  # a search must not pay for what only a build needs

    build(
        snapshot,
        folder / _CATALOG,
        folder / _INDEX,
        records=folder / _RECORDS,
        earlier=_earlier_records(folder),
        meta={**VERSIONS, "tree": snapshot.tree},
        progress=progress,
    )
    told = {"tree": snapshot.tree, "versions": VERSIONS, "files": _hashes(folder)}
    _write_json(folder / _MANIFEST, {**told, "records": _hash(folder / _RECORDS)})


def _earlier_records(folder: Path) -> Path | None:
    """Return the newest records of the same versions, as they were written, beside a folder that is being filled."""
    versions = folder.name.partition(".")[0].rpartition("-")[2]
    found = [path for path in folder.parent.glob(f"*-{versions}/{_RECORDS}") if path.is_file()]
    newest_first = sorted(found, key=lambda path: (path.stat().st_mtime_ns, str(path)), reverse=True)
    return next((path for path in newest_first if _as_written(path)), None)


def _as_written(records: Path) -> bool:
    try:
        manifest = json.loads((records.parent / _MANIFEST).read_bytes())
        return bool(manifest["versions"] == VERSIONS and manifest["records"] == _hash(records))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False


def _is_sound(folder: Path, tree: str) -> bool:
    """Tell whether a state is complete, of that tree, and every byte of it is what was built."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        files = manifest["files"]
        if manifest["tree"] != tree or manifest["versions"] != VERSIONS:
            return False
        signature = {name: _signature(folder / name) for name in sorted((*files, _MANIFEST))}
        if _seen(folder) == signature:
            return True
        sound = bool(_hashes(folder) == files)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False
    if sound:
        with suppress(OSError):  # a folder that cannot be written is hashed at every open: slower, not wrong
            _write_json(folder / _SEEN, signature)
    return sound


def _seen(folder: Path) -> object:
    try:
        return json.loads((folder / _SEEN).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _signature(path: Path) -> list[int]:
    # ctime changes with every write and, unlike mtime, cannot be set back.
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def _hashes(folder: Path) -> dict[str, str]:
    hashes = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in (_MANIFEST, _SEEN, _RECORDS) and not name.endswith(".lock"):
            hashes[name] = _hash(path)
    return hashes


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _replace(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make `folder` anew: filled elsewhere, then renamed, so that it is whole whenever it can be seen."""
    part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        fill(part)
        if folder.exists():
            old = folder.with_name(f"{folder.name}.{os.getpid()}.old")
            folder.rename(old)
            shutil.rmtree(old, ignore_errors=True)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _prune(home: Path, keep: Path) -> None:
    """Drop what crashed builds left and all but the newest states; open files survive on POSIX until closed."""
    # Only what has a name that is given here: a repository from elsewhere may have made `home` a link to any folder.
    folders = [path for path in home.iterdir() if path.is_dir() and _STATE_NAME.fullmatch(path.name)]
    for path in folders:
        if path.suffix in (".part", ".old"):
            shutil.rmtree(path, ignore_errors=True)
    whole = [path for path in folders if path.suffix not in (".part", ".old") and path != keep]
    for path in sorted(whole, key=lambda p: p.stat().st_mtime, reverse=True)[_KEPT_STATES - 1 :]:
        shutil.rmtree(path, ignore_errors=True)
    for path in whole:  # only a build reads records, and it reads the newest
        with suppress(OSError):
            (path / _RECORDS).unlink(missing_ok=True)


def _state_name(snapshot: Snapshot) -> str:
    versions = hashlib.sha256(json.dumps(VERSIONS, sort_keys=True).encode()).hexdigest()
    return f"{snapshot.tree[:20]}-{versions[:8]}"


def homes_of(snapshot: Snapshot) -> Iterator[Path]:
    """Yield where states of this forest may live, in the order of preference."""
    yield snapshot.common_dir / "forest" / snapshot.forest_id
    import platformdirs  # only where the repository has no state

    cache = Path(platformdirs.user_cache_dir("forest", appauthor=False))
    yield cache / hashlib.sha256(str(snapshot.common_dir).encode()).hexdigest()[:16] / snapshot.forest_id


def _write_json(path: Path, value: object) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(value, sort_keys=True), encoding="utf-8")
    part.replace(path)
