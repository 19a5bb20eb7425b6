"""The index and what is found in it: names first, then words; clocks act inside the search; ties go to the lower id."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.analyzer import question_stems
from forest.history import open_snapshot
from forest.search import Hit, Window, Within
from forest.state import State, open_state
from tests.conftest import node, plant

DAYS = ["1990-01-01", "2010-01-01", "2020-01-01", ""]
FORCE = ["{from: 1990-01-01, to: 2000-01-01}", "{from: 2000-01-01, to: open}", "{to: 2000-01-01}", ""]


def text(number: int) -> str:
    return node(
        f"n{number:02}", "La tortuga anida en la playa.", published=DAYS[number % 4], in_force=FORCE[number // 4]
    )


FILES = {f"n{number:02}.md": text(number) for number in range(16)} | {
    "tema.md": node("tema", "La tortuga como tema.", kind="topic"),
    "consolidada.md": node(
        "consolidada",
        "La tortuga consolidada.",
        published="1990-01-01",
        text_state="consolidated",
        text_as_of="2015-05-05",
    ),
    "ley/art-1.md": node("ley/art-1", "Otra tortuga."),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    folder = plant(tmp_path_factory.mktemp("playa") / "bosque", FILES)
    with open_state(open_snapshot(folder)) as state:
        yield state


def hits(
    state: State, words: str, limit: int = 50, window: Window | None = None, families: tuple[str, ...] = ()
) -> tuple[Hit, ...]:
    return state.index.search([(stem, 1.0) for stem in question_stems(words)], limit, window, Within(families=families))


def ids(state: State, found: tuple[Hit, ...]) -> list[str]:
    rows = state.catalog.by_numbers(hit.node for hit in found)
    return [rows[hit.node].id for hit in found]


def test_equal_texts_come_in_the_order_of_their_ids(state: State) -> None:
    found = [node_id for node_id in ids(state, hits(state, "playa")) if node_id.startswith("n")]
    assert found == [f"n{number:02}" for number in range(16)]


@pytest.mark.parametrize("limit", [0, 1, 5, 16, 50])
def test_fewer_hits_are_the_first_of_more(state: State, limit: int) -> None:
    assert hits(state, "tortuga", limit) == hits(state, "tortuga", 50)[:limit]


def test_no_words_or_unknown_words_find_nothing(state: State) -> None:
    assert state.index.search([], 10) == ()
    assert hits(state, "dinosaurio") == ()


@given(st.dates(date(1980, 1, 1), date(2030, 1, 1)))
@settings(max_examples=30)
def test_nothing_later_than_as_of_is_found_nor_what_does_not_say_when_it_was_published(state: State, day: date) -> None:
    found = set(ids(state, hits(state, "tortuga", window=Window(as_of=day))))
    expected = {f"n{n:02}" for n in range(16) if DAYS[n % 4] and DAYS[n % 4] <= day.isoformat()} | {"tema"}
    assert found == expected | ({"consolidada"} if day >= date(2015, 5, 5) else set())


@given(st.dates(date(1980, 1, 1), date(2030, 1, 1)))
@settings(max_examples=30)
def test_what_is_known_not_to_be_in_force_is_not_found(state: State, day: date) -> None:
    from datetime import timedelta

    window = Window(in_force_from=day, in_force_to=day + timedelta(days=1))
    found = {node_id for node_id in ids(state, hits(state, "playa", window=window)) if node_id.startswith("n")}
    before = day < date(2000, 1, 1)
    holds = [date(1990, 1, 1) <= day and before, not before, before, True]
    # Where no passport says from when a text is in force, it was not before it was published.
    printed = {n for n in range(16) if n < 8 or not DAYS[n % 4] or DAYS[n % 4] <= day.isoformat()}
    assert found == {f"n{n:02}" for n in printed if holds[n // 4]}


def test_a_family_is_a_law_and_its_articles_alone(state: State) -> None:
    assert ids(state, hits(state, "tortuga", families=("ley/art-9",))) == ["ley/art-1"]
    assert ids(state, hits(state, "tortuga", families=("no-hay",))) == []


def test_how_many_passages_have_a_word_is_known(state: State) -> None:
    [playa] = question_stems("playa")
    assert (state.index.frequency(playa), state.index.frequency("dinosauri")) == (16, 0)
    assert state.index.size() == len(FILES)


def test_a_text_is_found_by_its_title_tags_scent_summary_and_by_what_it_lies_under(tmp_path: Path) -> None:
    passport = {"title": "Manglar", "tags": "[costero]", "scent": "lo de los flamencos", "summary": "Lagunas."}
    files = {
        "index.md": node("raiz", "Raíz.", kind="topic"),
        "aguas/index.md": node("aguas", "Índice.", kind="topic", title="Aguas nacionales"),
        "aguas/art.md": node("art", "El permiso dura diez años.", **passport),
    }
    with open_state(open_snapshot(plant(tmp_path / "bosque", files))) as state:
        for words in ("manglar", "costero", "flamencos", "lagunas", "permiso", "aguas nacionales"):
            assert "art" in ids(state, hits(state, words)), words


def test_a_publication_printed_after_a_period_passes_only_where_that_is_asked(tmp_path: Path) -> None:
    files = {
        "indice.md": node("indice", "La tortuga de diciembre.", published="2026-01-09"),
        "rige.md": node(
            "rige",
            "La tortuga que rige.",
            published="2026-01-09",
            in_force='{from: 2026-02-01, to: open, basis: "rige"}',
        ),
        "ley/index.md": node("ley", "# Ley", kind="instrument", published="2026-01-09"),
        "ley/art-1.md": node("ley/art-1", "La tortuga del artículo.", kind="provision"),
    }
    period = {"in_force_from": date(2025, 12, 1), "in_force_to": date(2026, 1, 1)}
    with open_state(open_snapshot(plant(tmp_path / "b", files))) as state:
        assert ids(state, hits(state, "tortuga", window=Window(**period))) == []
        assert ids(state, hits(state, "tortuga", window=Window(**period, with_later_acts=True))) == ["indice"]
