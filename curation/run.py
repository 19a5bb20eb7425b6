"""One run of `forest curate`: from files to at most one commit.

Owns the order of things (register first, then law by law, one commit last) and what happens to files that a curator
edited. It prints nothing; progress is reported to a callback.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from curation.edges import Known
from curation.inputs import Input, Read, list_inputs, load_text, read_names, settle_ids
from curation.ledger import FOLDER, Ledger, Names, dump_ledger, ledger_path, parse_ledger
from curation.nodes import File, render_law
from curation.readers import leyes_md
from curation.scaffold import scaffold
from forest.commit import Batch, create_repository
from forest.errors import NotAForest
from forest.history import ObjectReader
from forest.legal import NameRegister

READER = f"{leyes_md.NAME}/{leyes_md.VERSION}"
_LARGEST_LEDGER_BYTES = 64 * 1024 * 1024
# Below this many laws starting processes costs more than it saves.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one input ended.

    Attributes:
        name: its file name.
        status: created, updated, unchanged, skipped or failed.
        instrument: id of the law, empty when there is none.
        reason: why it was skipped or failed.
        nodes: how many nodes the law has.
        edges_missed: citations that made no edge.
        complaints: how many things the reader could not place.
        kept: paths that a curator edited and that were left alone.
    """

    name: str
    status: str
    instrument: str = ""
    reason: str = ""
    nodes: int = 0
    edges_missed: int = 0
    complaints: int = 0
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did: one outcome for each input, and the commit, empty when nothing changed."""

    outcomes: tuple[Outcome, ...]
    commit: str

    @property
    def counts(self) -> dict[str, int]:
        """How many inputs ended in each status."""
        return dict(sorted(Counter(outcome.status for outcome in self.outcomes).items()))


@dataclass(frozen=True, slots=True)
class _Job:
    """One law to render."""

    source: Input
    instrument: str


@dataclass(frozen=True, slots=True)
class _Made:
    """What rendering a law gave."""

    files: tuple[File, ...]
    ledger: Ledger | None
    problem: str = ""


T = TypeVar("T")
R = TypeVar("R")
Progress = Callable[[str, int, int], None]


def curate(
    paths: Sequence[Path], forest: Path, *, overwrite: bool = False, jobs: int = 2, progress: Progress
) -> Report:
    """Curate files into a forest and commit the result.

    Args:
        paths: files, or folders that are searched for files.
        forest: the forest's folder; made when it does not exist or is empty.
        overwrite: whether nodes that a curator edited are generated again.
        jobs: how many processes read and render.
        progress: called with what is being done, how many are done and how many there are.

    Raises:
        NotAForest: the folder holds other things.
        RepositoryUnusable: there are uncommitted changes in the paths concerned, or git refuses.
    """
    inputs = list_inputs(paths)
    outcomes = [Outcome(i.name, "failed" if i.failed else "skipped", reason=i.problem) for i in inputs if i.problem]
    usable = [i for i in inputs if not i.problem]
    if not (forest / "forest.yaml").exists():
        if forest.exists() and any(p.name != ".git" for p in forest.iterdir()):
            raise NotAForest(f"{forest} is not empty and has no forest.yaml.", "Name an empty folder or a forest.")
        if not usable:
            return Report(tuple(outcomes), "")
        if not (forest / ".git").exists():
            create_repository(forest)
    with Batch(forest) as batch, ObjectReader(forest) as objects:
        curated = _ledgers(batch, objects)
        reads, unreadable = _read_all(usable, curated, jobs, progress)
        outcomes += unreadable
        chosen, passed_over = _choose(reads, settle_ids(reads, curated), curated)
        outcomes += passed_over
        names = {i: ledger.names for i, ledger in curated.items()} | {n.id: n for n in chosen.values()}
        register = _digest(names)
        todo = [
            _Job(read.source, n.id)
            for read, n in chosen.items()
            if overwrite or _stale(curated.get(n.id), read.source, register)
        ]
        waiting = {job.instrument for job in todo}
        outcomes += [_unchanged(r, curated[n.id]) for r, n in chosen.items() if n.id not in waiting]
        for done, (job, made) in enumerate(_render_all(todo, names, register, jobs), start=1):
            outcomes.append(_write(batch, objects, job, made, curated.get(job.instrument), overwrite=overwrite))
            progress("render", done, len(todo))
        if any(o.status in ("created", "updated") for o in outcomes):
            for file in scaffold():
                if file.path not in batch.committed:
                    batch.put(file.path, file.text.encode())
        commit = batch.commit(_message(outcomes)) or ""
    return Report(tuple(sorted(outcomes, key=lambda o: (o.name, o.instrument, o.reason))), commit)


def _ledgers(batch: Batch, objects: ObjectReader) -> dict[str, Ledger]:
    found: dict[str, Ledger] = {}
    for path, blob in batch.committed.items():
        if path.startswith(f"{FOLDER}/") and path.endswith(".json"):
            ledger = parse_ledger(objects.read(blob, _LARGEST_LEDGER_BYTES) or b"")
            if ledger is not None and ledger.path == path:
                found[ledger.names.id] = ledger
    return found


def _read_all(
    usable: Sequence[Input], curated: Mapping[str, Ledger], jobs: int, progress: Progress
) -> tuple[list[Read], list[Outcome]]:
    """The names of each input; those of a source that the forest was made from come from its ledger."""
    known = {(ledger.file, ledger.sha256): ledger for ledger in curated.values() if ledger.reader == READER}
    reads: list[Read] = []
    unreadable: list[Outcome] = []
    fresh: list[Input] = []
    for item in usable:
        ledger = known.get((item.name, item.sha256))
        if ledger is None:
            fresh.append(item)
        else:
            reads.append(Read(item, ledger.names, ""))
    for done, (item, result) in enumerate(zip(fresh, _map(_try_names, fresh, jobs), strict=True), start=1):
        if isinstance(result, str):
            unreadable.append(Outcome(item.name, "failed", reason=result))
        else:
            reads.append(result)
        progress("read", done, len(fresh))
    return reads, unreadable


def _try_names(item: Input) -> Read | str:
    try:
        return read_names(item)
    except (ValueError, OSError) as error:
        return f"cannot be read as a law: {error}"


def _choose(
    reads: Iterable[Read], ids: Mapping[Read, str], curated: Mapping[str, Ledger]
) -> tuple[dict[Read, Names], list[Outcome]]:
    """The newest text of each law, unless the forest has a newer one; the others with the reason."""
    newest: dict[str, Read] = {}
    outcomes: list[Outcome] = []
    for read in sorted(reads, key=lambda r: (r.names.text_as_of, r.source.sha256, r.source.name), reverse=True):
        instrument = ids[read]
        if instrument in newest:
            better = newest[instrument]
            older = read.names.text_as_of < better.names.text_as_of
            reason = "older text of" if older else "duplicate of"
            outcomes.append(Outcome(read.source.name, "skipped", instrument, f"{reason} {better.source.name}"))
            continue
        newest[instrument] = read
        there = curated.get(instrument)
        if there is not None and read.names.text_as_of < there.names.text_as_of:
            reason = f"its text is of {read.names.text_as_of}, the forest has that of {there.names.text_as_of}"
            outcomes.append(Outcome(read.source.name, "skipped", instrument, reason))
    held = {outcome.instrument for outcome in outcomes if "the forest has" in outcome.reason}
    chosen = {read: replace(read.names, id=i) for i, read in sorted(newest.items()) if i not in held}
    return chosen, outcomes


def _digest(names: Mapping[str, Names]) -> str:
    lines = (f"{i}|{n.published}|{'|'.join(n.names)}|{' '.join(n.articles)}" for i, n in sorted(names.items()))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _stale(ledger: Ledger | None, source: Input, register: str) -> bool:
    return ledger is None or (ledger.reader, ledger.sha256, ledger.file, ledger.register) != (
        READER,
        source.sha256,
        source.name,
        register,
    )


def _unchanged(read: Read, ledger: Ledger) -> Outcome:
    return Outcome(
        read.source.name,
        "unchanged",
        ledger.names.id,
        nodes=len(ledger.files),
        edges_missed=len(ledger.missed),
        complaints=len(ledger.complaints),
    )


_KNOWN: Known | None = None


def _prepare(names: Mapping[str, Names]) -> None:
    """Build the register once in each process."""
    global _KNOWN
    register = NameRegister()
    for instrument, known in sorted(names.items()):
        register.add(instrument, known.names, known.articles)
    _KNOWN = Known(register, {i: known.published for i, known in names.items()})


def _render_all(
    todo: Sequence[_Job], names: Mapping[str, Names], register: str, jobs: int
) -> Iterator[tuple[_Job, _Made]]:
    tasks = [(job, names[job.instrument], register) for job in todo]
    yield from zip(todo, _map(_render, tasks, jobs, prepare=names), strict=True)


def _render(task: tuple[_Job, Names, str]) -> _Made:
    job, names, register = task
    known = _KNOWN
    if known is None:
        raise RuntimeError("the register was not prepared")
    try:
        law = leyes_md.read(job.source.name, load_text(job.source))
    except (ValueError, OSError) as error:
        return _Made((), None, f"cannot be read as a law: {error}")
    source = {"file": job.source.name, "sha256": job.source.sha256, "reader": READER}
    rendered = render_law(law, instrument=job.instrument, source=source, known=known)
    hashes = {file.path: hashlib.sha256(file.text.encode()).hexdigest() for file in rendered.files}
    ledger = Ledger(
        READER, job.source.name, job.source.sha256, register, names, hashes, rendered.missed, law.complaints
    )
    return _Made(rendered.files, ledger)


def _map(
    work: Callable[[T], R], items: Sequence[T], jobs: int, prepare: Mapping[str, Names] | None = None
) -> Iterator[R]:
    """The results in the order of the items, from processes when there are enough items."""
    if jobs < 2 or len(items) < _FEW:
        if prepare is not None:
            _prepare(prepare)
        yield from map(work, items)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare, initargs=(prepare or {},)) as pool:
        yield from pool.map(work, items)


def _write(
    batch: Batch, objects: ObjectReader, job: _Job, made: _Made, before: Ledger | None, *, overwrite: bool
) -> Outcome:
    """Plan a law's files; those that a curator edited since stay as they are."""
    if made.ledger is None:
        return Outcome(job.source.name, "failed", job.instrument, made.problem)
    recorded = before.files if before else {}
    kept: list[str] = []
    changed = False

    def edited(path: str) -> bool:
        blob = batch.committed.get(path)
        if blob is None:
            return path in recorded
        return hashlib.sha256(objects.read(blob) or b"").hexdigest() != recorded.get(path, "")

    for file in made.files:
        data = file.text.encode()
        same = batch.committed.get(file.path) == batch.blob_id(data)
        if not same and not overwrite and edited(file.path):
            kept.append(file.path)
            continue
        changed |= batch.put(file.path, data)
    for path in sorted(recorded.keys() - made.ledger.files.keys()):
        if path in batch.committed and (overwrite or not edited(path)):
            batch.delete(path)
            changed = True
        elif path in batch.committed:
            kept.append(path)
    batch.put(ledger_path(job.instrument), dump_ledger(made.ledger))
    status = "created" if before is None else "updated" if changed else "unchanged"
    return Outcome(
        job.source.name,
        status,
        job.instrument,
        nodes=len(made.files),
        edges_missed=len(made.ledger.missed),
        complaints=len(made.ledger.complaints),
        kept=tuple(sorted(kept)),
    )


def _message(outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.status for outcome in outcomes)
    laws = [o.instrument for o in outcomes if o.status in ("created", "updated")]
    nodes = sum(o.nodes for o in outcomes if o.status in ("created", "updated"))
    head = f"Curate {len(laws)} laws: {counts['created']} created, {counts['updated']} updated, {nodes} nodes"
    return f"{head}\n\n{' '.join(sorted(laws))}\n"
