"""The scripted chat: says what it was given to say, and remembers what it was told. For tests and demonstrations.

A script in a file is JSON Lines: a line is a text, an object (said as JSON), or `{"calls": [{"name": …, "arguments":
{…}}]}` for tools that are called. Nothing in it is run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forest.errors import WrongUsage
from forest.text import count_tokens
from navigator.chat import Completion, Message, ModelFailed, Schema, ToolCall, Usage

_MAX_SCRIPT_BYTES = 4 * 1024 * 1024
_WINDOW_TOKENS = 32_768

Said = str | Mapping[str, object] | Sequence[ToolCall] | Completion | Exception
Line = Said | Callable[[Sequence[Message]], Said]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a scripted chat was asked in one call."""

    messages: tuple[Message, ...]
    schema: Schema | None
    tools: tuple[Schema, ...]
    limit_tokens: int


class ScriptedChat:
    """A chat that says its lines in order.

    Args:
        lines: each a text; a mapping, said as JSON; tool calls; a whole completion; an exception to raise; or a
            function from the messages to one of these.
        model: its name.
        window_tokens: that prompt and reply may have together; nothing holds it to that.

    Attributes:
        heard: what it was asked, call by call.
    """

    def __init__(self, *lines: Line, model: str = "script", window_tokens: int = _WINDOW_TOKENS) -> None:
        self._lines = lines
        self._model, self._window_tokens = model, window_tokens
        self.heard: list[Heard] = []

    @property
    def model(self) -> str:
        """Its name."""
        return self._model

    @property
    def window_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""
        return self._window_tokens

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        tools: Sequence[Schema] = (),
        limit_tokens: int = 256,
    ) -> Completion:
        """Say the next line.

        Raises:
            ModelFailed: the script is at its end.
        """
        self.heard.append(Heard(tuple(messages), schema, tuple(tools), limit_tokens))
        if len(self.heard) > len(self._lines):
            raise ModelFailed(f"The script is at its end after {len(self._lines)} replies.", "Give it more lines.")
        line = self._lines[len(self.heard) - 1]
        said = line(messages) if callable(line) else line
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Completion):
            return said
        text, calls = _text_and_calls(said)
        asked = sum(count_tokens(message.text) for message in messages)
        told = count_tokens(text) + sum(count_tokens(call.name + call.arguments) for call in calls)
        return Completion(text, Usage(asked, told, estimated=True), calls=calls)


def _text_and_calls(said: str | Mapping[str, object] | Sequence[ToolCall]) -> tuple[str, tuple[ToolCall, ...]]:
    if isinstance(said, str):
        return said, ()
    if isinstance(said, Mapping):
        return json.dumps(said, ensure_ascii=False), ()
    return "", tuple(said)


def read_script(path: Path) -> ScriptedChat:
    """Return a chat that says the lines of a file.

    Raises:
        WrongUsage: there is no such file, it is too large, or a line is none.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_SCRIPT_BYTES + 1)
    except OSError as error:
        raise WrongUsage(f"The script {path} cannot be read: {error.strerror}.") from None
    if len(data) > _MAX_SCRIPT_BYTES:
        raise WrongUsage(f"The script {path} is over {_MAX_SCRIPT_BYTES:,} bytes.")
    texts = data.decode("utf-8-sig", "replace").splitlines()
    return ScriptedChat(*(_line(text, number) for number, text in enumerate(texts, 1) if text.strip()))


def _line(text: str, number: int) -> Said:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and set(value) == {"calls"} and isinstance(value["calls"], list):
        return [_call(call, f"{number}-{place}") for place, call in enumerate(value["calls"], 1)]
    if isinstance(value, str | dict):
        return value
    raise WrongUsage(f"Line {number} of the script is neither a text nor an object in JSON.")


def _call(value: object, call_id: str) -> ToolCall:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise WrongUsage("A call in the script has no name.", 'It is {"name": …, "arguments": {…}}.')
    return ToolCall(call_id, value["name"], json.dumps(value.get("arguments", {}), ensure_ascii=False))
