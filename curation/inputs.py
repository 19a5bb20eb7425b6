"""The files given to `forest curate`, and which of them can be read as laws or as publications.

Owns finding, sizing, decoding and recognising inputs, and the id under which each law lives. An input that cannot be
used is a value with its reason, never an exception.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from curation.law import Law
from curation.ledger import Ledger, Names
from curation.manifest import FILE_NAME, UNKNOWN, Entry, entry_of, read_manifests
from curation.readers import leyes_md, publicaciones
from forest.ids import problem_of_name, slug
from forest.legal import aliases_of
from forest.limits import MAX_NODE_BYTES, MAX_YAML_BYTES
from forest.text import decode, fold

LARGEST_BYTES = 32 * 1024 * 1024
# Opening a pipe waits for who writes into it; Windows has no such flag and no such files.
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_LONGEST_ID_CHARS = 64


InputKind = Literal["law", "publication", ""]
_FORMATS = (
    "is of no known format (expected ABBR_name.md, a consolidated law, "
    "or a publication that begins as the gazette prints it)"
)


@dataclass(frozen=True, slots=True)
class Input:
    """One file.

    Attributes:
        path: where it is.
        name: its name.
        sha256: of its bytes.
        problem: why it cannot be used, "" when it can.
        failed: whether it should be usable.
        kind: what it is read as.
        entry: what is known of a publication besides its text.
    """

    path: Path
    name: str
    sha256: str = ""
    problem: str = ""
    failed: bool = False
    kind: InputKind = ""
    entry: Entry = UNKNOWN


@dataclass(frozen=True, slots=True)
class Read:
    """A recognised input with what the register needs of it; `names.id` is settled once all inputs are known."""

    source: Input
    names: Names
    slug: str


def list_inputs(paths: Sequence[Path], manifest: Path | None = None) -> tuple[Input, ...]:
    """Every file named or inside a folder named, once each, in the order of name and content.

    Args:
        paths: files and folders.
        manifest: says when publications were published and the like; without it those beside or above the paths do.
    """
    entries = read_manifests(paths, manifest)
    files: dict[Path, None] = {}
    found: list[Input] = []
    for path in paths:
        if path.is_dir():
            inside, closed = _walk(path)
            files |= dict.fromkeys(inside)
            found += closed
        else:
            # A link that is named is meant; one that stands in a folder may lead anywhere.
            files[path] = None
    named = {*paths}
    found += (_look(path, entries, named=path in named) for path in files)
    once = {(i.name, i.sha256, i.problem): i for i in found}
    return tuple(once[key] for key in sorted(once))


def _walk(folder: Path) -> tuple[list[Path], list[Input]]:
    """What is inside a folder but for dot files, in order, and the folders that the system does not let one read."""
    closed: list[Input] = []

    def refused(error: OSError) -> None:
        path = Path(error.filename or folder)
        closed.append(Input(path, path.name, problem=f"folder cannot be read: {_reason(error)}", failed=True))

    found: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=refused):
        here = Path(place)
        # A link to a folder is listed and not entered.
        linked = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += (here / name for name in (*names, *linked) if not name.startswith("."))
    return sorted(found), closed


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


class _Unusable(ValueError):
    """What is wrong with a file before anything of it was read."""


def _bytes(path: Path) -> bytes:
    """The bytes of a regular file within the limit; a link that leads to one is followed.

    Raises:
        _Unusable: it is a device, a pipe or the like, which may never end, or it is too large.
        OSError: the system refused.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise _Unusable("is no regular file")
    # What stands there may have changed since: a pipe must not block, and only what was opened counts.
    with os.fdopen(os.open(path, os.O_RDONLY | _NO_WAITING), "rb") as file:
        opened = os.fstat(file.fileno())
        if not stat.S_ISREG(opened.st_mode):
            raise _Unusable("is no regular file")
        if opened.st_size > LARGEST_BYTES:
            raise _Unusable(f"too large: {opened.st_size:,} bytes, the limit is {LARGEST_BYTES:,}")
        return file.read(LARGEST_BYTES)


def _look(path: Path, entries: Mapping[Path, Entry], *, named: bool) -> Input:
    if path.is_symlink() and not named:
        return Input(path, path.name, problem="is a symbolic link within a folder")
    try:
        data = _bytes(path)
    except _Unusable as error:
        return Input(path, path.name, problem=str(error))
    except OSError as error:
        return Input(path, path.name, problem=f"cannot be read: {_reason(error)}", failed=True)
    sha256 = hashlib.sha256(data).hexdigest()
    decoded = decode(data)
    if decoded is None:
        return Input(path, path.name, sha256, "is not text")
    if leyes_md.recognises(path.name, decoded.text):
        return Input(path, path.name, sha256, kind="law")
    if path.name == FILE_NAME:
        return Input(path, path.name, sha256, "is a manifest")
    entry = entry_of(path, entries)
    if not publicaciones.recognises(decoded.text, listed=entry.listed):
        return Input(path, path.name, sha256, _FORMATS)
    if entry.published is None:
        reason = "is a publication without a day: name it YYYY-MM-DD_…, or list it in a manifest"
        return Input(path, path.name, sha256, reason, failed=True)
    return Input(path, path.name, sha256, kind="publication", entry=entry)


def load_text(source: Input) -> str:
    """The text of an input, once more from the disk.

    Raises:
        ValueError: the file changed since it was listed.
    """
    data = _bytes(source.path)
    decoded = decode(data)
    if decoded is None or hashlib.sha256(data).hexdigest() != source.sha256:
        raise ValueError("changed while it was read")
    return decoded.text


def read_names(source: Input) -> Read:
    """What the register needs of one input.

    Raises:
        ValueError: the reader cannot make a law of it.
    """
    law = leyes_md.read(source.name, load_text(source))
    if problem := _problem(law):
        raise ValueError(problem)
    abbreviation = law.abbreviation.replace("_", " ")
    names = dict.fromkeys((abbreviation, *aliases_of(law.title), *law.former_names))
    articles = tuple(article.key for article in law.articles)
    short = slug(fold(abbreviation))
    return Read(
        source, Names(short, abbreviation, law.title, tuple(names), articles, law.published, law.text_as_of), law.slug
    )


def _problem(law: Law) -> str:
    """Why no forest can hold a law, "" when one can; said before other laws may refer to it."""
    if name := problem_of_name(slug(fold(law.abbreviation.replace("_", " ")))):
        return f"its abbreviation {law.abbreviation} {name}"
    texts = [
        *(article.text for article in law.articles),
        *(text for decree in law.decrees for text in (decree.text, decree.closing)),
        *(article.text for decree in law.decrees for article in decree.transitories),
    ]
    largest = max(len(text.encode()) for text in texts)
    limit = MAX_NODE_BYTES - MAX_YAML_BYTES
    return f"one of its parts has {largest:,} bytes, the limit of a node is {limit:,}" if largest > limit else ""


def settle_ids(found: Iterable[Read], curated: Mapping[str, Ledger]) -> dict[Read, str]:
    """The instrument id of each law: the one that it has in the forest, else its abbreviation.

    Different laws with one abbreviation get the abbreviation with their name, except one that already lives in the
    forest under the short id. The result does not depend on the order of the inputs.
    """
    reads = sorted(found, key=lambda read: (read.names.title, read.source.sha256))
    titles: dict[str, set[str]] = {}
    for read in reads:
        titles.setdefault(read.names.id, set()).add(fold(read.names.title))
    ids: dict[Read, str] = {}
    for read in reads:
        lives = _living(read.names, curated)
        short = read.names.id
        alone = len(titles[short]) == 1 and short not in curated
        ids[read] = lives or (short if alone else f"{short}-{_tail(read.slug)}")
    return ids


def _tail(name: str) -> str:
    words = name.replace("_", "-")
    return words if len(words) <= _LONGEST_ID_CHARS else words[:_LONGEST_ID_CHARS].rpartition("-")[0]


def _living(names: Names, curated: Mapping[str, Ledger]) -> str:
    """The id under which the forest already has this law, by abbreviation and any of its names."""
    known = {fold(name) for name in (names.title, *names.names) if fold(name) != fold(names.abbreviation)}
    for instrument in sorted(curated):
        there = curated[instrument].names
        if fold(there.abbreviation) == fold(names.abbreviation) and fold(there.title) in known:
            return instrument
    return ""
