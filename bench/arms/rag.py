"""The arm `rag`: the six best passages before a model, and one call.

It finds passages by the search of `oneshot` and of every walk's first step, so that what it lacks beside a walk with
the same model is the walk, and not a better search.
"""

from __future__ import annotations

from dataclasses import replace

from bench.arms.arm import FOUND, Answerer, ModelArm
from bench.arms.asking import LIMIT_TOKENS, answer_from
from bench.attempt import Asked, Reply
from forest.question import ask
from forest.retrieval import search_passages
from forest.state import State
from navigator.chat import Chat
from navigator.meter import Meter, Use

_PASSAGES = 6


def _open(state: State, chat: Chat) -> Answerer:
    def answer(asked: Asked) -> Reply:
        query = ask(state, asked.text, today=asked.today, as_of=asked.as_of, in_force_on=asked.in_force_on)
        found = [hit.reading for hit in search_passages(state, query, FOUND)]
        ids = tuple(reading.passage.id for reading in found)
        best = [reading for reading in found if reading.text.strip()][:_PASSAGES]
        if not best:
            return Reply((), "abstained", found=ids, steps=1, use=Use())
        told = answer_from(Meter(chat), "rag", asked, best)
        return replace(told, found=ids, steps=told.steps + 1)

    return answer


ARM = ModelArm(
    "rag",
    "the six best passages before a model, one call",
    {"passages": _PASSAGES, "search": "oneshot", "limit_tokens": LIMIT_TOKENS},
    _open,
)
