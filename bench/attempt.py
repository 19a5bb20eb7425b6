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
from navigator.meter import Use

FORMAT_VERSION = 2
# Endings, beside those of walks: what is to be shown does not fit into the model's window, so that the arm does not
# apply; and that of a walk whose model failed.
TOO_LONG = "too_long"
MODEL_ERROR = "model_error"
Parameters = Mapping[str, str | int | float]


class AttemptsWrong(ForestError):
    """A file of attempts cannot be read, or belongs to another run."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as an arm gets it: its words and its clocks, nothing of its answer.

    Attributes:
        text: its words.
        today: the day it is.
        as_of: as if nothing published later existed.
        in_force_on: texts in force that day.
        shuffle: seed of another order of what a model is shown; 0 for the arm's own order.
    """

    text: str
    today: date
    as_of: date | None = None
    in_force_on: date | None = None
    shuffle: int = 0


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
        use: what its model cost; None for an arm without one.
        left_out: how many passages it found and could not show its model, because the window is too small.
    """

    statements: tuple[Statement, ...]
    ending: str
    found: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    steps: int = 0
    hops: int = 0
    tokens: int = 0
    use: Use | None = None
    left_out: int = 0

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
        repetitions: how often each arm is asked a question.
        repeat_every: repetitions after the first are of each so many-th question only, 1 for all of them.
        choice: which questions of the files were chosen, "" for all.
        model: name, window and kind of the model and the hash of its prompts; empty without one. Never where it is
            reached, nor a key.
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
    repeat_every: int = 1
    choice: str = ""
    model: Parameters = field(default_factory=dict)
    format: int = FORMAT_VERSION

    def is_asked(self, place: int, repetition: int) -> bool:
        """Tell whether the question at a place of the run, from 0, is asked in a repetition, from 1."""
        return repetition == 1 or (repetition <= self.repetitions and place % self.repeat_every == 0)

    def attempts_of_arm(self, questions: int) -> int:
        """Return how many attempts each arm makes at so many questions."""
        return sum(self.is_asked(at, n) for at in range(questions) for n in range(1, self.repetitions + 1))

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
