"""Rankers: what finds documents, and passages inside documents that were found; all over the same forest.

A ranker is asked with the question's words and clocks and never sees what ought to be found, except that evidence may
be searched in documents that it did not find itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from sys import intern
from typing import Protocol

from bench.arms.arm import every_passage
from bench.arms.bm25 import PlainIndex, plain_tokens
from bench.retrieval.wanted import Wanted, document_of
from forest.question import read_question
from forest.retrieval import search_passages
from forest.state import State
from forest.validity import clock_for

BASELINE = "bm25s"
WITHOUT = "without "  # begins the name of an arm from which one signal was taken
_DEEP = 120


class Ranker(Protocol):
    """Finds documents, and passages in them."""

    def documents(self, asked: Wanted, limit: int) -> tuple[str, ...]:
        """Return ids of documents, best first."""
        ...

    def evidence(self, asked: Wanted, documents: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return ids of passages of some documents, best first."""
        ...


class Searched:
    """`forest search` as it is: documents by their best passage."""

    def __init__(self, state: State, today: date) -> None:
        self._state, self._today = state, today

    def documents(self, asked: Wanted, limit: int) -> tuple[str, ...]:
        """Return the documents of the passages found."""
        return tuple(dict.fromkeys(document for _, document in self._found(asked)))[:limit]

    def evidence(self, asked: Wanted, documents: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return those of the passages found that are of these documents."""
        return tuple(passage for passage, document in self._found(asked) if document in documents)[:limit]

    def _found(self, asked: Wanted) -> Iterator[tuple[str, str]]:
        clock = clock_for(
            asked.text, as_of=asked.as_of, in_force_on=asked.in_force_on, today=asked.today or self._today
        )
        for found in search_passages(self._state, read_question(self._state, asked.text, clock), _DEEP, _DEEP):
            yield found.reading.passage.id, document_of(self._state, found.reading.node)


class Plain:
    """bm25s over the same passages as they are known on the question's `as_of`; a document is as good as its best."""

    def __init__(self, state: State) -> None:
        self._state = state
        readings = every_passage(state)
        # Words repeat millions of times: one copy of each is kept.
        self._tokens = [tuple(map(intern, plain_tokens(r))) for r in readings]
        self._passages = [r.passage.id for r in readings]
        self._nodes = [r.node.id for r in readings]
        documents = {node.id: document_of(state, node) for node in {r.node.id: r.node for r in readings}.values()}
        self._documents = [documents[node] for node in self._nodes]
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


def without_limit(asked: Wanted) -> Wanted:
    """Return a question as if it had no `as_of`."""
    return replace(asked, as_of=None)


def rankers(state: State, today: date, *, levers: bool) -> dict[str, Ranker]:
    """Return the rankers of a run by name, the one that is measured first, the baseline last."""
    del levers
    return {"lexical": Searched(state, today), BASELINE: Plain(state)}
