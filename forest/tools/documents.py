"""Tools about documents: listing them, finding them, and what one consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from forest.catalog import NodeRow
from forest.ids import is_version
from forest.limits import MAX_QUESTION_CHARACTERS
from forest.outline import period_of
from forest.question import Query
from forest.ranking import Ranked, Why
from forest.retrieval import Ranks, named_passages, tokens_of, window_of
from forest.search import Within
from forest.state import State
from forest.tools.engines import LEXICAL, engine_for
from forest.tools.filters import Filters, Honoured, honour, passes, read_filters
from forest.tools.reply import Outcome, Refusal, tool
from forest.tools.session import Session
from forest.validity import meets

MOST_TOP_K = 1_000
MOST_LISTED = 1_000
PAGE_ITEMS = 50

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Document:
    """A document as listed or found.

    Attributes:
        id: of its node.
        title: of its node.
        institution: titles of the bodies that issued it, as far as it says.
        kind: of its node: publication, instrument; topic or entity for what is part of neither.
        published: day of the gazette.
        section: MAT, VES, EXT or "".
        chunk_id: the passage for which it was found, "" where none was looked for.
        score: what found documents are ordered by within their tier.
        tier: 0 when the query names it or a part of it, else 1.
        coverage: share of the query's words, weighted by rarity, that its best passage holds; 0 to 1.
        why: (signal, amount) of everything that made the score.
    """

    id: str
    title: str
    institution: tuple[str, ...]
    kind: str
    published: date | None
    section: str
    chunk_id: str = ""
    score: float = 0.0
    tier: int = 1
    coverage: float = 0.0
    why: Why = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One passage of a document, or a node of it without text of its own.

    Attributes:
        chunk_id: the passage, "" for a node without text.
        node_id: whose it is.
        title: of the node.
        heading: the headings that the passage stands under, outermost first.
        tokens: of the passage.
    """

    chunk_id: str
    node_id: str
    title: str
    heading: tuple[str, ...]
    tokens: int


@tool
def list_publications(
    session: Session, *, filters: Filters | Mapping[str, object] | None = None, limit: int = 20
) -> Outcome[Document]:
    """List the documents of the gazette, newest first; those without a day come last.

    Args:
        session: the caller's.
        filters: what they must be.
        limit: how many at most, 1 to 1,000.
    """
    number_in("limit", limit, 1, MOST_LISTED)
    wanted = read_filters(filters)
    allowed = honour(session, wanted)
    clock = session.clock(as_of=wanted.as_of, in_force_on=wanted.in_force_on)
    state = session.state.on(clock.as_of)
    holds = period_of(clock) if wanted.in_force_on is not None or session.in_force_on is not None else None
    rows = state.catalog.documents(allowed.query, limit, holds)
    total = state.catalog.count_documents(allowed.query, holds)
    items = tuple(document_of(state, row) for row in rows)
    session.discover(item.id for item in items)
    scanned = {"documents": total}
    notes = (*allowed.notes, *days_notes(clock.start if holds is not None else None))
    if not items:
        told = "No document of the gazette passes these filters."
        return Outcome((), "empty", told, "Widen them, or leave them out.", scanned=scanned, notes=notes)
    more = f"{total - len(items):,} more pass." if total > len(items) else ""
    hint = "Give a larger limit, or narrower filters." if more else ""
    return Outcome(items, message=more, hint=hint, complete=not more, scanned=scanned, notes=notes)


@tool
def search_documents(
    session: Session,
    query: str,
    *,
    strategy: str = LEXICAL,
    filters: Filters | Mapping[str, object] | None = None,
    top_k: int = 10,
    prefer_recent: bool = False,
    without: frozenset[str] = frozenset(),
) -> Outcome[Document]:
    """Find documents by words, names and identifiers; each is placed by its best passage.

    Args:
        session: the caller's.
        query: words of a person.
        strategy: `lexical`; `vector` and `hybrid` once the session has an engine with a complete index.
        filters: what the documents must be; they act inside the search.
        top_k: how many at most, 1 to 1,000.
        prefer_recent: whether newer documents are lifted, by a bounded factor.
        without: names of `forest.ranking.SIGNALS` that do not count, to see what they are worth.
    """
    number_in("top_k", top_k, 1, MOST_TOP_K)
    wanted, text = read_filters(filters), query_text(query)
    allowed = honour(session, wanted)
    clock = session.clock(text, as_of=wanted.as_of, in_force_on=wanted.in_force_on)
    state = session.state.on(clock.as_of)
    engine = engine_for(strategy, dict(session.engines), state)
    asked = session.query(text, clock, without)
    ranks = engine.rank(
        state, asked, top_k, allowed.within, lambda node, _: node.document, without=without, recent=prefer_recent
    )
    named = [] if "identifiers" in without else _named(state, asked, allowed)
    ranked = [*named, *reranked(session, state, asked, ranks.found)]
    documents = state.catalog.by_numbers(one.node.document for one in ranked)
    first: dict[int, Document] = {}
    for one in ranked:
        if one.node.document not in first and len(first) < top_k:
            first[one.node.document] = _placed(state, documents[one.node.document], one)
    cut = len({one.node.document for one in ranked}) > len(first)
    items = tuple(first.values())
    session.discover((item.id for item in items), (item.chunk_id for item in items))
    notes = (*allowed.notes, *days_notes(wanted.in_force_on), *asked.notes())
    scanned, filtered = scanned_of(state, asked, allowed.within, ranks), allowed.within != Within()
    return told(items, ranks, scanned, notes, "document", cut=cut, filtered=filtered)


@tool
def get_document_outline(session: Session, document_id: str, *, page: int = 1) -> Outcome[Part]:
    """Show what a document consists of: its passages and those of the nodes that it is made of, with their sizes.

    Args:
        session: the caller's.
        document_id: of a document that was discovered.
        page: of 50 parts each, from 1.
    """
    document = session.document(document_id)
    catalog = session.now.catalog
    clock = session.clock()
    holds = period_of(clock) if session.in_force_on is not None else None
    total = catalog.count_parts(document, holds)
    pages = max(-(-total // PAGE_ITEMS), 1)
    number_in("page", page, 1, pages)
    rows = catalog.parts(document, PAGE_ITEMS, (page - 1) * PAGE_ITEMS, holds)
    items = tuple(
        Part(f"{node_id}#{ordinal}" if tokens else "", node_id, title, heading, tokens)
        for node_id, title, ordinal, heading, tokens in rows
    )
    session.discover((), (item.chunk_id for item in items if item.chunk_id))
    left = total - page * PAGE_ITEMS
    return Outcome(
        items,
        message=f"Page {page} of {pages}: {left:,} more parts follow." if left > 0 else f"Page {page} of {pages}.",
        hint=f"Ask for page {page + 1}." if left > 0 else "",
        complete=pages == 1,
        scanned={"parts": total},
        notes=(f"Texts not in force on {clock.words} were left out.",) if holds is not None else (),
    )


# --- what the tools share ---------------------------------------------------------------------------------------------


def number_in(name: str, value: int, low: int, high: int) -> None:
    """Refuse a number that is none, or out of its bounds.

    Raises:
        Refusal: it is.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        told = f"{name} must be a whole number from {low} to {high:,}, not {str(value)[:20]}."
        nearest = min(max(value, low), high) if isinstance(value, int) else low
        raise Refusal("invalid", told, f"Try {name} {nearest}.")


def query_text(query: str) -> str:
    """Return the words of a query.

    Raises:
        Refusal: there are none, or too many.
    """
    if not isinstance(query, str) or not query.strip():
        raise Refusal("invalid", "The query is empty.", "Give the words to look for.")
    if len(query) > MAX_QUESTION_CHARACTERS:
        told = f"The query has {len(query):,} characters, the limit is {MAX_QUESTION_CHARACTERS:,}."
        raise Refusal("invalid", told, "Shorten it.")
    return query


def reranked(session: Session, state: State, query: Query, found: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    """Return what was found in the order of the session's reranker, nothing added and nothing dropped."""
    if session.reranker is None:
        return found
    known = {(one.node.num, one.ordinal): one for one in found}
    order = dict.fromkeys((one.node.num, one.ordinal) for one in session.reranker.order(state, query, found))
    return tuple(known[key] for key in dict.fromkeys((*order, *known)) if key in known)


def scanned_of(state: State, query: Query, within: Within, ranks: Ranks) -> dict[str, int]:
    """Return how much a search looked at."""
    return {
        "passages": state.index.size(state.as_of),
        "matching": state.index.count(tokens_of(query), window_of(state, query.clock), within),
        "weighed": ranks.weighed,
    }


def told(
    items: tuple[T, ...],
    ranks: Ranks,
    scanned: dict[str, int],
    notes: tuple[str, ...],
    what: str,
    *,
    cut: bool,
    filtered: bool = False,
) -> Outcome[T]:
    """Return what a search found as an outcome that says whether more fits.

    Args:
        items: what is given.
        ranks: as the search left them.
        scanned: how much was looked at.
        notes: how the request was understood.
        what: a noun for one item.
        cut: whether some of what was found is not given.
        filtered: whether filters acted on it.
    """
    if not items:
        passing = " that passes the filters" if filtered else ""
        hint = "Try others, or fewer filters." if filtered else "Try others."
        return Outcome((), "empty", f"No {what}{passing} holds these words.", hint, scanned=scanned, notes=notes)
    if not ranks.complete:
        message = f"Only the {ranks.weighed:,} most promising of {scanned['matching']:,} passages were weighed."
        return Outcome(items, "partial", message, "Give rarer words or a filter.", False, scanned, notes)
    complete = ranks.exhausted and not cut
    more = "" if complete else f"There may be more: these are the first {len(items)}."
    return Outcome(items, "ok", more, "" if complete else "Give a larger top_k.", complete, scanned, notes)


def days_notes(in_force_on: date | None) -> tuple[str, ...]:
    """Return what a reader must know of a day on which texts are to be in force."""
    if in_force_on is None:
        return ()
    return (f"Texts that do not say when they hold pass the filter in_force_on {in_force_on}.",)


def document_of(state: State, row: NodeRow) -> Document:
    """Return a document as it is listed."""
    bodies = state.catalog.by_ids(row.issuers)
    names = tuple(bodies[i].title for i in row.issuers if i in bodies)
    return Document(row.id, row.title, names, row.kind, row.published, row.section)


def _placed(state: State, row: NodeRow, one: Ranked) -> Document:
    return replace(
        document_of(state, row),
        chunk_id=f"{one.node.id}#{one.ordinal}",
        score=one.score,
        tier=one.tier,
        coverage=one.coverage,
        why=one.why,
    )


def named_then(state: State, query: Query) -> list[Ranked]:
    """Return the passages of what a query names; where a call or its session sets a day, of texts in force on it."""
    clock = query.clock
    set_day = clock.source == "option" and clock.start != clock.as_of  # as_of alone only says which day is today
    return [
        Ranked(f.reading.node, f.reading.passage.ordinal, 0, f.score, f.coverage, f.why)
        for f in named_passages(state, query)
        if not (set_day and is_version(f.reading.node.id)) or meets(f.reading.node, clock.start, clock.end)
    ]


def _named(state: State, query: Query, allowed: Honoured) -> list[Ranked]:
    """Return the passages of what a query names whose documents pass the filters, in the order of the query."""
    found = named_then(state, query)
    documents = state.catalog.by_numbers(one.node.document for one in found)
    return [one for one in found if passes(documents[one.node.document], allowed.query)]


def chunks_of(state: State, node: NodeRow) -> tuple[str, ...]:
    """Return the ids of a node's passages that have text, in order."""
    return tuple(passage.id for passage in state.catalog.passages(node) if passage.tokens)


def whole_of(state: State, node: NodeRow) -> NodeRow:
    """Return the document that a node is part of; itself where it is one."""
    return state.catalog.by_numbers([node.document]).get(node.document, node)
