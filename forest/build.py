"""Building derived state: a committed tree in, a catalog and an index out.

The result is a function of the tree and the versions alone. Files are digested, by two processes when there are many,
into a table of records; they enter catalog and index in the order of their ids, on one thread. Where two files claim
one id, the first path has it; what cannot be a node is counted, and `forest lint` names it. The records of an earlier
build serve again for files that did not change: digesting is most of the work.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from forest.catalog import NEVER_KNOWN
from forest.catalog_writer import CatalogWriter
from forest.errors import RepositoryUnusable
from forest.history import ObjectReader, Snapshot, TreeEntry, list_tree
from forest.ids import work_of
from forest.limits import MAX_NODE_BYTES
from forest.node import load_node
from forest.processes import ordered_map
from forest.record import DOCUMENT_KINDS, Filed, Place, Record, digest
from forest.search import IndexWriter
from forest.store import INDEX_NAME, is_node_path, parent_path, read_config

Progress = Callable[[int, int], None]

_RECORDS = """
CREATE TABLE records (
    id TEXT PRIMARY KEY, work TEXT, known TEXT, path TEXT NOT NULL, blob TEXT NOT NULL, record BLOB NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX records_path ON records (path, blob);
CREATE INDEX records_work ON records (work, known);
CREATE TABLE made_with (budget_tokens INTEGER NOT NULL);
"""
# Of two files with one id the first path has it.
_ADD = """
INSERT INTO records VALUES (?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET
    work = excluded.work, known = excluded.known, path = excluded.path, blob = excluded.blob, record = excluded.record
WHERE excluded.path < path
"""
_LEVEL = 1  # of compression
# Below this, starting a second process costs more than it saves.
_ALONE = 2_000


def build(
    snapshot: Snapshot,
    catalog: Path,
    index: Path,
    *,
    records: Path,
    earlier: Path | None,
    meta: dict[str, str],
    progress: Progress | None,
) -> None:
    """Write the catalog and the index of a snapshot.

    Args:
        snapshot: what is committed.
        catalog: file to write.
        index: folder to make.
        records: file to write what was digested to, for a later build.
        earlier: such a file of a build of the same versions, None when there is none.
        meta: what the catalog says of itself, beside the forest's name and the count of files that are no nodes.
        progress: called with (files done, files in all).

    Raises:
        NotAForest: the snapshot has no usable `forest.yaml`.
    """
    with ObjectReader(snapshot.folder) as objects:
        config = read_config(snapshot, objects)
    entries = [entry for entry in list_tree(snapshot) if is_node_path(entry.path)]
    readable = [entry for entry in entries if _is_text(entry.path)]
    budget = config.passage_budget_tokens
    with _Records(records, budget) as kept:
        changed = kept.reuse(earlier, readable) if earlier is not None else readable
        before = len(readable) - len(changed)
        for done, record in enumerate(_digested(snapshot, changed, budget), start=before + 1):
            kept.add(record)
            if progress is not None and (done % 100 == 0 or done == len(readable)):
                progress(done, len(readable))
        kept.write()
        to_catalog, to_index = CatalogWriter(catalog), IndexWriter(index)
        for num, record in enumerate(kept.by_id()):
            known = kept.known(record)
            place = kept.place(num, record, known)
            to_catalog.add(num, record, place)
            to_index.add(num, record, place)
        to_catalog.finish(meta | {"name": config.name, "left_out": str(len(entries) - kept.count)})
        to_index.finish()


def _digested(snapshot: Snapshot, entries: list[TreeEntry], budget_tokens: int) -> Iterator[Record | None]:
    work = partial(_digest_bytes, budget_tokens=budget_tokens)
    with ObjectReader(snapshot.folder) as objects:
        bytes_of = ((e.path, e.blob, _bytes(objects, e)) for e in entries)
        if len(entries) < _ALONE or (os.cpu_count() or 1) < 2:
            yield from map(work, bytes_of)
            return
        yield from ordered_map(work, bytes_of, 2, chunk=64)


def _is_text(path: str) -> bool:
    """Tell whether a file's name is UTF-8; one that is not comes with surrogates, which no store takes."""
    return path.isascii() or not any("\ud800" <= c <= "\udfff" for c in path)


def _bytes(objects: ObjectReader, entry: TreeEntry) -> bytes | None:
    if not entry.plain or entry.size > MAX_NODE_BYTES:
        return None
    data = objects.read(entry.blob)
    if data is None:  # left out now, it would be missing from this tree's state for good
        raise RepositoryUnusable(
            f"The repository lacks the content of {entry.path} (blob {entry.blob[:12]}).",
            "Run `git fsck`; of a partial clone, make a full one.",
        )
    return data


def _digest_bytes(file: tuple[str, str, bytes | None], budget_tokens: int) -> Record | None:
    path, blob, data = file
    node = load_node(data, path)[0] if data is not None else None
    return digest(node, blob, budget_tokens) if node is not None else None


class _Records:
    """Records on disk between the two orders, so that memory does not grow with the forest."""

    def __init__(self, path: Path, budget_tokens: int) -> None:
        path.unlink(missing_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, uri=True)
        self._db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {_RECORDS}")
        self._db.execute("INSERT INTO made_with VALUES (?)", (budget_tokens,))
        self._budget = budget_tokens
        self._folders: dict[str, _Folder] = {}
        self._numbers: dict[str, int] = {}

    def __enter__(self) -> _Records:
        return self

    def __exit__(self, *exc: object) -> None:
        self._db.close()

    @property
    def count(self) -> int:
        """How many records there are."""
        return int(self._db.execute("SELECT count(*) FROM records").fetchone()[0])

    def reuse(self, earlier: Path, entries: list[TreeEntry]) -> list[TreeEntry]:
        """Take the records of files that an earlier build had as they are, and return the entries of the others."""
        try:
            self._db.execute("COMMIT")
            self._db.execute("ATTACH ? AS earlier", (f"{earlier.resolve().as_uri()}?mode=ro&immutable=1",))
            self._db.execute("BEGIN")
            if self._db.execute("SELECT budget_tokens FROM earlier.made_with").fetchone() != (self._budget,):
                return entries
            taken = set()
            for entry in entries:
                query = "INSERT INTO records SELECT * FROM earlier.records WHERE path = ? AND blob = ?"
                if self._db.execute(query, (entry.path, entry.blob)).rowcount:
                    taken.add(entry.path)
        except sqlite3.Error:  # damaged, or being deleted: everything is digested
            if not self._db.in_transaction:
                self._db.execute("BEGIN")
            self._db.execute("DELETE FROM records")
            return entries
        return [entry for entry in entries if entry.path not in taken]

    def add(self, record: Record | None) -> None:
        """Keep a record unless an earlier file has its id."""
        if record is None:
            return
        packed = zlib.compress(record.to_json().encode(), _LEVEL)
        self._db.execute(_ADD, (record.id, work_of(record.id), record.known, record.path, record.blob, packed))

    def write(self) -> None:
        """Finish with adding: write what there is, and look up what the nodes of a folder have from it."""
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")
        indexes = "SELECT record FROM records WHERE path = ? OR path LIKE ?"
        for (packed,) in self._db.execute(indexes, (INDEX_NAME, f"%/{INDEX_NAME}")):
            record = _unpacked(packed)
            self._folders[record.path] = _Folder(
                record.id, record.stems["title"], record.known, Filed.of(record), record.section, record.issuers
            )

    def by_id(self) -> Iterable[Record]:
        """Yield the records in the order of their ids."""
        folders = {folder.id for folder in self._folders.values()}
        ids = self._db.execute("SELECT id FROM records ORDER BY id")
        self._numbers = {node_id: num for num, (node_id,) in enumerate(ids) if node_id in folders}
        for (packed,) in self._db.execute("SELECT record FROM records ORDER BY id"):
            yield _unpacked(packed)

    def known(self, node: Record | _Folder) -> str:
        """Return the day since which a node is known, when all records are here.

        Returns:
            ISO, or "" for always: what it says itself; of a work that says nothing, the day of its first version; else
            `NEVER_KNOWN`.
        """
        if node.known is not None:
            return node.known
        query = "SELECT coalesce(min(known), ?) FROM records WHERE work = ? AND id <> work"
        return str(self._db.execute(query, (NEVER_KNOWN, node.id)).fetchone()[0])

    def place(self, num: int, record: Record, known: str) -> Place:
        """Return what a node has from those of its folders that were known when it was.

        A folder that was published later must not change what can be found as of a day before it.
        """
        titles, since = [], record.changed
        document, filed = (num, Filed.of(record)) if record.kind in DOCUMENT_KINDS else (None, None)
        section, issuers = record.section, record.issuers
        above = parent_path(record.path)
        while above and above != INDEX_NAME:
            folder = self._folders.get(above)
            if folder is not None and self.known(folder) <= known:
                titles.append(folder.title)
                since = since or folder.filed.published
                section, issuers = section or folder.section, issuers or folder.issuers
                if document is None and folder.filed.kind in DOCUMENT_KINDS:
                    document, filed = self._numbers[folder.id], folder.filed
            above = parent_path(above)
        return Place(
            parent=parent_path(record.path),
            known=known,
            since=since,
            titles=" ".join(title for title in titles if title),
            document=num if document is None else document,
            filed=filed or Filed.of(record),
            section=section,
            issuers=issuers,
        )


def _unpacked(packed: bytes) -> Record:
    return Record.from_json(zlib.decompress(packed).decode())


@dataclass(frozen=True, slots=True)
class _Folder:
    """What the nodes of a folder have from its index; `known` is `Record.known`."""

    id: str
    title: str
    known: str | None
    filed: Filed
    section: str
    issuers: tuple[str, ...]
