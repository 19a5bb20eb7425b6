"""One more edge in a passport: its lines are inserted, and nothing else of the file changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.edge import Edge
from forest.edge_text import EdgeRefused, with_edge
from forest.limits import MAX_YAML_BYTES
from forest.node import load_node
from forest.passport import Passport, render_node
from tests.forest.test_passport import BODIES, PASSPORTS, SAID

EDGE = Edge("shortcut", "lft/art-76", "la multa: 40 # pesos", "shortcut 12ab; trails 34cd")


def assert_inserted(before: bytes, after: bytes, edge: Edge = EDGE) -> set[str]:
    """Assert that bytes were inserted at one place and say the edge, as the last; return them, as they can be cut."""
    size = len(after) - len(before)
    ends = [i for i in range(len(before) + 1) if before[:i] == after[:i] and before[i:] == after[i + size :]]
    assert ends
    old, new = load_node(before, "x.md")[0], load_node(after, "x.md")[0]
    assert old is not None
    assert new is not None
    assert replace(new.passport, edges=()) == replace(old.passport, edges=())
    assert Counter(new.passport.edges) == Counter((*old.passport.edges, edge))
    assert new.passport.edges[-1] == edge
    assert new.body == old.body
    return {after[at : at + size].decode("utf-8", "replace") for at in ends}


@given(PASSPORTS, BODIES, SAID, SAID, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_every_passport_that_is_written_takes_an_edge(
    passport: Passport, body: str, scent: str, basis: str, line_end: str, marked: bool
) -> None:
    text = render_node(passport, body).replace("\n", line_end)
    before = text.encode("utf-8-sig" if marked else "utf-8")
    edge = Edge("shortcut", "lft/art-76", scent, basis)
    findings = {(one.rule, one.message) for one in load_node(before, "x.md")[1]}
    try:
        after = with_edge(before, "x.md", edge)
    except EdgeRefused:
        # Texts that are no text: their own findings, or bytes that do not come back as they were read.
        made = load_node(render_node(replace(passport, edges=(*passport.edges, edge)), body).encode(), "x.md")[1]
        assert {(one.rule, one.message) for one in made} - findings
        return
    assert_inserted(before, after, edge)


HEAD = "---\nid: a\nkind: topic\ntitle: A\n"
TAIL = "---\n\nCuerpo.\n"


@pytest.mark.parametrize(
    ("front", "inserted"),
    [
        ("", "edges:\n- kind: shortcut\n"),
        ("# al final\n", "edges:\n- kind: shortcut\n"),
        ("...\n", "edges:\n- kind: shortcut\n"),
        ("scents:\n  b: hacia b\n", "edges:\n- kind: shortcut\n"),
        ("edges: []\n", "{kind: shortcut, to: lft/art-76, "),
        ("edges: [ ]  # ninguna\n", "{kind: shortcut, "),
        ("edges:\n", "- kind: shortcut\n"),
        ("edges:  # ninguna todavía\n\n", "- kind: shortcut\n"),
        ("edges:\n- kind: cites\n  to: b\n", "- kind: shortcut\n  to: lft/art-76\n"),
        ("edges:\n    - kind: cites\n      to: b # nota\n\n# otra\ntags: [x]\n", "    - kind: shortcut\n      to: lft"),
        ("edges:\n  - {kind: cites, to: b}\ntags: [x]\n", "  - kind: shortcut\n    to: lft/art-76\n"),
        ("edges:\n  -\n    kind: cites\n    to: b\n", "  - kind: shortcut\n"),
        ("edges:\n  - to: b\n    kind: cites\n    scent: |-\n      una línea\ntags: [x]\n", "  - kind: shortcut\n"),
        ("edges:\n  - kind: cites\n    to: b\n    scent: >\n      una\n      línea\n\n", "  - kind: shortcut\n"),
        ("edges:\n  - kind: cites\n    to: b\n    scent: 'una\n      línea'\n", "  - kind: shortcut\n"),
        ("edges:\n  - kind: cites\n    to: b\n    scent:\ntags: [x]\n", "  - kind: shortcut\n"),
        ("edges: [{kind: cites, to: b}]\n", ", {kind: shortcut, "),
        ("edges: [{kind: cites, to: b},]\n", ", {kind: shortcut, "),
        ("edges: [\n  {kind: cites, to: b}, # la b\n]\ntags: [x]\n", ", {kind: shortcut, "),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_edge_is_written_as_its_neighbours_are(front: str, inserted: str, line_end: str) -> None:
    before = f"{HEAD}{front}{TAIL}".replace("\n", line_end).encode()
    new = assert_inserted(before, with_edge(before, "x.md", EDGE))
    assert any(one.startswith(inserted.replace("\n", line_end)) for one in new)
    assert all(one.count(line_end) == one.count("\n") for one in new if not one.startswith("\n"))


def test_a_passport_in_flow_style_takes_an_edge() -> None:
    before = b"---\n{id: a, kind: topic}\n---\nCuerpo.\n"
    new = assert_inserted(before, with_edge(before, "x.md", EDGE))
    assert any(one.startswith(", edges: [{kind: shortcut") for one in new)


def test_an_indented_passport_takes_an_edge() -> None:
    before = b"---\n  id: a\n  kind: topic\n---\nCuerpo.\n"
    new = assert_inserted(before, with_edge(before, "x.md", EDGE))
    assert any(one.startswith("  edges:\n  - kind: shortcut\n") for one in new)


def test_a_file_of_windows_stays_one() -> None:
    before = f"{HEAD}scent: cañón\n{TAIL}".encode("cp1252")
    assert_inserted(before, with_edge(before, "x.md", EDGE))
    with pytest.raises(EdgeRefused):
        with_edge(before, "x.md", replace(EDGE, scent="日本"))


@pytest.mark.parametrize(
    "text",
    [
        "sin pasaporte",
        f"{HEAD}edges: ~\n{TAIL}",
        f"{HEAD}edges: {{kind: cites}}\n{TAIL}",
        f"{HEAD}edges:\n  - kind: shortcut\n    to: lft/art-76\n{TAIL}",
        f"{HEAD}edges: &x []\n{TAIL}",
        f"{HEAD}tags: [{'x' * (MAX_YAML_BYTES - 60)}]\n{TAIL}",
    ],
)
def test_where_no_place_serves_it_is_refused(text: str) -> None:
    with pytest.raises(EdgeRefused):
        with_edge(text.encode(), "x.md", EDGE)


def test_an_edge_that_would_add_a_finding_is_refused() -> None:
    with pytest.raises(EdgeRefused):
        with_edge(f"{HEAD}{TAIL}".encode(), "x.md", replace(EDGE, scent=""))
