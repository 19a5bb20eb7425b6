"""Git, writing objects: blobs as they come and one commit at the end, through one `git fast-import`.

No ref moves here, and no index and no work tree is touched: what is written is only found by the id that is returned.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from forest.errors import RepositoryUnusable
from forest.history import run_git, start_git

_FALLBACK_IDENTITY = "forest <forest@localhost>"
# Git forces packs to the disk by itself and single objects not; a ref must never outlive what it names.
DURABLE = ("-c", "core.fsync=committed,reference", "-c", "core.fsyncMethod=batch")


class FastImport:
    """One running `git fast-import`, fed blobs as they come and one commit at the end, on no branch.

    Args:
        folder: where git runs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = start_git(folder, *DURABLE, "fast-import", "--quiet", "--done", "--date-format=raw")
        self._marks: dict[str, int] = {}

    def blob(self, blob: str, data: bytes) -> None:
        """Store one blob; the same bytes are stored once."""
        if blob not in self._marks:
            self._marks[blob] = len(self._marks) + 1
            self._write(b"blob\nmark :%d\ndata %d\n%b\n" % (self._marks[blob], len(data), data))

    def commit(self, changes: Mapping[str, str | None], parents: Sequence[str], message: str, tree: str = "") -> str:
        """Store a commit and return its id; no ref of the user's moves.

        Args:
            changes: blob ids by path, stored here or known to the repository before; None deletes.
            parents: commits that it follows; the changes are on top of the first one.
            message: its message.
            tree: what the changes are on top of instead of the first parent's tree.

        Raises:
            RepositoryUnusable: git ended early, or wrote nothing.
        """
        text = message.encode()
        mark = len(self._marks) + 1
        # A ref is required by the format; it lives only as long as this process.
        ref = b"refs/forest-import/%d" % os.getpid()
        stamp = b"%b %d +0000" % (_identity(self._folder).encode(), int(time.time()))
        self._write(b"commit %b\nmark :%d\ncommitter %b\ndata %d\n%b\n" % (ref, mark, stamp, len(text), text))
        for word, parent in zip((b"from", *[b"merge"] * len(parents)), parents, strict=False):
            self._write(b"%b %b\n" % (word, parent.encode()))
        if tree:
            self._write(b'M 040000 %b ""\n' % tree.encode())
        for path, blob in sorted(changes.items()):
            self._write(_change(path, blob, self._marks))
        self._write(b"\nget-mark :%d\n" % mark, now=True)
        commit = self._stdout.readline().strip()
        self._write(b"reset %b\nfrom %b\n\ndone\n" % (ref, b"0" * len(commit)))
        self._stdin.close()
        self._stdout.close()
        # Only the end of the process says that the objects are on the disk.
        if self._process.wait() != 0 or not commit:
            raise RepositoryUnusable("`git fast-import` wrote no commit.", "Is the disk full? Run `git fsck`.")
        return commit.decode()

    def abandon(self) -> None:
        """End git; the stored blobs are garbage that git collects in time."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._process.wait()

    @property
    def _stdin(self) -> IO[bytes]:
        return _pipe(self._process.stdin)

    @property
    def _stdout(self) -> IO[bytes]:
        return _pipe(self._process.stdout)

    def _write(self, data: bytes, *, now: bool = False) -> None:
        try:
            self._stdin.write(data)
            if now:
                self._stdin.flush()
        except OSError as error:
            self.abandon()
            raise RepositoryUnusable(f"`git fast-import` ended early: {error}.", "Is the disk full?") from None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise RepositoryUnusable("Git was started without pipes.")
    return stream


def _identity(folder: Path) -> str:
    """Return who commits: as git is configured, else a name of the program's own."""
    asked = run_git(folder, "var", "GIT_COMMITTER_IDENT")
    ident = asked.stdout.decode("utf-8", "replace")
    if asked.returncode != 0 or ">" not in ident:
        return _FALLBACK_IDENTITY
    return ident[: ident.rindex(">") + 1]


def _change(path: str, blob: str | None, marks: Mapping[str, int]) -> bytes:
    quoted = _quoted(path)
    if blob is None:
        return b"D %b\n" % quoted
    name = b":%d" % marks[blob] if blob in marks else blob.encode()
    return b"M 100644 %b %b\n" % (name, quoted)


def _quoted(path: str) -> bytes:
    """Return a path as fast-import reads it; the forest's own folder may have any name."""
    data = os.fsencode(path)
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        data = data.replace(plain, escaped)
    return b'"' + data + b'"'
