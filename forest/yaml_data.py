"""YAML as plain data: every scalar is the text written, with its line; nothing is resolved, shared or constructed.

Front matter and `forest.yaml` come from people and from other repositories, so what YAML can do beyond data
(tags, anchors, aliases, unbounded nesting) is refused rather than interpreted. The parser is PyYAML's C binding
where it was built, else its Python twin; both give the same events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from forest.limits import MAX_YAML_BYTES, MAX_YAML_DEPTH

_Loader: type[yaml.CBaseLoader] | type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class YamlProblem(Exception):
    """A text that is not YAML data within the limits.

    Attributes:
        line: 1-based line within the text.
        message: what is wrong, without a final stop.
        hint: what to do.
    """

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.line, self.message, self.hint = line, message, hint


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with the line it begins on: text, a tuple of entries, or a mapping of names to entries."""

    line: int
    value: str | tuple[Entry, ...] | Mapping[str, Entry]

    def scalar(self) -> str:
        """Return the text, "" when the value is not a scalar."""
        return self.value if isinstance(self.value, str) else ""

    def sequence(self) -> tuple[Entry, ...]:
        """Return the items, () when the value is not a list."""
        return self.value if isinstance(self.value, tuple) else ()

    def mapping(self) -> Mapping[str, Entry]:
        """Return the fields, {} when the value is not a mapping."""
        return self.value if isinstance(self.value, Mapping) else {}


def read_yaml(text: str, first_line: int = 1) -> Entry:
    """Read one YAML document that must be a mapping.

    Args:
        text: the document without its `---` fences.
        first_line: line number, in the file, of the text's first line.

    Raises:
        YamlProblem: too large or too deep, not YAML, not a mapping, a key twice, or an anchor, alias or tag.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_YAML_BYTES:
        raise YamlProblem(
            first_line, f"the YAML has {size:,} bytes, the limit is {MAX_YAML_BYTES:,}", "Move long text into the body."
        )
    loader = _Loader(text)
    try:
        return _document(loader, first_line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        raise YamlProblem(line, f"not YAML: {error.problem or error}", "Quote values that hold ': ' or '#'.") from None
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise YamlProblem(first_line, f"not YAML: {reason}", "Remove characters that are not text.") from None
    finally:
        loader.dispose()


def _document(loader: yaml.CBaseLoader | yaml.BaseLoader, first_line: int) -> Entry:
    loader.get_event()  # the stream's start
    if loader.check_event(yaml.StreamEndEvent):
        return Entry(first_line, {})
    loader.get_event()  # the document's start
    root = _entry(loader, first_line, 1)
    loader.get_event()  # the document's end
    if not loader.check_event(yaml.StreamEndEvent):
        raise YamlProblem(root.line, "more than one YAML document", "Keep a single block between the --- lines.")
    if not isinstance(root.value, Mapping):
        if root.value == "":
            return Entry(first_line, {})
        raise YamlProblem(root.line, "the YAML is not a list of `key: value` lines", "Begin with `id: ...`.")
    return root


def _entry(loader: yaml.CBaseLoader | yaml.BaseLoader, first_line: int, depth: int) -> Entry:
    event = loader.get_event()
    line = first_line + (event.start_mark.line if event is not None and event.start_mark else 0)
    if not isinstance(event, yaml.NodeEvent):
        raise YamlProblem(line, "the YAML ends too early", "Finish the last value.")
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise YamlProblem(line, "an anchor or alias (& or *)", "Write the value out, or quote it if it is text.")
    tag = getattr(event, "tag", None)
    if tag is not None:
        raise YamlProblem(line, f"a tag ({tag})", "Remove it, or quote the value if it is text.")
    if isinstance(event, yaml.ScalarEvent):
        return Entry(line, event.value)
    if depth > MAX_YAML_DEPTH:
        raise YamlProblem(line, f"nested deeper than {MAX_YAML_DEPTH} levels", "Flatten the structure.")
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not loader.check_event(yaml.SequenceEndEvent):
            items.append(_entry(loader, first_line, depth + 1))
        loader.get_event()
        return Entry(line, tuple(items))
    fields: dict[str, Entry] = {}
    while not loader.check_event(yaml.MappingEndEvent):
        key = _entry(loader, first_line, depth + 1)
        if not isinstance(key.value, str):
            raise YamlProblem(key.line, "a key that is not text", "Write keys as plain words.")
        if key.value in fields:
            raise YamlProblem(key.line, f"the key {key.value!r} stands twice", "Keep one of them.")
        value = _entry(loader, first_line, depth + 1)
        fields[key.value] = Entry(key.line, value.value)
    loader.get_event()
    return Entry(line, fields)
