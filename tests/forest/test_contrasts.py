"""Contrasts: the night is not the day, and a text that names both contradicts neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.contrasts import agreeing, contradicts, others


@pytest.mark.parametrize(
    ("question", "text", "contradictory"),
    [
        ("¿Cuánto cuesta de noche?", "El importe diurno es de 17.25 pesos.", True),
        ("¿Cuánto cuesta de noche?", "El importe nocturno es de 19.60 pesos.", False),
        ("¿Cuánto cuesta de noche?", "De día 17.25 y de noche 19.60 pesos.", False),
        ("¿Desde cuándo obliga la tercera etapa?", "| segunda | 1 de marzo |", True),
        ("¿Cuánto cuesta?", "El importe diurno es de 17.25 pesos.", False),
    ],
)
def test_another_of_the_same_set_contradicts(question: str, text: str, contradictory: bool) -> None:
    assert contradicts(question, text) is contradictory


@given(st.text(max_size=60))
def test_no_text_contradicts_itself(text: str) -> None:
    assert not contradicts(text, text)
    assert others(text, text) == ()


def test_the_same_in_other_words_agrees() -> None:
    assert agreeing("¿Cuánto sale de noche?", "en horario nocturno") == {"de noche"}
    assert agreeing("¿Cuánto sale de noche?", "en horario diurno") == frozenset()


def test_others_are_told_only_of_the_same_thing() -> None:
    assert others("la tercera etapa", "La segunda etapa se recorre.") == (("tercera etapa", "segunda etapa"),)
    assert others("la tercera etapa", "La segunda visita se recorre.") == ()
