"""Passages: contiguous pieces of a node's body, the unit that is read and cited.

A passage is a recipe (byte offsets into the committed blob) and a hash, never a copy: whoever reads one cuts it out of
the blob again and checks the hash. Passages follow headings, then lines, then sentences, towards a token budget;
a sentence is never cut.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from forest.text import count_tokens, sentences

_HEADING = re.compile(r"(#{1,6})[ \t]+\S")


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of a node.

    Attributes:
        node: id of its node.
        ordinal: 1-based place among the node's passages; `node#ordinal` names it.
        heading: the headings it stands under, outermost first.
        start: first byte in the blob.
        end: one past its last byte.
        sha256: of those bytes, hexadecimal.
        tokens: of its text.
    """

    node: str
    ordinal: int
    heading: tuple[str, ...]
    start: int
    end: int
    sha256: str
    tokens: int

    @property
    def id(self) -> str:
        """The name by which it is read and cited."""
        return f"{self.node}#{self.ordinal}"


def split_passages(
    node_id: str,
    text: str,
    body_start: int,
    encode: Callable[[str], bytes],
    budget_tokens: int,
) -> tuple[Passage, ...]:
    """Cut a node's body into passages.

    Args:
        node_id: id of the node.
        text: the whole file, decoded.
        body_start: character offset of the body in `text`.
        encode: gives the bytes that some of the text stood for; offsets count those.
        budget_tokens: the size aimed at. A heading starts a passage; a single sentence may be larger.

    Returns:
        The passages in order. White space between two of them belongs to none; nothing else is left out.
    """
    passages: list[Passage] = []
    done_chars, done_bytes = 0, 0
    for heading, start, end, tokens in _pieces(text, body_start, budget_tokens):
        done_bytes += len(encode(text[done_chars:start]))
        data = encode(text[start:end])
        digest = hashlib.sha256(data).hexdigest()
        passages.append(
            Passage(node_id, len(passages) + 1, heading, done_bytes, done_bytes + len(data), digest, tokens)
        )
        done_chars, done_bytes = end, done_bytes + len(data)
    return tuple(passages)


def _pieces(text: str, body_start: int, budget: int) -> Iterator[tuple[tuple[str, ...], int, int, int]]:
    path: dict[int, str] = {}
    heading: tuple[str, ...] = ()
    start, end, tokens, only_headings = -1, -1, 0, True
    for left, right, level in _units(text, body_start, budget):
        size = count_tokens(text[left:right])
        begins = (level and not only_headings) or (start >= 0 and not only_headings and tokens + size > budget)
        if begins and start >= 0:
            yield heading, start, end, tokens
            start, tokens, only_headings = -1, 0, True
        if level:
            title = text[left:right].lstrip("#").strip(" \t#\r")
            path = {k: v for k, v in path.items() if k < level} | {level: title}
        heading = tuple(path[k] for k in sorted(path))
        if start < 0:
            start, only_headings = left, True
        only_headings = only_headings and bool(level)
        end, tokens = right, tokens + size
    if start >= 0:
        yield heading, start, end, tokens


def _units(text: str, body_start: int, budget: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, heading level or 0) of lines, or of the sentences of a line that is over the budget."""
    position = body_start
    for line in text[body_start:].splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            left = position + len(line) - len(line.lstrip())
            right = left + len(stripped)
            match = _HEADING.match(stripped)
            # Four characters a token is what Spanish law text has at least, so shorter lines need no count.
            if match or len(stripped) <= budget * 2 or count_tokens(stripped) <= budget:
                yield left, right, len(match[1]) if match else 0
            else:
                yield from ((left + a, left + b, 0) for a, b in sentences(stripped))
        position += len(line)
