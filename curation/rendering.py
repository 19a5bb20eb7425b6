"""Laws rendered one by one, in processes when there are many.

Owns the processes, what each needs to know before it begins, and the ledger of each rendered law.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from curation.edges import Known
from curation.frame import File
from curation.inputs import Input, load_text
from curation.ledger import Ledger, Names
from curation.nodes import render_law
from curation.readers import leyes_md
from forest.ids import problem_of_name
from forest.legal import NameRegister
from forest.limits import MAX_NODE_BYTES, MAX_YAML_BYTES
from forest.passport import split_front_matter
from forest.processes import ordered_map

READER = f"{leyes_md.NAME}/{leyes_md.VERSION}"
# Below this many laws starting processes costs more than it saves.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Job:
    """One law to render."""

    source: Input
    instrument: str


@dataclass(frozen=True, slots=True)
class Made:
    """What rendering a law gave."""

    files: tuple[File, ...]
    ledger: Ledger | None
    problem: str = ""


T = TypeVar("T")
R = TypeVar("R")

_KNOWN: Known | None = None
_PREPARED = b""


def _prepare(names: Mapping[str, Names]) -> None:
    """Build the register once in each process."""
    global _KNOWN
    register = NameRegister()
    for instrument, known in sorted(names.items()):
        register.add(instrument, known.names, known.articles)
    _KNOWN = Known(register, {i: known.published for i, known in names.items()})


def _prepared(task: tuple[Callable[[T], R], T, bytes]) -> R:
    """Do a piece of work where its names are known; they come with each piece, a worker may be a new one."""
    global _PREPARED
    work, item, names = task
    if names != _PREPARED:
        _prepare(pickle.loads(names))  # noqa: S301 - the bytes are this program's own
        _PREPARED = names
    return work(item)


def render_all(
    todo: Sequence[Job], names: Mapping[str, Names], register: str, jobs: int
) -> Generator[tuple[Job, Made]]:
    """The laws rendered, in the order of the jobs; all names are known to each."""
    tasks = [(job, names[job.instrument], register) for job in todo]
    yield from zip(todo, spread(_render, tasks, jobs, prepare=names), strict=True)


def _render(task: tuple[Job, Names, str]) -> Made:
    job, names, register = task
    known = _KNOWN
    if known is None:
        raise RuntimeError("the register was not prepared")
    try:
        law = leyes_md.read(job.source.name, load_text(job.source))
    except (ValueError, OSError) as error:
        return Made((), None, f"cannot be read as a law: {error}")
    source = {"file": job.source.name, "sha256": job.source.sha256, "reader": READER}
    rendered = render_law(law, instrument=job.instrument, source=source, known=known)
    if problem := next(filter(None, map(_problem, rendered.files)), ""):
        return Made((), None, problem)
    hashes = {file.path: hashlib.sha256(file.text.encode()).hexdigest() for file in rendered.files}
    ledger = Ledger(
        READER, job.source.name, job.source.sha256, register, names, hashes, rendered.missed, law.complaints
    )
    return Made(rendered.files, ledger)


def _problem(file: File) -> str:
    """Why a forest cannot hold a file, "" when it can."""
    for part in file.path.split("/"):
        if problem := problem_of_name(part):
            return f"its file {file.path} {problem}"
    size = len(file.text.encode())
    if size > MAX_NODE_BYTES:
        return f"{file.path} would have {size:,} bytes, the limit of a node is {MAX_NODE_BYTES:,}"
    front = split_front_matter(file.text)
    passport = len(front[0].encode()) if front else 0
    if passport > MAX_YAML_BYTES:
        return f"the passport of {file.path} would have {passport:,} bytes, the limit is {MAX_YAML_BYTES:,}"
    return ""


def spread(
    work: Callable[[T], R], items: Sequence[T], jobs: int, prepare: Mapping[str, Names] | None = None
) -> Iterator[R]:
    """The results in the order of the items, from processes when there are enough items."""
    if jobs < 2 or len(items) < _FEW:
        if prepare is not None:
            _prepare(prepare)
        yield from map(work, items)
        return
    packed = pickle.dumps(dict(prepare or {}))
    yield from ordered_map(_prepared, ((work, item, packed) for item in items), jobs)
