"""Catching up: a state built from the records of an earlier one is the state that is built from nothing."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest import build
from forest.history import open_snapshot
from forest.state import open_state
from forest.tools import Session, search_documents
from tests.conftest import commit, git, node, plant
from tests.forest.tools.woodland import FILES, WORDS, act

PATHS = sorted(FILES)
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 35), st.sampled_from(WORDS)),
        st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just("")),
        st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(("aaa.md", "zzz/index.md"))),
        st.tuples(st.just("claim"), st.sampled_from(("acto-01", "ley", "inegi")), st.sampled_from(("a0.md", "z9.md"))),
    ),
    min_size=1,
    max_size=4,
)


def held(folder: Path) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """Return every row of the catalog, and what the tools say."""
    with open_state(open_snapshot(folder)) as state:
        database = sqlite3.connect(state.folder / "catalog.sqlite")
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {
            name: sorted(database.execute(f"SELECT * FROM {name}").fetchall(), key=repr)  # noqa: S608
            for name in names
            if name != "sqlite_stat1"
        }
        database.close()
        current = Session(state, date(2026, 3, 1))
        found = [
            (reply.status, reply.scanned, reply.items)
            for query in ("agua presa riego", "INEGI censo", "ley del riego cuota", "zorro")
            for reply in [search_documents(current, query, top_k=100, prefer_recent=True)]
        ]
    return rows, found


def edit(folder: Path, edits: list[tuple[str, Any, str]]) -> None:
    for what, which, more in edits:
        if what == "write":
            commit(folder, {f"actos/{which:02}.md": act(which) + f"\n{more.capitalize()} del zorro.\n"})
        elif what == "claim":
            commit(folder, {more: node(which, f"El zorro dice {which}.")})
        elif (folder / which).exists() and what == "delete":
            git(folder, "rm", "-q", which)
            commit(folder)
        elif (folder / which).exists():
            (folder / more).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(folder / which, folder / more)
            commit(folder)


@settings(max_examples=12)
@given(EDITS)
def test_what_is_caught_up_with_equals_what_is_built_from_nothing(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, Any, str]]
) -> None:
    place = tmp_path_factory.mktemp("poda")
    folder = plant(place / "b", FILES)
    before = held(folder)
    edit(folder, edits)
    caught_up = held(folder)
    git(place, "clone", "-q", str(folder), str(place / "c"))
    assert caught_up == held(place / "c")
    assert caught_up != before or git(folder, "rev-parse", "HEAD~1^{tree}") == git(folder, "rev-parse", "HEAD^{tree}")


def test_only_files_that_changed_are_digested_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = plant(tmp_path / "b", FILES)
    held(folder)
    digested: list[str] = []
    whole = build.digest

    def spy(given: Any, blob: str, budget_tokens: int) -> Any:
        digested.append(given.path)
        return whole(given, blob, budget_tokens)

    monkeypatch.setattr(build, "digest", spy)
    commit(folder, {"actos/03.md": act(3) + "\nOtro párrafo.\n"})
    held(folder)
    assert digested == ["actos/03.md"]
    commit(folder, {"forest.yaml": "name: prueba\nbudgets: {passage_tokens: 60}\n"})
    digested.clear()
    held(folder)
    assert len(digested) == len(FILES)  # passages are cut anew


def test_damaged_records_are_not_taken(tmp_path: Path) -> None:
    folder = plant(tmp_path / "b", FILES)
    held(folder)
    with open_state(open_snapshot(folder)) as state:
        records = state.folder / "records.sqlite"
    data = bytearray(records.read_bytes())
    for at in range(len(data) // 2, len(data), 97):
        data[at] ^= 0xFF
    records.write_bytes(bytes(data))
    commit(folder, {"actos/03.md": act(3) + "\nOtro párrafo.\n"})
    git(tmp_path, "clone", "-q", str(folder), str(tmp_path / "c"))
    assert held(folder) == held(tmp_path / "c")
