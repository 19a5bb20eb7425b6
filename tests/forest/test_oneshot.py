"""One-shot answers: made of words that were read, each cited; what is not held is said, what came later is not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.answer import Answer
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.proof import verify
from forest.quoting import split_units
from forest.reading import read_passage
from forest.render import answer_text, to_json
from forest.state import State, open_state
from forest.text import one_line
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)


@pytest.fixture(scope="module")
def state(sample: Path) -> Iterator[State]:
    with open_state(open_snapshot(sample)) as state:
        yield state


def assert_made_of_words_that_were_read(state: State, answer: Answer) -> None:
    for claim in (*answer.claims, *answer.near):
        assert claim.citations
        passages = []
        for cited in claim.citations:
            node = state.catalog.node(cited.node)
            passages.append(one_line(read_passage(state, node, cited.passage).text))
            assert cited.quote in passages[-1]
            assert verify(cited, state.snapshot).origin == "commit"
        for line in claim.text.splitlines():
            assert any(one_line(line) in passage for passage in passages), line


WORDS = (
    "salario mínimo vacaciones días UMA valor 2026 2022 patrón trabajador NOM-035-STPS-2018 artículo 76 78 LFT ley "
    "agua cuánto cuándo quién qué es norma anual zona frontera transitorio publica vigor riesgo psicosocial aguas"
).split()


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join))
@settings(max_examples=80)
def test_every_line_of_an_answer_stands_in_a_passage_that_it_cites(state: State, question: str) -> None:
    assert_made_of_words_that_were_read(state, hunt(state, question, today=TODAY))


WRITTEN = (
    "# Título",
    "## Otro",
    "- punto uno",
    "a) inciso;",
    "I. Fracción primera:",
    "| a | b |",
    "|---|---|",
    "",
    "La tortuga anida en la playa durante la noche y vuelve al mar antes de que amanezca, según\nse ha visto.",
    "La tortuga pone cien huevos. Luego se va.",
    "Párrafo reformado DOF 01-05-2019",
    "    sangrado",
)
ANY_LINE = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)
LINES = st.lists(st.sampled_from(WRITTEN) | ANY_LINE, min_size=1, max_size=12)


@given(st.lists(LINES.map("\n".join), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=15)
def test_so_does_every_line_over_any_text(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[str], line_end: str
) -> None:
    files: dict[str, str | bytes] = {
        f"n{i}.md": node(f"n{i}", f"{body}\nLa tortuga anida.", title="Tortuga").replace("\n", line_end).encode()
        for i, body in enumerate(bodies)
    }
    folder = plant(tmp_path_factory.mktemp("texto") / "bosque", files)
    with open_state(open_snapshot(folder)) as state:
        assert state.catalog.counts()["nodes"] == len(bodies)
        answer = hunt(state, "¿Dónde anida la tortuga?", today=TODAY)
        assert_made_of_words_that_were_read(state, answer)


@given(LINES.map("\n".join))
def test_units_are_in_order_and_apart(text: str) -> None:
    end = 0
    for left, right in split_units(text):
        assert end <= left < right <= len(text)
        end = right


@pytest.mark.parametrize(
    ("question", "words", "source"),
    [
        ("¿Cuáles son los salarios mínimos de 2026?", "315.04", "dof-5775533"),
        ("¿Qué dice el artículo 76 de la LFT?", "doce días laborables", "lft/art-76@2022-12-27"),
        ("¿Qué decía el artículo 76 de la LFT el 1 de mayo de 2019?", "seis días laborables", "lft/art-76@1970-04-01"),
    ],
)
def test_the_sample_forest_answers(state: State, question: str, words: str, source: str) -> None:
    answer = hunt(state, question, today=TODAY)
    assert answer.status == "answered"
    assert words in answer.claims[0].text
    assert answer.claims[0].citations[0].node == source


@pytest.mark.parametrize(
    ("question", "status", "missing"),
    [
        ("artículo 999 de la LFT", "not_held", "lft/art-999"),
        ("¿Qué dice la NOM-999-STPS-2018?", "not_held", "NOM-999-STPS-2018"),
        ("¿Qué dice la Ley Federal de Dragones?", "not_held", "Ley Federal de Dragones"),
        ("¿Dónde viven los dinosaurios?", "not_found", ""),
    ],
)
def test_what_the_forest_does_not_hold_is_said_and_not_replaced(
    state: State, question: str, status: str, missing: str
) -> None:
    answer = hunt(state, question, today=TODAY)
    assert (answer.status, answer.claims) == (status, ())
    assert [gap.what for gap in answer.missing] == ([missing] if missing else [])


@pytest.mark.parametrize("day", ["1965-01-01", "1990-01-01", "2020-01-01", "2022-12-26", "2024-06-01"])
@pytest.mark.parametrize(
    "question",
    [
        "artículo 76 de la LFT",
        "artículos 76 y 78 de la LFT en 2024",
        "artículo 7 de la LFT",
        "¿Cuántos días de vacaciones corresponden?",
        "salarios mínimos de 2026",
        "valor de la UMA",
        "NOM-035-STPS-2018",
        "NOM-001-SEMARNAT-2022",
        "Ley Federal de Dragones",
    ],
)
def test_an_answer_as_of_a_day_shows_nothing_that_was_published_later(state: State, question: str, day: str) -> None:
    as_of = date.fromisoformat(day)
    answer = hunt(state, question, today=TODAY, as_of=as_of)
    shown = to_json([answer.claims, answer.near, answer.nearest, [gap.nearest for gap in answer.missing], answer.notes])
    numbers = range(state.catalog.counts()["nodes"])
    for row in state.catalog.by_numbers(numbers).values():
        if row.known_on is not None and row.known_on > as_of:
            assert f'"{row.id}"' not in shown, row.id
            assert "@" not in row.id or row.id not in shown, row.id


@pytest.mark.parametrize(
    ("in_force_on", "text"), [("2019-05-01", "seis días"), ("2022-12-31", "seis días"), ("2023-01-01", "doce días")]
)
def test_the_day_in_force_chooses_the_text(state: State, in_force_on: str, text: str) -> None:
    answer = hunt(state, "artículo 76 de la LFT", today=TODAY, in_force_on=date.fromisoformat(in_force_on))
    assert text in answer.claims[0].text
    assert answer.clock.source == "option"


def test_before_any_text_was_in_force_none_is_given(state: State) -> None:
    answer = hunt(state, "artículo 76 de la LFT", today=TODAY, in_force_on=date(1950, 1, 1))
    assert "no text of it was in force on 1950-01-01" in [gap.why for gap in answer.missing]


@pytest.mark.parametrize("question", ["salarios mínimos de 2026", "artículo 76 de la LFT", "dinosaurios", "ley"])
def test_the_same_question_gets_the_same_answer(state: State, question: str) -> None:
    first = hunt(state, question, today=TODAY)
    assert hunt(state, question, today=TODAY) == first
    assert answer_text(first) == answer_text(hunt(state, question, today=TODAY))


@pytest.mark.parametrize(
    ("question", "related"),
    [
        ("¿Qué norma sustituyó a la NOM-001-SEMARNAT-1996?", "superseded by nom-001-semarnat-2021"),
        ("¿Quién emitió la NOM-035-STPS-2018?", "issued by stps"),
        ("¿Qué decreto reformó el artículo 76 de la LFT?", "amended by lft/dof-2022-12-27"),
        ("¿Qué dice la NOM-035-STPS-2018?", ""),
    ],
)
def test_an_edge_that_the_question_asks_for_is_told(sample: Path, question: str, related: str) -> None:
    with open_state(open_snapshot(sample)) as state:
        notes = " ".join(hunt(state, question, today=date(2026, 3, 1)).notes)
    assert related in notes
    assert bool(related) == ("forest show" in notes)
