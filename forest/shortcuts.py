"""Shortcuts as a walker meets them: which are doors of a node, what they carry, and what speaks against one.

Nothing here writes. How trails earn shortcuts is `forest.minting`; how one becomes an edge, `forest.applying`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from forest.catalog import NodeRow
from forest.config import ShortcutSettings
from forest.errors import ShortcutNotFound
from forest.node import load_node
from forest.shortcut import SHORTCUT, Shortcut
from forest.state import State
from forest.trail import CitedPassage

_PREFIX = re.compile(r"[0-9a-f]{4,64}")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a shortcut carries, as it stands in the forest now.

    Attributes:
        passages: where the passages cited stand, in the order of the way; empty when any of them changed.
        changed: names (`node#n`) of passages whose bytes stand in their node no more, or whose node is not known.
    """

    passages: tuple[CitedPassage, ...]
    changed: tuple[str, ...]


def shortcuts_of(state: State, node_id: str) -> tuple[Shortcut, ...]:
    """Return the shortcuts that lead from a node, by target and id; those minted after the state's day are not there.

    Among them are those that were applied: the node's passport then states the edge, and the passages are here.
    """
    found = state.shortcuts.of(node_id)
    return tuple(one for one in found if state.as_of is None or one.minted <= state.as_of)


def shown_shortcuts(state: State, node: NodeRow) -> tuple[tuple[Shortcut, NodeRow], ...]:
    """Return the shortcuts that are doors of a node beside its edges, each with the node behind it, by target.

    Of several to one target the one shown is that behind `shortcut_to`. One whose edge the passport states, and one
    whose target does not exist or is not known yet, is none of them. At most `most_per_node` are shown.
    """
    best: dict[str, Shortcut] = {}
    for one in sorted(shortcuts_of(state, node.id), key=_most_walked_first):
        best.setdefault(one.to, one)
    targets = state.catalog.by_ids(best.keys() - {node.id})
    new = [best[to] for to in targets if not state.catalog.has_edge(node, SHORTCUT, to)]
    kept = sorted(new, key=_most_walked_first)[: state.config.shortcuts.most_per_node]
    return tuple((one, targets[one.to]) for one in sorted(kept, key=lambda one: one.to))


def shortcut_to(state: State, source: str, to: str) -> Shortcut | None:
    """Return the shortcut behind a door of kind `shortcut`, applied or not: of several the one walked last.

    None when the door is an edge that somebody wrote, or whose shortcut is not in this repository.
    """
    found = [one for one in shortcuts_of(state, source) if one.to == to]
    return min(found, key=_most_walked_first, default=None)


def find_shortcut(state: State, text: str) -> Shortcut:
    """Return the shortcut whose id begins with some text.

    Raises:
        ShortcutNotFound: none does, or more than one.
    """
    found = [one for one in state.shortcuts.all() if one.id.startswith(text)] if _PREFIX.fullmatch(text) else []
    if len(found) > 1:
        raise ShortcutNotFound(f"{len(found)} shortcuts begin with {text!r}.", "Give more digits.")
    if not found:
        raise ShortcutNotFound(f"No shortcut begins with {text[:64]!r}.", "List them with `forest shortcuts list`.")
    return found[0]


def is_applied(state: State, shortcut: Shortcut) -> bool:
    """Tell whether the passport of a shortcut's source states the edge in the commit that is open."""
    node = state.catalog.find(shortcut.source)
    return node is not None and state.catalog.has_edge(node, SHORTCUT, shortcut.to)


def edge_place(state: State, shortcut: Shortcut) -> str:
    """Return where the edge of an applied shortcut stands, `file:line`; "" for one that is not applied."""
    source = state.catalog.find(shortcut.source)
    data = state.read_blob(source.blob) if source is not None and is_applied(state, shortcut) else None
    node = load_node(data, source.path)[0] if source is not None and data is not None else None
    edges = node.passport.edges if node is not None else ()
    found = (edge for edge in edges if (edge.kind, edge.to) == (SHORTCUT, shortcut.to))
    return next((f"{source.path}:{edge.line}" for edge in found if source is not None), "")


def _most_walked_first(shortcut: Shortcut) -> tuple[int, int, str]:
    return -shortcut.reinforced.toordinal(), -len(shortcut.trails), shortcut.id


def evidence_of(state: State, shortcut: Shortcut) -> Evidence:
    """Find the passages of a shortcut in the forest as it is now, by their hashes; offsets and numbers may differ."""
    nodes = state.catalog.by_ids({cited.node for cited in shortcut.passages})
    standing, changed = [], []
    for cited in shortcut.passages:
        node = nodes.get(cited.node)
        found = state.catalog.passage_of_bytes(node, cited.sha256) if node is not None else None
        if node is None or found is None:
            changed.append(cited.id)
        else:
            standing.append(
                CitedPassage(node.id, found.ordinal, node.path, node.blob, found.start, found.end, found.sha256)
            )
    return Evidence(() if changed else tuple(standing), tuple(changed))


def faults_of(state: State, shortcut: Shortcut, today: date) -> tuple[str, ...]:
    """Return why a shortcut is proposed for retirement; empty when nothing speaks against it."""
    ends = [door.source for door in shortcut.way] + [shortcut.to]
    there = state.catalog.by_ids(ends)
    faults = [f"{gone} is no node any more" for gone in dict.fromkeys(ends) if gone not in there]
    faults += [f"{name} has changed" for name in evidence_of(state, shortcut).changed]
    if shortcut.reinforced > today:
        faults.append(f"it says that it was walked on {shortcut.reinforced}, after today")
    elif is_cold(shortcut, state.config.shortcuts, today):
        faults.append(f"cold: not walked since {shortcut.reinforced}")
    return tuple(faults)


def is_cold(shortcut: Shortcut, settings: ShortcutSettings, today: date) -> bool:
    """Tell whether no trail has walked a shortcut for longer than `cold_after_days`."""
    return (today - shortcut.reinforced).days > settings.cold_after_days
