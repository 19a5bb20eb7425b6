"""The answer of a walk: its notes as claims, each checked by code before it is said.

A claim stands when its passage was read on this walk, its value is among the words that it quotes, and its text holds
on the days that the question is about. What does not stand is not said; the answer tells that it was left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from forest.analyzer import stems
from forest.answer import Answer, Claim, Missing, Near, Status
from forest.catalog import NodeRow
from forest.picking import WORDS
from forest.state import State
from forest.text import fold, one_line
from forest.units import units_of
from forest.validity import may_be_given
from forest.values import Value, holds_value, parse_value
from navigator.actions import Ending
from navigator.world import Noted, World

_REPEALED = frozenset(("derogado", "abrogado", "invalidado"))
# Drafts are printed for consultation, in the words of the norm that they are to become.
_DRAFT = frozenset(("proyecto", "anteproyecto", "borrador", "draft"))
_TITLE_OF_DRAFT = re.compile(
    r"(?:ante)?proyectos? de (?:la |las |los |el )?"
    r"(?:norma|modificacion|decreto|ley|acuerdo|reglamento|lineamiento|reforma|resolucion|regla|estandar|nom\b|nmx\b)"
    r"|.*\bproy-(?:nom|nmx)-|.*\(proyecto\)"
)
_ASKS_FOR_DRAFT = re.compile(r"\b(?:(?:ante)?proyectos?|proy|borrador(?:es)?|drafts?|proposed)\b")
_LIMITS = {
    "step_limit": "The walk was stopped at its limit of steps.",
    "token_limit": "The walk was stopped at its limit of tokens.",
    "time_limit": "The walk was stopped at its limit of time.",
    "malformed_replies": "The walk was stopped: too many replies could not be read.",
    "model_error": "The walk was stopped: the model could not be reached.",
    "interrupted": "The walk was interrupted.",
}


def conclude(question: str, world: World, ending: Ending, missing: str, remark: str = "") -> Answer:
    """Return what a walk says.

    Args:
        question: as asked.
        world: the walk's, with its notes.
        ending: why it stopped; only `answered` makes claims of the notes, any other shows them as what came near.
        missing: what the navigator did not find, in a sentence.
        remark: what the navigator tells beside its notes, in a sentence.
    """
    complaints = [(note, complaint_of(world, note)) for note in world.notes]
    standing = [note for note, complaint in complaints if not complaint]
    answers = ending == "answered" and any(note.value for note in standing)
    # The answer first, then the way to it.
    claims = tuple(_claim(world, note) for note in sorted(standing, key=lambda note: not note.value))
    gaps = (Missing(missing, "not found on this walk", _where(world)),) if missing else ()
    return Answer(
        question=question,
        status=_status(ending, gaps, answers=answers),
        clock=world.clock,
        claims=claims if answers else (),
        missing=gaps,
        near=() if answers else claims,
        nearest=() if answers else _where(world),
        notes=(
            *([remark] if remark else []),
            *(complaint for _, complaint in complaints if complaint),
            *([_LIMITS[ending]] if ending in _LIMITS else []),
            *_as_of(world),
        ),
        confidence={"claims standing": len(standing) / len(complaints) if complaints else 0.0},
        commit=world.state.snapshot.commit,
        tree=world.state.snapshot.tree,
    )


def complaint_of(world: World, note: Noted) -> str:
    """Return why a note cannot be claimed, "" when it can."""
    node, clock = note.reading.node, world.clock
    if note.value not in ("", WORDS) and not _holds(note, note.value):
        return f"«{note.value}» was not said: it does not stand in the words noted of {note.reading.passage.id}."
    if note.value and not may_be_given(node, clock, " ".join(note.quotes)):
        return f"{node.id} was read but not given as an answer: it is not in force on {clock.words}."
    if note.value and _REPEALED & set(node.tags):
        return f"{node.id} was read but not given as an answer: it is repealed."
    if note.value and not _ASKS_FOR_DRAFT.search(fold(world.question)) and is_draft(world.state, node):
        return f"{node.id} was read but not given as an answer: it is a draft."
    return ""


def is_draft(state: State, node: NodeRow) -> bool:
    """Tell whether a node, or a node that it is a part of, calls itself a draft: by kind, tag or title."""
    return any(
        one.kind == "draft" or _DRAFT & set(one.tags) or _TITLE_OF_DRAFT.match(fold(one_line(one.title)))
        for one in (node, *state.catalog.ancestors(node))
    )


def _holds(note: Noted, value: str) -> bool:
    text, begins = note.reading.text, {start for start, _ in note.runs}
    headers = {span.header for span in units_of(text) if span.start in begins and span.header is not None}
    above = (*note.reading.passage.heading, note.reading.node.title)
    said = [text[start:end] for start, end in note.runs if (start, end) not in headers]
    named = [text[start:end] for start, end in headers]
    return stands_in(value, (*note.quotes, *above)) or stands_in(value, said, (*named, *above))


def stands_in(value: str, texts: Iterable[str], around: Iterable[str] = ()) -> bool:
    """Tell whether one of some texts holds a value, in these words or as the same amount, day or identifier.

    Args:
        value: as somebody said it.
        texts: of which one must hold it.
        around: where its unit may stand when the text has its number alone: the head of a table, headings, a title.
    """
    texts = [one_line(text) for text in texts]
    # Whole words and numbers: 15.04 does not stand in 315.04, nor 5 in 2025.
    wanted = re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(fold(one_line(value)))}(?!\w)(?![.,]\d)")
    if any(wanted.search(fold(text)) for text in texts):
        return True
    parsed = parse_value(value)
    if parsed is None:
        return False
    if any(holds_value(text, parsed) for text in texts):
        return True
    unit, place = _unit_words(value, parsed), " ".join(around)
    return bool(unit) and any(
        holds_value(text, parsed, bare=True) and unit <= set(stems(f"{text} {place}")) for text in texts
    )


def _unit_words(value: str, parsed: Value) -> set[str]:
    """Return the stems of the words by which an amount is one of something; empty for what has none."""
    if parsed.kind == "money":
        return set(stems("pesos")) if parsed.unit == "MXN" else set()
    return {stem for stem in stems(value) if stem.isalpha()} if parsed.kind == "quantity" else set()


def _claim(world: World, note: Noted) -> Claim:
    reading = note.reading
    units = [unit.start for unit in units_of(reading.text) if not reading.text.startswith("#", unit.start)]
    unquoted = sum(not any(start <= unit < end for start, end in note.runs) for unit in units)
    return Claim(
        text="\n".join(one_line(quote) if "\n|" not in quote else quote for quote in note.quotes),
        title=reading.node.title,
        heading=reading.passage.heading,
        citations=tuple(reading.cite(quote) for quote in note.quotes),
        left_out=unquoted + world.state.catalog.count_passages(reading.node) - 1,
        value="" if note.value == WORDS else note.value,
        leads=not note.value,
    )


def _status(ending: Ending, gaps: tuple[Missing, ...], *, answers: bool) -> Status:
    if answers:
        return "partial" if gaps else "answered"
    return "stopped" if ending in _LIMITS else "not_found"


def _where(world: World) -> tuple[Near, ...]:
    return (Near(world.here.id, world.here.title),) if world.here is not None else ()


def _as_of(world: World) -> tuple[str, ...]:
    day = world.clock.as_of
    return (f"Texts published, or consolidated with reforms, after {day} were left out.",) if day else ()
