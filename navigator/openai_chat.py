"""A chat with an OpenAI-compatible endpoint. The door to the `openai` package.

Owns how often and how long a server is asked, and what is said when it fails. What is sent and what a reply looks like
is `navigator.payload`'s; that an exchange ends, stays small and leads nowhere else is `navigator.transport`'s. No key,
prompt or reply is in what it raises.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cached_property
from random import SystemRandom
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from navigator.chat import Completion, Message, ModelFailed, Schema, TooLong
from navigator.endpoint import Endpoint
from navigator.payload import (
    Dialect,
    Reply,
    Unreadable,
    body_of,
    estimated,
    models_of,
    parsed,
    refusal_of,
    reply_of,
    window_of,
    window_of_model,
)

if TYPE_CHECKING:
    import openai

    from navigator.transport import Line

ATTEMPTS = 4
DEFAULT_WINDOW_TOKENS = 4_096
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.5, 20.0
_LOOKUP_SECONDS = 5.0
_AGAIN = frozenset((408, 409, 425, 429, *range(500, 600)))
_REFUSES = frozenset((400, 422))
_HINTS = {
    401: "Look at the key: FOREST_API_KEY.",
    403: "Look at the key: FOREST_API_KEY.",
    404: "Does the endpoint end in /v1, and has the server that model?",
    429: "The server is asked too often, or the account has nothing left.",
    503: "It may still be loading its model.",
}
_RANDOM = SystemRandom()
_WHERE = "Look at --endpoint; docs/models.md says what an endpoint must be."


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered, whole.

    Attributes:
        status: of HTTP.
        kind: its content type, as much of it as is safe to show.
        body: at most `navigator.transport.MAX_REPLY_BYTES`.
        retry_after: what it says of when to ask again, "" for nothing.
    """

    status: int
    kind: str
    body: bytes
    retry_after: str

    def told(self) -> str:
        """Return what came, without its text."""
        return f"status {self.status}, {self.kind}, {len(self.body):,} bytes"


class _Broken(Exception):
    """An exchange that brought no answer; says in a clause how it ended."""


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint. Nothing is connected to before it is asked something.

    Args:
        endpoint: where, and how.
        sleep: waits some seconds between attempts.
        jitter: gives numbers from 0 to 1, so that several clients do not come back at once.

    Attributes:
        attempts: requests made in all, those that failed included.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = _RANDOM.random,
    ) -> None:
        self._endpoint, self._sleep, self._jitter = endpoint, sleep, jitter
        self._dialect = Dialect()
        parts = urlsplit(endpoint.url)
        self._place = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"  # a path may be somebody's secret
        self._window = endpoint.window_tokens
        self.attempts = 0

    @cached_property
    def model(self) -> str:
        """Its name: as configured, else the first that the server names.

        Raises:
            ModelFailed: none is configured, and the server names none.
        """
        if self._endpoint.model:
            return self._endpoint.model
        answer = self._asked("GET", "/models", None, time.monotonic() + self._endpoint.timeout_seconds)
        models = self._models_in(answer)
        if not models:
            raise ModelFailed(f"{self._place} names no models ({answer.told()}).", "Name one with --model.")
        return str(models[0]["id"])

    @property
    def window_tokens(self) -> int:
        """How many tokens prompt and reply may have together.

        As configured; else as llama.cpp tells at `/props` or the list of models does; else `DEFAULT_WINDOW_TOKENS`. A
        server that cannot be asked now, as one that loads its model, is asked again next time.
        """
        if not self._window:
            self._window = self._told_window()
        return self._window or DEFAULT_WINDOW_TOKENS

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        tools: Sequence[Schema] = (),
        limit_tokens: int = 256,
    ) -> Completion:
        """Say something to the model and return what it says.

        A server that refuses a form of asking for the schema, or a field, is asked without; that is remembered.

        Raises:
            ModelFailed: no reply came in the time that the endpoint has, after at most `ATTEMPTS` attempts; or what
                came is none. `TooLong` when the server says that the prompt does not fit.
        """
        begun = time.monotonic()
        dialect, model = self._dialect, self.model
        while True:
            body = body_of(model, messages, schema, tools, limit_tokens, dialect)
            answer = self._asked("POST", "/chat/completions", body, begun + self._endpoint.timeout_seconds)
            if answer.status < 400:
                break
            refusal = refusal_of(answer.body)
            if refusal.too_long and answer.status < 500:
                raise TooLong(f"The prompt does not fit into the model's window, says {self._place}.", "Say less.")
            other = dialect.after(refusal, has_schema=schema is not None) if answer.status in _REFUSES else None
            if other is None:
                raise self._failed(answer, "an error")
            dialect = other
        self._dialect = dialect
        reply = self._reply_in(answer)
        usage = reply.usage or estimated(body, reply)
        return Completion(reply.text, usage, time.monotonic() - begun, reply.calls, reply.cut)

    def close(self) -> None:
        """Close the connection."""
        if "_client" in self.__dict__:
            self._line.close()

    def _reply_in(self, answer: Answer) -> Reply:
        try:
            return reply_of(parsed(answer.body))
        except Unreadable as error:
            raise self._failed(answer, str(error)) from None

    def _failed(self, answer: Answer, what: str) -> ModelFailed:
        hint = _HINTS.get(answer.status, _WHERE)
        return ModelFailed(f"{self._place} sent no reply of a model: {what} ({answer.told()}).", hint)

    def _models_in(self, answer: Answer) -> tuple[Mapping[str, Any], ...]:
        if answer.status >= 400:
            raise self._failed(answer, "an error")
        try:
            return models_of(parsed(answer.body))
        except Unreadable as error:
            raise self._failed(answer, str(error)) from None

    def _told_window(self) -> int:
        """Return the window that the server tells, the default if it tells none, 0 if it cannot be asked now."""
        root = self._endpoint.url.removesuffix("/v1")
        for path, told in ((f"{root}/props", window_of), ("/models", self._window_of_mine)):
            try:
                answer = self._once("GET", path, None, min(_LOOKUP_SECONDS, self._endpoint.timeout_seconds))
            except _Broken:
                return 0
            except ModelFailed:
                continue
            if answer.status >= 500:
                return 0
            with suppress(Unreadable):  # of a server that answers whatever it is asked with a page of its own
                window = told(parsed(answer.body)) if answer.status < 400 else 0
                if window:
                    return window
        return DEFAULT_WINDOW_TOKENS

    def _window_of_mine(self, listed: Mapping[str, Any]) -> int:
        models = models_of(listed)
        mine = [model for model in models if model["id"] == self._endpoint.model] or models[:1]
        return next((window_of_model(model) for model in mine), 0)

    def _asked(self, method: str, path: str, body: Mapping[str, Any] | None, until: float) -> Answer:
        """Return what the server answers, asking again where that may help, at most until a time."""
        for attempt in range(1, ATTEMPTS + 1):
            answer, retry_after = None, ""
            try:
                answer = self._once(method, path, body, until - time.monotonic())
            except _Broken as error:
                said = str(error)
            else:
                if answer.status not in _AGAIN:
                    return answer
                said, retry_after = answer.told(), answer.retry_after
            pause = self._pause(attempt, retry_after)
            left = until - time.monotonic()
            if attempt == ATTEMPTS or pause > min(left, _LONGEST_PAUSE_SECONDS):
                break
            self._sleep(pause)
        hint = _HINTS.get(answer.status, _WHERE) if answer is not None else _WHERE
        times = "once" if attempt == 1 else f"{attempt} times"
        raise ModelFailed(f"{self._place} could not be used, asked {times}: {said}.", hint)

    def _pause(self, attempt: int, retry_after: str) -> float:
        """Return how long to wait after an attempt, in seconds; as long as the server says if it does."""
        if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", retry_after):
            return float(retry_after)
        if retry_after:
            try:
                return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
            except (ValueError, OverflowError, TypeError, IndexError):
                pass
        return float(_FIRST_PAUSE_SECONDS * 2 ** (attempt - 1) * (0.5 + self._jitter()))

    def _once(self, method: str, path: str, body: Mapping[str, Any] | None, seconds: float) -> Answer:
        """Make one request.

        Raises:
            _Broken: no whole answer came in that time.
            ModelFailed: an answer came that is not taken.
        """
        import openai

        from navigator.transport import Refused, Response, Unsendable

        if seconds <= 0:
            raise _Broken(f"no time is left of {self._endpoint.timeout_seconds:g} seconds")
        self.attempts += 1
        try:
            with self._line.within(seconds):
                try:
                    if method == "GET":
                        response = self._client.get(path, cast_to=Response)
                    else:
                        response = self._client.post(path, cast_to=Response, body=dict(body or {}))
                except openai.APIStatusError as error:
                    response = error.response
                return Answer(
                    response.status_code,
                    _kind(response.headers.get("content-type", "")),
                    response.content,
                    response.headers.get("retry-after", "")[:40].strip(),
                )
        except (TimeoutError, openai.APITimeoutError):
            raise _Broken(f"no whole answer within {seconds:.3g} seconds") from None
        except openai.APIConnectionError as error:
            raise _Broken(f"the connection failed or broke ({type(error.__cause__).__name__})") from None
        except Refused as error:
            raise ModelFailed(f"{self._place} sent no reply of a model: {error}.", _WHERE) from None
        except (openai.OpenAIError, *Unsendable) as error:
            raise ModelFailed(f"{self._place} could not be asked ({type(error).__name__}).", _WHERE) from None

    @cached_property
    def _line(self) -> Line:
        from navigator.transport import Line

        return Line(self._endpoint.key, is_local=self._endpoint.is_local)

    @cached_property
    def _client(self) -> openai.OpenAI:
        import openai  # takes half a second: only when somebody is asked

        return openai.OpenAI(
            # The transport sends the key; the package must have one, and would look for it in the environment.
            api_key="none",
            base_url=self._endpoint.url,
            max_retries=0,
            http_client=self._line.client,
        )


def _kind(content_type: str) -> str:
    match = re.match(r"[A-Za-z0-9.+-]{1,40}/[A-Za-z0-9.+-]{1,40}", content_type)
    return match[0] if match else "no content type"
