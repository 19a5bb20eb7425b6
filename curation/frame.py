"""What all nodes of one law share, and what a node is before it is written.

Owns the law's folder in the forest and what its nodes say of their source. Which nodes a law has
is `curation.nodes` and `curation.publications`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from curation.edges import Known
from curation.invalidity import law_invalid_since
from curation.law import Law

ROOT = "leyes"


@dataclass(frozen=True, slots=True)
class File:
    """One node as it will be written: its path in the forest and its text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What every node of one law shares."""

    law: Law
    id: str
    abbreviation: str
    source: Mapping[str, str]
    known: Known
    order: tuple[str, ...]

    @property
    def file(self) -> dict[str, str]:
        """What a part of the law says of its source: the name alone, or every reform would change every node."""
        return {"file": self.source["file"]}

    @property
    def invalid(self) -> date | None:
        """The day of the gazette by which the whole law was declared invalid."""
        return law_invalid_since(self.law.notes)

    @property
    def folder(self) -> str:
        """The law's folder in the forest."""
        return f"{ROOT}/{self.id}"


def spoken(day: date) -> str:
    """A date as the Chamber's reform marks write it."""
    return f"{day:%d-%m-%Y}"
