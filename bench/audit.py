"""How well the grader agrees with a person: answers labelled by hand, graded, and the same by plain substring matching.

Owns the reading of `bench/audit/answers.jsonl` and the table that `python -m bench.audit` prints. How an answer is
graded is for `bench.grading` to say.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.grading import Said, grade
from bench.question import Answer
from bench.statistics import wilson
from forest.text import one_line, printable

ANSWERS = Path(__file__).parent / "audit" / "answers.jsonl"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One answer with the label that a person gave it before any program did.

    Attributes:
        id: of the answer.
        held: whether it was kept unseen while the grader was being corrected.
        question: its words.
        expected: what is right.
        said: what is graded.
        label: `right`, `wrong` or `partly` (some of a list).
        why: the labeller's reason.
    """

    id: str
    held: bool
    question: str
    expected: Answer
    said: Said
    label: str
    why: str


def load_labelled(path: Path) -> tuple[Labelled, ...]:
    """Return the labelled answers of a file, one JSON object a line, in its order."""
    return tuple(map(_labelled, path.read_text(encoding="utf-8").splitlines()))


def _labelled(line: str) -> Labelled:
    record: dict[str, Any] = json.loads(line)
    said = record["said"]
    return Labelled(
        record["id"], record["held"], record["question"], _answer(record["answer"]),
        Said(tuple(said["values"]), said["text"], said["abstained"]), record["label"], record["why"],
    )  # fmt: skip


def _answer(record: dict[str, Any]) -> Answer:
    items = tuple(map(_answer, record.get("items", ())))
    accept, traps = tuple(record.get("accept", ())), tuple(record.get("traps", ()))
    return Answer(record["type"], record.get("value", ""), accept, traps, items, record.get("complete", True))


def label_by_value(answer: Labelled) -> str:
    """Return the label that the grader gives: `partly` is a list of which some items are there."""
    found = grade(answer.expected, answer.said, answer.question)
    return "right" if found.correct else "partly" if found.share > 0 else "wrong"


def label_by_substring(answer: Labelled) -> str:
    """Return the label that comes of looking for the accepted forms as they are written, case aside."""
    if answer.expected.type == "none":
        return "right" if answer.said.abstained else "wrong"
    said = "\n".join((*answer.said.values, answer.said.text)).casefold()
    items = answer.expected.items or (answer.expected,)
    found = [any(form.casefold() in said for form in item.forms) for item in items]
    return "right" if all(found) else "partly" if any(found) else "wrong"


METHODS: dict[str, Callable[[Labelled], str]] = {"by value": label_by_value, "by substring": label_by_substring}


def table(answers: Sequence[Labelled]) -> str:
    """Return how far each method agrees with the labels, and where it does not, as lines of text."""
    lines = []
    for name, method in METHODS.items():
        given = [(answer, method(answer)) for answer in answers]
        agreed = sum(label == answer.label for answer, label in given)
        low, high = wilson(agreed, len(answers))
        lines.append(
            f"{name}: {agreed} of {len(answers)} agree, {agreed / len(answers):.3f} (95 % {low:.3f} to {high:.3f})"
        )
        lines += [
            f"  {answer.id} is {answer.label}, graded {label}: {answer.why}; {_shown(answer)}"
            for answer, label in given
            if label != answer.label
        ]
    return "\n".join(lines)


def _shown(answer: Labelled) -> str:
    said = " | ".join(answer.said.values) or answer.said.text or "(abstained)"
    return printable(one_line(f"“{said}” to “{answer.question}”"))


def main(arguments: Sequence[str]) -> int:
    """Print the table of all answers, or of the `open` or the `held` ones."""
    which = arguments[0] if arguments else "all"
    if which not in ("all", "open", "held") or len(arguments) > 1:
        print("usage: python -m bench.audit [all|open|held]", file=sys.stderr)
        return 2
    answers = [a for a in load_labelled(ANSWERS) if which == "all" or a.held == (which == "held")]
    print(table(answers))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
