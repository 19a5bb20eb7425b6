"""Confidence: parts from 0 to 1, and a figure that no part lowers by growing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.asked import answer_kind, asked_of
from forest.confidence import OVERALL, PARTS, SAFE, overall
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.state import State, open_state
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)
SHARES = st.fixed_dictionaries({part: st.floats(0, 1) for part in PARTS})
FOREST: dict[str, str | bytes] = {
    "faro.md": node(
        "lab-faro",
        "# Laboratorio Faro\n\nEl tiempo de entrega es de ocho días hábiles, y de tres en servicio urgente.\n\n"
        "Cobra 1,240.50 pesos por muestra de agua.\n\n"
        "| Ensayo | Pesos |\n|---|---|\n| Plomo en agua | 310.00 |\n| Cadmio en agua | 415.00 |",
        title="Laboratorio Faro",
        kind="entity",
    ),
    "boya.md": node(
        "lab-boya",
        "# Laboratorio Boya\n\nCobra 980 pesos por muestra de agua.",
        title="Laboratorio Boya",
        kind="entity",
    ),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    folder = plant(tmp_path_factory.mktemp("confianza") / "bosque", FOREST)
    with open_state(open_snapshot(folder)) as state:
        yield state


@given(SHARES, st.sampled_from(PARTS), st.floats(0, 1))
def test_confidence_grows_with_each_part(parts: dict[str, float], part: str, other: float) -> None:
    low, high = sorted((parts[part], other))
    assert 0 <= overall(parts | {part: low}) <= overall(parts | {part: high}) <= 1


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("¿Cuánto cobra el Laboratorio Faro por muestra de agua?", "1,240.50 pesos"),
        ("¿Cuánto cuesta el cadmio en agua en el Laboratorio Faro?", "415.00"),
        ("¿En cuántos días hábiles entrega el Laboratorio Faro en servicio urgente?", "tres"),
        ("¿En cuántos días hábiles entrega el Laboratorio Faro?", "ocho días hábiles"),
    ],
)
def test_the_value_comes_from_the_sentence_or_row_that_is_asked_for(state: State, question: str, value: str) -> None:
    answer = hunt(state, question, today=TODAY)
    assert answer.status == "answered"
    assert answer.claims[0].value == value
    assert answer.confidence[OVERALL] >= SAFE
    assert set(answer.confidence) == {OVERALL, *PARTS}


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("¿Cuánto cuesta el arsénico en agua en el Laboratorio Faro?", "unanswerable"),
        ("¿A qué altura está el techo del Laboratorio Faro?", "unanswerable"),
        ("¿Cuánto mide el dragón de la montaña?", "not_found"),
        ("¿Qué dice la NOM-999-STPS-2018?", "not_held"),
    ],
)
def test_what_is_not_asked_of_a_thing_held_is_told_from_what_nothing_speaks_of(
    state: State, question: str, status: str
) -> None:
    answer = hunt(state, question, today=TODAY)
    assert (answer.status, answer.claims) == (status, ())


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("¿Cuánto cuesta?", "amount"),
        ("¿Desde cuándo rige?", "date"),
        ("¿Quién vigila la norma?", "who"),
        ("¿Qué norma la sustituyó?", "text"),
        ("¿En qué ciudad tiene su sede?", "name"),
        ("¿Cuál es el folio del título?", "name"),
        ("¿Qué requisitos fijan las reglas?", "list"),
        ("¿Qué es un sindicato?", "definition"),
        ("¿Puede el patrón negar las vacaciones?", "yes_no"),
        ("vacaciones", "any"),
    ],
)
def test_the_kind_of_answer_is_told(question: str, kind: str) -> None:
    assert answer_kind(question, asked_of(question)) == kind
