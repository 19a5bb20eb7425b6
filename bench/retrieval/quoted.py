"""Public questions over the gazette: records that quote their evidence, and the publications that are known by quotes.

The format is that of the DOF-RAG evaluation v4: questions as JSON Lines with `gold_documents`, each with `evidence`
quotes by chunk; and one JSON object of quotes by publication and chunk. A publication is told by its path alone:
`2025/12/09122025/MAT/006_DOF_20251209_MAT_5775533.md` has day, section and code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench.fields import Fields, read_object
from bench.holding import words_of
from bench.question import QuestionsWrong
from forest.days import parse_day
from forest.text import one_line, printable

_PATH = re.compile(
    r"(?:\d{1,8}/){1,4}(?:[A-Z]{3}/)\d{1,6}_DOF_(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})_(?P<section>[A-Z]{3})_"
    r"(?P<code>\d{1,12})\.md"
)
_LARGEST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication as far as quotes tell it.

    Attributes:
        code: the gazette's.
        published: the day on which it was printed.
        section: of the gazette: `MAT`, `VES` or `EXT`.
        quotes: its quoted words by chunk, in the order of the text; one that another of its chunk holds is left out.
    """

    code: str
    published: date
    section: str
    quotes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that are evidence, and the code of the publication that they are from."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A public question: words, category, the day up to which it may know, how many hops it has, and its evidence."""

    id: str
    text: str
    category: str
    as_of: date | None
    hops: int
    evidence: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    path: str
    evidence: tuple[tuple[int, str], ...]


def load_public(questions: Path, spans: Path) -> tuple[tuple[Record, ...], tuple[Publication, ...]]:
    """Read public questions and quotes.

    Args:
        questions: JSON Lines.
        spans: JSON: path of a publication -> number of a chunk -> quotes. It may hold more than is asked for.

    Returns:
        The questions in the order of the file, and all publications by code.

    Raises:
        QuestionsWrong: with every problem of both files.
    """
    problems: list[str] = []
    quotes = _spans(spans, problems)
    records: list[Record] = []
    lines = _text(questions, problems).split("\n")
    for number, line in enumerate(lines, start=1):
        wrong: list[str] = []
        fields = read_object(line, wrong) if line.strip() else None
        if fields is not None:
            records.append(_record(fields, quotes))
        problems += [f"{questions}:{number}: {problem}" for problem in wrong]
    twice = sorted({r.id for r in records if sum(r.id == other.id for other in records) > 1})
    problems += [f"{questions}: {question} is there twice" for question in twice]
    publications = {path: _publication(path, chunks, problems) for path, chunks in sorted(quotes.items())}
    known = [publication for publication in publications.values() if publication is not None]
    if len({p.code for p in known}) < len(known):
        problems.append(f"{spans}: two publications have one code")
    if problems:
        raise QuestionsWrong("\n".join(problems), "bench/retrieval/quoted.py has the format.")
    return tuple(records), tuple(sorted(known, key=lambda p: p.code))


def _text(path: Path, problems: list[str]) -> str:
    try:
        if path.stat().st_size <= _LARGEST_BYTES:
            return path.read_text(encoding="utf-8")
        problems.append(f"{path} is larger than {_LARGEST_BYTES:,} bytes")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{path} cannot be read: {error}")
    return ""


def _spans(path: Path, problems: list[str]) -> dict[str, dict[int, list[str]]]:
    wrong: list[str] = []
    fields = read_object(_text(path, problems), wrong)
    problems += [f"{path}: {problem}" for problem in wrong]
    found: dict[str, dict[int, list[str]]] = {}
    for publication, chunks in fields.values.items() if fields is not None else ():
        if not isinstance(chunks, dict) or not all(chunk.isdecimal() and len(chunk) < 9 for chunk in chunks):
            problems.append(f"{path}: {publication} must have quotes by number of chunk")
            continue
        inside = Fields(chunks, problems, f"{path}: {publication} ")
        found[publication] = {int(chunk): list(inside.texts(chunk)) for chunk in chunks}
    return found


def _record(f: Fields, quotes: dict[str, dict[int, list[str]]]) -> Record:
    """Read a record; its quotes are added to those of its publications, where they are missing."""
    for key in ("id", "question", "category", "gold_documents"):
        if key not in f.values:
            f.complain(key, "is missing")
    sources = f.many("gold_documents", _source)
    for source in sources:
        for chunk, quote in source.evidence:
            quotes.setdefault(source.path, {}).setdefault(chunk, []).append(quote)
    evidence = tuple(Quote(_code(s.path), quote) for s in sources for _, quote in s.evidence)
    hops = max(1, f.number("required_hops"))
    return Record(f.text("id"), f.text("question"), f.text("category"), f.day("as_of"), hops, evidence)


def _source(f: Fields) -> _Source:
    path, published, section = f.text("relpath"), f.day("publication_date"), f.text("section")
    told = _PATH.fullmatch(path)
    if told is not None and published is not None and published != _day(told):
        f.complain("publication_date", f"is not that of {path}")
    if told is not None and section and section != told["section"]:
        f.complain("section", f"is not that of {path}")
    evidence = f.many("evidence", lambda e: (e.number("chunk_index"), e.text("quote")))
    if not evidence:
        f.complain("evidence", "is missing")
    return _Source(path, tuple((chunk, quote) for chunk, quote in evidence if quote))


def _publication(path: str, chunks: Mapping[int, Sequence[str]], problems: list[str]) -> Publication | None:
    told = _PATH.fullmatch(path)
    day = _day(told) if told is not None else None
    if told is None or day is None:
        problems.append(f"{path!r} does not tell day, section and code of a publication")
        return None
    quotes = tuple(_largest(chunks[chunk]) for chunk in sorted(chunks))
    return Publication(told["code"], day, told["section"], tuple(q for q in quotes if q))


def _largest(quotes: Iterable[str]) -> tuple[str, ...]:
    """Return the quotes of a chunk that no other of them holds, on one line each, as they come."""
    told = {words_of(quote): one_line(printable(quote)) for quote in quotes}
    return tuple(text for words, text in told.items() if words.strip() and sum(words in other for other in told) == 1)


def _day(told: re.Match[str]) -> date | None:
    return parse_day(f"{told['year']}-{told['month']}-{told['day']}")


def _code(path: str) -> str:
    told = _PATH.fullmatch(path)
    return told["code"] if told is not None else ""
