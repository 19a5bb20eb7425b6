"""Git, read-only: revisions, trees and blobs of a repository that is not trusted.

Every call is a list of arguments to a git that runs no hook, no file-system monitor, no external diff, no filter and no
transport, in an environment without inherited `GIT_*`. A revision from outside is resolved to a commit id before
anything else sees it. This module starts git itself because a search is over before GitPython would be imported
(docs/decisions/0003-git.md); writing goes through `forest.commit`.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from forest.errors import NotAForest, RepositoryUnusable, RevisionUnknown, TooLarge
from forest.ids import slug
from forest.limits import MAX_NODE_BYTES
from forest.text import fold

MOST_TOGETHER = 400  # ids that fit into a pipe at once: git need not answer before all are asked for
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HARDENED = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.pager=cat",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
)
# Names of folders may hold line ends, so the ids tell where they stop.
_PLACE = re.compile(
    rf"(?P<bare>\w+)\n(?P<common>.+)\n(?P<commit>{_OID.pattern})\n(?:(?P<prefix>.*)\n)?(?P<tree>{_OID.pattern})\n",
    re.DOTALL,
)
_BLOB_MODES = frozenset((b"100644", b"100755"))


def git_command(folder: Path, *arguments: str) -> list[str]:
    """Return the command line of a git that does nothing but what it is told, run in `folder`."""
    return ["git", "-C", str(folder), *_HARDENED, *arguments]


def git_environment() -> dict[str, str]:
    """Return this process's environment for git: without inherited `GIT_*`, unable to ask or to fetch anything."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return kept | {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C.UTF-8",
    }


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A forest as one commit has it.

    Attributes:
        folder: where git runs: the forest's folder, or the bare repository.
        common_dir: the repository's own directory, shared by its work trees.
        prefix: the forest's folder relative to the top of the repository, "" or ending in `/`.
        commit: id of the commit.
        tree: id of the forest folder's tree in it; what derived state is a function of.
        bare: whether the repository has no work tree.
    """

    folder: Path
    common_dir: Path
    prefix: str
    commit: str
    tree: str
    bare: bool = False

    @property
    def forest_id(self) -> str:
        """What tells this forest from others in its repository, the same in every clone; part of a ref's name."""
        place = hashlib.sha256(self.prefix.encode()).hexdigest()[:8]
        return f"{slug(fold(Path(self.prefix).name)) or 'root'}-{place}"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One file of a committed tree: path relative to the forest, blob id, size in bytes, whether it is a plain file.

    Links and submodules are listed with `plain` False so that they can be reported; they are never followed.
    """

    path: str
    blob: str
    size: int
    plain: bool


def open_snapshot(folder: Path, revision: str = "HEAD") -> Snapshot:
    """Resolve a folder and a revision to what was committed there.

    Args:
        folder: the forest's folder in a work tree, or a bare repository whose root is the forest.
        revision: anything that names a commit; `HEAD` may be detached.

    Raises:
        RepositoryUnusable: no repository, no commits, or git refuses.
        RevisionUnknown: the revision names no commit.
        NotAForest: the commit has no such folder.
    """
    if not folder.is_dir():
        raise NotAForest(f"{folder} is not a folder.", "Name a forest's folder with --forest.")
    commit = "HEAD" if revision == "HEAD" else resolve(folder, revision)
    # One call: a search starts git twice in all, and each start costs as much as the search itself.
    asked = ("--is-bare-repository", "--git-common-dir", f"{commit}^{{commit}}", "--show-prefix", f"{commit}:./")
    done = run_git(folder, "rev-parse", *asked)
    found = _PLACE.fullmatch(os.fsdecode(done.stdout))
    if done.returncode != 0 or found is None:
        return _open_the_long_way(folder, commit, done)
    common, prefix = _absolute(folder, found["common"]), found["prefix"] or ""
    return Snapshot(folder, common, prefix, found["commit"], found["tree"], bare=found["bare"] == "true")


def _open_the_long_way(folder: Path, commit: str, failed: subprocess.CompletedProcess[bytes]) -> Snapshot:
    where = run_git(folder, "rev-parse", "--is-bare-repository", "--git-common-dir")
    if where.returncode != 0:
        if "dubious ownership" in reason_of(where):
            raise RepositoryUnusable(
                f"{folder} belongs to somebody else, and git does not read such repositories by itself.",
                "If you trust it, add it to git's safe.directory setting.",
            )
        raise RepositoryUnusable(
            f"Git cannot use {folder}: {reason_of(where)}.",
            "A forest answers from what is committed: run `git init`, `git add .` and `git commit` in it.",
        )
    if run_git(folder, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").returncode != 0:
        raise RepositoryUnusable(
            f"{folder} is a repository without commits.",
            "A forest answers from what is committed: run `git add .` and `git commit` first.",
        )
    bare, _, common = os.fsdecode(where.stdout).removesuffix("\n").partition("\n")
    if bare == "true":
        # `commit:./` needs a work tree; in a bare repository the root of the tree is the forest.
        ids = run_git(folder, "rev-parse", f"{commit}^{{commit}}", f"{commit}^{{tree}}").stdout.decode().split()
        return Snapshot(folder, _absolute(folder, common), "", ids[0], ids[1], bare=True)
    raise NotAForest(
        f"{folder} is not part of commit {commit}: {reason_of(failed)}.", "Commit it, or name another revision."
    )


def resolve(folder: Path, revision: str) -> str:
    """Return the id of the commit that a revision names.

    Raises:
        RevisionUnknown: it names none, or is shaped like an option.
    """
    unknown = RevisionUnknown(
        f"{revision!r} names no commit of the repository at {folder}.", "List commits with `git log --oneline`."
    )
    if not revision or revision.startswith("-") or not revision.isprintable() or len(revision) > 1000:
        raise unknown
    done = run_git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    # Git before 2.30 echoes --end-of-options; the id is the last line either way.
    lines = done.stdout.decode("ascii", "replace").split()
    if done.returncode != 0 or not lines or not _OID.fullmatch(lines[-1]):
        raise unknown
    return lines[-1]


def list_tree(snapshot: Snapshot) -> Iterator[TreeEntry]:
    """Yield every file of the snapshot's tree in path order (git's order of bytes)."""
    done = run_git(snapshot.folder, "ls-tree", "-r", "-z", "-l", "--full-tree", snapshot.tree)
    if done.returncode != 0:
        raise RepositoryUnusable(f"Git cannot list tree {snapshot.tree}: {reason_of(done)}.", "Run `git fsck`.")
    yield from _entries(done.stdout)


def find_in_tree(snapshot: Snapshot, path: str) -> TreeEntry | None:
    """Return one file of the snapshot's tree, None when it has no such file."""
    if not path or "\0" in path:
        return None
    done = run_git(snapshot.folder, "ls-tree", "-z", "-l", "--full-tree", snapshot.tree, "--", path)
    return next(_entries(done.stdout), None) if done.returncode == 0 else None


def _entries(listing: bytes) -> Iterator[TreeEntry]:
    for record in listing.split(b"\0"):
        if record:
            head, _, path = record.partition(b"\t")
            mode, kind, oid, size = head.split()
            plain = kind == b"blob" and mode in _BLOB_MODES
            yield TreeEntry(
                path.decode("utf-8", "surrogateescape"),
                oid.decode(),
                int(size) if plain and size.isdigit() else 0,
                plain,
            )


def files_containing(snapshot: Snapshot, words: str) -> Iterator[str]:
    """Yield the paths of the snapshot's markdown files that hold `words` literally, in path order."""
    # Not run in the forest's folder: below the top of a work tree, grep looks only at the same folder of the tree.
    options = ("--no-color", "--no-textconv", "-l", "-z", "-F", "--full-name")
    done = run_git(snapshot.common_dir, "grep", *options, "-e", words, snapshot.tree, "--")
    for record in done.stdout.split(b"\0"):
        path = record.partition(b":")[2].decode("utf-8", "surrogateescape")
        if path.endswith(".md"):
            yield path


class ObjectReader:
    """Reads blobs by id through one `git cat-file --batch`, started at the first read and ended by `close`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, oid: str, limit_bytes: int = MAX_NODE_BYTES) -> bytes | None:
        """Return the bytes of a blob, None when the repository does not have it.

        Raises:
            TooLarge: the blob is over `limit_bytes`; nothing of it was kept.
            RepositoryUnusable: git ended or answered something else.
        """
        if not _OID.fullmatch(oid):
            return None
        to_git, from_git = self._pipes()
        try:
            to_git.write(oid.encode() + b"\n")
            to_git.flush()
            header = from_git.readline().split()
            if len(header) == 2:  # "<id> missing"
                return None
            if not header:  # git looked for it at a remote, which it may not, and gave up
                self.close()
                return None
            size = int(header[2])
            if size > limit_bytes or header[1] != b"blob":
                self.close()
                if header[1] != b"blob":
                    return None
                raise TooLarge(f"Blob {oid[:12]} has {size:,} bytes, the limit is {limit_bytes:,}.")
            data = from_git.read(size)
            from_git.read(1)
        except (OSError, IndexError, ValueError) as error:
            self.close()
            raise RepositoryUnusable(f"Git ended while reading {oid[:12]}: {error}.", "Run `git fsck`.") from None
        if len(data) != size:
            self.close()
            raise RepositoryUnusable(f"Git ended while reading {oid[:12]}.", "Run `git fsck`.")
        return data

    def commit_of(self, ref: str) -> str:
        """Return the id of the commit that a ref names now, "" when it names none.

        Costs no process where blobs are read anyway, as by every step of a walk.

        Args:
            ref: a full name that this program made; never one from outside.
        """
        to_git, from_git = self._pipes()
        try:
            to_git.write(f"{ref}^{{commit}}\n".encode())
            to_git.flush()
            header = from_git.readline().split()
            if len(header) != 3 or header[1] != b"commit":
                if len(header) != 2:
                    self.close()
                return ""
            if int(header[2]) > MAX_NODE_BYTES:
                self.close()
            else:
                from_git.read(int(header[2]) + 1)
            return header[0].decode("ascii")
        except (OSError, ValueError) as error:
            self.close()
            raise RepositoryUnusable(f"Git ended while reading {ref}: {error}.", "Run `git fsck`.") from None

    def read_together(self, oids: Sequence[str]) -> Iterator[bytes | None]:
        """Yield the bytes of some blobs, None for what is none or not here: one turn of git for many.

        Args:
            oids: at most `MOST_TOGETHER`, of blobs that are known to be small. All are to be taken from the iterator.

        Raises:
            RepositoryUnusable: git ended or answered something else.
        """
        known = [oid for oid in oids[:MOST_TOGETHER] if _OID.fullmatch(oid)]
        to_git, from_git = self._pipes()
        try:
            to_git.write("".join(f"{oid}\n" for oid in known).encode())
            to_git.flush()
            for oid in oids[:MOST_TOGETHER]:
                header = from_git.readline().split() if _OID.fullmatch(oid) else []
                data = from_git.read(int(header[2]) + 1)[:-1] if len(header) == 3 else None
                yield data if header[1:2] == [b"blob"] else None
        except (OSError, ValueError) as error:
            self.close()
            raise RepositoryUnusable(f"Git ended while reading blobs: {error}.", "Run `git fsck`.") from None

    def close(self) -> None:
        """End git; a later read starts it again."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.terminate()
        process.wait()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._process = start_git(self._folder, "cat-file", "--batch")
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RepositoryUnusable("Git was started without pipes.")
        return stdin, stdout


def start_git(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start one git whose input and output are pipes; whoever starts it ends it.

    Raises:
        RepositoryUnusable: there is no git.
    """
    try:
        return subprocess.Popen(
            git_command(folder, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=git_environment(),
        )
    except FileNotFoundError:
        raise no_git() from None


def run_git(folder: Path, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run one git to its end, fed `data`, and return its exit status and what it printed.

    Raises:
        RepositoryUnusable: there is no git.
    """
    try:
        return subprocess.run(
            git_command(folder, *arguments),
            input=data,
            capture_output=True,
            env=git_environment(),
            check=False,
        )
    except FileNotFoundError:
        raise no_git() from None


def no_git() -> RepositoryUnusable:
    """Return the error for a machine without git."""
    return RepositoryUnusable("There is no `git` on this machine's PATH.", "Install git 2.30 or newer.")


def reason_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return why a git failed, as it says it itself, without a full stop."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    first = lines[0] if lines else f"exit status {done.returncode}"
    return first.removeprefix("fatal: ").rstrip(".")


def _absolute(folder: Path, path: str) -> Path:
    return (folder / path).resolve()
