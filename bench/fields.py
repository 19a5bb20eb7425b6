"""JSON objects read field by field: what is missing, unknown or of the wrong type is collected, never raised.

Owns the reading of one object into checked values. What fields a record has, and what they mean together, is for
whoever reads it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import TypeVar

from forest.days import parse_day

T = TypeVar("T")


class Fields:
    """One JSON object being read; `problems` gathers what is wrong with it and the objects inside it."""

    def __init__(self, values: Mapping[str, object], problems: list[str], where: str = "") -> None:
        self.values = values
        self.problems = problems
        self.where = where

    def complain(self, key: str, problem: str) -> None:
        """Note what is wrong with a field."""
        self.problems.append(f"{self.where}{key} {problem}")

    def known(self, required: Collection[str], optional: Collection[str]) -> None:
        """Complain about fields that are missing and fields that the format does not have."""
        for key in required:
            if key not in self.values:
                self.complain(key, "is missing")
        for key in self.values:
            if key not in required and key not in optional:
                self.complain(key, "is not a field of the format")

    def text(self, key: str) -> str:
        """Return a text, "" when it is not given; an empty one is a complaint."""
        value = self.values.get(key)
        if key not in self.values:
            return ""
        if not isinstance(value, str) or not value.strip():
            self.complain(key, f"must be text, not {json.dumps(value, ensure_ascii=False)}")
            return ""
        return value

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """Return one of `choices`, "" when it is not given or another."""
        value = self.text(key)
        if value and value not in choices:
            self.complain(key, f"is {value!r}, not one of {', '.join(choices)}")
            return ""
        return value

    def number(self, key: str) -> int:
        """Return a whole number from zero, 0 when it is not given or no such number."""
        value = self.values.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self.complain(key, f"must be a whole number from 0, not {json.dumps(value, ensure_ascii=False)}")
            return 0
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false, `default` when it is not given."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            self.complain(key, f"must be true or false, not {json.dumps(value, ensure_ascii=False)}")
            return default
        return value

    def day(self, key: str) -> date | None:
        """Return a day written YYYY-MM-DD, None when it is not given or null."""
        value = self.values.get(key)
        day = parse_day(value) if isinstance(value, str) else None
        if value is not None and day is None:
            self.complain(key, f"must be a day as YYYY-MM-DD or null, not {json.dumps(value, ensure_ascii=False)}")
        return day

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, none when it is not given."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or any(not isinstance(item, str) or not item.strip() for item in value):
            self.complain(key, "must be a list of texts")
            return ()
        return tuple(value)

    def one(self, key: str, read: Callable[[Fields], T]) -> T | None:
        """Return what `read` makes of the object under `key`, None when there is none."""
        value = self.values.get(key)
        if isinstance(value, dict):
            return read(Fields(value, self.problems, f"{self.where}{key}."))
        if key in self.values:
            self.complain(key, "must be an object")
        return None

    def many(self, key: str, read: Callable[[Fields], T]) -> tuple[T, ...]:
        """Return what `read` makes of each object of the list under `key`."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or any(not isinstance(item, dict) for item in value):
            self.complain(key, "must be a list of objects")
            return ()
        return tuple(read(Fields(item, self.problems, f"{self.where}{key}[{at}].")) for at, item in enumerate(value))


def read_object(line: str, problems: list[str]) -> Fields | None:
    """Read a line that should be one JSON object without repeated keys; None, and a problem, when it is not."""

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in found]
        problems.extend(f"{key} is given twice" for key in sorted({k for k in keys if keys.count(k) > 1}))
        return dict(found)

    try:
        value = json.loads(line, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        problems.append(f"the line is not JSON: {error}")
        return None
    if not isinstance(value, dict):
        problems.append("the line is not a JSON object")
        return None
    return Fields(value, problems)
