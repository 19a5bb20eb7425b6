"""The commands of the package: walking by hand, and reading walks again."""

from __future__ import annotations

import io
import sys
import time
from contextlib import suppress
from pathlib import Path

import click

from forest.commands import (
    HELP,
    as_of_option,
    forest_option,
    in_force_option,
    json_option,
    open_forest,
    read_days,
    read_words,
    today_option,
)


@click.command(context_settings=HELP)
@click.argument("question", nargs=-1)
@forest_option
@as_of_option
@in_force_option
@today_option
@click.option(
    "--at", "node", metavar="NODE", help="Begin at this node. [default: a search for the question, or the root]"
)
def walk(
    question: tuple[str, ...],
    folder: Path | None,
    as_of: str | None,
    in_force_on: str | None,
    today: str | None,
    node: str | None,
) -> None:
    """Walk a forest by hand, step by step.

    You see what any navigator sees: outlines, numbered doors with their scents, numbered sentences. Notes that you keep
    become the claims of an answer, checked and cited. Each step is recorded as it happens: `forest walks` shows it.

    \b
    Example:
      forest walk "¿Quién emitió la norma que sustituyó a la NOM-001-SEMARNAT-1996?" --forest my-forest
    """  # noqa: D301
    from forest.legal import identifiers
    from forest.observation import shell_command
    from forest.render import answer_text
    from forest.store import INDEX_NAME
    from forest.text import printable
    from forest.validity import clock_for
    from navigator.actions import Action, Enter, Search
    from navigator.person import HELP as KEYS
    from navigator.person import person
    from navigator.route import open_journal
    from navigator.walk import Limits
    from navigator.walk import walk as take_walk
    from navigator.world import World

    text = read_words(question) if question else ""
    before, on, now = read_days(as_of, in_force_on, today)
    with open_forest(folder, before) as state:
        named = identifiers(text, state.catalog)
        clock = clock_for(text, as_of=before, in_force_on=on, today=now, named=named.spans)
        world = World(state, clock, question=text)
        root = state.catalog.at_path(INDEX_NAME)
        begin = node or ("" if text or root is None else root.id)
        first: Action | None = Search(text) if text and not node else None
        if begin:
            state.catalog.node(begin)  # says so when there is none
            world.show(begin)
            first = Enter(begin)
        book = open_journal(state, text, world.clock, "person")
        place = ("--forest", state.place) if state.place else ()
        recorded = f"Recorded: {shell_command('forest', 'walks', book.path.stem, *place)}"
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # what is typed may be in any encoding
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401 - makes `input` edit lines and remember them
        click.echo(f"{KEYS}\n")
        try:
            ended = take_walk(
                text,
                world,
                person(
                    world,
                    lambda: input(f"{world.here.id if world.here else 'forest'}> "),
                    lambda shown: click.echo(f"\n{printable(shown)}\n"),
                    first,
                ),
                book.write,
                time.monotonic,
                Limits(steps=10_000, tokens=10_000_000, wall_seconds=7 * 24 * 3600.0),
            )
        except KeyboardInterrupt:
            click.echo(f"\n{recorded}")
            raise
        finally:
            book.close()
    click.echo()
    if ended.answer.claims or ended.answer.near:
        click.echo(answer_text(ended.answer))
    if not ended.answer.claims:
        click.echo("The walk ended without an answer.")
    click.echo(recorded)
    if not ended.answer.claims:
        sys.exit(1)


@click.command(context_settings=HELP)
@click.argument("walk_id", metavar="[WALK]", required=False)
@forest_option
@json_option
def walks(walk_id: str | None, folder: Path | None, as_json: bool) -> None:
    """List the walks recorded here, or show one, finished or not.

    WALK is an id from the list, or `last`.

    \b
    Example:
      forest walks last --forest my-forest
    """  # noqa: D301
    from forest.journal import read_walk, read_walks
    from forest.render import to_json
    from forest.text import one_line, printable
    from navigator.telling import walk_text

    with open_forest(folder) as state:
        home = state.folder.parent
        if walk_id:
            record = read_walk(home, walk_id)
            click.echo(to_json(record) if as_json else walk_text(record))
            return
        records, unreadable = read_walks(home)
    if as_json:
        click.echo(to_json([{**r.header, "id": r.id, "ending": (r.ending or {}).get("ending")} for r in records]))
        return
    for r in records:
        ending = r.ending["ending"] if r.ending else "no ending"
        words = (r.header["navigator"], ending, r.header["question"] or "(no question)")
        navigator, ended, asked = (printable(one_line(text)) for text in words)
        click.echo(f"{r.id}  {navigator:<7} {len(r.steps):>4} steps  {ended.replace('_', ' '):<11}  {asked}")
    if not records:
        click.echo("No walks are recorded here yet.")
    if unreadable:
        click.echo(f"Not readable: {', '.join(unreadable)}.", err=True)
