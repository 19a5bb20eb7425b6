"""The catalog: nodes, doors, passages and names of one committed tree in SQLite, to step without loading the forest.

Owns the queries, and the view of a day: read as of a day, every table is as if nothing known later were in it. It holds
no body text: passages are recipes. `forest.catalog_writer` has the schema; which tree a catalog is for, and whether its
bytes are still those that were built, is the business of `forest.state`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from forest.errors import NodeNotFound, NodeNotKnownYet, StateUnusable
from forest.ids import nearest
from forest.passage import Passage
from forest.store import INDEX_NAME

# Views in the connection's own schema, which SQLite looks up first: no query can reach past the day by forgetting it.
_VIEW_OF_A_DAY = """
CREATE TEMP VIEW nodes AS SELECT * FROM main.nodes WHERE known <= '{day}';
CREATE TEMP VIEW edges AS SELECT * FROM main.edges WHERE known <= '{day}';
CREATE TEMP VIEW edges_in AS SELECT * FROM main.edges_in WHERE known <= '{day}';
CREATE TEMP VIEW names AS SELECT * FROM main.names WHERE known <= '{day}';
CREATE TEMP VIEW cited_by AS SELECT * FROM main.cited_by WHERE known <= '{day}';
CREATE TEMP VIEW passages AS SELECT p.* FROM main.passages AS p JOIN main.nodes ON num = p.node WHERE known <= '{day}';
CREATE TEMP VIEW scents AS SELECT s.* FROM main.scents AS s JOIN main.nodes ON num = s.node WHERE known <= '{day}';
"""

# A version counts as in force as `forest.validity.meets` has it: as far as its period is known.
_HOLDS = """(version = 0 OR (
    coalesce(since, '') < :end AND coalesce(force_from, '') < :end AND coalesce(force_to, '9999-99-99') > :start))"""
_CHILDREN = f"SELECT num FROM nodes WHERE parent = :parent AND {_HOLDS}"  # noqa: S608 - a text of ours

_HOLDING_PART = """SELECT 1 FROM nodes AS part WHERE part.document = nodes.num AND coalesce(part.since, '') < ?
    AND coalesce(part.force_from, '') < ? AND coalesce(part.force_to, '9999-99-99') > ?"""

Period = tuple[date, date]
# A day after every day of the calendar: what does not say when it was published is known on none.
NEVER_KNOWN = "9999-99-99"
_MOST_ORDINAL = 2**31  # SQLite counts no further than 2**63, and nobody this far
_FIRST_DAY = "0001-01-01"

_DELETE = "Delete the folder that `forest status` names; it is built again."

_NODE_COLUMNS = (
    "num, id, path, blob, encoding, kind, title, summary, scent, text_state, section, issuers, document, stems, tags, "
    "published, text_as_of, force_from, force_to, force_open, force_basis, since"
)


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """What documents must be; what is empty confines nothing.

    Attributes:
        published_from: first day of the gazette; undated documents do not pass.
        published_to: last day of the gazette; undated documents do not pass.
        sections: of the gazette, any of them.
        kinds: any of them.
        issuers: ids of bodies, any of which issued it.
        tags: any of them.
    """

    published_from: date | None = None
    published_to: date | None = None
    sections: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    issuers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def condition(self) -> tuple[str, list[object]]:
        """Return it as SQL with its values."""
        parts: list[str] = ["document = num"]
        values: list[object] = []
        for sign, day in ((">=", self.published_from), ("<=", self.published_to)):
            if day is not None:
                parts.append(f"published {sign} ?")
                values.append(day.isoformat())
        for column, some in (("section", self.sections), ("kind", self.kinds)):
            if some:
                parts.append(f"{column} IN ({_marks(some)})")
                values += some
        for column, some in (("issuers", self.issuers), ("tags", self.tags)):
            if some:
                parts.append(f"EXISTS (SELECT 1 FROM json_each({column}) WHERE value IN ({_marks(some)}))")  # noqa: S608 - question marks
                values += some
        return " AND ".join(parts), values


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node as the catalog knows it: its passport's lines and where its bytes are.

    Attributes:
        num: its place in the sorted order of ids; what the search index stores.
        section: of the gazette, its own or that of the nearest folder above; "" when none says.
        issuers: the same of ids of the bodies that issued it.
        document: number of the publication or instrument that it is part of, itself or the nearest above; its own where
            there is none.
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
    section: str
    issuers: tuple[str, ...]
    document: int
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


class Catalog:
    """Reads one catalog file. Every method costs what it returns, not what the forest holds."""

    def __init__(self, path: Path, as_of: date | None = None) -> None:
        try:
            self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            self.meta: dict[str, str] = dict(self._db.execute("SELECT key, value FROM meta"))
            if as_of is not None:
                self._db.executescript(_VIEW_OF_A_DAY.format(day=as_of.isoformat()))
        except sqlite3.Error as error:
            raise StateUnusable(f"The catalog {path} cannot be read: {error}.") from None
        self._as_of = as_of

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def node(self, node_id: str) -> NodeRow:
        """Return a node by id.

        Raises:
            NodeNotKnownYet: there is one, but none yet on this catalog's day; the hint says from which day on.
            NodeNotFound: there is none; the hint names the nearest id.
        """
        row = self.find(node_id)
        if row is None:
            self._refuse_later("id", node_id)
            near = self.nearest(node_id)
            hint = f"Did you mean {near[0]}?" if near else "Find it with `forest search WORDS`."
            raise NodeNotFound(f"The forest has no node {node_id!r}.", hint)
        return row

    def root(self) -> NodeRow:
        """Return the node that all others are under.

        Raises:
            NodeNotKnownYet: it was not known yet on this catalog's day.
            NodeNotFound: the forest has none.
        """
        row = self.at_path(INDEX_NAME)
        if row is None:
            self._refuse_later("path", INDEX_NAME)
            raise NodeNotFound(f"The forest has no root node: no {INDEX_NAME}.", "Find others: `forest search WORDS`.")
        return row

    def _refuse_later(self, column: str, value: str) -> None:
        """Raise that a node exists, but only later; return when it does not exist at all."""
        query = f"SELECT id FROM main.nodes WHERE {column} = ?"  # noqa: S608 - one of two names of ours
        row = self._db.execute(query, (value,)).fetchone() if self._as_of is not None else None
        if row is None:
            return
        node_id, known = row[0], self.known_since(row[0])
        if known is None:
            why = "does not say when it was published, so nobody can tell whether it was known"
            raise NodeNotKnownYet(f"{node_id} {why} on {self._as_of}.", "Ask again without --as-of.")
        raise NodeNotKnownYet(
            f"{node_id} is known only since {known}, after {self._as_of}.", f"Ask again with --as-of {known}, or later."
        )

    def known_since(self, node_id: str) -> date | None:
        """Return the day since which a node is known, be it after the catalog's; None when nobody can tell."""
        row = self._db.execute("SELECT known FROM main.nodes WHERE id = ?", (node_id,)).fetchone()
        return None if row is None or row[0] in ("", NEVER_KNOWN) else date.fromisoformat(row[0])

    def find(self, node_id: str) -> NodeRow | None:
        """Return a node by id, None when there is none."""
        return self._one("SELECT {} FROM nodes WHERE id = ?", node_id)

    def at_path(self, path: str) -> NodeRow | None:
        """Return the node of a file, None when there is none."""
        return self._one("SELECT {} FROM nodes WHERE path = ?", path)

    def by_numbers(self, numbers: Iterable[int]) -> dict[int, NodeRow]:
        """Return nodes by number; unknown numbers are left out."""
        return {row.num: row for row in self._among("num", sorted(set(numbers)))}

    def by_ids(self, ids: Iterable[str]) -> dict[str, NodeRow]:
        """Return nodes by id; unknown ids are left out."""
        return {row.id: row for row in self._among("id", sorted(set(ids)))}

    def _among(self, column: str, wanted: Sequence[object]) -> list[NodeRow]:
        if not wanted:
            return []  # SQLite would look at every node to find none
        marks = ",".join("?" * len(wanted))
        return self._rows(f"SELECT {{}} FROM nodes WHERE {column} IN ({marks})", *wanted)  # noqa: S608 - a name of ours

    def nearest(self, node_id: str, limit: int = 1) -> tuple[str, ...]:
        """Return the ids most like `node_id`, among those that share its first part where any do."""
        first = node_id.partition("/")[0]
        return nearest(node_id, self.ids(first) or self.ids(""), limit)

    def nearest_named(self, folded: str, limit: int) -> tuple[NodeRow, ...]:
        """Return the nodes whose names are most like a folded name, best first."""
        names = [row[0] for row in self._db.execute("SELECT DISTINCT name FROM names")]
        likest = nearest(folded, names, limit * 2)
        bearers = self.bearers(likest)
        ids = dict.fromkeys(node_id for name in likest for node_id in bearers[name])
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

    def children(
        self, node: NodeRow, limit: int = -1, offset: int = 0, in_force: Period | None = None
    ) -> tuple[NodeRow, ...]:
        """Return the nodes below in the order of their ids.

        Args:
            node: above them.
            limit: how many at most; -1 is all.
            offset: how many are passed over.
            in_force: of versions, only those whose period, as far as it is known, meets this half-open one.
        """
        query = (
            f"SELECT {{}} FROM nodes WHERE num IN ({_CHILDREN} ORDER BY num LIMIT :limit OFFSET :offset) ORDER BY num"  # noqa: S608 - texts of ours
        )
        values = self._below(node, in_force) | {"limit": limit, "offset": offset}
        return tuple(self._rows(query, **values))

    def count_children(self, node: NodeRow, in_force: Period | None = None) -> int:
        """Return how many nodes `children` gives."""
        query = f"SELECT count(*) FROM ({_CHILDREN})"  # noqa: S608 - a text of ours
        return int(self._db.execute(query, self._below(node, in_force)).fetchone()[0])

    def other_versions(self, node: NodeRow, in_force: Period, limit: int) -> tuple[NodeRow, ...]:
        """Return the versions below a node that a period leaves out, in the order of their ids, `limit` at most."""
        query = f"SELECT {{}} FROM nodes WHERE parent = :parent AND NOT {_HOLDS} ORDER BY num LIMIT :limit"  # noqa: S608
        return tuple(self._rows(query, **self._below(node, in_force), limit=limit))

    def _below(self, node: NodeRow, in_force: Period | None) -> dict[str, object]:
        start, end = (day.isoformat() for day in in_force) if in_force else (_FIRST_DAY, NEVER_KNOWN)
        return {"parent": node.path, "start": start, "end": end}

    def count_edges_out(self, node: NodeRow) -> int:
        """Return how many edges a node states, of those that lead to a node."""
        return int(self._db.execute("SELECT count(*) FROM edges WHERE src = ?", (node.num,)).fetchone()[0])

    def count_edges_in(self, node_id: str) -> int:
        """Return how many edges reach an id."""
        return int(self._db.execute("SELECT count(*) FROM edges_in WHERE dst = ?", (node_id,)).fetchone()[0])

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
        marks, values = ",".join("?" * len(ids)), sorted(ids)
        own = f"SELECT dst, count(*) FROM edges_in WHERE kind = 'cites' AND dst IN ({marks}) GROUP BY dst"  # noqa: S608
        others = f"SELECT family, count(*) FROM cited_by WHERE family IN ({marks}) GROUP BY family"  # noqa: S608
        cited, elsewhere = dict(self._db.execute(own, values)), dict(self._db.execute(others, values))
        return {node_id: (cited.get(node_id, 0), elsewhere.get(node_id, 0)) for node_id in cited | elsewhere}

    def counts(self) -> dict[str, int]:
        """Return how many nodes, edges and passages there are."""
        return {
            name: int(self._db.execute(f"SELECT count(*) FROM {name}").fetchone()[0])  # noqa: S608 - names of ours
            for name in ("nodes", "edges", "passages")
        }

    def edge_kinds(self) -> frozenset[str]:
        """Return the kinds of which there are edges."""
        return self._kinds("edge")

    def node_kinds(self) -> frozenset[str]:
        """Return the kinds of which there are nodes."""
        return self._kinds("node")

    def _kinds(self, of: str) -> frozenset[str]:
        last = self._as_of.isoformat() if self._as_of is not None else "~"
        return frozenset(
            kind for (kind,) in self._db.execute("SELECT kind FROM kinds WHERE of = ? AND known <= ?", (of, last))
        )

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

    def edges_out(self, node: NodeRow, limit: int = -1, offset: int = 0) -> tuple[tuple[str, str, str, str], ...]:
        """Return (kind, target id, scent, basis) of the edges that a node states and that lead to a node, sorted."""
        query = "SELECT kind, dst, scent, basis FROM edges WHERE src = ? ORDER BY kind, dst LIMIT ? OFFSET ?"
        return tuple(self._db.execute(query, (node.num, limit, offset)))

    def has_edge(self, node: NodeRow, kind: str, to: str) -> bool:
        """Tell whether a node states an edge of a kind that leads to another."""
        query = "SELECT 1 FROM edges WHERE src = ? AND kind = ? AND dst = ?"
        return self._db.execute(query, (node.num, kind, to)).fetchone() is not None

    def passage_of_bytes(self, node: NodeRow, sha256: str) -> Passage | None:
        """Return the recipe of a node's first passage whose bytes have a hash, None when it has none."""
        rows = self._db.execute(
            "SELECT ordinal, heading, start, end, sha256, tokens FROM passages WHERE node = ? AND sha256 = ? "
            "ORDER BY ordinal LIMIT 1",
            (node.num, sha256),
        )
        return next((_passage(node, row) for row in rows), None)

    def edges_in(self, node_id: str, limit: int = -1, kind: str = "", offset: int = 0) -> tuple[tuple[str, int], ...]:
        """Return (kind, number of the source) of the edges, of one kind or any, that reach an id, sorted."""
        which = "dst = ? AND kind = ?" if kind else "dst = ?"
        values = (node_id, kind) if kind else (node_id,)
        query = f"SELECT kind, src FROM edges_in WHERE {which} ORDER BY kind, src LIMIT ? OFFSET ?"  # noqa: S608
        return tuple(self._db.execute(query, (*values, limit, offset)))

    def passages(self, node: NodeRow, limit: int = -1, offset: int = 0) -> tuple[Passage, ...]:
        """Return the recipes of a node's passages in order, `limit` at most, after passing over `offset`."""
        rows = self._db.execute(
            "SELECT ordinal, heading, start, end, sha256, tokens FROM passages WHERE node = ? ORDER BY ordinal "
            "LIMIT ? OFFSET ?",
            (node.num, limit, offset),
        )
        return tuple(_passage(node, row) for row in rows)

    def passage(self, node: NodeRow, ordinal: int) -> Passage | None:
        """Return the recipe of one passage, None when the node has fewer."""
        return next(iter(self.passages(node, 1, ordinal - 1)), None) if 0 < ordinal < _MOST_ORDINAL else None

    def count_passages(self, node: NodeRow) -> int:
        """Return how many passages a node has."""
        return int(self._db.execute("SELECT count(*) FROM passages WHERE node = ?", (node.num,)).fetchone()[0])

    def passage_tokens(self, node: NodeRow) -> tuple[int, ...]:
        """Return how many tokens each passage of a node has, in order; empty for a node without text."""
        found = self._db.execute("SELECT tokens FROM passages WHERE node = ? ORDER BY ordinal", (node.num,))
        return tuple(int(row[0]) for row in found if row[0])

    def units(self, node: NodeRow) -> tuple[int, ...]:
        """Return how many units (`forest.units`) each passage of a node has, in order."""
        found = self._db.execute("SELECT units FROM passages WHERE node = ? ORDER BY ordinal", (node.num,))
        return tuple(int(row[0]) for row in found)

    def header_in(self, node: NodeRow, ordinal: int) -> int:
        """Return which passage has the header of the table that one begins inside of, 0 when it begins in none."""
        query = "SELECT header_in FROM passages WHERE node = ? AND ordinal = ?"
        row = self._db.execute(query, (node.num, ordinal)).fetchone()
        return int(row[0]) if row else 0

    # --- documents ------------------------------------------------------------------------------------------

    def documents(self, wanted: DocumentQuery, limit: int, in_force: Period | None = None) -> tuple[NodeRow, ...]:
        """Return publications and instruments, newest first, those without a day last; ties in the order of ids.

        Args:
            wanted: what they must be.
            limit: how many at most.
            in_force: only those of which some text can have read so: its period, as far as it is known, meets this
                half-open one, and nothing later made it what it is (`forest.validity.meets`).
        """
        where, values = self._documents(wanted, in_force)
        query = f"SELECT {{}} FROM nodes WHERE {where} ORDER BY published DESC, num LIMIT ?"  # noqa: S608
        return tuple(self._rows(query, *values, limit))

    def count_documents(self, wanted: DocumentQuery, in_force: Period | None = None) -> int:
        """Return how many publications and instruments `documents` would give without a limit."""
        where, values = self._documents(wanted, in_force)
        return int(self._db.execute(f"SELECT count(*) FROM nodes WHERE {where}", values).fetchone()[0])  # noqa: S608

    def _documents(self, wanted: DocumentQuery, in_force: Period | None) -> tuple[str, list[object]]:
        where, values = wanted.condition()
        where += " AND kind IN ('publication', 'instrument')"
        if in_force is not None:
            where += f" AND EXISTS ({_HOLDING_PART})"
            start, end = (day.isoformat() for day in in_force)
            values += [end, end, start]
        return where, values

    def count_stating(self, wanted: DocumentQuery, what: str) -> tuple[int, int]:
        """Return how many publications and instruments there are, and how many of them state something.

        Args:
            wanted: what they must be.
            what: `section` or `institution`.
        """
        where, values = self._documents(wanted, None)
        stated = {"section": "section <> ''", "institution": "issuers <> '[]'"}[what]
        query = f"SELECT count(*), coalesce(sum({stated}), 0) FROM nodes WHERE {where}"  # noqa: S608
        total, stating = self._db.execute(query, values).fetchone()
        return int(total), int(stating)

    def parts(
        self, document: NodeRow, limit: int, offset: int, in_force: Period | None = None
    ) -> tuple[tuple[str, str, int, tuple[str, ...], int], ...]:
        """Return (node id, title, ordinal, heading, tokens) of the passages of a document, by node id and ordinal."""
        holds, values = self._parts(document, in_force)
        query = f"SELECT id, title, ordinal, heading, tokens {holds} ORDER BY num, ordinal LIMIT ? OFFSET ?"
        rows = self._db.execute(query, (*values, limit, offset))
        return tuple((node_id, title, at, tuple(json.loads(path)), size) for node_id, title, at, path, size in rows)

    def count_parts(self, document: NodeRow, in_force: Period | None = None) -> int:
        """Return how many passages a document has; a node without text counts as one."""
        holds, values = self._parts(document, in_force)
        return int(self._db.execute(f"SELECT count(*) {holds}", values).fetchone()[0])

    def _parts(self, document: NodeRow, in_force: Period | None) -> tuple[str, list[object]]:
        start, end = (day.isoformat() for day in in_force) if in_force else (_FIRST_DAY, NEVER_KNOWN)
        holds = _HOLDS.replace(":end", "?").replace(":start", "?")
        return f"FROM nodes JOIN passages ON node = num WHERE document = ? AND {holds}", [document.num, end, end, start]

    # --- what `forest.legal.Register` asks -------------------------------------------------------------------

    def names(self, folded: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the instruments that bear each folded name; names that none bears are left out."""
        return self.bearers(folded, "instrument")

    def bearers(self, folded: Iterable[str], kind: str = "") -> Mapping[str, tuple[str, ...]]:
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

    def _rows(self, query: str, *values: object, **named: object) -> list[NodeRow]:
        try:
            found = self._db.execute(query.format(_NODE_COLUMNS), named or values).fetchall()
        except sqlite3.DatabaseError as error:
            raise StateUnusable(f"The catalog cannot be read: {error}.") from None
        return [_node_row(row) for row in found]


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))


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
    for at in (11, 14):  # issuers, tags
        values[at] = tuple(json.loads(str(values[at])))
    for at in (15, 16, 17, 18, 21):  # published, text_as_of, in force from and to, since
        values[at] = date.fromisoformat(str(values[at])) if values[at] else None
    values[19] = bool(values[19])
    return NodeRow(*values)  # type: ignore[arg-type]
