"""Trials: one question asked in one pass, with how far the walk had to go, and how they are written.

A trial is an attempt (`bench.attempt`) and what of its walk tells whether it got shorter. What trials are worth
together is `bench.learning.figures`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bench.attempt import Attempt
from bench.attempt_file import attempt_fields, attempt_from

if TYPE_CHECKING:
    from navigator.walk import Step

Role = Literal["walked", "paraphrase", "sister"]
ROLES: tuple[Role, ...] = ("walked", "paraphrase", "sister")
_WAY = 64  # nodes kept of a way


@dataclass(frozen=True, slots=True)
class Trial:
    """One question in one pass.

    Attributes:
        number: of the pass; 0 is cold, before anything was left.
        role: why it is asked: to leave a trail (from pass 1 on), as the paraphrase of such a question, or as a sister,
            to which no harm must be done.
        attempt: what was answered.
        reached: for each gold hop the step, from 1, at which a passage that holds it was first read; 0 for never.
        way: ids of the nodes where the walk stood, in order, the first 64.
        doors: how many were walked: hops, and nodes entered from a search or by name.
        deposited: id of the trail that it left, "" for none.
    """

    number: int
    role: Role
    attempt: Attempt
    reached: tuple[int, ...]
    way: tuple[str, ...]
    doors: int
    deposited: str = ""

    @property
    def key(self) -> tuple[int, str, str]:
        """What names it among the trials of a condition."""
        return self.number, self.role, self.attempt.question

    @property
    def has_all(self) -> bool:
        """Whether every gold hop was read."""
        return bool(self.reached) and all(self.reached)

    @property
    def steps_to_gold(self) -> int:
        """Steps until the last gold passage was read; all steps of the walk when one was not."""
        return max(self.reached) if self.has_all else self.attempt.reply.steps


def reached(steps: Iterable[Step], gold: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """Return for each gold hop the step at which one of its passages was first read, 0 where none was."""
    first = {passage: step.number for step in reversed(tuple(steps)) for passage in step.read}
    return tuple(min((first[passage] for passage in hop if passage in first), default=0) for hop in gold)


def way_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the ids of the nodes where a walk stood, in order, without standing still; 64 at most."""
    way: list[str] = []
    for step in steps:
        if step.at and (not way or way[-1] != step.at):
            way.append(step.at)
    return tuple(way[:_WAY])


def doors_walked(steps: Iterable[Step]) -> int:
    """Return how many doors were walked: hops, and nodes entered from a search or by name.

    A door walked twice is two, and one that was refused counts too: they were paid for.
    """
    return sum(step.action.startswith(("hop ", "enter ")) for step in steps)


def trial_line(trial: Trial) -> str:
    """Return the line of a trial, without line end."""
    fields = {
        "kind": "trial",
        "pass": trial.number,
        "role": trial.role,
        "reached": trial.reached,
        "way": trial.way,
        "doors": trial.doors,
        "deposited": trial.deposited,
        "attempt": attempt_fields(trial.attempt),
    }
    return json.dumps(fields, ensure_ascii=False, default=str)


def trial_from(line: Mapping[str, Any]) -> Trial:
    """Read a trial from a line as `trial_line` writes it.

    Raises:
        KeyError, TypeError, ValueError, ForestError: it is none.
    """
    role = next(role for role in ROLES if role == line["role"])
    attempt = attempt_from(line["attempt"])
    reached_at = tuple(map(int, line["reached"]))
    return Trial(line["pass"], role, attempt, reached_at, tuple(line["way"]), line["doors"], line["deposited"])
