"""Offering: which of what was read is on offer as the answer of a guided walk, and which is not yet.

A model that is offered an answer takes it. So one is on offer only at the end of a chain as long as the question's, or
over a way that speaks of its steps, and only if its words are those of what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forest.analyzer import stems
from forest.contrasts import contradicts
from navigator.closing import ENOUGH
from navigator.explorer import Explorer
from navigator.judging import Candidate, Place
from navigator.split import Split

_FOUND = 3
_LEAST_FIT = 0.4  # below which nothing is on offer, however it was reached
_HOLDS, _HOLDS_AT_THE_END = 0.4, 0.2  # of the datum's words, by weight, that an answer on offer must hold
_BESIDE_THE_BEST = 0.6  # of the words that the best on offer holds itself, what is offered beside it must hold
_SPOKEN_OF = 0.5  # of a step's words, by weight, that the way must hold
_LEFT_OPEN = 1  # steps of the split that may be left
_MOST_NEEDED = 2  # hops that a split of many steps asks for: models split finer than texts are linked


@dataclass(frozen=True, slots=True)
class Offering:
    """What may be offered on one walk.

    Attributes:
        explorer: of the walk.
        split: the question divided.
    """

    explorer: Explorer
    split: Split

    def on_offer(self, place: Place | None, refused: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Return what may answer: of what was read, a few that say different things, at the end of the chain.

        Each was reached over as many hops as the split has, or over a way that speaks of its steps, or answers so well
        that none is missing; and it holds the words of what is asked about as well as the others on offer.

        Args:
            place: where one stands, None before any was entered.
            refused: what was chosen before and does not stand.
        """
        needed = min(max(len(self.split.steps) - 1, len(self.explorer.scales.plan.relations)), _MOST_NEEDED)
        kept, owns = list[Candidate](), list[float]()
        read = [_on_the_way(candidate, place) for candidate in self.explorer.judge.candidates]
        here = place.links if place is not None else None
        for candidate in sorted(read, key=lambda one: (one.place.links != here, -one.score)):
            if candidate.fit < _LEAST_FIT:
                continue
            hops = len(candidate.place.links)
            walked = hops >= needed and (hops >= len(self.split.steps) - 1 or self._open(candidate) <= _LEFT_OPEN)
            if not walked and candidate.fit < ENOUGH:
                continue
            if is_refused(candidate, refused):
                continue
            own, held = self._holding(candidate)
            # A chain walked from what the question names speaks for its end by itself.
            enough = _HOLDS_AT_THE_END if hops >= _MOST_NEEDED and candidate.place.named else _HOLDS
            if own and held >= enough and not any(candidate.says_as(other) for other in kept):
                kept.append(candidate)
                owns.append(own)
        least = max(owns, default=0.0) * _BESIDE_THE_BEST
        return tuple(candidate for candidate, own in zip(kept, owns, strict=True) if own >= least)[:_FOUND]

    def _open(self, candidate: Candidate) -> int:
        """Return how many steps of the split nothing on the way to a candidate speaks of."""
        scales, place = self.explorer.scales, candidate.place
        walked = frozenset[str]().union(*(scales.held(scales.plan.relations[at].words) for at in place.used))
        held = candidate.own | place.own | place.explained | walked | scales.held(candidate.value)
        # Models name the datum among the steps: its words are asked of what answers, not of the way.
        asked = ((scales.held(step) & scales.telling) - self.split.words for step in self.split.steps)
        return sum(bool(words) and scales.of_words(words, held) < _SPOKEN_OF for words in asked)

    def _holding(self, candidate: Candidate) -> tuple[float, float]:
        """Return the share of the words of what is asked that a candidate holds itself, and with its place.

        Nothing, for one that speaks of another of its set: the second stage where the third is asked for.
        """
        scales, place = self.explorer.scales, candidate.place
        if candidate.pick is not None and contradicts(scales.plan.rest, candidate.pick.text):
            return 0.0, 0.0
        own = candidate.own
        around = own | place.own | place.explained | scales.held(candidate.value)
        start, end = scales.query.clock.span
        # What only sets the clock need not be said by what answers.
        dated = frozenset(stems(self.explorer.question[start:end]))
        # A model may put too little into the datum, and the grammar too much into the clause that asks.
        kinds = [words for words in (self.split.words - dated, (scales.clause & scales.telling) - dated) if words]
        if not kinds:
            return 1.0, 1.0
        return max(scales.of_words(w, own) for w in kinds), max(scales.of_words(w, around) for w in kinds)


def is_refused(candidate: Candidate, refused: Sequence[Candidate]) -> bool:
    """Tell whether a candidate was chosen before and does not stand.

    Another text may say the same and stand, and another value of the same sentence may be the one that is meant.
    """
    return any(
        (one.place.node, one.value) == (candidate.place.node, candidate.value) and one.says_as(candidate)
        for one in refused
    )


def _on_the_way(candidate: Candidate, place: Place | None) -> Candidate:
    """Return a candidate of a text that the way to a place went through as reached by the whole way.

    Where the question names no text, a chain may be walked from its end as well as from its beginning.
    """
    if place is None or place.named or candidate.place.node not in place.way:
        return candidate
    if len(candidate.place.links) >= len(place.links):
        return candidate
    return replace(candidate, place=replace(candidate.place, links=place.links))
