"""Replies of models: what they mean is taken however it is wrapped; what is wrong is taught in one sentence."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navigator.replies import MAX_REPLY_CHARACTERS, WrongReply, parse_reply

STEP = {
    "type": "object",
    "properties": {
        "do": {"enum": ["hop 2", "read"]},
        "n": {"type": "integer", "minimum": 1, "maximum": 4},
        "units": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
        "why": {"type": "string", "maxLength": 20},
    },
    "required": ["do"],
}
READ = {"do": "read"}


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "read"}', '  {"do":"read"}\n', '```json\n{"do": "read"}\n```', 'Elijo leer: {"do": "read"}. Listo.',
        "{'do': 'read'}", '{"do": "read",}', "{'do': 'read', 'extra': [1, 2,],}", '{"do": " READ "}',
        '<think>¿{"do": "hop 2"}?</think>{"do": "read"}', 'Uso {llaves} y luego {"do": "read"}',
        'Abro { y luego {"do": "read"}', '{"do": "read", "otro": "de\nmás"}', '[1]\n{"do": "read"}',
        '{"do": "read"} {"do": "hop 2"}', '\ufeff{"do": "read"}', "{'do': 'read', 'otro': \"l'eau\"}",
    ],
)  # fmt: skip
def test_what_is_meant_is_taken_however_it_is_wrapped(text: str) -> None:
    assert parse_reply(text, STEP) == READ


def test_apostrophes_in_single_quotes_are_letters() -> None:
    assert parse_reply("{'do':'read','why':'l'eau d'or'}", STEP)["why"] == "l'eau d'or"


def test_pythons_words_are_taken_for_those_of_json() -> None:
    schema = {"properties": {"a": {"type": "boolean"}, "b": {"type": "null"}}}
    assert parse_reply("{'a': True, 'b': None}", schema) == {"a": True, "b": None}


@pytest.mark.parametrize(("written", "number"), [("3", 3), ('"3"', 3), ("3.0", 3)])
def test_a_number_is_taken_however_it_is_written(written: str, number: int) -> None:
    value = parse_reply(f'{{"do": "read", "n": {written}}}', STEP)["n"]
    assert (value, type(value)) == (number, int)


@pytest.mark.parametrize(
    ("text", "spanish", "english"),
    [
        ("", "La respuesta no contiene JSON; debe ser un objeto JSON", "The reply holds no JSON; it must be"),
        ("Voy a leer.", "La respuesta no contiene JSON; debe ser", "The reply holds no JSON; it must be"),
        ('{"do": "re', "El JSON de la respuesta no está completo", "The JSON of the reply is not complete"),
        ("{do: read}", "El JSON de la respuesta está mal formado", "The JSON of the reply is malformed"),
        ("[1]", "La respuesta debe ser un objeto JSON con", "The reply must be a JSON object with"),
        ('{"n": 1}', 'Falta «do», que debe ser una de estas opciones: "hop 2", "read".', "«do» is missing; it must be"),
        ('{"do": "hop 9"}', '«do» debe ser una de estas opciones: "hop 2", "read".', "«do» must be one of these"),
        ('{"do": "read", "n": 5}', "«n» debe ser un número entero desde 1 hasta 4.", "a whole number from 1 to 4."),
        ('{"do": "read", "n": 1.5}', "«n» debe ser un número entero", "«n» must be a whole number"),
        ('{"do": "read", "n": true}', "«n» debe ser un número entero", "«n» must be a whole number"),
        ('{"do": "read", "units": []}', "«units» debe ser una lista", "«units» must be a list (each item: a whole"),
        ('{"do": "read", "units": ["x"]}', "«units[1]» debe ser un número entero.", "«units[1]» must be a whole"),
        ('{"do": "read", "why": "' + "x" * 21 + '"}', "un texto de hasta 20 letras.", "a text of at most 20 letters."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_taught_in_one_sentence(text: str, spanish: str, english: str) -> None:
    for language, words in (("es", spanish), ("en", english)):
        with pytest.raises(WrongReply) as raised:
            parse_reply(text, STEP, language)  # type: ignore[arg-type]
        said = str(raised.value)
        assert words in said
        assert said.endswith(".")
        assert "hop 9" not in said


def test_one_of_several_shapes_is_enough() -> None:
    schema = {
        "anyOf": [
            {"properties": {"a": {"const": 1}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
        ]
    }
    assert parse_reply('{"b": "x"}', schema) == {"b": "x"}
    with pytest.raises(WrongReply, match=r"o bien"):
        parse_reply('{"c": 1}', schema)


def test_many_options_are_not_all_told() -> None:
    schema = {"properties": {"do": {"enum": [f"hop {n} " + "x" * 500 for n in range(5_000)]}}, "required": ["do"]}
    with pytest.raises(WrongReply) as raised:
        parse_reply("{}", schema)
    assert len(str(raised.value)) < 1_000


@pytest.mark.parametrize(
    "text", ["[" * 20_000, '{"a":' * 6_000, "[" * 40 + "]" * 40, '{"do": "read", "n": ' + "[" * 5_000]
)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(WrongReply, match="anidado"):
        parse_reply(text, STEP)


@pytest.mark.parametrize(
    "piece",
    ["{", "}", '"', "'", "\\", '{"', "{'", ",", "[,", "{ ", "'{", '\\"', "</think>", "```", "1", "{}", "{'a':'"],
)
def test_time_is_linear_in_whatever_is_sent(piece: str) -> None:
    text = (piece * MAX_REPLY_CHARACTERS)[:MAX_REPLY_CHARACTERS]
    begun = time.perf_counter()
    with pytest.raises(WrongReply):
        parse_reply(text, STEP)
    assert time.perf_counter() - begun < 2


def test_what_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(WrongReply, match="demasiado larga"):
        parse_reply('{"do": "read"}' + " " * MAX_REPLY_CHARACTERS, STEP)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=8), below, max_size=4),
    max_leaves=12,
)
STEPS = st.fixed_dictionaries(
    {"do": st.sampled_from(["hop 2", "read"])},
    optional={
        "n": st.integers(1, 4),
        "units": st.lists(st.integers(), min_size=1, max_size=3),
        "why": st.text(max_size=20),
    },
)


@given(STEPS, st.sampled_from(["{}", "```json\n{}\n```", "Bueno:\n{}\nEso es.", "```\n{}"]))
def test_whatever_keeps_to_the_schema_is_returned_as_it_is(step: dict[str, Any], wrapping: str) -> None:
    assert parse_reply(wrapping.replace("{}", json.dumps(step)), STEP) == step


@given(STEPS)
def test_python_that_looks_like_json_means_the_same(step: dict[str, Any]) -> None:
    plain = {name: value for name, value in step.items() if name != "why"}
    assert parse_reply(repr(plain), STEP) == plain


@given(JSON)
def test_any_json_is_either_as_asked_or_taught(value: Any) -> None:
    try:
        step = parse_reply(json.dumps(value), STEP)
    except WrongReply as error:
        said = str(error)
    else:
        said = "."
        assert step["do"] in ("hop 2", "read")
        assert set(step) <= set(STEP["properties"])  # type: ignore[arg-type]
    assert said.endswith((".", "…"))
    assert len(said) < 1_000


@given(st.text(alphabet="{}[]\"':, \\ndo1readhp2", max_size=300))
def test_nothing_that_is_written_is_anything_but_a_step_or_a_lesson(text: str) -> None:
    try:
        step = parse_reply(text, STEP)
    except WrongReply:
        return
    assert step["do"] in ("hop 2", "read")


@given(JSON, JSON)
def test_no_value_and_no_options_surprise(value: Any, option: Any) -> None:
    schema = {"anyOf": [{"const": option}, {"enum": [1, "dos"]}]}
    try:
        assert parse_reply(json.dumps(value), schema) in ([option, 1, "dos"])
    except WrongReply:
        assert type(value) not in (int, str) or value not in (1, "dos")
