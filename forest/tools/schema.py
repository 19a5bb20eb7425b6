"""Definitions of the tools for a model, and calling them by name with arguments of unknown origin.

One table says what each tool takes; the JSON schemas and the check of arguments are both made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forest.passport import SECTIONS
from forest.tools import citations, documents, evidence, references
from forest.tools.engines import STRATEGIES
from forest.tools.filters import FILTERS
from forest.tools.reply import Outcome, Refusal, Reply, tool
from forest.tools.session import Session
from forest.tools.session import session as session_tool

_DAY = {"type": "string", "format": "date", "description": "YYYY-MM-DD"}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_SECTION = {"type": "string", "enum": [*SECTIONS]}
_ONE_OR_MORE = {"anyOf": [{"type": "string"}, _TEXTS]}
_FILTERS: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "description": "What the documents must be. A filter that this forest cannot honour for all documents is refused.",
    "properties": {
        "published": {**_DAY, "description": "Day of the gazette. Undated documents pass no filter on days."},
        "published_from": {**_DAY, "description": "First day of the gazette."},
        "published_to": {**_DAY, "description": "Last day of the gazette."},
        "section": {"anyOf": [_SECTION, {"type": "array", "items": _SECTION}], "description": "Of the gazette."},
        "kind": {**_ONE_OR_MORE, "description": "Kind of document: publication, instrument, …"},
        "institution": {**_ONE_OR_MORE, "description": "The body that issued it: its id, name or acronym."},
        "tag": {**_ONE_OR_MORE, "description": "A tag of the document."},
        "as_of": {**_DAY, "description": "As if nothing known later existed."},
        "in_force_on": {**_DAY, "description": "Texts in force that day."},
        "only_stated": {
            "type": "boolean",
            "description": "Leave out documents that do not state what a filter asks for, instead of refusing it.",
        },
    },
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool: its JSON schema, and whether it must be given."""

    schema: Mapping[str, object]
    required: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool: what it is for, what it takes, and the function."""

    purpose: str
    arguments: Mapping[str, Argument]
    function: Callable[..., Reply[Any]]


def _whole(low: int, high: int, default: int, description: str) -> Argument:
    return Argument(
        {"type": "integer", "minimum": low, "maximum": high, "default": default, "description": description}
    )


def _text(description: str, *, required: bool = True) -> Argument:
    return Argument({"type": "string", "description": description}, required)


def _ids(description: str, most: int) -> Argument:
    return Argument({**_TEXTS, "minItems": 1, "maxItems": most, "description": description}, required=True)


_STRATEGY = Argument(
    {"type": "string", "enum": [*STRATEGIES], "default": STRATEGIES[0], "description": "How to search."}
)
_FILTER = Argument(_FILTERS)

TOOLS: Mapping[str, Definition] = {
    "list_publications": Definition(
        "List the documents of the gazette, newest first.",
        {"filters": _FILTER, "limit": _whole(1, documents.MOST_LISTED, 20, "How many at most.")},
        documents.list_publications,
    ),
    "search_documents": Definition(
        "Find documents by words, names and identifiers. Begin here.",
        {
            "query": _text("Words to look for, in Spanish."),
            "strategy": _STRATEGY,
            "filters": _FILTER,
            "top_k": _whole(1, documents.MOST_TOP_K, 10, "How many at most."),
            "prefer_recent": Argument(
                {"type": "boolean", "default": False, "description": "Whether newer documents are lifted."}
            ),
        },
        documents.search_documents,
    ),
    "search_evidence": Definition(
        "Find passages inside documents that were found before, and nowhere else.",
        {
            "query": _text("Words to look for, in Spanish."),
            "document_ids": _ids("Ids of documents that were found.", evidence.MOST_DOCUMENTS),
            "strategy": _STRATEGY,
            "top_k": _whole(1, documents.MOST_TOP_K, 5, "How many at most."),
        },
        evidence.search_evidence,
    ),
    "get_document_outline": Definition(
        "Show what a document consists of: headings, sizes in tokens, ids of passages.",
        {
            "document_id": _text("Id of a document that was found."),
            "page": Argument({"type": "integer", "minimum": 1, "default": 1, "description": "Of 50 parts each."}),
        },
        documents.get_document_outline,
    ),
    "read_chunks": Definition(
        "Read passages. Only what this returns may be cited.",
        {
            "chunk_ids": _ids("Ids of passages that were found.", evidence.MOST_CHUNKS),
            "neighbor_window": _whole(0, evidence.MOST_NEIGHBOURS, 0, "Passages before and after each."),
            "in_force_on": Argument({**_DAY, "description": "Refuse texts that were not in force that day."}),
            "budget_tokens": Argument(
                {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": evidence.MOST_TOKENS,
                    "description": "Whole passages within it.",
                }
            ),
        },
        evidence.read_chunks,
    ),
    "version_in_force": Definition(
        "Tell which text of a rule was in force on a day.",
        {"id": _text("Id of a rule, such as lft/art-76."), "date": Argument(_DAY, required=True)},
        references.version_in_force,
    ),
    "resolve_citation": Definition(
        "Tell what a citation means, with alternatives when it may mean several texts.",
        {"text": _text("Such as: artículo 76 de la LFT; NOM-035-STPS-2018, numeral 5.2; DOF 27-12-2022.")},
        citations.resolve_citation,
    ),
    "follow_references": Definition(
        "Show where the typed references of a node lead, and which reach it.",
        {
            "id": _text("Id of a node."),
            "direction": Argument(
                {"type": "string", "enum": [*references.DIRECTIONS], "default": "out", "description": "Which way."}
            ),
            "kinds": Argument({**_TEXTS, "description": "Kinds of reference; leave it out for all."}),
            "limit": _whole(1, documents.MOST_LISTED, 100, "How many at most."),
        },
        references.follow_references,
    ),
    "session": Definition(
        "Tell the days that hold for all calls, and set them.",
        {
            "as_of": Argument({**_DAY, "description": "From now on as if nothing known later existed; only back."}),
            "in_force_on": Argument(
                {"type": "string", "description": "Texts in force that day, YYYY-MM-DD; an empty text takes it back."}
            ),
        },
        session_tool,
    ),
}


def definitions() -> list[dict[str, Any]]:
    """Return the tools as JSON-schema definitions, in the form that OpenAI-compatible endpoints take."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": definition.purpose,
                "parameters": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {key: dict(argument.schema) for key, argument in definition.arguments.items()},
                    "required": [key for key, argument in definition.arguments.items() if argument.required],
                },
            },
        }
        for name, definition in TOOLS.items()
    ]


def call(session: Session, name: str, arguments: object) -> Reply[Any]:
    """Call a tool by name.

    Args:
        session: the caller's.
        name: of the tool.
        arguments: of unknown origin; what is wrong with them is the reply.
    """

    @tool
    def refused(_: Session) -> Outcome[Any]:
        raise refusal

    try:
        definition = TOOLS.get(name)
        if definition is None:
            told = f"There is no tool {name[:40]!r}." if name else "The call names no tool."
            raise Refusal("invalid", told, f"Tools: {', '.join(TOOLS)}.")
        checked = _checked(definition, arguments)
    except Refusal as error:
        refusal = error
        reply = refused(session)
        return Reply(name[:40], *(getattr(reply, key) for key in _AFTER_NAME))
    return definition.function(session, **checked)


_AFTER_NAME = ("status", "message", "hint", "items", "complete", "scanned", "versions")


def _checked(definition: Definition, arguments: object) -> dict[str, Any]:
    if not isinstance(arguments, Mapping):
        raise Refusal("invalid", "The arguments must be a JSON object.", 'For instance {"query": "vacaciones"}.')
    for key in arguments:
        if key not in definition.arguments:
            known = ", ".join(definition.arguments)
            raise Refusal("invalid", f"There is no argument {str(key)[:40]!r}.", f"Arguments: {known}.")
    for key, argument in definition.arguments.items():
        if argument.required and arguments.get(key) is None:
            raise Refusal("invalid", f"The argument {key} is missing.", str(argument.schema.get("description", "")))
    given = {key: value for key, value in arguments.items() if value is not None}
    for key, value in given.items():
        _check_type(key, value, definition.arguments[key].schema)
    return given


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (Mapping,),
}


def _check_type(key: str, value: object, schema: Mapping[str, object]) -> None:
    """Refuse a value of another type; what its bounds are, the tool itself checks."""
    expected = str(schema.get("type", "string"))
    if not isinstance(value, _TYPES[expected]) or (expected == "integer" and isinstance(value, bool)):
        bounds = f" From {schema['minimum']} to {schema['maximum']:,}." if "maximum" in schema else ""
        raise Refusal("invalid", f"{key} must be {_said(expected)}.", f"{schema.get('description', '')}{bounds}")
    if expected == "array" and not all(isinstance(one, str) for one in value):  # type: ignore[attr-defined]
        raise Refusal("invalid", f"{key} must be a list of texts.")


def _said(expected: str) -> str:
    return {
        "string": "a text",
        "integer": "a whole number",
        "boolean": "true or false",
        "array": "a list of texts",
        "object": "an object",
    }[expected]


def filter_names() -> Sequence[str]:
    """Return the names of the filters that the schema describes, to be held against those that are read."""
    properties = _FILTERS["properties"]
    return [*properties] if isinstance(properties, Mapping) else [*FILTERS]
