"""The desk: a forest opened for asking, the arms opened on it and their model; each process of a run has one."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path

from bench.arms.arm import Answerer, ModelArm
from bench.arms.table import ARMS
from bench.attempt import MODEL_ERROR, Asked, Attempt, Reply
from bench.model import check_alive
from forest.citation import Citation
from forest.errors import CitationRefused, ForestError, WrongUsage
from forest.history import open_snapshot
from forest.proof import verify
from forest.state import State, open_state
from forest.text import one_line
from navigator.chat import Chat, ModelFailed
from navigator.endpoint import Endpoint
from navigator.opening import open_chat


@dataclass(frozen=True, slots=True)
class Task:
    """One attempt to be made; its key is the attempt's."""

    asked: Asked
    key: tuple[str, str, int]


class Desk:
    """A forest opened for asking, and the arms opened on it so far. Use it in `with`, or for a process's whole life."""

    def __init__(self, folder: Path, endpoint: Endpoint | None = None) -> None:
        self._snapshot = open_snapshot(folder)
        self._endpoint = endpoint
        self._states: dict[date | None, State] = {}
        self._answerers: dict[tuple[str, date | None], Answerer] = {}
        self._proven: dict[Citation, bool] = {}

    @cached_property
    def _chat(self) -> Chat:
        if self._endpoint is None:
            raise WrongUsage("There is no model to ask.", "Give one with --endpoint.")
        return open_chat(self._endpoint)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exc: object) -> None:
        for state in self._states.values():
            state.close()

    def attempt(self, task: Task) -> Attempt:
        """Make an attempt; whatever an arm raises is the attempt's error, and the run goes on.

        Raises:
            ModelGone: the arm's model failed, and does not answer anything else either.
        """
        answer = self._answerer(task.key[1], task.asked.as_of)
        start = time.perf_counter()
        try:
            reply, error = answer(task.asked), ""
        except ModelFailed as failed:
            reply, error = Reply((), MODEL_ERROR), one_line(f"{type(failed).__name__}: {failed}")
        except Exception as raised:
            reply, error = Reply((), "error"), one_line(f"{type(raised).__name__}: {raised}")
        seconds = time.perf_counter() - start
        if reply.ending == MODEL_ERROR:
            check_alive(self._chat)
        return Attempt(*task.key, reply, sum(map(self._is_proven, reply.citations)), seconds, error)

    def _answerer(self, name: str, as_of: date | None) -> Answerer:
        if as_of not in self._states:
            self._states[as_of] = open_state(self._snapshot, as_of=as_of)
        if (name, as_of) not in self._answerers:
            state, arm = self._states[as_of], ARMS[name]
            try:
                opened = arm.open(state, self._chat) if isinstance(arm, ModelArm) else arm.open(state)
            except ImportError as error:
                raise ForestError(f"The arm {name} cannot be opened: {error}.", "Leave it out of --arms.") from None
            self._answerers[name, as_of] = opened
        return self._answerers[name, as_of]

    def _is_proven(self, citation: Citation) -> bool:
        if citation not in self._proven:
            self._proven[citation] = False
            with suppress(CitationRefused):
                self._proven[citation] = verify(citation, self._snapshot).origin == "commit"
        return self._proven[citation]


@lru_cache(maxsize=1)
def _desk(folder: Path, endpoint: Endpoint | None) -> Desk:
    return Desk(folder, endpoint)


def work(given: tuple[Path, Endpoint | None, Task]) -> Attempt:
    """Make an attempt in a worker process, which keeps its desk."""
    folder, endpoint, task = given
    return _desk(folder, endpoint).attempt(task)
