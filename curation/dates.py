"""Dates as the gazette and the Chamber's consolidated texts write them.

Owns the two spellings (`27-12-2022`, `1º de abril de 1970`); which date means what is decided by the callers.
"""

import re
from collections.abc import Iterator
from datetime import date

from forest.days import MONTHS

_LONG = re.compile(
    rf"\b(\d{{1,2}}|primero)[oº°]?\.? (?:de )?({'|'.join(MONTHS)}|setiembre) (?:de |del )?(?:año )?(\d{{4}})\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"\b(\d{2})-(\d{2})-?(\d{4})\b")


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def long_dates(text: str) -> Iterator[tuple[date, int]]:
    """Each date written in words, with the offset just after it; impossible dates are passed over."""
    for match in _LONG.finditer(text):
        day, month, year = match.groups()
        name = month.lower().replace("setiembre", "septiembre")
        found = _date(int(year), MONTHS.index(name) + 1, 1 if day.lower() == "primero" else int(day))
        if found:
            yield found, match.end()


def short_dates(text: str) -> tuple[date, ...]:
    """The `dd-mm-yyyy` dates of a text, sorted and without repeats."""
    found = (_date(int(year), int(month), int(day)) for day, month, year in _SHORT.findall(text))
    return tuple(sorted({value for value in found if value}))
