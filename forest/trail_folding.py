"""Folding trails into counts: the tables of the trail index, and how trails, feedback and forgetting change them.

What a trail adds can be taken away again exactly, as all of it is whole numbers: the tables are a function of the set
of trails and of what was said of them, whatever the order in which either became known. Only the numbers of rows
depend on the order, and nothing that is read does. Reading is `forest.trail_index`.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import Any

from forest.trail import Trail
from forest.versions import VERSIONS

# Other tables, or another analyzer: everything is folded anew.
INDEX_VERSION = f"2 {VERSIONS['analyzer']}"
SEPARATOR = "\n"  # of the stems of a signature; no stem has one (`forest.trail`)
TABLES = ("meta", "nodes", "signatures", "postings", "trails", "verdicts", "walked", "counts")

# `counts` is what heat is made of: on the door from `source` to `dst`, so many walks of a day, with a signature and a
# number of useful doors. Its order serves a few signatures, for all doors or those of a node; that of `walked` serves
# the trails of a door.
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE nodes (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL);
CREATE TABLE signatures (number INTEGER PRIMARY KEY, stems TEXT NOT NULL UNIQUE, trails INTEGER NOT NULL);
CREATE TABLE postings (stem TEXT, signature INTEGER, PRIMARY KEY (stem, signature)) WITHOUT ROWID;
CREATE TABLE trails (
    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, question BLOB NOT NULL, signature INTEGER NOT NULL,
    day INTEGER NOT NULL, length INTEGER NOT NULL);
CREATE INDEX trails_by_question ON trails (question);
CREATE TABLE verdicts (id BLOB PRIMARY KEY, good INTEGER NOT NULL, bad INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE walked (
    dst INTEGER, source INTEGER, trail INTEGER, useful INTEGER NOT NULL,
    PRIMARY KEY (dst, source, trail)) WITHOUT ROWID;
CREATE INDEX walked_by_trail ON walked (trail);
CREATE TABLE counts (
    signature INTEGER, source INTEGER, dst INTEGER, day INTEGER, length INTEGER, sign INTEGER, count INTEGER NOT NULL,
    PRIMARY KEY (signature, source, dst, day, length, sign)) WITHOUT ROWID;
"""

_Count = tuple[int, int, int, int, int, int]  # signature, source, dst, day, length, sign
_Verdict = tuple[int, int]  # good, bad


def create_tables(connection: sqlite3.Connection) -> None:
    """Make empty tables in place of all that are there, within the caller's transaction."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in names:
        if name in TABLES:
            connection.execute(f"DROP TABLE {name}")
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    set_meta(connection, "version", INDEX_VERSION)


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a text under a name."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def weight_of(useful: bool, verdict: _Verdict) -> int:
    """Return what a walked door counts: above zero for h+, below for h−, by what was said of its trail.

    A useful door counts 1, and 2 where more said good than bad; other doors count −1. Where more said bad, the doors
    that were thought useful count −1, and the others nothing.

    Args:
        useful: whether the door led to what the answer cites.
        verdict: how many said good, and how many bad.
    """
    good, bad = verdict
    if useful:
        return -1 if bad > good else 2 if good > bad else 1
    return 0 if bad > good else -1


class Folding:
    """One batch of changes. Everything happens in the caller's transaction; `finish` writes what was gathered.

    Args:
        connection: to the tables, in a transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._nodes: dict[str, int] = {}
        self._signatures: dict[str, int] = {}
        self._counts: Counter[_Count] = Counter()
        self._uses: Counter[int] = Counter()
        self._trails: Counter[int] = Counter()

    def add(self, trail_id: str, trail: Trail, signature: tuple[str, ...]) -> None:
        """Fold a trail in; one that is there already changes nothing.

        Args:
            trail_id: its id.
            trail: to count.
            signature: of its question, by the analyzer of today.
        """
        key = bytes.fromhex(trail_id)
        if self._one("SELECT 1 FROM trails WHERE id = ?", key) is not None:
            return
        kind, day, length = self._signature_number(SEPARATOR.join(signature)), trail.day.toordinal(), trail.useful
        row = (key, bytes.fromhex(trail.question), kind, day, length)
        number = self._insert("INSERT INTO trails (id, question, signature, day, length) VALUES (?, ?, ?, ?, ?)", row)
        doors = {(self._node_number(d.source), self._node_number(d.to)): d.useful for d in trail.doors}
        walked = [(dst, source, number, int(useful)) for (source, dst), useful in doors.items()]
        self._connection.executemany("INSERT INTO walked VALUES (?, ?, ?, ?)", walked)
        self._trails[kind] += 1
        self._uses.update(end for door in doors for end in door)
        self._count(number, self._verdict(key), 1)
        if len(self._counts) > _MOST_GATHERED:
            self._write_counts()

    def remove(self, trail_id: str) -> None:
        """Take a trail out again; one that is not there changes nothing."""
        key = bytes.fromhex(trail_id)
        found = self._one("SELECT number, signature FROM trails WHERE id = ?", key)
        if found is None:
            return
        number, signature = found
        self._count(number, self._verdict(key), -1)
        for source, dst in self._connection.execute("SELECT source, dst FROM walked WHERE trail = ?", (number,)):
            self._uses.subtract((source, dst))
        self._trails[signature] -= 1
        self._connection.execute("DELETE FROM walked WHERE trail = ?", (number,))
        self._connection.execute("DELETE FROM trails WHERE number = ?", (number,))

    def judge(self, trail_id: str, good: int, bad: int) -> None:
        """Keep what is said of a trail now, in place of what was said before; the trail need not be there yet."""
        key = bytes.fromhex(trail_id)
        before = self._verdict(key)
        if good or bad:
            self._connection.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", (key, good, bad))
        else:
            self._connection.execute("DELETE FROM verdicts WHERE id = ?", (key,))
        found = self._one("SELECT number FROM trails WHERE id = ?", key)
        if found is not None:
            self._count(found[0], before, -1)
            self._count(found[0], (good, bad), 1)

    def finish(self) -> None:
        """Write what was gathered, and drop what no trail uses any more."""
        self._write_counts()
        execute = self._connection.executemany
        execute("UPDATE nodes SET uses = uses + ? WHERE number = ?", _changes(self._uses))
        execute("UPDATE signatures SET trails = trails + ? WHERE number = ?", _changes(self._trails))
        execute("DELETE FROM nodes WHERE number = ? AND uses = 0", [(number,) for number in self._uses])
        for number in self._trails:
            found = self._one("SELECT stems FROM signatures WHERE number = ? AND trails = 0", number)
            if found is not None:
                execute("DELETE FROM postings WHERE stem = ? AND signature = ?", _postings(found[0], number))
                self._connection.execute("DELETE FROM signatures WHERE number = ?", (number,))

    def _count(self, number: int, verdict: _Verdict, times: int) -> None:
        """Gather what the doors of a trail count under a verdict, `times` over: 1 adds it, −1 takes it back."""
        rows = self._connection.execute(
            "SELECT signature, source, dst, day, length, useful FROM walked JOIN trails ON number = trail "
            "WHERE trail = ? AND length > 0",  # a walk without a useful door proved nothing, neither for nor against
            (number,),
        )
        for signature, source, dst, day, length, useful in rows:
            weight = weight_of(bool(useful), verdict)
            if weight:
                sign = 1 if weight > 0 else -1
                self._counts[signature, source, dst, day, length, sign] += times * abs(weight)

    def _write_counts(self) -> None:
        changed = [(*key, change) for key, change in self._counts.items() if change]
        self._connection.executemany(
            "INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
            changed,
        )
        self._connection.executemany(
            "DELETE FROM counts WHERE signature = ? AND source = ? AND dst = ? AND day = ? AND length = ? AND sign = ? "
            "AND count = 0",
            [row[:-1] for row in changed if row[-1] < 0],
        )
        self._counts.clear()

    def _node_number(self, node_id: str) -> int:
        if node_id not in self._nodes:
            found = self._one("SELECT number FROM nodes WHERE id = ?", node_id)
            self._nodes[node_id] = (
                found[0] if found else self._insert("INSERT INTO nodes (id, uses) VALUES (?, 0)", (node_id,))
            )
        return self._nodes[node_id]

    def _signature_number(self, stems: str) -> int:
        if stems not in self._signatures:
            found = self._one("SELECT number FROM signatures WHERE stems = ?", stems)
            self._signatures[stems] = found[0] if found else self._new_signature(stems)
        return self._signatures[stems]

    def _new_signature(self, stems: str) -> int:
        number = self._insert("INSERT INTO signatures (stems, trails) VALUES (?, 0)", (stems,))
        self._connection.executemany("INSERT INTO postings VALUES (?, ?)", _postings(stems, number))
        return number

    def _verdict(self, key: bytes) -> _Verdict:
        found = self._one("SELECT good, bad FROM verdicts WHERE id = ?", key)
        return (found[0], found[1]) if found else (0, 0)

    def _one(self, statement: str, value: object) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(statement, (value,)).fetchone()
        return found

    def _insert(self, statement: str, row: tuple[object, ...]) -> int:
        return int(self._connection.execute(statement, row).lastrowid or 0)


_MOST_GATHERED = 200_000


def _changes(counter: Counter[int]) -> list[tuple[int, int]]:
    return [(change, number) for number, change in counter.items() if change]


def _postings(stems: str, number: int) -> list[tuple[str, int]]:
    return [(stem, number) for stem in stems.split(SEPARATOR) if stem]
