"""The arms `scout`, the navigator without a model, and `scout-warm`, the same where earlier walks left trails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bench.arms.arm import Answerer, Arm
from bench.arms.oneshot import statements_of
from bench.attempt import Asked, Reply
from forest.routes import Memory
from forest.state import State

if TYPE_CHECKING:
    from navigator.walk import Walk


def _opening(memory: Memory | None) -> Callable[[State], Answerer]:
    def open_on(state: State) -> Answerer:
        from navigator.route import hunt

        def answer(asked: Asked) -> Reply:
            return reply_of(
                hunt(
                    state,
                    asked.text,
                    today=asked.today,
                    as_of=asked.as_of,
                    in_force_on=asked.in_force_on,
                    memory=memory,
                )
            )

        return answer

    return open_on


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


ARM = Arm("scout", "the deterministic navigator walks", {}, _opening(None))
WARM = Arm(
    "scout-warm",
    "the scout feels the trails that are there and sees their shortcuts; it leaves none",
    {"heat": "on", "shortcuts": 1},
    _opening(Memory(deposit=False)),
    is_warm=True,
)
