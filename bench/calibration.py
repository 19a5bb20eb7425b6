"""Calibration: the weights of the parts of a one-shot answer's confidence, fitted on questions with known answers.

    python -m bench.calibration FOREST QUESTIONS... [--split dev]

prints the weights for `forest.confidence`, and how often answers of each confidence were right, also for questions of
chains that the weights were not fitted on. Nothing is written.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path

from bench.grading import Said, grade
from bench.metrics import is_cited
from bench.question import Question, gold_passages, load_questions
from forest.confidence import OVERALL, PARTS
from forest.fitting import Candidate, claim_of_pick
from forest.history import open_snapshot
from forest.oneshot import attempt
from forest.state import State, open_state

_STEPS, _RATE, _RIDGE = 4000, 0.5, 0.02
_FOLDS = 5
_BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.01)


@dataclass(frozen=True, slots=True)
class Example:
    """The parts of one answer's confidence, and whether it was right and cites every hop of the evidence."""

    chain: str
    parts: tuple[float, ...]
    right: bool
    told: float


@dataclass(frozen=True, slots=True)
class Weights:
    """An intercept and a weight for each of `forest.confidence.PARTS`, in log-odds."""

    intercept: float
    parts: tuple[float, ...]

    def probability(self, parts: Sequence[float]) -> float:
        """Return the probability that an answer with such parts is right."""
        odds = self.intercept + sum(w * x for w, x in zip(self.parts, parts, strict=True))
        return 1 / (1 + math.exp(-odds))


def examples_of(state: State, questions: Iterable[Question], today: date) -> tuple[Example, ...]:
    """Return what would be answered, said or not, to every question whose names the forest holds."""
    found = []
    for question in questions:
        day = question.today or today
        tried = attempt(state, question.question, today=day, as_of=question.as_of, in_force_on=question.in_force_on)
        if tried.best is None or tried.answer.missing:
            continue
        parts = tuple(tried.answer.confidence[part] for part in PARTS)
        right = question.is_answerable and _is_right(state.on(question.as_of), question, tried.best)
        found.append(Example(question.chain, parts, right, tried.answer.confidence[OVERALL]))
    return tuple(found)


def _is_right(state: State, question: Question, best: Candidate) -> bool:
    claim = claim_of_pick(state, best)
    said = Said((claim.value,) if claim.value else (), claim.text, abstained=False)
    pairs = zip(question.gold, gold_passages(state, question), strict=True)
    cited = all(any(is_cited(gold, passages, c) for c in claim.citations) for gold, passages in pairs)
    return cited and grade(question.answer, said, question.question).correct


def fit(examples: Sequence[Example]) -> Weights:
    """Return the weights, none below 0, that make the answers likeliest, with a ridge of 0.02 (gradient descent)."""
    intercept, weights, n = 0.0, [0.0] * len(PARTS), max(1, len(examples))
    for _ in range(_STEPS):
        told = Weights(intercept, tuple(weights))
        errors = [told.probability(e.parts) - e.right for e in examples]
        intercept -= _RATE * sum(errors) / n
        slopes = [sum(d * e.parts[i] for d, e in zip(errors, examples, strict=True)) / n for i in range(len(PARTS))]
        weights = [max(0.0, w - _RATE * (s + _RIDGE * w / 10)) for w, s in zip(weights, slopes, strict=True)]
    return Weights(intercept, tuple(weights))


def held_out(examples: Sequence[Example]) -> tuple[float, ...]:
    """Return for each example the probability by weights fitted without its chain's fold."""
    chains = sorted({e.chain for e in examples})
    fold = {chain: at % _FOLDS for at, chain in enumerate(chains)}
    fitted = [fit([e for e in examples if fold[e.chain] != at]) for at in range(_FOLDS)]
    return tuple(fitted[fold[e.chain]].probability(e.parts) for e in examples)


def table(probabilities: Sequence[float], examples: Sequence[Example]) -> str:
    """Return how often answers of each band of confidence were right, one band a line, and the Brier score."""
    lines = []
    pairs = list(zip(probabilities, examples, strict=True))
    for low, high in pairwise(_BINS):
        here = [(p, e.right) for p, e in pairs if low <= p < high]
        if here:
            mean = sum(p for p, _ in here) / len(here)
            lines.append(
                f"  {low:.1f} to {min(high, 1):.1f}: told {mean:.2f}, right {sum(r for _, r in here)} of {len(here)}"
            )
    brier = sum((p - e.right) ** 2 for p, e in pairs) / max(1, len(pairs))
    return "\n".join([*lines, f"  Brier score {brier:.3f}"])


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forest", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--split", default="dev", choices=("dev", "test"))
    parser.add_argument("--today", type=date.fromisoformat, default=date(2026, 11, 30))
    options = parser.parse_args()
    questions = [q for q in load_questions(options.questions) if q.split == options.split]
    with open_state(open_snapshot(options.forest)) as state:
        examples = examples_of(state, questions, options.today)
    fitted = fit(examples)
    print(f"{len(examples)} answers, {sum(e.right for e in examples)} right")
    print(f"intercept {fitted.intercept:.2f}")
    for part, weight in zip(PARTS, fitted.parts, strict=True):
        print(f"{part} {weight:.2f}")
    print("as fitted\n" + table([fitted.probability(e.parts) for e in examples], examples))
    print("without the question's fold of chains\n" + table(held_out(examples), examples))
    print("as forest.confidence has them\n" + table([e.told for e in examples], examples))


if __name__ == "__main__":
    main()
