"""Walking by hand: every key does what the help says, garbage teaches, and the end of input is the end of the walk."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.history import open_snapshot
from forest.state import State
from navigator.actions import VERBS
from navigator.person import HELP, person
from navigator.walk import Walk, walk
from tests.conftest import Forest, Ran, assert_one_clear_sentence, node, plant
from tests.navigator.beach import opened, ticking, world_at

NORM, OLD = "nom-901-playa-2011", "nom-901-playa-2001"
TODAY = ("--today", "2026-03-01")
WALKED = "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?"


def typed(state: State, *lines: str, at: str = NORM) -> tuple[Walk, list[str]]:
    """Walk as a person who types these lines, then gives up; return the walk and what was told."""
    told: list[str] = []
    world = world_at(state, at)
    given_lines = iter(lines)

    def ask() -> str:
        line = next(given_lines, None)
        if line is None:
            raise EOFError
        return line

    return walk("", world, person(world, ask, told.append), lambda _: None, ticking(0)), told


def chosen(state: State, *lines: str, at: str = NORM) -> list[str]:
    """Return what the lines typed were taken for, but for the giving up at the end."""
    ended, _ = typed(state, *lines, at=at)
    assert ended.steps[-1].action == "give up"
    return [step.action for step in ended.steps[:-1]]


# --- keys -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("veda de sombrillas", "search veda de sombrillas"),
        ("a la orilla", "search a la orilla"),
        ("s a", "search a"),
        ("f veda", "find veda"),
        ("o", "outline 1"),
        ("o 2", "outline 2"),
        ("d", "doors 1"),
        ("d 3", "doors 3"),
        ("r", "read 1 1"),
        ("r 1", "read 1 1"),
        ("r 1 4", "read 1 4"),
        ("b", "back"),
        ("e playas", "enter playas"),
        ("w 2", "basis 2"),
        ("x 1", "drop 1"),
        ("  d  ", "doors 1"),
        *(
            (sample, sample)
            for sample in ("hop 2", "read 1 2", "enter playas", f"note {NORM}#1 2 = a", "drop 2", "back")
        ),
    ],
)
def test_a_key_and_the_action_it_stands_for_decide_the_same(state: State, line: str, action: str) -> None:
    assert chosen(state, line) == [action]


def test_giving_up_may_say_what_is_missing(state: State) -> None:
    ended, _ = typed(state, "q la multa de hoy")
    assert ended.steps[-1].action == "give up la multa de hoy"
    assert [gap.what for gap in ended.answer.missing] == ["la multa de hoy"]
    assert typed(state, "q")[0].steps[-1].action == "give up"


def test_every_key_that_the_help_names_is_understood_and_no_action_lacks_one(state: State) -> None:
    named = set(re.findall(r"(?:^|\s{2,})([a-z?])(?= |\n|$)", HELP))
    assert named == set("fdormbewnlxaq?")
    for key in named - {"q"}:
        ended, told = typed(state, "r 1", "n 3 = 45 centímetros", "d", key)
        assert len(told) > 3 or ended.ending == "answered", key
        assert "search" not in {step.action.split()[0] for step in ended.steps}
    each = (f"{key} 1" for key in sorted(named - {"q", "a", "n"}))
    ended, _ = typed(state, "veda", "1", "d", "1", *each, "b", "e " + NORM, "r", "n 2 = *", "a")
    taken = {step.action.split()[0] for step in ended.steps}
    assert taken == {verb.name.split()[0] for verb in VERBS} - {"give"}


@pytest.mark.parametrize("line", ["", "?", "h", "help", "   "])
def test_help_is_shown_on_request_and_is_no_step(state: State, line: str) -> None:
    ended, told = typed(state, line)
    assert told == [HELP]
    assert len(ended.steps) == 1


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_a_number_goes_through_a_door_of_the_doors_last_shown(state: State) -> None:
    assert chosen(state, "d", "3") == ["doors 1", "hop 3"]


def test_a_number_enters_what_a_search_found(state: State) -> None:
    ended, _ = typed(state, "sombrillas 2011", "1")
    assert ended.steps[1].action == f"enter {ended.steps[0].observation.items[0].reading.node.id}"


def test_a_number_reads_a_passage_or_goes_to_a_child_of_the_outline_last_shown(state: State) -> None:
    ended, _ = typed(state, "d", "o", "1", "o", "3", at="raiz")
    assert [step.action for step in ended.steps[2:5]] == ["read 1 1", "outline 1", "hop 2"]
    assert ended.steps[5].at == ended.steps[3].observation.items[2].id
    assert ended.hops == 1


def test_each_number_of_an_outline_leads_where_its_line_says(state: State) -> None:
    for at in ("raiz", "normas", "ley", "dependencias"):
        parts = typed(state, "o", at=at)[0].steps[0].observation.items
        for part in parts:
            ended, _ = typed(state, "o", str(part.number), at=at)
            if part.kind == "child":
                assert ended.steps[2].at.partition("@")[0] == part.id
            else:
                assert ended.steps[1].observation.items[0].passage == part.number


def test_a_number_reads_a_passage_that_was_found_where_one_stands(state: State) -> None:
    assert chosen(state, "f sombrillas", "1") == ["find sombrillas", "read 1 1"]


def test_reading_and_noting_between_do_not_change_what_a_number_means(state: State) -> None:
    assert chosen(state, "d", "r 1", "n 2", "w 3", "2")[-1] == "hop 2"


@pytest.mark.parametrize("line", ["9", "0", "00", "12345678901234567890"])
def test_a_number_that_is_not_in_the_list_is_refused_with_what_is(state: State, line: str) -> None:
    ended, told = typed(state, "d", line)
    assert told[-1] == f"No {line} there: the last list has 1 to 4. d shows doors, o the outline, WORDS search."
    assert len(ended.steps) == 2


def test_a_number_before_any_list_and_after_going_back_is_refused(state: State) -> None:
    assert "the last list is empty" in typed(state, "1")[1][-1]
    _, told = typed(state, "d", "2", "b", "1")
    assert "the last list is empty" in told[-1]


def test_a_refused_step_leaves_the_list_as_it_was(state: State) -> None:
    assert chosen(state, "d", "r 99", "e nada", "3")[-1] == "hop 3"


# --- more -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A node with more children and sentences than one step shows."""
    body = "# Nudo\n\n" + "\n\n".join(
        f"La regla {n} dice lo que dice la regla anterior, y algo más." for n in range(90)
    )
    files = {f"n{n:02}.md": node(f"n{n:02}", "Texto.", title="Parte " * 12) for n in range(60)}
    config = "name: prueba\nbudgets: {read_tokens: 600, outline_tokens: 400, scent_tokens: 400, passage_tokens: 4000}\n"
    index = node("raiz", body, kind="topic", title="Raíz")
    with opened(
        plant(tmp_path_factory.mktemp("nudo") / "b", {"index.md": index, "forest.yaml": config, **files})
    ) as state:
        yield state


@pytest.mark.parametrize("key", ["d", "o", "r 1"])
def test_m_goes_on_until_all_was_seen_once(hub: State, key: str) -> None:
    ended, told = typed(hub, key, *["m"] * 40, at="raiz")
    items = [item for step in ended.steps[:-1] for item in step.observation.items]
    assert [item.number for item in items] == list(range(1, ended.steps[0].observation.total + 1))
    assert told[1] == "m shows more."
    assert told[-1] == "There is no more of what was shown last. d shows doors, o the outline, r 1 reads."


def test_m_goes_on_with_the_outline_of_where_one_has_come(hub: State) -> None:
    ended, _ = typed(hub, "d", "1", "d", "1", "m", at="raiz")
    shown = ended.steps[3].observation.shown
    assert [step.action for step in ended.steps[2:5]] == ["doors 1", "hop 1", f"outline {shown + 1}"]


def test_doors_of_a_later_page_are_taken_by_their_numbers(hub: State) -> None:
    ended, _ = typed(hub, "d", "m", "m", "20", at="raiz")
    first, *_, last = ended.steps[2].observation.items
    assert 1 < first.number <= 20 <= last.number
    assert ended.steps[-1].at == "n19"


# --- notes ------------------------------------------------------------------------------------------------------------


def test_a_note_is_of_the_passage_whose_sentences_were_shown_last(state: State) -> None:
    assert chosen(state, "r 1", "n 2") == ["read 1 1", f"note {NORM}#1 2"]
    assert chosen(state, "d", "r 1", "3", "r 1", "n 2 , 3 = a b")[-1] == "note playas#1 2,3 = a b"


def test_words_behind_a_door_can_be_noted_by_their_numbers(state: State) -> None:
    ended, _ = typed(state, "r 1", "d", "w 3", "n 2", "n 7", at=OLD)
    assert [step.action for step in ended.steps[2:5]] == ["basis 3", f"note {NORM}#1 2", f"note {NORM}#1 7"]
    assert "was not read" in ended.steps[3].observation.text
    assert ended.steps[4].observation.text == "Note 1: Esta norma sustituye a la NOM-901-PLAYA-2001."


@pytest.mark.parametrize("line", ["n", "n dos", "n 2-4", "n = 3", "n 2,x = 3", "n ٣", "n 12345678901"])
def test_a_note_without_numbers_is_told_how_to_write_them(state: State, line: str) -> None:
    ended, told = typed(state, "r 1", line)
    assert "are no numbers of sentences. Like this: n 2,3 = the value" in told[-1]
    assert len(ended.steps) == 2


def test_a_note_before_any_reading_is_told_to_read(state: State) -> None:
    assert typed(state, "n 2")[1] == ["Nothing was read yet. Read a passage first: r 1"]


def test_a_value_that_does_not_stand_is_told_at_once_and_the_note_can_be_dropped(state: State) -> None:
    ended, told = typed(state, "r 1", "n 3 = 46 centímetros", "l", "x 1", "n 3 = 45 centímetros", "l", "a")
    assert "«46 centímetros» was not said" in told[2]
    assert "To drop the note: x 1" in told[2]
    assert told[3].startswith(f"[1] {NORM}#1 = 46 centímetros: La norma fija 45")
    assert "«46 centímetros» was not said" in told[3]
    assert told[-1].startswith(f"[1] {NORM}#1 = 45 centímetros: La norma fija 45")
    assert ended.ending == "answered"
    assert ended.answer.notes == ()


def test_an_answer_waits_for_a_note_that_answers(state: State) -> None:
    ended, told = typed(state, "a", "r 1", "n 3", "a", "n 3 = 46 centímetros", "answer")
    refusal = "No note answers yet. n 2 = VALUE notes a sentence that holds the answer; q gives up."
    assert told.count(refusal) == 3
    assert [step.action.split()[0] for step in ended.steps] == ["read", "note", "note", "give"]


def test_the_words_themselves_can_be_the_answer(state: State) -> None:
    ended, _ = typed(state, "r 1", "n 3 = *", "a")
    assert ended.ending == "answered"
    assert ended.answer.claims[0].text.startswith("La norma fija 45 centímetros")


# --- what is no key ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("d x", "'d x' is not d [FROM]. ? shows the keys."),
        ("r uno", "'r uno' is not r PASSAGE [FROM]. ? shows the keys."),
        ("hop tres", "'hop tres' is not hop DOOR."),
        ("e", "'e' is not e NODE. ? shows the keys."),
        ("w", "'w' is not w DOOR. ? shows the keys."),
        ("b 2", "'b 2' is not b. ? shows the keys."),
        ("forest scent lft --from 10", "That is a command for a shell. Here m shows more, and ? the keys."),
        ("x" * 3_000, "That has 3,000 characters; at most 2,000 are read."),
    ],
)
def test_what_cannot_be_meant_is_told_what_can_and_is_no_step(state: State, line: str, told: str) -> None:
    ended, heard = typed(state, line)
    assert heard == [told]
    assert len(ended.steps) == 1


@settings(max_examples=60)
@given(
    lines=st.lists(
        st.one_of(st.text(max_size=30), st.sampled_from([*"fdormbewnlxaq?123", "r 1", "n 2 = *", "e raiz"])), max_size=8
    )
)
def test_whatever_is_typed_the_walk_goes_on_until_it_ends_as_walks_end(state: State, lines: list[str]) -> None:
    ended, _ = typed(state, *lines)
    assert ended.ending in ("answered", "abstained")
    assert (ended.ending == "answered") == bool(ended.answer.claims)


# --- the command ------------------------------------------------------------------------------------------------------


def by_hand(forest: Forest, beach: Path, *lines: str, arguments: tuple[str, ...] = ()) -> Ran:
    return forest("walk", *arguments, "--forest", beach, *TODAY, stdin="".join(f"{line}\n" for line in lines))


def last(forest: Forest, beach: Path) -> Any:
    return forest("walks", "last", "--forest", beach, "--json").json


def test_a_walk_without_a_question_begins_at_the_root(forest: Forest, beach: Path) -> None:
    ran = by_hand(forest, beach, "q")
    assert HELP in ran.out
    assert "raiz> " in ran.out
    assert last(forest, beach)["steps"][0]["action"] == "enter raiz"


def test_a_walk_with_a_question_begins_with_a_search_for_it(forest: Forest, beach: Path) -> None:
    ran = by_hand(forest, beach, "q", arguments=("fogatas", "y", "veda"))
    assert "forest> " in ran.out
    record = last(forest, beach)
    assert record["header"]["question"] == "fogatas y veda"
    assert record["steps"][0]["action"] == "search fogatas y veda"


def test_at_begins_at_a_node_on_its_version_in_force(forest: Forest, beach: Path) -> None:
    assert "ley/art-1@2019-12-02> " in by_hand(forest, beach, "q", arguments=("--at", "ley/art-1")).out
    then = by_hand(forest, beach, "q", arguments=("¿veda?", "--at", "ley/art-1", "--in-force-on", "2010-01-01"))
    assert "ley/art-1@1999-01-04> " in then.out
    assert last(forest, beach)["steps"][0]["action"] == "enter ley/art-1"


def test_a_beginning_that_is_not_there_is_refused_before_anything_is_recorded(forest: Forest, beach: Path) -> None:
    before = forest("walks", "--forest", beach).out
    assert_one_clear_sentence(by_hand(forest, beach, arguments=("--at", "plalas")), "no node 'plalas'", "Did you mean")
    later = ("--at", NORM, "--as-of", "2005-01-01")
    assert_one_clear_sentence(by_hand(forest, beach, arguments=later), "is known only since 2011-05-02")
    assert forest("walks", "--forest", beach).out == before


def test_the_day_that_a_question_names_is_the_walk_s_day(forest: Forest, beach: Path) -> None:
    by_hand(forest, beach, "q", arguments=("¿Cuánto duraba la veda en 2010?",))
    assert last(forest, beach)["header"]["clock"]["source"] == "question"
    by_hand(forest, beach, "q", arguments=("¿Qué dice la Ley de la Veda?", "--as-of", "2012-01-01"))
    assert last(forest, beach)["header"]["clock"]["as_of"] == "2012-01-01"


def test_notes_become_claims_that_git_proves_and_the_exit_status_is_0(
    forest: Forest, beach: Path, tmp_path: Path
) -> None:
    ran = by_hand(
        forest, beach,
        *("e " + OLD, "d", "w 3", "n 7", "3", "d", "w 3", "n 2 = Secretaría de Playas", "a"),
        arguments=(WALKED,),
    )  # fmt: skip
    assert ran.code == 0, ran.out
    assert "La Secretaría de Playas expide esta norma." in ran.out
    record = last(forest, beach)
    assert f"Recorded: forest walks {record['id']}" in ran.out
    assert record["ending"]["ending"] == "answered"
    assert [claim["value"] for claim in record["ending"]["answer"]["claims"]] == ["Secretaría de Playas", ""]
    answer = tmp_path / "respuesta.json"
    answer.write_text(json.dumps(record))
    assert forest("verify", answer, "--forest", beach).out.endswith("2 proven, 0 refused.\n")
    assert record["header"]["commit"] == open_snapshot(beach).commit


def test_giving_up_ends_with_exit_status_1_and_no_claim(forest: Forest, beach: Path) -> None:
    ran = by_hand(forest, beach, "q", arguments=("¿Qué?",))
    assert ran.code == 1
    assert "The walk ended without an answer." in ran.out


def test_what_was_noted_is_shown_when_the_walk_is_given_up(forest: Forest, beach: Path) -> None:
    ran = by_hand(forest, beach, f"e {NORM}", "r 1", "n 3", "q", arguments=("sombrillas",))
    assert ran.code == 1
    assert "What comes nearest:" in ran.out
    assert "How it was reached:" not in ran.out
    assert ran.out.count("La norma fija 45 centímetros") >= 3


def test_the_end_of_input_gives_up(forest: Forest, beach: Path) -> None:
    ran = by_hand(forest, beach, "d")
    assert ran.code == 1
    assert [step["action"] for step in last(forest, beach)["steps"]] == ["enter raiz", "doors 1", "give up"]


def test_bytes_that_are_no_text_and_control_characters_are_taken_as_words(program: Forest, beach: Path) -> None:
    ran = program(
        "walk", "--forest", beach, stdin=b"hola \xff\xfe\x00 veda\n\x1b[2Jveda\x1b]0;x\x07\nq\n", PYTHONUTF8="1"
    )
    assert ran.code == 1
    assert "Traceback" not in ran.said
    assert not set(ran.out) & {"\x1b", "\x07", "\x00"}


def test_control_characters_of_nodes_and_questions_do_not_reach_the_terminal(forest: Forest, tmp_path: Path) -> None:
    nasty = "mal\u202eo\u200b"
    body = f"# Título\n\nTexto {nasty} \x9b2J de la playa.\n"
    files = {"index.md": node("raiz", body, kind="topic", title=f"Raíz {nasty}", scent=nasty), "a.md": node("a", body)}
    place = plant(tmp_path / "bosque", files)
    lines = ("o", "d", "r 1", "f playa", "n 2", "l", "e a", "1", "b", "x 1", "r 1", "n 2 = *", "a")
    ran = by_hand(forest, place, *lines, arguments=(f"{nasty} playa \x07", "--at", "raiz"))
    assert ran.code == 0, ran.out
    assert not set(ran.said) & {"\u202e", "\u200b", "\x9b", "\x07", "\x1b"}
