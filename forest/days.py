"""Days as passports and people write them: one strict form, and the names of the months."""

from __future__ import annotations

import re
from datetime import date

MONTHS = tuple("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split())

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def parse_day(text: str) -> date | None:
    """Return the day written as YYYY-MM-DD, None when it is written otherwise or does not exist."""
    if not _ISO.fullmatch(text):  # fromisoformat alone would take a week's day too, as in 2026-W01-1
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
