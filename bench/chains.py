"""Chains: questions over any forest of laws, made by walking edges from part to part until one states a datum.

    python -m bench.chains FOREST --out FILE [--count N] [--hops N,...] [--kinds NAMES] [--seed N]

Writes four files of questions (docs/questions.md): FILE with the questions, `FILE.paraphrases` with each in other
words, `FILE.distant` with each in words further off, `FILE.sisters` with as many on other chains. A chain is taken only
where each of its parts leads on in one way that can be told, and where the datum stands once in the last part and in no
other part of the chain. Owns the choice of chains; the Spanish is `bench.chain_words`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.chain_words import (
    KINDS,
    MOST_HOPS,
    RELATIONS,
    Datum,
    Relation,
    Start,
    class_of,
    datum_of,
    first_wording,
    second_wording,
    start_of,
    telling_words,
    topics,
)
from forest.catalog import Catalog, NodeRow
from forest.errors import ForestError, WrongUsage
from forest.history import open_snapshot
from forest.ids import is_version
from forest.legal_numbers import fold
from forest.reading import read_passage
from forest.state import State, open_state
from forest.text import one_line, printable
from forest.units import units_of
from forest.values import FoundValue, Value, find_values, parse_value, same_value

_MOST_SPAN = 400  # characters of the sentence that holds a datum
_LEAST_BASIS = 8


@dataclass(frozen=True, slots=True)
class Link:
    """One edge of a chain: how it is told, the node that it leads to, the words that establish it."""

    relation: Relation
    to: str
    basis: str


@dataclass(frozen=True, slots=True)
class Way:
    """A chain of nodes: the first, then the edge to each next one."""

    start: str
    links: tuple[Link, ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        """The ids along it."""
        return self.start, *(link.to for link in self.links)

    @property
    def spans(self) -> tuple[str, ...]:
        """The words of each node but the last that lead on."""
        return tuple(link.basis for link in self.links)


@dataclass(frozen=True, slots=True)
class Found:
    """A datum that stands once in a node.

    Attributes:
        sentence: that holds it.
        words: of the value.
        value: what they are worth.
        kind: class of the value.
        datum: how it is asked.
        about: what it is about, in the words after the value and in those before it.
    """

    sentence: str
    words: str
    value: Value
    kind: str
    datum: Datum
    about: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Chain:
    """A way whose end states a datum, ready to be asked."""

    way: Way
    start: Start
    found: Found

    @property
    def shape(self) -> tuple[object, ...]:
        """What a sister shares: the relations, and the class of the datum."""
        kinds = tuple(link.relation.kind for link in self.way.links)
        return kinds, self.found.kind


def ways(catalog: Catalog, kinds: Sequence[str], hops: int) -> Iterator[Way]:
    """Yield, by start id, the chains of `hops` nodes of which each leads on in one way that can be told.

    Either a node has one edge to a part of an instrument, or one that leads into some other instrument, which is then
    named. Edges to whole instruments do not count.
    """
    links = _links(catalog, kinds)

    def on(nodes: tuple[str, ...], walked: tuple[Link, ...]) -> Iterator[Way]:
        if len(nodes) == hops:
            yield Way(nodes[0], walked)
            return
        for link in links.get(nodes[-1], ()):
            if link.to not in nodes:
                yield from on((*nodes, link.to), (*walked, link))

    for start in sorted(links):
        yield from on((start,), ())


def _links(catalog: Catalog, kinds: Sequence[str]) -> dict[str, list[Link]]:
    """Return the edges by which each node leads on in a way that can be told."""
    rows = {row.id: row for row in map(catalog.find, catalog.ids("")) if row is not None and not is_version(row.id)}
    numbers = {row.num: row for row in rows.values()}
    laws = {node_id: numbers.get(row.document) for node_id, row in rows.items() if row.kind == "provision"}
    links: dict[str, list[Link]] = {}
    for node_id, row in rows.items():
        if row.kind not in ("provision", "publication"):
            continue
        by_law: dict[str, list[tuple[str, str, str]]] = {}
        for kind, to, _, basis in catalog.edges_out(row):
            if (law := laws.get(to)) is not None and law.kind == "instrument" and to != node_id:
                by_law.setdefault(law.id, []).append((kind, to, basis))
        own = numbers.get(row.document)
        for law_id, edges in by_law.items():
            kind, to, basis = edges[0]
            alone = len(by_law) == 1
            if len(edges) > 1 or kind not in kinds or len(basis) < _LEAST_BASIS or not (alone or own):
                continue
            if not alone and own is not None and law_id == own.id:
                continue  # "an article of this law" tells it from others, but nobody asks so
            law = rows[law_id]
            relation = Relation(kind) if alone else Relation(kind, law.title, law.id.upper())
            links.setdefault(node_id, []).append(Link(relation, to, basis))
    return links


class Reader:
    """Reads nodes of one forest, and the values in them, each once."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._texts: dict[str, tuple[str, ...]] = {}
        self._values: dict[str, tuple[FoundValue, ...]] = {}

    def texts(self, node_id: str) -> tuple[str, ...]:
        """Return the texts of a node's passages, white space as one blank."""
        if node_id not in self._texts:
            node = self._state.catalog.node(node_id)
            passages = self._state.catalog.passages(node)
            self._texts[node_id] = tuple(read_passage(self._state, node, p.ordinal).text for p in passages)
        return self._texts[node_id]

    def values(self, node_id: str) -> tuple[FoundValue, ...]:
        """Return all values of a node that could be asked for, passage after passage."""
        if node_id not in self._values:
            found = (find_values(text, ("quantity", "percentage", "money")) for text in self.texts(node_id))
            self._values[node_id] = tuple(v for some in found for v in some if class_of(v.value))
        return self._values[node_id]

    def datum(self, node_id: str) -> Found | None:
        """Return the first datum that stands once in a node, alone of those that are asked in the same way."""
        every = [found for text in self.texts(node_id) for found in _data(text)]
        asked = Counter((found.kind, found.datum.noun) for found, _ in every)
        classes = Counter(found.kind for found, _ in every)
        for found, is_whole in every:
            alone = asked[found.kind, found.datum.noun] == 1 if found.datum.noun else classes[found.kind] == 1
            if is_whole and alone and all(found.about):
                return found
        return None

    def holds(self, node_id: str, value: Value) -> bool:
        """Tell whether a node states a value, in whatever words."""
        return any(same_value(found.value, value) for found in self.values(node_id))

    def stands_once(self, node_id: str, words: str) -> bool:
        """Tell whether exactly one passage of a node holds some words."""
        return sum(one_line(words) in one_line(text) for text in self.texts(node_id)) == 1


def _data(text: str) -> Iterator[tuple[Found, bool]]:
    """Yield every value of a text that is of some class, and whether it can be asked for by its sentence."""
    spans = units_of(text)
    for v in find_values(text):
        kind = class_of(v.value)
        span = next((s for s in spans if s.start <= v.start and v.end <= s.end), None)
        if not kind or span is None:
            continue
        before, after = text[span.start : v.start], text[v.end : span.end]
        sentence, words = one_line(text[span.start : span.end]), one_line(text[v.start : v.end])
        about = topics(one_line(before), one_line(after))
        datum = datum_of(kind, fold(before).split())
        read = parse_value(words, v.value.kind)
        is_whole = (
            span.pieces == 1
            and about is not None
            and len(sentence) <= _MOST_SPAN
            and not sentence.startswith(("#", "|"))
            and read is not None
            and same_value(read, v.value)
        )
        yield Found(sentence, words, v.value, kind, datum, about or ("", "")), is_whole


def chains(state: State, kinds: Sequence[str], hops: Sequence[int]) -> list[Chain]:
    """Return every chain that can be asked, by length and start."""
    reader, found = Reader(state), list[Chain]()
    for count in hops:
        for way in ways(state.catalog, kinds, count):
            chain = _chain(state, reader, way)
            found += [chain] if chain is not None else []
    return found


def _chain(state: State, reader: Reader, way: Way) -> Chain | None:
    node = state.catalog.node(way.start)
    start = start_of(node.title, _law(state.catalog, node))
    datum = reader.datum(way.nodes[-1]) if start is not None else None
    if start is None or datum is None or any(reader.holds(earlier, datum.value) for earlier in way.nodes[:-1]):
        return None
    told = zip(way.nodes, (*way.spans, datum.sentence), strict=True)
    return Chain(way, start, datum) if all(reader.stands_once(at, words) for at, words in told) else None


def _law(catalog: Catalog, node: NodeRow) -> str:
    at: NodeRow | None = node
    while at is not None and at.kind != "instrument":
        at = catalog.parent(at)
    return at.title if at is not None else ""


def choose(found: Sequence[Chain], count: int, seed: int) -> tuple[list[Chain], list[Chain]]:
    """Return `count` chains, as many as there are at most, and for each a sister; no two begin or end in one node.

    Chains are drawn in a seeded order, one of each shape before a second of any, and are left out where no sister with
    another answer and no node in common is left.
    """
    order = list(found)
    random.Random(f"{seed} chains").shuffle(order)  # noqa: S311 - not for secrets
    turns: dict[tuple[object, ...], list[Chain]] = {}
    for chain in order:
        turns.setdefault(chain.shape, []).append(chain)
    queues, used = list(turns.values()), set[str]()
    walked, sisters = list[Chain](), list[Chain]()
    while queues and len(walked) < count:
        queue = queues.pop(0)
        pair = _pair(queue, used)
        if pair is not None:
            walked.append(pair[0])
            sisters.append(pair[1])
            queues.append(queue)
    return walked, sisters


def _pair(queue: list[Chain], used: set[str]) -> tuple[Chain, Chain] | None:
    """Take two chains of one shape with different answers, which begin and end where no other does."""
    first: Chain | None = None
    for chain in list(queue):
        if used & {chain.way.nodes[0], chain.way.nodes[-1]}:
            queue.remove(chain)
        elif first is None:
            first = chain
        elif not (set(first.way.nodes) & set(chain.way.nodes) or same_value(first.found.value, chain.found.value)):
            queue.remove(first)
            queue.remove(chain)
            used.update(node for way in (first.way, chain.way) for node in (way.nodes[0], way.nodes[-1]))
            return first, chain
    return None


def record(chain: Chain, number: int, role: str) -> dict[str, object]:
    """Return the record of a chain's question (`bench.question`)."""
    nodes, words, found = chain.way.nodes, (*chain.way.spans, chain.found.sentence), chain.found
    relations = [link.relation for link in chain.way.links]
    return {
        "id": f"{role}-{number:03}",
        "question": first_wording(chain.start, relations, found.datum, found.about[0]),
        "category": "cross_reference",
        "phrasing": "professional",
        "split": "test",
        # Questions that begin in one law are alike: they are resampled together.
        "chain": f"{role.lower()}-{nodes[0].partition('/')[0]}",
        "hops": len(nodes),
        "answer": {"type": KINDS[chain.found.kind], "value": chain.found.words},
        "gold": [{"node": node, "span": one_line(span)} for node, span in zip(nodes, words, strict=True)],
    }


def paraphrase(chain: Chain, number: int, role: str, *, distant: bool = False) -> dict[str, object]:
    """Return the record of a chain's paraphrase (`bench.paraphrases`).

    Args:
        chain: the chain.
        number: of its question.
        role: of its question, as its id begins.
        distant: whether it speaks of the datum by the words before it, of which the question has none.
    """
    about = chain.found.about[1] if distant else telling_words(chain.found.about[0])
    words = second_wording(chain.start, [link.relation for link in chain.way.links], chain.found.datum, about)
    own = f"{'D' if distant else 'P'}-{role}-{number:03}"
    return {"id": own, "paraphrases": f"{role}-{number:03}", "question": words}


def write(file: Path, walked: Sequence[Chain], sisters: Sequence[Chain]) -> Mapping[Path, int]:
    """Write the four files, and return how many questions each has."""
    told = {
        file: [record(chain, n, "CHAIN") for n, chain in enumerate(walked, start=1)],
        beside(file, "paraphrases"): [paraphrase(chain, n, "CHAIN") for n, chain in enumerate(walked, start=1)],
        beside(file, "distant"): [
            paraphrase(chain, n, "CHAIN", distant=True) for n, chain in enumerate(walked, start=1)
        ],
        beside(file, "sisters"): [record(chain, n, "SISTER") for n, chain in enumerate(sisters, start=1)],
    }
    for path, records in told.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
    return {path: len(records) for path, records in told.items()}


def beside(file: Path, role: str) -> Path:
    """Return the file of paraphrases or sisters that stands beside one of questions: `q.jsonl`, `q.sisters.jsonl`."""
    return file.with_name(f"{file.stem}.{role}{file.suffix}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; see the module.

    Returns:
        0, or 1 when there is no chain that can be asked.
    """
    parser = argparse.ArgumentParser(prog="python -m bench.chains", description=__doc__.partition("\n")[0])
    parser.add_argument("forest", type=Path, help="a folder with forest.yaml, committed")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file of the questions")
    parser.add_argument("--count", type=int, default=40, help="so many questions at most, and as many sisters")
    parser.add_argument("--hops", default="3,4", help=f"how many parts a chain has, from 3 to {MOST_HOPS + 1}")
    parser.add_argument("--kinds", default="cites", help=f"kinds of edges: {', '.join(RELATIONS)}")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    options = parser.parse_args(arguments)
    try:
        kinds, hops = _named(options.kinds, RELATIONS), _counts(options.hops)
        with open_state(open_snapshot(options.forest)) as state:
            found = chains(state, kinds, hops)
        walked, sisters = choose(found, options.count, options.seed)
        made = write(options.out, walked, sisters)
    except ForestError as error:
        print(printable(str(error)), file=sys.stderr)
        return error.exit_code
    print(f"{len(found):,} chains can be asked.")
    for path, count in made.items():
        print(printable(f"{path}: {count} questions"))
    return 0 if walked else 1


def _named(text: str, known: Mapping[str, object]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise WrongUsage(f"--kinds cannot be {text[:40]!r}.", f"Kinds that can be asked for: {', '.join(known)}.")
    return names


def _counts(text: str) -> tuple[int, ...]:
    counts = [int(part) for part in text.split(",") if part.strip().isdecimal()]
    if not counts or any(not 3 <= count <= MOST_HOPS + 1 for count in counts):
        raise WrongUsage(f"--hops cannot be {text[:40]!r}.", f"Write numbers from 3 to {MOST_HOPS + 1}, with commas.")
    return tuple(dict.fromkeys(counts))


if __name__ == "__main__":
    sys.exit(main())
