"""The command `forest tools`: one call from the command line, or many from standard input, JSON in and JSON out.

Owns how a session is kept between calls; the tools are `forest.tools`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import click

from forest.commands import (
    HELP,
    as_of_option,
    forest_option,
    in_force_option,
    open_forest,
    read_days,
    today_option,
)
from forest.errors import WrongUsage

if TYPE_CHECKING:
    from forest.state import State
    from forest.tools import Reply, Session

_LARGEST_BYTES = 4 * 1024 * 1024
_EXIT = {"ok": 0, "partial": 0, "ambiguous": 0, "empty": 1, "refused": 1, "not_found": 1, "error": 1, "invalid": 2}
_CALLS, _SCHEMAS = "calls", "schemas"


@click.command(context_settings=HELP)
@click.argument("name", required=False)
@click.argument("arguments", required=False)
@forest_option
@as_of_option
@in_force_option
@today_option
@click.option(
    "--session",
    "place",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep what was discovered and read in FILE, for the next call.",
)
def tools(
    name: str | None,
    arguments: str | None,
    folder: Path | None,
    as_of: str | None,
    in_force_on: str | None,
    today: str | None,
    place: Path | None,
) -> None:
    """Call a retrieval tool: JSON in, JSON out.

    ARGUMENTS are a JSON object, or - for standard input. Without NAME the tools are listed. `forest tools schemas`
    prints their definitions for a model; `forest tools calls` reads one call a line from standard input,
    {"tool": NAME, "arguments": {…}}, and prints one reply a line: all in one session.

    The exit status is 0 for ok, partial and ambiguous, 2 for invalid, else 1.

    \b
    Example:
      forest tools search_documents '{"query": "vacaciones", "top_k": 3}' --session s.json
      forest tools search_evidence '{"query": "vacaciones", "document_ids": ["lft"]}' --session s.json
      forest tools read_chunks '{"chunk_ids": ["lft/art-76@2022-12-27#1"]}' --session s.json
    """  # noqa: D301
    from forest.tools.schema import TOOLS, call, definitions

    if name is None:
        click.echo("\n".join(f"{tool:<22} {definition.purpose}" for tool, definition in TOOLS.items()))
        return
    if name == _SCHEMAS:
        _print(definitions(), indent=1)
        return
    before, on, now = read_days(as_of, in_force_on, today)
    with open_forest(folder, before) as state:
        current = _session(state, before, on, now, place)
        if name == _CALLS:
            for line in _lines():
                asked = _parsed(line)
                tool = asked.get("tool") if isinstance(asked, dict) else ""
                reply = call(current, str(tool or ""), asked.get("arguments", {}) if isinstance(asked, dict) else asked)
                _print(reply.as_json())
                _keep(current, place)
            return
        reply = call(current, name, _parsed(_whole(arguments)))
        _keep(current, place)
    _print(reply.as_json(), indent=1)
    _tell(reply)
    sys.exit(_EXIT[reply.status])


def _tell(reply: Reply[Any]) -> None:
    """Say on standard error, in a sentence, what is not plainly there."""
    from forest.text import one_line, printable

    if reply.status == "ok":
        return
    click.echo(f"{reply.status}: {printable(one_line(reply.message))}", err=True)
    if reply.hint:
        click.echo(f"  {printable(one_line(reply.hint))}", err=True)


def _print(value: object, indent: int | None = None) -> None:
    from forest.text import escaped

    click.echo(escaped(json.dumps(value, ensure_ascii=False, indent=indent, default=str)))
    sys.stdout.flush()


def _whole(arguments: str | None) -> str:
    if arguments is None:
        return "{}"
    if arguments == "-":
        return _text_of(sys.stdin.buffer.read(_LARGEST_BYTES + 1))
    return _text_of(arguments.encode("utf-8", "replace"))


def _lines() -> Iterator[str]:
    while line := sys.stdin.buffer.readline(_LARGEST_BYTES + 1):
        text = _text_of(line).strip()
        while len(line) > _LARGEST_BYTES and not line.endswith(b"\n"):  # the rest of a line that is too long
            line = sys.stdin.buffer.readline(_LARGEST_BYTES + 1)
        if text:
            yield text


def _text_of(data: bytes) -> str:
    """Return bytes as text; what is too large is cut short, and with it no JSON."""
    if len(data) > _LARGEST_BYTES:
        return f"over {_LARGEST_BYTES:,} bytes"
    return data.decode("utf-8", "replace")


def _parsed(text: str) -> Any:
    """Return JSON as data; what is no JSON is returned as the text that it is, which no tool takes."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _session(state: State, as_of: date | None, on: date | None, today: date, place: Path | None) -> Session:
    """Return a new session, or the one that was kept in a file."""
    from forest.tools import Session
    from forest.validity import read_day

    current = Session(state, today, as_of, on)
    if place is None or not place.exists():
        return current
    if place.stat().st_size > _LARGEST_BYTES:
        raise WrongUsage(f"{place} is over {_LARGEST_BYTES:,} bytes.", "Name another file to begin a new session.")
    kept = _parsed(place.read_text(encoding="utf-8", errors="replace"))
    try:
        tree, days = kept["tree"], (kept["as_of"], kept["in_force_on"])
        lists = [[str(one) for one in kept[key]] for key in ("documents", "chunks", "read")]
        known, held = (read_day(day, "the session's day") if day else None for day in days)
    except (KeyError, TypeError, WrongUsage):
        raise WrongUsage(f"{place} holds no session.", "Name another file to begin a new one.") from None
    if tree != state.snapshot.tree:
        raise WrongUsage(
            f"The forest has changed since the session in {place} began.", "Name another file to begin a new one."
        )
    if as_of is not None and known is not None and as_of > known:
        raise WrongUsage(f"--as-of {as_of} is after the session's, {known}.", "Name another file for a new session.")
    if as_of is None or as_of == known:  # another day forgets what was found
        current.as_of = known
        current.discover(lists[0], lists[1])
        current.take_ids(lists[2])
    current.in_force_on = on or held
    return current


def _keep(current: Session, place: Path | None) -> None:
    """Write a session to its file, whole or not at all."""
    if place is None:
        return
    kept = {
        "tree": current.state.snapshot.tree,
        "as_of": current.as_of.isoformat() if current.as_of else None,
        "in_force_on": current.in_force_on.isoformat() if current.in_force_on else None,
        "documents": current.documents,
        "chunks": current.chunks,
        "read": current.read,
    }
    # A name of its own: another process may be writing the same session.
    with NamedTemporaryFile("w", dir=place.parent, prefix=place.name, delete=False, encoding="utf-8") as part:
        part.write(json.dumps(kept, indent=1))
    Path(part.name).replace(place)
