"""Replies: the JSON that a model's words hold, checked against what was asked for, or a sentence that teaches it.

Small models wrap their JSON in fences and prose, quote it singly and leave commas behind; all that is taken. Time is
linear in a bounded text. What a schema may ask for is `navigator.shape`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from navigator.shape import Language, Wrong, checked, taught

MAX_REPLY_CHARACTERS = 32_768
_MAX_DEPTH = 32
_MAX_TRIES = 8
_NEAR = 8  # characters of white space that are looked over


class WrongReply(Exception):
    """A reply is not what was asked for; the message is one sentence for the model, and quotes nothing of the reply."""


def parse_reply(text: str, schema: Mapping[str, Any], language: Language = "es") -> Any:
    r"""Return what a reply says, as its schema has it.

    Properties that the schema does not name are left out; a number written as a text is taken for the number.

    Args:
        text: as the model wrote it.
        schema: that it was asked to keep to.
        language: of the sentence that teaches.

    Raises:
        WrongReply: there is no JSON in it, or it breaks the schema.

    Examples:
        >>> parse_reply("Elijo: ```json\n{'puerta': 2,}\n```", {"properties": {"puerta": {"type": "integer"}}})
        {'puerta': 2}
    """
    wrong: Wrong | None = None
    try:
        for value in _values(text, schema):
            try:
                return checked(value, schema)
            except Wrong as error:
                wrong = wrong or error
    except Wrong as error:
        wrong = wrong or error
    raise WrongReply(taught(wrong or Wrong("none", schema), language))


def _values(text: str, schema: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what in a text may be the JSON that is meant.

    Raises:
        Wrong: there is nothing more, and what there is cannot be read.
    """
    if len(text) > MAX_REPLY_CHARACTERS:
        raise Wrong("long", schema)
    # What a model thinks aloud before its reply is none of it.
    text = text.rpartition("</think>")[2].strip()
    if not text.startswith(("{", "[")):
        bare = _loaded(text)
        if bare is not None:
            yield bare
    try:
        spans = list(_spans(text))
    except RecursionError:
        raise Wrong("deep", schema) from None
    readable = [read for start, end in spans[:_MAX_TRIES] if (read := _read(text[start:end])) is not None]
    yield from readable
    if not readable and ("{" in text or "[" in text):
        raise Wrong("broken" if spans else "unclosed", schema)


def _read(text: str) -> Any:
    value = _loaded(text)
    return _loaded(_mended(text)) if value is None else value


def _loaded(text: str) -> Any:
    """Return what JSON says, None when it says nothing that can be read."""
    try:
        return json.loads(text, strict=False, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None


def _no_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are no JSON


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every outermost pair of braces or brackets, in order; one that stays open is passed over.

    Raises:
        RecursionError: they are nested more deeply than is read.
    """
    begin = 0
    for _ in range(_MAX_TRIES):
        start = next((at for at in range(begin, len(text)) if text[at] in "{["), None)
        if start is None:
            return
        end = _end(text, start)
        if end:
            yield start, end
        begin = end or start + 1


def _end(text: str, start: int) -> int:
    """Return where the pair that opens at a place is closed, 0 when it is not."""
    depth = 0
    quote = ""
    escaped = False
    for at in range(start, len(text)):
        letter = text[at]
        if quote:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == quote and (quote == '"' or _ends(text, at)):
                quote = ""
        elif letter == '"' or (letter == "'" and _begins(text, at)):
            quote = letter
        elif letter in "{[":
            depth += 1
            if depth > _MAX_DEPTH:
                raise RecursionError
        elif letter in "}]":
            depth -= 1
            if not depth:
                return at + 1
    return 0


def _ends(text: str, at: int) -> bool:
    """Tell whether a single quote closes a text: an apostrophe has a letter after it."""
    return text[at + 1 : at + 1 + _NEAR].lstrip()[:1] in ("", ",", ":", "}", "]")


def _begins(text: str, at: int) -> bool:
    return text[max(0, at - _NEAR) : at].rstrip()[-1:] in ("", ",", ":", "{", "[")


_BARE = {"True": "true", "False": "false", "None": "null"}


def _mended(text: str) -> str:
    """Return text with single quotes made double, commas before an end left out, and Python's words as JSON's."""
    parts: list[str] = []
    quote = word = ""
    escaped = False
    for at, letter in enumerate(text):
        if quote:
            if escaped:
                escaped = False
                parts.append("'" if letter == "'" else f"\\{letter}")
            elif letter == "\\":
                escaped = True
            elif letter == quote and (quote == '"' or _ends(text, at)):
                quote = ""
                parts.append('"')
            else:
                parts.append('\\"' if letter == '"' else letter)
            continue
        if letter.isalpha():
            word += letter
            continue
        parts.append(_BARE.get(word, word))
        word = ""
        if letter in "\"'":
            quote = letter
            parts.append('"')
        elif letter != "," or text[at + 1 : at + 1 + _NEAR * 4].lstrip()[:1] not in ("}", "]"):
            parts.append(letter)
    return "".join([*parts, _BARE.get(word, word)])
