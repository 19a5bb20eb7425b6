"""The sample forest: clean, complete enough to learn from, and true where it states a figure."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from forest.ids import is_version, work_of
from forest.lint import lint
from forest.node import Node, load_node
from forest.passport import KINDS, render_node
from forest.store import load_folder, parent_path, read_folder_config
from forest.text import count_tokens, sentences

FOREST = Path(__file__).parents[2] / "fixtures" / "forest"


@pytest.fixture(scope="module")
def nodes() -> dict[str, Node]:
    return {file.node.id: file.node for file in load_folder(FOREST) if file.node is not None}


def test_the_sample_forest_lints_clean() -> None:
    assert lint(load_folder(FOREST), read_folder_config(FOREST)) == ()


def test_it_shows_every_kind_of_node_and_most_kinds_of_edge(nodes: dict[str, Node]) -> None:
    assert {node.passport.kind for node in nodes.values()} == set(KINDS)
    kinds = {edge.kind for node in nodes.values() for edge in node.passport.edges}
    assert kinds >= {
        "supersedes",
        "amends",
        "cites",
        "implements",
        "defines",
        "issued_by",
        "owns",
        "renames",
        "concerns",
    }


def test_it_shows_overrides_versions_states_and_aliases(nodes: dict[str, Node]) -> None:
    passports = [node.passport for node in nodes.values()]
    assert any(p.scents for p in passports)
    assert any(is_version(edge.to) for p in passports for edge in p.edges)
    assert {p.text_state for p in passports} >= {"as_published", "consolidated"}
    assert "LFT" in nodes["lft"].passport.aliases


def test_siblings_have_scents_that_tell_them_apart(nodes: dict[str, Node]) -> None:
    scents = [(parent_path(node.path), node.passport.scent) for node in nodes.values()]
    assert len(set(scents)) == len(scents)


def test_works_say_nothing_that_is_true_of_one_version_only(nodes: dict[str, Node]) -> None:
    # A walk that knows nothing after 2021 still passes through the work's node.
    for node in nodes.values():
        if is_version(node.id):
            work = nodes[work_of(node.id)]
            assert work.path == parent_path(node.path)
            assert "2022" not in work.text
            assert "doce" not in work.body


def test_one_sentence_and_one_row_each_say_the_minimum_wages_of_2026(nodes: dict[str, Node]) -> None:
    body = nodes["dof-5775533"].body
    said = [body[start:end] for start, end in sentences(body)]
    both = [s for s in said if "315.04" in s and "440.87" in s]
    assert len(both) == 1
    assert "Zona del Salario Mínimo General" in both[0]
    assert "Zona Libre de la Frontera Norte" in both[0]
    assert any(row.startswith("| Zona del Salario Mínimo General") and "315.04" in row for row in said)
    assert any(row.startswith("| Zona Libre de la Frontera Norte") and "440.87" in row for row in said)


def test_paragraphs_stand_on_one_line_because_a_line_end_ends_a_sentence(nodes: dict[str, Node]) -> None:
    for node in nodes.values():
        for block in node.body.strip().split("\n\n"):
            assert "\n" not in block.strip() or block.startswith("|")


@pytest.mark.parametrize(
    ("node_id", "figures"),
    [
        ("dof-salarios-2024", ("248.93", "374.89")),
        ("dof-salarios-2025", ("278.80", "419.88")),
        ("dof-5775533", ("315.04", "440.87")),
        ("dof-uma-2024", ("108.57",)),
        ("dof-uma-2025", ("113.14",)),
        ("dof-5778070", ("117.31", "3,566.22", "42,794.64")),
        ("dof-inpc-2025-12", ("143.042", "0.28")),
        ("dof-4927660", ("10.8386",)),
        ("lga/trans-2", ("180 días",)),
    ],
)
def test_figures_are_the_real_ones(nodes: dict[str, Node], node_id: str, figures: tuple[str, ...]) -> None:
    for figure in figures:
        assert figure in nodes[node_id].body


def test_each_vacation_text_is_in_force_when_it_was(nodes: dict[str, Node]) -> None:
    for article in ("lft/art-76", "lft/art-78"):
        before = nodes[f"{article}@1970-04-01"].passport.in_force
        after = nodes[f"{article}@2022-12-27"].passport.in_force
        assert before is not None
        assert after is not None
        assert before.end == after.start == date(2023, 1, 1)
        assert after.open_ended


def test_every_node_fits_a_walk(nodes: dict[str, Node]) -> None:
    for node in nodes.values():
        assert count_tokens(node.passport.summary) <= 60
        assert node.passages(400)


def test_rendering_a_node_changes_nothing_that_it_says(nodes: dict[str, Node]) -> None:
    for node in nodes.values():
        again, findings = load_node(render_node(node.passport, node.body).encode(), node.path)
        assert not findings
        assert again is not None
        assert (again.passport, again.body.strip()) == (node.passport, node.body.strip())
