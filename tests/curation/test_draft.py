"""What passports say of a text: its own words, without what says nothing."""

import pytest

from curation.draft import is_repealed, rules, scent_of, sentence_case, summarise
from curation.law import Division
from curation.nodes import division_label


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "Por la visita se pagarán derechos conforme a la cuota de ...................... $12.50",
            "Por la visita se pagarán derechos conforme a la cuota de $12.50",
        ),
        (
            "De conformidad con lo dispuesto en el artículo 3o., fracción II, los regantes deberán turnarse.",
            "Los regantes deberán turnarse.",
        ),
        ("Para los efectos de esta Ley, se entiende por: I. Prado: el terreno regado.", None),
        ("[Los regantes deberán turnarse.]", "Los regantes deberán turnarse."),
        (
            "| Clave | Monto |\n|---|---|\n| 1 | 5 pesos |",
            "Clave Monto 1 5 pesos",
        ),
    ],
)
def test_a_summary_begins_with_what_is_ruled(text: str, summary: str | None) -> None:
    said = summarise(text)
    assert said == summary or (summary is None and not said.startswith("Para los efectos"))


@pytest.mark.parametrize(
    ("text", "repealed"),
    [
        ("(Se deroga).", True),
        ("Se deroga.\n\nArtículo derogado DOF 13-01-1986", True),
        ("Artículo derogado DOF 13-01-1986", True),
        ("(Se deroga). Nota: El Decreto de 1970 suprimió el título entero, que trataba de los prados de riego.", True),
        ("…………", False),
        ("", False),
        ("Se deroga la Ley de Prados.", False),
    ],
)
def test_only_a_text_that_says_so_is_repealed(text: str, repealed: bool) -> None:
    assert is_repealed(text) == repealed


def test_dots_that_stand_for_omitted_text_say_nothing() -> None:
    assert rules("Se reforma el artículo 2.\n\n……….\n\n. . . .") == ("Se reforma el artículo 2.",)
    assert scent_of("Se reforma el artículo 2 del riego: ……….", {}) == "Se reforma el artículo 2 del riego"


@pytest.mark.parametrize(
    ("label", "spoken"),
    [
        ("TITULO SEGUNDO", "Título segundo"),
        ("CAPITULO UNICO", "Capítulo único"),
        ("CAPITULO III-BIS", "Capítulo III-bis"),
        ("Sección Decima", "Sección Décima"),
    ],
)
def test_labels_in_capitals_are_told_in_ordinary_letters(label: str, spoken: str) -> None:
    assert division_label(Division("", "", label)) == spoken


def test_a_phrase_that_is_not_in_capitals_is_left() -> None:
    assert sentence_case("De los Prados") == "De los Prados"
