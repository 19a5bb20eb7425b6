"""The actions of a walk: one table that says them, prints them and parses them back.

A navigator decides on one action at a time and says why. What an action does is `navigator.world`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from forest.errors import WrongUsage

Ending = Literal[
    "answered",
    "abstained",
    "step_limit",
    "token_limit",
    "time_limit",
    "malformed_replies",
    "model_error",
    "interrupted",
]


@dataclass(frozen=True, slots=True)
class Search:
    """Look for words in the whole forest."""

    words: str

    def __str__(self) -> str:
        return f"search {self.words}"


@dataclass(frozen=True, slots=True)
class Enter:
    """Stand at a node that something shown before has named."""

    node: str

    def __str__(self) -> str:
        return f"enter {self.node}"


@dataclass(frozen=True, slots=True)
class Outline:
    """See the parts of where one stands, from the n-th on."""

    start: int = 1

    def __str__(self) -> str:
        return f"outline {self.start}"


@dataclass(frozen=True, slots=True)
class Doors:
    """See the doors of where one stands, each with its scent, from the n-th on."""

    start: int = 1

    def __str__(self) -> str:
        return f"doors {self.start}"


@dataclass(frozen=True, slots=True)
class Find:
    """Look for words among the passages of where one stands."""

    words: str

    def __str__(self) -> str:
        return f"find {self.words}"


@dataclass(frozen=True, slots=True)
class Basis:
    """Read the words that establish a door, where they stand."""

    door: int

    def __str__(self) -> str:
        return f"basis {self.door}"


@dataclass(frozen=True, slots=True)
class Hop:
    """Go through a door, by its number."""

    door: int

    def __str__(self) -> str:
        return f"hop {self.door}"


@dataclass(frozen=True, slots=True)
class Read:
    """Read a passage of where one stands, from its n-th sentence or row on."""

    passage: int
    start: int = 1

    def __str__(self) -> str:
        return f"read {self.passage} {self.start}"


@dataclass(frozen=True, slots=True)
class Back:
    """Return to where one came from."""

    def __str__(self) -> str:
        return "back"


@dataclass(frozen=True, slots=True)
class Note:
    """Keep sentences or rows that were read, by their numbers; code copies the words.

    Attributes:
        passage: as `node#n`.
        units: numbers within the passage.
        value: the short value that they hold and that answers; `WORDS` when the words themselves are the answer; ""
            for words that lead to it.
    """

    passage: str
    units: tuple[int, ...]
    value: str = ""

    def __str__(self) -> str:
        numbers = ",".join(map(str, self.units))
        return f"note {self.passage} {numbers}" + (f" = {self.value}" if self.value else "")


@dataclass(frozen=True, slots=True)
class Drop:
    """Forget a note, by its number; those after it move up."""

    note: int

    def __str__(self) -> str:
        return f"drop {self.note}"


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer with the notes kept.

    Attributes:
        remark: what the reader must know beside them, "" for nothing.
    """

    remark: str = ""

    def __str__(self) -> str:
        return f"answer {self.remark}".strip()


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Abstain, and say what is missing."""

    missing: str = ""

    def __str__(self) -> str:
        return f"give up {self.missing}".strip()


Action = Search | Find | Enter | Outline | Doors | Basis | Hop | Read | Back | Note | Drop | Answer | GiveUp


@dataclass(frozen=True, slots=True)
class Decision:
    """What a navigator decided, and why.

    Attributes:
        action: what is to be done.
        why: in a clause.
        by_model: whether a model chose it.
        plan: the chained sub-questions that it follows, in words; () where they are as told before.
    """

    action: Action
    why: str = ""
    by_model: bool = False
    plan: tuple[str, ...] = ()


_NOTE = re.compile(r"(?P<passage>\S+#[0-9]{1,9}) (?P<units>[0-9]{1,9}(?:[ ,]+[0-9]{1,9})*)(?: = (?P<value>.+))?")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


def _note(text: str) -> Note:
    match = _NOTE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Note(match["passage"], tuple(map(int, re.findall(r"[0-9]+", match["units"]))), match["value"] or "")


def _numbers(text: str, most: int) -> list[int]:
    words = text.split()
    if len(words) > most or not all(_NUMBER.fullmatch(word) for word in words):
        raise ValueError(text)
    return [int(word) for word in words]


def _named(text: str) -> str:
    if not text:
        raise ValueError(text)
    return text


def _none(text: str) -> None:
    if text:
        raise ValueError(text)


@dataclass(frozen=True, slots=True)
class Verb:
    """One row of the table: how an action is called, what it takes, and how that is read."""

    name: str
    takes: str
    does: str
    read: Callable[[str], Action]


def _back(text: str) -> Back:
    _none(text)
    return Back()


VERBS = (
    Verb("search", "WORDS", "look for words in the whole forest", lambda t: Search(_named(t))),
    Verb("find", "WORDS", "look for words where you stand", lambda t: Find(_named(t))),
    Verb("enter", "NODE", "stand at a node that was shown", lambda t: Enter(_named(t))),
    Verb("outline", "[FROM]", "the parts of where you stand", lambda t: Outline(*_numbers(t, 1))),
    Verb("doors", "[FROM]", "the ways on, each with its scent", lambda t: Doors(*_numbers(t, 1))),
    Verb("basis", "DOOR", "read the words that establish a door", lambda t: Basis(*_numbers(_named(t), 1))),
    Verb("hop", "DOOR", "go through a door, by its number", lambda t: Hop(*_numbers(_named(t), 1))),
    Verb("read", "PASSAGE [FROM]", "read a passage of where you stand", lambda t: Read(*_numbers(_named(t), 2))),
    Verb("back", "", "return to where you came from", _back),
    Verb("note", "NODE#PASSAGE N,N [= VALUE]", "keep sentences or rows, by their numbers", _note),
    Verb("drop", "NOTE", "forget a note, by its number", lambda t: Drop(*_numbers(_named(t), 1))),
    Verb("answer", "[REMARK]", "answer with the notes kept", Answer),
    Verb("give up", "[WHAT IS MISSING]", "abstain", GiveUp),
)


def parse_action(line: str) -> Action:
    """Read an action from one line, as `str` of it prints it.

    Raises:
        WrongUsage: it is none; the message shows what could have been said.

    Examples:
        >>> parse_action("note lft/art-76#1 2,3 = doce días")
        Note(passage='lft/art-76#1', units=(2, 3), value='doce días')
    """
    text = " ".join(line.split())
    for verb in VERBS:
        if text == verb.name or text.startswith(f"{verb.name} "):
            try:
                return verb.read(text[len(verb.name) :].strip())
            except (ValueError, TypeError):
                raise WrongUsage(f"{text[:80]!r} is not {verb.name} {verb.takes}.".replace(" .", "."), "") from None
    known = "; ".join(f"{verb.name} {verb.takes}".strip() for verb in VERBS)
    raise WrongUsage(f"{text[:80]!r} is no action.", f"Actions: {known}.")
