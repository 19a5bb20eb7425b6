"""Remotes: other repositories, asked for one ref and given one ref. The only place where git may talk to others.

Git runs in an empty repository made for the moment, that shares only the objects: no setting, hook, filter or remote
helper of the forest's own repository has a say, as that may have come from anywhere. What the user's own configuration
says (keys, proxies, credentials) holds. Which remotes are trusted is a file in the git directory; no forest can state
it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from forest.errors import RemoteUnusable
from forest.history import Snapshot, git_command, git_environment, reason_of, run_git
from forest.ids import slug
from forest.text import fold

MAX_FETCH_BYTES = 1 << 30
FETCH_SECONDS = 900
_PROTOCOLS = "file:https:ssh"
_SCHEMES = ("file://", "https://", "ssh://")
_SCP = re.compile(r"(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?[A-Za-z0-9][A-Za-z0-9._-]*:[^:].*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_URL = 1_000
_TRUST_FORMAT = 1
_MAX_TRUST_BYTES = 256 * 1024
# Said aloud: git can be told to enter no bare repository that it only happens to be in.
_HERE = "--git-dir=."
# Told by the user's own environment, not by a repository.
_USERS_OWN = ("GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS")
_MOVED = ("stale info", "fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref", "already exists")


@dataclass(frozen=True, slots=True)
class Remote:
    """Another repository.

    Attributes:
        name: as the user calls it.
        url: where it is.
    """

    name: str
    url: str

    @property
    def key(self) -> str:
        """Its part of the name of a ref: of the place, not of what it is called today."""
        return f"{slug(fold(self.name))[-40:].strip('-') or 'remote'}-{_key(self.url)}"


def _key(url: str) -> str:
    return hashlib.sha256(os.fsencode(url)).hexdigest()[:12]


def find_remote(snapshot: Snapshot, name: str = "") -> Remote:
    """Return a remote by the name under which it is configured, or by its URL or path.

    Args:
        snapshot: the forest.
        name: "" is `origin`, or the only one that is configured.

    Raises:
        RemoteUnusable: there is no such remote, or git may not talk to it.
    """
    configured = configured_remotes(snapshot)
    if not name and not configured:
        raise RemoteUnusable(
            "This repository has no remote to sync with.",
            "Add one with `git remote add origin URL`, or name a URL or a path: forest trails sync URL",
        )
    if not name:
        name = "origin" if "origin" in configured else next(iter(configured))
        if name != "origin" and len(configured) > 1:
            raise RemoteUnusable(
                f"It is not clear with whom to sync: {len(configured)} remotes are configured.",
                f"Name one: forest trails sync {name}",
            )
    if name.startswith("-") or not name.isprintable() or len(name) > _MAX_URL:
        raise RemoteUnusable(f"{name[:80]!r} cannot be a remote.", "Name a configured remote, a URL or a path.")
    if name in configured:
        return Remote(name, _allowed(configured[name], _top(snapshot)))
    if _looks_like_place(name):
        return Remote(name, _allowed(name, Path.cwd()))
    known = ", ".join(sorted(configured)[:10]) or "none"
    raise RemoteUnusable(f"There is no remote {name[:80]!r} (configured: {known}).", "See `git remote -v`.")


def configured_remotes(snapshot: Snapshot) -> dict[str, str]:
    """Return the first URL of each remote that the repository has, by name, as it is written there."""
    done = run_git(snapshot.folder, "config", "-z", "--get-regexp", r"^remote\..*\.url$")
    rows = (row.partition("\n") for row in done.stdout.decode("utf-8", "replace").split("\0") if row)
    found: dict[str, str] = {}
    for key, _, url in rows:
        name = key.removeprefix("remote.").removesuffix(".url")
        if _NAME.fullmatch(name) and url:
            found.setdefault(name, url)
    return found


def _top(snapshot: Snapshot) -> Path:
    """Return the folder from which git reads relative paths of remotes."""
    done = run_git(snapshot.folder, "rev-parse", "--show-toplevel")
    return Path(os.fsdecode(done.stdout).rstrip("\n")) if done.returncode == 0 else snapshot.common_dir


def _looks_like_place(name: str) -> bool:
    return "://" in name or bool(_SCP.fullmatch(name)) or Path(name).is_dir()


def _allowed(url: str, here: Path) -> str:
    """Return a URL that git may talk to; a path becomes absolute.

    Raises:
        RemoteUnusable: it names a helper, another protocol, or looks like an option.
    """
    refused = RemoteUnusable(
        f"Git may not talk to {url[:80]!r}.", "A remote is a path, file://, ssh://, user@host:path or https://."
    )
    if not url or len(url) > _MAX_URL or not url.isprintable() or url.startswith("-") or "::" in url.partition("/")[0]:
        raise refused
    if "://" in url:
        if not url.startswith(_SCHEMES) or url.partition("://")[2].startswith("-"):
            raise refused
        return url
    place = here / url
    if place.is_dir():
        return str(place.resolve())
    if _SCP.fullmatch(url):
        return url
    raise RemoteUnusable(f"There is no repository at {url[:80]!r}.", "Name a configured remote, a URL or a path.")


# --- trust ----------------------------------------------------------------------------------------------------------


def is_trusted(snapshot: Snapshot, remote: Remote) -> bool:
    """Tell whether the user trusts what is at that place; another place under the same name is not trusted."""
    return remote.url in _trusted(snapshot)


def trust(snapshot: Snapshot, remote: Remote, *, revoke: bool = False) -> bool:
    """Trust a remote, or no longer; return whether that is a change."""
    before = _trusted(snapshot)
    after = before - {remote.url} if revoke else before | {remote.url}
    if after != before:
        place = _trust_path(snapshot)
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(".part")
        part.write_text(json.dumps({"format": _TRUST_FORMAT, "trusted": sorted(after)}), encoding="utf-8")
        part.replace(place)
    return after != before


def _trust_path(snapshot: Snapshot) -> Path:
    return snapshot.common_dir / "forest" / snapshot.forest_id / "trusted.json"


def _trusted(snapshot: Snapshot) -> frozenset[str]:
    try:
        with _trust_path(snapshot).open("rb") as file:
            fields = json.loads(file.read(_MAX_TRUST_BYTES))
        return frozenset(url for url in fields["trusted"] if isinstance(url, str))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return frozenset()


# --- talking --------------------------------------------------------------------------------------------------------


class Talk:
    """One conversation with a remote about one ref.

    Args:
        snapshot: the forest.
        remote: who is talked to.
        ref: the full name of the ref there.
        known: commits that are here, so that what they hold is not sent again.
    """

    def __init__(self, snapshot: Snapshot, remote: Remote, ref: str, known: tuple[str, ...]) -> None:
        self._snapshot, self._remote, self._ref = snapshot, remote, ref
        self._known = tuple(commit for commit in dict.fromkeys(known) if commit)

    def tip(self) -> str:
        """Return what the ref names there, "" when it is not there.

        Raises:
            RemoteUnusable: the remote does not answer, or is no repository.
        """
        with self._apart() as apart:
            done = self._try(apart, "ls-remote", "--quiet", self._remote.url, self._ref)
        if done.returncode != 0:
            raise self._refused(done, "cannot be asked")
        rows = (line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines())
        found = next((row[0] for row in rows if row[1:] == [self._ref]), "")
        if found and len(found) != len(self._snapshot.commit):
            raise RemoteUnusable(f"{self._remote.name} has ids of another length: it is no clone of this repository.")
        return found if _OID.fullmatch(found) else ""

    def fetch(self, tip: str) -> str:
        """Get the ref's commit with all that it leads to; return its id, which may be a later one than `tip`.

        Raises:
            RemoteUnusable: it is too large, takes too long, is no commit, or has objects that git calls malformed.
        """
        checked = ("-c", "fetch.fsckObjects=true", "-c", "core.bigFileThreshold=1m")
        options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")
        refspec = f"+{self._ref}:refs/fetched"
        with self._apart() as apart:
            done = self._try(apart, *checked, "fetch", *options, self._remote.url, refspec, limit=MAX_FETCH_BYTES)
            if self._drop_cut_packs():
                raise RemoteUnusable(f"The trails of {self._remote.name} are over {MAX_FETCH_BYTES:,} bytes.")
            if done.returncode != 0:
                raise self._refused(done, "cannot be asked")
            done = run_git(apart, _HERE, "rev-parse", "--verify", "--quiet", "refs/fetched")
        got = done.stdout.decode("ascii", "replace").strip() or tip
        if run_git(self._snapshot.folder, "cat-file", "-e", f"{got}^{{commit}}").returncode != 0:
            raise RemoteUnusable(f"What {self._remote.name} calls its trails is no commit.", "Ask who keeps it.")
        done = run_git(self._snapshot.folder, "rev-parse", "--verify", f"{got}^{{commit}}")
        return done.stdout.decode("ascii", "replace").strip()

    def push(self, commit: str, expected: str) -> bool:
        """Let the ref there name a commit if it still names `expected`; return whether it did.

        Raises:
            RemoteUnusable: the remote refuses.
        """
        lease = f"--force-with-lease={self._ref}:{expected}"
        options = ("--quiet", "--no-verify", "--recurse-submodules=no", "--no-follow-tags", lease)
        with self._apart() as apart:
            done = self._try(apart, "push", *options, self._remote.url, f"{commit}:{self._ref}")
        if done.returncode == 0:
            return True
        said = done.stderr.decode("utf-8", "replace")
        if any(words in said for words in _MOVED):
            return False
        raise self._refused(done, "does not take trails")

    def _refused(self, done: subprocess.CompletedProcess[bytes], what: str) -> RemoteUnusable:
        said = done.stderr.decode("utf-8", "replace")
        lines = [line.removeprefix("remote: ") for line in said.splitlines() if "error:" in line or "fatal:" in line]
        reason = lines[0] if lines else reason_of(done)
        return RemoteUnusable(f"{self._remote.name} {what}: {reason[:300]}.", "See `git remote -v` and your access.")

    def _try(self, apart: Path, *arguments: str, limit: int = 0) -> subprocess.CompletedProcess[bytes]:
        own = {name: os.environ[name] for name in _USERS_OWN if name in os.environ}
        environment = (
            git_environment() | own | {"GIT_ALLOW_PROTOCOL": _PROTOCOLS, "GIT_OBJECT_DIRECTORY": self._objects}
        )
        with subprocess.Popen(
            git_command(apart, _HERE, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            preexec_fn=_limited(limit),
        ) as process:
            try:
                out, said = process.communicate(timeout=FETCH_SECONDS)
            except BaseException as error:  # Ctrl-C too: what git has started goes with it
                with contextlib.suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise RemoteUnusable(f"{self._remote.name} took over {FETCH_SECONDS} seconds.") from None
                raise
        return subprocess.CompletedProcess(arguments, process.returncode, out, said)

    @property
    def _objects(self) -> str:
        return str(self._snapshot.common_dir / "objects")

    @contextlib.contextmanager
    def _apart(self) -> Iterator[Path]:
        """Make an empty repository that has no settings and knows some commits by name."""
        with tempfile.TemporaryDirectory(prefix="forest-sync-") as name:
            apart = Path(name)
            form = "sha256" if len(self._snapshot.commit) == 64 else "sha1"
            run_git(apart, "init", "--quiet", "--bare", "--template=", f"--object-format={form}")
            heads = apart / "refs" / "heads"
            heads.mkdir(parents=True, exist_ok=True)
            for number, commit in enumerate(self._known):
                (heads / f"known-{number}").write_text(f"{commit}\n", encoding="ascii")
            yield apart

    def _drop_cut_packs(self) -> bool:
        """Remove what a fetch left that was stopped at the limit; return whether there was any."""
        cut = [left for left in Path(self._objects, "pack").glob("tmp_pack_*") if _size(left) >= MAX_FETCH_BYTES]
        for left in cut:
            left.unlink(missing_ok=True)
        return bool(cut)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _limited(limit_bytes: int) -> Callable[[], None] | None:
    """Return what lets a process write no file over a limit, where the system can do that."""
    if not limit_bytes:
        return None
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
