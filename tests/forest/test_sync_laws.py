"""Laws of syncing: three clones that do whatever and meet in any order, they end equal, and nothing counts twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import count, permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from forest.errors import TrailRefused
from forest.forgetting import erase, forget, prune
from forest.trail import Trail
from forest.trails import changes_since, deposit, feedback, stored_trails, verdicts_of
from tests.conftest import SMALL, git, plant
from tests.forest.clones import TODAY, Clone, clone_of, hub_of
from tests.forest.trail_making import NOON, made_trail

NAMES = ("ana", "beto", "carla")
WHO = st.sampled_from(range(3))
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("deposit"), WHO, st.integers(0, 5)),
        st.tuples(st.just("copy"), WHO, st.integers(0, 5)),
        st.tuples(st.just("sync"), WHO, st.just(0)),
        st.tuples(st.just("forget"), WHO, st.integers(0, 5)),
        st.tuples(st.just("erase"), WHO, st.just(0)),
        st.tuples(st.just("judge"), WHO, st.integers(0, 5)),
        st.tuples(st.just("prune"), WHO, st.integers(0, 3)),
    ),
    max_size=9,
)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Forests of their own, as many as are asked for."""
    top = tmp_path_factory.mktemp("mundos")
    small = plant(top / "bosque", SMALL)
    numbers = count()

    def made() -> Iterator[Path]:
        while True:
            place = top / f"w{next(numbers)}"
            place.mkdir()
            yield hub_of(small, place / "hub.git")

    return made()


@dataclass
class World:
    """Three clones that trust their hub, and what became of each trail."""

    hub: Path
    clones: list[Clone]
    made: list[tuple[Trail, str]] = field(default_factory=list)
    forgotten: set[str] = field(default_factory=set)
    judged: Counter[str] = field(default_factory=Counter)
    pruned: date | None = None

    def do(self, what: str, who: int, number: int) -> None:
        clone = self.clones[who]
        here = {stored.trail.id for stored in stored_trails(clone.snapshot)}
        if what == "deposit":
            question = f"¿Pregunta {number}?"
            trail = made_trail(clone.folder, question, minutes=len(self.made))
            trail = replace(trail, time=NOON + timedelta(minutes=len(self.made)) - timedelta(days=number))
            self._keep(clone, trail, question)
        elif what == "copy" and self.made:  # the same trail by another way than a sync
            self._keep(clone, *self.made[number % len(self.made)])
        elif what == "sync":
            clone.sync()
        elif what == "erase":
            erase(clone.snapshot)
        elif what == "prune":
            day = NOON.date() - timedelta(days=number)
            if clone.ref.tip():
                prune(clone.snapshot, day, TODAY)
                self.pruned = max(self.pruned or day, day)
        elif here and what == "forget":
            chosen = sorted(here)[number % len(here)]
            forget(clone.snapshot, [chosen])
            self.forgotten.add(chosen)
        elif here and what == "judge":
            chosen = sorted(here)[number % len(here)]
            feedback(clone.snapshot, chosen, "bad", at=NOON)
            self.judged[chosen] += 1

    def _keep(self, clone: Clone, trail: Trail, question: str) -> None:
        try:
            deposit(clone.snapshot, trail, question)
        except TrailRefused:
            assert trail.id in self.forgotten or (self.pruned is not None and trail.day < self.pruned)
            return
        if (trail, question) not in self.made:
            self.made.append((trail, question))

    @property
    def expected(self) -> set[str]:
        return {
            trail.id
            for trail, _ in self.made
            if trail.id not in self.forgotten and (self.pruned is None or trail.day >= self.pruned)
        }


@settings(
    max_examples=8,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(OPERATIONS, st.permutations(range(3)))
def test_three_clones_end_equal(
    worlds: Iterator[Path], operations: list[tuple[str, int, int]], order: list[int]
) -> None:
    hub = next(worlds)
    world = World(hub, [clone_of(hub, name) for name in NAMES])
    for operation in operations:
        world.do(*operation)
    for who in (*order, *order):
        world.clones[who].sync()
    assert_equal(world)


def assert_equal(world: World) -> None:
    expected = world.expected
    judged = {trail_id: (0, count) for trail_id, count in world.judged.items() if trail_id in expected}
    for clone in world.clones:
        assert clone.ids == expected
        told = changes_since(clone.snapshot, "")
        added = [trail_id for trail_id, _ in told.added]
        assert sorted(added) == sorted(expected)
        assert {one: counts for one, counts in told.verdicts.items() if counts != (0, 0)} == judged
        assert verdicts_of(clone.snapshot, expected) == {one: judged.get(one, (0, 0)) for one in expected}
        git(clone.folder, "fsck", "--strict")
        assert git(clone.folder, "status", "--porcelain") == ""
    if world.clones[0].ref.tip():
        trees = {clone.tree for clone in world.clones if clone.ref.tip()}
        assert len(trees) == 1


def test_clones_that_hunt_apart_end_equal_in_all_orders_of_syncing(worlds: Iterator[Path]) -> None:
    trees = set()
    for order in permutations(range(3)):
        hub = next(worlds)
        world = World(hub, [clone_of(hub, name) for name in NAMES])
        for who in range(3):
            world.do("deposit", who, 0)
        shared = world.made[0]
        world.do("copy", 1, 0)
        for who in (*order, *order[:2]):
            world.clones[who].sync()
        assert shared[0].id in world.clones[1].ids
        assert_equal(world)
        trees.add(world.clones[0].tree)
    assert len(trees) == 1
