"""Paraphrases ask what another question asks, with its answer and evidence; what they may not do is told by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.paraphrases import load_paraphrases, shared_words
from bench.question import Question, QuestionsWrong, load_questions
from tests.bench.wood import write_questions
from tests.conftest import FIXTURES

WORDS = "¿Cuánto cuesta cada prueba con el laboratorio que cuida lo que vino tras la NOM-901-SEMARNAT-1996?"
RECORD: dict[str, Any] = {"id": "P-CUOTA", "paraphrases": "Q-CUOTA", "question": WORDS}


@pytest.fixture
def originals(tmp_path: Path) -> tuple[Question, ...]:
    return load_questions([write_questions(tmp_path / "preguntas" / "seis.jsonl")])


def load(folder: Path, originals: tuple[Question, ...], *records: dict[str, Any]) -> tuple[Question, ...]:
    file = folder / "otras.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records) + "\n", encoding="utf-8")
    return load_paraphrases([file], originals)


def test_a_paraphrase_has_everything_of_its_original_but_the_words(
    tmp_path: Path, originals: tuple[Question, ...]
) -> None:
    original = next(q for q in originals if q.id == "Q-CUOTA")
    (found,) = load(tmp_path, originals, RECORD)
    assert (found.id, found.question, found.phrasing) == ("P-CUOTA", WORDS, "everyday")
    assert found.paraphrases == "Q-CUOTA"
    assert (found.answer, found.gold, found.hops, found.chain) == (
        original.answer,
        original.gold,
        original.hops,
        original.chain,
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"paraphrases": "Q-NADIE"}, "names no question that is known"),
        ({"question": "¿Cobra 4,750 pesos el laboratorio?"}, "holds the answer"),
        ({"question": ""}, "must be text"),
        ({"hops": 3}, "is not a field of the format"),
        ({"phrasing": "gritada"}, "not one of"),
        ({"id": "Q-ZONAS"}, "is that of"),
        (
            {
                "question": "Quien vigila la norma que sustituyó a la NOM-901-SEMARNAT-1996, "
                "¿qué cuota cobra por muestra?"
            },
            "has all the words of the original",
        ),
    ],
)
def test_what_a_paraphrase_may_not_do_is_told_with_its_line(
    tmp_path: Path, originals: tuple[Question, ...], change: dict[str, Any], problem: str
) -> None:
    with pytest.raises(QuestionsWrong, match=problem) as told:
        load(tmp_path, originals, RECORD, RECORD | {"id": "P-OTRA"} | change)
    assert "otras.jsonl:2: " in str(told.value)


def test_shared_words_are_counted_by_stem() -> None:
    assert shared_words("¿Qué cuotas cobra el laboratorio?", "La cuota del laboratorio") == pytest.approx(2 / 3)
    assert shared_words("", "cuota") == 0.0


def test_every_long_question_of_the_sample_forest_has_a_paraphrase_with_few_of_its_words() -> None:
    questions = load_questions((FIXTURES / "questions").glob("*.jsonl"))
    found = load_paraphrases((FIXTURES / "questions" / "paraphrases").glob("*.jsonl"), questions)
    by_id = {q.id: q for q in questions}
    assert {q.paraphrases for q in found} == {q.id for q in questions if q.hops >= 3 and q.is_answerable}
    shares = [shared_words(by_id[q.paraphrases].question, q.question) for q in found]
    assert sum(shares) / len(shares) < 0.5
