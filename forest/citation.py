"""Citations: words with the proof of where they stood, as a value and as JSON. `forest.proof` checks one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from forest.errors import WrongUsage
from forest.ids import problem_of_id

_HEX = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_PATH_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Citation:
    """Quoted words and where they stand.

    Attributes:
        node: id of the node.
        passage: ordinal of the passage in it.
        path: the node's file in that commit, relative to the forest.
        commit: id of the commit that was read.
        blob: id of the file's bytes.
        start: first byte of the passage in the blob.
        end: one past its last byte.
        sha256: of those bytes.
        quote: words of the passage, white space folded.
    """

    node: str
    passage: int
    path: str
    commit: str
    blob: str
    start: int
    end: int
    sha256: str
    quote: str

    def as_dict(self) -> dict[str, str | int]:
        """Return the citation as a JSON-ready mapping; `citation_from` reads it back."""
        return asdict(self)


def citation_from(value: object) -> Citation:
    """Read a citation from JSON data.

    Raises:
        WrongUsage: a field is missing, of the wrong type, or malformed.
    """
    if not isinstance(value, Mapping):
        raise WrongUsage("A citation is a JSON object.", "Take one from `forest hunt --json`.")
    fields: dict[str, str | int] = {}
    for name, kind in Citation.__annotations__.items():
        field = value.get(name)
        if not isinstance(field, int if kind == "int" else str) or isinstance(field, bool):
            raise WrongUsage(f"The citation has no usable {name!r}.", "Take one from `forest hunt --json`.")
        fields[name] = field
    citation = Citation(**fields)  # type: ignore[arg-type]
    if not _is_path(citation.path):
        raise WrongUsage("The citation's path cannot be one.", "Take one from `forest hunt --json`.")
    if problem := problem_of_id(citation.node):
        raise WrongUsage(f"The citation's node {citation.node!r} {problem}.")
    if not (_HEX.fullmatch(citation.commit) and _HEX.fullmatch(citation.blob) and _SHA256.fullmatch(citation.sha256)):
        raise WrongUsage("The citation's commit, blob or sha256 is not a full hexadecimal id.")
    if not 0 <= citation.start < citation.end or not citation.quote.strip():
        raise WrongUsage("The citation's offsets or quote are empty.")
    return citation


def _is_path(text: str) -> bool:
    try:
        return 0 < len(os.fsencode(text)) <= _MAX_PATH_BYTES and "\0" not in text
    except UnicodeEncodeError:
        return False
