"""Forms: how a call and a conclusion are asked for, and how both are found in what a model wrote.

Models write calls as calls, as JSON in their text, in fences, in tags, and with other names for the same fields; all of
these count. What is found is of unknown form still: `navigator.toolbox` checks it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from navigator.chat import Completion, Schema, ToolCall

_MOST_OBJECTS = 12
_MOST_BRACES = 64
_MOST_TEXT = 20_000  # characters of a reply that are looked at
_CALL_NAMES = ("name", "tool", "function")
_ARGUMENT_NAMES = ("arguments", "parameters", "args", "input")


def calls_of(completion: Completion, number: int) -> tuple[ToolCall, ...]:
    """Return the calls of a reply: those that it makes, else those that it writes as JSON in its text.

    Args:
        completion: what the model said.
        number: of the turn, for the ids: those that models give are often the same twice.
    """
    made = completion.calls or tuple(_written(completion.text))
    return tuple(
        ToolCall(f"call_{number}_{place}", one.name, one.arguments)
        for place, one in enumerate(made[:_MOST_OBJECTS], start=1)
    )


def _written(text: str) -> Iterator[ToolCall]:
    for data in objects_in(text):
        name = next((data[key] for key in _CALL_NAMES if data.get(key)), None)
        if isinstance(name, Mapping):  # {"function": {"name": …, "arguments": …}}
            data, name = name, name.get("name")
        if not isinstance(name, str):
            continue
        arguments: object = next((data[key] for key in _ARGUMENT_NAMES if key in data), {})
        yield ToolCall("", name, arguments if isinstance(arguments, str) else json.dumps(arguments))


def objects_in(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects that stand in a text, whatever is around them; a bounded number of places is tried."""
    decoder, at = json.JSONDecoder(), 0
    text = text[:_MOST_TEXT]
    for _ in range(_MOST_BRACES):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(value, dict):
            yield value


def conclusion_in(text: str) -> str:
    """Return the first conclusion that stands in a reply, as JSON; "" when none does."""
    for data in objects_in(text):
        if "answer" in data and ({"cites", "missing"} & data.keys()):
            return json.dumps({key: data.get(key) for key in ("answer", "cites", "missing")}, ensure_ascii=False)
    return ""


def conclusion_schema(cites: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a conclusion that can cite only some passages."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "answer": {"type": "string", "maxLength": 300},
            "cites": {"type": "array", "items": {"type": "string", "enum": [*cites]}, "maxItems": 4},
            "missing": {"type": "string", "maxLength": 200},
        },
        "required": ["answer", "cites", "missing"],
    }


def names_of(tools: Sequence[Schema]) -> list[str]:
    """Return the names of some tools, in their order."""
    functions: list[Any] = [tool["function"] for tool in tools]
    return [function["name"] for function in functions]


def call_schema(tools: Sequence[Schema]) -> dict[str, Any]:
    """Return the schema of a call that is written as text."""
    return {
        "type": "object",
        "properties": {"name": {"type": "string", "enum": names_of(tools)}, "arguments": {"type": "object"}},
        "required": ["name", "arguments"],
    }


def tool_in_words(tool: Schema) -> str:
    """Return a tool as one line, for models that are sent no definitions."""
    function: Any = tool["function"]
    given, required = function["parameters"]["properties"], function["parameters"]["required"]
    names = ", ".join(key if key in required else f"{key}?" for key in given)
    return f"{function['name']}({names}): {function['description']}"
