"""What keeping many trails costs: depositing, catching up, finding, and the room they take before and after `git gc`.

Times are also told as multiples of one start of git in the same run. Run it as
`python -m bench.trail_costs FOREST --trails 1000 10000` on a copy of a forest: it keeps the trails that it plants, and
collects garbage in its repository.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median

from bench.heat_costs import planted
from forest.errors import ForestError
from forest.forgetting import forget
from forest.history import Snapshot, open_snapshot, run_git
from forest.state import open_state
from forest.trail import Trail
from forest.trails import changes_since, deposit, deposit_all, find_trail, stored_trails, tips_of

_AT_ONCE = 1_000  # trails in a commit, while filling
_ALONE = 30  # deposits of one trail each
_CATCH_UP = 100
_ROUNDS = 9

Planted = Iterator[tuple[Trail, str]]


@dataclass(frozen=True, slots=True)
class TrailCosts:
    """What was measured with so many trails.

    Attributes:
        trails: how many.
        git_seconds: one start of git.
        deposit_seconds: of one trail, in a commit of its own.
        hundred_seconds: of a hundred trails in one commit.
        catch_up_seconds: reading what a hundred more trails changed.
        tips_seconds: asking whether anything changed.
        find_seconds: of one trail by the beginning of its id.
        forget_seconds: of one trail.
        list_seconds: reading all of them.
        alone_bytes: of disk for each deposit in a commit of its own.
        bytes_before: of disk for all objects, before `git gc`.
        bytes_after: after it.
        gc_seconds: of `git gc`.
    """

    trails: int
    git_seconds: float
    deposit_seconds: float
    hundred_seconds: float
    catch_up_seconds: float
    tips_seconds: float
    find_seconds: float
    forget_seconds: float
    list_seconds: float
    alone_bytes: float
    bytes_before: int
    bytes_after: int
    gc_seconds: float


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _median(work: Callable[[], object], rounds: int = _ROUNDS) -> float:
    return median(_seconds(work) for _ in range(rounds))


def _disk_bytes(snapshot: Snapshot) -> int:
    objects = snapshot.common_dir / "objects"
    return sum(path.stat().st_blocks * 512 for path in objects.rglob("*"))


def measure(snapshot: Snapshot, source: Planted, there: int, wanted: int) -> TrailCosts:
    """Plant trails up to a number, and measure.

    Args:
        snapshot: of a forest that has no other trails.
        source: gives trails that were not planted yet.
        there: how many are planted already.
        wanted: how many there are to be.
    """
    left = wanted - there - _ALONE - _CATCH_UP
    while left > 0:
        deposit_all(snapshot, islice(source, min(left, _AT_ONCE)))
        left -= _AT_ONCE
    room = _disk_bytes(snapshot)
    alone = list(islice(source, _ALONE))
    deposits = [_seconds(lambda one=one: deposit(snapshot, *one)) for one in alone]  # type: ignore[misc]
    taken = (_disk_bytes(snapshot) - room) / _ALONE
    tips, some = tips_of(snapshot), list(islice(source, _CATCH_UP))
    hundred = _seconds(lambda: deposit_all(snapshot, some))
    trail_id = some[0][0].id
    before = _disk_bytes(snapshot)
    return TrailCosts(
        trails=wanted,
        git_seconds=_median(lambda: run_git(snapshot.folder, "rev-parse", "HEAD")),
        deposit_seconds=median(deposits),
        hundred_seconds=hundred,
        catch_up_seconds=_median(lambda: list(changes_since(snapshot, tips).added)),
        tips_seconds=_median(lambda: tips_of(snapshot)),
        find_seconds=_median(lambda: find_trail(snapshot, trail_id[:12])),
        list_seconds=_seconds(lambda: sum(1 for _ in stored_trails(snapshot))),
        forget_seconds=_seconds(lambda: forget(snapshot, [trail_id])),
        alone_bytes=taken,
        bytes_before=before,
        gc_seconds=_seconds(lambda: run_git(snapshot.folder, "gc", "--quiet")),
        bytes_after=_disk_bytes(snapshot),
    )


def _table(all_costs: Sequence[TrailCosts]) -> Iterator[str]:
    names = ("deposit one", "a hundred at once", "catch up by a hundred", "any change?", "find one", "forget one")
    yield f"| trails | {' | '.join(names)} | read all |"
    yield "|---|---|---|---|---|---|---|---|"
    for costs in all_costs:
        times = (
            costs.deposit_seconds,
            costs.hundred_seconds,
            costs.catch_up_seconds,
            costs.tips_seconds,
            costs.find_seconds,
            costs.forget_seconds,
        )
        cells = " | ".join(f"{one * 1000:.0f} ms (×{one / costs.git_seconds:.0f})" for one in times)
        yield f"| {costs.trails:,} | {cells} | {costs.list_seconds:.1f} s |"
    yield ""
    yield "| trails | a deposit of its own takes | objects before `git gc` | after | `git gc` |"
    yield "|---|---|---|---|---|"
    for costs in all_costs:
        room = f"{costs.bytes_before / 1e6:.1f} MB | {costs.bytes_after / 1e6:.1f} MB"
        yield f"| {costs.trails:,} | {costs.alone_bytes / 1e3:.1f} kB | {room} | {costs.gc_seconds:.1f} s |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.trail_costs", description=__doc__)
    parser.add_argument("forest", type=Path, help="a copy of a forest, without trails")
    parser.add_argument("--trails", type=int, nargs="+", default=[1_000, 10_000], help="how many there are to be")
    given = parser.parse_args(arguments)
    try:
        with open_state(open_snapshot(given.forest)) as state:
            source, there, found = planted(state), 0, []
            for wanted in sorted(given.trails):
                print(f"Planting up to {wanted:,} trails.", file=sys.stderr)
                found.append(measure(state.snapshot, source, there, wanted))
                there = wanted
    except ForestError as error:
        print(f"trail_costs: {error}", file=sys.stderr)
        return 1
    print("\n".join(_table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
