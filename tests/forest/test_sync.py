"""Syncing trails: any number of clones in any order end equal, and nothing is believed that comes from elsewhere."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from forest.errors import RemoteUnusable, TrailRefused
from forest.forgetting import erase, forget, prune
from forest.history import open_snapshot
from forest.remotes import Talk, find_remote, is_trusted, trust
from forest.sync import Synced
from forest.trails import deposit, feedback, question_text, verdicts_of
from tests.conftest import SMALL, commit, git
from tests.forest.clones import TODAY, Clone, clone_of, hub_of
from tests.forest.trail_making import made_trail


@pytest.fixture
def hub(small: Path, tmp_path: Path) -> Path:
    return hub_of(small, tmp_path / "hub.git")


@pytest.fixture
def ana(hub: Path) -> Clone:
    return clone_of(hub, "ana")


@pytest.fixture
def beto(hub: Path) -> Clone:
    return clone_of(hub, "beto")


def test_what_one_clone_deposits_the_other_gets(ana: Clone, beto: Clone, hub: Path) -> None:
    trail = ana.deposit("¿Cuánto es el salario?")
    assert ana.sync().sent == 1
    done = beto.sync()
    assert (done.received, done.sent, done.waiting) == (1, 0, {})
    assert beto.ids == {trail.id}
    assert question_text(open_snapshot(beto.folder), trail.id) == "¿Cuánto es el salario?"
    assert ana.tree == beto.tree == git(hub, "rev-parse", f"{ana.ref.ref}^{{tree}}")
    for folder in (ana.folder, beto.folder):
        assert git(folder, "status", "--porcelain") == ""
        git(folder, "fsck", "--strict")


def test_syncing_again_changes_nothing(ana: Clone, beto: Clone) -> None:
    ana.deposit("¿Uno?")
    beto.deposit("¿Dos?", minutes=1)
    for one in (ana, beto, ana):
        one.sync()
    tips = ana.ref.tip(), beto.ref.tip()
    assert tips[0] == tips[1]
    for one in (beto, ana, beto):
        done = one.sync()
        assert (done.received, done.sent, done.lost) == (0, 0, 0)
    assert (ana.ref.tip(), beto.ref.tip()) == tips


def test_nothing_to_sync_is_no_error(ana: Clone) -> None:
    assert ana.sync() == Synced(find_remote(open_snapshot(ana.folder)), trusted=True)


def test_a_remote_that_is_not_trusted_gets_ours_and_gives_nothing(ana: Clone, hub: Path) -> None:
    carla = clone_of(hub, "carla", trusting=False)
    theirs, ours = ana.deposit("¿Uno?"), carla.deposit("¿Dos?", minutes=1)
    ana.sync()
    done = carla.sync()
    assert (done.trusted, done.received, done.sent, done.waiting) == (False, 0, 1, {"not trusted": 1})
    assert carla.ids == {ours.id}
    assert ana.sync().received == 1
    assert ana.ids == {ours.id, theirs.id}
    carla.trust("origin")
    assert carla.sync().received == 1
    assert carla.tree == ana.tree


def test_trust_is_of_a_place_and_can_be_taken_back(ana: Clone, hub: Path) -> None:
    snapshot = open_snapshot(ana.folder)
    assert is_trusted(snapshot, find_remote(snapshot))
    git(ana.folder, "remote", "set-url", "origin", str(ana.folder))
    assert not is_trusted(snapshot, find_remote(snapshot))
    assert trust(snapshot, find_remote(snapshot, str(hub)), revoke=True)
    assert not trust(snapshot, find_remote(snapshot, str(hub)), revoke=True)
    assert not is_trusted(snapshot, find_remote(snapshot, str(hub)))


def test_private_trails_are_in_no_sync(ana: Clone, beto: Clone, hub: Path) -> None:
    trail = ana.deposit("¿Un secreto?", private=True)
    feedback(open_snapshot(ana.folder), trail.id, "good")
    ana.deposit("¿Otra cosa?")
    ana.sync()
    beto.sync()
    assert trail.id not in beto.ids
    blob = git(ana.folder, "hash-object", "--stdin", data="¿Un secreto?".encode())
    for folder in (hub, beto.folder):
        with pytest.raises(AssertionError):
            git(folder, "cat-file", "-e", blob)


def test_feedback_and_forgetting_travel(ana: Clone, beto: Clone) -> None:
    one, two = ana.deposit("¿Uno?"), ana.deposit("¿Dos?", minutes=1)
    ana.sync()
    beto.sync()
    feedback(open_snapshot(beto.folder), one.id, "bad")
    forget(open_snapshot(beto.folder), [two.id])
    beto.sync()
    done = ana.sync()
    assert (done.verdicts, done.lost) == (1, 1)
    assert ana.ids == {one.id}
    assert verdicts_of(open_snapshot(ana.folder), [one.id]) == {one.id: (0, 1)}
    assert ana.tree == beto.tree


def test_a_prune_date_travels_and_is_honoured(ana: Clone, beto: Clone) -> None:
    old = made_trail(ana.folder, "¿Uno?")
    old = replace(old, time=datetime(2026, 1, 1, tzinfo=UTC))
    deposit(open_snapshot(ana.folder), old, "¿Uno?")
    kept = ana.deposit("¿Dos?")
    ana.sync()
    beto.sync()
    feedback(open_snapshot(beto.folder), old.id, "good")
    prune(open_snapshot(ana.folder), date(2026, 6, 1), TODAY)
    beto.sync()
    ana.sync()
    assert beto.sync().lost == 1
    assert beto.ids == {kept.id}
    assert ana.sync().waiting == {}
    assert ana.tree == beto.tree
    with pytest.raises(TrailRefused):
        deposit(open_snapshot(beto.folder), old, "¿Uno?")


def test_an_erased_trail_leaves_the_history_of_every_clone(ana: Clone, beto: Clone, hub: Path) -> None:
    one, two = ana.deposit("¿Algo íntimo?"), ana.deposit("¿Dos?", minutes=1)
    ana.sync()
    beto.sync()
    three = beto.deposit("¿Tres?", minutes=2)
    forget(open_snapshot(ana.folder), [one.id])
    erase(open_snapshot(ana.folder))
    ana.sync()
    done = beto.sync()
    assert done.left
    assert done.lost == 1
    ana.sync()
    beto.sync()
    assert ana.tree == beto.tree
    assert ana.ids == {two.id, three.id}
    blob = git(ana.folder, "hash-object", "--stdin", data="¿Algo íntimo?".encode())
    for folder in (ana.folder, beto.folder, hub):
        git(folder, "gc", "-q", "--prune=now")
        with pytest.raises(AssertionError):
            git(folder, "cat-file", "-e", blob)
        git(folder, "fsck", "--strict")


def test_two_erasures_at_once_leave_both_histories(ana: Clone, beto: Clone, hub: Path) -> None:
    one, two, three = ana.deposit("¿Uno?"), ana.deposit("¿Dos?", minutes=1), ana.deposit("¿Tres?", minutes=2)
    ana.sync()
    beto.sync()
    for who, trail in ((ana, one), (beto, two)):
        forget(open_snapshot(who.folder), [trail.id])
        erase(open_snapshot(who.folder))
    for who in (ana, beto, ana, beto):
        who.sync()
    assert ana.tree == beto.tree
    assert ana.ids == {three.id}
    for folder in (ana.folder, beto.folder, hub):
        git(folder, "gc", "-q", "--prune=now")
        for question in ("¿Uno?", "¿Dos?"):
            blob = git(folder, "hash-object", "--stdin", data=question.encode())
            with pytest.raises(AssertionError):
                git(folder, "cat-file", "-e", blob)


def test_clones_can_sync_with_each_other_without_a_hub(ana: Clone, beto: Clone) -> None:
    ana.deposit("¿Uno?")
    beto.deposit("¿Dos?", minutes=1)
    ana.trust(beto.folder)
    beto.trust(ana.folder)
    assert ana.sync(beto.folder).received == 1
    assert beto.sync(ana.folder).sent == 0
    assert ana.tree == beto.tree


def test_a_trail_of_a_commit_that_is_not_here_yet_waits_for_it(ana: Clone, beto: Clone, hub: Path) -> None:
    changed = (ana.folder / "trabajo/salarios.md").read_text(encoding="utf-8") + "\nOtra línea.\n"
    commit(ana.folder, {"trabajo/salarios.md": changed})
    trail = ana.deposit("¿Uno?")
    ana.sync()
    assert beto.sync().waiting == {"commit": 1}
    assert beto.ids == set()
    git(ana.folder, "push", "-q", "origin", "main")
    git(beto.folder, "pull", "-q", "--ff-only")
    done = beto.sync()
    assert (done.received, done.waiting) == (1, {})
    assert beto.ids == {trail.id}
    assert ana.tree == beto.tree


def test_a_remote_that_refuses_says_so_and_nothing_is_lost(ana: Clone, hub: Path) -> None:
    hook = hub / "hooks/update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    trail = ana.deposit("¿Uno?")
    with pytest.raises(RemoteUnusable, match="does not take trails"):
        ana.sync()
    assert ana.ids == {trail.id}
    hook.unlink()
    assert ana.sync().sent == 1


@pytest.mark.parametrize(
    "name",
    [
        "--upload-pack=touch x",
        "-x",
        "ext::sh -c touch% x",
        "http://example.org/x",
        "git://example.org/x",
        "file:///no/such/place",
        "/no/such/place",
        "nobody",
        "ssh://-oProxyCommand=x/y",
        "a\nb",
        "x" * 2000,
    ],
)
def test_a_remote_that_is_none_is_refused(ana: Clone, name: str) -> None:
    with pytest.raises(RemoteUnusable):
        ana.sync(name)


def test_settings_of_the_repository_run_nothing(ana: Clone, tmp_path: Path) -> None:
    ana.deposit("¿Uno?")
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    for key in ("core.sshCommand", "remote.origin.uploadpack", "remote.origin.receivepack", "credential.helper"):
        git(ana.folder, "config", key, str(script))
    for hook in ("pre-push", "reference-transaction", "post-checkout"):
        place = ana.folder / ".git/hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(script.read_bytes())
        place.chmod(0o755)
    ana.sync()
    git(ana.folder, "config", "remote.helped.url", "ext::" + str(script))
    git(ana.folder, "config", "remote.vcs.url", "x")
    git(ana.folder, "config", "remote.vcs.vcs", "ext")
    for name in ("helped", "vcs"):
        with pytest.raises(RemoteUnusable):
            ana.sync(name)
    assert not (tmp_path / "ran").exists()


def test_a_trail_of_a_day_that_is_not_over_elsewhere_is_admitted_and_of_the_day_after_is_not(
    ana: Clone, beto: Clone
) -> None:
    ana.deposit("¿Uno?")
    ana.sync()
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert beto.sync(now=noon - timedelta(days=1, seconds=1)).waiting == {"future": 1}
    assert beto.sync(now=noon - timedelta(days=1)).received == 1


def test_a_remote_that_moved_meanwhile_is_asked_again(
    ana: Clone, beto: Clone, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = ana.deposit("¿Uno?"), beto.deposit("¿Dos?", minutes=1)
    real, raced = Talk.push, []

    def push(talk: Talk, commit: str, expected: str) -> bool:
        if not raced:
            raced.append(commit)
            beto.sync()
        return real(talk, commit, expected)

    monkeypatch.setattr(Talk, "push", push)
    done = ana.sync()
    assert (done.received, done.sent) == (1, 1)
    assert ana.ids == {one.id, two.id}
    beto.sync()
    assert ana.tree == beto.tree


def test_many_processes_can_sync_at_once(ana: Clone, beto: Clone, hub: Path) -> None:
    made = {who.deposit(f"¿Pregunta {number}?", minutes=number).id for number, who in enumerate([ana, beto] * 2)}
    sync = "import sys; from forest.cli import main; sys.argv[1:] = ['trails', 'sync', '--forest', sys.argv[1]]; main()"
    running = [
        subprocess.Popen([sys.executable, "-c", sync, str(who.folder)], stdout=subprocess.DEVNULL)
        for who in (ana, beto, ana, beto)
    ]
    assert [process.wait(timeout=120) for process in running] == [0] * 4
    ana.sync()
    beto.sync()
    assert ana.ids == beto.ids == made
    assert ana.tree == beto.tree


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_forest_in_a_folder_syncs_whatever_the_ids_of_its_repository(tmp_path: Path, form: str) -> None:
    top = tmp_path / "repo"
    top.mkdir()
    git(top, "init", "-q", "-b", "main", f"--object-format={form}")
    files = {f"leyes/bosque/{path}": text for path, text in SMALL.items()}
    commit(top, {"README": "x", "leyes/bosque/forest.yaml": "name: x\n", **files})
    hub = hub_of(top, tmp_path / "hub.git")
    clones = []
    for name in ("uno", "dos"):
        git(hub, "clone", "-q", str(hub), str(tmp_path / name))
        clones.append(Clone(tmp_path / name / "leyes/bosque"))
        clones[-1].trust("origin")
    trail = clones[0].deposit("¿Uno?")
    clones[0].sync()
    assert clones[1].sync().received == 1
    assert clones[1].ids == {trail.id}
    assert clones[0].tree == clones[1].tree
