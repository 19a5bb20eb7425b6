"""The file of the trail index: found, caught up with the refs of trails, made anew when it is of no use.

One writer at a time, in one transaction together with the tips that the tables then stand for; readers never wait for
one. An open store reads one moment: what other processes write meanwhile is seen by the next that is opened. A folder
that cannot be written gets a temporary file. What is read from the tables is the business of `forest.trail_index`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from forest.errors import RevisionUnknown, StateUnusable
from forest.trail import Trail, signature_of
from forest.trail_folding import INDEX_VERSION, TABLES, Folding, create_tables, set_meta
from forest.versions import VERSIONS

if TYPE_CHECKING:
    from forest.history import Snapshot

_T = TypeVar("_T")
_Signed = tuple[str, Trail, tuple[str, ...]]  # id, trail, signature
_STALE_AT_ONCE = 1_000
_TOLD_AFTER = 1_000
_TEMPORARY = ""  # SQLite's name for a file of its own that goes when it is closed
_BUSY_SECONDS = 5.0  # whoever waited so long for another process answers from what the index holds
_FIRST_SECONDS = 600.0  # but one that another process is making is waited for
_WAITING = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
# The place is at fault, not what is in the file.
_UNWRITABLE = frozenset(
    (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
    )
)


class Changes(Protocol):
    """What became of the trails since some tips, as `forest.trails` tells it."""

    @property
    def added(self) -> Iterable[tuple[str, Trail]]:
        """New trails with their ids."""

    @property
    def gone(self) -> Iterable[str]:
        """Ids of trails that are no more."""

    @property
    def verdicts(self) -> Mapping[str, tuple[int, int]]:
        """By id of a trail what is said of it now, (good, bad), where that is not what was said before."""

    @property
    def tips(self) -> str:
        """What this leads up to."""


class TrailSource(Protocol):
    """Where trails come from: `forest.trails`."""

    def tips_of(self, snapshot: Snapshot) -> str:
        """Return what the refs of trails name; "" without trails, equal as long as nothing changed."""

    def changes_since(self, snapshot: Snapshot, tips: str) -> Changes:
        """Return what changed since some tips; "" is from nothing.

        Raises:
            RevisionUnknown: the tips are not here any more.
        """

    def questions_of(self, snapshot: Snapshot, trail_ids: Collection[str]) -> Mapping[str, str]:
        """Return the words of the questions of some trails, where they are kept."""


class TrailStore:
    """The tables at one moment. Close it when done.

    Args:
        snapshot: of the forest whose trails are meant.
        path: of the file.
        source: where trails come from.
        progress: called with how many trails were folded in, after every thousand.

    Raises:
        StateUnusable: not even a temporary file can be used.
    """

    def __init__(
        self, snapshot: Snapshot, path: Path, source: TrailSource, progress: Callable[[int], None] | None = None
    ) -> None:
        self._snapshot, self._path, self._source, self._progress = snapshot, path, source, progress
        self._connection = self._open()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Return what `work` reads; where the file turns out to be damaged it is made anew and `work` done again.

        Raises:
            StateUnusable: that did not help.
        """
        try:
            return work(self._connection)
        except sqlite3.Error:
            self.close()
            _discard(self._path)
            self._connection = self._open()
        try:
            return work(self._connection)
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from None

    def _open(self) -> sqlite3.Connection:
        try:
            return self._opened(str(self._path))
        except sqlite3.Error as error:
            if _code(error) not in _UNWRITABLE | _WAITING:
                with suppress(OSError, sqlite3.Error):
                    _discard(self._path)
                    return self._opened(str(self._path))
        try:
            return self._opened(_TEMPORARY)
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from None

    def _opened(self, place: str) -> sqlite3.Connection:
        connection = sqlite3.connect(place, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            _prepare(connection)
            self._catch_up(connection)
            connection.execute("BEGIN")  # everything is read as of the first query
            connection.execute("SELECT count(*) FROM meta").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        tips = self._source.tips_of(self._snapshot)
        held = _held(connection)
        if held == tips:
            return
        if held is None:
            connection.execute(f"PRAGMA busy_timeout = {int(_FIRST_SECONDS * 1000)}")
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if held is None or _code(error) not in _WAITING:
                raise
            return
        try:
            self._fold(connection)
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _fold(self, connection: sqlite3.Connection) -> None:
        held = _held(connection)  # another process may have been faster
        if held is None:
            create_tables(connection)
        try:
            changes = self._source.changes_since(self._snapshot, held or "")
        except RevisionUnknown:  # when something is erased, the history of trails is written anew
            create_tables(connection)
            changes = self._source.changes_since(self._snapshot, "")
        folding = Folding(connection)
        for trail_id in changes.gone:
            folding.remove(trail_id)
        for number, (trail_id, trail, signature) in enumerate(self._signed(changes.added), start=1):
            folding.add(trail_id, trail, signature)
            if self._progress is not None and number % _TOLD_AFTER == 0:
                self._progress(number)
        for trail_id, (good, bad) in changes.verdicts.items():
            folding.judge(trail_id, good, bad)
        folding.finish()
        set_meta(connection, "tips", changes.tips)

    def _signed(self, added: Iterable[tuple[str, Trail]]) -> Iterator[_Signed]:
        """Yield trails with their signatures by the analyzer of today; as they were, where the words are not kept."""
        stale: dict[str, Trail] = {}
        for trail_id, trail in added:
            if trail.analyzer == VERSIONS["analyzer"]:
                yield trail_id, trail, trail.signature
            else:
                stale[trail_id] = trail
            if len(stale) == _STALE_AT_ONCE:
                yield from self._signed_anew(stale)
                stale = {}
        yield from self._signed_anew(stale)

    def _signed_anew(self, stale: Mapping[str, Trail]) -> Iterator[_Signed]:
        texts = self._source.questions_of(self._snapshot, stale) if stale else {}
        for trail_id, trail in stale.items():
            yield trail_id, trail, signature_of(texts[trail_id]) if trail_id in texts else trail.signature


def _prepare(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
        # Another process that does the same just now is no reason to wait.
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")  # nothing of a trail that was forgotten stays in the file


def _held(connection: sqlite3.Connection) -> str | None:
    """Return the tips that the tables stand for, None when there are no tables of this version."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    meta = dict(connection.execute("SELECT key, value FROM meta")) if there else {}
    return str(meta.get("tips", "")) if meta.get("version") == INDEX_VERSION else None


def _discard(path: Path) -> None:
    """Remove the file if it is damaged or incomplete: another process may have made it anew meanwhile."""
    from filelock import FileLock

    with FileLock(path.with_name(f"{path.name}.lock"), timeout=_FIRST_SECONDS):
        if _is_sound(path):
            return
        for name in (f"{path.name}-wal", f"{path.name}-shm", path.name):
            path.with_name(name).unlink(missing_ok=True)


def _is_sound(path: Path) -> bool:
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=_BUSY_SECONDS)) as connection:
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return there.issuperset(TABLES) and connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
    return False


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary code of an error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _unusable(path: Path, error: sqlite3.Error) -> StateUnusable:
    return StateUnusable(f"The index of trails cannot be used: {error}.", f"Delete {path}; it is built again.")
