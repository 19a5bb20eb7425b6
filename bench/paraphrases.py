"""Paraphrases: questions that ask in other words what another question asks, with its answer, evidence and days.

Owns the records of `fixtures/questions/paraphrases/*.jsonl` and what they may not do. They are never walked for their
trails: what was learnt from a question is measured on its paraphrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.fields import Fields, read_object
from bench.question import PHRASINGS, Question, QuestionsWrong, lines_of, stands_in
from forest.analyzer import question_stems

_REQUIRED = ("id", "paraphrases", "question")
_OPTIONAL = ("phrasing",)


def load_paraphrases(
    paths: Iterable[Path], originals: Sequence[Question], *, skip_unknown: bool = False
) -> tuple[Question, ...]:
    """Read files of paraphrases, one JSON object a line; blank lines are skipped.

    Args:
        paths: files, in any order; paraphrases come in the order of the files' names and lines.
        originals: the questions that they may be of.
        skip_unknown: whether paraphrases of other questions are left out; they are refused otherwise.

    Returns:
        Each paraphrase as a question: its own id, words and phrasing (`everyday` unless it says), all else as in the
        original; none is strict, as no program has proven its words.

    Raises:
        QuestionsWrong: with every problem of every file.
    """
    known = {question.id: question for question in originals}
    found: list[Question] = []
    problems: list[str] = []
    for where, line in lines_of(paths, problems):
        said: list[str] = []
        question = _paraphrase(line, known, where, said, skip_unknown=skip_unknown)
        problems += [f"{where}: {problem}" for problem in said]
        found += [question] if question is not None else []
    problems += _repeated(found, known)
    if problems:
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''} in the paraphrases."
        raise QuestionsWrong("\n".join([*problems, count]), "docs/questions.md has the format.")
    return tuple(found)


def shared_words(one: str, other: str) -> float:
    """Return the share of the stems of the first text that the second has too, from 0 to 1; 0 without any stem."""
    own = set(question_stems(one))
    return len(own & set(question_stems(other))) / len(own) if own else 0.0


def _paraphrase(
    line: str, known: Mapping[str, Question], place: str, problems: list[str], *, skip_unknown: bool
) -> Question | None:
    fields = read_object(line, problems)
    if fields is None:
        return None
    fields.known(_REQUIRED, _OPTIONAL)
    original = known.get(fields.text("paraphrases"))
    if original is None:
        if not skip_unknown:
            fields.complain("paraphrases", "names no question that is known")
        return None
    phrasing = fields.choice("phrasing", PHRASINGS) or "everyday"
    words, name = fields.text("question"), fields.text("id")
    _check(fields, words, original)
    return replace(
        original,
        id=name,
        question=words,
        phrasing=phrasing,
        strict=False,
        sister="",
        place=place,
        paraphrases=original.id,
    )


def _check(fields: Fields, words: str, original: Question) -> None:
    if shared_words(original.question, words) == 1.0:
        fields.complain("question", "has all the words of the original")
    for answer in original.answer.items or (original.answer,):
        if answer.forms and stands_in(answer, words) and not stands_in(answer, original.question):
            fields.complain("question", "holds the answer")


def _repeated(found: Sequence[Question], known: Mapping[str, Question]) -> list[str]:
    first: dict[str, Question] = dict(known)
    problems = []
    for question in found:
        if question.id in first:
            problems.append(f"{question.place}: the id {question.id} is that of {first[question.id].place} too")
        first.setdefault(question.id, question)
    return problems
