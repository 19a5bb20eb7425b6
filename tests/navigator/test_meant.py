"""Which value is meant: another zone, another row and a misprint are refused, and what nothing tells apart stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from forest.reading import read_passage
from forest.state import State
from forest.units import units_of
from navigator.answering import stands_in
from navigator.meant import another_meant
from navigator.world import Noted, World
from tests.conftest import node, plant
from tests.navigator.beach import clock, opened

WAGES = "Los salarios mínimos son de 315.04 pesos diarios en la Zona General y de 440.87 pesos en la Zona Norte."
FEES = "| Servicio | Cuota en pesos |\n|---|---|\n| Calibrar un pirómetro | 3,390.00 |\n| Calibrar un termopar | 2,845.00 |"  # noqa: E501
ZONES = "| Oficio | Zona general | Zona fronteriza |\n|---|---|---|\n| Albañil | $333.10 | $451.20 |\n| Sastre | $340.00 | $460.00 |"  # noqa: E501
SAMPLES = "| Letra | Piezas de la muestra | Aceptación |\n|---|---|---|\n| E | 125 | 5 |\n| F | 245 | 7 |"
SHARES = "La Federación aporta 17,600 pesos y el municipio 8,800 pesos."
MISPRINT = "En el renglón del horno de gas, donde dice 17,300 pesos, debe decir 13,700 pesos."
RANGE = "Las solicitudes se reciben del 10 de febrero de 2026 al 31 de marzo de 2026."
TEXT = "\n\n".join(("# Texto", WAGES, FEES, ZONES, SAMPLES, SHARES, MISPRINT, RANGE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {"index.md": node("raiz", kind="topic", title="Raíz"), "t.md": node("t", TEXT, title="Salarios y cuotas")}
    return plant(tmp_path_factory.mktemp("m") / "b", files)


def refused(state: State, question: str, value: str) -> str:
    reading = read_passage(state, state.catalog.node("t"), 1)
    span = next(s for s in units_of(reading.text) if stands_in(value, (reading.text[s.start : s.end],)))
    world = World(state, clock(), question=question)
    return another_meant(world, Noted(reading, ((span.start, span.end),), value))


@pytest.mark.parametrize(
    ("question", "right", "wrong", "told"),
    [
        ("¿Cuánto es el salario mínimo en la zona norte?", "440.87 pesos", "315.04 pesos", "«440.87 pesos»"),
        ("¿Cuánto es el salario mínimo en la zona general?", "315.04 pesos", "440.87 pesos", "«315.04 pesos»"),
        (
            "¿Cuánto cuesta calibrar un termopar?",
            "2,845.00",
            "3,390.00",
            "another row of the table: «| Calibrar un termo",
        ),
        (
            "¿Cuánto cuesta calibrar un pirómetro?",
            "3,390.00",
            "2,845.00",
            "another row of the table: «| Calibrar un piró",
        ),
        (
            "¿Cuánto gana un albañil en la zona fronteriza?",
            "$451.20",
            "$333.10",
            "of «Zona fronteriza» the row says «$451.20»",
        ),
        (
            "¿Cuánto gana un sastre en la zona general?",
            "$340.00",
            "$460.00",
            "of «Zona general» the row says «$340.00»",
        ),
        ("¿De cuántas piezas es la muestra de la letra E?", "125", "5", "of «Piezas de la muestra» the row says «125»"),
        ("¿Cuánto pone el municipio?", "8,800 pesos", "17,600 pesos", "«8,800 pesos»"),
        ("¿Cuánto es lo del horno de gas?", "13,700 pesos", "17,300 pesos", "of what they correct or change"),
    ],
)
def test_the_value_of_something_else_is_refused_with_the_one_that_is_meant(
    folder: Path, question: str, right: str, wrong: str, told: str
) -> None:
    with opened(folder) as state:
        assert refused(state, question, right) == ""
        assert told in refused(state, question, wrong)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("¿Cuánto se paga?", "315.04 pesos"),
        ("¿Cuánto se paga?", "440.87 pesos"),
        ("¿Qué cuota fija el acuerdo?", "2,845.00"),
        ("¿Cuánto gana un albañil?", "$333.10"),
        ("¿Cuánto gana un albañil?", "$451.20"),
        ("¿Hasta qué día se reciben las solicitudes?", "31 de marzo de 2026"),
        ("¿Desde qué día se reciben las solicitudes?", "10 de febrero de 2026"),
        ("", "315.04 pesos"),
    ],
)
def test_what_nothing_tells_apart_stands(folder: Path, question: str, value: str) -> None:
    with opened(folder) as state:
        assert refused(state, question, value) == ""
