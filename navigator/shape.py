"""Shapes: whether a value has the shape that a schema asks for, and how either is said to a model.

Knows the part of JSON schema that prompts use: object (properties, required), enum, const, string (maxLength), integer
and number (minimum, maximum), boolean, null, array (items, minItems, maxItems), anyOf.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Literal

Language = Literal["es", "en"]

_FEW = 12  # choices that a sentence names
_CLIP = 60  # characters of each
_MAX_SENTENCE = 700
# Complaints end so that what was asked for can follow.
_WORDS: Mapping[str, Mapping[str, str]] = {
    "es": {
        "none": "La respuesta no contiene JSON; debe ser",
        "unclosed": "El JSON de la respuesta no está completo; debe ser",
        "broken": "El JSON de la respuesta está mal formado; debe ser",
        "long": "La respuesta es demasiado larga; debe ser",
        "deep": "El JSON de la respuesta está demasiado anidado; debe ser",
        "whole": "La respuesta debe ser",
        "wrong": "«{}» debe ser",
        "missing": "Falta «{}», que debe ser",
        "object": "un objeto JSON con {}",
        "bare": "un objeto JSON",
        "enum": "una de estas opciones: {}",
        "const": "exactamente {}",
        "string": "un texto",
        "string_max": "un texto de hasta {} letras",
        "integer": "un número entero",
        "number": "un número",
        "minimum": " desde {}",
        "maximum": " hasta {}",
        "boolean": "true o false",
        "null": "null",
        "array": "una lista (cada elemento: {})",
        "minItems": " de {} elementos o más",
        "maxItems": " de {} elementos o menos",
        "or": " o bien ",
        "any": "cualquier valor",
    },
    "en": {
        "none": "The reply holds no JSON; it must be",
        "unclosed": "The JSON of the reply is not complete; it must be",
        "broken": "The JSON of the reply is malformed; it must be",
        "long": "The reply is too long; it must be",
        "deep": "The JSON of the reply is nested too deeply; it must be",
        "whole": "The reply must be",
        "wrong": "«{}» must be",
        "missing": "«{}» is missing; it must be",
        "object": "a JSON object with {}",
        "bare": "a JSON object",
        "enum": "one of these: {}",
        "const": "exactly {}",
        "string": "a text",
        "string_max": "a text of at most {} letters",
        "integer": "a whole number",
        "number": "a number",
        "minimum": " from {}",
        "maximum": " to {}",
        "boolean": "true or false",
        "null": "null",
        "array": "a list (each item: {})",
        "minItems": " of {} items or more",
        "maxItems": " of {} items or fewer",
        "or": " or ",
        "any": "any value",
    },
}
_BOUNDS = ("minimum", "maximum", "minItems", "maxItems")


class Wrong(Exception):
    """What is the matter with a reply, as a complaint, where, and what was asked for there."""

    def __init__(self, complaint: str, schema: Mapping[str, Any], path: str = "") -> None:
        super().__init__(complaint)
        self.complaint, self.schema, self.path = complaint, schema, path


def taught(wrong: Wrong, language: Language) -> str:
    """Return what is the matter as one sentence for the model."""
    words = _WORDS[language]
    sentence = f"{words[wrong.complaint].format(wrong.path)} {_described(wrong.schema, words)}"
    return f"{sentence[: _MAX_SENTENCE - 1]}…" if len(sentence) > _MAX_SENTENCE else f"{sentence}."


def checked(value: Any, schema: Mapping[str, Any], path: str = "") -> Any:
    """Return a value as its schema has it.

    Properties that it does not name are left out; a number written as a text is taken for the number.

    Args:
        value: of any form, as JSON has it.
        schema: that it must keep to.
        path: where in the whole it stands, "" for the whole.

    Raises:
        Wrong: it breaks the schema.
    """
    if "anyOf" in schema:
        for option in schema["anyOf"]:
            try:
                return checked(value, option, path)
            except Wrong:
                continue
        raise _wrong(path, schema)
    if "const" in schema or "enum" in schema:
        return _chosen(value, schema, path)
    kind = _kind(schema)
    match kind:
        case "object":
            return _object(value, schema, path)
        case "array":
            return _array(value, schema, path)
        case "integer" | "number":
            return _number(value, schema, path)
        case "string":
            fits = isinstance(value, str) and len(value) <= schema.get("maxLength", len(value))
        case "boolean":
            fits = isinstance(value, bool)
        case "null":
            fits = value is None
        case _:
            fits = True
    if not fits:
        raise _wrong(path, schema)
    return value


def _kind(schema: Mapping[str, Any]) -> str:
    return str(schema.get("type", "object" if "properties" in schema else "any"))


def _wrong(path: str, schema: Mapping[str, Any]) -> Wrong:
    return Wrong("wrong" if path else "whole", schema, path)


def _chosen(value: Any, schema: Mapping[str, Any], path: str) -> Any:
    options = schema["enum"] if "enum" in schema else [schema["const"]]
    for option in options:
        if type(value) is type(option) and value == option:
            return option
    if isinstance(value, str | int) and not isinstance(value, bool):
        written = str(value).strip().casefold()
        alike = [option for option in options if not isinstance(option, bool) and str(option).casefold() == written]
        if len(alike) == 1:
            return alike[0]
    raise _wrong(path, schema)


def _object(value: Any, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(path, schema)
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise Wrong("missing", properties.get(name, {}), _at(path, name))
    return {name: checked(value[name], properties[name], _at(path, name)) for name in properties if name in value}


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _array(value: Any, schema: Mapping[str, Any], path: str) -> list[Any]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise _wrong(path, schema)
    items = schema.get("items", {})
    return [checked(item, items, f"{path}[{number}]") for number, item in enumerate(value, 1)]


def _number(value: Any, schema: Mapping[str, Any], path: str) -> Any:
    if isinstance(value, str) and len(value) < _CLIP:
        try:
            value = json.loads(value.strip())
        except (ValueError, RecursionError):
            raise _wrong(path, schema) from None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and isinstance(value, float):
        is_number = math.isfinite(value) and (_kind(schema) == "number" or value.is_integer())
        value = int(value) if is_number and _kind(schema) == "integer" else value
    if not is_number or not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise _wrong(path, schema)
    return value


def _described(schema: Mapping[str, Any], words: Mapping[str, str], depth: int = 0) -> str:
    """Return what a schema asks for, in words."""
    if "anyOf" in schema:
        return words["or"].join(_described(option, words, depth + 1) for option in schema["anyOf"][:_FEW])
    if "enum" in schema:
        shown = [_shown(option) for option in schema["enum"][:_FEW]]
        return words["enum"].format(", ".join([*shown, *(["…"] if len(schema["enum"]) > _FEW else [])]))
    if "const" in schema:
        return words["const"].format(_shown(schema["const"]))
    kind = _kind(schema)
    if kind == "object":
        properties = list(schema.get("properties", {}).items())[:_FEW]
        if not properties or depth > 2:
            return words["bare"]
        return words["object"].format("; ".join(f'"{n}": {_described(s, words, depth + 1)}' for n, s in properties))
    if kind == "string" and "maxLength" in schema:
        return words["string_max"].format(schema["maxLength"])
    bounds = "".join(words[name].format(schema[name]) for name in _BOUNDS if name in schema)
    if kind == "array":
        return words["array"].format(_described(schema.get("items", {}), words, depth + 1)) + bounds
    return words[kind] + bounds


def _shown(option: Any) -> str:
    written = json.dumps(option, ensure_ascii=False)
    return f"{written[:_CLIP]}…" if len(written) > _CLIP else written
