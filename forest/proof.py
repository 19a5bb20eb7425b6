"""Proof: a citation checked from git alone. Nothing derived is needed; a clone of the repository is enough."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from forest.citation import Citation
from forest.errors import CitationRefused, NotAForest, RevisionUnknown
from forest.history import (
    ObjectReader,
    Snapshot,
    TreeEntry,
    files_containing,
    find_in_tree,
    list_tree,
    open_snapshot,
    resolve,
)
from forest.limits import MAX_NODE_BYTES
from forest.node import Node, load_node
from forest.store import read_config
from forest.text import one_line, slice_codec
from forest.trail import CitedPassage

Origin = Literal["commit", "blob", "head"]


@dataclass(frozen=True, slots=True)
class Proof:
    """What a verification found.

    Attributes:
        origin: where the words were proven: the commit itself; the blob, when the commit is gone; or only HEAD, when
            the blob is gone too.
        at_head: "unchanged", "node changed, passage stands", "passage changed" or "node gone".
    """

    citation: Citation
    origin: Origin
    at_head: str

    @property
    def sentence(self) -> str:
        """The proof in one line."""
        proven = {
            "commit": f"commit {self.citation.commit[:12]} has these words at {self.citation.path}",
            "blob": f"blob {self.citation.blob[:12]} has these words; the commit cited is not here or does not have it",
            "head": "HEAD has these words; the cited commit and blob are not in this repository",
        }[self.origin]
        return f"{proven}; at HEAD: {self.at_head}"


def verify(citation: Citation, head: Snapshot) -> Proof:
    """Prove a citation from the repository alone.

    Args:
        citation: what is claimed.
        head: the forest as it is now, to tell whether the node has changed since.

    Raises:
        CitationRefused: bytes, hash, node or words are not what is claimed.
    """
    with ObjectReader(head.folder) as objects:
        data = objects.read(citation.blob)
        known = _commit_is_here(citation, head)
        if data is None and not known:
            return _verify_at_head(citation, head, objects)
        if data is None or (known and not _commit_has(citation, head)):
            raise CitationRefused(
                f"Commit {citation.commit[:12]} is in this repository and does not have blob {citation.blob[:12]} at "
                f"{citation.path}.",
                "The citation was altered.",
            )
        _check(citation, data, _budget(head, objects))
        return Proof(citation, "commit" if known else "blob", _at_head(citation, head, objects))


def _budget(head: Snapshot, objects: ObjectReader) -> int:
    return read_config(head, objects).passage_budget_tokens


class NodeBytes:
    """The bytes of one node's file, to prove passages of it.

    Args:
        data: of the blob.
        path: of the file, for messages.
        budget_tokens: of a passage, as the forest says it now.
    """

    def __init__(self, data: bytes, path: str, budget_tokens: int) -> None:
        self.data = data
        self.node = load_node(data, path)[0]
        self._budget_tokens = budget_tokens

    @cached_property
    def _ordinals(self) -> dict[tuple[int, int], set[int]]:
        found: dict[tuple[int, int], set[int]] = {}
        for passage in self.node.passages(self._budget_tokens) if self.node is not None else ():
            found.setdefault((passage.start, passage.end), set()).add(passage.ordinal)
        return found

    def prove(self, cited: Citation | CitedPassage) -> Node:
        """Return the node when a passage stands in it as it is cited.

        Raises:
            CitationRefused: bytes, hash, node or number are not what is claimed.
        """
        where = f"{cited.node}#{cited.passage}"
        if hashlib.sha256(self.data[cited.start : cited.end]).hexdigest() != cited.sha256:
            raise CitationRefused(
                f"The bytes {cited.start}-{cited.end} of blob {cited.blob[:12]} do not have the hash cited.",
                f"The citation of {where} was altered, or is of another repository.",
            )
        if self.node is None or self.node.id != cited.node:
            raise CitationRefused(f"Blob {cited.blob[:12]} is not node {cited.node!r}.", "The citation was altered.")
        # The budget may have changed since, and then no passage has these bounds; none may have them under another
        # name.
        ordinals = self._ordinals.get((cited.start, cited.end), set())
        if ordinals and cited.passage not in ordinals:
            raise CitationRefused(f"These bytes are not {where} but #{min(ordinals)}.", "The citation was altered.")
        return self.node


def _check(citation: Citation, data: bytes, budget_tokens: int) -> None:
    node = NodeBytes(data, citation.path, budget_tokens).prove(citation)
    if not _quotes(data[citation.start : citation.end], node, citation):
        raise CitationRefused(
            f"The quoted words do not stand in {citation.node}#{citation.passage}.",
            "Compare them with `forest show` of that node.",
        )


def _quotes(passage: bytes, node: Node, citation: Citation) -> bool:
    # The node's encoding, not what the passage alone looks like: `Ã³` in Windows-1252 is `ó` in UTF-8.
    codec = slice_codec(node.encoding)
    front = len(node.text[: node.body_start].encode(node.encoding))
    return citation.start >= front and _stands_in(citation.quote, passage.decode(codec, "replace"))


def _stands_in(quote: str, text: str) -> bool:
    """Tell whether a quote stands in a text as whole words, white space folded."""
    words, whole = one_line(quote), one_line(text)
    at = whole.find(words)
    while words and at >= 0:
        end = at + len(words)
        cut = (at > 0 and whole[at - 1 : at + 1].isalnum()) or (end < len(whole) and whole[end - 1 : end + 1].isalnum())
        if not cut:
            return True
        at = whole.find(words, at + 1)
    return False


def _commit_is_here(citation: Citation, head: Snapshot) -> bool:
    try:
        return resolve(head.folder, citation.commit) == citation.commit
    except RevisionUnknown:
        return False


def _commit_has(citation: Citation, head: Snapshot) -> bool:
    try:
        then = head if citation.commit == head.commit else open_snapshot(head.folder, citation.commit)
    except NotAForest:  # the forest's folder was another one then: the path is the end of one in the whole commit
        whole = list_tree(replace(head, tree=citation.commit))
        return any(e.blob == citation.blob and f"/{e.path}".endswith(f"/{citation.path}") for e in whole)
    entry = find_in_tree(then, citation.path)
    return entry is not None and entry.blob == citation.blob


def _at_head(citation: Citation, head: Snapshot, objects: ObjectReader) -> str:
    entry = find_node_file(head, citation.node, objects, citation.path)
    if entry is None:
        return "node gone"
    if entry.blob == citation.blob:
        return "unchanged"
    data = objects.read(entry.blob) or b""
    return "node changed, passage stands" if _stands(data, citation.quote) else "passage changed"


def _verify_at_head(citation: Citation, head: Snapshot, objects: ObjectReader) -> Proof:
    entry = find_node_file(head, citation.node, objects, citation.path)
    data = objects.read(entry.blob) if entry is not None else None
    if data is None or not _stands(data, citation.quote):
        raise CitationRefused(
            f"Neither commit {citation.commit[:12]} nor blob {citation.blob[:12]} is in this repository, and HEAD "
            f"does not have these words in {citation.node!r}.",
            "Verify it in the repository that it was taken from.",
        )
    return Proof(citation, "head", "the words stand, their passage cannot be compared")


def _stands(data: bytes, quote: str) -> bool:
    node = load_node(data, "")[0]
    return node is not None and _stands_in(quote, node.body)


def find_node_file(snapshot: Snapshot, node_id: str, objects: ObjectReader, likely_path: str = "") -> TreeEntry | None:
    """Find the file of a node in a committed tree without derived state.

    Args:
        snapshot: where to look.
        node_id: the node.
        objects: reads candidates.
        likely_path: looked at first.

    Returns:
        The first file in path order whose passport has that id, None when there is none.
    """
    if likely_path:
        entry = find_in_tree(snapshot, likely_path)
        if entry is not None and _is_node(entry, node_id, objects):
            return entry
    paths = set(files_containing(snapshot, node_id))
    candidates = (entry for entry in list_tree(snapshot) if entry.path in paths) if paths else ()
    return next((entry for entry in candidates if _is_node(entry, node_id, objects)), None)


def _is_node(entry: TreeEntry, node_id: str, objects: ObjectReader) -> bool:
    data = objects.read(entry.blob) if entry.plain and entry.size <= MAX_NODE_BYTES else None
    node = load_node(data, entry.path)[0] if data is not None else None
    return node is not None and node.id == node_id
