"""The transport under a client: exchanges that end on time, stay small and lead nowhere else.

A server decides how long it takes, how much it sends and where it points to. Here it is held to a deadline for the
whole exchange (a time-out for each read alone lets a dribble go on for ever), to a size, and to no redirects. The door
to httpx2, on which the `openai` package is built.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import httpx2

Response = httpx2.Response
Unsendable = (httpx2.InvalidURL, UnicodeError)  # what an address that is none raises

MAX_REPLY_BYTES = 1024 * 1024
CONNECT_SECONDS = 10.0
_SENT = frozenset(("host", "accept", "connection", "content-type", "content-length", "transfer-encoding"))


class Refused(Exception):
    """What a server sends is not taken; says in a clause what it was."""


class Line:
    """One connection to one server.

    Args:
        key: is sent as a bearer token; "" for none.
        is_local: whether the server is on this machine, where no proxy of the environment has a part.

    Attributes:
        client: to be given to the `openai` package.
    """

    def __init__(self, key: str, *, is_local: bool) -> None:
        self._key = key
        self._late = threading.Event()
        self._seconds = 0.0
        self._stream: Any = None
        self.client = httpx2.Client(
            follow_redirects=False,
            trust_env=not is_local,
            # One connection, so that what is cut off at the deadline is known.
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1),
            event_hooks={"request": [self._prepare], "response": [self._check]},
        )

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Hold the exchange made in this block to a time.

        Raises:
            TimeoutError: it was cut off.
        """
        self._late.clear()
        self._seconds = seconds
        watch = threading.Timer(seconds, self._cut)
        watch.daemon = True
        watch.start()
        try:
            yield
        except Exception:
            if self._late.is_set():
                raise TimeoutError from None
            raise
        finally:
            watch.cancel()
        if self._late.is_set():  # to a body that ends where the connection does, being cut off looks like its end
            raise TimeoutError

    def close(self) -> None:
        """Close the connection."""
        self.client.close()

    def _prepare(self, request: httpx2.Request) -> None:
        # The package tells its version, the system and more; a server needs none of it.
        for name in [*request.headers]:
            if name.lower() not in _SENT:
                del request.headers[name]
        request.headers["accept-encoding"] = "identity"  # a small body could otherwise become a large one
        request.headers["user-agent"] = "forest"
        if self._key:
            request.headers["authorization"] = f"Bearer {self._key}"
        connect = min(CONNECT_SECONDS, self._seconds)
        request.extensions["timeout"] = {
            "connect": connect, "read": self._seconds, "write": self._seconds, "pool": connect
        }  # fmt: skip
        request.extensions["trace"] = self._traced

    def _traced(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = info.get("return_value")

    def _check(self, response: httpx2.Response) -> None:
        if response.is_redirect or 300 <= response.status_code < 400:
            raise Refused(f"a redirect ({response.status_code}), which is not followed")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise Refused("a compressed body, which was not asked for")
        length = response.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and len(length) < 20 and int(length) > MAX_REPLY_BYTES:
            raise Refused(f"a body of {int(length):,} bytes; {MAX_REPLY_BYTES:,} are read at most")
        assert isinstance(response.stream, httpx2.SyncByteStream)  # noqa: S101 - the client is no asynchronous one
        response.stream = _Small(response.stream)

    def _cut(self) -> None:
        self._late.set()
        stream = self._stream
        if stream is None:
            return
        with suppress(OSError, AttributeError):
            # Not `close`, which does not wake a read that waits; not the method of a TLS socket, which is not for
            # other threads.
            socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)


class _Small(httpx2.SyncByteStream):
    """A body that ends early when it is too large."""

    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        left = MAX_REPLY_BYTES
        for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise Refused(f"a body without end; {MAX_REPLY_BYTES:,} bytes are read at most")
            yield chunk

    def close(self) -> None:
        self._stream.close()
