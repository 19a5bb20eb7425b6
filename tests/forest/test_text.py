"""Text as people wrote it: decoding, folding, sentences, tokens, what is safe on a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.text import count_tokens, decode, escaped, fold, one_line, printable, sentences

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=200)


def split(text: str) -> list[str]:
    return [text[a:b] for a, b in sentences(text)]


@pytest.mark.parametrize(
    ("data", "text", "encoding", "complaints"),
    [
        ("año".encode(), "año", "utf-8", 0),
        (b"", "", "utf-8", 0),
        ("año".encode("utf-8-sig"), "año", "utf-8-sig", 1),
        ("año “2”".encode("cp1252"), "año “2”", "cp1252", 1),
        (b"a\r\nb", "a\r\nb", "utf-8", 1),
        (unicodedata.normalize("NFD", "año").encode(), unicodedata.normalize("NFD", "año"), "utf-8", 1),
    ],
)
def test_bytes_are_read_with_what_had_to_be_tolerated(data: bytes, text: str, encoding: str, complaints: int) -> None:
    decoded = decode(data)
    assert decoded is not None
    assert (decoded.text, decoded.encoding, len(decoded.complaints)) == (text, encoding, complaints)


@pytest.mark.parametrize("data", [b"\xff\x81", "año".encode("utf-16"), b"a\x00b", b"\x89PNG\r\n\x1a\n\x00"])
def test_what_is_no_text_is_none(data: bytes) -> None:
    assert decode(data) is None


@given(TEXT)
def test_text_in_utf8_comes_back_as_it_was(text: str) -> None:
    decoded = decode(text.encode())
    assert decoded is None if "\0" in text else decoded is not None and decoded.text == text.removeprefix("\ufeff")


@given(TEXT)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXT)
def test_one_line_has_no_line_ends_and_keeps_every_word(text: str) -> None:
    assert one_line(text).split() == text.split()
    assert len(one_line(text).splitlines()) <= 1


@given(TEXT, TEXT, TEXT)
def test_white_space_folded_a_piece_stands_in_its_whole(before: str, piece: str, after: str) -> None:
    # What citations rest on: folding the white space of quote and passage apart never hides a quote.
    assert one_line(piece) in one_line(before + piece + after)


@given(TEXT)
def test_nothing_printable_moves_the_cursor_or_turns_the_text(text: str) -> None:
    shown = printable(text)
    assert all(c in "\n\t" or unicodedata.category(c) != "Cc" for c in shown)
    assert not [
        c
        for c in shown
        if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    ]
    assert printable(shown) == shown


def test_printable_keeps_what_people_write() -> None:
    text = "Artículo 3º.- «¿Sí?» — 50 % €\n\t| tabla | ñ |\nשלום مرحبا 🌵"
    assert printable(text) == text


@given(st.recursive(st.text(max_size=30), lambda inner: st.lists(inner, max_size=3), max_leaves=10))
def test_escaping_json_leaves_the_data_as_they_were(value: object) -> None:
    shown = escaped(json.dumps(value, ensure_ascii=False, indent=2))
    assert json.loads(shown) == value
    assert printable(shown) == shown


def test_escaping_shows_surrogates_as_numbers() -> None:
    assert escaped('"caf\udce9"') == '"caf\\udce9"'


@pytest.mark.parametrize(
    "expected",
    [
        ["Primera oración.", "Segunda."],
        ["Según el art. 5 de la Ley, es así.", "Luego otra."],
        ["El C. Presidente de los EE. UU. firmó.", "Se publica."],
        ["1o. La autoridad resuelve.", "2o. El interesado acude."],
        ["I. Lo primero;", "II. Lo segundo."],
        ["Pagará $3,566.22 mensuales.", "Nada más."],
        ["¿Cuánto?", "Cien pesos."],
    ],
)
def test_sentences_end_where_a_reader_says(expected: list[str]) -> None:
    assert split(" ".join(expected)) == expected


def test_a_wrapped_line_goes_on_and_a_list_does_not() -> None:
    text = (
        "El patrón pagará a cada trabajador, por concepto de aguinaldo anual, quince días de\nsalario cuando menos.\n"
        "- uno\n- dos\n| a | b |\n| c | d |\n"
    )
    assert split(text) == [
        "El patrón pagará a cada trabajador, por concepto de aguinaldo anual, quince días de\nsalario cuando menos.",
        "- uno",
        "- dos",
        "| a | b |",
        "| c | d |",
    ]


@given(st.text(st.sampled_from("ab AB1.:;!?\n-#|()I V«»\t"), max_size=120) | TEXT)
def test_sentences_are_in_order_and_leave_out_white_space_alone(text: str) -> None:
    end, kept = 0, ""
    for left, right in sentences(text):
        assert end <= left < right
        assert not text[end:left].strip()
        assert text[left:right] == text[left:right].strip()
        end, kept = right, kept + text[left:right]
    assert "".join(kept.split()) == "".join(text.split())


@given(TEXT)
def test_tokens_are_counted_offline_and_no_spelling_is_special(text: str) -> None:
    assert count_tokens(text) <= len(text.encode())
    assert (count_tokens(text) == 0) == (text == "")


def test_the_spelling_of_a_special_token_is_ordinary_text() -> None:
    assert count_tokens("<|endoftext|>") > 1
