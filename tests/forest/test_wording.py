"""Questions as people type them: slips of one letter, capitals, everyday words, English. Nothing is mended silently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from forest.analyzer import asked_words
from forest.catalog import NodeRow
from forest.english import cognates, in_spanish, leaning
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.question import ask
from forest.retrieval import search_passages
from forest.slips import is_slip, misread, neighbours
from forest.spelling import wording_of
from forest.state import State, open_state
from forest.text import fold
from forest.vocabulary import LANGUAGES, VERSION, entries, said_and_meant, widen
from forest.wording import Wording
from tests.conftest import Forest, node, plant

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def state(sample: Path) -> Iterator[State]:
    with open_state(open_snapshot(sample)) as state:
        yield state


def found(state: State, question: str, limit: int = 20) -> list[str]:
    hits = search_passages(state, ask(state, question, today=TODAY), limit)
    return list(dict.fromkeys(hit.reading.node.id for hit in hits))


# --- slips ---------------------------------------------------------------------------------------------------


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_a_word_is_a_neighbour_of_its_neighbours(word: str) -> None:
    assert all(word in neighbours(other) for other in sorted(neighbours(word))[::37])
    assert word not in neighbours(word)


def test_the_four_slips_are_neighbours() -> None:
    assert {"vacaciones", "vacacines", "vacacioness", "vacacoines"} & neighbours("vacasiones") == {"vacaciones"}
    assert "trabajo" in neighbours("trabjo") & neighbours("trabajoo") & neighbours("trabaoj")


@pytest.mark.parametrize(
    ("typed", "meant", "slip"),
    [
        ("NOM-035-STSP-2018", "NOM-035-STPS-2018", True),
        ("NOM-035-STPS-2018", "NOM-036-STPS-2018", False),
        ("NOM-035-STPS-2018", "NOM-035-STPS-2018", False),
        ("Ley Federal del Trabjo", "Ley Federal del Trabajo", True),
        ("Ley Federal del Trabj", "Ley Federal del Trabajo", False),
        ("artículo 76", "artículo 7", False),
    ],
)
def test_names_are_a_slip_apart_only_with_the_same_numbers(typed: str, meant: str, slip: bool) -> None:
    assert is_slip(fold(typed), fold(meant)) == slip


@pytest.mark.parametrize("word", ["315.04", "15-a", "anexo5", "2026", "nom-035-stps-2018", "8.5", "a1", "covid19"])
def test_a_number_is_never_read_as_letters(word: str) -> None:
    assert misread(word) == frozenset()


def test_a_digit_typed_for_a_letter_is_read_as_one() -> None:
    assert misread("aguinald0") == {"aguinaldo"}
    assert "vacaciones" in misread("vacac1ones")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("vacasiones", "vacaciones"),
        ("VACASIONES", "VACACIONES"),
        ("salario minmo", "salario minimo"),
        ("desalogo de la casa", "desalojo de la casa"),
        ("quein emitio la resolucion", "quien emitio la resolucion"),
        ("articulo 76 de la Ley Federal del Trabjo", "articulo 76 de la Ley Federal del Trabajo"),
        ("Lye Federal del Trabajo", "Ley Federal del Trabajo"),
        ("NOM-035-STSP-2018", "NOM-035-STPS-2018"),
    ],
)
def test_a_slip_is_mended_and_shown(state: State, typed: str, meant: str) -> None:
    wording = wording_of(state, typed)
    assert (wording.asked, wording.text) == (typed, meant)
    assert any("was searched as" in note for note in wording.notes())


@pytest.mark.parametrize(
    "typed",
    [
        "¿Cuántos días de vacaciones corresponden?",
        "SALARIO MINIMO GENERAL 2026",
        "qué norma sustituyó a la NOM-001-SEMARNAT-1996",
        "artículo 77777 de la LFT",
        "315.05 pesos",
        "NOM-935-STPS-2018",
        "¿Qué dice la Ley Federal de Dragones?",
        "",
    ],
)
def test_what_exists_and_what_has_a_number_stays_as_typed(state: State, typed: str) -> None:
    assert wording_of(state, typed) == Wording(typed, typed)


def test_a_slip_in_a_name_finds_the_named_article_and_the_answer_says_so(state: State) -> None:
    answer = hunt(state, "¿Qué dice el artículo 76 de la Ley Federal del Trabado?", today=TODAY)
    assert answer.claims[0].citations[0].node == "lft/art-76@2022-12-27"
    assert answer.wording is not None
    assert [c.meant for c in answer.wording.corrected] == [("Ley Federal del Trabajo",)]
    assert "«Ley Federal del Trabado» was searched as: Ley Federal del Trabajo." in answer.notes


def test_what_a_slip_may_mean_besides_counts_as_the_same(tmp_path: Path) -> None:
    files = {f"{word}.md": node(word, f"Del {word}.") for word in ("cesto", "resto")}
    with open_state(open_snapshot(plant(tmp_path / "bosque", files))) as state:
        query = ask(state, "zesto", today=TODAY)
        assert [c.meant for c in query.wording.corrected] == [("cesto", "resto")]
        assert query.widened == {"cest": ("rest",)}
        assert set(found(state, "zesto")) == {"cesto", "resto"}


def test_a_slip_is_mended_by_what_was_known_on_the_day(tmp_path: Path) -> None:
    files = {
        "a.md": node("a", "Del tabaco.", published="2020-01-01"),
        "b.md": node("b", "Del tabique.", published="2024-01-01"),
    }
    with open_state(open_snapshot(plant(tmp_path / "bosque", files))) as state:
        assert wording_of(state, "tabiqe").text == "tabique"
        assert wording_of(state.on(date(2021, 1, 1)), "tabiqe").text == "tabiqe"


# --- properties over the sample forest's titles --------------------------------------------------------------------


@pytest.fixture(scope="module")
def titled(state: State) -> list[NodeRow]:
    """Nodes whose own title, typed as it is, finds them first."""
    rows = [row for node_id in state.catalog.ids("")[::7] if (row := state.catalog.find(node_id)) is not None]
    return [row for row in rows if found(state, row.title)[:1] == [row.id]]


def test_there_are_titles_to_try(titled: list[NodeRow]) -> None:
    assert len(titled) >= 25


@settings(max_examples=25)
@given(data=st.data())
def test_without_accents_or_in_capitals_a_title_finds_its_node(
    state: State, titled: list[NodeRow], data: st.DataObject
) -> None:
    row = data.draw(st.sampled_from(titled))
    assert row.id in found(state, fold(row.title))[:3]
    assert row.id in found(state, row.title.upper())[:3]


@settings(max_examples=25)
@given(data=st.data())
def test_with_a_slip_in_one_word_a_title_finds_its_node(
    state: State, titled: list[NodeRow], data: st.DataObject
) -> None:
    row = data.draw(st.sampled_from(titled))
    words = [word for word, _ in asked_words(row.title) if word.isalpha() and len(fold(word)) >= 6]
    assume(words)
    word = fold(data.draw(st.sampled_from(words)))
    slip = data.draw(st.sampled_from(sorted(neighbours(word))))
    typed = fold(row.title).replace(word, slip, 1)
    wording = wording_of(state, typed)
    assume(wording.corrected)  # else the slip is itself a word of the forest's texts
    assume(word in wording.corrected[0].meant)  # else it is one letter from a more frequent word as well
    assert row.id in found(state, typed)[:3]


@given(st.text(max_size=60))
@settings(max_examples=60)
def test_any_text_has_a_wording_that_does_not_change_once_mended(state: State, text: str) -> None:
    wording = wording_of(state, text)
    assert re.findall(r"\d+", wording.text) == re.findall(r"\d+", text) or wording.corrected or wording.translated


# --- English -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("What is the minimum wage?", True),
        ("How many days of vacation does the Ley Federal del Trabajo give?", True),
        ("¿Qué es el salario mínimo?", False),
        ("NOM-035-STPS-2018", False),
        ("que es el home office", False),
        ("no me pagan el aguinaldo", False),
    ],
)
def test_english_is_told_by_its_small_words(question: str, english: bool) -> None:
    assert (leaning(question) > 0) == english


@pytest.mark.parametrize(
    ("question", "spanish"),
    [
        ("What does article 76 of the Federal Labor Law say?", "artículo 76 de la Ley Federal del Trabajo"),
        ("in force on January 1, 2026", "vigente en 1 de enero de 2026"),
        ("published on 27 December 2022", "publicó en 27 de diciembre de 2022"),
        ("in May 2025", "en mayo de 2025"),
        ("the workers' overtime", "jornada extraordinaria"),
        ("NOM-035-STPS-2018, numeral 5.2", "NOM-035-STPS-2018, numeral 5.2"),
    ],
)
def test_english_is_put_into_spanish_with_its_names_and_numbers(question: str, spanish: str) -> None:
    assert spanish in in_spanish(question).text


ENGLISH = [
    ("How much is the general minimum wage in 2026?", {"dof-5775533"}),
    ("What is the minimum wage in the northern border zone in 2026?", {"dof-5775533"}),
    ("What does article 76 of the Federal Labor Law say?", {"lft/art-76@2022-12-27"}),
    ("How many days of vacation does a worker get after the first year?", {"lft/art-76", "lft/art-76@2022-12-27"}),
    ("article 78 of the Federal Labor Law", {"lft/art-78@2022-12-27"}),
    ("Who issues the official standard on psychosocial risk factors at work?", {"nom-035-stps-2018"}),
    ("What are the obligations of the employer under NOM-035-STPS-2018?", {"nom-035-stps-2018"}),
    ("When did the decree on vacations of 2022 enter into force?", {"lft/dof-2022-12-27/trans-1"}),
    ("maximum permissible limits for wastewater discharge", {"nom-001-semarnat-2021"}),
    ("NOM-001-SEMARNAT-2021 in English: what is its scope?", {"nom-001-semarnat-2021"}),
    ("regulation on safety and health at work", {"rfsst"}),
    ("What is the value of the UMA in 2026?", {"dof-5778070"}),
    ("herbal remedies conformity assessment", {"nom-984-ssa1-2021/evaluacion"}),
    ("constitutional reform on administrative simplification", {"dof-5755156"}),
    ("Fees for the use of scales at the port", {"tarifa-bascula"}),
    ("What is the consumer price index?", {"inpc", *(f"dof-inpc-{year}-12" for year in range(2018, 2026))}),
    ("Which ministry is in charge of health?", {"salud"}),
    ("What was the minimum wage in 2025?", {"dof-5744537", "salarios-minimos", "dof-salarios-2025"}),
    ("minimun wage", {"dof-5775533", "salarios-minimos"}),
    ("registry of small boats", {"reg-menores"}),
]


@pytest.mark.parametrize(("question", "nodes"), ENGLISH)
def test_a_question_in_english_finds_its_node(state: State, question: str, nodes: set[str]) -> None:
    assert nodes & set(found(state, question)[:3]), found(state, question)[:5]


def test_english_words_without_an_entry_are_said_not_to_be_found(state: State) -> None:
    answer = hunt(state, "What is the minimum wage for a snorkeler?", today=TODAY)
    assert answer.wording is not None
    assert (answer.wording.language, answer.wording.not_found) == ("en", ("snorkeler",))
    assert any("«snorkeler»" in note and "no entry" in note for note in answer.notes)
    assert any("in Spanish" in note for note in answer.notes)


def test_the_command_says_how_a_question_was_searched_and_by_which_vocabulary(small: Path, forest: Forest) -> None:
    told = forest("hunt", "How much is the minimum wage?", "--forest", small, "--json").json["wording"]
    assert (told["language"], told["text"], told["vocabulary"]) == ("en", "cuánto es la salario mínimo?", VERSION)
    assert [entry["said"] for entry in told["translated"]] == ["minimum wage"]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What was the minimum wage on January 15, 2025?", date(2025, 1, 15), date(2025, 1, 16)),
        ("What was the minimum wage in March 2025?", date(2025, 3, 1), date(2025, 4, 1)),
        ("When did the decree of 2022 on vacations enter into force?", TODAY, date(2026, 12, 1)),
    ],
)
def test_a_day_in_english_sets_the_clock_as_one_in_spanish(state: State, question: str, start: date, end: date) -> None:
    clock = ask(state, question, today=TODAY).clock
    assert (clock.start, clock.end) == (start, end)


def test_words_spelled_like_spanish_ones_need_no_entry() -> None:
    assert "simplificacion" in cognates("simplification")
    assert "constitucional" in cognates("constitutional")
    assert cognates("tax") == ()


# --- the vocabulary ----------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_files() -> None:
    assert re.fullmatch(r"es-\d+ en-\d+", VERSION)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_stands_twice_and_each_means_something(language: str) -> None:
    said = said_and_meant(language)  # type: ignore[arg-type]
    phrases = [phrase for phrase, _ in said]
    assert len(phrases) == len(set(phrases))
    assert all(phrase and all(means) for phrase, means in said)
    assert len(entries(language)) >= 800  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "means"),
    [
        ("me corrieron de la chamba", "despido"),
        ("¿Cuánto me toca de FINIQUITO?", "indemnización"),
        ("me toca finiquito", "prima de antigüedad"),
        ("cuánto vale la UMA", "unidad de medida y actualización"),
        ("tiie de hoy", "Tasa de Interés Interbancaria de Equilibrio"),
        ("mis sueldos", "salario"),
    ],
)
def test_everyday_words_are_widened_in_singular_and_plural(question: str, means: str) -> None:
    assert any(means in entry.means for entry in widen(question))


@pytest.mark.parametrize(
    ("question", "articles"),
    [
        ("arts. 76 y 78 LFT", (("lft", "76"), ("lft", "78"))),
        ("arts 76, 78 de la LFT", (("lft", "76"), ("lft", "78"))),
        ("fracc. II del art. 76 LFT", (("lft", "76"),)),
    ],
)
def test_words_of_a_citation_that_is_understood_are_no_slips(
    state: State, question: str, articles: tuple[tuple[str, str], ...]
) -> None:
    query = ask(state, question, today=TODAY)
    assert query.text == question
    assert query.named.articles == articles
