"""Failures: exactly one class for each failed attempt, the first link that broke."""

from __future__ import annotations

import pytest

from bench.attempt import Attempt, Posed, Reply
from bench.failures import FAILURES, failure_of
from bench.metrics import Case
from bench.question import Answer, Gold
from tests.bench.wood import cited, posed, said

FIRST = (Gold("norma", "quedó sustituida por la NOM-902"), "norma#2")
SECOND = (Gold("lab", "cobra una cuota de 4,750 pesos"), "lab#1")
CHAIN = posed("q1", Answer("money", "4,750 pesos"), FIRST, SECOND)
NOTHING = posed("q2", Answer("none"), category="unanswerable")
BOTH = [cited("norma", 2, "quedó sustituida por la NOM-902"), cited("lab", 1, "cobra una cuota de 4,750 pesos")]
FOUND = ["norma#2", "lab#1"]
REACHED: dict[str, tuple[Posed, Reply]] = {
    "error": (CHAIN, Reply((), "error")),
    "too long": (CHAIN, Reply((), "too_long")),
    "malformed replies": (CHAIN, Reply((), "malformed_replies", ("norma#2", "lab#1"), ("norma#2", "lab#1"))),
    "answered instead of abstaining": (NOTHING, said(("Son 12 pesos.", ()))),
    "limit": (CHAIN, said(found=FOUND, ending="step_limit")),
    "document not found": (CHAIN, said(("Son 12 pesos.", ()), found=["norma#2"])),
    "passage outside the first k": (CHAIN, said(("Son 12 pesos.", ()), found=["norma#2", "lab#7"])),
    "retrieved and not read": (CHAIN, said(("Son 12 pesos.", ()), found=FOUND, read=["norma#2"])),
    "abstained wrongly": (CHAIN, said(found=FOUND)),
    "read and not cited": (CHAIN, said(("Son 12 pesos.", BOTH[:1]), found=FOUND)),
    "cited and wrong": (CHAIN, said(("Son 12 pesos.", BOTH), found=FOUND)),
}


def failure(name: str) -> str | None:
    asked, reply = REACHED[name]
    error = "ValueError" if name == "error" else ""
    return failure_of(Case(asked, Attempt(asked.question.id, "arm", 1, reply, error=error)))


@pytest.mark.parametrize("name", FAILURES)
def test_every_class_is_reached(name: str) -> None:
    assert failure(name) == name


@pytest.mark.parametrize(
    ("asked", "reply"), [(CHAIN, said(("La cuota es de 4,750 pesos.", BOTH), found=FOUND)), (NOTHING, said())]
)
def test_what_is_right_has_not_failed(asked: Posed, reply: Reply) -> None:
    assert failure_of(Case(asked, Attempt("q", "arm", 1, reply))) is None


@pytest.mark.parametrize("asked", [CHAIN, NOTHING])
def test_a_model_that_failed_is_an_error_and_never_an_abstention(asked: Posed) -> None:
    assert failure_of(Case(asked, Attempt("q", "arm", 1, Reply((), "model_error", tuple(FOUND))))) == "error"


def test_a_passage_found_too_far_down_is_outside_unless_it_was_read() -> None:
    far = ["norma#2", *(f"lab#{i}" for i in range(2, 30)), "lab#1"]
    outside = said(("Son 12 pesos.", ()), found=far, read=["norma#2"])
    assert failure_of(Case(CHAIN, Attempt("q1", "arm", 1, outside))) == "passage outside the first k"
    read = said(("Son 12 pesos.", ()), found=far, read=["norma#2", "lab#1"])
    assert failure_of(Case(CHAIN, Attempt("q1", "arm", 1, read))) == "read and not cited"
