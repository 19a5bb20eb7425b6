"""The route `walk`: a question that takes hops is answered with each of them cited, and the walk is recorded."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from forest.journal import read_walk, walk_ids
from forest.state import State
from navigator.actions import parse_action
from navigator.route import hunt, open_journal
from navigator.walk import Limits
from tests.conftest import Forest, Ran, assert_one_clear_sentence
from tests.navigator.beach import TODAY, clock

TWO_HOPS = "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?"
THREE_HOPS = "¿En qué ciudad tiene su sede la dependencia que emitió la norma que sustituyó a la NOM-901-PLAYA-2001?"
VEDA = "¿Cuántos días dura la veda?"


def walked(forest: Forest, beach: Path, *arguments: str) -> Ran:
    return forest("hunt", *arguments, "--route", "walk", "--forest", beach, "--today", "2026-03-01")


def nodes_of(claims: list[dict[str, Any]]) -> set[str]:
    return {cited["node"] for claim in claims for cited in claim["citations"]}


def test_two_hops_are_answered_with_each_hop_cited(forest: Forest, beach: Path) -> None:
    answer = walked(forest, beach, TWO_HOPS, "--json").json
    assert answer["status"] == "answered"
    assert answer["claims"][0]["value"] == "Secretaría de Playas"
    assert not answer["claims"][0]["leads"]
    words = " ".join(claim["text"] for claim in answer["claims"])
    assert "Esta norma sustituye a la NOM-901-PLAYA-2001." in words
    assert "La Secretaría de Playas expide esta norma." in words


def test_three_hops_are_answered_with_each_hop_cited_and_proven(forest: Forest, beach: Path, tmp_path: Path) -> None:
    ran = walked(forest, beach, THREE_HOPS, "--json")
    assert ran.json["claims"][0]["value"] == "Salina Cruz"
    assert nodes_of(ran.json["claims"]) == {"playas", "nom-901-playa-2011"}
    assert len(ran.json["claims"]) == 3
    answer = tmp_path / "respuesta.json"
    answer.write_text(ran.out)
    assert forest("verify", answer, "--forest", beach).out.endswith(" 0 refused.\n")


def test_a_walk_in_json_tells_how_it_went_and_its_steps_only_when_asked(forest: Forest, beach: Path) -> None:
    facts = walked(forest, beach, TWO_HOPS, "--json").json["walk"]
    assert set(facts) == {"ending", "hops", "tokens", "read", "plan", "use", "deposited", "steps"}
    assert facts["ending"] == "answered"
    assert facts["hops"] >= 1
    assert any(passage.startswith("nom-901-playa-2011#") for passage in facts["read"])
    steps = walked(forest, beach, TWO_HOPS, "--json", "--explain").json["walk"]["steps"]
    assert len(steps) == facts["steps"]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert all(str(parse_action(step["action"])) == step["action"] for step in steps)


def test_explain_shows_place_sight_choice_and_reason_of_each_step_before_the_answer(
    forest: Forest, beach: Path
) -> None:
    ran = walked(forest, beach, TWO_HOPS, "--explain")
    steps = forest("walks", "last", "--forest", beach, "--json").json["steps"]
    told = ran.out.partition("Ending: answered")[0]
    assert "Plan: " in told
    for step in steps:
        assert f"{step['step']:>3}. at {step['at'] or 'nowhere yet'}: " in told
        assert step["why"]
    assert told.count("     why: ") == told.count("\n     | [1]") + sum(
        "\n[1]" not in step["observation"]["text"] for step in steps
    )
    assert "La Secretaría de Playas expide esta norma." in ran.out.partition("Ending: answered")[2]


def test_what_nothing_answers_ends_with_exit_status_1_and_says_what_is_missing(forest: Forest, beach: Path) -> None:
    ran = walked(forest, beach, "¿Cuántos kilómetros mide el túnel de Tampico?", "--json")
    assert ran.code == 1
    assert ran.json["claims"] == []
    assert ran.json["missing"]
    assert ran.json["walk"]["ending"] == "abstained"


def test_what_is_missing_is_told_in_whole_words_of_the_question(forest: Forest, beach: Path) -> None:
    question = "¿Cuánto cuestan las sombrillas amarillas en la veda?"
    missing = walked(forest, beach, question, "--json").json["missing"][0]["what"]
    assert "amarillas" in missing.split(", ")


def test_the_day_in_force_decides_which_text_answers(forest: Forest, beach: Path) -> None:
    now = walked(forest, beach, VEDA, "--json").json
    then = walked(forest, beach, VEDA, "--json", "--in-force-on", "2010-06-01").json
    assert (nodes_of(now["claims"]), nodes_of(then["claims"])) == ({"ley/art-1@2019-12-02"}, {"ley/art-1@1999-01-04"})
    assert "noventa días" in now["claims"][0]["text"]
    assert "sesenta días" in then["claims"][0]["text"]
    assert then["clock"]["source"] == "option"


def test_as_of_a_day_no_step_shows_anything_later(forest: Forest, beach: Path) -> None:
    told = walked(forest, beach, TWO_HOPS, "--as-of", "2005-01-01", "--explain", "--json").json
    sights = json.dumps([step["observation"] for step in told["walk"]["steps"]])
    assert "nom-901-playa-2001" in sights
    assert "nom-901-playa-2011" not in sights
    assert "2019-12-02" not in sights
    assert nodes_of(told["claims"]) <= {"nom-901-playa-2001", "faros"}
    assert (told["clock"]["as_of"], told["clock"]["start"]) == ("2005-01-01", "2005-01-01")


def test_a_navigator_that_is_not_there_is_refused_with_those_that_are(forest: Forest, beach: Path) -> None:
    before = forest("walks", "--forest", beach).out
    ran = walked(forest, beach, TWO_HOPS, "--navigator", "brújula")
    assert ran.code == 2
    assert_one_clear_sentence(ran, "There is no navigator 'brújula'.", "Navigators: ", "scout")
    assert forest("walks", "--forest", beach).out == before


def test_a_walk_is_recorded_with_what_is_needed_to_take_it_again(forest: Forest, beach: Path) -> None:
    told = walked(forest, beach, TWO_HOPS, "--json", "--explain", "--in-force-on", "2020-06-01").json
    record = forest("walks", "last", "--forest", beach, "--json").json
    header = record["header"]
    assert (header["question"], header["navigator"]) == (TWO_HOPS, "scout")
    assert (header["commit"], header["tree"]) == (told["commit"], told["tree"])
    assert header["clock"]["start"] == "2020-06-01"
    assert header["versions"]
    assert record["steps"] == told["walk"]["steps"]
    assert record["ending"]["ending"] == told["walk"]["ending"]
    assert record["ending"]["answer"]["claims"] == told["claims"]


def test_a_hunt_leaves_no_journal_unless_asked(state: State) -> None:
    before = walk_ids(state.folder.parent)
    quiet = hunt(state, TWO_HOPS, today=TODAY)
    assert walk_ids(state.folder.parent) == before
    kept = hunt(state, TWO_HOPS, today=TODAY, journal=True)
    assert len(walk_ids(state.folder.parent)) == len(before) + 1
    assert kept == quiet


@pytest.mark.parametrize("limits", [Limits(steps=4), Limits(tokens=500)])
def test_a_limit_of_the_walk_is_its_ending(state: State, limits: Limits) -> None:
    ended = hunt(state, THREE_HOPS, today=TODAY, limits=limits)
    assert ended.ending == ("step_limit" if limits.steps == 4 else "token_limit")
    assert not ended.answer.claims


def test_the_same_question_is_walked_the_same_way(state: State) -> None:
    assert hunt(state, THREE_HOPS, today=TODAY) == hunt(state, THREE_HOPS, today=TODAY)


def test_journals_begun_one_after_another_sort_in_that_order(state: State) -> None:
    books = [open_journal(state, "", clock(), "person") for _ in range(20)]
    for book in books:
        book.close()
    names = [book.path.stem for book in books]
    assert names == sorted(names)
    assert list(walk_ids(state.folder.parent))[:20] == names[::-1]
    assert read_walk(state.folder.parent, "last").id == names[-1]


def test_the_day_read_in_a_question_decides_and_an_option_beats_it(state: State) -> None:
    asked = "¿Cuántos días duraba la veda en 2010 según el artículo 1 de la Ley de la Veda?"
    assert hunt(state, asked, today=TODAY).answer.clock.start == date(2010, 1, 1)
    assert hunt(state, asked, today=TODAY, in_force_on=date(2021, 1, 1)).answer.clock.start == date(2021, 1, 1)
