"""The catalog: nodes, doors, passages and names of one committed tree in SQLite, to step without loading the forest.

Owns the schema and its queries. It holds no body text: passages are recipes. Which tree it is for, and whether its
bytes are still those that were built, is the business of `forest.state`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from forest.errors import NodeNotFound, StateUnusable
from forest.ids import nearest, work_of
from forest.passage import Passage

if TYPE_CHECKING:
    from forest.record import Record

_SCHEMA = """
CREATE TABLE nodes (
    num INTEGER PRIMARY KEY,            -- place of the id in sorted order: equal trees give equal numbers
    id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL UNIQUE,
    blob TEXT NOT NULL,
    encoding TEXT NOT NULL,
    parent TEXT NOT NULL,               -- path of the parent's file, '' at the root
    work TEXT NOT NULL,
    kind TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, scent TEXT NOT NULL, text_state TEXT NOT NULL,
    stems TEXT NOT NULL,                -- search tokens of title, scent and summary, each once
    tags TEXT NOT NULL,                 -- a JSON list
    published TEXT, text_as_of TEXT, force_from TEXT, force_to TEXT,
    force_open INTEGER NOT NULL, force_basis TEXT NOT NULL,
    since TEXT                          -- day since which the text can have read as it does
);
CREATE INDEX nodes_parent ON nodes (parent);
CREATE INDEX nodes_work ON nodes (work);
CREATE TABLE edges (
    src INTEGER NOT NULL, kind TEXT NOT NULL, dst TEXT NOT NULL, scent TEXT NOT NULL, basis TEXT NOT NULL,
    PRIMARY KEY (src, kind, dst)
) WITHOUT ROWID;
CREATE TABLE edges_in (
    dst TEXT NOT NULL, kind TEXT NOT NULL, src INTEGER NOT NULL, PRIMARY KEY (dst, kind, src)
) WITHOUT ROWID;
CREATE TABLE passages (
    node INTEGER NOT NULL, ordinal INTEGER NOT NULL, heading TEXT NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, sha256 TEXT NOT NULL, tokens INTEGER NOT NULL,
    PRIMARY KEY (node, ordinal)
) WITHOUT ROWID;
CREATE TABLE scents (
    node INTEGER NOT NULL, neighbour TEXT NOT NULL, scent TEXT NOT NULL, PRIMARY KEY (node, neighbour)
) WITHOUT ROWID;
CREATE TABLE names (name TEXT NOT NULL, node INTEGER NOT NULL, PRIMARY KEY (name, node)) WITHOUT ROWID;
CREATE TABLE standing (                 -- how often other texts cite an id; ids that none cites are not here
    id TEXT PRIMARY KEY, cited INTEGER NOT NULL, cited_elsewhere INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

_DELETE = "Delete the folder that `forest status` names; it is built again."

# An article stands for itself; what is cited anywhere in a law from outside it counts for the law's own id.
_STANDING = """
INSERT INTO standing
WITH cited AS (
    SELECT dst, rtrim(substr(dst, 1, instr(dst || '/', '/')), '/') AS family,
        rtrim(substr(id, 1, instr(id || '/', '/')), '/') AS source
    FROM edges_in JOIN nodes ON num = src WHERE edges_in.kind = 'cites'
), own AS (SELECT dst AS id, count(*) AS n FROM cited GROUP BY dst),
elsewhere AS (SELECT family AS id, count(DISTINCT source) AS n FROM cited WHERE family <> source GROUP BY family)
SELECT id, sum(own), sum(other) FROM (
    SELECT id, n AS own, 0 AS other FROM own UNION ALL SELECT id, 0, n FROM elsewhere
) GROUP BY id
"""

_NODE_COLUMNS = (
    "num, id, path, blob, encoding, kind, title, summary, scent, text_state, stems, tags, published, text_as_of, "
    "force_from, force_to, force_open, force_basis, since"
)


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node as the catalog knows it: its passport's lines and where its bytes are.

    Attributes:
        num: its place in the sorted order of ids; what the search index stores.
        stems: search tokens of its title, scent and summary.
        in_force_from: first day in force, None when unknown.
        in_force_to: first day no longer in force, None when unknown or open.
        open_ended: the passport says that it is in force until something ends it.
        since: the day since which the text can have read as it does (last reform, publication), None when unknown.
    """

    num: int
    id: str
    path: str
    blob: str
    encoding: str
    kind: str
    title: str
    summary: str
    scent: str
    text_state: str
    stems: str
    tags: tuple[str, ...]
    published: date | None
    text_as_of: date | None
    in_force_from: date | None
    in_force_to: date | None
    open_ended: bool
    in_force_basis: str
    since: date | None

    @property
    def known_on(self) -> date | None:
        """The day from which this text could be known: the later of its publication and what it consolidates."""
        days = [day for day in (self.published, self.text_as_of) if day is not None]
        return max(days) if days else None


class CatalogWriter:
    """Fills a new catalog."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;" + _SCHEMA)

    def add(self, num: int, record: Record, parent: str, since: str | None) -> None:
        """Add what one file contributes.

        Args:
            num: place of its id in the sorted order of ids.
            record: the node, digested.
            parent: path of its parent's file, "" at the root.
            since: day since which its text can have read as it does, ISO.
        """
        r, execute = record, self._db.execute
        row = (
            num,
            r.id,
            r.path,
            r.blob,
            r.encoding,
            parent,
            work_of(r.id),
            *r.lines,
            _own_stems(r),
            r.tags,
            *r.dates,
            since,
        )
        execute(f"INSERT INTO nodes VALUES ({','.join('?' * len(row))})", row)  # noqa: S608 - only question marks
        for kind, target, scent, basis in r.edges:
            execute("INSERT OR IGNORE INTO edges VALUES (?,?,?,?,?)", (num, kind, target, scent, basis))
            execute("INSERT OR IGNORE INTO edges_in VALUES (?,?,?)", (target, kind, num))
        for ordinal, cut in enumerate(r.passages, start=1):
            cut_row = (
                num,
                ordinal,
                json.dumps(cut.heading, ensure_ascii=False),
                cut.start,
                cut.end,
                cut.sha256,
                cut.tokens,
            )
            execute("INSERT INTO passages VALUES (?,?,?,?,?,?,?)", cut_row)
        for neighbour, scent in r.scents:
            execute("INSERT INTO scents VALUES (?,?,?)", (num, neighbour, scent))
        for name in r.names:
            execute("INSERT OR IGNORE INTO names VALUES (?,?)", (name, num))

    def finish(self, meta: Mapping[str, str]) -> None:
        """Write what follows from all nodes together, and `meta`; commit and close."""
        self._db.execute(_STANDING)
        self._db.executemany("INSERT INTO meta VALUES (?,?)", sorted(meta.items()))
        self._db.execute("COMMIT")
        self._db.execute("ANALYZE")
        self._db.close()


def _own_stems(record: Record) -> str:
    stems = " ".join(record.stems[name] for name in ("title", "scent", "summary")).split()
    return " ".join(dict.fromkeys(stems))


class Catalog:
    """Reads one catalog file. Every method costs what it returns, not what the forest holds."""

    def __init__(self, path: Path) -> None:
        try:
            self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            self.meta: dict[str, str] = dict(self._db.execute("SELECT key, value FROM meta"))
        except sqlite3.Error as error:
            raise StateUnusable(f"The catalog {path} cannot be read: {error}.") from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def node(self, node_id: str) -> NodeRow:
        """Return a node by id.

        Raises:
            NodeNotFound: there is none; the hint names the nearest id.
        """
        row = self._one("SELECT {} FROM nodes WHERE id = ?", node_id)
        if row is None:
            near = self.nearest(node_id)
            hint = f"Did you mean {near[0]}?" if near else "Find it with `forest search WORDS`."
            raise NodeNotFound(f"The forest has no node {node_id!r}.", hint)
        return row

    def find(self, node_id: str) -> NodeRow | None:
        """Return a node by id, None when there is none."""
        return self._one("SELECT {} FROM nodes WHERE id = ?", node_id)

    def at_path(self, path: str) -> NodeRow | None:
        """Return the node of a file, None when there is none."""
        return self._one("SELECT {} FROM nodes WHERE path = ?", path)

    def by_numbers(self, numbers: Iterable[int]) -> dict[int, NodeRow]:
        """Return nodes by number; unknown numbers are left out."""
        wanted = sorted(set(numbers))
        marks = ",".join("?" * len(wanted))
        rows = self._rows(f"SELECT {{}} FROM nodes WHERE num IN ({marks})", *wanted)  # noqa: S608
        return {row.num: row for row in rows}

    def nearest(self, node_id: str, limit: int = 1) -> tuple[str, ...]:
        """Return the ids most like `node_id`, among those that share its first part where any do."""
        first = node_id.partition("/")[0]
        return nearest(node_id, self.ids(first) or self.ids(""), limit)

    def nearest_named(self, folded: str, limit: int) -> tuple[NodeRow, ...]:
        """Return the nodes whose names are most like a folded name, best first."""
        names = [row[0] for row in self._db.execute("SELECT DISTINCT name FROM names")]
        bearers = self.bearers(nearest(folded, names, limit * 2))
        ids = dict.fromkeys(node_id for ids in bearers.values() for node_id in ids)
        return tuple(self.node(node_id) for node_id in list(ids)[:limit])

    def parent(self, node: NodeRow) -> NodeRow | None:
        """Return the node above, None for the root and for a node whose folder has no index."""
        return self._one("SELECT {} FROM nodes WHERE path = (SELECT parent FROM nodes WHERE num = ?)", node.num)

    def ancestors(self, node: NodeRow) -> tuple[NodeRow, ...]:
        """Return the nodes above, nearest first."""
        above: list[NodeRow] = []
        current = self.parent(node)
        while current is not None and len(above) < 64:
            above.append(current)
            current = self.parent(current)
        return tuple(above)

    def children(self, node: NodeRow, limit: int = -1) -> tuple[NodeRow, ...]:
        """Return the nodes below, in the order of their ids, `limit` at most."""
        return tuple(self._rows("SELECT {} FROM nodes WHERE parent = ? ORDER BY num LIMIT ?", node.path, limit))

    def count_doors(self, node: NodeRow) -> int:
        """Return how many doors a node has: parent, children, edges out and edges in."""
        query = """SELECT (SELECT count(*) FROM nodes WHERE parent = :path)
            + (SELECT count(*) FROM nodes WHERE path = (SELECT parent FROM nodes WHERE num = :num))
            + (SELECT count(*) FROM edges WHERE src = :num) + (SELECT count(*) FROM edges_in WHERE dst = :id)"""
        found = self._db.execute(query, {"path": node.path, "num": node.num, "id": node.id}).fetchone()
        return int(found[0])

    def override(self, node: NodeRow, neighbour: str) -> str:
        """Return the line that a node states in place of a neighbour's own, "" when it states none."""
        found = self._db.execute("SELECT scent FROM scents WHERE node = ? AND neighbour = ?", (node.num, neighbour))
        row = found.fetchone()
        return str(row[0]) if row else ""

    def standing(self, ids: Collection[str]) -> dict[str, tuple[int, int]]:
        """Return, of those ids that other texts cite, how often they are cited, and by how many other families.

        A family is what shares an id's first part (a law and its articles); citations of any member from outside count
        for that first part, each family once.
        """
        marks = ",".join("?" * len(ids))
        query = f"SELECT id, cited, cited_elsewhere FROM standing WHERE id IN ({marks})"  # noqa: S608
        return {node_id: (cited, elsewhere) for node_id, cited, elsewhere in self._db.execute(query, sorted(ids))}

    def counts(self) -> dict[str, int]:
        """Return how many nodes, edges and passages there are."""
        return {
            name: int(self._db.execute(f"SELECT count(*) FROM {name}").fetchone()[0])  # noqa: S608 - names of ours
            for name in ("nodes", "edges", "passages")
        }

    def members(self, prefix: str, last: str) -> tuple[NodeRow, ...]:
        """Return the nodes whose id begins with `prefix` and ends in `/last`, in the order of their ids."""
        query = "SELECT {} FROM nodes WHERE id >= ? AND id < ? AND substr(id, ?) = ? ORDER BY num"
        ending = f"/{last}"
        return tuple(self._rows(query, prefix, f"{prefix}~", -len(ending), ending))

    def ids(self, prefix: str) -> tuple[str, ...]:
        """Return the ids that begin with `prefix`, sorted; all of them for ""."""
        found = self._db.execute("SELECT id FROM nodes WHERE id >= ? AND id < ? ORDER BY num", (prefix, f"{prefix}~"))
        return tuple(row[0] for row in found)

    def versions(self, work: str) -> tuple[NodeRow, ...]:
        """Return the dated versions of a work in the order of their ids; empty for a rule that never changed."""
        return tuple(self._rows("SELECT {} FROM nodes WHERE work = ? AND id <> work ORDER BY num", work))

    def edges_out(self, node: NodeRow) -> tuple[tuple[str, str, str, str], ...]:
        """Return (kind, target id, scent, basis) of the edges a node states, sorted."""
        return tuple(self._db.execute("SELECT kind, dst, scent, basis FROM edges WHERE src = ?", (node.num,)))

    def edges_in(self, node_id: str, limit: int = -1, kind: str = "") -> tuple[tuple[str, int], ...]:
        """Return (kind, number of the source) of the edges, of one kind or any, that reach an id, sorted."""
        which = "dst = ? AND kind = ?" if kind else "dst = ?"
        values = (node_id, kind) if kind else (node_id,)
        query = f"SELECT kind, src FROM edges_in WHERE {which} LIMIT ?"  # noqa: S608 - one of the two texts above
        return tuple(self._db.execute(query, (*values, limit)))

    def passages(self, node: NodeRow) -> tuple[Passage, ...]:
        """Return the recipes of a node's passages in order."""
        rows = self._db.execute(
            "SELECT ordinal, heading, start, end, sha256, tokens FROM passages WHERE node = ?", (node.num,)
        )
        return tuple(_passage(node, row) for row in rows)

    def passage(self, node: NodeRow, ordinal: int) -> Passage | None:
        """Return the recipe of one passage, None when the node has fewer."""
        row = self._db.execute(
            "SELECT ordinal, heading, start, end, sha256, tokens FROM passages WHERE node = ? AND ordinal = ?",
            (node.num, ordinal),
        ).fetchone()
        return _passage(node, row) if row else None

    def count_passages(self, node: NodeRow) -> int:
        """Return how many passages a node has."""
        return int(self._db.execute("SELECT count(*) FROM passages WHERE node = ?", (node.num,)).fetchone()[0])

    # --- what `forest.legal.Register` asks -------------------------------------------------------------------

    def names(self, folded: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the instruments that bear each folded name; names that none bears are left out."""
        return self.bearers(folded, "instrument")

    def bearers(self, folded: Collection[str], kind: str = "") -> Mapping[str, tuple[str, ...]]:
        """Return the ids of the nodes, of one kind or of any, that bear each folded name."""
        found: dict[str, list[str]] = {}
        wanted = sorted(set(folded))
        for at in range(0, len(wanted), 500):
            some = wanted[at : at + 500]
            marks = ",".join("?" * len(some))
            for name, node_id in self._db.execute(
                f"SELECT name, id FROM names JOIN nodes ON num = node WHERE name IN ({marks}) "  # noqa: S608
                "AND ? IN ('', kind) ORDER BY num",
                (*some, kind),
            ):
                found.setdefault(name, []).append(node_id)
        return {name: tuple(ids) for name, ids in found.items()}

    def names_beginning(self, folded: str, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return the instruments that bear a folded name, or one that goes on after it, by name in order.

        Args:
            folded: from `forest.legal.fold`; what goes on begins with a new word.
            limit: how many names at most; that many mean that there may be more.
        """
        found: dict[str, list[str]] = {}
        rows = self._db.execute(
            """SELECT name, id FROM names JOIN nodes ON num = node WHERE kind = 'instrument' AND name IN (
                SELECT DISTINCT name FROM names WHERE name = :name OR (name >= :name || ' ' AND name < :name || '!')
                ORDER BY name LIMIT :limit
            ) ORDER BY name, num""",
            {"name": folded, "limit": limit},
        )
        for name, node_id in rows:
            found.setdefault(name, []).append(node_id)
        return {name: tuple(ids) for name, ids in found.items()}

    def has_article(self, instrument_id: str, key: str) -> bool:
        """Tell whether an instrument has an article with this key."""
        return self.find(f"{instrument_id}/art-{key}") is not None

    def _one(self, query: str, *values: object) -> NodeRow | None:
        return next(iter(self._rows(query, *values)), None)

    def _rows(self, query: str, *values: object) -> list[NodeRow]:
        try:
            found = self._db.execute(query.format(_NODE_COLUMNS), values).fetchall()
        except sqlite3.DatabaseError as error:
            raise StateUnusable(f"The catalog cannot be read: {error}.") from None
        return [_node_row(row) for row in found]


def _passage(node: NodeRow, row: tuple[int, str, int, int, str, int]) -> Passage:
    ordinal, heading, start, end, sha256, tokens = row
    return Passage(node.id, ordinal, tuple(json.loads(heading)), start, end, sha256, tokens)


def _node_row(row: tuple[object, ...]) -> NodeRow:
    try:
        return _checked_row(row)
    except (ValueError, TypeError) as error:
        raise StateUnusable(f"The catalog holds what no build writes: {error}.", _DELETE) from None


def _checked_row(row: tuple[object, ...]) -> NodeRow:
    values = list(row)
    values[11] = tuple(json.loads(str(values[11])))
    for at in range(12, 16):
        values[at] = date.fromisoformat(str(values[at])) if values[at] else None
    values[16] = bool(values[16])
    values[18] = date.fromisoformat(str(values[18])) if values[18] else None
    return NodeRow(*values)  # type: ignore[arg-type]
