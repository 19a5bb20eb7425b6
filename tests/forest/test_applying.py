"""Applying: a shortcut becomes an edge by an ordinary commit; curators' files, branch and index come first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import forest.applying
from forest.applying import apply_shortcuts
from forest.commit import Batch
from forest.doors import count_doors, doors_of
from forest.errors import RepositoryUnusable
from forest.forgetting import forget
from forest.heat import open_heat
from forest.history import open_snapshot
from forest.lint import lint
from forest.minting import consider, reconsider, retire
from forest.shortcuts import edge_place, evidence_of, is_applied, shortcut_to
from forest.state import State, open_state
from forest.store import load_folder, read_folder_config
from forest.trail import Trail
from forest.trails import deposit, feedback
from tests.conftest import Forest, assert_one_clear_sentence, commit, git, node, write
from tests.forest.earned import TODAY, Deposited, minted, plant_chain, trail, walk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return plant_chain(tmp_path / "bosque")


@pytest.fixture
def state(folder: Path) -> Iterator[State]:
    with open_state(open_snapshot(folder)) as opened:
        yield opened


def findings(folder: Path) -> list[str]:
    return [found.rule for found in lint(load_folder(folder), read_folder_config(folder))]


# --- one commit -------------------------------------------------------------------------------------------------------


def test_an_applied_shortcut_is_an_edge_of_four_lines_that_carries_what_it_did(state: State, folder: Path) -> None:
    shortcut = minted(state, "a", "b", "c")
    before = findings(folder)
    (outcome,) = apply_shortcuts(state, [shortcut])
    assert (outcome.status, outcome.commit) == ("applied", git(folder, "rev-parse", "HEAD"))
    assert git(folder, "diff", "--numstat", "HEAD~1") == "4\t0\ta.md"
    added = [line[1:].strip() for line in git(folder, "diff", "-U0", "HEAD~1").splitlines() if line[:1] == "+"][1:]
    trails = ", ".join(one[:16] for one in shortcut.trails)
    assert added == [
        "- kind: shortcut",
        "to: c",
        "scent: la multa",
        f"basis: shortcut {shortcut.id[:16]}; trails {trails}",
    ]
    assert git(folder, "log", "-1", "--format=%B") == f"Apply 1 shortcut\n\na -> c: shortcut {shortcut.id}, 2 trails"
    assert git(folder, "status", "--porcelain") == ""
    assert findings(folder) == before
    with open_state(open_snapshot(folder)) as now:
        row = now.catalog.node("a")
        doors = doors_of(now, row)
        assert [door.kind for door in doors if door.to == "c"] == ["shortcut"]
        assert count_doors(now, row) == len(doors)
        assert shortcut_to(now, "a", "c") == shortcut
        assert [passage.node for passage in evidence_of(now, shortcut).passages] == ["a", "c"]
        assert is_applied(now, shortcut)
        again = consider(now, trail(now, "a", "c", kind="shortcut", number=7), TODAY, lambda *_: [])
        assert again is not None
        assert len(again.trails) == 3


def test_applying_twice_is_nothing(state: State, folder: Path) -> None:
    shortcut = minted(state, "a", "b", "c")
    apply_shortcuts(state, [shortcut])
    head = git(folder, "rev-parse", "HEAD")
    assert [one.status for one in apply_shortcuts(state, [shortcut, shortcut])] == ["there", "there"]
    assert git(folder, "rev-parse", "HEAD") == head


def test_several_of_one_node_and_of_others_are_one_commit(state: State, folder: Path) -> None:
    some = [minted(state, "a", "b", "c"), minted(state, "a", "b", "d"), minted(state, "b", "c", "d")]
    assert {one.status for one in apply_shortcuts(state, some)} == {"applied"}
    assert git(folder, "rev-list", "--count", "HEAD") == "2"
    assert git(folder, "diff", "--numstat", "HEAD~1").splitlines() == ["8\t0\ta.md", "4\t0\tb.md"]


# --- curators come first ----------------------------------------------------------------------------------------------


def test_a_file_that_is_being_edited_is_left_alone_and_the_others_are_applied(state: State, folder: Path) -> None:
    one, two = minted(state, "a", "b", "c"), minted(state, "b", "c", "d")
    edited = (folder / "a.md").read_text(encoding="utf-8") + "\nUna nota.\n"
    write(folder, {"a.md": edited, "nuevo.txt": "sin seguir"})
    refused, applied = apply_shortcuts(state, [one, two])
    assert (refused.status, applied.status) == ("refused", "applied")
    assert "a.md has changes that are not committed" in refused.why
    assert (folder / "a.md").read_text(encoding="utf-8") == edited
    assert git(folder, "status", "--porcelain").splitlines() == ["M a.md", "?? nuevo.txt"]
    commit(folder)
    assert [found.status for found in apply_shortcuts(state, [one, two])] == ["applied", "there"]
    assert "Una nota." in git(folder, "show", "HEAD:a.md")
    assert git(folder, "status", "--porcelain") == ""


def test_what_is_staged_stays_staged(state: State, folder: Path) -> None:
    shortcut = minted(state, "a", "b", "c")
    write(folder, {"c.md": node("c", "La multa es de 41 pesos.")})
    git(folder, "add", "c.md")
    assert apply_shortcuts(state, [shortcut])[0].status == "applied"
    assert git(folder, "status", "--porcelain") == "M  c.md"


def test_a_node_that_moved_since_or_went_is_refused(state: State, folder: Path) -> None:
    shortcut = minted(state, "a", "b", "c")
    git(folder, "mv", "a.md", "z.md")
    commit(folder)
    (moved,) = apply_shortcuts(state, [shortcut])
    assert (moved.status, moved.why) == ("refused", "a is not at a.md any more. Run this again.")
    with open_state(open_snapshot(folder)) as now:
        assert apply_shortcuts(now, [shortcut])[0].status == "applied"
        (folder / "c.md").unlink()
    commit(folder)
    with open_state(open_snapshot(folder)) as now:
        assert "c is no node" in apply_shortcuts(now, [shortcut])[0].why


def test_a_commit_that_comes_between_is_kept_and_the_shortcut_applied_on_top(
    state: State, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcut = minted(state, "a", "b", "c")
    real, times = Batch.commit, [0]

    def late(batch: Batch, message: str) -> str | None:
        times[0] += 1
        if times[0] <= 2:
            commit(folder, {f"otra{times[0]}.md": node(f"otra{times[0]}", "Texto.")}, "curadora")
        return real(batch, message)

    monkeypatch.setattr(Batch, "commit", late)
    assert apply_shortcuts(state, [shortcut])[0].status == "applied"
    assert git(folder, "log", "--format=%s").splitlines() == ["Apply 1 shortcut", "curadora", "curadora", "bosque"]
    assert git(folder, "status", "--porcelain") == ""


def test_while_a_curator_commits_nothing_of_either_is_lost(state: State, folder: Path) -> None:
    some = [minted(state, "a", "b", "c"), minted(state, "a", "b", "d"), minted(state, "b", "c", "d")]
    failures: list[BaseException] = []

    def curate() -> None:
        try:
            for number in range(8):
                with Batch(folder) as batch:
                    batch.put(f"nuevo{number}.md", node(f"nuevo{number}", "Texto.").encode())
                    batch.commit(f"nuevo {number}")
        except RepositoryUnusable:
            pass  # the branch moved: what she committed so far is what counts
        except BaseException as error:
            failures.append(error)

    curator = threading.Thread(target=curate)
    curator.start()
    outcomes = [outcome for one in some for outcome in apply_shortcuts(state, [one])]
    curator.join()
    assert not failures
    assert {one.status for one in outcomes} == {"applied"}
    told = git(folder, "log", "--format=%s").splitlines()
    for subject in told:
        if subject.startswith("nuevo"):
            assert (folder / f"{subject.replace(' ', '')}.md").is_file()
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict")
    with open_state(open_snapshot(folder)) as now:
        assert all(is_applied(now, one) for one in some)


def test_a_crash_between_files_and_branch_neither_loses_nor_doubles(
    state: State, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortcut = minted(state, "a", "b", "c")
    real = Batch._run

    def crash(batch: Batch, *arguments: str) -> str:
        if arguments[0] == "update-ref":
            raise KeyboardInterrupt
        return real(batch, *arguments)

    monkeypatch.setattr(Batch, "_run", crash)
    with pytest.raises(KeyboardInterrupt):
        apply_shortcuts(state, [shortcut])
    monkeypatch.undo()
    assert git(folder, "status", "--porcelain") == ""
    state.shortcuts.refresh()
    assert state.shortcuts.all() == (shortcut,)
    assert apply_shortcuts(state, [shortcut])[0].status == "applied"


def test_git_that_refuses_for_good_is_told(state: State, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest.applying, "_LONGEST_WAIT_SECONDS", 0.0)
    shortcut = minted(state, "a", "b", "c")
    (folder / ".git/index.lock").touch()
    with pytest.raises(RepositoryUnusable):
        apply_shortcuts(state, [shortcut])
    (folder / ".git/index.lock").unlink()
    assert git(folder, "rev-list", "--count", "HEAD") == "1"
    assert apply_shortcuts(state, [shortcut])[0].status == "applied"


# --- by itself --------------------------------------------------------------------------------------------------------

AUTO = "name: prueba\nshortcuts: {apply: auto}\n"


def test_with_auto_it_is_applied_when_it_is_minted_or_when_the_file_is_clean_again(folder: Path) -> None:
    commit(folder, {"forest.yaml": AUTO})
    done = Deposited()
    text = (folder / "a.md").read_text(encoding="utf-8")
    write(folder, {"a.md": text + "\nUna nota.\n"})
    with open_state(open_snapshot(folder)) as state:
        assert minted(state, "a", "b", "c", done=done) is not None
        assert "shortcut" not in git(folder, "show", "HEAD:a.md")
        write(folder, {"a.md": text})
        assert walk(state, done, trail(state, "a", "b", "c", number=5)) is not None
    assert "kind: shortcut" in git(folder, "show", "HEAD:a.md")
    assert git(folder, "status", "--porcelain") == ""


def test_by_hand_is_the_default_and_a_repository_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    top = plant_chain(tmp_path / "sola")
    with open_state(open_snapshot(top)) as state:
        minted(state, "a", "b", "c")
    assert git(top, "rev-list", "--count", "HEAD") == "1"
    outer = tmp_path / "codigo"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "main")
    for path in top.glob("*.md"):
        write(outer, {f"bosque/{path.name}": path.read_bytes()})
    commit(outer, {"bosque/forest.yaml": AUTO})
    with open_state(open_snapshot(outer / "bosque")) as state:
        shortcut = minted(state, "a", "b", "c")
        assert git(outer, "rev-list", "--count", "HEAD") == "1"
        assert apply_shortcuts(state, [shortcut])[0].status == "applied"
    assert git(outer, "diff", "--numstat", "HEAD~1") == "4\t0\tbosque/a.md"


# --- retiring ---------------------------------------------------------------------------------------------------------


def test_what_is_retired_is_gone_and_an_applied_edge_stays_where_it_is_told(state: State, folder: Path) -> None:
    one, two = minted(state, "a", "b", "c"), minted(state, "a", "b", "d")
    apply_shortcuts(state, [one])
    with open_state(open_snapshot(folder)) as now:
        place = edge_place(now, one)
        line = int(place.rpartition(":")[2])
        assert (folder / "a.md").read_text(encoding="utf-8").splitlines()[line - 1].strip() == "- kind: shortcut"
        assert edge_place(now, two) == ""
        retire(now, [one, two])
        assert now.shortcuts.all() == ()
        assert [door.to for door in doors_of(now, now.catalog.node("a")) if door.kind == "shortcut"] == ["c"]
        assert shortcut_to(now, "a", "c") is None


# --- with trails that are really there --------------------------------------------------------------------------------


def left(state: State, one: Trail, question: str, *, private: bool = False) -> None:
    deposit(state.snapshot, one, question, private=private)


def test_deposited_trails_of_similar_questions_mint_and_private_or_bad_ones_do_not(state: State) -> None:
    def walked(number: int, question: str = "multa") -> Trail:
        return trail(state, "a", "b", "c", cited=["a"], number=number, question=question)

    first, hidden, bad, other = walked(0), walked(1), walked(2), walked(3, "plazo")
    left(state, first, "multa")
    assert consider(state, first, TODAY) is None
    left(state, hidden, "multa", private=True)
    assert consider(state, hidden, TODAY) is None
    left(state, bad, "multa")
    feedback(state.snapshot, bad.id, "bad")
    assert consider(state, bad, TODAY) is None
    left(state, other, "plazo")
    assert consider(state, other, TODAY) is None
    last = walked(4)
    left(state, last, "multa")
    shortcut = consider(state, last, TODAY)
    assert shortcut is not None
    assert shortcut.trails == (first.id, last.id)
    with open_heat(state, TODAY) as heat:  # the index has no more to say of it
        assert heat.felt_by("multa") is not None


def test_trails_that_are_called_bad_or_forgotten_take_their_shortcut_with_them(state: State) -> None:
    trails = [trail(state, "a", "b", "c", cited=["a"], number=number) for number in range(4)]
    for one in trails[:3]:
        left(state, one, "multa")
        consider(state, one, TODAY)
    (shortcut,) = state.shortcuts.all()
    assert len(shortcut.trails) == 3
    assert reconsider(state, [trails[0].id]) == ()
    feedback(state.snapshot, trails[0].id, "bad")
    assert reconsider(state, [trails[0].id]) == ()
    assert state.shortcuts.all()[0].trails == (trails[1].id, trails[2].id)
    forget(state.snapshot, [trails[1].id])
    assert [one.id for one in reconsider(state, [trails[1].id])] == [shortcut.id]
    assert state.shortcuts.all() == ()
    left(state, trails[3], "multa")
    again = consider(state, trails[3], TODAY)
    assert again is not None
    assert again.trails == (trails[2].id, trails[3].id)


def test_feedback_and_forgetting_say_which_shortcut_went(state: State, folder: Path, forest: Forest) -> None:
    trails = [trail(state, "a", "b", "c", cited=["a"], number=number) for number in range(4)]

    def earned(one: Trail, other: Trail) -> str:
        for each in (one, other):
            left(state, each, "multa")
            consider(state, each, TODAY)
        (shortcut,) = state.shortcuts.all()
        return f"Too few trails are left for the shortcut {shortcut.id[:12]} from a to c: it is gone."

    gone = earned(trails[0], trails[1])
    assert forest("feedback", trails[0].id, "good", "--forest", folder).out.count("\n") == 1
    assert gone in forest("feedback", trails[1].id, "bad", "--forest", folder).out
    state.shortcuts.refresh()
    assert state.shortcuts.all() == ()
    gone = earned(trails[2], trails[3])
    assert gone not in forest("trails", "forget", trails[2].id, "--forest", folder).out  # the first counts again
    assert gone in forest("trails", "forget", trails[3].id, "--forest", folder).out


# --- commands ---------------------------------------------------------------------------------------------------------


def test_the_commands_list_apply_and_retire(state: State, folder: Path, forest: Forest) -> None:
    at = ("--forest", folder, "--today", "2026-03-05")
    assert forest("shortcuts", "list", *at).out == "0 shortcuts; 0 applied; 0 proposed for retirement.\n"
    one, two = minted(state, "a", "b", "c"), minted(state, "b", "c", "d", today=TODAY - timedelta(days=300))
    listed = forest("shortcuts", "list", *at)
    assert f"{one.id[:12]}  a -> c\n    spans: cites b, cites c\n    carries: a#1, c#1\n    2 trails: " in listed.out
    assert "proposed for retirement: cold: not walked since 2025-05-05" in listed.out
    assert listed.out.endswith("2 shortcuts; 0 applied; 1 proposed for retirement.\n")
    (only,) = forest("shortcuts", "list", "--node", "a", "--json", *at).json["shortcuts"]
    assert (only["id"], only["way"], only["applied"]) == (one.id, [["a", "cites", "b"], ["b", "cites", "c"]], False)
    assert [s["id"] for s in forest("shortcuts", "list", "--cold", "--json", *at).json["shortcuts"]] == [two.id]
    applied = forest("shortcuts", "apply", "--all", *at)
    assert applied.code == 0
    assert applied.out == f"{one.id[:12]}  a -> c  applied in commit {git(folder, 'rev-parse', 'HEAD')[:12]}\n"
    assert forest("shortcuts", "apply", "--all", *at).out == "There is nothing to apply.\n"
    assert "its edge is there already" in forest("shortcuts", "apply", one.id[:8], *at).out
    assert "kind: shortcut" in (folder / "a.md").read_text(encoding="utf-8")
    assert f"{two.id[:12]}  b -> d  retired\n" == forest("shortcuts", "retire", "--cold", *at).out
    gone = forest("shortcuts", "retire", one.id, *at)
    assert "its edge stays, remove it at a.md:" in gone.out
    assert forest("shortcuts", "retire", "--cold", *at).out == "There is nothing to retire.\n"


def test_what_cannot_be_applied_is_told_and_the_status_says_so(state: State, folder: Path, forest: Forest) -> None:
    one = minted(state, "a", "b", "c")
    commit(folder, {"c.md": node("c", "La multa es de 50 pesos.", published="2020-01-03", scent="la multa")})
    ran = forest("shortcuts", "apply", one.id[:8], "--json", "--forest", folder, "--today", "2026-03-05")
    assert ran.code == 1
    assert ran.json == [
        {
            "id": one.id,
            "status": "refused",
            "why": "What it carries has changed. Retire it, or let a further trail mend it.",
            "commit": "",
        }
    ]
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "arguments",
    [("apply",), ("retire",), ("apply", "--all", "abcd"), ("apply", "0000"), ("retire", "x"), ("list", "--node", "no")],
)
def test_a_wrong_request_is_one_sentence(
    state: State, folder: Path, forest: Forest, arguments: tuple[str, ...]
) -> None:
    minted(state, "a", "b", "c")
    assert_one_clear_sentence(forest("shortcuts", *arguments, "--forest", folder))


@pytest.mark.parametrize(
    "settings",
    [
        "{min_trails: 0}",
        "{most: 1}",
        "{apply: never}",
        "{cold_after_days: -1}",
        "{most_per_node: x}",
        "{most_per_node: 51}",
    ],
)
def test_settings_that_cannot_be_are_refused(folder: Path, forest: Forest, settings: str) -> None:
    commit(folder, {"forest.yaml": f"name: prueba\nshortcuts: {settings}\n"})
    assert_one_clear_sentence(forest("shortcuts", "list", "--forest", folder), "forest.yaml")
