"""The overlay: the shortcuts of a forest, on a ref of their own and in a small cache from which a step reads them.

The ref is what counts: one file for each shortcut, which no branch, index or work tree knows. The cache is derived, as
the catalog is: it follows the ref by what changed, and is made anew when it is damaged. Where there is no ref, the git
that reads blobs is asked for it once, and nothing is opened.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from forest.errors import ForestError
from forest.history import ObjectReader, Snapshot
from forest.shortcut import MAX_SHORTCUT_BYTES, Shortcut, ShortcutWrong, shortcut_bytes, shortcut_from
from forest.side_ref import SideRef

CACHE_NAME = "shortcuts.sqlite"

_VERSION = 1
_MOST_OF_A_NODE = 64  # whatever somebody put there; a forest has far fewer (`most_per_node`)
_PATH = re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}/[0-9a-f]{64}\.json")
_WAIT_SECONDS = 2.0
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS followed (ref TEXT PRIMARY KEY, tip TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shortcuts (path TEXT PRIMARY KEY, source TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refused (path TEXT PRIMARY KEY, why TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_source ON shortcuts (source);
PRAGMA user_version = {_VERSION};
"""


def overlay_ref(snapshot: Snapshot) -> SideRef:
    """Return the ref of a forest's shortcuts."""
    return SideRef(snapshot, "shortcuts")


class Overlay:
    """The shortcuts of one forest. Nothing is looked at before it is asked for; close it when done.

    What was told of a node stays so until `refresh` or `change`, so that the numbers of its doors do too.

    Args:
        snapshot: names repository and forest.
        home: folder of the cache; where it cannot be written, the cache is in memory.
        objects: told which commit the ref names; it is not closed here.
    """

    def __init__(self, snapshot: Snapshot, home: Path, objects: ObjectReader) -> None:
        self._ref = overlay_ref(snapshot)
        self._objects = objects
        self._home = home
        self._tip: str | None = None
        self._told: dict[str, tuple[Shortcut, ...]] = {}

    def of(self, source: str) -> tuple[Shortcut, ...]:
        """Return the shortcuts that lead from a node, by target and id."""
        if source not in self._told:
            found = self._shortcuts(
                "SELECT data FROM shortcuts WHERE source = ? ORDER BY path LIMIT ?", source, _MOST_OF_A_NODE
            )
            self._told[source] = tuple(sorted(found, key=lambda s: (s.to, s.id)))
        return self._told[source]

    def all(self) -> tuple[Shortcut, ...]:
        """Return every shortcut, by source, target and id."""
        return tuple(sorted(self._shortcuts("SELECT data FROM shortcuts"), key=lambda s: (s.source, s.to, s.id)))

    def refused(self) -> tuple[tuple[str, str], ...]:
        """Return (path, why) of the files on the ref that are no shortcuts and were passed over, by path."""
        return tuple((str(path), str(why)) for path, why in self._rows("SELECT path, why FROM refused ORDER BY path"))

    def refresh(self) -> None:
        """Look anew, at the next question, at what the ref has."""
        self._tip = None
        self._told.clear()

    def change(self, make: Callable[[], Mapping[str, Shortcut | None]], message: str) -> bool:
        """Change the ref by one commit.

        Args:
            make: returns shortcuts by path, None for one that goes. It is called again when another process came first
                and must then look at this overlay anew.
            message: of the commit: ids of nodes and trails, and no word of a question.

        Returns:
            Whether anything changed.
        """
        before = [""]

        def files(tip: str) -> dict[str, bytes | None]:
            self._follow(tip)
            before[0] = tip
            return {path: None if one is None else shortcut_bytes(one) for path, one in make().items()}

        after = self._ref.update(files, message)
        self._follow(after)
        return after != before[0]

    def close(self) -> None:
        """Close the cache."""
        if "_db" in self.__dict__:
            self._db.close()
            del self.__dict__["_db"]
        self._ref.close()

    def _shortcuts(self, query: str, *values: object) -> list[Shortcut]:
        rows = self._rows(query, *values)
        try:
            return [shortcut_from(data) for (data,) in rows]
        except (ShortcutWrong, TypeError):  # what was never put in
            self._mend(self._tip or "", anew=True)
            return [shortcut_from(data) for (data,) in self._rows(query, *values)]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        if self._tip is None:
            self._follow(self._objects.commit_of(self._ref.ref))
        if not self._tip:
            return []
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._mend(self._tip, anew=not isinstance(error, sqlite3.OperationalError))
            return self._db.execute(query, values).fetchall()

    def _follow(self, tip: str) -> None:
        """Let the cache be that of a tip, "" for a ref that is not there."""
        self._told.clear()
        self._tip = tip
        try:
            if tip:
                self._catch_up(tip)
        except sqlite3.Error as error:
            self._mend(tip, anew=not isinstance(error, sqlite3.OperationalError))

    def _mend(self, tip: str, *, anew: bool) -> None:
        """Make the cache anew; keep it in memory when somebody holds the file, or it cannot be written."""
        self.close()
        if anew:
            try:
                (self._home / CACHE_NAME).unlink(missing_ok=True)
                self._catch_up(tip)
            except (OSError, sqlite3.Error):
                self.close()
            else:
                return
        self._db = _in_memory()
        self._catch_up(tip)

    @cached_property
    def _db(self) -> sqlite3.Connection:
        return _opened(self._home / CACHE_NAME) or _in_memory()

    def _catch_up(self, tip: str) -> None:
        row = self._db.execute("SELECT tip FROM followed WHERE ref = ?", (self._ref.ref,)).fetchone()
        if row is not None and row[0] == tip:
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            row = self._db.execute("SELECT tip FROM followed WHERE ref = ?", (self._ref.ref,)).fetchone()
            old = str(row[0]) if row is not None else ""
            if old != tip:
                self._apply_changes(old, tip)
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _apply_changes(self, old: str, tip: str) -> None:
        try:
            self._take_changes(old, tip)
        except ForestError:
            if not old:
                raise
            self._take_changes("", tip)  # what was followed is gone from the repository
        self._db.execute("INSERT OR REPLACE INTO followed VALUES (?, ?)", (self._ref.ref, tip))

    def _take_changes(self, old: str, tip: str) -> None:
        if not old:
            self._db.execute("DELETE FROM shortcuts")
            self._db.execute("DELETE FROM refused")
        for name, _, blob in self._ref.changes(old, tip):
            # Bytes that are no UTF-8 come as surrogates, which SQLite does not take.
            path = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            self._db.execute("DELETE FROM shortcuts WHERE path = ?", (path,))
            self._db.execute("DELETE FROM refused WHERE path = ?", (path,))
            if blob:
                self._take(path, blob)

    def _take(self, path: str, blob: str) -> None:
        try:
            source, data = self._read(path, blob)
        except ShortcutWrong as error:
            self._db.execute("INSERT INTO refused VALUES (?, ?)", (path, error.message))
            return
        self._db.execute("INSERT INTO shortcuts VALUES (?, ?, ?)", (path, source, data))

    def _read(self, path: str, blob: str) -> tuple[str, bytes]:
        if not _PATH.fullmatch(path):
            raise ShortcutWrong("No shortcut has a file of such a name.")
        data = self._ref.read(blob, MAX_SHORTCUT_BYTES)
        if data is None:
            raise ShortcutWrong(f"The file is not here, or has more than {MAX_SHORTCUT_BYTES:,} bytes.")
        shortcut = shortcut_from(data)
        if shortcut.path != path:
            raise ShortcutWrong("A shortcut lies where its source and its doors say.")
        return shortcut.source, data


def _in_memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(_SCHEMA)
    return db


def _opened(path: Path) -> sqlite3.Connection | None:
    """Open the cache; one that is damaged or of another version is made anew. None when it cannot be written."""
    with suppress(OSError):
        if path.is_symlink():  # a repository from elsewhere may have made it one, to any file
            path.unlink()
    for _ in range(2):
        try:
            db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
            try:
                return _prepared(db)
            except BaseException:
                db.close()
                raise
        except sqlite3.OperationalError:
            return None
        except sqlite3.DatabaseError:
            with suppress(OSError):
                path.unlink(missing_ok=True)
    return None


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    db.execute("PRAGMA synchronous = OFF")  # what is lost is derived again
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        raise sqlite3.DatabaseError("of another version")
    if version != _VERSION:
        db.executescript(_SCHEMA)
    return db
