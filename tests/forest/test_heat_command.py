"""`forest heat`: the warmest doors, why they are warm, and the trails behind them, from trails kept in git."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import pytest

from forest.heat import open_heat
from forest.heat_view import HeatPage, SimilarSignature, TrailBehind, WarmDoor
from forest.history import Snapshot, open_snapshot
from forest.state import open_state
from forest.trail import Trail
from forest.trail_index import INDEX_NAME
from forest.trails import deposit, deposit_all, feedback
from forest.warmth import FeltSignature
from tests.conftest import Forest, assert_one_clear_sentence, node, plant
from tests.forest.kept_trails import TODAY, older, walked

VACATIONS = "¿Cuántos días de vacaciones da la ley?"
WAGE = "¿De cuánto es el salario mínimo?"
DISCREET = "¿Cuántos días de vacaciones da\nla ley a mi jefe?"

NODES = {
    "index.md": node("raiz", "Todo.", kind="topic"),
    "lft/index.md": node("lft", "Ley del trabajo.", kind="instrument", published="1970-04-01"),
    "lft/art-76.md": node("lft/art-76", "Doce días de vacaciones.", kind="provision"),
    "lft/art-90.md": node("lft/art-90", "El salario mínimo.", kind="provision"),
}
LEFT = {
    VACATIONS: walked(VACATIONS, ("", "lft"), ("lft", "lft/art-76"), ("lft", "lft/art-90", False)),
    WAGE: walked(WAGE, ("", "lft"), ("lft", "lft/art-90"), ("lft", "lft/art-0", False)),
    DISCREET: walked(DISCREET, ("", "lft"), ("lft", "lft/art-76")),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return plant(tmp_path / "bosque", NODES)


@pytest.fixture
def walked_forest(place: Path) -> Path:
    snapshot = open_snapshot(place)
    deposit_all(snapshot, [(LEFT[VACATIONS], VACATIONS), (older(LEFT[VACATIONS], 90), VACATIONS), (LEFT[WAGE], WAGE)])
    deposit(snapshot, LEFT[DISCREET], DISCREET, private=True)
    return place


def boost_of(snapshot: Snapshot, question: str, source: str, to: str) -> float:
    with open_state(snapshot) as state, open_heat(state, TODAY) as heat:
        return heat.felt_by(question).boost(source, to)


def test_without_trails_it_says_so_and_makes_no_index(place: Path, forest: Forest) -> None:
    ran = forest("heat", "--forest", place)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "No trail is felt here.")
    assert forest("heat", "lft", "--for", VACATIONS, "--json", "--forest", place).json["doors"] == []
    assert not list(place.rglob(INDEX_NAME))


def test_the_warmest_doors_of_a_forest(walked_forest: Path, forest: Forest) -> None:
    told = forest("heat", "--json", "--today", TODAY, "--forest", walked_forest).json
    assert (told["conditioned"], told["question"], told["day"]) == (False, "", TODAY.isoformat())
    doors = [(door["source"], door["to"], door["known"]) for door in told["doors"]]
    assert doors == [
        ("", "lft", True),
        ("lft", "lft/art-76", True),
        ("lft", "lft/art-90", True),
        ("lft", "lft/art-0", False),
    ]
    assert told["doors"][0]["useful"] == 3.5
    few = forest("heat", "--limit", 1, "--today", TODAY, "--forest", walked_forest)
    assert "3 more doors are warm" in few.out
    assert "h+ 3.500  h- 0.000  (entry) -> lft" in few.out


def test_a_question_feels_similar_ones_and_is_told_which_are_not(walked_forest: Path, forest: Forest) -> None:
    told = forest("heat", "--for", VACATIONS, "--json", "--today", TODAY, "--forest", walked_forest).json
    assert [(one["kappa"] == 1.0, one["felt"]) for one in told["similar"]] == [(True, True), (False, True)]
    assert {door["to"] for door in told["doors"]} == {"lft", "lft/art-76", "lft/art-90"}
    ran = forest("heat", "--for", "¿Cuántos días de vacaciones y qué salario da la ley?", "--forest", walked_forest)
    assert "  felt       " in ran.out
    assert "  below tau  " in ran.out
    ran = forest("heat", "--for", "¿Quién emite la norma de ruido?", "--forest", walked_forest)
    assert ran.out.splitlines()[-1] == "No trail is felt here."
    ran = forest("heat", "--for", "¿Quién emite la norma de ruido?", "--unconditioned", "--forest", walked_forest)
    assert "(entry) -> lft" in ran.out


def test_a_node_tells_the_trails_behind_its_doors(walked_forest: Path, forest: Forest) -> None:
    asked = ("heat", "lft", "--for", VACATIONS, "--today", TODAY, "--forest", walked_forest)
    doors = forest(*asked, "--json").json["doors"]
    assert [(door["source"], door["to"]) for door in doors] == [
        ("", "lft"),
        ("lft", "lft/art-76"),
        ("lft", "lft/art-90"),
    ]
    behind = {trail["id"]: trail for trail in doors[1]["trails"]}
    assert set(behind) == {LEFT[VACATIONS].id, older(LEFT[VACATIONS], 90).id, LEFT[DISCREET].id}
    assert behind[LEFT[VACATIONS].id] == {
        "id": LEFT[VACATIONS].id,
        "day": TODAY.isoformat(),
        "kappa": 1.0,
        "weight": 1,
        "private": False,
        "question": VACATIONS,
    }
    assert behind[LEFT[DISCREET].id]["private"]
    assert [trail["weight"] for trail in doors[2]["trails"]] == [-1, -1]
    text = forest(*asked)
    assert f"{LEFT[VACATIONS].id[:12]}  {TODAY}  kappa 1.000  counts +1  «{VACATIONS}»" in text.out
    assert "«¿Cuántos días de vacaciones da la ley a mi jefe?»  private" in text.out
    assert "and 2 older trails" in forest(*asked, "--limit", 1).out


def test_the_formats_list_the_keys_of_its_json() -> None:
    formats = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    section = formats.partition("### heat\n")[2].partition("###")[0]
    told = {
        row: re.findall(r"`(\w+)`", keys)
        for row, keys in re.findall(r"^\| ([a-z ]+) \| (.+) \|$", section, re.MULTILINE)
    }
    values = {
        "page": HeatPage,
        "similar signature": SimilarSignature,
        "door": WarmDoor,
        "felt signature": FeltSignature,
        "trail behind": TrailBehind,
    }
    told.pop("object")
    assert told == {row: [field.name for field in fields(value)] for row, value in values.items()}


def test_a_day_before_the_walks_knows_nothing_of_them(walked_forest: Path, forest: Forest) -> None:
    early = TODAY - timedelta(days=91)
    for days in (("--as-of", early), ("--today", early)):
        assert "No trail is felt here." in forest("heat", *days, "--forest", walked_forest).out


def test_a_node_that_is_not_there_is_named(walked_forest: Path, forest: Forest) -> None:
    assert_one_clear_sentence(forest("heat", "lft/art-77", "--forest", walked_forest), "lft/art-77", "lft/art-76")
    assert_one_clear_sentence(forest("heat", "--today", "mañana", "--forest", walked_forest), "--today")


def test_what_is_forgotten_is_not_in_the_index_either(walked_forest: Path, forest: Forest) -> None:
    forest("heat", "--forest", walked_forest)
    files = [path for path in walked_forest.rglob(f"{INDEX_NAME}*") if path.is_file()]
    assert any(b"salari" in path.read_bytes() for path in files)
    assert forest("trails", "forget", "--question", WAGE, "--erase", "--forest", walked_forest).code == 0
    assert not any(b"salari" in path.read_bytes() for path in files if path.exists())
    told = forest("heat", "--json", "--today", TODAY, "--forest", walked_forest).json
    assert {door["to"] for door in told["doors"]} == {"lft", "lft/art-76", "lft/art-90"}


def test_heat_follows_feedback_and_what_others_deposit(walked_forest: Path) -> None:
    snapshot = open_snapshot(walked_forest)
    door = ("lft", "lft/art-90")
    before = boost_of(snapshot, WAGE, *door)
    feedback(snapshot, LEFT[WAGE].id, "bad")
    assert boost_of(snapshot, WAGE, *door) < 1 < before
    feedback(snapshot, LEFT[WAGE].id, "good")
    assert boost_of(snapshot, WAGE, *door).hex() == before.hex()
    more: list[tuple[Trail, str]] = [(older(LEFT[WAGE], 1), WAGE)]
    deposit_all(snapshot, more)
    assert boost_of(snapshot, WAGE, *door) > before
    assert boost_of(snapshot, WAGE, "lft", "raiz") == 1.0
