"""As of a day: what steps and hunts show is what they would show of a forest without any text that is known later."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.answer import Answer
from forest.errors import NodeNotFound, NodeNotKnownYet
from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.outline import outline
from forest.ranking import Found
from forest.scent import scent
from forest.state import State, open_state
from forest.steps import land, read, search_step, step_clock
from forest.validity import Clock, clock_for, version_in_force
from tests.conftest import commit, node, plant

TODAY = date(2026, 3, 1)
DAYS = ("1990-01-01", "2005-06-30", "2010-01-01", "2018-03-05", "2020-01-01", "2022-12-27")
WORDS = "tortuga playa arena nido salario jornada vacaciones permiso agua concesión norma límite pesos días".split()
QUESTIONS = (
    "tortuga de la playa",
    "¿Cuántos días de vacaciones tiene la jornada?",
    "permiso de agua",
    "salario mínimo de la Ley de la Playa",
    "artículo 1 de la Ley de la Playa",
    "¿Qué dice el artículo 2 de la LDA?",
    "NOM-001-PRUEBA-2010",
    "¿Quién emitió la NOM-001-PRUEBA-2010?",
    "¿Qué dice la Ley de la Plaza?",
    "n-1 tortuga playa arena nido",
)
CONFIG = """\
name: prueba
budgets: {summary_tokens: 12, passage_tokens: 40, outline_tokens: 400, scent_tokens: 400, search_tokens: 400}
edge_kinds:
  funds: {inverse: funded_by, words: [financia]}
"""
KINDS = ("cites", "amends", "issued_by", "funds", "supersedes")


@dataclass(frozen=True)
class Planted:
    """A node as the test made it: its file, its text, and since when it is known by the rules of the documentation."""

    path: str
    id: str
    text: str
    known: str | None  # "" always, None never


# --- random forests -----------------------------------------------------------------------------------------------

days = st.sampled_from(DAYS)
table = st.just("| Años | Días |\n|---|---|\n| 1 | 12 |\n| 2 | 14 |")
sentences = st.lists(st.sampled_from(WORDS), min_size=2, max_size=7).map(lambda said: f"{' '.join(said).capitalize()}.")
bodies = st.lists(st.one_of(sentences, st.just("## Capítulo"), table), max_size=6).map("\n\n".join)


@st.composite
def dated(draw: st.DrawFn) -> dict[str, str]:
    """The days that a passport states: none, that of publication, or those of a consolidated text as well."""
    way = draw(st.integers(0, 3))
    if way == 0:
        return {}
    published = draw(days)
    if way < 3:
        return {"published": published}
    return {"published": published, "text_state": "consolidated", "text_as_of": draw(days)}


def stated(fields: dict[str, str], kind: str) -> str | None:
    told = [fields[key] for key in ("published", "text_as_of") if key in fields]
    return max(told) if told else "" if kind in ("topic", "entity") else None


@st.composite
def forests(draw: st.DrawFn) -> tuple[Planted, ...]:
    """A forest of up to some twenty nodes, with laws, works with versions, entities, and edges of every sort."""
    folders = ["", "uno/", "uno/dos/", "tres/"]
    plan: list[tuple[str, str, str, dict[str, str]]] = [("index.md", "raiz", "topic", {})]
    for folder in folders[1:]:
        if draw(st.booleans()):
            kind = draw(st.sampled_from(["topic", "instrument"]))
            plan.append((f"{folder}index.md", f"c-{folder.strip('/').replace('/', '-')}", kind, draw(dated())))
    for law, title in (("playa", "Ley de la Playa"), ("lda", "Ley del Agua")):
        if draw(st.booleans()):
            plan.append((f"{law}/index.md", law, "instrument", {"title": title, **draw(dated())}))
        for article in draw(st.lists(st.sampled_from("123"), unique=True, max_size=3)):
            name = f"{law}/art-{article}"
            versions = draw(st.lists(days, unique=True, max_size=3))
            undated = st.just(dict[str, str]())
            plan.append((f"{name}/index.md", name, "provision", draw(undated | dated() if versions else dated())))
            for day in versions:
                fields = draw(st.sampled_from([{"published": day}, {}, {"published": day, "text_as_of": draw(days)}]))
                ends = draw(st.sampled_from(["open", "2019-01-01", ""]))
                period = f"{{from: {day}" + (f", to: {ends}" if ends else "") + ", basis: x}"
                force = {"in_force": period} if draw(st.booleans()) else {}
                plan.append((f"{name}/{day}.md", f"{name}@{day}", "provision", {**fields, **force}))
    for number in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["publication", "publication", "entity", "topic", "provision"]))
        extra = {"aliases": "[NOM-001-PRUEBA-2010]"} if number == 0 else {}
        plan.append((f"{draw(st.sampled_from(folders))}n{number}.md", f"n-{number}", kind, {**extra, **draw(dated())}))
    ids = [node_id for _, node_id, _, _ in plan]
    return tuple(_grown(draw, ids, *entry, plan=plan) for entry in plan)


def _grown(
    draw: st.DrawFn, ids: list[str], path: str, node_id: str, kind: str, fields: dict[str, str], plan: list[Any]
) -> Planted:
    targets = st.sampled_from([*ids, "no-hay", "playa/art-9"])
    edges = draw(st.lists(st.tuples(st.sampled_from(KINDS), targets), unique=True, max_size=3))
    lines = "".join(f"  - {{kind: {k}, to: {to}, scent: {draw(sentences)[:-1]}, basis: x}}\n" for k, to in edges)
    overrides = draw(st.lists(st.sampled_from(ids), unique=True, max_size=2))
    seen = "".join(f"  {to}: aquí {draw(st.sampled_from(WORDS))}\n" for to in overrides)
    more = (f"edges:\n{lines}" if lines else "") + (f"scents:\n{seen}" if seen else "")
    written = {"kind": kind, "title": node_id, "scent": draw(sentences), "summary": draw(sentences), **fields}
    text = node(node_id, draw(bodies), **written)
    known = stated(fields, kind)
    if known is None and "@" not in node_id:
        versions = [stated(f, k) for _, other, k, f in plan if other.startswith(f"{node_id}@")]
        known = min((day for day in versions if day is not None), default=None)
    return Planted(path, node_id, text.replace("---\n\n", f"{more}---\n\n", 1), known)


# --- what a forest shows ------------------------------------------------------------------------------------------


def shown(state: State, clock: Clock, ids: list[str]) -> dict[str, Any]:
    """Everything that steps show of the nodes named, and of the questions, without the words of commands."""
    told: dict[str, Any] = {"counts": state.catalog.counts()}
    for node_id in ids:
        row = state.catalog.find(node_id)
        if row is None:
            with pytest.raises(NodeNotFound):
                scent(state, node_id, clock)
            continue
        parent = state.catalog.parent(row)
        told[node_id] = {
            "outline": pages(lambda at, i=node_id: outline(state, i, clock, at)),
            "scent": pages(lambda at, i=node_id: scent(state, i, clock, at)),
            "read": pages(lambda at, i=node_id: read(state, i, clock, at)),
            "above": (parent.id if parent else None, [above.id for above in state.catalog.ancestors(row)]),
            "versions": [version.id for version in state.catalog.versions(node_id)],
            "in force": [version_in_force(state.catalog, node_id, clock.start, clock.end).status,
                         *(v.id for v in version_in_force(state.catalog, node_id, clock.start, clock.end).versions)],
            "land": (land(state, node_id, clock).node.id, land(state, node_id, clock).line),
            "since": row.since,
            "standing": state.catalog.standing([node_id, node_id.partition("/")[0]]),
        }  # fmt: skip
    told["names"] = state.catalog.bearers(["ley de la playa", "nom-001-prueba-2010", "ley del agua"])
    return told


def pages(step: Any) -> list[Any]:
    items, at = [], 1
    while True:
        page = step(at)
        items += page.items
        at += page.shown
        if not page.next:
            assert at == page.total + 1
            return items


def found(state: State, clock: Clock, question: str) -> list[tuple[Any, ...]]:
    asked = clock_for(question, as_of=clock.as_of, in_force_on=clock.start, today=TODAY)
    hits: list[Found] = pages(lambda at: search_step(state, question, asked, at, limit=20))
    return [(hit.reading.passage.id, hit.tier, hit.reading.text, hit.score, hit.coverage, hit.why) for hit in hits]


def answered(state: State, question: str, day: date) -> tuple[Answer, bool]:
    """The answer without its commit and without what it says of texts known later; and whether it says something."""
    answer = hunt(state, question, today=TODAY, as_of=day)
    told = tuple(gap for gap in answer.missing if not re.search(r" is not known$", gap.why))
    claims, near = (tuple(map(_of_no_commit, found)) for found in (answer.claims, answer.near))
    bare = replace(answer, claims=claims, near=near, missing=told, status="answered", commit="", tree="")
    return bare, len(told) < len(answer.missing)


def _of_no_commit(claim: Any) -> Any:
    return replace(claim, citations=tuple(replace(citation, commit="") for citation in claim.citations))


@given(forests(), st.sampled_from([*DAYS, "1980-01-01", "2019-01-01"]), days)
@settings(max_examples=25)
def test_as_of_a_day_a_forest_shows_what_it_would_if_everything_later_were_deleted(
    tmp_path: Path, planted: tuple[Planted, ...], as_of: str, in_force_on: str
) -> None:
    folder = tmp_path / "bosque"
    shutil.rmtree(folder, ignore_errors=True)
    plant(folder, {"forest.yaml": CONFIG, **{one.path: one.text for one in planted}})
    later = [one for one in planted if one.known is None or one.known > as_of]
    for one in later:
        (folder / one.path).unlink()
    commit(folder)
    day, on = date.fromisoformat(as_of), date.fromisoformat(in_force_on)
    ids = [one.id for one in planted]
    with open_state(open_snapshot(folder, "HEAD~1"), as_of=day) as whole, open_state(open_snapshot(folder)) as pruned:
        clock = step_clock(as_of=day, in_force_on=on, today=TODAY)
        of_pruned = replace(clock, as_of=None)
        assert shown(whole, clock, ids) == shown(pruned, of_pruned, ids)
        for question in QUESTIONS:
            ours, theirs = found(whole, clock, question), found(pruned, clock, question)
            assert [hit[:3] for hit in ours] == [hit[:3] for hit in theirs], question
            assert [hit[3] for hit in ours] == pytest.approx([hit[3] for hit in theirs], rel=1e-9)
            assert [hit[4] for hit in ours] == pytest.approx([hit[4] for hit in theirs], rel=1e-9)
            # Without a day, tantivy itself scores, in single precision.
            undated = {hit[0]: hit[3] for hit in found(pruned, of_pruned, question)}
            assert {hit[0]: hit[3] for hit in ours} == pytest.approx(undated, rel=1e-5)
            (said, of_later), (expected, of_none) = answered(whole, question, day), answered(pruned, question, day)
            assert not of_none
            assert replace(said, missing=(), confidence={}) == replace(expected, missing=(), confidence={})
            assert said.confidence == pytest.approx(expected.confidence)
            # What is only known later takes the place of some gaps; it adds none of another sort.
            assert set(said.missing) <= set(expected.missing)
            assert of_later or said.missing == expected.missing
        for one in later:
            with pytest.raises(NodeNotKnownYet):
                outline(whole, one.id, clock)


def test_no_step_reads_more_of_the_catalog_than_it_shows_on_any_day(sample: Path) -> None:
    """Every query of a step is answered by an index, with and without the view of a day."""
    for day in (None, date(2024, 1, 1)):
        with open_state(open_snapshot(sample), as_of=day) as state:
            clock = step_clock(as_of=day, today=TODAY)
            said: list[str] = []
            state.catalog._db.set_trace_callback(said.append)
            for node_id in ("inicio", "trabajo", "lft", "lft/art-76"):
                outline(state, node_id, clock)
                scent(state, node_id, clock)
                read(state, node_id, clock)
                land(state, node_id, clock)
            hunt(state, "¿Cuántos días de vacaciones da el artículo 76 de la LFT?", today=TODAY)
            state.catalog._db.set_trace_callback(None)
            queries = {query for query in said if query.lstrip().startswith("SELECT")}
            assert len(queries) > 50
            for query in queries:
                plan = [row[3] for row in state.catalog._db.execute(f"EXPLAIN QUERY PLAN {query}")]
                scans = [step for step in plan if re.match(r"SCAN (?!\(subquery|CONSTANT|names)", step)]
                assert not scans, (query, plan)
