"""Trails as values: canonical bytes, an id made of them, and a reader that believes nothing."""

import json
import unicodedata
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.analyzer import question_stems
from forest.trail import (
    MAX_CITED,
    MAX_DOORS,
    MAX_STEMS,
    MOST_USEFUL,
    CitedPassage,
    Trail,
    TrailWrong,
    WalkedDoor,
    question_id,
    signature_of,
    trail_bytes,
    trail_from,
)

_HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
_OID = st.text("0123456789abcdef", min_size=40, max_size=40)
_NODE = st.from_regex(r"[a-z0-9]{1,8}(/art-[1-9])?(@20[12][0-9]-0[1-9]-1[0-9])?", fullmatch=True)
_STEM = st.text(st.characters(whitelist_categories=("Ll", "Nd")), min_size=1, max_size=12).map(
    lambda text: unicodedata.normalize("NFC", text)
)
_DOORS = st.lists(
    st.one_of(
        st.builds(WalkedDoor, _NODE, st.sampled_from(["child", "superseded_by"]), _NODE, st.booleans()),
        st.builds(WalkedDoor, st.just(""), st.just("entry"), _NODE, st.booleans()),
    ),
    max_size=12,
    unique_by=lambda door: (door.source, door.to),
).map(tuple)
_CITED = st.lists(
    st.builds(
        CitedPassage,
        _NODE,
        st.integers(1, 900),
        st.sampled_from(["a.md", "trabajo/salarios/x ñ.md"]),
        _OID,
        st.integers(0, 50),
        st.integers(51, 900),
        _HEX,
    ),
    min_size=1,
    max_size=4,
).map(tuple)
TRAILS = st.builds(
    Trail,
    question=_HEX,
    signature=st.sets(_STEM, max_size=8).map(lambda stems: tuple(sorted(stems))),
    analyzer=st.just("es-2"),
    doors=_DOORS,
    cited=_CITED,
    ending=st.just("answered"),
    navigator=st.sampled_from(["scout", "llm", "mixed"]),
    commit=_OID,
    tree=_OID,
    time=st.datetimes(datetime(1999, 1, 1), datetime(2100, 1, 1)).map(  # noqa: DTZ001
        lambda t: t.replace(tzinfo=UTC)
    ),
)
ONE = Trail(
    question=question_id("¿Cuánto es?"),
    signature=("cuant", "multa"),
    analyzer="es-2",
    doors=(WalkedDoor("", "entry", "lft/art-76", True), WalkedDoor("lft/art-76", "cited_by", "nom-1", True)),
    cited=(CitedPassage("nom-1", 2, "normas/nom-1.md", "a" * 40, 10, 20, "b" * 64),),
    ending="answered",
    navigator="scout",
    commit="c" * 40,
    tree="d" * 40,
    time=datetime(2026, 12, 1, 3, 4, 5, tzinfo=UTC),
)


@given(TRAILS)
def test_a_trail_is_read_back_from_its_bytes_with_the_same_id(trail: Trail) -> None:
    data = trail_bytes(trail)
    again = trail_from(data)
    assert again == trail
    assert again.id == trail.id
    assert trail_bytes(again) == data
    assert b"\n" not in data


@given(TRAILS, TRAILS)
def test_two_trails_have_one_id_only_when_they_are_the_same(one: Trail, other: Trail) -> None:
    assert (one.id == other.id) == (one == other)


def test_a_trail_tells_its_day_and_how_long_its_way_was() -> None:
    assert ONE.day == date(2026, 12, 1)
    assert ONE.useful == 2
    many = tuple(WalkedDoor("a", "child", f"b{n}", n % 2 == 0) for n in range(2 * MOST_USEFUL + 4))
    assert replace(ONE, doors=many).useful == MOST_USEFUL


def _altered(**fields: object) -> bytes:
    changed = json.loads(trail_bytes(ONE)) | fields
    return json.dumps(changed, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b"[" * 70_000,
        b"[" * 5_000,
        trail_bytes(ONE) + b"\n",
        trail_bytes(ONE).replace(b'","', b'", "'),
        _altered(format=2),
        _altered(format=True),
        _altered(amount=10**9),
        _altered(signature=["b", "a"]),
        _altered(signature=["a", "a"]),
        _altered(signature=["a\nb"]),
        _altered(signature=["a" * 101]),
        _altered(signature=[f"{n:04}" for n in range(MAX_STEMS + 1)]),
        _altered(signature="abc"),
        _altered(doors=[["a", "child", f"b{n}", 1] for n in range(MAX_DOORS + 1)]),
        _altered(doors=[["a", "child", "b", 2]]),
        _altered(doors=[["a", "child", "b", True]]),
        _altered(doors=[["a", "child", "b", 1], ["a", "cites", "b", 1]]),
        _altered(doors=[["a", "child", "../b", 1]]),
        _altered(doors=[["a", "child\n", "b", 1]]),
        _altered(doors=[["", "child", "b", 1]]),
        _altered(doors=[["a", "entry", "b", 1]]),
        _altered(doors=[["a", "child", "b"]]),
        _altered(doors=[[["a"], "child", "b", 1]]),
        _altered(cited=[]),
        _altered(cited=[["a", 1, "../a.md", "a" * 40, 0, 1, "b" * 64]]),
        _altered(cited=[["a", 1, "/a.md", "a" * 40, 0, 1, "b" * 64]]),
        _altered(cited=[["a", 1, "a.md", "a" * 40, 5, 5, "b" * 64]]),
        _altered(cited=[["a", 1, "a.md", "a" * 40, -1, 5, "b" * 64]]),
        _altered(cited=[["a", 10**30, "a.md", "a" * 40, 0, 5, "b" * 64]]),
        _altered(cited=[["a", 1, "a.md", "HEAD", 0, 5, "b" * 64]]),
        _altered(cited=[["a", 0, "a.md", "a" * 40, 0, 5, "b" * 64]]),
        _altered(cited=[["a", 1, "a.md", "a" * 40, 0, 5, "b" * 64]] * (MAX_CITED + 1)),
        _altered(question="a"),
        _altered(commit="--output=x"),
        _altered(navigator="scout; rm"),
        _altered(ending="a" * 41),
        _altered(time="2026-13-01T00:00:00.000000Z"),
        _altered(time="2026-12-01T00:00:00+00:00"),
        _altered(time="2026-12-01T00:00:00Z"),
        _altered(time=5),
    ],
)
def test_what_is_no_trail_is_refused(data: bytes) -> None:
    with pytest.raises(TrailWrong):
        trail_from(data)


def test_the_same_letters_composed_otherwise_are_not_canonical() -> None:
    data = _altered(signature=["ba\u0301"])
    with pytest.raises(TrailWrong):
        trail_from(data)


def test_everyday_and_legal_wording_meet_in_a_signature() -> None:
    everyday, legal = signature_of("si me corren"), signature_of("rescisión, despido, indemnización")
    assert set(everyday) & set(legal)
    assert not set(question_stems("corren")) & set(everyday)


def test_a_name_is_part_of_what_a_question_is_about() -> None:
    assert "nom-026-spc-2019" in signature_of("¿Cuál norma sustituyó a la NOM-026-SPC-2019?")


@given(st.text(max_size=300))
def test_any_text_has_a_signature_that_a_trail_can_hold(text: str) -> None:
    trail = replace(ONE, question=question_id(text), signature=signature_of(text))
    assert trail_from(trail_bytes(trail)) == trail
