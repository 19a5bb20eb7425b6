"""`forest tools`: JSON in and out, a session in a file, many calls from standard input, statuses as exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from forest.cli import cli
from tests.conftest import commit, plant
from tests.forest.tools.woodland import FILES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return plant(tmp_path / "b", FILES)


@pytest.fixture
def call(folder: Path) -> Callable[..., tuple[int, dict[str, object], str]]:
    def run(*words: str, stdin: str = "") -> tuple[int, dict[str, object], str]:
        done = CliRunner().invoke(cli, ["tools", *words, "--forest", str(folder)], input=stdin)
        lines = done.stdout.splitlines()
        return done.exit_code, json.loads(done.stdout) if lines and lines[0] == "{" else {}, done.output

    return run


def test_a_session_in_a_file_lets_the_next_call_read_what_was_found(call, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    kept = ("--session", str(tmp_path / "s.json"))
    assert call("search_evidence", '{"query": "riego", "document_ids": ["ley"]}', *kept)[0] == 1
    assert call("search_documents", '{"query": "riego presa"}', *kept)[0] == 0
    code, reply, _ = call("search_evidence", '{"query": "riego", "document_ids": ["ley"], "top_k": 1}', *kept)
    assert (code, reply["status"]) == (0, "ok")
    chunk = reply["items"][0]["chunk_id"]
    code, reply, _ = call("read_chunks", json.dumps({"chunk_ids": [chunk]}), *kept)
    assert (code, reply["status"]) == (0, "ok")
    assert call("read_chunks", json.dumps({"chunk_ids": [chunk]}))[0] == 1  # another session


def test_a_refusal_is_json_and_a_sentence_on_standard_error(folder: Path) -> None:
    done = CliRunner().invoke(cli, ["tools", "search_documents", '{"query": "x", "top_k": 0}', "--forest", str(folder)])
    assert done.exit_code == 2
    assert json.loads(done.stdout)["status"] == "invalid"
    assert "invalid: top_k must be a whole number" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize("arguments", ["no es json", "[1]", '{"a":', '{"query": {"a": 1}}', "null"])
def test_arguments_that_are_no_object_are_invalid(call, arguments: str) -> None:  # type: ignore[no-untyped-def]
    code, reply, _ = call("search_documents", arguments)
    assert (code, reply["status"]) == (2, "invalid")


def test_many_calls_from_standard_input_are_one_session(folder: Path) -> None:
    lines = """
        {"tool": "search_documents", "arguments": {"query": "riego presa"}}
        basura
        {"tool": "rm"}
        {"tool": "search_evidence", "arguments": {"query": "riego", "document_ids": ["ley"]}}
    """
    done = CliRunner().invoke(cli, ["tools", "calls", "--forest", str(folder)], input=lines)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["status"] for reply in replies] == ["ok", "invalid", "invalid", "ok"]


def test_a_session_of_another_tree_is_not_gone_on_with(call, folder: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    kept = ("--session", str(tmp_path / "s.json"))
    call("search_documents", '{"query": "riego"}', *kept)
    commit(folder, {"otra/index.md": FILES["otra/index.md"] + "\nMás.\n"})
    code, _, said = call("session", "{}", *kept)
    assert code == 2
    assert "has changed since" in said
    (tmp_path / "x.json").write_text('{"tree": 3}')
    assert "holds no session" in call("session", "{}", "--session", str(tmp_path / "x.json"))[2]


def test_tools_are_listed_and_described(call) -> None:  # type: ignore[no-untyped-def]
    assert "search_evidence" in call()[2]
    done = CliRunner().invoke(cli, ["tools", "schemas"])
    assert {one["function"]["name"] for one in json.loads(done.stdout)} >= {"read_chunks", "resolve_citation"}
