"""The file of a run: JSON Lines that can be read while it grows.

A header says what was run on what; then come the questions as they were asked, with their gold passages, then one line
for each attempt. So a report needs nothing but the file. The values are `bench.attempt`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from datetime import date
from pathlib import Path
from typing import Any

from bench.attempt import FORMAT_VERSION, Attempt, AttemptsWrong, Header, Posed, Reply, Run, Statement
from bench.question import Answer, Gold, Question, Span
from forest.citation import citation_from
from forest.errors import ForestError
from forest.text import one_line
from navigator.chat import Usage
from navigator.meter import Use


def header_line(header: Header) -> str:
    """Return the first line of a file, without line end."""
    return _line("run", {**asdict(header), "today": header.today.isoformat()})


def posed_line(posed: Posed) -> str:
    """Return the line of a question."""
    # Where the record stood is of the machine that ran, not of the question.
    plain = {k: v for k, v in asdict(posed.question).items() if k != "place" and v not in (None, "", ())}
    return _line("question", {"record": plain, "gold": [sorted(passages) for passages in posed.gold]})


def attempt_line(attempt: Attempt, header: Header) -> str:
    """Return the line of an attempt; it names tree, versions and parameters, so that it can be told from others."""
    return _line(
        "attempt",
        {
            "parameters": header.arms[attempt.arm],
            "tree": header.tree,
            "versions": header.versions,
            "control": header.control,
            **attempt_fields(attempt),
        },
    )


def attempt_fields(attempt: Attempt) -> dict[str, object]:
    """Return an attempt as data for `json.dumps(…, default=str)`."""
    reply = attempt.reply
    return {
        "question": attempt.question,
        "arm": attempt.arm,
        "repetition": attempt.repetition,
        "ending": reply.ending,
        "abstained": reply.abstained,
        "answer": reply.text,
        "values": reply.values,
        "claims": [asdict(statement) for statement in reply.statements],
        "found": reply.found,
        "read": reply.read,
        "steps": reply.steps,
        "hops": reply.hops,
        "tokens": reply.tokens,
        "use": None if reply.use is None else reply.use.as_line(),
        "left_out": reply.left_out,
        "proven": attempt.proven,
        "wall_seconds": round(attempt.wall_seconds, 4),
        "error": attempt.error,
    }


def read_run(path: Path) -> Run:
    """Read a file of attempts; a last line without its end was torn off by a kill and does not count.

    Raises:
        AttemptsWrong: it is no such file, has another format version, or holds attempts of another run.
    """
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = list(_lines(data[:whole], path))
    if not lines or lines[0].get("kind") != "run":
        raise AttemptsWrong(f"{path} does not begin with the header of a run.", "Name another file, or delete it.")
    if lines[0].get("format") != FORMAT_VERSION:
        raise AttemptsWrong(
            f"{path} has format {lines[0].get('format')!r}, this program reads {FORMAT_VERSION}.",
            "Run the bench again.",
        )
    number = 1
    try:
        header = _header(lines[0])
        posed: list[Posed] = []
        asked: set[str] = set()
        attempts: dict[tuple[str, str, int], Attempt] = {}
        for number, line in enumerate(lines[1:], start=2):
            if line["kind"] == "question":
                posed.append(posed_from(line))
                asked.add(posed[-1].question.id)
                continue
            attempt = attempt_from(line)
            if (
                attempt.question not in asked
                or line["tree"] != header.tree
                or line["parameters"] != header.arms.get(attempt.arm)
            ):
                raise AttemptsWrong(
                    f"{path}:{number}: an attempt of another run: its question, tree or parameters are not this one's.",
                    "Keep each run in a file of its own.",
                )
            attempts[attempt.key] = attempt
    except (KeyError, TypeError, ValueError, ForestError) as error:
        if isinstance(error, AttemptsWrong):
            raise
        raise AttemptsWrong(f"{path}:{number}: not a line of attempts: {one_line(str(error))}.") from None
    return Run(header, tuple(posed), tuple(attempts.values()), whole, path)


def posed_from(line: Mapping[str, Any]) -> Posed:
    """Read a question as it was asked from its line."""
    return Posed(_question(line["record"]), tuple(frozenset(ids) for ids in line["gold"]))


def _lines(data: bytes, path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or value.get("kind") not in ("run", "question", "attempt"):
            raise AttemptsWrong(f"{path}:{number}: not a line of attempts.", "Name another file, or delete it.")
        yield value


def _line(kind: str, value: Mapping[str, object]) -> str:
    return json.dumps({"kind": kind, **value}, ensure_ascii=False, default=str)


def _header(line: Mapping[str, Any]) -> Header:
    values = {f.name: line[f.name] for f in fields(Header)}
    return Header(**{**values, "today": date.fromisoformat(line["today"])})


def attempt_from(line: Mapping[str, Any]) -> Attempt:
    """Read an attempt from what `attempt_fields` makes of it; other fields do not matter."""
    statements = tuple(
        Statement(claim["text"], claim["value"], tuple(map(citation_from, claim["citations"])), claim["leads"])
        for claim in line["claims"]
    )
    reply = Reply(
        statements,
        line["ending"],
        tuple(line["found"]),
        tuple(line["read"]),
        line["steps"],
        line["hops"],
        line["tokens"],
        _use(line["use"]),
        line["left_out"],
    )
    named = (line["question"], line["arm"], line["repetition"])
    return Attempt(*named, reply, line["proven"], line["wall_seconds"], line["error"])


def _use(line: Mapping[str, Any] | None) -> Use | None:
    if line is None:
        return None
    usage = Usage(**{f.name: line[f.name] for f in fields(Usage)})
    return Use(line["model"], line["calls"], usage, line["wall_seconds"], line["decided"])


def _question(record: Mapping[str, Any]) -> Question:
    values = dict(record)
    values["answer"] = _answer(record["answer"])
    values["correction"] = _answer(record["correction"]) if record.get("correction") else None
    values["gold"] = tuple(
        Gold(**{**gold, "equivalents": tuple(Span(**span) for span in gold["equivalents"])})
        for gold in record.get("gold", ())
    )
    for name in ("today", "as_of", "in_force_on"):
        values[name] = date.fromisoformat(record[name]) if record.get(name) else None
    return Question(**values)


def _answer(record: Mapping[str, Any]) -> Answer:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}
    values["items"] = tuple(_answer(item) for item in values.get("items", ()))
    return Answer(**values)
