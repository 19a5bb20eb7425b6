"""Opening a chat: from an endpoint to what can be talked to. Nothing is connected to before the first call."""

from __future__ import annotations

from pathlib import Path

from navigator.chat import Chat
from navigator.endpoint import SCRIPT, Endpoint


def open_chat(endpoint: Endpoint) -> Chat:
    """Return the chat of an endpoint.

    Raises:
        WrongUsage: it is a script that cannot be read.
    """
    if endpoint.url.startswith(SCRIPT):
        from navigator.scripted import read_script

        return read_script(Path(endpoint.url.removeprefix(SCRIPT)))
    from navigator.openai_chat import OpenAIChat

    return OpenAIChat(endpoint)
