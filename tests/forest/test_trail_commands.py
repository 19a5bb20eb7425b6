"""The commands for trails: what they print, refuse and leave."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forest.history import open_snapshot
from forest.journal import Journal
from forest.state import open_state
from forest.trail import Trail
from forest.trails import deposit, stored_trails, verdicts_of
from tests.conftest import Forest, assert_one_clear_sentence, git
from tests.forest.trail_making import made_trail

SALARIO, VACACIONES = "¿Cuál es el salario mínimo?", "¿Cuántos días de vacaciones hay?"


@pytest.fixture
def two(small: Path) -> tuple[Trail, Trail]:
    """Two trails that are kept, the first one private and the later one."""
    first, second = made_trail(small, SALARIO, minutes=5), made_trail(small, VACACIONES, node="dof-vacaciones")
    deposit(open_snapshot(small), first, SALARIO, private=True)
    deposit(open_snapshot(small), second, VACACIONES)
    return first, second


def ids(folder: Path) -> set[str]:
    return {stored.trail.id for stored in stored_trails(open_snapshot(folder))}


def test_trails_are_listed_latest_first(forest: Forest, small: Path, two: tuple[Trail, Trail]) -> None:
    ran = forest("trails", "list", "--forest", small)
    assert [line.split()[0] for line in ran.out.splitlines() if line[0] != " "] == [two[0].id[:12], two[1].id[:12], "2"]
    assert "private" in ran.out.splitlines()[0]
    assert SALARIO in ran.out
    assert "cites dof-salarios#1" in ran.out
    assert ran.out.endswith("2 trails here; 2 shown.\n")


def test_trails_are_found_by_node_by_words_and_up_to_a_limit(
    forest: Forest, small: Path, two: tuple[Trail, Trail]
) -> None:
    def found(*options: str) -> list[str]:
        return [one["id"] for one in forest("trails", "list", "--json", "--forest", small, *options).json["trails"]]

    assert found("--node", "dof-vacaciones") == [two[1].id]
    assert found("--node", "trabajo") == [two[0].id, two[1].id]
    assert found("--question", "salarios mínimos") == [two[0].id]
    assert found("--question", "salarios de tortugas") == []
    assert found("--limit", "1") == [two[0].id]
    assert "1 of 2 shown" in forest("trails", "list", "--limit", "1", "--forest", small).out
    assert_one_clear_sentence(forest("trails", "list", "--question", "¿?", "--forest", small), "nothing")


def test_one_trail_is_shown_with_its_doors(forest: Forest, small: Path, two: tuple[Trail, Trail]) -> None:
    ran = forest("trails", "show", two[0].id[:10], "--forest", small)
    assert ran.out.splitlines()[0] == f"{two[0].id}  (private)"
    assert "  + entry trabajo\n  + trabajo child dof-salarios\n  - trabajo parent raiz\n" in ran.out
    assert forest("trails", "show", two[0].id, "--json", "--forest", small).json["cited"] == ["dof-salarios#1"]


@pytest.mark.parametrize("name", ["0" * 64, "abcdef", "x", "", "../../x", "-"])
def test_a_trail_that_is_not_there_is_said_to_be_so(forest: Forest, small: Path, name: str) -> None:
    assert_one_clear_sentence(forest("trails", "show", "--forest", small, "--", name), "trail")
    assert_one_clear_sentence(forest("feedback", "--forest", small, "--", name, "good"), "trail")
    assert_one_clear_sentence(forest("trails", "forget", "--forest", small, "--", name), "trail")


def test_words_of_questions_cannot_steer_a_terminal(forest: Forest, small: Path) -> None:
    question = "¿Qué?\x1b[2J\nsalario \u202e mínimo"
    trail = made_trail(small, question)
    deposit(open_snapshot(small), trail, question)
    for ran in (forest("trails", "list", "--forest", small), forest("trails", "show", trail.id, "--forest", small)):
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
        assert any("¿Qué?" in line and "salario" in line for line in ran.out.splitlines())
    assert "\x1b" not in forest("trails", "list", "--json", "--forest", small).out


def test_feedback_is_counted(forest: Forest, small: Path, two: tuple[Trail, Trail]) -> None:
    assert (
        forest("feedback", two[1].id[:8], "bad", "--forest", small).out == f"Trail {two[1].id[:12]}: 0 good, 1 bad.\n"
    )
    forest("feedback", two[1].id, "good", "--forest", small)
    assert "  1 good  1 bad" in forest("trails", "list", "--forest", small).out
    assert forest("feedback", two[1].id, "fine", "--forest", small).code == 2


def test_feedback_finds_the_trail_of_a_walk(forest: Forest, small: Path, two: tuple[Trail, Trail]) -> None:
    with open_state(open_snapshot(small)) as state:
        home = state.folder.parent
    walked, lost = "20261201T120000-00000001", "20261201T130000-00000002"
    for walk_id, left in ((walked, two[1].id), (lost, "")):
        journal = Journal(home, walk_id)
        journal.write({"format": 1, "question": VACACIONES, "navigator": "scout"})
        journal.write({"ending": "answered", "answer": {"claims": []}})
        if left:
            journal.write({"deposited": left})
        journal.close()
    assert "1 bad" in forest("feedback", walked, "bad", "--forest", small).out
    assert_one_clear_sentence(forest("feedback", "last", "good", "--forest", small), lost, "left no trail")
    assert verdicts_of(open_snapshot(small), [two[1].id]) == {two[1].id: (0, 1)}


def test_trails_are_forgotten_by_id_by_question_and_by_node(
    forest: Forest, small: Path, two: tuple[Trail, Trail]
) -> None:
    assert "1 trails are forgotten" in forest("trails", "forget", "--question", SALARIO, "--forest", small).out
    assert ids(small) == {two[1].id}
    assert "1 trails are forgotten" in forest("trails", "forget", "--node", "dof-vacaciones", "--forest", small).out
    assert ids(small) == set()
    assert_one_clear_sentence(forest("trails", "forget", "--forest", small), "which trails")


def test_what_is_erased_is_said_to_stay_until_git_collects(
    forest: Forest, small: Path, two: tuple[Trail, Trail]
) -> None:
    ran = forest("trails", "forget", two[1].id[:8], "--erase", "--forest", small)
    assert ran.code == 0
    assert "git gc --prune=now" in ran.out
    blob = git(small, "hash-object", "--stdin", data=VACACIONES.encode())
    git(small, "gc", "-q", "--prune=now")
    with pytest.raises(AssertionError):
        git(small, "cat-file", "-e", blob)


def test_pruning_takes_a_day_or_a_number_of_days(forest: Forest, small: Path, two: tuple[Trail, Trail]) -> None:
    assert "0 trails" in forest("trails", "prune", "--before", "2026-11-30", "--forest", small).out
    assert_one_clear_sentence(forest("trails", "prune", "--forest", small), "--before")
    assert_one_clear_sentence(
        forest("trails", "prune", "--before", "2026-01-01", "--older-than", "3", "--forest", small), "--before"
    )
    assert_one_clear_sentence(forest("trails", "prune", "--before", "2999-01-01", "--forest", small), "not over")
    assert_one_clear_sentence(forest("trails", "prune", "--older-than", "9999999", "--forest", small), "calendar")
    ran = forest("trails", "prune", "--older-than", "0", "--today", "2026-12-01", "--forest", small)
    assert "2 trails of before 2026-12-01" in ran.out
    assert ids(small) == set()


def test_a_sync_says_what_waits_and_how_to_trust(
    forest: Forest, small: Path, tmp_path: Path, two: tuple[Trail, Trail]
) -> None:
    git(small, "clone", "-q", str(small), str(tmp_path / "otro"))
    other = tmp_path / "otro"
    ran = forest("trails", "sync", "--forest", other)
    assert ran.out.splitlines() == [
        "origin: 0 trails came in, 0 were sent; 0 feedback came in.",
        "1 wait: you do not trust origin. If you do: forest trails trust origin",
    ]
    assert "is trusted now" in forest("trails", "trust", "origin", "--forest", other).out
    assert "as before" in forest("trails", "trust", "origin", "--forest", other).out
    assert forest("trails", "sync", "--json", "--forest", other).json["received"] == 1
    assert ids(other) == {two[1].id}
    assert "not trusted now" in forest("trails", "trust", "origin", "--revoke", "--forest", other).out
    assert_one_clear_sentence(forest("trails", "sync", "nobody", "--forest", other), "nobody")


def test_status_tells_of_trails_that_exist_nowhere_else(
    forest: Forest, small: Path, tmp_path: Path, two: tuple[Trail, Trail]
) -> None:
    git(small, "clone", "-q", "--bare", str(small), str(tmp_path / "hub.git"))
    git(small, "remote", "add", "origin", str(tmp_path / "hub.git"))
    before = forest("status", "--forest", small)
    assert "; 1 exist nowhere else" in before.out
    assert "origin (not trusted): trails never synced" in before.out
    assert "git config --add remote.origin.fetch '+refs/forest/" in before.out
    assert "Clones do not fetch trails by themselves" in before.out
    forest("trails", "sync", "--forest", small)
    after = forest("status", "--forest", small)
    assert "; 0 exist nowhere else" in after.out
    assert "by themselves" not in after.out
    assert "origin (not trusted): 1 trails at" in after.out
    told = forest("status", "--json", "--forest", small).json["trails"]
    assert (told["shared"], told["private"], told["here_only"], told["unfinished"]) == (1, 1, 0, 0)


def test_the_refspec_that_status_tells_lets_git_fetch_what_sync_would(
    forest: Forest, small: Path, tmp_path: Path, two: tuple[Trail, Trail]
) -> None:
    git(small, "clone", "-q", str(small), str(tmp_path / "otro"))
    other = tmp_path / "otro"
    refspec = json.loads(forest("status", "--json", "--forest", other).out)["trails"]["remotes"][0]["refspec"]
    git(other, "config", "--add", "remote.origin.fetch", refspec)
    git(other, "fetch", "-q")
    assert "origin (not trusted): 1 trails at" in forest("status", "--forest", other).out
    assert ids(other) == set()


def test_status_tells_of_walks_without_an_ending(forest: Forest, small: Path) -> None:
    with open_state(open_snapshot(small)) as state:
        home = state.folder.parent
    journal = Journal(home, f"{datetime(2026, 12, 1, tzinfo=UTC):%Y%m%dT%H%M%S}-00000001")
    journal.write({"format": 1, "question": "", "navigator": "scout"})
    journal.close()
    assert "1 in the journal, 1 without an ending" in forest("status", "--forest", small).out


def test_what_commands_do_is_told_as_json_too(
    forest: Forest, small: Path, tmp_path: Path, two: tuple[Trail, Trail]
) -> None:
    git(small, "clone", "-q", "--bare", str(small), str(tmp_path / "hub.git"))
    place = str(tmp_path / "hub.git")
    trusted = forest("trails", "trust", place, "--json", "--forest", small).json
    assert trusted == {"remote": {"name": place, "url": place}, "trusted": True, "changed": True}
    said = forest("feedback", two[1].id, "bad", "--json", "--forest", small).json
    assert said == {"trail": two[1].id, "good": 0, "bad": 1}
    pruned = forest("trails", "prune", "--before", "2026-11-30", "--json", "--forest", small).json
    assert pruned == {"pruned": 0, "before": "2026-11-30"}
    gone = forest("trails", "forget", two[1].id, "--erase", "--json", "--forest", small).json
    assert gone["forgotten"] == 1
    assert len(gone["erased"]["refs"]) == 2


def test_with_whom_to_sync_is_asked_where_nothing_tells(small: Path, forest: Forest) -> None:
    assert_one_clear_sentence(forest("trails", "sync", "--forest", small), "no remote", "git remote add")
    for name in ("una", "otra"):
        git(small, "remote", "add", name, f"https://{name}.example.org/bosque.git")
    assert_one_clear_sentence(forest("trails", "sync", "--forest", small), "2 remotes", "forest trails sync una")
