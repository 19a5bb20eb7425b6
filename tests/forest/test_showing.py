"""Showing a node: its text from git alone, at any revision; its passport with every door."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from forest.errors import NodeNotFound, RevisionUnknown
from forest.history import open_snapshot
from forest.showing import passport_view, text_view
from forest.state import open_state
from tests.conftest import SALARIOS, SMALL, commit, git, node, plant


def text(folder: Path, node_id: str, revision: str = "HEAD", *, passport: bool = False) -> str:
    return text_view(folder, node_id, revision, passport=passport, as_json=False)


def passport(folder: Path, node_id: str) -> str:
    with open_state(open_snapshot(folder)) as state:
        return passport_view(state, node_id, as_json=False)


def test_the_text_needs_no_derived_state(small: Path) -> None:
    assert "315.04 pesos" in text(small, "dof-salarios")
    assert not (small / ".git/forest").exists()


def test_a_revision_shows_the_node_as_it_was_wherever_its_file_was(small: Path) -> None:
    git(small, "mv", "trabajo/salarios.md", "salarios-2026.md")
    commit(small, {"salarios-2026.md": SALARIOS.replace("315.04", "999.99")})
    assert "999.99" in text(small, "dof-salarios")
    before = text(small, "dof-salarios", "HEAD~1")
    assert "315.04" in before
    assert "trabajo/salarios.md" in before


def test_a_node_that_a_revision_does_not_have_is_not_found_there(small: Path) -> None:
    commit(small, {"nuevo.md": node("nuevo")})
    assert "nuevo" in text(small, "nuevo")
    with pytest.raises(NodeNotFound, match="has no node 'nuevo'"):
        text(small, "nuevo", "HEAD~1")
    with pytest.raises(RevisionUnknown):
        text(small, "nuevo", "--output=x")


def test_a_node_that_is_only_mentioned_is_not_shown(small: Path) -> None:
    commit(small, {"a.md": node("primero", "Habla de dof-salarios y de id: dof-salarios.")})
    assert text(small, "dof-salarios").startswith("dof-salarios  Salarios mínimos 2026")


def test_the_passport_alone_is_the_front_matter_as_written(small: Path) -> None:
    front = SALARIOS.split("---\n")[1].strip()
    assert text(small, "dof-salarios", passport=True).endswith(f"\n\n{front}")


def test_what_is_not_committed_is_not_shown(small: Path) -> None:
    (small / "trabajo/salarios.md").write_text(SALARIOS.replace("315.04", "1.00"))
    assert "315.04" in text(small, "dof-salarios")
    shutil.rmtree(small / "trabajo")
    assert "315.04" in text(small, "dof-salarios")


EDGES = """\
edges:
  - {kind: supersedes, to: viejo, scent: el de antes, basis: sustituye}
  - {kind: cites, to: fuera-de-aqui, scent: no está, basis: cita}
scents:
  raiz: la raíz vista desde aquí
"""


def test_a_passport_has_one_line_for_every_door_that_leads_somewhere_and_says_that_they_are_all(tmp_path: Path) -> None:
    files = {
        "index.md": node("raiz", kind="topic", scent="todo el bosque"),
        "nuevo.md": node("nuevo", "sustituye", scent="el nuevo").replace("---\n\n", f"{EDGES}---\n\n"),
        "viejo.md": node("viejo", scent="el viejo"),
    }
    folder = plant(tmp_path / "bosque", files)
    assert passport(folder, "nuevo").split("\n\n")[-1].splitlines() == [
        "Doors: all 2 doors",
        "  parent         raiz  la raíz vista desde aquí",
        "  supersedes     viejo  el de antes",
    ]
    assert passport(folder, "viejo").splitlines()[-1] == "  superseded_by  nuevo  el nuevo"


def test_doors_that_are_left_out_are_counted(tmp_path: Path) -> None:
    children = {f"n{i:03}.md": node(f"n{i:03}") for i in range(75)}
    folder = plant(tmp_path / "bosque", {"index.md": node("raiz", kind="topic"), **children})
    shown = passport(folder, "raiz")
    assert "Doors: 60 of 75 doors; the first ones" in shown
    assert shown.splitlines()[-1] == "Left out: 15 doors."


def test_an_unknown_id_gets_the_nearest_one(tmp_path: Path) -> None:
    folder = plant(tmp_path / "bosque", SMALL)
    with pytest.raises(NodeNotFound) as raised:
        passport(folder, "dof-vacacion")
    assert raised.value.hint == "Did you mean dof-vacaciones?"
