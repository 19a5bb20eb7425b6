"""Engines and rerankers: the seams through which another way of finding, or of ordering, comes in.

The signatures of the tools do not change with them. An engine answers for a strategy by name; it is refused until it
says that it has every passage of the forest's tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol

from forest.catalog import NodeRow
from forest.question import Query
from forest.ranking import Ranked
from forest.retrieval import Ranks, rank, ranking_of
from forest.search import Within
from forest.state import State
from forest.tools.reply import Refusal

LEXICAL = "lexical"
STRATEGIES = (LEXICAL, "vector", "hybrid")


class Engine(Protocol):
    """Finds passages for a question."""

    def is_complete(self, state: State) -> bool:
        """Tell whether it has every passage of the state's tree."""

    def rank(
        self,
        state: State,
        query: Query,
        limit: int,
        within: Within,
        group: Callable[[NodeRow, int], Hashable],
        *,
        without: frozenset[str],
        recent: bool,
    ) -> Ranks:
        """Return the first of its ranking; see `forest.retrieval.rank`."""


class Reranker(Protocol):
    """Puts what an engine found into another order."""

    def order(self, state: State, query: Query, found: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
        """Return the same passages, best first; what it adds or drops is not taken."""


class Lexical:
    """BM25 under bounded factors."""

    def is_complete(self, state: State) -> bool:  # noqa: ARG002 - the index is a part of the state
        """Return True: a state without its index is not opened."""
        return True

    def rank(
        self,
        state: State,
        query: Query,
        limit: int,
        within: Within,
        group: Callable[[NodeRow, int], Hashable],
        *,
        without: frozenset[str],
        recent: bool,
    ) -> Ranks:
        """Return the first of the ranking, exactly."""
        return rank(state, query, ranking_of(state, query, without, recent=recent), limit, within, group=group)


def engine_for(strategy: str, others: dict[str, Engine], state: State) -> Engine:
    """Return the engine of a strategy.

    Raises:
        Refusal: there is no such strategy, no engine for it, or the engine lacks passages.
    """
    known = tuple(dict.fromkeys((*STRATEGIES, *others)))
    if strategy not in known:
        raise Refusal("invalid", f"There is no strategy {strategy[:40]!r}.", f"Strategies: {', '.join(known)}.")
    engine = others.get(strategy) or (Lexical() if strategy == LEXICAL else None)
    if engine is None or not engine.is_complete(state):
        why = "there is no index for it" if engine is None else "its index is not complete"
        raise Refusal("refused", f"The strategy {strategy} cannot be used here: {why}.", f"Use strategy {LEXICAL!r}.")
    return engine
