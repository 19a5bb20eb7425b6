"""Which text holds when: the clocks of a question, and the version of a work in force on a day.

Three clocks are never mixed: when the gazette printed a text (`published`), when it is in force, and when the forest
learned it (the commit). Nothing is guessed: a period that no passport states is unknown, and is said to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from typing import Literal

from forest.catalog import Catalog, NodeRow
from forest.days import MONTHS, days_in, parse_day
from forest.errors import WrongUsage
from forest.text import fold

ClockSource = Literal["option", "question", "today"]

_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})(?: del?)? (\d{{4}})\b")
_YEAR = re.compile(
    r"(?<![\w.,/$-])(?<!\$ )(1[89]\d{2}|20\d{2})(?![\w/-]|[.,]\d)"
    r"(?! (?:pesos|dolares|dias|horas|veces|umas?|unidades|salarios|metros|hectareas|personas|trabajadores)\b)"
)
_BEFORE = re.compile(r"\bantes (?:de|del)(?: ano| dia| mes)?(?: de)? ?$")
# A date right after one of these names a document; it does not say for when the answer is wanted.
_NAMES_A_DOCUMENT = re.compile(
    r"\b(?:decreto|ley|codigo|reforma|reformas|resolucion|acuerdo|publicacion|publicad[oa]s?|dof|diario oficial|gaceta|"
    r"expedid[oa]|promulgad[oa]|abrogad[oa]|abrogo|derogo|reformad[oa]|aprobad[oa]|norma)"
    r"(?: (?:de|del|el|la|en|a|año|ano|dia|fecha|diario|oficial|federacion)){0,6} ?$"
)


@dataclass(frozen=True, slots=True)
class Clock:
    """The days an answer is about.

    Attributes:
        as_of: the forest as if nothing published after this day existed; None is no limit.
        start: first day of the period for which a text in force is wanted.
        end: first day after it.
        source: where the period came from; an option beats the question, the question beats today.
        span: where in the question it stands, (0, 0) when the question does not say it.
    """

    as_of: date | None
    start: date
    end: date
    source: ClockSource
    span: tuple[int, int] = (0, 0)

    @property
    def words(self) -> str:
        """The period as a reader says it."""
        if self.end - self.start == timedelta(days=1):
            return self.start.isoformat()
        return f"{self.start.isoformat()} to {(self.end - timedelta(days=1)).isoformat()}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The versions of a work in force in a period.

    Attributes:
        status: `one`; `none` (all periods are known and none meets it); `several`; `unknown` (some version does not say
            when it holds, and no other does hold). A work without versions is its own text: `one` unless its own
            period says otherwise.
        versions: the versions meant by the status; for `unknown` those that do not say.
    """

    status: Literal["one", "none", "several", "unknown"]
    versions: tuple[NodeRow, ...]


def read_day(text: str, what: str) -> date:
    """Return the day a person typed.

    Raises:
        WrongUsage: it is not a day of the calendar written YYYY-MM-DD.
    """
    day = parse_day(text)
    if day is None:
        raise WrongUsage(f"{what} {text!r} is not a day of the calendar.", "Write it as YYYY-MM-DD, e.g. 2023-01-01.")
    return day


def clock_for(
    question: str, *, as_of: date | None, in_force_on: date | None, today: date, named: tuple[tuple[int, int], ...] = ()
) -> Clock:
    """Decide the clock of a question.

    Args:
        question: as asked.
        as_of: the option, None when not given.
        in_force_on: the option, None when not given.
        today: used when neither option nor question says a day, and never after `as_of`.
        named: (start, end) of words that name documents; dates inside them are part of the name.
    """
    found = _period_in(question, named)
    if in_force_on is not None:
        # Words that say the same days only set the clock, whoever else sets it.
        says_so = found is not None and found[2][0] <= in_force_on < found[2][1]
        return Clock(as_of, *_whole_day(in_force_on), "option", found[:2] if found and says_so else (0, 0))
    if found is not None:
        start, end, period = found
        return Clock(as_of, *period, "question", (start, end))
    day = min(today, as_of) if as_of is not None else today
    return Clock(as_of, *_whole_day(day), "option" if as_of is not None and as_of < today else "today")


def _period_in(question: str, named: tuple[tuple[int, int], ...]) -> tuple[int, int, tuple[date, date]] | None:
    """Return where a question's first free date stands, and its period: a day, a month, or a year."""
    text = fold(question)
    if len(text) != len(question):  # folding moved the offsets: names cannot be told from dates
        named = ()
    taken = list(named)
    named_days = tuple(days_in(text))
    taken += [(start, end) for start, end, day in named_days if day is None]
    days = ((start, end, _whole_day(day)) for start, end, day in named_days if day is not None)
    for start, end, period in chain(days, _periods(text, _MONTH, _month), _periods(text, _YEAR, _year)):
        if any(left <= start < right for left, right in taken):
            continue
        before = text[max(0, start - 80) : start]
        if not _NAMES_A_DOCUMENT.search(before):
            if _BEFORE.search(before):
                period = _whole_day(max(period[0], date.min + timedelta(days=1)) - timedelta(days=1))
            return start, end, period
        taken.append((start, end))  # neither the month nor the year of a document's date is free
    return None


def _periods(
    text: str, pattern: re.Pattern[str], read: Callable[[re.Match[str]], tuple[date, date] | None]
) -> Iterator[tuple[int, int, tuple[date, date]]]:
    return ((m.start(), m.end(), period) for m in pattern.finditer(text) if (period := read(m)) is not None)


def _whole_day(day: date) -> tuple[date, date]:
    """Return a day as a half-open period; the calendar's last day, which has no next, as the one before it."""
    day = min(day, date.max - timedelta(days=1))
    return day, day + timedelta(days=1)


def _month(match: re.Match[str]) -> tuple[date, date] | None:
    year, month = int(match[2]), MONTHS.index(match[1]) + 1
    if not date.min.year <= year < date.max.year:
        return None
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def _year(match: re.Match[str]) -> tuple[date, date]:
    return date(int(match[1]), 1, 1), date(int(match[1]) + 1, 1, 1)


def version_in_force(catalog: Catalog, work: str, start: date, end: date) -> Verdict:
    """Tell which text of a work is in force in the half-open period [start, end).

    Raises:
        NodeNotFound: there is no such work.
    """
    node = catalog.node(work)
    texts = catalog.versions(work) or (node,)
    holding = tuple(text for text in texts if _states_period(text) and meets(text, start, end))
    if holding:
        return Verdict("one" if len(holding) == 1 else "several", holding)
    silent = tuple(text for text in texts if not _states_period(text))
    if silent == (node,):
        return Verdict("one", silent)
    return Verdict("unknown", silent) if silent else Verdict("none", ())


def _states_period(node: NodeRow) -> bool:
    return node.in_force_from is not None or node.in_force_to is not None


def meets(node: NodeRow, start: date, end: date) -> bool:
    """Tell whether a text's period, as far as it is known, meets the half-open period [start, end)."""
    begins_in_time = node.in_force_from is None or node.in_force_from < end
    return reads_so(node, end) and begins_in_time and (node.in_force_to is None or node.in_force_to > start)


def reads_so(node: NodeRow, end: date) -> bool:
    """Tell whether a text can have read as it does before the day `end`: nothing on or after it made it what it is."""
    return node.since is None or node.since < end


def may_be_given(node: NodeRow, clock: Clock, words: str) -> bool:
    """Tell whether words of a text may answer for a clock's days.

    A text not in force then may not, unless the words themselves are about those days: a notice of the tenth may tell
    the rate of the ninth.
    """
    if meets(node, clock.start, clock.end):
        return True
    days = (day for _, _, day in days_in(fold(words)) if day is not None)
    return (clock.source == "question" or clock.span[1] > 0) and any(clock.start <= day < clock.end for day in days)
