"""What a ranking is worth: recall, reciprocal rank, and whether all documents are there; each prints as its name.

Recall at k is the share of a question's gold that is among the first k; the reciprocal rank is that of the first gold
found (Voorhees 1999, TREC-8 question answering), 0 when none is among those ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.retrieval.wanted import Groups, Wanted

DOCUMENTS, PASSAGES, CANDIDATES = 20, 10, 10  # how deep is ranked, and how many documents are searched for evidence
# In which documents evidence is searched.
GIVEN = {
    "own": f"the first {CANDIDATES} documents that the arm itself found",
    "frozen": f"the first {CANDIDATES} documents that `lexical` found, the same for all arms",
    "gold": "the gold documents",
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one arm found for one question.

    Attributes:
        arm: its name.
        question: id of the question.
        documents: ids, best first, at most `DOCUMENTS`.
        evidence: ids of passages, best first, at most `PASSAGES`, by the name in `GIVEN` of where they were searched.
    """

    arm: str
    question: str
    documents: tuple[str, ...]
    evidence: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of a ranking.

    Attributes:
        name: without depth and candidates.
        score: what it makes of ids, gold and depth.
        k: depth; 0 for all that is ranked.
        given: "" of documents; of evidence where it was searched.
        is_yes_or_no: whether every score is 0 or 1.
        is_share: whether it is told in percent.
    """

    name: str
    score: Callable[[Sequence[str], Groups, int], float]
    k: int = 0
    given: str = ""
    is_yes_or_no: bool = False
    is_share: bool = True

    @property
    def short(self) -> str:
        """The name without where evidence was searched."""
        return f"{self.name}@{self.k}" if self.k else self.name

    def __str__(self) -> str:
        return f"{self.short}.{self.given}" if self.given else self.short

    def of(self, wanted: Wanted, ranked: Ranked) -> float:
        """Return the score of one ranking."""
        if self.given:
            return self.score(ranked.evidence[self.given], wanted.evidence, self.k)
        return self.score(ranked.documents, wanted.documents, self.k)


def recall(found: Sequence[str], gold: Groups, k: int) -> float:
    """Return the share of the gold that is among the first k."""
    first = frozenset(found[:k])
    return sum(bool(first & group) for group in gold) / len(gold)


def all_found(found: Sequence[str], gold: Groups, k: int) -> float:
    """Return 1 when all of the gold is among the first k."""
    return float(recall(found, gold, k) == 1)


def reciprocal_rank(found: Sequence[str], gold: Groups, _: int) -> float:
    """Return one over the place of the first gold found, 0 when there is none."""
    wanted = frozenset[str]().union(*gold)
    return next((1 / place for place, item in enumerate(found, start=1) if item in wanted), 0.0)


METRICS: tuple[Metric, ...] = (
    *(Metric("document_recall", recall, k) for k in (1, 5, 10, 20)),
    Metric("document_mrr", reciprocal_rank, is_share=False),
    Metric("all_documents", all_found, CANDIDATES, is_yes_or_no=True),
    *(
        metric
        for given in GIVEN
        for metric in (
            *(Metric("evidence_recall", recall, k, given) for k in (1, 5, 10)),
            Metric("evidence_mrr", reciprocal_rank, given=given, is_share=False),
        )
    ),
)
