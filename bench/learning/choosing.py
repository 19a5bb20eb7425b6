"""Which questions are walked for their trails, and which are only asked: paraphrases, and sisters that are held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.choosing import Choice, choose
from bench.learning.trial import Role
from bench.paraphrases import load_paraphrases
from bench.question import Question, load_questions
from forest.errors import WrongUsage


@dataclass(frozen=True, slots=True)
class Asking:
    """The questions of an experiment.

    Attributes:
        walked: that leave trails.
        paraphrases: of walked ones, each in other words.
        sisters: with the relations of walked ones and other answers; no trail is left by them.
    """

    walked: tuple[Question, ...]
    paraphrases: tuple[Question, ...]
    sisters: tuple[Question, ...]

    def of(self, role: Role) -> tuple[Question, ...]:
        """Return the questions of a role."""
        return {"walked": self.walked, "paraphrase": self.paraphrases, "sister": self.sisters}[role]


def choose_questions(
    questions: Sequence[Path],
    paraphrases: Sequence[Path],
    sisters: Sequence[Path],
    *,
    hops: int = 3,
    hold_out: int = 0,
    limit: int = 0,
) -> Asking:
    """Read and choose.

    Args:
        questions: files of which those are walked that can be answered and have so many pieces of evidence.
        paraphrases: files of theirs; of questions that are not walked they are left out.
        sisters: files of questions that are asked as sisters, all of them.
        hops: the least.
        hold_out: of each chain that has more strict questions than this, so many are sisters and not walked: the last
            by id.
        limit: so many walked questions at most, of as many chains as can be, and as many sisters; 0 for all.

    Raises:
        WrongUsage: nothing is left to be walked.
        QuestionsWrong: files that do not follow their schema.
    """
    every = load_questions(questions)
    long = [q for q in every if q.is_answerable and q.hops >= hops]
    held = _held_out(long, hold_out)
    walked = choose([q for q in long if q not in held], Choice(limit=limit))
    if not walked:
        raise WrongUsage(f"There is no question of {hops} hops to be walked.", "Name others with --questions.")
    ids = {q.id for q in walked}
    others = [q for q in load_paraphrases(paraphrases, every, skip_unknown=True) if q.paraphrases in ids]
    kept = choose([*held, *load_questions(sisters)], Choice(limit=limit))
    if both := sorted(ids & {q.id for q in kept}):
        raise WrongUsage(f"{both[0]} cannot be walked and be a sister.", "Leave it out of one of the files.")
    return Asking(walked, tuple(others), kept)


def _held_out(questions: Sequence[Question], count: int) -> list[Question]:
    chains: dict[str, list[Question]] = {}
    for question in questions:
        if question.strict:
            chains.setdefault(question.chain, []).append(question)
    held = {q.id for some in chains.values() if len(some) > count for q in sorted(some, key=lambda q: q.id)[-count:]}
    return [q for q in questions if q.id in held] if count else []
