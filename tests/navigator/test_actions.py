"""Actions: what is printed is read back, and what cannot be read is told what could have been said."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forest.errors import WrongUsage
from navigator.actions import (
    VERBS,
    Action,
    Answer,
    Back,
    Basis,
    Doors,
    Drop,
    Enter,
    Find,
    GiveUp,
    Hop,
    Note,
    Outline,
    Read,
    Search,
    parse_action,
)

numbers = st.integers(1, 999_999_999)
# Words as any navigator may give them: white space is one blank, as on a line.
words = st.text(min_size=1, max_size=40).map(lambda text: " ".join(text.split())).filter(bool)
maybe = st.one_of(st.just(""), words)
ids = st.from_regex(r"[a-z0-9][a-z0-9._/@-]{0,20}", fullmatch=True)
passages = st.builds(lambda node, number: f"{node}#{number}", ids, numbers)
actions = st.one_of(
    st.builds(Search, words),
    st.builds(Find, words),
    st.builds(Enter, ids),
    st.builds(Outline, numbers),
    st.builds(Doors, numbers),
    st.builds(Basis, numbers),
    st.builds(Hop, numbers),
    st.builds(Read, numbers, numbers),
    st.just(Back()),
    st.builds(Note, passages, st.lists(numbers, min_size=1, max_size=6).map(tuple), maybe),
    st.builds(Drop, numbers),
    st.builds(Answer, maybe),
    st.builds(GiveUp, maybe),
)


@given(actions)
@example(Note("a#1", (1,), "= 2 = 3"))
@example(Answer("answer"))
@example(GiveUp("back"))
@example(Search("hop 3"))
def test_what_an_action_prints_is_read_back_as_the_same_action(action: Action) -> None:
    assert parse_action(str(action)) == action


@given(actions, st.sampled_from(["  ", "\t", "\n"]))
def test_blanks_around_an_action_and_between_its_words_do_not_matter(action: Action, blank: str) -> None:
    assert parse_action(f"{blank}{str(action).replace(' ', blank)}{blank}") == action


def test_every_action_has_one_row_in_the_table_and_every_row_makes_one_kind_of_action() -> None:
    samples = ("search a", "find a", "enter a", "outline", "doors", "basis 1", "hop 1", "read 1", "back", "note a#1 1",
               "drop 1", "answer", "give up")  # fmt: skip
    made = {type(parse_action(line)) for line in samples}
    assert made == set(Action.__args__)
    assert len(samples) == len(VERBS) == len({verb.name for verb in VERBS})


def test_what_is_left_out_has_a_meaning() -> None:
    assert parse_action("outline") == Outline(1)
    assert parse_action("doors") == Doors(1)
    assert parse_action("read 2") == Read(2, 1)
    assert parse_action("note a#1 2, 3") == Note("a#1", (2, 3), "")


@pytest.mark.parametrize(
    "line",
    ["note a#1", "search", "find ", "enter", "outline x", "outline 0", "outline 1 2", "doors -1", "basis", "basis 1.5",
     "hop", "hop tres", "hop 1 2", "hop 99999999999999999999", "hop ٣", "read", "read a", "read 1 2 3",
     "back 1", "note a 1", "note a#1 x", "note a#1 1 =", "drop", "drop 0"],
)  # fmt: skip
def test_a_verb_with_the_wrong_words_is_told_what_it_takes(line: str) -> None:
    verb = next(verb for verb in VERBS if line.split()[0] == verb.name)
    with pytest.raises(WrongUsage, match=re.escape(f"{verb.name} {verb.takes}".strip())):
        parse_action(line)


@given(st.text(max_size=200))
def test_any_line_is_an_action_or_is_told_all_actions_or_what_its_verb_takes(line: str) -> None:
    try:
        action = parse_action(line)
    except WrongUsage as error:
        told = str(error)
        assert "is no action" in told or any(f"is not {verb.name}" in told for verb in VERBS)
        assert "is no action" not in told or all(verb.name in told for verb in VERBS)
        assert len(told) < 1_000
    else:
        assert parse_action(str(action)) == action
