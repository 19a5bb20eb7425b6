"""A walk told to a reader: step by step, where it stood, what it saw, what it chose and why."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from forest.journal import WalkRecord
from forest.text import one_line, printable

_WIDTH = 110
_HEAD_LINES = 3
_SEEN_ITEMS = 6


def steps_text(steps: Iterable[Mapping[str, Any]], *, whole: bool = False) -> str:
    """Return steps for a terminal.

    Args:
        steps: as a journal keeps them.
        whole: show all that was seen, not the gist of it.
    """
    lines: list[str] = []
    for step in steps:
        seen = step["observation"]
        place = step["at"] or "nowhere yet"
        chosen = f"at {place}: {step['action']}"
        lines.append(f"{step['step']:>3}. {_clean(chosen)}")
        if step["why"]:
            lines += _indented(f"why: {step['why']}")
        shown = str(seen["text"]).splitlines()
        kept = shown if whole else _gist(shown)
        for line in kept:
            lines += (
                _indented(f"| {line}")
                if whole
                else [f"     | {textwrap.shorten(_clean(line), _WIDTH - 7, placeholder=' …')}"]
            )
        if len(shown) > len(kept):
            lines.append(f"     | … {len(shown) - len(kept)} more lines ({seen['tokens']} tokens)")
    return "\n".join(lines)


def _gist(shown: list[str]) -> list[str]:
    """Return the first lines of what was seen, and its first numbered items: among these the choice was made."""
    items = [number for number, line in enumerate(shown) if line.startswith("[")][:_SEEN_ITEMS]
    return [line for number, line in enumerate(shown) if number < _HEAD_LINES or number in items]


def walk_text(record: WalkRecord) -> str:
    """Return a recorded walk for a terminal, finished or not."""
    head = record.header
    lines = [_clean(f"Walk {record.id} by {head['navigator']}"), _clean(f"Question: {head['question']}"), ""]
    lines.append(steps_text(record.steps, whole=True))
    if record.ending is None:
        return "\n".join([*lines, "", "It has no ending: it goes on, or was stopped from outside."])
    return "\n".join([*lines, "", *_ending(record.ending)])


def _ending(ending: Mapping[str, Any]) -> list[str]:
    claims = ending["answer"]["claims"]
    said = [_clean(f"{claim['value'] or claim['text']} ({claim['citations'][0]['node']})") for claim in claims]
    return [_clean(f"Ending: {ending['ending'].replace('_', ' ')}"), *(f"  {line}" for line in said)]


def _indented(text: str) -> list[str]:
    return textwrap.wrap(_clean(text), _WIDTH, initial_indent="     ", subsequent_indent="       ")


def _clean(text: str) -> str:
    return printable(one_line(text))
