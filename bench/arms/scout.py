"""The arm `scout`: the navigator without a model walks the forest."""

from __future__ import annotations

from bench.arms.arm import Answerer, Arm
from bench.arms.oneshot import statements_of
from bench.attempt import Asked, Reply
from forest.state import State


def _open(state: State) -> Answerer:
    from navigator.route import hunt

    def answer(asked: Asked) -> Reply:
        walk = hunt(state, asked.text, today=asked.today, as_of=asked.as_of, in_force_on=asked.in_force_on)
        read = tuple(dict.fromkeys(walk.read))
        return Reply(
            statements_of(walk.answer.claims),
            walk.ending,
            found=read,
            read=read,
            steps=len(walk.steps),
            hops=walk.hops,
            tokens=walk.tokens,
        )

    return answer


ARM = Arm("scout", "the deterministic navigator walks", {}, _open)
