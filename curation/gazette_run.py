"""The part of a run of `forest curate` that concerns publications alone.

Owns which acts of the inputs are rendered, and the two small files that spare a run reading every publication's
ledger: the norms that texts may cite by code, and the institutions that have a node.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from curation.gazette_inputs import ReadAct, read_acts, settle_act_ids
from curation.inputs import Input
from curation.institutions import institution_files
from curation.issuers import Issuer
from curation.ledger import FOLDER, Ledger, Names, parse_ledger, publication_ledger_path
from curation.rendering import GAZETTE_READER, Job, spread
from curation.report import Outcome
from forest.commit import Batch
from forest.history import ObjectReader

NORMS = f"{FOLDER}/normas.json"
INSTITUTIONS = f"{FOLDER}/instituciones.json"
_LARGEST_BYTES = 64 * 1024 * 1024


def choose_acts(
    usable: Sequence[Input],
    living: Callable[[str, date], Ledger | None],
    jobs: int,
    progress: Callable[[str, int, int], None],
) -> tuple[list[Job], list[Outcome]]:
    """The acts to render, in the order of their ids, and the inputs or acts that are not, with the reason.

    Args:
        usable: the inputs that are publications.
        living: the ledger of the act that the forest has under an id and day.
        jobs: how many processes read.
        progress: called for each file read.
    """
    acts: list[ReadAct] = []
    skipped: list[Outcome] = []
    for done, (item, result) in enumerate(zip(usable, spread(_try_read, usable, jobs), strict=True), start=1):
        if isinstance(result, str):
            skipped.append(Outcome(item.name, "skipped", reason=result, kind=item.kind))
        else:
            acts.extend(result)
        progress("read publications", done, len(usable))
    ids = settle_act_ids(acts, living)
    chosen: dict[str, ReadAct] = {}
    for act in sorted(ids, key=lambda act: (_is_other(act, living(ids[act], act.names.published)), act.source.sha256)):
        if (better := chosen.setdefault(ids[act], act)) is not act:
            same = better.source.sha256 == act.source.sha256
            what = "a duplicate" if same else "another text of the same act; keep one of them"
            reason = f"{act.source.path} is {what}: {better.source.path}"
            skipped.append(Outcome(act.source.name, "skipped", ids[act], reason, kind=act.source.kind))
    found = [Job(act.source, replace(act.names, id=node), act.at) for node, act in sorted(chosen.items())]
    return found, skipped


def _try_read(item: Input) -> tuple[ReadAct, ...] | str:
    try:
        return read_acts(item)
    except (ValueError, OSError) as error:
        return f"cannot be read as a publication: {error}"


def _is_other(act: ReadAct, there: Ledger | None) -> bool:
    """Whether the forest was made from another text of an act, or from none: a second run must not change its mind."""
    return there is None or there.sha256 != act.source.sha256


def read_act_ledger(batch: Batch, objects: ObjectReader, node: str, day: date) -> Ledger | None:
    """What the forest remembers of an act, None when it does not have it."""
    blob = batch.committed.get(publication_ledger_path(node, day))
    ledger = parse_ledger(objects.read(blob, _LARGEST_BYTES) or b"") if blob else None
    return (
        ledger if ledger is not None and ledger.reader.partition("/")[0] == GAZETTE_READER.partition("/")[0] else None
    )


def _load(batch: Batch, objects: ObjectReader, path: str) -> dict[str, Any]:
    blob = batch.committed.get(path)
    try:
        plain = json.loads((objects.read(blob, _LARGEST_BYTES) if blob else None) or b"{}")
    except ValueError:
        return {}
    return plain if isinstance(plain, dict) else {}


def _dump(plain: Mapping[str, Any]) -> bytes:
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True, default=str) + "\n").encode()


def read_norms(batch: Batch, objects: ObjectReader) -> dict[str, Names]:
    """The norms of the forest by the id of their publication, with the codes by which texts cite them."""
    norms: dict[str, Names] = {}
    for node, fields in _load(batch, objects, NORMS).items():
        try:
            day = date.fromisoformat(fields["published"])
            norms[node] = Names(node, "", fields["title"], tuple(map(str, fields["names"])), (), day, day)
        except (KeyError, TypeError, ValueError):
            continue
    return norms


def put_norms(batch: Batch, norms: Mapping[str, Names]) -> None:
    """Plan the file of norms, when there are any."""
    plain = {node: {k: asdict(names)[k] for k in ("title", "names", "published")} for node, names in norms.items()}
    if plain:
        batch.put(NORMS, _dump(plain))


def put_institutions(batch: Batch, objects: ObjectReader, issuers: Iterable[Issuer]) -> None:
    """Plan a node for each institution that the forest never had one of; one that was moved or deleted stays so."""
    recorded = _load(batch, objects, INSTITUTIONS)
    added = {
        slug: file.path
        for slug, file in institution_files(issuers).items()
        if slug not in recorded and (file.path in batch.committed or batch.put(file.path, file.text.encode()))
    }
    if added:
        batch.put(INSTITUTIONS, _dump(recorded | added))
