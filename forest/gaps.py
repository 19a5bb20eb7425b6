"""Gaps: what a question names and the forest cannot give, each with the reason and what is nearest.

What the forest holds, but only in texts that were not known yet on the clock's day, is told apart from what it does not
hold: this is the one place that looks past the day, and it shows nothing of those texts but their ids and days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from forest.answer import Missing, Near
from forest.catalog import Catalog, NodeRow
from forest.ids import is_version
from forest.legal_numbers import fold as fold_name
from forest.naming import asks_earlier, nodes_of_names, transitory_articles, verdicts
from forest.parts import PART_MARKS, part_passage
from forest.question import Query, read_question
from forest.ranking import Found
from forest.state import State
from forest.validity import reads_so

_NEAREST = 4


def gaps_of(state: State, query: Query, found: tuple[Found, ...]) -> tuple[Missing, ...]:
    """Return everything that a question names and that the forest, as of the state's day, cannot give, by its kinds.

    Args:
        state: of the forest.
        query: what is asked.
        found: what a search for it gave, nearest where nothing better is known.
    """
    named, catalog = query.named, state.catalog
    # A text of another kind may bear a name that no instrument has: a norm stands as the gazette published it.
    borne = catalog.bearers(map(fold_name, named.unknown))
    gaps = [
        Missing(name, "no text of this forest has that name", _nearest_names(catalog, name))
        for name in named.unknown
        if fold_name(name) not in borne
    ]
    gaps += [
        Missing(name, f"{len(ids)} texts of this forest have that name", _nears_of(catalog, ids))
        for name, ids in named.ambiguous
    ]
    for instrument, key in named.missing:
        law = catalog.node(instrument)
        why = f"«{law.title}» has no article {key} in this forest"
        near = _nearest_articles(catalog, instrument, key)
        gaps.append(Missing(f"{instrument}/art-{key}", why, _nears_of(catalog, near)))
    told = {fold_name(name) for name in named.unknown}
    for code in named.norms:
        if fold_name(code) not in told and not catalog.bearers([fold_name(code)]):
            gaps.append(Missing(code, "no text of this forest has that name", _nearest_names(catalog, code)))
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
            texts = tuple(map(near_of, catalog.versions(work)))
            gaps.append(Missing(work, f"no text of it was in force on {query.clock.words}", texts))
    gaps += [gap for node in nodes_of_names(state, query) if (gap := _gap_in_time(node, query)) is not None]
    return tuple(gaps)


def with_known_later(state: State, query: Query, gaps: tuple[Missing, ...]) -> tuple[Missing, ...]:
    """Return the gaps with those explained that the forest fills, but only with texts known after the state's day.

    Args:
        state: as of the clock's day.
        query: what is asked.
        gaps: from `gaps_of`, of what was known on the day.
    """
    if state.as_of is None:
        return gaps
    whole, clock = state.unlimited, replace(query.clock, as_of=None)
    asked = read_question(whole, query.wording.asked, clock)
    named = dict.fromkeys((*(node.id for node in nodes_of_names(whole, asked)), *asked.named.instruments))
    later = [node_id for node_id in named if state.catalog.find(node_id) is None]
    if not later:
        return gaps
    still = {gap.what for gap in gaps_of(whole, asked, ())}
    told = (Missing(node_id, _known_later(whole, node_id, state.as_of), ()) for node_id in later)
    return (*(gap for gap in gaps if gap.what in still), *told)


def _known_later(whole: State, node_id: str, day: date) -> str:
    since = whole.catalog.known_since(node_id)
    if since is None:
        return f"it does not say when it was published; whether it was known on {day} is not known"
    return f"its text holds changes up to {since}; how it read on {day} is not known"


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


def _nearest_names(catalog: Catalog, name: str) -> tuple[Near, ...]:
    return tuple(map(near_of, catalog.nearest_named(fold_name(name), _NEAREST)))


def _nears_of(catalog: Catalog, ids: Iterable[str]) -> tuple[Near, ...]:
    return tuple(near_of(catalog.node(node_id)) for node_id in ids)


def nears(found: tuple[Found, ...]) -> tuple[Near, ...]:
    """Return the first few nodes found, each once."""
    return tuple(dict.fromkeys(near_of(f.reading.node) for f in found))[:_NEAREST]


def near_of(node: NodeRow) -> Near:
    """Return a node as something that came near."""
    return Near(node.id, node.title)
