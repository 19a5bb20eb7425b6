"""Heat: what one question feels of the trails that others left, as a bounded factor of a door's score.

A question feels the walks of similar questions. Which are similar and what they left is asked of `forest.trail_index`;
what that is worth, `forest.warmth`. Entries are doors from "". Navigators apply the factor; docs/heat.md explains it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Protocol, Self

from forest import trails
from forest.heat_parameters import HeatParameters
from forest.trail import signature_of
from forest.trail_index import Count, KnownTrail, Signature, TrailIndex, open_trail_index
from forest.trail_store import TrailSource
from forest.warmth import ExplainedHeat, FeltSignature, FeltTrail, Warmth, warmed

if TYPE_CHECKING:
    from forest.state import State

_LEAST_KAPPA = 1e-6


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

    def explained(self, source: str, to: str, most: int = 100) -> ExplainedHeat:
        """Return why a door's boost is what it is, down to the trails.

        Args:
            source: id of the node from which the door leads, "" for an entry.
            to: id behind it, as the door says it.
            most: how many trails are told at most.
        """


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

    def explained(self, source: str, to: str, most: int = 100) -> ExplainedHeat:  # noqa: ARG002
        """Return that there is nothing to explain."""
        return ExplainedHeat(source, to, 0.0, 0.0, 1.0, (), (), 0)


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
            self._doors[source] = {door: found for (_, door), found in self._warm(source).items()}
        return self._doors[source].get(to, Warmth())

    def warmest(self, source: str | None = None) -> tuple[tuple[str, str, Warmth], ...]:
        """Return all doors with any heat; see `Felt.warmest`."""
        found = self._warm(source).items()
        lifts = ((self._parameters.boost(warm.useful, warm.useless), *door, warm) for door, warm in found)
        return tuple((start, to, warm) for _, start, to, warm in sorted(lifts, key=lambda row: (-row[0], *row[1:3])))

    def explained(self, source: str, to: str, most: int = 100) -> ExplainedHeat:
        """Return why a door's boost is what it is, down to the trails."""
        behind, in_all = self._index.trails_behind(source, to, self._signatures, self._day, most)
        kappas = dict(self.near)
        felt = tuple(FeltTrail(trail, kappas.get(trail.signature, 1.0), weight) for trail, weight in behind)
        signatures = self._signatures or list(dict.fromkeys(known.trail.signature for known in felt))
        shares = [
            FeltSignature(signatures[place], kappas.get(signatures[place], 1.0), share.useful, share.useless)
            for place, share in self._shares(signatures, source, to).items()
        ]
        shares.sort(key=lambda share: (-share.kappa, share.signature))
        found = self.warmth(source, to)
        boost = self.boost(source, to)
        return ExplainedHeat(source, to, found.useful, found.useless, boost, tuple(shares), felt, in_all)

    def _shares(self, signatures: Sequence[Signature], source: str, to: str) -> dict[int, Warmth]:
        """Return what walks with each of some signatures left on a door, by the place of the signature."""
        kappas = dict(self.near)
        own = [kappas.get(signature, 1.0) for signature in signatures]
        counts = defaultdict[int, list[Count]](list)
        for left in self._index.counts(signatures, source, self._day):
            if left.to == to:
                counts[left.signature].append(left)
        return {place: warmed(some, own, self._parameters, self._day)[source, to] for place, some in counts.items()}

    def _warm(self, source: str | None) -> dict[tuple[str, str], Warmth]:
        counts = self._index.counts(self._signatures, source, self._day)
        return warmed(counts, [kappa for _, kappa in self.near], self._parameters, self._day)


class Heat:
    """The trails of a forest on a day. Close it, or use it as a context manager.

    Args:
        state: of the forest; nothing walked after its day is felt.
        index: of the trails, None without any.
        day: ages are counted up to it.
        conditioned: whether only similar questions are felt.

    Attributes:
        day: as given.
    """

    def __init__(self, state: State, index: TrailIndex | None, day: date, *, conditioned: bool) -> None:
        self.day = day
        self._state, self._index, self._conditioned = state, index, conditioned
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
                self._everything = Warm(self._index, parameters, self.day, None)
            return self._everything
        near = self._index.near(signature_of(text), self.idf, parameters.tau, parameters.nearest)
        return Warm(self._index, parameters, self.day, near) if near else NO_HEAT

    def similar(self, text: str, most: int = 50) -> tuple[tuple[Signature, float], ...]:
        """Return the signatures most similar to a question, also those below tau that share a word with it."""
        if self._index is None:
            return ()
        return self._index.near(signature_of(text), self.idf, _LEAST_KAPPA, most)

    def walked_alike(self, signature: Signature, source: str, to: str) -> tuple[KnownTrail, ...]:
        """Return the trails of similar questions that entered at a node and went on to another, all by useful doors.

        Args:
            signature: of the question.
            source: id of the node that was entered.
            to: id behind the last of the doors.

        Returns:
            Newest first; trails of all days, whatever the day of this heat.
        """
        if self._index is None:
            return ()
        parameters = self._state.config.heat
        near = self._index.near(signature, self.idf, parameters.tau, parameters.nearest)
        known = {other for other, _ in near}
        return tuple(trail for trail in self._index.ways(source, to) if trail.signature in known)

    def idf(self, stem: str) -> float:
        """Return how telling a stem is: `log(1 + N / (1 + df))` over the passages known on the state's day."""
        if stem not in self._idf:
            passages, as_of = self._state.index, self._state.as_of
            self._idf[stem] = math.log(1 + passages.size(as_of) / (1 + passages.frequency(stem, as_of)))
        return self._idf[stem]


def open_heat(
    state: State,
    today: date,
    conditioned: bool = True,
    source: TrailSource = trails,
    progress: Callable[[int], None] | None = None,
) -> Heat:
    """Open the heat of a forest; cheap where nobody left a trail.

    Args:
        state: of the forest.
        today: the day it is, UTC as trails have it; never after the state's day.
        conditioned: whether a question feels the trails of similar questions only; else it feels all alike.
        source: where trails come from.
        progress: called with how many trails were folded in, after every thousand.
    """
    day = today if state.as_of is None else min(today, state.as_of)
    index = open_trail_index(state, source, progress) if source.tips_of(state.snapshot) else None
    return Heat(state, index, day, conditioned=conditioned)
