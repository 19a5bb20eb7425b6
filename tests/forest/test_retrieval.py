"""Finding passages: what the question names comes first, each hit with its reasons, and nothing outside its clock."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from forest.history import open_snapshot
from forest.question import read_question
from forest.ranking import Found
from forest.retrieval import search_passages
from forest.state import State, open_state
from forest.validity import clock_for
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)


@pytest.fixture(scope="module")
def state(sample: Path) -> Iterator[State]:
    with open_state(open_snapshot(sample)) as state:
        yield state


def found(state: State, question: str, limit: int = 50, **options: date | None) -> tuple[Found, ...]:
    days = {"as_of": None, "in_force_on": None, **options}
    clock = clock_for(question, today=TODAY, **days)
    return search_passages(state, read_question(state, question, clock), limit)


def ids(hits: tuple[Found, ...]) -> list[str]:
    return list(dict.fromkeys(hit.reading.node.id for hit in hits))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("artículo 76 de la LFT", "lft/art-76@2022-12-27"),
        ("artículo 76 de la Ley Federal del Trabajo", "lft/art-76@2022-12-27"),
        ("ARTICULO 78 DE LA LFT", "lft/art-78@2022-12-27"),
        ("NOM-035-STPS-2018", "nom-035-stps-2018"),
        ("¿Qué obligaciones tiene el patrón según la NOM-035-STPS-2018?", "nom-035-stps-2018"),
    ],
)
def test_what_the_question_names_is_first_whatever_else_scores(state: State, question: str, first: str) -> None:
    hits = found(state, question)
    assert hits[0].reading.node.id == first
    assert hits[0].tier == 0


@pytest.mark.parametrize(
    ("day", "text"), [(date(2019, 5, 1), "lft/art-76@1970-04-01"), (date(2024, 5, 1), "lft/art-76@2022-12-27")]
)
def test_of_a_named_article_the_text_in_force_that_day_is_found(state: State, day: date, text: str) -> None:
    assert ids(found(state, "artículo 76 de la LFT", in_force_on=day))[0] == text


@pytest.mark.parametrize("day", ["1960-01-01", "1990-01-01", "2020-01-01", "2023-06-01", "2026-01-01"])
@pytest.mark.parametrize(
    "question", ["artículo 76 de la LFT", "vacaciones", "salarios mínimos", "UMA", "NOM-035-STPS-2018"]
)
def test_nothing_published_or_consolidated_later_than_as_of_is_found(state: State, question: str, day: str) -> None:
    for hit in found(state, question, as_of=date.fromisoformat(day)):
        known = hit.reading.node.known_on
        assert known is None or known <= date.fromisoformat(day), hit.reading.node.id


@pytest.mark.parametrize("question", ["vacaciones", "salarios mínimos de 2026", "artículo 76 de la LFT", "días"])
def test_hits_are_in_order_each_once_and_fewer_are_the_first_of_more(state: State, question: str) -> None:
    hits = found(state, question)
    assert [hit.tier for hit in hits] == sorted(hit.tier for hit in hits)
    assert len({hit.reading.passage.id for hit in hits}) == len(hits)
    for one, two in pairwise(hits):
        if one.tier == two.tier != 0:
            ones = (-one.score, one.reading.node.num, one.reading.passage.ordinal)
            assert ones <= (-two.score, two.reading.node.num, two.reading.passage.ordinal)
    assert found(state, question, 3) == hits[:3]
    assert found(state, question) == hits


@pytest.mark.parametrize("question", ["vacaciones por antigüedad", "salarios mínimos de 2026", "valor de la UMA"])
def test_the_reasons_make_the_score_and_coverage_is_a_share(state: State, question: str) -> None:
    for hit in found(state, question):
        assert math.isclose(hit.score, math.prod(amount for _, amount in hit.why))
        assert 0 <= hit.coverage <= 1


def test_equal_texts_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    files = {f"{name}.md": node(name, "La tortuga anida.", title="Igual") for name in ("c", "a", "b", "d")}
    with open_state(open_snapshot(plant(tmp_path / "bosque", files))) as state:
        assert ids(found(state, "¿Dónde anida la tortuga?")) == ["a", "b", "c", "d"]


def test_a_node_without_a_body_is_found_by_its_passport(tmp_path: Path) -> None:
    folder = plant(tmp_path / "bosque", {"vacio.md": node("vacio", "", title="Reglas de la pesca con caña")})
    with open_state(open_snapshot(folder)) as state:
        clock = clock_for("pesca con caña", as_of=None, in_force_on=None, today=TODAY)
        hits = search_passages(state, read_question(state, "pesca con caña", clock), 5)
    assert [hit.reading.node.id for hit in hits] == ["vacio"]
    assert hits[0].reading.text == ""


def test_of_equal_publications_the_one_of_the_day_named_comes_first(tmp_path: Path) -> None:
    files = {
        f"tipo-{day}.md": node(f"tipo-{day}", "El tipo de cambio del nácar.", published=f"2024-04-{day}")
        for day in ("02", "12", "25")
    }
    with open_state(open_snapshot(plant(tmp_path / "b", files))) as state:
        first = found(state, "tipo de cambio del nácar del 11 de abril de 2024")[0]
        assert first.reading.node.id == "tipo-12"
        assert ("day named", 1.5) in first.why
        plain = found(state, "tipo de cambio del nácar")[0]
        assert plain.reading.node.id == "tipo-02"
        assert "day named" not in dict(plain.why)
