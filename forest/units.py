"""Units: the numbered sentences and table rows of a passage, what a read shows and a note names.

A unit is a place in the passage's text, never a copy, and its number depends on that text alone: not on a budget, nor
on the page on which it is shown. What is quoted in an answer is chosen elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from forest.text import count_tokens, sentences

# A sentence above this many tokens is numbered in pieces, or it could not be shown within a budget. Of 32,000 sentences
# of federal law one in two thousand is.
UNIT_TOKENS = 350
_WINDOW = UNIT_TOKENS * 4  # characters; what is shorter than half of it needs no count
_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*")
_BREAK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Span:
    """Where one unit stands in a passage's text.

    Attributes:
        start: offset of its first character.
        end: one past its last.
        piece: 1-based place among the pieces of its sentence or row.
        pieces: how many those are; 1 when it is whole.
        header: offsets of the header of its table; None outside tables and for the header itself.
    """

    start: int
    end: int
    piece: int = 1
    pieces: int = 1
    header: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence or table row of a passage, as a read numbers it.

    Attributes:
        passage: ordinal of its passage in the node.
        number: 1-based place in its passage; the same whatever the page and the budget.
        text: its words, exactly as the passage has them.
        start: offset of its first character in the passage's text.
        end: one past its last.
        heading: the headings it stands under, outermost first.
        piece: 1-based place among the pieces of a sentence that is too long for one unit.
        pieces: how many those are; 1 for a whole sentence.
    """

    passage: int
    number: int
    text: str
    start: int
    end: int
    heading: tuple[str, ...]
    piece: int = 1
    pieces: int = 1


def with_lf(text: str) -> str:
    """Return `text` with line ends as LF, as passages are read."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=8)  # the pages of a passage that is one endless sentence come one after the other
def units_of(text: str) -> tuple[Span, ...]:
    """Return the units of a passage's text in order: sentences, headings, rows.

    The rule under a table's header belongs to the header. Nothing but white space is left out.
    """
    return tuple(span for whole in _wholes(text) for span in _pieces(text, whole))


def numbered(text: str, ordinal: int, heading: tuple[str, ...]) -> tuple[Unit, ...]:
    """Return the units of a passage with their numbers and words.

    Args:
        text: of the passage.
        ordinal: its place in its node.
        heading: the headings it stands under.
    """
    return tuple(
        Unit(ordinal, number, text[s.start : s.end], s.start, s.end, heading, s.piece, s.pieces)
        for number, s in enumerate(units_of(text), start=1)
    )


def _wholes(text: str) -> Iterator[Span]:
    before: Span | None = None
    for start, end in sentences(text):
        row = text.startswith("|", start)
        if before is None or not row or not _same_table(text, before, start):
            following = Span(start, end)
        elif before.header is None and _RULE.fullmatch(text, start, end):
            before = Span(before.start, end)
            continue
        else:
            following = Span(start, end, header=before.header or (before.start, before.end))
        if before is not None:
            yield before
        before = following
    if before is not None:
        yield before


def _same_table(text: str, before: Span, start: int) -> bool:
    """Tell whether what stands before a row is a row, too, without an empty line between them."""
    return text.startswith("|", before.start) and text.count("\n", before.end, start) == 1


def _pieces(text: str, whole: Span) -> Iterator[Span]:
    """Yield a whole unit as it is, or what is too long as pieces that end between words where they can."""
    if whole.end - whole.start <= _WINDOW // 2 or (
        whole.end - whole.start <= _WINDOW * 2 and count_tokens(text[whole.start : whole.end]) <= UNIT_TOKENS
    ):
        yield whole
        return
    cuts = list(_cuts(text, whole.start, whole.end))
    for number, (start, end) in enumerate(cuts, start=1):
        yield Span(start, end, number, len(cuts), whole.header)


def _cuts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = _stop(text, start, end, _WINDOW)
        while count_tokens(text[start:stop]) > UNIT_TOKENS and stop - start > 1:
            stop = _stop(text, start, end, (stop - start) // 2)
        yield start, start + len(text[start:stop].rstrip())
        following = _BREAK.match(text, stop)
        start = following.end() if following else stop


def _stop(text: str, start: int, end: int, size: int) -> int:
    """Return where a piece of at most `size` characters ends: after a word, unless one word alone is longer."""
    if end - start <= size:
        return end
    space = max(text.rfind(" ", start + 1, start + size + 1), text.rfind("\n", start + 1, start + size + 1))
    return space if space > start else start + max(size, 1)
