"""What a body published in a period: its passport lists it, so the list is read off its doors and is whole."""

from __future__ import annotations

from datetime import date, timedelta

from forest.analyzer import stems
from forest.catalog import NodeRow
from navigator.actions import Answer, Basis, Decision, Doors, Enter, GiveUp, Note
from navigator.closing import notes_of
from navigator.explorer import Explorer, Steps
from navigator.period import published_in

_ANY_TEXT = ("", "documento", "publicacion", "texto", "disposicion", "instrumento")


def period_asked(explorer: Explorer) -> tuple[date, date] | None:
    """Return the half-open period whose publications of a body are asked for, None when that is not the question."""
    period = published_in(explorer.question)
    if period is None or explorer.scales.plan.asked.kind not in ("node", "words", "open"):
        return None
    found = (explorer.world.state.catalog.find(node) for node in explorer.named())
    return period if any(node is not None and node.kind == "entity" for node in found) else None


def list_published(explorer: Explorer, first: date, after: date) -> Steps:
    """List what the bodies that the question names published in a half-open period."""
    notes: list[Note] = []
    for node in explorer.named():
        explorer.world.show(node)
        yield Decision(Enter(node), "the question names it")
        start = 1
        while start:
            observation = yield Decision(Doors(start), "what has it published?")
            for door in observation.items:
                behind = explorer.world.state.catalog.find(door.to) if door.kind == "issues" else None
                if behind is None or behind.published is None or not first <= behind.published < after:
                    continue
                if _is_of_the_kind(explorer, behind):
                    basis = yield Decision(Basis(door.number), f"published on {behind.published}")
                    notes += [Note(passage, numbers, door.title) for passage, _, numbers in notes_of(basis)[:1]]
            start = start + observation.shown if observation.next and observation.shown else 0
    for note in notes:
        yield Decision(note, "it was published then")
    days = f"from {first} to {after - timedelta(days=1)}"
    if notes:
        yield Decision(Answer(f"Published {days}, by the passports of what it issued."), "those are all")
    else:
        yield Decision(GiveUp(f"anything published {days}"), "nothing that it issued is of those days")


def _is_of_the_kind(explorer: Explorer, node: NodeRow) -> bool:
    """Tell whether a text is of the kind that the question asks for by its noun."""
    noun = explorer.scales.plan.asked.noun
    return noun in _ANY_TEXT or bool(
        frozenset(stems(noun)) & frozenset((*node.stems.split(), *stems(" ".join(node.tags))))
    )
