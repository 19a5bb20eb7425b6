"""The search index: passages of one committed tree, ranked by BM25. The door to tantivy.

Owns which fields a passage is found by and what each weighs; tokens come ready-made from `forest.analyzer`, so index
and question agree by construction. Identifiers that a question names rank above all of this, in `forest.retrieval`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from forest.errors import StateUnusable

if TYPE_CHECKING:
    import tantivy

    from forest.record import Record

# What a question word weighs by where it stands. Names and summaries are short and curated, so they weigh more than
# running text; `lineage` (the titles above a node) tells what a bare article is about without repeating it.
FIELD_WEIGHTS = {"title": 1.0, "lineage": 0.4, "heading": 1.0, "tags": 0.3, "scent": 1.0, "summary": 1.0, "body": 1.0}
_TIE_BREAKER = 0.1
_ORDINALS = 100_000
_NEVER, _ALWAYS = 99_999_999, 0


@dataclass(frozen=True, slots=True)
class Window:
    """The days a search is confined to; None leaves a clock alone.

    Attributes:
        as_of: nothing published, or consolidated up to a day, after this one; undated publications do not pass.
        in_force_from: with `in_force_to`, the half-open period that a text's own must meet; unknown periods pass, but
            not a text that a later reform or publication made what it is.
        in_force_to: first day after the period.
    """

    as_of: date | None = None
    in_force_from: date | None = None
    in_force_to: date | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: number of its node, its ordinal, its BM25 score."""

    node: int
    ordinal: int
    score: float


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in FIELD_WEIGHTS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("family", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("key", stored=True, indexed=True)
    for name in ("known", "force_from", "force_to", "since"):
        builder.add_unsigned_field(name, indexed=True, fast=True)
    return builder.build()


class IndexWriter:
    """Fills a new index; entries must come in the order of their keys, so that ties go to the lower id."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        folder.mkdir(parents=True)
        self._index = tantivy.Index(_schema(), path=str(folder))
        # One thread: segments, and with them scores, must not depend on scheduling.
        self._writer = self._index.writer(heap_size=128_000_000, num_threads=1)

    def add(self, num: int, record: Record, lineage: str, since: str | None) -> None:
        """Add the passages of one node.

        Args:
            num: number of the node in the catalog.
            record: the node, digested: its texts are stems already.
            lineage: stems of the titles above it.
            since: day since which its text can have read as it does, ISO.
        """
        import tantivy

        undated = _ALWAYS if record.timeless else _NEVER
        published, text_as_of, force_from, force_to = (_number(day) for day in record.dates[:4])
        known = max(published or 0, text_as_of or 0) or undated
        for ordinal, cut in enumerate(record.passages, start=1):
            document = tantivy.Document()
            for name, text in record.stems.items():
                document.add_text(name, text)
            document.add_text("lineage", lineage)
            document.add_text("heading", cut.heading_stems)
            document.add_text("body", cut.body_stems)
            document.add_text("family", family_of(record.id))
            document.add_unsigned("key", num * _ORDINALS + ordinal)
            document.add_unsigned("known", known)
            document.add_unsigned("force_from", force_from or _ALWAYS)
            document.add_unsigned("force_to", force_to or _NEVER)
            document.add_unsigned("since", _number(since) or _ALWAYS)
            self._writer.add_document(document)

    def finish(self) -> None:
        """Commit and wait for merges."""
        self._writer.commit()
        self._writer.wait_merging_threads()


class Index:
    """Searches one index folder."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        try:
            self._index = tantivy.Index.open(str(folder))
            self._index.config_reader(reload_policy="manual")
            self._searcher = self._index.searcher()
        except (ValueError, OSError) as error:
            raise StateUnusable(f"The search index {folder} cannot be opened: {error}.") from None
        self._schema = self._index.schema

    @property
    def size(self) -> int:
        """How many passages it holds."""
        return int(self._searcher.num_docs)

    def search(
        self,
        tokens: Sequence[tuple[str, float]],
        limit: int,
        window: Window | None = None,
        families: Sequence[str] = (),
        node: int | None = None,
    ) -> tuple[Hit, ...]:
        """Return the best passages for weighted tokens, best first, ties to the lower id.

        Args:
            tokens: (stem as `forest.analyzer.stems` gives, weight); stems no passage has count for nothing.
            limit: how many hits at most.
            window: days the search is confined to; acts inside the search, not on its cut result.
            families: only nodes whose id begins with one of these, up to its first `/`; empty means all.
            node: only passages of the node with this number.
        """
        import tantivy

        if not tokens or limit < 1:
            return ()
        should, must = tantivy.Occur.Should, tantivy.Occur.Must
        ranked = tantivy.Query.boolean_query([(should, self._term(stem, weight)) for stem, weight in tokens])
        filters = [(must, query) for query in self._filters(window or Window(), families)]
        if node is not None:
            filters.append((must, self._range("key", node * _ORDINALS, (node + 1) * _ORDINALS - 1)))
        query = tantivy.Query.boolean_query([(must, ranked), *filters]) if filters else ranked
        found = self._searcher.search(query, limit=limit, count=False).hits
        hits = []
        for score, address in found:
            key = int(self._searcher.doc(address)["key"][0])
            hits.append(Hit(key // _ORDINALS, key % _ORDINALS, float(score)))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.node, hit.ordinal)))

    def search_raw(self, tokens: Sequence[tuple[str, float]], limit: int) -> int:
        """Search the body field alone and return how many hits came back: the floor that benchmarks compare with."""
        import tantivy

        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "body", stem, "freq")) for stem, _ in tokens
        ]
        return len(self._searcher.search(tantivy.Query.boolean_query(terms), limit=limit, count=False).hits)

    def frequency(self, stem: str) -> int:
        """Return how many passages have a stem in their body."""
        return int(self._searcher.doc_freq("body", stem))

    def _term(self, stem: str, weight: float) -> tantivy.Query:
        import tantivy

        # The best field counts in full, the others in part: a word in title, summary and body is still one word.
        fields = [
            tantivy.Query.boost_query(tantivy.Query.term_query(self._schema, name, stem, "freq"), boost * weight)
            for name, boost in FIELD_WEIGHTS.items()
        ]
        return tantivy.Query.disjunction_max_query(fields, _TIE_BREAKER)

    def _filters(self, window: Window, families: Sequence[str]) -> list[tantivy.Query]:
        import tantivy

        filters = []
        if families:
            members = tantivy.Query.term_set_query(self._schema, "family", [family_of(f) for f in families])
            filters.append(tantivy.Query.const_score_query(members, 0.0))
        if window.as_of is not None:
            filters.append(self._range("known", _ALWAYS, _day(window.as_of, _NEVER)))
        if window.in_force_to is not None:
            last = _day(window.in_force_to, _NEVER) - 1
            filters += [self._range("force_from", _ALWAYS, last), self._range("since", _ALWAYS, last)]
        if window.in_force_from is not None:
            # Periods are half-open: a text that ends on the first day asked for is no longer in force on it.
            filters.append(self._range("force_to", _day(window.in_force_from, _ALWAYS) + 1, _NEVER))
        return filters

    def _range(self, name: str, low: int, high: int) -> tantivy.Query:
        import tantivy

        return tantivy.Query.const_score_query(
            tantivy.Query.range_query(self._schema, name, tantivy.FieldType.Unsigned, low, high), 0.0
        )


def family_of(node_id: str) -> str:
    """Return the first part of an id: what a law's articles share with the law."""
    return node_id.partition("/")[0]


def _number(day: object) -> int | None:
    """Return an ISO day as the number YYYYMMDD."""
    return int(str(day).replace("-", "")) if day else None


def _day(day: date | None, otherwise: int) -> int:
    return day.year * 10_000 + day.month * 100 + day.day if day else otherwise
