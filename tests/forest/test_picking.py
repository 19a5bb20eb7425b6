"""Picking a value in a sentence that holds several: each has its own words, and where none is meant none is given."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.state import State, open_state
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)
CUOTAS = node(
    "cuotas-riego",
    "# Cuotas de riego\n\nLas cuotas de riego son de 12 pesos por hectárea en la Zona del Valle General y de 19 pesos "
    "por hectárea en la Zona Libre del Margen Norte.",
    title="Cuotas de riego",
    summary="Las cuotas de riego del valle y del margen.",
    scent="cuotas de riego",
)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    with open_state(open_snapshot(plant(tmp_path_factory.mktemp("riego") / "b", {"cuotas.md": CUOTAS}))) as state:
        yield state


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("¿Cuál es la cuota de riego en la Zona del Valle General?", "12 pesos"),
        ("¿Cuál es la cuota de riego en el Margen Norte?", "19 pesos"),
        ("¿De cuánto es la cuota de riego en la Zona Libre?", "19 pesos"),
        ("¿Cuánto es la cuota de riego?", ""),
        ("¿Cuáles son las cuotas de riego?", ""),
    ],
)
def test_a_value_goes_with_the_words_that_follow_it(state: State, question: str, value: str) -> None:
    answer = hunt(state, question, today=TODAY)
    assert [claim.value for claim in answer.claims] == [value], (answer.status, answer.confidence)
    assert "12 pesos" in answer.claims[0].text
    assert "19 pesos" in answer.claims[0].text


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("¿Es cierto que la cuota de riego en el Margen Norte es de 25 pesos?", "corrected"),
        ("¿Es verdad que la cuota de riego en el Margen Norte es de 19 pesos?", "answered"),
    ],
)
def test_a_question_whether_something_is_so_is_held_against_the_text(state: State, question: str, status: str) -> None:
    answer = hunt(state, question, today=TODAY)
    assert answer.status == status, (answer.notes, answer.confidence)
    assert "19 pesos" in answer.claims[0].text
