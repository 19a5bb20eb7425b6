"""Passports: what is written is read, every complaint stands at its line, and YAML stays data."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.days import parse_day
from forest.edge import Edge
from forest.node import load_node
from forest.passport import (
    OPEN,
    SECTIONS,
    TEXT_STATES,
    Passport,
    Period,
    parse_passport,
    render_node,
    split_front_matter,
)
from forest.text import one_line

TEXT = st.text(max_size=40).map(one_line).filter(lambda text: "\x00" not in text)
SAID = TEXT.filter(bool)
KEY = st.from_regex(r"[a-z][a-z0-9_]{0,10}", fullmatch=True)
ID = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,12}(/[a-z0-9]{1,5})?", fullmatch=True)
DAY = st.dates()
PERIODS = st.builds(
    lambda start, length, basis: Period(
        start,
        None if length in (None, OPEN) or start is None else start.replace(year=start.year + length),
        length == OPEN,
        basis,
    ),
    st.none() | st.dates(date(1, 1, 1), date(9000, 1, 1)).filter(lambda day: (day.month, day.day) != (2, 29)),
    st.none() | st.just(OPEN) | st.integers(1, 500),
    SAID,
)
PASSPORTS = st.builds(
    Passport,
    id=ID,
    kind=st.sampled_from(("topic", "entity", "publication")),
    title=TEXT,
    summary=TEXT,
    scent=TEXT,
    tags=st.lists(SAID, max_size=3).map(tuple),
    aliases=st.lists(SAID, max_size=3).map(tuple),
    published=st.none() | DAY,
    section=st.sampled_from(("", *SECTIONS)),
    text_state=st.sampled_from(("", *TEXT_STATES)),
    text_as_of=st.just(date(2020, 1, 1)),
    in_force=st.none() | PERIODS,
    reforms=st.lists(DAY, max_size=3).map(tuple),
    source=st.dictionaries(KEY, TEXT, max_size=3),
    edges=st.lists(st.builds(Edge, kind=KEY, to=ID, scent=SAID, basis=TEXT), max_size=3).map(tuple),
    scents=st.dictionaries(ID, SAID, max_size=3),
)
BODIES = st.text(max_size=200).filter(lambda text: "\x00" not in text)

# Passports are large values: fewer of them, and without a clock that a busy machine would fail.
SOME = settings(max_examples=50, deadline=None)


@SOME
@given(PASSPORTS, BODIES)
def test_a_rendered_passport_reads_as_itself(passport: Passport, body: str) -> None:
    text = render_node(passport, body)
    parts = split_front_matter(text)
    assert parts is not None
    again, findings = parse_passport(parts[0], "a.md")
    assert again == passport
    assert findings == ()
    assert text[parts[1] :].strip() == body.strip()


@SOME
@given(PASSPORTS, BODIES)
def test_rendering_twice_gives_the_same_bytes(passport: Passport, body: str) -> None:
    first = render_node(passport, body)
    node, _ = load_node(first.encode(), "a.md")
    assert node is not None
    assert render_node(node.passport, node.body) == first


@SOME
@given(PASSPORTS, st.integers(0, 5))
def test_each_edge_knows_the_line_it_stands_on(passport: Passport, blank: int) -> None:
    text = render_node(passport, "Cuerpo.").replace("---\n", "---\n" + "\n" * blank, 1)
    node, _ = load_node(text.encode(), "a.md")
    assert node is not None
    lines = text.split("\n")
    for edge in node.passport.edges:
        assert lines[edge.line - 1] == f"- kind: {edge.kind}"
    for key, line in node.passport.lines.items():
        assert key.removeprefix("scents.") in lines[line - 1]


def test_every_scalar_is_the_text_written() -> None:
    front = "\nid: a\nkind: topic\ntags: [no, 0100, 10:00, 1e3, null, ~, 2020-01-01]\nsource: {code: 0x1F, ok: yes}\n"
    passport, findings = parse_passport(front, "a.md")
    assert findings == ()
    assert passport.tags == ("no", "0100", "10:00", "1e3", "null", "~", "2020-01-01")
    assert passport.source == {"code": "0x1F", "ok": "yes"}


def test_a_bad_field_costs_that_field_and_not_the_node() -> None:
    front = (
        "\nid: a\nkind: Topic!\npublished: ayer\ntags: uno\nedges: [{kind: cites}, {kind: cites, to: b, scent: s}]\n"
    )
    passport, findings = parse_passport(front, "a.md")
    assert (passport.id, passport.kind, passport.published, passport.tags) == ("a", "", None, ())
    assert [edge.to for edge in passport.edges] == ["b"]
    assert [(f.line, f.rule) for f in findings] == [
        (3, "kind-missing"),
        (4, "date-impossible"),
        (5, "yaml"),
        (6, "edge-incomplete"),
    ]
    assert {f.node for f in findings} == {"a"}


def test_a_period_may_leave_unknown_what_it_does_not_know() -> None:
    passport, findings = parse_passport('\nid: a\nkind: topic\nin_force: {basis: "rige ya"}\n', "a.md")
    assert passport.in_force == Period(None, None, open_ended=False, basis="rige ya")
    assert findings == ()


@pytest.mark.parametrize(
    ("front", "line"),
    [
        ("\nid: a\ntags: &x [a]\n", 3),
        ("\nid: a\ntags: *x\n", 3),
        ("\nid: a\ntags: !!set {a}\n", 3),
        ("\nid: a\ntags: !x a\n", 3),
        ("\nid: a\nid: b\n", 3),
        ("\nid: a\n? [a]\n: b\n", 3),
        ("\nid: a\ntags: [[[[[[[[[a]]]]]]]]]\n", 3),
        ("\nid: a\n\ttags: b\n", 3),
        ("\n- a\n", 2),
        ("\nid: a\n--- \nid: b\n", 2),
        ("\nid: a\nnote: " + "x" * 33_000, 1),
        ("\nid: a\nnote: \x07\n", 1),
        ("\n<<: {id: a}\nid: [\n", 4),
    ],
)
def test_what_is_not_plain_yaml_data_is_refused_at_its_line(front: str, line: int) -> None:
    passport, findings = parse_passport(front, "a.md")
    assert passport.id == ""
    assert [f.rule for f in findings] == ["yaml"]
    assert findings[0].line == line


@given(st.text(max_size=300))
def test_no_front_matter_makes_the_parser_raise(front: str) -> None:
    passport, findings = parse_passport("\n" + front, "a.md")
    assert passport.id or findings


@given(st.recursive(st.sampled_from(["a", "1", "~", "2020-01-01"]), lambda x: st.lists(x, max_size=3), max_leaves=9))
def test_no_shape_of_value_makes_the_parser_raise(shape: object) -> None:
    flow = str(shape).replace("'", "")
    for key in "id kind title summary tags published in_force reforms source edges scents".split():
        passport, _ = parse_passport(f"\nid: x\n{key}: {flow}\n" if key != "id" else f"\nid: {flow}\n", "a.md")
        assert isinstance(passport, Passport)


@pytest.mark.parametrize(
    "bad",
    ["", "2026", "2026-1-1", "2026-W01-1", "20260101", "2026-02-30", " 2026-01-01", "２０２６-01-01", "0000-01-01"],
)
def test_a_day_is_written_in_one_way(bad: str) -> None:
    assert parse_day(bad) is None


@given(DAY)
def test_every_day_reads_as_written(day: date) -> None:
    assert parse_day(day.isoformat()) == day


@pytest.mark.parametrize("text", ["", "# sin pasaporte\n", "---\nid: a\n", " ---\nid: a\n---\n", "\n---\nid: a\n---\n"])
def test_a_file_without_a_fenced_block_at_its_start_has_no_passport(text: str) -> None:
    assert split_front_matter(text) is None


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_body_begins_after_the_closing_fence(newline: str) -> None:
    text = newline.join(["---", "id: a", "---", "", "# Título", "", "---", "otra parte", ""])
    parts = split_front_matter(text)
    assert parts is not None
    assert text[parts[1] :].strip() == newline.join(["# Título", "", "---", "otra parte"])


def test_the_fixture_s_passports_are_read_without_complaint() -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "forest"
    for path in folder.rglob("*.md"):
        node, findings = load_node(path.read_bytes(), path.name)
        assert node is not None
        assert findings == ()
