"""The parameters of heat: what a forest may set under `heat:` in its `forest.yaml`, each with its bounds.

What they do is told in docs/heat.md; `forest.heat` has the formula. None of them is part of what is stored: a change of
any takes effect at the next question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from forest.errors import NotAForest
from forest.yaml_data import Entry

_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class HeatParameters:
    """How much trails weigh.

    Attributes:
        half_life_days: after so many whole days a trail weighs half.
        tau: questions less similar than this are not felt; a cosine.
        beta: the most that a door can gain, as a share of its score.
        gamma: what doors that led nowhere lose, as a share of what useful ones gain.
        k: heat at which a door has half of what it can gain.
        a0: what a walk leaves in all on its useful doors, spread evenly; `deposit` of a walk with one useful door.
        a_min: the least that a walk leaves on a door.
        a_max: the most that a walk leaves on a door.
        nearest: how many signatures are felt at most, the most similar.
        most_per_day: walks of one day, signature and length that count on a door at most.
    """

    half_life_days: int = 90
    tau: float = 0.5
    beta: float = 0.15
    gamma: float = 0.5
    k: float = 2.0
    a0: float = 2.0
    a_min: float = 0.25
    a_max: float = 1.0
    nearest: int = 256
    most_per_day: int = 5

    def deposit(self, useful_doors: int) -> float:
        """Return what a walk with so many useful doors leaves on each, `clamp(a0 / L, a_min, a_max)`."""
        return min(max(self.a0 / max(useful_doors, 1), self.a_min), self.a_max)

    def boost(self, useful: float, useless: float) -> float:
        """Return the factor for a door's score, from 1 − beta·gamma to 1 + beta, whatever the heats are.

        Args:
            useful: heat by walks in which the door led to what the answer cites, h+.
            useless: heat by walks in which it did not, h−.
        """
        return 1 + self.beta * (useful / (useful + self.k) - self.gamma * (useless / (useless + self.k)))

    @property
    def clear_winner(self) -> float:
        """How many times as good as another a door must be, so that no heat can change which is first."""
        return (1 + self.beta) / (1 - self.beta * self.gamma)


# Least and most of each; whole numbers where the default is one. With beta at 1 and gamma at 1 a boost could be zero.
BOUNDS: dict[str, tuple[float, float]] = {
    "half_life_days": (1, 36_500),
    "tau": (0.05, 1),
    "beta": (0, 0.9),
    "gamma": (0, 1),
    "k": (0.001, 1_000_000),
    "a0": (0.001, 1_000),
    "a_min": (0.001, 1_000),
    "a_max": (0.001, 1_000),
    "nearest": (1, 4_096),
    "most_per_day": (1, 1_000),
}


def heat_parameters(entry: Entry | None, where: str) -> HeatParameters:
    """Read the value of `heat:`; None gives the defaults.

    Args:
        entry: the mapping as it is written.
        where: name of the file, for messages.

    Raises:
        NotAForest: an unknown key, a value out of its bounds, or `a_min` above `a_max`.
    """
    if entry is None:
        return HeatParameters()
    whole = {field.name: isinstance(field.default, int) for field in fields(HeatParameters)}
    given = entry.mapping()
    if not given and entry.value != {}:
        raise NotAForest(f"{where}, line {entry.line}: heat is a mapping.", f"Known keys: {', '.join(whole)}.")
    values: dict[str, float] = {}
    for key, value in given.items():
        if key not in whole:
            raise NotAForest(
                f"{where}, line {value.line}: unknown parameter of heat {key!r}.", f"Known: {', '.join(whole)}."
            )
        values[key] = _number(key, value, where, whole=whole[key])
    found = HeatParameters(**values)  # type: ignore[arg-type]
    if found.a_min > found.a_max:
        raise NotAForest(f"{where}, line {entry.line}: a_min of heat is above a_max.")
    return found


def _number(key: str, entry: Entry, where: str, *, whole: bool) -> float:
    text, (least, most) = entry.scalar(), BOUNDS[key]
    if _NUMBER.fullmatch(text) and not (whole and "." in text):
        number = int(text) if whole else float(text)
        if least <= number <= most:
            return number
    kind = "whole number" if whole else "number"
    raise NotAForest(
        f"{where}, line {entry.line}: {text!r} is no {key} of heat.", f"It is a {kind} from {least:g} to {most:g}."
    )
