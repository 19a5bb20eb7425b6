"""Runs: each attempt kept as it is made, a stopped run goes on, and one file holds one run."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bench.arms.arm import Answerer, Arm
from bench.arms.table import ARMS, arms_named
from bench.attempt import Asked, AttemptsWrong, Reply
from bench.attempt_file import read_run
from bench.choosing import Choice
from bench.runner import Plan, plan_run, run
from forest.errors import WrongUsage
from forest.state import State
from tests.bench.wood import QUESTIONS, SALARY, WALKER, question, write_questions
from tests.conftest import commit, node

TODAY = date(2026, 11, 30)


def plan(wood: Path, asked: Path, *arms: str, **more: Any) -> Plan:
    return plan_run(wood, [asked], arms or ("bm25", "grep"), today=TODAY, **more)


def without_times(path: Path) -> list[dict[str, Any]]:
    return [{k: v for k, v in json.loads(line).items() if k != "wall_seconds"} for line in path.open(encoding="utf-8")]


def test_every_arm_gets_every_question_in_order(wood: Path, asked: Path, tmp_path: Path) -> None:
    made = run(plan(wood, asked), tmp_path / "out.jsonl", jobs=1)
    assert [a.key for a in made.attempts] == [(q["id"], arm, 1) for arm in ("bm25", "grep") for q in QUESTIONS]
    assert {a.error for a in made.attempts} == {""}


def test_an_attempt_names_tree_versions_arm_and_parameters(wood: Path, asked: Path, tmp_path: Path) -> None:
    made = run(plan(wood, asked), tmp_path / "out.jsonl", jobs=1)
    lines = without_times(tmp_path / "out.jsonl")
    assert lines[0]["kind"] == "run"
    attempts = [line for line in lines if line["kind"] == "attempt"]
    assert {line["tree"] for line in attempts} == {made.header.tree}
    assert all(line["versions"] == made.header.versions for line in attempts)
    assert all(line["parameters"] == ARMS[line["arm"]].parameters for line in attempts)


def test_every_citation_of_an_attempt_is_proven(wood: Path, asked: Path, tmp_path: Path) -> None:
    made = run(plan(wood, asked, "bm25", "grep", "oneshot"), tmp_path / "out.jsonl", jobs=1)
    assert any(a.reply.citations for a in made.attempts)
    assert all(a.proven == len(a.reply.citations) for a in made.attempts)


def test_the_file_is_read_back_as_what_was_written(wood: Path, asked: Path, tmp_path: Path) -> None:
    first = plan(wood, asked)
    made = run(first, tmp_path / "out.jsonl", jobs=1)
    assert made.header == first.header
    assert [p.question for p in made.posed] == list(first.questions)
    assert made.posed[0].gold == (frozenset({"salarios#1"}),)


@pytest.mark.parametrize("lost_bytes", [1, 40, 700])
def test_a_run_that_was_killed_goes_on_and_gives_the_same_file(
    wood: Path, asked: Path, tmp_path: Path, lost_bytes: int
) -> None:
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    run(plan(wood, asked), whole, jobs=1)
    torn.write_bytes(whole.read_bytes()[:-lost_bytes])
    told: list[tuple[int, int]] = []
    run(plan(wood, asked), torn, jobs=1, progress=lambda made, planned: told.append((made, planned)))
    assert without_times(torn) == without_times(whole)
    assert told[-1] == (12, 12)
    assert len(told) < 12


def test_ctrl_c_keeps_what_was_made(wood: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    def stop(made: int, _: int) -> None:
        if made == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan(wood, asked), out, jobs=1, progress=stop)
    assert len(read_run(out).attempts) == 5
    assert len(run(plan(wood, asked), out, jobs=1).attempts) == 12


def test_two_processes_write_the_same_file_as_one(wood: Path, asked: Path, tmp_path: Path) -> None:
    run(plan(wood, asked), tmp_path / "one.jsonl", jobs=1)
    run(plan(wood, asked), tmp_path / "two.jsonl", jobs=2)
    assert without_times(tmp_path / "one.jsonl") == without_times(tmp_path / "two.jsonl")


def test_a_complete_run_asks_nothing_again(wood: Path, asked: Path, tmp_path: Path) -> None:
    run(plan(wood, asked), tmp_path / "out.jsonl", jobs=1)
    before = (tmp_path / "out.jsonl").read_bytes()
    run(plan(wood, asked), tmp_path / "out.jsonl", jobs=1)
    assert (tmp_path / "out.jsonl").read_bytes() == before


def test_one_file_holds_one_run(wood: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run(plan(wood, asked), out, jobs=1)
    with pytest.raises(AttemptsWrong, match="other arms"):
        run(plan(wood, asked, "bm25"), out, jobs=1)
    with pytest.raises(AttemptsWrong, match="today"):
        run(plan_run(wood, [asked], ["bm25", "grep"], today=date(2020, 1, 1)), out, jobs=1)
    write_questions(asked, QUESTIONS[:4])
    with pytest.raises(AttemptsWrong, match="questions"):
        run(plan(wood, asked), out, jobs=1)
    write_questions(asked)
    commit(wood, {"otra.md": node("otra", "Otra cosa.")})
    with pytest.raises(AttemptsWrong, match="tree"):
        run(plan(wood, asked), out, jobs=1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "header"),
        ("hola\n", ":1: not a line"),
        ('{"kind": "attempt"}\n', "header"),
        ('{"kind": "run", "format": 99}\n', "format 99"),
        ('{"kind": "run", "format": 2}\n', "not a line of attempts"),
        ("[" * 100_000 + "\n", ":1: not a line"),
    ],
)
def test_what_is_no_file_of_attempts_is_refused_and_left_alone(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(content)
    with pytest.raises(AttemptsWrong, match=words):
        read_run(path)
    assert path.read_text() == content


def test_an_attempt_of_another_tree_in_the_file_is_refused(wood: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    made = run(plan(wood, asked), out, jobs=1)
    out.write_text(
        out.read_text()
        .replace(f'"tree": "{made.header.tree}"', '"tree": "other"')
        .replace("other", made.header.tree, 1)
    )
    with pytest.raises(AttemptsWrong, match="another run"):
        read_run(out)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> str:
    def open_arm(_: State) -> Answerer:
        def answer(asked: Asked) -> Reply:
            raise ValueError(f"no sé\n{asked.text}")

        return answer

    monkeypatch.setitem(ARMS, "failing", Arm("failing", "", {}, open_arm))
    return "failing"


def test_an_arm_that_raises_does_not_end_the_run(wood: Path, asked: Path, tmp_path: Path, failing: str) -> None:
    made = run(plan(wood, asked, failing, "bm25"), tmp_path / "out.jsonl", jobs=1)
    errors = [a for a in made.attempts if a.arm == failing]
    assert len(errors) == len(made.attempts) / 2
    assert {a.reply.ending for a in errors} == {"error"}
    assert errors[0].error.startswith("ValueError: no sé ¿De cuánto")


def test_a_question_whose_evidence_is_not_in_the_forest_is_refused(wood: Path, asked: Path, tmp_path: Path) -> None:
    lost = question(
        "Q-OTRA", "¿Cuánto?", "single_passage", {"type": "number", "value": "7"}, {**SALARY, "node": "nada"}
    )
    write_questions(asked, (*QUESTIONS, lost))
    with pytest.raises(WrongUsage, match="committed forest: Q-OTRA"):
        run(plan(wood, asked), tmp_path / "out.jsonl", jobs=1)


def test_a_split_and_repetitions_are_asked_as_said(wood: Path, asked: Path, tmp_path: Path) -> None:
    made = run(plan(wood, asked, "grep", choice=Choice("test"), repetitions=2), tmp_path / "out.jsonl", jobs=1)
    assert [a.key for a in made.attempts] == [("Q-CUOTA", "grep", 1), ("Q-CUOTA", "grep", 2)]


def test_an_arm_is_asked_as_of_the_question_s_own_day(wood: Path, asked: Path, tmp_path: Path) -> None:
    early = question(
        "Q-ANTES", "¿De cuánto es el salario mínimo?", "temporal", {"type": "none"}, as_of="2024-01-01"
    ) | {"category": "unanswerable", "twin": "Q-SALARIO", "chain": "q-salario"}
    write_questions(asked, (*QUESTIONS, early))
    made = run(plan(wood, asked, "bm25", "grep", "oneshot"), tmp_path / "out.jsonl", jobs=1)
    told = {a.arm: a.reply for a in made.attempts if a.question == "Q-ANTES"}
    assert not any(passage.startswith("salarios#") for reply in told.values() for passage in reply.found)
    assert "315.04" not in "".join(reply.text for reply in told.values())


def test_arms_are_named_and_unknown_ones_refused() -> None:
    assert [arm.name for arm in arms_named(["grep", "bm25", "grep"])] == ["grep", "bm25"]
    with pytest.raises(WrongUsage, match="no arm dragon"):
        arms_named(["bm25", "dragon"])
    with pytest.raises(WrongUsage, match="Arms are"):
        arms_named([])


def test_an_arm_that_walks_is_recorded_with_its_steps(
    wood: Path, asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ARMS, "walker", WALKER)
    made = run(plan(wood, asked, "walker"), tmp_path / "out.jsonl", jobs=1)
    walked = next(a.reply for a in made.attempts if a.question == "Q-CUOTA")
    assert (walked.hops, walked.steps) == (2, 4)
    assert [p.partition("#")[0] for p in walked.read] == ["nom-901-1996"] * 2 + ["nom-902-2021"] * 2 + ["cenzontle"] * 2
    assert "4,750 pesos" in walked.text
    assert "NOM-902" not in walked.text
