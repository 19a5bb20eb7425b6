"""Chats: what is said to a model and what it says back, as values, and the one thing that every model can do.

How a model is reached is `navigator.openai_chat`'s; `navigator.scripted` has one that says what it was given to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from forest.errors import ForestError

Role = Literal["system", "user", "assistant", "tool"]
Schema = Mapping[str, object]


class ModelFailed(ForestError):
    """A model could not be reached, or what came back is no reply of a model. Neither key nor prompt is in it."""


class TooLong(ModelFailed):
    """The endpoint refused a prompt because it does not fit into the model's window."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model calls.

    Attributes:
        id: by which the result is answered.
        name: as the model wrote it.
        arguments: JSON as the model wrote it; of unknown form.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    Attributes:
        role: who says it.
        text: what is said.
        calls: the tools that an assistant's message calls.
        call_id: of a tool's message, the call that it answers.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost, in the model's own tokens.

    Attributes:
        prompt_tokens: of all that was sent, cached or not.
        completion_tokens: of the reply.
        cached_tokens: of the prompt, those that the server had in its prefix cache; 0 when it does not tell.
        estimated: whether the server told nothing and the numbers are by `forest.text.count_tokens`.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said.

    Attributes:
        text: its words; "" when it only calls tools.
        usage: what it cost.
        wall_seconds: from the request to the end of the reply, attempts that failed included.
        calls: the tools that it calls.
        cut: whether it was stopped by the limit of its length.
    """

    text: str
    usage: Usage
    wall_seconds: float = 0.0
    calls: tuple[ToolCall, ...] = ()
    cut: bool = False


class Chat(Protocol):
    """A model that can be talked to."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def window_tokens(self) -> int:
        """How many tokens prompt and reply may have together, as the server tells or as configured."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        tools: Sequence[Schema] = (),
        limit_tokens: int = 256,
    ) -> Completion:
        """Say something to the model and return what it says.

        Args:
            messages: the whole conversation; the model remembers nothing.
            schema: JSON schema that the reply is constrained by where the server honours it; the reply may break it.
            tools: definitions as `forest.tools.schema.definitions` gives them.
            limit_tokens: of the reply at most.

        Raises:
            ModelFailed: after as many attempts as the chat makes; `TooLong` when the prompt does not fit.
        """
