"""Days as passports and people write them: one strict form, and the names of the months."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

MONTHS = tuple("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split())

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_IN_TEXT = re.compile(
    rf"\b(?:(?P<y1>\d{{4}})-(?P<m1>\d{{2}})-(?P<d1>\d{{2}})|(?P<d2>\d{{1,2}})[-/](?P<m2>\d{{1,2}})[-/](?P<y2>\d{{4}})|"
    rf"(?P<d3>\d{{1,2}})(?:o|ro)?\.? (?:de )?(?P<m3>{'|'.join(MONTHS)})(?: del?)? (?P<y3>\d{{4}}))\b"
)


def parse_day(text: str) -> date | None:
    """Return the day written as YYYY-MM-DD, None when it is written otherwise or does not exist."""
    if not _ISO.fullmatch(text):  # fromisoformat alone would take a week's day too, as in 2026-W01-1
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def days_in(folded: str) -> Iterator[tuple[int, int, date | None]]:
    """Yield (start, end, day) of the days that a folded text names, in order; an impossible one is None.

    Args:
        folded: from `forest.text.fold`. `2022-12-27`, `27-12-2022`, `27/12/2022` and `27 de diciembre de 2022` count.
    """
    for match in _IN_TEXT.finditer(folded):
        year, month, day = next((y, m, d) for y, m, d in _PARTS if match[y])
        number = MONTHS.index(match[month]) + 1 if match[month] in MONTHS else int(match[month])
        try:
            yield match.start(), match.end(), date(int(match[year]), number, int(match[day]))
        except ValueError:
            yield match.start(), match.end(), None


_PARTS = tuple((f"y{i}", f"m{i}", f"d{i}") for i in (1, 2, 3))
