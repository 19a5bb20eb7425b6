"""Routing: regret both ways is counted from the attempts of three arms at the same questions."""

from __future__ import annotations

import pytest

from bench.attempt import Attempt, Posed, Reply
from bench.metrics import Case
from bench.question import Answer, Gold
from bench.report import report
from bench.routing import routing_of
from bench.tables import markdown
from tests.bench.wood import cited, posed, run_of, said

MONEY = Answer("money", "315.04 pesos")
GOLD = (Gold("salarios", "El salario mínimo será de 315.04 pesos diarios"), "salarios#1")
WORDS = "El salario mínimo será de 315.04 pesos diarios."
ASKED = tuple(posed(f"q{i}", MONEY, GOLD) for i in range(4))


def right(steps: int, tokens: int) -> Reply:
    return said((WORDS, [cited("salarios", 1, WORDS)]), steps=steps, tokens=tokens)


def nothing(steps: int, tokens: int) -> Reply:
    return said(steps=steps, tokens=tokens)


def case(asked: Posed, arm: str, reply: Reply) -> Case:
    return Case(asked, Attempt(asked.question.id, arm, 1, reply))


# Kept and right; kept though the walk was right; walked in vain; walked and rightly so.
CASES = [
    case(asked, arm, reply)
    for asked, search, walk, auto in (
        (ASKED[0], right(1, 10), right(9, 100), right(1, 10)),
        (ASKED[1], nothing(1, 10), right(9, 100), nothing(1, 10)),
        (ASKED[2], right(1, 10), right(9, 100), right(9, 110)),
        (ASKED[3], nothing(1, 10), right(9, 100), right(9, 110)),
    )
    for arm, reply in (("oneshot", search), ("scout", walk), ("auto", auto))
]


def test_regret_is_counted_both_ways() -> None:
    told = routing_of("todas", CASES, 1)
    assert told is not None
    shares = [summary.mean for summary in (told.kept, told.kept_in_error, told.walked_in_vain, told.best)]
    assert shares == [0.5, 0.25, 0.25, 1.0]
    assert told.tokens == pytest.approx(240 / 400)
    assert told.tokens_in_vain == pytest.approx(110 / 240)


@pytest.mark.parametrize("absent", ["oneshot", "scout", "auto"])
def test_without_one_of_its_arms_nothing_is_told(absent: str) -> None:
    assert routing_of("todas", [c for c in CASES if c.attempt.arm != absent], 1) is None


def test_the_report_has_a_table_of_it_by_group_and_over_all() -> None:
    arms: dict[str, dict[str, int]] = {"oneshot": {}, "scout": {}, "auto": {}}
    made = report([run_of(ASKED, [c.attempt for c in CASES], arms=arms)])
    assert [r.group for r in made.routing] == ["single-hop", "all questions"]
    text = markdown(made)
    assert "## Routing" in text
    assert "| group | kept | kept in error | walked in vain |" in text
