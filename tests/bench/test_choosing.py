"""Choices of questions: by what they are, samples that come out the same, and words for the header."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.choosing import GROUPS, SAMPLED, Choice, choose, read_sample
from bench.question import Question, load_questions
from forest.errors import WrongUsage
from tests.conftest import FIXTURES

QUESTIONS = load_questions(sorted(Path(FIXTURES / "questions").glob("*.jsonl")))


def ids(questions: tuple[Question, ...]) -> list[str]:
    return [question.id for question in questions]


def test_without_a_choice_all_are_asked_in_their_order() -> None:
    assert choose(QUESTIONS, Choice()) == QUESTIONS
    assert str(Choice()) == ""


def test_filters_hold_together() -> None:
    chosen = choose(QUESTIONS, Choice("dev", ("cross_reference", "temporal"), (2, 3), strict=True))
    assert chosen
    assert all(q.split == "dev" and q.strict and q.hops in (2, 3) for q in chosen)
    assert {q.category for q in chosen} <= {"cross_reference", "temporal"}


def test_a_sample_has_so_many_of_each_group_and_of_no_other() -> None:
    chosen = choose(QUESTIONS, Choice(sample={"strict": 33, "single": 20}))
    assert Counter(q.strict for q in chosen) == {True: 33, False: 20}
    assert all(GROUPS["single-hop"](q) for q in chosen if not q.strict)
    assert ids(chosen) == [q.id for q in QUESTIONS if q in chosen]


def test_a_sample_does_not_depend_on_the_order_and_grows_by_adding() -> None:
    small, large = (choose(QUESTIONS, Choice(sample={"strict": n})) for n in (10, 11))
    assert set(ids(small)) < set(ids(large))
    assert set(ids(choose(reversed(QUESTIONS), Choice(sample={"strict": 10})))) == set(ids(small))


def test_a_sample_takes_of_each_chain_before_it_takes_a_second_one() -> None:
    chains = {q.chain for q in QUESTIONS if GROUPS["strictly multi-hop"](q)}
    chosen = choose(QUESTIONS, Choice(sample={"strict": len(chains)}))
    assert {q.chain for q in chosen} == chains


def test_a_limit_spreads_over_chains_too() -> None:
    chosen = choose(QUESTIONS, Choice(limit=30))
    assert len({q.chain for q in chosen}) == len(chosen) == 30


def test_every_group_can_be_sampled() -> None:
    assert list(SAMPLED.values()) == list(GROUPS)


def test_more_than_there_are_is_refused() -> None:
    with pytest.raises(WrongUsage, match="There are 64 strictly multi-hop questions, not 65"):
        choose(QUESTIONS, Choice(sample={"strict": 65}))
    with pytest.raises(WrongUsage, match="no category 'nada'"):
        choose(QUESTIONS, Choice(categories=("nada",)))


def test_a_choice_is_told_alike_however_it_was_given() -> None:
    one = Choice(categories=("temporal", "list"), hops=(3, 2), sample={"single": 2, "strict": 1}, limit=4)
    other = Choice(categories=("list", "temporal", "list"), hops=(2, 3), sample={"strict": 1, "single": 2}, limit=4)
    assert str(one) == str(other) == "category list,temporal; hops 2,3; sample single=2,strict=1; limit 4"


def test_a_sample_reads_as_it_is_written() -> None:
    assert read_sample("strict=33, single=20") == {"strict": 33, "single": 20}
    assert read_sample("") == {}


@pytest.mark.parametrize("text", ["strict", "strict=0", "nada=3", "strict=1,strict=2", "strict=-1", "=3", "strict=1=2"])
def test_what_is_no_sample_is_refused(text: str) -> None:
    with pytest.raises(WrongUsage, match="--sample"):
        read_sample(text)
