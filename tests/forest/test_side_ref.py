"""Side refs: written by many processes at once, killed at any point, seen by no branch, index or work tree."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import forest.side_ref
from forest.errors import RepositoryUnusable, WrongUsage
from forest.history import open_snapshot
from forest.side_ref import Change, SideRef
from tests.conftest import SMALL, commit, git, plant, write

_WRITER = """
import sys
from pathlib import Path
from forest.history import open_snapshot
from forest.side_ref import SideRef
folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with SideRef(open_snapshot(folder), "pruebas") as ref:
    for number in range(count):
        ref.update(lambda _: {f"{name}/{number}": b"%d" % number}, "Prueba")
        print(f"{name}/{number}", flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(folder), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def side(folder: Path, name: str = "pruebas") -> SideRef:
    return SideRef(open_snapshot(folder), name)


def paths(ref: SideRef) -> list[str]:
    return [path for path, _ in ref.entries(ref.tip())]


def assert_untouched(folder: Path, head: str) -> None:
    assert git(folder, "rev-parse", "HEAD") == head
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/forest-import") == "refs/heads/main"
    git(folder, "fsck", "--strict")


def test_what_is_written_is_read_and_nobody_else_sees_it(small: Path) -> None:
    head = git(small, "rev-parse", "HEAD")
    with side(small) as ref:
        assert ref.tip() == ""
        assert list(ref.entries("")) == []
        first = ref.update(lambda _: {"a/uno": b"1", "b": b"2"}, "Dos archivos")
        second = ref.update(lambda _: {"a/uno": None, "b": b"3", "c": b"4"}, "Tres cambios")
        assert ref.tip() == second
        assert [(path, bool(old), bool(new)) for path, old, new in ref.changes(first, second)] == [
            ("a/uno", True, False),
            ("b", True, True),
            ("c", False, True),
        ]
        assert [path for path, old, _ in ref.changes("", first) if not old] == ["a/uno", "b"]
        assert [path for path, _, new in ref.changes(first, "") if not new] == ["a/uno", "b"]
        blobs = dict(ref.entries(second))
        assert ref.read(blobs["b"], 10) == b"3"
        assert ref.read(blobs["b"], 0) is None
        assert ref.read("0" * 40, 10) is None
    assert git(small, "log", "--format=%s", ref.ref).splitlines() == ["Tres cambios", "Dos archivos"]
    assert_untouched(small, head)


def test_no_change_is_no_commit(small: Path) -> None:
    with side(small) as ref:
        assert ref.update(lambda _: {}, "Nada") == ""
        assert ref.update(lambda _: {"a": None}, "Nada") == ""
        tip = ref.update(lambda _: {"a": b"1"}, "Uno")
        assert ref.update(lambda _: {"a": b"1", "b": None}, "Nada") == tip


def test_a_commit_can_leave_its_history_behind(small: Path) -> None:
    with side(small) as ref:
        ref.update(lambda _: {"a": b"1", "b": b"2"}, "Dos")
        alone = ref.apply(lambda _: Change({"a": None}, parents=()), "Solo")
        assert paths(ref) == ["b"]
        assert git(small, "rev-list", "--parents", ref.ref) == alone


def test_make_is_asked_again_when_somebody_else_was_faster(small: Path) -> None:
    ref, other, tips = side(small), side(small, "otra"), []

    def make(tip: str) -> dict[str, bytes | None]:
        tips.append(tip)
        if len(tips) == 1:  # another writer, that knows nothing of our lock
            git(small, "update-ref", ref.ref, other.update(lambda _: {"ajeno": b"x"}, "Ajeno"))
        return {"propio": b"1"}

    ref.update(make, "Propio")
    assert len(tips) == 2
    assert paths(ref) == ["ajeno", "propio"]


def test_processes_at_once_lose_nothing(small: Path) -> None:
    head = git(small, "rev-parse", "HEAD")
    running = [writer(small, f"p{number}", 5) for number in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0] * 4
    for process in running:
        process.communicate()
    assert paths(side(small)) == sorted(f"p{one}/{number}" for one in range(4) for number in range(5))
    assert_untouched(small, head)


@pytest.mark.parametrize("kill", [os.kill, os.killpg], ids=["process", "group"])
def test_a_kill_at_any_point_loses_nothing_that_was_reported(small: Path, kill: object) -> None:
    head = git(small, "rev-parse", "HEAD")
    chance, reported = random.Random(7), []  # noqa: S311
    for number in range(8):
        process = writer(small, f"p{number}", 1000)
        assert process.stdout is not None
        first = process.stdout.readline()  # it has begun
        time.sleep(chance.uniform(0, 0.05))
        kill(process.pid, signal.SIGKILL)  # type: ignore[operator]
        rest, _ = process.communicate()
        reported += [line for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]
    with side(small) as ref:
        ref.update(lambda _: {"al-final": b"1"}, "Al final")
        assert {line.strip() for line in reported} <= set(paths(ref))
    assert_untouched(small, head)


def test_the_lock_that_a_killed_git_left_is_removed_when_it_is_old(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forest.side_ref, "_LONGEST_WAIT_SECONDS", 0.01)
    with side(small) as ref:
        ref.update(lambda _: {"a": b"1"}, "Uno")
        lock = small / ".git" / f"{ref.ref}.lock"
        lock.write_bytes(b"")
        with pytest.raises(RepositoryUnusable, match="cannot move"):  # it may be somebody's
            ref.update(lambda _: {"a": b"2"}, "Dos")
        assert lock.exists()
        os.utime(lock, (time.time() - 60,) * 2)
        ref.update(lambda _: {"a": b"2"}, "Dos")
        assert not lock.exists()


def test_a_bare_repository_has_side_refs(small: Path, tmp_path: Path) -> None:
    git(small, "clone", "-q", "--bare", str(small), str(tmp_path / "desnudo.git"))
    with side(tmp_path / "desnudo.git") as ref:
        ref.update(lambda _: {"a": b"1"}, "Uno")
        assert paths(ref) == ["a"]


def test_forests_of_one_repository_have_their_own(tmp_path: Path) -> None:
    write(tmp_path / "r" / "uno", {"forest.yaml": "name: uno\n", **SMALL})
    top = plant(tmp_path / "r", {"dos/forest.yaml": "name: dos\n", "dos/index.md": SMALL["index.md"]})
    with side(top / "uno") as one, side(top / "dos") as two:
        one.update(lambda _: {"a": b"1"}, "Uno")
        assert two.tip() == ""
        assert one.ref != two.ref
    assert git(top, "status", "--porcelain") == ""


def test_linked_work_trees_share_them(small: Path, tmp_path: Path) -> None:
    git(small, "worktree", "add", "-q", str(tmp_path / "otro"), "-b", "otra")
    with side(small) as here, side(tmp_path / "otro") as there:
        there.update(lambda _: {"a": b"1"}, "Uno")
        assert here.tip() == there.tip() != ""
    assert git(tmp_path / "otro", "status", "--porcelain") == ""


def test_a_repository_of_sha256_has_side_refs(tmp_path: Path) -> None:
    folder = tmp_path / "bosque"
    folder.mkdir()
    git(folder, "init", "-q", "--object-format=sha256", "-b", "main")
    commit(folder, {"forest.yaml": "name: x\n", **SMALL})
    with side(folder) as ref:
        ref.update(lambda _: {"a": b"1"}, "Uno")
        tip = ref.update(lambda _: {"a": None, "b": b"2"}, "Dos")
        assert len(tip) == 64
        assert paths(ref) == ["b"]
    git(folder, "fsck", "--strict")


def test_a_repository_that_cannot_be_written_says_so(small: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    (small / ".git").chmod(0o500)
    try:
        with side(small) as ref, pytest.raises(RepositoryUnusable, match="cannot be written"):
            ref.update(lambda _: {"a": b"1"}, "Uno")
    finally:
        (small / ".git").chmod(0o700)


@pytest.mark.parametrize("name", ["", "../x", "a b", "-x", "a.lock", "a/b/c", "A", "a\n"])
def test_names_that_lead_elsewhere_are_refused(small: Path, name: str) -> None:
    with pytest.raises(WrongUsage):
        side(small, name)


def test_no_hook_of_the_repository_runs(small: Path, tmp_path: Path) -> None:
    hook = small / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/corrió\n")
    hook.chmod(0o755)
    with side(small) as ref:
        ref.update(lambda _: {"a": b"1"}, "Uno")
    assert not (tmp_path / "corrió").exists()
