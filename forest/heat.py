"""Heat: what trails left on doors, decayed by time, felt by similar questions only, as a bounded factor of a score.

For a question q and a door, with the counts M of `forest.trail_index`:

    kappa(q, s) = cosine of the stem sets of q and of a signature s, idf-weighted as of today; 0 below tau
    h±          = sum over signatures, days and lengths L of  kappa · a(L) · min(M, most_per_day) · 2^(−age / half-life)
    a(L)        = clamp(a0 / L, a_min, a_max)
    boost       = 1 + beta · (h+ / (h+ + k) − gamma · h− / (h− + k))

Only counts are stored, so parameters and idf change nothing that is stored, and sums are exactly rounded (`math.fsum`),
so that heat is the same to the last bit in whatever order trails became known. Entries are doors from "".
docs/heat.md explains it; the factor is applied by navigators.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from math import fsum, ldexp
from typing import TYPE_CHECKING, Protocol, Self

from forest.heat_parameters import HeatParameters
from forest.trail import signature_of
from forest.trail_index import Count, KnownTrail, Signature, TrailIndex, open_trail_index
from forest.trail_store import TrailSource, trail_source

if TYPE_CHECKING:
    from forest.state import State

ENTRANCE = ""  # the source of the doors that entries are


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
        signatures: of the walks that left it, most similar first.
        trails: that are behind it, newest first.
    """

    source: str
    to: str
    useful: float
    useless: float
    boost: float
    signatures: tuple[FeltSignature, ...]
    trails: tuple[FeltTrail, ...]


class Felt(Protocol):
    """What one question feels of the trails of a forest."""

    @property
    def near(self) -> tuple[tuple[Signature, float], ...]:
        """The signatures felt with their similarities, most similar first; () where all are felt alike."""

    def boost(self, source: str, to: str) -> float:
        """Return the factor for a door's score; exactly 1.0 where nothing was left.

        Args:
            source: id of the node from which the door leads, "" for an entry.
            to: id behind it, as the door says it.
        """

    def warmth(self, source: str, to: str) -> Warmth:
        """Return the heat of a door."""

    def warmest(self, source: str | None = None) -> tuple[tuple[str, str, Warmth], ...]:
        """Return (source, to, heat) of all doors with any heat, most lifted first, equal ones by their ids.

        Args:
            source: only doors from this node, "" for entries; None is every door of the forest.
        """

    def explained(self, source: str, to: str) -> ExplainedHeat:
        """Return why a door's boost is what it is, down to the trails."""


class Cold:
    """What is felt where there are no trails, or nobody wants to feel them."""

    near: tuple[tuple[Signature, float], ...] = ()

    def boost(self, source: str, to: str) -> float:  # noqa: ARG002
        """Return 1.0."""
        return 1.0

    def warmth(self, source: str, to: str) -> Warmth:  # noqa: ARG002
        """Return no heat."""
        return Warmth()

    def warmest(self, source: str | None = None) -> tuple[tuple[str, str, Warmth], ...]:  # noqa: ARG002
        """Return no doors."""
        return ()

    def explained(self, source: str, to: str) -> ExplainedHeat:
        """Return that there is nothing to explain."""
        return ExplainedHeat(source, to, 0.0, 0.0, 1.0, (), ())


NO_HEAT: Felt = Cold()


class Warm:
    """What is felt where there are trails. Reads the doors of a node when the first of them is asked for.

    Args:
        index: of the trails.
        parameters: of the forest.
        day: ages are counted up to it, later trails are not felt.
        near: signatures with their similarities; None feels all alike.
    """

    def __init__(
        self,
        index: TrailIndex,
        parameters: HeatParameters,
        day: date,
        near: tuple[tuple[Signature, float], ...] | None,
    ) -> None:
        self._index, self._parameters, self._day = index, parameters, day
        self.near = near or ()
        self._signatures = None if near is None else [signature for signature, _ in near]
        self._doors: dict[str, dict[str, Warmth]] = {}

    def boost(self, source: str, to: str) -> float:
        """Return the factor for a door's score; see `Felt.boost`."""
        found = self.warmth(source, to)
        return self._parameters.boost(found.useful, found.useless)

    def warmth(self, source: str, to: str) -> Warmth:
        """Return the heat of a door."""
        if source not in self._doors:
            self._doors[source] = {door: found for (_, door), found in self._warm(self._counts(source)).items()}
        return self._doors[source].get(to, Warmth())

    def warmest(self, source: str | None = None) -> tuple[tuple[str, str, Warmth], ...]:
        """Return all doors with any heat; see `Felt.warmest`."""
        found = self._warm(self._counts(source)).items()
        lifts = ((self._parameters.boost(warm.useful, warm.useless), *door, warm) for door, warm in found)
        return tuple((start, to, warm) for _, start, to, warm in sorted(lifts, key=lambda row: (-row[0], *row[1:3])))

    def explained(self, source: str, to: str) -> ExplainedHeat:
        """Return why a door's boost is what it is, down to the trails."""
        behind = self._index.trails_behind(source, to, self._day)
        kappas = dict(self.near)
        felt = tuple(
            FeltTrail(trail, kappas.get(trail.signature, 1.0), weight)
            for trail, weight in behind
            if self._signatures is None or trail.signature in kappas
        )
        signatures = list(dict.fromkeys(known.trail.signature for known in felt))
        shares = [
            FeltSignature(signatures[place], kappas.get(signatures[place], 1.0), share.useful, share.useless)
            for place, share in self._shares(signatures, source, to).items()
        ]
        found = self.warmth(source, to)
        return ExplainedHeat(
            source,
            to,
            found.useful,
            found.useless,
            self.boost(source, to),
            tuple(sorted(shares, key=lambda share: (-share.kappa, share.signature))),
            felt,
        )

    def _shares(self, signatures: Sequence[Signature], source: str, to: str) -> dict[int, Warmth]:
        """Return what walks with each of some signatures left on a door, by the place of the signature."""
        kappas = dict(self.near)
        own = [kappas.get(signature, 1.0) for signature in signatures]
        counts = defaultdict[int, list[Count]](list)
        for left in self._index.counts(signatures, source, self._day):
            if left.to == to:
                counts[left.signature].append(left)
        return {place: self._warm(some, own)[source, to] for place, some in counts.items()}

    def _counts(self, source: str | None) -> list[Count]:
        return self._index.counts(self._signatures, source, self._day)

    def _warm(self, counts: Iterable[Count], kappas: Sequence[float] | None = None) -> dict[tuple[str, str], Warmth]:
        """Return the heat of each door that has any; similarities are by the places of signatures."""
        today, half_life, most = self._day.toordinal(), self._parameters.half_life_days, self._parameters.most_per_day
        kappas = [kappa for _, kappa in self.near] if kappas is None else kappas
        terms: dict[tuple[str, str], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
        for source, to, place, day, length, sign, walks in counts:
            kappa = 1.0 if place < 0 else kappas[place]
            worth = kappa * self._parameters.deposit(length) * min(walks, most) * decay(today - day, half_life)
            terms[source, to][sign < 0].append(worth)
        return {door: Warmth(fsum(useful), fsum(useless)) for door, (useful, useless) in terms.items()}


class Heat:
    """The trails of a forest on a day. Close it, or use it as a context manager.

    Args:
        state: of the forest; nothing walked after its day is felt.
        index: of the trails, None without any.
        day: ages are counted up to it.
        conditioned: whether only similar questions are felt.
    """

    def __init__(self, state: State, index: TrailIndex | None, day: date, *, conditioned: bool) -> None:
        self._state, self._index, self._day, self._conditioned = state, index, day, conditioned
        self._idf: dict[str, float] = {}
        self._everything: Warm | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index of trails."""
        if self._index is not None:
            self._index.close()

    def felt_by(self, text: str) -> Felt:
        """Return what a question feels.

        Args:
            text: the question as it is searched: slips mended, in Spanish (`forest.wording`).
        """
        if self._index is None:
            return NO_HEAT
        parameters = self._state.config.heat
        if not self._conditioned:
            if self._everything is None:
                self._everything = Warm(self._index, parameters, self._day, None)
            return self._everything
        near = self._index.near(signature_of(text), self.idf, parameters.tau, parameters.nearest)
        return Warm(self._index, parameters, self._day, near) if near else NO_HEAT

    def similar(self, text: str, most: int = 50) -> tuple[tuple[Signature, float], ...]:
        """Return the signatures most similar to a question, also those below tau that share a word with it."""
        if self._index is None:
            return ()
        return self._index.near(signature_of(text), self.idf, _LEAST_KAPPA, most)

    def idf(self, stem: str) -> float:
        """Return how telling a stem is: `log(1 + N / (1 + df))` over the passages known on the state's day."""
        if stem not in self._idf:
            passages, as_of = self._state.index, self._state.as_of
            self._idf[stem] = math.log(1 + passages.size(as_of) / (1 + passages.frequency(stem, as_of)))
        return self._idf[stem]


_LEAST_KAPPA = 1e-6


def open_heat(state: State, today: date, conditioned: bool = True, source: TrailSource | None = None) -> Heat:
    """Open the heat of a forest; cheap where nobody left a trail.

    Args:
        state: of the forest.
        today: the day it is, UTC as trails have it; never after the state's day.
        conditioned: whether a question feels the trails of similar questions only; else it feels all alike.
        source: where trails come from; None is `forest.trails`.
    """
    source = source or trail_source()
    day = today if state.as_of is None else min(today, state.as_of)
    index = open_trail_index(state, source) if source.tips_of(state.snapshot) else None
    return Heat(state, index, day, conditioned=conditioned)


def decay(age_days: int, half_life_days: int) -> float:
    """Return `2^(−age / half-life)`, exactly halved by every whole half-life; 0.0 for a day that is yet to come."""
    if age_days < 0:
        return 0.0
    halvings, rest = divmod(age_days, half_life_days)
    return ldexp(2.0 ** -(rest / half_life_days), -halvings)
