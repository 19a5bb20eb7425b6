"""Statistics: means with n, unscored count and 95 % interval, and differences between arms by a paired bootstrap.

Values in, values out; the seed is an argument. Questions of one chain are alike, so what is resampled are chains.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

RESAMPLES = 10_000
_Z = 1.959963984540054  # the 97.5th percentile of the standard normal distribution
_EDGES = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean of a metric over attempts.

    Attributes:
        n: how many attempts are scored.
        unscored: how many the metric does not apply to.
        mean: None when n is 0, or when all weights are.
        low: lower end of the 95 % interval, None when there is no mean or only one chain to resample.
        high: its upper end; infinite for a ratio whose weights may all be 0.
    """

    n: int
    unscored: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of one arm less that of another, on the same questions.

    Attributes:
        n: how many questions are scored for both, or for either where the metric is not paired.
        mean: the difference, None when one of them has no score.
        low: lower end of the 95 % interval, None too when there is only one chain to resample.
        high: its upper end.
    """

    n: int
    mean: float | None
    low: float | None
    high: float | None

    @property
    def is_clear(self) -> bool:
        """Whether the interval does not hold 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class Scored:
    """A score of one attempt, its question, and the chain that the question belongs to; None is unscored.

    A mean is the sum of the scores over the sum of the weights; with other weights than 1 it is a ratio of two sums,
    such as of tokens over right answers.
    """

    question: str
    chain: str
    score: float | None
    weight: float = 1.0


def summarise(scored: Sequence[Scored], *, is_yes_or_no: bool, seed: int) -> Summary:
    """Return mean and interval: Wilson's for shares, else the bootstrap's percentiles over chains."""
    counted = [s for s in scored if s.score is not None]
    n, unscored = len(counted), len(scored) - len(counted)
    mean = _mean(counted)
    if mean is None:
        return Summary(n, unscored, None, None, None)
    low, high = wilson(math.fsum(s.score or 0.0 for s in counted), n) if is_yes_or_no else _bootstrap([counted], seed)
    return Summary(n, unscored, mean, low, high)


def _mean(counted: Sequence[Scored]) -> float | None:
    weight = math.fsum(s.weight for s in counted)
    return math.fsum(s.score or 0.0 for s in counted) / weight if weight else None


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927), n at least 1."""
    share, square = successes / n, _Z**2
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    # At the ends the formula gives exactly 0 and 1, which rounding misses.
    return (0.0 if not successes else max(0.0, centre - half), 1.0 if successes == n else min(1.0, centre + half))


def difference(one: Sequence[Scored], other: Sequence[Scored], *, is_paired: bool, seed: int) -> Difference:
    """Return how far the mean of `one` is above that of `other`, with the interval of a paired bootstrap.

    Each resample draws chains with replacement, the same for both arms (Efron and Tibshirani 1993, chapter 16).

    Args:
        one: scores of an arm.
        other: scores of another on the same questions.
        is_paired: whether only the questions count that are scored for both.
        seed: of the resampling.
    """
    both = _scored_ids(one) & _scored_ids(other) if is_paired else _scored_ids(one) | _scored_ids(other)
    pair = [[s for s in arm if s.score is not None and s.question in both] for arm in (one, other)]
    means = [_mean(arm) for arm in pair]
    if means[0] is None or means[1] is None:
        return Difference(len(both), None, None, None)
    return Difference(len(both), means[0] - means[1], *_bootstrap(pair, seed))


def _scored_ids(scored: Iterable[Scored]) -> set[str]:
    return {s.question for s in scored if s.score is not None}


@lru_cache(maxsize=16)
def _draws(chains: int, seed: int) -> npt.NDArray[np.int64]:
    """Return how often each chain is drawn in each resample; a report asks for the same ones many times."""
    import numpy as np

    return np.random.default_rng(seed).multinomial(chains, [1 / chains] * chains, size=RESAMPLES)


def _bootstrap(arms: Sequence[Sequence[Scored]], seed: int) -> tuple[float, float] | tuple[None, None]:
    """Return the percentile interval of the mean of one arm, or of the difference of the means of two."""
    import numpy as np

    chains = {chain: at for at, chain in enumerate(dict.fromkeys(s.chain for arm in arms for s in arm))}
    if len(chains) < 2:
        return None, None
    draws = _draws(len(chains), seed)
    means = []
    for arm in arms:
        sums, weights = np.zeros(len(chains)), np.zeros(len(chains))
        for s in arm:
            if s.score is not None:
                sums[chains[s.chain]] += s.score
                weights[chains[s.chain]] += s.weight
        total, drawn = draws @ sums, draws @ weights
        # A resample without any scored attempt says nothing and is left out below; a cost without anything to show
        # for it is boundless.
        empty = np.where(total > 0, np.inf, np.nan)
        means.append(np.divide(total, drawn, out=empty, where=drawn > 0))
    with np.errstate(invalid="ignore"):  # of two boundless costs the difference is unknown
        statistic = means[0] if len(means) == 1 else means[0] - means[1]
    if not np.any(np.isfinite(statistic)):
        return None, None
    low, high = np.nanpercentile(statistic, _EDGES, method="nearest" if np.any(np.isinf(statistic)) else "linear")
    return float(low), float(high)
