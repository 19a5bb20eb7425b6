"""A problem found in a forest, as a value: what lint lists and what a loader returns beside a node."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One problem at one place. Findings sort by place, then rule, so that every run lists them alike.

    Attributes:
        path: file relative to the forest's folder, `/` between names.
        line: 1-based line in that file; 0 when the problem is the file's as a whole.
        rule: short name of the rule, a heading of `docs/lint.md`.
        message: what is wrong.
        hint: what to do about it.
        node: id of the node concerned, "" when it has none.
    """

    path: str
    line: int
    rule: str
    message: str
    hint: str
    node: str = ""

    def as_dict(self) -> dict[str, str | int]:
        """Return the finding as a JSON-ready mapping."""
        return asdict(self)
