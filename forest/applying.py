"""Applying: shortcuts become edges in the passports of their sources, by an ordinary commit on the branch.

What counts as applied is the edge in the commit; the record on the overlay stays, with the passages that the edge
carries. So one write decides, and a crash neither loses a shortcut nor doubles it.
"""

from __future__ import annotations

import random
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from forest.catalog import NodeRow
from forest.commit import Batch
from forest.config import Config
from forest.edge import Edge
from forest.edge_text import EdgeRefused, with_edge
from forest.errors import ForestError, RepositoryUnusable
from forest.history import ObjectReader
from forest.lint_node import judge_node
from forest.node import Node, load_node
from forest.shortcut import SHORTCUT, Shortcut
from forest.state import State
from forest.text import one_line

_TRIES = 6
_LONGEST_WAIT_SECONDS = 0.4
_TRAILS_NAMED = 3
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one shortcut.

    Attributes:
        shortcut: that was to be applied.
        status: `applied`, `there` (the passport has the edge) or `refused`.
        why: it was refused; "" otherwise.
        commit: that has the edge; "" unless `applied`.
    """

    shortcut: Shortcut
    status: Literal["applied", "there", "refused"]
    why: str = ""
    commit: str = ""


def apply_shortcuts(state: State, shortcuts: Sequence[Shortcut]) -> tuple[Outcome, ...]:
    """Write shortcuts into the passports of their sources and commit them together.

    One that cannot be applied is told and does not stop the others. When the branch moves meanwhile, all is looked at
    anew.

    Args:
        state: tells where nodes are.
        shortcuts: what is applied, in order.

    Returns:
        What became of each, in the order given.

    Raises:
        RepositoryUnusable: there is no work tree, or the branch, or git's index, was not to be had. Nothing changed.
    """
    for tried in range(_TRIES):
        try:
            return _applied(state.unlimited, shortcuts)
        except RepositoryUnusable:
            if tried == _TRIES - 1 or state.snapshot.bare:
                raise
            time.sleep(random.uniform(0.1, 1) * _LONGEST_WAIT_SECONDS)  # noqa: S311 - only jitter
    raise AssertionError("unreachable")


def apply_by_itself(state: State, shortcut: Shortcut) -> bool:
    """Apply a shortcut if nobody need be asked: the forest is a whole repository, and the file is clean.

    Whatever is in the way, the shortcut stays a door as it is; its next trail tries again.

    Returns:
        Whether it was applied now.
    """
    if state.snapshot.prefix or state.snapshot.bare:
        return False
    with suppress(ForestError, OSError):
        return apply_shortcuts(state, [shortcut])[0].status == "applied"
    return False


def edge_of(shortcut: Shortcut, target: NodeRow) -> Edge:
    """Return the edge that a shortcut becomes: the target's own scent, and a basis that names what earned it."""
    trails = ", ".join(trail[:_DIGITS] for trail in shortcut.trails[:_TRAILS_NAMED])
    scent = unicodedata.normalize("NFC", one_line(target.scent or target.title))
    return Edge(SHORTCUT, shortcut.to, scent, f"shortcut {shortcut.id[:_DIGITS]}; trails {trails}")


def _applied(state: State, shortcuts: Sequence[Shortcut]) -> tuple[Outcome, ...]:
    with Batch(state.snapshot.folder) as batch, ObjectReader(state.snapshot.folder) as objects:
        files = _Files(batch, objects, state.config)
        outcomes = [_inserted(state, files, shortcut) for shortcut in shortcuts]
        done = [one.shortcut for one in outcomes if one.status == "applied"]
        commit = batch.commit("\n".join(_message(done))) if done else None
    return tuple(replace(one, commit=commit or "") if one.status == "applied" else one for one in outcomes)


def _message(shortcuts: Sequence[Shortcut]) -> Iterator[str]:
    yield f"Apply {len(shortcuts)} shortcut{'' if len(shortcuts) == 1 else 's'}"
    yield ""
    for one in shortcuts:
        yield f"{one.source} -> {one.to}: shortcut {one.id}, {len(one.trails)} trails"


def _inserted(state: State, files: _Files, shortcut: Shortcut) -> Outcome:
    nodes = state.catalog.by_ids((shortcut.source, shortcut.to))
    source, target = nodes.get(shortcut.source), nodes.get(shortcut.to)
    if source is None or target is None or source is target:
        gone = shortcut.source if source is None else shortcut.to
        return Outcome(shortcut, "refused", f"{gone} is no node that a shortcut could join.")
    try:
        there = not files.insert(source, edge_of(shortcut, target))
    except ForestError as error:
        return Outcome(shortcut, "refused", str(error))
    return Outcome(shortcut, "there" if there else "applied")


class _Files:
    """The files of one batch: as committed, or as they were planned a moment ago."""

    def __init__(self, batch: Batch, objects: ObjectReader, config: Config) -> None:
        self._batch, self._objects, self._config = batch, objects, config
        self._planned: dict[str, bytes] = {}

    def insert(self, source: NodeRow, edge: Edge) -> bool:
        """Plan an edge; return False when the node has it."""
        path = source.path
        data = self._planned.get(path) or self._objects.read(self._batch.committed.get(path, ""))
        node = load_node(data, path)[0] if data is not None else None
        if data is None or node is None or node.id != source.id:
            raise EdgeRefused(f"{source.id} is not at {path} any more.", "Run this again.")
        if any((one.kind, one.to) == (edge.kind, edge.to) for one in node.passport.edges):
            return False
        changed = with_edge(data, path, edge)
        now = load_node(changed, path)[0]
        more = self._findings(now) - self._findings(node) if now is not None else {"it is no node any more."}
        if more:
            raise EdgeRefused(f"Lint would find more in {path}: {' '.join(sorted(more))}")
        self._batch.put(path, changed)
        self._planned[path] = changed
        return True

    def _findings(self, node: Node) -> set[str]:
        return {f"{found.rule}: {found.message}" for found in judge_node(node, self._config)}
