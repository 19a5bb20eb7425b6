"""What speaks for and against a candidate: what it stands under, what replaced it by then, and what answers alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from forest.doors import doors_of
from forest.fitting import asking_of
from forest.state import State
from navigator.explorer import explorer_of
from navigator.route import hunt
from navigator.scout import SEVERAL
from navigator.walk import Walk
from navigator.world import World
from tests.conftest import node, plant
from tests.navigator.beach import TODAY, edges, opened


def _year(year: int, monthly: str, ends: str) -> str:
    replaces = edges(("supersedes", f"aviso-{year - 1}", "el del año anterior", "Sustituye al aviso del año anterior."))
    return node(
        f"aviso-{year}",
        f"# Importes de {year}\n\nLos importes son los siguientes.\n\n| Periodo | Importe |\n|---|---|\n"
        f"| Diario | {year % 100}.50 |\n| Mensual | {monthly} |\n\nSustituye al aviso del año anterior.",
        title=f"Importes de {year}",
        scent=f"los importes de {year}",
        published=f"{year}-01-10",
        in_force=f'{{from: {year}-02-01, to: {ends}, basis: "Los importes son los siguientes."}}',
        edges=replaces if year > 2021 else "",
    )


FEES = {
    "index.md": node("raiz", "# Raíz\n\nBosque de cuotas.", kind="topic", title="Raíz"),
    "cuota/index.md": node(
        "cuota", "# Cuota de Arena\n\nSe paga por extraer arena.", kind="topic", title="Cuota de Arena"
    ),
    "cuota/2021.md": _year(2021, "2,724.45", "2022-02-01"),
    "cuota/2022.md": _year(2022, "2,925.09", "2023-02-01"),
    "cuota/2023.md": _year(2023, "3,153.70", "open"),
    "otros.md": node("otros", "# Cuota de agua\n\nEl importe mensual del agua es de 99.00 pesos.", title="Agua"),
}


@pytest.fixture(scope="module")
def fees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("cuotas") / "bosque", FEES)


@pytest.fixture
def state(fees: Path) -> Iterator[State]:
    with opened(fees) as state:
        yield state


def walked(state: State, question: str, in_force_on: date | None = None) -> Walk:
    return hunt(state, question, today=TODAY, as_of=None, in_force_on=in_force_on)


@pytest.mark.parametrize("day", [None, date(2022, 1, 31)])
def test_the_value_of_a_day_is_that_of_the_text_not_yet_replaced_under_what_is_named(
    state: State, day: date | None
) -> None:
    walk = walked(state, "¿Cuál era el importe mensual de la Cuota de Arena el 31 de enero de 2022?", day)
    assert (walk.ending, [claim.value for claim in walk.answer.claims][-1:]) == ("answered", ["2,724.45"])


def test_the_day_after_it_is_the_next_text_s(state: State) -> None:
    walk = walked(state, "¿Cuál era el importe mensual de la Cuota de Arena el 1 de febrero de 2022?")
    assert [claim.value for claim in walk.answer.claims][-1:] == ["2,925.09"]


@pytest.mark.parametrize(("day", "replaced"), [(date(2022, 1, 31), False), (date(2022, 2, 1), True)])
def test_a_text_is_replaced_from_the_day_on_which_another_begins(state: State, day: date, *, replaced: bool) -> None:
    asking = asking_of(state, "¿Qué importe tiene la Cuota de Arena?", today=TODAY, as_of=None, in_force_on=day)
    world = World(state, asking.clock)
    judge = explorer_of(asking.scales, world, asking.text, state.config.edge_kinds).judge
    place = judge.entry("aviso-2021")
    for door in doors_of(state, state.catalog.node("aviso-2021")):
        judge.note_door(place, door)
    assert judge.changed == {"aviso-2021": {"supersedes"}}
    assert ("aviso-2021" in judge.replaced) == replaced


def test_of_rows_that_answer_alike_none_is_taken(state: State) -> None:
    walk = walked(state, "¿Qué importe tiene la Cuota de Arena?")
    assert walk.ending == "abstained"
    assert any(SEVERAL in (step.action + step.why) for step in walk.steps)
