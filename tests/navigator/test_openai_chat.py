"""The client on servers that do everything wrong: it ends, stays small, tells nobody else, and says what came."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from bench import unruly
from bench.unruly import Behaviour, Exchange, Server, completion, failing, serving
from forest.journal import read_walk
from forest.state import State
from navigator.chat import Completion, Message, ModelFailed, ToolCall, TooLong
from navigator.endpoint import Endpoint
from navigator.openai_chat import ATTEMPTS, DEFAULT_WINDOW_TOKENS, OpenAIChat
from navigator.route import hunt
from navigator.transport import MAX_REPLY_BYTES
from navigator.walk import Limits
from tests.navigator.asking import PROMPT, asker, register
from tests.navigator.beach import TODAY

KEY = "llave-secreta"
HELLO = (Message("system", "Eres breve."), Message("user", PROMPT))
SCHEMA = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}


@contextmanager
def talking(
    behaviour: Behaviour,
    *,
    model: str = "m",
    key: str = "",
    seconds: float = 5.0,
    window: int = 0,
    props: Mapping[str, Any] | None = None,
    sleep: Callable[[float], None] = lambda _: None,
) -> Iterator[tuple[Server, OpenAIChat]]:
    with serving(behaviour, props) as server:
        endpoint = Endpoint(server.url, model, key, timeout_seconds=seconds, window_tokens=window)
        chat = OpenAIChat(endpoint, sleep=sleep, jitter=lambda: 0.5)
        try:
            yield server, chat
        finally:
            chat.close()


def saying(body: bytes, status: int = 200) -> Behaviour:
    return lambda exchange: exchange.send(body, status)


def failure(chat: OpenAIChat) -> str:
    with pytest.raises(ModelFailed) as raised:
        chat.complete(HELLO, schema=SCHEMA)
    said = str(raised.value)
    assert PROMPT not in said
    assert KEY not in said
    return said


def test_a_good_reply_is_its_text_with_what_it_cost() -> None:
    body = completion("¡Hola!", usage={
        "prompt_tokens": 100, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 90},
    })  # fmt: skip
    with talking(saying(body)) as (_, chat):
        said = chat.complete(HELLO)
    assert (said.text, said.calls, said.cut) == ("¡Hola!", (), False)
    usage = said.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (100, 3, 90)
    assert not usage.estimated
    assert 0 < said.wall_seconds < 5


def test_a_request_leaves_nothing_to_chance_and_tells_the_server_only_what_it_needs() -> None:
    with talking(unruly.obedient, key=KEY) as (server, chat):
        chat.complete(HELLO, schema=SCHEMA, limit_tokens=17)
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Eres breve."}, {"role": "user", "content": PROMPT}],
        "temperature": 0,
        "seed": 0,
        "max_tokens": 17,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    }
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert set(asked.headers) <= {
        "host", "accept", "connection", "content-type", "content-length", "accept-encoding", "user-agent",
        "authorization",
    }  # fmt: skip


def test_no_key_is_no_header_whatever_the_environment_of_others_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", KEY)
    with talking(unruly.obedient) as (server, chat):
        chat.complete(HELLO)
    assert KEY not in str(server.asked)


def test_a_proxy_of_the_environment_has_no_part_in_what_stays_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(unruly.garbage) as proxy, talking(unruly.obedient) as (_, chat):
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        assert chat.complete(HELLO).text == "No sé."
        assert not proxy.asked


def test_tools_and_their_calls_go_both_ways_as_openai_has_them() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"n": 1}'}}
    loose = {"function": {"name": "list", "arguments": {"n": 2}}}  # as some servers send it
    body = json.dumps({"choices": [{"message": {"content": None, "tool_calls": [call, loose]}}]}).encode()
    tool = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}
    before = (ToolCall("c0", "find", "{}"),)
    messages = (*HELLO, Message("assistant", "", before), Message("tool", "nada", call_id="c0"))
    with talking(saying(body)) as (server, chat):
        said = chat.complete(messages, tools=[tool])
    assert said.calls == (ToolCall("c1", "read", '{"n": 1}'), ToolCall("call-2", "list", '{"n": 2}'))
    sent = server.asked[0].body
    assert sent["tools"] == [tool]
    assert sent["messages"][2]["tool_calls"] == [
        {"id": "c0", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    ]
    assert sent["messages"][3] == {"role": "tool", "content": "nada", "tool_call_id": "c0"}


@pytest.mark.parametrize(
    ("usage", "timings", "cached"),
    [
        ({"prompt_tokens": 50, "completion_tokens": 1}, {"cache_n": 40, "prompt_n": 10}, 40),
        ({"prompt_tokens": 50, "completion_tokens": 1}, None, 0),
        ({"prompt_tokens": 50, "completion_tokens": 1}, {"cache_n": 4_000}, 50),
    ],
    ids=["llama.cpp", "not told", "more than there was"],
)
def test_what_was_cached_is_told_apart(usage: object, timings: object, cached: int) -> None:
    with talking(saying(completion("sí", usage=usage, timings=timings))) as (_, chat):
        assert chat.complete(HELLO).usage.cached_tokens == cached


@pytest.mark.parametrize(
    "usage", [None, {}, "mucho", {"prompt_tokens": "10", "completion_tokens": 2}, {"prompt_tokens": -1}]
)
def test_usage_that_is_not_told_is_estimated_and_marked(usage: object) -> None:
    with talking(saying(completion("Una respuesta breve.", usage=usage))) as (_, chat):
        told = chat.complete(HELLO).usage
    assert told.estimated
    assert told.prompt_tokens > 10
    assert 3 <= told.completion_tokens < 12


def test_a_reply_stopped_by_its_length_says_so() -> None:
    choices = [{"finish_reason": "length", "message": {"content": '{"a": '}}]
    with talking(saying(completion("", choices=choices))) as (_, chat):
        assert chat.complete(HELLO).cut


def test_what_nothing_can_print_is_replaced() -> None:
    with talking(saying(b'{"choices": [{"message": {"content": "ma\\ud800l"}}]}')) as (_, chat):
        assert chat.complete(HELLO).text.encode() == b"ma?l"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("garbage", ("no JSON", "status 200", "application/octet-stream", "5,120 bytes")),
        ("html", ("no JSON", "text/html")),
        ("10 MB", ("10,485,760 bytes",)),
        ("10 MB error", ("1,048,576 bytes are read at most",)),
        ("endless stream", ("without end",)),
        ("hangs up", (f"asked {ATTEMPTS} times", "the connection failed or broke")),
        ("half a reply", (f"asked {ATTEMPTS} times", "the connection failed or broke")),
        ("empty body", ("nothing in it",)),
        ("misshapen", ("no choices",)),
        ("no content", ("a message without content",)),
        ("nested", ("no JSON",)),
        ("errors", (f"asked {ATTEMPTS} times", "status 500")),
    ],
)
def test_what_is_no_reply_is_a_failure_that_says_what_came(name: str, words: tuple[str, ...]) -> None:
    with talking(unruly.MISBEHAVIOURS[name], key=KEY, seconds=20) as (server, chat):
        said = failure(chat)
    assert server.url.removesuffix("/v1") in said
    for word in words:
        assert word in said
    assert "It works" not in said


@pytest.mark.parametrize(
    "body",
    [
        b"[]", b'"hola"', b"7", b"null", b'{"choices": []}', b'{"choices": [7]}', b'{"choices": [{}]}',
        b'{"choices": [{"message": 7}]}', b'{"choices": [{"message": {"content": ["hola"]}}]}',
        b'{"choices": [{"message": {"tool_calls": {}}}]}', b'{"choices": [{"message": {"tool_calls": [7]}}]}',
        b'{"choices": [{"message": {"tool_calls": [{"function": {"name": 7}}]}}]}', b'{"error": {"message": "no"}}',
        b'{"choices": [{"message": {"content": "x"}', b"\xff\xfe", b"1" * 5_000, b"NaN",
    ],
)  # fmt: skip
def test_json_of_another_shape_is_a_failure_at_once(body: bytes) -> None:
    with talking(saying(body)) as (server, chat):
        assert "sent no reply of a model" in failure(chat)
    assert len(server.completions) == 1


@pytest.mark.parametrize("name", ["dribble", "dribbled head", "silence"])
def test_a_call_ends_when_its_time_is_up_however_the_server_dawdles(name: str) -> None:
    with talking(unruly.MISBEHAVIOURS[name], seconds=0.3) as (_, chat):
        begun = time.monotonic()
        said = failure(chat)
        assert 0.25 < time.monotonic() - begun < 1.5
    assert "no whole answer within" in said


@pytest.mark.parametrize("name", ["10 MB", "10 MB error", "endless stream"])
def test_what_is_large_is_never_held(name: str) -> None:
    with talking(unruly.obedient) as (_, warm):
        warm.complete(HELLO)
    with talking(unruly.MISBEHAVIOURS[name]) as (_, chat):
        tracemalloc.start()
        try:
            failure(chat)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 3 * MAX_REPLY_BYTES


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_the_other_server_hears_nothing(status: int) -> None:
    with (
        serving(unruly.obedient) as other,
        talking(unruly.redirect_to(other.url, status), key=KEY) as (server, chat),
    ):
        assert f"a redirect ({status}), which is not followed" in failure(chat)
        assert other.asked == []
        assert len(server.asked) == 1


def test_a_compressed_body_is_not_taken_as_it_could_grow() -> None:
    def compressed(exchange: Exchange) -> None:
        exchange.send(b"\x1f\x8b", Content_Encoding="gzip")

    with talking(compressed) as (_, chat):
        assert "a compressed body" in failure(chat)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_asked_again_after_a_growing_pause(status: int) -> None:
    pauses: list[float] = []
    with talking(failing(3, status), sleep=pauses.append, seconds=60) as (server, chat):
        assert chat.complete(HELLO).text == "No sé."
    assert len(server.completions) == chat.attempts == 4
    assert pauses == [0.5, 1.0, 2.0]


def test_a_broken_connection_is_tried_again() -> None:
    behaviour = unruly.dying(2, unruly.half, unruly.obedient)
    with talking(behaviour, seconds=60) as (server, chat):
        assert chat.complete(HELLO).text == "No sé."
    assert len(server.completions) == 3


@pytest.mark.parametrize(
    ("header", "waited"),
    [("0", [0.0]), ("7", [7.0]), ("Mon, 01 Jan 2001 00:00:00 GMT", [0.0]), ("mañana", [0.5]), ("3600", None)],
)
def test_a_server_that_says_when_to_ask_again_is_heard_within_a_bound(header: str, waited: list[float] | None) -> None:
    pauses: list[float] = []
    behaviour = failing(1, 429, Retry_After=header.encode().decode("latin-1"))
    with talking(behaviour, sleep=pauses.append, seconds=60) as (_, chat):
        if waited is None:
            assert "asked once: status 429" in failure(chat)
        else:
            assert chat.complete(HELLO).text == "No sé."
    assert pauses == (waited or [])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_cannot_pass_is_not_asked_again(status: int) -> None:
    with talking(failing(99, status)) as (server, chat), pytest.raises(ModelFailed, match=f"status {status}"):
        chat.complete(HELLO)
    assert len(server.completions) == 1


def test_a_key_that_is_refused_is_told_without_the_key() -> None:
    with talking(failing(99, 401), key=KEY) as (_, chat):
        assert "Look at the key" in failure(chat)


def test_a_form_that_is_refused_is_not_asked_for_again() -> None:
    def refusing(exchange: Exchange) -> None:
        form = exchange.asked.body.get("response_format", {"type": "text"})["type"]
        exchange.send(*((b'{"error": "no"}', 400) if form == "json_schema" else (completion('{"a": "x"}'), 200)))

    with talking(refusing) as (server, chat):
        for _ in range(2):
            assert chat.complete(HELLO, schema=SCHEMA).text == '{"a": "x"}'
    forms = [asked.body.get("response_format", {}).get("type") for asked in server.completions]
    assert forms == ["json_schema", "json_schema", "json_object", "json_object"]


def test_a_server_without_any_form_is_asked_in_plain_words() -> None:
    def plain(exchange: Exchange) -> None:
        formed = "response_format" in exchange.asked.body
        exchange.send(*((b'{"error": "no"}', 422) if formed else (completion('{"a": "x"}'), 200)))

    with talking(plain) as (server, chat):
        chat.complete(HELLO, schema=SCHEMA)
        chat.complete(HELLO, schema=SCHEMA)
    assert len(server.completions) == 5


def test_a_refusal_that_nothing_helps_is_a_failure_and_changes_nothing() -> None:
    with talking(failing(4, 400)) as (server, chat):
        assert "status 400" in failure(chat)
        chat.complete(HELLO, schema=SCHEMA)
    assert server.completions[-1].body["response_format"]["json_schema"]["strict"] is True


def test_fields_that_a_model_refuses_by_name_are_left_out() -> None:
    def picky(exchange: Exchange) -> None:
        refused = next((name for name in ("temperature", "max_tokens") if name in exchange.asked.body), None)
        if refused:
            exchange.send(json.dumps({"error": {"message": "unsupported", "param": refused}}).encode(), 400)
        else:
            exchange.send(completion("sí"))

    with talking(picky) as (server, chat):
        assert chat.complete(HELLO, limit_tokens=9).text == "sí"
    assert server.completions[-1].body["max_completion_tokens"] == 9


@pytest.mark.parametrize(
    "error",
    [
        {"type": "exceed_context_size_error", "message": "x", "code": 400, "n_ctx": 512},
        {"code": "context_length_exceeded", "message": "x"},
        {"message": "This model's maximum context length is 4096 tokens"},
        "the request exceeds the available context size",
    ],
    ids=["llama.cpp", "OpenAI", "vLLM", "a bare text"],
)
def test_a_prompt_that_does_not_fit_is_told_apart(error: object) -> None:
    with talking(saying(json.dumps({"error": error}).encode(), 400)) as (server, chat), pytest.raises(TooLong):
        chat.complete(HELLO, schema=SCHEMA)
    assert len(server.completions) == 1


@pytest.mark.parametrize(
    ("window", "props", "told"),
    [
        (2_048, {"default_generation_settings": {"n_ctx": 8_192}}, 2_048),
        (0, {"default_generation_settings": {"n_ctx": 8_192}}, 8_192),
        (0, {"default_generation_settings": {"n_ctx": "mucho"}}, DEFAULT_WINDOW_TOKENS),
        (0, None, DEFAULT_WINDOW_TOKENS),
    ],
    ids=["configured", "llama.cpp", "nonsense", "not told: what it was trained on is no window"],
)
def test_the_window_is_as_configured_else_as_the_server_tells(window: int, props: Any, told: int) -> None:
    with talking(unruly.obedient, window=window, props=props) as (_, chat):
        assert chat.window_tokens == told


def test_a_server_that_loads_its_model_is_asked_for_its_window_again() -> None:
    loading = [True]

    def load(exchange: Exchange) -> None:
        props = {"default_generation_settings": {"n_ctx": 2_048}}
        exchange.send(json.dumps({"error": "loading"} if loading[0] else props).encode(), 503 if loading[0] else 200)

    with serving(load, everywhere=True) as server:
        chat = OpenAIChat(Endpoint(server.url, "m"))
        assert chat.window_tokens == DEFAULT_WINDOW_TOKENS
        loading.clear()
        loading.append(False)
        assert [chat.window_tokens, chat.window_tokens] == [2_048, 2_048]
        assert len(server.asked) == 2
        chat.close()


@pytest.mark.parametrize("told", [{"max_model_len": 9_000}, {"context_length": 9_000}, {"meta": {"n_ctx": 9_000}}])
def test_a_list_of_models_may_tell_the_window(told: Mapping[str, Any]) -> None:
    def listed(exchange: Exchange) -> None:
        models = [{"id": "other", "max_model_len": 1_000}, {"id": "m", **told}]
        found = exchange.asked.path == "/v1/models"
        exchange.send(json.dumps({"data": models}).encode(), 200 if found else 404)

    with serving(listed, everywhere=True) as server:
        chat = OpenAIChat(Endpoint(server.url, "m"))
        assert chat.window_tokens == 9_000
        chat.close()


def test_a_model_that_is_not_named_is_the_first_that_the_server_names() -> None:
    with talking(unruly.obedient, model="") as (server, chat):
        chat.complete(HELLO)
        chat.complete(HELLO)
        assert chat.model == "unruly"
    assert [asked.body["model"] for asked in server.completions] == ["unruly", "unruly"]
    assert sum(asked.path == "/v1/models" for asked in server.asked) == 1


@pytest.mark.parametrize("name", [name for name in unruly.MISBEHAVIOURS if name != "dies mid-walk"])
def test_a_server_that_is_bad_everywhere_is_a_failure_too_and_its_window_the_default(name: str) -> None:
    with serving(unruly.MISBEHAVIOURS[name], everywhere=True) as server:
        chat = OpenAIChat(Endpoint(server.url, key=KEY, timeout_seconds=0.3), sleep=lambda _: None)
        begun = time.monotonic()
        assert chat.window_tokens == DEFAULT_WINDOW_TOKENS
        failure(chat)
        assert time.monotonic() - begun < 2
        assert server.completions == []
        chat.close()


def test_nobody_is_asked_before_something_is_said() -> None:
    with serving(unruly.obedient) as server:
        OpenAIChat(Endpoint(server.url, key=KEY)).close()
        assert server.asked == []


def test_a_server_that_is_not_there_is_a_failure() -> None:
    with serving(unruly.obedient) as server:
        pass
    chat = OpenAIChat(Endpoint(server.url, "m", timeout_seconds=5), sleep=lambda _: None)
    assert "the connection failed or broke" in failure(chat)
    assert chat.attempts == ATTEMPTS
    assert chat.window_tokens == DEFAULT_WINDOW_TOKENS
    chat.close()


@pytest.mark.parametrize("url", ["http://a..b/v1", "http://١٢٧.0.0.1/v1", "nada"])
def test_an_address_that_is_none_is_a_failure(url: str) -> None:
    chat = OpenAIChat(Endpoint(url, "m", timeout_seconds=5), sleep=lambda _: None)
    assert "could not be" in failure(chat)
    assert chat.window_tokens == DEFAULT_WINDOW_TOKENS
    chat.close()


# Whole walks.


def walked(state: State, monkeypatch: pytest.MonkeyPatch, chat: OpenAIChat, limits: Limits | None = None) -> Any:
    """Walk with a navigator that asks for every step, and check the journal against the walk."""
    register(monkeypatch, asker("search sombrillas", "give up"))
    ended = hunt(state, "¿Qué?", today=TODAY, navigator="llm", chat=chat, journal=True, limits=limits)
    record = read_walk(state.folder.parent, "last")
    assert record.ending is not None
    assert record.ending["ending"] == ended.ending
    assert [step["step"] for step in record.steps] == [step.number for step in ended.steps]
    assert record.ending["use"] == ended.use.as_line()
    told = json.dumps(record.ending, default=str)
    assert PROMPT not in told
    assert KEY not in told
    return ended


@pytest.mark.parametrize("name", [*unruly.MISBEHAVIOURS])
def test_every_bad_endpoint_ends_a_walk_as_a_failure_of_the_model_with_a_whole_journal(
    state: State, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with talking(unruly.MISBEHAVIOURS[name], key=KEY, seconds=0.5) as (_, chat):
        ended = walked(state, monkeypatch, chat)
    assert ended.ending == "model_error"
    assert len(ended.steps) == (1 if name == "dies mid-walk" else 0)
    assert ended.use.decided == len(ended.steps)
    assert ended.use.calls == len(ended.steps) + 1
    assert not ended.answer.claims
    assert any("127.0.0.1" in note for note in ended.answer.notes)


def test_a_walk_that_is_redirected_ends_and_the_other_server_hears_nothing(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(unruly.obedient) as other, talking(unruly.redirect_to(other.url), key=KEY) as (_, chat):
        assert walked(state, monkeypatch, chat).ending == "model_error"
        assert other.asked == []


def test_replies_that_cannot_be_read_end_a_walk_as_such(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    with talking(saying(completion("No sé qué decir."))) as (server, chat):
        ended = walked(state, monkeypatch, chat)
    assert ended.ending == "malformed_replies"
    assert len(server.completions) == ended.use.calls == 2
    assert "debe ser" in server.completions[1].body["messages"][-1]["content"]


def test_the_time_limit_holds_while_a_model_is_slow(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    with talking(unruly.slowly(0.2), seconds=5) as (_, chat):
        begun = time.monotonic()
        ended = walked(state, monkeypatch, chat, Limits(wall_seconds=0.5))
        assert time.monotonic() - begun < 2
    assert ended.ending == "time_limit"
    assert 1 <= len(ended.steps) <= 3


def test_an_interruption_while_a_model_is_silent_leaves_a_whole_journal(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(monkeypatch, asker("search sombrillas"))
    behaviour = unruly.dying(1, unruly.obedient, unruly.silence)
    with talking(behaviour, seconds=30) as (server, chat):
        presses = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        presses.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            hunt(state, "¿Qué?", today=TODAY, navigator="llm", chat=chat, journal=True)
        assert time.monotonic() - begun < 5
        assert len(server.completions) == 2
    record = read_walk(state.folder.parent, "last")
    assert record.ending is not None
    assert (len(record.steps), record.ending["ending"]) == (1, "interrupted")
    assert record.ending["use"]["calls"] == 1


def test_each_step_keeps_what_it_cost(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    with talking(unruly.obedient) as (_, chat):
        ended = walked(state, monkeypatch, chat, Limits(steps=3))
    assert ended.ending == "step_limit"
    assert [[call.usage.prompt_tokens for call in step.calls] for step in ended.steps] == [[10], [10], [10]]
    assert (ended.use.usage.prompt_tokens, ended.use.usage.completion_tokens) == (30, 6)
    assert ended.use.model == "m"
    assert "3 model calls, 30 tokens in (0 cached), 6 out" in ended.told()


def test_a_completion_is_equal_to_one_of_equal_content() -> None:
    with talking(unruly.obedient) as (_, chat):
        first, second = chat.complete(HELLO), chat.complete(HELLO)
    assert isinstance(first, Completion)
    assert (first.text, first.usage) == (second.text, second.usage)
