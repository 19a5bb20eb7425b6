"""Attempts: what an arm was asked and said, and the run that it belongs to, as values.

How they are written is `bench.attempt_file`, when is `bench.runner`; whether an answer is right is `bench.metrics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path

from bench.question import Question
from forest.citation import Citation
from forest.errors import ForestError

FORMAT_VERSION = 1
Parameters = Mapping[str, str | int | float]


class AttemptsWrong(ForestError):
    """A file of attempts cannot be read, or belongs to another run."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as an arm gets it: its words and its clocks, nothing of its answer."""

    text: str
    today: date
    as_of: date | None = None
    in_force_on: date | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim of an answer.

    Attributes:
        text: its words.
        value: the short value that it claims, "" when the arm gives none.
        citations: its proof.
        leads: it does not answer: it establishes a step on the way to what does.
    """

    text: str
    value: str
    citations: tuple[Citation, ...]
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What an arm gave.

    Attributes:
        statements: the answer, best first; empty when it abstained.
        ending: in the arm's own words: answered, abstained, a status, a limit.
        found: ids of the passages that it found, best first; of a walk the passages it read, in that order.
        read: ids of the passages that it read, in that order, each once.
        steps: actions it took.
        hops: moves through doors.
        tokens: of what it read or was shown.
    """

    statements: tuple[Statement, ...]
    ending: str
    found: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    steps: int = 0
    hops: int = 0
    tokens: int = 0

    @property
    def abstained(self) -> bool:
        """Whether it gave no answer."""
        return not self.statements

    @property
    def text(self) -> str:
        """The words of the answer, without those that only lead to it."""
        return "\n".join(statement.text for statement in self.statements if not statement.leads)

    @property
    def values(self) -> tuple[str, ...]:
        """The short values that it claims, in order, each once."""
        return tuple(dict.fromkeys(s.value for s in self.statements if s.value and not s.leads))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations, in order."""
        return tuple(citation for statement in self.statements for citation in statement.citations)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One arm on one question once.

    Attributes:
        question: its id.
        arm: its name.
        repetition: from 1.
        reply: what it gave; an empty one with ending `error` when it raised.
        proven: how many of its citations were proven from git.
        wall_seconds: from the question to the reply.
        error: what it raised, "" for nothing.
    """

    question: str
    arm: str
    repetition: int
    reply: Reply
    proven: int = 0
    wall_seconds: float = 0.0
    error: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """What names it in its run."""
        return self.question, self.arm, self.repetition


@dataclass(frozen=True, slots=True)
class Header:
    """What was run on what. Two attempts are of one run when all of this but the commit is equal.

    Attributes:
        tree: of the forest that was asked, a control's own for a control.
        base_tree: of the forest that a control was made from; `tree` itself without a control.
        commit: from which was read.
        versions: of what derived state is a function of.
        code: fingerprint of the packages that answer.
        arms: parameters by name, in the order in which they are run.
        questions: SHA-256 of each file of questions, by name.
        control: name of the control, "" for none.
        split: the only split that was asked, "" for all.
        today: the day of questions that have none of their own.
        seed: of what a control shuffles.
        repetitions: how often each arm is asked each question.
        format: of the file.
    """

    tree: str
    base_tree: str
    commit: str
    versions: Mapping[str, str]
    code: str
    arms: Mapping[str, Parameters]
    questions: Mapping[str, str]
    control: str
    split: str
    today: date
    seed: int
    repetitions: int
    format: int = FORMAT_VERSION

    def differences(self, other: Header) -> tuple[str, ...]:
        """Return the names of the fields by which two headers are not of one run."""
        names = (f.name for f in fields(self) if f.name != "commit")
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))


@dataclass(frozen=True, slots=True)
class Posed:
    """A question as it was asked, and for each of its hops the passages that hold the evidence in that forest."""

    question: Question
    gold: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A file of attempts as read.

    Attributes:
        header: what was run on what.
        posed: the questions in the order in which they are asked.
        attempts: those that were made.
        whole_bytes: how much of the file is whole lines; a torn last line begins there.
        path: the file.
    """

    header: Header
    posed: tuple[Posed, ...]
    attempts: tuple[Attempt, ...]
    whole_bytes: int = 0
    path: Path = field(default_factory=Path, compare=False)
