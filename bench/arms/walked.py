"""The arms `llm`, `mixed` and `tools`: a model walks the forest, decides where the scout does not, or calls tools."""

from __future__ import annotations

from bench.arms.arm import Answerer, ModelArm
from bench.arms.scout import reply_of
from bench.attempt import Asked, Reply
from forest.state import State
from navigator.chat import Chat


def _walks(navigator: str, about: str) -> ModelArm:
    def open_on(state: State, chat: Chat) -> Answerer:
        from navigator.route import hunt

        def answer(asked: Asked) -> Reply:
            walk = hunt(
                state,
                asked.text,
                today=asked.today,
                as_of=asked.as_of,
                in_force_on=asked.in_force_on,
                navigator=navigator,
                chat=chat,
                shuffle=asked.shuffle,
            )
            return reply_of(walk, asks_model=True)

        return answer

    return ModelArm(navigator, about, {}, open_on)


TOOLS = _walks("tools", "a model calls the retrieval tools, six times at most, and concludes")
LLM = _walks("llm", "a model walks")
MIXED = _walks("mixed", "the scout walks, and a model decides where its ranking is not clear")
