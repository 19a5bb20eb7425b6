"""Node ids and file names: what is well formed, what a version's work is, which id was probably meant.

An id is `[a-z0-9][a-z0-9._/@-]*`. It never doubles as a path: nodes are found by reading the id in their passport.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from forest.days import parse_day

MAX_ID_LENGTH = 200
MAX_NAME_BYTES = 100

_ID = re.compile(r"[a-z0-9][a-z0-9._/@-]*")
_SLUG_BREAK = re.compile(r"[^a-z0-9]+")
_WINDOWS_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))]
)
_WINDOWS_FORBIDDEN = frozenset('<>:"\\|?*')


def problem_of_id(text: str) -> str:
    """Return why `text` cannot be a node id, or "" when it can.

    Examples:
        >>> problem_of_id("lft/art-76@2022-12-27")
        ''
        >>> problem_of_id("../../x")
        "must begin with a-z or 0-9 and hold only a-z 0-9 . _ / @ -"
    """
    if not _ID.fullmatch(text):
        return "must begin with a-z or 0-9 and hold only a-z 0-9 . _ / @ -"
    if len(text) > MAX_ID_LENGTH:
        return f"has {len(text)} characters, the limit is {MAX_ID_LENGTH}"
    if any(part in ("", ".", "..") for part in text.split("/")):
        return "has an empty, '.' or '..' part between slashes"
    _, at, stamp = text.partition("@")
    if at and parse_day(stamp) is None:
        return "what follows @ must be the date of a version, as in lft/art-76@2022-12-27"
    return ""


def work_of(node_id: str) -> str:
    """Return the work that an id is a version of; an id without a version is its own work."""
    return node_id.partition("@")[0]


def is_version(node_id: str) -> bool:
    """Tell whether an id names one dated text of a work (`lft/art-76@2022-12-27`)."""
    return "@" in node_id


def slug(text: str) -> str:
    """Turn folded words into an id part: lower case, digits, single hyphens.

    Args:
        text: words without accents (see `forest.text.fold`); anything else becomes a hyphen.
    """
    return _SLUG_BREAK.sub("-", text).strip("-")


def problem_of_name(name: str) -> str:
    """Return why a file or folder name is not portable across Linux, macOS and Windows, or ""."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:  # a name of bytes that are not UTF-8 comes with surrogates
        return "is not UTF-8"
    if size > MAX_NAME_BYTES:
        return f"is {size} bytes long, the limit is {MAX_NAME_BYTES}"
    if name.partition(".")[0].casefold() in _WINDOWS_RESERVED:
        return "is a device name that Windows reserves"
    if any(c in _WINDOWS_FORBIDDEN or ord(c) < 32 for c in name):
        return "has a character that Windows refuses"
    if name.endswith((".", " ")):
        return "ends with a dot or a space, which Windows drops"
    return ""


def nearest(wanted: str, known: Iterable[str], limit: int = 1) -> tuple[str, ...]:
    """Return the ids most like `wanted`, best first; empty when nothing is similar.

    Similarity is rapidfuzz's normalised indel ratio; below 60 of 100 an id is a guess and left out.
    """
    from rapidfuzz import fuzz, process

    found = process.extract(wanted, list(known), scorer=fuzz.ratio, limit=limit, score_cutoff=60)
    return tuple(match for match, _, _ in found)
