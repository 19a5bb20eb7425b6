"""A copy of a forest to learn in: a repository of its own, so that nothing is left in the one that was given."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench.controls import make_control
from bench.question import Question
from forest.errors import RepositoryUnusable, WrongUsage
from forest.history import Snapshot, git_command, git_environment, open_snapshot
from forest.state import open_state
from forest.text import one_line

BLANKED = "scents_blanked"


def copy_forest(snapshot: Snapshot, folder: Path) -> Path:
    """Clone the repository of a snapshot, without what walks have left in it, and return the forest's folder there.

    What is derived from the committed tree is copied too, since building it again may take minutes; it is built in the
    given repository when it is not there yet, as for any question. No file of the forest is written out.

    Args:
        snapshot: what is committed; the copy's HEAD is at its commit.
        folder: of the new repository; must not be there, or be empty.

    Raises:
        WrongUsage: the folder holds something.
        RepositoryUnusable: git cannot clone it.
    """
    _must_be_empty(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _git(folder.parent, "clone", "--quiet", "--no-checkout", "--no-tags", str(snapshot.common_dir), str(folder))
    _git(folder, "update-ref", "--no-deref", "HEAD", snapshot.commit)
    forest = folder / snapshot.prefix
    forest.mkdir(parents=True, exist_ok=True)
    copied = open_snapshot(forest)
    with open_state(snapshot) as state:
        target = copied.common_dir / "forest" / copied.forest_id / state.folder.name
        shutil.copytree(state.folder, target, ignore=shutil.ignore_patterns("*.lock"))
    return forest


def blank_forest(snapshot: Snapshot, folder: Path, questions: Sequence[Question]) -> Path:
    """Make a copy in which every scent is blank (`bench.controls`), and return its folder.

    Raises:
        WrongUsage: the folder holds something.
    """
    _must_be_empty(folder)
    make_control(BLANKED, snapshot, folder, questions, seed=1)
    return folder


def _must_be_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUsage(f"{folder} is not empty.", "A forest is copied into a folder of its own.")


def _git(folder: Path, *arguments: str) -> None:
    # Only from one folder of this machine to another; every other way stays closed.
    environment = git_environment() | {"GIT_ALLOW_PROTOCOL": "file"}
    done = subprocess.run(git_command(folder, *arguments), capture_output=True, check=False, env=environment)
    if done.returncode != 0:
        reason = one_line(done.stderr.decode("utf-8", "replace"))[:300]
        raise RepositoryUnusable(f"Git cannot copy the forest: {reason}.", "Run `git fsck` in its repository.")
