"""The command `forest heat`: what trails left on doors, as one question feels it, down to the trails."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from forest.commands import (
    HELP,
    as_of_option,
    forest_option,
    json_option,
    open_forest,
    read_days,
    read_words,
    today_option,
)


@click.command(context_settings=HELP)
@click.argument("node_id", metavar="[NODE]", default="")
@forest_option
@click.option("--for", "question", metavar="QUESTION", default="", help="As this question feels it.")
@click.option(
    "--unconditioned", is_flag=True, help="Feel every walk, however unlike its question. [default without --for]"
)
@click.option(
    "--limit", default=10, show_default=True, type=click.IntRange(1, 1000), help="How many doors, and trails of each."
)
@as_of_option
@today_option
@json_option
def heat(
    node_id: str,
    folder: Path | None,
    question: str,
    unconditioned: bool,
    limit: int,
    as_of: str | None,
    today: str | None,
    as_json: bool,
) -> None:
    """Tell which doors trails have warmed, and why.

    Without NODE these are the warmest doors of the forest. With NODE its entry and its doors, each with the trails
    behind it. h+ comes from walks in which the door led to what the answer cites, h- from others; the boost is the
    factor by which a navigator multiplies the door's score. docs/heat.md has the formula.

    \b
    Example:
      forest heat
      forest heat lft --for "¿Cuántos días de vacaciones da la ley?"
    """  # noqa: D301
    from forest.heat import open_heat
    from forest.heat_view import heat_page, heat_text
    from forest.render import to_json
    from forest.spelling import wording_of

    before, _, now = read_days(as_of, None, today)
    day = now if today else datetime.now(UTC).date()  # trails have the days of UTC
    conditioned = bool(question) and not unconditioned
    with open_forest(folder, before) as state:
        if node_id:
            node_id = state.catalog.node(node_id).id
        asked = wording_of(state, read_words((question,))).text if question else ""
        with open_heat(state, day, conditioned, progress=_tell) as felt:
            page = heat_page(state, felt, node_id, asked, conditioned=conditioned, limit=limit)
    click.echo(to_json(page) if as_json else heat_text(page))


def _tell(folded: int) -> None:
    """Tell on standard error how many trails were folded in: the first time there may be many."""
    click.echo(f"Folding trails: {folded:,}", err=True)
