"""Parts of an article that a question names (fracción XL, inciso b, apartado D): where a text marks one, if it does."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise

from forest.catalog import NodeRow
from forest.ids import work_of
from forest.legal_parts import from_roman, roman
from forest.question import Query
from forest.reading import read_passage
from forest.state import State

# In the order in which they contain each other.
PART_MARKS = {"apartado": "apartado", "fraccion": "fracción", "inciso": "inciso"}

# A part is looked for passage by passage; a text of more than this is a book, and its parts are not told.
_MOST_PASSAGES = 200
_MOST_REPEALED = 3


def marks(kind: str, label: str) -> re.Pattern[str]:
    """Return what a text's line begins with where it marks a part.

    Examples:
        >>> bool(marks("fraccion", "XXVII-bis").search("XXVII Bis. Otorgar permiso"))
        True
    """
    words = r"[ .-]{1,3}".join(re.escape(word) for word in label.split("-"))
    if kind == "apartado":
        # In capitals only: "b)" at the beginning of a line is an inciso.
        return re.compile(rf"^\W{{0,4}}(?:(?i:apartado) )?{words}\s?[.)-]", re.MULTILINE)
    return re.compile(rf"(?:^|[.;:] )\W{{0,3}}{words}\s?(?:[.)-]|$)", re.IGNORECASE | re.MULTILINE)


def part_passage(state: State, node: NodeRow, kind: str, label: str, start: int = 1) -> int:
    """Return the ordinal of the first passage from `start` on that marks a part; 0 when none does, -1 when not told."""
    count = state.catalog.count_passages(node)
    if count > _MOST_PASSAGES:
        return -1
    pattern = marks(kind, label)
    ordinals = range(start, count + 1)
    return next((n for n in ordinals if pattern.search(read_passage(state, node, n).text)), 0)


def parts_of(query: Query, node: NodeRow) -> tuple[tuple[str, str], ...]:
    """Return the (kind, label) of the parts of a node that a question names, the coarser before the finer."""
    kinds = list(PART_MARKS)
    named = [
        (kind, label)
        for instrument, key, kind, label in query.named.parts
        if kind in PART_MARKS and work_of(node.id) == f"{instrument}/art-{key}"
    ]
    return tuple(sorted(named, key=lambda part: kinds.index(part[0])))


@dataclass(frozen=True, slots=True)
class Parts:
    """Where a node marks the parts that a question names.

    Attributes:
        passages: ordinals of the passages that mark them; of a part inside of another the inner one's.
        whole: ordinals of all passages that they reach over, up to the next part of their kind.
        unmarked: (kind, label) of those that it does not mark, or not inside of the coarser part named with them.
    """

    passages: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()
    unmarked: tuple[tuple[str, str], ...] = ()


def passages_of_parts(state: State, node: NodeRow, query: Query) -> tuple[int, ...]:
    """Return the ordinals of the passages that mark the parts named, each looked for inside of the coarser one."""
    return find_parts(state, node, query).passages


def find_parts(state: State, node: NodeRow, query: Query) -> Parts:
    """Find the parts of a node that a question names: a finer one stands between its coarser one and the next such."""
    named = _outermost_first(query, node)
    count = state.catalog.count_passages(node)
    if not named or count > _MOST_PASSAGES:
        return Parts()
    texts = [read_passage(state, node, ordinal).text for ordinal in range(1, count + 1)]
    ends = [*accumulate(len(text) + 1 for text in texts)]
    whole = "\n".join(texts)
    rank = {kind: at for at, kind in enumerate(PART_MARKS)}
    open_parts: list[tuple[int, int, int]] = []  # rank of its kind, where it begins, where it ends
    leaves: list[tuple[int, int]] = []
    unmarked: list[tuple[str, str]] = []
    for kind, label in named:
        while open_parts and open_parts[-1][0] >= rank[kind]:
            open_parts.pop()
        _, start, end = open_parts[-1] if open_parts else (0, 0, len(whole))
        mark = marks(kind, label).search(whole, start, end)
        if mark is None:
            unmarked.append((kind, label))
            open_parts.append((rank[kind], 0, 0))
            continue
        if open_parts and leaves[-1:] == [(start, end)]:
            leaves.pop()
        inside = mark.end() - 1  # "XXII. a)": the stop may introduce the next mark
        after = (marks(kind, one).search(whole, mark.end(), end) for one in _following(kind, label))
        leaves.append((inside, next((found.start() for found in after if found), end)))
        open_parts.append((rank[kind], *leaves[-1]))
    reach = [(bisect_right(ends, at) + 1, bisect_right(ends, end - 1) + 1) for at, end in leaves]
    over = (ordinal for first, last in reach for ordinal in range(first, max(last, first) + 1))
    return Parts(
        tuple(dict.fromkeys(first for first, _ in reach)),
        tuple(dict.fromkeys(ordinal for ordinal in over if ordinal <= count)),
        tuple(unmarked),
    )


def _outermost_first(query: Query, node: NodeRow) -> tuple[tuple[str, str], ...]:
    """Return the parts named in the order of the text, turned round where it goes from the finer to the coarser."""
    kinds = [*PART_MARKS]
    said = [
        (kind, label)
        for instrument, key, kind, label in query.named.parts
        if kind in PART_MARKS and work_of(node.id) == f"{instrument}/art-{key}"
    ]
    ranks = [kinds.index(kind) for kind, _ in said]
    inward = any(before < after for before, after in pairwise(ranks))
    return tuple(said if inward else sorted(said, key=lambda part: kinds.index(part[0])))


def _following(kind: str, label: str) -> tuple[str, ...]:
    """Return the labels that may come after one, the nearest first: the next may have been repealed."""
    first = label.partition("-")[0]
    if kind == "fraccion":
        number = from_roman(first.lower())
        return tuple(roman(number + more) for more in range(1, _MOST_REPEALED + 2)) if number else ()
    last = "z" if first.islower() else "Z"
    letters = range(ord(first) + 1, ord(last) + 1) if len(first) == 1 else range(0)
    return tuple(map(chr, letters))[: _MOST_REPEALED + 1]
