"""The meter: a chat that counts what it is asked. It keeps numbers and never a word of what was said.

It also keeps the time limit of a walk while a model is slow: once that time is up, no further call is begun.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from navigator.chat import Chat, Completion, Message, ModelFailed, Schema, Usage

_NAME_CHARACTERS = 120


class OutOfTime(ModelFailed):
    """The walk has no time left for another call of its model."""


@dataclass(frozen=True, slots=True)
class Call:
    """What one call cost.

    Attributes:
        usage: in the model's tokens; all zero when the call failed.
        wall_seconds: until the reply was whole, or until it failed.
        failed: whether no reply of a model came.
    """

    usage: Usage
    wall_seconds: float
    failed: bool = False

    def as_line(self) -> dict[str, object]:
        """Return it as JSON-ready data."""
        told: dict[str, object] = {**asdict(self.usage), "wall_seconds": round(self.wall_seconds, 3)}
        return {**told, "failed": True} if self.failed else told


@dataclass(frozen=True, slots=True)
class Use:
    """What a walk asked of its model; all zero of a walk without one.

    Attributes:
        model: its name; "" when it never replied.
        calls: of the model, those that failed included.
        usage: of all calls together.
        wall_seconds: waited for it.
        decided: how many steps the model chose.
    """

    model: str = ""
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    wall_seconds: float = 0.0
    decided: int = 0

    def as_line(self) -> dict[str, object]:
        """Return it as JSON-ready data."""
        seconds = round(self.wall_seconds, 3)
        counted = {"calls": self.calls, **asdict(self.usage), "wall_seconds": seconds, "decided": self.decided}
        return {"model": self.model, **counted}

    def told(self) -> str:
        """Return it in one clause, "" when no model was asked."""
        if not self.calls:
            return ""
        usage = self.usage
        about = "about " if usage.estimated else ""
        return (
            f"{self.calls} model calls, {about}{usage.prompt_tokens} tokens in ({usage.cached_tokens} cached), "
            f"{usage.completion_tokens} out, {self.wall_seconds:.1f} s, {self.decided} steps decided by the model"
        )


class Meter:
    """A chat that counts, over one that talks.

    Args:
        chat: is asked.
        clock: gives seconds.
        until: on that clock, when no call is begun any more; None for no such time.
    """

    def __init__(self, chat: Chat, clock: Callable[[], float] = time.monotonic, until: float | None = None) -> None:
        self._chat, self._clock, self._until = chat, clock, until
        self._calls: list[Call] = []

    @property
    def model(self) -> str:
        """Its name."""
        return self._chat.model

    @property
    def window_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""
        return self._chat.window_tokens

    @property
    def calls(self) -> tuple[Call, ...]:
        """What each call cost, in order."""
        return tuple(self._calls)

    def use(self, decided: int = 0) -> Use:
        """Return the sums.

        Args:
            decided: how many steps the model chose, which a meter cannot know.
        """
        usage = sum((call.usage for call in self._calls), Usage())
        # A name that was left out is asked for at the endpoint: not when nothing came from there.
        name = _shown(self._chat.model) if any(not call.failed for call in self._calls) else ""
        return Use(name, len(self._calls), usage, sum(call.wall_seconds for call in self._calls), decided)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        tools: Sequence[Schema] = (),
        limit_tokens: int = 256,
    ) -> Completion:
        """Say something to the model, and count.

        Raises:
            OutOfTime: there is no time left for a call; none was made.
            ModelFailed: as the chat raises it; the call is counted.
        """
        begun = self._clock()
        if self._until is not None and begun >= self._until:
            raise OutOfTime("The time of the walk is up; the model was not asked again.")
        try:
            said = self._chat.complete(messages, schema=schema, tools=tools, limit_tokens=limit_tokens)
        except ModelFailed:
            self._calls.append(Call(Usage(), self._clock() - begun, failed=True))
            raise
        self._calls.append(Call(said.usage, self._clock() - begun))
        return said


def _shown(model: str) -> str:
    """Return a model's name without the folder of the server's machine that it may be in, and not without end."""
    name = re.split(r"[/\\]", model)[-1] if model.startswith("/") or "\\" in model else model
    return name[:_NAME_CHARACTERS]
