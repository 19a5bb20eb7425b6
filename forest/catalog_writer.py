"""Writing a catalog: the schema, one node after the other, and what follows from all of them together.

`forest.catalog` reads what is written here. Which order nodes come in, and when each was known, is `forest.build`'s.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from forest.ids import work_of

if TYPE_CHECKING:
    from forest.record import Place, Record

# The view of a day (`forest.catalog`) is a condition on `known` alone, so whatever a query may count has that column.
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
    section TEXT NOT NULL, issuers TEXT NOT NULL, -- its own, else those of the nearest folder; issuers is a JSON list
    document INTEGER NOT NULL,          -- the nearest publication or instrument, itself or above; else itself
    stems TEXT NOT NULL,                -- search tokens of title, scent and summary, each once
    tags TEXT NOT NULL,                 -- a JSON list
    published TEXT, text_as_of TEXT, force_from TEXT, force_to TEXT,
    force_open INTEGER NOT NULL, force_basis TEXT NOT NULL,
    since TEXT,                         -- day since which the text can have read as it does
    known TEXT NOT NULL,                -- day since which it is known: '' always, '9999-99-99' on no day
    version INTEGER NOT NULL            -- whether it is one dated text of a work
);
CREATE INDEX nodes_parent ON nodes (parent, num, known, version, since, force_from, force_to);
CREATE INDEX nodes_work ON nodes (work);
CREATE INDEX nodes_document ON nodes (document, num);
CREATE INDEX documents ON nodes (published DESC, num) WHERE document = num;
CREATE TABLE edges (
    src INTEGER NOT NULL, kind TEXT NOT NULL, dst TEXT NOT NULL, scent TEXT NOT NULL, basis TEXT NOT NULL,
    known TEXT NOT NULL DEFAULT '',     -- day since which both its ends are known
    PRIMARY KEY (src, kind, dst)
) WITHOUT ROWID;
CREATE TABLE edges_in (
    dst TEXT NOT NULL, kind TEXT NOT NULL, src INTEGER NOT NULL, known TEXT NOT NULL, PRIMARY KEY (dst, kind, src)
) WITHOUT ROWID;
CREATE TABLE passages (
    node INTEGER NOT NULL, ordinal INTEGER NOT NULL, heading TEXT NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, sha256 TEXT NOT NULL, tokens INTEGER NOT NULL,
    units INTEGER NOT NULL,             -- how many a read shows
    header_in INTEGER NOT NULL,         -- the passage with the header of the table that this one begins inside of, or 0
    PRIMARY KEY (node, ordinal)
) WITHOUT ROWID;
CREATE TABLE scents (
    node INTEGER NOT NULL, neighbour TEXT NOT NULL, scent TEXT NOT NULL, PRIMARY KEY (node, neighbour)
) WITHOUT ROWID;
CREATE TABLE names (
    name TEXT NOT NULL, node INTEGER NOT NULL, known TEXT NOT NULL, PRIMARY KEY (name, node)
) WITHOUT ROWID;
CREATE TABLE cited_by (                 -- the families that cite one, and the day since which each is known to
    family TEXT NOT NULL, source TEXT NOT NULL, known TEXT NOT NULL, PRIMARY KEY (family, source)
) WITHOUT ROWID;
CREATE TABLE kinds (                    -- which kinds of node and of edge there are, and since when
    of TEXT NOT NULL, kind TEXT NOT NULL, known TEXT NOT NULL, PRIMARY KEY (of, kind)
) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

# An edge to an id that no file has leads nowhere: it is nobody's door. `forest lint` names it.
_EDGES = """
DELETE FROM edges WHERE dst NOT IN (SELECT id FROM nodes);
UPDATE edges SET known = max(
    (SELECT known FROM nodes WHERE num = src), (SELECT known FROM nodes WHERE id = dst)
);
INSERT INTO edges_in SELECT dst, kind, src, known FROM edges;
"""

# An article stands for itself; what is cited anywhere in a law from outside it counts for the law's own id.
_CITED_BY = """
INSERT INTO cited_by
SELECT family, source, min(known) FROM (
    SELECT rtrim(substr(dst, 1, instr(dst || '/', '/')), '/') AS family,
        rtrim(substr(id, 1, instr(id || '/', '/')), '/') AS source, edges.known AS known
    FROM edges JOIN nodes ON num = src WHERE edges.kind = 'cites'
) WHERE family <> source GROUP BY family, source
"""

_KINDS = """
INSERT INTO kinds SELECT 'edge', kind, min(known) FROM edges GROUP BY kind
UNION ALL SELECT 'node', kind, min(known) FROM nodes GROUP BY kind
"""


class CatalogWriter:
    """Fills a new catalog."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;" + _SCHEMA)

    def add(self, num: int, record: Record, place: Place) -> None:
        """Add what one file contributes; `num` is the place of its id in the sorted order of ids."""
        r, execute = record, self._db.execute
        work = work_of(r.id)
        filed = (place.section, json.dumps(place.issuers), place.document)
        row = (
            *(num, r.id, r.path, r.blob, r.encoding, place.parent, work, *r.lines, *filed, _own_stems(r), r.tags),
            *(*r.dates, place.since, place.known, int(work != r.id)),
        )
        execute(f"INSERT INTO nodes VALUES ({','.join('?' * len(row))})", row)  # noqa: S608 - only question marks
        for kind, target, scent, basis in r.edges:
            execute(
                "INSERT OR IGNORE INTO edges (src, kind, dst, scent, basis) VALUES (?,?,?,?,?)",
                (num, kind, target, scent, basis),
            )
        for ordinal, cut in enumerate(r.passages, start=1):
            heading = json.dumps(cut.heading, ensure_ascii=False)
            recipe = (num, ordinal, heading, cut.start, cut.end, cut.sha256, cut.tokens)
            execute("INSERT INTO passages VALUES (?,?,?,?,?,?,?,?,?)", (*recipe, cut.units, cut.header_in))
        for neighbour, scent in r.scents:
            execute("INSERT INTO scents VALUES (?,?,?)", (num, neighbour, scent))
        for name in r.names:
            execute("INSERT OR IGNORE INTO names VALUES (?,?,?)", (name, num, place.known))

    def finish(self, meta: Mapping[str, str]) -> None:
        """Write what follows from all nodes together, and `meta`; commit and close."""
        for statement in _EDGES.split(";"):
            self._db.execute(statement)
        self._db.execute(_CITED_BY)
        self._db.execute(_KINDS)
        self._db.executemany("INSERT INTO meta VALUES (?,?)", sorted(meta.items()))
        self._db.execute("COMMIT")
        self._db.execute("ANALYZE")
        self._db.close()


def _own_stems(record: Record) -> str:
    stems = " ".join(record.stems[name] for name in ("title", "scent", "summary")).split()
    return " ".join(dict.fromkeys(stems))
