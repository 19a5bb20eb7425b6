"""One run of `forest curate`: from files to at most one commit.

Owns the order of things (register first, then law by law, one commit last) and what happens to files that a curator
edited. It prints nothing; progress is reported to a callback.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from curation.inputs import Input, Read, list_inputs, read_names, settle_ids
from curation.ledger import FOLDER, Ledger, Names, dump_ledger, ledger_path, parse_ledger
from curation.rendering import READER, Job, Made, render_all, spread
from curation.report import Outcome, Report, message
from curation.scaffold import scaffold
from forest.commit import Batch, create_repository
from forest.config import CONFIG_NAME
from forest.errors import NotAForest
from forest.history import ObjectReader, git_command, git_environment
from forest.store import read_folder_config
from forest.text import fold

_LARGEST_LEDGER_BYTES = 64 * 1024 * 1024

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
        NotAForest: the folder holds other things, or its `forest.yaml` cannot be used.
        RepositoryUnusable: there are uncommitted changes in the paths concerned, or git refuses.
    """
    inputs = list_inputs(paths)
    outcomes = [Outcome(i.name, "skipped", reason=i.problem) for i in inputs if i.problem]
    usable = [i for i in inputs if not i.problem]
    progress("files", 0, len(usable))
    if os.path.lexists(forest / CONFIG_NAME):
        _require_config(forest)
    else:
        if forest.exists() and any(p.name != ".git" for p in forest.iterdir()):
            raise NotAForest(f"{forest} is not empty and has no {CONFIG_NAME}.", "Name an empty folder or a forest.")
        if not usable:
            return Report(tuple(outcomes), "", sum(i.failed for i in inputs))
        if not (forest / ".git").exists():
            create_repository(forest)
    with Batch(forest) as batch, ObjectReader(forest) as objects:
        curated = _ledgers(batch, objects)
        reads, unreadable = _read_all(usable, curated, jobs, progress)
        outcomes += unreadable
        failures = sum(i.failed for i in inputs) + len(unreadable)
        chosen, passed_over = _choose(reads, settle_ids(reads, curated), curated)
        outcomes += passed_over
        names = {i: ledger.names for i, ledger in curated.items()} | {n.id: n for n in chosen.values()}
        register = _digest(names)
        todo = [
            Job(read.source, n.id)
            for read, n in chosen.items()
            if overwrite or _stale(curated.get(n.id), read.source, register)
        ]
        waiting = {job.instrument for job in todo}
        outcomes += [_unchanged(r, curated[n.id]) for r, n in chosen.items() if n.id not in waiting]
        # Closed here, or an exception would keep the processes as long as its traceback.
        with closing(render_all(todo, names, register, jobs)) as rendered:
            for done, (job, made) in enumerate(rendered, start=1):
                outcomes.append(_write(batch, objects, job, made, curated.get(job.instrument), overwrite=overwrite))
                failures += made.ledger is None
                progress("render", done, len(todo))
        if any(o.status in ("created", "updated") for o in outcomes):
            for file in scaffold():
                if file.path not in batch.committed:
                    batch.put(file.path, file.text.encode())
        commit = batch.commit(message(outcomes)) or ""
    ended = tuple(sorted(outcomes, key=lambda o: (o.name, o.instrument, o.reason)))
    behind = _behind(curated, {n.id: n for n in chosen.values()})
    return Report(ended, commit, failures, behind, detached=bool(commit) and _is_detached(forest))


def _require_config(forest: Path) -> None:
    """Refuse a forest whose settings nothing could read afterwards."""
    path = forest / CONFIG_NAME
    if not stat.S_ISREG(path.lstat().st_mode):
        raise NotAForest(f"{path} is no plain file.", "Move it away, or name another folder.")
    read_folder_config(forest)


def _is_detached(forest: Path) -> bool:
    command = git_command(forest, "symbolic-ref", "--quiet", "HEAD")
    return subprocess.run(command, env=git_environment(), capture_output=True, check=False).returncode == 1


def _behind(curated: Mapping[str, Ledger], given: Mapping[str, Names]) -> tuple[str, ...]:
    """The laws of the forest that were not given and whose unresolved citations name a law that came with this run."""
    came = {fold(name) for i, names in given.items() if i not in curated for name in names.names}
    waiting = (
        instrument
        for instrument, ledger in curated.items()
        if instrument not in given
        and any(item.reason == "unknown_instrument" and fold(item.wanted) in came for item in ledger.missed)
    )
    return tuple(sorted(waiting))


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
    for done, (item, result) in enumerate(zip(fresh, spread(_try_names, fresh, jobs), strict=True), start=1):
        if isinstance(result, str):
            unreadable.append(Outcome(item.name, "skipped", reason=result))
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
            outcomes.append(Outcome(read.source.name, "skipped", instrument, _passed_over(read, better)))
            continue
        newest[instrument] = read
        there = curated.get(instrument)
        if there is not None and read.names.text_as_of < there.names.text_as_of:
            reason = f"its text is of {read.names.text_as_of}, the forest has that of {there.names.text_as_of}"
            outcomes.append(Outcome(read.source.name, "skipped", instrument, reason))
    held = {outcome.instrument for outcome in outcomes if "the forest has" in outcome.reason}
    chosen = {read: replace(read.names, id=i) for i, read in sorted(newest.items()) if i not in held}
    return chosen, outcomes


def _passed_over(read: Read, better: Read) -> str:
    """Why another text of the same law was taken; only equal bytes are a duplicate."""
    if read.source.sha256 == better.source.sha256:
        return f"duplicate of {better.source.path}"
    if read.names.text_as_of < better.names.text_as_of:
        return f"{read.source.path} is an older text of {better.source.path}"
    return f"{read.source.path} is another text of the same law and day as {better.source.path}; keep one of them"


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


def _write(
    batch: Batch, objects: ObjectReader, job: Job, made: Made, before: Ledger | None, *, overwrite: bool
) -> Outcome:
    """Plan a law's files; those that a curator edited since stay as they are."""
    if made.ledger is None:
        return Outcome(job.source.name, "skipped", job.instrument, made.problem)
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
