"""The tools under arguments, sessions and forests that nobody means well with: a reply each time, and a true one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from forest.cli import cli
from forest.errors import PassageMismatch
from forest.history import open_snapshot
from forest.state import State, open_state
from forest.tools import (
    Session,
    list_publications,
    read_chunks,
    search_documents,
    search_evidence,
)
from forest.tools.schema import TOOLS, call, definitions
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)
FILES = {
    "index.md": node("raiz", "# Raíz", kind="topic"),
    "a.md": node("con-texto", "# A\n\nEl agua de la presa.", title="Aviso primero", published="2020-01-01"),
    "b.md": node("vacio-1", title="Agua presa agua presa"),
    "c.md": node("vacio-2", title="Agua presa"),
    "d.md": node("vacio-3", title="Presa agua"),
    "ley/index.md": node("ley", "# Ley", kind="instrument", title="Ley de la Presa", published="2001-01-01"),
    "ley/1.md": node("ley/art-1", "Hoy.", kind="provision", title="LP, artículo 1"),
    "ley/1/x.md": node(
        "ley/art-1@2010-01-01",
        "# Artículo 1\n\nLa presa guarda agua.",
        kind="provision",
        title="LP, artículo 1, texto de 2010",
        in_force='{from: 2010-01-01, to: 2015-01-01, basis: "guarda"}',
    ),
    "futura.md": node("ley-futura", "# Futura", kind="instrument", title="Ley de Mañana", published="2030-01-01"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("bosque") / "b", FILES)


@pytest.fixture
def state(folder: Path) -> Iterator[State]:
    with open_state(open_snapshot(folder)) as state:
        yield state


# --- arguments --------------------------------------------------------------------------------------------------------

_ASKED: dict[str, object] = {
    "query": "agua",
    "document_ids": ["ley"],
    "document_id": "ley",
    "chunk_ids": ["ley#1"],
    "id": "ley",
    "date": "2020-01-01",
    "text": "ley",
}
_ODD: tuple[object, ...] = (
    None, "", 0, -1, True, 1.5, float("inf"), float("nan"), 10**30, "\ud800", "a\x00b", "\u202eabc", [], {}, [None],
    ["\ud800"], ["ley#x"], ["ley#99999999999999999999999"], ["#"],
    ["ley#" + "9" * 5_000], ["ley#²"], {"tag": "\ud800"}, {"institution": ""},
    {"institution": "\ud800", "only_stated": True}, {"as_of": "0001-01-01"}, {"in_force_on": "9999-12-31"}, {1: 2},
    "9999-12-31", "0001-01-01", "2026-13-01", "２０２６-01-01", "nadie@2020-01-01", "' OR 1=1 --", "((((",
)  # fmt: skip


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, tool in TOOLS.items() for key in tool.arguments])
def test_no_argument_whatever_raises(state: State, name: str, key: str) -> None:
    for value in _ODD:
        current = Session(state, TODAY)
        current.discover(
            ["ley"], ["ley#1", "ley#x", "ley#99999999999999999999999", "#", "ley#²", "\ud800", "ley#" + "9" * 5_000]
        )
        given = {one: _ASKED[one] for one in TOOLS[name].arguments if one in _ASKED}
        reply = call(current, name, given | {key: value})
        json.dumps(reply.as_json(), default=str, allow_nan=False)
        assert reply.found or reply.message.endswith((".", "?")), (name, key, value)


def test_what_must_be_given_is_missing_when_it_is_null(state: State) -> None:
    reply = call(Session(state, TODAY), "search_documents", {"query": None})
    assert (reply.status, reply.message) == ("invalid", "The argument query is missing.")


def test_half_a_character_is_invalid(state: State) -> None:
    current = Session(state, TODAY)
    for filters in ({"tag": ["agua", "\udc80"]}, {"\ud83c": "x"}):
        reply = search_documents(current, "agua", filters=filters)
        assert (reply.status, "half a character" in reply.message) == ("invalid", True)


def test_every_argument_of_the_definitions_has_a_type_and_description() -> None:
    def values(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for one in schema.get("properties", {}).values():
            yield one
            yield from values(one)

    for definition in definitions():
        for one in values(definition["function"]["parameters"]):
            assert "type" in one or all("type" in each for each in one["anyOf"])
            assert one["description"]


def test_an_empty_day_is_no_day(state: State) -> None:
    current = Session(state, TODAY)
    current.discover((), ["con-texto#1"])
    assert read_chunks(current, ["con-texto#1"], in_force_on="").status == "invalid"


def test_nothing_is_no_citation(state: State) -> None:
    current = Session(state, TODAY)
    current.discover((), ["con-texto#1"])
    assert read_chunks(current, ["con-texto#1"]).found
    with pytest.raises(PassageMismatch):
        current.cite("con-texto#1", " \n")


# --- what replies say -------------------------------------------------------------------------------------------------


def test_texts_without_words_do_not_push_out_the_passages_that_have_some(state: State) -> None:
    current = Session(state, TODAY)
    list_publications(current)
    for top_k in (1, 2, 5):
        reply = search_evidence(current, "agua presa", current.documents, top_k=top_k)
        found = [item.chunk_id for item in reply.items]
        assert found == ["con-texto#1", "ley#1", "ley/art-1#1"][:top_k]
        assert reply.complete == (top_k > 3)


def test_a_document_that_is_cut_off_behind_a_named_one_is_said_to_be_left(state: State) -> None:
    reply = search_documents(Session(state, TODAY), "vacio-1 primero", top_k=1)
    assert [item.id for item in reply.items] == ["vacio-1"]
    assert not reply.complete
    assert reply.hint == "Give a larger top_k."


@pytest.mark.parametrize("day", ["2002-01-01", "2012-01-01", "2020-06-01"])
def test_listing_and_searching_agree_on_what_was_in_force(state: State, day: str) -> None:
    filters = {"in_force_on": day, "kind": ["publication", "instrument"]}
    listed = list_publications(Session(state, TODAY), filters=filters, limit=1_000)
    found = search_documents(Session(state, TODAY), "agua presa ley texto", filters=filters, top_k=1_000)
    assert {item.id for item in listed.items} == {item.id for item in found.items}
    assert ("con-texto" in {item.id for item in listed.items}) == (day > "2020")
    in_session = list_publications(Session(state, TODAY, in_force_on=date.fromisoformat(day)), limit=1_000)
    assert in_session.items == listed.items
    assert day in in_session.notes[0]


def test_a_version_that_is_named_is_not_found_for_a_day_on_which_it_did_not_hold(state: State) -> None:
    asked = "ley/art-1@2010-01-01 presa"
    for filters, found in (({}, True), ({"in_force_on": "2012-01-01"}, True), ({"in_force_on": "2020-01-01"}, False)):
        chunks = [item.chunk_id for item in search_documents(Session(state, TODAY), asked, filters=filters).items]
        assert ("ley/art-1@2010-01-01#1" in chunks) == found


def test_an_institution_is_a_body_and_no_other_node(state: State) -> None:
    reply = search_documents(Session(state, TODAY), "agua", filters={"institution": "ley", "only_stated": True})
    assert reply.status in ("refused", "not_found")
    assert not reply.items


def test_nothing_tells_a_text_known_later_from_one_that_does_not_exist(state: State) -> None:
    def said(node_id: str) -> list[str]:
        current = Session(state, TODAY, as_of=date(2025, 1, 1))
        calls = {
            "search_evidence": {"query": "ley", "document_ids": [node_id]},
            "get_document_outline": {"document_id": node_id},
            "follow_references": {"id": node_id},
            "version_in_force": {"id": node_id, "date": "2020-01-01"},
        }
        replies = [call(current, name, arguments) for name, arguments in calls.items()]
        assert {reply.status for reply in replies} == {"not_found"}
        return [f"{reply.message} {reply.hint}".replace(node_id, "ID") for reply in replies]

    assert said("ley-futura") == said("ley-fxturo")


# --- the command line -------------------------------------------------------------------------------------------------


def test_a_line_that_is_too_long_is_one_reply(folder: Path) -> None:
    long = json.dumps({"tool": "session", "arguments": {"as_of": "x" * 9_000_000}})
    done = CliRunner().invoke(
        cli, ["tools", "calls", "--forest", str(folder)], input=f'{long}\n{{"tool": "session"}}\n'
    )
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["invalid", "ok"]


def test_a_session_written_by_several_at_once_stays_whole(folder: Path, tmp_path: Path) -> None:
    from forest.tool_commands import _keep

    place = tmp_path / "s.json"
    with open_state(open_snapshot(folder)) as state, ThreadPoolExecutor(4) as pool:
        current = Session(state, TODAY)
        current.discover(f"doc-{number}" for number in range(2_000))
        assert [*pool.map(lambda _: _keep(current, place), range(40))] == [None] * 40
    assert json.loads(place.read_text())["documents"] == [*current.documents]
    assert [*tmp_path.iterdir()] == [place]
