"""The tools' contracts: what is refused and how, what must be discovered, what may be cited, what replies carry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from forest.errors import PassageMismatch
from forest.history import open_snapshot
from forest.proof import verify
from forest.ranking import Ranked
from forest.state import State, open_state
from forest.tools import (
    FILTERS,
    Reply,
    Session,
    follow_references,
    get_document_outline,
    list_publications,
    read_chunks,
    resolve_citation,
    search_documents,
    search_evidence,
    session,
    version_in_force,
)
from forest.tools.reply import Refusal
from forest.tools.schema import TOOLS, call, definitions, filter_names
from tests.conftest import node, plant
from tests.forest.tools.woodland import FILES

TODAY = date(2026, 3, 1)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    with open_state(open_snapshot(plant(tmp_path_factory.mktemp("bosque") / "b", FILES))) as state:
        yield state


@pytest.fixture
def current(state: State) -> Session:
    return Session(state, TODAY)


def ids(reply: Reply[Any]) -> list[str]:
    return [item.id for item in reply.items]


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ({"filters": {"fecha": "2020-01-01"}}, "invalid", "no filter 'fecha'"),
        ({"filters": {"published": "2026-13-01"}}, "invalid", "not a day"),
        ({"filters": {"published": 3}}, "invalid", "must be a day"),
        ({"filters": {"published_from": "2021-01-01", "published_to": "2020-01-01"}}, "invalid", "No day"),
        ({"filters": {"section": "XYZ"}}, "invalid", "no section"),
        ({"filters": {"kind": "oficio"}}, "invalid", "no kind"),
        ({"filters": {"tag": []}}, "invalid", "tag must be"),
        ({"filters": {"tag": [1]}}, "invalid", "tag must be"),
        ({"filters": {"only_stated": "sí"}}, "invalid", "true or false"),
        ({"filters": {"institution": "CONAGUA"}}, "refused", "institution cannot be honoured for all"),
        ({"filters": {"section": "MAT"}}, "refused", "section cannot be honoured for all"),
        ({"filters": {"institution": "Nadie", "only_stated": True}}, "not_found", "called 'Nadie'"),
        ({"top_k": 0}, "invalid", "from 1 to"),
        ({"top_k": 10_000}, "invalid", "from 1 to"),
        ({"top_k": True}, "invalid", "whole number"),
        ({"top_k": "3"}, "invalid", "whole number"),
        ({"strategy": "vector"}, "refused", "vector cannot be used"),
        ({"strategy": "hybrid"}, "refused", "hybrid cannot be used"),
        ({"strategy": "magia"}, "invalid", "no strategy"),
        ({"query": "   "}, "invalid", "empty"),
        ({"query": "x" * 100_000}, "invalid", "characters"),
        ({"query": None}, "invalid", "missing"),
        ({"color": "azul"}, "invalid", "no argument"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence_with_a_status(
    current: Session, arguments: dict[str, Any], status: str, said: str
) -> None:
    given = {"query": "agua"} | arguments
    reply = call(current, "search_documents", {key: value for key, value in given.items() if value is not None})
    assert (reply.status, reply.items, reply.complete) == (status, (), False)
    assert said in reply.message
    assert reply.message.endswith(".")
    assert reply.hint or "true or false" in reply.message or "must be" in reply.message
    assert current.documents == ()


@pytest.mark.parametrize("arguments", [None, [], "agua", 3, {"query": 3}, {}])
def test_arguments_of_another_shape_are_invalid(current: Session, arguments: object) -> None:
    assert call(current, "search_documents", arguments).status == "invalid"


def test_a_tool_that_does_not_exist_is_invalid_and_the_others_are_named(current: Session) -> None:
    reply = call(current, "rm", {})
    assert (reply.tool, reply.status) == ("rm", "invalid")
    assert "search_documents" in reply.hint


def test_a_filter_that_only_some_documents_state_names_what_can_be_honoured(current: Session) -> None:
    refused = search_documents(current, "agua", filters={"institution": "CONAGUA"})
    assert "only_stated" in refused.hint
    assert "published_from" in refused.hint
    found = search_documents(current, "agua", filters={"institution": "CONAGUA", "only_stated": True}, top_k=100)
    assert found.status == "ok"
    assert {item.institution for item in found.items} == {("Comisión Nacional del Agua",)}
    assert "were left out" in found.notes[0]


def test_a_filter_that_no_document_states_is_refused_whatever_is_accepted(tmp_path: Path) -> None:
    folder = plant(tmp_path / "b", {"a.md": node("a", "agua"), "c.md": node("c", kind="entity", title="Comisión")})
    with open_state(open_snapshot(folder)) as state:
        for more in ({}, {"only_stated": True}):
            reply = search_documents(Session(state, TODAY), "agua", filters={"institution": "Comisión", **more})
            assert reply.status == "refused"
            assert "none of them states" in reply.message
            assert "kind" in reply.hint


def test_other_filters_narrow_what_a_filter_must_hold_for(current: Session) -> None:
    dated = {"published_from": "2010-01-01", "kind": "publication"}
    assert search_documents(current, "agua", filters={"section": "VES", **dated}).status == "refused"
    tagged = search_documents(
        current, "agua presa", filters={"section": ["MAT", "VES"], "tag": "agua", "only_stated": True}
    )
    assert tagged.status == "ok"


# --- discovery and citation -------------------------------------------------------------------------------------------


def test_ids_must_be_discovered_before_they_are_searched_outlined_or_read(current: Session) -> None:
    for refused in (
        search_evidence(current, "riego", ["ley"]),
        get_document_outline(current, "ley"),
        read_chunks(current, ["ley#1"]),
    ):
        assert refused.status == "refused"
        assert "not been discovered" in refused.message
        assert "search_" in refused.hint
    assert search_evidence(current, "riego", ["ley-x"]).status == "not_found"
    assert "ley" in ids(search_documents(current, "riego presa"))
    found = search_evidence(current, "cuota de riego", ["ley"])
    assert found.status == "ok"
    chunk = found.items[0].chunk_id
    assert read_chunks(current, [chunk]).items[0].text


def test_only_what_was_read_may_be_cited(current: Session) -> None:
    search_documents(current, "riego presa")
    chunk = search_evidence(current, "riego", ["ley"]).items[0].chunk_id
    with pytest.raises(Refusal, match="was not read"):
        current.cite(chunk, "riego")
    (read,) = read_chunks(current, [chunk]).items
    words = read.text.splitlines()[-1]
    citation = current.cite(chunk, words)
    assert verify(citation, current.state.snapshot).origin == "commit"
    with pytest.raises(PassageMismatch):
        current.cite(chunk, "palabras que no están")


def test_neighbours_that_are_read_count_as_read(state: State) -> None:
    current = Session(state, TODAY)
    current.discover(["nom-001-agua-2020"])
    parts = get_document_outline(current, "nom-001-agua-2020").items
    assert len(parts) >= 2
    reply = read_chunks(current, [parts[0].chunk_id], neighbor_window=1)
    assert [chunk.asked for chunk in reply.items] == [True, False]
    assert current.read == tuple(chunk.chunk_id for chunk in reply.items)


def test_a_budget_gives_whole_passages_and_names_the_rest(state: State) -> None:
    current = Session(state, TODAY)
    current.discover(["nom-001-agua-2020"])
    chunks = [part.chunk_id for part in get_document_outline(current, "nom-001-agua-2020").items]
    reply = read_chunks(current, chunks, budget_tokens=1)
    assert (reply.status, len(reply.items)) == ("partial", 1)
    assert chunks[1] in reply.message
    assert chunks[1] not in current.read


def test_parts_of_documents_are_not_searched_as_documents(current: Session) -> None:
    current.discover(["ley/art-5"])
    reply = search_evidence(current, "riego", ["ley/art-5"])
    assert (reply.status, reply.hint) == ("refused", "It is a part of ley.")


# --- days -------------------------------------------------------------------------------------------------------------


def test_a_version_that_is_not_in_force_on_the_day_asked_is_refused_with_the_one_that_is(current: Session) -> None:
    version = version_in_force(current, "ley/art-5", "2010-01-01").items[0]
    assert version.id == "ley/art-5@2001-02-03"
    (chunk,) = version.chunk_ids
    assert read_chunks(current, [chunk]).status == "ok"
    refused = read_chunks(current, [chunk], in_force_on="2020-01-01")
    assert refused.status == "refused"
    assert "ley/art-5@2015-01-01" in refused.hint
    session(current, in_force_on="2020-01-01")
    assert read_chunks(current, [chunk]).status == "refused"


def test_the_version_in_force_is_never_guessed(current: Session) -> None:
    assert version_in_force(current, "ley/art-5", "1990-01-01").status == "empty"
    assert version_in_force(current, "ley/art-5", "2026-13-01").status == "invalid"
    assert version_in_force(current, "ley/art-6", "2020-01-01").status == "not_found"
    assert version_in_force(current, "ley", "2020-01-01").status == "ok"


def test_as_of_moves_back_only_and_holds_for_every_call(state: State) -> None:
    current = Session(state, TODAY)
    everything = ids(search_documents(current, "agua", top_k=1_000))
    session(current, as_of="2015-01-01")
    assert current.documents == ()
    known = ids(search_documents(current, "agua", top_k=1_000))
    assert known != everything
    assert all(
        item.published is None or item.published <= date(2015, 1, 1) for item in list_publications(current).items
    )
    for reply in (
        session(current, as_of="2016-01-01"),
        search_documents(current, "agua", filters={"as_of": "2015-01-02"}),
    ):
        assert reply.status == "refused"
        assert "after the session's" in reply.message
    assert search_documents(current, "agua", filters={"as_of": "2014-01-01"}).status in ("ok", "empty")


def test_undated_documents_pass_no_filter_on_days(current: Session) -> None:
    for filters in ({"published_from": "1900-01-01"}, {"published_to": "2100-01-01"}):
        for reply in (
            list_publications(current, filters=filters, limit=1_000),
            search_documents(current, "agua", filters=filters, top_k=1_000),
        ):
            assert reply.items
            assert all(item.published is not None for item in reply.items)
    undated = [item for item in list_publications(current, limit=1_000).items if item.published is None]
    assert undated


def test_publications_are_listed_newest_first(current: Session) -> None:
    reply = list_publications(current, limit=1_000)
    days = [item.published for item in reply.items]
    dated = [day for day in days if day is not None]
    assert dated == sorted(dated, reverse=True)
    assert days[: len(dated)] == dated
    assert reply.complete
    assert not list_publications(current, limit=2).complete


# --- citations and references -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status", "nodes"),
    [
        ("artículo 5 de la Ley del Riego", "ok", ["ley/art-5@2015-01-01"]),
        ("art. 5 LR", "ok", ["ley/art-5@2015-01-01"]),
        ("artículo 5", "ambiguous", ["ley/art-5", "otra/art-5"]),
        ("artículo 9 de la Ley del Riego", "not_found", []),
        ("NOM-001-AGUA-2020", "ok", ["nom-001-agua-2020"]),
        ("DOF 05-05-2020", "ok", ["nom-001-agua-2020"]),
        ("DOF 06-05-2020", "not_found", []),
        ("qué bonito día", "not_found", []),
    ],
)
def test_citations_are_resolved_or_told_apart(current: Session, text: str, status: str, nodes: list[str]) -> None:
    reply = resolve_citation(current, text)
    assert (reply.status, [item.node_id for item in reply.items]) == (status, nodes)
    assert reply.status == "ok" or reply.message


@pytest.mark.parametrize("text", ["NOM-001-AGUA-2020, numeral 5.2", "numeral 5.2 de la NOM-001-AGUA-2020"])
def test_a_numeral_of_a_norm_is_the_passage_that_begins_it(current: Session, text: str) -> None:
    (item,) = resolve_citation(current, text).items
    (chunk,) = item.chunk_ids
    assert "5.2 Informar" in read_chunks(current, [chunk]).items[0].text


def test_a_numeral_that_the_norm_does_not_have_is_said(current: Session) -> None:
    reply = resolve_citation(current, "NOM-001-AGUA-2020, numeral 9.9")
    assert reply.status == "partial"
    assert "9.9" in reply.message


def test_references_are_followed_both_ways(current: Session) -> None:
    out = follow_references(current, "acto-01")
    assert [(one.kind, one.node_id) for one in out.items] == [("issued_by", "inegi")]
    arriving = follow_references(current, "inegi", direction="in", kinds=["issues"])
    assert "acto-01" in [one.node_id for one in arriving.items]
    assert {one.kind for one in arriving.items} == {"issues"}
    assert follow_references(current, "inegi", kinds=["supersedes"], direction="both").status == "empty"
    assert follow_references(current, "inegi", kinds=["odia"]).status == "invalid"
    assert follow_references(current, "inegi", direction="up").status == "invalid"
    assert follow_references(current, "nadie").status == "not_found"


# --- seams, replies and definitions -----------------------------------------------------------------------------------


class _Backwards:
    def order(self, state: State, query: object, found: tuple[Ranked, ...]) -> tuple[Ranked, ...]:  # noqa: ARG002
        return tuple(reversed(found[1:]))


def test_a_reranker_reorders_and_neither_adds_nor_drops(state: State) -> None:
    plain = ids(search_documents(Session(state, TODAY), "agua presa", top_k=5))
    turned = ids(search_documents(Session(state, TODAY, reranker=_Backwards()), "agua presa", top_k=5))  # type: ignore[arg-type]
    assert turned == [*reversed(plain[1:]), plain[0]]


def test_every_reply_says_what_it_was_computed_with(current: Session) -> None:
    for name in TOOLS:
        reply = call(current, name, {})
        assert reply.tool == name
        assert {"commit", "tree", "catalog", "search", "passage", "analyzer", "tools"} <= reply.versions.keys()
        assert reply.status in ("ok", "invalid")
    found = search_documents(current, "agua", top_k=1_000)
    assert found.complete
    assert found.scanned["matching"] <= found.scanned["passages"]
    assert not search_documents(current, "agua", top_k=1).complete


def test_the_definitions_describe_what_is_taken() -> None:
    told = {one["function"]["name"]: one["function"]["parameters"] for one in definitions()}
    assert told.keys() == TOOLS.keys()
    assert sorted(filter_names()) == sorted(FILTERS)
    for parameters in told.values():
        assert parameters["additionalProperties"] is False
        assert set(parameters["required"]) <= parameters["properties"].keys()


def test_a_signal_that_there_is_not_is_refused_instead_of_changing_nothing(current: Session) -> None:
    current.discover(["ley"])
    for reply in (
        search_documents(current, "riego", without=frozenset(("vocabulario",))),
        search_evidence(current, "riego", ["ley"], without=frozenset(("vocabulario",))),
    ):
        assert (reply.status, reply.message) == ("invalid", "There is no signal 'vocabulario'.")
        assert "vocabulary" in reply.hint


def test_without_the_vocabulary_no_word_stands_in_for_another(tmp_path: Path) -> None:
    files = {"a.md": node("a", "El despido y la rescisión."), "b.md": node("b", "Otra cosa del despido.")}
    with open_state(open_snapshot(plant(tmp_path / "b", files))) as state:
        current, said = Session(state, TODAY), "me despidieron"
        whole, bare = (current.query(said, current.clock(said), frozenset(names)) for names in ((), ("vocabulary",)))
    assert whole.widened
    assert not bare.widened
    # How rare a word is was counted with the words that stand in for it.
    (stem,) = bare.weights
    assert bare.weights[stem] > whole.weights[stem]
