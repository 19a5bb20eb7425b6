"""Metrics: names that parse as they print, scores by their formulas, and what does not apply left unscored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.attempt import Attempt, Posed, Reply
from bench.metrics import MEASURES, Case, Metric, is_cited, parse_metric
from bench.question import Answer, Gold, Span
from forest.errors import WrongUsage
from navigator.chat import Usage
from navigator.meter import Use
from tests.bench.wood import cited, posed, said

MONEY = Answer("money", "315.04 pesos", traps=("278.80 pesos",))
FIRST = (Gold("salarios", "El salario mínimo será de 315.04 pesos diarios"), "salarios#1")
SECOND = (Gold("vacaciones", "las vacaciones serán de doce días"), "vacaciones#2")
ONE = posed("q1", MONEY, FIRST)
TWO = posed("q2", MONEY, SECOND, FIRST)
NOTHING = posed("q3", Answer("none"), category="unanswerable")
PREMISE = posed("q4", Answer("none"), FIRST, category="false_premise", correction=MONEY, premise="Son 278.80 pesos.")
LIST = posed("q5", Answer("list", items=(Answer("name", "Toluca"), Answer("name", "Puebla"))), FIRST)
RIGHT = (
    "El salario mínimo será de 315.04 pesos diarios.",
    [cited("salarios", 1, "El salario mínimo será de 315.04 pesos diarios.")],
)
WRONG = ("Serán 900 pesos.", [cited("otro", 1, "Serán 900 pesos.")])
COUNTED = posed("q6", MONEY, FIRST, category="aggregation")
USED = said(RIGHT, steps=4, use=Use("uno", 2, Usage(900, 30, 600), 1.5, 1))
ABSTAINED = said(found=["salarios#1"])


def score(name: str, asked: Posed, reply: Reply, error: str = "") -> float | None:
    return parse_metric(name).score(Case(asked, Attempt(asked.question.id, "arm", 1, reply, error=error)))


NAMES = st.sampled_from(sorted(MEASURES))


@given(NAMES, st.integers(1, 99_999))
def test_a_metric_parses_from_what_it_prints(name: str, k: int) -> None:
    metric = Metric(name, k if MEASURES[name].needs_k else 0)
    assert parse_metric(str(metric)) == metric


@given(st.text(max_size=30) | NAMES.map(lambda name: f"{name}@0") | NAMES.map(lambda name: f"{name}@"))
def test_what_prints_as_no_metric_is_refused_with_the_list(text: str) -> None:
    if text in MEASURES and not MEASURES[text].needs_k:
        return
    with pytest.raises(WrongUsage, match="evidence_recall@K"):
        parse_metric(text)


def test_a_depth_is_given_where_it_is_needed_and_nowhere_else() -> None:
    for text in ("evidence_recall", "answer_correct@3", "all_hops@06"):
        with pytest.raises(WrongUsage):
            parse_metric(text)


@pytest.mark.parametrize(
    ("name", "asked", "reply", "expected"),
    [
        ("answer_correct", ONE, said(RIGHT), 1),
        ("answer_correct", ONE, said(WRONG), 0),
        ("answer_correct", ONE, ABSTAINED, 0),
        ("answer_correct", NOTHING, said(), 1),
        ("answer_correct", NOTHING, said(WRONG), 0),
        ("answer_correct", PREMISE, said(RIGHT), 1),
        ("answer_correct", PREMISE, said(), 0),
        ("right_and_cited", ONE, said(RIGHT), 1),
        ("right_and_cited", TWO, said(RIGHT), 0),
        ("right_and_cited", NOTHING, said(), None),
        ("every_hop_cited", TWO, said(RIGHT), 0),
        ("every_hop_cited", ONE, said(RIGHT), 1),
        ("citation_precision", ONE, said(RIGHT, WRONG), 0.5),
        ("citation_precision", ONE, said(), None),
        ("citation_precision", NOTHING, said(WRONG), None),
        ("citation_recall", TWO, said(RIGHT), 0.5),
        ("citation_recall", TWO, said(), 0),
        ("citation_resolves", ONE, said(RIGHT), 0),
        ("citation_resolves", ONE, said(), None),
        ("citation_support", ONE, said(RIGHT), 1),
        ("citation_support", ONE, said(RIGHT, ("Serán 900 pesos.", RIGHT[1])), 0.5),
        ("citation_support", ONE, said(("Serán 315.04 pesos.", ())), 0),
        ("citation_support", ONE, said(), None),
        ("citation_support", COUNTED, said(RIGHT), None),
        ("model_calls", ONE, USED, 2),
        ("prompt_tokens", ONE, USED, 900),
        ("completion_tokens", ONE, USED, 30),
        ("cached_tokens", ONE, USED, 600),
        ("decided_by_model", ONE, USED, 1),
        ("tokens_per_correct", ONE, USED, 930),
        ("model_calls", ONE, said(RIGHT), None),
        ("tokens_per_correct", ONE, said(RIGHT), None),
        ("abstained", NOTHING, Reply((), "too_long"), None),
        ("answer_correct", NOTHING, Reply((), "too_long"), None),
        ("answer_correct", NOTHING, Reply((), "model_error"), 0),
        ("abstained", NOTHING, Reply((), "model_error"), 0),
        ("part_coverage", LIST, said(("En Toluca.", ())), 0.5),
        ("part_coverage", LIST, said(), 0),
        ("part_coverage", ONE, said(RIGHT), None),
        ("evidence_recall@1", TWO, said(found=["x#1", "salarios#1"]), 0),
        ("evidence_recall@2", TWO, said(found=["x#1", "salarios#1"]), 0.5),
        ("evidence_recall@6", NOTHING, said(), None),
        ("all_hops@6", TWO, said(found=["x#1", "salarios#1"]), 0),
        ("all_hops@6", TWO, said(found=["vacaciones#2", "salarios#1"]), 1),
        ("abstained", ONE, said(), 1),
        ("abstained", ONE, said(RIGHT), 0),
        ("abstention_precision", ONE, said(), 0),
        ("abstention_precision", NOTHING, said(), 1),
        ("abstention_precision", NOTHING, said(WRONG), None),
        ("abstention_precision", PREMISE, said(), None),
        ("abstention_recall", NOTHING, said(), 1),
        ("abstention_recall", NOTHING, said(WRONG), 0),
        ("abstention_recall", ONE, said(), None),
        ("premise_corrected", PREMISE, said(RIGHT), 1),
        ("premise_corrected", PREMISE, said((RIGHT[0], WRONG[1])), 0),
        ("premise_corrected", ONE, said(RIGHT), None),
        ("false_statements", ONE, said(WRONG), 1),
        ("false_statements", ONE, said(RIGHT), 0),
        ("false_statements", ONE, said(), 0),
        ("false_statements", NOTHING, said(WRONG), 1),
        ("false_statements", LIST, said(("En Toluca.", ())), 0),
        ("hops", ONE, said(hops=3), 3),
        ("steps", ONE, said(steps=5), 5),
        ("tokens", ONE, said(tokens=70), 70),
    ],
)
def test_a_metric_scores_by_its_formula(name: str, asked: Posed, reply: Reply, expected: float | None) -> None:
    assert score(name, asked, reply) == expected


@pytest.mark.parametrize("asked", [ONE, NOTHING, PREMISE])
def test_an_error_is_neither_right_nor_an_abstention(asked: Posed) -> None:
    empty = Reply((), "error")
    told = {
        name: score(name, asked, empty, "ValueError") for name in ("answer_correct", "abstained", "false_statements")
    }
    assert told == {"answer_correct": 0, "abstained": 0, "false_statements": 0}
    assert score("abstention_precision", asked, empty, "ValueError") is None
    assert score("tokens", asked, empty, "ValueError") is None


@pytest.mark.parametrize(
    ("quote", "node", "passage", "expected"),
    [
        ("El salario mínimo será de 315.04 pesos diarios.", "salarios", 1, True),
        ("el SALARIO  minimo será de 315.04 pesos diarios", "salarios", 1, True),
        ("será de 315.04 pesos", "salarios", 1, True),
        ("Antes: El salario mínimo será de 315.04 pesos diarios, según se dijo, y ya.", "salarios", 1, True),
        ("Otra cosa que está en el mismo pasaje.", "salarios", 1, False),
        ("El salario mínimo será de 315.04 pesos diarios.", "salarios", 2, False),
        ("El salario mínimo será de 315.04 pesos diarios.", "otro", 1, False),
        ("Son 315.04 pesos al día.", "gemelo", 4, True),
        ("El salario mínimo será de 315.04 pesos diarios.", "gemelo", 4, False),
    ],
)
def test_a_hop_is_cited_by_words_of_its_span_in_its_passage(
    quote: str, node: str, passage: int, expected: bool
) -> None:
    gold = Gold("salarios", FIRST[0].span, equivalents=(Span("gemelo", "Son 315.04 pesos al día"),))
    assert is_cited(gold, frozenset({"salarios#1", "gemelo#4"}), cited(node, passage, quote)) is expected
