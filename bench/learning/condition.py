"""Conditions: under what of the memory questions are asked. The cold pass is under none and the same for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from forest.routes import HeatFelt, Memory

HEATS: tuple[HeatFelt, ...] = get_args(HeatFelt)


@dataclass(frozen=True, slots=True)
class Condition:
    """One way of feeling what was left.

    Attributes:
        heat: what of the heat is felt.
        shortcuts: whether shortcuts are doors.
        cases: whether past hunts are offered.
        shuffled: the control: each trail has the question of another one, so that it leads the wrong ones.
    """

    heat: HeatFelt = "on"
    shortcuts: bool = True
    cases: bool = False
    shuffled: bool = False

    def __str__(self) -> str:
        """Return its name, of which a file's name can be made: `heat-on`, `heat-off.no-shortcuts`."""
        parts = [
            f"heat-{self.heat}",
            "" if self.shortcuts else "no-shortcuts",
            "cases" if self.cases else "",
            "shuffled" if self.shuffled else "",
        ]
        return ".".join(filter(None, parts))

    def memory(self, *, deposit: bool) -> Memory:
        """Return the memory of a walk under this condition."""
        return Memory(deposit=deposit, heat=self.heat, shortcuts=self.shortcuts, cases=self.cases)
