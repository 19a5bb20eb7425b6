"""Days, months and years as Spanish texts write them: which date begins at a word, and where it ends.

Owns partial dates too (a month, a year, a day of every year) and dates in words. Strict ISO days of passports are
`forest.days`.
"""

from __future__ import annotations

from datetime import date

from forest.days import MONTHS
from forest.legal_numbers import Words
from forest.values_words import amount_at

Day = tuple[int, int | None, int | None]

_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)} | {
    "setiembre": 9, "ene": 1, "feb": 2, "mar": 3, "abr": 4, "may": 5, "jun": 6, "jul": 7, "ago": 8, "sep": 9, "sept": 9,
    "oct": 10, "nov": 11, "dic": 12,
}  # fmt: skip
_SHORT = frozenset(_MONTHS) - {*MONTHS, "setiembre"}
_DASHES = frozenset(("-", "–", "‑", "−", "/", "."))
_MARKS = frozenset(("o", "ro", "er"))
_YEARS = range(1000, 2200)
# A bare year is one in running text only in these centuries; "1500" alone is a number.
_BARE_YEARS = range(1800, 2100)
_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


# Words that a date without digits can begin with, besides numbers.
DAY_STARTS = frozenset(("primero", "primer", "dia", "ano", *_MONTHS)) - _SHORT


def _exists(year: int, month: int | None, day: int | None) -> bool:
    if month is None:
        return day is None
    if not 1 <= month <= 12:
        return False
    if day is None:
        return True
    if not year:
        return 1 <= day <= _DAYS_OF_MONTHS[month - 1]
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _number(words: Words, i: int, longest: int) -> int | None:
    word = words.at(i)
    return int(word) if word.isascii() and word.isdigit() and len(word) <= longest else None


def _year_figures(words: Words, i: int) -> int | None:
    year = _number(words, i, 4) if len(words.at(i)) == 4 else None
    glued_on = words.glued(i + 1) and words.at(i + 1)[:1].isalnum()
    return year if year is not None and year in _YEARS and not glued_on else None


def _year_at(words: Words, i: int) -> tuple[int, int] | None:
    """Return the year at `i`, in figures or in words, and the position after it."""
    year = _year_figures(words, i)
    if year is not None:
        return year, i + 1
    # "2 025", "2,025": years are not written in groups.
    if words.at(i)[:1].isdigit():
        return None
    found = amount_at(words, i)
    if found is None or found.value.denominator != 1 or int(found.value) not in _YEARS:
        return None
    return int(found.value), found.end


def _year_after(words: Words, i: int) -> tuple[int, int] | None:
    """Return the year that goes on from a month that ends at `i`: "de 2026", "del año dos mil veintiséis", "2026"."""
    j = i + (words.at(i) == ",")
    j += words.at(j) in ("de", "del")
    j += words.at(j) == "el"
    j += words.at(j) in ("ano", "anos")
    j += 2 if words.folded[j : j + 2] == ("ejercicio", "fiscal") else 0
    j += words.at(j) == "de"
    found = _year_at(words, j)
    # Without a link only figures are the month's year: "en enero dos mil personas".
    return found if found and (j > i or words.at(j).isdigit()) else None


def _day_number(words: Words, i: int) -> tuple[int, int] | None:
    """Return the day of a month at `i` and the position after it: "1o.", "1°", "primero", "27", "veintisiete"."""
    number = _number(words, i, 2)
    if number is not None:
        j = i + 1
        if words.glued(j) and words.at(j) in _MARKS:
            j += 1
        j += words.at(j) == "." and words.glued(j)
        if words.at(j) == "o" and words.glued(j):
            j += 1
        if words.at(j) == "(":  # "27 (veintisiete) de diciembre"
            found = amount_at(words, j + 1)
            if found and found.value == number and words.at(found.end) == ")":
                j = found.end + 1
        return number, j
    if words.at(i) in ("primero", "primer"):
        return 1, i + 1
    if words.at(i)[:1].isdigit():
        return None
    found = amount_at(words, i)
    whole = found is not None and found.value.denominator == 1 and 1 <= found.value <= 31
    return (int(found.value), found.end) if found and whole else None


def _in_figures(words: Words, i: int) -> tuple[Day | None, int] | None:
    """Return what is written at `i` like `2022-12-27`, `27/12/2022`, `27.12.2022` or `27-dic-2022`."""
    mark = words.at(i + 1)
    if mark not in _DASHES or words.at(i + 3) not in _DASHES or not all(map(words.glued, range(i + 1, i + 5))):
        return None
    end = i + 5
    if (words.glued(end) and words.at(end)[:1].isalnum()) or (
        words.glued(end) and words.at(end) in ("-", "/") and words.glued(end + 1) and words.at(end + 1)[:1].isalnum()
    ):
        return None
    if len(words.at(i)) == 4:
        year, month, day = _year_figures(words, i), _number(words, i + 2, 2), _number(words, i + 4, 2)
    else:
        day, year = _number(words, i, 2), _year_figures(words, i + 4)
        month = _MONTHS.get(words.at(i + 2)) or _number(words, i + 2, 2)
    if year is None or month is None or day is None:
        return None
    return ((year, month, day) if _exists(year, month, day) else None), end


def day_at(words: Words, i: int) -> tuple[Day | None, int] | None:
    """Return the date that begins at position `i` and the position after it.

    Args:
        words: the text.
        i: where it should begin.

    Returns:
        The year is 0 when a day of every year is meant ("1 de febrero"); month and day are None when only a month or
        a year is said. The date is None when something is written like a day that does not exist ("31/02/2022"). A
        bare year of four digits counts from 1800 to 2099. None when no date begins here.
    """
    if words.at(i)[:1].isdigit():
        if words.glued(i) and words.at(i - 1)[:1].isalnum():
            return None
        found = _in_figures(words, i)
        if found:
            return found
    if words.at(i) in _MONTHS and words.at(i) not in _SHORT:
        year = _year_after(words, i + 1)
        return ((year[0], _MONTHS[words.at(i)], None), year[1]) if year else None
    start = i + 1 if words.at(i) == "dia" else i
    number = _day_number(words, start)
    if number:
        day, j = number
        j += words.at(j) in ("dia", "dias") and words.at(j + 1) == "del"  # "a los treinta días del mes de mayo de"
        linked = words.at(j) in ("de", "del") or words.at(j) == "-"
        j += linked
        if words.at(j - 1) in ("de", "del") and words.at(j) == "mes" and words.at(j + 1) == "de":
            j += 2
        month = _MONTHS.get(words.at(j))
        if month and (linked or words.at(start).isdigit()):
            j += 1
            dotted = j + (words.at(j) == "." and words.at(j - 1) in _SHORT)
            year = _year_after(words, dotted)
            whole: Day = (year[0], month, day) if year else (0, month, day)
            if year is None and words.at(j - 1) in _SHORT:
                return None
            return (whole if _exists(*whole) else None), year[1] if year else j
    return _bare_year(words, i)


def _bare_year(words: Words, i: int) -> tuple[Day | None, int] | None:
    if words.at(i) == "ano" and (year := _year_at(words, i + 1)):
        return (year[0], None, None), year[1]
    bare = _year_figures(words, i)
    if bare is None or bare not in _BARE_YEARS:
        return None
    before, after = words.at(i - 1), words.at(i + 1)
    joined = before in ("-", "/", ".", ",", "–") and words.glued(i - 1) and words.at(i - 2)[:1].isalnum()
    in_code = words.glued(i) and (before[:1].isalnum() or before == "$" or joined)
    following = words.at(i + 2)[:1] if words.glued(i + 1) and words.glued(i + 2) else ""
    marks = ("-", "/", "–") if following.isalpha() else ("-", "/", "–", ".", ",", "'")
    goes_on = following.isalnum() and after in marks
    return None if in_code or goes_on else ((bare, None, None), i + 1)
