"""Premises: what a question states and a text denies is corrected from that text; conditions and truths are left."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from forest.answer import Answer
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.proof import verify
from forest.state import State, open_state
from forest.suppositions import clauses, stated_values
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)
FOREST: dict[str, str | bytes] = {
    "muelle.md": node(
        "tarifa-muelle",
        "# Tarifa de muelle\n\nEn horario diurno el importe es de 338.75 pesos por hora.\n\n"
        "En horario nocturno el importe es de 384.20 pesos por hora.",
        title="Tarifa de muelle y amarre",
        summary="Importes por el uso de muelles.",
    ),
    "veda.md": node(
        "veda-tortuga",
        "# Veda de tortuga\n\nVigila el cumplimiento la Procuraduría de Playas.\n\nLa veda dura noventa días.",
        title="Veda de la tortuga laúd",
        summary="Cuándo no se captura la tortuga laúd.",
        aliases="[NOM-905-PLAYA-2010]",
        edges="[{kind: issued_by, to: procuraduria, scent: quien vigila, basis: Vigila el cumplimiento}]",
    ),
    "calendario.md": node(
        "ce-40",
        "# Calendario CE-40\n\n| Etapa | Exigible desde |\n|---|---|\n| primera | 4 de enero de 2021 |\n"
        "| segunda | 3 de enero de 2022 |\n| tercera | 3 de octubre de 2022 |",
        title="Calendario CE-40",
        aliases="[CE-40]",
    ),
    "cambio.md": node(
        "dof-40",
        "# Cambio\n\nSe modifica el calendario CE-40 para que la segunda etapa sea exigible "
        "desde el 5 de mayo de 2023.",
        title="Modificación del calendario CE-40",
        edges="[{kind: amends, to: ce-40, scent: el calendario, basis: Se modifica el calendario CE-40}]",
    ),
    "escala.md": node(
        "es-70",
        "# Escala ES-70\n\nLa presente sustituye a la escala ES-30.",
        title="Escala ES-70",
        edges="[{kind: supersedes, to: es-30, scent: la anterior, basis: sustituye a la escala ES-30}]",
    ),
    "anterior.md": node("es-30", "# Escala ES-30\n\nGrados de ruido.", title="Escala ES-30"),
    "procuraduria.md": node("procuraduria", "Cuida las playas.", kind="entity", title="Procuraduría de Playas"),
    "marina.md": node("semar", "Cuida los mares.", kind="entity", title="Secretaría de Marina", aliases="[SEMAR]"),
    "reglas.md": node(
        "reglas-nido",
        "# Reglas\n\nLas presentes reglas serán aplicables desde el 1 de enero de 2026 y durante todo el ejercicio.",
        title="Reglas de Operación del Programa Nido",
    ),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    folder = plant(tmp_path_factory.mktemp("premisas") / "bosque", FOREST)
    with open_state(open_snapshot(folder)) as state:
        yield state


def ask(state: State, question: str) -> Answer:
    return hunt(state, question, today=TODAY)


@pytest.mark.parametrize(
    ("question", "value", "source"),
    [
        (
            "Si la tarifa de muelle y amarre es de 312.50 la hora de día, ¿desde cuándo se cobra?",
            "338.75 pesos",
            "tarifa-muelle",
        ),
        (
            "¿Por qué la tarifa de muelle y amarre subió a 400 pesos por hora de noche?",
            "384.20 pesos",
            "tarifa-muelle",
        ),
        (
            "Si la SEMAR es la que vigila la veda de la tortuga laúd, ¿cada cuándo visita?",
            "Procuraduría de Playas",
            "veda-tortuga",
        ),
        ("¿A qué día recorrió la tercera etapa del calendario CE-40 el acuerdo de 2023?", "segunda etapa", "dof-40"),
        ("Ahora que quedó sin efectos la escala ES-70, ¿qué vino en su lugar?", "escala ES-30", "es-70"),
        (
            "¿En qué mes dejaron de aplicarse las Reglas de Operación del Programa Nido?",
            "durante todo el ejercicio",
            "reglas-nido",
        ),
    ],
)
def test_what_a_text_denies_is_corrected_from_it(state: State, question: str, value: str, source: str) -> None:
    answer = ask(state, question)
    assert (answer.status, answer.claims[0].value) == ("corrected", value)
    assert [cited.node for cited in answer.claims[0].citations] == [source]
    assert verify(answer.claims[0].citations[0], state.snapshot).origin == "commit"
    assert answer.notes[0].startswith("The question supposes ")
    assert value in answer.notes[0] or "replaced" in answer.notes[0]


@pytest.mark.parametrize(
    "question",
    [
        "Si la tarifa de muelle y amarre es de 338.75 la hora de día, ¿desde cuándo se cobra?",
        "Si tengo 3 barcos y pago 500 pesos, ¿cuánto cuesta el muelle de noche?",
        "¿Por qué la tarifa de muelle y amarre es de 384.20 pesos por hora de noche?",
        "Si la Procuraduría de Playas es la que vigila la veda de la tortuga laúd, ¿cada cuándo visita?",
        "¿A qué día recorrió la segunda etapa del calendario CE-40 el acuerdo de 2023?",
        "¿Qué escala sustituyó la escala ES-70?",
        "Si la multa por dormir en la playa es de 900 pesos, ¿dónde la pago?",
        "¿Cuánto dura la veda de la tortuga laúd?",
    ],
)
def test_what_no_text_denies_is_not_corrected(state: State, question: str) -> None:
    assert ask(state, question).status != "corrected"


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("Si la multa es de 200 pesos, ¿dónde se paga?", ["200 pesos"]),
        ("Ya que la ley da 15 días, ¿cuándo los pagan?", ["15 días"]),
        ("¿Por qué lo dejaron en 900 mil pesos?", ["900 mil pesos"]),
        ("Como el comité tiene 12 vocalías, ¿quién las nombra?", ["12"]),
        ("Ya que la etapa es exigible desde el 5 de mayo de 2024, ¿qué hago?", ["5 de mayo de 2024"]),
        ("Si gano 500 pesos, ¿cuánto me toca?", []),
        ("¿Cuánto cuesta el segundo día si el primero cuesta 80 pesos?", ["80 pesos"]),
        ("Acabo de cumplir 4 años, ¿cuántos días me tocan?", []),
        ("¿Qué dice el artículo 76?", []),
    ],
)
def test_only_what_is_stated_is_a_supposition(question: str, stated: list[str]) -> None:
    assert [question[f.start : f.end] for _, _, f in stated_values(question)] == stated


def test_a_why_question_supposes_all_that_follows() -> None:
    question = "¿Por qué subió la tarifa?"
    assert [question[start:end] for start, end in clauses(question)] == [" subió la tarifa"]
    assert list(clauses("¿Cómo se llama?")) == []
