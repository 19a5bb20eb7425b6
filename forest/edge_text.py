"""One more edge in the text of a node: a few lines are inserted, and every other byte stays as it was.

A passport that is parsed and written again loses its comments, its order and the way its curator quotes. So the text is
composed only to find where the edges end, the edge is written there in the style of its neighbours, and the result is
read again: it counts only if it says what was said before, and this edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import yaml

from forest.edge import Edge
from forest.errors import ForestError
from forest.finding import Finding
from forest.node import Node, load_node
from forest.passport import render_edge, split_front_matter

_EDGES, _AFTER_EDGES = "edges", "scents"


class EdgeRefused(ForestError):
    """A passport into which an edge cannot be inserted so that it says that edge more and nothing else."""


def with_edge(data: bytes, path: str, edge: Edge) -> bytes:
    """Return the bytes of a node with one more edge in its passport.

    Args:
        data: the file.
        path: its name, for errors.
        edge: what is inserted; behind the other edges, if it can be.

    Raises:
        EdgeRefused: the file is no node, has the edge, or its YAML is such that no place serves.
    """
    node, findings = load_node(data, path)
    if node is None:
        raise EdgeRefused(f"{path} cannot be read.", "Run `forest lint`.")
    if any((one.kind, one.to) == (edge.kind, edge.to) for one in node.passport.edges):
        raise EdgeRefused(f"{path} has a {edge.kind} edge to {edge.to} already.")
    for text in _candidates(node, edge):
        try:
            changed = text.encode(node.encoding)
        except UnicodeEncodeError:
            continue
        if _says_this_more(node, findings, changed, edge):
            return changed
    raise EdgeRefused(
        f"No edge can be inserted into the passport of {path} as it is written.",
        "Write its edges as a list, one `- kind: …` for each, and keep the passport below its size limit.",
    )


def _says_this_more(node: Node, findings: tuple[Finding, ...], changed: bytes, edge: Edge) -> bool:
    now, found = load_node(changed, node.path)
    if now is None or now.body != node.body or now.encoding != node.encoding:
        return False
    before, others = node.passport, [one for one in now.passport.edges if one != edge]
    same = replace(now.passport, edges=before.edges) == before and tuple(others) == before.edges
    more = {(one.rule, one.message) for one in found} - {(one.rule, one.message) for one in findings}
    return same and len(now.passport.edges) == len(before.edges) + 1 and not more


def _candidates(node: Node, edge: Edge) -> Iterator[str]:
    """Yield texts of the node with the edge inserted, the best place first; some may be no YAML, or another's."""
    text = node.text
    front = split_front_matter(text)
    if front is None:
        return
    yaml_text = front[0].lstrip("\n")
    start = text.find(yaml_text, text.find("---"))
    try:
        root = yaml.compose(yaml_text, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return
    if not isinstance(root, yaml.MappingNode) or start < 0:
        return
    for at, inserted in _places(yaml_text, root, edge, _line_end(text)):
        yield text[: start + at] + inserted + text[start + at :]


def _places(text: str, root: yaml.MappingNode, edge: Edge, line_end: str) -> Iterator[tuple[int, str]]:
    values = {key.value: (key, value) for key, value in root.value}
    flow = render_edge(edge, flow=True)
    if _EDGES not in values:
        yield from _new_key(text, root, values.get(_AFTER_EDGES), edge, line_end)
        return
    key, value = values[_EDGES]
    if not isinstance(value, yaml.SequenceNode):
        if value.value == "" and not value.style and not root.flow_style:
            yield _behind_line(text, key.end_mark.index, _block(edge, key.start_mark.column, line_end), line_end)
    elif value.flow_style:
        first, last = value.start_mark.index + 1, value.end_mark.index - 1
        if not value.value:
            yield first, flow
        else:
            end = value.value[-1].end_mark.index
            yield end, f", {flow}"
            yield last, f", {flow}"
            yield first, f"{flow}, "
    else:
        lines = _block(edge, value.start_mark.column, line_end)
        yield _behind_line(text, _end_of(value), lines, line_end)
        begin = value.start_mark.index - value.start_mark.column
        yield begin, lines


def _new_key(
    text: str,
    root: yaml.MappingNode,
    after: tuple[yaml.Node, yaml.Node] | None,
    edge: Edge,
    line_end: str,
) -> Iterator[tuple[int, str]]:
    """Yield the places of a passport without edges: before the scents, else at its end."""
    if root.flow_style:
        yield root.end_mark.index - 1, f", {_EDGES}: [{render_edge(edge, flow=True)}]"
        return
    column = root.start_mark.column
    lines = f"{' ' * column}{_EDGES}:{line_end}{_block(edge, column, line_end)}"
    if after is not None:
        yield after[0].start_mark.index - column, lines
    yield len(text), lines if text.endswith(("\n", "\r")) else line_end + lines.removesuffix(line_end)
    yield _behind_line(text, _end_of(root), lines, line_end)


def _block(edge: Edge, column: int, line_end: str) -> str:
    return "".join(f"{' ' * column}{line}{line_end}" for line in render_edge(edge, flow=False).splitlines())


def _end_of(node: yaml.Node) -> int:
    """Return where the last value within a node ends; a block itself ends behind blank lines and comments."""
    while isinstance(node, (yaml.SequenceNode, yaml.MappingNode)) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _behind_line(text: str, at: int, lines: str, line_end: str) -> tuple[int, str]:
    """Return the place behind the line that holds a place, and what is inserted there."""
    if at and text[at - 1] in "\r\n":  # a block scalar ends with its last line
        return at, lines
    end = next((i for i in range(at, len(text)) if text[i] in "\r\n"), len(text))
    if end == len(text):
        return end, line_end + lines.removesuffix(line_end)
    return end + (2 if text[end : end + 2] == "\r\n" else 1), lines


def _line_end(text: str) -> str:
    """Return the line end that a text uses first."""
    at = next((i for i, c in enumerate(text) if c in "\r\n"), -1)
    return "\r\n" if text[at : at + 2] == "\r\n" else text[at] if at >= 0 else "\n"
