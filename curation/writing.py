"""What was rendered, planned as changes of a forest.

Owns what happens to files that a curator edited: they stay as they are unless told otherwise.
"""

from __future__ import annotations

import hashlib

from curation.ledger import Ledger, dump_ledger
from curation.rendering import Job, Made
from curation.report import Outcome
from forest.commit import Batch
from forest.history import ObjectReader


def write(
    batch: Batch, objects: ObjectReader, job: Job, made: Made, before: Ledger | None, *, overwrite: bool
) -> Outcome:
    """Plan the files of a law or an act, and its ledger.

    Args:
        batch: takes the changes.
        objects: reads what is committed.
        job: what was rendered.
        made: what that gave.
        before: what the forest remembers of it.
        overwrite: whether files that a curator edited are written again.
    """
    if made.ledger is None:
        return Outcome(job.source.name, "skipped", job.names.id, made.problem, kind=job.source.kind)
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
    batch.put(job.ledger_path, dump_ledger(made.ledger))
    status = "created" if before is None else "updated" if changed else "unchanged"
    return Outcome(
        job.source.name,
        status,
        job.names.id,
        nodes=len(made.files),
        edges_missed=len(made.ledger.missed),
        complaints=len(made.ledger.complaints),
        kept=tuple(sorted(kept)),
        kind=job.source.kind,
    )


def unchanged(job: Job, ledger: Ledger) -> Outcome:
    """How a job ends that has nothing to do."""
    return Outcome(
        job.source.name,
        "unchanged",
        ledger.names.id,
        nodes=len(ledger.files),
        edges_missed=len(ledger.missed),
        complaints=len(ledger.complaints),
        kind=job.source.kind,
    )
