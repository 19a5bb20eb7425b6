"""Git, writing: a batch of files becomes one commit, the work tree and the index follow. The door to GitPython.

Objects stream into `git fast-import`, so memory does not grow with the batch. Nothing a curator left is overwritten: a
file that differs both from what is committed and from what would be written stops the batch. The branch moves by
compare-and-swap. Before the first file is written, a plan of all of them is left in the git directory; after a crash
the next batch finds it and puts every file that is in it to what the branch has.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from forest.errors import NotAForest, RepositoryUnusable, TooLarge, WrongUsage
from forest.fast_import import FastImport
from forest.history import ObjectReader, Snapshot, git_command, git_environment, list_tree, no_git, open_snapshot
from forest.ids import problem_of_name
from forest.limits import MAX_NODE_BYTES
from forest.store import is_node_path

if TYPE_CHECKING:
    from git.cmd import Git

_LOCK_SECONDS = 10
_ANY_SIZE = 1 << 40  # what this module itself stored
_PLAIN_MODE = 0o644


def create_repository(folder: Path) -> None:
    """Make `folder` (created where needed) a git repository with branch `main` and no commits."""
    folder.mkdir(parents=True, exist_ok=True)
    # No template: it could carry hooks.
    _execute(folder, "init", "--quiet", "--initial-branch=main", "--template=")


class Batch:
    """Changes on the way to one commit.

    Args:
        folder: the forest's folder in a work tree. The repository may still have no commits.

    Use as a context manager; leaving it without `commit` changes nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git_dir = Path(self._run("rev-parse", "--absolute-git-dir"))
        uses_sha256 = self._run("rev-parse", "--show-object-format") == "sha256"
        self._hash = hashlib.sha256 if uses_sha256 else hashlib.sha1
        if self._plan_path.exists():
            with self._alone():
                self._recover()
        self._snapshot = self._current()
        self._committed = (
            {entry.path: entry.blob for entry in list_tree(self._snapshot)} if self._snapshot is not None else {}
        )
        self._changed: dict[str, str | None] = {}
        self._import: FastImport | None = None

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._import is not None:
            self._import.abandon()
            self._import = None

    @property
    def committed(self) -> dict[str, str]:
        """Blob ids by path, relative to the forest's folder, before this batch."""
        return self._committed

    def blob_id(self, data: bytes) -> str:
        """Return the id that git gives these bytes."""
        return self._hash(b"blob %d\0" % len(data) + data).hexdigest()

    def put(self, path: str, data: bytes) -> bool:
        """Plan a file's content; return whether it differs from what is committed.

        Raises:
            WrongUsage: the path is not portable or leads out of the forest.
            TooLarge: it would be a node that nothing reads.
            RepositoryUnusable: the work tree holds uncommitted changes there.
        """
        _check_path(path)
        if is_node_path(path) and len(data) > MAX_NODE_BYTES:
            raise TooLarge(f"{path} would have {len(data):,} bytes, the limit of a node is {MAX_NODE_BYTES:,}.")
        blob = self.blob_id(data)
        if self._committed.get(path) == blob:
            self._require_clean(path, blob)
            return False
        self._require_clean(path, blob)
        if self._import is None:
            self._import = FastImport(self._folder)
        self._import.blob(blob, data)
        self._changed[path] = blob
        return True

    def delete(self, path: str) -> None:
        """Plan that a committed file goes; one that is not committed is no change."""
        _check_path(path)
        if path in self._committed:
            self._require_clean(path, None)
            self._changed[path] = None

    def commit(self, message: str) -> str | None:
        """Write what was planned; return the commit's id, None when there was nothing to write.

        Raises:
            RepositoryUnusable: the branch moved meanwhile, or git refused. The branch is as it was.
        """
        if not self._changed:
            return None
        importer = self._import or FastImport(self._folder)
        self._import = None
        prefix = self._prefix()
        parent = self._snapshot.commit if self._snapshot else ""
        commit = importer.commit(
            {prefix + path: blob for path, blob in self._changed.items()}, (parent,) if parent else (), message
        )
        merge = self._merge(parent, commit)
        # Refuses now, while nothing has moved, if the index holds other changes.
        self._run(*self._unfiltered, "read-tree", "-n", *merge)
        with self._alone():
            self._write_plan(parent, commit)
            try:
                self._write_work_tree(self._changed)
                self._run("update-ref", "-m", "forest: curate", "HEAD", commit, parent or "0" * len(commit))
            except BaseException:  # Ctrl-C too: the files go back to what the branch has
                self._recover()
                raise
            self._follow(parent, commit)
        return commit

    def _follow(self, parent: str, commit: str) -> None:
        """Let the index follow the branch, and drop the plan."""
        self._run(*self._unfiltered, "read-tree", *self._merge(parent, commit))
        with contextlib.suppress(RepositoryUnusable):  # only refreshes cached stat data
            self._run(*self._unfiltered, "update-index", "-q", "--refresh")
        self._plan_path.unlink(missing_ok=True)

    @staticmethod
    def _merge(parent: str, commit: str) -> tuple[str, ...]:
        # -i: the index alone. The work tree was checked file by file, and after it was written git would refuse.
        return ("-i", "-m", parent, commit) if parent else ("-i", "-m", commit)

    @property
    def _plan_path(self) -> Path:
        return self._git_dir / "forest-batch.json"

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            with FileLock(self._git_dir / "forest-batch.lock", timeout=_LOCK_SECONDS):
                yield
        except Timeout:
            raise RepositoryUnusable(
                f"Another program is writing to {self._folder}.", "Wait for it, then run this again."
            ) from None

    def _write_plan(self, parent: str, commit: str) -> None:
        files = {path: [self._committed.get(path), blob] for path, blob in self._changed.items()}
        plan = {"folder": str(self._folder.resolve()), "parent": parent, "commit": commit, "files": files}
        part = self._plan_path.with_suffix(".part")
        part.write_text(json.dumps(plan), encoding="utf-8")
        part.replace(self._plan_path)

    def _recover(self) -> None:
        """Put the files of the plan to what the branch has, its index too if the branch moved, and drop the plan.

        A file that is neither as it was before the batch nor as the batch wrote it is somebody's, and left alone.
        """
        try:
            plan = json.loads(self._plan_path.read_bytes())
            folder, files = Path(plan["folder"]), {str(path): tuple(blobs) for path, blobs in plan["files"].items()}
            parent, commit = str(plan["parent"]), str(plan["commit"])
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return
        head = self._head()
        moved = head == commit
        if moved or head == parent:
            wanted = {path: after if moved else before for path, (before, after) in files.items()}
        else:  # somebody committed meanwhile, perhaps the very files that the batch had written
            wanted = self._committed_now(files)
        touched = {
            path: blob for path, blob in wanted.items() if self._present(folder, path) in set(files[path]) - {blob}
        }
        if folder == self._folder.resolve():
            for parent_folder in {(folder / path).parent for path in files}:
                for left in parent_folder.glob(".*.part"):
                    left.unlink(missing_ok=True)
            self._write_work_tree(touched)
        if moved:
            self._follow(parent, commit)
        self._plan_path.unlink(missing_ok=True)

    def _committed_now(self, paths: Iterable[str]) -> dict[str, str | None]:
        snapshot = self._current()
        there = {entry.path: entry.blob for entry in list_tree(snapshot)} if snapshot is not None else {}
        return {path: there.get(path) for path in paths}

    def _head(self) -> str:
        try:
            return self._run("rev-parse", "--verify", "HEAD")
        except RepositoryUnusable:
            return ""

    def _current(self) -> Snapshot | None:
        """Return what is committed: None without commits, an empty tree when the folder is not committed yet."""
        if self._run("rev-parse", "--is-bare-repository") == "true":
            raise RepositoryUnusable(f"{self._folder} is a bare repository.", "Curate into a work tree.")
        try:
            commit = self._run("rev-parse", "--verify", "HEAD")
        except RepositoryUnusable:
            return None
        try:
            return open_snapshot(self._folder)
        except NotAForest:
            empty = self._run("hash-object", "-t", "tree", "-w", os.devnull)
            return Snapshot(self._folder, self._folder, self._prefix(), commit, empty)

    def _prefix(self) -> str:
        return self._run("rev-parse", "--show-prefix")

    def _require_clean(self, path: str, wanted: str | None) -> None:
        """Refuse to touch a file that differs from the commit and from what would be written."""
        _refuse_links(self._folder, path)
        place, present = self._folder / path, self._present(self._folder, path)
        if present not in (self._committed.get(path), wanted):
            raise RepositoryUnusable(
                f"{place} has changes that are not committed.", "Commit or stash them, then run this again."
            )

    def _present(self, folder: Path, path: str) -> str | None:
        """Return the blob id of a file of the work tree, None when there is none."""
        place = folder / path
        try:
            if not stat.S_ISREG(place.lstat().st_mode):
                raise RepositoryUnusable(f"{place} is in the way.", "Move it and try again.")
            return self.blob_id(place.read_bytes())
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise RepositoryUnusable(f"{place.parent} is in the way.", "Move it and try again.") from None

    def _write_work_tree(self, files: Mapping[str, str | None]) -> None:
        with ObjectReader(self._folder) as objects:
            for path, blob in sorted(files.items()):
                place = self._folder / path
                _refuse_links(self._folder, path)
                if blob is None:
                    place.unlink(missing_ok=True)
                    _drop_empty_folders(place.parent, self._folder)
                    continue
                data = objects.read(blob, _ANY_SIZE)
                if data is None:
                    raise RepositoryUnusable(f"Git lost {path} while it was written.", "Run `git fsck`.")
                place.parent.mkdir(parents=True, exist_ok=True)
                _replace(place, data)

    def _run(self, *arguments: str) -> str:
        return _execute(self._folder, *arguments)

    @cached_property
    def _unfiltered(self) -> tuple[str, ...]:
        """Options that switch off the repository's filters: git runs them on files that it is not sure to know."""
        try:
            keys = self._run("config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
        except RepositoryUnusable:  # there are none
            return ()
        names = sorted(set(keys.strip("\0").split("\0")))
        if odd := next((name for name in names if "=" in name or "\n" in name), None):
            raise RepositoryUnusable(f"Git's configuration has a filter {odd!r}.", "Rename it without = in its name.")
        return tuple(
            option for name in names for option in ("-c", f"{name}={'false' if name.endswith('.required') else ''}")
        )


def _execute(folder: Path, *arguments: str) -> str:
    git = _git()
    from git.exc import GitCommandError

    try:
        with _nothing_inherited():
            return str(git.execute(git_command(folder, *arguments), env=git_environment()))
    except GitCommandError as error:
        lines = str(error.stderr or error).strip().splitlines()
        reason = lines[-1].strip(" '") if lines else "no reason given"
        command = next(argument for argument in arguments if argument[0] != "-" and "=" not in argument)
        raise RepositoryUnusable(f"`git {command}` refused in {folder}: {reason}.") from None


def _git() -> Git:
    try:
        from git.cmd import Git
    except ImportError:  # GitPython looks for git when it is imported
        raise no_git() from None
    # Where git runs is said by `git_command`; a folder here, too, would be entered twice when it is relative.
    return Git()


@contextlib.contextmanager
def _nothing_inherited() -> Iterator[None]:
    """Take `GIT_*` out of this process's environment: GitPython adds to it and cannot leave anything out.

    Without this a curator's hook, in which git has set `GIT_DIR`, would commit to the repository of the hook.
    """
    held = {name: os.environ.pop(name) for name in [*os.environ] if name.startswith("GIT_")}
    try:
        yield
    finally:
        os.environ.update(held)


def _check_path(path: str) -> None:
    for part in path.split("/"):
        problem = "is empty or leads upwards" if part in ("", ".", "..") else problem_of_name(part)
        if problem or part.casefold() == ".git":
            raise WrongUsage(f"The file name {path!r} cannot be used: {part!r} {problem or 'belongs to git'}.")


def _refuse_links(folder: Path, path: str) -> None:
    place = folder
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            raise RepositoryUnusable(f"{place} is a symbolic link.", "Replace it by a plain folder or file.")


def _replace(place: Path, data: bytes) -> None:
    """Write a file whole or not at all; the temporary one is made anew, so that no link at its name is followed."""
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:60]}.", suffix=".part", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(_PLAIN_MODE)
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _drop_empty_folders(folder: Path, root: Path) -> None:
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
