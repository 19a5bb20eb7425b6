"""Work spread over processes: order, what is pulled ahead, and programs and workers that are not as one would wish."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from forest.errors import WorkerLost
from forest.processes import ordered_map


def test_results_come_in_the_order_of_the_items_whatever_the_chunks() -> None:
    assert list(ordered_map(abs, range(-50, 0), 2, chunk=7)) == list(range(50, 0, -1))


def test_items_are_taken_only_as_they_are_needed() -> None:
    taken = []

    def items() -> Iterator[int]:
        for item in range(1_000):
            taken.append(item)
            yield item

    results = ordered_map(abs, items(), 2)
    next(results)
    assert len(taken) < 20
    results.close()  # type: ignore[attr-defined]


def test_an_error_of_the_work_is_the_callers() -> None:
    with pytest.raises(ValueError, match="math domain error"):
        list(ordered_map(math.sqrt, [1, -1], 2))


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_worker_that_is_killed_is_said_and_not_waited_for() -> None:
    with pytest.raises(WorkerLost, match="ended from outside"):
        list(ordered_map(signal.raise_signal, [signal.SIGKILL], 2))


def test_a_program_without_a_main_guard_is_not_run_again(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
            from forest.processes import ordered_map

            print("begun")
            print(list(ordered_map(abs, [-1, -2, -3], 2)))
        """)
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.returncode) == ("begun\n[1, 2, 3]\n", 0), done.stderr
