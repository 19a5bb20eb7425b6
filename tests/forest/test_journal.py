"""The journal: each step is on the disk before the next, a killed walk can be read, and no file can break it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.errors import WalkNotFound
from forest.journal import JOURNAL_FORMAT, Journal, read_walk, read_walks, walk_ids
from tests.conftest import SMALL, Forest, assert_one_clear_sentence, plant

ID = "20260301T101500-0000abcd"
LATER = "20260301T101500-0000abce"
HEADER: dict[str, Any] = {"format": JOURNAL_FORMAT, "question": "¿Cuánto?", "navigator": "person"}
SEEN = {"text": "COMPLETE", "tokens": 3, "shown": 0, "total": 0, "truncated": False, "next": ""}
ENDING: dict[str, Any] = {"ending": "abstained", "answer": {"claims": []}}


def step(number: int, **changed: Any) -> dict[str, Any]:
    return {"step": number, "at": "raiz", "action": "doors 1", "why": "", "hops": 0, "observation": SEEN} | changed


def written(home: Path, walk_id: str, *lines: dict[str, Any]) -> Path:
    book = Journal(home, walk_id)
    for line in lines:
        book.write(line)
    book.close()
    return book.path


# --- writing ----------------------------------------------------------------------------------------------------------


def test_a_line_is_on_the_disk_when_write_returns(tmp_path: Path) -> None:
    book = Journal(tmp_path, ID)
    for number, line in enumerate((HEADER, step(1), step(2), ENDING), start=1):
        book.write(line)
        on_disk = book.path.read_bytes().splitlines(keepends=True)
        assert len(on_disk) == number
        assert on_disk[-1].endswith(b"\n")
        assert json.loads(on_disk[-1]) == line
    book.close()


def test_a_walk_reads_as_it_was_written(tmp_path: Path) -> None:
    written(tmp_path, ID, HEADER, step(1), step(2), ENDING)
    record = read_walk(tmp_path, ID)
    assert (record.id, record.header, record.steps, record.ending) == (ID, HEADER, (step(1), step(2)), ENDING)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_reads_as_it_was_written_and_the_file_has_no_control_characters(
    tmp_path_factory: pytest.TempPathFactory, question: str, why: str
) -> None:
    home = tmp_path_factory.mktemp("casa")
    path = written(home, ID, HEADER | {"question": question}, step(1, why=why))
    record = read_walk(home, ID)
    assert (record.header["question"], record.steps[0]["why"]) == (question, why)
    text = path.read_text(encoding="utf-8")
    assert not [c for c in text if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0x202A <= ord(c) <= 0x202E)]


def test_only_the_owner_can_read_a_walk(tmp_path: Path) -> None:
    path = written(tmp_path, ID, HEADER)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_walk_is_never_overwritten_nor_written_through_a_link(tmp_path: Path) -> None:
    path = written(tmp_path, ID, HEADER, step(1))
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        Journal(tmp_path, ID)
    assert path.read_bytes() == before
    target = tmp_path / "ajeno"
    target.write_text("mío")
    path.with_name(f"{LATER}.jsonl").symlink_to(target)
    with pytest.raises(FileExistsError):
        Journal(tmp_path, LATER)
    assert target.read_text() == "mío"


def test_only_the_latest_walks_are_kept_and_nothing_else_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "walks"
    folder.mkdir()
    for n in range(510):
        (folder / f"20260101T000000-{n:08x}.jsonl").write_text("")
    (folder / "notas.jsonl").write_text("mías")
    written(tmp_path, ID, HEADER)
    ids = walk_ids(tmp_path)
    assert len(ids) == 501
    assert (ids[0], ids[-1]) == (ID, "20260101T000000-0000000a")
    assert (folder / "notas.jsonl").read_text() == "mías"


# --- reading ----------------------------------------------------------------------------------------------------------


@given(st.integers(1, 400))
def test_however_a_kill_tears_the_last_line_the_steps_before_it_are_read(
    tmp_path_factory: pytest.TempPathFactory, lost: int
) -> None:
    home = tmp_path_factory.mktemp("casa")
    path = written(home, ID, HEADER, step(1), step(2), step(3, why="x" * 400))
    data = path.read_bytes()
    path.write_bytes(data[:-lost])
    record = read_walk(home, ID)
    # Without its line feed alone a line is whole.
    assert [line["step"] for line in record.steps] == ([1, 2, 3] if lost == 1 else [1, 2])
    assert record.ending is None


def test_walks_are_listed_the_latest_first_and_last_is_the_latest(tmp_path: Path) -> None:
    for walk_id in (LATER, ID):
        written(tmp_path, walk_id, HEADER)
    assert walk_ids(tmp_path) == (LATER, ID)
    assert read_walk(tmp_path, "last").id == LATER


def test_an_id_that_is_not_there_is_refused_and_no_path_gets_out_of_the_folder(tmp_path: Path) -> None:
    written(tmp_path, ID, HEADER)
    (tmp_path / "fuera.jsonl").write_text(json.dumps(HEADER))
    for walk_id in (LATER, "../fuera", "", f"{ID}.jsonl", "x" * 10_000):
        with pytest.raises(WalkNotFound, match=r"There is no walk .{0,90} List them with `forest walks`\."):
            read_walk(tmp_path, walk_id)
    with pytest.raises(WalkNotFound, match="No walk that can be read is recorded here"):
        read_walk(tmp_path / "vacía", "last")


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(range(256)) * 40,
    "no object": b"[1, 2]\n7\n",
    "of a format to come": json.dumps(HEADER | {"format": JOURNAL_FORMAT + 1}).encode(),
    "without a question": b'{"format": 1, "navigator": "person"}\n',
    "a question that is none": b'{"format": 1, "navigator": "person", "question": ["a"]}\n',
    "a line of ten megabytes": b'{"format": 1, "question": "' + b"a" * 10_000_000 + b'", "navigator": "person"}\n',
    "nested beyond reason": b"[" * 100_000 + b"\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_holds_no_walk_is_named_as_such_and_hides_no_other(tmp_path: Path, kind: str) -> None:
    written(tmp_path, ID, HEADER, step(1))
    (tmp_path / "walks" / f"{LATER}.jsonl").write_bytes(HOSTILE[kind])
    records, unreadable = read_walks(tmp_path)
    assert ([record.id for record in records], unreadable) == ([ID], (LATER,))
    assert read_walk(tmp_path, "last").id == ID
    with pytest.raises(WalkNotFound, match=f"The journal of walk {LATER} cannot be read"):
        read_walk(tmp_path, LATER)


def test_links_pipes_and_folders_are_no_walks(tmp_path: Path) -> None:
    path = written(tmp_path, ID, HEADER)
    folder = path.parent
    (folder / "20260101T000000-00000001.jsonl").symlink_to(path)
    (folder / "20260101T000000-00000002.jsonl").mkdir()
    os.mkfifo(folder / "20260101T000000-00000003.jsonl")
    assert walk_ids(tmp_path) == (ID,)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = written(tmp_path, ID, HEADER, step(1))
    os.truncate(path, 300 * 1024 * 1024)  # a hole: it takes no room
    begun = time.monotonic()
    assert read_walks(tmp_path) == ((), (ID,))
    assert time.monotonic() - begun < 1


@pytest.mark.parametrize(
    "line",
    [
        {"step": "uno"},
        step(2, observation="nada"),
        step(2, observation={"text": 7, "tokens": 3}),
        step(2, action=None),
        {"ending": 3, "answer": {"claims": []}},
        {"ending": "answered", "answer": {}},
        {"ending": "answered", "answer": {"claims": [{"value": "", "text": "", "citations": []}]}},
        {"ending": "answered", "answer": {"claims": [{"value": "", "text": "", "citations": [{"node": 1}]}]}},
    ],
)
def test_a_line_that_is_no_step_and_no_ending_is_skipped(tmp_path: Path, line: dict[str, Any]) -> None:
    written(tmp_path, ID, HEADER, step(1), line, step(3))
    record = read_walk(tmp_path, ID)
    assert [one["step"] for one in record.steps] == [1, 3]
    assert record.ending is None


# --- from the command line --------------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return plant(tmp_path / "bosque", SMALL)


def walks_of(place: Path) -> Path:
    (folder,) = (place / ".git" / "forest").glob("*/walks")
    return folder


def test_forest_walks_lists_and_shows_what_walks_left(forest: Forest, place: Path) -> None:
    assert "No walks are recorded here yet." in forest("walks", "--forest", place).out
    assert_one_clear_sentence(forest("walks", "last", "--forest", place), "No walk")
    forest("walk", "salario mínimo", "--forest", place, stdin="e dof-salarios\nq\n")
    listed = forest("walks", "--forest", place)
    assert "person     3 steps  abstained    salario mínimo" in listed.out
    (one,) = forest("walks", "--forest", place, "--json").json
    assert (one["question"], one["navigator"], one["ending"]) == ("salario mínimo", "person", "abstained")
    shown = forest("walks", one["id"], "--forest", place)
    assert "  2. at nowhere yet: enter dof-salarios" in shown.out
    assert "Ending: abstained" in shown.out
    assert [line["action"] for line in forest("walks", "last", "--forest", place, "--json").json["steps"]] == [
        "search salario mínimo", "enter dof-salarios", "give up",
    ]  # fmt: skip
    assert_one_clear_sentence(forest("walks", ID, "--forest", place), f"There is no walk '{ID}'")


def test_forest_walks_names_files_that_are_no_walks_and_lists_the_others(forest: Forest, place: Path) -> None:
    forest("walk", "--forest", place, stdin="q\n")
    for n, data in enumerate(HOSTILE.values()):
        (walks_of(place) / f"20260101T000000-{n:08x}.jsonl").write_bytes(data)
    (walks_of(place) / "20260101T000001-00000000.jsonl").symlink_to("/dev/zero")
    listed = forest("walks", "--forest", place)
    assert listed.code == 0
    assert len(listed.out.splitlines()) == 1
    assert listed.err.startswith("Not readable: 20260101T000000-0000000")


def test_no_control_character_of_a_walk_reaches_the_terminal(forest: Forest, place: Path) -> None:
    forest("walk", "--forest", place, stdin="q\n")
    nasty = "\x1b[2J\u202emal\x07\r"
    lines = (
        HEADER | {"question": nasty, "navigator": f"p{nasty}"},
        step(1, at=nasty, action=f"search {nasty}", why=nasty, observation=SEEN | {"text": f"{nasty}\n[1] {nasty}"}),
        {"ending": f"an{nasty}", "answer": {"claims": [{"value": nasty, "text": "", "citations": [{"node": nasty}]}]}},
    )
    written(walks_of(place).parent, "20990101T000000-00000000", *lines)
    for arguments in ((), ("last",), ("--json",), ("last", "--json")):
        ran = forest("walks", *arguments, "--forest", place)
        assert ran.code == 0
        assert "mal" in ran.out
        assert not set(ran.said) & {"\x1b", "\u202e", "\x07", "\r"}


# --- processes that end before their time -----------------------------------------------------------------------------


@contextmanager
def walking(place: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Start a person's walk as a process of its own, whose input is a pipe."""
    command = [sys.executable, "-m", "forest.cli", "walk", *arguments, "--forest", str(place)]
    # Of its own group, so that a signal meant for it alone is not ignored as in a shell's background.
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        assert process.stdin is not None
        try:
            yield process, process.stdin
        finally:
            process.kill()


def wait_for_steps(place: Path, count: int) -> None:
    """Wait until the only walk of a forest has so many steps on the disk."""
    for _ in range(600):
        for path in (place / ".git" / "forest").glob("*/walks/*.jsonl"):
            if path.read_bytes().count(b'\n{"step"') >= count:
                return
        time.sleep(0.05)
    pytest.fail(f"no {count} steps were recorded")


def test_a_killed_walk_can_be_read_with_its_steps_and_no_ending(forest: Forest, place: Path) -> None:
    forest("status", "--forest", place)
    with walking(place) as (process, typed):
        typed.write(b"d\n")
        typed.flush()
        wait_for_steps(place, 2)  # it begins by entering the root
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
    shown = forest("walks", "last", "--forest", place)
    assert shown.code == 0
    assert "  1. at nowhere yet: enter raiz" in shown.out
    assert "  2. at raiz: doors 1" in shown.out
    assert shown.out.endswith("It has no ending: it goes on, or was stopped from outside.\n")
    assert "no ending" in forest("walks", "--forest", place).out
    assert forest("walks", "last", "--forest", place, "--json").json["ending"] is None


def test_ctrl_c_ends_a_walk_and_its_record_says_so(forest: Forest, place: Path) -> None:
    forest("status", "--forest", place)
    with walking(place, "salario") as (process, typed):
        typed.write(b"e dof-salarios\n")
        typed.flush()
        wait_for_steps(place, 2)
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout is not None
        said = process.stdout.read().decode()
        assert process.wait(30) == 130
    assert "Traceback" not in said
    record = forest("walks", "last", "--forest", place, "--json").json
    assert f"Recorded: forest walks {record['id']}" in said
    assert [line["action"] for line in record["steps"]] == ["search salario", "enter dof-salarios"]
    assert record["ending"]["ending"] == "interrupted"
    assert "Ending: interrupted" in forest("walks", "last", "--forest", place).out
