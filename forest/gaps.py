"""Gaps: what a question names and the forest cannot give, each with the reason and what is nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable

from forest.answer import Missing, Near
from forest.catalog import Catalog, NodeRow
from forest.ids import is_version
from forest.legal_numbers import fold as fold_name
from forest.naming import asks_earlier, known_then, nodes_of_names, transitory_articles, verdicts
from forest.parts import PART_MARKS, part_passage
from forest.question import Query
from forest.ranking import Found
from forest.state import State
from forest.validity import Clock, reads_so

_NEAREST = 4


def gaps_of(state: State, query: Query, found: tuple[Found, ...]) -> tuple[Missing, ...]:
    """Return everything that a question names and that cannot be given, in the order of its kinds.

    Args:
        state: of the forest.
        query: what is asked.
        found: what a search for it gave, nearest where nothing better is known.
    """
    named, catalog = query.named, state.catalog
    gaps = [
        Missing(name, "no text of this forest has that name", _nearest_names(catalog, name, query.clock))
        for name in named.unknown
    ]
    gaps += [
        Missing(name, f"{len(ids)} texts of this forest have that name", _nears_of(catalog, ids, query.clock))
        for name, ids in named.ambiguous
    ]
    for instrument, key in named.missing:
        law = catalog.node(instrument)
        why = f"«{law.title}» has no article {key} in this forest"
        near = _nearest_articles(catalog, instrument, key)
        gaps.append(Missing(f"{instrument}/art-{key}", why, _nears_of(catalog, near, query.clock)))
    told = {fold_name(name) for name in named.unknown}
    for code in named.norms:
        if fold_name(code) not in told and not catalog.bearers([fold_name(code)]):
            gaps.append(
                Missing(code, "no text of this forest has that name", _nearest_names(catalog, code, query.clock))
            )
    gaps += missing_parts(state, query)
    if named.bare:
        keys = ", ".join(named.bare)
        gaps.append(Missing(f"artículo {keys}", "the question does not say of which law", nears(found)))
    for key, nodes in transitory_articles(state, query).items():
        what = f"artículo transitorio {key.removeprefix('trans-')}"
        if not nodes:
            gaps.append(Missing(what, "the law named has no such transitory article of that date", ()))
        elif len(nodes) > 1:
            why = f"{len(nodes)} decrees have one; say of which day"
            gaps.append(Missing(what, why, tuple(near_of(node) for node in nodes[:_NEAREST])))
    for work, verdict in verdicts(state, query):
        if verdict.status == "none":
            texts = tuple(near_of(text) for text in catalog.versions(work) if known_then(text, query.clock))
            gaps.append(Missing(work, f"no text of it was in force on {query.clock.words}", texts))
    gaps += [gap for node in nodes_of_names(state, query) if (gap := _gap_in_time(node, query)) is not None]
    return tuple(gaps)


def missing_parts(state: State, query: Query) -> list[Missing]:
    """Return the parts of articles (fracción, inciso, apartado) that a question names and the texts do not mark."""
    gaps = []
    for instrument, key, kind, label in query.named.parts:
        node = state.catalog.find(f"{instrument}/art-{key}")
        if node is not None and kind in PART_MARKS and part_passage(state, node, kind, label) == 0:
            law = state.catalog.node(instrument)
            why = f"article {key} of «{law.title}» marks no such part in this forest"
            gaps.append(Missing(f"{PART_MARKS[kind]} {label}", why, (near_of(node),)))
    return gaps


def _gap_in_time(node: NodeRow, query: Query) -> Missing | None:
    """Return why a node that the question names cannot be given for its days, None when it can."""
    clock = query.clock
    if not known_then(node, clock):
        why = f"its text holds changes up to {node.known_on}; how it read on {clock.as_of} is not known"
        return Missing(node.id, why, ())
    if not reads_so(node, clock.end):
        why = f"it reads as it does since {node.since}; what held on {clock.words} is not in this forest"
        return Missing(node.id, why, (near_of(node),))
    if asks_earlier(query) and not is_version(node.id):
        since = f" since {node.since}" if node.since else ""
        why = f"this forest has only the text that it has{since}, not an earlier one"
        return Missing(node.id, why, (near_of(node),))
    return None


def _nearest_articles(catalog: Catalog, instrument: str, key: str) -> tuple[str, ...]:
    """Return the articles of a law whose numbers are nearest to one that it lacks, in their order."""
    prefix = f"{instrument}/art-"
    have = [(_number(node_id.removeprefix(prefix)), node_id) for node_id in catalog.ids(prefix)]
    nearest = sorted(have, key=lambda pair: (abs(pair[0] - _number(key)), pair))[:_NEAREST]
    return tuple(node_id for _, node_id in sorted(nearest))


def _number(key: str) -> int:
    digits = re.match(r"\d{1,9}", key)
    return int(digits[0]) if digits else 0


def _nearest_names(catalog: Catalog, name: str, clock: Clock) -> tuple[Near, ...]:
    near = catalog.nearest_named(fold_name(name), _NEAREST)
    return tuple(near_of(node) for node in near if known_then(node, clock))


def _nears_of(catalog: Catalog, ids: Iterable[str], clock: Clock) -> tuple[Near, ...]:
    return tuple(near_of(node) for node in map(catalog.node, ids) if known_then(node, clock))


def nears(found: tuple[Found, ...]) -> tuple[Near, ...]:
    """Return the first few nodes found, each once."""
    return tuple(dict.fromkeys(near_of(f.reading.node) for f in found))[:_NEAREST]


def near_of(node: NodeRow) -> Near:
    """Return a node as something that came near."""
    return Near(node.id, node.title)
