"""Failures: for an attempt whose answer is not right, where it went wrong first; a closed set, exactly one of them."""

from __future__ import annotations

from typing import Literal, get_args

from bench.arms.arm import FOUND
from bench.metrics import Case

Failure = Literal[
    "error",
    "too long",
    "malformed replies",
    "answered instead of abstaining",
    "limit",
    "document not found",
    "passage outside the first k",
    "retrieved and not read",
    "abstained wrongly",
    "read and not cited",
    "cited and wrong",
]
FAILURES: tuple[Failure, ...] = get_args(Failure)
_LIMITS = frozenset({"step_limit", "token_limit", "time_limit"})


def failure_of(case: Case) -> Failure | None:
    """Return the class of a failed attempt, None for one whose answer is right.

    The first that holds, in this order, so that a class names the first link that broke:

    1. error: the arm raised, or its model failed.
    2. too long: what the arm shows its model does not fit into the window.
    3. malformed replies: its model's replies could not be read, and there is no answer.
    4. answered instead of abstaining: nothing can be answered, and it answered.
    5. limit: it ended at a limit of steps, tokens or time without an answer.
    6. document not found: of some gold hop no passage of any of its nodes is among those found or read.
    7. passage outside the first k: of some gold hop no passage is among the first 20 found, nor read.
    8. retrieved and not read: of some gold hop no passage was read. An arm that walks finds by reading.
    9. abstained wrongly: it read the evidence of every hop and gave no answer.
    10. read and not cited: of some gold hop no citation has the evidence.
    11. cited and wrong: it cited every hop and the answer is wrong, or not complete.
    """
    reply, gold = case.attempt.reply, case.posed.gold
    if case.is_right:
        return None
    if case.has_failed:
        return "error"
    if not case.is_posed:
        return "too long"
    if reply.ending == "malformed_replies" and reply.abstained:
        return "malformed replies"
    if case.question.category == "unanswerable":
        return "answered instead of abstaining"
    if _is_limit(reply.ending) and reply.abstained:
        return "limit"
    read = frozenset(reply.read)
    nodes = {passage.rpartition("#")[0] for passage in (*reply.found, *reply.read)}
    if not all(any(place.node in nodes for place in hop.places) for hop in case.question.gold):
        return "document not found"
    if not all(hop & (read | frozenset(reply.found[:FOUND])) for hop in gold):
        return "passage outside the first k"
    if not all(hop & read for hop in gold):
        return "retrieved and not read"
    if reply.abstained:
        return "abstained wrongly"
    return "cited and wrong" if all(case.hops_cited) else "read and not cited"


def _is_limit(ending: str) -> bool:
    return ending.replace(" ", "_") in _LIMITS
