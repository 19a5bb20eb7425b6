"""Replays: a hunt taken again shows the same, and what was altered, lost or changed since is told in a sentence."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.journal import walk_ids
from forest.state import State
from navigator.chat import ToolCall
from navigator.route import hunt
from navigator.scripted import ScriptedChat
from tests.conftest import Forest, Ran, assert_one_clear_sentence, commit, git, plant
from tests.navigator.beach import BEACH, TODAY, opened

NORM = "nom-901-playa-2011"
TWO_HOPS = "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?"
FINE = "¿De cuánto es la multa de la NOM-901-PLAYA-2011?"
Lines = list[dict[str, Any]]


def call(name: str, **arguments: object) -> tuple[ToolCall, ...]:
    return (ToolCall("c", name, json.dumps(arguments)),)


def call_tools(state: State) -> str:
    chat = ScriptedChat(
        "no sé",
        call("search_documents", query=NORM),
        call("search_documents", query=NORM),
        call("read_chunks", chunk_ids=[f"{NORM}#1"]),
        {"answer": "999 pesos", "cites": [f"{NORM}#1"]},
        {"answer": "315.04 pesos", "cites": [f"{NORM}#1"], "missing": ""},
    )
    hunt(state, FINE, today=TODAY, navigator="tools", chat=chat, journal=True)
    return walk_ids(state.folder.parent)[0]


def walk(state: State) -> str:
    hunt(state, TWO_HOPS, today=TODAY, journal=True)
    return walk_ids(state.folder.parent)[0]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A forest of its own, to be changed."""
    return plant(tmp_path / "bosque", BEACH)


def recorded(folder: Path, how: Callable[[State], str] = walk) -> Path:
    """Record a hunt and return its journal."""
    with opened(folder) as state:
        walk_id = how(state)
        return state.folder.parent / "walks" / f"{walk_id}.jsonl"


def altered(journal: Path, change: Callable[[Lines], Any]) -> None:
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    change(lines)
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def replayed(forest: Forest, folder: Path, *arguments: str) -> Ran:
    return forest("replay", "last", "--forest", folder, *arguments)


@pytest.mark.parametrize("how", [walk, call_tools])
def test_a_hunt_shows_the_same_again_and_its_citations_prove(
    forest: Forest, own: Path, how: Callable[[State], str]
) -> None:
    journal = recorded(own, how)
    before = journal.read_bytes()
    ran = replayed(forest, own)
    assert ran.code == 0
    steps = len(before.splitlines()) - 2
    assert ran.out.count("     = the same was shown") == steps
    assert "≠" not in ran.out
    assert ran.out.splitlines()[-1].startswith(f"All {steps} steps show the same; ")
    assert ran.out.splitlines()[-1].endswith(" citations proven, 0 refused.")
    assert "Ending: answered" in ran.out
    assert journal.read_bytes() == before
    assert len(walk_ids(journal.parent.parent)) == 1


def test_a_walk_shows_the_same_after_the_forest_went_on(forest: Forest, own: Path) -> None:
    recorded(own)
    commit(own, {"normas/nom-901-playa-2011.md": "---\nid: otra\nkind: topic\ntitle: Otra\n---\n\nNada.\n"})
    ran = replayed(forest, own)
    assert ran.code == 0
    assert "at HEAD: node gone" in ran.out


@pytest.mark.parametrize("options", [{"as_of": "2005-01-01"}, {"in_force_on": "2010-06-01"}, {}])
def test_the_days_and_the_name_of_the_forest_are_those_recorded(
    forest: Forest, own: Path, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    days = [word for name, day in options.items() for word in (f"--{name.replace('_', '-')}", day)]
    forest("hunt", TWO_HOPS, "--route", "walk", "--forest", own, "--today", "2026-03-01", *days)
    monkeypatch.chdir(own)
    ran = forest("replay", "last")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("All ")


def test_what_differs_is_told_where_it_differs(forest: Forest, own: Path) -> None:
    def change(lines: Lines) -> None:
        text = lines[2]["observation"]["text"]
        lines[2]["observation"]["text"] = text.replace("\n", "\nuna línea de más\n", 1)

    altered(recorded(own), change)
    ran = replayed(forest, own)
    assert ran.code == 1
    assert ran.out.count("DIFFERS") == 1
    assert "DIFFERS: Line 2 was recorded as «una línea de más» and is «" in ran.out
    assert ran.out.splitlines()[-1].startswith("1 of ")
    told = replayed(forest, own, "--json")
    assert told.code == 1
    assert told.json["equal"] is False
    assert [step["step"] for step in told.json["steps"] if not step["same"]] == [2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[1]["observation"].update(tokens=7), "tokens was recorded as '7' and is "),
        (lambda lines: lines[1].update(at="playas"), "It was recorded at playas and is at no node."),
        (lambda lines: lines[1].update(hops=5), "Hops were recorded as 5 and are 0."),
        (lambda lines: lines.pop(2), "Step 2 is missing."),
        (lambda lines: lines[1].update(action="volar lejos"), "'volar lejos' is no action."),
        (lambda lines: lines[1].update(action="search " + "a" * 9_000), "what it holds is no action's"),
        (lambda lines: lines[1].update(action="search \ud800"), "what it holds is no action's"),
        (lambda lines: lines[0]["versions"].update(analyzer="0"), "other versions: analyzer 0, now "),
        (lambda lines: lines[0].update(versions=7), "other versions: "),
        (lambda lines: lines[0].update(tree="0" * 40), "The recorded tree is not the one of that commit"),
        (lambda lines: lines[0].update(commit="0" * 40), "Commit 000000000000 is not in this repository"),
        (lambda lines: lines[-1].update(ending="triunfo"), "'triunfo' is no ending of a walk."),
        (lambda lines: lines[-1].update(ending="abstained"), "is not what these steps come to."),
        (lambda lines: lines[-1]["answer"]["claims"][0].update(value="Marina"), "The recorded answer is not what"),
        (lambda lines: lines[-1]["answer"]["claims"][0]["citations"][0].update(sha256="0" * 64), "refused"),
        (lambda lines: lines[-1]["answer"]["claims"][0]["citations"][0].update(start="x"), "no usable 'start'"),
        (lambda lines: lines[-1]["answer"].update(claims=[]), "The recorded answer is not what these steps come to."),
    ],
)
def test_what_was_tampered_with_is_told_and_the_status_is_1(
    forest: Forest, own: Path, change: Callable[[Lines], Any], told: str
) -> None:
    altered(recorded(own), change)
    ran = replayed(forest, own)
    assert ran.code == 1
    assert told in ran.out
    assert "Traceback" not in ran.said
    assert not ran.out.splitlines()[-1].startswith("All ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[0].update(commit="--output=/tmp/x"), "which commit was read"),
        (lambda lines: lines[0].update(commit="HEAD"), "which commit was read"),
        (lambda lines: lines[0].update(clock=[]), "which days"),
        (lambda lines: lines[0]["clock"].update(start="2026-99-99"), "which days"),
        (lambda lines: lines[0]["clock"].update(end="0001-01-01"), "which days"),
        (lambda lines: lines[0]["clock"].update(as_of=7), "which days"),
        (lambda lines: lines[0]["clock"].update(source={}), "which days"),
        (lambda lines: lines[0].update(place=["x"]), "how the forest was named"),
        (lambda lines: lines[0].update(question="¿" * 9_000), "its question"),
        (lambda lines: lines[1].update(tools={"today": "ayer"}), "on which day"),
        (lambda lines: lines[1].update(tools=[]), "on which day"),
        (lambda lines: lines[0].update(format=99), "cannot be read"),
    ],
)
def test_a_journal_that_does_not_say_what_it_takes_is_refused_in_a_sentence(
    forest: Forest, own: Path, change: Callable[[Lines], Any], told: str
) -> None:
    journal = recorded(own)
    altered(journal, change)
    ran = forest("replay", journal.stem, "--forest", own)
    assert ran.code == 1
    assert_one_clear_sentence(ran, told)


def test_what_a_journal_says_cannot_write_on_a_terminal(forest: Forest, own: Path) -> None:
    def change(lines: Lines) -> None:
        lines[0]["navigator"] = "scout\x1b[2J\nEnding: answered"
        lines[1].update(action="search \x1b]0;x\x07\nAll 9 steps show the same", why="\u202eabc\ud800")
        lines[1]["observation"]["text"] = "a\x1b[31m\r\nAll 9 steps show the same; 9 citations proven, 0 refused."
        lines[-1]["answer"]["claims"][0].update(value="x\x1b[1m\ny")

    altered(recorded(own), change)
    ran = replayed(forest, own)
    assert ran.code == 1
    assert not any(mark in ran.out for mark in ("\x1b", "\x07", "\u202e"))
    assert sum(line.startswith(("All ", "Ending: ")) for line in ran.out.splitlines()) == 1


def test_a_torn_journal_is_replayed_as_far_as_it_goes(forest: Forest, own: Path) -> None:
    journal = recorded(own)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:4]) + lines[4][:40])
    ran = replayed(forest, own)
    assert ran.code == 0
    assert "It has no ending" in ran.out
    assert ran.out.splitlines()[-1].startswith("All 3 steps show the same; ")


def test_a_header_alone_and_a_file_of_garbage(forest: Forest, own: Path) -> None:
    journal = recorded(own)
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    assert replayed(forest, own).out.splitlines()[-1].startswith("All 0 steps show the same")
    journal.write_bytes(b"\x00\xff{{{[[[" * 100_000)
    ran = forest("replay", journal.stem, "--forest", own)
    assert_one_clear_sentence(ran, "cannot be read")
    ran = forest("replay", "../../etc/passwd", "--forest", own)
    assert_one_clear_sentence(ran, "There is no walk")


def test_a_journal_of_endless_steps_is_taken_up_to_a_bound(
    forest: Forest, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navigator.replay.MOST_STEPS", 5)
    altered(recorded(own), lambda lines: lines.__setitem__(slice(2, None), [lines[1]] * 50))
    ran = replayed(forest, own)
    assert ran.code == 1
    assert "Only the first 5 of 51 steps were taken again." in ran.out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[2].update(action="rm_rf {}"), "DIFFERS"),
        (lambda lines: lines[4].update(action='read_chunks {"chunk_ids": ["playas#1"]}'), "DIFFERS"),
        (lambda lines: lines[6].update(action='answer {"answer": "999", "cites": ["playas#1"]}'), "DIFFERS"),
        (lambda lines: lines.pop(4), "Step 4 is missing."),
        (lambda lines: lines[1]["tools"].update(budget_tokens=60), "DIFFERS"),
    ],
)
def test_a_hunt_that_called_tools_is_checked_as_strictly(
    forest: Forest, own: Path, change: Callable[[Lines], Any], told: str
) -> None:
    altered(recorded(own, call_tools), change)
    ran = replayed(forest, own)
    assert ran.code == 1
    assert told in ran.out
    assert "Traceback" not in ran.said


def test_steps_wait_for_the_delay_and_a_wrong_one_is_refused(
    forest: Forest, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(own, call_tools)
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    assert replayed(forest, own, "--delay", "2.5").code == 0
    assert waited == [2.5] * 6
    assert replayed(forest, own, "--delay", "1e9").code == 2


def test_no_repository_file_changes_and_no_walk_is_recorded(forest: Forest, own: Path) -> None:
    recorded(own)
    head = git(own, "rev-parse", "HEAD")
    assert replayed(forest, own, "--json").code == 0
    assert git(own, "rev-parse", "HEAD") == head
    assert git(own, "status", "--porcelain") == ""


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data())
def test_whatever_a_field_holds_it_ends_in_sentences(
    forest: Forest, tmp_path_factory: pytest.TempPathFactory, beach: Path, data: st.DataObject
) -> None:
    journal = recorded(beach, call_tools)
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    for _ in range(data.draw(st.integers(1, 4))):
        line = data.draw(st.sampled_from(lines))
        # A mapping drawn before may be empty: of that there is no field to change.
        places = [line, *(one for one in line.values() if isinstance(one, dict) and one)]
        place = data.draw(st.sampled_from(places))
        place[data.draw(st.sampled_from(sorted(place)))] = data.draw(JSON)
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ran = forest("replay", journal.stem, "--forest", beach)
    journal.unlink()
    assert ran.code in (0, 1)
    assert "Traceback" not in ran.said
