"""The tool that resolves citations: what an article, a part, a numeral, a name or an issue of the gazette means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from forest.analyzer import stems
from forest.answer import Missing
from forest.catalog import DocumentQuery, NodeRow
from forest.days import days_in
from forest.gaps import gaps_of, missing_parts
from forest.ids import work_of
from forest.legal import keys_between, norm_codes
from forest.legal_numbers import fold
from forest.naming import nodes_of_names, transitory_articles
from forest.parts import PART_MARKS, find_parts
from forest.passage import Passage
from forest.question import Query
from forest.reading import read_passage
from forest.search import Within
from forest.state import State
from forest.text import fold as fold_text
from forest.tools.documents import chunks_of, query_text, whole_of
from forest.tools.reply import Outcome, Status, tool
from forest.tools.session import Session

_LABEL = r"(\d{1,3}(?:\.\d{1,3}){0,5})\b"
_NUMERAL = re.compile(rf"\b(?:numerales|numeral|punto|inciso|apartado)? ?{_LABEL}(?: al? {_LABEL})?")
_WIDEST_RANGE = 30
_PASSAGE_ID = re.compile(r"([\w./@-]{1,200})#(\d{1,9})(?!\d)", re.ASCII)
# Words that say of an instrument nothing that it is not, where the day beside them is that of its publication.
_OF_PUBLICATION = "publicada publicado publicación diario oficial federación dof vigente fecha"
_MOST_ALTERNATIVES = 50
_NUMERALS_LOOKED_AT = 40


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
    rivals, possible = ([], 0) if items else _alternatives(state, query)
    found = items or rivals
    notes = query.wording.notes()
    session.discover(
        (document for item in found for document in (item.document_id,)),
        (chunk for item in found for chunk in item.chunk_ids),
    )
    gaps = (*gaps_of(state, query, ()), *_missing_numerals(state, query, found), *_untold(state, query, items))
    told = "; ".join(f"«{gap.what}»: {gap.why}" for gap in gaps)
    nearest = ", ".join(dict.fromkeys(near.id for gap in gaps for near in gap.nearest))
    hint = f"Nearest: {nearest}." if nearest else ""
    if items:
        if several := _several(state, query, items):
            which = "Say which by its title or id, or take one."
            return Outcome(tuple(items), "ambiguous", several, which, len(items) < _MOST_ALTERNATIVES, notes=notes)
        status: Status = "partial" if gaps else "ok"
        return Outcome(tuple(items), status, f"{told}." if told else "", hint, not gaps, notes=notes)
    if rivals:
        first = f" The first {len(rivals)} are given." if possible > len(rivals) else ""
        why = f"{told}.{first}" if told else f"«{said[:80]}» may mean {possible} texts.{first}"
        return Outcome(tuple(rivals), "ambiguous", why, "Say of which one.", not first, notes=notes)
    why = f"{told}." if gaps else f"«{said[:80]}» is no citation that this forest can resolve."
    return Outcome((), "not_found", why, hint or "Look for it: search_documents.", complete=False, notes=notes)


def _cited(state: State, said: str, node: NodeRow, chunks: tuple[str, ...] = ()) -> Cited:
    document = whole_of(state, node)
    passages = chunks or chunks_of(state, node)
    return Cited(said, node.id, document.id, node.title, node.kind, document.published, passages)


def _named(state: State, query: Query) -> list[Cited]:
    """Return what a citation means without doubt."""
    if passages := _passages_said(state, query):
        return [_cited(state, query.text, node, (chunk.id,)) for node, chunk, _ in passages if chunk is not None]
    nodes = nodes_of_names(state, query)
    begun = {node.id: _numeral(state, query, node) for node in nodes}
    if any(begun.values()):  # of several texts that a norm's code names, those that have the numeral
        nodes = tuple(node for node in nodes if begun[node.id])
    found = []
    for node in nodes:
        parts = tuple(f"{node.id}#{at}" for at in find_parts(state, node, query).whole)
        found.append(_cited(state, query.text, node, parts or begun[node.id]))
    return found or _named_whole(state, query) or _printed(state, query)


def _passages_said(state: State, query: Query) -> list[tuple[NodeRow, Passage | None, str]]:
    """Return the passages that a citation names by id (`lft/art-76#1`), with the number; None is one that is not."""
    found: list[tuple[NodeRow, Passage | None, str]] = []
    for word in query.text.split()[:_MOST_ALTERNATIVES]:
        match = _PASSAGE_ID.search(word)
        node = state.catalog.find(match[1].casefold()) if match else None
        if match and node is not None:
            found.append((node, state.catalog.passage(node, int(match[2])), match[2]))
    return found


def _named_whole(state: State, query: Query) -> list[Cited]:
    """Return the instruments that a citation names, else the nodes whose id or title it is, word for word."""
    if query.named.missing or _transitory(query):
        return []
    ids: tuple[str, ...] = query.named.instruments or tuple(_bearers(state, query))
    nodes = [node for node_id in ids or (query.text.strip(),) if (node := state.catalog.find(node_id)) is not None]
    return [_cited(state, query.text, node, _numeral(state, query, node)) for node in nodes[:_MOST_ALTERNATIVES]]


def _bearers(state: State, query: Query) -> tuple[str, ...]:
    name = fold(query.text)
    return state.catalog.bearers([name]).get(name, ())


def _printed(state: State, query: Query) -> list[Cited]:
    """Return the documents of the days of the gazette that a citation names."""
    if query.named.missing or query.named.instruments:
        return []
    days = [DocumentQuery(date.fromisoformat(day), date.fromisoformat(day)) for day in query.named.gazette_dates]
    rows = [row for day in days for row in state.catalog.documents(day, _MOST_ALTERNATIVES)]
    return [_cited(state, query.text, row) for row in rows]


def _several(state: State, query: Query, items: Sequence[Cited]) -> str:
    """Return why what was found are alternatives, "" when all of it is meant."""
    named = query.named
    if len(items) < 2 or named.articles or _transitory(query) or _passages_said(state, query):
        return ""
    if named.gazette_dates and not named.instruments and not named.norms:
        return f"{len(items)} documents were published that day."
    names = [fold(code) for code in named.norms] or [fold(query.text)]
    borne = {
        name: {*ids} & {work_of(item.node_id) for item in items} for name, ids in state.catalog.bearers(names).items()
    }
    most = max(map(len, borne.values()), default=0)
    return f"{most} texts of this forest have that name." if most > 1 else ""


def _transitory(query: Query) -> bool:
    return any(mention.transitory for mention in query.named.mentions)


def _alternatives(state: State, query: Query) -> tuple[list[Cited], int]:
    """Return what an ambiguous citation may mean, the first of them, and how many there are.

    The article in each law of that name; a transitory of each decree; an article of no law in each that has it.
    """
    nodes: list[NodeRow] = []
    for mention in query.named.mentions:
        if len(mention.instruments) < 2:
            continue
        for instrument in mention.instruments:
            ids = [f"{instrument}/art-{key}" for key in mention.articles] or [instrument]
            nodes += [node for i in ids if (node := state.catalog.find(i)) is not None]
    for members in transitory_articles(state, query).values():
        nodes += members
    for key in query.named.bare if not nodes else ():
        nodes += state.catalog.members("", f"art-{key}")
    return [_cited(state, query.text, node) for node in nodes[:_MOST_ALTERNATIVES]], len(nodes)


def _untold(state: State, query: Query, items: Sequence[Cited]) -> list[Missing]:
    """Return what of a citation was not resolved, though the rest was: passages, wide ranges, words beside a name."""
    said = _passages_said(state, query)
    gaps = [
        Missing(f"{node.id}#{at}", f"it has {state.catalog.count_passages(node)} in all", ())
        for node, passage, at in said
        if passage is None
    ]
    gaps += [
        Missing(f"artículos {low} a {high}", "what is between the ends is not given: ask for fewer at a time", ())
        for mention in query.named.mentions
        for low, high in mention.ranges
        if mention.instruments and keys_between(low, high) is None
    ]
    nowhere = {(kind, label) for gap in missing_parts(state, query) for kind, label in [gap.what.split(" ", 1)]}
    for node in state.catalog.by_ids(item.node_id for item in items).values():
        unmarked = [(PART_MARKS[kind], label) for kind, label in find_parts(state, node, query).unmarked]
        why = f"{node.id} does not mark it where it is said to be"
        gaps += [Missing(" ".join(part), why, ()) for part in unmarked if part not in nowhere]
    whole = {*query.named.instruments, *_bearers_of_norms(state, query)}
    if items and not said and not _numerals(query) and {work_of(item.node_id) for item in items} <= whole:
        words = _beside_names(query, items)
        if words:
            gaps.append(Missing(" ".join(words), "only the text named as a whole was found, not this of it", ()))
    return gaps


def _bearers_of_norms(state: State, query: Query) -> tuple[str, ...]:
    borne = state.catalog.bearers(map(fold, query.named.norms))
    return tuple(node_id for ids in borne.values() for node_id in ids)


def _beside_names(query: Query, items: Sequence[Cited]) -> list[str]:
    """Return the words of a citation that are neither a name nor the day of the gazette of what it names."""
    text = query.text
    if fold(text) in {fold(item.title) for item in items}:
        return []
    days = {item.published for item in items}
    spans = [(start, end) for start, end, day in days_in(fold_text(text)) if day in days]
    spans += [(start, end) for start, end, _ in norm_codes(text)]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    known = {*stems(_OF_PUBLICATION), *stems(query.text[slice(*query.clock.span)])}
    left = {stem for stem in query.stems if stem not in known}
    return [word for word in text.split() if left & {*stems(word)}]


def _numerals(query: Query) -> list[str]:
    """Return the numerals of norms that a citation names, with those between the ends of a range: `5.2`."""
    details = (mention.detail for mention in query.named.mentions if norm_codes(mention.name))
    matches = [match for detail in details for match in _NUMERAL.finditer(detail)]
    return [*dict.fromkeys(label for match in matches for label in _numerals_between(match[1], match[2] or match[1]))]


def _numerals_between(low: str, high: str) -> tuple[str, ...]:
    """Return the numerals from one to another, both with them; only the ends where what is between is not told."""
    stem, _, first = low.rpartition(".")
    other, _, last = high.rpartition(".")
    if stem != other or not 0 <= int(last) - int(first) <= _WIDEST_RANGE:
        return (low, high)
    return tuple(f"{stem}.{at}".lstrip(".") for at in range(int(first), int(last) + 1))


def _missing_numerals(state: State, query: Query, found: Sequence[Cited]) -> list[Missing]:
    """Return the numerals that no passage of what a citation means begins."""
    nodes = [state.catalog.node(item.node_id) for item in found]
    labels = [label for label in _numerals(query) if nodes and not any(_begin(state, label, node) for node in nodes)]
    return [Missing(f"numeral {label}", "no line of the norm begins with it", ()) for label in labels]


def _numeral(state: State, query: Query, node: NodeRow) -> tuple[str, ...]:
    """Return the passages that begin the numerals of a norm which a citation names; empty when none does."""
    return tuple(dict.fromkeys(chunk for label in _numerals(query) if (chunk := _begin(state, label, node))))


def _begin(state: State, label: str, node: NodeRow) -> str:
    """Return the passage of a node's document in which a line begins with a numeral, "" when there is none."""
    begins = re.compile(rf"^\W{{0,4}}{re.escape(label)}(?![\d]|\.\d)", re.MULTILINE)
    for hit in state.index.search([(label, 1.0)], _NUMERALS_LOOKED_AT, None, Within(documents=(node.document,))):
        holder = state.catalog.by_numbers([hit.node]).get(hit.node)
        if holder is not None and begins.search(read_passage(state, holder, hit.ordinal).text):
            return f"{holder.id}#{hit.ordinal}"
    return ""
