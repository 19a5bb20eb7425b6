"""Sessions: what a caller has discovered and read so far, and the days that hold for all its calls.

Ids must have been discovered in a session before they are searched or read, and only what was read may be cited: the
contract that keeps a model to the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING

from forest.catalog import NodeRow
from forest.citation import Citation
from forest.days import parse_day
from forest.errors import PassageMismatch
from forest.legal import identifiers
from forest.question import Query, read_question
from forest.ranking import SIGNALS
from forest.reading import Reading, no_passage, ordinal_of, read_passage
from forest.spelling import wording_of
from forest.state import State
from forest.tools.reply import Outcome, Refusal, tool
from forest.validity import Clock, clock_for

if TYPE_CHECKING:
    from forest.tools.engines import Engine, Reranker

_NOT_DISCOVERED = "has not been discovered in this session"
_HOW = "Find it first: search_documents, list_publications, resolve_citation or follow_references."
_HOW_CHUNK = "Find it first: search_evidence, get_document_outline or resolve_citation."


@dataclass
class Session:
    """One caller's session over one forest.

    Attributes:
        state: of the forest.
        today: the day it is.
        as_of: everything is as if nothing known later existed; None is no limit. It only moves back.
        in_force_on: texts in force that day, where neither call nor question says another.
        engines: what may be asked for as a strategy, beside `lexical`.
        reranker: puts what was found into another order, None leaves it.
    """

    state: State
    today: date
    as_of: date | None = None
    in_force_on: date | None = None
    engines: Mapping[str, Engine] = field(default_factory=lambda: MappingProxyType({}))
    reranker: Reranker | None = None
    _documents: dict[str, None] = field(default_factory=dict, repr=False)
    _chunks: dict[str, None] = field(default_factory=dict, repr=False)
    _read: dict[str, Reading | None] = field(default_factory=dict, repr=False)

    @property
    def now(self) -> State:
        """The state as of the session's day."""
        return self.state.on(self.as_of)

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of documents discovered so far, in the order of discovery."""
        return tuple(self._documents)

    @property
    def chunks(self) -> tuple[str, ...]:
        """The ids of passages discovered so far."""
        return tuple(self._chunks)

    @property
    def read(self) -> tuple[str, ...]:
        """The ids of passages read so far; only these may be cited."""
        return tuple(self._read)

    def discover(self, documents: Iterable[str] = (), chunks: Iterable[str] = ()) -> None:
        """Take ids as discovered."""
        self._documents |= dict.fromkeys(documents)
        self._chunks |= dict.fromkeys(chunks)

    def forget(self) -> None:
        """Forget what was discovered and read."""
        self._documents.clear()
        self._chunks.clear()
        self._read.clear()

    def take(self, reading: Reading) -> None:
        """Take a passage as read."""
        self._read[reading.passage.id] = reading
        self.discover((), (reading.passage.id,))

    def take_ids(self, chunks: Iterable[str]) -> None:
        """Take passages as read whose text is at hand no more, as when a session goes on in another process."""
        for chunk in chunks:
            self._read.setdefault(chunk, None)

    def cite(self, chunk_id: str, words: str) -> Citation:
        """Return the citation of some words of a passage that was read.

        Raises:
            Refusal: it was not read in this session.
            PassageMismatch: the words do not stand in it, or there are none.
        """
        if chunk_id not in self._read:
            raise Refusal("refused", f"{chunk_id} was not read in this session.", "Only what was read may be cited.")
        if not words.strip():
            raise PassageMismatch("No words are given to be cited.", "Give some that stand in the passage.")
        reading = self._read[chunk_id] or reading_of(self, chunk_id)
        return reading.cite(words)

    def node(self, node_id: str) -> NodeRow:
        """Return a node that was known on the session's day; of one known later it does not tell that it exists.

        Raises:
            Refusal: there is none.
        """
        catalog = self.now.catalog
        node = catalog.find(node_id)
        if node is None:
            near = catalog.nearest(node_id)
            then = f" that was known on {self.as_of}" if self.as_of is not None else ""
            hint = f"Did you mean {near[0]}?" if near else _HOW
            raise Refusal("not_found", f"The forest has no node {node_id[:200]!r}{then}.", hint)
        return node

    def document(self, document_id: str) -> NodeRow:
        """Return a document that was discovered.

        Raises:
            Refusal: there is none, it was not discovered, or is only a part of a document.
        """
        node = self.node(document_id)
        if document_id not in self._documents:
            raise Refusal("refused", f"{document_id} {_NOT_DISCOVERED}.", _HOW)
        if node.document != node.num:
            whole = self.now.catalog.by_numbers([node.document]).get(node.document)
            hint = f"It is a part of {whole.id}." if whole is not None else ""
            raise Refusal("refused", f"{document_id} is no document.", hint)
        return node

    def require_chunk(self, chunk_id: str) -> None:
        """Refuse a passage that was not discovered.

        Raises:
            Refusal: it was not.
        """
        if chunk_id not in self._chunks:
            raise Refusal("refused", f"{chunk_id} {_NOT_DISCOVERED}.", _HOW_CHUNK)

    def clock(self, question: str = "", *, as_of: date | None = None, in_force_on: date | None = None) -> Clock:
        """Return the days of a call: those of the call, of its question, of the session, today; the first that says.

        Raises:
            Refusal: `as_of` is after the session's.
        """
        if as_of is not None and self.as_of is not None and as_of > self.as_of:
            told = f"as_of {as_of} is after the session's, {self.as_of}."
            raise Refusal("refused", told, f"Leave it out, or give {self.as_of} or an earlier day.")
        known = as_of or self.as_of
        state = self.state.on(known)
        question = wording_of(state, question).text  # a day may be in English
        named = identifiers(question, state.catalog).spans if question else ()
        clock = clock_for(question, as_of=known, in_force_on=in_force_on, today=self.today, named=named)
        if self.in_force_on is not None and clock.source != "question" and in_force_on is None:
            return clock_for("", as_of=known, in_force_on=self.in_force_on, today=self.today)
        return clock

    def query(self, question: str, clock: Clock, without: frozenset[str] = frozenset()) -> Query:
        """Return a question made ready, without the vocabulary if that signal does not count.

        Raises:
            Refusal: there is no such signal.
        """
        if unknown := sorted(without - set(SIGNALS)):
            raise Refusal("invalid", f"There is no signal {unknown[0][:40]!r}.", f"Signals: {', '.join(SIGNALS)}.")
        return read_question(self.state, question, clock, widened="vocabulary" not in without)


@dataclass(frozen=True, slots=True)
class Days:
    """The days of a session, and how much it has found: what `session` tells."""

    as_of: date | None
    in_force_on: date | None
    today: date
    documents_discovered: int
    chunks_discovered: int
    chunks_read: int


@tool
def session(current: Session, *, as_of: str | None = None, in_force_on: str | None = None) -> Outcome[Days]:
    """Tell the days of the session, and set them.

    Args:
        current: the session.
        as_of: a day as YYYY-MM-DD; from now on everything is as if nothing known later existed. It only moves back:
            what was found with a later one is forgotten.
        in_force_on: a day as YYYY-MM-DD; "" takes it back.
    """
    before = day_of(as_of, "as_of") if as_of is not None else None
    on = day_of(in_force_on, "in_force_on") if in_force_on else None
    if before is not None:
        if current.as_of is not None and before > current.as_of:
            told = f"as_of {before} is after the session's, {current.as_of}."
            raise Refusal("refused", told, "Begin another session: this one may have been told what was known then.")
        if before != current.as_of:
            current.as_of = before
            current.forget()
    if in_force_on is not None:
        current.in_force_on = on
    counts = (len(current.documents), len(current.chunks), len(current.read))
    return Outcome((Days(current.as_of, current.in_force_on, current.today, *counts),))


def day_of(text: str, what: str) -> date:
    """Return a day of the calendar.

    Raises:
        Refusal: it is none, or not written YYYY-MM-DD.
    """
    day = parse_day(text)
    if day is None:
        raise Refusal(
            "invalid", f"{what} {text[:40]!r} is not a day of the calendar.", "Write it as YYYY-MM-DD, e.g. 2023-01-01."
        )
    return day


def reading_of(session: Session, chunk_id: str) -> Reading:
    """Read one passage as of the session's day.

    Raises:
        Refusal: there is no such node.
        PassageNotFound: it has no such passage.
        PassageMismatch: the committed bytes are not what the recipe says.
    """
    node_id, _, number = chunk_id.partition("#")
    node = session.node(node_id)
    if (ordinal := ordinal_of(number)) is None:
        raise no_passage(node, session.now.catalog.count_passages(node), number)
    return read_passage(session.now, node, ordinal)
