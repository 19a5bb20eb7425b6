"""Nodes: any bytes are survived, and a passage's offsets and hash are the committed bytes' own."""

from __future__ import annotations

import hashlib
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forest.node import MAX_NODE_BYTES, load_node

HEAD = "---\nid: a\nkind: topic\ntitle: T\nsummary: R\nscent: S\n---\n"
WORDS = st.sampled_from(
    "# ## ### ley Artículo 76. 1o. fracc. | € — “rige” 🌵 . ; \n \n\n \t \r\n ---\n ======= ñ ñ".split(" ")
)
BODIES = st.lists(WORDS | st.text(max_size=6), max_size=60).map(" ".join)


# The first token counted loads the encoding, which takes longer than hypothesis grants one example.
UNTIMED = settings(deadline=None)


@UNTIMED
@given(st.binary(max_size=400))
@example(b"---\nid: a\n---\n\x81")
@example(b"\xef\xbb\xbf")
@example(b"---\n---\n")
@example(b"---\n---\n---\n")
def test_no_bytes_make_the_loader_raise(data: bytes) -> None:
    node, findings = load_node(data, "a.md")
    assert node is not None or findings
    assert list(findings) == sorted(findings)


@UNTIMED
@given(st.binary(max_size=200), st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]))
def test_no_bytes_after_a_passport_make_the_loader_or_the_passages_raise(tail: bytes, encoding: str) -> None:
    node, findings = load_node(HEAD.encode(encoding) + tail, "a.md")
    assert node is not None or findings
    if node is not None:
        node.passages(20)


@UNTIMED
@given(BODIES, st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]), st.integers(1, 60))
@example("# A\r\n\r\nUno. Dos.\r\n", "utf-8", 1)
@example("# €\n\n“ñ” y más", "cp1252", 3)
def test_passages_cover_the_body_once_and_hash_its_bytes(body: str, encoding: str, budget: int) -> None:
    data = (HEAD + body).encode(encoding, errors="replace")
    node, _ = load_node(data, "a.md")
    if node is None:  # an id that only the other encoding can read, or a NUL
        return
    passages = node.passages(budget)
    codec = "cp1252" if node.encoding == "cp1252" else "utf-8"
    position = len(data) - len(node.body.encode(codec))
    left_out = b""
    for ordinal, passage in enumerate(passages, start=1):
        assert position <= passage.start < passage.end <= len(data)
        left_out += data[position : passage.start]
        piece = data[passage.start : passage.end]
        assert hashlib.sha256(piece).hexdigest() == passage.sha256
        assert piece.decode(codec) == piece.decode(codec).strip()
        assert (passage.ordinal, passage.id) == (ordinal, f"a#{ordinal}")
        position = passage.end
    left_out += data[position:]
    assert left_out.decode(codec).strip() == ""


def test_a_passage_stands_under_its_headings() -> None:
    node, _ = load_node(
        f"{HEAD}# Ley\n\n## Título\n\nUno.\n\n### Art. 1\n\nDos.\n\n## Otro ##\n\nTres.\n".encode(), "a.md"
    )
    assert node is not None
    assert [p.heading for p in node.passages(400)] == [
        ("Ley", "Título"),
        ("Ley", "Título", "Art. 1"),
        ("Ley", "Otro"),
    ]


def test_passages_keep_to_the_budget_without_cutting_a_sentence() -> None:
    sentence = "Esta frase tiene unas cuantas palabras que no se parten."
    node, _ = load_node((HEAD + " ".join([sentence] * 30)).encode(), "a.md")
    assert node is not None
    passages = node.passages(40)
    assert len(passages) > 5
    assert all(passage.tokens <= 40 for passage in passages)
    assert all(node.text.encode()[p.start : p.end].endswith(b"parten.") for p in passages)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (HEAD.replace("\n", "\r\n"), "CR line ends"),
        ("\ufeff" + HEAD, "byte order mark"),
        (HEAD + "canción".replace("ó", "o\u0301"), "NFC"),
    ],
)
def test_tolerated_bytes_are_read_and_told(data: str, rule: str) -> None:
    node, findings = load_node(data.encode(), "a.md")
    assert node is not None
    assert [f.rule for f in findings] == ["encoding"]
    assert rule in findings[0].message


def test_windows_1252_is_read_with_offsets_of_its_own_bytes() -> None:
    data = (HEAD + "Diez € por año.").encode("cp1252")
    node, findings = load_node(data, "a.md")
    assert node is not None
    assert [f.rule for f in findings] == ["encoding"]
    [passage] = node.passages(400)
    assert data[passage.start : passage.end] == "Diez € por año.".encode("cp1252")


def test_a_merge_conflict_is_told_where_it_begins() -> None:
    body = "Título\n=======\n\n<<<<<<< HEAD\nuno\n=======\ndos\n>>>>>>> rama\n"
    _, findings = load_node((HEAD + body).encode(), "a.md")
    assert [(f.rule, f.line) for f in findings] == [("conflict-marker", 11)]


def test_an_underlined_heading_is_no_conflict() -> None:
    _, findings = load_node(f"{HEAD}Título\n=======\n".encode(), "a.md")
    assert findings == ()


def test_a_file_over_the_limit_is_not_looked_into() -> None:
    node, findings = load_node(b"x" * (MAX_NODE_BYTES + 1), "a.md")
    assert node is None
    assert [f.rule for f in findings] == ["too-large"]


@pytest.mark.parametrize("line", ["# " + "#" * 100_000 + "x", "." * 100_000, "a. " * 30_000, "| " * 50_000])
def test_hostile_lines_cost_no_more_than_their_length(line: str) -> None:
    node, _ = load_node((HEAD + line).encode(), "a.md")
    assert node is not None
    began = time.perf_counter()
    node.passages(400)
    # A quadratic pattern needs minutes here; a slow machine a second.
    assert time.perf_counter() - began < 10
