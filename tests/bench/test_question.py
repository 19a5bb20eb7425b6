"""Records of questions are checked to the last field, and their evidence must stand in the forest."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.holding import holds_words, words_of
from bench.question import Answer, Gold, QuestionsWrong, Span, check_against, gold_passages, load_questions
from forest.history import open_snapshot
from forest.state import open_state
from tests.conftest import SMALL, commit, node, plant, write

WAGE: dict[str, Any] = {
    "id": "SAL-1",
    "question": "¿Cuál es el salario mínimo?",
    "category": "single_passage",
    "phrasing": "everyday",
    "split": "dev",
    "chain": "salario",
    "hops": 1,
    "answer": {"type": "money", "value": "315.04 pesos", "traps": ["278.80 pesos"]},
    "gold": [{"node": "dof-salarios", "span": "será de 315.04 pesos diarios"}],
}
TWIN: dict[str, Any] = WAGE | {
    "id": "SAL-2",
    "question": "¿Cuál es el salario mínimo de los buzos?",
    "category": "unanswerable",
    "hops": 0,
    "answer": {"type": "none"},
    "gold": [],
    "twin": "SAL-1",
}
FALSE: dict[str, Any] = WAGE | {
    "id": "VAC-1",
    "question": "¿Por qué las vacaciones son de seis días?",
    "category": "false_premise",
    "chain": "vacaciones",
    "answer": {"type": "none"},
    "premise": "las vacaciones son de seis días",
    "correction": {"type": "text", "value": "doce días laborables"},
    "gold": [{"node": "dof-vacaciones", "span": "será de doce días laborables"}],
}


def lines(*records: dict[str, Any]) -> str:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records) + "\n"


def place(folder: Path, *records: dict[str, Any]) -> Path:
    write(folder, {"q.jsonl": lines(*records)})
    return folder / "q.jsonl"


def problems(folder: Path, *records: dict[str, Any]) -> list[str]:
    with pytest.raises(QuestionsWrong) as caught:
        load_questions([place(folder, *records)])
    return caught.value.message.splitlines()


def test_a_record_becomes_a_value(tmp_path: Path) -> None:
    record = WAGE | {
        "today": "2026-11-30",
        "as_of": None,
        "gold": [WAGE["gold"][0] | {"equivalents": [{"node": "otro", "span": "315.04 pesos"}]}],
    }
    wage, twin, false = load_questions([place(tmp_path, record, TWIN, FALSE)])
    assert wage.answer == Answer("money", "315.04 pesos", traps=("278.80 pesos",))
    assert wage.gold == (Gold("dof-salarios", "será de 315.04 pesos diarios", "", (Span("otro", "315.04 pesos"),)),)
    assert (wage.today, wage.as_of, wage.is_multi_hop, wage.gold_hops) == (date(2026, 11, 30), None, False, 1)
    assert wage.place.endswith("q.jsonl:1")
    assert not twin.is_answerable
    assert false.correction == Answer("text", "doce días laborables")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"color": "azul"}, "color is not a field of the format"),
        ({"category": "riddle"}, "category is 'riddle', not one of single_passage, list,"),
        ({"phrasing": 3}, "phrasing must be text, not 3"),
        ({"hops": "tres"}, 'hops must be a whole number from 0, not "tres"'),
        ({"hops": True}, "hops must be a whole number from 0, not true"),
        ({"hops": 0}, "hops is 0 though there is gold"),
        ({"today": "30-11-2026"}, "today must be a day as YYYY-MM-DD or null"),
        ({"answer": "315.04"}, "answer must be an object"),
        ({"answer": {"type": "money"}}, "answer.value is missing"),
        ({"answer": {"type": "list", "items": []}}, "answer.items are what a list has"),
        ({"answer": {"type": "none", "value": "x"}}, "answer.value is given though"),
        ({"answer": {"type": "none"}}, "answer.type is none: say what is right"),
        ({"answer": {"type": "list", "items": [{"type": "date"}]}}, "answer.items[0].value is missing"),
        ({"gold": []}, "gold is empty"),
        ({"gold": [{"node": "x"}]}, "gold[0].span is missing"),
        ({"gold": [{"node": "x", "span": "y", "passage": "x#1"}]}, "gold[0].passage is not a field of the format"),
        ({"gold": ["x"]}, "gold must be a list of objects"),
        ({"category": "unanswerable"}, "answer.type must be none for unanswerable"),
        ({"category": "false_premise", "answer": {"type": "none"}}, "premise and correction must both be given"),
        ({"premise": "x"}, "premise and correction are only for false_premise"),
        ({"twin": "SAL-2"}, "twin is only for unanswerable questions"),
        ({"strict": "yes"}, 'strict must be true or false, not "yes"'),
        ({"strict": True}, "entity and sister must be given for a strict question"),
        ({"strict": True}, "gold[0].bridge is missing in a strict question"),
        ({"strict": True}, "hops is 1 and gold has 1: a strict question has 3 or more, and as many"),
        ({"strict": True, "gold": [WAGE["gold"][0] | {"bridge": "otra"}]}, "gold[0].bridge does not stand in the span"),
        ({"strict": True, "gold": [WAGE["gold"][0] | {"bridge": "diarios"}]}, "gold[0].bridge must be the answer"),
    ],
)
def test_what_a_record_must_not_say_is_named_with_its_line(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    found = problems(tmp_path, FALSE, WAGE | change)
    assert any(line.startswith(f"{tmp_path / 'q.jsonl'}:2: ") and problem in line for line in found), found


def test_all_problems_of_all_lines_are_told_at_once(tmp_path: Path) -> None:
    broken = {key: value for key, value in WAGE.items() if key not in ("split", "gold")}
    found = problems(tmp_path, broken | {"hops": -1}, WAGE | {"category": "x", "hops": None, "id": "SAL-9"})
    assert [line.partition("jsonl:")[2][:1] for line in found[:-1]] == ["1", "1", "1", "2", "2"]
    assert found[-1] == "5 problems in the questions."


@pytest.mark.parametrize("line", ["{", "[]", "7", '{"id": "a", "id": "b"}', "[" * 100_000])
def test_a_line_that_is_no_record_is_a_problem_and_no_crash(tmp_path: Path, line: str) -> None:
    write(tmp_path, {"q.jsonl": f"{line}\n"})
    with pytest.raises(QuestionsWrong, match=r"q\.jsonl:1"):
        load_questions([tmp_path / "q.jsonl"])


@given(st.dictionaries(st.sampled_from([*WAGE, "twin", "strict", "today"]), st.none() | st.integers() | st.text()))
def test_no_record_makes_the_reader_crash(tmp_path_factory: pytest.TempPathFactory, change: dict[str, Any]) -> None:
    path = place(tmp_path_factory.mktemp("q"), WAGE | change)
    try:
        loaded = load_questions([path])
    except QuestionsWrong as wrong:
        told = wrong.message
    else:
        told = str(path) * all(question.gold for question in loaded)
    assert str(path) in told


def test_ids_are_unique_and_relatives_share_the_split(tmp_path: Path) -> None:
    found = problems(tmp_path, WAGE, WAGE | {"chain": "otra"}, TWIN | {"chain": "tercera", "split": "test"})
    assert "q.jsonl:2: the id SAL-1 is that of" in found[0]
    assert "q.jsonl:3: the twin SAL-1 is in dev, SAL-2 in test" in found[1]
    found = problems(tmp_path, WAGE, FALSE | {"chain": "salario", "split": "test"})
    assert "the chain salario is in dev at" in found[0]


def test_the_twin_of_an_unanswerable_question_can_be_answered(tmp_path: Path) -> None:
    found = problems(tmp_path, WAGE, TWIN, TWIN | {"id": "SAL-3", "twin": "SAL-2"})
    assert "SAL-2 cannot be the twin of SAL-3" in found[0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({}, ""),
        ({"gold": [{"node": "dof-otro", "span": "x"}]}, "there is no node dof-otro"),
        ({"gold": [{"node": "dof-salarios", "span": "será de 999 pesos"}]}, "these words do not stand in dof-salarios"),
        (
            {"gold": [{"node": "dof-salarios", "span": "Montos del salario"}]},
            "these words do not stand in dof-salarios",
        ),
        ({"gold": [{"node": "dof-salarios", "span": "entra en vigor"}]}, "the evidence does not hold the answer"),
        ({"gold": [{"node": "dof-salarios", "span": "entra en vigor"}], "category": "aggregation"}, ""),
        ({"answer": {"type": "money", "value": "15.04 pesos"}}, "the evidence does not hold the answer: 15.04 pesos"),
        ({"answer": {"type": "money", "value": "trescientos quince pesos con cuatro centavos"}}, ""),
        ({"gold": [{"node": "dof-salarios", "span": "será de 315.04\n  pesos   diarios"}]}, ""),
    ],
)
def test_evidence_must_stand_in_the_forest(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    folder = plant(tmp_path / "bosque", SMALL)
    found = check_against(load_questions([place(tmp_path, WAGE | change)]), folder)
    assert problem in "\n".join(found)
    assert bool(found) == bool(problem), found


def test_relatives_that_no_file_holds_are_told_when_compared_with_a_forest(tmp_path: Path) -> None:
    questions = load_questions([place(tmp_path, TWIN)])
    (problem,) = check_against(questions, plant(tmp_path / "bosque", SMALL))
    assert "there is no question SAL-1" in problem


def test_a_correction_must_stand_in_the_evidence(tmp_path: Path) -> None:
    folder = plant(tmp_path / "bosque", SMALL)
    assert check_against(load_questions([place(tmp_path, FALSE)]), folder) == ()
    wrong = FALSE | {"correction": {"type": "text", "value": "ocho días"}}
    assert "does not hold the answer: ocho días" in check_against(load_questions([place(tmp_path, wrong)]), folder)[0]


def test_passages_are_found_by_spans_and_follow_the_text(tmp_path: Path) -> None:
    folder = plant(tmp_path / "bosque", SMALL | {"eco.md": node("eco", "Dicen que será de\n315.04 pesos diarios.")})
    both = WAGE | {"gold": [WAGE["gold"][0] | {"equivalents": [{"node": "eco", "span": "315.04 pesos"}]}]}
    (question,) = load_questions([place(tmp_path, both)])
    with open_state(open_snapshot(folder)) as state:
        assert gold_passages(state, question) == (frozenset({"dof-salarios#1", "eco#1"}),)
    longer = SMALL["trabajo/salarios.md"].replace("# Salarios\n", "# Salarios\n\nPreámbulo.\n\n## Montos\n")
    commit(folder, {"trabajo/salarios.md": longer, "eco.md": node("eco", "Nada.")})
    with open_state(open_snapshot(folder)) as state:
        assert gold_passages(state, question) == (frozenset({"dof-salarios#2"}),)


@given(st.text(), st.text(), st.text())
def test_a_text_holds_its_own_words_and_numbers_are_never_cut(before: str, phrase: str, after: str) -> None:
    assert holds_words(words_of(f"{before} {phrase} {after}"), phrase) or not words_of(phrase).strip() or "," in phrase
    assert not holds_words(words_of("1,315.04"), "315.04")
    assert not holds_words(words_of(before), "¿…?")
