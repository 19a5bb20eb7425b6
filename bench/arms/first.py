"""The arm `first`: the walk of `llm` without a model: the first answer on offer, else the first way.

It is the control of `llm` and `mixed`: what it reaches is the environment's, and what a model adds is the difference.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from bench.arms.arm import Answerer, Arm
from bench.arms.scout import reply_of
from bench.attempt import Asked, Reply
from forest.state import State
from navigator.chat import Completion, Message, Schema, Usage
from navigator.page import NEITHER

_NO_SPLIT = {"pasos": ["-"], "dato": "-"}  # no word of the question: the grammar's clause and relations hold


class FirstOption:
    """A chat that reads only the schema of what it may reply."""

    model = "first"
    window_tokens = 1_000_000

    def complete(
        self,
        messages: Sequence[Message],  # noqa: ARG002 - it does not look
        *,
        schema: Schema | None = None,
        tools: Sequence[Schema] = (),  # noqa: ARG002
        limit_tokens: int = 256,  # noqa: ARG002
    ) -> Completion:
        """Return the first option, answers before ways; no split of a question."""
        options = _options(schema)
        chosen = next((option for option in options if option != NEITHER), NEITHER)
        return Completion(json.dumps({"opcion": chosen} if options else _NO_SPLIT), Usage())


def _options(schema: Schema | None) -> list[str]:
    properties = (schema or {}).get("properties")
    option = properties.get("opcion") if isinstance(properties, dict) else None
    return list(option["enum"]) if isinstance(option, dict) else []


def _open(state: State) -> Answerer:
    from navigator.route import hunt

    chat = FirstOption()

    def answer(asked: Asked) -> Reply:
        walk = hunt(
            state,
            asked.text,
            today=asked.today,
            as_of=asked.as_of,
            in_force_on=asked.in_force_on,
            navigator="llm",
            chat=chat,
            shuffle=asked.shuffle,
        )
        return reply_of(walk)

    return answer


ARM = Arm("first", "the pages of llm, always the first answer or way: no model", {}, _open)
