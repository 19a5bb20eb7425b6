"""Observations: what one step shows, within a budget of tokens, saying aloud what it left out.

Owns the value, the fitting of whole items into a budget, and the wording of what is complete and what is cut off. What
the items are, and which command shows the rest, is the business of the steps that make observations.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Generic, TypeVar

from forest.errors import WrongUsage
from forest.text import count_tokens, one_line, printable

T = TypeVar("T")

_LINE_SHARE = 4  # a line that may be shortened takes at most one part in so many of the budget
_HEAD_SHARE = 6
_WORDS_SHARE = 6
_LONGEST_COMMAND = 200  # characters
_SHORTEST_LINE = 6  # tokens: a number, a kind, an id, a title
_WORD_END = re.compile(r"\S(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Observation(Generic[T]):
    """What one step shows.

    Attributes:
        text: what is shown; its first and last line say what is left out and how to see it, or that nothing is.
        tokens: of `text`, by `count_tokens`.
        shown: how many items are shown.
        total: how many there are.
        truncated: whether an item is left out, before or after those shown, or a line is shortened.
        next: the command that shows what comes after, "" when nothing does.
        items: the items shown, for programs.
    """

    text: str
    tokens: int
    shown: int
    total: int
    truncated: bool
    next: str
    items: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """What is shown of one item or of a head.

    Attributes:
        text: safe for a terminal.
        whole: the command that shows it whole, should it have to be shortened; "" for what is never shortened.
        keep: how many characters from its beginning stay whatever happens, as an id must.
    """

    text: str
    whole: str = ""
    keep: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """Which items a step was asked for.

    Attributes:
        budget: tokens of the whole text.
        start: 1-based place of the first item.
        total: how many items there are.
        what: what the items are, in the plural, and of what: `doors of lft/art-76`.
        command: gives the command that shows what begins at a place.
        beyond: a sentence on what is not among the items though it exists, "" when nothing is.
    """

    budget: int
    start: int
    total: int
    what: str
    command: Callable[[int], str]
    beyond: str = ""


def most_items(budget: int) -> int:
    """Return how many items can fit into a budget at the very most: more need not be looked up."""
    return budget // _SHORTEST_LINE + 1


def check_page(start: int, total: int, what: str, command: Callable[[int], str]) -> None:
    """Refuse a page that does not exist.

    Raises:
        WrongUsage: `start` is below 1 or beyond the last item.
    """
    if not 1 <= start <= max(total, 1):
        raise WrongUsage(f"There is no place {start:,} among the {total:,} {what}.", f"Begin with: {command(1)}")


def fitted(
    page: Page,
    head: Sequence[Line],
    items: Sequence[T],
    lines: Sequence[Line],
    settle: Callable[[int], int] = lambda count: count,
) -> Observation[T]:
    """Fit whole items under a head into a budget; one item is shown even when it alone is over it.

    Args:
        page: what was asked for.
        head: lines that stand above the items; shortened, and dropped from the last when there is no other way.
        items: the items from `page.start` on: all of them, or as many as can fit (`most_items`).
        lines: what is shown of each.
        settle: says how many items are shown where a number of them would fit, between 1 and that number.
    """
    command, page = page.command, _brief(page)
    tops = [_short(line, page.budget // _HEAD_SHARE) for line in head]
    rows = [_short(line, page.budget // _LINE_SHARE) for line in lines]
    sizes = list(accumulate(count_tokens(f"{row}\n") for row in rows))
    # Numbers grow by a digit at most between what is estimated here and what is told.
    frame = 2 * (count_tokens(_notice(page, 1) + "\n") + 4) + sum(count_tokens(f"{top}\n") for top in tops)
    count = min(len(rows), max(1, bisect_right(sizes, page.budget - frame)))
    while True:
        count = settle(count) if count else 0
        shortened = any(row != line.text for row, line in zip(rows[:count], lines[:count], strict=True))
        notice = _notice(page, count) + (" Lines that end in … are SHORTENED." if shortened else "")
        text = "\n".join([notice, *tops, *rows[:count], notice])
        tokens = count_tokens(text)
        if tokens <= page.budget or (count <= 1 and not tops):
            break
        if count > 1:
            count -= 1
        else:
            tops.pop()
    after = page.start + count
    return Observation(
        text=text,
        tokens=tokens,
        shown=count,
        total=page.total,
        truncated=count < page.total or shortened,
        next=command(after) if after <= page.total else "",
        items=tuple(items[:count]),
    )


def _brief(page: Page) -> Page:
    """Return a page whose words leave room for items: its own ids and words may be as long as a budget."""
    what, command = page.what, page.command
    if count_tokens(what) > page.budget // _WORDS_SHARE:
        what = f"{what[: page.budget // _WORDS_SHARE]} …"
    if count_tokens(command(page.total)) > page.budget // _WORDS_SHARE:
        command = _same_command
    return replace(page, what=what, command=command)


def _same_command(at: int) -> str:
    return f"the same command with --from {at}" if at > 1 else "the same command without --from"


def _notice(page: Page, shown: int) -> str:
    """Return the line that says what is left out; it stands first and last, so that neither end can be missed."""
    start, total, what = page.start, page.total, page.what
    after = start + shown
    told = f" {page.beyond}" if page.beyond else ""
    if shown == total and page.beyond:
        return f"COMPLETE AS ASKED: all {total:,} {what}.{told}"
    if shown == total:
        return f"COMPLETE: {f'all {total:,}' if total else 'no'} {what}.{told}"
    if after > total:
        return f"LAST PAGE: {start:,} to {total:,} of {total:,} {what}; those before: {page.command(1)}{told}"
    before = f"{start - 1:,} before and " if start > 1 else ""
    left = f"{before}{total - after + 1:,} after are LEFT OUT"
    return f"CUT OFF: {start:,} to {after - 1:,} of {total:,} {what}; {left}. To go on: {page.command(after)}{told}"


def _short(line: Line, most: int) -> str:
    if not line.whole or len(line.text) <= most:
        return line.text
    kept, rest = line.text[: line.keep], line.text[line.keep :]
    return kept + shortened(rest, max(most - count_tokens(kept), _SHORTEST_LINE), line.whole)


def shortened(text: str, most: int, whole: str) -> str:
    """Return a text of about `most` tokens: as it is, or its first words, how much is left out, and how to see it.

    Args:
        text: one line.
        most: tokens; what is said of the rest comes on top of it.
        whole: the command that shows it whole.
    """
    if len(text) <= most or count_tokens(text) <= most:
        return text
    words = [match.end() for match in _WORD_END.finditer(text)]
    # Where not even one word fits, it is cut between characters.
    kept = _that_fit(text, words, most) or _that_fit(text, range(1, len(text)), most)
    left = count_tokens(text[len(kept) :])
    if len(whole) > _LONGEST_COMMAND:
        whole = "forest show, with --passport --at HEAD"
    return f"{kept} … ({left:,} tokens LEFT OUT; whole: {whole}) …"


def _that_fit(text: str, ends: Sequence[int], most: int) -> str:
    """Return as much of a text, up to one of some ends, as has at most so many tokens."""
    count = bisect_right(ends, most, key=lambda end: count_tokens(text[:end]))
    return text[: ends[count - 1]] if count else ""


def shell_command(*words: str) -> str:
    """Return a command for a shell, each word quoted where it must be."""
    return shlex.join(map(printable, words))


def clean(text: str) -> str:
    """Return text of a node as one line that is safe on a terminal."""
    return one_line(printable(text))
