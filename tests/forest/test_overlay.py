"""The overlay: what a ref holds, however it came there, and a cache that can be lost at any time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.applying import apply_shortcuts
from forest.errors import RepositoryUnusable
from forest.history import open_snapshot
from forest.overlay import CACHE_NAME
from forest.shortcut import MAX_SHORTCUT_BYTES, Shortcut, ShortcutWrong, shortcut_bytes, shortcut_from, shortcut_path
from forest.side_ref import SideRef
from forest.state import State, open_state
from forest.trail import WalkedDoor
from tests.conftest import commit, git
from tests.forest.earned import CHAIN, minted, plant_chain

_HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return plant_chain(tmp_path / "bosque")


@pytest.fixture
def state(folder: Path) -> Iterator[State]:
    with open_state(open_snapshot(folder)) as opened:
        yield opened


def again(folder: Path) -> tuple[Shortcut, ...]:
    with open_state(open_snapshot(folder)) as state:
        return state.shortcuts.all()


def put(state: State, files: dict[str, bytes | None]) -> None:
    with SideRef(state.snapshot, "shortcuts") as ref:
        ref.update(lambda _: files, "prueba")


def fields(shortcut: Shortcut) -> dict[str, object]:
    return dict(json.loads(shortcut_bytes(shortcut)))


def written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


# --- values -----------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from("abcdef"), min_size=2, max_size=6, unique=True), st.lists(_HEX, min_size=1, unique=True)
)
def test_a_shortcut_is_read_as_it_was_written(nodes: list[str], trails: list[str]) -> None:
    way = tuple(WalkedDoor(one, "cites", two, useful=True) for one, two in pairwise(nodes))
    one = Shortcut(way, (), "a" * 40, tuple(trails), date(2026, 1, 1), date(2026, 2, 1))
    assert shortcut_from(shortcut_bytes(one)) == one
    assert shortcut_from(shortcut_bytes(one)).id == one.id


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f | {"format": 2},
        lambda f: f | {"format": True},
        lambda f: f | {"more": 1},
        lambda f: f | {"way": []},
        lambda f: f | {"way": [["a", "cites", "b"], ["c", "cites", "d"]]},
        lambda f: f | {"way": [["a", "cites", "../b"]]},
        lambda f: f | {"way": [["a", "shortcut", "b"]]},
        lambda f: f | {"way": [["a", "entry", "b"]]},
        lambda f: f | {"way": [["a", "cites\n", "b"]]},
        lambda f: f | {"way": [["a", "cites", "b", 1]]},
        lambda f: f | {"way": [[f"n{i}", "cites", f"n{i + 1}"] for i in range(17)]},
        lambda f: f | {"passages": [["a", 1, "../../etc/passwd", "a" * 40, 0, 5, "b" * 64]]},
        lambda f: f | {"passages": f["passages"] * 20},
        lambda f: f | {"trails": []},
        lambda f: f | {"trails": ["x" * 64]},
        lambda f: f | {"trails": f["trails"] * 2},
        lambda f: f | {"commit": "HEAD"},
        lambda f: f | {"minted": "2026-13-01"},
        lambda f: f | {"reinforced": "1999-01-01"},
        lambda f: f | {"reinforced": 20260101},
        lambda f: {key: f[key] for key in f if key != "trails"},
        lambda f: [f],
    ],
)
def test_what_is_no_shortcut_is_refused(state: State, change: Callable[[dict[str, object]], object]) -> None:
    with pytest.raises(ShortcutWrong):
        shortcut_from(written(change(fields(minted(state, "a", "b", "c")))))


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b"1", b" " * (MAX_SHORTCUT_BYTES + 1)])
def test_bytes_that_are_no_shortcut_are_refused(data: bytes) -> None:
    with pytest.raises(ShortcutWrong):
        shortcut_from(data)


# --- hostile files ----------------------------------------------------------------------------------------------------


def test_foreign_and_damaged_files_are_passed_over_and_told(state: State, folder: Path) -> None:
    good = minted(state, "a", "b", "c")
    other = replace(good, way=(WalkedDoor("b", "cites", "c", useful=True),))
    elsewhere = shortcut_path("c", good.id)
    files: dict[str, bytes | None] = {
        elsewhere: shortcut_bytes(good),
        other.path: b"{}",
        replace(good, way=(WalkedDoor("c", "cites", "d", useful=True),)).path: b"x" * (MAX_SHORTCUT_BYTES + 1),
        "README.md": b"hola",
        "a b/\x1b[31m.json": b"{}",
    }
    put(state, files)
    blob = git(folder, "rev-parse", "HEAD:a.md")
    assert again(folder) == (good,)
    with open_state(open_snapshot(folder)) as opened:
        refused = dict(opened.shortcuts.refused())
    assert set(refused) == set(files)
    assert "lies where" in refused[elsewhere]
    assert "more than" in refused[next(path for path in files if files[path] and len(files[path] or b"") > 1000)]
    assert blob  # nothing of the branch was touched
    assert git(folder, "status", "--porcelain") == ""


def test_links_and_submodules_on_the_ref_are_nothing(state: State, folder: Path) -> None:
    good = minted(state, "a", "b", "c")
    head = git(folder, "rev-parse", "HEAD")
    link = git(folder, "hash-object", "-w", "--stdin", data=b"/etc/passwd")
    entries = f"120000 blob {link}\tenlace.json\n160000 commit {head}\tmodulo\n"
    tree = git(folder, "mktree", data=entries.encode())
    ref = f"refs/forest/{state.snapshot.forest_id}/shortcuts"
    git(folder, "update-ref", ref, git(folder, "commit-tree", tree, "-m", "x"))
    assert again(folder) == ()
    git(folder, "update-ref", ref, git(folder, "rev-parse", "HEAD:a.md"))
    assert again(folder) == ()
    assert good.id


def test_a_name_that_is_no_utf8_is_passed_over(state: State, folder: Path) -> None:
    blob = git(folder, "hash-object", "-w", "--stdin", data=b"{}")
    tree = git(folder, "mktree", "-z", data=f"100644 blob {blob}\t".encode() + b"\xff.json\0")
    git(folder, "update-ref", f"refs/forest/{state.snapshot.forest_id}/shortcuts", tree and commit_of(folder, tree))
    assert state.shortcuts.all() == ()
    assert state.shortcuts.refused() == (("\\xff.json", "No shortcut has a file of such a name."),)


def commit_of(folder: Path, tree: str) -> str:
    return git(folder, "commit-tree", tree, "-m", "x")


# --- the cache --------------------------------------------------------------------------------------------------------


def test_without_the_ref_nothing_is_opened(state: State) -> None:
    assert state.shortcuts.of("a") == ()
    assert not (state.folder.parent / CACHE_NAME).exists()


@pytest.mark.parametrize("damage", [b"", b"no es sqlite" * 1000, None])
def test_a_cache_that_is_lost_or_damaged_is_made_anew(state: State, folder: Path, damage: bytes | None) -> None:
    good = minted(state, "a", "b", "c")
    state.shortcuts.close()
    cache = state.folder.parent / CACHE_NAME
    if damage is None:
        cache.unlink()
    else:
        cache.write_bytes(damage)
    assert again(folder) == (good,)
    assert again(folder) == (good,)


def test_a_cache_with_a_broken_page_is_made_anew(state: State, folder: Path) -> None:
    good = minted(state, "a", "b", "c")
    state.shortcuts.close()
    cache = state.folder.parent / CACHE_NAME
    data = bytearray(cache.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    cache.write_bytes(bytes(data))
    assert again(folder) == (good,)


def test_a_cache_of_another_version_or_of_a_tip_that_is_gone_is_made_anew(state: State, folder: Path) -> None:
    good = minted(state, "a", "b", "c")
    state.shortcuts.close()
    cache = state.folder.parent / CACHE_NAME
    with closing(sqlite3.connect(cache)) as db:
        db.execute("UPDATE followed SET tip = ?", ("0" * 39 + "1",))
        db.execute("DELETE FROM shortcuts")
        db.commit()
    assert again(folder) == (good,)
    with closing(sqlite3.connect(cache)) as db:
        db.execute("PRAGMA user_version = 99")
    assert again(folder) == (good,)


def test_a_cache_that_is_a_link_is_not_followed(state: State, folder: Path, tmp_path: Path) -> None:
    good = minted(state, "a", "b", "c")
    state.shortcuts.close()
    cache, other = state.folder.parent / CACHE_NAME, tmp_path / "ajeno"
    other.write_bytes(b"ajeno")
    cache.unlink()
    cache.symlink_to(other)
    assert again(folder) == (good,)
    assert other.read_bytes() == b"ajeno"


def test_a_cache_that_somebody_holds_does_not_stop_a_reader(
    state: State, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forest.overlay._WAIT_SECONDS", 0.05)
    first = minted(state, "a", "b", "c")
    with closing(sqlite3.connect(state.folder.parent / CACHE_NAME, isolation_level=None)) as held:
        held.execute("BEGIN EXCLUSIVE")
        second = minted(state, "a", "b", "d")
        assert again(folder) == (first, second)


def test_what_another_process_wrote_is_seen_after_a_refresh_and_not_before(state: State, folder: Path) -> None:
    assert state.shortcuts.of("a") == ()
    with open_state(open_snapshot(folder)) as other:
        good = minted(other, "a", "b", "c")
    assert state.shortcuts.of("a") == ()
    state.shortcuts.refresh()
    assert state.shortcuts.of("a") == (good,)
    put(state, {good.path: None})
    assert state.shortcuts.of("a") == (good,)
    state.shortcuts.refresh()
    assert state.shortcuts.of("a") == ()


def test_a_row_that_nobody_wrote_is_not_believed(state: State, folder: Path) -> None:
    good = minted(state, "a", "b", "c")
    state.shortcuts.close()
    for value in (b"{}", None, 7, "texto"):
        with closing(sqlite3.connect(state.folder.parent / CACHE_NAME)) as db:
            db.execute("UPDATE OR IGNORE shortcuts SET data = ?", (value if value is not None else b"",))
            db.commit()
        assert again(folder) == (good,)


def test_a_ref_that_was_packed_and_a_bare_clone_have_it_too(state: State, folder: Path, tmp_path: Path) -> None:
    good = minted(state, "a", "b", "c")
    git(folder, "pack-refs", "--all")
    git(folder, "gc", "-q")
    assert again(folder) == (good,)
    clone = tmp_path / "clon.git"
    git(folder, "clone", "-q", "--bare", str(folder), str(clone))
    assert again(clone) == ()
    ref = f"refs/forest/{state.snapshot.forest_id}/shortcuts"
    git(clone, "fetch", "-q", str(folder), f"{ref}:{ref}")
    assert again(clone) == (good,)
    with open_state(open_snapshot(clone)) as bare, pytest.raises(RepositoryUnusable, match="bare"):
        apply_shortcuts(bare, bare.shortcuts.all())


def test_a_repository_with_sha256_has_shortcuts(tmp_path: Path) -> None:
    folder = tmp_path / "sha256"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    commit(folder, {"forest.yaml": "name: prueba\n", **CHAIN})
    with open_state(open_snapshot(folder)) as state:
        good = minted(state, "a", "b", "c")
        assert apply_shortcuts(state, [good])[0].status == "applied"
    assert again(folder) == (good,)
