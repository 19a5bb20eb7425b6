"""The commands `forest trails …` and `forest feedback`."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forest.commands import HELP, find_folder, forest_option, json_option, open_forest, read_days, today_option
from forest.errors import WrongUsage

if TYPE_CHECKING:
    from datetime import date

    from forest.forgetting import Erased
    from forest.history import Snapshot
    from forest.shortcut import Shortcut
    from forest.sync import Synced
    from forest.trails import StoredTrail

_DIGITS = 12


@click.group(context_settings=HELP)
def trails() -> None:
    """Tell which trails hunts left, share them with other clones, and let them go.

    Trails are kept beside the branches, on a ref that clones do not fetch by themselves (docs/trails.md).

    \b
    Example:
      forest trails list --node lft/art-76
      forest trails sync origin
    """  # noqa: D301


@trails.command(name="list", context_settings=HELP)
@forest_option
@click.option("--node", metavar="ID", help="Only those that walked through this node.")
@click.option("--question", metavar="WORDS", help="Only those whose question is about all of these words.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="How many.")
@json_option
def list_trails(folder: Path | None, node: str | None, question: str | None, limit: int, as_json: bool) -> None:
    """List trails, the latest first.

    \b
    Example:
      forest trails list --question "salario mínimo" --limit 5
    """  # noqa: D301
    from forest.render import to_json
    from forest.trail_index import open_trail_index
    from forest.trails import trails_named

    stems = _stems(question)
    with open_forest(folder) as state, open_trail_index(state) as index:
        total = len(index.trails_of())
        known = [one for one in index.trails_of(node=node) if stems <= set(one.signature)]
        days = {one.day for one in known[:limit]}  # the index tells days, a trail its time
        stored = trails_named(state.snapshot, [one.id for one in known if one.day in days])
        latest = heapq.nlargest(limit, stored, key=lambda one: (one.trail.time, one.trail.id))
        told = _facts(state.snapshot, latest)
    if as_json:
        click.echo(to_json({"total": total, "matching": len(known), "trails": told}))
        return
    for facts in told:
        click.echo(_line(facts))
    shown = f"{len(told):,} of {len(known):,} shown" if len(told) < len(known) else f"{len(known):,} shown"
    click.echo(f"{total:,} trail{'' if total == 1 else 's'} here; {shown}.")


def _stems(question: str | None) -> set[str]:
    from forest.trail import signature_of

    stems = set(signature_of(question)) if question is not None else set()
    if question is not None and not stems:
        raise WrongUsage("These words say nothing that a trail could be found by.", "Name what the question is about.")
    return stems


def _facts(snapshot: Snapshot, found: list[StoredTrail]) -> list[dict[str, Any]]:
    from forest.trails import read_question, side_ref, verdicts_of

    verdicts = verdicts_of(snapshot, [one.trail.id for one in found])
    with side_ref(snapshot) as ref:
        return [
            {
                "id": one.trail.id,
                "time": one.trail.time,
                "private": one.private,
                "question": read_question(ref, one.question),
                "signature": list(one.trail.signature),
                "doors": [[door.source, door.kind, door.to, door.useful] for door in one.trail.doors],
                "cited": [cited.id for cited in one.trail.cited],
                "ending": one.trail.ending,
                "navigator": one.trail.navigator,
                "commit": one.trail.commit,
                "good": verdicts[one.trail.id][0],
                "bad": verdicts[one.trail.id][1],
            }
            for one in found
        ]


def _clean(text: object) -> str:
    from forest.text import one_line, printable

    return printable(one_line(str(text)))


def _line(facts: Mapping[str, Any]) -> str:
    useful = sum(door[3] for door in facts["doors"])
    said = "".join(f"  {facts[word]} {word}" for word in ("good", "bad") if facts[word])
    private = "  private" if facts["private"] else ""
    asked = _clean(facts["question"] or "(its words are not here)")
    return (
        f"{facts['id'][:_DIGITS]}  {facts['time']:%Y-%m-%d %H:%M}  {useful} of {len(facts['doors'])} doors useful"
        f"{private}{said}\n    {asked}\n    cites {', '.join(facts['cited'])}"
    )


@trails.command(context_settings=HELP)
@click.argument("trail", metavar="TRAIL")
@forest_option
@json_option
def show(trail: str, folder: Path | None, as_json: bool) -> None:
    """Show one trail: its question, every door that was walked, what was cited, and what was thought of it.

    TRAIL is the beginning of its id, 6 digits or more.

    \b
    Example:
      forest trails show 3fa94c01
    """  # noqa: D301
    from forest.render import to_json
    from forest.trails import find_trail

    snapshot = _snapshot(folder)
    facts = _facts(snapshot, [find_trail(snapshot, trail)])[0]
    if as_json:
        click.echo(to_json(facts))
        return
    click.echo(f"{facts['id']}{'  (private)' if facts['private'] else ''}")
    click.echo(_clean(facts["question"] or "(its words are not here)"))
    ended = f"{facts['time']:%Y-%m-%d %H:%M:%S} UTC, by {facts['navigator']}, {facts['ending'].replace('_', ' ')}"
    click.echo(f"{ended}, at commit {facts['commit'][:_DIGITS]}; {facts['good']} good, {facts['bad']} bad")
    for source, kind, to, useful in facts["doors"]:
        click.echo(f"  {'+' if useful else '-'} {source + ' ' if source else ''}{kind} {to}")
    click.echo(f"cites {', '.join(facts['cited'])}")


@trails.command(context_settings=HELP)
@click.argument("remote", metavar="[REMOTE]", required=False, default="")
@forest_option
@json_option
def sync(remote: str, folder: Path | None, as_json: bool) -> None:
    """Share trails with a remote: fetch its own, take in what holds here, give it ours.

    REMOTE is a configured remote, a URL or a path. [default: origin, or the only one] Trails come in only from remotes
    that you trust, and each is verified again. Private trails are never sent.

    \b
    Example:
      forest trails sync origin
    """  # noqa: D301
    from forest.minting import reconsider
    from forest.remotes import find_remote
    from forest.render import to_json
    from forest.sync import sync as exchange

    def tell(doing: str) -> None:
        click.echo(_clean(doing), err=True)

    with open_forest(folder) as state:
        place = find_remote(state.snapshot, remote)
        done = exchange(state, place, datetime.now(UTC), tell)
        gone = reconsider(state)
    if as_json:
        click.echo(to_json(done))
        return
    for line in (*_sync_text(done), *_gone_text(gone)):
        click.echo(_clean(line))


def _sync_text(done: Synced) -> Iterator[str]:
    from forest.admission import REASONS

    name = done.remote.name
    yield f"{name}: {done.received:,} trails came in, {done.sent:,} were sent; {done.verdicts:,} feedback came in."
    if done.lost:
        yield f"{done.lost:,} trails that were here are gone: {name} has forgotten or pruned them."
    if done.left:
        yield (
            f"The history of trails was begun anew, as {name} has erased some. Nothing names the former one, "
            f"{done.left[:_DIGITS]}, any more, and `git gc` drops it in time."
        )
    for reason, count in done.waiting.items():
        if reason == "not trusted":
            yield f"{count:,} wait: you do not trust {name}. If you do: forest trails trust {name}"
        else:
            yield f"{count:,} did not come in, being {dict(REASONS)[reason]}."  # type: ignore[index]
    if done.waiting and "not trusted" not in done.waiting:
        yield "They are looked at again at the next sync."
    if done.unseen:
        yield f"{done.unseen:,} more were not looked at: too many at once. Sync again to go on."
    if done.odd:
        yield f"{name} has files among its trails that are none, or contradict ours; they were left there."


@trails.command(context_settings=HELP)
@click.argument("remote", metavar="REMOTE")
@forest_option
@click.option("--revoke", is_flag=True, help="Trust it no longer; what came in stays.")
@json_option
def trust(remote: str, folder: Path | None, revoke: bool, as_json: bool) -> None:
    """Let trails, feedback and forgetting of a remote count here.

    Trusted is the place, not the name: a remote that is moved must be trusted again. It is noted in the git directory.

    \b
    Example:
      forest trails trust origin
    """  # noqa: D301
    from forest.remotes import find_remote
    from forest.remotes import trust as note
    from forest.render import to_json

    snapshot = _snapshot(folder)
    place = find_remote(snapshot, remote)
    changed = note(snapshot, place, revoke=revoke)
    if as_json:
        click.echo(to_json({"remote": place, "trusted": not revoke, "changed": changed}))
        return
    word = "not trusted" if revoke else "trusted"
    click.echo(_clean(f"{place.name} ({place.url}) is {word}{' now' if changed else ', as before'}."))


@trails.command(context_settings=HELP)
@forest_option
@click.option("--before", metavar="DAY", help="The first day that is kept.")
@click.option("--older-than", type=click.IntRange(0), metavar="DAYS", help="Let go of what is older than so many days.")
@today_option
@json_option
def prune(folder: Path | None, before: str | None, older_than: int | None, today: str | None, as_json: bool) -> None:
    """Let go of all trails of before a day, here and in clones that sync.

    \b
    Example:
      forest trails prune --older-than 365
    """  # noqa: D301
    from forest.forgetting import prune as let_go
    from forest.render import to_json
    from forest.validity import read_day

    if (before is None) == (older_than is None):
        raise WrongUsage("Say from which day on trails are kept.", "Give one of --before DAY and --older-than DAYS.")
    now = read_days(None, None, today)[2]
    day = read_day(before, "--before") if before is not None else _earlier(now, older_than or 0)
    count = let_go(_snapshot(folder), day, now)
    if as_json:
        click.echo(to_json({"pruned": count, "before": day}))
        return
    click.echo(f"{count:,} trails of before {day} are pruned. Their history has them still.")


def _earlier(today: date, days: int) -> date:
    try:
        return today - timedelta(days=days)
    except OverflowError:
        raise WrongUsage(f"{days:,} days ago there was no calendar.") from None


@trails.command(context_settings=HELP)
@click.argument("names", metavar="[TRAIL]...", nargs=-1)
@forest_option
@click.option("--question", metavar="TEXT", help="All trails of this question, in exactly these words.")
@click.option("--node", metavar="ID", help="All trails that walked through this node or cite it.")
@click.option("--erase", "erasing", is_flag=True, help="Begin the history anew, without all that was ever forgotten.")
@json_option
def forget(
    names: tuple[str, ...], folder: Path | None, question: str | None, node: str | None, erasing: bool, as_json: bool
) -> None:
    """Let trails go, with their questions and what was thought of them. No clone brings them back.

    TRAIL is the beginning of an id, 6 digits or more. Without --erase the history of the trails still has them.

    \b
    Example:
      forest trails forget 3fa94c01
      forest trails forget --question "¿Cuánto gano?" --erase
    """  # noqa: D301
    from forest.forgetting import erase, trails_asked, trails_at
    from forest.forgetting import forget as let_go
    from forest.render import to_json
    from forest.trail_index import follow_trails
    from forest.trails import find_trail

    if not (names or question is not None or node or erasing):
        raise WrongUsage("Say which trails.", "Give ids, --question TEXT, --node ID, or --erase alone.")
    snapshot = _snapshot(folder)
    ids = {find_trail(snapshot, name).trail.id for name in names}
    if question is not None:
        ids |= set(trails_asked(snapshot, question.strip()))
    if node:
        ids |= set(trails_at(snapshot, node))
    count = let_go(snapshot, ids)
    erased = erase(snapshot) if erasing else None
    follow_trails(snapshot)
    gone = _reconsidered(folder, snapshot, ids)
    if as_json:
        click.echo(to_json({"forgotten": count, "erased": erased}))
        return
    click.echo(f"{count:,} trails are forgotten.")
    for line in _gone_text(gone):
        click.echo(line)
    if erased is not None:
        for line in _erased_text(erased):
            click.echo(line)


def _reconsidered(folder: Path | None, snapshot: Snapshot, ids: Collection[str]) -> tuple[Shortcut, ...]:
    """Take forgotten trails off the shortcuts; where there are none, the forest need not be opened."""
    from forest.minting import reconsider
    from forest.overlay import overlay_ref

    with overlay_ref(snapshot) as ref:
        if not ids or not ref.tip():
            return ()
    with open_forest(folder) as state:
        return reconsider(state, ids)


def _gone_text(gone: Sequence[Shortcut]) -> Iterator[str]:
    for one in gone:
        yield f"Too few trails are left for the shortcut {one.id[:_DIGITS]} from {one.source} to {one.to}: it is gone."


def _erased_text(erased: Erased) -> Iterator[str]:
    if not erased.refs:
        yield "There is no history of trails here."
        return
    yield "The history was begun anew: no ref of this repository leads to what was forgotten."
    yield "Until `git gc --prune=now`, git keeps the objects. Remotes and other clones keep theirs until they sync."


@click.command(context_settings=HELP)
@click.argument("hunt", metavar="HUNT")
@click.argument("verdict", metavar="good|bad", type=click.Choice(["good", "bad"]))
@forest_option
@json_option
def feedback(hunt: str, verdict: str, folder: Path | None, as_json: bool) -> None:
    """Say of a hunt that it was good or bad; later hunts on similar questions feel it.

    HUNT is the beginning of a trail's id, the id of a walk (`forest walks`), or `last`.

    \b
    Example:
      forest feedback last bad
    """  # noqa: D301
    from forest.minting import reconsider
    from forest.render import to_json
    from forest.trails import feedback as say
    from forest.trails import find_trail, verdicts_of

    with open_forest(folder) as state:
        stored = find_trail(state.snapshot, _trail_of(state.folder.parent, hunt))
        say(state.snapshot, stored.trail.id, verdict)
        good, bad = verdicts_of(state.snapshot, [stored.trail.id])[stored.trail.id]
        gone = reconsider(state, [stored.trail.id])
    if as_json:
        click.echo(to_json({"trail": stored.trail.id, "good": good, "bad": bad}))
        return
    click.echo(f"Trail {stored.trail.id[:_DIGITS]}: {good} good, {bad} bad.")
    for line in _gone_text(gone):
        click.echo(line)


def _trail_of(home: Path, hunt: str) -> str:
    """Return the id of the trail of a hunt, whole or its beginning."""
    from forest.errors import TrailNotFound
    from forest.journal import read_walk, walk_ids

    if hunt != "last" and hunt not in walk_ids(home):
        return hunt
    record = read_walk(home, hunt)
    if not record.deposited:
        raise TrailNotFound(
            f"Walk {record.id} left no trail.", "Only walks with a verified answer do; see `forest trails list`."
        )
    return record.deposited


def _snapshot(folder: Path | None) -> Snapshot:
    from forest.history import open_snapshot

    return open_snapshot(find_folder(folder))
