"""The trail index: which trails there are, which questions are alike, and what walks left on doors.

Owns the questions that are asked of the tables; the tables themselves are `forest.trail_folding`, and the file that
they are in, derived from `forest.trails` and safe to delete, `forest.trail_store`. Signatures and nodes go in and out
by content, never by number of a row. What counts are worth is `forest.heat`.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from forest import trails
from forest.ids import work_of
from forest.state import State, homes_of
from forest.trail_folding import SEPARATOR, weight_of
from forest.trail_store import TrailSource, TrailStore

if TYPE_CHECKING:
    from forest.history import Snapshot

Signature = tuple[str, ...]
INDEX_NAME = "trails.sqlite"
_SLACK = 1e-9  # what sums may be off by; exact cosines decide in the end

_COUNTS = """
WITH near AS MATERIALIZED (SELECT key, number FROM json_each(?) JOIN signatures ON stems = value)
SELECT a.id, b.id, near.key, c.day, c.length, c.sign, c.count
FROM near CROSS JOIN counts AS c ON c.signature = near.number
JOIN nodes AS a ON a.number = c.source JOIN nodes AS b ON b.number = c.dst
"""
_ALL_COUNTS = """
SELECT a.id, b.id, -1, c.day, c.length, c.sign, c.count
FROM signatures AS s CROSS JOIN counts AS c ON c.signature = s.number
JOIN nodes AS a ON a.number = c.source JOIN nodes AS b ON b.number = c.dst
"""
_KNOWN = "t.id, t.question, s.stems, t.day, t.length, coalesce(v.good, 0), coalesce(v.bad, 0)"
_FROM_TRAILS = """
FROM trails AS t JOIN signatures AS s ON s.number = t.signature LEFT JOIN verdicts AS v ON v.id = t.id
"""
_TRAILS = f"SELECT DISTINCT {_KNOWN} {_FROM_TRAILS}"
_NUMBER = "(SELECT number FROM nodes WHERE id = ?)"
_NEWEST = "ORDER BY t.day DESC, t.id"
_AT_NODE = (
    ":node IS NULL OR t.number IN (SELECT trail FROM walked JOIN nodes AS n ON n.number = dst WHERE n.id = :node)"
)


_BEHIND = f"""
SELECT w.useful, count(*) OVER (), {_KNOWN} {_FROM_TRAILS}
JOIN walked AS w ON w.trail = t.number AND w.dst = (SELECT number FROM nodes WHERE id = :to)
    AND w.source = (SELECT number FROM nodes WHERE id = :source)
WHERE t.length > 0 AND t.day <= :until AND (w.useful = 1 OR coalesce(v.bad, 0) <= coalesce(v.good, 0))
    AND (:near IS NULL OR t.signature IN (SELECT number FROM json_each(:near) JOIN signatures ON stems = value))
{_NEWEST} LIMIT :most
"""  # noqa: S608 - texts of ours


class Count(NamedTuple):
    """So many walks of one day, with one signature and one number of useful doors, on a door.

    Attributes:
        source: id of the node from which the door leads, "" for an entry.
        to: id behind it.
        signature: place of the signature among those asked for; −1 when all were.
        day: ordinal of the day.
        length: useful doors of the walks, 1 to 8.
        sign: 1 where the door was useful, −1 where it was not.
        walks: how many; one that somebody called good counts twice.
    """

    source: str
    to: str
    signature: int
    day: int
    length: int
    sign: int
    walks: int


@dataclass(frozen=True, slots=True)
class KnownTrail:
    """A trail as the index knows it.

    Attributes:
        id: of the trail.
        question: id of its question.
        signature: stems of the question, by the analyzer of today.
        day: UTC, on which it was walked.
        useful: how many of its doors were useful, at most 8.
        good: how many said that its answer is right.
        bad: how many said that it is not.
    """

    id: str
    question: str
    signature: Signature
    day: date
    useful: int
    good: int
    bad: int


class TrailIndex:
    """The trails of a forest at one moment. Close it, or use it as a context manager."""

    def __init__(self, store: TrailStore) -> None:
        self._store = store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def near(
        self, signature: Signature, idf: Callable[[str], float], tau: float, most: int = 256
    ) -> tuple[tuple[Signature, float], ...]:
        """Return the signatures most similar to one, most similar first, equally similar ones by their stems.

        Similarity is the cosine of the sets of stems, each stem weighing its idf on both sides. Only signatures that
        can reach `tau` are compared: what two share is at most the square of the other's norm, so a cosine of tau needs
        shared stems worth tau² of |q|². Stems that are together worth less are not looked up, the most common ones
        (prefix filtering; Chaudhuri, Ganti and Kaushik 2006).

        Args:
            signature: of the question.
            idf: how telling a stem is, the same at every call.
            tau: the least cosine, above zero.
            most: how many at most.
        """
        squares, own = _Squares(idf), frozenset(signature)
        whole = squares.total(own)
        if not whole:
            return ()
        least = tau * tau * whole * (1 - _SLACK)
        looked_up, rest = _prefix({stem: squares[stem] for stem in own}, least)
        found = []
        for other, worth in self._store.read(lambda tables: _sharing(tables, looked_up, squares, least - rest)):
            norms = sqrt(whole * squares.total(other))
            if worth + rest < tau * norms * (1 - _SLACK):
                continue
            kappa = min(squares.total(own.intersection(other)) / norms, 1.0)
            if kappa >= tau:
                found.append((other, kappa))
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0]))[:most])

    def counts(
        self, signatures: Sequence[Signature] | None, source: str | None = None, until: date = date.max
    ) -> list[Count]:
        """Return what walks left on doors, up to a day.

        Args:
            signatures: of the walks that count; None lets all count.
            source: only doors from this node, "" for entries; None is every door.
            until: later walks are left out.
        """
        asked: list[object] = [] if signatures is None else [_joined(signatures)]
        where = "WHERE c.day <= ?" if source is None else f"WHERE c.day <= ? AND c.source = {_NUMBER}"
        values = (*asked, until.toordinal(), *([] if source is None else [source]))
        statement = f"{_ALL_COUNTS if signatures is None else _COUNTS} {where}"
        return self._store.read(lambda tables: list(map(Count._make, tables.execute(statement, values))))

    def ways(self, source: str, to: str, most: int = 256) -> tuple[KnownTrail, ...]:
        """Return the trails that entered at `source` and went on to `to`, all through useful doors, newest first."""
        statement = f"""{_TRAILS} JOIN walked AS e ON e.trail = t.number AND e.dst = {_NUMBER} AND e.source = {_NUMBER}
            JOIN walked AS w ON w.trail = t.number AND w.dst = {_NUMBER}
            WHERE e.useful = 1 AND w.useful = 1 {_NEWEST}"""
        values = (source, "", to)

        def read(tables: sqlite3.Connection) -> tuple[KnownTrail, ...]:
            found: list[KnownTrail] = []
            for row in tables.execute(statement, values):
                if _leads(tables, row[0], source, to):
                    found.append(_known(row))
                    if len(found) == most:
                        break
            return tuple(found)

        return self._store.read(read)

    def trails_of(
        self, *, node: str | None = None, question: str | None = None, most: int | None = None
    ) -> tuple[KnownTrail, ...]:
        """Return trails, newest first, those of a day by id.

        Args:
            node: only those that stood at this node.
            question: only those of the question with this id.
            most: how many at most; None is all.
        """
        statement = (
            f"{_TRAILS} WHERE ({_AT_NODE}) AND (:question IS NULL OR t.question = :question) {_NEWEST} LIMIT :most"
        )
        values = {
            "node": node,
            "question": question and bytes.fromhex(question),
            "most": -1 if most is None else most,
        }
        return self._store.read(lambda tables: tuple(map(_known, tables.execute(statement, values))))

    def trails_behind(
        self, source: str, to: str, signatures: Sequence[Signature] | None, until: date, most: int
    ) -> tuple[tuple[tuple[KnownTrail, int], ...], int]:
        """Return the trails that count on a door and what each counts (`weight_of`), newest first; and how many in all.

        Args:
            source: id of the node from which the door leads, "" for an entry.
            to: id behind it.
            signatures: of the trails that are meant; None means all.
            until: later trails are left out.
            most: how many are returned at most.
        """
        values = {
            "source": source,
            "to": to,
            "near": None if signatures is None else _joined(signatures),
            "until": until.toordinal(),
            "most": most,
        }
        rows = self._store.read(lambda tables: tables.execute(_BEHIND, values).fetchall())
        known = ((_known(row), bool(useful)) for useful, _, *row in rows)
        weighed = tuple((trail, weight_of(useful, (trail.good, trail.bad))) for trail, useful in known)
        return weighed, rows[0][1] if rows else 0


def open_trail_index(
    state: State, source: TrailSource = trails, progress: Callable[[int], None] | None = None
) -> TrailIndex:
    """Open the trail index of a forest, caught up with its trails.

    Args:
        state: of the forest; the index stands beside it and holds trails of all days.
        source: where trails come from.
        progress: called with how many trails were folded in, after every thousand.

    Raises:
        StateUnusable: it can be neither read nor made.
        RepositoryUnusable: git cannot read the trails.
    """
    return TrailIndex(TrailStore(state.snapshot, state.folder.parent / INDEX_NAME, source, progress))


def follow_trails(snapshot: Snapshot) -> None:
    """Let the indexes that exist catch up now, so that they hold nothing of trails that were forgotten."""
    for home in homes_of(snapshot):
        if (home / INDEX_NAME).is_file():
            TrailStore(snapshot, home / INDEX_NAME, trails).close()


def _joined(signatures: Sequence[Signature]) -> str:
    """Return signatures as the tables have them, in JSON."""
    return json.dumps([SEPARATOR.join(signature) for signature in signatures])


def _prefix(squares: dict[str, float], least: float) -> tuple[list[str], float]:
    """Return the stems to look up, and what the others are worth together: less than `least`."""
    rarest = sorted(squares, key=lambda stem: (-squares[stem], stem))
    rest = 0.0
    while rarest and rest + squares[rarest[-1]] < least:
        rest += squares[rarest.pop()]
    return rarest, rest


class _Squares(dict[str, float]):
    """What stems are worth, the squares of their idf, each asked for once."""

    def __init__(self, idf: Callable[[str], float]) -> None:
        super().__init__()
        self._idf = idf

    def __missing__(self, stem: str) -> float:
        self[stem] = self._idf(stem) ** 2
        return self[stem]

    def total(self, stems: Iterable[str]) -> float:
        """Return what some stems are worth together."""
        return fsum(map(self.__getitem__, stems))


def _sharing(
    tables: sqlite3.Connection, stems: Sequence[str], squares: dict[str, float], least: float
) -> list[tuple[Signature, float]]:
    """Return the signatures that share some of these stems, worth so much at least, with what they are worth."""
    shared: dict[int, float] = defaultdict(float)
    for stem in stems:
        for (number,) in tables.execute("SELECT signature FROM postings WHERE stem = ?", (stem,)):
            shared[number] += squares[stem]
    numbers = [number for number, worth in shared.items() if worth >= least]
    statement = "SELECT stems, number FROM json_each(?) JOIN signatures ON number = value"
    found = tables.execute(statement, (json.dumps(numbers),))
    return [(tuple(text.split(SEPARATOR)), shared[number]) for text, number in found]


def _leads(tables: sqlite3.Connection, trail: bytes, source: str, to: str) -> bool:
    """Tell whether useful doors of a trail lead from one node to another; one to a work may have led to a version."""
    doors: dict[str, list[str]] = defaultdict(list)
    statement = """SELECT a.id, b.id FROM walked JOIN nodes AS a ON a.number = source JOIN nodes AS b ON b.number = dst
        WHERE trail = (SELECT number FROM trails WHERE id = ?) AND useful = 1"""
    for start, end in tables.execute(statement, (trail,)):
        for node in {start, work_of(start)}:
            doors[node].append(end)
    seen, open_ends = {source}, [source]
    while open_ends:
        fresh = [end for end in doors[open_ends.pop()] if end not in seen]
        seen.update(fresh)
        open_ends += fresh
    return to in seen


def _known(row: Sequence[Any]) -> KnownTrail:
    trail_id, question, stems, day, useful, good, bad = row
    signature = tuple(stem for stem in stems.split(SEPARATOR) if stem)
    return KnownTrail(trail_id.hex(), question.hex(), signature, date.fromordinal(day), useful, good, bad)
