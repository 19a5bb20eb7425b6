"""The loop of a walk: one record for every navigator, each step kept before the next, and a closed set of endings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from forest.observation import Observation
from forest.state import State
from navigator.actions import Decision, Doors, GiveUp, Read, parse_action
from navigator.meter import Use
from navigator.walk import Limits, Navigator, walk
from navigator.world import World
from tests.navigator.beach import clock, scripted, ticking, world_at

NORM = "nom-901-playa-2011"
ANSWERED = ("read 1", f"note {NORM}#1 3 = 45 centímetros", "answer")
Lines = list[Mapping[str, Any]]


def test_every_step_is_recorded_before_the_next_is_decided(state: State) -> None:
    lines: Lines = []
    recorded_when_asked: list[int] = []

    def careful() -> Navigator:
        for action in ANSWERED:
            recorded_when_asked.append(len(lines))
            yield Decision(parse_action(action))

    walk("", world_at(state, NORM), careful(), lines.append, ticking(0))
    assert recorded_when_asked == [0, 1, 2]
    assert len(lines) == 4


def test_a_recorded_step_says_where_what_why_and_what_was_seen(state: State) -> None:
    lines: Lines = []
    heard: list[Observation[Any]] = []
    walk("", world_at(state, NORM), scripted("doors", "hop 2", "give up", heard=heard), lines.append, ticking(0))
    assert [(line["step"], line["at"], line["action"], line["hops"]) for line in lines[:3]] == [
        (1, NORM, "doors 1", 0),
        (2, NORM, "hop 2", 1),
        (3, "ley/art-1@2019-12-02", "give up", 1),
    ]
    assert lines[0]["why"] == "the script says doors 1"
    assert lines[0]["observation"]["text"] == heard[0].text
    assert lines[0]["observation"]["tokens"] == heard[0].tokens
    json.dumps(lines, default=str)


def test_a_walk_with_a_claim_that_stands_ends_answered(state: State) -> None:
    lines: Lines = []
    ended = walk("¿Cuánto?", world_at(state, NORM), scripted(*ANSWERED), lines.append, ticking(0))
    assert ended.ending == lines[-1]["ending"] == "answered"
    assert ended.answer.status == "answered"
    assert [claim.value for claim in ended.answer.claims] == ["45 centímetros"]
    assert lines[-1]["answer"]["question"] == "¿Cuánto?"


def test_a_walk_that_gives_up_ends_abstained_and_says_what_is_missing(state: State) -> None:
    ended = walk("", world_at(state, NORM), scripted("give up la multa de 1990"), Lines().append, ticking(0))
    assert ended.ending == "abstained"
    assert not ended.answer.claims
    assert [gap.what for gap in ended.answer.missing] == ["la multa de 1990"]


@pytest.mark.parametrize(
    "note",
    [None, f"note {NORM}#1 3", f"note {NORM}#1 3 = 46 centímetros"],
    ids=["no note", "only a lead", "a value that is not there"],
)
def test_a_walk_that_answers_with_no_claim_that_stands_ends_abstained(state: State, note: str | None) -> None:
    lines: Lines = []
    script = ("read 1", *([note] if note else []), "answer")
    ended = walk("", world_at(state, NORM), scripted(*script), lines.append, ticking(0))
    assert ended.ending == lines[-1]["ending"] == "abstained"
    assert ended.answer.status == "not_found"
    assert not ended.answer.claims


@pytest.mark.parametrize(
    ("limits", "seconds", "ending", "steps", "told"),
    [
        (Limits(steps=3), 0, "step_limit", 3, "limit of steps"),
        (Limits(tokens=1), 0, "token_limit", 1, "limit of tokens"),
        (Limits(wall_seconds=4), 2, "time_limit", 2, "limit of time"),
    ],
)
def test_a_limit_ends_the_walk_there_and_nothing_is_claimed(
    state: State, limits: Limits, seconds: float, ending: str, steps: int, told: str
) -> None:
    lines: Lines = []
    script = ("read 1", f"note {NORM}#1 3 = 45 centímetros", *["doors"] * 20)
    ended = walk("", world_at(state, NORM), scripted(*script), lines.append, ticking(seconds), limits)
    assert (ended.ending, lines[-1]["ending"], len(ended.steps)) == (ending, ending, steps)
    assert not ended.answer.claims
    assert any(told in note for note in ended.answer.notes)


def test_what_was_noted_before_a_limit_is_shown_as_what_came_near(state: State) -> None:
    script = ("read 1", f"note {NORM}#1 3 = 45 centímetros", "doors")
    ended = walk("", world_at(state, NORM), scripted(*script), Lines().append, ticking(0), Limits(steps=3))
    assert [claim.value for claim in ended.answer.near] == ["45 centímetros"]


def test_an_answer_on_the_last_step_allowed_is_an_answer(state: State) -> None:
    ended = walk("", world_at(state, NORM), scripted(*ANSWERED), Lines().append, ticking(0), Limits(steps=3))
    assert ended.ending == "answered"


def test_the_record_does_not_depend_on_who_navigates(state: State) -> None:
    """A script and a navigator that decides by what it is shown leave the same record when they decide the same."""

    def looking() -> Navigator:
        shown = yield Decision(Doors(), "?")
        door = next(door for door in shown.items if door.kind == "issued_by")
        yield Decision(parse_action(f"hop {door.number}"), "?")
        yield Decision(Read(1), "?")
        yield Decision(GiveUp(), "?")

    def written() -> Navigator:
        for line in ("doors", "hop 3", "read 1", "give up"):
            yield Decision(parse_action(line), "?")

    records: list[Lines] = [[], []]
    walks = [
        walk("", world_at(state, NORM), navigator, lines.append, ticking(0))
        for navigator, lines in zip((looking(), written()), records, strict=True)
    ]
    assert records[0] == records[1]
    assert walks[0] == walks[1]


def test_an_interrupted_walk_has_its_ending_in_the_record_and_is_interrupted(state: State) -> None:
    lines: Lines = []

    def interrupted() -> Navigator:
        yield Decision(parse_action("read 1"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        walk("", world_at(state, NORM), interrupted(), lines.append, ticking(0))
    assert [line.get("step", line.get("ending")) for line in lines] == [1, "interrupted"]
    assert lines[-1]["answer"]["notes"] == ("The walk was interrupted.",)


def test_a_walk_counts_what_its_steps_showed(state: State) -> None:
    script = ("doors", "hop 3", "read 1", "back", "hop 99", "read 1", "give up")
    ended = walk("", world_at(state, NORM), scripted(*script), Lines().append, ticking(0))
    assert ended.hops == 1
    assert ended.tokens == sum(step.observation.tokens for step in ended.steps)
    assert ended.read == ("playas#1", f"{NORM}#1")
    assert ended.as_json(explain=False)["walk"] == {
        "ending": "abstained", "hops": 1, "tokens": ended.tokens, "read": list(ended.read), "plan": [], "steps": 7,
        "use": Use().as_line(), "deposited": "",
    }  # fmt: skip


def test_a_walk_told_shows_place_sight_choice_and_reason_of_each_step_on_plain_lines(state: State) -> None:
    script = ("search veda\x1b[2J", f"enter {NORM}", "give up")
    world = World(state, clock())
    world.show(NORM)
    told = walk("", world, scripted(*script), Lines().append, ticking(0), plan=("uno", "dos\x1b[2J")).told()
    assert "\x1b" not in told
    lines = told.splitlines()
    assert lines[0].startswith("Plan: uno; dos")
    assert "  1. at nowhere yet: search veda[2J" in lines
    assert f"  2. at nowhere yet: enter {NORM}" in lines
    assert f"  3. at {NORM}: give up" in lines
    assert lines.count("     why: the script says give up") == 1
    assert sum(line.startswith("     | [1]") for line in lines) == 2
    assert lines[-1].startswith("Ending: abstained (3 steps, 0 hops, 0 passages read, ")


def test_of_doors_seen_those_that_could_be_chosen_are_told(state: State) -> None:
    told = walk("", world_at(state, NORM), scripted("doors", "give up"), Lines().append, ticking(0)).told()
    for kind in ("parent normas", "cites ley/art-1", "issued_by playas", "supersedes nom-901-playa-2001"):
        assert kind in told
