"""The nodes that a question names, as they read on its days, and whether a text may be given for those days."""

from __future__ import annotations

import re

from forest.catalog import NodeRow
from forest.days import days_in
from forest.ids import is_version
from forest.legal_numbers import fold as fold_name
from forest.question import Query
from forest.state import State
from forest.text import fold
from forest.validity import Verdict, reads_so, version_in_force

_WORDS = 40
_EARLIER = re.compile(
    r"\b(?:decia|decian|texto original|texto anterior|redaccion (?:original|anterior)|antes de la reforma|antes)\b"
)


def nodes_of_names(state: State, query: Query) -> tuple[NodeRow, ...]:
    """Return the nodes of the articles and norms that a question names, as they read on its days.

    A work with versions is replaced by those in force; when none is known to be, the work itself stands for it. An
    instrument named alone, with nothing asked of it, is meant itself.
    """
    ids = [node.id for word in query.text.split()[:_WORDS] if (node := _by_id(state, word)) is not None]
    ids += [f"{instrument}/art-{key}" for instrument, key in query.named.articles]
    for transitories in transitory_articles(state, query).values():
        ids += [node.id for node in transitories] if len(transitories) == 1 else []
    borne = state.catalog.bearers([fold_name(code) for code in query.named.norms])
    ids += [node_id for bearers in borne.values() for node_id in bearers]
    # A name alone is no citation and no question, but plainly means the text that bears it.
    ids += [node_id for names in state.catalog.names([fold_name(query.text)]).values() for node_id in names]
    transitory = any(mention.transitory for mention in query.named.mentions)
    if not ids and not query.stems and not query.named.missing and not transitory:
        ids += query.named.instruments
    nodes: list[NodeRow] = []
    for node_id in dict.fromkeys(ids):
        verdict = version_in_force(state.catalog, node_id, query.clock.start, query.clock.end)
        meant = _earlier(state, node_id, query) if asks_earlier(query) else ()
        nodes.extend(meant or verdict.versions or (state.catalog.node(node_id),))
    return tuple(nodes)


def _by_id(state: State, word: str) -> NodeRow | None:
    """Return the node whose id somebody typed, with or without a passage's number; plain words are no ids."""
    node_id = word.partition("#")[0].strip("¿?¡!.,;:()«»\"'").casefold()
    return state.catalog.find(node_id) if any(mark in node_id for mark in "/@-") else None


def _earlier(state: State, work: str, query: Query) -> tuple[NodeRow, ...]:
    """Return the last text of a work that was no longer in force on the question's day, if the forest has one."""
    past = [v for v in state.catalog.versions(work) if v.in_force_to is not None and v.in_force_to <= query.clock.start]
    return tuple(sorted(past, key=lambda version: (version.in_force_to or version.in_force_from, version.num))[-1:])


def transitory_articles(state: State, query: Query) -> dict[str, tuple[NodeRow, ...]]:
    """Return the nodes that each transitory article named in a question may be, by its key (`trans-2`).

    Each decree that issued or amended a law has transitory articles of its own; a date in the question tells which.
    """
    dates = {day.isoformat() for _, _, day in days_in(fold(query.text)) if day is not None}
    found: dict[str, tuple[NodeRow, ...]] = {}
    for mention in query.named.mentions:
        laws = mention.instruments or query.named.instruments
        for key in mention.articles if mention.transitory and len(laws) == 1 else ():
            members = state.catalog.members(f"{laws[0]}/dof-", key)
            found[key] = tuple(m for m in members if not dates or any(f"/dof-{day}" in m.id for day in dates))
    return found


def verdicts(state: State, query: Query) -> tuple[tuple[str, Verdict], ...]:
    """Return (work, verdict) of the articles that a question names and that have several texts."""
    found = []
    for instrument, key in query.named.articles:
        work = f"{instrument}/art-{key}"
        if state.catalog.versions(work):
            found.append((work, version_in_force(state.catalog, work, query.clock.start, query.clock.end)))
    return tuple(found)


def held_then(node: NodeRow, query: Query) -> bool:
    """Tell whether a text may be given for a question: whether it read so on the days that the question is about."""
    return reads_so(node, query.clock.end) and not (asks_earlier(query) and not is_version(node.id))


def asks_earlier(query: Query) -> bool:
    """Tell whether a question asks how a text read before, without saying when."""
    return query.clock.source == "today" and bool(_EARLIER.search(fold(query.text)))
