"""The route `auto`: one search where that is enough, a walk where its signs ask for one, and both are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from forest.history import open_snapshot
from forest.journal import read_walk, walk_ids
from forest.oneshot import attempt
from forest.state import open_state
from navigator.router import decide, hunt
from tests.conftest import Forest, assert_one_clear_sentence
from tests.navigator.beach import TODAY

VEDA = "¿Cuántos días dura la veda?"
TWO_HOPS = "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?"


@pytest.mark.parametrize(
    ("question", "route", "reason"),
    [
        (TWO_HOPS, "walk", "chain: «emitió» leads to another text"),
        ("¿Qué dice la NOM-999-PLAYA-2001?", "oneshot", "one search settles it: not held"),
        ("¿Cuál es la más antigua de todas las normas de playas?", "walk", "aggregation: all of a kind are asked for"),
        ("¿Qué publicó la Secretaría de Playas entre el 1 y el 31 de mayo de 2011?", "walk", "period"),
        ("¿Cuánto mide el dragón de la montaña?", "walk", "one search answers nothing: not found"),
    ],
)
def test_the_route_and_its_reasons(beach: Path, question: str, route: str, reason: str) -> None:
    with open_state(open_snapshot(beach)) as state:
        decision = decide(attempt(state, question, today=TODAY))
    assert decision.route == route
    assert any(told.startswith(reason) for told in decision.reasons), decision.reasons


def test_a_chain_is_walked_and_answered(beach: Path) -> None:
    with open_state(open_snapshot(beach)) as state:
        took = hunt(state, TWO_HOPS, today=TODAY)
    assert took.walk is not None
    assert took.answer is took.walk.answer
    assert took.answer.claims[0].value == "Secretaría de Playas"


def test_what_one_search_answers_is_not_walked(beach: Path) -> None:
    with open_state(open_snapshot(beach)) as state:
        tried = attempt(state, VEDA, today=TODAY)
        took = hunt(state, VEDA, today=TODAY)
        if decide(tried).route == "oneshot":
            assert (took.walk, took.answer) == (None, tried.answer)
        else:
            assert took.walk is not None
        assert took == hunt(state, VEDA, today=TODAY)


def test_the_decision_is_told_in_text_in_json_and_in_the_journal(forest: Forest, beach: Path) -> None:
    arguments = (TWO_HOPS, "--route", "auto", "--forest", beach, "--today", "2026-03-01")
    told = forest("hunt", *arguments, "--explain")
    assert told.out.startswith("Route walk (confidence of one search ")
    assert "chain: «emitió» leads to another text" in told.out
    answer = forest("hunt", *arguments, "--json").json
    assert answer["router"]["route"] == "walk"
    assert answer["walk"]["ending"] == "answered"
    with open_state(open_snapshot(beach)) as state:
        header = read_walk(state.folder.parent, walk_ids(state.folder.parent)[0]).header
    assert header["router"] == answer["router"]


def test_a_route_that_is_none_is_refused(forest: Forest, beach: Path) -> None:
    assert_one_clear_sentence(forest("hunt", VEDA, "--route", "vuelo", "--forest", beach), "auto, oneshot, walk")
