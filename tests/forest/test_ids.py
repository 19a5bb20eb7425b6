"""Ids: what is well formed, portable and similar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.ids import MAX_ID_LENGTH, is_version, nearest, problem_of_id, problem_of_name, slug, work_of

PART = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,8}", fullmatch=True)
IDS = st.builds(
    lambda parts, day: "/".join(parts) + (f"@{day.isoformat()}" if day else ""),
    st.lists(PART, min_size=1, max_size=4),
    st.none() | st.dates(),
)


@given(IDS)
def test_parts_joined_by_slashes_and_a_date_are_an_id(node_id: str) -> None:
    assert problem_of_id(node_id) == ""
    assert is_version(node_id) == (work_of(node_id) != node_id)
    assert not is_version(work_of(node_id))


@pytest.mark.parametrize("good", ["a", "0", "nom-035-stps-2018", "lft/dof-2022-12-27/trans-1", "a.b_c", "a@2024-02-29"])
def test_well_formed_ids(good: str) -> None:
    assert problem_of_id(good) == ""


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "A",
        "ñ",
        "-a",
        "/a",
        "a/",
        "a//b",
        "a/../b",
        "a/./b",
        "../a",
        "a b",
        "a\n",
        "a#1",
        "a@",
        "a@2022",
        "a@2022-02-30",
        "a@2022-12-27@2023-01-01",
        "a@2022-12-27/b",
        "a@2026-w01-1",
        "x" * (MAX_ID_LENGTH + 1),
    ],
)
def test_malformed_ids_say_why(bad: str) -> None:
    assert problem_of_id(bad)


@given(st.text(max_size=30))
def test_nothing_with_an_id_s_problem_hides_a_path_or_a_line(text: str) -> None:
    if problem_of_id(text) == "":
        assert ".." not in text.split("/")
        assert text.isascii()
        assert not set(text) & set("\n\r\t \\:")


@pytest.mark.parametrize("good", ["index.md", "dof-5775533.md", "año.md", ".gitattributes", "com10.md", "a b.md"])
def test_portable_names(good: str) -> None:
    assert problem_of_name(good) == ""


@pytest.mark.parametrize(
    "bad", ["con", "CON.md", "lpt9.x.md", "a:b.md", "a?.md", "a.", "a ", "x" * 101, "ñ" * 51, "a\x1f.md", "\udcff.md"]
)
def test_names_that_some_system_refuses_say_why(bad: str) -> None:
    assert problem_of_name(bad)


def test_slug_joins_words_with_single_hyphens() -> None:
    assert slug("  ley federal -- del trabajo. ") == "ley-federal-del-trabajo"


def test_nearest_prefers_the_likest_and_leaves_guesses_out() -> None:
    known = ["lft/art-76", "lft/art-78", "uma"]
    assert nearest("lft/art-67", known) == ("lft/art-76",)
    assert nearest("lft/art-78", known, limit=2) == ("lft/art-78", "lft/art-76")
    assert nearest("zzzzzz", known) == ()
    assert nearest("a", []) == ()
