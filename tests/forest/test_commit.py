"""Git, writing: one commit, moved by compare-and-swap; what a curator left uncommitted is never overwritten."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import forest.commit
from forest.commit import Batch, create_repository
from forest.errors import RepositoryUnusable, TooLarge, WrongUsage
from forest.limits import MAX_NODE_BYTES
from tests.conftest import git, node, plant, write

ONE, TWO = node("uno", "Primero.").encode(), node("uno", "Segundo.").encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_repository(tmp_path / "bosque")
    return tmp_path / "bosque"


def put(folder: Path, files: dict[str, bytes], message: str = "cambio") -> str | None:
    with Batch(folder) as batch:
        for path, data in files.items():
            batch.put(path, data)
        return batch.commit(message)


def test_a_batch_becomes_one_commit_and_the_work_tree_follows(folder: Path) -> None:
    commit = put(folder, {"index.md": ONE, "a/b.md": TWO}, "Siembra")
    assert git(folder, "rev-parse", "HEAD") == commit
    assert git(folder, "log", "--format=%s") == "Siembra"
    assert (folder / "a/b.md").read_bytes() == TWO
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict")


def test_a_second_batch_changes_adds_and_deletes(folder: Path) -> None:
    put(folder, {"index.md": ONE, "viejo/uno.md": ONE})
    with Batch(folder) as batch:
        assert batch.put("index.md", TWO)
        assert batch.put("nuevo.md", ONE)
        batch.delete("viejo/uno.md")
        batch.commit("Cambia")
    assert git(folder, "diff", "--name-status", "--no-renames", "HEAD~1").splitlines() == [
        "M\tindex.md",
        "A\tnuevo.md",
        "D\tviejo/uno.md",
    ]
    assert not (folder / "viejo").exists()
    assert git(folder, "status", "--porcelain") == ""


def test_what_is_the_same_already_makes_no_commit(folder: Path) -> None:
    first = put(folder, {"index.md": ONE})
    assert put(folder, {"index.md": ONE}) is None
    assert git(folder, "rev-parse", "HEAD") == first


def test_leaving_without_commit_changes_nothing(folder: Path) -> None:
    first = put(folder, {"index.md": ONE})
    with Batch(folder) as batch:
        batch.put("index.md", TWO)
    assert git(folder, "rev-parse", "HEAD") == first
    assert (folder / "index.md").read_bytes() == ONE


def test_uncommitted_work_stops_the_batch_and_is_kept(folder: Path) -> None:
    first = put(folder, {"index.md": ONE})
    write(folder, {"index.md": "a medias"})
    with pytest.raises(RepositoryUnusable, match=r"index\.md has changes that are not committed"):
        put(folder, {"index.md": TWO})
    assert (folder / "index.md").read_text() == "a medias"
    assert git(folder, "rev-parse", "HEAD") == first


def test_other_changes_in_the_index_survive(folder: Path) -> None:
    put(folder, {"index.md": ONE})
    write(folder, {"mio.md": "mío"})
    git(folder, "add", "mio.md")
    put(folder, {"nuevo.md": TWO})
    assert git(folder, "status", "--porcelain") == "A  mio.md"


def test_a_staged_change_of_the_same_file_stops_the_batch(folder: Path) -> None:
    first = put(folder, {"index.md": ONE})
    write(folder, {"index.md": "preparado"})
    git(folder, "add", "index.md")
    write(folder, {"index.md": ONE})
    with pytest.raises(RepositoryUnusable):
        put(folder, {"index.md": TWO})
    assert git(folder, "rev-parse", "HEAD") == first


def test_a_branch_that_moved_meanwhile_is_not_overwritten(folder: Path) -> None:
    put(folder, {"index.md": ONE})
    with Batch(folder) as batch:
        batch.put("nuevo.md", ONE)
        git(folder, "commit", "-q", "--allow-empty", "-m", "otra persona")
        theirs = git(folder, "rev-parse", "HEAD")
        with pytest.raises(RepositoryUnusable):
            batch.commit("tarde")
    assert git(folder, "rev-parse", "HEAD") == theirs


def test_a_run_that_crashed_before_the_branch_moved_is_completed_by_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = put(folder, {"index.md": ONE})

    def crash(batch: Batch, *arguments: str) -> str:
        if arguments[0] == "update-ref":
            raise OSError("se fue la luz")
        return real(batch, *arguments)

    real = Batch._run
    monkeypatch.setattr(Batch, "_run", crash)
    with pytest.raises(OSError, match="luz"):
        put(folder, {"index.md": TWO})
    monkeypatch.undo()
    assert git(folder, "rev-parse", "HEAD") == first
    put(folder, {"index.md": TWO})
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "show", "HEAD:index.md") == TWO.decode().strip()


@pytest.mark.parametrize(
    "path",
    ["../fuera.md", "/etc/x.md", "a/../b.md", ".git/config", "a/.GIT/hooks/x", "con.md", "a//b.md", "a\nb.md", ""],
)
def test_a_path_that_leads_out_or_is_not_portable_is_refused(folder: Path, path: str) -> None:
    with Batch(folder) as batch, pytest.raises(WrongUsage, match="cannot be used"):
        batch.put(path, ONE)


def test_a_link_in_the_way_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "fuera").mkdir()
    (folder / "a").symlink_to(tmp_path / "fuera")
    with Batch(folder) as batch, pytest.raises(RepositoryUnusable, match="is a symbolic link"):
        batch.put("a/b.md", ONE)
    assert not list((tmp_path / "fuera").iterdir())


def test_a_folder_is_found_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    create_repository(Path("bosque"))
    put(Path("bosque"), {"index.md": ONE})
    assert git(tmp_path / "bosque", "show", "HEAD:index.md") == ONE.decode().strip()


@pytest.mark.parametrize("name", ["mi bosque", 'de "comillas"', "a\\b", "dos\nlíneas", "año"])
def test_a_forest_below_the_top_of_a_repository_writes_only_there(tmp_path: Path, name: str) -> None:
    top = plant(tmp_path / "repositorio", {"ajeno.txt": "ajeno"})
    (top / name).mkdir()
    put(top / name, {"index.md": ONE})
    assert git(top, "-c", "core.quotePath=false", "ls-files", "-z").split("\0")[:3] == sorted(
        ["ajeno.txt", "forest.yaml", f"{name}/index.md"]
    )
    assert (top / name / "index.md").read_bytes() == ONE


def test_a_batch_run_from_a_hook_writes_to_the_forest_and_not_to_the_hooks_repository(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = plant(tmp_path / "codigo", {})
    theirs = git(hooks, "rev-parse", "HEAD")
    with monkeypatch.context() as hook:
        hook.setenv("GIT_DIR", str(hooks / ".git"))
        hook.setenv("GIT_INDEX_FILE", str(hooks / ".git/index"))
        put(folder, {"index.md": ONE})
    assert git(hooks, "rev-parse", "HEAD") == theirs
    assert git(folder, "show", "HEAD:index.md") == ONE.decode().strip()


def test_without_git_the_error_says_so(tmp_path: Path, program: object) -> None:
    import sys

    code = (
        "from pathlib import Path; from forest.commit import create_repository; from forest.errors import ForestError\n"
        f"try: create_repository(Path({str(tmp_path / 'x')!r}))\nexcept ForestError as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code], env={"PATH": ""}, capture_output=True, check=False)
    assert b"no `git` on this machine's PATH" in done.stdout, done.stderr.decode()


def _fails_after(count: int, real: Callable[[Path, bytes], None]) -> Callable[[Path, bytes], None]:
    calls = [0]

    def replace(place: Path, data: bytes) -> None:
        calls[0] += 1
        if calls[0] == count + 1:  # once: what puts the files back must work
            raise KeyboardInterrupt
        real(place, data)

    return replace


def blob_of(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


@pytest.mark.parametrize("fails_at", [0, 1, 2])
def test_an_interrupted_batch_leaves_the_work_tree_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    put(folder, {"a.md": b"uno\n", "b.md": b"dos\n"})
    before = {path.name: path.read_bytes() for path in folder.glob("*.md")}
    real = forest.commit._replace
    monkeypatch.setattr("forest.commit._replace", _fails_after(fails_at, real))
    with pytest.raises(KeyboardInterrupt):
        put(folder, {"a.md": b"UNO\n", "b.md": b"DOS\n", "c.md": b"TRES\n"})
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in folder.glob("*.md")} == before
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.parametrize("branch_moved", [False, True])
def test_after_a_killed_batch_the_next_one_completes_whatever_it_writes(folder: Path, branch_moved: bool) -> None:
    put(folder, {"a.md": b"uno\n"})
    parent = git(folder, "rev-parse", "HEAD")
    later = put(folder, {"a.md": b"UNO\n", "c.md": b"TRES\n"})
    plan = {"a.md": [blob_of(b"uno\n"), blob_of(b"UNO\n")], "c.md": [None, blob_of(b"TRES\n")]}
    # What a kill leaves: a plan, some files written, the branch moved or not, the index as it was.
    git(folder, "read-tree", parent)
    if not branch_moved:
        git(folder, "update-ref", "HEAD", parent)
    (folder / "a.md").write_bytes(b"uno\n")
    (folder / ".c.md.x1.part").write_bytes(b"TR")
    state = {"folder": str(folder.resolve()), "parent": parent, "commit": later, "files": plan}
    (folder / ".git" / "forest-batch.json").write_text(json.dumps(state), encoding="utf-8")
    put(folder, {"z.md": b"otro\n"})
    assert git(folder, "status", "--porcelain") == ""
    assert (folder / "a.md").read_bytes() == (b"UNO\n" if branch_moved else b"uno\n")
    assert (folder / "c.md").exists() == branch_moved
    assert not list(folder.glob(".*.part"))


def test_a_link_at_the_name_of_a_temporary_file_is_not_written_through(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "ajeno"
    (folder / ".a.md.part").symlink_to(victim)
    put(folder, {"a.md": b"uno\n"})
    assert not victim.exists()


def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_read(folder: Path) -> None:
    os.mkfifo(folder / "a.md")
    with pytest.raises(RepositoryUnusable, match="in the way"):
        put(folder, {"a.md": b"uno\n"})


def test_a_node_that_nothing_would_read_is_refused(folder: Path) -> None:
    with pytest.raises(TooLarge):
        put(folder, {"a.md": b"x" * (MAX_NODE_BYTES + 1)})


def test_what_a_curator_committed_of_an_interrupted_batch_is_not_taken_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder, {"a.md": ONE, "b.md": ONE})
    real = Batch._run

    def meanwhile(batch: Batch, *arguments: str) -> str:
        if arguments[0] == "update-ref":
            write(folder, {"b.md": "de ella"})
            git(folder, "commit", "-qam", "curadora")
        return real(batch, *arguments)

    monkeypatch.setattr(Batch, "_run", meanwhile)
    with pytest.raises(RepositoryUnusable):
        put(folder, {"a.md": TWO})
    monkeypatch.undo()
    assert git(folder, "status", "--porcelain") == ""
    assert (folder / "a.md").read_bytes() == TWO
    assert (folder / "b.md").read_text() == "de ella"
