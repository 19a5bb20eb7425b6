"""Side refs: trees of small files beside the branches, that no index and no work tree knows.

A side ref is `refs/forest/<forest-id>/<name>`. It moves one commit at a time by compare-and-swap, so nothing that was
reported as written is lost however many processes write; a file lock beside it only keeps the processes of one machine
from redoing each other's work. A process that is killed leaves at most objects that git collects in time, or a lock
of the ref, which the next writer removes once it is old.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Self

from forest.errors import RepositoryUnusable, TooLarge, WrongUsage
from forest.fast_import import DURABLE, FastImport
from forest.history import MOST_TOGETHER, ObjectReader, Snapshot, reason_of, run_git, start_git

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}(?:/[a-z0-9][a-z0-9_-]{0,99})?")
_PLAIN = frozenset((b"100644", b"100755"))
_LOCK_SECONDS = 60
_MOST_TRIES = 30
_LONGEST_WAIT_SECONDS = 0.5
# Git holds the lock of a ref for milliseconds; after this long nobody does any more.
_STALE_SECONDS = 5
_CHUNK_BYTES = 1 << 16

# A file's bytes, the id of a blob that the repository has, or None for a file that goes.
Content = bytes | str | None


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a side ref.

    Attributes:
        files: contents by path; what is not named stays as the tip has it.
        parents: commits that it follows; None is the tip alone. Other parents are a change in themselves.
        instead: a commit that the ref names from then on; files and parents are not looked at.
    """

    files: Mapping[str, Content] = field(default_factory=dict)
    parents: tuple[str, ...] | None = None
    instead: str = ""


class SideRef:
    """One side ref of a forest. Close it, or use it as a context manager, when blobs were read.

    Args:
        snapshot: the forest; which commit it is of does not matter.
        name: lower case, digits and hyphens, with at most one slash.

    Attributes:
        ref: its full name.
    """

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise WrongUsage(f"{name!r} cannot be the name of a side ref.", "Use a-z, 0-9 and hyphens.")
        self.ref = f"refs/forest/{snapshot.forest_id}/{name}"
        self._folder = snapshot.folder
        self._common_dir = snapshot.common_dir
        self._lock_path = snapshot.common_dir / "forest" / snapshot.forest_id / f"{name.replace('/', '-')}.lock"
        self._hash = hashlib.sha256 if len(snapshot.commit) == 64 else hashlib.sha1
        self._objects = ObjectReader(snapshot.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the git that reads blobs."""
        self._objects.close()

    def tip(self) -> str:
        """Return the id of the commit that the ref names, "" when there is none."""
        done = run_git(self._folder, "rev-parse", "--verify", "--quiet", f"{self.ref}^{{commit}}")
        return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""

    def has(self, commit: str) -> bool:
        """Tell whether the repository has a commit, by its full id."""
        return run_git(self._folder, "cat-file", "-e", f"{commit}^{{commit}}").returncode == 0

    def find(self, commit: str, paths: Iterable[str]) -> dict[str, str]:
        """Return the blob ids of those of some files that a commit has, by path; "" has none."""
        wanted = list(paths)
        if not commit or not wanted:
            return {}
        found = self.sizes(f"{commit}:{path}" for path in wanted)
        return {path: found[name][0] for path in wanted if (name := f"{commit}:{path}") in found}

    def sizes(self, objects: Iterable[str]) -> dict[str, tuple[str, int]]:
        """Return id and size in bytes of those of some objects that are blobs, by the name that was given.

        Args:
            objects: ids of blobs, or `commit:path`; without line ends. Nothing of them is read but their headers.
        """
        wanted = list(dict.fromkeys(objects))
        asked = "".join(f"{name}\n" for name in wanted).encode("utf-8", "surrogateescape")
        form = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
        done = run_git(self._folder, "cat-file", form, data=asked)
        lines = done.stdout.decode("utf-8", "surrogateescape").splitlines()
        if done.returncode != 0 or len(lines) != len(wanted):
            raise RepositoryUnusable(f"Git cannot read {self.ref}: {reason_of(done)}.", "Run `git fsck`.")
        rows = {name: line.rsplit(" ", 2) for name, line in zip(wanted, lines, strict=True)}
        return {name: (row[0], int(row[2])) for name, row in rows.items() if row[1:2] == ["blob"]}

    def entries(self, commit: str, below: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
        """Yield path and blob id of every plain file of a commit, in git's order; "" has none.

        Args:
            commit: the commit.
            below: only what is in one of these folders.
        """
        if not commit:
            return
        for record in _records(self._folder, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *below):
            head, _, path = record.partition(b"\t")
            mode, kind, blob = head.split()
            if kind == b"blob" and mode in _PLAIN:
                yield path.decode("utf-8", "surrogateescape"), blob.decode()

    def changes(self, old: str, new: str, odd: str = "") -> Iterator[tuple[str, str, str]]:
        """Yield (path, blob before, blob after) for every file that differs, in git's order; "" where there is none.

        Args:
            old: a commit; "" is one without files.
            new: a commit; "" likewise.
            odd: told in place of the blob of what is not a plain file: a link or a submodule.
        """
        if old == new:
            return
        options = ("-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-abbrev", "--raw")
        nothing = self._empty_tree
        records = _records(self._folder, "diff-tree", *options, old or nothing, new or nothing, "--")
        for head, name in zip(records, records, strict=False):
            before_mode, after_mode, before, after, _ = head.removeprefix(b":").split()
            one, two = _told(before_mode, before, odd), _told(after_mode, after, odd)
            if one != two:
                yield name.decode("utf-8", "surrogateescape"), one, two

    @property
    def _empty_tree(self) -> str:
        return self._hash(b"tree 0\0").hexdigest()  # git knows it without having it

    def read(self, blob: str, limit_bytes: int) -> bytes | None:
        """Return the bytes of a blob, None when it is not here, is none, or is over the limit."""
        try:
            return self._objects.read(blob, limit_bytes)
        except TooLarge:
            return None

    def read_many(self, blobs: Iterable[str], limit_bytes: int) -> Iterator[tuple[str, bytes | None]]:
        """Yield blobs with their bytes, each once, as `read` gives them; many together take a fraction of the time."""
        left = iter(dict.fromkeys(blobs))
        while some := list(islice(left, MOST_TOGETHER)):
            sizes = self.sizes(some)
            small = [blob for blob in some if sizes.get(blob, ("", limit_bytes + 1))[1] <= limit_bytes]
            found = dict(zip(small, self._objects.read_together(small), strict=True)) if small else {}
            yield from ((blob, found.get(blob)) for blob in some)

    def blob_id(self, data: bytes) -> str:
        """Return the id that git gives these bytes."""
        return self._hash(b"blob %d\0" % len(data) + data).hexdigest()

    def update(self, make: Callable[[str], Mapping[str, bytes | None]], message: str) -> str:
        """Put one commit on top of the tip.

        Args:
            make: given the tip ("" when there is none), returns contents by path, None for a file that goes. Called
                again with the new tip whenever another process was faster.
            message: the commit's message. It is seen by whoever gets the ref: no words of questions.

        Returns:
            The commit's id; the tip, perhaps "", when nothing changes.

        Raises:
            RepositoryUnusable: git refuses, or others kept moving the ref. Nothing moved then.
        """
        return self.apply(lambda tip: Change(make(tip)), message)

    def apply(self, make: Callable[[str], Change], message: str) -> str:
        """Do what `update` does, with other parents where the change says so."""
        with self._alone():
            for number in range(_MOST_TRIES):
                tip = self.tip()
                change = make(tip)
                commit = change.instead or self._changed(tip, change, message)
                if commit == tip or self._move(tip, commit, message):
                    return commit
                time.sleep(random.uniform(0, min(_LONGEST_WAIT_SECONDS, 0.01 * 2**number)))  # noqa: S311 - only jitter
        raise RepositoryUnusable(f"Others keep moving {self.ref}.", "Run this again.")

    def _changed(self, tip: str, change: Change, message: str) -> str:
        files = self._differing(tip, change.files)
        if not files and change.parents is None:
            return tip
        return self._commit(tip, files, (tip,) if change.parents is None else change.parents, message)

    def commit(self, base: str, files: Mapping[str, Content], parents: tuple[str, ...], message: str) -> str:
        """Return the id of a new commit that no ref names: the files of `base` with some changes."""
        return self._commit(base, self._differing(base, files), parents, message)

    def move(self, old: str, new: str, message: str) -> bool:
        """Let the ref name another commit, "" for none, if it still names `old`; return whether it did."""
        if old == new:
            return True
        with self._alone():
            return self._move(old, new, message)

    def _differing(self, tip: str, files: Mapping[str, Content]) -> dict[str, Content]:
        """Return what is not already so at the tip."""
        there = self.find(tip, files)
        return {path: content for path, content in files.items() if self._id(content) != there.get(path, "")}

    def _id(self, content: Content) -> str:
        return self.blob_id(content) if isinstance(content, bytes) else content or ""

    def _commit(self, base: str, files: Mapping[str, Content], parents: tuple[str, ...], message: str) -> str:
        importer = FastImport(self._folder)
        try:
            for content in files.values():
                if isinstance(content, bytes):
                    importer.blob(self.blob_id(content), content)
            parents = tuple(dict.fromkeys(parent for parent in parents if parent))
            tree = self._tree(base) if base and parents[:1] != (base,) else ""
            named = {path: None if content is None else self._id(content) for path, content in files.items()}
            return importer.commit(named, parents, message, tree)
        except BaseException:
            importer.abandon()
            raise

    def _tree(self, commit: str) -> str:
        return run_git(self._folder, "rev-parse", "--verify", f"{commit}^{{tree}}").stdout.decode().strip()

    def _move(self, old: str, new: str, message: str) -> bool:
        """Move the ref from `old` to `new`; return False when it is not `old` any more."""
        none = "0" * (2 * self._hash().digest_size)
        move = (self.ref, new, old or none) if new else ("-d", self.ref, old or none)
        for _ in range(_MOST_TRIES):
            done = run_git(self._folder, *DURABLE, "update-ref", "-m", f"forest: {message}", *move)
            if done.returncode == 0:
                return True
            if self.tip() != old:
                return False
            self._drop_stale_lock()
            time.sleep(random.uniform(0.5, 1) * _LONGEST_WAIT_SECONDS)  # noqa: S311 - only jitter
        raise RepositoryUnusable(f"Git cannot move {self.ref}: {reason_of(done)}.", "Run `git fsck`.")

    def _drop_stale_lock(self) -> None:
        """Remove the ref's own lock when nobody can hold it any more: one that a killed git left.

        Called only under our own lock: no living process of ours is at it, and others hold it for an instant.
        """
        lock = self._common_dir / f"{self.ref}.lock"
        with contextlib.suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > _STALE_SECONDS:
                lock.unlink()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            self._lock_path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._lock_path, timeout=_LOCK_SECONDS):
                yield
        except Timeout:
            raise RepositoryUnusable(f"Another program is writing to {self.ref}.", "Run this again.") from None
        except PermissionError as error:
            raise RepositoryUnusable(f"{error.filename} cannot be written.", "Make the repository writable.") from None


def _told(mode: bytes, blob: bytes, odd: str) -> str:
    if mode in _PLAIN:
        return blob.decode()
    return "" if mode == b"000000" else odd


def _records(folder: Path, *arguments: str) -> Iterator[bytes]:
    """Yield what a git prints between NUL bytes, as it prints it.

    Raises:
        RepositoryUnusable: git failed, perhaps after some records.
    """
    process = start_git(folder, *arguments)
    if process.stdin is None or process.stdout is None:
        raise RepositoryUnusable("Git was started without pipes.")
    process.stdin.close()
    left = b""
    try:
        while chunk := process.stdout.read(_CHUNK_BYTES):
            *whole, left = (left + chunk).split(b"\0")
            yield from whole
    finally:
        process.stdout.close()
        code = process.wait()
    if code != 0:
        raise RepositoryUnusable(f"`git {arguments[0]}` failed in {folder}.", "Run `git fsck`.")
