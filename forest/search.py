"""The search index: passages of one committed tree, ranked by BM25. The door to tantivy.

Owns which fields a passage is found by and what each weighs; tokens come ready-made from `forest.analyzer`, so index
and question agree by construction. As of a day tantivy only proposes: `forest.bm25` scores in the statistics of what
was known that day, so that nothing later can move anything. What a question names ranks above all this, in
`forest.retrieval`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from forest.bm25 import Statistics, score
from forest.errors import StateUnusable

if TYPE_CHECKING:
    import tantivy

    from forest.record import Place, Record

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
_UNDATED = 0
_FIRST_BATCH = 128


@dataclass(frozen=True, slots=True)
class Window:
    """The days a search is confined to; None leaves a clock alone.

    Attributes:
        as_of: nothing published, or consolidated up to a day, after this one; undated publications do not pass.
        in_force_from: with `in_force_to`, the half-open period that a text's own must meet; unknown periods pass, but
            not a text that a later reform or publication made what it is.
        in_force_to: first day after the period.
        with_later_acts: publications that came after the period, and do not say when they hold, pass too: the gazette
            prints in January what an index was in December.
    """

    as_of: date | None = None
    in_force_from: date | None = None
    in_force_to: date | None = None
    with_later_acts: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """What a search is confined to beside days; what is empty confines nothing.

    Filters are about documents (`NodeRow.document`): a passage passes when its document does.

    Attributes:
        families: ids begin with one of these, up to their first `/`.
        node: number of the only node.
        documents: numbers of documents, any of them.
        published_from: first day of the gazette; undated documents do not pass.
        published_to: last day of the gazette; undated documents do not pass.
        sections: of the gazette, any of them.
        kinds: of documents, any of them.
        issuers: ids of bodies, any of which issued the document.
        tags: of documents, any of them.
    """

    families: tuple[str, ...] = ()
    node: int | None = None
    documents: tuple[int, ...] = ()
    published_from: date | None = None
    published_to: date | None = None
    sections: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    issuers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: number of its node, its ordinal, its BM25 score."""

    node: int
    ordinal: int
    score: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """A passage that may be among the first, with what the index holds of it, looked at only as far as it is asked for.

    Attributes:
        node: number of its node.
        ordinal: its place in the node.
        bound: its BM25 score is not above this.
    """

    node: int
    ordinal: int
    bound: float
    _document: tantivy.Document = field(repr=False)
    _score: Callable[[Mapping[str, Sequence[str]]], float] = field(repr=False)

    def text(self, name: str) -> str:
        """Return its search tokens in a field, joined by spaces."""
        return str(self._document[name][0])

    @property
    def traits(self) -> str:
        """Of its sentences, see `forest.traits`."""
        return bytes(self._document["traits"][0]).decode()

    def score(self) -> float:
        """Return its BM25 score: the same whatever the search was confined to."""
        return self._score({name: self.text(name).split() for name in FIELD_WEIGHTS})


@dataclass(frozen=True, slots=True)
class Batch:
    """Some proposals, and a bound on the scores of all that were not proposed yet; 0.0 when there are no more."""

    proposals: tuple[Proposal, ...]
    ceiling: float


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in FIELD_WEIGHTS:
        # Stored, so that a passage can be scored again in the statistics of a day.
        builder.add_text_field(name, stored=True, tokenizer_name="whitespace", index_option="freq")
    for name in ("family", "section", "kind", "issuer", "tag"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("traits", stored=True)
    for name in ("document", "published", "act"):
        builder.add_unsigned_field(name, indexed=True, fast=True)
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

    def add(self, num: int, record: Record, place: Place) -> None:
        """Add the passages of one node, whose number in the catalog is `num`."""
        import tantivy

        force_from, force_to = (_number(day) for day in record.dates[2:4])
        is_act = place.filed.kind == "publication" and not force_from and not force_to
        known_on = _number(place.known) or _ALWAYS
        filed = place.filed
        tokens = self._tokens.setdefault(known_on, Counter())
        for ordinal, cut in enumerate(record.passages, start=1):
            document = tantivy.Document()
            texts = {**record.stems, "lineage": place.titles, "heading": cut.heading_stems, "body": cut.body_stems}
            for name, text in texts.items():
                document.add_text(name, text)
            tokens.update({name: len(text.split()) for name, text in texts.items()} | {_PASSAGES: 1})
            document.add_text("family", family_of(record.id))
            document.add_text("kind", filed.kind)
            document.add_text("section", place.section)
            for issuer in place.issuers:
                document.add_text("issuer", issuer)
            for tag in filed.tags:
                document.add_text("tag", tag)
            document.add_bytes("traits", cut.traits.encode())
            document.add_unsigned("document", place.document)
            document.add_unsigned("act", int(is_act))
            document.add_unsigned("published", _number(filed.published) or _UNDATED)
            document.add_unsigned("key", num * _ORDINALS + ordinal)
            document.add_unsigned("known", known_on)
            document.add_unsigned("force_from", force_from or _ALWAYS)
            document.add_unsigned("force_to", force_to or _NEVER)
            document.add_unsigned("since", _number(place.since) or _ALWAYS)
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
        within: Within | None = None,
    ) -> tuple[Hit, ...]:
        """Return the best passages for weighted tokens, best first, ties to the lower id.

        Args:
            tokens: (stem as `forest.analyzer.stems` gives, weight); stems no passage has count for nothing.
            limit: how many hits at most.
            window: days the search is confined to; acts inside the search, not on its cut result.
            within: what else it is confined to; acts inside the search, too.
        """
        if not tokens or limit < 1:
            return ()
        window = window or Window()
        if window.as_of is None:
            found = self._searcher.search(self._query(tokens, window, within), limit=limit, count=False).hits
            hits = [Hit(*_key(self._searcher.doc(address)), float(amount)) for amount, address in found]
            return tuple(sorted(hits, key=_order))
        best: list[Hit] = []
        proposed = 0
        for batch in self.proposals(tokens, window, within, limit + _MARGIN):
            hits = [Hit(one.node, one.ordinal, one.score()) for one in batch.proposals]
            best = sorted([*best, *hits], key=_order)[:limit]
            proposed += len(batch.proposals)
            if (len(best) == limit and best[-1].score > batch.ceiling) or proposed >= _MOST_PROPOSED:
                break
        return tuple(best)

    def proposals(
        self,
        tokens: Sequence[tuple[str, float]],
        window: Window | None = None,
        within: Within | None = None,
        first: int = _FIRST_BATCH,
    ) -> Iterator[Batch]:
        """Yield the passages that hold any of the tokens, in batches of falling bounds, each twice as large.

        The scores are those of `forest.bm25` in the statistics of the window's day: they depend on passage, tokens and
        day alone, never on what the search is confined to. No passage scores more than it is proposed with.

        Args:
            tokens: as for `search`.
            window: as for `search`.
            within: as for `search`.
            first: size of the first batch.
        """
        if not tokens:
            return
        window, weights = window or Window(), dict(tokens)
        statistics = self._statistics(window.as_of)
        idf = self._idf(weights, window.as_of, statistics)
        query = self._query(tokens, window, within)

        def exact(held: Mapping[str, Sequence[str]]) -> float:
            return score(held, weights, FIELD_WEIGHTS, idf, statistics, _TIE_BREAKER)

        done, size = 0, first
        while True:
            found = self._searcher.search(query, limit=size, offset=done, count=False).hits
            documents = ((float(amount) * _ROUNDING, self._searcher.doc(address)) for amount, address in found)
            batch = tuple(Proposal(*_key(document), bound, document, exact) for bound, document in documents)
            ended = len(found) < size
            yield Batch(batch, 0.0 if ended else batch[-1].bound)
            if ended:
                return
            done, size = done + size, done + size

    def count(
        self, tokens: Sequence[tuple[str, float]], window: Window | None = None, within: Within | None = None
    ) -> int:
        """Return how many passages hold any of the tokens within what a search is confined to."""
        if not tokens:
            return 0
        found = self._searcher.search(self._query(tokens, window or Window(), within), limit=1, count=True)
        return int(found.count)  # type: ignore[attr-defined]

    def _query(self, tokens: Sequence[tuple[str, float]], window: Window, within: Within | None) -> tantivy.Query:
        import tantivy

        weights = dict(tokens)
        statistics = self._statistics(window.as_of)
        ranked = self._ranked(weights, self._idf(weights, window.as_of, statistics), statistics)
        filters = [*self._of_days(window), *(self._confined(within) if within is not None else ())]
        if not filters:
            return ranked
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in (ranked, *filters)])

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

    def _confined(self, within: Within) -> list[tantivy.Query]:
        sets: dict[str, Sequence[str | int]] = {
            "family": [family_of(family) for family in within.families],
            "document": within.documents,
            "section": within.sections,
            "kind": within.kinds,
            "issuer": within.issuers,
            "tag": within.tags,
        }
        filters = [self._among(name, values) for name, values in sets.items() if values]
        if within.node is not None:
            filters.append(self._range("key", within.node * _ORDINALS, (within.node + 1) * _ORDINALS - 1))
        if within.published_from is not None or within.published_to is not None:
            first, last = _day(within.published_from, _UNDATED + 1), _day(within.published_to, _NEVER)
            filters.append(self._range("published", max(first, _UNDATED + 1), last))
        return filters

    def _among(self, name: str, values: Sequence[str | int]) -> tantivy.Query:
        import tantivy

        return tantivy.Query.const_score_query(tantivy.Query.term_set_query(self._schema, name, list(values)), 0.0)

    def _of_days(self, window: Window) -> list[tantivy.Query]:
        import tantivy

        filters = []
        if window.as_of is not None:
            filters.append(self._range("known", _ALWAYS, _day(window.as_of, _NEVER)))
        if window.in_force_to is not None:
            last = _day(window.in_force_to, _NEVER) - 1
            so_by_then = self._range("since", _ALWAYS, last)
            if window.with_later_acts:
                either = [(tantivy.Occur.Should, query) for query in (so_by_then, self._range("act", 1, 1))]
                so_by_then = tantivy.Query.const_score_query(tantivy.Query.boolean_query(either), 0.0)
            filters += [self._range("force_from", _ALWAYS, last), so_by_then]
        if window.in_force_from is not None:
            # Periods are half-open: a text that ends on the first day asked for is no longer in force on it.
            filters.append(self._range("force_to", _day(window.in_force_from, _ALWAYS) + 1, _NEVER))
        return filters

    def _range(self, name: str, low: int, high: int) -> tantivy.Query:
        import tantivy

        return tantivy.Query.const_score_query(
            tantivy.Query.range_query(self._schema, name, tantivy.FieldType.Unsigned, low, high), 0.0
        )


def _key(document: tantivy.Document) -> tuple[int, int]:
    """Return the number of the node and the ordinal of a stored passage."""
    return divmod(int(document["key"][0]), _ORDINALS)


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
