"""Quoting: which sentences, list items and table rows of a passage carry the answer, and their citations."""

from __future__ import annotations

import re
from itertools import chain

from forest.answer import Claim
from forest.kind import carries, kind_asked
from forest.parts import marks as part_marks
from forest.parts import parts_of
from forest.question import Query, coverage
from forest.ranking import Found, is_entry
from forest.state import State
from forest.text import fold, one_line, sentences

_MAX_UNITS = 4
_MAX_UNITS_OF_NAMED = 8
_MAX_ITEMS = 12
_NEARLY = 0.7
_SPEAKS_OF_IT = 0.25
_KIND_BONUS = 0.15
_ENTRY_BONUS = 0.5
_QUOTED_WHOLE = 2
_MARK = re.compile(r"[^\n]{0,80}\bDOF \d{2}-\d{2}-\d{4}[^\n]{0,200}")
_ASKS_REFORM = re.compile(r"\b(?:reform|adicion|derog|modific)")
_ITEM = re.compile(r"(?:[IVXLC]{1,7}|[a-zñ]{1,2}|\d{1,3})(?: (?:bis|ter|qu[aá]ter|quinquies))?[.)]", re.IGNORECASE)


def claim_of(state: State, found: Found, query: Query) -> Claim | None:
    """Return the words of a passage that answer a question, cited; None when it holds nothing to quote."""
    reading = found.reading
    marks = bool(_ASKS_REFORM.search(fold(query.text)))
    units = split_units(reading.text, marks=marks)
    if not units:
        return None
    texts = [reading.text[a:b] for a, b in units]
    picked = pick_units(texts, query, named=found.tier == 0)
    wanted = _parts_named(texts, query, found)
    if wanted:
        around = (
            _introduction(texts, at) | (_items_after(texts, at) if texts[at].endswith(":") else set()) for at in wanted
        )
        picked = sorted({*wanted, *chain.from_iterable(around)})
    if marks:
        picked = sorted({*picked, *(i for i, text in enumerate(texts) if _MARK.fullmatch(text))})
    runs = [(units[run[0]][0], units[run[-1]][1]) for run in _runs(picked)]
    quotes = [reading.text[start:end] for start, end in runs]
    others = state.catalog.count_passages(reading.node) - 1
    return Claim(
        text="\n".join(_flowing(reading.text[units[i][0] : units[i][1]]) for i in picked),
        title=reading.node.title,
        heading=reading.passage.heading,
        citations=tuple(reading.cite(quote) for quote in quotes),
        left_out=len(units) - len(picked) + others,
    )


def _parts_named(texts: list[str], query: Query, found: Found) -> list[int]:
    """Return which units begin the parts (fracción, inciso, apartado) that the question names of this node."""
    patterns = [part_marks(kind, label) for kind, label in parts_of(query, found.reading.node)]
    return [i for i, text in enumerate(texts) if any(pattern.match(text) for pattern in patterns)]


def _flowing(unit: str) -> str:
    """Return a unit without the line breaks of the editor that wrapped it; the rows of a table keep theirs."""
    return unit if unit.startswith("|") else one_line(unit)


def split_units(text: str, *, marks: bool = False) -> tuple[tuple[int, int], ...]:
    """Return the offsets of what may be quoted from a passage: sentences, list items, whole small tables.

    Args:
        text: of the passage. Its headings are not among the units.
        marks: whether reform marks ("Párrafo reformado DOF 01-05-2019") are.
    """
    units: list[tuple[int, int]] = []
    in_table = 0
    for start, end in sentences(text):
        piece = text[start:end]
        if piece.startswith("#") or (not marks and _MARK.fullmatch(piece)):
            in_table = 0
            continue
        row = piece.startswith("|")
        if row and 0 < in_table < _MAX_ITEMS:
            units[-1] = (units[-1][0], end)
        else:
            units.append((start, end))
        in_table = in_table % _MAX_ITEMS + 1 if row else 0
    return tuple(units)


def pick_units(units: list[str], query: Query, *, named: bool) -> list[int]:
    """Return which units carry the answer, in order.

    Args:
        units: from `split_units`, in order.
        query: what is asked.
        named: whether the question names the node itself, so that its beginning answers when nothing else does.
    """
    scores = [_unit_score(unit, query) for unit in units]
    best = max(scores)
    if named and (not query.stems or best < _SPEAKS_OF_IT):
        return list(range(min(len(units), _MAX_UNITS_OF_NAMED)))
    if len(units) <= _QUOTED_WHOLE:
        return list(range(len(units)))
    order = sorted(range(len(units)), key=lambda i: (-scores[i], i))
    picked = {i for i in order[:_MAX_UNITS] if scores[i] >= best * _NEARLY}
    for i in sorted(picked):
        if _ITEM.match(units[i]):
            picked |= _introduction(units, i)
        if units[i].endswith(":"):
            picked |= _items_after(units, i)
    return sorted(picked)


def _introduction(units: list[str], item: int) -> set[int]:
    """Return the sentence that a list item completes; an item alone may say the opposite of its list."""
    leads = (i for i in range(item - 1, -1, -1) if units[i].endswith(":") and not _ITEM.match(units[i]))
    return {first for first in [next(leads, None)] if first is not None}


def _items_after(units: list[str], introduction: int) -> set[int]:
    end = introduction + 1
    while end < len(units) and end - introduction <= _MAX_ITEMS and _ITEM.match(units[end]):
        end += 1
    return set(range(introduction + 1, end))


def _unit_score(unit: str, query: Query) -> float:
    kind = kind_asked(query.text)
    bonus = _KIND_BONUS if kind != "any" and carries(kind, unit) else 0.0
    if kind == "definition" and is_entry(query, unit):
        bonus += _ENTRY_BONUS
    return coverage(query, (unit,)) + bonus


def _runs(picked: list[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for i in picked:
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs
