"""Which text holds when: the clock of a question, and the version of a work in force in a period."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.errors import NodeNotFound, WrongUsage
from forest.history import open_snapshot
from forest.state import State, open_state
from forest.validity import clock_for, read_day, version_in_force
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)
DAYS = st.dates(date(1900, 1, 1), date(2099, 12, 31))


def period(question: str) -> tuple[str, str, str]:
    clock = clock_for(question, as_of=None, in_force_on=None, today=TODAY)
    return clock.start.isoformat(), clock.end.isoformat(), clock.source


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("¿Qué regía el 1 de mayo de 2019?", "2019-05-01", "2019-05-02"),
        ("¿qué regía el 1o. de mayo del 2019?", "2019-05-01", "2019-05-02"),
        ("¿Qué regía el 31 de diciembre de 2022?", "2022-12-31", "2023-01-01"),
        ("¿Qué regía al 2022-12-27?", "2022-12-27", "2022-12-28"),
        ("salarios de enero de 2024", "2024-01-01", "2024-02-01"),
        ("salarios de diciembre de 2024", "2024-12-01", "2025-01-01"),
        ("salarios mínimos de 2026", "2026-01-01", "2027-01-01"),
        ("¿Qué regía en 1917?", "1917-01-01", "1918-01-01"),
        ("la ley de 2019 como regía en 2021", "2021-01-01", "2022-01-01"),
    ],
)
def test_a_date_in_the_question_is_the_period_asked_for(question: str, start: str, end: str) -> None:
    assert period(question) == (start, end, "question")


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuánto es el salario mínimo?",
        "¿Qué dice la NOM-035-STPS-2018?",
        "el decreto del 27 de diciembre de 2022",
        "la resolución publicada en el DOF el 9 de diciembre de 2025",
        "la ley de 2019",
        "una multa de 2000 pesos, o de $2000, o de $ 2010, y 2,019.50 más",
        "el artículo 2019-A",
        "lo publicado en diciembre de 2022",
        "el decreto publicado el 27 de diciembre de 2022 en el DOF",
        "en el año 9999",
        "en diciembre de 9999",
        "en enero de 0000",
        "el 2026-13-45",
        "el 30 de febrero de 2024",
    ],
)
def test_a_figure_that_is_no_date_or_names_a_document_says_nothing_of_the_period(question: str) -> None:
    assert period(question) == ("2026-03-01", "2026-03-02", "today")


def test_the_option_beats_the_question_and_the_question_beats_today() -> None:
    question = "salarios de 2024"
    option = clock_for(question, as_of=None, in_force_on=date(2020, 5, 1), today=TODAY)
    assert (option.start, option.source) == (date(2020, 5, 1), "option")
    assert period(question)[2] == "question"


def test_words_that_say_the_day_of_the_option_only_set_the_clock() -> None:
    question = "salarios el 31 de enero de 2022"
    said = clock_for(question, as_of=None, in_force_on=date(2022, 1, 31), today=TODAY)
    assert question[slice(*said.span)] == "31 de enero de 2022"
    other = clock_for(question, as_of=None, in_force_on=date(2022, 2, 1), today=TODAY)
    assert (other.start, other.source, other.span) == (date(2022, 2, 1), "option", (0, 0))
    of_the_year = clock_for("salarios de 2022", as_of=None, in_force_on=date(2022, 2, 1), today=TODAY)
    assert (of_the_year.end, of_the_year.span[1] > 0) == (date(2022, 2, 2), True)


@given(DAYS, DAYS)
def test_without_a_date_nothing_later_than_as_of_is_asked_for(as_of: date, today: date) -> None:
    clock = clock_for("salarios", as_of=as_of, in_force_on=None, today=today)
    assert clock.start == min(as_of, today)
    assert clock.end == clock.start + timedelta(days=1)


@given(st.dates(), st.dates())
def test_any_day_of_the_calendar_can_be_asked_for(day: date, today: date) -> None:
    clock = clock_for(f"el {day.isoformat()}", as_of=None, in_force_on=None, today=today)
    assert clock.start < clock.end
    assert clock_for("x", as_of=None, in_force_on=day, today=today).start <= day
    assert clock.words


@given(DAYS)
def test_a_day_is_read_as_it_is_written(day: date) -> None:
    assert read_day(day.isoformat(), "--as-of") == day


@pytest.mark.parametrize("text", ["", "2026-13-01", "2026-02-29", "2026-1-1", "20260101", " 2026-01-01", "2026-W01-1"])
def test_what_is_no_day_is_wrong_usage(text: str) -> None:
    with pytest.raises(WrongUsage, match="--as-of"):
        read_day(text, "--as-of")


def versions(*periods: str) -> dict[str, str]:
    """A work `ley` and a version for each period: `2000-01-01..2010-01-01`, `..2010-01-01`, `2010-01-01..open`."""
    files = {"index.md": node("ley", kind="instrument")}
    for number, text in enumerate(periods):
        start, _, end = text.partition("..")
        said = ", ".join(f"{key}: {day}" for key, day in (("from", start), ("to", end)) if day)
        files[f"v{number}.md"] = node(f"ley@200{number}-01-01", kind="instrument", in_force=said and f"{{{said}}}")
    return files


def verdict(state: State, work: str, start: date, end: date) -> tuple[str, list[str]]:
    found = version_in_force(state.catalog, work, start, end)
    return found.status, [text.id for text in found.versions]


@pytest.mark.parametrize(
    ("periods", "start", "end", "status", "which"),
    [
        (["2000-01-01..2010-01-01", "2010-01-01..open"], "2005-06-01", "2005-06-02", "one", [0]),
        (["2000-01-01..2010-01-01", "2010-01-01..open"], "2009-12-31", "2010-01-01", "one", [0]),
        (["2000-01-01..2010-01-01", "2010-01-01..open"], "2010-01-01", "2010-01-02", "one", [1]),
        (["2000-01-01..2010-01-01", "2010-01-01..open"], "2090-01-01", "2090-01-02", "one", [1]),
        (["2000-01-01..2010-01-01", "2010-01-01..open"], "1999-12-31", "2000-01-01", "none", []),
        (["2000-01-01..2010-01-01", "2010-01-01..open"], "2009-01-01", "2011-01-01", "several", [0, 1]),
        (["2000-01-01..2010-01-01", "2012-01-01..open"], "2011-01-01", "2011-01-02", "none", []),
        (["..2010-01-01", "2010-01-01..open"], "1950-01-01", "1950-01-02", "one", [0]),
        (["", "2010-01-01..open"], "2005-01-01", "2005-01-02", "unknown", [0]),
        (["", "2010-01-01..open"], "2015-01-01", "2015-01-02", "one", [1]),
        (["", ""], "2015-01-01", "2015-01-02", "unknown", [0, 1]),
        (["2000-01-01..2010-01-01", "2005-01-01..open"], "2007-01-01", "2007-01-02", "several", [0, 1]),
    ],
)
def test_the_version_in_force_is_one_none_several_or_unknown_and_never_guessed(
    tmp_path: Path, periods: list[str], start: str, end: str, status: str, which: list[int]
) -> None:
    folder = plant(tmp_path / "bosque", versions(*periods))
    with open_state(open_snapshot(folder)) as state:
        found = verdict(state, "ley", date.fromisoformat(start), date.fromisoformat(end))
    assert found == (status, [f"ley@200{n}-01-01" for n in which])


@pytest.mark.parametrize(
    ("in_force", "status"),
    [("", "one"), ("{from: 2020-01-01, to: open}", "one"), ("{from: 2030-01-01, to: open}", "none")],
)
def test_a_work_that_never_changed_is_its_own_text(tmp_path: Path, in_force: str, status: str) -> None:
    folder = plant(tmp_path / "bosque", {"index.md": node("ley", kind="instrument", in_force=in_force)})
    with open_state(open_snapshot(folder)) as state:
        assert verdict(state, "ley", TODAY, TODAY + timedelta(days=1))[0] == status
        with pytest.raises(NodeNotFound):
            version_in_force(state.catalog, "otra", TODAY, TODAY)
