"""Git, read-only: what was committed is found wherever the forest lies, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from forest.errors import ForestError, NotAForest, RepositoryUnusable, RevisionUnknown, TooLarge
from forest.history import ObjectReader, files_containing, find_in_tree, list_tree, open_snapshot, resolve
from tests.conftest import SMALL, commit, git, node, plant, write

PATHS = ["forest.yaml", "index.md", "trabajo/index.md", "trabajo/salarios.md", "trabajo/vacaciones.md"]


def paths(folder: Path, revision: str = "HEAD") -> list[str]:
    return [entry.path for entry in list_tree(open_snapshot(folder, revision))]


def test_a_snapshot_lists_what_is_committed_and_not_what_lies_about(small: Path) -> None:
    write(small, {"borrador.md": node("borrador")})
    assert paths(small) == PATHS


def test_a_revision_shows_the_forest_as_it_was(small: Path) -> None:
    commit(small, {"nuevo.md": node("nuevo")})
    assert "nuevo.md" in paths(small)
    assert paths(small, "HEAD~1") == PATHS


def test_a_detached_head_is_a_head(small: Path) -> None:
    first = git(small, "rev-parse", "HEAD")
    commit(small, {"nuevo.md": node("nuevo")})
    git(small, "checkout", "-q", first)
    assert open_snapshot(small).commit == first
    assert paths(small) == PATHS


@pytest.mark.parametrize(
    "name",
    ["bosque", "mi bosque", "año ñandú", 'de "comillas"', "de 'comillas'", "dos\nlíneas", "-guion", "$HOME", "a\\b"],
)
def test_a_forest_in_a_folder_of_a_repository_is_found_whatever_the_folder_is_called(tmp_path: Path, name: str) -> None:
    top = plant(tmp_path / "repositorio", {f"{name}/{path}": text for path, text in SMALL.items()})
    commit(top, {f"{name}/forest.yaml": "name: dentro\n"})
    snapshot = open_snapshot(top / name)
    assert snapshot.prefix == f"{name}/"
    assert paths(top / name) == PATHS
    assert list(files_containing(snapshot, "tortugas")) == ["trabajo/vacaciones.md"]


@pytest.mark.parametrize("name", ["mi bosque", "dos\nlíneas", "año"])
def test_a_repository_may_have_any_name_too(tmp_path: Path, name: str) -> None:
    folder = plant(tmp_path / name, SMALL)
    snapshot = open_snapshot(folder)
    assert (snapshot.prefix, snapshot.common_dir) == ("", folder / ".git")
    assert paths(folder) == PATHS


def test_a_linked_work_tree_shares_the_repository(small: Path, tmp_path: Path) -> None:
    git(small, "worktree", "add", "-q", str(tmp_path / "otro"), "-b", "otra")
    commit(tmp_path / "otro", {"nuevo.md": node("nuevo")})
    linked = open_snapshot(tmp_path / "otro")
    assert linked.common_dir == open_snapshot(small).common_dir
    assert "nuevo.md" in paths(tmp_path / "otro")
    assert "nuevo.md" not in paths(small)


def test_a_bare_repository_is_a_forest_without_a_work_tree(small: Path, tmp_path: Path) -> None:
    git(small, "clone", "-q", "--bare", str(small), str(tmp_path / "desnudo.git"))
    snapshot = open_snapshot(tmp_path / "desnudo.git")
    assert snapshot.bare
    assert snapshot.tree == open_snapshot(small).tree
    assert list(files_containing(snapshot, "tortugas")) == ["trabajo/vacaciones.md"]


def test_links_and_submodules_are_listed_as_what_they_are(small: Path, tmp_path: Path) -> None:
    (small / "enlace.md").symlink_to("/etc/hostname")
    git(small, "add", "enlace.md")
    git(small, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},modulo")
    git(small, "commit", "-q", "-m", "raros")
    plain = {entry.path: entry.plain for entry in list_tree(open_snapshot(small))}
    assert (plain["enlace.md"], plain["modulo"], plain["index.md"]) == (False, False, True)


@pytest.mark.parametrize(
    "revision",
    [
        "--output=x",
        "-h",
        "--help",
        "",
        "HEAD:index.md",
        "HEAD^{tree}",
        "HEAD\nHEAD",
        "HEAD\0",
        "nada",
        "a" * 2000,
        "@{-9}",
    ],
)
def test_a_revision_that_names_no_commit_is_refused_and_writes_nothing(small: Path, revision: str) -> None:
    before = sorted(small.iterdir())
    with pytest.raises(RevisionUnknown, match="names no commit"):
        resolve(small, revision)
    assert sorted(small.iterdir()) == before


def test_what_cannot_be_opened_says_why_and_what_to_do(small: Path, tmp_path: Path) -> None:
    (tmp_path / "vacio").mkdir()
    (tmp_path / "nuevo").mkdir()
    git(tmp_path / "nuevo", "init", "-q")
    (small / "sin-confirmar").mkdir()
    cases: list[tuple[Path, type[ForestError], str, str]] = [
        (tmp_path / "no-existe", NotAForest, "is not a folder", "--forest"),
        (tmp_path / "vacio", RepositoryUnusable, "not a git repository", "git init"),
        (tmp_path / "nuevo", RepositoryUnusable, "without commits", "git commit"),
        (small / "sin-confirmar", NotAForest, "is not part of commit HEAD", "Commit it"),
    ]
    for folder, error, message, hint in cases:
        with pytest.raises(error, match=message) as raised:
            open_snapshot(folder)
        assert hint in raised.value.hint
        assert str(folder) in raised.value.message


def test_without_git_the_error_says_so(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RepositoryUnusable, match="no `git` on this machine's PATH"):
        open_snapshot(small)


def test_a_blob_is_read_whole_or_not_at_all(small: Path) -> None:
    entry = find_in_tree(open_snapshot(small), "index.md")
    assert entry is not None
    with ObjectReader(small) as objects:
        assert objects.read(entry.blob) == SMALL["index.md"].encode()
        with pytest.raises(TooLarge, match="the limit is 10"):
            objects.read(entry.blob, 10)
        assert objects.read(entry.blob) == SMALL["index.md"].encode(), "a refused blob does not spoil the next"


@pytest.mark.parametrize("oid", ["0" * 40, "1" * 64, "HEAD", "", "--batch", "abc\nHEAD"])
def test_what_is_no_blob_here_is_none(small: Path, oid: str) -> None:
    with ObjectReader(small) as objects:
        assert objects.read(oid) is None
        assert objects.read(git(small, "rev-parse", "HEAD")) is None, "a commit is no blob"
        assert objects.read(git(small, "rev-parse", "HEAD^{tree}")) is None, "nor is a tree"


@pytest.mark.parametrize("path", ["", "no/esta.md", "../index.md", "/etc/hostname", "a\0b", ":(glob)**", "*.md"])
def test_a_path_is_a_path_and_never_a_pattern(small: Path, path: str) -> None:
    assert find_in_tree(open_snapshot(small), path) is None


def test_colours_in_the_users_configuration_do_not_reach_paths(small: Path) -> None:
    git(small, "config", "color.ui", "always")
    git(small, "config", "grep.lineNumber", "true")
    assert list(files_containing(open_snapshot(small), "tortugas")) == ["trabajo/vacaciones.md"]


def test_inherited_git_variables_do_not_lead_elsewhere(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = plant(tmp_path / "otro", {"ajeno.md": node("ajeno")})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert paths(small) == PATHS


def test_a_ref_is_followed_by_the_reader_of_blobs(tmp_path: Path) -> None:
    folder = plant(tmp_path / "bosque", {"index.md": node("raiz")})
    with ObjectReader(folder) as objects:
        assert objects.commit_of("refs/forest/x/y") == ""
        git(folder, "update-ref", "refs/forest/x/y", "HEAD")
        head = git(folder, "rev-parse", "HEAD")
        assert objects.commit_of("refs/forest/x/y") == head
        blob = git(folder, "rev-parse", "HEAD:index.md")
        assert objects.read(blob) == (folder / "index.md").read_bytes()
        git(folder, "update-ref", "refs/forest/x/y", blob)
        assert objects.commit_of("refs/forest/x/y") == ""
        git(folder, "update-ref", "refs/forest/x/y", git(folder, "rev-parse", "HEAD^{tree}"))
        assert objects.commit_of("refs/forest/x/y") == ""
        assert objects.read(blob) == (folder / "index.md").read_bytes()
