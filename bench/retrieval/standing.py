"""Where the quotes of publications stand in a forest, and the public questions with the evidence that is found there.

Words are compared, not characters: texts differ in line ends, marks and labels. Formulas of gazettes stand in hundreds
of texts, so a quote is looked for in those of its publication's day alone, published or reformed on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bench.holding import words_of
from bench.metrics import share_words
from bench.question import QuestionsWrong
from bench.retrieval.hidden import node_id
from bench.retrieval.quoted import Publication, Record
from bench.retrieval.wanted import Groups, Wanted, distinct, document_of
from forest.analyzer import stems
from forest.catalog import NodeRow
from forest.errors import WrongUsage
from forest.reading import Reading, read_passage
from forest.search import Window
from forest.state import State
from forest.text import sentences

_LOOKED_AT = 50
_LEAST_WORDS = 4
# What a quote may begin with and a forest has in a heading: `Artículo 78.-`, `Primero.-`, `VI.`
_LABEL = re.compile(r"\A\s*(?:art[ií]culo\s{1,3}\S{1,12}|\w{1,20}\.)(?:\s?-)?\s", re.IGNORECASE)
_LABEL_INSIDE = re.compile(r"(?<=[.;])\s(?=(?:art[ií]culo\s{1,3}\S{1,8}|\w{1,20})\.\s?-)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A passage in which a quote stands, and its document.

    Attributes:
        passage: id.
        document: id; it holds the quote whole.
        whole: whether the passage alone does.
    """

    passage: str
    document: str
    whole: bool


def pieces_of(quote: str) -> tuple[str, ...]:
    """Return the sentences of a quote, without the labels that they begin with; too short ones are left out."""
    parts = [part[start:end] for part in _LABEL_INSIDE.split(quote) for start, end in sentences(part)]
    told = tuple(piece for piece in (_LABEL.sub("", part, count=1) for part in parts) if _is_telling(piece))
    return told or (quote,)


def _is_telling(piece: str) -> bool:
    return len(words_of(piece).split()) >= _LEAST_WORDS


def places_of(state: State, quote: str, day: date) -> tuple[Place, ...]:
    """Return where a forest holds a quote of a publication of some day.

    Returns:
        Of each document of that day that holds every sentence of the quote: the passages that hold all of them, else
        those that hold any. In the order of documents' ids, then of the text.
    """
    pieces = [words_of(piece) for piece in pieces_of(quote)]
    near = _near(state, (quote, *pieces_of(quote)))
    places: list[Place] = []
    # A formula is like too many passages to be found among them: the document is found by what else it holds.
    for document in sorted({document_of(state, r.node) for r in near if _is_of(r, day) and any(_held(r, pieces))}):
        parts = _all_of(state, state.catalog.node(document))
        passages = {r.passage.id: _held(r, pieces) for r in parts if _is_of(r, day)}
        if all(map(any, zip(*passages.values(), strict=True))):
            whole = [p for p, held in passages.items() if all(held)]
            some = [p for p, held in passages.items() if any(held)]
            places += [Place(passage, document, bool(whole)) for passage in whole or some]
    return tuple(places)


def _is_of(reading: Reading, day: date) -> bool:
    return day in (reading.node.published, reading.node.since)


def _held(reading: Reading, pieces: Sequence[str]) -> list[bool]:
    words = words_of(reading.text)
    return [piece in words for piece in pieces]


def _near(state: State, quotes: Iterable[str]) -> Iterator[Reading]:
    """Yield the passages that are most like quotes, each once; one that holds a quote is among them."""
    found: dict[tuple[int, int], None] = {}
    for quote in dict.fromkeys(quotes):
        tokens = [(stem, 1.0) for stem in dict.fromkeys(stems(quote))]
        found |= dict.fromkeys((hit.node, hit.ordinal) for hit in state.index.search(tokens, _LOOKED_AT, Window()))
    rows = state.catalog.by_numbers(node for node, _ in found)
    return (read_passage(state, rows[node], ordinal) for node, ordinal in found if node in rows)


def real_text(state: State, publication: Publication) -> str:
    """Return the id of the publication's own node in a forest, "" when there is none that holds every quote of it.

    Raises:
        WrongUsage: the forest has a node by the publication's code that holds something else.
    """
    quotes = [quote for chunk in publication.quotes for quote in chunk]
    pieces = [words_of(piece) for quote in quotes for piece in pieces_of(quote)]
    near = sorted({document_of(state, reading.node) for reading in _near(state, quotes)})
    own = state.catalog.find(node_id(publication))
    for node in (own,) if own is not None else map(state.catalog.node, near):
        if node.kind == "publication" and node.published == publication.published:
            words = words_of(" ".join(reading.text for reading in _all_of(state, node)))
            if all(piece in words for piece in pieces):
                return node.id
    if own is not None:
        raise WrongUsage(f"{own.id} of the forest does not hold what is quoted of it.", "Name another forest.")
    return ""


def _all_of(state: State, node: NodeRow) -> Iterator[Reading]:
    """Yield all passages of a document from a node of it down, in the order of the text."""
    for passage in state.catalog.passages(node):
        yield read_passage(state, node, passage.ordinal)
    for child in state.catalog.children(node):
        if child.document == node.document:
            yield from _all_of(state, child)


@dataclass(frozen=True, slots=True)
class Found:
    """The public questions as asked of a forest that holds their publications.

    Attributes:
        asked: the questions that have evidence.
        elsewhere: pieces of evidence that stand whole in another document of that day too, which is as good: the law
            that a decree issued, the article that it reformed.
        split: pieces of evidence that no passage of their publication holds whole; its passages that hold a sentence
            of one count, or share with it a run of words of at least half of the shorter of the two.
    """

    asked: tuple[Wanted, ...]
    elsewhere: int
    split: int


def find_public(
    state: State, records: Sequence[Record], publications: Sequence[Publication], real: Mapping[str, str]
) -> Found:
    """Find the evidence of public questions.

    Args:
        state: of the forest, without a limit of what is known.
        records: the questions; those without evidence are left out.
        publications: all of them.
        real: by code the id of those that the forest holds in full.

    Raises:
        QuestionsWrong: some evidence is nowhere.
    """
    by_code = {p.code: p for p in publications}
    asked: list[Wanted] = []
    elsewhere = split = 0
    for record in (record for record in records if record.evidence):
        passages: list[frozenset[str]] = []
        documents: dict[str, set[str]] = {}
        for quote in record.evidence:
            own = real.get(quote.code, node_id(by_code[quote.code]))
            places = places_of(state, quote.text, by_code[quote.code].published)
            elsewhere += any(place.document != own for place in places)
            split += not any(place.whole and place.document == own for place in places)
            found = {place.passage for place in places}
            if not any(place.document == own for place in places):
                parts = _all_of(state, state.catalog.node(own))
                found |= {reading.passage.id for reading in parts if share_words(reading.text, quote.text)}
            passages.append(frozenset(found))
            documents.setdefault(quote.code, {own}).update(place.document for place in places)
        asked.append(_wanted(record, distinct(map(frozenset, documents.values())), distinct(passages)))
    if lost := [question.id for question in asked if not all(question.evidence)]:
        raise QuestionsWrong(f"No passage of the forest holds the evidence of {', '.join(lost)}.")
    return Found(tuple(asked), elsewhere, split)


def _wanted(record: Record, documents: Groups, evidence: Groups) -> Wanted:
    return Wanted(
        record.id, record.text, record.category, "", record.id, record.hops, documents, evidence, as_of=record.as_of
    )
