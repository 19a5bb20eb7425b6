"""Statistics: known intervals, seeded resamples, and questions of one chain drawn together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.statistics import Scored, difference, summarise, wilson


def scores(values: list[float | None], chains: list[str] | None = None) -> list[Scored]:
    names = chains or [f"c{i}" for i in range(len(values))]
    return [Scored(f"q{i}", chain, value) for i, (chain, value) in enumerate(zip(names, values, strict=True))]


# From the closed form, as tables of the score interval give it.
@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_s_interval_is_the_known_one(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_of_a_share_holds_it_and_stays_within_0_and_1(counts: tuple[int, int]) -> None:
    low, high = wilson(*counts)
    assert 0 <= low <= counts[0] / counts[1] <= high <= 1


def test_unscored_attempts_are_counted_and_never_zero() -> None:
    told = summarise(scores([1.0, None, 1.0, None]), is_yes_or_no=True, seed=1)
    assert (told.n, told.unscored, told.mean) == (2, 2, 1.0)


def test_without_a_score_there_is_no_mean() -> None:
    told = summarise(scores([None, None]), is_yes_or_no=False, seed=1)
    assert (told.n, told.unscored, told.mean, told.low) == (0, 2, None, None)


VALUES = st.lists(st.floats(0, 100), min_size=2, max_size=30)


@given(VALUES, st.integers(0, 5))
def test_the_same_seed_gives_the_same_interval(values: list[float], seed: int) -> None:
    first = summarise(scores(list(values)), is_yes_or_no=False, seed=seed)
    assert first == summarise(scores(list(values)), is_yes_or_no=False, seed=seed)
    assert first.low is not None
    assert first.high is not None
    assert min(values) - 1e-9 <= first.low <= first.high <= max(values) + 1e-9


@given(VALUES)
def test_an_arm_does_not_differ_from_itself(values: list[float]) -> None:
    told = difference(scores(list(values)), scores(list(values)), is_paired=True, seed=1)
    assert (told.mean, told.low, told.high) == (0, 0, 0)
    assert not told.is_clear


def test_a_difference_is_paired_by_question() -> None:
    told = difference(scores([1.0, 0.0, None, 1.0]), scores([0.0, 0.0, 1.0, None]), is_paired=True, seed=1)
    assert (told.n, told.mean) == (2, 0.5)


def test_an_unpaired_difference_takes_each_arm_s_own_questions() -> None:
    told = difference(scores([1.0, 0.0, None, 1.0]), scores([0.0, 0.0, 1.0, None]), is_paired=False, seed=1)
    assert told.n == 4
    assert told.mean == pytest.approx(2 / 3 - 1 / 3)


def test_pairing_makes_the_interval_narrower_than_chance_would() -> None:
    base = [i * 37 % 60 / 60 for i in range(60)]
    told = difference(scores([x + 0.05 for x in base]), scores(list(base)), is_paired=True, seed=1)
    assert told.is_clear
    assert told.low == pytest.approx(0.05)


def test_many_questions_of_few_chains_say_less_than_as_many_chains() -> None:
    values: list[float | None] = [float(i < 20) for i in range(40)]
    apart = summarise(scores(values), is_yes_or_no=False, seed=1)
    together = summarise(scores(values, [f"c{i // 10}" for i in range(40)]), is_yes_or_no=False, seed=1)
    assert apart.mean == together.mean
    assert apart.low is not None and together.low is not None  # noqa: PT018
    assert together.low < apart.low


def test_one_chain_gives_no_interval() -> None:
    told = summarise(scores([1.0, 2.0], ["c", "c"]), is_yes_or_no=False, seed=1)
    assert (told.mean, told.low, told.high) == (1.5, None, None)


# --- ratios of sums -------------------------------------------------------------------------------------------------


def costs(pairs: list[tuple[float, float]]) -> list[Scored]:
    return [Scored(f"q{i}", f"c{i}", cost, right) for i, (cost, right) in enumerate(pairs)]


def test_a_ratio_is_all_that_was_spent_over_all_that_was_right() -> None:
    told = summarise(costs([(100, 1), (300, 0), (200, 1)]), is_yes_or_no=False, seed=1)
    assert (told.n, told.mean) == (3, 300)


def test_a_ratio_without_anything_right_is_undefined() -> None:
    told = summarise(costs([(100, 0), (300, 0)]), is_yes_or_no=False, seed=1)
    assert (told.n, told.unscored, told.mean, told.low, told.high) == (2, 0, None, None, None)


def test_a_ratio_that_may_have_nothing_right_has_no_upper_end() -> None:
    told = summarise(costs([(100, 1), *[(100, 0)] * 9]), is_yes_or_no=False, seed=1)
    assert told.mean == 1000
    assert told.low is not None
    assert told.low < 1000
    assert told.high == float("inf")


@given(st.lists(st.tuples(st.floats(1, 1000), st.just(1.0)), min_size=2, max_size=20))
def test_with_weights_of_1_a_ratio_is_a_mean(pairs: list[tuple[float, float]]) -> None:
    told = summarise(costs(pairs), is_yes_or_no=False, seed=3)
    assert told == summarise(scores([cost for cost, _ in pairs]), is_yes_or_no=False, seed=3)


def test_ratios_of_two_arms_are_compared_on_the_same_resamples() -> None:
    one, other = costs([(100, 1), (100, 1), (100, 1)] * 4), costs([(300, 1), (300, 1), (300, 1)] * 4)
    told = difference(one, other, is_paired=True, seed=1)
    assert (told.mean, told.low, told.high) == (-200, -200, -200)
    assert told.is_clear
