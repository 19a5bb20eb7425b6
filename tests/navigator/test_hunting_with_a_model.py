"""`forest hunt` with a model: how one is named, what is streamed, and how its failures are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import unruly
from bench.unruly import serving
from navigator.endpoint import config_path
from tests.conftest import Forest, Ran, assert_one_clear_sentence
from tests.navigator.asking import PROMPT, asker, register

QUESTION = "¿Cuántos centímetros fija la NOM-901-PLAYA-2011 entre sombrillas?"
KEY = "llave-secreta"
NORM = "nom-901-playa-2011"
NOTED = ("search sombrillas", f"enter {NORM}", "read 1", f"note {NORM}#1 3 = 45 centímetros", "answer")


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An endpoint that walks to the answer; the navigator that asks it is called `llm`."""
    register(monkeypatch, asker(*NOTED))
    path = tmp_path / "guion.jsonl"
    path.write_text("\n".join(json.dumps({"do": action}) for action in NOTED))
    return f"script:{path}"


def hunted(forest: Forest, beach: Path, *arguments: str) -> Ran:
    return forest("hunt", QUESTION, *arguments, "--forest", beach, "--today", "2026-03-01")


def test_a_navigator_that_is_named_implies_a_walk(forest: Forest, beach: Path, script: str) -> None:
    ran = hunted(forest, beach, "--navigator", "llm", "--endpoint", script, "--json", "--explain")
    assert ran.code == 0
    assert ran.json["claims"][0]["value"] == "45 centímetros"
    walk = ran.json["walk"]
    assert [step["action"] for step in walk["steps"]][:2] == ["search sombrillas", f"enter {NORM}"]
    assert all(step["by_model"] and len(step["calls"]) == 1 for step in walk["steps"])
    assert (walk["use"]["model"], walk["use"]["calls"], walk["use"]["decided"]) == ("script", 5, 5)
    assert walk["use"]["estimated"]


def test_the_journal_has_what_each_step_cost_and_no_prompt(forest: Forest, beach: Path, script: str) -> None:
    hunted(forest, beach, "--navigator", "llm", "--endpoint", script)
    record = forest("walks", "last", "--forest", beach, "--json")
    assert record.json["header"]["navigator"] == "llm"
    assert record.json["ending"]["use"]["calls"] == 5
    assert PROMPT not in record.out


def test_each_step_is_streamed_as_it_happens(forest: Forest, beach: Path, script: str) -> None:
    ran = hunted(forest, beach, "--navigator", "llm", "--endpoint", script, "--stream")
    told = ran.out.partition("Answer: 45 centímetros")[0]
    assert [f"  {number}. at " in told for number in range(1, 7)] == [True] * 5 + [False]


def test_with_json_steps_are_streamed_beside_it(forest: Forest, beach: Path, script: str) -> None:
    ran = hunted(forest, beach, "--navigator", "llm", "--endpoint", script, "--stream", "--json")
    assert ran.json["status"] == "answered"
    assert f"  4. at {NORM}: note {NORM}#1 3 = 45 centímetros" in ran.err


def test_the_scout_streams_too(forest: Forest, beach: Path) -> None:
    ran = hunted(forest, beach, "--navigator", "scout", "--stream", "--json")
    assert f"  {ran.json['walk']['steps']}. at " in ran.err
    assert ran.json["walk"]["use"]["calls"] == 0


def test_without_an_endpoint_it_is_said_how_one_is_named(forest: Forest, beach: Path, script: str) -> None:
    before = forest("walks", "--forest", beach).out
    ran = hunted(forest, beach, "--navigator", "llm")
    assert ran.code == 2
    assert_one_clear_sentence(ran, "The navigator llm needs a model", "--endpoint", "FOREST_ENDPOINT", "configuration")
    assert forest("walks", "--forest", beach).out == before


def test_an_endpoint_for_a_navigator_that_asks_nobody_is_refused(forest: Forest, beach: Path) -> None:
    ran = hunted(forest, beach, "--navigator", "scout", "--endpoint", "http://127.0.0.1:1/v1")
    assert ran.code == 2
    assert_one_clear_sentence(ran, "The navigator scout asks no model", "llm")


def test_an_endpoint_is_named_by_the_environment_or_the_configuration_and_never_by_a_forest(
    forest: Forest, beach: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(beach)
    (beach / "config.toml").write_text(f'[model]\nendpoint = "{script}"\n')
    assert hunted(forest, beach, "--navigator", "llm").code == 2
    (beach / "config.toml").unlink()
    config_path().parent.mkdir(parents=True)
    config_path().write_text(f'[model]\nendpoint = "{script}"\n')
    assert hunted(forest, beach, "--navigator", "llm").code == 0
    config_path().unlink()
    monkeypatch.setenv("FOREST_ENDPOINT", script)
    assert hunted(forest, beach, "--navigator", "llm").code == 0


def test_a_model_that_fails_is_told_with_what_was_found_by_then(
    forest: Forest, beach: Path, script: str, tmp_path: Path
) -> None:
    Path(script.removeprefix("script:")).write_text("\n".join(json.dumps({"do": action}) for action in NOTED[:4]))
    ran = hunted(forest, beach, "--navigator", "llm", "--endpoint", script, "--json")
    assert ran.code == 1
    assert ran.json["walk"]["ending"] == "model_error"
    assert ran.json["claims"] == []
    assert [claim["value"] for claim in ran.json["near"]] == ["45 centímetros"]
    assert any("The script is at its end" in note for note in ran.json["notes"])
    assert forest("walks", "last", "--forest", beach, "--json").json["ending"]["ending"] == "model_error"


def test_nothing_that_is_said_or_kept_shows_a_key(
    forest: Forest, beach: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOREST_API_KEY", KEY)
    with serving(unruly.garbage) as server:
        for options in (("--json", "--explain", "--stream"), ("--explain",)):
            ran = hunted(forest, beach, "--navigator", "llm", "--endpoint", server.url, *options)
            assert ran.code == 1
            assert KEY not in ran.said
        assert server.completions[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in forest("walks", "last", "--forest", beach, "--json").out
    assert KEY not in forest("hunt", "--help").out
    refused = hunted(forest, beach, "--navigator", "llm", "--endpoint", "http://192.0.2.1/v1", "--api-key", KEY)
    assert_one_clear_sentence(refused, "unencrypted")
    assert KEY not in refused.said


def test_one_search_answers_without_looking_for_a_model(
    forest: Forest, beach: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOREST_ENDPOINT", "nonsense")
    assert hunted(forest, beach).code in (0, 1)
    assert hunted(forest, beach, "--route", "walk").code in (0, 1)


def test_the_route_auto_asks_a_model_only_for_a_walk(forest: Forest, beach: Path, script: str) -> None:
    ran = hunted(forest, beach, "--route", "auto", "--navigator", "llm", "--endpoint", script, "--json")
    walked = ran.json["walk"]
    assert walked is None or walked["use"]["calls"] == 5
