"""Publications known by quotes, hidden in a forest: which texts of it are theirs, and a copy that holds the others too.

A publication of which the forest holds every quote stays what it is there. Of the others a node is made of the quotes
alone: its title is the beginning of the first one, and nothing in it looks at what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench.holding import words_of
from bench.metrics import share_words
from bench.retrieval.quoted import Publication, Record
from bench.retrieval.wanted import Groups, Wanted, distinct, document_of
from forest.analyzer import stems
from forest.catalog import NodeRow
from forest.commit import Batch, create_repository
from forest.config import CONFIG_NAME
from forest.errors import WrongUsage
from forest.history import ObjectReader, Snapshot, list_tree
from forest.passport import Passport, render_node
from forest.reading import Reading, read_passage
from forest.search import Window
from forest.state import State
from forest.store import is_node_path
from forest.text import count_tokens

FOLDER = "citadas"
_TITLE_WORDS, _SCENT_WORDS, _SUMMARY_TOKENS = 18, 14, 60
_LOOKED_AT = 50
# What a quote may begin with and a node has in its heading: `Artículo 78.-`, `Primero.-`, `VI.`
_LABEL = re.compile(r"\s*(?:art[ií]culo\s{1,3}\S{1,12}|\w{1,20}\.)(?:\s?-)?\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that holds a quote whole, and the document it is in."""

    passage: str
    document: str


def node_id(publication: Publication) -> str:
    """Return the id of the node that is made of a publication's quotes."""
    return f"dof-{publication.code}"


def hide(snapshot: Snapshot, made: Sequence[Publication], folder: Path) -> None:
    """Copy the nodes of a committed forest into a repository of its own, with a node for each publication, and commit.

    Args:
        snapshot: the forest.
        made: of which nodes are made.
        folder: of the new repository; made when missing, and must be empty.

    Raises:
        WrongUsage: the folder holds something, or the forest has a node in the place of one that is made.
    """
    if folder.exists() and any(folder.iterdir()):
        raise WrongUsage(f"{folder} is not empty.", "The forest is made in a folder of its own.")
    create_repository(folder)
    with Batch(folder) as batch, ObjectReader(snapshot.folder) as objects:
        for entry in list_tree(snapshot):
            if entry.path.startswith(f"{FOLDER}/"):
                raise WrongUsage(f"The forest has a folder {FOLDER} already.", "Name a forest without it.")
            if entry.plain and (is_node_path(entry.path) or entry.path == CONFIG_NAME):
                batch.put(entry.path, objects.read(entry.blob) or b"")
        for path, text in quoted_nodes(made).items():
            batch.put(path, text.encode())
        batch.commit("Publications known by quotes")


def quoted_nodes(made: Sequence[Publication]) -> dict[str, str]:
    """Return the nodes of publications that are known by quotes alone, by path; none for none."""
    if not made:
        return {}
    title = "Publicaciones del Diario Oficial de la Federación"
    above = Passport(id=FOLDER, kind="topic", title=title, summary=f"{title}.", scent=title)
    files = {f"{FOLDER}/index.md": render_node(above, f"# {title}")}
    return files | {f"{FOLDER}/{node_id(p)}.md": _node(p) for p in made}


def _node(publication: Publication) -> str:
    quotes = [quote for chunk in publication.quotes for quote in chunk]
    first, day = quotes[0].split(), f"{publication.published:%d-%m-%Y}"
    summary = first
    while count_tokens(" ".join(summary)) > _SUMMARY_TOKENS:
        summary = summary[:-1]
    passport = Passport(
        id=node_id(publication),
        kind="publication",
        title=_beginning(first, _TITLE_WORDS),
        summary=" ".join(summary),
        scent=f"DOF {day}: {_beginning(first, _SCENT_WORDS)}",
        published=publication.published,
        section=publication.section,
        text_state="as_published",
        source={"code": publication.code},
    )
    # Each chunk is a passage of its own, as it was; the heading has no words or numbers of any one.
    return render_node(passport, "\n\n".join("\n\n".join(("# Fragmento", *chunk)) for chunk in publication.quotes))


def _beginning(words: Sequence[str], count: int) -> str:
    return " ".join(words[:count]) + ("…" if len(words) > count else "")


def holds(reading: Reading, quote: str) -> bool:
    """Tell whether a passage holds a quote whole, by its words; a label that begins it may stand in a heading."""
    words = words_of(" ".join((*reading.passage.heading, reading.text)))
    rest = _LABEL.sub("", quote, count=1)
    return words_of(quote) in words or bool(words_of(rest).strip() and words_of(rest) in words)


def places_of(state: State, quote: str, day: date) -> tuple[Place, ...]:
    """Return where a forest holds a quote of a publication: texts of that day, as published or reformed on it.

    Formulas of gazettes stand in hundreds of texts, so the words alone are not enough.
    """
    return tuple(
        Place(reading.passage.id, document_of(state, reading.node))
        for reading in _looked_at(state, quote)
        if day in (reading.node.published, reading.node.since) and holds(reading, quote)
    )


def _looked_at(state: State, quote: str) -> Iterator[Reading]:
    """Yield the passages that are most like a quote; one that holds it whole is among them."""
    hits = state.index.search([(stem, 1.0) for stem in dict.fromkeys(stems(quote))], _LOOKED_AT, Window())
    rows = state.catalog.by_numbers(hit.node for hit in hits)
    return (read_passage(state, rows[hit.node], hit.ordinal) for hit in hits if hit.node in rows)


def real_text(state: State, publication: Publication) -> str:
    """Return the id of the publication's own node in a forest, "" when it does not hold every quote of it."""
    if own := state.catalog.find(node_id(publication)):
        return own.id
    quotes = [quote for chunk in publication.quotes for quote in chunk]
    near = {document_of(state, reading.node) for quote in quotes for reading in _looked_at(state, quote)}
    for document in sorted(near):
        node = state.catalog.node(document)
        if node.kind == "publication" and node.published == publication.published:
            words = words_of(" ".join(reading.text for reading in _whole(state, node)))
            if all(words_of(quote) in words for quote in quotes):
                return document
    return ""


def _whole(state: State, node: NodeRow) -> Iterator[Reading]:
    """Yield all passages of a node and of those below it, in the order of the text."""
    for passage in state.catalog.passages(node):
        yield read_passage(state, node, passage.ordinal)
    for child in state.catalog.children(node):
        yield from _whole(state, child)


@dataclass(frozen=True, slots=True)
class Found:
    """The public questions as asked of a forest that holds their publications.

    Attributes:
        asked: the questions that have evidence.
        elsewhere: pieces of evidence that stand whole in another text of that day too, which is as good: the law that
            a decree issued, the article that it reformed.
        split: pieces of evidence that no passage of their publication holds whole; a passage counts that shares a run
            of words with one, of at least half of the shorter of the two.
    """

    asked: tuple[Wanted, ...]
    elsewhere: int
    split: int


def find_public(
    state: State, records: Sequence[Record], publications: Sequence[Publication], own: Callable[[Publication], str]
) -> Found:
    """Find the evidence of public questions.

    Args:
        state: of the forest, without a limit of what is known.
        records: the questions; those without evidence are left out.
        publications: all of them.
        own: gives the id of a publication's own node in this forest.
    """
    by_code = {p.code: p for p in publications}
    asked, elsewhere, split = [], 0, 0
    for record in records:
        passages, documents = [], []
        for quote in record.evidence:
            publication = by_code[quote.code]
            places = places_of(state, quote.text, publication.published)
            inside = {p.passage for p in places if p.document == own(publication)}
            if not inside:
                split += 1
                whole = _whole(state, state.catalog.node(own(publication)))
                inside = {r.passage.id for r in whole if share_words(r.text, quote.text)}
            elsewhere += any(p.passage not in inside for p in places)
            passages.append(frozenset(inside | {p.passage for p in places}))
            documents.append(frozenset({own(publication)} | {p.document for p in places}))
        if passages:
            asked.append(_wanted(record, _joined(documents), distinct(passages)))
    return Found(tuple(asked), elsewhere, split)


def _joined(documents: Sequence[frozenset[str]]) -> Groups:
    """Return documents with their alternatives, those of one publication together."""
    groups: list[frozenset[str]] = []
    for document in documents:
        alike = [group for group in groups if group & document]
        groups = [group for group in groups if group not in alike] + [document.union(*alike)]
    return tuple(groups)


def _wanted(record: Record, documents: Groups, evidence: Groups) -> Wanted:
    return Wanted(
        record.id, record.text, record.category, "", record.id, record.hops, documents, evidence, as_of=record.as_of
    )
