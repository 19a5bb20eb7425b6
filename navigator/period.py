"""When the texts that a question asks for were published: a day, a month, or from one to another.

"Qué publicó la SADER entre el 1 y el 31 de enero" filters by the day of the gazette; the days on which a rule holds
are `forest.validity`'s.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from forest.days import MONTHS, days_in
from forest.text import fold

_PUBLISHES = re.compile(
    r"\b(?:publico|publicaron|publica|publican|publicad[oa]s? (?:en|entre|el|del?)|dio a conocer|dieron a conocer|"
    r"da a conocer|dado a conocer|saco|sacaron|salio|salieron|emitio|expidio|aparecio|aparecieron|difundio|anuncio)\b"
)
_MONTH_NAMES = "|".join(MONTHS)
_DAYS = re.compile(
    rf"\b(?:entre|del?) el (\d{{1,2}})[o°º]? (?:y|al) el? ?(\d{{1,2}}) de ({_MONTH_NAMES}) del? (\d{{4}})\b"
)
_MONTHS = re.compile(rf"\b(?:entre|de|desde) ({_MONTH_NAMES}) (?:y|a|hasta) ({_MONTH_NAMES}) del? (\d{{4}})\b")
_MONTH = re.compile(rf"\ben ({_MONTH_NAMES}) del? (\d{{4}})\b")
_YEAR = re.compile(r"\b(?:en|durante)(?: el ano| todo)? (\d{4})\b")


def published_in(question: str) -> tuple[date, date] | None:
    """Return the half-open period in which a question's texts were published, None when it names none.

    Examples:
        >>> published_in("¿Qué publicó la SADER de mayo a julio de 2022?")
        (datetime.date(2022, 5, 1), datetime.date(2022, 8, 1))
    """
    text = fold(question)
    if not _PUBLISHES.search(text):
        return None
    if match := _DAYS.search(text):
        month, year = MONTHS.index(match[3]) + 1, int(match[4])
        return _period(_day(year, month, int(match[1])), _day(year, month, int(match[2])))
    if match := _MONTHS.search(text):
        first, last, year = MONTHS.index(match[1]) + 1, MONTHS.index(match[2]) + 1, int(match[3])
        return _period(_day(year, first, 1), _last_of(year, last))
    days = [day for _, _, day in days_in(text) if day is not None]
    if days:
        return _period(min(days), max(days)) if len(days) > 1 and "entre" in text else _period(days[0], days[0])
    if match := _MONTH.search(text):
        month, year = MONTHS.index(match[1]) + 1, int(match[2])
        return _period(_day(year, month, 1), _last_of(year, month))
    if match := _YEAR.search(text):
        return _period(_day(int(match[1]), 1, 1), _last_of(int(match[1]), 12))
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _last_of(year: int, month: int) -> date | None:
    first = _day(year + month // 12, month % 12 + 1, 1)
    return first - timedelta(days=1) if first else None


def _period(first: date | None, last: date | None) -> tuple[date, date] | None:
    if first is None or last is None or last < first or last == date.max:
        return None
    return first, last + timedelta(days=1)
