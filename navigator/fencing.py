"""Fences: text of nodes as a model is shown it, so that it can neither end its own fence nor begin another's turn.

Everything between two marks is data. Marks inside of it, and the marks by which the templates of chats tell turns and
calls apart, are made harmless first; nothing else of the words is changed, and what is quoted is copied from the node.
"""

from __future__ import annotations

import re

from forest.observation import clean
from forest.text import printable

OPEN, CLOSE = "<<<", ">>>"
MARKS = f"{OPEN} … {CLOSE}"
# `<|im_end|>`, `</s>`, `<tool_call>`, `<start_of_turn>`, `[INST]`, `<<SYS>>`, `<｜User｜>`: no gazette prints tags.
_TURNS = re.compile(r"<(?=[|/!?\w｜])|(?<=[|/\w｜])>|<<+|>>+|\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_[A-Z]{1,9})\])")
_INNER = str.maketrans("«»", "‹›")
_HARMLESS = {"<": "‹", ">": "›", "[": "("}


def defused(text: str) -> str:
    """Return text with control characters dropped and marks made harmless; lines stay lines."""
    return _TURNS.sub(lambda match: "".join(_HARMLESS[c] for c in match[0]), printable(text))


def line_of(text: str) -> str:
    """Return text of a node as one harmless line."""
    return defused(clean(text))


def inner_line(text: str) -> str:
    """Return text of a node as one harmless line that closes no quotation mark around it, and opens none."""
    return line_of(text).translate(_INNER)


def quoted(text: str) -> str:
    """Return text of a node as one harmless line between quotation marks."""
    return f"«{inner_line(text)}»"


def fenced(name: str, text: str) -> str:
    """Return text of a node between marks that it cannot write.

    Args:
        name: of what it is, such as the id of a passage.
        text: the node's own.
    """
    return f"{OPEN} {line_of(name)}\n{defused(text)}\n{CLOSE}"
