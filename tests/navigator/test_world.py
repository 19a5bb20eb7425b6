"""The world: what may be entered, read and noted, where one lands, and what each step costs."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.scent import scent
from forest.state import State
from forest.text import count_tokens
from navigator.actions import Basis, Enter, Hop, Note, Read
from navigator.world import World
from tests.conftest import node, plant
from tests.navigator.beach import BEACH, clock, door, edges, opened, take, world_at

NORM, OLD = "nom-901-playa-2011", "nom-901-playa-2001"
STEPS = (
    *("doors", "hop 1", "hop 2", "hop 3", "hop 4", "back", "outline", "search veda", "find veda", "basis 2", "read 1"),
    *("enter ley/art-1", "enter faros", "enter raiz"),
)


# --- what was shown ------------------------------------------------------------------------------------------------


def test_a_node_that_nothing_has_shown_cannot_be_entered(state: State) -> None:
    world = world_at(state, "raiz")
    (told,) = take(world, "enter playas")
    assert told.text == "playas was not shown on this walk. Search for it, or hop through a door."
    assert world.here is not None
    assert world.here.id == "raiz"


def test_what_a_search_found_can_be_entered(state: State) -> None:
    world = world_at(state)
    found, _ = take(world, "search sombrillas", f"enter {NORM}")
    assert NORM in [hit.reading.node.id for hit in found.items]
    assert world.here is not None
    assert world.here.id == NORM


def test_what_doors_showed_can_be_entered(state: State) -> None:
    world = world_at(state, NORM)
    take(world, "doors", "enter playas")
    assert world.here is not None
    assert world.here.id == "playas"


def test_children_that_an_outline_showed_can_be_entered_and_the_parent_that_it_only_names_cannot(state: State) -> None:
    world = world_at(state, "normas")
    refused, _ = take(world, "enter raiz", f"enter {NORM}")
    assert "was not shown" in refused.text
    assert world.here is not None
    assert world.here.id == NORM


def test_a_door_whose_end_was_not_shown_cannot_be_taken(state: State) -> None:
    world = world_at(state, NORM)
    (told,) = take(world, "hop 2")
    assert told.text == f"{NORM} has shown no door 2. See its doors first."
    assert world.hops == 0
    take(world, "doors", "hop 2")
    assert world.hops == 1


def test_a_door_that_is_not_there_is_refused_with_how_many_there_are(state: State) -> None:
    world = world_at(state, NORM)
    _, told = take(world, "doors", "hop 99")
    assert f"doors of {NORM}" in told.text
    assert "There is no place 99" in told.text


@settings(max_examples=40)
@given(script=st.lists(st.sampled_from(STEPS), max_size=12))
def test_one_stands_only_at_what_was_shown_before_or_at_its_version_in_force(state: State, script: list[str]) -> None:
    world = world_at(state, "normas")
    shown = {"normas", *(part.id for part in take(world, "outline")[0].items)}
    for line in script:
        (observation,) = take(world, line)
        assert world.here is not None
        place = world.here.id
        assert {place, place.partition("@")[0]} & shown
        if line == "doors" or line.startswith(("hop", "enter", "outline")):
            shown |= {item.to if line == "doors" else item.id for item in observation.items}
        if line.startswith("search"):
            shown |= {hit.reading.node.id for hit in observation.items}


# --- where one lands ------------------------------------------------------------------------------------------------


def test_behind_a_door_to_a_work_lies_its_version_in_force_and_it_is_told_why(state: State) -> None:
    world = world_at(state, NORM)
    here = door(world, "cites", "ley/art-1")
    told = world.take(Hop(here.number))
    assert world.here is not None
    assert world.here.id == "ley/art-1@2019-12-02"
    assert told.text.splitlines()[1] == "This is the text of ley/art-1 in force on 2026-03-01."
    assert told.tokens == count_tokens(told.text)


def test_the_version_is_that_of_the_day_that_is_asked_about(state: State) -> None:
    world = world_at(state, "ley/art-1", clock(on=date(2010, 5, 1)))
    assert world.here is not None
    assert world.here.id == "ley/art-1@1999-01-04"


def test_where_no_version_was_in_force_one_stands_on_the_work_and_is_told(state: State) -> None:
    world = world_at(state, "", clock(on=date(1990, 1, 1)))
    world.show("ley/art-1")
    told = world.take(Enter("ley/art-1"))
    assert world.here is not None
    assert world.here.id == "ley/art-1"
    assert "No text of ley/art-1 was in force on 1990-01-01" in told.text.splitlines()[1]


def test_a_version_named_as_such_is_entered_whatever_the_day(state: State) -> None:
    world = world_at(state, "ley/art-1@1999-01-04")
    assert world.here is not None
    assert world.here.id == "ley/art-1@1999-01-04"


def test_a_hop_to_the_parent_of_a_version_stands_on_the_work(state: State) -> None:
    world = world_at(state, "ley/art-1")
    up = door(world, "parent", "ley/art-1")
    world.take(Hop(up.number))
    assert world.here is not None
    assert world.here.id == "ley/art-1"


def test_the_line_on_the_version_is_paid_from_the_outline_s_budget(tmp_path: Path) -> None:
    files = {f"ley/art-1/v{n}.md": node(f"ley/art-1/v{n}", title="Parte " * 30) for n in range(40)}
    config = "name: prueba\nbudgets: {outline_tokens: 400}\n"
    folder = plant(tmp_path / "bosque", {**BEACH, **files, "forest.yaml": config})
    with opened(folder) as state:
        world = world_at(state, "", clock(on=date(1990, 1, 1)))
        world.show("ley/art-1")
        told = world.take(Enter("ley/art-1"))
    assert told.truncated
    assert told.tokens == count_tokens(told.text) <= 400


# --- counting -------------------------------------------------------------------------------------------------------


def test_a_refused_action_is_an_observation_that_teaches_and_is_charged(state: State) -> None:
    world = world_at(state)
    (told,) = take(world, "outline")
    assert told.text == "You stand nowhere yet. Search, then enter a node."
    assert world.steps == 1
    assert world.tokens == told.tokens == count_tokens(told.text)
    assert not told.items


def test_every_action_is_one_step_and_costs_what_it_shows(state: State) -> None:
    world = world_at(state, "raiz")
    script = (
        "doors",
        "hop 99",
        "hop 2",
        "outline",
        "read 7",
        "find olas",
        "back",
        "search veda",
        "enter nada",
        "answer",
    )
    shown = take(world, *script)
    assert world.steps == len(script)
    assert world.tokens == sum(observation.tokens for observation in shown)


def test_only_doors_gone_through_are_hops(state: State) -> None:
    world = world_at(state, NORM)
    take(world, "doors", "hop 1", "back", "hop 99", "enter playas", "search veda", f"enter {NORM}", "read 1", "hop 1")
    assert world.hops == 2


def test_back_returns_along_the_way_and_says_when_there_is_none(state: State) -> None:
    world = world_at(state, "raiz")
    take(world, "search sombrillas", f"enter {NORM}", "doors", f"enter {OLD}")
    first, second, third = take(world, "back", "back", "back")
    assert first.text == f"Back at {NORM}: Sombrillas, NOM-901-PLAYA-2011."
    assert second.text.startswith("Back at raiz")
    assert third.text == "There is nowhere to go back to. This is where the walk began."


# --- the words behind a door ----------------------------------------------------------------------------------------


def test_the_basis_of_an_edge_out_stands_in_the_body_of_where_one_is(state: State) -> None:
    world = world_at(state, NORM)
    told = world.take(Basis(door(world, "issued_by", "playas").number))
    assert [(node_id, unit.text) for node_id, unit in told.items] == [
        (NORM, "La Secretaría de Playas expide esta norma.")
    ]


def test_the_basis_of_an_inverse_edge_stands_in_the_body_of_the_node_behind_it(state: State) -> None:
    world = world_at(state, OLD)
    told = world.take(Basis(door(world, "superseded_by", NORM).number))
    assert [(node_id, unit.text) for node_id, unit in told.items] == [
        (NORM, "Esta norma sustituye a la NOM-901-PLAYA-2001.")
    ]


def test_a_door_of_the_hierarchy_rests_on_no_words(state: State) -> None:
    world = world_at(state, NORM)
    told = world.take(Basis(door(world, "parent", "normas").number))
    assert told.text == f"Door 1 of {NORM} rests on no words."


@pytest.mark.parametrize("number", range(1, 6))
def test_the_sentences_of_a_basis_have_the_numbers_that_reading_gives_them(state: State, number: int) -> None:
    world = world_at(state, NORM)
    take(world, "doors")
    based = world.take(Basis(number))
    numbered = {unit.number: unit.text for unit in world.take(Read(1)).items}
    assert all(numbered[unit.number] == unit.text for _, unit in based.items)


def test_a_basis_after_a_table_and_in_a_sentence_of_many_pieces_is_numbered_as_read(tmp_path: Path) -> None:
    long = " ".join(f"palabra{n}" for n in range(900))
    body = f"| A | B |\n|---|---|\n| 1 | 2 |\n\n{long} y esta norma cita a la segunda, fin.\n\nOtra cosa."
    files = {
        "index.md": node("raiz", kind="topic"),
        "a.md": node("a", body, edges=edges(("cites", "b", "la segunda", "esta norma cita a la segunda"))),
        "b.md": node("b", "Texto."),
    }
    with opened(plant(tmp_path / "bosque", files)) as state:
        world = world_at(state, "a")
        told = world.take(Basis(door(world, "cites", "b").number))
        ((_, unit),) = told.items
        assert "cita a la segunda" in unit.text
        passage = state.catalog.passage(state.catalog.node("a"), unit.passage)
        assert passage is not None
        start, read = 1, []
        while True:
            page = world.take(Read(unit.passage, start))
            read += page.items
            if not page.next:
                break
            start += page.shown
        assert read[unit.number - 1].text == unit.text
        noted = world.take(Note(f"a#{unit.passage}", (unit.number,)))
        assert "cita a la segunda" in noted.text


def test_a_basis_longer_than_a_reading_may_be_is_cut_off_aloud(tmp_path: Path) -> None:
    sentences = " ".join(f"La regla {n} dice lo que dice la regla anterior." for n in range(200))
    files = {
        "index.md": node("raiz", kind="topic"),
        "a.md": node("a", f"# A\n\n{sentences}", edges=edges(("cites", "b", "la segunda", sentences))),
        "b.md": node("b", "Texto."),
        "forest.yaml": "name: prueba\nbudgets: {read_tokens: 600, passage_tokens: 4000}\n",
    }
    with opened(plant(tmp_path / "bosque", files)) as state:
        world = world_at(state, "a")
        told = world.take(Basis(door(world, "cites", "b").number))
    assert told.tokens <= 600
    assert told.truncated
    assert told.text.splitlines()[0] == told.text.splitlines()[-1]
    assert "LEFT OUT" in told.text.splitlines()[0]
    assert told.next.startswith("forest read a#1 --from ") or told.next.startswith("forest read 'a#1' --from ")


# --- reading, finding, noting --------------------------------------------------------------------------------------


def test_find_names_the_passages_of_where_one_stands_that_have_the_words(tmp_path: Path) -> None:
    chapters = "\n\n".join(
        f"## Capítulo {n}\n\nTrata de {word}." for n, word in enumerate(("focas", "algas", "corales"))
    )
    files = {
        "index.md": node("raiz", kind="topic"),
        "a.md": node("a", chapters),
        "b.md": node("b", "Las algas y las algas."),
    }
    with opened(plant(tmp_path / "bosque", files)) as state:
        world = world_at(state, "a")
        found, nothing = take(world, "find algas", "find erizos")
        assert [part.id for part in found.items] == ["a#2"]
        assert "[2] a#2" in found.text
        assert nothing.text.startswith("COMPLETE: no parts of a")
        assert take(world, "read 2")[0].items[1].text == "Trata de algas."


def test_find_says_that_there_may_be_more_than_the_best(tmp_path: Path) -> None:
    body = "\n\n".join(f"## Capítulo {n}\n\nTrata de algas." for n in range(9))
    with opened(plant(tmp_path / "bosque", {"index.md": node("raiz", kind="topic"), "a.md": node("a", body)})) as state:
        (found,) = take(world_at(state, "a"), "find algas")
    assert found.shown == 4
    assert "MORE MAY HAVE THEM" in found.text.splitlines()[0]
    assert "MORE MAY HAVE THEM" in found.text.splitlines()[-1]


def test_only_what_was_read_can_be_noted(state: State) -> None:
    world = world_at(state, NORM)
    unread, _, noted, beyond, elsewhere = take(
        world, f"note {NORM}#1 2", "read 1", f"note {NORM}#1 2", f"note {NORM}#1 2,40", "note playas#1 1"
    )
    only = "Only what was read on this walk can be noted."
    assert unread.text == f"Sentence 2 of {NORM}#1 was not read. {only}"
    assert noted.text == "Note 1: La Secretaría de Playas expide esta norma."
    assert beyond.text == f"Sentence 40 of {NORM}#1 was not read. {only}"
    assert elsewhere.text == f"Sentence 1 of playas#1 was not read. {only}"
    assert [note.quotes for note in world.notes] == [("La Secretaría de Playas expide esta norma.",)]


def test_sentences_on_a_page_not_yet_seen_cannot_be_noted(tmp_path: Path) -> None:
    body = "\n\n".join(
        f"La regla {n} dice lo que dice la regla anterior, y algo más que nadie lee." for n in range(120)
    )
    config = "name: prueba\nbudgets: {read_tokens: 600, passage_tokens: 4000}\n"
    files = {"index.md": node("raiz", kind="topic"), "a.md": node("a", body), "forest.yaml": config}
    with opened(plant(tmp_path / "bosque", files)) as state:
        world = world_at(state, "a")
        first, refused = take(world, "read 1", "note a#1 100")
        assert first.truncated
        assert "Sentence 100 of a#1 was not read." in refused.text
        _, noted = take(world, "read 1 100", "note a#1 100")
        assert noted.text.startswith("Note 1: La regla 99")


def test_a_note_quotes_neighbours_as_one_run_and_others_apart(state: State) -> None:
    world = world_at(state, NORM)
    take(world, "read 1", f"note {NORM}#1 2,3,1,2", f"note {NORM}#1 1,3")
    together, apart = world.notes
    assert len(together.quotes) == 1
    assert together.quotes[0].startswith("# NOM-901-PLAYA-2011\n\nLa Secretaría")
    assert [quote[:12] for quote in apart.quotes] == ["# NOM-901-PL", "La norma fij"]


def test_a_note_without_numbers_is_refused(state: State) -> None:
    world = world_at(state, NORM)
    take(world, "read 1")
    world.take(Note(f"{NORM}#1", ()))
    assert world.notes == []


def test_a_dropped_note_is_forgotten_and_those_after_it_move_up(state: State) -> None:
    world = world_at(state, NORM)
    take(world, "read 1", f"note {NORM}#1 1", f"note {NORM}#1 2", f"note {NORM}#1 3")
    dropped, refused = take(world, "drop 2", "drop 3")
    assert dropped.text == "Note 2 is dropped. Notes kept: 2."
    assert refused.text == "There is no note 3. Notes kept: 2."
    assert [note.quotes[0][:9] for note in world.notes] == ["# NOM-901", "La norma "]


def test_passages_are_told_in_the_order_of_their_first_reading(state: State) -> None:
    world = world_at(state, NORM)
    take(world, "read 1", "doors", "hop 2", "read 1", "back", "read 1", "read 9")
    here = [p for p in world.read if p.startswith(NORM)]
    assert here == [f"{NORM}#1"]
    assert len(world.read) == len(set(world.read)) == 2


def test_what_is_asked_for_reaches_no_refusal_with_control_characters_or_at_any_length(state: State) -> None:
    world = world_at(state, NORM)
    for action in (
        Enter("a\x1b[2J" * 5_000),
        Note("b\x1b[2J#1", tuple(range(1, 5_000))),
    ):
        told = world.take(action)
        assert "\x1b" not in told.text
        assert told.tokens < 1_000


def test_a_walk_as_of_a_day_reaches_nothing_later(beach: Path) -> None:
    day = date(2005, 1, 1)
    with opened(beach, day) as state:
        world = World(state, clock(as_of=day))
        for node_id in ("nom-901-playa-2001", NORM, "ley/art-1@2019-12-02", "oleaje"):
            world.show(node_id)
        told = take(
            world, f"enter {NORM}", "enter ley/art-1@2019-12-02", "enter oleaje", f"enter {OLD}", "search sombrillas"
        )
        assert all("is known only since" in refused.text for refused in told[:3])
        assert world.here is not None
        assert world.here.id == OLD
        assert [d.to for d in scent(state, OLD, world.clock).items] == ["normas", "faros"]
        assert NORM not in told[4].text


def test_edges_of_the_sample_forest_show_the_words_that_establish_them_from_either_end(sample: Path) -> None:
    with opened(sample) as state:
        looked, silent = 0, []
        for node_id in list(state.catalog.ids(""))[::4]:
            world = world_at(state, "", clock())
            world.here = state.catalog.node(node_id)
            seen = take(world, "doors")[0]
            for way in seen.items:
                if way.kind in ("parent", "child"):
                    continue
                looked += 1
                told = world.take(Basis(way.number))
                if not told.items:
                    silent.append((node_id, way.kind, way.to, told.text))
        assert looked > 100
        assert silent == []
