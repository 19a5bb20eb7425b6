"""Hunts with known answers over one forest: is the right node cited first, and is what is absent said to be absent?

Questions are JSON lines: `question`, `gold` (ids, any of which is right; empty when the forest does not hold it) and
`asks` (a label to group by). Gold is compared as works, so any version of a rule counts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from forest.answer import Answer
from forest.history import open_snapshot
from forest.ids import work_of
from forest.oneshot import hunt
from forest.proof import verify
from forest.question import ask
from forest.retrieval import search_passages
from forest.state import State, open_state


@dataclass(frozen=True, slots=True)
class Result:
    """One question answered.

    Attributes:
        asks: the question's group.
        first: what was cited first, "" when nothing was.
        right: the first citation is of a gold work, or nothing was cited where nothing is held.
        rank: place of the first gold work among the passages found, 0 when it is not among the first 20.
        proven: whether every citation was proven from git.
    """

    question: str
    asks: str
    first: str
    right: bool
    rank: int
    proven: bool
    status: str


def run(state: State, questions: Iterable[dict[str, object]], today: date) -> tuple[Result, ...]:
    """Answer every question and compare."""
    return tuple(_result(state, question, today) for question in questions)


def _result(state: State, asked: dict[str, object], today: date) -> Result:
    text, gold = str(asked["question"]), {str(g) for g in asked["gold"]}  # type: ignore[attr-defined]
    answer = hunt(state, text, today=today)
    first = answer.claims[0].citations[0].node if answer.claims else ""
    right = work_of(first) in gold if gold else not answer.claims
    return Result(
        text, str(asked["asks"]), first, right, rank_of(state, text, gold, today), _proven(state, answer), answer.status
    )


def rank_of(state: State, text: str, gold: Collection[str], today: date) -> int:
    """Return the place of the first gold work among the works found for a question, 0 when it is not in 20 passages."""
    found = search_passages(state, ask(state, text, today=today), 20)
    works = list(dict.fromkeys(work_of(f.reading.node.id) for f in found))
    return next((at for at, work in enumerate(works, start=1) if work in gold), 0)


def _proven(state: State, answer: Answer) -> bool:
    cited = [citation for claim in answer.claims for citation in claim.citations]
    return all(verify(citation, state.snapshot).origin == "commit" for citation in cited)


def main() -> None:
    """Run from the command line: python -m bench.hunts FOREST QUESTIONS."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forest", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--today", type=date.fromisoformat, default=date(2026, 11, 30))
    options = parser.parse_args()
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    with open_state(open_snapshot(options.forest)) as state:
        results = run(state, [json.loads(line) for line in lines if line.strip()], options.today)
    for r in results:
        print(f"{'ok ' if r.right else 'NO '} {r.status:10} rank {r.rank:2}  {r.first or '-':32} {r.question}")
    for asks in dict.fromkeys(r.asks for r in results):
        group = [r for r in results if r.asks == asks]
        print(
            f"{asks}: {sum(r.right for r in group)} of {len(group)} right; "
            f"{sum(r.rank == 1 for r in group)} ranked first, {sum(0 < r.rank <= 3 for r in group)} in the first three"
        )
    print(f"citations proven: {sum(r.proven for r in results)} of {len(results)} answers")


if __name__ == "__main__":
    main()
