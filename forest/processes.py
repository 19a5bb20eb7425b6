"""Worker processes that end with whoever started them, and that leave Ctrl-C to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool

_LOOK_SECONDS = 2.0


@contextmanager
def worker_pool(count: int) -> Iterator[Pool]:
    """Give a pool of `count` processes.

    They are spawned, not forked: a forked copy of a process with threads (a progress bar) may hang. They never get
    Ctrl-C, so that the one that started them ends them; and they end by themselves when it was killed.
    """
    with _ctrl_c_waits():
        pool = multiprocessing.get_context("spawn").Pool(count, _end_with, (os.getpid(),))
    with pool:
        yield pool


def _end_with(parent: int) -> None:
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


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
