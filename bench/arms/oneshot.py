"""The arm `oneshot`: `forest hunt` without a model, as a person runs it."""

from __future__ import annotations

from bench.arms.arm import FOUND, Answerer, Arm
from bench.attempt import Asked, Reply, Statement
from forest.answer import Claim
from forest.oneshot import WEIGHED, hunt
from forest.question import ask
from forest.retrieval import search_passages
from forest.state import State


def _open(state: State) -> Answerer:
    def answer(asked: Asked) -> Reply:
        said = hunt(state, asked.text, today=asked.today, as_of=asked.as_of, in_force_on=asked.in_force_on)
        query = ask(state, asked.text, today=asked.today, as_of=asked.as_of, in_force_on=asked.in_force_on)
        found = search_passages(state, query, FOUND)
        ids = tuple(f.reading.passage.id for f in found)
        return Reply(
            statements_of(said.claims),
            said.status,
            found=ids,
            read=ids[:WEIGHED],
            steps=1,
            tokens=sum(f.reading.passage.tokens for f in found[:WEIGHED]),
        )

    return answer


def statements_of(claims: tuple[Claim, ...]) -> tuple[Statement, ...]:
    """Return the claims of an answer as statements."""
    return tuple(Statement(claim.text, claim.value, claim.citations, claim.leads) for claim in claims)


ARM = Arm("oneshot", "one search, the sentences that answer, no walk", {"found": FOUND, "read": WEIGHED}, _open)
