"""What a forest remembers of each law and each publication that was curated into it.

Owns the files `.curation/<instrument>.json` and `.curation/publicaciones/<year>/<id>.json`: which reader made which
files from which source, the names and articles that other texts may refer to, and what could not be resolved.
Deterministic: no clock, no path of a machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from curation.edges import Missed
from curation.gazette import Dropped
from curation.law import Complaint

FOLDER = ".curation"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Names:
    """What the register needs of one instrument."""

    id: str
    abbreviation: str
    title: str
    names: tuple[str, ...]
    articles: tuple[str, ...]
    published: date
    text_as_of: date


@dataclass(frozen=True, slots=True)
class Ledger:
    """The record of one curated law or publication.

    Attributes:
        reader: the reader's name and version, as in `leyes_md/1`.
        file: the source's file name.
        sha256: the source's hash.
        register: hash of all names and articles that its references were resolved against.
        names: the law's own names and articles.
        files: SHA-256 of every generated file by path.
        missed: citations that made no edge.
        complaints: what the reader could not place.
        dropped: what a publication's pages hold besides its text.
    """

    reader: str
    file: str
    sha256: str
    register: str
    names: Names
    files: Mapping[str, str] = field(default_factory=dict)
    missed: tuple[Missed, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def ledger_path(instrument: str) -> str:
    """The path of a law's ledger in its forest."""
    return f"{FOLDER}/{instrument}.json"


def publication_ledger_path(node: str, published: date) -> str:
    """The path of a publication's ledger: apart from those of laws, which every run reads."""
    return f"{FOLDER}/publicaciones/{published.year}/{node}.json"


def dump_ledger(ledger: Ledger) -> bytes:
    """The ledger as bytes: keys sorted, one line for each entry, so that a diff shows what changed."""
    plain = {"format": FORMAT, **asdict(ledger)}
    if not ledger.dropped:
        del plain["dropped"]
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True, default=str) + "\n").encode()


def parse_ledger(data: bytes) -> Ledger | None:
    """The ledger that these bytes hold, None when they are not one of this format."""
    try:
        plain: dict[str, Any] = json.loads(data)
        if plain.pop("format") != FORMAT:
            return None
        names = plain.pop("names")
        for key in ("published", "text_as_of"):
            names[key] = date.fromisoformat(names[key])
        for key in ("names", "articles"):
            names[key] = tuple(names[key])
        missed = tuple(Missed(**item) for item in plain.pop("missed"))
        complaints = tuple(Complaint(**item) for item in plain.pop("complaints"))
        dropped = tuple(Dropped(**item) for item in plain.pop("dropped", ()))
        return Ledger(**plain, names=Names(**names), missed=missed, complaints=complaints, dropped=dropped)
    except (ValueError, KeyError, TypeError):
        return None


def all_names(ledgers: Iterable[Ledger]) -> dict[str, Names]:
    """The names of every curated law by instrument id."""
    return {ledger.names.id: ledger.names for ledger in ledgers}
