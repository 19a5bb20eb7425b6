"""The arm without a model that always takes the first option: what a model is held against."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bench.arms.arm import Arm
from bench.arms.first import FirstOption
from bench.arms.table import ARMS, WITHOUT_MODEL
from bench.attempt import Asked, Reply
from forest.history import open_snapshot
from forest.state import State, open_state
from navigator.chat import Message
from tests.conftest import plant
from tests.navigator.beach import BEACH


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    folder: Path = plant(tmp_path_factory.mktemp("primero") / "playa", BEACH)
    with open_state(open_snapshot(folder)) as state:
        yield state


def asked(state: State, question: str, **more: int) -> Reply:
    arm = ARMS["first"]
    assert isinstance(arm, Arm)
    return arm.open(state)(Asked(question, date(2026, 11, 30), **more))


@pytest.mark.parametrize(
    ("options", "chosen"), [(["A", "B", "1", "0"], "A"), (["1", "2", "0"], "1"), (["0"], "0")], ids=str
)
def test_the_first_answer_is_taken_else_the_first_way_else_none(options: list[str], chosen: str) -> None:
    schema = {"properties": {"opcion": {"type": "string", "enum": options}}}
    said = FirstOption().complete([Message("user", "B. this one!")], schema=schema)
    assert json.loads(said.text) == {"opcion": chosen}


def test_it_walks_a_chain_without_a_model_and_says_so(state: State) -> None:
    assert "first" in WITHOUT_MODEL
    reply = asked(state, "¿Qué distancia entre sombrillas fija la norma que sustituyó a la NOM-901-PLAYA-2001?")
    assert reply.values == ("45 centímetros",)
    assert reply.hops >= 1
    assert reply.use is None
    assert {citation.node for citation in reply.citations} == {"nom-901-playa-2011"}


def test_what_the_forest_has_not_is_not_answered(state: State) -> None:
    assert asked(state, "¿Cuánto pesa la luna?").abstained
