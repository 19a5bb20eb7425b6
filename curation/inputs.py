"""The files given to `forest curate`, and which of them can be read as laws.

Owns finding, sizing, decoding and recognising inputs, and the id under which each law lives. An input that cannot be
used is a value with its reason, never an exception.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.ledger import Ledger, Names
from curation.readers import leyes_md
from forest.ids import slug
from forest.legal import aliases_of
from forest.text import decode, fold

LARGEST_BYTES = 32 * 1024 * 1024
_LONGEST_ID_CHARS = 64


@dataclass(frozen=True, slots=True)
class Input:
    """One file: where it is, its name and hash; `problem` says why it cannot be used."""

    path: Path
    name: str
    sha256: str = ""
    problem: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A recognised input with what the register needs of it; `names.id` is settled once all inputs are known."""

    source: Input
    names: Names
    slug: str


def list_inputs(paths: Sequence[Path]) -> tuple[Input, ...]:
    """Every file named or inside a folder named, once each, in the order of name and content."""
    files: dict[Path, None] = {}
    for path in paths:
        inside = sorted(p for p in path.rglob("*") if not any(x.startswith(".") for x in p.relative_to(path).parts))
        files |= (
            dict.fromkeys(p for p in inside if p.is_file() and not p.is_symlink()) if path.is_dir() else {path: None}
        )
    found = {(item.name, item.sha256, item.problem): item for item in map(_look, files)}
    return tuple(found[key] for key in sorted(found))


def _look(path: Path) -> Input:
    if path.is_symlink():
        return Input(path, path.name, problem="is a symbolic link", failed=True)
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            return Input(path, path.name, problem=f"too large: {size:,} bytes, the limit is {LARGEST_BYTES:,}")
        data = path.read_bytes()
    except OSError as error:
        return Input(path, path.name, problem=f"cannot be read: {error.strerror or error}", failed=True)
    sha256 = hashlib.sha256(data).hexdigest()
    decoded = decode(data)
    if decoded is None:
        return Input(path, path.name, sha256, "is not text")
    if not leyes_md.recognises(path.name, decoded.text):
        return Input(path, path.name, sha256, "is of no known format (expected ABBR_name.md, a consolidated law)")
    return Input(path, path.name, sha256)


def load_text(source: Input) -> str:
    """The text of an input, once more from the disk.

    Raises:
        ValueError: the file changed since it was listed.
    """
    data = source.path.read_bytes()
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
    abbreviation = law.abbreviation.replace("_", " ")
    names = dict.fromkeys((abbreviation, *aliases_of(law.title), *law.former_names))
    articles = tuple(article.key for article in law.articles)
    short = slug(fold(abbreviation))
    return Read(
        source, Names(short, abbreviation, law.title, tuple(names), articles, law.published, law.text_as_of), law.slug
    )


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
