"""Canonical JSON: what is named by the hash of its bytes is written in one way only, and believed in nothing when read.

Owns what readers of such bytes share: the size before anything is parsed, the format, lists and ids within bounds. What
the fields mean is their owner's.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forest.errors import ForestError

SHA256 = re.compile(r"[0-9a-f]{64}")
OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")  # of git's objects, SHA-1 or SHA-256


def canonical_bytes(value: object) -> bytes:
    """Return a value as canonical bytes: JSON with sorted keys, without spaces, NFC, in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return unicodedata.normalize("NFC", text).encode()


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one kind of value.

    Attributes:
        kind: what it is called in messages, `trail`.
        wrong: what is raised where something is not as it must be.
        format: the number that its `format` must be.
        most_bytes: its size at most.
    """

    kind: str
    wrong: type[ForestError]
    format: int
    most_bytes: int

    def fields(self, data: bytes) -> Mapping[str, Any]:
        """Return the fields of a value of the right size and format; whether they are all is for `canonical` to say."""
        if len(data) > self.most_bytes:
            raise self.wrong(f"A {self.kind} of {len(data):,} bytes is over the limit of {self.most_bytes:,}.")
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            raise self.wrong(f"A {self.kind} is JSON in UTF-8.") from None
        # `is int`: True is 1 in Python.
        if not isinstance(found, dict) or type(found.get("format")) is not int or found["format"] != self.format:
            raise self.wrong(f"This is no {self.kind} of format {self.format}.")
        return found

    def canonical(self, written: bytes, data: bytes) -> None:
        """Refuse bytes that are not those which the value read from them has: unknown fields, other spellings."""
        if written != data:
            raise self.wrong(f"A {self.kind}'s bytes must be canonical.")

    def items(self, fields: Mapping[str, Any], name: str, most: int) -> list[object]:
        """Return a field that is a list."""
        value = fields.get(name)
        if not isinstance(value, list) or len(value) > most:
            raise self.wrong(f"A {self.kind}'s {name} is a list of at most {most}.")
        return value

    def matching(self, value: object, shape: re.Pattern[str], what: str) -> str:
        """Return an id, `SHA256` or `OID`."""
        if not isinstance(value, str) or not shape.fullmatch(value):
            raise self.wrong(f"A {self.kind}'s {what} is a full hexadecimal id.")
        return value
