"""Courses: all trials of one condition over its passes, and the file that they are kept in.

The file is JSON Lines that can be read while it grows: a header, the questions with their gold passages, then a line
for each trial as soon as it is made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any

from bench.attempt import AttemptsWrong, Posed
from bench.attempt_file import posed_from, posed_line
from bench.learning.condition import Condition
from bench.learning.trial import ROLES, Role, Trial, trial_from
from forest.errors import ForestError
from forest.text import one_line

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Heading:
    """What was learnt on what. Trials are of one course when all of this but the commit is equal.

    Attributes:
        tree: of the forest that is walked.
        base_tree: of the forest that was given; another one where scents are blanked.
        commit: from which it was copied.
        versions: of what derived state is a function of.
        code: fingerprint of the packages that answer.
        condition: under which is asked.
        blanked: whether every scent is blank.
        at_root: whether walks begin at the root instead of by a search.
        today: the day of questions that have none of their own.
        seed: of what is shuffled.
        format: of the file.
    """

    tree: str
    base_tree: str
    commit: str
    versions: Mapping[str, str]
    code: str
    condition: Condition
    blanked: bool
    at_root: bool
    today: date
    seed: int
    format: int = FORMAT_VERSION

    def differences(self, other: Heading) -> tuple[str, ...]:
        """Return the names of the fields by which two headings are not of one course."""
        names = (f.name for f in fields(self) if f.name != "commit")
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))


@dataclass(frozen=True, slots=True)
class Course:
    """A file of trials as read.

    Attributes:
        heading: what was learnt on what.
        posed: by role the questions in the order in which they are asked.
        trials: those that were made.
        whole_bytes: how much of the file is whole lines; a torn last line begins there.
        path: the file.
    """

    heading: Heading
    posed: Mapping[Role, tuple[Posed, ...]]
    trials: tuple[Trial, ...]
    whole_bytes: int = 0
    path: Path = field(default_factory=Path, compare=False)

    @property
    def passes(self) -> int:
        """How many passes after the cold one have all their trials."""
        asked = [(role, posed.question.id) for role, some in self.posed.items() for posed in some]
        made = {trial.key for trial in self.trials}
        last = max((trial.number for trial in self.trials), default=0)
        return max((n for n in range(last + 1) if all((n, *one) in made for one in asked)), default=0)


def begin(path: Path, heading: Heading, posed: Mapping[Role, tuple[Posed, ...]]) -> Course:
    """Make a file ready for appending, new or as far as it is, and return what it holds.

    Raises:
        AttemptsWrong: it holds another course.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_text("".join(f"{line}\n" for line in _head(heading, posed)), encoding="utf-8")
        part.replace(path)  # so that a file always has all of its head
        return read_course(path)
    found = read_course(path)
    others = found.heading.differences(heading) or (("questions",) if found.posed != dict(posed) else ())
    if others:
        raise AttemptsWrong(
            f"{path} holds a course with other {', '.join(others)}; one file holds one course.",
            "Name another folder with --out, or delete this one.",
        )
    with path.open("r+b") as file:
        file.truncate(found.whole_bytes)
    return found


def _head(heading: Heading, posed: Mapping[Role, tuple[Posed, ...]]) -> list[str]:
    told = {"kind": "course", **asdict(heading), "today": heading.today.isoformat()}
    questions = [
        json.dumps({"role": role, **json.loads(posed_line(one))}, ensure_ascii=False)
        for role in ROLES
        for one in posed.get(role, ())
    ]
    return [json.dumps(told, ensure_ascii=False, default=str), *questions]


def read_course(path: Path) -> Course:
    """Read a file of trials; a last line without its end was torn off by a kill and does not count.

    Raises:
        AttemptsWrong: it is no such file, or of another format.
    """
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    number, posed, trials = 1, {role: list[Posed]() for role in ROLES}, dict[tuple[int, str, str], Trial]()
    try:
        lines = [json.loads(line) for line in data[:whole].splitlines()]
        if not lines or lines[0].get("kind") != "course" or lines[0].get("format") != FORMAT_VERSION:
            raise AttemptsWrong(f"{path} does not begin with the heading of a course.", "Name another file.")
        heading = _heading(lines[0])
        for line in lines[1:]:
            number += 1
            if line["kind"] == "question":
                posed[line["role"]].append(posed_from(line))
            else:
                trial = trial_from(line)
                trials[trial.key] = trial
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration, RecursionError, ForestError) as error:
        if isinstance(error, AttemptsWrong):
            raise
        raise AttemptsWrong(f"{path}:{number}: not a line of trials: {one_line(str(error))}.") from None
    return Course(heading, {role: tuple(some) for role, some in posed.items()}, tuple(trials.values()), whole, path)


def _heading(line: Mapping[str, Any]) -> Heading:
    values = {f.name: line[f.name] for f in fields(Heading)}
    condition = Condition(**line["condition"])
    return Heading(**{**values, "today": date.fromisoformat(line["today"]), "condition": condition})
