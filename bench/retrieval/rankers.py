"""Rankers: what finds documents, and passages inside documents that were found; all over the same forest.

A ranker is asked with the question's words and clocks and never sees what ought to be found, except that evidence may
be searched in documents that it did not find itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from sys import intern
from typing import Protocol, TypeVar

from bench.arms.arm import every_passage
from bench.arms.bm25 import PlainIndex, plain_tokens
from bench.retrieval.wanted import Wanted
from forest.errors import ForestError
from forest.ranking import SIGNALS
from forest.state import State
from forest.tools import Reply, Session, search_documents, search_evidence

BASELINE = "bm25s"
WITHOUT = "without "  # begins the name of an arm from which one signal was taken
PLAIN = "plain"

T = TypeVar("T")


class SearchRefused(ForestError):
    """A tool refused what a question asks of it."""


class Ranker(Protocol):
    """Finds documents, and passages in them."""

    def documents(self, asked: Wanted, limit: int) -> tuple[str, ...]:
        """Return ids of documents, best first."""
        ...

    def evidence(self, asked: Wanted, documents: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return ids of passages of some documents, best first."""
        ...


class Lexical:
    """The tools `search_documents` and `search_evidence`, a session for each call."""

    def __init__(self, state: State, today: date, without: frozenset[str] = frozenset()) -> None:
        self._state, self._today, self._without = state, today, without

    def documents(self, asked: Wanted, limit: int) -> tuple[str, ...]:
        """Return the documents found."""
        reply = search_documents(self._session(asked), asked.text, top_k=limit, without=self._without)
        return tuple(document.id for document in _items(reply))

    def evidence(self, asked: Wanted, documents: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return the passages found in those of the documents that are known on the question's day."""
        session = self._session(asked)
        known = tuple(session.now.catalog.by_ids(documents))
        if not known:
            return ()
        session.discover(known)
        reply = search_evidence(session, asked.text, known, top_k=limit, without=self._without)
        return tuple(evidence.chunk_id for evidence in _items(reply))

    def _session(self, asked: Wanted) -> Session:
        return Session(self._state, asked.today or self._today, asked.as_of, asked.in_force_on)


def _items(reply: Reply[T]) -> tuple[T, ...]:
    """Return what a tool found; a tool that said no would otherwise look like one that found nothing."""
    if reply.status not in ("ok", "partial", "empty"):
        raise SearchRefused(f"{reply.tool} replied {reply.status}: {reply.message}", reply.hint)
    return reply.items


class Plain:
    """bm25s over the same passages as they are known on the question's `as_of`; a document is as good as its best."""

    def __init__(self, state: State) -> None:
        self._state = state
        readings = every_passage(state)
        # Words repeat millions of times: one copy of each is kept.
        self._tokens = [tuple(map(intern, plain_tokens(r))) for r in readings]
        self._passages = [r.passage.id for r in readings]
        self._nodes = [r.node.id for r in readings]
        of_number = state.catalog.by_numbers
        documents = {number: of_number([number])[number].id for number in {r.node.document for r in readings}}
        self._documents = [documents[r.node.document] for r in readings]
        self._of_day: tuple[date | None, PlainIndex, list[int]] | None = None
        self._last: tuple[Wanted, list[int]] | None = None

    def documents(self, asked: Wanted, limit: int) -> tuple[str, ...]:
        """Return the documents of the best passages."""
        found: dict[str, None] = {}
        for at in self._order(asked):
            found[self._documents[at]] = None
            if len(found) == limit:
                break
        return tuple(found)

    def evidence(self, asked: Wanted, documents: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return the best passages of these documents."""
        among = frozenset(documents)
        return tuple(self._passages[at] for at in self._order(asked) if self._documents[at] in among)[:limit]

    def _order(self, asked: Wanted) -> list[int]:
        if self._last is None or self._last[0] != asked:
            index, places = self._index(asked.as_of)
            self._last = asked, [places[at] for at in index.order(asked.text)]
        return self._last[1]

    def _index(self, day: date | None) -> tuple[PlainIndex, list[int]]:
        """Return the index of what is known on a day; only the last one is kept, they are large."""
        if self._of_day is None or self._of_day[0] != day:
            known = frozenset(self._state.on(day).catalog.ids("")) if day else None
            places = [at for at, node in enumerate(self._nodes) if known is None or node in known]
            self._of_day = day, PlainIndex([self._tokens[at] for at in places]), places
        return self._of_day[1], self._of_day[2]


def rankers(state: State, today: date, *, levers: bool) -> dict[str, Ranker]:
    """Return the rankers of a run by name.

    Args:
        state: of the forest, without a limit of what is known.
        today: the day of questions that have none.
        levers: whether each signal is taken away alone, too.

    Returns:
        `lexical`, which is measured; `plain`, without any signal; `without SIGNAL`; and last bm25s, the baseline.
    """
    arms: dict[str, Ranker] = {
        "lexical": Lexical(state, today),
        PLAIN: Lexical(state, today, frozenset(SIGNALS)),
    }
    arms |= {f"{WITHOUT}{signal}": Lexical(state, today, frozenset([signal])) for signal in SIGNALS if levers}
    return arms | {BASELINE: Plain(state)}
