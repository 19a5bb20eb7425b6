"""Wrong trails that nothing tells from good ones, and crowds of trails: how they are made, and what is told of them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from bench.attempt import Asked
from bench.learning.choosing import Asking
from bench.learning.copying import copy_forest
from bench.learning.crowding import crowd
from bench.learning.misled import planted
from bench.learning.planting import copies, plant
from bench.misleading import main
from bench.question import load_questions
from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.routes import Memory
from forest.state import State, open_state
from forest.trail import Trail, trail_bytes, trail_from
from forest.trails import changes_since, tips_of
from navigator.walk import Walk
from tests.bench.pupil import CHAIN, pupil
from tests.bench.wood import QUESTIONS, write_questions

TODAY = date(2026, 11, 30)
GOLD = {node for node, _ in CHAIN}


@pytest.fixture
def real(wood: Path) -> Trail:
    with open_state(open_snapshot(wood)) as state:
        pupil(state, Asked(QUESTIONS[2]["question"], TODAY), Memory())
    ((_, trail),) = changes_since(open_snapshot(wood), "").added
    return trail


def test_a_planted_trail_is_a_trail_and_leads_elsewhere_through_doors_that_were_walked(wood: Path, real: Trail) -> None:
    with open_state(open_snapshot(wood)) as state:
        wrong = plant(state, real, GOLD)
    assert wrong is not None
    assert trail_from(trail_bytes(wrong)) == wrong
    assert (wrong.question, wrong.signature) == (real.question, real.signature)
    assert [(d.source, d.to) for d in wrong.doors] == [(d.source, d.to) for d in real.doors]
    assert [d.to for d in wrong.doors if d.useful] == ["nom-901-1996", "normas"]
    assert [c.node for c in wrong.cited] == ["normas"]


def test_of_a_walk_that_went_nowhere_else_no_wrong_trail_is_made(wood: Path, real: Trail) -> None:
    with open_state(open_snapshot(wood)) as state:
        assert plant(state, real, {*GOLD, "normas"}) is None


def test_copies_are_trails_of_their_own_spread_over_days(real: Trail) -> None:
    made = copies(real, 100, days=25)
    assert len({trail.id for trail in made}) == 100
    assert len({trail.day for trail in made}) == 25
    assert made[0] == real


def obedient(state: State, asked: Asked, memory: Memory | None) -> Walk:
    """The pupil, who goes wherever the last trail that stands leads to, unless it was called bad."""
    changes = changes_since(state.snapshot, "")
    ends = [trail.cited[-1].node for one, trail in changes.added if not changes.verdicts.get(one, (0, 0))[1]]
    walk = pupil(state, asked, memory)
    lost = memory is not None and not memory.deposit and "normas" in ends
    return Walk(walk.answer, walk.ending, walk.steps[:3], 0, 0, walk.read) if lost else walk


def test_what_wrong_trails_do_and_what_undoes_it_is_told(wood: Path, tmp_path: Path) -> None:
    walked = load_questions([write_questions(tmp_path / "q.jsonl", QUESTIONS[2:3])])
    forest = copy_forest(open_snapshot(wood), tmp_path / "copia")
    wrong, effects = planted(forest, Asking(walked, (), ()), count=20, each=3, today=TODAY, hunt=obedient)
    assert [one.leads_to for one in wrong] == ["normas"] * 3
    told = {effect.after: effect for effect in effects if effect.role == "walked"}
    assert list(told) == ["planted", "feedback", "forgotten"]
    assert (told["planted"].n, told["planted"].same, told["planted"].steps < 0) == (1, 0, True)
    assert (told["feedback"].right_before, told["feedback"].right) == (1, 1)
    assert told["forgotten"].same == 1
    assert list(changes_since(open_snapshot(forest), "").added) == []


def test_a_crowd_is_felt_by_unrelated_questions_only_without_conditions(wood: Path, tmp_path: Path) -> None:
    every = load_questions([write_questions(tmp_path / "q.jsonl")])
    forest = copy_forest(open_snapshot(wood), tmp_path / "copia")
    others = [q for q in every if q.is_answerable]
    asked, told = crowd(
        forest, [q for q in every if q.hops >= 3], others, most=3, count=40, days=10, today=TODAY, hunt=pupil
    )
    assert asked == "Q-CUOTA"
    conditioned, unconditioned = told
    assert (conditioned.heat, conditioned.n, conditioned.felt) == ("on", 3, 0)
    assert (conditioned.most, conditioned.least) == (1.0, 1.0)
    assert (unconditioned.felt, unconditioned.most > 1.0, unconditioned.least < 1.0) == (3, True, True)


def test_a_crowd_needs_a_walk_that_leaves_a_trail(wood: Path, tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="leaves a trail"):
        crowd(
            copy_forest(open_snapshot(wood), tmp_path / "c"), [], [], most=1, count=1, days=1, today=TODAY, hunt=pupil
        )


@pytest.mark.parametrize("what", ["planted", "crowd"])
def test_the_program_works_in_a_copy_and_refuses_in_a_sentence(
    wood: Path, tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = str(write_questions(tmp_path / "q.jsonl"))
    code = main([what, str(wood), "--questions", asked, "--count", "2", "--today", "2026-11-30", "--json"])
    told = capsys.readouterr()
    if code:
        assert "leaves a trail" in told.err
    else:
        assert json.loads(told.out)["rows"]
    assert tips_of(open_snapshot(wood)) == ""
