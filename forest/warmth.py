"""Warmth: what walks that are felt are worth on a door, decayed by time.

For a question q and a door, with the counts M of `forest.trail_index`:

    h±    = sum over signatures s, days, lengths L of  kappa(q, s) · a(L) · min(M, most_per_day) · 2^(−age / half-life)
    boost = 1 + beta · (h+ / (h+ + k) − gamma · h− / (h− + k))

Only counts are stored, so that parameters change nothing that is stored. Sums are exactly rounded (`math.fsum`), so
that heat is the same to the last bit in whatever order trails became known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from math import fsum, ldexp

from forest.heat_parameters import HeatParameters
from forest.trail_index import Count, KnownTrail, Signature


@dataclass(frozen=True, slots=True)
class Warmth:
    """The heat of one door for one question.

    Attributes:
        useful: h+, by walks in which the door led to what the answer cites.
        useless: h−, by walks in which it did not.
    """

    useful: float = 0.0
    useless: float = 0.0


@dataclass(frozen=True, slots=True)
class FeltSignature:
    """What walks with one signature left on a door: the signature, its similarity to the question, its share of h±."""

    signature: Signature
    kappa: float
    useful: float
    useless: float


@dataclass(frozen=True, slots=True)
class FeltTrail:
    """A trail behind the heat of a door.

    Attributes:
        trail: as it is known.
        kappa: similarity of its question to the one that feels it.
        weight: what it counts: above zero where the door was useful.
    """

    trail: KnownTrail
    kappa: float
    weight: int


@dataclass(frozen=True, slots=True)
class ExplainedHeat:
    """Why a door's score is changed as it is.

    Attributes:
        source: id of the node from which the door leads, "" for an entry.
        to: id behind it.
        useful: h+.
        useless: h−.
        boost: the factor.
        signatures: of the walks that left it, most similar first; where all are felt, those of the trails told.
        trails: that are behind it, newest first, as many as were asked for.
        trails_in_all: how many there are.
    """

    source: str
    to: str
    useful: float
    useless: float
    boost: float
    signatures: tuple[FeltSignature, ...]
    trails: tuple[FeltTrail, ...]
    trails_in_all: int


def warmed(
    counts: Iterable[Count], kappas: Sequence[float], parameters: HeatParameters, today: date
) -> dict[tuple[str, str], Warmth]:
    """Return the heat of each door (source, to) that has any.

    Args:
        counts: what walks left.
        kappas: similarities of their signatures, by the place that a count names; one that names none is felt whole.
        parameters: of the forest.
        today: ages are counted up to it.
    """
    terms: dict[tuple[str, str], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for source, to, place, day, length, sign, walks in counts:
        kappa = 1.0 if place < 0 else kappas[place]
        fresh = decay(today.toordinal() - day, parameters.half_life_days)
        worth = kappa * parameters.deposit(length) * min(walks, parameters.most_per_day) * fresh
        terms[source, to][sign < 0].append(worth)
    return {door: Warmth(fsum(useful), fsum(useless)) for door, (useful, useless) in terms.items()}


def decay(age_days: int, half_life_days: int) -> float:
    """Return `2^(−age / half-life)`, exactly halved by every whole half-life; 0.0 for a day that is yet to come."""
    if age_days < 0:
        return 0.0
    halvings, rest = divmod(age_days, half_life_days)
    return ldexp(2.0 ** -(rest / half_life_days), -halvings)
