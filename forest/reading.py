"""Reading: a passage cut again from the committed blob, its hash checked. Only what was read here may be quoted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from forest.catalog import NodeRow
from forest.citation import Citation
from forest.errors import PassageMismatch, PassageNotFound
from forest.passage import Passage
from forest.state import State
from forest.text import one_line, slice_codec
from forest.units import with_lf

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage that was read.

    Attributes:
        node: whose it is.
        passage: its recipe.
        text: its words, line ends as LF.
        commit: from which it was read.
    """

    node: NodeRow
    passage: Passage
    text: str
    commit: str

    def cite(self, quote: str) -> Citation:
        """Return the citation of some of its words.

        Raises:
            PassageMismatch: the words do not stand in it.
        """
        words = one_line(quote)
        if words not in one_line(self.text):
            raise PassageMismatch(f"The words to be cited do not stand in {self.passage.id}.")
        p = self.passage
        return Citation(
            self.node.id, p.ordinal, self.node.path, self.commit, self.node.blob, p.start, p.end, p.sha256, words
        )


def ordinal_of(number: str) -> int | None:
    """Return the ordinal that somebody wrote, None when it is no number, or one that no node counts to."""
    return int(number) if number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS else None


def no_passage(node: NodeRow, count: int, asked: str) -> PassageNotFound:
    """Return the error for a passage that a node of `count` passages does not have."""
    there = f"#1 to #{count}" if count > 1 else "#1 only"
    return PassageNotFound(f"{node.id} has no passage {asked[:20]!r}; it has {there}.", f"Try {node.id}#1.")


def read_passage(state: State, node: NodeRow, ordinal: int) -> Reading:
    """Cut a passage from its blob and check its hash.

    Raises:
        PassageNotFound: the node has no such passage.
        PassageMismatch: the committed bytes are not what the recipe says.
    """
    passage = state.catalog.passage(node, ordinal)
    if passage is None:
        raise no_passage(node, state.catalog.count_passages(node), str(ordinal))
    data = state.read_blob(node.blob)
    piece = data[passage.start : passage.end] if data is not None else b""
    if hashlib.sha256(piece).hexdigest() != passage.sha256:
        raise PassageMismatch(
            f"The committed bytes of {passage.id} do not have the hash that was derived from them.",
            "Run `git fsck`; then delete the derived state that `forest status` names.",
        )
    codec = slice_codec(node.encoding)
    return Reading(node, passage, with_lf(piece.decode(codec)), state.snapshot.commit)
