"""Processes that deposit, mint and are killed while a curator commits: nothing that was reported is lost."""

from __future__ import annotations

from pathlib import Path

from bench.storm import Weather, storm
from tests.conftest import SMALL, plant


def test_a_storm_loses_nothing_that_was_reported(tmp_path: Path) -> None:
    damage = storm(plant(tmp_path / "bosque", SMALL), Weather(processes=4, deposits=24, edits=4, killed=2))
    assert damage.is_none, damage
    assert len(set(damage.reported)) >= 24
    assert len(damage.edits) == 4
    assert damage.killed == 2
