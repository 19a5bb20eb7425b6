"""The search index: passages of one committed tree, ranked by BM25. The door to tantivy.

Owns which fields a passage is found by and what each weighs; tokens come ready-made from `forest.analyzer`, so index
and question agree by construction. As of a day tantivy only proposes: `forest.bm25` scores in the statistics of what
was known that day, so that nothing later can move anything. What a question names ranks above all this, in
`forest.retrieval`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from forest.bm25 import Statistics, score
from forest.errors import StateUnusable

if TYPE_CHECKING:
    import tantivy

    from forest.record import Record

# What a question word weighs by where it stands. Names and summaries are short and curated, so they weigh more than
# running text; `lineage` (the titles above a node) tells what a bare article is about without repeating it.
FIELD_WEIGHTS = {"title": 1.0, "lineage": 0.4, "heading": 1.0, "tags": 0.3, "scent": 1.0, "summary": 1.0, "body": 1.0}
_TIE_BREAKER = 0.1
_PASSAGES = "passages"
_LENGTHS = "lengths.json"
# As of a day more is proposed than is wanted, and more again while what comes after might still be among the first.
# Beyond so many, equal texts are taken as they come.
_MARGIN = 16
_MOST_PROPOSED = 2_000
_ROUNDING = 1.0001  # tantivy's own scores are in single precision
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
        # Stored, so that a passage can be scored again in the statistics of a day.
        builder.add_text_field(name, stored=True, tokenizer_name="whitespace", index_option="freq")
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
        self._lengths = folder / _LENGTHS
        self._tokens: dict[int, Counter[str]] = {}

    def add(self, num: int, record: Record, lineage: str, since: str | None, known: str) -> None:
        """Add the passages of one node.

        Args:
            num: number of the node in the catalog.
            record: the node, digested: its texts are stems already.
            lineage: stems of the titles above it.
            since: day since which its text can have read as it does, ISO.
            known: day since which it is known, as the catalog has it.
        """
        import tantivy

        force_from, force_to = (_number(day) for day in record.dates[2:4])
        known_on = _number(known) or _ALWAYS
        tokens = self._tokens.setdefault(known_on, Counter())
        for ordinal, cut in enumerate(record.passages, start=1):
            document = tantivy.Document()
            texts = {**record.stems, "lineage": lineage, "heading": cut.heading_stems, "body": cut.body_stems}
            for name, text in texts.items():
                document.add_text(name, text)
            tokens.update({name: len(text.split()) for name, text in texts.items()} | {_PASSAGES: 1})
            document.add_text("family", family_of(record.id))
            document.add_unsigned("key", num * _ORDINALS + ordinal)
            document.add_unsigned("known", known_on)
            document.add_unsigned("force_from", force_from or _ALWAYS)
            document.add_unsigned("force_to", force_to or _NEVER)
            document.add_unsigned("since", _number(since) or _ALWAYS)
            self._writer.add_document(document)

    def finish(self) -> None:
        """Commit and wait for merges."""
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._lengths.write_text(json.dumps(sorted(self._tokens.items())), encoding="utf-8")


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
        self._folder = folder
        self._schema = self._index.schema
        self._of_day: dict[date | None, Statistics] = {}
        self._holding: dict[tuple[date | None, str, str], int] = {}

    def size(self, as_of: date | None = None) -> int:
        """Return how many passages are known on a day; of all days for None."""
        return self._statistics(as_of).size

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
        window, weights = window or Window(), dict(tokens)
        statistics = self._statistics(window.as_of)
        idf = self._idf(weights, window.as_of, statistics)
        ranked = self._ranked(weights, idf, statistics)
        filters = [(tantivy.Occur.Must, query) for query in self._filters(window, families)]
        if node is not None:
            filters.append((tantivy.Occur.Must, self._range("key", node * _ORDINALS, (node + 1) * _ORDINALS - 1)))
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, ranked), *filters]) if filters else ranked
        if window.as_of is None:
            found = self._searcher.search(query, limit=limit, count=False).hits
            hits = [self._hit(self._searcher.doc(address), amount) for amount, address in found]
            return tuple(sorted(hits, key=_order))
        return self._exact(query, limit, weights, idf, statistics)

    def _exact(
        self,
        query: tantivy.Query,
        limit: int,
        weights: Mapping[str, float],
        idf: Mapping[tuple[str, str], float],
        statistics: Statistics,
    ) -> tuple[Hit, ...]:
        """Return the best of what a query proposes by their scores in the statistics of a day.

        No passage scores more than it is proposed with: the first are found once the last proposed is below them.
        """
        hits: dict[tuple[int, int], Hit] = {}
        proposed = limit + _MARGIN
        while True:
            found = self._searcher.search(query, limit=proposed, count=False).hits
            for _, address in found:
                place = (address.segment_ord, address.doc)
                if place not in hits:
                    document = self._searcher.doc(address)
                    held = {name: str(document[name][0]).split() for name in FIELD_WEIGHTS}
                    amount = score(held, weights, FIELD_WEIGHTS, idf, statistics, _TIE_BREAKER)
                    hits[place] = self._hit(document, amount)
            best = sorted(hits.values(), key=_order)[:limit]
            if len(found) < proposed or proposed >= _MOST_PROPOSED or best[-1].score > found[-1][0] * _ROUNDING:
                return tuple(best)
            proposed = min(proposed * 2, _MOST_PROPOSED)

    def _hit(self, document: tantivy.Document, amount: float) -> Hit:
        key = int(document["key"][0])
        return Hit(key // _ORDINALS, key % _ORDINALS, float(amount))

    def _statistics(self, as_of: date | None) -> Statistics:
        """Return how many passages are known on a day, and how long their fields are on average."""
        if as_of not in self._of_day:
            until = _day(as_of, _NEVER)
            tokens: Counter[str] = Counter()
            for known, counts in self._tokens_by_day:
                if known <= until:
                    tokens.update(counts)
            size = tokens[_PASSAGES]
            lengths = {name: tokens[name] / size if size else 0.0 for name in FIELD_WEIGHTS}
            self._of_day[as_of] = Statistics(size, lengths)
        return self._of_day[as_of]

    @cached_property
    def _tokens_by_day(self) -> list[tuple[int, dict[str, int]]]:
        try:
            return [(int(known), dict(counts)) for known, counts in json.loads((self._folder / _LENGTHS).read_bytes())]
        except (ValueError, TypeError, OSError) as error:
            raise StateUnusable(f"The search index {self._folder} cannot be read: {error}.") from None

    def _idf(
        self, weights: Mapping[str, float], as_of: date | None, statistics: Statistics
    ) -> dict[tuple[str, str], float]:
        """Return the weight of each (field, word) that some passage of a day holds."""
        counts = {(name, stem): self.frequency(stem, as_of, name) for name in FIELD_WEIGHTS for stem in weights}
        return {place: statistics.idf(count) for place, count in counts.items() if count}

    def search_raw(self, tokens: Sequence[tuple[str, float]], limit: int) -> int:
        """Search the body field alone and return how many hits came back: the floor that benchmarks compare with."""
        import tantivy

        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "body", stem, "freq")) for stem, _ in tokens
        ]
        return len(self._searcher.search(tantivy.Query.boolean_query(terms), limit=limit, count=False).hits)

    def frequency(self, stem: str, as_of: date | None = None, field: str = "body") -> int:
        """Return how many of the passages known on a day have a stem in a field; of those of all days for None."""
        import tantivy

        place = (as_of, field, stem)
        if place not in self._holding:
            count = int(self._searcher.doc_freq(field, stem))
            if count and as_of is not None:
                term = tantivy.Query.term_query(self._schema, field, stem, "basic")
                known = self._range("known", _ALWAYS, _day(as_of, _NEVER))
                both = tantivy.Query.boolean_query([(tantivy.Occur.Must, term), (tantivy.Occur.Must, known)])
                count = int(self._searcher.search(both, limit=1, count=True).count)  # type: ignore[attr-defined]
            self._holding[place] = count
        return self._holding[place]

    def _ranked(
        self, weights: Mapping[str, float], idf: Mapping[tuple[str, str], float], statistics: Statistics
    ) -> tantivy.Query:
        """Return the query that proposes: each word by its best field in full, by the others in part.

        The index weighs words by what it holds in all. As of a day rare words may be common and long fields short: each
        clause is corrected for the one and allows for the other, a word's weight growing with the average length of its
        field, and at most as much.
        """
        import tantivy

        whole, clauses = self._statistics(None), []
        for stem, weight in weights.items():
            # The best field counts in full, the others in part: a word in title, summary and body is still one word.
            fields = [
                tantivy.Query.boost_query(
                    tantivy.Query.term_query(self._schema, name, stem, "freq"),
                    boost
                    * weight
                    * (idf[name, stem] / whole.idf(self.frequency(stem, None, name)))
                    * max(1.0, statistics.lengths[name] / whole.lengths[name]),
                )
                for name, boost in FIELD_WEIGHTS.items()
                if (name, stem) in idf
            ]
            if fields:
                clauses.append((tantivy.Occur.Should, tantivy.Query.disjunction_max_query(fields, _TIE_BREAKER)))
        return tantivy.Query.boolean_query(clauses)

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


def _order(hit: Hit) -> tuple[float, int, int]:
    return -hit.score, hit.node, hit.ordinal


def family_of(node_id: str) -> str:
    """Return the first part of an id: what a law's articles share with the law."""
    return node_id.partition("/")[0]


def _number(day: object) -> int | None:
    """Return an ISO day as the number YYYYMMDD."""
    return int(str(day).replace("-", "")) if day else None


def _day(day: date | None, otherwise: int) -> int:
    return day.year * 10_000 + day.month * 100 + day.day if day else otherwise
