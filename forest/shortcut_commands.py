"""The commands `forest shortcuts list`, `apply` and `retire`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forest.commands import HELP, forest_option, json_option, open_forest, read_days, today_option

if TYPE_CHECKING:
    from datetime import date

    from forest.shortcut import Shortcut
    from forest.state import State

_DIGITS = 12
_REFUSED_TOLD = 20

ids_argument = click.argument("ids", metavar="[ID]...", nargs=-1)


@click.group(context_settings=HELP)
def shortcuts() -> None:
    """List, apply and retire doors that trails earned.

    A way that walks on similar questions took often enough is a door of its own, kept beside the branches
    (docs/shortcuts.md).

    \b
    Example:
      forest shortcuts list --cold
      forest shortcuts apply --all
    """  # noqa: D301


@shortcuts.command(name="list", context_settings=HELP)
@forest_option
@click.option("--node", metavar="ID", help="Only those that lead from this node.")
@click.option("--cold", is_flag=True, help="Only those proposed for retirement: cold, or what they carry is gone.")
@today_option
@json_option
def list_shortcuts(folder: Path | None, node: str | None, cold: bool, today: str | None, as_json: bool) -> None:
    """List shortcuts: what they span and carry, their trails, and why one is proposed for retirement.

    \b
    Example:
      forest shortcuts list --node lft/art-76
    """  # noqa: D301
    from forest.render import to_json

    now = read_days(None, None, today)[2]
    with open_forest(folder) as state:
        found = state.shortcuts.of(state.catalog.node(node).id) if node else state.shortcuts.all()
        told = [_facts(state, one, now) for one in found]
        refused = state.shortcuts.refused()
    told = [facts for facts in told if facts["faults"] or not cold]
    if as_json:
        files = [{"path": path, "why": why} for path, why in refused]
        click.echo(to_json({"shortcuts": told, "not_shortcuts": files}))
        return
    for facts in told:
        click.echo(_text(facts))
    proposed = sum(bool(facts["faults"]) for facts in told)
    applied = sum(facts["applied"] for facts in told)
    plural = "" if len(told) == 1 else "s"
    click.echo(f"{len(told):,} shortcut{plural}; {applied:,} applied; {proposed:,} proposed for retirement.")
    _tell_refused(refused)


def _facts(state: State, shortcut: Shortcut, today: date) -> dict[str, Any]:
    from forest.shortcuts import faults_of, is_applied

    return {
        "id": shortcut.id,
        "source": shortcut.source,
        "to": shortcut.to,
        "way": [[door.source, door.kind, door.to] for door in shortcut.way],
        "passages": [cited.id for cited in shortcut.passages],
        "trails": list(shortcut.trails),
        "commit": shortcut.commit,
        "minted": shortcut.minted,
        "reinforced": shortcut.reinforced,
        "applied": is_applied(state, shortcut),
        "faults": list(faults_of(state, shortcut, today)),
    }


def _text(facts: dict[str, Any]) -> str:
    way = ", ".join(f"{kind} {to}" for _, kind, to in facts["way"])
    trails = ", ".join(trail[:_DIGITS] for trail in facts["trails"])
    lines = [
        f"{facts['id'][:_DIGITS]}  {facts['source']} -> {facts['to']}{'  (applied)' if facts['applied'] else ''}",
        f"    spans: {way}",
        f"    carries: {', '.join(facts['passages']) or 'nothing'}",
        f"    {len(facts['trails'])} trails: {trails}",
        f"    minted {facts['minted']}, walked last {facts['reinforced']}",
    ]
    lines += [f"    proposed for retirement: {'; '.join(facts['faults'])}"] if facts["faults"] else []
    return "\n".join(lines)


def _tell_refused(refused: tuple[tuple[str, str], ...]) -> None:
    from forest.text import one_line, printable

    for path, why in refused[:_REFUSED_TOLD]:
        click.echo(f"Passed over, no shortcut: {printable(one_line(path[:200]))}: {printable(why)}", err=True)
    if len(refused) > _REFUSED_TOLD:
        click.echo(f"And {len(refused) - _REFUSED_TOLD:,} more files that are no shortcuts.", err=True)


@shortcuts.command(context_settings=HELP)
@ids_argument
@forest_option
@click.option("--all", "every", is_flag=True, help="All that are not applied and not proposed for retirement.")
@today_option
@json_option
def apply(ids: tuple[str, ...], folder: Path | None, every: bool, today: str | None, as_json: bool) -> None:
    """Write shortcuts as edges into the passports of their nodes, by a commit on the branch.

    Only a few lines are inserted. A file with changes that are not committed is left alone, and the exit status is
    then 1. IDs may be shortened to what is unambiguous.

    \b
    Example:
      forest shortcuts apply 3f9c20a1 --forest my-forest
    """  # noqa: D301
    from forest.applying import Outcome, apply_shortcuts
    from forest.render import to_json
    from forest.shortcuts import evidence_of, faults_of, is_applied
    from forest.text import one_line, printable

    now = read_days(None, None, today)[2]
    with open_forest(folder) as state:
        wanted = _named(state, ids, or_else=every, option="--all")
        if every:
            found = state.shortcuts.all()
            wanted += [one for one in found if not is_applied(state, one) and not faults_of(state, one, now)]
        stale = {one.id for one in wanted if evidence_of(state, one).changed}
        outcomes = [
            Outcome(one, "refused", "What it carries has changed. Retire it, or let a further trail mend it.")
            for one in wanted
            if one.id in stale
        ]
        fresh = list(dict.fromkeys(one for one in wanted if one.id not in stale))
        outcomes += apply_shortcuts(state, fresh) if fresh else ()
    if as_json:
        keys = ("status", "why", "commit")
        told = [{"id": o.shortcut.id, **{key: getattr(o, key) for key in keys}} for o in outcomes]
        click.echo(to_json(told))
    else:
        for o in outcomes:
            said = {"applied": f"applied in commit {o.commit[:_DIGITS]}", "there": "its edge is there already"}
            why = printable(one_line(said.get(o.status, f"refused: {o.why}")))
            click.echo(f"{o.shortcut.id[:_DIGITS]}  {o.shortcut.source} -> {o.shortcut.to}  {why}")
        if not outcomes:
            click.echo("There is nothing to apply.")
    if any(o.status == "refused" for o in outcomes):
        sys.exit(1)


@shortcuts.command(context_settings=HELP)
@ids_argument
@forest_option
@click.option("--cold", is_flag=True, help="All that are proposed for retirement.")
@today_option
@json_option
def retire(ids: tuple[str, ...], folder: Path | None, cold: bool, today: str | None, as_json: bool) -> None:
    """Take shortcuts off again. The edges of those that were applied stay; where they stand is told.

    \b
    Example:
      forest shortcuts retire --cold
    """  # noqa: D301
    from forest.minting import retire as take_off
    from forest.render import to_json
    from forest.shortcuts import edge_place, faults_of

    now = read_days(None, None, today)[2]
    with open_forest(folder) as state:
        wanted = _named(state, ids, or_else=cold, option="--cold")
        if cold:
            wanted += [one for one in state.shortcuts.all() if faults_of(state, one, now)]
        gone = list(dict.fromkeys(wanted))
        places = [edge_place(state, one) for one in gone]
        if gone:
            take_off(state, gone)
    if as_json:
        pairs = zip(gone, places, strict=True)
        click.echo(to_json([{"id": one.id, "edge": place} for one, place in pairs]))
        return
    for one, place in zip(gone, places, strict=True):
        left = f"; its edge stays, remove it at {place}" if place else ""
        click.echo(f"{one.id[:_DIGITS]}  {one.source} -> {one.to}  retired{left}")
    if not gone:
        click.echo("There is nothing to retire.")


def _named(state: State, ids: tuple[str, ...], *, or_else: bool, option: str) -> list[Shortcut]:
    from forest.errors import WrongUsage
    from forest.shortcuts import find_shortcut

    if bool(ids) == or_else:
        raise WrongUsage(f"Name shortcuts by their ids, or give {option}.", "List them with `forest shortcuts list`.")
    return [find_shortcut(state, text) for text in ids]
