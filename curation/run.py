"""One run of `forest curate`: from files to at most one commit.

Owns the order of things: register first, then text by text, one commit last. It prints nothing; progress is reported to
a callback.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from curation.gazette_run import choose_acts, put_institutions, put_norms, read_act_ledger, read_norms
from curation.inputs import Input, Read, list_inputs, read_names, settle_ids
from curation.issuers import Issuer
from curation.ledger import FOLDER, Ledger, Names, ledger_path, parse_ledger
from curation.rendering import READER, Job, render_all, spread
from curation.report import Outcome, Report, message
from curation.scaffold import scaffold
from curation.writing import unchanged, write
from forest.commit import Batch, create_repository
from forest.config import CONFIG_NAME
from forest.errors import NotAForest
from forest.history import ObjectReader, git_command, git_environment
from forest.store import read_folder_config
from forest.text import fold

_LARGEST_LEDGER_BYTES = 64 * 1024 * 1024

Progress = Callable[[str, int, int], None]


def curate(
    paths: Sequence[Path],
    forest: Path,
    *,
    manifest: Path | None = None,
    overwrite: bool = False,
    jobs: int = 2,
    progress: Progress,
) -> Report:
    """Curate files into a forest and commit the result.

    Args:
        paths: files, or folders that are searched for files.
        forest: the forest's folder; made when it does not exist or is empty.
        manifest: what is known of publications besides their text; without it those beside or above the files.
        overwrite: whether nodes that a curator edited are generated again.
        jobs: how many processes read and render.
        progress: called with what is being done, how many are done and how many there are.

    Raises:
        NotAForest: the folder holds other things, or its `forest.yaml` cannot be used.
        RepositoryUnusable: there are uncommitted changes in the paths concerned, or git refuses.
    """
    inputs = list_inputs(paths, manifest)
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
        norms = read_norms(batch, objects)
        living = partial(read_act_ledger, batch, objects)
        reads, unreadable = _read_all([i for i in usable if i.kind == "law"], curated, jobs, progress)
        chosen, passed_over = _choose(reads, settle_ids(reads, curated), curated)
        acts, left = choose_acts([i for i in usable if i.kind == "publication"], living, jobs, progress)
        unreadable += [outcome for outcome in left if not outcome.instrument]
        outcomes += [*unreadable, *passed_over, *(outcome for outcome in left if outcome.instrument)]
        failures = sum(i.failed for i in inputs) + len(unreadable)
        came = norms | {act.names.id: act.names for act in acts if act.names.names}
        names = {i: ledger.names for i, ledger in curated.items()} | {n.id: n for n in chosen.values()} | came
        register = _digest(names)
        todo: list[tuple[Job, str]] = []
        before: dict[str, Ledger | None] = {}
        for job in (*(Job(read.source, own) for read, own in chosen.items()), *acts):
            law = job.source.kind == "law"
            there = curated.get(job.names.id) if law else living(job.names.id, job.names.published)
            recorded = register if law else _with_entry(register, job.source)
            if there is None or overwrite or _stale(there, job, recorded):
                todo.append((job, recorded))
                before[job.names.id] = there
            else:
                outcomes.append(unchanged(job, there))
        issuers: list[Issuer] = []
        # Closed here, or an exception would keep the processes as long as its traceback.
        with closing(render_all(todo, names, jobs)) as rendered:
            for done, (job, made) in enumerate(rendered, start=1):
                outcomes.append(write(batch, objects, job, made, before[job.names.id], overwrite=overwrite))
                failures += made.ledger is None
                issuers += [made.issuer] if made.issuer else []
                progress("render", done, len(todo))
        if any(o.status in ("created", "updated") for o in outcomes):
            years = [act.names.published.year for act in acts]
            for file in scaffold(laws=bool(chosen), years=years):
                if file.path not in batch.committed:
                    batch.put(file.path, file.text.encode())
        put_institutions(batch, objects, issuers)
        if acts:
            put_norms(batch, came)
        commit = batch.commit(message(outcomes)) or ""
    ended = tuple(sorted(outcomes, key=lambda o: (o.name, o.instrument, o.reason)))
    given = {n.id: n for n in chosen.values()} | {i: n for i, n in came.items() if i not in norms}
    behind = _behind(curated, given)
    return Report(ended, commit, failures, behind, detached=bool(commit) and _is_detached(forest))


def _with_entry(register: str, source: Input) -> str:
    """What an act is rendered with: the register, and what a manifest says of its file."""
    return hashlib.sha256(f"{register}\n{source.entry}".encode()).hexdigest()


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
        if path.startswith(f"{FOLDER}/") and path.endswith(".json") and path.count("/") == 1:
            ledger = parse_ledger(objects.read(blob, _LARGEST_LEDGER_BYTES) or b"")
            if ledger is not None and ledger_path(ledger.names.id) == path:
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
            unreadable.append(Outcome(item.name, "skipped", reason=result, kind=item.kind))
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


def _stale(ledger: Ledger, job: Job, register: str) -> bool:
    source = job.source
    return (ledger.reader, ledger.sha256, ledger.file, ledger.register) != (
        job.reader,
        source.sha256,
        source.name,
        register,
    )
