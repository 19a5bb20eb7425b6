"""What ought to be found: questions with the documents and passages that hold their evidence in the forest at hand.

Reads the bench's questions (docs/questions.md) and the questions over the real laws (`bench/questions/`), which name
nodes only. Documents and passages are found at run time and never written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench.fields import read_object
from bench.question import Question, QuestionsWrong, gold_passages, load_questions
from forest.catalog import NodeRow
from forest.errors import WrongUsage
from forest.ids import work_of
from forest.state import State

# How a question over the real laws asks, as the bench's questions say it.
_PHRASINGS = {"article": "names_text", "topic": "everyday"}
_ABSENT = "absent"

Groups = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question and what ought to be found for it.

    Attributes:
        id: unique among all questions of a run.
        text: as asked.
        category: of the question.
        phrasing: of the question, "" where its file does not say.
        chain: questions of one chain are alike, and resampled together.
        hops: pieces of evidence that must be joined.
        documents: the distinct gold documents; each is a set of ids of which any is as good.
        evidence: the distinct gold passages, the same way.
        today: the day on which it is asked, None for the run's own.
        as_of: a limit on what is known, None for none.
        in_force_on: the day on which the rule must hold, None for none.
    """

    id: str
    text: str
    category: str
    phrasing: str
    chain: str
    hops: int
    documents: Groups
    evidence: Groups
    today: date | None = None
    as_of: date | None = None
    in_force_on: date | None = None


def document_of(state: State, node: NodeRow) -> str:
    """Return the id of the document that a node belongs to."""
    return state.catalog.by_numbers([node.document])[node.document].id


def read_wanted(state: State, files: Sequence[Path]) -> tuple[Wanted, ...]:
    """Read files of questions and find their evidence.

    Args:
        state: of the forest they are asked of, without a limit of what is known.
        files: each of the bench's questions or of questions over laws.

    Returns:
        The questions that have evidence, in the order of their files and lines.

    Raises:
        QuestionsWrong: a file cannot be read, a record is wrong, or its evidence does not stand in this forest.
        WrongUsage: no question has evidence.
    """
    of_laws = [file for file in files if _asks(file)]
    found = [_of_question(state, q) for q in load_questions(f for f in files if f not in of_laws) if q.gold]
    found += [wanted for file in of_laws for wanted in _of_laws(state, file)]
    missing = [w.id for w in found if not all(w.documents) or not all(w.evidence)]
    if missing:
        raise QuestionsWrong(
            f"The evidence of {len(missing)} questions does not stand in this forest: {', '.join(missing[:10])}.",
            "Ask questions of the forest that they were written for.",
        )
    if not found:
        raise WrongUsage("No question has evidence to be found.", "Name files of questions that have gold.")
    return tuple(found)


def distinct(groups: Iterable[frozenset[str]]) -> Groups:
    """Return each group once, in the order of their first."""
    return tuple(dict.fromkeys(groups))


def documents_with(state: State, passages: Groups) -> Groups:
    """Return the documents in which groups of passages stand, each group as one document with its alternatives."""
    return distinct(
        frozenset(document_of(state, state.catalog.node(passage.rpartition("#")[0])) for passage in group)
        for group in passages
    )


def _of_question(state: State, question: Question) -> Wanted:
    passages = distinct(gold_passages(state, question))
    return Wanted(
        question.id,
        question.question,
        question.category,
        question.phrasing,
        question.chain,
        question.hops,
        documents_with(state, passages),
        passages,
        question.today,
        question.as_of,
        question.in_force_on,
    )


def _asks(file: Path) -> bool:
    """Tell whether a file holds questions over laws."""
    try:
        with file.open(encoding="utf-8") as lines:
            first = next((line for line in lines if line.strip()), "")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsWrong(f"{file} cannot be read: {error}.", "Name files of questions.") from None
    record = read_object(first, [])
    return record is not None and "asks" in record.values


def _of_laws(state: State, file: Path) -> list[Wanted]:
    """Read questions whose gold are ids, any of which is right, in any of its versions."""
    found: list[Wanted] = []
    problems: list[str] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        place = f"{file.name}:{number}"
        wrong: list[str] = []
        record = read_object(line, wrong) if line.strip() else None
        if record is not None:
            record.known(("question", "gold", "asks"), ())
            text, gold, asks = record.text("question"), record.texts("gold"), record.text("asks")
            if asks != _ABSENT and not wrong:
                found.append(_of_nodes(state, place, text, asks, gold))
        problems += [f"{file}:{number}: {problem}" for problem in wrong]
    if problems:
        raise QuestionsWrong("\n".join(problems), "bench/hunts.py has the format.")
    return found


def _of_nodes(state: State, place: str, text: str, asks: str, gold: Sequence[str]) -> Wanted:
    catalog = state.catalog
    nodes = [node for work in map(work_of, gold) for node in (catalog.find(work), *catalog.versions(work)) if node]
    return Wanted(
        place,
        text,
        asks,
        _PHRASINGS.get(asks, ""),
        place,
        1,
        (frozenset(document_of(state, node) for node in nodes),),
        (frozenset(passage.id for node in nodes for passage in catalog.passages(node)),),
    )
