"""What the calls of recorded walks cost is summed by their place in the walk."""

from __future__ import annotations

from typing import Any

import pytest

from bench.turns import Turn, table, turns
from forest.journal import WalkRecord


def call(prompt: int, cached: int, seconds: float = 1.0, **more: Any) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "cached_tokens": cached,
        "completion_tokens": 8,
        "wall_seconds": seconds,
        **more,
    }


def step(tokens: int, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"observation": {"tokens": tokens}, "calls": list(calls)}


def record(*steps: dict[str, Any]) -> WalkRecord:
    return WalkRecord("one", {"navigator": "llm"}, steps, None)


def test_the_nth_calls_of_walks_are_told_together() -> None:
    long = record(step(50, call(300, 0)), step(70), step(10, call(500, 400, 3.0)))
    short = record(step(5, call(100, 100, 2.0)))
    assert list(turns([long, short])) == [
        Turn(1, 2, 200.0, 0.25, 8, 1.5, 0),
        Turn(2, 1, 500.0, 0.8, 8, 3.0, 120),
    ]


def test_calls_that_failed_and_walks_without_a_model_are_left_out() -> None:
    failed = record(step(5, call(0, 0, 9.0, failed=True), call(100, 50)))
    made = list(turns([failed, record(step(5)), record()]))
    assert [(turn.walks, turn.cached) for turn in made] == [(1, 0.5)]
    assert list(turns([])) == []


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_table_has_a_row_for_each(share: float) -> None:
    rows = table([Turn(1, 2, 1234.5, share, 8, 1.25, 0)]).splitlines()
    assert len(rows) == 3
    assert rows[-1] == f"| 1 | 2 | 1,234 | {share:.0%} | 8 | 1.2 | 0 |"
