"""Trails in git: deposits, feedback, forgetting, and the changes that an index follows."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from forest.errors import RevisionUnknown, TrailNotFound, TrailRefused, WrongUsage
from forest.forgetting import erase, forget, prune, trails_asked, trails_at
from forest.history import Snapshot, open_snapshot
from forest.side_ref import SideRef
from forest.trail import Trail, trail_bytes
from forest.trail_tree import question_path, trail_path
from forest.trails import (
    changes_since,
    deposit,
    deposit_all,
    feedback,
    find_trail,
    question_text,
    stored_trails,
    tips_of,
    verdicts_of,
)
from tests.conftest import git
from tests.forest.trail_making import made_trail

SALARIO, VACACIONES = "¿Cuál es el salario mínimo?", "¿Cuántos días de vacaciones hay?"


@pytest.fixture
def snapshot(small: Path) -> Snapshot:
    return open_snapshot(small)


@pytest.fixture
def one(small: Path) -> Trail:
    return made_trail(small, SALARIO)


@pytest.fixture
def two(small: Path) -> Trail:
    return made_trail(small, VACACIONES, node="dof-vacaciones", minutes=1)


def ids(snapshot: Snapshot) -> set[str]:
    return {stored.trail.id for stored in stored_trails(snapshot)}


def test_a_deposit_is_read_again_with_its_question(snapshot: Snapshot, one: Trail) -> None:
    assert deposit(snapshot, one, SALARIO) == one.id
    assert find_trail(snapshot, one.id[:8]).trail == one
    assert question_text(snapshot, one.id) == SALARIO
    assert question_text(snapshot, one.question) == SALARIO
    assert question_text(snapshot, "0" * 64) is None


def test_a_deposit_leaves_branch_index_and_work_tree_alone(snapshot: Snapshot, one: Trail) -> None:
    head = git(snapshot.folder, "rev-parse", "HEAD")
    deposit(snapshot, one, SALARIO)
    assert git(snapshot.folder, "rev-parse", "HEAD") == head
    assert git(snapshot.folder, "status", "--porcelain") == ""
    git(snapshot.folder, "fsck", "--strict")


def test_no_words_of_a_question_are_in_messages_of_commits(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit(snapshot, one, SALARIO)
    deposit(snapshot, two, VACACIONES, private=True)
    feedback(snapshot, one.id, "good")
    forget(snapshot, [one.id])
    said = git(snapshot.folder, "log", "--all", "--format=%B")
    assert "salario" not in said
    assert "vacaciones" not in said


def test_the_same_deposited_twice_is_there_once(snapshot: Snapshot, one: Trail) -> None:
    deposit(snapshot, one, SALARIO)
    tips = tips_of(snapshot)
    deposit(snapshot, one, SALARIO)
    deposit(snapshot, one, SALARIO, private=True)
    assert tips_of(snapshot) == tips


def test_a_question_that_is_not_the_trails_is_refused(snapshot: Snapshot, one: Trail) -> None:
    with pytest.raises(WrongUsage):
        deposit(snapshot, one, VACACIONES)
    assert tips_of(snapshot) == ""


def test_many_are_deposited_by_one_commit_or_none_is(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    with pytest.raises(WrongUsage):
        deposit_all(snapshot, [(one, SALARIO), (two, SALARIO)])
    assert ids(snapshot) == set()
    deposit_all(snapshot, [(one, SALARIO), (two, VACACIONES)])
    assert ids(snapshot) == {one.id, two.id}
    assert git(snapshot.folder, "rev-list", "--count", SideRef(snapshot, "trails").ref) == "1"


def test_a_private_trail_is_on_a_ref_of_its_own(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit(snapshot, one, SALARIO, private=True)
    deposit(snapshot, two, VACACIONES)
    assert [(stored.trail.id, stored.private) for stored in stored_trails(snapshot)] == [
        (two.id, False),
        (one.id, True),
    ]
    shared = dict(SideRef(snapshot, "trails").entries(SideRef(snapshot, "trails").tip()))
    assert trail_path(one.id) not in shared
    feedback(snapshot, one.id, "bad")
    forget(snapshot, [one.id])
    assert dict(SideRef(snapshot, "trails").entries(SideRef(snapshot, "trails").tip())) == shared


# --- changes ------------------------------------------------------------------------------------------------------


def test_changes_tell_what_came_since(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    nothing = changes_since(snapshot, "")
    assert (list(nothing.added), nothing.gone, nothing.tips) == ([], frozenset(), "")
    deposit(snapshot, one, SALARIO)
    first = changes_since(snapshot, nothing.tips)
    assert dict(first.added) == {one.id: one}
    deposit(snapshot, two, VACACIONES, private=True)
    second = changes_since(snapshot, first.tips)
    assert dict(second.added) == {two.id: two}
    assert second.tips == tips_of(snapshot)
    assert list(changes_since(snapshot, second.tips).added) == []
    assert dict(changes_since(snapshot, "").added) == {one.id: one, two.id: two}


def test_changes_tell_what_went_and_what_was_thought(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit_all(snapshot, [(one, SALARIO), (two, VACACIONES)])
    tips = tips_of(snapshot)
    feedback(snapshot, one.id, "good")
    feedback(snapshot, one.id, "bad")
    feedback(snapshot, one.id, "bad")
    forget(snapshot, [two.id])
    changes = changes_since(snapshot, tips)
    assert list(changes.added) == []
    assert changes.gone == {two.id}
    assert changes.verdicts == {one.id: (1, 2)}
    assert verdicts_of(snapshot, [one.id, two.id]) == {one.id: (1, 2), two.id: (0, 0)}


def test_changes_since_a_state_that_is_gone_are_refused(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit_all(snapshot, [(one, SALARIO), (two, VACACIONES)])
    tips = tips_of(snapshot)
    forget(snapshot, [one.id])
    erase(snapshot)
    git(snapshot.folder, "gc", "-q", "--prune=now")
    with pytest.raises(RevisionUnknown):
        changes_since(snapshot, tips)
    assert dict(changes_since(snapshot, "").added) == {two.id: two}


def test_files_that_are_no_trails_are_passed_over(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit(snapshot, one, SALARIO)
    with SideRef(snapshot, "trails") as ref:
        forged = {
            trail_path(two.id): b"{}",
            question_path(two.id): b"x",
            "trails/zz": b"",
            trail_path("0" * 64): b"x" * 100_000,
            trail_path("f" * 64): trail_bytes(one),
            "state.json": b"no JSON",
        }
        ref.update(lambda _: forged, "Ajeno")
    assert dict(changes_since(snapshot, "").added) == {one.id: one}
    assert ids(snapshot) == {one.id}
    with pytest.raises(TrailNotFound):
        find_trail(snapshot, two.id)


# --- feedback -----------------------------------------------------------------------------------------------------


def test_feedback_on_nothing_is_refused(snapshot: Snapshot, one: Trail) -> None:
    with pytest.raises(TrailNotFound):
        feedback(snapshot, one.id, "good")
    deposit(snapshot, one, SALARIO)
    with pytest.raises(WrongUsage):
        feedback(snapshot, one.id, "fine")
    assert verdicts_of(snapshot, [one.id]) == {one.id: (0, 0)}


# --- forgetting ---------------------------------------------------------------------------------------------------


def test_what_is_forgotten_is_gone_and_stays_gone(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit_all(snapshot, [(one, SALARIO), (two, VACACIONES)])
    feedback(snapshot, one.id, "good")
    assert forget(snapshot, [one.id]) == 1
    assert ids(snapshot) == {two.id}
    assert question_text(snapshot, one.id) is None
    assert verdicts_of(snapshot, [one.id]) == {one.id: (0, 0)}
    with pytest.raises(TrailRefused, match="forgotten"):
        deposit(snapshot, one, SALARIO)
    with pytest.raises(TrailRefused, match="forgotten"):
        deposit(snapshot, one, SALARIO, private=True)
    assert forget(snapshot, [one.id]) == 0


def test_forgetting_one_that_is_not_there_forgets_none(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    deposit(snapshot, one, SALARIO)
    with pytest.raises(TrailNotFound):
        forget(snapshot, [one.id, two.id])
    assert ids(snapshot) == {one.id}


def test_trails_are_found_by_question_and_by_node(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    later = replace(one, time=datetime(2026, 12, 1, tzinfo=UTC))
    deposit_all(snapshot, [(one, SALARIO), (two, VACACIONES)])
    deposit(snapshot, later, SALARIO, private=True)
    assert set(trails_asked(snapshot, SALARIO)) == {one.id, later.id}
    assert trails_asked(snapshot, "salario") == ()
    assert trails_at(snapshot, "dof-vacaciones") == (two.id,)
    assert set(trails_at(snapshot, "trabajo")) == {one.id, two.id, later.id}


def test_an_erased_trail_is_in_no_object_that_git_keeps(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    git(snapshot.folder, "config", "core.logAllRefUpdates", "always")
    deposit_all(snapshot, [(one, SALARIO), (two, VACACIONES)])
    blob = git(snapshot.folder, "hash-object", "--stdin", data=SALARIO.encode())
    forget(snapshot, [one.id])
    git(snapshot.folder, "gc", "-q", "--prune=now")
    assert git(snapshot.folder, "cat-file", "-t", blob) == "blob"  # its history has it still
    erased = erase(snapshot)
    assert erased.refs == (SideRef(snapshot, "trails").ref,)
    assert git(snapshot.folder, "rev-list", "--count", erased.refs[0]) == "1"
    git(snapshot.folder, "gc", "-q", "--prune=now")
    with pytest.raises(AssertionError):
        git(snapshot.folder, "cat-file", "-t", blob)
    assert ids(snapshot) == {two.id}
    with pytest.raises(TrailRefused):
        deposit(snapshot, one, SALARIO)


# --- pruning ------------------------------------------------------------------------------------------------------


def test_pruning_lets_go_of_what_is_older_than_a_day(snapshot: Snapshot, one: Trail, two: Trail) -> None:
    old = replace(two, time=datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC))
    kept = replace(two, time=datetime(2026, 3, 2, tzinfo=UTC))
    today = date(2026, 12, 1)
    deposit_all(snapshot, [(old, VACACIONES), (kept, VACACIONES)])
    feedback(snapshot, old.id, "bad", at=datetime(2026, 3, 1, tzinfo=UTC))
    deposit(snapshot, one, SALARIO, private=True)
    with pytest.raises(WrongUsage):
        prune(snapshot, date(2026, 12, 2), today)
    assert prune(snapshot, date(2026, 3, 2), today) == 1
    assert ids(snapshot) == {kept.id, one.id}
    assert question_text(snapshot, old.id) is None
    assert verdicts_of(snapshot, [old.id]) == {old.id: (0, 0)}
    with pytest.raises(TrailRefused, match="pruned"):
        deposit(snapshot, old, VACACIONES)
    assert prune(snapshot, date(2026, 1, 1), today) == 0
    with pytest.raises(TrailRefused):
        deposit(snapshot, old, VACACIONES)


def test_a_reader_needs_no_write_access_and_no_trails(snapshot: Snapshot) -> None:
    assert tips_of(snapshot) == ""
    assert list(stored_trails(snapshot)) == []
    assert not (snapshot.common_dir / "forest").exists()


def test_tips_are_asked_by_one_git_call(snapshot: Snapshot, one: Trail, monkeypatch: pytest.MonkeyPatch) -> None:
    deposit(snapshot, one, SALARIO)
    calls = []
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: (calls.append(a), real(*a, **k))[1])
    assert tips_of(snapshot).startswith("trails=")
    assert len(calls) == 1
