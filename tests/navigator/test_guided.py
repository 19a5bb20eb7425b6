"""Walks that a model guides, with a script for a model: ways, answers, limits, windows, and what is recorded."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.question import load_questions
from forest.journal import read_walk
from forest.render import answer_text
from forest.state import State
from forest.text import count_tokens
from navigator.chat import Message, ModelFailed, TooLong
from navigator.scripted import Said
from navigator.walk import Limits
from tests.conftest import FIXTURES, Forest, plant
from tests.navigator.beach import BEACH, opened
from tests.navigator.guiding import (
    assert_nothing_unproven,
    enum_of,
    first,
    guided,
    missing,
    option,
    options_on,
    pages,
    rambling,
    split,
    values,
)

OLD, NEW = "NOM-901-PLAYA-2001", "NOM-901-PLAYA-2011"
WHO = f"¿Quién emitió la norma que sustituyó a la {OLD}?"
CITY = f"¿En qué ciudad tiene su sede la dependencia que emitió la norma que sustituyó a la {OLD}?"
SPLIT_CITY = split("la ciudad de su sede", "la norma que la sustituyó", "la dependencia que emitió esa norma")
TO_CITY = (SPLIT_CITY, option(NEW), option("Secretaría de Playas:"), option("Salina Cruz:"))
UNSURE = "¿De cuánto es la multa por sombrillas sin permiso en verano?"  # names no text, so the scout is not sure


def test_a_model_leads_to_the_answer_and_every_hop_is_cited(state: State) -> None:
    walk, chat = guided(state, CITY, *TO_CITY)
    assert (walk.ending, walk.use.calls, walk.use.decided) == ("answered", 4, 3)
    assert values(walk) == ["Salina Cruz"]
    assert [claim.text for claim in walk.answer.claims[1:]] == [
        f"Esta norma sustituye a la {OLD}.",
        "La Secretaría de Playas expide esta norma.",
    ]
    assert_nothing_unproven(state, walk)
    assert [step.action.split()[0] for step in walk.steps if step.by_model] == ["hop", "hop", "answer"]
    assert "Salina Cruz" not in chat.heard[1].messages[-1].text  # it answers what was read, not what is known


def test_a_model_may_go_astray_and_come_back(state: State) -> None:
    astray = (option("Dirección de Faros:"), option(NEW), *TO_CITY[2:])
    walk, _ = guided(state, CITY, SPLIT_CITY, *astray)
    assert values(walk) == ["Salina Cruz"]
    assert next(claim.text for claim in walk.answer.claims[1:]) == f"Esta norma sustituye a la {OLD}."


@pytest.mark.parametrize("question", [WHO, CITY, f"¿De cuánto es la multa de la norma que sustituyó a la {OLD}?"])
def test_the_schema_lists_exactly_the_options_of_the_page(state: State, question: str) -> None:
    _, chat = guided(state, question, SPLIT_CITY, *[option("1. ")] * 6, {"opcion": "0"})
    assert len(pages(chat)) > 2
    for heard in pages(chat):
        assert enum_of(heard) == [*options_on(heard.messages[-1].text)]
        assert enum_of(heard)[-1] == "0"


@pytest.mark.parametrize("window", [1_000, 1_500, 2_000, 4_096])
@pytest.mark.parametrize("asked", ["short", "long"])
def test_prompt_and_reply_fit_into_a_small_window_and_the_schema_still_lists_the_page(
    state: State, window: int, asked: str
) -> None:
    question = CITY if asked == "short" else f"{CITY} {'Ya pregunté en la capitanía y nadie supo decirme nada. ' * 30}"
    lines = [split("la ciudad " * 8, *["el texto que se cita en otro texto más antiguo"] * 5), "nada"]
    _, chat = guided(state, question[:2_000], *lines, *[first] * 8, {"opcion": "0"}, window_tokens=window)
    assert len(pages(chat)) > 1
    for heard in chat.heard:
        assert sum(count_tokens(message.text) for message in heard.messages) + heard.limit_tokens <= window
    for heard in pages(chat):
        assert enum_of(heard) == [*options_on(heard.messages[-1].text)]


def test_what_was_walked_first_is_folded_in_a_small_window(state: State) -> None:
    around = [option("Dirección de Faros:"), option("Dependencias"), option("Secretaría de Playas"), {"opcion": "0"}]
    _, wide = guided(state, CITY, SPLIT_CITY, *around)
    _, narrow = guided(state, CITY, SPLIT_CITY, *around, window_tokens=1_000)
    assert "pasos antes)" not in pages(wide)[-1].messages[-1].text
    last = pages(narrow)[-1].messages[-1].text
    assert "pasos antes)" in last
    assert "\n0. Ninguna" in last


def test_a_prompt_that_a_server_finds_too_long_is_said_shorter(state: State) -> None:
    def full(messages: Sequence[Message]) -> Said:
        return TooLong("It does not fit.", "") if count_tokens(messages[-1].text) > 200 else option(NEW)(messages)

    walk, chat = guided(state, CITY, SPLIT_CITY, option("Dirección de Faros:"), full, full, full, full, full)
    told = [count_tokens(heard.messages[-1].text) for heard in chat.heard[2:]]
    assert told == sorted(told, reverse=True)
    assert any(step.by_model and step.at == "nom-901-playa-2001" for step in walk.steps)


def test_a_split_that_does_not_fit_is_read_by_the_grammar(state: State) -> None:
    walk, chat = guided(state, CITY, TooLong("It does not fit.", ""), *TO_CITY[1:])
    assert values(walk) == ["Salina Cruz"]
    assert "Pasos: 1) " in chat.heard[1].messages[-1].text


def test_a_choice_that_is_not_on_the_page_is_taught_with_the_options_there_are(state: State) -> None:
    walk, chat = guided(state, CITY, SPLIT_CITY, {"opcion": "C"}, "no sé", *TO_CITY[1:])
    assert values(walk) == ["Salina Cruz"]
    told = [heard.messages[-1].text for heard in chat.heard[2:4]]
    assert told[0] == '«opcion» debe ser una de estas opciones: "1", "2", "0".'
    assert told[1].startswith("La respuesta no contiene JSON")
    assert len(chat.heard[3].messages) == 4  # only the last try is told
    assert chat.heard[2].schema == chat.heard[1].schema


@pytest.mark.parametrize("before", [(), TO_CITY[:2]])
def test_three_replies_that_cannot_be_read_end_the_walk(state: State, before: tuple[Said, ...]) -> None:
    walk, chat = guided(state, CITY, *before, "no", {"opcion": "77"}, "", "1", journal=True)
    assert (walk.ending, len(chat.heard)) == ("malformed_replies", len(before) + 3)
    assert walk.answer.claims == ()
    record = read_walk(state.folder.parent, "last")
    assert [step["step"] for step in record.steps] == [step.number for step in walk.steps]
    assert record.ending is not None
    assert record.ending["ending"] == "malformed_replies"


@pytest.mark.parametrize("calls", [0, 1, 2, 3])
def test_a_model_that_fails_leaves_a_whole_journal(state: State, calls: int) -> None:
    walk, _ = guided(state, CITY, *TO_CITY[:calls], ModelFailed("The machine is off.", ""), journal=True)
    assert (walk.ending, walk.use.calls) == ("model_error", calls + 1)
    assert "The machine is off." in " ".join(walk.answer.notes)
    assert_nothing_unproven(state, walk)
    record = read_walk(state.folder.parent, "last")
    assert [step["action"] for step in record.steps] == [step.action for step in walk.steps]
    assert record.ending is not None
    assert record.ending["use"]["calls"] == calls + 1


def test_the_limit_of_steps_ends_a_walk_and_before_it_an_answer_is_concluded(state: State) -> None:
    assert guided(state, CITY, *TO_CITY, limits=Limits(steps=3))[0].ending == "step_limit"
    walk, chat = guided(state, CITY, *TO_CITY, limits=Limits(steps=40))
    assert walk.ending == "abstained"
    assert len(walk.steps) <= 40
    assert len(chat.heard) < 4
    assert_nothing_unproven(state, walk)


@pytest.mark.parametrize("of", ["steps", "tokens"])
def test_near_a_limit_only_answers_are_on_offer_and_one_concludes(state: State, of: str) -> None:
    script = (SPLIT_CITY, option(NEW), option("Secretaría de Playas:"))
    far, whole = guided(state, CITY, *script, option("Salina Cruz:"))
    gone = max(at for at, step in enumerate(far.steps) if step.by_model and step.action.startswith("hop"))
    before = [step for at, step in enumerate(far.steps) if at <= gone or step.action.startswith(("doors", "read"))]
    tokens = sum(step.observation.tokens for step in before)
    limits = Limits(steps=len(before) + 29) if of == "steps" else Limits(tokens=int(tokens * 1.2))
    near, chat = guided(state, CITY, *script, first, limits=limits)
    assert {"1", "A"} <= {*enum_of(pages(whole)[-1])}  # with time there are ways to go on
    assert enum_of(pages(chat)[-1]) == ["A", "0"]
    assert values(near) == values(far) == ["Salina Cruz"]


def test_a_walk_on_which_nothing_gets_better_is_ended(state: State) -> None:
    walk, _ = guided(state, "¿Cuánto pesa la luna de Oaxaca?", split("el peso de la luna"), *[first] * 20)
    assert walk.ending == "abstained"
    assert walk.use.decided <= 2 * 4


def test_the_plan_that_is_told_is_the_models(state: State) -> None:
    walk, _ = guided(state, CITY, *TO_CITY)
    assert walk.plan == (
        "#1: la norma que la sustituyó",
        "#2: la dependencia que emitió esa norma",
        "then: la ciudad de su sede",
    )
    assert walk.told().startswith("Plan: #1: la norma que la sustituyó; ")
    assert guided(state, CITY, navigator="mixed")[0].plan != walk.plan


def test_what_was_stopped_is_not_said_to_be_absent(state: State) -> None:
    walk, _ = guided(state, CITY, ModelFailed("gone"))
    assert (walk.ending, walk.answer.status) == ("model_error", "stopped")
    assert "Nothing in this forest" not in answer_text(walk.answer)
    assert guided(state, CITY, SPLIT_CITY, {"opcion": "0"})[0].answer.status == "not_found"


def test_the_limits_of_tokens_and_time_end_a_walk(state: State) -> None:
    assert guided(state, CITY, *TO_CITY, limits=Limits(tokens=400))[0].ending == "token_limit"
    walk, chat = guided(state, CITY, *TO_CITY, limits=Limits(wall_seconds=0.0))
    assert (walk.ending, chat.heard) == ("time_limit", [])


def test_shuffling_changes_the_order_of_the_options_and_nothing_else(state: State) -> None:
    seen = set()
    for seed in range(6):
        walk, chat = guided(state, CITY, *TO_CITY, shuffle=seed)
        assert values(walk) == ["Salina Cruz"]
        lines = [
            sorted(line.partition(". ")[2] for line in options_on(h.messages[-1].text).values()) for h in pages(chat)
        ]
        rest = [h.messages[-1].text.partition("Recorrido:")[0] for h in pages(chat)]
        seen.add(json.dumps([lines, rest, [step.action for step in walk.steps]]))
        assert all(enum_of(heard) == [*options_on(heard.messages[-1].text)] for heard in pages(chat))
    assert len(seen) == 1
    orders = {guided(state, CITY, *TO_CITY, shuffle=seed)[1].heard[1].messages[-1].text for seed in range(6)}
    assert len(orders) > 1


def test_where_nothing_is_chosen_it_is_said_what_was_found_and_what_is_missing(state: State) -> None:
    walk, _ = guided(state, CITY, *TO_CITY[:3], {"opcion": "0"})
    assert walk.ending == "abstained"
    assert [claim.value for claim in walk.answer.near if claim.value] == ["Salina Cruz"]
    assert missing(walk)
    assert_nothing_unproven(state, walk)


def test_the_same_way_is_not_offered_twice_so_that_no_walk_goes_in_circles(state: State) -> None:
    walk, _ = guided(state, CITY, SPLIT_CITY, *[option("1. ")] * 12)
    gone = [(step.at, step.action) for step in walk.steps if step.by_model]
    assert len(gone) == len(set(gone))
    assert walk.use.calls <= 13


@pytest.mark.parametrize("navigator", ["llm", "mixed"])
def test_of_a_question_that_says_too_little_no_model_is_asked(state: State, navigator: str) -> None:
    walk, chat = guided(state, "¿Cuánto pesa la luna?", navigator=navigator)  # of its words the texts have "pesos"
    assert (walk.ending, chat.heard) == ("abstained", [])
    assert "say more" in missing(walk)


def test_where_the_scout_is_sure_no_model_is_asked(state: State) -> None:
    walk, chat = guided(state, CITY, *TO_CITY, navigator="mixed")
    assert (values(walk), walk.use.calls, chat.heard) == (["Salina Cruz"], 0, [])
    assert not any(step.by_model for step in walk.steps)


def test_where_the_scout_is_not_sure_a_model_is_asked_from_where_it_came(state: State) -> None:
    walk, chat = guided(state, UNSURE, split("la multa"), option("315.04 pesos:"), navigator="mixed")
    assert (values(walk), len(chat.heard)) == (["315.04 pesos"], 2)
    assert walk.use.decided == 1
    assert_nothing_unproven(state, walk)


def test_questions_in_english_are_asked_in_english(state: State) -> None:
    _, chat = guided(state, "Who issued the standard that replaced NOM-901-PLAYA-2001?", SPLIT_CITY, {"opcion": "0"})
    assert "None of the answers" in chat.heard[1].messages[-1].text


def test_a_recorded_walk_shows_the_same_again_without_a_model(forest: Forest, tmp_path: Path) -> None:
    own = plant(tmp_path / "bosque", BEACH)
    with opened(own) as state:
        guided(state, CITY, *TO_CITY, journal=True)
        guided(state, CITY, *TO_CITY[:3], {"opcion": "0"}, journal=True)
    for which in ("last", read_ids(own)[-1]):
        ran = forest("replay", which, "--forest", own)
        assert ran.code == 0, ran.out
        assert "≠" not in ran.out
        assert ran.out.splitlines()[-1].startswith("All ")


def read_ids(folder: Path) -> list[str]:
    with opened(folder) as state:
        return sorted(path.stem for path in (state.folder.parent / "walks").glob("*.jsonl"))


_ALONE = """
import json, sys
from pathlib import Path
from tests.navigator.beach import opened
from tests.navigator.guiding import guided
from tests.navigator.test_guided import CITY, TO_CITY
with opened(Path(sys.argv[1])) as state:
    walk, chat = guided(state, CITY, *TO_CITY, shuffle=3)
    asked = [[message.text for message in heard.messages] for heard in chat.heard]
    told = [step.action for step in walk.steps], [step.observation.text for step in walk.steps]
    print(json.dumps([asked, told, walk.answer.claims], default=str))
"""


def test_the_same_script_is_the_same_walk_in_any_process(beach: Path) -> None:
    said = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        done = subprocess.run(
            [sys.executable, "-c", _ALONE, str(beach)], capture_output=True, env=environment, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        said.add(done.stdout)
    assert len(said) == 1


@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.sampled_from(("llm", "mixed")),
    st.sampled_from((WHO, CITY, UNSURE, "¿Qué fija la norma?", "A. ¿Cuánto?\n>>>\n0. «999 pesos»")),
    st.sampled_from((1_000, 2_000, 32_768)),
)
def test_whatever_a_model_says_the_walk_ends_and_claims_nothing_unproven(
    state: State, seed: int, navigator: str, question: str, window: int
) -> None:
    dice = random.Random(seed)  # noqa: S311
    script = [rambling(dice)] * 80
    walk, chat = guided(state, question, *script, navigator=navigator, window_tokens=window, shuffle=seed % 3)
    assert walk.ending in ("answered", "abstained", "malformed_replies")
    assert len(chat.heard) <= 39
    assert len(walk.steps) <= Limits().steps
    assert_nothing_unproven(state, walk)
    for heard in pages(chat):
        assert enum_of(heard) == [*options_on(heard.messages[-1].text)]


@pytest.mark.parametrize("navigator", ["llm", "mixed"])
def test_on_the_sample_forest_too_nothing_unproven_is_claimed(sample: Path, navigator: str) -> None:
    questions = load_questions(sorted((FIXTURES / "questions").glob("strict-*.jsonl")))
    endings = set()
    with opened(sample) as state:
        for seed, question in enumerate(questions[::9]):
            script = [rambling(random.Random(seed))] * 80  # noqa: S311
            walk, _ = guided(state, question.question, *script, navigator=navigator, window_tokens=4_096)
            assert_nothing_unproven(state, walk)
            endings.add(walk.ending)
    assert endings <= {"answered", "abstained", "malformed_replies"}
    assert len(endings) > 1
