"""Routing: what the router's choices cost, both ways, beside the two routes that it chooses between.

Needs attempts of the arms `oneshot`, `scout` and `auto` at the same questions in one run. An attempt of `auto` with
one step kept the search; one with more walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.metrics import Case
from bench.statistics import Scored, Summary, summarise

SEARCH, WALK, ROUTER = "oneshot", "scout", "auto"


@dataclass(frozen=True, slots=True)
class Routing:
    """The router's choices in one group of questions; every share is of all its questions.

    Attributes:
        group: name of the group.
        kept: where it kept the search.
        kept_in_error: where it kept the search, the walk was right and the search was not.
        walked_in_vain: where it walked though the search had answered and was right.
        best: where either route was right.
        tokens: its tokens as a share of the walk's, all questions of the group together; None when the walk had none.
        tokens_in_vain: tokens of the walks in vain as a share of its own.
    """

    group: str
    kept: Summary
    kept_in_error: Summary
    walked_in_vain: Summary
    best: Summary
    tokens: float | None
    tokens_in_vain: float | None


def routing_of(group: str, found: Sequence[Case], seed: int) -> Routing | None:
    """Return what the router's choices cost in some attempts; None without attempts of all three arms.

    Args:
        group: what the questions are called.
        found: attempts of any arms.
        seed: of the bootstrap.
    """
    by = {arm: {_key(c): c for c in found if c.attempt.arm == arm} for arm in (SEARCH, WALK, ROUTER)}
    keys = [key for key in by[ROUTER] if key in by[SEARCH] and key in by[WALK]]
    if not keys:
        return None
    triples = [(by[SEARCH][key], by[WALK][key], by[ROUTER][key]) for key in keys]

    def share(told: Sequence[bool]) -> Summary:
        pairs = zip(triples, told, strict=True)
        scored = [Scored(auto.question.id, auto.question.chain, float(is_so)) for (_, _, auto), is_so in pairs]
        return summarise(scored, is_yes_or_no=True, seed=seed)

    kept = [_is_kept(auto) for _, _, auto in triples]
    vain = [not _is_kept(auto) and s.is_right and not s.attempt.reply.abstained for s, _, auto in triples]
    walked = sum(walk.attempt.reply.tokens for _, walk, _ in triples)
    spent = [auto.attempt.reply.tokens for _, _, auto in triples]
    return Routing(
        group,
        share(kept),
        share([_is_kept(auto) and walk.is_right and not search.is_right for search, walk, auto in triples]),
        share(vain),
        share([search.is_right or walk.is_right for search, walk, _ in triples]),
        sum(spent) / walked if walked else None,
        sum(t for t, v in zip(spent, vain, strict=True) if v) / sum(spent) if sum(spent) else None,
    )


def _key(case: Case) -> tuple[str, int]:
    return case.question.id, case.attempt.repetition


def _is_kept(case: Case) -> bool:
    return case.attempt.reply.steps <= 1
