"""A remote that lies about trails: nothing of it counts, nothing of it stays, and what it tried is said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

import forest.remotes
import forest.sync
from forest.admission import Admission, Candidate
from forest.errors import RemoteUnusable
from forest.forgetting import forget
from forest.history import open_snapshot
from forest.remotes import find_remote
from forest.side_ref import SideRef
from forest.state import open_state
from forest.trail import Trail, WalkedDoor, question_id, trail_bytes
from forest.trail_tree import TreeState, feedback_path, forgotten_path, question_path, trail_path
from forest.trails import feedback
from forest.verdict import Verdict, verdict_bytes
from tests.conftest import git
from tests.forest.clones import NOW, Clone, clone_of, hub_of
from tests.forest.trail_making import made_trail

ASKED = "¿Cuánto es el salario?"
Files = Mapping[str, bytes | None]


@pytest.fixture
def hub(small: Path, tmp_path: Path) -> Path:
    return hub_of(small, tmp_path / "hub.git")


@pytest.fixture
def ana(hub: Path) -> Clone:
    """A clone that trusts the hub and has a trail of its own."""
    made = clone_of(hub, "ana")
    made.deposit("¿Lo propio?", minutes=9)
    return made


def plant_at(hub: Path, files: Files) -> None:
    """Put files into the hub's trails as whoever may push can."""
    with SideRef(open_snapshot(hub), "trails") as ref:
        ref.update(lambda _: files, "x")


def files_of(trail: Trail, question: str = ASKED) -> dict[str, bytes | None]:
    return {trail_path(trail.id): trail_bytes(trail), question_path(trail.id): question.encode()}


def cited(trail: Trail, **changes: object) -> Trail:
    return replace(trail, cited=(replace(trail.cited[0], **changes),))  # type: ignore[arg-type]


def door(*values: object) -> Callable[[Trail], Trail]:
    return lambda trail: replace(trail, doors=(WalkedDoor(*values),))  # type: ignore[arg-type]


FORGED: dict[str, tuple[Callable[[Trail], Trail], str]] = {
    "of the future": (lambda trail: replace(trail, time=NOW + timedelta(days=1, seconds=1)), "future"),
    "of the year 9999": (lambda trail: replace(trail, time=datetime(9999, 12, 31, tzinfo=UTC)), "future"),
    "entered at no node": (door("", "entry", "nada", True), "door"),
    "from no node": (door("nada", "child", "trabajo", True), "door"),
    "to no node": (door("raiz", "child", "nada", True), "door"),
    "a child that is a parent": (door("trabajo", "child", "raiz", True), "door"),
    "a grandchild": (door("raiz", "child", "dof-salarios", True), "door"),
    "an edge that nobody states": (door("dof-salarios", "cites", "dof-vacaciones", True), "door"),
    "an edge back that nobody states": (door("dof-salarios", "cited_by", "dof-vacaciones", True), "door"),
    "a shortcut to no node": (door("trabajo", "shortcut", "nada", True), "door"),
    "of a commit that is not here": (lambda trail: replace(trail, commit="1" * 40), "commit"),
    "of another tree": (lambda trail: replace(trail, tree="1" * 40), "citation"),
    "other bytes": (lambda trail: cited(trail, end=trail.cited[0].end - 1), "citation"),
    "another hash": (lambda trail: cited(trail, sha256="1" * 64), "citation"),
    "another blob": (lambda trail: cited(trail, blob="1" * 40), "citation"),
    "another path": (lambda trail: cited(trail, path="trabajo/vacaciones.md"), "citation"),
    "a path upwards out of the forest": (lambda trail: cited(trail, path="x/y:z"), "citation"),
    "another node": (lambda trail: cited(trail, node="dof-vacaciones"), "citation"),
    "another passage": (lambda trail: cited(trail, passage=7), "citation"),
    "beyond the end": (lambda trail: cited(trail, start=8_000_000, end=8_000_001), "citation"),
}


def test_forged_trails_do_not_count(ana: Clone, hub: Path) -> None:
    before = ana.tree
    forged = [forge(made_trail(hub, ASKED, minutes=minute)) for minute, (forge, _) in enumerate(FORGED.values())]
    assert len({trail.id for trail in forged}) == len(FORGED)
    plant_at(hub, {path: data for trail in forged for path, data in files_of(trail).items()})
    expected = Counter(reason for _, reason in FORGED.values())
    done = ana.sync()
    assert (done.received, done.waiting) == (0, expected)
    assert ana.tree == before
    assert ana.sync().waiting == expected
    judged = verdict_of(ana, forged)
    assert judged == {name: reason for name, (_, reason) in FORGED.items()}


def verdict_of(ana: Clone, forged: list[Trail]) -> dict[str, str | None]:
    """Why each forged trail is not admitted, by what is forged about it."""
    names = dict(zip([trail.id for trail in forged], FORGED, strict=True))
    with open_state(ana.snapshot) as state, ana.ref as ref:
        seen = SideRef(ana.snapshot, f"from/{find_remote(ana.snapshot).key}").tip()
        blobs = dict(ref.entries(seen))
        candidates = [
            Candidate(trail.id, blobs[trail_path(trail.id)], blobs[question_path(trail.id)]) for trail in forged
        ]
        admission = Admission(state, ref, NOW, TreeState())
        return {names[one.trail]: reason for one, reason in admission.trails(candidates)}


def altered(trail: Trail, **fields: object) -> bytes:
    """The bytes of a trail with other fields, as nobody would write them."""
    return json.dumps(json.loads(trail_bytes(trail)) | fields, sort_keys=True, separators=(",", ":")).encode()


RAW: dict[str, tuple[Callable[[Trail], bytes], str]] = {
    "no JSON": (lambda _: b"\x00\xff", "form"),
    "a deep one": (lambda _: b"[" * 60_000, "form"),
    "not canonical": (lambda trail: trail_bytes(trail) + b"\n", "form"),
    "another format": (lambda trail: altered(trail, format=2), "form"),
    "a field more": (lambda trail: altered(trail, heat=10**30), "form"),
    "useful a thousand times": (lambda trail: altered(trail, doors=[["", "entry", "trabajo", 1000]]), "form"),
    "the same door often": (lambda trail: altered(trail, doors=[["", "entry", "trabajo", 1]] * 60), "form"),
    "too many doors": (lambda trail: altered(trail, doors=[["", "entry", f"n{i}", 1] for i in range(65)]), "form"),
    "a line end in a stem": (lambda trail: altered(trail, signature=["a\nb"]), "form"),
    "an escape in the navigator": (lambda trail: altered(trail, navigator="\x1b[2J"), "form"),
    "a node upwards": (lambda trail: altered(trail, doors=[["", "entry", "../../etc/passwd", 1]]), "form"),
    "a time that is none": (lambda trail: altered(trail, time="2026-13-01T00:00:00.000000Z"), "form"),
    "another question's words": (lambda trail: altered(trail, question=question_id("¿Otra?")), "question"),
    "5 MB": (lambda _: b" " * 5_000_000, "size"),
}


def test_bytes_that_are_no_trail_do_not_count(ana: Clone, hub: Path) -> None:
    made = [make(made_trail(hub, ASKED)) for make, _ in RAW.values()]
    assert len(set(made)) == len(RAW)
    names = [sha256(data).hexdigest() for data in made]
    files: dict[str, bytes | None] = {question_path(name): ASKED.encode() for name in names}
    plant_at(hub, files | {trail_path(name): data for name, data in zip(names, made, strict=True)})
    done = ana.sync()
    assert (done.received, done.waiting) == (0, Counter(reason for _, reason in RAW.values()))
    assert len(ana.ids) == 1


def test_one_trail_under_many_names_counts_once(ana: Clone, hub: Path) -> None:
    trail = made_trail(hub, ASKED)
    plant_at(hub, files_of(trail))
    for number in range(5):
        named = f"{number:064x}"
        plant_at(hub, {trail_path(named): trail_bytes(trail), question_path(named): ASKED.encode()})
    done = ana.sync()
    assert (done.received, done.waiting) == (1, {"name": 5})


@pytest.mark.parametrize("words", [None, b"\xff\xfe", b"x" * 3000, b""])
def test_a_trail_without_its_words_does_not_count(ana: Clone, hub: Path, words: bytes | None) -> None:
    trail = made_trail(hub, ASKED)
    plant_at(
        hub,
        files_of(trail) | {question_path(trail.id): words}
        if words is not None
        else {trail_path(trail.id): trail_bytes(trail)},
    )
    assert ana.sync().waiting == {"question": 1}


def test_a_large_blob_is_not_read_and_not_sent_on(
    ana: Clone, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, large = made_trail(hub, ASKED), b"x" * 20_000_000
    plant_at(hub, files_of(good) | {trail_path("1" * 64): large, question_path("2" * 64): large})
    blob = git(hub, "hash-object", "--stdin", data=large)
    real = SideRef.read

    def read(ref: SideRef, oid: str, limit_bytes: int) -> bytes | None:
        assert oid != blob
        return real(ref, oid, limit_bytes)

    monkeypatch.setattr(SideRef, "read", read)
    done = ana.sync()
    assert (done.received, done.waiting, done.odd) == (1, {"size": 1}, True)
    assert blob not in git(ana.folder, "rev-list", "--objects", ana.ref.ref)
    other = hub_of(hub, tmp_path / "otro.git")
    git(other, "update-ref", "-d", ana.ref.ref)
    ana.sync(other)
    assert blob not in git(other, "rev-list", "--objects", ana.ref.ref)


def test_a_fetch_over_the_limit_is_stopped(ana: Clone, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest.remotes, "MAX_FETCH_BYTES", 100_000)
    noise = b"".join(sha256(b"%d" % number).digest() for number in range(20_000))
    plant_at(
        hub, {trail_path(f"{number:064x}"): b"%d" % number for number in range(200)} | {trail_path("1" * 64): noise}
    )
    before = ana.tree
    with pytest.raises(RemoteUnusable, match="over 100,000 bytes"):
        ana.sync()
    assert ana.tree == before
    assert [*(ana.folder / ".git/objects/pack").glob("tmp_pack_*")] == []


def test_of_a_flood_a_bounded_part_is_looked_at_each_time_another(
    ana: Clone, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forest.sync, "MOST_LOOKED_AT", 20)
    flood = {
        path(sha256(b"%d" % number).hexdigest()): b"%d" % number
        for number in range(100)
        for path in (trail_path, question_path)
    }
    good = made_trail(hub, ASKED)
    plant_at(hub, flood | files_of(good))
    dora = clone_of(hub, "dora", trusting=False).sync()
    assert (dora.waiting, dora.unseen) == ({"not trusted": 101}, 0)
    done = ana.sync()
    assert (sum(done.waiting.values()) + done.received, done.unseen) == (20, 81)
    tries = 0
    while good.id not in ana.ids:
        tries += 1
        assert tries < 200
        ana.sync()
    assert len(ana.ids) == 2


def test_feedback_that_is_forged_does_not_count(ana: Clone, hub: Path) -> None:
    mine = next(iter(ana.ids))
    ana.sync()
    said = Verdict(mine, False, NOW, "0" * 32)
    late = replace(said, time=NOW + timedelta(days=2))
    lost = replace(said, trail="1" * 64)
    plant_at(
        hub,
        {
            feedback_path(mine, "0" * 64, "bad"): verdict_bytes(said),
            feedback_path(mine, said.id, "good"): verdict_bytes(said),
            feedback_path(mine, late.id, "bad"): verdict_bytes(late),
            feedback_path(lost.trail, lost.id, "bad"): verdict_bytes(lost),
            feedback_path(mine, "1" * 64, "bad"): b"{}",
            feedback_path(mine, "2" * 64, "bad"): b"x" * 100_000,
        },
    )
    done = ana.sync()
    assert (done.verdicts, done.waiting) == (0, {"form": 1, "future": 1, "name": 2, "size": 1, "unknown trail": 1})


@pytest.mark.parametrize(
    "state",
    [
        b"no JSON",
        b"[" * 100_000,
        b'{"epoch":1000000000000000000000000000000,"erased":[],"format":1,"pruned_before":""}',
        b'{"epoch":0,"erased":[],"format":1,"pruned_before":"9999-12-31"}',
        b'{"epoch":0,"erased":[],"format":1,"pruned_before":"2026-12-03"}',
        b"x" * 1_000_000,
        None,
    ],
)
def test_a_state_that_cannot_be_believed_wipes_nothing_and_is_mended(
    ana: Clone, hub: Path, state: bytes | None
) -> None:
    before = ana.ids
    trail = made_trail(hub, ASKED)
    plant_at(hub, files_of(trail) | ({"state.json": state} if state is not None else {}))
    done = ana.sync()
    assert (done.received, done.lost, done.odd) == (1, 0, True)
    assert ana.ids == before | {trail.id}
    assert not ana.sync().odd


def test_many_erasures_remove_no_trail(ana: Clone, hub: Path) -> None:
    before = ana.ids
    names = [f"{number:016x}" for number in range(1000)]
    state = {"epoch": 1000, "erased": names, "format": 1, "pruned_before": ""}
    plant_at(hub, {"state.json": json.dumps(state, sort_keys=True, separators=(",", ":")).encode()})
    done = ana.sync()
    assert (done.lost, bool(done.left)) == (0, True)
    assert ana.ids == before


def test_whom_one_does_not_trust_can_forget_and_erase_and_prune_nothing(ana: Clone, hub: Path) -> None:
    dora = clone_of(hub, "dora", trusting=False)
    trail = dora.deposit("¿Lo de Dora?")
    state = b'{"epoch":1,"erased":["%b"],"format":1,"pruned_before":"2026-12-01"}' % (b"0" * 16)
    said = Verdict(trail.id, False, NOW, "0" * 32)
    plant_at(
        hub,
        {
            forgotten_path(trail.id): b"",
            "state.json": state,
            feedback_path(trail.id, said.id, "bad"): verdict_bytes(said),
        },
    )
    before = dora.tree
    done = dora.sync()
    assert (done.waiting, done.lost, done.left) == ({"not trusted": 2}, 0, "")
    assert dora.tree == before


def test_a_trusted_remote_that_forgets_is_told_aloud(ana: Clone, hub: Path) -> None:
    mine = next(iter(ana.ids))
    plant_at(hub, {forgotten_path(mine): b"not even empty"})
    done = ana.sync()
    assert done.lost == 1
    assert ana.ids == set()


def test_a_trail_that_is_forgotten_and_there_is_forgotten(ana: Clone, hub: Path) -> None:
    trail = made_trail(hub, ASKED)
    plant_at(hub, files_of(trail) | {forgotten_path(trail.id): b""})
    ana.sync()
    assert trail.id not in ana.ids
    beto = clone_of(hub, "beto")
    beto.sync()
    assert beto.ids == ana.ids
    assert beto.tree == ana.tree


def test_what_was_forgotten_here_does_not_come_back_and_goes_there(ana: Clone, hub: Path) -> None:
    mine = next(iter(ana.ids))
    feedback(ana.snapshot, mine, "good")
    ana.sync()
    forget(ana.snapshot, [mine])
    done = ana.sync()
    assert (done.received, done.waiting) == (0, {})
    assert mine not in {path for path, _ in SideRef(open_snapshot(hub), "trails").entries(ana.ref.ref)}
    assert ana.tree == git(hub, "rev-parse", f"{ana.ref.ref}^{{tree}}")


def test_links_submodules_and_other_names_do_not_come_in(ana: Clone, hub: Path) -> None:
    good, blob = made_trail(hub, ASKED), git(hub, "hash-object", "-w", "--stdin", data=b"/etc/passwd")
    rest = trail_path("1" * 64)
    plant_at(hub, files_of(good) | {"README": b"x", "trails/x/y/z.json": b"x", "trails/aa/bb/c\nd.json": b"x"})
    head = git(hub, "rev-parse", "HEAD")
    stream = (
        f"commit {ana.ref.ref}\ncommitter x <x@x> 1 +0000\ndata 1\nx\nfrom {ana.ref.ref}^0\n"
        f"M 120000 {blob} {rest}\nM 160000 {head} {forgotten_path('2' * 64)}\nM 120000 {blob} "
        f"{trail_path('3' * 64)}/x\n\n"
    )
    git(hub, "fast-import", "--quiet", "--force", data=stream.encode())
    done = ana.sync()
    assert (done.received, done.waiting, done.odd) == (1, {}, True)
    listed = git(ana.folder, "ls-tree", "-r", ana.ref.ref)
    assert "120000" not in listed
    assert "160000" not in listed
    assert "README" not in listed
    assert blob not in git(ana.folder, "rev-list", "--objects", ana.ref.ref)


def test_a_ref_that_is_no_commit_is_refused(ana: Clone, hub: Path) -> None:
    blob = git(hub, "hash-object", "-w", "--stdin", data=b"x")
    git(hub, "update-ref", ana.ref.ref, blob)
    with pytest.raises(RemoteUnusable, match="no commit"):
        ana.sync()


def test_objects_that_git_calls_malformed_are_refused(ana: Clone, hub: Path) -> None:
    blob = git(hub, "hash-object", "-w", "--stdin", data=b"x")
    entry = b"100644 a\0" + bytes.fromhex(blob)
    tree = git(hub, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=entry + entry)
    made = git(hub, "commit-tree", tree, "-m", "x")
    git(hub, "update-ref", ana.ref.ref, made)
    before = ana.tree
    with pytest.raises(RemoteUnusable, match="cannot be asked"):
        ana.sync()
    assert ana.tree == before


def test_a_repository_that_is_another_forests_is_no_harm(ana: Clone, tmp_path: Path) -> None:
    other = tmp_path / "otro.git"
    git(tmp_path, "init", "-q", "--bare", "--object-format=sha256", str(other))
    with pytest.raises(RemoteUnusable):
        ana.sync(other)
