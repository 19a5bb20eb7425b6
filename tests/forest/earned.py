"""A forest in which ways of three doors lead to answers, and the trails of walks that took them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from forest.minting import Similar, consider
from forest.shortcut import Shortcut
from forest.state import State
from forest.trail import CitedPassage, Trail, WalkedDoor, question_id
from tests.conftest import node, plant

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
TODAY = date(2026, 3, 1)


def edge(kind: str, to: str, basis: str) -> str:
    return f"\n  - kind: {kind}\n    to: {to}\n    scent: hacia {to}\n    basis: {basis}"


CHAIN = {
    "index.md": node("raiz", "# Raíz\n\nBosque de prueba.", kind="topic", title="Raíz"),
    "a.md": node("a", "La norma a cita la b.", published="2020-01-01", edges=edge("cites", "b", "cita la b")),
    "b.md": node("b", "La norma b cita la c y la d.", published="2020-01-02", edges=edge("cites", "c", "cita la c")),
    "c.md": node("c", "La multa es de 40 pesos.", published="2020-01-03", scent="la multa"),
    "d.md": node("d", "El plazo es de 9 días.", published="2026-02-01", scent="el plazo"),
}


def plant_chain(folder: Path, **more: str) -> Path:
    return plant(folder, CHAIN | {f"{name}.md": text for name, text in more.items()})


def cite(state: State, node_id: str, ordinal: int = 1) -> CitedPassage:
    """The citation of a passage as it stands now."""
    row = state.catalog.node(node_id)
    passage = state.catalog.passage(row, ordinal)
    assert passage is not None
    return CitedPassage(row.id, ordinal, row.path, row.blob, passage.start, passage.end, passage.sha256)


def trail(
    state: State, *nodes: str, cited: Iterable[str] = (), kind: str = "cites", number: int = 0, question: str = "multa"
) -> Trail:
    """The trail of a walk that entered the first node and took doors to the last, which answers."""
    useful = [WalkedDoor("", "entry", nodes[0], useful=True)]
    useful += [WalkedDoor(one, kind, two, useful=True) for one, two in pairwise(nodes)]
    useful.append(WalkedDoor(nodes[0], "parent", "raiz", useful=False))
    return Trail(
        question=question_id(question),
        signature=(question,),
        analyzer="es-2",
        doors=tuple(useful),
        cited=tuple(cite(state, one) for one in (nodes[-1], *cited)),
        ending="answered",
        navigator="scout",
        commit=state.snapshot.commit,
        tree=state.snapshot.tree,
        time=START + timedelta(minutes=number),
    )


@dataclass
class Deposited:
    """What was deposited, in place of an index of trails: those of one question are similar."""

    trails: list[Trail] = field(default_factory=list)

    def similar(self) -> Similar:
        return lambda trail, _source, _to: [one for one in self.trails if one.signature == trail.signature]


def walk(state: State, done: Deposited, one: Trail, today: date = TODAY) -> Shortcut | None:
    done.trails.append(one)
    return consider(state, one, today, done.similar())


def minted(state: State, *nodes: str, done: Deposited | None = None, today: date = TODAY) -> Shortcut:
    done = done or Deposited()
    walk(state, done, trail(state, *nodes, cited=nodes[:1], number=len(done.trails)), today)
    shortcut = walk(state, done, trail(state, *nodes, cited=nodes[:1], number=len(done.trails)), today)
    assert shortcut is not None
    return shortcut
