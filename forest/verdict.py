"""Verdicts: what somebody thought of a hunt, as an immutable value with canonical bytes and an id made of them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from forest.canonical import canonical_bytes

VERDICT_FORMAT = 1
MAX_VERDICT_BYTES = 1_000

_SHA256 = re.compile(r"[0-9a-f]{64}")
_NONCE = re.compile(r"[0-9a-f]{32}")
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Verdict:
    """One feedback on one trail.

    Attributes:
        trail: id of the trail.
        good: whether the hunt was good.
        time: when it was said, UTC, whole seconds.
        nonce: 32 hexadecimal digits drawn at random: the same said twice is two verdicts.
    """

    trail: str
    good: bool
    time: datetime
    nonce: str

    @cached_property
    def id(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return hashlib.sha256(verdict_bytes(self)).hexdigest()

    @property
    def word(self) -> str:
        """`good` or `bad`."""
        return "good" if self.good else "bad"

    @property
    def day(self) -> date:
        """The day (UTC) on which it was said."""
        return self.time.date()


def verdict_bytes(verdict: Verdict) -> bytes:
    """Return the canonical bytes of a verdict: JSON with sorted keys, without spaces."""
    fields = {
        "format": VERDICT_FORMAT,
        "nonce": verdict.nonce,
        "time": verdict.time.astimezone(UTC).strftime(_TIME),
        "trail": verdict.trail,
        "verdict": verdict.word,
    }
    return canonical_bytes(fields)


def verdict_from(data: bytes) -> Verdict | None:
    """Read a verdict from its canonical bytes; None when they are not that."""
    if len(data) > MAX_VERDICT_BYTES:
        return None
    try:
        fields: Any = json.loads(data)
        trail, nonce, said = str(fields["trail"]), str(fields["nonce"]), str(fields["verdict"])
        time = datetime.strptime(fields["time"], _TIME).replace(tzinfo=UTC)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    verdict = Verdict(trail, said == "good", time, nonce)
    sound = _SHA256.fullmatch(trail) and _NONCE.fullmatch(nonce) and verdict_bytes(verdict) == data
    return verdict if sound else None
