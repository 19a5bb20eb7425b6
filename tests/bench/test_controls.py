"""Controls: each takes away what it says and nothing else, and an arm that needs it fails."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bench.arms.table import ARMS
from bench.choosing import Choice
from bench.controls import CONTROLS, load_source, make_control
from bench.metrics import cases
from bench.question import load_questions
from bench.runner import plan_control, plan_run, run
from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.node import Node
from tests.bench.wood import WALKER

GOLD = (
    "315.04 pesos",
    "doce días laborables",
    "sustituida por la NOM-902",
    "a cargo del Laboratorio Cenzontle",
    "4,750 pesos",
    "frontera norte",
)
KEPT = ("90 mg/L", "3,200 pesos", "veinticinco por ciento", "Toluca", "descargas textiles")


def nodes(folder: Path) -> dict[str, Node]:
    return {node.id: node for node in load_source(open_snapshot(folder)).nodes}


@pytest.fixture
def controlled(wood: Path, asked: Path, tmp_path: Path, request: pytest.FixtureRequest) -> dict[str, Node]:
    folder = tmp_path / "control"
    make_control(request.param, open_snapshot(wood), folder, load_questions([asked]), 1)
    return nodes(folder)


@pytest.mark.parametrize("controlled", ["gold_removed"], indirect=True)
def test_gold_removed_takes_the_evidence_and_the_edges_that_rest_on_it(controlled: dict[str, Node]) -> None:
    bodies = "\n".join(node.body for node in controlled.values())
    assert [words for words in GOLD if words in bodies] == []
    assert [words for words in KEPT if words not in bodies] == []
    edges = {(node.id, edge.to) for node in controlled.values() for edge in node.passport.edges}
    assert edges == {("calandria", "nom-901-1996")}


@pytest.mark.parametrize("controlled", ["doors_shuffled"], indirect=True)
def test_doors_shuffled_permutes_the_targets_of_each_kind(controlled: dict[str, Node], wood: Path) -> None:
    before, after = (
        sorted((n.id, e.kind, e.to) for n in some.values() for e in n.passport.edges)
        for some in (nodes(wood), controlled)
    )
    assert after != before
    assert [(source, kind) for source, kind, _ in after] == [(source, kind) for source, kind, _ in before]
    assert sorted(pair[1:] for pair in after) == sorted(pair[1:] for pair in before)
    assert {n.id: n.body.strip() for n in controlled.values()} == {n.id: n.body.strip() for n in nodes(wood).values()}


@pytest.mark.parametrize("controlled", ["scents_blanked"], indirect=True)
def test_scents_blanked_leaves_no_scent(controlled: dict[str, Node], wood: Path) -> None:
    passports = [node.passport for node in controlled.values()]
    assert {text for p in passports for text in (p.scent, *p.scents.values(), *(e.scent for e in p.edges))} == {""}
    assert [[e.to for e in p.edges] for p in passports] == [
        [e.to for e in n.passport.edges] for n in nodes(wood).values()
    ]
    assert all(p.summary for p in passports)


@pytest.mark.parametrize("controlled", ["bodies_only"], indirect=True)
def test_bodies_only_leaves_titles_bodies_and_edges(controlled: dict[str, Node], wood: Path) -> None:
    for before in nodes(wood).values():
        p = controlled[before.id].passport
        assert (p.summary, p.scent, p.tags, p.aliases) == ("", "", (), ())
        assert (p.title, p.edges) == (before.passport.title, before.passport.edges)
        assert controlled[before.id].body.strip() == before.body.strip()


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_made_twice_is_the_same_tree(name: str, wood: Path, asked: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        make_control(name, open_snapshot(wood), tmp_path / folder, load_questions([asked]), 1)
    assert open_snapshot(tmp_path / "one").tree == open_snapshot(tmp_path / "two").tree
    assert open_snapshot(tmp_path / "one").tree != open_snapshot(wood).tree


def test_an_unknown_control_and_a_folder_in_use_are_refused(wood: Path, tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="no control 'nada'"):
        make_control("nada", open_snapshot(wood), tmp_path / "x", (), 1)
    with pytest.raises(WrongUsage, match="not empty"):
        make_control("bodies_only", open_snapshot(wood), wood, (), 1)


@pytest.mark.parametrize("name", ["gold_removed", "doors_shuffled", "scents_blanked"])
def test_an_arm_that_walks_loses_its_chain_under_a_control(
    name: str, wood: Path, asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ARMS, "walker", WALKER)
    plan = plan_run(wood, [asked], ["walker"], today=date(2026, 11, 30), choice=Choice("test"))
    whole = cases(run(plan, tmp_path / "whole.jsonl", jobs=1))
    under = cases(run(plan_control(plan, name, tmp_path / "control"), tmp_path / "under.jsonl", jobs=1))
    assert [(case.is_right, all(case.hops_cited)) for case in whole] == [(True, True)]
    assert [case.is_right for case in under] == [False]


def test_bm25_says_the_same_when_only_what_it_never_sees_is_blank(wood: Path, asked: Path, tmp_path: Path) -> None:
    plan = plan_run(wood, [asked], ["bm25"], today=date(2026, 11, 30))
    whole = run(plan, tmp_path / "whole.jsonl", jobs=1)
    under = run(plan_control(plan, "bodies_only", tmp_path / "control"), tmp_path / "under.jsonl", jobs=1)
    assert [(a.question, a.reply.text, a.reply.found) for a in under.attempts] == [
        (a.question, a.reply.text, a.reply.found) for a in whole.attempts
    ]
