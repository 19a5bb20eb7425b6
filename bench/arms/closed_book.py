"""The arm `closed-book`: a model answers from what it remembers, in one call, and cites nothing."""

from __future__ import annotations

from bench.arms.arm import Answerer, ModelArm
from bench.arms.asking import LIMIT_TOKENS, answer_alone
from bench.attempt import Asked, Reply
from forest.state import State
from navigator.chat import Chat
from navigator.meter import Meter


def _open(_: State, chat: Chat) -> Answerer:
    def answer(asked: Asked) -> Reply:
        return answer_alone(Meter(chat), "closed-book", asked)

    return answer


ARM = ModelArm("closed-book", "a model without any text, one call", {"limit_tokens": LIMIT_TOKENS}, _open)
