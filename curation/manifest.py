"""Manifests: what is known of files of gazette text besides the text itself.

Owns finding `manifest.jsonl` beside or above the files that are given and reading it: one JSON object a line, whose
`file` is relative to the manifest's folder. A line that cannot be used is as if it were not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from forest.days import parse_day
from forest.passport import SECTIONS
from forest.text import one_line

FILE_NAME = "manifest.jsonl"
_HIGHEST = 4
_LARGEST_BYTES = 256 * 1024 * 1024
_NAMED_DAY = re.compile(r"(?<!\d)(?P<day>(?:19|20)\d{2}-\d{2}-\d{2})(?!\d)")
_NAMED_ORDINAL = re.compile(r"_(?P<ordinal>\d{1,4})(?=_|\.|$)")
# Names of files that were made issue by issue: `006_DOF_20251209_MAT_5775533.md`.
_NAMED_ISSUE = re.compile(
    r"(?:(?P<ordinal>\d{1,4})_)?DOF_(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})_(?P<section>MAT|VES|EXT)"
    r"(?:_(?P<code>\d{5,8}))?(?!\d)"
)
_CODE = re.compile(r"(?:^|codigo=)(?P<code>\d{5,8})(?!\d)")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a manifest, or else a file's name, says of a publication; "" and None where nothing does.

    Attributes:
        published: the day of the gazette.
        title: a title, for a text that has none.
        section: MAT, VES or EXT.
        header: the gazette's header of the section, in capitals: the institution that publishes there.
        code: the gazette's own number of the publication.
        ordinal: its place in the issue, in digits.
        listed: whether a manifest lists the file.
    """

    published: date | None = None
    title: str = ""
    section: str = ""
    header: str = ""
    code: str = ""
    ordinal: str = ""
    listed: bool = False


UNKNOWN = Entry()


def read_manifests(paths: Iterable[Path], given: Path | None) -> dict[Path, Entry]:
    """The entries by resolved file of the manifest that is given, else of those beside or above the paths."""
    found: dict[Path, None] = {}
    if given is not None:
        found[given] = None
    else:
        for path in paths:
            start = path.resolve()
            for folder in (start, *start.parents)[: _HIGHEST + 1]:
                if (folder / FILE_NAME).is_file():
                    found[folder / FILE_NAME] = None
    entries: dict[Path, Entry] = {}
    for manifest in found:
        for file, entry in _read(manifest):
            entries.setdefault(file, entry)
    return entries


def entry_of(path: Path, entries: Mapping[Path, Entry]) -> Entry:
    """What is known of a file: its entry, completed by what its name says."""
    listed = entries.get(path.resolve(), UNKNOWN)
    named = _named(path.name)
    return Entry(
        listed.published or named.published,
        listed.title,
        listed.section or named.section,
        listed.header,
        listed.code or named.code,
        listed.ordinal or named.ordinal,
        listed.listed,
    )


def _named(name: str) -> Entry:
    """What a file's name says."""
    if issue := _NAMED_ISSUE.search(name):
        day = parse_day(f"{issue['year']}-{issue['month']}-{issue['day']}")
        return Entry(day, section=issue["section"], code=issue["code"] or "", ordinal=issue["ordinal"] or "")
    day_match, ordinal = _NAMED_DAY.search(name), _NAMED_ORDINAL.search(name)
    day = parse_day(day_match["day"]) if day_match else None
    return Entry(day, ordinal=ordinal["ordinal"] if ordinal else "")


def _read(manifest: Path) -> list[tuple[Path, Entry]]:
    if manifest.stat().st_size > _LARGEST_BYTES:
        return []
    root = manifest.resolve().parent
    found: list[tuple[Path, Entry]] = []
    for line in manifest.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            plain = json.loads(line)
        except ValueError:
            continue
        if isinstance(plain, dict) and isinstance(file := plain.get("file"), str) and file:
            found.append((root / file, _entry({k: one_line(v) for k, v in plain.items() if isinstance(v, str)})))
    return found


def _entry(fields: Mapping[str, str]) -> Entry:
    code = _CODE.search(fields.get("code", "")) or _CODE.search(fields.get("url", ""))
    ordinal = _NAMED_ORDINAL.search(fields.get("id", ""))
    section = fields.get("section", "")
    return Entry(
        parse_day(fields.get("date", "")),
        fields.get("title", ""),
        section if section in SECTIONS else "",
        fields.get("issuing_body", ""),
        code["code"] if code else "",
        ordinal["ordinal"] if ordinal else "",
        listed=True,
    )
