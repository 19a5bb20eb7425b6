"""Payloads: what is sent to an OpenAI-compatible endpoint and what came back, as data. Nothing here talks to anybody.

What came is of unknown form: every field is looked at before it is used, and what is wrong is told without its text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from forest.text import count_tokens
from navigator.chat import Message, Schema, ToolCall, Usage

SEED = 0
# How a schema is asked for, from the strictest on; a server that refuses one is asked in the next.
_FORMS = ("strict", "json_schema", "json_object", "text")
# Fields that some models refuse by name, and what is sent instead; "" for nothing.
_REFUSED = {"max_tokens": "max_completion_tokens", "temperature": "", "seed": ""}
_TOO_LONG = ("context length", "context size", "context window", "maximum context", "prompt is too long")
_FEW_CALLS = 32
_MAX_TOKENS = 10**12  # a server that counts more than this counts nothing


class Unreadable(Exception):
    """What came is no reply of a model; says in a clause what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server has turned out to accept.

    Attributes:
        form: how a schema is asked for.
        refused: names of fields that it does not take.
    """

    form: str = _FORMS[0]
    refused: frozenset[str] = frozenset()

    def after(self, refusal: Refusal, *, has_schema: bool) -> Dialect | None:
        """Return how to ask after a refusal, None when there is nothing left to leave out."""
        if refusal.field in _REFUSED and refusal.field not in self.refused:
            return replace(self, refused=self.refused | {refusal.field})
        at = _FORMS.index(self.form)
        return replace(self, form=_FORMS[at + 1]) if has_schema and at + 1 < len(_FORMS) else None


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as a server tells it.

    Attributes:
        field: of the request, that it names; "" for none.
        too_long: whether the prompt does not fit.
    """

    field: str = ""
    too_long: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, as it came.

    Attributes:
        text: its words, "" for none.
        calls: the tools that it calls.
        cut: whether the limit of its length stopped it.
        usage: as the server counts it, None when it does not.
    """

    text: str
    calls: tuple[ToolCall, ...]
    cut: bool
    usage: Usage | None


def body_of(
    model: str,
    messages: Sequence[Message],
    schema: Schema | None,
    tools: Sequence[Schema],
    limit_tokens: int,
    dialect: Dialect,
) -> dict[str, Any]:
    """Return the body of a request for a completion: nothing in it is left to chance where the server allows that."""
    body: dict[str, Any] = {"model": model, "messages": [_as_sent(message) for message in messages]}
    for name, value in (("temperature", 0), ("seed", SEED), ("max_tokens", limit_tokens)):
        kept = _REFUSED[name] if name in dialect.refused else name
        if kept:
            body[kept] = value
    if tools:
        body["tools"] = [dict(tool) for tool in tools]
    if schema is not None and dialect.form == "json_object":
        body["response_format"] = {"type": "json_object"}
    elif schema is not None and dialect.form != "text":
        strict = {"strict": True} if dialect.form == "strict" else {}
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", **strict, "schema": schema}}
    return body


def _as_sent(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == "tool":
        sent["tool_call_id"] = message.call_id
    if message.calls:
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return sent


def parsed(body: bytes) -> dict[str, Any]:
    """Return what a body says.

    Raises:
        Unreadable: it is empty, no JSON, or no object.
    """
    if not body.strip():
        raise Unreadable("nothing in it")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise Unreadable("no JSON") from None
    if not isinstance(value, dict):
        raise Unreadable("JSON that is no object")
    return value


def reply_of(value: Mapping[str, Any]) -> Reply:
    """Return what a model said.

    Raises:
        Unreadable: there is no reply in it.
    """
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Unreadable("an error where a reply should be" if value.get("error") else "no choices")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise Unreadable("a choice without a message")
    text, calls = message.get("content"), _calls_of(message.get("tool_calls"))
    if text is None and not calls:
        raise Unreadable("a message without content")
    if text is not None and not isinstance(text, str):
        raise Unreadable("content that is no text")
    cut = choices[0].get("finish_reason") == "length"
    return Reply(_sound(text or ""), calls, cut, _usage_of(value))


def _calls_of(value: object) -> tuple[ToolCall, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > _FEW_CALLS:
        raise Unreadable("calls of tools that are no list, or too many")
    return tuple(_call_of(call, number) for number, call in enumerate(value, 1))


def _call_of(value: object, number: int) -> ToolCall:
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise Unreadable("a call of a tool without a name")
    arguments = function.get("arguments", "")
    if not isinstance(arguments, str):  # some servers send the object itself
        arguments = json.dumps(arguments, ensure_ascii=False)
    call_id = value.get("id")
    return ToolCall(
        _sound(call_id) if isinstance(call_id, str) and call_id else f"call-{number}",
        _sound(function["name"]),
        _sound(arguments),
    )


def _sound(text: str) -> str:
    """Return text without lone surrogates, which JSON can escape and nothing can print."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _usage_of(value: Mapping[str, Any]) -> Usage | None:
    """Return what the server counted, None when it tells nothing that can be.

    OpenAI tells of its cache in `usage.prompt_tokens_details`, llama.cpp there or in its `timings`.
    """
    usage, timings = value.get("usage"), value.get("timings")
    if not isinstance(usage, dict):
        return None
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    details = usage.get("prompt_tokens_details")
    told = (details.get("cached_tokens") if isinstance(details, dict) else None, timings)
    cached = _count(told[0])
    if cached is None and isinstance(timings, dict):
        cached = _count(timings.get("cache_n"))
    return Usage(prompt, completion, min(cached or 0, prompt))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MAX_TOKENS else None


def estimated(body: Mapping[str, Any], reply: Reply) -> Usage:
    """Return about what a call cost, by the counter of observations: the model's own tokens are not known."""
    asked = count_tokens(json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False))
    told = reply.text + "".join(call.name + call.arguments for call in reply.calls)
    return Usage(asked, count_tokens(told), estimated=True)


def refusal_of(body: bytes) -> Refusal:
    """Return what an error says of the request; nothing when it cannot be read."""
    try:
        error = parsed(body).get("error")
    except Unreadable:
        return Refusal()
    if isinstance(error, str):
        error = {"message": error}
    if not isinstance(error, dict):
        return Refusal()
    names = {error.get(name) for name in ("type", "code") if isinstance(error.get(name), str)}
    message = error["message"].casefold() if isinstance(error.get("message"), str) else ""
    too_long = bool(names & {"exceed_context_size_error", "context_length_exceeded"})
    field = error.get("param")
    return Refusal(
        field if isinstance(field, str) else "", too_long or any(sign in message[:2_000] for sign in _TOO_LONG)
    )


def models_of(value: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the models that a server names, each with a text `id`; what is none is left out."""
    listed = value.get("data")
    if not isinstance(listed, list):
        return ()
    return tuple(one for one in listed if isinstance(one, dict) and isinstance(one.get("id"), str) and one["id"])


def window_of(props: Mapping[str, Any]) -> int:
    """Return the window that llama.cpp's `/props` tells, in tokens; 0 when it tells none."""
    settings = props.get("default_generation_settings")
    return (_count(settings.get("n_ctx")) or 0) if isinstance(settings, dict) else 0


def window_of_model(model: Mapping[str, Any]) -> int:
    """Return the window that a list of models tells of one, in tokens; 0 when it tells none.

    `n_ctx_train` of llama.cpp is what the model was trained on, not what the server was started with.
    """
    meta = model.get("meta")
    told = (
        model.get("max_model_len"),  # vLLM
        model.get("context_length"),
        model.get("context_window"),
        meta.get("n_ctx") if isinstance(meta, dict) else None,
    )
    return next((count for value in told if (count := _count(value))), 0)
