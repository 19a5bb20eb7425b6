"""What heat costs with many trails: folding, catching up, feeling; as ratios to a search of the same question.

Trails are planted over a forest's own nodes and doors, questions made of scents, some asked far more often than others,
on the days of a year. Run it as `python -m bench.heat_costs FOREST --trails 1000 10000` on a copy of a forest: it keeps
the trails that it plants.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path

from bench.speed import Timing, least
from forest.catalog import NodeRow
from forest.doors import doors_of
from forest.heat import Heat, open_heat
from forest.history import open_snapshot
from forest.question import read_question
from forest.retrieval import search_passages
from forest.state import State, open_state
from forest.trail import ENTRY, CitedPassage, Trail, WalkedDoor, question_id, signature_of
from forest.trail_index import INDEX_NAME, open_trail_index
from forest.trails import deposit_all
from forest.validity import clock_for
from forest.versions import VERSIONS

TODAY = date(2026, 12, 1)
_YEAR = 365
_AT_ONCE = 1_000  # trails in a commit
_CATCH_UP = 100
_ASKED_AGAIN = 4  # walks of a question, on average
_DOORS = 8  # of a node that are looked at


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured with so many trails.

    Attributes:
        trails: how many.
        deposit_seconds: for each trail, in commits of a thousand.
        fold_seconds: from nothing to an index of all of them.
        catch_up_seconds: opening it after another hundred.
        index_bytes: size of the index.
        timings: of the question that was asked most, in turns with its search.
    """

    trails: int
    deposit_seconds: float
    fold_seconds: float
    catch_up_seconds: float
    index_bytes: int
    timings: tuple[Timing, ...]


def planted(state: State, seed: int = 6) -> Iterator[tuple[Trail, str]]:
    """Yield trails with their questions, without end, the same for the same forest and seed."""
    draw = random.Random(seed)  # noqa: S311 - the same trails every time
    ids = state.catalog.ids("")
    asked: list[tuple[Trail, str]] = []
    for number in range(sys.maxsize):
        if asked and draw.random() > 1 / _ASKED_AGAIN:
            trail, text = asked[min(int(draw.paretovariate(1)) - 1, len(asked) - 1)]
        else:
            found = _walk(state, state.catalog.node(draw.choice(ids)), draw)
            if found is None:
                continue
            trail, text = found
            asked.append(found)
        midnight = datetime.combine(TODAY - timedelta(days=draw.randrange(_YEAR)), datetime.min.time(), UTC)
        yield replace(trail, time=midnight + timedelta(seconds=number % 86_400)), text


def _walk(state: State, node: NodeRow, draw: random.Random) -> tuple[Trail, str] | None:
    """Return a trail through two doors from a node, past one that led nowhere; None where there is no way."""
    first = doors_of(state, node, limit=_DOORS)
    if not first:
        return None
    good, poor = draw.choice(first), draw.choice(first)
    middle = state.catalog.find(good.to)
    second = doors_of(state, middle, limit=_DOORS) if middle else ()
    end = draw.choice(second) if second else good
    doors = {
        (node.id, poor.to): WalkedDoor(node.id, poor.kind, poor.to, useful=False),
        ("", node.id): WalkedDoor("", ENTRY, node.id, useful=True),
        (node.id, good.to): WalkedDoor(node.id, good.kind, good.to, useful=True),
    }
    if end is not good:
        doors[good.to, end.to] = WalkedDoor(good.to, end.kind, end.to, useful=True)
    text = f"¿{node.scent or node.title}?"[:300]
    cited = CitedPassage(end.to, 1, "a.md", node.blob, 0, 1, "0" * 64)
    trail = Trail(
        question=question_id(text),
        signature=signature_of(text),
        analyzer=VERSIONS["analyzer"],
        doors=tuple(doors.values()),
        cited=(cited,),
        ending="answered",
        navigator="scout",
        commit=state.snapshot.commit,
        tree=state.snapshot.tree,
        time=datetime.min.replace(tzinfo=UTC),
    )
    return trail, text


def measure(state: State, source: Iterator[tuple[Trail, str]], there: int, wanted: int, rounds: int) -> Costs:
    """Plant trails up to a number, and measure.

    Args:
        state: of a forest that has no other trails.
        source: `planted`, as far as `there`.
        there: how many are planted already.
        wanted: how many there ought to be, counting those by which it catches up.
        rounds: how often each thing that does not change anything is run.
    """
    begun = time.perf_counter()
    for first in range(there, wanted - _CATCH_UP, _AT_ONCE):
        deposit_all(state.snapshot, list(islice(source, min(_AT_ONCE, wanted - _CATCH_UP - first))))
    deposited = (time.perf_counter() - begun) / (wanted - _CATCH_UP - there)
    path = state.folder.parent / INDEX_NAME
    for name in (path, path.with_name(f"{INDEX_NAME}-wal"), path.with_name(f"{INDEX_NAME}-shm")):
        name.unlink(missing_ok=True)
    folded = _seconds(lambda: open_trail_index(state).close())
    deposit_all(state.snapshot, list(islice(source, _CATCH_UP)))
    caught_up = _seconds(lambda: open_trail_index(state).close())
    most_asked, question = next(planted(state))
    timings = _feel(state, question, most_asked.doors[0].source, rounds)
    return Costs(wanted, deposited, folded, caught_up, path.stat().st_size, timings)


def _seconds(thing: Callable[[], object]) -> float:
    begun = time.perf_counter()
    thing()
    return time.perf_counter() - begun


def _feel(state: State, question: str, node_id: str, rounds: int) -> tuple[Timing, ...]:
    doors = [door.to for door in doors_of(state, state.catalog.node(node_id))]

    def search() -> object:
        clock = clock_for(question, as_of=None, in_force_on=None, today=TODAY)
        return search_passages(state, read_question(state, question, clock), 10)

    def felt_doors(heat: Heat) -> object:
        felt = heat.felt_by(question)
        return [felt.boost(node_id, to) for to in doors]

    def unconditioned() -> object:
        with open_heat(state, TODAY, conditioned=False) as opened:  # it keeps what it read
            return felt_doors(opened)

    with open_heat(state, TODAY) as heat:
        name = "search"
        things: list[tuple[str, str, Callable[[], object]]] = [
            (name, name, search),
            ("open, nothing new", name, lambda: open_heat(state, TODAY).close()),
            ("felt_by", name, lambda: heat.felt_by(question)),
            (f"felt_by and a node's {len(doors)} doors", name, lambda: felt_doors(heat)),
            ("felt_by and an entry", name, lambda: heat.felt_by(question).boost("", node_id)),
            ("open, felt_by and the same doors, unconditioned", name, unconditioned),
            ("a door explained", name, lambda: heat.felt_by(question).explained("", node_id)),
        ]
        return least(things, rounds)


def table(costs: Costs) -> str:
    """Return what was measured with so many trails, as markdown."""
    base = costs.timings[0].wall_seconds
    rows = ((t.name, t.wall_seconds * 1000, t.wall_seconds / base) for t in costs.timings)
    whole = (
        ("deposit, each of a thousand", costs.deposit_seconds),
        ("fold all from nothing", costs.fold_seconds),
        (f"catch up by {_CATCH_UP}", costs.catch_up_seconds),
    )
    lines = [
        f"{costs.trails:,} trails, index {costs.index_bytes / 1e6:.1f} MB\n",
        "| what | milliseconds | ratio to a search |\n|---|---|---|",
        *(f"| {name} | {ms:.2f} | {ratio:.4f} |" for name, ms, ratio in rows),
        *(f"| {name} | {seconds * 1000:.2f} | {seconds / base:.4f} |" for name, seconds in whole),
    ]
    return "\n".join(lines)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forest", type=Path, help="a copy of a forest; trails are left in it")
    parser.add_argument("--trails", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with open_state(open_snapshot(options.forest)) as state:
        source, there = planted(state), 0
        for wanted in sorted(options.trails):
            costs = measure(state, source, there, wanted, options.rounds)
            print(table(costs), end="\n\n", flush=True)
            there = wanted


if __name__ == "__main__":
    main()
