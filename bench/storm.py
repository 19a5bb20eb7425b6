"""A storm: processes deposit trails and mint shortcuts while a curator commits, and some are killed at random.

Afterwards every deposit and every edit that was reported must be there, index and work tree clean, and `git fsck` must
find nothing. Run it as `python -m bench.storm FOREST` on a copy of a forest that is a repository of its own: it keeps
what is planted.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.heat_costs import TODAY, planted
from forest.applying import apply_shortcuts
from forest.commit import Batch
from forest.errors import ForestError
from forest.history import ObjectReader, open_snapshot, run_git
from forest.minting import consider
from forest.state import open_state
from forest.trails import deposit, stored_trails

_APPLY_EVERY = 10  # edits


@dataclass(frozen=True, slots=True)
class Weather:
    """How hard it blows.

    Attributes:
        processes: that deposit at once.
        deposits: reported before it ends.
        edits: commits of the curator.
        killed: how many processes are killed; each is replaced by a new one.
        seed: of what is drawn at random.
    """

    processes: int = 8
    deposits: int = 1_000
    edits: int = 50
    killed: int = 3
    seed: int = 6


@dataclass
class Damage:
    """What a storm left.

    Attributes:
        reported: ids of trails whose deposit was reported.
        edits: ids of commits of the curator.
        applied: shortcuts that became edges.
        killed: processes that were killed.
        seconds: how long it took.
        lost: reported trails that are not there.
        lost_edits: commits that HEAD does not follow.
        unclean: what `git status` and `git fsck` said.
        failed: what processes said that ended by themselves with an error.
    """

    reported: list[str] = field(default_factory=list)
    edits: list[str] = field(default_factory=list)
    applied: int = 0
    killed: int = 0
    seconds: float = 0.0
    lost: list[str] = field(default_factory=list)
    lost_edits: list[str] = field(default_factory=list)
    unclean: str = ""
    failed: list[str] = field(default_factory=list)

    @property
    def is_none(self) -> bool:
        """Whether nothing was lost or left unclean, and nobody failed."""
        return not (self.lost or self.lost_edits or self.unclean or self.failed)


class _Worker:
    """One process that deposits until it is stopped or killed; a thread reads what it reports."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.storm", str(folder), "--worker", str(seed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.reported: list[str] = []
        self.killed = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            if line.endswith("\n"):  # a kill may tear the last one
                self.reported.append(line.strip())

    def kill(self, *, group: bool) -> None:
        self.killed = True
        (os.killpg if group else os.kill)(self.process.pid, signal.SIGKILL)

    def end(self) -> str:
        """Let the process end by itself, and return what it complained about."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self._reader.join()
        said = self.process.stderr.read() if self.process.stderr is not None else ""
        return "" if self.process.wait() == 0 or self.killed else said.strip()[-500:] or "ended early"


def deposit_until_told(folder: Path, seed: int) -> None:
    """Deposit trails, mint what they earn, and print each id once it is kept, until standard input ends."""
    ended = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    with open_state(open_snapshot(folder)) as state:
        for trail, question in planted(state, seed):
            if ended.is_set():
                return
            # Each as a hunt of its own: it opens what is committed now.
            with open_state(open_snapshot(folder)) as now:
                print(deposit(now.snapshot, trail, question), flush=True)
                consider(now, trail, TODAY)


def storm(folder: Path, weather: Weather) -> Damage:
    """Let it blow over a forest, and return what it left."""
    draw = random.Random(weather.seed)  # noqa: S311 - which process is killed is no secret
    began, damage = time.monotonic(), Damage()
    workers = [_Worker(folder, number) for number in range(weather.processes)]
    everybody = list(workers)
    while (done := sum(len(one.reported) for one in everybody)) < weather.deposits or len(damage.edits) < weather.edits:
        # Edits and kills are spread over the deposits.
        if len(damage.edits) < weather.edits and done * weather.edits >= len(damage.edits) * weather.deposits:
            _edit(folder, damage)
        elif damage.killed < weather.killed and done * weather.killed >= damage.killed * weather.deposits and done:
            at = draw.randrange(len(workers))
            workers[at].kill(group=draw.random() < 0.5)
            damage.killed += 1
            workers[at] = _Worker(folder, 1000 + damage.killed)
            everybody.append(workers[at])
        if gone := [one for one in workers if one.process.poll() is not None and not one.killed]:
            damage.failed.append(f"{len(gone)} processes ended early")
            break
        time.sleep(draw.uniform(0.01, 0.1))
    damage.failed += [said for one in everybody if (said := one.end())]
    damage.reported = [trail_id for one in everybody for trail_id in one.reported]
    damage.seconds = time.monotonic() - began
    return _looked_at(folder, damage)


def _edit(folder: Path, damage: Damage) -> None:
    """Commit one more line in one node; now and then apply what was minted."""
    with open_state(open_snapshot(folder)) as state, ObjectReader(folder) as objects:
        ids = state.catalog.ids("")
        row = state.catalog.node(ids[len(damage.edits) * 7 % len(ids)])
        data = objects.read(row.blob) or b""
        with Batch(folder) as batch:
            batch.put(row.path, data + b"\nEdici\xc3\xb3n %d.\n" % len(damage.edits))
            commit = batch.commit(f"Edición {len(damage.edits)}")
        damage.edits.append(commit or "")
    if len(damage.edits) % _APPLY_EVERY == 0:
        with open_state(open_snapshot(folder)) as state:
            outcomes = apply_shortcuts(state, list(state.shortcuts.all())[:3])
            damage.applied += sum(one.status == "applied" for one in outcomes)


def _looked_at(folder: Path, damage: Damage) -> Damage:
    snapshot = open_snapshot(folder)
    kept = {stored.trail.id for stored in stored_trails(snapshot)}
    damage.lost = [trail_id for trail_id in damage.reported if trail_id not in kept]
    followed = set(run_git(folder, "rev-list", "HEAD").stdout.decode().split())
    damage.lost_edits = [commit for commit in damage.edits if commit not in followed]
    looks = (run_git(folder, "status", "--porcelain"), run_git(folder, "fsck", "--strict", "--no-dangling"))
    said = [(done.stdout + done.stderr).decode("utf-8", "replace") for done in looks]
    damage.unclean = said[0] + (said[1] if looks[1].returncode != 0 else "")
    return damage


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a storm and print what it left."""
    parser = argparse.ArgumentParser(prog="python -m bench.storm", description=__doc__)
    parser.add_argument("forest", type=Path, help="a copy of a forest, a repository of its own")
    for name, most in (("processes", 8), ("deposits", 1_000), ("edits", 50), ("killed", 3), ("seed", 6)):
        parser.add_argument(f"--{name}", type=int, default=most)
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    try:
        if given.worker is not None:
            deposit_until_told(given.forest, given.worker)
            return 0
        weather = Weather(given.processes, given.deposits, given.edits, given.killed, given.seed)
        damage = storm(given.forest, weather)
    except ForestError as error:
        print(f"storm: {error}", file=sys.stderr)
        return 1
    print(f"{weather.processes} processes, {damage.killed} killed, {damage.seconds:.0f} s")
    rate = len(damage.reported) / damage.seconds
    print(f"deposits: {len(set(damage.reported)):,} reported, {len(damage.lost)} lost, {rate:.1f} a second")
    print(f"edits: {len(damage.edits)}, {len(damage.lost_edits)} lost; shortcuts applied: {damage.applied}")
    print(f"git status and git fsck: {damage.unclean or 'clean'}")
    for said in damage.failed:
        print(f"failed: {said}", file=sys.stderr)
    return 0 if damage.is_none else 1


if __name__ == "__main__":
    sys.exit(main())
