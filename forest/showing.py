"""Showing one node: its text at any revision from git alone, or its passport with its doors from the catalog."""

from __future__ import annotations

from pathlib import Path

from forest.doors import count_doors, doors_of
from forest.errors import NodeNotFound
from forest.history import ObjectReader, open_snapshot
from forest.ids import problem_of_id
from forest.node import load_node
from forest.outline import facts_of
from forest.passport import split_front_matter
from forest.proof import find_node_file
from forest.reading import ordinal_of, read_passage
from forest.render import to_json
from forest.state import State
from forest.text import printable

_DOORS = 60


def text_view(folder: Path, node_id: str, revision: str, *, passport: bool, as_json: bool) -> str:
    """Return a node as committed: body, or the front matter alone.

    Raises:
        NodeNotFound: that revision has no such node.
        RevisionUnknown: the revision names no commit.
    """
    snapshot = open_snapshot(folder, revision)
    if problem := problem_of_id(node_id):
        raise NodeNotFound(f"{node_id!r} cannot be a node's id: it {problem}.", "Find ids with `forest search WORDS`.")
    with ObjectReader(folder) as objects:
        entry = find_node_file(snapshot, node_id, objects)
        data = objects.read(entry.blob) if entry is not None else None
    if entry is None or data is None:
        raise NodeNotFound(
            f"Commit {snapshot.commit[:12]} has no node {node_id!r} that can be read.",
            "Find ids with `forest search WORDS`; `forest lint` names files that cannot be read.",
        )
    node = load_node(data, entry.path)[0]
    if node is None:  # pragma: no cover - it was found by loading it
        raise NodeNotFound(f"{entry.path} cannot be read.", "Run `forest lint`.")
    parts = split_front_matter(node.text)
    text = (parts[0].strip("\n") if parts else "") if passport else node.body.strip()
    if as_json:
        facts = {"id": node_id, "path": entry.path, "commit": snapshot.commit, "blob": entry.blob}
        return to_json({**facts, "title": node.passport.title, "text": text})
    head = f"{node.id}  {node.passport.title}\n{entry.path}  commit {snapshot.commit[:12]}  blob {entry.blob[:12]}"
    return printable(f"{head}\n\n{text}")


def passage_view(state: State, node_id: str, number: str, *, as_json: bool) -> str:
    """Return one passage of a node, read and verified.

    Raises:
        NodeNotFound: there is no such node.
        PassageNotFound: it has no such passage.
    """
    node = state.catalog.node(node_id)
    reading = read_passage(state, node, ordinal_of(number) or 0)
    if as_json:
        return to_json({"passage": reading.passage, "title": node.title, "text": reading.text})
    return printable(f"{reading.passage.id}  {node.title}\n\n{reading.text}")


def passport_view(state: State, node_id: str, *, as_json: bool) -> str:
    """Return the passport that a walker sees: its lines, and one line for every neighbour.

    Raises:
        NodeNotFound: there is no such node.
    """
    node = state.catalog.node(node_id)
    doors, total = doors_of(state, node, limit=_DOORS), count_doors(state, node)
    if as_json:
        told = [{"kind": door.kind, "to": door.to, "scent": door.scent} for door in doors]
        return to_json({"node": node, "doors": told, "doors_in_all": total})
    facts = facts_of(node)
    shown = f"{len(doors)} of {total} doors; the first ones" if len(doors) < total else f"all {total} doors"
    lines = [f"{node.id}  ({node.kind})", node.title, "", node.summary, *(["", *facts] if facts else [])]
    lines += ["", f"Doors: {shown}"]
    lines += [f"  {door.kind:<14} {door.to}{f' ({door.note})' if door.note else ''}  {door.scent}" for door in doors]
    if len(doors) < total:
        lines.append(f"Left out: {total - len(doors)} doors.")
    return printable("\n".join(lines))
