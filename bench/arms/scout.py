"""The arm `scout`: the navigator without a model walks the forest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.arms.arm import Answerer, Arm
from bench.arms.oneshot import statements_of
from bench.attempt import Asked, Reply
from forest.state import State

if TYPE_CHECKING:
    from navigator.walk import Walk


def _open(state: State) -> Answerer:
    from navigator.route import hunt

    def answer(asked: Asked) -> Reply:
        return reply_of(hunt(state, asked.text, today=asked.today, as_of=asked.as_of, in_force_on=asked.in_force_on))

    return answer


def reply_of(walk: Walk, *, asks_model: bool = False) -> Reply:
    """Return what a walk gave, with what its model cost if it asks one."""
    read = tuple(dict.fromkeys(walk.read))
    return Reply(
        statements_of(walk.answer.claims),
        walk.ending,
        found=read,
        read=read,
        steps=len(walk.steps),
        hops=walk.hops,
        tokens=walk.tokens,
        use=walk.use if asks_model else None,
    )


ARM = Arm("scout", "the deterministic navigator walks", {}, _open)
