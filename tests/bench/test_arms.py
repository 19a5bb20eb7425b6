"""Arms: each answers as it says, from passages that it read, and abstains where it says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bench.arms.table import ARMS
from bench.attempt import Asked, Reply
from bench.launching import arms_given
from bench.runner import plan_run
from forest.history import open_snapshot
from forest.routes import Memory
from forest.state import State, open_state
from forest.trails import tips_of
from tests.bench.pupil import pupil
from tests.bench.wood import FOREST
from tests.conftest import node, plant

CHAIN = "¿Qué cuota por muestra cobra quien vigila la norma que sustituyó a la NOM-901-SEMARNAT-1996?"
MORE = {
    "luz.md": node(
        "luz", "# Tarifas\n\nLa energía eléctrica cuesta más.\nEl medidor se lee cada bimestre.\n", tags="[kilovatio]"
    ),
    "vacio.md": node("vacio", "", title="Un nodo sin cuerpo sobre ornitorrincos"),
    "titulo.md": node("titulo", "# Solo un encabezado sobre pelícanos", title="Pelícanos"),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    folder = plant(tmp_path_factory.mktemp("brazos") / "bosque", {**FOREST, **MORE})
    with open_state(open_snapshot(folder)) as state:
        yield state


def ask(state: State, arm: str, text: str) -> Reply:
    return ARMS[arm].open(state)(Asked(text, date(2026, 11, 30)))


@pytest.mark.parametrize(
    ("arm", "text", "answer"),
    [
        ("bm25", "¿Cada cuánto se lee el medidor?", "El medidor se lee cada bimestre."),
        ("bm25", "¿De cuánto es la prima vacacional?", "La prima vacacional será de veinticinco por ciento."),
        ("bm25", "pelícanos", "# Solo un encabezado sobre pelícanos"),
        ("grep", "¿cuesta la ENERGIA electrica?", "La energía eléctrica cuesta más."),
        ("grep", "medidor bimestre kilovatio", "El medidor se lee cada bimestre."),
        ("grep", "¿Qué kilovatio?", "# Tarifas"),
    ],
)
def test_the_answer_is_the_sentence_or_line_that_fits_best(state: State, arm: str, text: str, answer: str) -> None:
    reply = ask(state, arm, text)
    assert reply.text == answer
    assert reply.read == reply.found[:1]
    assert [f"{c.node}#{c.passage}" for c in reply.citations] == list(reply.read)


@pytest.mark.parametrize("arm", ["bm25", "grep"])
@pytest.mark.parametrize("text", ["xilófono", "¿?", "de la", ""])
def test_without_any_word_of_the_question_it_abstains(state: State, arm: str, text: str) -> None:
    reply = ask(state, arm, text)
    assert (reply.abstained, reply.ending, reply.found) == (True, "abstained", ())


def test_bm25_sees_titles_and_bodies_and_no_passports(state: State) -> None:
    assert ask(state, "bm25", "kilovatio").abstained
    assert ask(state, "bm25", "ornitorrincos").abstained
    assert ask(state, "bm25", "Calandria").read[0].startswith("calandria#")


@pytest.mark.parametrize("arm", ["bm25", "grep", "oneshot"])
def test_what_was_found_is_told_once_and_in_order(state: State, arm: str) -> None:
    reply = ask(state, arm, "¿Qué cuota cobra el laboratorio por muestra?")
    assert len(reply.found) > 1
    assert len(set(reply.found)) == len(reply.found) <= 20
    assert set(reply.read) <= set(reply.found)


def test_an_empty_forest_has_no_answer(tmp_path: Path) -> None:
    with open_state(open_snapshot(plant(tmp_path / "nada", {}))) as empty:
        for arm in ("bm25", "grep"):
            assert ask(empty, arm, "¿Cuánto cobra el laboratorio?").abstained


def test_a_warm_arm_feels_what_is_there_and_leaves_nothing(tmp_path: Path) -> None:
    folder = plant(tmp_path / "bosque", FOREST)
    snapshot = open_snapshot(folder)
    with open_state(snapshot) as opened:
        cold = ask(opened, "scout", CHAIN)
        assert ask(opened, "scout-warm", CHAIN) == cold
        assert tips_of(snapshot) == ""
        pupil(opened, Asked(CHAIN, date(2026, 11, 30)), Memory())
        left = tips_of(snapshot)
        assert ask(opened, "scout-warm", CHAIN).text == cold.text
        assert tips_of(snapshot) == left != ""


def test_a_warm_arm_is_asked_only_when_it_is_named_and_a_run_knows_what_was_left(wood: Path, asked: Path) -> None:
    assert "scout-warm" not in arms_given("", with_model=False)
    assert "scout-warm" not in arms_given("", with_model=True)
    before = plan_run(wood, [asked], arms_given("scout-warm", with_model=False), today=date(2026, 11, 30))
    with open_state(open_snapshot(wood)) as opened:
        pupil(opened, Asked(CHAIN, date(2026, 11, 30)), Memory())
    after = plan_run(wood, [asked], ("scout", "scout-warm"), today=date(2026, 11, 30))
    assert after.header.arms["scout"] == {}
    assert before.header.arms["scout-warm"] != after.header.arms["scout-warm"]
