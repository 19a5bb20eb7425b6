"""Admission: whether a trail or a verdict from elsewhere may count here.

Nothing that it says is believed. It must be what its name says, of a day that was, and hold what this forest can prove
from its own git: the doors are there now, and every passage cited stands in a commit of a local branch. What is not
admitted is not lost: it stays where it came from and is looked at again at the next sync.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Literal

from forest.catalog import NodeRow
from forest.errors import CitationRefused
from forest.history import run_git
from forest.limits import MAX_NODE_BYTES
from forest.proof import NodeBytes
from forest.shortcut import SHORTCUT
from forest.side_ref import SideRef
from forest.state import State
from forest.trail import ENTRY, MAX_TRAIL_BYTES, CitedPassage, Trail, TrailWrong, WalkedDoor, question_id, trail_from
from forest.trail_tree import TreePlace, TreeState
from forest.trails import MAX_QUESTION_BYTES, question_in
from forest.verdict import MAX_VERDICT_BYTES, verdict_from

Reason = Literal[
    "size", "form", "name", "question", "future", "pruned", "forgotten", "door", "commit", "citation", "unknown trail"
]
REASONS: Mapping[Reason, str] = {
    "size": "too large",
    "form": "not well-formed",
    "name": "not what its name says",
    "question": "without the words of its question",
    "future": "of the future",
    "pruned": "older than what is kept",
    "forgotten": "forgotten",
    "door": "through a door that is not here",
    "commit": "of a commit that is on no local branch",
    "citation": "citing what its commit does not have",
    "unknown trail": "about a trail that is not here",
}
_AT_ONCE = 500
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A trail from elsewhere: its id, and the ids of its blob and of its question's, "" without."""

    trail: str
    blob: str
    question: str


class Admission:
    """What may come in.

    Args:
        state: of the forest, as of no day.
        ref: reads the objects.
        now: the time; what is of more than a day later is of the future.
        kept: what holds for the tree that they come into.
        forgotten: ids of trails that must not come back.
    """

    def __init__(
        self, state: State, ref: SideRef, now: datetime, kept: TreeState, forgotten: Collection[str] = ()
    ) -> None:
        self._catalog = state.catalog
        self._kinds = state.config.edge_kinds
        self._budget_tokens = state.config.passage_budget_tokens
        self._snapshot = state.snapshot
        self._ref = ref
        self._latest = now + _CLOCKS_DIFFER
        self._kept = kept
        self._forgotten = forgotten
        self._nodes: dict[str, NodeRow | None] = {}

    def trails(self, candidates: Iterable[Candidate]) -> Iterator[tuple[Candidate, Reason | None]]:
        """Yield each trail with why it is not admitted; None admits it."""
        left = iter(candidates)
        while some := list(islice(left, _AT_ONCE)):
            yield from self._some(some)

    def _some(self, some: list[Candidate]) -> Iterator[tuple[Candidate, Reason | None]]:
        sizes = self._ref.sizes(blob for one in some for blob in (one.blob, one.question) if blob)
        held = dict(self._ref.read_many((one.blob for one in some), MAX_TRAIL_BYTES))
        words = dict(self._ref.read_many((one.question for one in some if one.question), MAX_QUESTION_BYTES))
        found = {one.trail: self._read(one, sizes, held[one.blob], words.get(one.question)) for one in some}
        proven = self._citations({key: trail for key, trail in found.items() if isinstance(trail, Trail)})
        for one in some:
            trail = found[one.trail]
            yield one, proven.get(one.trail) if isinstance(trail, Trail) else trail

    def _read(
        self, one: Candidate, sizes: Mapping[str, tuple[str, int]], data: bytes | None, words: bytes | None
    ) -> Trail | Reason:
        if one.trail in self._forgotten:
            return "forgotten"
        if (
            sizes.get(one.blob, ("", 0))[1] > MAX_TRAIL_BYTES
            or sizes.get(one.question, ("", 0))[1] > MAX_QUESTION_BYTES
        ):
            return "size"
        if data is None or hashlib.sha256(data).hexdigest() != one.trail:
            return "name"
        try:
            trail = trail_from(data)
        except TrailWrong:
            return "form"
        question = question_in(words)
        if question is None or question_id(question) != trail.question:
            return "question"
        if trail.time > self._latest:
            return "future"
        if not self._kept.keeps(trail.day):
            return "pruned"
        return trail if all(self._leads(door) for door in trail.doors) else "door"

    # --- doors ----------------------------------------------------------------------------------------------------

    def _node(self, node_id: str) -> NodeRow | None:
        if node_id not in self._nodes:
            self._nodes[node_id] = self._catalog.find(node_id)
        return self._nodes[node_id]

    def _leads(self, door: WalkedDoor) -> bool:
        """Tell whether a door is there now, as it was walked."""
        to = self._node(door.to)
        if door.kind == ENTRY:
            return to is not None
        source = self._node(door.source)
        if source is None:
            return False
        if door.kind == SHORTCUT:  # each clone earns its own; both ends are what can be asked for
            return to is not None or bool(self._catalog.versions(door.to))
        if self._catalog.has_edge(source, door.kind, door.to):
            return True
        return to is not None and self._leads_by_itself(source, door.kind, to)

    def _leads_by_itself(self, source: NodeRow, kind: str, to: NodeRow) -> bool:
        """Tell whether a door that no passport states is there: of the hierarchy, or an edge seen from its far end."""
        if kind in ("parent", "child"):
            below, above = (source, to) if kind == "parent" else (to, source)
            parent = self._catalog.parent(below)
            return parent is not None and parent.id == above.id
        names = {one.name for one in self._kinds if one.inverse == kind} | {kind.removesuffix("_of")}
        return any(self._catalog.has_edge(to, name, source.id) for name in names)

    # --- citations ------------------------------------------------------------------------------------------------

    @cached_property
    def _reachable(self) -> frozenset[str]:
        """The commits of HEAD and of all local branches."""
        done = run_git(self._snapshot.folder, "rev-list", self._snapshot.commit, "--branches")
        return frozenset(done.stdout.decode("ascii", "replace").split())

    def _citations(self, trails: Mapping[str, Trail]) -> dict[str, Reason]:
        """Return of some trails why their citations do not hold; those that hold are left out."""
        faults: dict[str, Reason] = {key: "commit" for key, one in trails.items() if one.commit not in self._reachable}
        here = {key: one for key, one in trails.items() if key not in faults}
        prefix = self._snapshot.prefix
        files = {(one.commit, cited.path) for one in here.values() for cited in one.cited}
        names = {(commit, path): f"{commit}:{prefix}{path}" for commit, path in files}
        found = self._ref.sizes(names.values())
        trees = self._trees({one.commit for one in here.values()})
        unproven = self._unproven({cited for one in here.values() for cited in one.cited})
        for key, one in here.items():
            blobs = (found.get(names[one.commit, cited.path], ("", 0))[0] == cited.blob for cited in one.cited)
            if trees.get(one.commit) != one.tree or not all(blobs) or any(cited in unproven for cited in one.cited):
                faults[key] = "citation"
        return faults

    def _trees(self, commits: Collection[str]) -> dict[str, str]:
        """Return the id of the forest's tree in each of some commits."""
        prefix, known = self._snapshot.prefix.rstrip("/"), sorted(commits)
        asked = "".join(f"{commit}:{prefix}\n" for commit in known).encode("utf-8", "surrogateescape")
        done = run_git(self._snapshot.folder, "cat-file", "--batch-check=%(objectname)", data=asked)
        lines = done.stdout.decode("utf-8", "surrogateescape").splitlines()
        return dict(zip(known, lines, strict=False))

    def _unproven(self, cited: Collection[CitedPassage]) -> set[CitedPassage]:
        """Return those passages that do not stand in their blobs; each blob is read once."""
        unproven: set[CitedPassage] = set()
        blob, held = "", None
        for one in sorted(cited, key=lambda one: (one.blob, one.path)):
            if one.blob != blob:
                data = self._ref.read(one.blob, MAX_NODE_BYTES)
                blob, held = one.blob, NodeBytes(data, one.path, self._budget_tokens) if data is not None else None
            try:
                if held is None:
                    unproven.add(one)
                else:
                    held.prove(one)
            except CitationRefused:
                unproven.add(one)
        return unproven

    # --- verdicts -------------------------------------------------------------------------------------------------

    def verdicts(
        self, candidates: Iterable[tuple[TreePlace, str]], known: Collection[str]
    ) -> Iterator[tuple[TreePlace, Reason | None]]:
        """Yield each verdict, told by its place and blob, with why it is not admitted; None admits it.

        Args:
            candidates: the verdicts.
            known: ids of the trails that are here, or were just admitted.
        """
        left = iter(candidates)
        while some := list(islice(left, _AT_ONCE)):
            sizes = self._ref.sizes(blob for _, blob in some)
            for place, blob in some:
                yield place, self._verdict(place, blob, sizes.get(blob, ("", 0))[1], known)

    def _verdict(self, place: TreePlace, blob: str, size: int, known: Collection[str]) -> Reason | None:
        if place.trail in self._forgotten:
            return "forgotten"
        if place.trail not in known:
            return "unknown trail"
        if size > MAX_VERDICT_BYTES:
            return "size"
        data = self._ref.read(blob, MAX_VERDICT_BYTES) or b""
        verdict = verdict_from(data)
        if verdict is None:
            return "form"
        if (verdict.id, verdict.trail, verdict.word) != (place.event, place.trail, place.kind):
            return "name"
        return "future" if verdict.time > self._latest else None
