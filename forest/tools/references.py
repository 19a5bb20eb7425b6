"""Tools about references: which text held when, what a citation means, and where references lead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from forest.answer import Missing
from forest.catalog import DocumentQuery, NodeRow
from forest.gaps import gaps_of
from forest.ids import work_of
from forest.legal import norm_codes
from forest.naming import nodes_of_names, transitory_articles
from forest.parts import passages_of_parts
from forest.question import Query
from forest.reading import read_passage
from forest.search import Within
from forest.state import State
from forest.tools.documents import MOST_LISTED, number_in, query_text
from forest.tools.reply import Outcome, Refusal, tool
from forest.tools.session import Session, day_of
from forest.validity import version_in_force as verdict_of

_NUMERAL = re.compile(r"\b(?:numerales|numeral|punto|inciso|apartado)? ?(\d{1,3}(?:\.\d{1,3}){0,5})\b")
_MOST_ALTERNATIVES = 50
_NUMERALS_LOOKED_AT = 40
DIRECTIONS = ("out", "in", "both")


@dataclass(frozen=True, slots=True)
class Version:
    """One text of a rule.

    Attributes:
        id: of its node.
        title: of the node.
        document_id: of what document.
        in_force_from: first day in force, None when unknown.
        in_force_to: first day no longer in force, None when unknown or open.
        open_ended: it says that it is in force until something ends it.
        basis: the words that say when it holds, "" when none do.
        chunk_ids: its passages.
    """

    id: str
    title: str
    document_id: str
    in_force_from: date | None
    in_force_to: date | None
    open_ended: bool
    basis: str
    chunk_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """What a citation means, or may mean.

    Attributes:
        said: the words of the citation.
        node_id: the node that it means.
        document_id: of what document.
        title: of the node.
        kind: of the node.
        published: day of the gazette of the document.
        chunk_ids: the passages that it means: those of the part named, else all of the node.
    """

    said: str
    node_id: str
    document_id: str
    title: str
    kind: str
    published: date | None
    chunk_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """One edge, seen from a node.

    Attributes:
        kind: of the edge, or its inverse's name when it arrives.
        direction: `out` when the node states it, `in` when another does.
        node_id: its other end.
        document_id: of what document that is.
        title: of the other end.
        scent: what lies there.
        basis: the words by which its source establishes it.
    """

    kind: str
    direction: str
    node_id: str
    document_id: str
    title: str
    scent: str
    basis: str


@tool
def version_in_force(session: Session, id: str, date: str) -> Outcome[Version]:  # noqa: A002 - the contract's names
    """Tell which text of a rule was in force on a day; never guesses.

    Args:
        session: the caller's.
        id: of a work, or of one of its versions.
        date: a day as YYYY-MM-DD.

    Returns:
        One version; none (`empty`); several (`ambiguous`); or those that do not say when they hold (`partial`).
    """
    day = day_of(date, "date")
    state = session.now
    work = work_of(id) if state.catalog.find(work_of(id)) is not None else session.node(id).id
    clock = session.clock(in_force_on=day)
    verdict = verdict_of(state.catalog, work, clock.start, clock.end)
    items = tuple(_version(state, node) for node in verdict.versions)
    session.discover((item.document_id for item in items), (chunk for item in items for chunk in item.chunk_ids))
    if verdict.status == "one":
        return Outcome(items)
    texts = ", ".join(text.id for text in state.catalog.versions(work))
    if verdict.status == "none":
        return Outcome((), "empty", f"No text of {work} was in force on {day}.", f"Its texts: {texts or work}.")
    if verdict.status == "several":
        return Outcome(items, "ambiguous", f"Several texts of {work} were in force on {day}.", "Read what each says.")
    why = f"Which text of {work} was in force on {day} is not known: these do not say when they hold."
    return Outcome(items, "partial", why, "Read what each says of its entry into force.", complete=False)


@tool
def resolve_citation(session: Session, text: str) -> Outcome[Cited]:
    """Tell what a citation means: an article, a part of a norm, an issue of the gazette, a name.

    Args:
        session: the caller's; of a rule with several texts the one in force on its day is meant.
        text: as people and texts cite: "artículo 76 de la LFT", "NOM-035-STPS-2018, numeral 5.2", "DOF 27-12-2022".

    Returns:
        What is meant; alternatives when it is `ambiguous`; with `partial`, a part of what is named does not exist.
    """
    said = query_text(text)
    clock = session.clock(said)
    state = session.state.on(clock.as_of)
    query = session.query(said, clock)
    items = _named(state, query)
    rivals = [] if items else _alternatives(state, query)
    found = items or rivals
    session.discover(
        (document for item in found for document in (item.document_id,)),
        (chunk for item in found for chunk in item.chunk_ids),
    )
    gaps = (*gaps_of(state, query, ()), *_missing_numerals(state, query, found))
    told = "; ".join(f"«{gap.what}»: {gap.why}" for gap in gaps)
    nearest = ", ".join(dict.fromkeys(near.id for gap in gaps for near in gap.nearest))
    hint = f"Nearest: {nearest}." if nearest else ""
    if items:
        alone = len({item.node_id for item in items}) == 1 or len(items) <= len(query.named.articles)
        several = not alone and bool(query.named.gazette_dates) and not query.named.articles
        if several:
            which = "Say which by its title, or take one."
            return Outcome(tuple(items), "ambiguous", f"{len(items)} documents were published that day.", which)
        return Outcome(tuple(items), "partial" if gaps else "ok", f"{told}." if told else "", hint, not gaps)
    if rivals:
        why = f"{told}." if told else f"«{said[:80]}» may mean {len(rivals)} texts."
        return Outcome(tuple(rivals), "ambiguous", why, "Say of which one.")
    if gaps:
        return Outcome((), "not_found", f"{told}.", hint, complete=False)
    return Outcome(
        (), "not_found", f"«{said[:80]}» is no citation that this forest can resolve.", "Look for it: search_documents."
    )


@tool
def follow_references(
    session: Session,
    id: str,  # noqa: A002 - the contract's name
    *,
    direction: str = "out",
    kinds: Sequence[str] = (),
    limit: int = 100,
) -> Outcome[Reference]:
    """Show where the typed references of a node lead, and which reach it.

    Args:
        session: the caller's.
        id: of a node.
        direction: `out` (what it states), `in` (what is stated of it), or `both`.
        kinds: of edges, by name or by the name of the inverse; empty means all.
        limit: how many at most, 1 to 1,000.
    """
    number_in("limit", limit, 1, MOST_LISTED)
    if direction not in DIRECTIONS:
        raise Refusal("invalid", f"There is no direction {str(direction)[:20]!r}.", f"Try: {', '.join(DIRECTIONS)}.")
    state = session.now
    node = session.node(id)
    inverses = {kind.name: kind.inverse for kind in state.config.edge_kinds}
    known = {*inverses, *inverses.values()}
    if isinstance(kinds, str) or not all(kind in known for kind in kinds):
        raise Refusal("invalid", f"kinds must be a list of: {', '.join(sorted(inverses))}.", "Leave it out for all.")
    wanted = {name for name, inverse in inverses.items() if not kinds or name in kinds or inverse in kinds}
    found = _references(state, node, direction, wanted, inverses)
    items = tuple(found[:limit])
    session.discover((item.document_id for item in items), ())
    total = len(found)
    if not items:
        return Outcome((), "empty", f"{id} has no such references.", "Try direction both, or other kinds.")
    more = f"{total - limit:,} more follow." if total > limit else ""
    hint = "Give a larger limit." if more else ""
    return Outcome(items, message=more, hint=hint, complete=not more, scanned={"references": total})


def _references(
    state: State, node: NodeRow, direction: str, wanted: set[str], inverses: dict[str, str]
) -> list[Reference]:
    out = [edge for edge in state.catalog.edges_out(node) if edge[0] in wanted] if direction != "in" else []
    ids = dict.fromkeys((node.id, work_of(node.id)))  # an edge usually means the work and not one wording of it
    arriving = [
        (kind, num, to)
        for to in ids
        for kind, num in state.catalog.edges_in(to)
        if kind in wanted and direction != "out"
    ]
    ends = state.catalog.by_ids(to for _, to, _, _ in out)
    sources = state.catalog.by_numbers(num for _, num, _ in arriving)
    documents = state.catalog.by_numbers(row.document for row in (*ends.values(), *sources.values()))
    found = [
        Reference(kind, "out", to, documents[ends[to].document].id, ends[to].title, scent, basis)
        for kind, to, scent, basis in out
        if to in ends
    ]
    for kind, num, to in arriving:
        if (source := sources.get(num)) is not None:
            basis = next(b for k, t, _, b in state.catalog.edges_out(source) if (k, t) == (kind, to))
            found.append(
                Reference(
                    inverses.get(kind, kind),
                    "in",
                    source.id,
                    documents[source.document].id,
                    source.title,
                    source.scent,
                    basis,
                )
            )
    return found


def _version(state: State, node: NodeRow) -> Version:
    return Version(
        node.id,
        node.title,
        _document_of(state, node).id,
        node.in_force_from,
        node.in_force_to,
        node.open_ended,
        node.in_force_basis,
        _chunks(state, node),
    )


def _chunks(state: State, node: NodeRow) -> tuple[str, ...]:
    return tuple(passage.id for passage in state.catalog.passages(node) if passage.tokens)


def _document_of(state: State, node: NodeRow) -> NodeRow:
    return state.catalog.by_numbers([node.document]).get(node.document, node)


def _cited(state: State, said: str, node: NodeRow, chunks: tuple[str, ...] = ()) -> Cited:
    document = _document_of(state, node)
    passages = chunks or _chunks(state, node)
    return Cited(said, node.id, document.id, node.title, node.kind, document.published, passages)


def _named(state: State, query: Query) -> list[Cited]:
    """Return what a citation means without doubt."""
    found = []
    for node in nodes_of_names(state, query):
        parts = tuple(f"{node.id}#{at}" for at in passages_of_parts(state, node, query))
        found.append(_cited(state, query.text, node, parts or _numeral(state, query, node)))
    if not found:
        for instrument in query.named.instruments:
            law = state.catalog.find(instrument)
            if law is not None and not query.named.missing and not _transitory(query):
                found.append(_cited(state, query.text, law, _numeral(state, query, law)))
    for day in query.named.gazette_dates if not found else ():
        published = date.fromisoformat(day)
        rows = state.catalog.documents(DocumentQuery(published, published), _MOST_ALTERNATIVES)
        found += [_cited(state, query.text, row) for row in rows]
    return found


def _transitory(query: Query) -> bool:
    return any(mention.transitory for mention in query.named.mentions)


def _alternatives(state: State, query: Query) -> list[Cited]:
    """Return what an ambiguous citation may mean: the article in each law of that name, a transitory of each decree."""
    found: list[Cited] = []
    for mention in query.named.mentions:
        if len(mention.instruments) < 2:
            continue
        for instrument in mention.instruments:
            ids = [f"{instrument}/art-{key}" for key in mention.articles] or [instrument]
            found += [_cited(state, query.text, node) for i in ids if (node := state.catalog.find(i)) is not None]
    for nodes in transitory_articles(state, query).values():
        found += [_cited(state, query.text, node) for node in nodes[:_MOST_ALTERNATIVES]]
    for key in query.named.bare if not found else ():
        members = state.catalog.members("", f"art-{key}")
        found += [_cited(state, query.text, node) for node in members[:_MOST_ALTERNATIVES]]
    return found


def _numerals(query: Query) -> list[str]:
    """Return the numerals of norms that a citation names: `5.2`."""
    details = (mention.detail for mention in query.named.mentions if norm_codes(mention.name))
    return [match[1] for detail in details for match in _NUMERAL.finditer(detail)]


def _missing_numerals(state: State, query: Query, found: Sequence[Cited]) -> list[Missing]:
    """Return the numerals that no passage of what a citation means begins."""
    nodes = [state.catalog.node(item.node_id) for item in found]
    labels = [label for label in _numerals(query) if nodes and not any(_begin(state, label, node) for node in nodes)]
    return [Missing(f"numeral {label}", "no line of the norm begins with it", ()) for label in labels]


def _numeral(state: State, query: Query, node: NodeRow) -> tuple[str, ...]:
    """Return the passages that begin the numerals of a norm which a citation names; empty when none does."""
    return tuple(chunk for label in _numerals(query) if (chunk := _begin(state, label, node)))


def _begin(state: State, label: str, node: NodeRow) -> str:
    """Return the passage of a node's document in which a line begins with a numeral, "" when there is none."""
    begins = re.compile(rf"^\W{{0,4}}{re.escape(label)}(?![\d]|\.\d)", re.MULTILINE)
    for hit in state.index.search([(label, 1.0)], _NUMERALS_LOOKED_AT, None, Within(documents=(node.document,))):
        holder = state.catalog.by_numbers([hit.node]).get(hit.node)
        if holder is not None and begins.search(read_passage(state, holder, hit.ordinal).text):
            return f"{holder.id}#{hit.ordinal}"
    return ""
