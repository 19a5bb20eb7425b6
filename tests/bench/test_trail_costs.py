"""The bench of keeping trails runs, and tells sizes and times of what it planted."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.trail_costs import main
from forest.history import open_snapshot
from forest.trails import stored_trails
from tests.conftest import SMALL, plant


def test_it_plants_as_many_as_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = plant(tmp_path / "bosque", SMALL)
    assert main([str(folder), "--trails", "150"]) == 0
    assert sum(1 for _ in stored_trails(open_snapshot(folder))) == 149  # one was forgotten
    told = capsys.readouterr().out
    assert told.startswith("| trails | deposit one |")
    assert "\n| 150 | " in told
