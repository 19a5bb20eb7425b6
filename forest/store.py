"""Where nodes' bytes come from: a folder that a curator edits, or a committed tree.

Owns which files are nodes (`*.md` outside dot-folders), what is refused without being read (symbolic links, submodules,
oversized files), the hierarchy that folders mean, and where `forest.yaml` is. Trees are listed by `forest.history`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from forest.config import CONFIG_NAME, Config, parse_config
from forest.errors import NotAForest, TooLarge
from forest.finding import Finding
from forest.history import ObjectReader, Snapshot, find_in_tree
from forest.limits import MAX_NODE_BYTES, MAX_YAML_BYTES
from forest.node import Node, load_node, too_large
from forest.text import decode

INDEX_NAME = "index.md"


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file of a forest as loaded: its node where there is one, and what is wrong with the file alone."""

    path: str
    node: Node | None
    findings: tuple[Finding, ...]


def is_node_path(path: str) -> bool:
    """Tell whether a path relative to the forest's folder is a node's: `*.md`, no part beginning with a dot."""
    return path.endswith(".md") and not any(part.startswith(".") for part in path.split("/"))


def parent_path(path: str) -> str:
    """Return the file of a node's parent: of `a/b.md` it is `a/index.md`; of the root `index.md`, "".

    Examples:
        >>> parent_path("a/b.md"), parent_path("a/index.md"), parent_path("index.md")
        ('a/index.md', 'index.md', '')
    """
    parts = PurePosixPath(path).parts
    if parts[-1] == INDEX_NAME:
        if len(parts) == 1:
            return ""
        parts = parts[:-1]
    return "/".join((*parts[:-1], INDEX_NAME))


def read_folder_config(folder: Path) -> Config:
    """Read `forest.yaml` of a folder on disk.

    Raises:
        NotAForest: there is none, or it cannot be used.
        TooLarge: it is over the limit of YAML data.
    """
    path = folder / CONFIG_NAME
    if path.is_symlink() or not path.is_file():
        raise NotAForest(
            f"{folder} is not a forest: it has no {CONFIG_NAME}.",
            "Name a forest's folder with --forest, or make one with `forest curate PATHS --into FOLDER`.",
        )
    if path.stat().st_size > MAX_YAML_BYTES:
        raise TooLarge(f"{path} has {path.stat().st_size:,} bytes, the limit is {MAX_YAML_BYTES:,}.")
    return config_from(path.read_bytes(), str(path))


def config_from(data: bytes, where: str) -> Config:
    """Read the bytes of a `forest.yaml`; see `forest.config.parse_config`."""
    decoded = decode(data)
    if decoded is None:
        raise NotAForest(f"{where} is not text.", "Save it as UTF-8.")
    return parse_config(decoded.text, where)


def read_config(snapshot: Snapshot, objects: ObjectReader) -> Config:
    """Read the committed `forest.yaml`.

    Raises:
        NotAForest: the tree has none, or it cannot be used.
    """
    entry = find_in_tree(snapshot, CONFIG_NAME)
    if entry is None or not entry.plain:
        raise NotAForest(
            f"{snapshot.folder} is not a forest: its commit {snapshot.commit[:12]} has no {CONFIG_NAME}.",
            "Name a forest's folder with --forest, and commit it if it is new.",
        )
    if entry.size > MAX_YAML_BYTES:
        raise TooLarge(
            f"{snapshot.folder}/{CONFIG_NAME} has {entry.size:,} bytes, the limit is {MAX_YAML_BYTES:,}.",
            "It holds a few settings; texts belong into nodes.",
        )
    data = objects.read(entry.blob, MAX_YAML_BYTES) or b""
    return config_from(data, f"{snapshot.folder}/{CONFIG_NAME}")


def load_folder(folder: Path) -> Iterator[Loaded]:
    """Load every node of a folder on disk in path order, without following links out of it.

    Directories are visited in the order of their names, so that two runs and two machines list alike. Submodules and
    nested repositories are findings and not entered.
    """
    # A stack of its own, not recursion: how deep folders go is up to whoever made them.
    waiting = [_entries(folder)]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
            continue
        path = Path(entry.path).relative_to(folder).as_posix()
        try:
            if _is_folder(entry):
                waiting.append(_entries(Path(entry.path)))
            else:
                yield from _loaded(entry, path)
        except OSError as error:
            yield Loaded(path, None, (unreadable_finding(path, error.strerror or "no reason given"),))


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return iter(sorted((e for e in found if not e.name.startswith(".")), key=lambda entry: entry.name))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and _is_utf8(entry.name) and not (Path(entry.path) / ".git").exists()


def _loaded(entry: os.DirEntry[str], path: str) -> Iterator[Loaded]:
    if not _is_utf8(entry.name):
        # Surrogates in a path would break whoever prints it; the escaped name is what lint complains about.
        yield Loaded(path.encode("utf-8", "backslashreplace").decode(), None, ())
    elif entry.is_symlink():
        yield Loaded(path, None, (link_finding(path),))
    elif entry.is_dir():
        yield Loaded(path, None, (submodule_finding(path),))
    elif is_node_path(path) and entry.is_file():
        size = entry.stat().st_size
        if size > MAX_NODE_BYTES:
            yield Loaded(path, None, (too_large(path, size),))
        else:
            yield Loaded(path, *load_node(Path(entry.path).read_bytes(), path))


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are not UTF-8 come from the file system as surrogates
        return False
    return True


def unreadable_finding(path: str, reason: str) -> Finding:
    """Return the finding for a file or folder that the system does not let one read."""
    return Finding(path, 0, "unreadable", f"The system refused to read it: {reason}.", "Look at its permissions.")


def link_finding(path: str) -> Finding:
    """Return the finding for a symbolic link, which is never followed."""
    return Finding(path, 0, "link", "A symbolic link; it is not followed.", "Replace it by the file it points to.")


def submodule_finding(path: str) -> Finding:
    """Return the finding for a submodule or nested repository, which is never entered."""
    return Finding(
        path, 0, "link", "A submodule or nested repository; it is not entered.", "Curate it as a forest of its own."
    )
