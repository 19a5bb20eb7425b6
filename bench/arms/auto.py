"""The arm `auto`: one search, and a walk where that is not enough."""

from __future__ import annotations

from bench.arms.arm import Answerer, Arm
from bench.arms.oneshot import statements_of
from bench.attempt import Asked, Reply
from forest.state import State


def _open(state: State) -> Answerer:
    from navigator.router import hunt

    def answer(asked: Asked) -> Reply:
        took = hunt(state, asked.text, today=asked.today, as_of=asked.as_of, in_force_on=asked.in_force_on)
        searched = [found.reading.passage for found in took.tried.found]
        walked = took.walk
        read = tuple(dict.fromkeys((*(passage.id for passage in searched), *(walked.read if walked else ()))))
        return Reply(
            statements_of(took.answer.claims),
            walked.ending if walked and walked.answer is took.answer else took.answer.status,
            found=read,
            read=read,
            # The search of the cheap path is a step and its passages are read, whatever follows.
            steps=1 + (len(walked.steps) if walked else 0),
            hops=walked.hops if walked else 0,
            tokens=sum(passage.tokens for passage in searched) + (walked.tokens if walked else 0),
        )

    return answer


def _parameters() -> dict[str, int | float | str]:
    from navigator.router import KEEP
    from navigator.scout import PATIENCE

    return {"keep": KEEP, "satisfied": PATIENCE.satisfied, "searching": PATIENCE.searching}


ARM = Arm("auto", "one search, and a walk where that is not enough", _parameters(), _open)
