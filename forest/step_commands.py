"""The commands that take one step: outline, scent, read. Each opens the forest as of a day and prints what it shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forest.commands import (
    HELP,
    clock_options,
    forest_option,
    from_option,
    json_option,
    open_forest,
    print_observation,
    read_days,
)

if TYPE_CHECKING:
    from forest.observation import Observation
    from forest.state import State
    from forest.validity import Clock


@click.command(context_settings=HELP)
@click.argument("node_id", metavar="[NODE]", required=False)
@forest_option
@from_option
@clock_options
@json_option
def outline(node_id: str | None, folder: Path | None, start: int, as_json: bool, **days: str | None) -> None:
    """Show where a node stands and what it consists of: passages and children.

    Without NODE it is the root. Of an article's versions those in force are shown, and the others counted.

    \b
    Example:
      forest outline lft/art-76 --in-force-on 2022-06-01
    """  # noqa: D301
    from forest.outline import outline as step

    _take(lambda state, clock: step(state, node_id, clock, start), folder, days, as_json=as_json)


@click.command(context_settings=HELP)
@click.argument("node_id", metavar="NODE")
@forest_option
@from_option
@clock_options
@json_option
def scent(node_id: str, folder: Path | None, start: int, as_json: bool, **days: str | None) -> None:
    """Show a node's passport and every door on from it, numbered, each with its one line.

    \b
    Example:
      forest scent lft/art-76 --as-of 2022-01-01
    """  # noqa: D301
    from forest.scent import scent as step

    _take(lambda state, clock: step(state, node_id, clock, start), folder, days, as_json=as_json)


@click.command(context_settings=HELP)
@click.argument("node_id", metavar="NODE[#PASSAGE]")
@forest_option
@from_option
@clock_options
@json_option
def read(node_id: str, folder: Path | None, start: int, as_json: bool, **days: str | None) -> None:
    """Read a node, or one passage of it, as numbered sentences and table rows.

    What does not fit is left out aloud, with the command that goes on.

    \b
    Example:
      forest read lft/art-76@2022-12-27
      forest read lft#2
    """  # noqa: D301
    from forest.steps import read as step

    _take(lambda state, clock: step(state, node_id, clock, start), folder, days, as_json=as_json)


def _take(
    step: Callable[[State, Clock], Observation[Any]], folder: Path | None, days: dict[str, str | None], *, as_json: bool
) -> None:
    from forest.steps import step_clock

    before, on, now = read_days(days["as_of"], days["in_force_on"], days["today"])
    with open_forest(folder, before) as state:
        shown = step(state, step_clock(as_of=before, in_force_on=on, today=now))
    print_observation(shown, list(shown.items), as_json=as_json)
