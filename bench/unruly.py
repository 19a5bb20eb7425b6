"""Unruly endpoints: servers on this machine that answer as an OpenAI-compatible one should, or in every way wrong.

Used by `bench.endpoints` and by the tests of the client. A server listens on 127.0.0.1 at a port of the system's.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_CHUNK = b"x" * 65_536
_DRIBBLE_SECONDS = 0.02
_MAX_BODY_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came.

    Attributes:
        method: of HTTP.
        path: with its query.
        headers: by name in lower case.
        body: as JSON; {} for none.
        number: of completions asked for so far, this one included.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    number: int


@dataclass
class Server:
    """A server that runs.

    Attributes:
        url: of its API, with /v1.
        asked: the requests that came, in order.
        stopping: set when it is to end, also in the middle of an answer.
    """

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def completions(self) -> list[Asked]:
        """The requests for a completion."""
        return [asked for asked in self.asked if asked.method == "POST"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request, and the means to answer it."""

    asked: Asked
    server: Server
    handler: BaseHTTPRequestHandler

    def send(self, body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Answer as a server should."""
        self.begin(status, kind, **{"Content-Length": str(len(body)), **headers})
        self.handler.wfile.write(body)

    def begin(self, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Send the head of an answer."""
        self.handler.send_response(status)
        self.handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()

    def write(self, data: bytes) -> None:
        """Send a part of a body at once."""
        self.handler.wfile.write(data)
        self.handler.wfile.flush()


Behaviour = Callable[[Exchange], None]


@contextmanager
def serving(
    behaviour: Behaviour, props: Mapping[str, Any] | None = None, *, everywhere: bool = False
) -> Iterator[Server]:
    """Run a server.

    Args:
        behaviour: answers requests for a completion.
        props: what llama.cpp would tell at `/props`; None for a server without it.
        everywhere: whether it behaves so also when it is asked for its models or its window.
    """
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def log_message(self, *_: object) -> None:
            pass

        def _serve(self) -> None:
            body = self.rfile.read(min(int(self.headers.get("content-length", 0)), _MAX_BODY_BYTES))
            number = len(server.completions) + (self.command == "POST")
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, json.loads(body or b"{}"), number)
            server.asked.append(asked)
            exchange = Exchange(asked, server, self)
            with suppress(OSError):  # the other side need not wait for the end
                if self.command == "POST" or everywhere:
                    behaviour(exchange)
                else:
                    _listed(exchange, props)
            self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        server.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.stopping.set()
            listening.shutdown()


def _listed(exchange: Exchange, props: Mapping[str, Any] | None) -> None:
    if exchange.asked.path == "/props" and props is not None:
        exchange.send(json.dumps(props).encode())
    elif exchange.asked.path == "/v1/models":
        exchange.send(json.dumps({"data": [{"id": "unruly", "meta": {"n_ctx_train": 131_072}}]}).encode())
    else:
        exchange.send(b'{"error": {"message": "there is no such path"}}', 404)


def completion(text: str | None, **more: object) -> bytes:
    """Return the body of an answer that says a text."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    return json.dumps({"model": "unruly", "choices": choices, "usage": usage, **more}).encode()


def obedient(exchange: Exchange) -> None:
    """Say the first thing that the schema of the request allows, or nothing in particular."""
    form = exchange.asked.body.get("response_format", {})
    schema = form.get("json_schema", {}).get("schema")
    exchange.send(completion(json.dumps(_first(schema)) if schema else "No sé."))


def _first(schema: Mapping[str, Any]) -> object:
    """Return the first value of a schema; of texts an empty one, of numbers the least."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("anyOf"):
        return _first(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            return {name: _first(below) for name, below in schema.get("properties", {}).items()}
        case "array":
            return [_first(schema["items"])] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
    return ""


def garbage(exchange: Exchange) -> None:
    """Send bytes that are nothing."""
    exchange.send(bytes(range(256)) * 20, kind="application/octet-stream")


def html(exchange: Exchange) -> None:
    """Send the page of some other program."""
    exchange.send(b"<!doctype html><title>It works</title>" * 100, kind="text/html; charset=utf-8")


def ten_megabytes(exchange: Exchange) -> None:
    """Send a text of 10 MB, announced."""
    exchange.begin(Content_Length=str(10 * 1024 * 1024))
    for _ in range(160):
        exchange.write(_CHUNK)


def ten_megabytes_error(exchange: Exchange) -> None:
    """Send an error of 10 MB, not announced."""
    exchange.begin(400)
    for _ in range(160):
        exchange.write(_CHUNK)


def endless(exchange: Exchange) -> None:
    """Send for ever, as fast as it is taken."""
    exchange.begin()
    while not exchange.server.stopping.is_set():
        exchange.write(_CHUNK)


def dribble(exchange: Exchange) -> None:
    """Send for ever, a byte at a time: no read of it ever waits long."""
    exchange.begin()
    while not exchange.server.stopping.wait(_DRIBBLE_SECONDS):
        exchange.write(b" ")


def dribbled_head(exchange: Exchange) -> None:
    """Send headers for ever, a byte at a time."""
    exchange.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not exchange.server.stopping.wait(_DRIBBLE_SECONDS):
        exchange.write(b"x")


def silence(exchange: Exchange) -> None:
    """Take the request and never answer."""
    exchange.server.stopping.wait(600)


def hang_up(exchange: Exchange) -> None:
    """Take the request and close the connection."""
    exchange.handler.close_connection = True


def half(exchange: Exchange) -> None:
    """Send half of a good answer and close the connection."""
    body = completion("sí")
    exchange.begin(Content_Length=str(len(body)))
    exchange.write(body[: len(body) // 2])


def empty(exchange: Exchange) -> None:
    """Send no body."""
    exchange.send(b"")


def misshapen(exchange: Exchange) -> None:
    """Send JSON of another form."""
    exchange.send(b'{"choices": {"0": "hola"}}')


def speechless(exchange: Exchange) -> None:
    """Send a message without content."""
    exchange.send(completion(None))


def nested(exchange: Exchange) -> None:
    """Send JSON deeper than a parser goes."""
    exchange.send(b"[" * 500_000)


def redirect_to(url: str, status: int = 307) -> Behaviour:
    """Return a behaviour that sends everybody elsewhere."""

    def behave(exchange: Exchange) -> None:
        exchange.send(b"", status, Location=f"{url}/chat/completions")

    return behave


def failing(times: int, status: int, then: Behaviour = obedient, **headers: str) -> Behaviour:
    """Return a behaviour that fails some times, and then does as another."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.number <= times:
            exchange.send(b'{"error": {"message": "not now"}}', status, **headers)
        else:
            then(exchange)

    return behave


def dying(after: int, before: Behaviour = obedient, then: Behaviour = hang_up) -> Behaviour:
    """Return a behaviour that does as one, and after so many completions as another for ever."""

    def behave(exchange: Exchange) -> None:
        (before if exchange.asked.number <= after else then)(exchange)

    return behave


def slowly(seconds: float, then: Behaviour = obedient) -> Behaviour:
    """Return a behaviour that takes its time."""

    def behave(exchange: Exchange) -> None:
        time.sleep(seconds)
        then(exchange)

    return behave


MISBEHAVIOURS: Mapping[str, Behaviour] = {
    "garbage": garbage,
    "html": html,
    "10 MB": ten_megabytes,
    "10 MB error": ten_megabytes_error,
    "endless stream": endless,
    "dribble": dribble,
    "dribbled head": dribbled_head,
    "silence": silence,
    "hangs up": hang_up,
    "half a reply": half,
    "empty body": empty,
    "misshapen": misshapen,
    "no content": speechless,
    "nested": nested,
    "errors": failing(10**9, 500),
    "dies mid-walk": dying(1),
}
