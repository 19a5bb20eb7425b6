"""What heat costs: trails that are planted are real ones, always the same, and all of them are measured."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

from bench.heat_costs import measure, planted, table
from forest.history import open_snapshot
from forest.state import open_state
from forest.trail import trail_bytes, trail_from
from forest.trail_index import open_trail_index
from tests.conftest import SMALL, plant


def test_planted_trails_are_trails_always_the_same_and_some_questions_are_asked_often(small: Path) -> None:
    with open_state(open_snapshot(small)) as state:
        some = list(islice(planted(state), 60))
        assert some == list(islice(planted(state), 60))
        assert some != list(islice(planted(state, seed=7), 60))
    for trail, _ in some:
        assert trail_from(trail_bytes(trail)) == trail
        assert trail.useful >= 2
    assert len({trail.id for trail, _ in some}) == 60
    assert Counter(text for _, text in some).most_common(1)[0][1] > 5


def test_costs_are_of_so_many_trails(tmp_path: Path) -> None:
    with open_state(open_snapshot(plant(tmp_path / "bosque", SMALL))) as state:
        source = planted(state)
        costs = [measure(state, source, there, wanted, rounds=1) for there, wanted in ((0, 150), (150, 300))]
        with open_trail_index(state) as index:
            assert len(index.trails_of()) == 300
    assert [one.trails for one in costs] == [150, 300]
    assert all(one.wall_seconds > 0 for one in costs[1].timings)
    assert table(costs[1]).startswith("300 trails, index ")
