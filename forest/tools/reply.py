"""Replies: what every tool brings back, and how a tool says no.

A reply carries a status from a closed set, the versions of everything that it was computed with, what was scanned, and
whether anything was left out. A tool never raises for what it was asked: it replies with a sentence and what to try.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar

from forest.errors import (
    ForestError,
    NodeNotFound,
    PassageMismatch,
    PassageNotFound,
    RepositoryUnusable,
    StateUnusable,
    WrongUsage,
)
from forest.versions import VERSIONS

if TYPE_CHECKING:
    from forest.tools.session import Session

Status = Literal["ok", "empty", "partial", "ambiguous", "refused", "invalid", "not_found", "error"]
TOOLS_VERSION = "1"
_HALF = re.compile("[\ud800-\udfff]")

T = TypeVar("T", covariant=True)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """What a tool brings back.

    Attributes:
        tool: its name.
        status: `ok`; `empty` (nothing fits); `partial` (something that fits is missing); `ambiguous` (the items are
            alternatives); `refused` (understood, not allowed or not possible here); `invalid` (malformed); `not_found`
            (what is named does not exist); `error` (the repository or what is derived from it cannot be read).
        message: one sentence; "" when there is nothing to say.
        hint: the next thing to try, "" when nothing is.
        items: what was found, best or newest first.
        complete: everything that fits is among the items.
        scanned: how much was looked at, by what it is: documents, passages, matching, weighed.
        versions: of everything that the reply is a function of, the commit and the tree among them.
        notes: sentences about how the request was understood.
    """

    tool: str
    status: Status
    message: str
    hint: str
    items: tuple[T, ...]
    complete: bool
    scanned: Mapping[str, int]
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the items may be used: all of them stand, even where some are missing or are alternatives."""
        return self.status in ("ok", "partial", "ambiguous")

    def as_json(self) -> dict[str, Any]:
        """Return it as data of plain types; days are ISO."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a tool found, before it is a reply; the attributes are those of `Reply`."""

    items: tuple[T, ...]
    status: Status = "ok"
    message: str = ""
    hint: str = ""
    complete: bool = True
    scanned: Mapping[str, int] | None = None
    notes: tuple[str, ...] = ()


class Refusal(ForestError):
    """A tool's no: a status, a sentence, and what to try."""

    def __init__(self, status: Status, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.status = status


Tool = Callable[Concatenate["Session", P], Reply[R]]
_STATUS_OF: tuple[tuple[type[ForestError], Status], ...] = (
    (NodeNotFound, "not_found"),
    (PassageNotFound, "not_found"),
    (WrongUsage, "invalid"),
    (PassageMismatch, "error"),
    (StateUnusable, "error"),
    (RepositoryUnusable, "error"),
)


def tool(work: Callable[Concatenate[Session, P], Outcome[R]]) -> Tool[P, R]:
    """Make a tool of a function: its outcome becomes a reply, and so does whatever it refuses."""
    name = work.__name__

    def replying(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> Reply[R]:
        try:
            _require_whole_characters((args, kwargs))
            outcome = work(session, *args, **kwargs)
        except Refusal as refusal:
            return _no(session, name, refusal.status, refusal)
        except ForestError as error:
            return _no(session, name, _status_of(error), error)
        return Reply(
            name,
            outcome.status,
            outcome.message,
            outcome.hint,
            outcome.items,
            outcome.complete,
            dict(outcome.scanned or {}),
            versions_of(session),
            outcome.notes,
        )

    functools.update_wrapper(replying, work)
    return replying


def _require_whole_characters(given: object) -> None:
    """Refuse texts with half a character (a lone surrogate), which neither catalog nor index can hold.

    Raises:
        Refusal: there is one, however deep.
    """
    left = [given]
    while left:
        one = left.pop()
        if isinstance(one, str) and _HALF.search(one):
            raise Refusal("invalid", "A text of the arguments holds half a character.", "Send whole characters.")
        if isinstance(one, Mapping):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple)):
            left += one


def _status_of(error: ForestError) -> Status:
    for kind, status in _STATUS_OF:
        if isinstance(error, kind):
            return status
    return "error"


def _no(session: Session, name: str, status: Status, error: ForestError) -> Reply[Any]:
    return Reply(name, status, error.message, error.hint, (), complete=False, scanned={}, versions=versions_of(session))


def versions_of(session: Session) -> dict[str, str]:
    """Return the versions of everything that a session's replies are a function of."""
    snapshot = session.state.snapshot
    return {"commit": snapshot.commit, "tree": snapshot.tree, **VERSIONS, "tools": TOOLS_VERSION}
