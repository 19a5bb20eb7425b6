"""Unions of trees of trails: the same whatever meets whatever first, however often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.trail_tree import (
    TrailTree,
    TreePlace,
    TreeState,
    feedback_path,
    forgotten_path,
    place_of,
    question_path,
    state_from,
    trail_path,
    union,
)

FIRST = date(2026, 1, 1)


def trail_id(number: int) -> str:
    return f"{number:02x}" * 32


def day_of(trail: str) -> date:
    """What a trail says of itself: here its number is its day."""
    return FIRST + timedelta(days=int(trail[:2], 16))


@dataclass(frozen=True)
class Clone:
    """What one clone did since it was made."""

    deposits: frozenset[int]
    forgotten: frozenset[int]
    verdicts: frozenset[tuple[int, int]]
    erased: frozenset[int]
    pruned: int

    @property
    def tree(self) -> TrailTree:
        before = (FIRST + timedelta(days=self.pruned)).isoformat() if self.pruned else ""
        kept = [n for n in self.deposits - self.forgotten if n >= self.pruned]
        files = {trail_path(trail_id(n)): f"t{n}" for n in kept} | {question_path(trail_id(n)): f"q{n}" for n in kept}
        files |= {forgotten_path(trail_id(n)): "" for n in self.forgotten}
        files |= {
            feedback_path(trail_id(n), trail_id(e), "bad" if e % 2 else "good"): f"v{e}"
            for n, e in self.verdicts
            if n in kept
        }
        return TrailTree(TreeState(tuple(sorted(f"{one:016x}" for one in self.erased)), before), files)


NUMBERS = st.integers(0, 12)
CLONES = st.builds(
    Clone,
    st.frozensets(NUMBERS),
    st.frozensets(NUMBERS, max_size=4),
    st.frozensets(st.tuples(NUMBERS, NUMBERS), max_size=5),
    st.frozensets(NUMBERS, max_size=2),
    NUMBERS,
)


def same(one: TrailTree, two: TrailTree) -> bool:
    return one.state == two.state and dict(one.files) == dict(two.files)


@given(CLONES, CLONES)
def test_a_union_does_not_ask_who_came_first(one: Clone, two: Clone) -> None:
    assert same(union(one.tree, two.tree, day_of), union(two.tree, one.tree, day_of))


@given(CLONES, CLONES, CLONES)
def test_a_union_does_not_ask_which_met_before(one: Clone, two: Clone, three: Clone) -> None:
    left = union(union(one.tree, two.tree, day_of), three.tree, day_of)
    right = union(one.tree, union(two.tree, three.tree, day_of), day_of)
    assert same(left, right)


@given(CLONES, CLONES)
def test_a_union_said_twice_is_said_once(one: Clone, two: Clone) -> None:
    both = union(one.tree, two.tree, day_of)
    assert same(union(one.tree, one.tree, day_of), one.tree)
    assert same(union(both, two.tree, day_of), both)


@given(CLONES, CLONES)
def test_what_either_forgot_or_pruned_is_in_no_union(one: Clone, two: Clone) -> None:
    both = union(one.tree, two.tree, day_of)
    gone = one.forgotten | two.forgotten
    before = max(one.pruned, two.pruned)
    expected = {n for n in one.deposits | two.deposits if n not in gone and n >= before}
    assert {p for p in both.files if p.startswith("trails/")} == {
        path(trail_id(n)) for n in expected for path in (trail_path, question_path)
    }
    assert {p for p in both.files if p.startswith("forgotten/")} == {forgotten_path(trail_id(n)) for n in gone}


def test_paths_say_what_they_hold() -> None:
    one = trail_id(200)
    assert trail_path(one) == f"trails/c8/c8/{one[4:]}.json"
    assert place_of(trail_path(one)) == TreePlace("trail", one)
    assert place_of(question_path(one)) == TreePlace("question", one)
    assert place_of(forgotten_path(one)) == TreePlace("forgotten", one)
    assert place_of(feedback_path(one, trail_id(3), "bad")) == TreePlace("bad", one, trail_id(3))


@pytest.mark.parametrize(
    "path",
    [
        "state.json",
        "trails/c8/c8/../x.json",
        f"trails/c8/c8/{'0' * 60}.json\n",
        f"trails/c8/c8/{'0' * 60}.JSON",
        f"trails/C8/c8/{'0' * 60}.json",
        f"x/trails/c8/c8/{'0' * 60}.json",
        f"forgotten/c8/c8/{'0' * 61}",
        f"feedback/c8/c8/{'0' * 60}/{'0' * 64}-fine.json",
        "",
    ],
)
def test_other_paths_say_nothing(path: str) -> None:
    assert place_of(path) is None


@given(CLONES)
def test_a_state_is_read_as_it_was_written(one: Clone) -> None:
    assert state_from(one.tree.state.as_bytes()) == one.tree.state


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"no JSON",
        b"[]",
        b"[" * 100_000,
        b'{"epoch":0,"erased":[],"format":2,"pruned_before":""}',
        b'{"epoch":%d,"erased":[],"format":1,"pruned_before":""}' % 10**30,
        b'{"epoch":1,"erased":["x"],"format":1,"pruned_before":""}',
        b'{"epoch":0,"erased":[],"format":1,"pruned_before":"9999-99-99"}',
        b'{"epoch":0,"erased":[],"format":1,"pruned_before":"2026-01-01T00"}',
        b'{"epoch":0, "erased":[],"format":1,"pruned_before":""}',
        b'{"epoch":2,"erased":["%b","%b"],"format":1,"pruned_before":""}' % (b"1" * 16, b"0" * 16),
        b'{"epoch":0,"erased":[],"format":1,"more":1,"pruned_before":""}',
        b" " * 100_000,
    ],
)
def test_a_state_that_is_none_is_not_believed(data: bytes | None) -> None:
    assert state_from(data) is None
