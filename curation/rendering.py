"""Laws and publications rendered one by one, in processes when there are many.

Owns the processes, what each needs to know before it begins, and the ledger of each rendered text.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from curation.edges import Known, Missed
from curation.frame import File
from curation.gazette import Dropped
from curation.gazette_inputs import frame_of
from curation.gazette_nodes import render_act
from curation.inputs import Input, load_text
from curation.issuers import Issuer
from curation.law import Complaint
from curation.ledger import Ledger, Names, ledger_path, publication_ledger_path
from curation.nodes import render_law
from curation.readers import leyes_md, publicaciones
from forest.ids import problem_of_name
from forest.legal import NameRegister
from forest.limits import MAX_NODE_BYTES, MAX_YAML_BYTES
from forest.passport import split_front_matter
from forest.processes import ordered_map

READER = f"{leyes_md.NAME}/{leyes_md.VERSION}"
GAZETTE_READER = f"{publicaciones.NAME}/{publicaciones.VERSION}"
# Below this many texts starting processes costs more than it saves.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Job:
    """One law or act to render: its file, its names with the settled id, an act's place in its file."""

    source: Input
    names: Names
    at: int = 0

    @property
    def reader(self) -> str:
        """Name and version of the reader."""
        return READER if self.source.kind == "law" else GAZETTE_READER

    @property
    def ledger_path(self) -> str:
        """Where its ledger is in the forest."""
        if self.source.kind == "law":
            return ledger_path(self.names.id)
        return publication_ledger_path(self.names.id, self.names.published)


@dataclass(frozen=True, slots=True)
class Made:
    """What rendering a law or an act gave, and who issued the act."""

    files: tuple[File, ...]
    ledger: Ledger | None
    problem: str = ""
    issuer: Issuer | None = None


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


def render_all(todo: Sequence[tuple[Job, str]], names: Mapping[str, Names], jobs: int) -> Generator[tuple[Job, Made]]:
    """The texts rendered, in the order of the jobs, each with the register that its ledger records.

    All names are known to each.
    """
    yield from zip((job for job, _ in todo), spread(_render, todo, jobs, prepare=names), strict=True)


def _render(task: tuple[Job, str]) -> Made:
    job, register = task
    known = _KNOWN
    if known is None:
        raise RuntimeError("the register was not prepared")
    try:
        return _law(job, register, known) if job.source.kind == "law" else _act(job, register, known)
    except (ValueError, OSError) as error:
        return Made((), None, f"cannot be read as a {job.source.kind}: {error}")


def _law(job: Job, register: str, known: Known) -> Made:
    law = leyes_md.read(job.source.name, load_text(job.source))
    source = {"file": job.source.name, "sha256": job.source.sha256, "reader": READER}
    rendered = render_law(law, instrument=job.names.id, source=source, known=known)
    return _made(rendered.files, _ledger(job, register, rendered.missed, complaints=law.complaints))


def _act(job: Job, register: str, known: Known) -> Made:
    frame = frame_of(job.source, job.at, job.names.id, GAZETTE_READER)
    rendered = render_act(frame, known)
    return _made(rendered.files, _ledger(job, register, rendered.missed, dropped=frame.act.dropped), frame.issuer)


def _ledger(
    job: Job,
    register: str,
    missed: tuple[Missed, ...],
    complaints: tuple[Complaint, ...] = (),
    dropped: tuple[Dropped, ...] = (),
) -> Ledger:
    source = job.source
    return Ledger(
        job.reader, source.name, source.sha256, register, job.names, {}, missed, complaints=complaints, dropped=dropped
    )


def _made(files: tuple[File, ...], ledger: Ledger, issuer: Issuer | None = None) -> Made:
    """The files with their ledger, or why a forest cannot hold one of them."""
    if problem := next(filter(None, map(_problem, files)), ""):
        return Made((), None, problem)
    hashes = {file.path: hashlib.sha256(file.text.encode()).hexdigest() for file in files}
    return Made(files, replace(ledger, files=hashes), issuer=issuer)


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
