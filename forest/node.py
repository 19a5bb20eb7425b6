"""A node: one markdown file as passport and body. The loader never dies on a bad one: it returns findings.

Owns the rules about a single file's bytes and text; passports have their own module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from forest.finding import Finding
from forest.limits import MAX_NODE_BYTES
from forest.passage import Passage, split_passages
from forest.passport import Passport, parse_passport, split_front_matter
from forest.text import Decoded, decode, slice_codec

_CONFLICT = re.compile(r"^<{7}(?: .*)?\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Node:
    """One node as read from one blob.

    Attributes:
        passport: what it says of itself.
        text: the whole file, decoded; line ends as written.
        body_start: character offset of the body in `text`.
        path: file relative to the forest's folder.
        encoding: of the bytes, for offsets into them.
    """

    passport: Passport
    text: str
    body_start: int
    path: str
    encoding: str

    @property
    def id(self) -> str:
        """The id of the passport."""
        return self.passport.id

    @property
    def body(self) -> str:
        """The text after the passport."""
        return self.text[self.body_start :]

    def line_of(self, offset: int) -> int:
        """Return the 1-based line of a character offset into `text`."""
        return self.text.count("\n", 0, offset) + 1

    def passages(self, budget_tokens: int) -> tuple[Passage, ...]:
        """Cut the body into passages; see `forest.passage.split_passages`."""
        codec = slice_codec(self.encoding)
        shift = 3 if self.encoding == "utf-8-sig" else 0
        found = split_passages(self.id, self.text, self.body_start, lambda s: s.encode(codec), budget_tokens)
        if not shift:
            return found
        return tuple(
            Passage(p.node, p.ordinal, p.heading, p.start + shift, p.end + shift, p.sha256, p.tokens) for p in found
        )

    def passage_texts(self, budget_tokens: int) -> tuple[str, ...]:
        """Return the words of each passage, line ends as written."""
        data, codec = self.text.encode(self.encoding), slice_codec(self.encoding)
        return tuple(data[p.start : p.end].decode(codec) for p in self.passages(budget_tokens))


def load_node(data: bytes, path: str) -> tuple[Node | None, tuple[Finding, ...]]:
    """Read one node's bytes.

    Returns:
        The node, None when its id cannot be known, and every finding about this file alone, sorted.
    """
    if len(data) > MAX_NODE_BYTES:
        return None, (too_large(path, len(data)),)
    decoded = decode(data)
    if decoded is None:
        return None, (
            Finding(path, 0, "undecodable", "The file is neither UTF-8 nor Windows-1252 text.", "Save it as UTF-8."),
        )
    findings = [
        Finding(path, 1, "encoding", f"The file {complaint}.", "Save it as UTF-8 in NFC with LF line ends.")
        for complaint in decoded.complaints
    ]
    findings += _conflicts(decoded, path)
    parts = split_front_matter(decoded.text)
    if parts is None:
        findings.append(
            Finding(
                path, 1, "passport-missing", "The file has no passport.", "Begin it with --- lines around `id: ...`."
            )
        )
        return None, tuple(sorted(findings))
    front, body_start = parts
    passport, complaints = parse_passport(front, path)
    findings.extend(complaints)
    if not passport.id:
        return None, tuple(sorted(findings))
    node = Node(passport, decoded.text, body_start, path, decoded.encoding)
    return node, tuple(sorted(findings))


def too_large(path: str, size: int) -> Finding:
    """Return the finding for a file that is over the limit and was not read."""
    return Finding(
        path,
        0,
        "too-large",
        f"The file has {size:,} bytes, the limit of a node is {MAX_NODE_BYTES:,}.",
        "Split it into child nodes.",
    )


def _conflicts(decoded: Decoded, path: str) -> list[Finding]:
    # Only the opening marker is looked for: a line of ======= underlines a heading, seven > quote seven times.
    match = _CONFLICT.search(decoded.text)
    if match is None:
        return []
    line = decoded.text.count("\n", 0, match.start()) + 1
    return [
        Finding(path, line, "conflict-marker", "The file holds a merge conflict.", "Resolve it and commit the result.")
    ]
