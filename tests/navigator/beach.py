"""A small forest to walk in, and the helpers of the tests that walk: a world, a scripted navigator, a fake clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from forest.doors import Door
from forest.history import open_snapshot
from forest.observation import Observation
from forest.scent import scent
from forest.state import State, open_state
from forest.validity import Clock, clock_for
from navigator.actions import Action, Decision, Doors, Enter, parse_action
from navigator.walk import Navigator
from navigator.world import World
from tests.conftest import node

TODAY = date(2026, 3, 1)


def edges(*stated: tuple[str, str, str, str]) -> str:
    """Return the edges of a passport as YAML: kind, target, scent, basis of each."""
    return "\n" + "\n".join(f'- {{kind: {k}, to: {to}, scent: "{s}", basis: "{b}"}}' for k, to, s, b in stated)


BEACH = {
    "index.md": node("raiz", "# Raíz\n\nBosque de las playas.", kind="topic", title="Raíz", scent="la entrada"),
    "normas/index.md": node("normas", kind="topic", title="Normas", scent="normas de playa"),
    "normas/nom-901-playa-2001.md": node(
        "nom-901-playa-2001",
        "# NOM-901-PLAYA-2001\n\nLa Dirección de Faros expide esta norma sobre sombrillas.",
        kind="instrument",
        title="Sombrillas, NOM-901-PLAYA-2001",
        aliases="[NOM-901-PLAYA-2001]",
        scent="la norma de sombrillas de 2001",
        published="2001-05-02",
        edges=edges(("issued_by", "faros", "quien la expidió", "La Dirección de Faros expide esta norma")),
    ),
    "normas/nom-901-playa-2011.md": node(
        "nom-901-playa-2011",
        "# NOM-901-PLAYA-2011\n\nLa Secretaría de Playas expide esta norma.\n\n"
        "La norma fija 45 centímetros entre sombrillas y una multa de 315.04 pesos.\n\n"
        "| Playa | Sombrillas |\n|---|---|\n| Norte | 12 |\n| Sur | 30 |\n\n"
        "Esta norma sustituye a la NOM-901-PLAYA-2001.",
        kind="instrument",
        title="Sombrillas, NOM-901-PLAYA-2011",
        aliases="[NOM-901-PLAYA-2011]",
        scent="la norma de sombrillas de 2011",
        published="2011-05-02",
        edges=edges(
            ("supersedes", "nom-901-playa-2001", "la de antes", "sustituye a la NOM-901-PLAYA-2001"),
            ("issued_by", "playas", "quien la expidió", "La Secretaría de Playas expide esta norma"),
            ("cites", "ley/art-1", "los días de veda", "fija 45 centímetros entre sombrillas y una multa"),
        ),
    ),
    "dependencias/index.md": node("dependencias", kind="topic", title="Dependencias", scent="quién emite qué"),
    "dependencias/playas.md": node(
        "playas",
        "# Secretaría de Playas\n\nTiene su sede en la ciudad de Salina Cruz.",
        kind="entity",
        title="Secretaría de Playas",
        scent="la secretaría de las playas",
    ),
    "dependencias/faros.md": node(
        "faros",
        "# Dirección de Faros\n\nTiene su sede en la ciudad de Progreso.",
        kind="entity",
        title="Dirección de Faros",
        scent="la dirección de los faros",
    ),
    "ley/index.md": node("ley", kind="instrument", title="Ley de la Veda", scent="la ley", published="1999-01-04"),
    "ley/art-1/index.md": node(
        "ley/art-1",
        "# Artículo 1\n\nDice cuántos días dura la veda.",
        kind="provision",
        title="Artículo 1 de la Ley de la Veda",
        scent="los días de veda",
    ),
    "ley/art-1/1999.md": node(
        "ley/art-1@1999-01-04",
        "# Artículo 1\n\nLa veda dura sesenta días.",
        kind="provision",
        title="Artículo 1, texto de 1999",
        scent="el texto de 1999",
        published="1999-01-04",
        in_force='{from: 1999-02-01, to: 2020-01-01, basis: "La veda dura sesenta días"}',
    ),
    "ley/art-1/2019.md": node(
        "ley/art-1@2019-12-02",
        "# Artículo 1\n\nLa veda dura noventa días.",
        kind="provision",
        title="Artículo 1, texto de 2019",
        scent="el texto de 2019",
        published="2019-12-02",
        in_force='{from: 2020-01-01, to: open, basis: "La veda dura noventa días"}',
    ),
    "ley/art-2.md": node(
        "ley/art-2",
        "# Artículo 2\n\nQueda derogado el permiso de fogatas.",
        kind="provision",
        title="Artículo 2 de la Ley de la Veda",
        tags="[derogado]",
        published="1999-01-04",
    ),
    "avisos/index.md": node("avisos", kind="topic", title="Avisos", scent="avisos de oleaje"),
    "avisos/oleaje.md": node(
        "oleaje",
        "# Aviso de oleaje\n\nEl 9 de agosto de 2006 las olas midieron 4.20 metros.",
        title="Aviso de oleaje",
        published="2006-08-10",
        in_force='{from: 2006-08-10, to: 2006-08-11, basis: "El 9 de agosto de 2006"}',
    ),
}


@contextmanager
def opened(folder: Path, as_of: date | None = None) -> Iterator[State]:
    """Open the state of a forest."""
    with open_state(open_snapshot(folder), None, as_of) as state:
        yield state


def clock(question: str = "", *, as_of: date | None = None, on: date | None = None) -> Clock:
    """Return the clock of a question asked on `TODAY`."""
    return clock_for(question, as_of=as_of, in_force_on=on, today=TODAY)


def world_at(state: State, node_id: str = "", at: Clock | None = None) -> World:
    """Return a world whose walker stands at a node, none of whose steps is counted; at none if none is given."""
    world = World(state, at or clock())
    if node_id:
        world.show(node_id)
        world.take(Enter(node_id))
    world.steps = world.hops = world.tokens = 0
    return world


def take(world: World, *lines: str) -> list[Observation[Any]]:
    """Do actions as they are printed, and return what each showed."""
    return [world.take(parse_action(line)) for line in lines]


def door(world: World, kind: str, to: str) -> Door:
    """See the doors of where the walker stands, and return the one of a kind to a node."""
    assert world.here is not None
    world.take(Doors())
    found = scent(world.state, world.here.id, world.clock).items
    return next(d for d in found if (d.kind, d.to) == (kind, to))


def scripted(*lines: str | Action, heard: list[Observation[Any]] | None = None) -> Navigator:
    """Return a navigator that decides as it is written, and keeps what it is shown."""
    for line in lines:
        action = parse_action(line) if isinstance(line, str) else line
        shown = yield Decision(action, f"the script says {action}")
        if heard is not None:
            heard.append(shown)


def ticking(seconds: float) -> Callable[[], float]:
    """Return a clock on which each look takes some seconds."""
    now = [-seconds]

    def look() -> float:
        now[0] += seconds
        return now[0]

    return look
