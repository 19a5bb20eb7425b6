"""Parts of an article that a question names (fracción XL, inciso b, apartado D): where a text marks one, if it does."""

from __future__ import annotations

import re

from forest.catalog import NodeRow
from forest.ids import work_of
from forest.question import Query
from forest.reading import read_passage
from forest.state import State

# In the order in which they contain each other.
PART_MARKS = {"apartado": "apartado", "fraccion": "fracción", "inciso": "inciso"}

# A part is looked for passage by passage; a text of more than this is a book, and its parts are not told.
_MOST_PASSAGES = 200


def marks(kind: str, label: str) -> re.Pattern[str]:
    """Return what a text's line begins with where it marks a part.

    Examples:
        >>> bool(marks("fraccion", "XXVII-bis").search("XXVII Bis. Otorgar permiso"))
        True
    """
    words = r"[ .-]{1,3}".join(re.escape(word) for word in label.split("-"))
    if kind == "apartado":
        return re.compile(rf"^\W{{0,4}}(?:apartado )?{words}\s?[.)-]", re.IGNORECASE | re.MULTILINE)
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


def passages_of_parts(state: State, node: NodeRow, query: Query) -> tuple[int, ...]:
    """Return the ordinals of the passages that mark the parts named, a finer one looked for from the coarser one on."""
    found: list[int] = []
    before = ""
    for kind, label in parts_of(query, node):
        at = part_passage(state, node, kind, label, found[-1] if found and kind != before else 1)
        if at > 0:
            found = [*(found if kind == before or not found else found[:-1]), at]
            before = kind
    return tuple(dict.fromkeys(found))
