"""Work spread over processes that end with whoever started them, and that leave Ctrl-C to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import TypeVar

from forest.errors import WorkerLost

T = TypeVar("T")
R = TypeVar("R")

_LOOK_SECONDS = 2.0
_AHEAD = 4  # chunks under way for each process: results that wait for their turn take memory


def ordered_map(work: Callable[[T], R], items: Iterable[T], processes: int, chunk: int = 1) -> Iterator[R]:
    """Yield `work(item)` in the order of the items, worked out by other processes a few chunks ahead.

    They are spawned, not forked: a forked copy of a process with threads (a progress bar) may hang. They never get
    Ctrl-C, so that the one that started them ends them; and they end by themselves when it was killed.

    Args:
        work: a function that can be imported, or a partial of one.
        items: taken as they are needed.
        processes: how many.
        chunk: how many items travel together.

    Raises:
        WorkerLost: a process was ended from outside; what was yielded before stands.
    """
    remaining = iter(items)
    chunks = iter(lambda: list(islice(remaining, chunk)), [])
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=_end_with, initargs=(os.getpid(),))
    waiting: deque[Future[list[R]]] = deque()
    try:
        for some in chunks:
            with _ctrl_c_waits(), _no_main():  # processes are started when there is work for them
                waiting.append(pool.submit(_each, work, some))
            if len(waiting) >= processes * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise WorkerLost(
            "A worker process was ended from outside.", "Is there enough memory? Then the same command again."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _each(work: Callable[[T], R], items: list[T]) -> list[R]:
    return [work(item) for item in items]


def _end_with(parent: int) -> None:
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


@contextmanager
def _no_main() -> Iterator[None]:
    """Hide the program: a spawned process would run it again, and one without a `__main__` guard would start over."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Hold Ctrl-C back; processes started meanwhile never get it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when it starts later, it lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
