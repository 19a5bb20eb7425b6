"""Routes: each way to hunt is called by its name, brings back an answer, and one that is not there is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.routes import Walking, load_route
from forest.state import open_state
from tests.conftest import Forest, assert_one_clear_sentence

WAGE = "¿De cuánto es el salario mínimo general?"
TODAY = date(2026, 3, 1)
DAYS = ("--today", "2026-03-01")


def test_the_route_oneshot_answers_as_one_search_does(small: Path) -> None:
    with open_state(open_snapshot(small)) as state:
        hunted = load_route("oneshot")(state, WAGE, today=TODAY, as_of=None, in_force_on=None, walking=Walking())
        assert hunted.answer == hunt(state, WAGE, today=TODAY)
        assert hunted.answer.claims
        assert hunted.told().startswith("One search, no walk. Confidence: ")
        assert hunted.as_json(explain=True)["status"] == "answered"


@pytest.mark.parametrize("name", ["vuelo", "", "../walk"])
def test_a_route_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(WrongUsage, match=r"There is no route '.*'\. Routes: auto, oneshot, walk\."):
        load_route(name)


def test_hunt_says_in_a_sentence_that_there_is_no_such_route(forest: Forest, small: Path) -> None:
    ran = forest("hunt", WAGE, "--route", "vuelo", "--forest", small, *DAYS)
    assert ran.code == 2
    assert_one_clear_sentence(ran, "There is no route 'vuelo'.", "Routes: auto, oneshot, walk.")


def test_one_search_is_explained_by_its_confidence(forest: Forest, small: Path) -> None:
    ran = forest("hunt", WAGE, "--explain", "--forest", small, *DAYS)
    assert ran.code == 0
    assert ran.out.startswith("One search, no walk. Confidence: ")


@pytest.mark.parametrize("option", ["--private", "--case-memory", "--unconditioned-heat"])
def test_one_search_refuses_what_only_a_walk_can_do(
    forest: Forest, small: Path, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FOREST_NO_DEPOSIT")
    ran = forest("hunt", WAGE, option, "--forest", small, *DAYS)
    assert_one_clear_sentence(ran, "One search leaves no trail", option, "--route walk")


def test_every_route_takes_the_same_arguments_and_brings_back_an_answer_for_the_same_days(small: Path) -> None:
    with open_state(open_snapshot(small), None, date(2026, 1, 1)) as state:
        for name in ("oneshot", "walk"):
            hunted = load_route(name)(
                state, WAGE, today=TODAY, as_of=date(2026, 1, 1), in_force_on=date(2025, 12, 31), walking=Walking()
            )
            assert hunted.answer.question == WAGE
            assert (hunted.answer.clock.as_of, hunted.answer.clock.start) == (date(2026, 1, 1), date(2025, 12, 31))
            assert hunted.as_json(explain=False)["question"] == WAGE


@pytest.mark.parametrize(
    "named", [("--endpoint", "http://127.0.0.1:1/v1"), ("--model", "m"), ("--route", "oneshot", "--navigator", "llm")]
)
def test_a_model_or_navigator_is_not_ignored_in_silence_where_nobody_walks(
    forest: Forest, small: Path, named: tuple[str, ...]
) -> None:
    ran = forest("hunt", WAGE, *named, "--forest", small, *DAYS)
    assert ran.code == 2
    assert_one_clear_sentence(ran, "One search has no navigator and asks no model", "--navigator llm")
