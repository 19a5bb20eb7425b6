"""Metrics: values that print as they parse, and what each makes of one attempt.

A metric scores one attempt with a number, or leaves it unscored (None) where it does not apply; unscored attempts are
counted and never zero. Means, intervals and differences are `bench.statistics`. The string of a metric is its name in
reports, on the command line and in JSON: `answer_correct`, `evidence_recall@6`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal

from bench.attempt import MODEL_ERROR, TOO_LONG, Attempt, Posed, Run
from bench.grading import Grade, Said, grade
from bench.holding import words_of
from bench.question import Gold, Question
from bench.statistics import Scored
from bench.support import is_supported
from forest.citation import Citation
from forest.errors import WrongUsage
from navigator.meter import Use

_METRIC = re.compile(r"(?P<name>[a-z_]+)(?:@(?P<k>[1-9]\d{0,4}))?")
_OVERLAP = 0.5


@dataclass(frozen=True)
class Case:
    """An attempt beside what was asked: all that a metric looks at."""

    posed: Posed
    attempt: Attempt

    @property
    def question(self) -> Question:
        """The question."""
        return self.posed.question

    @cached_property
    def grade(self) -> Grade:
        """What the grader says of the answer; of a false premise, compared with its correction."""
        expected = self.question.correction or self.question.answer
        reply = self.attempt.reply
        return grade(expected, Said(reply.values, reply.text, reply.abstained), self.question.question)

    @property
    def is_posed(self) -> bool:
        """Whether the arm could be asked at all: what is too long for its model's window never was."""
        return self.attempt.reply.ending != TOO_LONG

    @property
    def has_failed(self) -> bool:
        """Whether the arm raised, or its model failed: what was not said then is no abstention."""
        return bool(self.attempt.error) or self.attempt.reply.ending == MODEL_ERROR

    @cached_property
    def is_right(self) -> bool:
        """Whether the answer is right, or rightly not given."""
        return self.is_posed and not self.has_failed and self.grade.correct

    @cached_property
    def hops_cited(self) -> tuple[bool, ...]:
        """For each gold hop whether a citation has it; see `is_cited`."""
        citations = self.attempt.reply.citations
        pairs = zip(self.question.gold, self.posed.gold, strict=True)
        return tuple(any(is_cited(gold, passages, citation) for citation in citations) for gold, passages in pairs)

    @cached_property
    def cited(self) -> frozenset[str]:
        """The ids of the passages that are cited."""
        return frozenset(f"{c.node}#{c.passage}" for c in self.attempt.reply.citations)


def cases(run: Run) -> tuple[Case, ...]:
    """Return the attempts of a run beside their questions, in the order in which they were made."""
    posed = {p.question.id: p for p in run.posed}
    return tuple(Case(posed[attempt.question], attempt) for attempt in run.attempts)


def is_cited(gold: Gold, passages: frozenset[str], citation: Citation) -> bool:
    """Tell whether a citation has the evidence of a hop.

    Args:
        gold: the hop.
        passages: those that hold its span or an equivalent.
        citation: its passage must be one of them, and the longest run of words that its quote shares with the span, or
            with an equivalent in the same node, must be half of the shorter of the two.
    """
    if f"{citation.node}#{citation.passage}" not in passages:
        return False
    return any(share_words(citation.quote, p.span) for p in gold.places if p.node == citation.node)


def share_words(one: str, other: str) -> bool:
    """Tell whether the longest run of words that two texts share is at least half of the shorter of them."""
    left, right = words_of(one).split(), words_of(other).split()
    run = SequenceMatcher(None, left, right, autojunk=False).find_longest_match().size
    return run > 0 and run >= _OVERLAP * min(len(left), len(right))


Score = Callable[[Case, int], float | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """What a metric's name stands for.

    Attributes:
        score: of one attempt, given k.
        needs_k: whether its name goes on with `@k`.
        is_yes_or_no: whether every score is 0 or 1, so that Wilson's interval holds for the mean.
        is_paired: whether two arms are compared on the questions that are scored for both; a metric that is scored
            only where an arm chose to do something has other questions for each arm.
        per: what the sum of its scores is divided by, each attempt's share of it; None for the number of scores.
        unit: of its scores.
        over: whether it is told of each group of questions, of all questions together, or of both. What an abstention
            was worth can only be told over answerable and unanswerable questions together.
    """

    score: Score
    needs_k: bool = False
    is_yes_or_no: bool = True
    is_paired: bool = True
    per: Callable[[Case], float] | None = None
    unit: Literal["share", "hops", "steps", "calls", "tokens", "seconds"] = "share"
    over: Literal["groups", "all", "both"] = "groups"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: a name of the table and, where it needs one, a depth."""

    name: str
    k: int = 0

    def __str__(self) -> str:
        return f"{self.name}@{self.k}" if self.k else self.name

    @property
    def measure(self) -> Measure:
        """What its name stands for."""
        return MEASURES[self.name]

    def score(self, case: Case) -> float | None:
        """Return what it makes of one attempt, None where it does not apply."""
        return self.measure.score(case, self.k) if case.is_posed else None

    def scored(self, case: Case) -> Scored:
        """Return its score of one attempt, with the weight that it has in a mean."""
        per = self.measure.per
        return Scored(case.question.id, case.question.chain, self.score(case), 1.0 if per is None else per(case))


def parse_metric(text: str) -> Metric:
    """Return the metric that prints as `text`.

    Raises:
        WrongUsage: there is none.
    """
    match = _METRIC.fullmatch(text)
    measure = MEASURES.get(match["name"]) if match else None
    if match is None or measure is None or measure.needs_k != bool(match["k"]):
        raise WrongUsage(f"There is no metric {text!r}.", f"Metrics are {', '.join(_spellings())}.")
    return Metric(match["name"], int(match["k"] or 0))


def _spellings() -> Iterator[str]:
    return (f"{name}@K" if measure.needs_k else name for name, measure in MEASURES.items())


def _answer_correct(case: Case, _: int) -> float | None:
    """1 when the answer is right by `bench.grading`; abstaining is right exactly where nothing can be answered."""
    return float(case.is_right)


def _right_and_cited(case: Case, _: int) -> float | None:
    """1 when the answer is right and every gold hop is cited; unscored without gold."""
    return float(case.is_right and all(case.hops_cited)) if case.question.gold else None


def _every_hop_cited(case: Case, _: int) -> float | None:
    """1 when every gold hop is cited; unscored without gold."""
    return float(all(case.hops_cited)) if case.question.gold else None


def _citation_precision(case: Case, _: int) -> float | None:
    """Of the distinct passages cited, the share that hold gold of any hop; unscored when none is cited or no gold."""
    gold = frozenset[str]().union(*case.posed.gold)
    return len(case.cited & gold) / len(case.cited) if case.cited and case.question.gold else None


def _citation_recall(case: Case, _: int) -> float | None:
    """Of the gold hops, the share that is cited (`is_cited`); unscored without gold."""
    return sum(case.hops_cited) / len(case.hops_cited) if case.question.gold else None


def _citation_resolves(case: Case, _: int) -> float | None:
    """Of the citations, the share that was proven from git (`forest.proof`); unscored when nothing is cited."""
    count = len(case.attempt.reply.citations)
    return case.attempt.proven / count if count else None


def _citation_support(case: Case, _: int) -> float | None:
    """Of the claims, the share whose value stands in the words that they cite (`bench.support`).

    Unscored where nothing is claimed, and where the answer is worked out from what is cited.
    """
    claims = [statement for statement in case.attempt.reply.statements if not statement.leads]
    if not claims or case.question.category == "aggregation":
        return None
    return sum(is_supported(claim, case.question.question) for claim in claims) / len(claims)


def _part_coverage(case: Case, _: int) -> float | None:
    """Of the items of a list answer, the share that the answer has; unscored where the answer is a single value."""
    if not case.question.answer.items:
        return None
    return 0.0 if case.attempt.reply.abstained else case.grade.share


def _evidence_recall(case: Case, k: int) -> float | None:
    """Of the gold hops, the share with a passage among the first k found; of a walk, read. Unscored without gold."""
    first = frozenset(case.attempt.reply.found[:k])
    return sum(bool(first & hop) for hop in case.posed.gold) / len(case.posed.gold) if case.posed.gold else None


def _all_hops(case: Case, k: int) -> float | None:
    """1 when every gold hop has a passage among the first k found; of a walk, read. Unscored without gold."""
    recall = _evidence_recall(case, k)
    return None if recall is None else float(recall == 1)


def _abstained(case: Case, _: int) -> float | None:
    """1 when no answer was given."""
    return float(case.attempt.reply.abstained and not case.has_failed)


def _abstention_precision(case: Case, _: int) -> float | None:
    """Of the attempts that abstained, the share that should have; false premises, where one may, are unscored."""
    if not case.attempt.reply.abstained or case.has_failed or case.question.correction is not None:
        return None
    return float(not case.question.is_answerable)


def _abstention_recall(case: Case, _: int) -> float | None:
    """Of the attempts at unanswerable questions, the share that abstained; others are unscored."""
    return _abstained(case, 0) if case.question.category == "unanswerable" else None


def _premise_corrected(case: Case, _: int) -> float | None:
    """1 when a false premise is answered with its correction from a cited gold passage; others are unscored."""
    return float(case.is_right and any(case.hops_cited)) if case.question.correction is not None else None


def _false_statements(case: Case, _: int) -> float | None:
    """1 when something was answered and it is wrong; a list with some of its items, not all, and no trap is not."""
    said = not case.attempt.reply.abstained
    partly = bool(case.question.answer.items) and 0 < case.grade.share < 1 and not case.grade.trapped
    return float(said and not case.is_right and not partly)


def _hops(case: Case, _: int) -> float | None:
    """Moves through doors."""
    return None if case.has_failed else float(case.attempt.reply.hops)


def _steps(case: Case, _: int) -> float | None:
    """Actions taken."""
    return None if case.has_failed else float(case.attempt.reply.steps)


def _tokens(case: Case, _: int) -> float | None:
    """Tokens of what was read or shown."""
    return None if case.has_failed else float(case.attempt.reply.tokens)


def _wall_seconds(case: Case, _: int) -> float | None:
    """Seconds from question to answer."""
    return None if case.has_failed else case.attempt.wall_seconds


def _of_use(read: Callable[[Use], float]) -> Score:
    """Return a score of what a model cost, unscored for an arm without one."""

    def score(case: Case, _: int) -> float | None:
        use = case.attempt.reply.use
        return None if use is None else float(read(use))

    return score


def _all_tokens(use: Use) -> float:
    return use.usage.prompt_tokens + use.usage.completion_tokens


def _steps_taken(case: Case) -> float:
    return float(case.attempt.reply.steps)


def _all_seconds(case: Case, _: int) -> float | None:
    """Seconds of all attempts of a group over the right answers among them."""
    return case.attempt.wall_seconds


def _right(case: Case) -> float:
    return float(case.is_right)


MEASURES: dict[str, Measure] = {
    "answer_correct": Measure(_answer_correct),
    "right_and_cited": Measure(_right_and_cited),
    "every_hop_cited": Measure(_every_hop_cited),
    "citation_precision": Measure(_citation_precision, is_yes_or_no=False, is_paired=False),
    "citation_recall": Measure(_citation_recall, is_yes_or_no=False),
    "citation_resolves": Measure(_citation_resolves, is_yes_or_no=False, is_paired=False, over="both"),
    "citation_support": Measure(_citation_support, is_yes_or_no=False, is_paired=False, over="both"),
    "part_coverage": Measure(_part_coverage, is_yes_or_no=False),
    "evidence_recall": Measure(_evidence_recall, needs_k=True, is_yes_or_no=False),
    "all_hops": Measure(_all_hops, needs_k=True),
    "abstained": Measure(_abstained),
    "abstention_precision": Measure(_abstention_precision, is_paired=False, over="all"),
    "abstention_recall": Measure(_abstention_recall),
    "premise_corrected": Measure(_premise_corrected),
    "false_statements": Measure(_false_statements, over="both"),
    "hops": Measure(_hops, is_yes_or_no=False, unit="hops"),
    "steps": Measure(_steps, is_yes_or_no=False, unit="steps"),
    "tokens": Measure(_tokens, is_yes_or_no=False, unit="tokens"),
    "wall_seconds": Measure(_wall_seconds, is_yes_or_no=False, unit="seconds", over="both"),
    "model_calls": Measure(_of_use(lambda use: use.calls), is_yes_or_no=False, unit="calls"),
    "prompt_tokens": Measure(_of_use(lambda use: use.usage.prompt_tokens), is_yes_or_no=False, unit="tokens"),
    "completion_tokens": Measure(_of_use(lambda use: use.usage.completion_tokens), is_yes_or_no=False, unit="tokens"),
    "cached_tokens": Measure(_of_use(lambda use: use.usage.cached_tokens), is_yes_or_no=False, unit="tokens"),
    "decided_by_model": Measure(_of_use(lambda use: use.decided), is_yes_or_no=False, per=_steps_taken),
    "tokens_per_correct": Measure(_of_use(_all_tokens), is_yes_or_no=False, per=_right, unit="tokens"),
    "seconds_per_correct": Measure(_all_seconds, is_yes_or_no=False, per=_right, unit="seconds"),
}
