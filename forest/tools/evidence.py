"""Tools about evidence: passages inside documents that were found, and reading them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date

from forest.catalog import NodeRow
from forest.ids import is_version, work_of
from forest.ranking import Why
from forest.reading import Reading, ordinal_of
from forest.search import Within
from forest.state import State
from forest.tools.documents import MOST_TOP_K, named_then, number_in, query_text, reranked, scanned_of, told
from forest.tools.engines import LEXICAL, engine_for
from forest.tools.reply import Outcome, Refusal, tool
from forest.tools.session import Session, day_of, reading_of
from forest.validity import meets
from forest.validity import version_in_force as verdict_of

MOST_DOCUMENTS = 1_000
MOST_CHUNKS = 100
MOST_NEIGHBOURS = 5
MOST_TOKENS = 1_000_000


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage found, not read: it may not be cited yet.

    Attributes:
        chunk_id: `node#ordinal`.
        node_id: whose it is.
        document_id: of what document.
        title: of the node.
        heading: the headings that it stands under, outermost first.
        tokens: of its text.
        score: what passages are ordered by within their tier.
        tier: 0 when the query names it or its node, else 1.
        coverage: share of the query's words, weighted by rarity, that it holds; 0 to 1.
        why: (signal, amount) of everything that made the score.
    """

    chunk_id: str
    node_id: str
    document_id: str
    title: str
    heading: tuple[str, ...]
    tokens: int
    score: float
    tier: int
    coverage: float
    why: Why


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage that was read: rebuilt from the committed blob, its hash verified.

    Attributes:
        chunk_id: `node#ordinal`.
        node_id: whose it is.
        document_id: of what document.
        title: of the node.
        heading: the headings that it stands under, outermost first.
        text: its words, line ends as LF.
        tokens: of the text.
        sha256: of its committed bytes.
        blob: that holds them, from byte `start` to before `end`.
        start: first byte.
        end: one past the last.
        commit: from which it was read.
        in_force_from: first day in force, None when unknown.
        in_force_to: first day no longer in force, None when unknown or open.
        asked: false for a neighbour of what was asked for.
    """

    chunk_id: str
    node_id: str
    document_id: str
    title: str
    heading: tuple[str, ...]
    text: str
    tokens: int
    sha256: str
    blob: str
    start: int
    end: int
    commit: str
    in_force_from: date | None
    in_force_to: date | None
    asked: bool


@tool
def search_evidence(
    session: Session,
    query: str,
    document_ids: Sequence[str],
    *,
    strategy: str = LEXICAL,
    top_k: int = 5,
    without: frozenset[str] = frozenset(),
) -> Outcome[Evidence]:
    """Find passages inside documents that were found before, and nowhere else.

    Args:
        session: the caller's.
        query: words of a person.
        document_ids: 1 to 1,000, discovered in this session.
        strategy: as for `search_documents`.
        top_k: how many at most, 1 to 1,000.
        without: as for `search_documents`.
    """
    number_in("top_k", top_k, 1, MOST_TOP_K)
    text = query_text(query)
    ids = ids_of("document_ids", document_ids, MOST_DOCUMENTS)
    within = Within(documents=tuple(session.document(i).num for i in ids))
    clock = session.clock(text)
    state = session.state.on(clock.as_of)
    engine = engine_for(strategy, dict(session.engines), state)
    asked = session.query(text, clock, without)
    ranks = engine.rank(state, asked, top_k + 1, within, _grouped(state), without=without, recent=False)
    inside = set(within.documents)
    named = [] if "identifiers" in without else named_then(state, asked)
    ranked = [
        *(one for one in named if one.node.document in inside),
        *reranked(session, state, asked, ranks.found),
    ]
    documents = state.catalog.by_numbers(inside)
    first: dict[str, Evidence] = {}
    cut = False
    for one in ranked:
        passage = state.catalog.passage(one.node, one.ordinal)
        if passage is None or passage.id in first or not passage.tokens:
            continue
        if len(first) == top_k:
            cut = True
            break
        first[passage.id] = Evidence(
            passage.id,
            one.node.id,
            documents[one.node.document].id,
            one.node.title,
            passage.heading,
            passage.tokens,
            one.score,
            one.tier,
            one.coverage,
            one.why,
        )
    session.discover((), first)
    scanned = scanned_of(state, asked, within, ranks)
    return told(tuple(first.values()), ranks, scanned, asked.notes(), "passage of these documents", cut=cut)


@tool
def read_chunks(
    session: Session,
    chunk_ids: Sequence[str],
    *,
    neighbor_window: int = 0,
    in_force_on: str | None = None,
    budget_tokens: int | None = None,
) -> Outcome[Chunk]:
    """Read passages: rebuilt from the committed blob by their recipe, the hash verified. Only these may be cited.

    Args:
        session: the caller's.
        chunk_ids: 1 to 100, discovered in this session.
        neighbor_window: how many passages before and after each, in the same node, are read too: 0 to 5.
        in_force_on: the day for which a text in force is wanted, else the session's; a version that was not in force
            then is refused.
        budget_tokens: whole passages within so many tokens, the first of them in any case; four times `read_tokens`
            of `forest.yaml` unless given.
    """
    ids = ids_of("chunk_ids", chunk_ids, MOST_CHUNKS)
    number_in("neighbor_window", neighbor_window, 0, MOST_NEIGHBOURS)
    if budget_tokens is not None:
        number_in("budget_tokens", budget_tokens, 1, MOST_TOKENS)
    day = day_of(in_force_on, "in_force_on") if in_force_on is not None else session.in_force_on
    for chunk in ids:
        session.require_chunk(chunk)
        if day is not None:
            _require_in_force(session, chunk, day)
    wanted = dict.fromkeys(ids, True)
    for chunk in ids:
        wanted |= {near: False for near in _neighbours(session, chunk, neighbor_window) if near not in wanted}
    budget = budget_tokens or session.state.config.read_budget_tokens * 4
    chunks: list[Chunk] = []
    left: list[str] = []
    spent = 0
    for chunk, asked in wanted.items():
        reading = reading_of(session, chunk)
        if chunks and spent + reading.passage.tokens > budget:
            left.append(chunk)
            continue
        spent += reading.passage.tokens
        session.take(reading)
        chunks.append(_chunk(session, reading, asked=asked))
    scanned = {"chunks": len(wanted), "tokens": spent}
    if not left:
        return Outcome(tuple(chunks), scanned=scanned)
    more = f"{len(left)} passages are over the budget of {budget:,} tokens: {', '.join(left[:10])}."
    session.discover((), left)
    return Outcome(tuple(chunks), "partial", more, "Read them in another call.", False, scanned)


def _grouped(state: State) -> Callable[[NodeRow, int], Hashable]:
    """Return what tells passages apart; nodes without text are one group, so that they take the place of one only."""

    def group(node: NodeRow, ordinal: int) -> Hashable:
        passage = state.catalog.passage(node, ordinal) if ordinal == 1 else None
        return None if passage is not None and not passage.tokens else (node.num, ordinal)

    return group


def ids_of(name: str, ids: Sequence[str], most: int) -> tuple[str, ...]:
    """Return some ids, each once.

    Raises:
        Refusal: they are no list of texts, there are none, or too many.
    """
    listed = not isinstance(ids, str) and isinstance(ids, Sequence) and all(isinstance(one, str) for one in ids)
    if not listed or not 1 <= len(ids) <= most:
        raise Refusal("invalid", f"{name} must be a list of 1 to {most:,} ids.", "Give the ids that were found.")
    return tuple(dict.fromkeys(ids))


def _neighbours(session: Session, chunk_id: str, window: int) -> list[str]:
    node_id, _, number = chunk_id.partition("#")
    count = session.now.catalog.count_passages(session.node(node_id))
    if (ordinal := ordinal_of(number)) is None:
        return []  # reading it will say so
    around = range(max(ordinal - window, 1), min(ordinal + window, count) + 1)
    return [f"{node_id}#{at}" for at in around if at != ordinal]


def _require_in_force(session: Session, chunk_id: str, day: date) -> None:
    node_id = chunk_id.partition("#")[0]
    catalog = session.now.catalog
    node = session.node(node_id)
    clock = session.clock(in_force_on=day)
    if meets(node, clock.start, clock.end):
        return
    hint = f"Ask version_in_force for {work_of(node_id)} on {day}."
    if is_version(node_id) and catalog.find(work_of(node_id)) is not None:
        verdict = verdict_of(catalog, work_of(node_id), clock.start, clock.end)
        if verdict.status == "one":
            hint = f"The text in force then is {verdict.versions[0].id}: {hint}"
    raise Refusal("refused", f"{chunk_id} is of a text that was not in force on {day}.", hint)


def _chunk(session: Session, reading: Reading, *, asked: bool) -> Chunk:
    node, passage = reading.node, reading.passage
    document = session.now.catalog.by_numbers([node.document]).get(node.document, node)
    return Chunk(
        passage.id,
        node.id,
        document.id,
        node.title,
        passage.heading,
        reading.text,
        passage.tokens,
        passage.sha256,
        node.blob,
        passage.start,
        passage.end,
        reading.commit,
        node.in_force_from,
        node.in_force_to,
        asked,
    )
