"""Shortcuts: minted when a way was walked often enough, reinforced and never doubled, bounded, doors like others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from forest.doors import count_doors, doors_of
from forest.history import open_snapshot
from forest.minting import consider, retire, way_of
from forest.scent import scent
from forest.shortcuts import evidence_of, faults_of, shortcut_to, shortcuts_of
from forest.showing import passport_view
from forest.state import State, open_state
from forest.steps import step_clock
from forest.trail import Trail, WalkedDoor
from tests.conftest import commit, git, node
from tests.forest.earned import TODAY, Deposited, cite, minted, plant_chain, trail, walk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return plant_chain(tmp_path / "bosque")


@pytest.fixture
def state(folder: Path) -> Iterator[State]:
    with open_state(open_snapshot(folder)) as opened:
        yield opened


# --- minting ----------------------------------------------------------------------------------------------------------


def test_a_way_walked_twice_is_minted_and_carries_what_was_cited_in_its_order(state: State) -> None:
    done = Deposited()
    first, second = trail(state, "a", "b", "c", cited=["a"]), trail(state, "a", "b", "c", cited=["b"], number=1)
    assert walk(state, done, first) is None
    shortcut = walk(state, done, second)
    assert shortcut is not None
    assert [(door.source, door.kind, door.to) for door in shortcut.way] == [("a", "cites", "b"), ("b", "cites", "c")]
    assert [cited.node for cited in shortcut.passages] == ["a", "b", "c"]
    assert shortcut.trails == (first.id, second.id)
    assert (shortcut.minted, shortcut.reinforced) == (TODAY, TODAY)
    assert shortcuts_of(state, "a") == (shortcut,)


def test_trails_of_other_questions_do_not_mint(state: State) -> None:
    done = Deposited()
    assert walk(state, done, trail(state, "a", "b", "c")) is None
    assert walk(state, done, trail(state, "a", "b", "c", question="plazo")) is None


def test_with_one_trail_needed_the_first_mints(folder: Path) -> None:
    commit(folder, {"forest.yaml": "name: prueba\nshortcuts: {min_trails: 1}\n"})
    with open_state(open_snapshot(folder)) as state:
        assert walk(state, Deposited(), trail(state, "a", "b", "c")) is not None


def test_a_way_of_a_single_node_mints_nothing(state: State) -> None:
    done = Deposited()
    for number in range(3):
        assert walk(state, done, trail(state, "c", number=number)) is None


def test_a_single_door_is_minted_only_if_it_carries_more_than_its_end(state: State) -> None:
    done = Deposited()
    for number in range(3):
        assert walk(state, done, trail(state, "b", "c", number=number)) is None
    more = walk(state, done, trail(state, "b", "c", cited=["b"], number=4))
    assert more is not None
    assert len(more.way) == 1
    assert [cited.node for cited in more.passages] == ["b", "c"]


def test_a_trail_that_is_not_among_those_to_count_mints_nothing(state: State) -> None:
    first, second = trail(state, "a", "b", "c"), trail(state, "a", "b", "c", number=1)
    assert consider(state, second, TODAY, lambda *_: [first]) is None  # private: the index does not tell of it


def test_the_same_trail_is_counted_once(state: State) -> None:
    one = trail(state, "a", "b", "c")
    assert consider(state, one, TODAY, lambda *_: [one, one]) is None


def test_the_way_is_followed_back_from_the_node_that_answers() -> None:
    def door(source: str, to: str, *, useful: bool = True) -> WalkedDoor:
        return WalkedDoor(source, "cites" if source else "entry", to, useful)

    doors = (
        door("", "x"),
        door("x", "ley"),
        door("", "a"),
        door("a", "b"),
        door("ley@2020-01-01", "b"),
        door("b", "c"),
    )

    class _Cited:
        node = "c@2021-01-01"

    class _Trail:
        cited = (_Cited,)

    one = _Trail()
    one.doors = doors  # type: ignore[attr-defined]
    way = way_of(one)  # type: ignore[arg-type]
    assert [(step.source, step.to) for step in way] == [("x", "ley"), ("ley@2020-01-01", "b"), ("b", "c")]
    one.doors = (*doors[:5], door("b", "c", useful=False))  # type: ignore[attr-defined]
    assert way_of(one) == ()  # type: ignore[arg-type]


def test_a_way_in_a_circle_is_none(state: State) -> None:
    done = Deposited()
    for number in range(3):
        assert walk(state, done, trail(state, "a", "b", "a", number=number)) is None


# --- reinforcing ------------------------------------------------------------------------------------------------------


def test_a_further_trail_reinforces_and_does_not_double(state: State) -> None:
    done = Deposited()
    first = minted(state, "a", "b", "c", done=done)
    later = TODAY + timedelta(days=10)
    again = walk(state, done, trail(state, "a", "b", "c", number=9, question="otra"), later)
    assert again is not None
    assert (again.id, again.minted, again.reinforced) == (first.id, TODAY, later)
    assert again.trails == (*first.trails, done.trails[-1].id)
    assert state.shortcuts.all() == (again,)
    assert consider(state, done.trails[-1], later, done.similar()) is None


def test_who_takes_a_shortcut_reinforces_it(state: State) -> None:
    first = minted(state, "a", "b", "c")
    taken = trail(state, "a", "c", kind="shortcut", number=5)
    again = consider(state, taken, TODAY, lambda *_: [])
    assert again is not None
    assert (again.id, again.trails[-1]) == (first.id, taken.id)


def test_a_longer_way_over_a_shortcut_is_one_over_its_doors(state: State) -> None:
    minted(state, "a", "b")
    done = Deposited()
    one = trail(state, "a", "b", "c")
    doors = tuple(
        WalkedDoor(d.source, "shortcut" if d.source == "a" and d.useful else d.kind, d.to, d.useful) for d in one.doors
    )
    over = Trail(**{**{name: getattr(one, name) for name in Trail.__annotations__}, "doors": doors})
    done.trails.append(trail(state, "a", "b", "c", number=1))
    longer = walk(state, done, over)
    assert longer is not None
    assert [door.kind for door in longer.way] == ["cites", "cites"]


def test_a_shortcut_that_nobody_knows_spans_nothing(state: State) -> None:
    done = Deposited()
    for number in range(3):
        assert walk(state, done, trail(state, "a", "c", kind="shortcut", cited=["a"], number=number)) is None


def test_what_it_names_is_bounded_and_a_full_one_changes_once_a_day(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forest.minting.MOST_TRAILS", 4)
    done = Deposited()
    minted(state, "a", "b", "c", done=done)
    for number in range(3):
        walk(state, done, trail(state, "a", "b", "c", number=100 + number))
    (full,) = shortcuts_of(state, "a")
    assert len(full.trails) == 4
    before = git(state.snapshot.folder, "rev-parse", f"refs/forest/{state.snapshot.forest_id}/shortcuts")
    assert walk(state, done, trail(state, "a", "b", "c", number=900)) is None
    assert git(state.snapshot.folder, "rev-parse", f"refs/forest/{state.snapshot.forest_id}/shortcuts") == before
    assert walk(state, done, trail(state, "a", "b", "c", number=901), TODAY + timedelta(days=1)) is not None


# --- at most so many for a node ---------------------------------------------------------------------------------------


def hub(tmp_path: Path) -> Path:
    names = [f"n{number}" for number in range(4)]
    texts = {name: node(name, f"Texto de {name}.", published="2020-01-01") for name in names}
    folder = plant_chain(tmp_path / "centro", **texts)
    commit(folder, {"forest.yaml": "name: prueba\nshortcuts: {most_per_node: 2, cold_after_days: 30}\n"})
    return folder


def test_a_newcomer_takes_the_place_of_the_coldest_and_of_no_other(tmp_path: Path) -> None:
    with open_state(open_snapshot(hub(tmp_path))) as state:
        first, second = minted(state, "a", "b", "n0"), minted(state, "a", "b", "n1", today=TODAY + timedelta(days=5))
        done = Deposited()
        for number in range(3):
            assert walk(state, done, trail(state, "a", "b", "n2", number=number), TODAY + timedelta(days=30)) is None
        assert {one.id for one in shortcuts_of(state, "a")} == {first.id, second.id}
        late = TODAY + timedelta(days=31)
        third = walk(state, done, trail(state, "a", "b", "n2", number=7), late)
        assert third is not None
        assert {one.id for one in shortcuts_of(state, "a")} == {second.id, third.id}


# --- doors ------------------------------------------------------------------------------------------------------------


def test_a_shortcut_is_the_last_door_and_moves_no_other(state: State) -> None:
    row = state.catalog.node("a")
    before = doors_of(state, row)
    minted(state, "a", "b", "c")
    after = doors_of(state, row)
    assert after[:-1] == before
    door = after[-1]
    assert (door.kind, door.to, door.scent, door.number) == ("shortcut", "c", "la multa", len(after))
    assert door.note == "2 doors at once, with 2 passages"
    assert count_doors(state, row) == len(after)
    assert doors_of(state, row, limit=1, start=door.number) == (door,)


def test_pages_of_doors_put_together_give_each_once(state: State) -> None:
    minted(state, "a", "b", "c")
    minted(state, "a", "b", "d")
    row = state.catalog.node("a")
    every = doors_of(state, row)
    assert [door.number for door in every] == list(range(1, len(every) + 1))
    for limit in range(1, len(every) + 1):
        pages = [doors_of(state, row, limit, start) for start in range(1, len(every) + 1, limit)]
        assert tuple(door for page in pages for door in page) == every
    seen = scent(state, "a", step_clock(as_of=None, in_force_on=None, today=TODAY))
    assert seen.text.startswith(f"COMPLETE: all {len(every)} doors of a.")
    assert f"[{len(every)}] shortcut d (2 doors at once, with 2 passages)  (publication) d: el plazo" in seen.text
    view = passport_view(state, "a", as_json=False)
    assert f"Doors: all {len(every)} doors" in view
    assert "shortcut       c (2 doors at once, with 2 passages)  la multa" in view


def test_two_ways_to_one_node_are_one_door(state: State) -> None:
    minted(state, "a", "b", "c")
    other = minted(state, "a", "d", "c", today=TODAY + timedelta(days=1))
    assert [door.to for door in doors_of(state, state.catalog.node("a")) if door.kind == "shortcut"] == ["c"]
    assert shortcut_to(state, "a", "c") == other


def test_an_applied_shortcut_is_one_door(folder: Path) -> None:
    with open_state(open_snapshot(folder)) as state:
        shortcut = minted(state, "a", "b", "c")
    text = (folder / "a.md").read_text(encoding="utf-8")
    marked = text.replace("edges: \n", "edges:\n  - {kind: shortcut, to: c, scent: directo}\n")
    commit(folder, {"a.md": marked})
    with open_state(open_snapshot(folder)) as state:
        row = state.catalog.node("a")
        doors = doors_of(state, row)
        assert [(door.kind, door.scent, door.note) for door in doors if door.to == "c"] == [
            ("shortcut", "directo", "2 doors at once, with 2 passages")
        ]
        assert count_doors(state, row) == len(doors)
        assert shortcut_to(state, "a", "c") == shortcut
        retire(state, [shortcut])
        assert [door.note for door in doors_of(state, row) if door.kind == "shortcut"] == [""]


def test_before_it_was_minted_or_its_target_known_there_is_no_door(folder: Path) -> None:
    with open_state(open_snapshot(folder)) as state:
        minted(state, "a", "b", "c")
        minted(state, "a", "b", "d", today=date(2026, 1, 15))
        row = state.catalog.node("a")

        def earned(day: date) -> list[str]:
            on = state.on(day)
            assert count_doors(on, row) == len(doors_of(on, row))
            return [door.to for door in doors_of(on, row) if door.kind == "shortcut"]

        assert earned(date(2026, 3, 1)) == ["c", "d"]
        assert earned(date(2026, 2, 28)) == ["d"]  # minted the day after
        assert earned(date(2026, 1, 31)) == []  # d was published the day after
        assert [one.to for one in shortcuts_of(state.on(date(2026, 1, 31)), "a")] == ["d"]


# --- what it carries --------------------------------------------------------------------------------------------------


def test_passages_that_moved_are_found_and_those_that_changed_are_told(folder: Path) -> None:
    with open_state(open_snapshot(folder)) as state:
        shortcut = minted(state, "a", "b", "c")
        assert evidence_of(state, shortcut).passages == shortcut.passages
    moved = node("c", "Antes, otra cosa.\n\n# Multas\n\nOtra.", published="2020-01-03", scent="la multa")
    kept = (folder / "a.md").read_text(encoding="utf-8").replace("summary: Un texto.", "summary: Un texto más largo.")
    commit(folder, {"a.md": kept})
    with open_state(open_snapshot(folder)) as state:
        evidence = evidence_of(state, shortcut)
        assert evidence.changed == ()
        assert evidence.passages[0] == cite(state, "a")
        assert evidence.passages[0].start > shortcut.passages[0].start
    commit(folder, {"c.md": moved})
    with open_state(open_snapshot(folder)) as state:
        evidence = evidence_of(state, shortcut)
        assert (evidence.passages, evidence.changed) == ((), ("c#1",))
        assert faults_of(state, shortcut, TODAY) == ("c#1 has changed",)
        door = doors_of(state, state.catalog.node("a"))[-1]
        assert door.note == "2 doors at once; what it carried has changed"
        again = consider(state, trail(state, "a", "b", "c", number=3), TODAY, lambda *_: [])
        assert again is not None
        assert evidence_of(state, again).changed == ()


def test_a_target_that_is_gone_is_no_door_and_a_fault(folder: Path) -> None:
    with open_state(open_snapshot(folder)) as state:
        shortcut = minted(state, "a", "b", "c")
    (folder / "c.md").unlink()
    commit(folder)
    with open_state(open_snapshot(folder)) as state:
        row = state.catalog.node("a")
        assert "shortcut" not in {door.kind for door in doors_of(state, row)}
        assert count_doors(state, row) == len(doors_of(state, row))
        assert faults_of(state, shortcut, TODAY) == ("c is no node any more", "c#1 has changed")
        late = TODAY + timedelta(days=181)
        assert faults_of(state, shortcut, late)[-1] == f"cold: not walked since {TODAY}"


def test_commits_of_the_overlay_name_ids_and_no_word_of_a_question(state: State) -> None:
    done = Deposited()
    for number in range(2):
        walk(state, done, trail(state, "a", "b", "c", number=number, question="secretísima"))
    ref = f"refs/forest/{state.snapshot.forest_id}/shortcuts"
    told = git(state.snapshot.folder, "log", "-p", "--format=%B", ref)
    assert "secret" not in told
    assert f"Shortcut from a to c\n\nTrails:\n{done.trails[0].id}\n{done.trails[1].id}" in told
    assert git(state.snapshot.folder, "status", "--porcelain") == ""
