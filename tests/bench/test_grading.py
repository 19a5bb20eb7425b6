"""Grading: which answers are right, by value and by what their sentences do with the value."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.audit import ANSWERS, METHODS, load_labelled, main, table
from bench.grading import Said, grade
from bench.question import Answer

WAGE = "¿Cuál es el salario mínimo general diario de 2026?"
MONEY = Answer("money", "315.04 pesos", traps=("278.80 pesos", "440.87 pesos"))
HOLIDAYS = "¿Cuántos días de vacaciones tocan por el primer año?"
DAYS = Answer("quantity", "12 días", accept=("12 días laborables",), traps=("6 días",))


def is_right(answer: Answer, text: str, *values: str, question: str = "") -> bool:
    return grade(answer, Said(values, text), question).correct


@pytest.mark.parametrize(
    "value",
    ["315.04 pesos", "$315.04", "$ 315.04 M.N.", "trescientos quince pesos 04/100 M.N.", "315.04", "MXN 315.04"],
)
def test_a_short_value_is_right_in_any_writing(value: str) -> None:
    assert is_right(MONEY, "", value, question=WAGE)
    assert is_right(MONEY, f"El monto es de {value} diarios.", question=WAGE)


@pytest.mark.parametrize(
    "value", ["1,315.04 pesos", "315.04 dólares", "315.40 pesos", "315 pesos", "cerca de 315.04 pesos", "15.04 pesos"]
)
def test_near_figures_are_wrong(value: str) -> None:
    assert not is_right(MONEY, "", value, question=WAGE)
    assert not is_right(MONEY, f"El monto es de {value} diarios.", question=WAGE)


AMOUNTS = st.integers(1, 10**9).map(lambda n: Decimal(n) / 100)


@given(AMOUNTS, AMOUNTS)
def test_only_the_same_amount_is_right(expected: Decimal, said: Decimal) -> None:
    answer = Answer("money", f"{expected} pesos")
    assert is_right(answer, "", f"${said:,.2f}") == (expected == said)


@given(st.lists(AMOUNTS, min_size=2, max_size=5, unique=True), st.data())
def test_several_amounts_are_never_an_answer(amounts: list[Decimal], data: st.DataObject) -> None:
    answer = Answer("money", f"{data.draw(st.sampled_from(amounts))} pesos")
    values = tuple(f"{amount} pesos" for amount in amounts)
    assert not is_right(answer, "", *values)
    assert not is_right(answer, f"Serán {' o '.join(values)}.")


def test_a_trap_is_reported_as_the_record_writes_it() -> None:
    found = grade(MONEY, Said(("$278.80",), "Rige el monto de $278.80."), WAGE)
    assert (found.correct, found.share, found.trapped) == (False, 0.0, ("278.80 pesos",))


def test_the_right_value_beside_a_trap_is_no_answer() -> None:
    assert not is_right(MONEY, "315.04 pesos o 278.80 pesos", "315.04 pesos", "278.80 pesos")


def test_a_short_value_may_pick_one_of_several_in_the_sentence() -> None:
    text = "En la zona general son 315.04 pesos y en la frontera 440.87 pesos."
    assert is_right(MONEY, text, "315.04 pesos", question=WAGE)
    assert not is_right(MONEY, text, "440.87 pesos", question=WAGE)
    assert not is_right(MONEY, text, question=WAGE)


def test_the_same_figures_with_two_units_are_no_answer() -> None:
    fine = Answer("quantity", "200 UMA")
    assert not is_right(fine, "", "200 UMA", "200 pesos")
    assert not is_right(fine, "Son 200 UMA o 200 pesos.")
    assert not is_right(DAYS, "Son 12 días o 12 meses.")
    assert is_right(DAYS, "Cumplido un año de servicios tocan 12 días.", question=HOLIDAYS)


def test_the_year_of_the_right_day_does_not_compete_with_it() -> None:
    answer = Answer("date", "1 de enero de 2026")
    assert is_right(answer, "En 2026, desde el 1 de enero de 2026.")
    assert not is_right(answer, "En 2025, desde el 1 de enero de 2026.")


def test_a_cited_article_does_not_compete_with_the_code_of_a_norm() -> None:
    answer = Answer("identifier", "NOM-035-STPS-2018")
    assert is_right(answer, "Conforme al artículo 5, fracción II, aplica la NOM-035-STPS-2018.")
    assert not is_right(answer, "Aplican la NOM-036-1-STPS-2018 y la NOM-035-STPS-2018.")


def test_facts_of_another_kind_do_not_compete() -> None:
    assert is_right(MONEY, "", "315.04 pesos", "1 de enero de 2026", "NOM-035-STPS-2018", question=WAGE)


@pytest.mark.parametrize(
    "text",
    [
        "No son doce días.",
        "Ya no son 12 días, son 6 días.",
        "Corresponden 6 días en lugar de 12 días.",
        "No se otorgan 12 días.",
        "12 días no, como se cree.",
        "Antes eran 12 días.",
        "Donde dice 12 días, debe decir 6 días.",
        "Entre 6 y 12 días.",
        "De 6 a 12 días.",
        "Alrededor de 12 días.",
    ],
)
def test_a_value_that_is_taken_back_is_not_claimed(text: str) -> None:
    assert not is_right(DAYS, text, question=HOLIDAYS)


@pytest.mark.parametrize("text", ["No son 12 días.", "Antes eran 12 días; ahora son 14.", "Aproximadamente 12 días."])
def test_what_a_sentence_takes_back_a_short_value_does_not_save(text: str) -> None:
    assert not is_right(DAYS, text, "12 días", question=HOLIDAYS)


@pytest.mark.parametrize(
    "text",
    [
        "No son 6 días, sino 12 días.",
        "Antes eran 6 días; ahora son 12 días.",
        "Donde dice 6 días, debe decir 12 días.",
        "Donde el plazo era de 6 días será de 12 días.",
        "Corresponden 12 días en lugar de los 6 días de antes.",
        "No menos de doce días laborables.",
        "No podrá ser en ningún caso inferior a doce días.",
        "Al menos 12 días.",
        "No baja de 12 días.",
        "No solo 12 días.",
        "Si no los ha gozado, 12 días.",
    ],
)
def test_what_is_denied_beside_it_does_not_harm_the_right_value(text: str) -> None:
    assert is_right(DAYS, text, question=HOLIDAYS)


def test_a_past_value_is_right_when_the_past_is_asked_for() -> None:
    answer = Answer("quantity", "6 días")
    assert is_right(answer, "Antes eran 6 días.", question="¿Cuántos días eran antes de la reforma?")
    assert not is_right(answer, "Antes eran 6 días.", question="¿Cuántos días son?")


def test_a_bound_answers_the_question_for_that_bound_only() -> None:
    assert is_right(DAYS, "Al menos 12 días.", question="¿Cuántos días tocan como mínimo?")
    assert not is_right(DAYS, "Al menos 12 días.", question="¿Cuál es el máximo de días?")
    assert is_right(DAYS, "Hasta 12 días.", question="¿Cuál es el máximo de días?")
    assert not is_right(DAYS, "Hasta 12 días.", question="¿Cuántos días tocan como mínimo?")
    assert is_right(MONEY, "Al menos 315.04 pesos.", question=WAGE)


def test_a_bare_number_needs_a_question_that_names_the_unit() -> None:
    assert is_right(DAYS, "", "12", question=HOLIDAYS)
    assert not is_right(DAYS, "", "12", question="¿De cuánto es el plazo?")
    assert is_right(Answer("percentage", "13 %"), "", "13", question="¿En qué porcentaje subió?")
    assert not is_right(Answer("percentage", "13 %"), "", "13", question="¿Cuánto subió?")
    assert is_right(Answer("number", "500"), "", "quinientos diputados", question="¿Cuántos son?")


def test_values_of_the_question_are_no_answer_and_do_no_harm() -> None:
    question = "¿Qué norma sustituyó a la NOM-001-SEMARNAT-1996?"
    answer = Answer("identifier", "NOM-001-SEMARNAT-2021")
    text = "La NOM-001-SEMARNAT-2021 sustituyó a la NOM-001-SEMARNAT-1996."
    assert is_right(answer, text, question=question)
    assert not is_right(answer, text)
    assert not is_right(answer, "La NOM-001-SEMARNAT-1996.", question=question)


def test_an_article_needs_its_law_unless_the_question_names_it() -> None:
    answer = Answer("identifier", "artículo 76 de la LFT")
    assert is_right(answer, "", "art. 76", question="¿Qué artículo de la LFT lo regula?")
    assert not is_right(answer, "", "art. 76", question="¿Qué artículo lo regula?")
    assert not is_right(answer, "", "artículo 176 de la LFT", question="¿Qué artículo de la LFT lo regula?")


NAME = Answer("name", "Secretaría de Economía", accept=("SE",), traps=("SECOFI",))


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("la Secretaría de Economía", True),
        ("SECRETARIA DE ECONOMIA", True),
        ("Secretaría de Economía (SE)", True),
        ("Secretaría de Economía Digital", False),
        ("Subsecretaría de Economía", False),
        ("SECOFI", False),
    ],
)
def test_a_name_is_right_as_whole_words_and_alone(value: str, right: bool) -> None:
    assert is_right(NAME, "", value) == right
    assert is_right(NAME, f"Hoy lo emite {value}.") == right


def test_a_name_among_others_is_no_answer() -> None:
    assert not is_right(NAME, "", "Secretaría de Economía", "Secretaría de Salud")
    assert is_right(NAME, "", "Secretaría de Economía", "1 de enero de 2026")
    assert not is_right(NAME, "La SECOFI o la Secretaría de Economía.")
    assert not is_right(NAME, "No la emite la Secretaría de Economía.")


def test_words_are_right_in_any_accepted_form() -> None:
    answer = Answer("text", "de manera continua", accept=("en forma continua",), traps=("de manera discontinua",))
    assert is_right(answer, "Se disfrutan EN FORMA CONTINUA.")
    assert not is_right(answer, "Se disfrutan de manera discontinua.")
    assert not is_right(answer, "No se disfrutan de manera continua.")


LIST = Answer(
    "list",
    items=(Answer("money", "248.93 pesos"), Answer("money", "278.80 pesos"), Answer("money", "315.04 pesos")),
    traps=("440.87 pesos",),
)


@pytest.mark.parametrize(
    ("values", "correct", "share"),
    [
        (("$248.93", "$278.80", "$315.04"), True, 1.0),
        (("$315.04", "$248.93", "$278.80"), True, 1.0),
        (("$248.93", "$278.80"), False, 2 / 3),
        (("$248.93", "$278.80", "$315.04", "$440.87"), False, 1.0),
        (("$248.93", "$278.80", "$315.04", "$207.44"), False, 1.0),
        (("$1,248.93",), False, 0.0),
    ],
)
def test_a_list_is_right_when_it_has_all_items_and_nothing_else(
    values: tuple[str, ...], correct: bool, share: float
) -> None:
    found = grade(LIST, Said(values, ""))
    assert (found.correct, found.share) == (correct, pytest.approx(share))
    found = grade(LIST, Said((), f"Fueron {', '.join(values)}."))
    assert (found.correct, found.share) == (correct, pytest.approx(share))


def test_an_open_list_needs_one_item() -> None:
    items = (Answer("name", "INEGI"), Answer("name", "CONASAMI"))
    assert is_right(Answer("list", items=items, complete=False), "Por ejemplo el INEGI.")
    assert not is_right(Answer("list", items=items), "Por ejemplo el INEGI.")


def test_abstaining_is_right_only_where_nothing_is() -> None:
    none = Answer("none")
    assert grade(none, Said(abstained=True)).correct
    assert grade(none, Said()).correct
    assert not grade(none, Said(("12 días",), "Son 12 días.")).correct
    assert not grade(DAYS, Said(abstained=True)).correct
    assert not grade(LIST, Said(abstained=True)).correct


@given(
    st.sampled_from([MONEY, DAYS, NAME, LIST, Answer("none")]), st.lists(st.text(max_size=30), max_size=3), st.text()
)
def test_any_answer_can_be_graded(answer: Answer, values: list[str], text: str) -> None:
    found = grade(answer, Said(tuple(values), text), text)
    assert 0 <= found.share <= 1
    assert not (found.correct and found.trapped)


def test_the_audit_has_sixty_labelled_answers_of_which_twenty_were_held_back() -> None:
    answers = load_labelled(ANSWERS)
    assert len({answer.id for answer in answers}) == 60
    assert sum(answer.held for answer in answers) == 20
    assert {answer.label for answer in answers} == {"right", "wrong", "partly"}


def test_the_grader_agrees_with_the_labels_far_more_than_substrings_do() -> None:
    answers = load_labelled(ANSWERS)
    by_value, by_substring = (sum(m(a) == a.label for a in answers) for m in METHODS.values())
    assert by_value >= 55
    assert by_substring <= by_value - 20


def test_the_audit_prints_what_it_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["open"]) == 0
    printed = capsys.readouterr().out
    assert printed.strip() == table([a for a in load_labelled(ANSWERS) if not a.held])
    assert "of 40 agree" in printed
    assert main(["everything"]) == 2
