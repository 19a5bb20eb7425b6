"""Properties of search: filters, evidence, determinism, padding, and what signals may never do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.history import open_snapshot
from forest.ranking import LEAST, MOST, SIGNALS
from forest.state import State, open_state
from forest.tools import Document, Session, search_documents, search_evidence
from tests.conftest import node, plant
from tests.forest.tools.woodland import BODIES, FILES, WORDS, issued

TODAY = date(2026, 3, 1)
TEXT_FACTORS = ("bm25", "passport coverage", "coverage", "coverage of one sentence")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("bosque") / "b", FILES)


@pytest.fixture(scope="module")
def state(folder: Path) -> Iterator[State]:
    with open_state(open_snapshot(folder)) as state:
        yield state


QUERIES = st.lists(
    st.sampled_from((*WORDS, "acuerdo", "INEGI", "Conagua", "ley del riego", "cuánto", "artículo 5 de la LR", "5.2")),
    min_size=1,
    max_size=4,
).map(" ".join)
DAYS = st.dates(date(2009, 1, 1), date(2026, 1, 1)).map(str)
FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "published_from": DAYS,
        "published_to": DAYS,
        "section": st.sampled_from(("MAT", "VES", ["MAT", "VES"])),
        "kind": st.sampled_from(("publication", "instrument", ["instrument", "entity"])),
        "institution": st.sampled_from((*BODIES, "INEGI")),
        "tag": st.sampled_from(WORDS[:4]),
    },
)


def found(state: State, query: str, **options: Any) -> tuple[Document, ...]:
    reply = search_documents(Session(state, TODAY), query, **{"top_k": 1_000, **options})
    assert reply.status in ("ok", "empty"), reply.message
    assert reply.complete or reply.status == "empty" or options.get("top_k", 1_000) < 1_000
    return reply.items


def passes(state: State, document: Document, filters: dict[str, Any]) -> bool:
    """Decide by the document's own lines, written apart from the code that filters."""
    row = state.catalog.node(document.id)
    issuer = {"INEGI": "inegi"}.get(filters.get("institution", ""), filters.get("institution"))
    checks = [
        "published_from" not in filters or str(row.published or "") >= filters["published_from"],
        "published_to" not in filters or "" < str(row.published or "") <= filters["published_to"],
        "section" not in filters or (row.section and row.section in filters["section"]),
        "kind" not in filters or row.kind in filters["kind"],
        issuer is None or issuer in row.issuers,
        "tag" not in filters or filters["tag"] in row.tags,
    ]
    return all(checks)


@settings(max_examples=150)
@given(QUERIES, FILTERS, st.booleans())
def test_a_filtered_search_is_the_complete_ranking_filtered(
    state: State, query: str, filters: dict[str, Any], recent: bool
) -> None:
    first, last = filters.get("published_from", "0"), filters.get("published_to", "9")
    if first > last:
        filters = {**filters, "published_from": last, "published_to": first}
    complete = found(state, query, prefer_recent=recent)
    filtered = found(state, query, filters={**filters, "only_stated": True}, prefer_recent=recent)
    assert filtered == tuple(document for document in complete if passes(state, document, filters))


@settings(max_examples=60)
@given(QUERIES, st.integers(1, 12), st.booleans())
def test_the_first_of_a_ranking_are_those_of_the_complete_one(
    state: State, query: str, top_k: int, recent: bool
) -> None:
    first = found(state, query, top_k=top_k, prefer_recent=recent)
    assert first == found(state, query, prefer_recent=recent)[:top_k]


@settings(max_examples=60)
@given(QUERIES, st.lists(st.sampled_from(("ley", "otra", "acto-01", "acto-07", "nom-001-agua-2020")), min_size=1))
def test_evidence_is_never_from_outside_its_documents(state: State, query: str, documents: list[str]) -> None:
    current = Session(state, TODAY)
    current.discover(documents)
    reply = search_evidence(current, query, documents, top_k=1_000)
    assert {item.document_id for item in reply.items} <= set(documents)
    for item in reply.items:
        assert item.node_id == item.document_id or item.node_id.startswith(f"{item.document_id}/")


@pytest.mark.parametrize("signal", SIGNALS)
def test_each_signal_can_be_left_out_and_is_then_not_among_the_reasons(state: State, signal: str) -> None:
    for query in ("¿Qué es el riego según la Ley del Riego?", "INEGI acuerdo sobre agua", "artículo 5 de la LR"):
        items = found(state, query, without=frozenset((signal,)), prefer_recent=True)
        assert items
        assert all(signal not in [name for name, _ in item.why] for item in items)


@settings(max_examples=60)
@given(QUERIES, st.booleans())
def test_no_signal_buries_the_text(state: State, query: str, recent: bool) -> None:
    """Whatever speaks for the other, a text score above MOST / LEAST times the other's stays ahead."""
    items = [item for item in found(state, query, prefer_recent=recent) if item.tier == 1]
    texts = []
    for item in items:
        why = dict(item.why)
        text, signals = 1.0, 1.0
        for name, amount in why.items():
            if name in TEXT_FACTORS:
                text *= amount
            else:
                signals *= amount
        assert LEAST * 0.999 <= signals <= MOST * 1.001
        assert item.score == pytest.approx(text * signals)
        texts.append(text)
    for ahead, text in enumerate(texts):
        assert all(other <= text * MOST / LEAST * 1.001 for other in texts[ahead + 1 :])


def test_a_document_that_holds_every_word_is_not_buried_under_favoured_ones(tmp_path: Path) -> None:
    """Forty acts of the body that is named, of the kind that is named, new and cited, hold half of the words."""
    favoured = {
        f"a/{number:02}.md": node(
            f"a-{number:02}",
            f"# Acuerdo\n\nTrata del {('censo', 'riego')[number % 2]} y de otras cosas. lo emite inegi",
            title=f"Acuerdo {number} del INEGI",
            published="2026-02-01",
            edges=issued("inegi")[:-1]
            + f", {{kind: cites, to: a-{(number + 1) % 40:02}, scent: otro, basis: lo emite}}]",
        )
        for number in range(40)
    }
    plain = node("plano", "# Nota\n\nEl censo del riego cuenta la presa.", kind="provision", published="1980-01-01")
    body = node("inegi", "# INEGI", kind="entity", title="INEGI")
    folder = plant(tmp_path / "b", {**favoured, "plano.md": plain, "inegi.md": body})
    with open_state(open_snapshot(folder)) as state:
        ids = [item.id for item in found(state, "acuerdo del INEGI: censo, riego, presa", prefer_recent=True)]
    assert ids.index("plano") < 10


@settings(max_examples=15)
@given(st.integers(0, 35), st.lists(st.sampled_from(("zorro", "nube", "piedra", "silla")), min_size=1, max_size=40))
def test_padding_a_passage_with_unrelated_words_never_raises_its_score(
    state: State, tmp_path_factory: pytest.TempPathFactory, number: int, padding: list[str]
) -> None:
    path = f"actos/{number:02}.md"
    padded = {**FILES, path: FILES[path] + f"\n{' '.join(padding).capitalize()}.\n"}
    with open_state(open_snapshot(plant(tmp_path_factory.mktemp("p") / "b", padded))) as other:
        for query in ("agua presa", "multa censo vacuna", "riego cuota permiso"):
            before = {item.id: item.score for item in found(state, query)}
            after = {item.id: item.score for item in found(other, query)}
            assert after.keys() == before.keys()
            padded_id = f"acto-{number:02}"
            assert after.get(padded_id, 0.0) <= before.get(padded_id, 0.0)


def test_the_same_tree_and_arguments_give_the_same_bytes_in_another_process(folder: Path) -> None:
    calls = "".join(
        json.dumps({"tool": name, "arguments": arguments}) + "\n"
        for name, arguments in (
            ("search_documents", {"query": "agua presa riego", "top_k": 50, "prefer_recent": True}),
            ("search_evidence", {"query": "riego", "document_ids": ["ley"]}),
            ("list_publications", {"limit": 50}),
            ("read_chunks", {"chunk_ids": ["ley#1"]}),
            ("follow_references", {"id": "inegi", "direction": "both"}),
        )
    )

    def run(seed: str) -> bytes:
        command = [
            sys.executable,
            "-m",
            "forest.cli",
            "tools",
            "calls",
            "--forest",
            str(folder),
            "--today",
            "2026-03-01",
        ]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, input=calls.encode(), capture_output=True, env=environment, check=True)
        return done.stdout

    first = run("1")
    assert first == run("2")
    assert [json.loads(line)["status"] for line in first.splitlines()] == ["ok"] * 5
