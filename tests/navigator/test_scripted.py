"""The scripted chat: lines in order, what it heard, and an end that is a failure of the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from forest.errors import WrongUsage
from navigator.chat import Completion, Message, ModelFailed, ToolCall, TooLong, Usage
from navigator.endpoint import Endpoint
from navigator.meter import Meter, OutOfTime
from navigator.opening import open_chat
from navigator.scripted import ScriptedChat

ASKED = [Message("user", "¿Qué sigue?")]


def test_lines_are_said_in_order_whatever_they_are() -> None:
    call = ToolCall("c1", "read", "{}")
    whole = Completion("todo", Usage(9, 1, 5))
    chat = ScriptedChat("hola", {"do": "leer"}, [call], whole, lambda messages: f"eco de {messages[-1].text}")
    said = [chat.complete(ASKED) for _ in range(5)]
    assert [one.text for one in said] == ["hola", '{"do": "leer"}', "", "todo", "eco de ¿Qué sigue?"]
    assert said[2].calls == (call,)
    assert said[3] is whole
    assert said[0].usage.estimated
    assert said[0].usage.prompt_tokens > 0


def test_what_it_was_asked_is_remembered() -> None:
    chat = ScriptedChat("hola")
    chat.complete(ASKED, schema={"type": "object"}, limit_tokens=3)
    (heard,) = chat.heard
    assert heard.messages == tuple(ASKED)
    assert (heard.schema, heard.tools, heard.limit_tokens) == ({"type": "object"}, (), 3)


def test_an_exception_is_raised_and_the_next_line_follows() -> None:
    chat = ScriptedChat(TooLong("no cabe"), "sí")
    with pytest.raises(TooLong):
        chat.complete(ASKED)
    assert chat.complete(ASKED).text == "sí"


def test_the_end_of_the_script_is_a_failure_of_the_model() -> None:
    with pytest.raises(ModelFailed, match="at its end after 0 replies"):
        ScriptedChat().complete(ASKED)


def test_a_script_in_a_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "guion.jsonl"
    path.write_text('"hola"\n\n{"do": "leer"}\n{"calls": [{"name": "read", "arguments": {"n": 1}}]}\n')
    chat = open_chat(Endpoint(f"script:{path}"))
    assert [chat.complete(ASKED).text for _ in range(2)] == ["hola", '{"do": "leer"}']
    assert chat.complete(ASKED).calls == (ToolCall("4-1", "read", '{"n": 1}'),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hola", "Line 1"),
        ('"a"\n7', "Line 2"),
        ("[" * 50_000, "Line 1"),
        ('{"calls": [7]}', "no name"),
        ("x" * 5_000_000, "over"),
    ],
    ids=["no JSON", "a number", "deep", "no call", "large"],
)
def test_a_file_that_is_no_script_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "guion.jsonl"
    path.write_text(text)
    with pytest.raises(WrongUsage, match=words):
        open_chat(Endpoint(f"script:{path}"))


def test_a_script_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="cannot be read"):
        open_chat(Endpoint(f"script:{tmp_path / 'nada'}"))


def test_a_meter_counts_calls_tokens_and_failures_and_keeps_no_word() -> None:
    now = iter(range(100))
    script = ScriptedChat(Completion("uno", Usage(10, 2, 4)), ModelFailed("no"), Completion("dos", Usage(20, 3)))
    meter = Meter(script, lambda: float(next(now)))
    meter.complete(ASKED)
    with pytest.raises(ModelFailed):
        meter.complete(ASKED)
    meter.complete(ASKED)
    use = meter.use(decided=1)
    assert (use.model, use.calls, use.usage, use.wall_seconds, use.decided) == ("script", 3, Usage(30, 5, 4), 3.0, 1)
    assert [call.failed for call in meter.calls] == [False, True, False]
    assert "uno" not in repr(meter.calls)
    assert (meter.model, meter.window_tokens) == (script.model, script.window_tokens)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("/srv/models/q4.gguf", "q4.gguf"),
        ("C:\\models\\q4.gguf", "q4.gguf"),
        ("meta/llama", "meta/llama"),
        ("x" * 999, "x" * 120),
    ],
)
def test_a_model_is_told_by_its_name_and_not_by_its_place(name: str, shown: str) -> None:
    meter = Meter(ScriptedChat("uno", model=name))
    meter.complete(ASKED)
    assert meter.use().model == shown


def test_a_meter_begins_no_call_after_its_time() -> None:
    script = ScriptedChat("uno", "dos")
    now = iter([0.0, 1.0, 5.0])
    meter = Meter(script, lambda: next(now), until=5.0)
    meter.complete(ASKED)
    with pytest.raises(OutOfTime):
        meter.complete(ASKED)
    assert len(script.heard) == len(meter.calls) == 1
