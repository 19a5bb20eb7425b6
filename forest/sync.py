"""Sync: the trails of this clone and of a remote become their union, here and there.

What comes in was verified again (`forest.admission`) and comes from remotes that the user trusts, else nothing does.
What goes out goes to any remote, and nothing that is there is lost but what was forgotten or pruned here. Clones that
trust each other end with equal trees, in whichever order they sync.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from forest.admission import Admission, Reason
from forest.errors import RemoteUnusable
from forest.forgetting import drop_fetched, drop_reflog
from forest.history import run_git
from forest.remotes import Remote, Talk, is_trusted
from forest.side_ref import Change, Content, SideRef
from forest.state import State
from forest.trail_difference import MOST_LOOKED_AT, Difference, difference_of, files_of, verdict_path
from forest.trail_tree import (
    MAX_STATE_BYTES,
    STATE_PATH,
    TrailTree,
    TreeState,
    forgotten_path,
    place_of,
    question_path,
    state_from,
    trail_path,
    union,
)
from forest.trails import read_state, read_trail, side_ref

_MOST_TRIES = 6
_LONGEST_WAIT_SECONDS = 1.0
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did.

    Attributes:
        remote: with whom.
        trusted: whether anything of theirs could come in.
        received: trails that came in.
        verdicts: feedback that came in.
        sent: trails that the remote did not have.
        lost: trails that were here and that the remote has forgotten, or whose prune date is later.
        left: our former commit, when the remote's history was begun anew and ours was left; else "".
        waiting: trails and feedback that did not come in, by reason; looked at again at the next sync.
        unseen: how many were not looked at, as there were too many at once.
        odd: whether the remote's `state.json` cannot be believed, or files are there that no tree of trails has.
    """

    remote: Remote
    trusted: bool
    received: int = 0
    verdicts: int = 0
    sent: int = 0
    lost: int = 0
    left: str = ""
    waiting: Mapping[str, int] = field(default_factory=dict)
    unseen: int = 0
    odd: bool = False


def sync(state: State, remote: Remote, now: datetime, tell: Tell = lambda _: None) -> Synced:
    """Fetch a remote's trails, take in what may come in, and give it ours.

    Args:
        state: of the forest, as of no day.
        remote: with whom.
        now: the time.
        tell: is told what is being done.

    Raises:
        RemoteUnusable: the remote cannot be asked, refuses, or keeps being moved by others.
    """
    snapshot, tally = state.snapshot, Counter[str]()
    with side_ref(snapshot) as own, SideRef(snapshot, f"from/{remote.key}") as seen:
        trusted, left = is_trusted(snapshot, remote), ""
        for number in range(_MOST_TRIES):
            talk = Talk(snapshot, remote, own.ref, (own.tip(), seen.tip()))
            theirs = _fetched(talk, seen, remote, tell)
            exchange = _Exchange(state, own, theirs, now, trusted=trusted)
            exchange.take(tell)
            commit = exchange.given()
            tally.update({name: count for name, count in exchange.tally.items() if name != "sent"})
            left = left or exchange.left
            if commit == theirs or talk.push(commit, theirs):
                if left or exchange.theirs_left:
                    drop_fetched(snapshot)
                seen.move(seen.tip(), commit, "Sync")
                return Synced(
                    remote=remote,
                    trusted=trusted,
                    received=tally["received"],
                    verdicts=tally["verdicts"],
                    sent=exchange.tally["sent"],
                    lost=tally["lost"],
                    left=left,
                    waiting=exchange.waiting(),
                    unseen=exchange.unseen,
                    odd=exchange.odd,
                )
            time.sleep(random.uniform(0, min(_LONGEST_WAIT_SECONDS, 0.05 * 2**number)))  # noqa: S311 - only jitter
    raise RemoteUnusable(f"Others keep moving the trails of {remote.name}.", "Run this again.")


def _fetched(talk: Talk, seen: SideRef, remote: Remote, tell: Tell) -> str:
    """Return the remote's commit, "" without, when it is here with all that it leads to."""
    tip = talk.tip()
    if tip and tip != seen.tip():
        tell(f"Fetching the trails of {remote.name}.")
        tip = talk.fetch(tip)
        seen.move(seen.tip(), tip, "Fetch")
    return tip


class _Exchange:
    """What one try of a sync takes in and gives."""

    def __init__(self, state: State, own: SideRef, theirs: str, now: datetime, *, trusted: bool) -> None:
        self._state, self._own, self._theirs, self._now, self._trusted = state, own, theirs, now, trusted
        told = state_from(own.read(own.find(theirs, [STATE_PATH]).get(STATE_PATH, ""), MAX_STATE_BYTES))
        tomorrow = (now + timedelta(days=1)).date().isoformat()
        self._is_sound = told is not None and told.pruned_before <= tomorrow
        self._their_state = told if told is not None and self._is_sound else TreeState()
        self._reasons: dict[str, Reason | None] = {}
        self._first = Difference()
        self._only: frozenset[str] = frozenset()
        self.tally: Counter[str] = Counter()
        self.left = ""
        self.theirs_left = False

    # --- what comes in --------------------------------------------------------------------------------------------

    def take(self, tell: Tell) -> None:
        """Take in what may come in."""
        if not self._theirs:
            return
        tip = self._own.tip()
        self._first = difference_of(self._own, tip, self._theirs, most=MOST_LOOKED_AT)
        self._only = self._first.paths
        if not self._trusted:
            return
        self._judge(tip, tell)
        if self._own.apply(self._change, "Sync") != tip and self.left:
            drop_reflog(self._state.snapshot, self._own.ref)

    def _judge(self, tip: str, tell: Tell) -> None:
        """Find out, before anybody has to wait for us, what is admitted."""
        first = self._first
        if first.trails:
            tell(f"Verifying {len(first.trails):,} trails.")
        kept = read_state(self._own, tip).join(self._their_state)
        asked = {one.trail for one in first.trails} | {place.trail for place, _ in first.verdicts}
        gone = set(first.forgotten) | self._having(tip, forgotten_path, asked)
        admission = Admission(self._state, self._own, self._now, kept, gone)
        for one, reason in admission.trails(first.trails):
            self._reasons[trail_path(one.trail)] = reason
        known = self._having(tip, trail_path, {place.trail for place, _ in first.verdicts})
        known |= {one.trail for one in first.trails if self._reasons[trail_path(one.trail)] is None}
        for place, reason in admission.verdicts(first.verdicts, known):
            self._reasons[verdict_path(place)] = reason

    def _having(self, commit: str, path_of: Callable[[str], str], ids: Collection[str]) -> set[str]:
        found = self._own.find(commit, map(path_of, ids))
        return {place.trail for path in found if (place := place_of(path))}

    @property
    def _is_whole(self) -> bool:
        """Whether all that is there came in, so that their commit may become a part of our history."""
        refused = any(reason is not None for reason in self._reasons.values())
        return self._is_sound and not (refused or self._first.unseen or self._first.odd)

    def _change(self, tip: str) -> Change:
        """Return what becomes of our ref."""
        found = difference_of(self._own, tip, self._theirs, self._only)
        state = read_state(self._own, tip)
        joined = state.join(self._their_state)
        admitted = self._admitted(found)
        near = self._near(tip, found, all_of_it=state.pruned_before < joined.pruned_before)
        both = union(TrailTree(state, near), TrailTree(self._their_state, admitted), self._days(near, admitted)).files
        self._count(near, both)
        keep_mine, keep_theirs = state.erased == joined.erased, self._their_state.erased == joined.erased
        self.left = "" if keep_mine else tip
        keep_theirs = keep_theirs and self._is_whole
        if keep_theirs and joined == self._their_state and _are_theirs(both, near, admitted, found):
            return Change(instead=self._theirs)
        files = _changes(near, both)
        if joined != state or (files and not tip):
            files[STATE_PATH] = joined.as_bytes()
        if not files and (not keep_theirs or self._follows(tip)):
            return Change()
        return Change(files, ((tip,) if keep_mine else ()) + ((self._theirs,) if keep_theirs else ()))

    def _admitted(self, found: Difference) -> dict[str, str]:
        """Return the files that come in, by path."""
        files = {forgotten_path(trail_id): self._own.blob_id(b"") for trail_id in found.forgotten}
        for one in found.trails:
            if self._reasons.get(trail_path(one.trail), "form") is None:
                files |= {trail_path(one.trail): one.blob, question_path(one.trail): one.question}
        for place, blob in found.verdicts:
            if self._reasons.get(verdict_path(place), "form") is None:
                files[verdict_path(place)] = blob
        return files

    def _near(self, tip: str, found: Difference, *, all_of_it: bool) -> dict[str, str]:
        """Return those of our files that the union has to look at."""
        if all_of_it:
            return {path: blob for path, blob in self._own.entries(tip) if path != STATE_PATH}
        near = found.mine | files_of(self._own, tip, found.forgotten)
        about = {place.trail for path in near if (place := place_of(path)) and place.kind != "forgotten"}
        about |= {place.trail for place, _ in found.verdicts}
        return near | self._own.find(tip, map(trail_path, sorted(about)))

    def _days(self, mine: Mapping[str, str], theirs: Mapping[str, str]) -> Callable[[str], date | None]:
        def day_of(trail_id: str) -> date | None:
            path = trail_path(trail_id)
            trail = read_trail(self._own, trail_id, mine.get(path) or theirs[path])
            return trail.day if trail is not None else None

        return day_of

    def _count(self, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        come, gone = after.keys() - before.keys(), before.keys() - after.keys()
        self.tally = Counter(
            received=sum(_is_trail(path) for path in come),
            verdicts=sum(path.startswith("feedback/") for path in come),
            lost=sum(_is_trail(path) for path in gone),
        )

    def _follows(self, tip: str) -> bool:
        """Tell whether our history has their commit."""
        done = run_git(self._state.snapshot.folder, "merge-base", "--is-ancestor", self._theirs, tip)
        return done.returncode == 0

    # --- what goes out --------------------------------------------------------------------------------------------

    def given(self) -> str:
        """Return the commit that the remote's ref is to name; its own when we have nothing to give."""
        own, theirs, tip = self._own, self._theirs, self._own.tip()
        if not theirs or not tip or tip == theirs:
            self.tally["sent"] = 0 if theirs or not tip else sum(_is_trail(path) for path, _ in own.entries(tip))
            return tip or theirs
        found = difference_of(own, tip, theirs, self._only)
        state = read_state(own, tip)
        joined = state.join(self._their_state)
        files = self._outgoing(found)
        if joined != self._their_state or not self._is_sound:
            files[STATE_PATH] = joined.as_bytes()
        if not files:
            return theirs
        self.tally["sent"] = sum(_is_trail(path) for path in found.mine)
        self.theirs_left = self._their_state.erased != joined.erased
        if not found.theirs and joined == state and (self.theirs_left or self._follows(tip)):
            return tip
        ways = ((theirs, self._their_state), (tip, state))
        return own.commit(theirs, files, tuple(one for one, told in ways if told.erased == joined.erased), "Sync")

    def _outgoing(self, found: Difference) -> dict[str, Content]:
        """Return what changes there: what we have beside it, less what we have forgotten or pruned."""
        gone = {place.trail for path in found.mine if (place := place_of(path)) and place.kind == "forgotten"}
        refused = (path for path, reason in self._reasons.items() if reason in ("pruned", "forgotten"))
        gone |= {place.trail for path in refused if (place := place_of(path))}
        dropped: dict[str, Content] = dict.fromkeys(files_of(self._own, self._theirs, sorted(gone)))
        return dropped | found.mine

    # --- what is told ---------------------------------------------------------------------------------------------

    def waiting(self) -> dict[str, int]:
        """Return how many trails and verdicts did not come in, by reason."""
        first = self._first
        if not self._trusted:
            count = len(first.trails) + len(first.verdicts) + len(first.forgotten) + first.unseen
            return {"not trusted": count} if count else {}
        dropped = ("pruned", "forgotten")  # they do not wait: they are gone there too
        reasons = Counter(reason for reason in self._reasons.values() if reason and reason not in dropped)
        return dict(sorted(reasons.items()))

    @property
    def unseen(self) -> int:
        """How many files of theirs were not looked at, that would have been if there were fewer."""
        return self._first.unseen if self._trusted else 0

    @property
    def odd(self) -> bool:
        """Whether something is there that no tree of trails has."""
        return bool(self._theirs) and (self._first.odd > 0 or not self._is_sound)


def _is_trail(path: str) -> bool:
    return path.startswith("trails/") and path.endswith(".json")


def _are_theirs(
    both: Mapping[str, str], near: Mapping[str, str], admitted: Mapping[str, str], found: Difference
) -> bool:
    """Tell whether a union is exactly their tree: all of theirs is in it, and nothing that only we have."""
    return admitted.keys() <= both.keys() and all((path in both) == (path not in found.mine) for path in near)


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Content]:
    gone: dict[str, Content] = dict.fromkeys(path for path in before if path not in after)
    come = {path: blob for path, blob in after.items() if before.get(path) != blob}
    # The empty blob need not be here yet.
    return gone | {path: b"" if path.startswith("forgotten/") else blob for path, blob in come.items()}
