"""Scent: a node's passport and every door on from it, numbered, each with its one line. One step of a walk."""

from __future__ import annotations

from forest.doors import Door, count_doors, doors_of
from forest.observation import Line, Observation, Page, check_page, clean, fitted, most_items, shortened
from forest.outline import other_versions, passport_command, period_of, standing, step_command
from forest.state import State
from forest.validity import Clock

_TITLE_TOKENS = 60


def scent(state: State, node_id: str, clock: Clock, start: int = 1, budget: int | None = None) -> Observation[Door]:
    """Show a node's passport and its doors.

    Args:
        state: of the forest; the earlier of its day and the clock's `as_of` limits what is known.
        node_id: of the node.
        clock: of versions among the children, only those in force in its period are doors.
        start: 1-based number of the first door shown.
        budget: tokens; `scent_tokens` of `forest.yaml` unless given.

    Raises:
        NodeNotFound: there is no such node, or (`NodeNotKnownYet`) none yet on the day.
        WrongUsage: there is no door with the number `start`.
    """
    state = state.on(clock.as_of)
    node = state.catalog.node(node_id)
    config = state.config
    budget, period = budget or config.scent_budget_tokens, period_of(clock)
    total = count_doors(state, node, period)

    def command(at: int) -> str:
        return step_command(state, clock, "scent", node.id, at=at)

    check_page(start, total, f"doors of {node.id}", command)
    doors = doors_of(state, node, most_items(budget), start, period)
    head = [*standing(state, node, clock, config), *other_versions(state, node, clock, "scent")]
    page = Page(budget, start, total, f"doors of {node.id}", command)
    return fitted(page, head, doors, [_line(state, door) for door in doors])


def _line(state: State, door: Door) -> Line:
    title = shortened(clean(door.title), _TITLE_TOKENS, passport_command(state, door.to))
    way = f"[{door.number}] {door.kind} {door.to}"
    note = f" ({door.note})" if door.note else ""
    return Line(
        f"{way}{note}  ({door.node_kind}) {title}: {clean(door.scent)}",
        passport_command(state, door.states),
        len(way),
    )
