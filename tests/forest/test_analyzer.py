"""What a word is for search: the same with and without accents, identifiers whole, the words of asking dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.analyzer import QUESTION_WORDS, STOP_WORDS, question_stems, stems, words
from forest.text import fold


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("salarios", {"salari"}),
        ("NOM-035-STPS-2018", {"nom-035-stps-2018"}),
        ("3,566.22 y 1,234,567", {"3566.22", "1234567"}),
        ("artículo 15-A", {"articul", "15-a"}),
        ("$1,234.50 y 315.04.", {"1234.50", "315.04"}),
        ("1'500,000.00 y 1’500", {"1500000.00", "1500"}),
        ("numeral 8.5, inciso a)", {"numeral", "8.5", "incis"}),
        ("NOM‑035‑STPS‑2018 y NOM–035-STPS-2018", {"nom-035-stps-2018"}),
        ("de 10–15", {"10", "15"}),
        ("315.04/día, 20 mg/125", {"315.04", "dia", "20", "mg", "125"}),
        ("SAN/012/2023, DOF/2024, 50/100", {"san/012/2023", "dof/2024", "50/100"}),
        ("d'123", {"d", "123"}),
        ("de la los y que", set()),
        ("", set()),
        ("¿¡...!?", set()),
        ("no", {"no"}),
    ],
)
def test_a_text_has_these_tokens(text: str, expected: set[str]) -> None:
    assert set(stems(text)) == expected


@pytest.mark.parametrize(
    ("printed", "typed"),
    [
        ("jubilación", "jubilacion"),
        ("artículo", "articulo"),
        ("días", "dias"),
        ("NÓMINA", "nomina"),
        ("trabajadores", "trabajador"),
        ("vacaciones", "vacación"),
        ("pensión", "pensiones"),
        ("año", "año"),
    ],
)
def test_what_people_type_meets_what_the_gazette_prints(printed: str, typed: str) -> None:
    assert set(question_stems(typed)) <= set(stems(printed))


def test_the_words_of_asking_are_no_subject() -> None:
    assert question_stems("¿Cuánto vale hoy la UMA?") == question_stems("uma")


def test_a_question_has_each_word_once_in_order() -> None:
    asked = question_stems("salario mínimo y otra vez salario mínimo")
    assert len(asked) == len(set(asked))
    assert asked[:2] == question_stems("salario mínimo")


@given(st.text(max_size=120))
def test_every_token_of_a_question_is_one_of_the_same_text_in_the_index(text: str) -> None:
    assert set(question_stems(text)) <= set(stems(text))


@given(st.text(max_size=120))
def test_tokens_hold_no_white_space_so_that_they_survive_being_joined(text: str) -> None:
    tokens = stems(text)
    assert tuple(" ".join(tokens).split()) == tuple(token for token in tokens if token)
    assert all(tokens)


@given(st.text(max_size=120))
def test_capitals_and_accents_change_no_plain_word(text: str) -> None:
    plain = fold(text)
    assert stems(plain.upper()) == stems(plain) or not plain.isascii()


def test_stop_words_are_written_folded() -> None:
    assert all(word == fold(word) for word in STOP_WORDS | QUESTION_WORDS)


def test_a_word_without_end_is_one_token() -> None:
    assert len(stems("á" * 1_000_000)) == 1
    assert list(words("a-b-c")) == ["a", "b", "c"]
