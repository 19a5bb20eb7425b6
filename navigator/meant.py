"""Which value is meant: whether a value that stands in some words is what they say of the thing that is asked about.

Two wages stand in one sentence, a misprint beside its correction, six fees in one table: each is held by the passage,
and one of them answers. A value is refused only where words of the question speak of another one beside it and none
speaks of it alone; where nothing tells them apart, it stands. Both are what `forest.picking` goes by.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import fsum

from forest.analyzer import stems
from forest.observation import clean
from forest.picking import elliptic, left_behind, reach
from forest.question import Query, held_words, read_question
from forest.reading import Reading
from forest.text import fold
from forest.units import Span, units_of
from forest.values import FoundValue, Value, find_values, parse_value, same_amount
from navigator.world import Noted, World

_RANGE = re.compile(r"[ ,]*(?:a|al|hasta|y|-|–)(?: (?:el|la|las|los))?(?: día)? *")
_BEGINNING = 5
_SHOWN = 80  # characters of the row that is named


@dataclass(frozen=True, slots=True)
class _Place:
    """The words around a value: a sentence, or a row with the head of its table."""

    reading: Reading
    span: Span

    @property
    def text(self) -> str:
        return self.reading.text[self.span.start : self.span.end]

    @property
    def head(self) -> str:
        header = self.span.header
        return self.reading.text[header[0] : header[1]] if header is not None else ""


def another_meant(world: World, note: Noted) -> str:
    """Return in a sentence which other value is meant than a note's, "" when none is or nothing tells.

    Args:
        world: with the question as asked.
        note: whose value stands in its words.
    """
    value = parse_value(note.value)
    if value is None or not world.question:
        return ""
    places = [
        _Place(note.reading, span)
        for span in units_of(note.reading.text)
        if any(start <= span.start < end for start, end in note.runs)
    ]
    holding = [place for place in places if _of_the_same(place.text, value)]
    query = read_question(world.state, world.question, world.clock)
    told = [_complaint(place, value, note.value, query) for place in holding]
    return told[0] if told and all(told) else ""


def _complaint(place: _Place, value: Value, said: str, query: Query) -> str:
    found = _of_the_same(place.text, value)
    own = [one for one in found if same_amount(one.value, value)]
    if not own:
        return ""
    if all(left_behind(place.text, one.start) for one in own):
        return f"«{said}» was not said: the words noted say it of what they correct or change."
    if place.head:
        row = _other_row(place, value, query)
        about = f"the question is about another row of the table: «{clean(row)[:_SHOWN]}»"
        if row:
            return f"«{said}» was not said: {about}."
        cell, column = _other_column(place, own, value, query)
        return f"«{said}» was not said: of «{column}» the row says «{cell}»." if column else ""
    better = _better(place, own, found, query)
    return f"«{said}» was not said: of what is asked the words noted say «{better}»." if better else ""


def _of_the_same(text: str, value: Value) -> list[FoundValue]:
    """Return the values of a text that may be taken for a value, itself among them: the same kind, the same unit."""
    found = [
        one
        for one in find_values(text, {value.kind, "number"})
        if (one.value.kind, one.value.unit) == (value.kind, value.unit)
        or (one.value.kind == "number" and text.startswith("|"))
    ]
    return [*found, *(elliptic(text, {value.unit}) if value.unit and not text.startswith("|") else ())]


def _better(place: _Place, own: Sequence[FoundValue], found: Sequence[FoundValue], query: Query) -> str:
    """Return the value beside it in a sentence that the question's words speak of alone, "" when none is."""
    text = place.text
    spans = sorted({(one.start, one.end) for one in found})
    if any(_RANGE.fullmatch(text[one[1] : other[0]]) for one, other in pairwise(spans)):
        return ""  # of a range both ends are said
    around = _own_words(text, spans, query)
    above = " ".join((*place.reading.passage.heading, place.reading.node.title, text[: spans[0][0]]))
    mine = frozenset[str]().union(*(around[one.start, one.end] for one in own))
    if not all(_begins_a_word(word, above) for word in mine):
        return ""
    others = [
        span
        for span in spans
        if around[span] - mine
        and not any((one.start, one.end) == span for one in own)
        and not left_behind(text, span[0])
    ]
    best = max(others, key=lambda span: fsum(query.weights[word] for word in around[span]), default=None)
    return text[best[0] : best[1]] if best is not None else ""


def _begins_a_word(stem: str, text: str) -> bool:
    """Tell whether a word of a text begins as a stem does; plurals are not always stemmed as singulars are."""
    return any(word.startswith(stem[:_BEGINNING]) for word in fold(text).split())


def _own_words(text: str, spans: Sequence[tuple[int, int]], query: Query) -> dict[tuple[int, int], frozenset[str]]:
    """Return for each value the question's words that speak of it alone.

    In "X en A y Y en B" they follow; elsewhere they stand before: "A paga X y B paga Y".
    """
    reaches = reach(text, spans)
    if any(place != (0, len(text)) for place in reaches.values()):
        near = {span: held_words(query, text[span[1] : reaches[span][1]]) for span in spans}
    else:
        begins = [0, *(end for _, end in spans)]
        near = {span: held_words(query, text[begin : span[0]]) for span, begin in zip(spans, begins, strict=False)}
        near[spans[-1]] |= held_words(query, text[spans[-1][1] :])
    common = frozenset[str].intersection(*near.values()) if len(near) > 1 else frozenset[str]()
    return {span: words - common for span, words in near.items()}


def _other_row(place: _Place, value: Value, query: Query) -> str:
    """Return another row of the table that words of the question speak of, where none speaks of this one."""
    text = place.reading.text
    rows = [span for span in units_of(text) if span.header == place.span.header]
    held = {span: held_words(query, _cells(text[span.start : span.end])) for span in rows}
    common = held_words(query, " ".join((place.head, *place.reading.passage.heading, place.reading.node.title)))
    if len(held) > 1:
        common |= frozenset[str].intersection(*held.values())
    told = {span: words - common for span, words in held.items()}
    mine = told.get(place.span, frozenset())
    if not rows or mine:
        return ""
    best = max(rows, key=lambda span: fsum(query.weights[word] for word in told[span]))
    row = text[best.start : best.end]
    return row if told[best] and _of_the_same(row, value) else ""


def _other_column(place: _Place, own: Sequence[FoundValue], value: Value, query: Query) -> tuple[str, str]:
    """Return (cell, head) of another column that words of the question speak of, where none speaks of the value's own.

    Both are "" where there is none, or the row has not the cells that the head has.
    """
    heads, cells = place.head.partition("\n")[0].split("|"), place.text.split("|")
    if len(heads) != len(cells):
        return "", ""
    ends = list(accumulate(len(cell) + 1 for cell in cells))
    mine = {bisect_right(ends, one.start) for one in own}
    others = [at for at, cell in enumerate(cells) if at not in mine and _of_the_same(f"|{cell}|", value)]
    held = {at: held_words(query, heads[at]) for at in (*mine, *others)}
    common = frozenset[str].intersection(*held.values())
    if not others or any(held[at] - common for at in mine):
        return "", ""
    best = max(others, key=lambda at: fsum(query.weights[word] for word in held[at] - common))
    return (clean(cells[best]), clean(heads[best])[:_SHOWN]) if held[best] - common else ("", "")


def _cells(row: str) -> str:
    """Return the words of a row without those cells that are values."""
    cells = (cell.strip() for cell in row.split("|"))
    return " ".join(cell for cell in cells if cell and (parse_value(cell) is None or not stems(cell)))
