"""BM25 as values: the score of a passage in the statistics of any set of passages.

What a passage holds, how many passages there are, how many of them hold a word and how long fields are on average all
come as arguments, so that the score of a passage as of a day is the one it would have if nothing later were indexed.
Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); constants and lengths as tantivy and Lucene count.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

K1, B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class Statistics:
    """What scores depend on beside the passage itself.

    Attributes:
        size: how many passages there are.
        lengths: average number of tokens of each field over all of them.
    """

    size: int
    lengths: Mapping[str, float]

    def idf(self, holding: int) -> float:
        """Return the weight of a word that `holding` of the passages have in a field."""
        return math.log(1 + (self.size - holding + 0.5) / (holding + 0.5))


def _told_lengths() -> tuple[int, ...]:
    """Return the 256 lengths that one byte tells: exact up to 40, then eight in each doubling of the step."""
    coarse = ((40 + 8 * (step - 2)) + step * i for step in (2**n for n in range(1, 28)) for i in range(8))
    return tuple(islice(chain(range(40), coarse), 256))


_LENGTHS = _told_lengths()


def score(
    held: Mapping[str, Sequence[str]],
    weights: Mapping[str, float],
    boosts: Mapping[str, float],
    idf: Mapping[tuple[str, str], float],
    statistics: Statistics,
    tie_breaker: float,
) -> float:
    """Return the score of a passage: for each word the field where it weighs most in full, the others in part.

    Args:
        held: the tokens of each field.
        weights: of the words asked for.
        boosts: of the fields.
        idf: of (field, word), for those that some passage holds.
        statistics: average lengths.
        tie_breaker: the part that the other fields count.
    """
    amounts: dict[str, list[float]] = {stem: [] for stem in weights}
    for field, tokens in held.items():
        norm = 0.0
        for stem, found in amounts.items():
            freq = tokens.count(stem)
            if freq:
                norm = norm or _norm(len(tokens), statistics.lengths[field])
                found.append(boosts[field] * weights[stem] * idf[field, stem] * (K1 + 1) * freq / (freq + norm))
    best = ((1 - tie_breaker) * max(found) + tie_breaker * math.fsum(found) for found in amounts.values() if found)
    return math.fsum(best)


def _norm(length: int, average: float) -> float:
    return K1 * (1 - B + B * _LENGTHS[bisect_right(_LENGTHS, length) - 1] / average)
