"""Questions with known answers: the records of `fixtures/questions/*.jsonl`, strictly checked, as values.

Owns the schema (docs/questions.md), and the comparison of questions with a forest: every gold span must stand in its
node. Passages are found by spans at run time and never written down. Whether a question needs several hops is
`bench.strictness`; whether an answer is right is `bench.grading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from bench.contradictions import contradictions, contradictions_among
from bench.fields import Fields, read_object
from bench.sought import held, sought, text_of, value_of
from forest.errors import ForestError
from forest.node import Node
from forest.reading import read_passage
from forest.state import State
from forest.store import load_folder, read_folder_config
from forest.text import one_line

CATEGORIES = tuple(
    "single_passage list temporal cross_reference multi_document monitoring false_premise aggregation "
    "unanswerable".split()
)
PHRASINGS = ("names_text", "professional", "everyday")
SPLITS = ("dev", "test")
ANSWER_TYPES = tuple("money date number percentage quantity ordinal identifier name text list none".split())

_REQUIRED = "id question category phrasing split chain hops answer gold".split()
_OPTIONAL = "today as_of in_force_on entity strict sister twin premise correction".split()


class QuestionsWrong(ForestError):
    """Records of questions do not follow the schema; the message has a line for every problem."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is right to say.

    Attributes:
        type: one of `ANSWER_TYPES`; `list` has items, `none` means that there is nothing right to say.
        value: the answer as a person would write it, "" for `list` and `none`.
        accept: other forms that are right.
        traps: values that are wrong and near: another year's, another zone's.
        items: of a list, each an answer that is neither a list nor none.
        complete: whether a list is right only when all its items are given.
    """

    type: str
    value: str = ""
    accept: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    items: tuple[Answer, ...] = ()
    complete: bool = True

    @property
    def forms(self) -> tuple[str, ...]:
        """The value and the other accepted forms, without empty ones."""
        return tuple(form for form in (self.value, *self.accept) if form)


@dataclass(frozen=True, slots=True)
class Span:
    """Words that stand in the body of a node; white space does not matter."""

    node: str
    span: str


@dataclass(frozen=True, slots=True)
class Gold:
    """The evidence of one hop.

    Attributes:
        node: id of the node.
        span: words of its body.
        bridge: the words of the span that lead on, or answer; "" unless the question is strict.
        equivalents: other places that say the same; any of them is as good.
    """

    node: str
    span: str
    bridge: str = ""
    equivalents: tuple[Span, ...] = ()

    @property
    def places(self) -> tuple[Span, ...]:
        """The span and its equivalents."""
        return (Span(self.node, self.span), *self.equivalents)


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its answer and evidence.

    Attributes:
        id: unique among all questions.
        question: as a person asks it.
        category: one of `CATEGORIES`.
        phrasing: one of `PHRASINGS`.
        split: `dev` or `test`; questions of one chain, twins and sisters share it.
        chain: name of the family of questions that have the same shape.
        hops: how many pieces of evidence must be joined; 0 when there is none.
        answer: what is right to say; type `none` for what cannot be answered and for false premises.
        gold: the evidence in the order in which it is joined; empty for `unanswerable`.
        today: the day on which it is asked, None for the run's own.
        as_of: a limit on what is known, None for none.
        in_force_on: the day on which the rule must hold, None for none.
        entity: what a strict question starts from, in its words.
        strict: whether `bench.strictness` must find it multi-hop.
        sister: id of a strict question of the same shape with another start and another answer.
        twin: id of the answerable question that an unanswerable one resembles.
        premise: what a question supposes and is not so.
        correction: what is so, for `false_premise`; None for others.
        paraphrases: id of the question that it asks in other words (`bench.paraphrases`), "" for none.
        place: `file:line` of the record.
    """

    id: str
    question: str
    category: str
    phrasing: str
    split: str
    chain: str
    hops: int
    answer: Answer
    gold: tuple[Gold, ...]
    today: date | None = None
    as_of: date | None = None
    in_force_on: date | None = None
    entity: str = ""
    strict: bool = False
    sister: str = ""
    twin: str = ""
    premise: str = ""
    correction: Answer | None = None
    paraphrases: str = ""
    place: str = field(default="", compare=False)

    @property
    def is_multi_hop(self) -> bool:
        """Whether more than one piece of evidence must be joined."""
        return self.hops > 1

    @property
    def is_answerable(self) -> bool:
        """Whether there is something right to say to the question as asked."""
        return self.answer.type != "none"

    @property
    def gold_hops(self) -> int:
        """How many pieces of evidence are named."""
        return len(self.gold)


def lines_of(paths: Iterable[Path], problems: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (file and line, text) of the lines of some files that are not blank, in the order of the files' names.

    Args:
        paths: files of one JSON object a line.
        problems: a file that cannot be read is told here, and passed over.
    """
    for path in sorted(paths):
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            problems.append(f"{path}: cannot be read: {error}")
            continue
        yield from ((f"{path}:{number}", line) for number, line in enumerate(lines, start=1) if line.strip())


def load_questions(paths: Iterable[Path]) -> tuple[Question, ...]:
    """Read files of questions, one JSON object a line; blank lines are skipped.

    Args:
        paths: files, in any order; questions come in the order of the files' names and lines.

    Returns:
        All questions. Twins and sisters that are in none of the files are `check_against`'s to report.

    Raises:
        QuestionsWrong: with every problem of every file: file, line, what is wrong.
    """
    questions: list[Question] = []
    problems: list[str] = []
    for where, line in lines_of(paths, problems):
        question, found = _record(line, where)
        problems += found
        questions += [question] if question is not None else []
    problems += contradictions_among(questions)
    if problems:
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''} in the questions."
        raise QuestionsWrong("\n".join([*problems, count]), "docs/questions.md has the format.")
    return tuple(questions)


def _record(line: str, place: str) -> tuple[Question | None, list[str]]:
    problems: list[str] = []
    fields = read_object(line, problems)
    question = _question(fields, place) if fields is not None else None
    if question is not None and not problems:
        problems += contradictions(question)
    return question if not problems else None, [f"{place}: {problem}" for problem in problems]


def _question(f: Fields, place: str) -> Question:
    f.known(_REQUIRED, _OPTIONAL)
    return Question(
        id=f.text("id"),
        question=f.text("question"),
        category=f.choice("category", CATEGORIES),
        phrasing=f.choice("phrasing", PHRASINGS),
        split=f.choice("split", SPLITS),
        chain=f.text("chain"),
        hops=f.number("hops"),
        answer=f.one("answer", _answer) or Answer("none"),
        gold=f.many("gold", _gold),
        today=f.day("today"),
        as_of=f.day("as_of"),
        in_force_on=f.day("in_force_on"),
        entity=f.text("entity"),
        strict=f.flag("strict", False),
        sister=f.text("sister"),
        twin=f.text("twin"),
        premise=f.text("premise"),
        correction=f.one("correction", _answer),
        place=place,
    )


def _answer(f: Fields) -> Answer:
    f.known(("type",), ("value", "accept", "traps", "items", "complete"))
    kind = f.choice("type", ANSWER_TYPES)
    answer = Answer(
        kind, f.text("value"), f.texts("accept"), f.texts("traps"), f.many("items", _answer), f.flag("complete", True)
    )
    if kind == "list" and (not answer.items or answer.forms):
        f.complain("items", "are what a list has, and no value or accepted forms")
    if kind != "list" and answer.items:
        f.complain("items", f"are for lists, not for {kind}")
    if kind not in ("list", "none", "") and not answer.value:
        f.complain("value", "is missing")
    if kind == "none" and answer.forms:
        f.complain("value", "is given though there is nothing right to say")
    if any(item.type in ("list", "none") for item in answer.items):
        f.complain("items", "must be single answers")
    return answer


def _gold(f: Fields) -> Gold:
    f.known(("node", "span"), ("bridge", "equivalents"))
    return Gold(f.text("node"), f.text("span"), f.text("bridge"), f.many("equivalents", _span))


def _span(f: Fields) -> Span:
    f.known(("node", "span"), ())
    return Span(f.text("node"), f.text("span"))


def load_nodes(folder: Path) -> tuple[Node, ...]:
    """Return the nodes of a forest's folder on disk, in the order of their paths."""
    return tuple(loaded.node for loaded in load_folder(folder) if loaded.node is not None)


def check_against(questions: Sequence[Question], forest: Path) -> tuple[str, ...]:
    """Compare questions with a forest's folder on disk.

    Args:
        questions: all questions that refer to each other.
        forest: a folder with `forest.yaml`.

    Returns:
        What is wrong, a line each: gold nodes that do not exist, spans that do not stand in their node or in none of
        its passages, answers that do not stand in the evidence (aggregations excepted), unknown twins and sisters.
    """
    nodes = {node.id: node for node in load_nodes(forest)}
    budget = read_folder_config(forest).passage_budget_tokens
    pieces: dict[str, tuple[str, ...]] = {}
    known = {question.id for question in questions}
    problems: list[str] = []
    for q in questions:
        problems += [f"{q.place}: {q.id}: there is no question {r}" for r in (q.sister, q.twin) if r and r not in known]
        for span in (span for gold in q.gold for span in gold.places):
            node = nodes.get(span.node)
            if node is None:
                problems.append(f"{q.place}: {q.id}: there is no node {span.node}")
            elif one_line(span.span) not in one_line(node.body):
                problems.append(f"{q.place}: {q.id}: these words do not stand in {span.node}: {span.span}")
            else:
                texts = pieces.setdefault(node.id, tuple(map(one_line, node.passage_texts(budget))))
                if not any(one_line(span.span) in text for text in texts):
                    problems.append(f"{q.place}: {q.id}: no single passage of {span.node} holds: {span.span}")
        problems += [f"{q.place}: {q.id}: {problem}" for problem in _underivable(q)]
    return tuple(problems)


def gold_passages(state: State, question: Question) -> tuple[frozenset[str], ...]:
    """Return for each hop the ids of the passages that hold its span or an equivalent; empty where none does."""
    return tuple(
        frozenset(found for place in gold.places for found in _passages_with(state, place)) for gold in question.gold
    )


def _passages_with(state: State, place: Span) -> Iterator[str]:
    node = state.catalog.find(place.node)
    if node is None:
        return
    for passage in state.catalog.passages(node):
        if one_line(place.span) in one_line(read_passage(state, node, passage.ordinal).text):
            yield passage.id


def _underivable(question: Question) -> Iterator[str]:
    if question.category == "aggregation" or not question.gold:
        return
    answer = question.correction or question.answer
    everywhere = question.category == "multi_document" or question.correction is not None or answer.type == "list"
    hops = question.gold if everywhere else question.gold[-1:]
    for single in answer.items or (answer,):
        if not any(all(stands_in(single, place.span) for place in gold.places) for gold in hops):
            yield f"the evidence does not hold the answer: {single.value}"


def stands_in(answer: Answer, text: str) -> bool:
    """Tell whether an answer stands in a text: an accepted form as words, or its value in other words."""
    return bool(held(text_of(text), sought(answer.forms, value_of(answer.value, answer.type))))
