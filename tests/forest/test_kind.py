"""The kind of answer that a question asks for, and which words carry one."""

from __future__ import annotations

import pytest

from forest.kind import carries, kind_asked


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("¿Cuántos días de vacaciones corresponden?", "amount"),
        ("cuanto es el salario minimo", "amount"),
        ("¿Cuál es el monto de la multa?", "amount"),
        ("¿Qué plazo hay para impugnar?", "amount"),
        ("¿Cuándo entró en vigor?", "date"),
        ("¿Desde qué fecha aplica?", "date"),
        ("¿A partir de qué día cuenta?", "date"),
        ("¿Quién preside la comisión?", "any"),
        ("How many days of vacation are there?", "amount"),
        ("How much is the minimum wage?", "amount"),
        ("What is the minimum wage?", "amount"),
        ("When did it enter into force?", "date"),
        ("What is a trade union?", "definition"),
        ("What does 'trade union' mean?", "any"),
        ("What does trade union mean?", "definition"),
        ("Who issues the standard?", "any"),
        ("", "any"),
    ],
)
def test_a_question_asks_for(question: str, kind: str) -> None:
    assert kind_asked(question) == kind


@pytest.mark.parametrize(
    "text",
    [
        "315.04 pesos diarios",
        "doce días laborables",
        "el 16 por ciento",
        "16%",
        "$ 500",
        "$3,566.22",
        "dos terceras partes",
    ],
)
def test_an_amount_is_carried_by(text: str) -> None:
    assert carries("amount", text)


@pytest.mark.parametrize("text", ["el 1 de enero de 2026", "2026-01-01", "al día siguiente de su publicación"])
def test_a_date_is_carried_by(text: str) -> None:
    assert carries("date", text)


@pytest.mark.parametrize("kind", ["amount", "date"])
def test_neither_is_carried_by_plain_words(kind: str) -> None:
    assert not carries(kind, "La autoridad resolverá lo conducente.")  # type: ignore[arg-type]


def test_every_text_carries_any() -> None:
    assert carries("any", "")
