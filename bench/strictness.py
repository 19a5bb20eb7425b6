"""Strictly multi-hop: a program proves over all text of a forest that a question cannot be answered in fewer steps.

Owns the five rules (docs/questions.md) and the command that tells which questions break them. The shape of a record is
checked when it is loaded (`bench.question`); what texts there are is `bench.texts`, what remains without a span
`bench.removal`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.holding import holds_words, words_of
from bench.question import Gold, Question, check_against, gold_passages, load_nodes, load_questions
from bench.removal import HIERARCHY, left_of, rests_on
from bench.sought import Sought, held, sought, text_of, value_of, value_of_bridge, values_in
from bench.texts import Texts, names_of, read_texts
from forest.analyzer import question_stems
from forest.errors import ForestError
from forest.history import open_snapshot
from forest.ids import work_of
from forest.node import Node
from forest.state import State, open_state
from forest.store import parent_path
from forest.text import printable
from forest.values import same_value

RULES: Mapping[int, str] = {
    1: "each node is joined to the next, or named by the bridge",
    2: "the question names its start and nothing that comes later",
    3: "no other text holds two bridges in a row, none the start and the answer",
    4: "other nodes hold values of the answer's type, and a sister has another answer",
    5: "without a hop's span its bridge cannot be derived",
}
_RIVALS = 2
_NEAR, _FAR = 6, 20


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question is not strictly multi-hop.

    Attributes:
        question: its id.
        rule: from 1 to 5, see `RULES`.
        hop: 1-based; 0 when it is about the question as a whole.
        message: the nodes and the words that break the rule.
    """

    question: str
    rule: int
    hop: int
    message: str


def check(texts: Texts, question: Question, questions: Sequence[Question]) -> tuple[Refusal, ...]:
    """Return every way in which a strict question breaks the rules, by rule and hop; none when it holds.

    Args:
        texts: of the forest; every gold node is one of it (see `bench.question.check_against`).
        question: a strict one.
        questions: all of them, among which its sister is looked up.
    """
    chain = _Chain(texts, question)
    found = [*_joined(chain), *_hidden(chain), *_apart(chain), *_rivalled(chain, questions), *_needed(chain)]
    return tuple(Refusal(question.id, rule, hop, message) for rule, hop, message in found)


Found = Iterator[tuple[int, int, str]]


class _Chain:
    """A question with what is looked for: its entity, and each bridge by words, names and value."""

    def __init__(self, texts: Texts, question: Question) -> None:
        self.texts = texts
        self.question = question
        self.gold = question.gold
        self.entity = sought(self._called(question.entity))
        self.bridges = tuple(self._bridge(at, gold) for at, gold in enumerate(self.gold))

    def _called(self, phrase: str) -> tuple[str, ...]:
        """Return a phrase and, when it names a node, all the names of that node."""
        return (phrase, *(name for found in self.texts.called(phrase) for name in self.texts.names(found)))

    def _bridge(self, at: int, gold: Gold) -> Sought:
        if at < len(self.gold) - 1:
            # What leads to the next node is held, too, by a text that calls that node by any of its names.
            return sought((*self._called(gold.bridge), *self._later_names(at + 1)), value_of_bridge(gold.bridge))
        answer = self.question.answer
        phrases = [form for phrase in (gold.bridge, *answer.forms) for form in self._called(phrase)]
        return sought(phrases, value_of(answer.value, answer.type))

    def _later_names(self, at: int) -> tuple[str, ...]:
        """Return the names of a later node, none when it is another version of the first node's work."""
        node = self.gold[at].node
        return () if work_of(node) == work_of(self.gold[0].node) else self.texts.names(node)

    def node(self, at: int) -> Node:
        return self.texts.nodes[self.gold[at].node]


def _joined(chain: _Chain) -> Found:
    texts = chain.texts
    for at, (gold, following) in enumerate(zip(chain.gold, chain.gold[1:], strict=False)):
        if texts.between(gold.node, following.node) or texts.names_node(gold.bridge, following.node):
            continue
        if not any(_states(texts, named, following) for named in texts.called(gold.bridge)):
            joins = f"no edge joins {gold.node} and {following.node}"
            yield 1, at + 1, f"{joins}, and {gold.bridge!r} is no title, alias or identifier of {following.node}"


def _states(texts: Texts, named: str, gold: Gold) -> bool:
    """Tell whether a hop's span states an edge to the node that the bridge before it names."""
    body, spans = texts.nodes[gold.node].body, [place.span for place in gold.places]
    return any(
        one.source == gold.node and rests_on(one.edge.basis, body, spans) for one in texts.between(named, gold.node)
    )


def _hidden(chain: _Chain) -> Found:
    q, first = chain.question, chain.gold[0]
    asked = text_of(q.question)
    if not holds_words(asked.words, q.entity):
        yield 2, 0, f"the entity {q.entity!r} does not stand in the question"
    in_span = any(holds_words(words_of(place.span), q.entity) for place in first.places)
    if not in_span and not chain.texts.names_node(q.entity, first.node):
        yield 2, 1, f"the entity {q.entity!r} neither names {first.node} nor stands in its span"
    for at, bridge in enumerate(chain.bridges):
        words = held(asked, bridge)
        if words:
            yield 2, at + 1, f"the question holds {words!r}, which the bridge {chain.gold[at].bridge!r} leads to"


def _apart(chain: _Chain) -> Found:
    before = chain.entity
    for at, bridge in enumerate(chain.bridges):
        own = {place.node for place in chain.gold[at].places}
        for node_id, first, second in _both(chain.texts, before, bridge, own):
            yield 3, at + 1, f"{node_id} holds {first!r} together with {second!r}"
        before = bridge
    for node_id, first, second in _both(chain.texts, chain.entity, chain.bridges[-1], ()):
        yield 3, 0, f"{node_id} holds the entity {first!r} together with the answer {second!r}"


def _both(texts: Texts, one: Sought, other: Sought, own: Collection[str]) -> Iterator[tuple[str, str, str]]:
    for node_id, text in texts.texts.items():
        first = held(text, one) if node_id not in own else ""
        second = held(text, other) if first else ""
        if second:
            yield node_id, first, second


def _rivalled(chain: _Chain, questions: Sequence[Question]) -> Found:
    q, last = chain.question, chain.node(-1)
    family = [node for node in chain.texts.nodes.values() if _same_kind(node, last)]
    rivals = list(islice((node for node in family if _holds_another(chain, node, questions)), _RIVALS))
    if len(rivals) < _RIVALS:
        others = f"{len(rivals)} of {len(family)} other nodes of the kind of {last.id}"
        yield 4, len(chain.gold), f"{others} hold another {q.answer.type}; {_RIVALS} must"
    sister = next((other for other in questions if other.id == q.sister and other.strict), None)
    if sister is None:
        yield 4, 0, f"there is no strict question {q.sister!r} to be its sister"
    elif sister.chain != q.chain or sister.gold_hops != q.gold_hops:
        yield 4, 0, f"its sister {sister.id} is not of the same chain and length"
    elif words_of(sister.entity) == words_of(q.entity):
        yield 4, 0, f"its sister {sister.id} starts from the same entity {q.entity!r}"
    elif held(text_of(*sister.answer.forms, sister.gold[-1].bridge), chain.bridges[-1]):
        yield 4, 0, f"its sister {sister.id} has the same answer {sister.answer.value!r}"


def _same_kind(node: Node, last: Node) -> bool:
    one, other = node.passport, last.passport
    near = bool(set(one.tags) & set(other.tags)) or parent_path(node.path) == parent_path(last.path)
    return node.id != last.id and one.kind == other.kind and near


def _holds_another(chain: _Chain, node: Node, questions: Sequence[Question]) -> bool:
    """Tell whether a node holds something of the answer's type that is not the answer."""
    answer, value = chain.question.answer, chain.bridges[-1].value
    if value is not None:
        found = values_in(node.body, value.kind)
        return any(v.value.unit == value.unit and not same_value(v.value, value) for v in found)
    right = chain.texts.called(chain.gold[-1].bridge)
    kinds = {n.passport.kind for n in (chain.texts.nodes[found] for found in right)}
    works = {work_of(found) for found in right}
    relations = {e.kind for e in chain.node(-1).passport.edges if work_of(e.to) in works}
    if any(e.kind in relations and work_of(e.to) not in works for e in node.passport.edges):
        return True
    text = text_of(node.body)
    titles = (n for n in chain.texts.nodes.values() if n.passport.kind in kinds and work_of(n.id) not in works)
    if any(held(text, sought(names_of(n))) for n in titles if n.id != node.id):
        return True
    others = (q.answer for q in questions if q.chain == chain.question.chain and q.answer.type == answer.type)
    return any(held(text, sought(o.forms)) for o in others if not held(text_of(*o.forms), chain.bridges[-1]))


def _needed(chain: _Chain) -> Found:
    for at, (gold, bridge) in enumerate(zip(chain.gold, chain.bridges, strict=True)):
        node = chain.node(at)
        left = left_of(chain.texts, node, [place.span for place in gold.places if place.node == node.id])
        words = held(left.text, bridge)
        if words:
            yield 5, at + 1, f"without its span {node.id} still holds {words!r}"
        following = work_of(chain.gold[at + 1].node) if at + 1 < len(chain.gold) else ""
        for door in left.doors:
            if door.kind not in HIERARCHY and work_of(door.to) == following:
                yield 5, at + 1, f"without its span an edge {door.kind} of {door.source} still joins it and {door.to}"
            elif shown := held(door.line, bridge):
                yield 5, at + 1, f"without its span the door {door.kind} of {node.id} to {door.to} shows {shown!r}"


def difficulty(state: State, question: Question) -> tuple[int, int]:
    """Return how many hops' gold BM25 has among its best 6 and its best 20 passages for the question as asked."""
    hits = state.index.search([(stem, 1.0) for stem in question_stems(question.question)], _FAR)
    rows = state.catalog.by_numbers(hit.node for hit in hits)
    ranked = [f"{rows[hit.node].id}#{hit.ordinal}" for hit in hits if hit.node in rows]
    gold = gold_passages(state, question)
    near, far = (sum(bool(passages & set(ranked[:k])) for passages in gold) for k in (_NEAR, _FAR))
    return near, far


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line: python -m bench.strictness FOREST QUESTIONS... [--bm25].

    Returns:
        0 when every strict question holds, 1 when one is refused or the questions do not fit the forest.
    """
    parser = argparse.ArgumentParser(prog="python -m bench.strictness", description=__doc__)
    parser.add_argument("forest", type=Path, help="a folder with forest.yaml; need not be committed")
    parser.add_argument("questions", type=Path, nargs="+", help="files of questions")
    parser.add_argument("--bm25", action="store_true", help="tell how hard BM25 finds them; the forest is committed")
    options = parser.parse_args(arguments)
    try:
        questions = load_questions(options.questions)
        problems = check_against(questions, options.forest)
        texts = read_texts(load_nodes(options.forest))
        strict = [q for q in questions if q.strict]
        whole = [q for q in strict if all(gold.node in texts.nodes for gold in q.gold)]
        refusals = [refusal for q in whole for refusal in check(texts, q, questions)]
        _print_report(problems, strict, refusals)
        if options.bm25:
            with open_state(open_snapshot(options.forest)) as state:
                _print_difficulty(state, strict)
    except ForestError as error:
        print(printable(str(error)), file=sys.stderr)
        return error.exit_code
    return 1 if refusals or problems else 0


def _print_report(problems: Sequence[str], strict: Sequence[Question], refusals: Sequence[Refusal]) -> None:
    for problem in problems:
        print(printable(problem))
    for r in refusals:
        print(printable(f"{r.question}: rule {r.rule}, {f'hop {r.hop}' if r.hop else 'question'}: {r.message}"))
    print("\n| rule | refusals | questions | says |\n|---|---|---|---|")
    count = Counter(r.rule for r in refusals)
    for rule, says in RULES.items():
        print(f"| {rule} | {count[rule]} | {len({r.question for r in refusals if r.rule == rule})} | {says} |")
    refused = len({r.question for r in refusals})
    print(f"\n{len(strict)} strict questions, {refused} refused; {len(problems)} problems with the forest.")


def _print_difficulty(state: State, strict: Sequence[Question]) -> None:
    print(f"\n| question | hops | in the best {_NEAR} | in the best {_FAR} |\n|---|---|---|---|")
    found = [(q, *difficulty(state, q)) for q in strict]
    for q, near, far in found:
        print(printable(f"| {q.id} | {q.gold_hops} | {near} | {far} |"))
    whole = [sum(counts[k] == counts[0].gold_hops for counts in found) for k in (1, 2)]
    print(f"\nAll hops among the best {_NEAR}: {whole[0]} of {len(found)}; among the best {_FAR}: {whole[1]}.")


if __name__ == "__main__":
    sys.exit(main())
