"""Replies of tools as a model sees them: a few lines, within a budget of tokens, saying aloud what they leave out.

What the tools find is `forest.tools`'; here it is only written down. Text of nodes stands between fences.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from datetime import date
from itertools import accumulate
from typing import Any

from forest.observation import Observation
from forest.text import count_tokens
from forest.tools import Chunk, Cited, Document, Evidence, Part, Reference, Reply, Version
from forest.tools.session import Days
from forest.units import units_of
from navigator.fencing import fenced, line_of

_SHORT = 160  # characters of a title or scent
_MOST_IDS = 8
_FRAME_TOKENS = 60  # of the lines around the items


def _cut(text: str) -> str:
    line = line_of(text)
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}…"


def _period(begins: date | None, ends: date | None, *, known: bool = True) -> str:
    if begins is None and ends is None:
        return "" if known else "in force: it does not say when"
    return f"in force {f'from {begins}' if begins else 'since an unknown day'}{f' until {ends}' if ends else ''}"


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _ids(ids: tuple[str, ...]) -> str:
    shown = ", ".join(map(line_of, ids[:_MOST_IDS]))
    return f"{shown}, and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else shown


def _document(one: Document) -> str:
    by = ", ".join(map(_cut, one.institution))
    told = _joined(one.kind, f"published {one.published}" if one.published else "", f"issued by {by}" if by else "")
    best = f"; best passage {line_of(one.chunk_id)}" if one.chunk_id else ""
    return f"document {line_of(one.id)}: {_cut(one.title)} ({told}){best}"


def _evidence(one: Evidence | Part) -> str:
    under = " > ".join(map(_cut, one.heading[-2:]))
    place = f"passage {line_of(one.chunk_id)}" if one.chunk_id else f"node {line_of(one.node_id)} without text"
    return f"{place}: {_joined(_cut(one.title), under)} ({one.tokens} tokens)"


def _version(one: Version) -> str:
    held = _period(one.in_force_from, one.in_force_to, known=False)
    return f"text {line_of(one.id)}: {_cut(one.title)} ({held}); passages {_ids(one.chunk_ids)}"


def _cited(one: Cited) -> str:
    day = f"published {one.published}" if one.published else ""
    means = f"«{_cut(one.said)}» means {line_of(one.node_id)}: {_cut(one.title)}"
    passages = f"; passages {_ids(one.chunk_ids)}" if one.chunk_ids else ""
    return f"{means} ({_joined(one.kind, day)}); document {line_of(one.document_id)}{passages}"


def _reference(one: Reference) -> str:
    document = f"; document {line_of(one.document_id)}" if one.document_id != one.node_id else ""
    return f"{one.kind} -> {line_of(one.node_id)}: {_cut(one.title)}{document}; {_cut(one.scent)}"


def _days(one: Days) -> str:
    days = _joined(
        f"today {one.today}",
        f"as if nothing after {one.as_of} were known" if one.as_of else "",
        f"texts in force on {one.in_force_on}" if one.in_force_on else "",
    )
    return f"{days}; {one.chunks_read} passages read"


_LINES: Mapping[type, Callable[[Any], str]] = {
    Document: _document,
    Evidence: _evidence,
    Part: _evidence,
    Version: _version,
    Cited: _cited,
    Reference: _reference,
    Days: _days,
}


def reply_text(reply: Reply[Any], budget_tokens: int) -> tuple[Observation[Any], dict[str, int]]:
    """Write down a reply.

    Args:
        reply: of any tool.
        budget_tokens: of the text; one item is shown even when it is over it, sentences of a passage excepted.

    Returns:
        What is shown, and of each passage shown up to which character of its text.
    """
    room = max(budget_tokens - _FRAME_TOKENS, 1)
    seen: dict[str, int] = {}
    shown: list[str] = []
    for item in reply.items:
        text = _chunk(item, room, seen) if isinstance(item, Chunk) else _LINES[type(item)](item)
        cost = count_tokens(f"{text}\n")
        if shown and cost > room:
            seen.pop(getattr(item, "chunk_id", ""), None)
            break
        shown.append(text)
        room -= cost
    cut = len(reply.items) - len(shown)
    left = f"CUT OFF: {len(shown)} of {len(reply.items)} are shown, {cut} LEFT OUT: ask for fewer." if cut else ""
    head = f"{reply.tool or 'call'}: {reply.status}, {len(reply.items)} found."
    said = [line_of(text) for text in (reply.message, reply.hint, *reply.notes) if text]
    text = "\n".join([" ".join([head, *([left] if left else [])]), *said, *shown, *([left] if left else [])])
    truncated = bool(cut) or not reply.complete or any(end < len(item.text) for item, end in _ends(reply, seen))
    tokens = count_tokens(text)
    return Observation(text, tokens, len(shown), len(reply.items), truncated, "", reply.items[: len(shown)]), seen


def _ends(reply: Reply[Any], seen: Mapping[str, int]) -> list[tuple[Chunk, int]]:
    return [(item, seen[item.chunk_id]) for item in reply.items if isinstance(item, Chunk) and item.chunk_id in seen]


def _chunk(one: Chunk, room: int, seen: dict[str, int]) -> str:
    """Return a passage, whole sentences and rows of it only, and remember how far it is shown."""
    head = _joined(
        _cut(one.title), " > ".join(map(_cut, one.heading[-2:])), _period(one.in_force_from, one.in_force_to)
    )
    end, text = len(one.text), one.text
    if one.tokens > room:
        spans = units_of(one.text)
        sizes = list(accumulate(count_tokens(one.text[span.start : span.end]) + 1 for span in spans))
        fitting = max(bisect_right(sizes, room), 1)
        end = spans[fitting - 1].end if spans else end
        text = one.text[:end]
    seen[one.chunk_id] = end
    left = one.text[end:].strip()
    rest = f"\nCUT OFF: {count_tokens(left)} tokens of this passage are LEFT OUT." if left else ""
    return f"passage {line_of(one.chunk_id)}: {head}\n{fenced(one.chunk_id, text)}{rest}"
