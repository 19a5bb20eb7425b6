"""Which labels are articles of this law, decided by their sequence.

Owns the choice of the longest chain of rising numbers among headings and inline candidates: an article quoted from
another law breaks the chain and stays in the text; an article without a heading fills a gap in it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from curation.readers.labels import Number


@dataclass(frozen=True, slots=True)
class Candidate:
    """A label at a place of the text; `strong` when the converter made it a heading."""

    place: int
    number: Number
    strong: bool


_STRONG, _WEAK = 100, 1


def longest_chain(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The heaviest subsequence whose numbers never fall, headings counting far more than inline labels.

    A number may repeat with different suffixes (`3`, `3 Bis`) but a whole label only once. Linear in the number of
    candidates times the logarithm of it (a Fenwick tree over the distinct numbers).
    """
    values = sorted({_order(c) for c in candidates})
    tree: list[tuple[int, int]] = [(0, -1)] * (len(values) + 1)
    previous = [-1] * len(candidates)
    for at, candidate in enumerate(candidates):
        rank = bisect_right(values, _order(candidate))
        best, before = (0, -1)
        node = rank
        while node > 0:
            if tree[node][0] > best:
                best, before = tree[node]
            node -= node & -node
        previous[at] = before
        total = best + (_STRONG if candidate.strong else _WEAK)
        node = rank
        while node <= len(values):
            if total > tree[node][0]:
                tree[node] = (total, at)
            node += node & -node
    best, at = (0, -1)
    node = len(values)
    while node > 0:
        if tree[node][0] > best:
            best, at = tree[node]
        node -= node & -node
    chain: list[Candidate] = []
    while at >= 0:
        chain.append(candidates[at])
        at = previous[at]
    return _without_repeats(chain[::-1])


def _order(candidate: Candidate) -> tuple[int, bool]:
    return candidate.number.value, bool(candidate.number.suffix)


def _without_repeats(chain: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The chain with each key once: a heading is preferred to an inline label, the first to the later ones."""
    strong = {c.number.key for c in chain if c.strong}
    seen: set[str] = set()
    kept: list[Candidate] = []
    for candidate in chain:
        key = candidate.number.key
        if key in seen or (not candidate.strong and key in strong):
            continue
        seen.add(key)
        kept.append(candidate)
    return tuple(kept)
