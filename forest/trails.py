"""Trails in git: deposited, given feedback, and read again as changes since an earlier state.

They are files of two side refs of one shape: `trails`, which `forest.sync` shares, and `private`, which never leaves
this repository. What is in them is still checked when it is read: a repository may have come from anywhere.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from forest.errors import RevisionUnknown, TrailNotFound, TrailRefused, WrongUsage
from forest.history import Snapshot, run_git
from forest.limits import MAX_QUESTION_CHARACTERS
from forest.side_ref import Change, Content, SideRef
from forest.trail import MAX_TRAIL_BYTES, Trail, TrailWrong, question_id, trail_bytes, trail_from
from forest.trail_tree import (
    MAX_STATE_BYTES,
    STATE_PATH,
    TreePlace,
    TreeState,
    feedback_folder,
    feedback_path,
    forgotten_path,
    place_of,
    question_path,
    state_from,
    trail_path,
)
from forest.verdict import Verdict, verdict_bytes

SHARED, PRIVATE = "trails", "private"
MAX_QUESTION_BYTES = 4 * MAX_QUESTION_CHARACTERS
_NAMES = (SHARED, PRIVATE)
_TRAIL_ID = re.compile(r"[0-9a-f]{64}")
_PREFIX = re.compile(r"[0-9a-f]{6,64}")
_PATHS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class TrailChanges:
    """What became of the trails between two states of the refs. First `gone` holds, then `added`, then `verdicts`.

    Attributes:
        added: trails by id, read one by one as they are asked for. An id that is known may come again.
        gone: ids of trails that are in neither ref any more.
        verdicts: how many called each trail good and bad now, where that changed.
        tips: the state that these changes lead to.
    """

    added: Iterator[tuple[str, Trail]]
    gone: frozenset[str]
    verdicts: Mapping[str, tuple[int, int]]
    tips: str


@dataclass(frozen=True, slots=True)
class StoredTrail:
    """A trail where it is kept.

    Attributes:
        trail: the trail.
        private: whether it is kept from every sync.
        question: id of the blob with the question's words, "" without.
    """

    trail: Trail
    private: bool
    question: str


def side_ref(snapshot: Snapshot, *, private: bool = False) -> SideRef:
    """Return the ref of the trails that are shared, or of those that are not."""
    return SideRef(snapshot, PRIVATE if private else SHARED)


def deposit(snapshot: Snapshot, trail: Trail, question: str, *, private: bool = False) -> str:
    """Keep a trail; return its id. It is on the disk when this returns.

    Args:
        snapshot: the forest.
        trail: the trail.
        question: the words whose `question_id` the trail has.
        private: it is kept from every sync. A trail that is kept already stays where it is.

    Raises:
        TrailRefused: it was forgotten, or is of before the prune date.
        WrongUsage: the words are not those of the trail, or it is beyond a bound.
        RepositoryUnusable: it cannot be written.
    """
    return deposit_all(snapshot, [(trail, question)], private=private)[0]


def deposit_all(snapshot: Snapshot, trails: Iterable[tuple[Trail, str]], *, private: bool = False) -> tuple[str, ...]:
    """Keep some trails by one commit; all of them or, if any is refused, none. See `deposit`."""
    files = {trail.id: _files(trail, question) for trail, question in trails}
    with side_ref(snapshot, private=private) as ref, side_ref(snapshot, private=not private) as other:
        ref.apply(lambda tip: Change(_deposited(ref, other, tip, files)), _told(len(files), "trail"))
    return tuple(files)


def _told(count: int, what: str) -> str:
    return f"Deposit {count} {what}{'s' if count != 1 else ''}"


def _files(trail: Trail, question: str) -> tuple[Trail, dict[str, bytes]]:
    words, data = question.encode("utf-8", "surrogatepass"), trail_bytes(trail)
    if question_id(question) != trail.question:
        raise WrongUsage("The question is not the one that the trail names.")
    if len(question) > MAX_QUESTION_CHARACTERS or len(words) > MAX_QUESTION_BYTES:
        raise WrongUsage(f"The question has {len(question):,} characters, the limit is {MAX_QUESTION_CHARACTERS:,}.")
    trail_from(data)  # what nobody could read again is not written
    return trail, {trail_path(trail.id): data, question_path(trail.id): words}


def _deposited(
    ref: SideRef, other: SideRef, tip: str, files: Mapping[str, tuple[Trail, dict[str, bytes]]]
) -> dict[str, Content]:
    # One question to git for everything: a deposit costs about what its processes cost.
    commits = [commit for commit in (tip, other.ref) if commit]
    paths = [path_of(trail_id) for trail_id in files for path_of in (trail_path, forgotten_path)]
    there = ref.sizes(f"{commit}:{path}" for commit in commits for path in (STATE_PATH, *paths))
    state = _state_in(ref, there.get(f"{tip}:{STATE_PATH}", ("", 0))[0])
    changes: dict[str, Content] = {}
    for trail_id, (trail, contents) in files.items():
        if any(f"{commit}:{forgotten_path(trail_id)}" in there for commit in commits):
            raise TrailRefused(f"Trail {trail_id[:12]} was forgotten.", "What is forgotten is not deposited again.")
        if not state.keeps(trail.day):
            raise TrailRefused(
                f"Trail {trail_id[:12]} is of {trail.day}, and trails before {state.pruned_before} are pruned."
            )
        if not any(f"{commit}:{trail_path(trail_id)}" in there for commit in commits):
            changes |= contents
    return {STATE_PATH: state.as_bytes(), **changes} if changes else {}


def read_state(ref: SideRef, commit: str) -> TreeState:
    """Return what holds for the whole tree of a commit; one that says nothing usable has never changed."""
    return _state_in(ref, ref.find(commit, [STATE_PATH]).get(STATE_PATH, ""))


def _state_in(ref: SideRef, blob: str) -> TreeState:
    fresh = TreeState()
    if blob in ("", ref.blob_id(fresh.as_bytes())):
        return fresh
    return state_from(ref.read(blob, MAX_STATE_BYTES)) or fresh


def feedback(
    snapshot: Snapshot, trail_id: str, verdict: str, *, at: datetime | None = None, nonce: str = ""
) -> Verdict:
    """Say of a trail that its hunt was good or bad. What is said is kept beside the trail, private if it is.

    Args:
        snapshot: the forest.
        trail_id: the trail.
        verdict: `good` or `bad`.
        at: when it is said; None is now.
        nonce: what tells this verdict from an equal one; drawn at random when not given.

    Raises:
        TrailNotFound: there is no such trail.
        WrongUsage: another verdict.
    """
    if verdict not in ("good", "bad"):
        raise WrongUsage(f"{verdict[:40]!r} is no verdict.", "Say good or bad.")
    said = Verdict(
        trail_id, verdict == "good", (at or datetime.now(UTC)).replace(microsecond=0), nonce or secrets.token_hex(16)
    )
    for private in (False, True):
        with side_ref(snapshot, private=private) as ref:
            if trail_path(trail_id) in ref.find(ref.ref, [trail_path(trail_id)]):
                change = {feedback_path(trail_id, said.id, said.word): verdict_bytes(said)}
                ref.update(lambda tip: change if ref.find(tip, [trail_path(trail_id)]) else {}, "Feedback")  # noqa: B023
                return said
    raise not_found(trail_id)


def not_found(trail_id: str) -> TrailNotFound:
    """Return the error for a trail that is not here."""
    return TrailNotFound(f"There is no trail {trail_id[:64]!r}.", "List them with `forest trails list`.")


def tips_of(snapshot: Snapshot) -> str:
    """Return the state of the refs of trails as one word; equal words mean that nothing has changed. One git call."""
    prefix = f"refs/forest/{snapshot.forest_id}/"
    patterns = [prefix + name for name in _NAMES]
    done = run_git(snapshot.folder, "for-each-ref", "--format=%(refname) %(objectname)", *patterns)
    rows = (line.split() for line in done.stdout.decode("ascii", "replace").splitlines())
    return ",".join(sorted(f"{row[0].removeprefix(prefix)}={row[1]}" for row in rows if row[0] in patterns))


def _commits(tips: str) -> dict[str, str]:
    found = (part.partition("=") for part in tips.split(",") if part)
    return {name: commit for name, _, commit in found if name in _NAMES}


def changes_since(snapshot: Snapshot, tips: str) -> TrailChanges:
    """Return what became of the trails since an earlier state. What it costs follows what has changed.

    Args:
        snapshot: the forest.
        tips: the earlier state, from `tips_of` or `TrailChanges.tips`; "" is before the first trail.

    Raises:
        RevisionUnknown: the earlier state is not here any more, as after an erasure: begin anew from "".
        RepositoryUnusable: git cannot tell.
    """
    now = tips_of(snapshot)
    before, after = _commits(tips), _commits(now)
    ref = side_ref(snapshot)
    if not all(ref.has(commit) for name, commit in before.items() if after.get(name) != commit):
        raise RevisionUnknown("The trails that were known are not here any more.", "Read them all again.")
    added: dict[str, str] = {}
    gone: set[str] = set()
    judged: set[str] = set()
    for name in _NAMES:
        for path, _, new in ref.changes(before.get(name, ""), after.get(name, "")):
            place = place_of(path)
            if place is not None and place.kind == "trail":
                added |= {place.trail: new} if new else {}
                gone |= {place.trail} if not new else set()
            elif place is not None and place.kind in ("good", "bad"):
                judged.add(place.trail)
    for commit in after.values():
        gone -= {place.trail for path in ref.find(commit, map(trail_path, gone)) if (place := place_of(path))}
    return TrailChanges(
        added=_read(ref, added),
        gone=frozenset(gone - added.keys()),
        verdicts=_verdicts(ref, after.values(), judged),
        tips=now,
    )


def _read(ref: SideRef, blobs: Mapping[str, str]) -> Iterator[tuple[str, Trail]]:
    with ref:
        for blob, data in ref.read_many(blobs.values(), MAX_TRAIL_BYTES):
            trail_id = hashlib.sha256(data).hexdigest() if data is not None else ""
            # Of all names under which these bytes stand only their own counts.
            trail = trail_in(data, trail_id) if blobs.get(trail_id) == blob else None
            if trail is not None:
                yield trail_id, trail


def read_trail(ref: SideRef, trail_id: str, blob: str) -> Trail | None:
    """Return a trail, None when the blob does not hold the one that has this id."""
    return trail_in(ref.read(blob, MAX_TRAIL_BYTES), trail_id)


def trail_in(data: bytes | None, trail_id: str) -> Trail | None:
    """Return the trail that bytes are, None when they are not the one that has this id."""
    if data is None or hashlib.sha256(data).hexdigest() != trail_id:
        return None
    try:
        return trail_from(data)
    except TrailWrong:
        return None


def _verdicts(ref: SideRef, commits: Iterable[str], judged: Collection[str]) -> dict[str, tuple[int, int]]:
    counts = {trail_id: [0, 0] for trail_id in sorted(judged)}
    folders = [feedback_folder(trail_id) for trail_id in counts]
    for commit in commits:
        for first in range(0, len(folders), _PATHS_AT_ONCE):
            for path, _ in ref.entries(commit, folders[first : first + _PATHS_AT_ONCE]):
                place = place_of(path)
                if place is not None and place.trail in counts:
                    counts[place.trail][place.kind == "bad"] += 1
    return {trail_id: (good, bad) for trail_id, (good, bad) in counts.items()}


def verdicts_of(snapshot: Snapshot, trail_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return how many called each of some trails good and bad."""
    with side_ref(snapshot) as ref:
        return _verdicts(ref, _commits(tips_of(snapshot)).values(), trail_ids)


def stored_trails(snapshot: Snapshot, wanted: Callable[[TreePlace], bool] = lambda _: True) -> Iterator[StoredTrail]:
    """Yield the trails of both refs, in the order of their ids within each; what is no trail is passed over."""
    commits = _commits(tips_of(snapshot))
    with side_ref(snapshot) as ref:
        for name in _NAMES:
            trail: Trail | None = None
            for path, blob in ref.entries(commits.get(name, ""), ["trails"]):
                place = place_of(path)  # `.json` comes before `.txt`
                if place is None or not wanted(place):
                    continue
                if place.kind == "trail":
                    if trail is not None:
                        yield StoredTrail(trail, name == PRIVATE, "")
                    trail = read_trail(ref, place.trail, blob)
                elif trail is not None and trail.id == place.trail:
                    yield StoredTrail(trail, name == PRIVATE, blob)
                    trail = None
            if trail is not None:
                yield StoredTrail(trail, name == PRIVATE, "")


def trails_named(snapshot: Snapshot, trail_ids: Collection[str]) -> Iterator[StoredTrail]:
    """Yield those of some trails that are here, in the order of their ids within each ref."""
    with side_ref(snapshot) as ref:
        names = {name: f"refs/forest/{snapshot.forest_id}/{name}" for name in _NAMES}
        paths = [path_of(trail_id) for trail_id in sorted(trail_ids) for path_of in (trail_path, question_path)]
        for name, full in names.items():
            found = ref.find(full, paths)
            for trail_id in sorted(trail_ids):
                blob = found.get(trail_path(trail_id))
                trail = read_trail(ref, trail_id, blob) if blob else None
                if trail is not None:
                    yield StoredTrail(trail, name == PRIVATE, found.get(question_path(trail_id), ""))


def find_trail(snapshot: Snapshot, text: str) -> StoredTrail:
    """Return the trail whose id begins with some text.

    Raises:
        TrailNotFound: none does, or more than one.
    """
    if not _PREFIX.fullmatch(text):
        raise TrailNotFound(
            f"{text[:64]!r} is not the beginning of a trail's id.", "Give at least 6 of its hexadecimal digits."
        )
    commits = _commits(tips_of(snapshot))
    folder = f"trails/{text[:2]}/{text[2:4]}"
    with side_ref(snapshot) as ref:
        places = {
            (place.trail, name): blob
            for name, commit in commits.items()
            for path, blob in ref.entries(commit, [folder])
            if (place := place_of(path)) and place.kind == "trail" and place.trail.startswith(text)
        }
        ids = {trail_id for trail_id, _ in places}
        if len(ids) > 1:
            raise TrailNotFound(f"{len(ids)} trails begin with {text!r}.", "Give more digits.")
        for (trail_id, name), blob in places.items():
            trail = read_trail(ref, trail_id, blob)
            if trail is not None:
                found = ref.find(commits[name], [question_path(trail_id)])
                return StoredTrail(trail, name == PRIVATE, found.get(question_path(trail_id), ""))
    raise not_found(text)


def question_text(snapshot: Snapshot, trail_or_question_id: str) -> str | None:
    """Return the words of a question, None when they are not here.

    Args:
        snapshot: the forest.
        trail_or_question_id: id of one of its trails: quick; or of the question: every question is looked at.
    """
    if not _TRAIL_ID.fullmatch(trail_or_question_id):
        return None
    path = question_path(trail_or_question_id)
    commits = _commits(tips_of(snapshot)).values()
    with side_ref(snapshot) as ref:
        for commit in commits:
            if blob := ref.find(commit, [path]).get(path):
                return read_question(ref, blob)
        seen: set[str] = set()
        for commit in commits:
            for other, blob in ref.entries(commit, ["trails"]):
                if other.endswith(".txt") and blob not in seen:
                    seen.add(blob)
                    text = read_question(ref, blob)
                    if text is not None and question_id(text) == trail_or_question_id:
                        return text
    return None


def questions_of(snapshot: Snapshot, trail_ids: Collection[str]) -> dict[str, str]:
    """Return the words of the questions of some trails by the trails' ids; those that are not here are left out."""
    paths = {question_path(trail_id): trail_id for trail_id in trail_ids}
    found: dict[str, str] = {}
    with side_ref(snapshot) as ref:
        for commit in _commits(tips_of(snapshot)).values():
            for path, blob in ref.find(commit, [path for path, one in paths.items() if one not in found]).items():
                text = read_question(ref, blob)
                found |= {} if text is None else {paths[path]: text}
    return found


def private_among(snapshot: Snapshot, trail_ids: Collection[str]) -> frozenset[str]:
    """Return which of some trails are kept from every sync."""
    paths = {trail_path(trail_id): trail_id for trail_id in trail_ids}
    with side_ref(snapshot, private=True) as ref:
        return frozenset(paths[path] for path in ref.find(ref.ref, list(paths)))


def read_question(ref: SideRef, blob: str) -> str | None:
    """Return the words in a blob, None when there are none within the limits."""
    return question_in(ref.read(blob, MAX_QUESTION_BYTES)) if blob else None


def question_in(data: bytes | None) -> str | None:
    """Return the words that bytes are, None when they are none within the limits."""
    try:
        text = data.decode("utf-8", "surrogatepass") if data is not None else None
    except UnicodeDecodeError:
        return None
    return text if text is not None and len(text) <= MAX_QUESTION_CHARACTERS else None
