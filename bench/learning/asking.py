"""Asking: a forest opened for trials; each process of an experiment has one open."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from bench.arms.scout import reply_of
from bench.attempt import Asked, Attempt, Reply
from bench.learning.trial import Role, Trial, doors_walked, reached, way_of
from forest.citation import Citation
from forest.errors import CitationRefused, WrongUsage
from forest.history import open_snapshot
from forest.proof import verify
from forest.routes import Memory
from forest.state import State, open_state
from forest.store import INDEX_NAME
from forest.text import one_line
from navigator.walk import Walk

# How a question is walked: its state, what is asked, and what of the memory is used, None for nothing.
Hunt = Callable[[State, Asked, Memory | None], Walk]


@dataclass(frozen=True, slots=True)
class Task:
    """A trial to be made.

    Attributes:
        number: of the pass.
        role: why it is asked.
        question: its id.
        asked: its words and clocks.
        gold: for each hop the passages that hold it.
        memory: what of the memory is used; None for nothing.
    """

    number: int
    role: Role
    question: str
    asked: Asked
    gold: tuple[frozenset[str], ...]
    memory: Memory | None

    @property
    def key(self) -> tuple[int, str, str]:
        """What names its trial."""
        return self.number, self.role, self.question


class Asker:
    """A forest opened for trials, with a state for each limit of what is known. Use it in `with`."""

    def __init__(self, folder: Path, hunt: Hunt) -> None:
        self._snapshot = open_snapshot(folder)
        self._hunt = hunt
        self._states: dict[date | None, State] = {}
        self._proven: dict[Citation, bool] = {}

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *exc: object) -> None:
        for state in self._states.values():
            state.close()

    def trial(self, task: Task) -> Trial:
        """Make a trial; whatever the walk raises is its error, and the experiment goes on."""
        walk, error, start = None, "", time.perf_counter()
        try:
            state = self._state(task.asked.as_of)
            if task.memory is not None:
                state.shortcuts.refresh()  # others may have been earned since the state was opened
            walk = self._hunt(state, task.asked, task.memory)
        except Exception as raised:
            error = one_line(f"{type(raised).__name__}: {raised}")
        seconds = time.perf_counter() - start
        reply = reply_of(walk) if walk is not None else Reply((), "error")
        proven = sum(map(self._is_proven, reply.citations))
        attempt = Attempt(task.question, "scout", 1, reply, proven, seconds, error)
        if walk is None:
            return Trial(task.number, task.role, attempt, (0,) * len(task.gold), (), 0)
        return Trial(
            task.number,
            task.role,
            attempt,
            reached(walk.steps, task.gold),
            way_of(walk.steps),
            doors_walked(walk.steps),
            walk.deposited,
        )

    def _state(self, as_of: date | None) -> State:
        if as_of not in self._states:
            self._states[as_of] = open_state(self._snapshot, as_of=as_of)
        return self._states[as_of]

    def _is_proven(self, citation: Citation) -> bool:
        if citation not in self._proven:
            self._proven[citation] = False
            with suppress(CitationRefused):
                self._proven[citation] = verify(citation, self._snapshot).origin == "commit"
        return self._proven[citation]


def scout_hunt(state: State, asked: Asked, memory: Memory | None) -> Walk:
    """Walk with the scout."""
    return _walked(state, asked, memory, "")


def scout_hunt_from_root(state: State, asked: Asked, memory: Memory | None) -> Walk:
    """Walk with the scout from the root of the forest, without a search and without entering what is named."""
    root = state.catalog.at_path(INDEX_NAME)
    if root is None:
        raise WrongUsage("This forest has no root node to begin at.", "Leave out --at-root.")
    return _walked(state, asked, memory, root.id)


def _walked(state: State, asked: Asked, memory: Memory | None, begin_at: str) -> Walk:
    from navigator.route import hunt

    return hunt(
        state,
        asked.text,
        today=asked.today,
        as_of=asked.as_of,
        in_force_on=asked.in_force_on,
        memory=memory,
        begin_at=begin_at,
    )


@lru_cache(maxsize=1)
def _asker(folder: Path, hunt: Hunt) -> Asker:
    return Asker(folder, hunt)


def work(given: tuple[Path, Hunt, Task]) -> Trial:
    """Make a trial in a worker process, which keeps its forest open."""
    folder, hunt, task = given
    return _asker(folder, hunt).trial(task)
