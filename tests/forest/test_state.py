"""Derived state: found, checked or built; whatever happened to it, what it says is what the commit says."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import NoReturn

import pytest
from filelock import FileLock

from forest.errors import NotAForest, StateUnusable, TooLarge
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.render import to_json
from forest.showing import passport_view
from forest.state import open_state
from tests.conftest import SMALL, Forest, commit, node, plant

Damage = Callable[[Path], None]


def everything(folder: Path) -> tuple[str, ...]:
    """All that a state can say: an answer, a passport with doors, counts."""
    with open_state(open_snapshot(folder)) as state:
        answer = hunt(state, "¿De cuánto es el salario mínimo general?", today=date(2026, 1, 1))
        return to_json(answer), passport_view(state, "trabajo", as_json=True), to_json(state.catalog.counts())


def state_of(folder: Path) -> Path:
    with open_state(open_snapshot(folder)) as state:
        return state.folder


def counting_builds(folder: Path) -> int:
    """Open the state and tell whether it was built for that."""
    built: list[int] = []
    open_state(open_snapshot(folder), lambda done, _: built.append(done)).close()
    return len(built)


def files_of(state: Path) -> list[Path]:
    return [path for path in state.rglob("*") if path.is_file() and path.stat().st_size]


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x01
    path.write_bytes(data)


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _garbage(path: Path) -> None:
    path.write_bytes(b"\x00\xff[" * 40_000)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/null")


@pytest.mark.parametrize("damage", [_flip, _truncate, _garbage, Path.unlink, _folder, _link])
def test_a_state_altered_by_hand_is_built_again_and_never_believed(small: Path, damage: Damage) -> None:
    expected = everything(small)
    state_of(small)
    state = state_of(small)
    # The segment of an index is named at random, its files by their endings.
    names = sorted(p.name if p.stem.strip("0123456789abcdef") else f"*{p.suffix}" for p in files_of(state))
    assert {"catalog.sqlite", "manifest.json", "seen.json", "meta.json", "*.idx", "*.store"} <= set(names)
    for name in names:
        [path] = (p for p in files_of(state_of(small)) if fnmatch(p.name, name))
        before = path.stat()
        damage(path)
        if path.is_file() and not path.is_symlink():
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert everything(small) == expected, name
    assert everything(small) == expected


def test_a_state_of_another_tree_in_its_place_is_not_believed(small: Path) -> None:
    first = state_of(small)
    commit(small, {"trabajo/salarios.md": SMALL["trabajo/salarios.md"].replace("315.04", "999.99")})
    expected = everything(small)
    second = state_of(small)
    shutil.rmtree(second)
    shutil.copytree(first, second)
    assert everything(small) == expected


@pytest.mark.parametrize(
    "change",
    [
        lambda state: shutil.rmtree(state),
        lambda state: shutil.rmtree(state.parents[1]),
        lambda state: shutil.rmtree(state / "index"),
        lambda state: (state / "manifest.json").write_text(json.dumps({"files": {}, "tree": "", "versions": {}})),
        lambda state: (state / "manifest.json").write_text("[" * 100_000),
        lambda state: (state / "seen.json").write_text("[" * 100_000),
    ],
)
def test_a_state_that_is_missing_or_stale_comes_back_by_itself(small: Path, change: Damage) -> None:
    expected = everything(small)
    change(state_of(small))
    assert everything(small) == expected


def test_what_is_sound_is_not_built_again(small: Path) -> None:
    assert counting_builds(small)
    assert not counting_builds(small)
    assert not counting_builds(small)


def test_a_commit_elsewhere_in_the_repository_builds_nothing(tmp_path: Path) -> None:
    top = plant(tmp_path / "repositorio", {f"leyes/{path}": text for path, text in SMALL.items()})
    commit(top, {"leyes/forest.yaml": "name: leyes\n"})
    assert counting_builds(top / "leyes")
    commit(top, {"codigo.py": "print()\n"})
    assert not counting_builds(top / "leyes")


def test_two_forests_of_one_repository_have_states_of_their_own(tmp_path: Path) -> None:
    top = plant(tmp_path / "repositorio", {"a/forest.yaml": "name: a\n", "b/forest.yaml": "name: b\n"})
    commit(top, {"a/index.md": node("uno"), "b/index.md": node("uno")})
    assert state_of(top / "a").parent != state_of(top / "b").parent


def test_old_states_go_and_nothing_else_does(small: Path) -> None:
    home = state_of(small).parent
    (home / "apuntes").mkdir()
    for name in ("a.part", "b.old", "lock2"):
        (home / name).mkdir()
    for turn in range(5):
        commit(small, {"index.md": node("raiz", f"Vuelta {turn}.", kind="topic")})
        last = state_of(small)
    names = {path.name for path in home.iterdir()}
    assert names >= {last.name, "apuntes", "a.part", "b.old", "lock2", "lock"}
    assert len(names) == 3 + 5, "three states and what was there"


def test_a_home_that_is_a_link_loses_nothing_of_what_it_leads_to(small: Path, tmp_path: Path) -> None:
    home = state_of(small).parent
    shutil.rmtree(home)
    mine = tmp_path / "mis-cosas"
    for name in ("uno", "dos", "tres", "cuatro", "x.part"):
        (mine / name).mkdir(parents=True)
    home.symlink_to(mine)
    everything(small)
    assert {path.name for path in mine.iterdir()} >= {"uno", "dos", "tres", "cuatro", "x.part"}


def test_an_error_in_the_middle_of_a_build_leaves_nothing_behind(small: Path) -> None:
    home = state_of(small).parent
    shutil.rmtree(home)

    def interrupted(done: int, total: int) -> NoReturn:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_state(open_snapshot(small), interrupted)
    assert [path.name for path in home.iterdir()] == ["lock"]


def test_what_a_killed_build_left_is_not_trusted_and_cleared(small: Path) -> None:
    killed = (
        "import os, sys; from pathlib import Path; from forest.history import open_snapshot\n"
        "from forest.state import open_state\n"
        "open_state(open_snapshot(Path(sys.argv[1])), lambda done, total: os._exit(9))"
    )
    assert subprocess.run([sys.executable, "-c", killed, str(small)], check=False).returncode == 9
    [home] = (small / ".git/forest").iterdir()
    assert [path.suffix for path in home.iterdir() if path.is_dir()] == [".part"]
    assert counting_builds(small)
    assert [path.suffix for path in home.iterdir() if path.is_dir()] == [""]


def test_readers_do_not_wait_for_whoever_builds(small: Path) -> None:
    expected = everything(small)
    home = state_of(small).parent
    said: list[tuple[str, ...]] = []
    reader = threading.Thread(target=lambda: said.append(everything(small)), daemon=True)
    with FileLock(home / "lock"):
        reader.start()
        reader.join(timeout=60)
    assert said == [expected]


def test_two_processes_that_build_at_once_both_succeed_and_agree(small: Path) -> None:
    command = [sys.executable, "-m", "forest.cli", "search", "salario", "--json", "--forest", str(small)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    ends = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    assert ends[0][0] == ends[1][0]
    [home] = (small / ".git/forest").iterdir()
    assert len([path for path in home.iterdir() if path.is_dir()]) == 1


def test_the_same_tree_gives_the_same_results_in_any_process(sample: Path, tmp_path: Path, program: Forest) -> None:
    copy = tmp_path / "copia"
    shutil.copytree(sample, copy)
    runs = []
    for seed in ("1", "2"):
        shutil.rmtree(copy / ".git/forest", ignore_errors=True)
        words = ("search", "vacaciones", "salario", "norma", "--limit", "50", "--json", "--forest", copy)
        runs.append(program(*words, PYTHONHASHSEED=seed).json)
    assert runs[0] == runs[1]
    assert runs[0]


def test_where_the_repository_cannot_be_written_the_users_cache_is_used(small: Path) -> None:
    (small / ".git/forest").write_text("en medio")
    state = state_of(small)
    assert state.is_relative_to(os.environ["XDG_CACHE_HOME"])
    assert not counting_builds(small)


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not stop the superuser")
def test_a_state_that_may_only_be_read_is_made_again_in_the_cache(small: Path) -> None:
    expected = everything(small)
    home = state_of(small).parent
    try:
        for path in (home, *home.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        assert everything(small) == expected
        assert state_of(small).is_relative_to(os.environ["XDG_CACHE_HOME"])
    finally:
        for path in (home, *home.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_where_nothing_can_be_written_the_error_says_so(small: Path) -> None:
    (small / ".git/forest").write_text("en medio")
    Path(os.environ["XDG_CACHE_HOME"]).write_text("en medio")
    with pytest.raises(StateUnusable, match="can be written") as raised:
        state_of(small)
    assert "writable" in raised.value.hint


def test_ctrl_c_during_a_build_ends_with_130_and_leaves_no_state(tmp_path: Path) -> None:
    text = "Una disposición que dice cosas. " * 60
    folder = plant(tmp_path / "bosque", {f"n{i}.md": node(f"n{i}", f"# Título\n\n{text}") for i in range(1500)})
    command = [sys.executable, "-m", "forest.cli", "status", "--forest", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "Indexing" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said
    [home] = (folder / ".git/forest").iterdir()
    assert [path.name for path in home.iterdir()] == ["lock"]


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        (None, NotAForest, "has no forest.yaml"),
        ("", NotAForest, "has no name"),
        ("name: [\n", NotAForest, "not YAML"),
        ("- uno\n", NotAForest, "forest.yaml"),
        ("name: x\nhost: example.org\n", NotAForest, "unknown key 'host'"),
        ("name: x\nformat: 99\n", NotAForest, "says format 99, this forest reads up to 1"),
        ("name: x\nformat: -1\n", NotAForest, "not a whole number"),
        ("name: x\nbudgets: {passage_tokens: 0}\n", NotAForest, "not a whole number"),
        (b"name: \x81\x8d\n", NotAForest, "is not text"),
        ("name: x\n#" + "x" * 1_000_000, TooLarge, "has 1,000,009 bytes, the limit is 32,768"),
    ],
)
def test_a_forest_yaml_that_cannot_be_used_is_named(
    small: Path, text: str | bytes | None, error: type[Exception], says: str
) -> None:
    (small / "forest.yaml").unlink()
    commit(small, {"forest.yaml": text} if text is not None else {})
    with pytest.raises(error, match=says) as raised:
        open_state(open_snapshot(small))
    assert str(small) in str(raised.value)


def test_a_forest_yaml_that_is_a_link_is_not_followed(small: Path, tmp_path: Path) -> None:
    (tmp_path / "ajeno.yaml").write_text("name: ajeno\n")
    (small / "forest.yaml").unlink()
    (small / "forest.yaml").symlink_to(tmp_path / "ajeno.yaml")
    commit(small)
    with pytest.raises(NotAForest, match=r"has no forest\.yaml"):
        open_state(open_snapshot(small))


def test_of_two_files_with_one_id_the_first_path_has_it_and_the_other_is_counted(small: Path) -> None:
    commit(small, {"a.md": node("doble", title="Primero"), "b.md": node("doble", title="Segundo")})
    with open_state(open_snapshot(small)) as state:
        assert state.catalog.node("doble").path == "a.md"
        assert state.catalog.meta["left_out"] == "1"


def test_a_file_name_that_is_not_utf8_leaves_out_that_file_alone(small: Path) -> None:
    name = os.fsencode(small) + b"/caf\xe9.md"
    with open(name, "wb") as file:  # noqa: PTH123 - the name is bytes
        file.write(node("cafe").encode())
    commit(small)
    with open_state(open_snapshot(small)) as state:
        assert state.catalog.counts()["nodes"] == 4
        assert state.catalog.meta["left_out"] == "1"
