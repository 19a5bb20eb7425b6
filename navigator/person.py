"""A person as navigator: the same actions and observations as any other, typed at a terminal.

Owns what can be typed and what a bare number means: it takes from the list that was shown last. Terminals are for the
command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from forest.errors import WrongUsage
from forest.limits import MAX_QUESTION_CHARACTERS
from forest.observation import Observation
from navigator.actions import (
    VERBS,
    Action,
    Answer,
    Basis,
    Decision,
    Doors,
    Enter,
    Find,
    GiveUp,
    Hop,
    Note,
    Outline,
    Read,
    Search,
    parse_action,
)
from navigator.answering import complaint_of
from navigator.walk import Navigator
from navigator.world import World

HELP = """\
  WORD…          search for words             f WORD…       look for words where you stand
  NUMBER         take it from the last list: enter what was found, read a passage, go through a door
  d [FROM]       doors of where you stand     o [FROM]      its outline: passages and children
  r [N] [FROM]   read passage N               m             more of what was cut off
  b              back                         e NODE        enter a node that was shown
  w DOOR         the words that establish a door
  n N,N          note sentences of the passage last read, as a step on the way
  n N,N = VALUE  … whose words hold the answer; n N,N = * if the words are the answer
  l              list your notes              x NOTE        drop a note
  a              answer with your notes       q [MISSING]   give up       ?  this help"""

_LETTERS = {
    "o": "outline",
    "d": "doors",
    "r": "read",
    "e": "enter",
    "w": "basis",
    "s": "search",
    "f": "find",
    "b": "back",
    "x": "drop",
    "q": "give up",
}
_HELP_WANTED = frozenset(("", "?", "h", "help"))


@dataclass
class _Seen:
    """What a person has before their eyes.

    Attributes:
        listed: what the numbers of the list last shown stand for.
        more: what goes on with what was cut off, None when nothing was or there is no such action.
        last_read: id of the passage whose sentences were shown last, "" before any was.
    """

    listed: Mapping[int, Action] = field(default_factory=dict)
    more: Action | None = None
    last_read: str = ""


def person(world: World, ask: Callable[[], str], tell: Callable[[str], None], first: Action | None = None) -> Navigator:
    """Return a person's decisions.

    Args:
        world: where the walk takes place.
        ask: gives the next line typed; raises EOFError at the end of input.
        tell: shows text.
        first: what is done before anything is asked.
    """
    seen = _Seen()
    action = first
    while True:
        while action is None:
            try:
                action = _typed(" ".join(ask().split()), world, seen, tell)
            except EOFError:
                action = GiveUp()
            except WrongUsage as error:
                tell(str(error))
        here, kept = world.here, len(world.notes)
        observation = yield Decision(action)
        tell(observation.text)
        if len(world.notes) > kept and (complaint := complaint_of(world, world.notes[-1])):
            tell(f"{complaint} To drop the note: x {len(world.notes)}")
        if observation.items or world.here is not here:
            _see(seen, world, action, observation)
            if seen.more is not None:
                tell("m shows more.")
        action = None


def _typed(line: str, world: World, seen: _Seen, tell: Callable[[str], None]) -> Action | None:
    """Return what a typed line decides; None when it only asked to be told something."""
    if line in _HELP_WANTED:
        tell(HELP)
        return None
    if line == "l":
        tell(_notes_of(world))
        return None
    action = action_of(line, seen)
    if isinstance(action, Answer) and not any(note.value and not complaint_of(world, note) for note in world.notes):
        raise WrongUsage("No note answers yet.", "n 2 = VALUE notes a sentence that holds the answer; q gives up.")
    return action


def _see(seen: _Seen, world: World, action: Action, observation: Observation[Any]) -> None:
    """Remember what was shown."""
    match action:
        case Read(passage) if world.here is not None:
            seen.last_read = f"{world.here.id}#{passage}"
        case Basis():
            node, unit = observation.items[0]
            seen.last_read = f"{node}#{unit.passage}"
        case _:
            seen.listed = numbered(world, action, observation)
    seen.more = more_of(action, observation)


def action_of(line: str, seen: _Seen) -> Action:
    """Return the action that a typed line means, blanks being single.

    Raises:
        WrongUsage: the line is none; the message says what could be typed.
    """
    if len(line) > MAX_QUESTION_CHARACTERS:
        raise WrongUsage(f"That has {len(line):,} characters; at most {MAX_QUESTION_CHARACTERS:,} are read.")
    letter, _, rest = line.partition(" ")
    if line.isascii() and line.isdigit():
        return _numbered(line, seen.listed)
    if letter == "n":
        return _note(rest, seen.last_read)
    if line == "m":
        if seen.more is None:
            raise WrongUsage("There is no more of what was shown last.", "d shows doors, o the outline, r 1 reads.")
        return seen.more
    if line == "r":
        return Read(1)
    if line == "a":
        return Answer()
    if letter in _LETTERS:
        try:
            return parse_action(f"{_LETTERS[letter]} {rest}")
        except WrongUsage:
            takes = next(verb.takes for verb in VERBS if verb.name == _LETTERS[letter])
            raise WrongUsage(f"{line[:80]!r} is not {f'{letter} {takes}'.strip()}.", "? shows the keys.") from None
    if letter == "forest":
        raise WrongUsage("That is a command for a shell.", "Here m shows more, and ? the keys.")
    if any(line == verb.name or line.startswith(f"{verb.name} ") for verb in VERBS):
        return parse_action(line)
    return Search(line)


def numbered(world: World, action: Action, observation: Observation[Any]) -> Mapping[int, Action]:
    """Return what the numbers of a list that was shown stand for; nothing where none was."""
    match action:
        case Search():
            return {place: Enter(hit.reading.node.id) for place, hit in enumerate(observation.items, start=1)}
        case Doors():
            return {door.number: Hop(door.number) for door in observation.items}
        case Find():
            return {part.number: Read(part.number) for part in observation.items}
        case Enter() | Hop() | Outline() if world.here is not None:
            # Children are doors in the same order, after the parent's.
            ahead = int(world.state.catalog.parent(world.here) is not None)
            before = len(world.state.catalog.passage_tokens(world.here)) - ahead
            return {
                part.number: Hop(part.number - before) if part.kind == "child" else Read(part.number)
                for part in observation.items
            }
    return {}


def more_of(action: Action, shown: Observation[Any]) -> Action | None:
    """Return the action that goes on with what was cut off, None when nothing was or a search was."""
    if not shown.next:
        return None
    match action:
        case Doors(start):
            return Doors(start + shown.shown)
        case Outline(start):
            return Outline(start + shown.shown)
        case Enter() | Hop():
            return Outline(1 + shown.shown)
        case Read(passage, start):
            return Read(passage, start + shown.shown)
    return None


def _numbered(line: str, listed: Mapping[int, Action]) -> Action:
    action = listed.get(int(line)) if len(line) < 10 else None
    if action is None:
        has = f"has {min(listed)} to {max(listed)}" if listed else "is empty"
        raise WrongUsage(f"No {line[:20]} there: the last list {has}.", "d shows doors, o the outline, WORDS search.")
    return action


def _note(rest: str, last_read: str) -> Note:
    numbers, _, value = rest.partition("=")
    words = numbers.replace(",", " ").split()
    if not last_read:
        raise WrongUsage("Nothing was read yet.", "Read a passage first: r 1")
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise WrongUsage(f"{numbers.strip()[:80]!r} are no numbers of sentences.", "Like this: n 2,3 = the value")
    return Note(last_read, tuple(map(int, words)), value.strip())


def _notes_of(world: World) -> str:
    lines = []
    for number, note in enumerate(world.notes, start=1):
        value = f" = {note.value}" if note.value else ""
        lines.append(f"[{number}] {note.reading.passage.id}{value}: {' […] '.join(note.quotes)}")
        complaint = complaint_of(world, note)
        lines += [f"    {complaint}"] if complaint else []
    return "\n".join(lines) or "No notes yet."
