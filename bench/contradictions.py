"""What the fields of a question, and questions among themselves, say against each other.

Owns the rules that need more than one field; single fields are checked where records are read (`bench.question`), and
what a forest must hold for a question in `bench.question.check_against` and `bench.strictness`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bench.holding import holds_words, words_of
from bench.sought import held, sought, text_of, value_of

if TYPE_CHECKING:
    from bench.question import Question

STRICT_HOPS = 3


def contradictions(q: Question) -> Iterator[str]:
    """Yield what the fields of a record say against each other."""
    if q.category == "unanswerable":
        if not q.twin:
            yield "twin is missing: an unanswerable question names the answerable one that it resembles"
        if q.gold:
            yield "gold is given though the question is unanswerable"
    elif not q.gold:
        yield "gold is empty"
    elif not q.hops:
        yield "hops is 0 though there is gold"
    if q.category in ("unanswerable", "false_premise"):
        if q.is_answerable:
            yield f"answer.type must be none for {q.category}"
    elif not q.is_answerable:
        yield "answer.type is none: say what is right, or make the category unanswerable or false_premise"
    if q.twin and q.category != "unanswerable":
        yield "twin is only for unanswerable questions"
    if q.category == "false_premise" and not (q.premise and q.correction):
        yield "premise and correction must both be given for false_premise"
    elif q.category != "false_premise" and (q.premise or q.correction):
        yield "premise and correction are only for false_premise"
    if q.strict:
        yield from _strict_contradictions(q)


def _strict_contradictions(q: Question) -> Iterator[str]:
    missing = [name for name, value in (("entity", q.entity), ("sister", q.sister)) if not value]
    if missing:
        yield f"{' and '.join(missing)} must be given for a strict question"
    if q.hops < STRICT_HOPS or q.hops != q.gold_hops:
        yield f"hops is {q.hops} and gold has {q.gold_hops}: a strict question has {STRICT_HOPS} or more, and as many"
    for at, gold in enumerate(q.gold):
        if not gold.bridge:
            yield f"gold[{at}].bridge is missing in a strict question"
        elif not holds_words(words_of(gold.span), gold.bridge):
            yield f"gold[{at}].bridge does not stand in the span: {gold.bridge}"
    answer, last = q.answer, q.gold[-1].bridge if q.gold else ""
    if answer.type in ("list", "none"):
        yield f"answer.type is {answer.type}: a strict question has a single answer"
    elif last and not held(text_of(last), sought(answer.forms, value_of(answer.value, answer.type))):
        yield f"gold[{len(q.gold) - 1}].bridge must be the answer: {last}"


def contradictions_among(questions: Sequence[Question]) -> Iterator[str]:
    """Yield repeated ids, and chains, twins and sisters that are not in one split."""
    first: dict[str, Question] = {}
    chains: dict[str, Question] = {}
    for q in questions:
        if q.id in first:
            yield f"{q.place}: the id {q.id} is that of {first[q.id].place} too"
        first.setdefault(q.id, q)
        other = chains.setdefault(q.chain, q)
        if other.split != q.split:
            yield f"{q.place}: the chain {q.chain} is in {other.split} at {other.place} and in {q.split} here"
    for q in questions:
        for role, relative in (("sister", first.get(q.sister)), ("twin", first.get(q.twin))):
            if relative is None:
                continue
            fits = relative.strict if role == "sister" else relative.is_answerable
            if relative is q or not fits:
                yield f"{q.place}: {relative.id} cannot be the {role} of {q.id}"
            if relative.split != q.split:
                yield f"{q.place}: the {role} {relative.id} is in {relative.split}, {q.id} in {q.split}"
