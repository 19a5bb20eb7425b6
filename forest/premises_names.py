"""Premises of name: who or what a question states to stand in a relation, held against the edges and the text.

"Ahora que quedó sin efectos X" supposes that something replaced X; "cuando A relevó a B" that A replaced B; "si A es
la que vigila la norma N" that N's text names A beside that verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forest.answer import Claim
from forest.basis import units_of_basis
from forest.catalog import NodeRow
from forest.fitting import Asking, claim_of_units, names_held
from forest.ids import work_of
from forest.legal import identifiers
from forest.picking import names_in
from forest.plan import Anchor, Relation, anchors_in
from forest.question import read_question
from forest.ranking import Found
from forest.reading import Reading
from forest.retrieval import search_passages
from forest.state import State
from forest.suppositions import Correction, clauses, folded
from forest.text import fold
from forest.units import Unit, numbered
from forest.weighing import scales_of

_SUCCEEDS = ("supersedes", "repeals", "renames")
_SUCCEEDED = ("superseded_by", "repealed_by", "renamed_to")
_BESIDE = 24  # characters between a name and the words of its relation
_BY = re.compile(r"\W*(?:\w+ )?por\b")
_ASKS = re.compile(r"\b(?:que|cual|quien|cuando|donde) (?:norma|texto|ley|programa|unidad|organismo|dependencia)\b")
_ISSUED = "issued_by"
_DOES = re.compile(r"\W*(?:(?:es|fue|era) (?:la|el|quien)(?: que)? )?\w{4,}")
_DONE_BY = re.compile(r"\b(?:(?:la|lo|las|los) \w{4,}|\w{2,}[ai]d[oa]s? por) (?:la |el )?$")
_REPLACED = re.compile(r"\bsin efectos?\b|\b(?:sustituid|reemplazad|abrogad|derogad|cancelad|relevad)[oa]s?\b")
_HOLDS = 0.6  # how much of the clause the sentence and its place must hold
_SEARCHED = 8


@dataclass(frozen=True, slots=True)
class _Edge:
    """An edge of succession that a node states, with the words that establish it."""

    to: str
    basis: str


def corrected_name(state: State, found: Sequence[Found], asking: Asking) -> Correction | None:
    """Return the first relation that a question states and that the forest's texts deny, None when none is.

    Args:
        state: of the forest.
        found: passages that a search for the question gave.
        asking: the question.
    """
    for relation in asking.plan.relations:
        correction = (
            _between(state, asking, relation) or _issued(state, asking, relation) or _never(state, asking, relation)
        )
        if correction is not None:
            return correction
    return _of_verb(state, found, asking)


def _succession(state: State, node: NodeRow) -> tuple[_Edge, ...]:
    return tuple(_Edge(to, basis) for kind, to, _, basis in state.catalog.edges_out(node) if kind in _SUCCEEDS)


def _is_of_succession(relation: Relation) -> bool:
    return bool({*_SUCCEEDS, *_SUCCEEDED} & set(relation.kinds))


def _between(state: State, asking: Asking, relation: Relation) -> Correction | None:
    """Correct "A relevó a B" where the text says that A replaced something else."""
    text, sides = folded(asking.text), _sides(asking, relation)
    if sides is None or not _is_of_succession(relation):
        return None
    one, other = sides
    if _BY.match(text, relation.end):
        one, other = other, one
    replacing = _node_of(state, one)
    if replacing is None:
        return None
    edges = _succession(state, replacing)
    replaced = {work_of(node) for node in other.nodes}
    if not edges or any(work_of(edge.to) in replaced for edge in edges):
        return None
    return _stated(state, replacing, edges[0], f"that {one.words} replaced {other.words}")


def _sides(asking: Asking, relation: Relation) -> tuple[Anchor, Anchor] | None:
    """Return the names that stand beside the words of a relation, before and after; None where one is missing."""
    text, anchors = folded(asking.text), asking.plan.anchors
    before = [a for a in anchors if 0 <= relation.start - a.end <= _BESIDE]
    after = [a for a in anchors if 0 <= a.start - relation.end <= _BESIDE]
    if not (text and before and after) or _ASKS.search(text[before[-1].end : after[0].start]):
        return None
    return before[-1], after[0]


def _issued(state: State, asking: Asking, relation: Relation) -> Correction | None:
    """Correct "A emitió B" and "B, emitida por A" where B's text says that another body issued it."""
    sides = _sides(asking, relation)
    if sides is None or _ISSUED not in (*relation.kinds, *relation.asked):
        return None
    body = next((a for a in sides if _is_body(state, a)), None)
    text = next((node for a in sides if a != body and (node := _node_of(state, a)) is not None), None)
    if body is None or text is None or text.kind == "entity":
        return None
    issuers = [_Edge(to, basis) for kind, to, _, basis in state.catalog.edges_out(text) if kind == _ISSUED]
    if not issuers or any(edge.to in body.nodes for edge in issuers):
        return None
    return _stated(state, text, issuers[0], f"that {body.words} issued {text.title}", "was issued by")


def _never(state: State, asking: Asking, relation: Relation) -> Correction | None:
    """Correct "ahora que quedó sin efectos X" where nothing replaced X, and X itself replaced something."""
    if not _is_of_succession(relation) or not _REPLACED.search(fold(relation.words)):
        return None
    for start, end in clauses(asking.text):
        named = [a for a in asking.plan.anchors if start <= a.start < end]
        if not (start <= relation.start < end and named):
            continue
        node = _node_of(state, named[0])
        if node is None or any(state.catalog.edges_in(i, 1, k) for i in {node.id, work_of(node.id)} for k in _SUCCEEDS):
            continue
        for edge in _succession(state, node)[:1]:
            return _stated(state, node, edge, f"that {named[0].words} was replaced, and no text of this forest did so")
    return None


def _node_of(state: State, anchor: Anchor) -> NodeRow | None:
    return state.catalog.find(anchor.nodes[0]) if len(anchor.nodes) == 1 else None


def _stated(state: State, node: NodeRow, edge: _Edge, supposed: str, relation: str = "replaced") -> Correction | None:
    reading, units = units_of_basis(state, node, edge.basis)
    target = state.catalog.find(edge.to)
    if reading is None or target is None:
        return None
    words = " ".join(unit.text for unit in units)
    value = _called(state, words, target)
    return Correction(
        supposed, f"that {node.title} {relation} {value or target.title}", _claim(state, reading, units, value)
    )


def _called(state: State, words: str, node: NodeRow) -> str:
    """Return the name by which some words call a node, "" when they do not."""
    named = anchors_in(words, identifiers(words, state.catalog), state.catalog)
    works = {node.id, work_of(node.id)}
    return next((a.words for a in named if works & {i for n in a.nodes for i in (n, work_of(n))}), "")


def _claim(state: State, reading: Reading, units: Sequence[Unit], value: str) -> Claim:
    return claim_of_units(state, reading, tuple(unit.number for unit in units), value)


def _of_verb(state: State, found: Sequence[Found], asking: Asking) -> Correction | None:
    """Correct "si A es la que vigila la norma N" where N's text has that verb beside another body."""
    for start, end in clauses(asking.text):
        bodies = [a for a in asking.plan.anchors if start <= a.start < end and _is_body(state, a)]
        if len(bodies) != 1 or not _states_of(asking.text, bodies[0], end):
            continue
        others = list(_other_bodies(state, found, asking, (start, end), bodies[0]))
        if len({node for _, _, other in others for node in other.nodes}) == 1:  # else it is not clear of what
            reading, unit, other = others[0]
            supposed = f"{bodies[0].words} in «{asking.text[start:end].strip()}»"
            return Correction(supposed, other.words, _claim(state, reading, (unit,), other.words))
    return None


def _is_body(state: State, anchor: Anchor) -> bool:
    node = _node_of(state, anchor)
    return node is not None and node.kind == "entity"


def _states_of(question: str, body: Anchor, end: int) -> bool:
    """Tell whether a clause says what a body does: "A es la que vigila", "la vigila A", "vigilada por A"."""
    text = folded(question)
    return bool(_DOES.match(text[body.end : end]) or _DONE_BY.search(text[: body.start]))


def _other_bodies(
    state: State, found: Sequence[Found], asking: Asking, clause: tuple[int, int], body: Anchor
) -> Iterator[tuple[Reading, Unit, Anchor]]:
    """Yield sentences that say of another body what the clause says of one, in texts that do not name that one."""
    start, end = clause
    kept = f"{' ' * start}{asking.plan.rest[start:end]}"
    scales = scales_of(asking.plan, read_question(state, kept, asking.clock))
    others = tuple(a for a in asking.plan.anchors if a != body)
    counted = [word for word in scales.query.weights if word in scales.telling]
    searched = search_passages(state, scales.query, _SEARCHED)
    title = state.catalog.node(body.nodes[0]).title
    for passage in (*searched, *found):
        reading = passage.reading
        if names_in(reading.text, title) or names_in(reading.text, body.words):
            continue
        if names_held(state, reading.node, reading.text, scales) < len(others):
            continue
        above = " ".join(a.title for a in state.catalog.ancestors(reading.node)[:-1])
        place = scales.held(f"{reading.node.title} {above}")
        for unit in numbered(reading.text, reading.passage.ordinal, reading.passage.heading):
            held = scales.held(unit.text)
            if not (held - place) or scales.of_words(frozenset(counted), held | place) < _HOLDS:
                continue
            named = anchors_in(unit.text, identifiers(unit.text, state.catalog), state.catalog)
            bodies = [a for a in named if _is_body(state, a)]
            if len(bodies) == 1:
                yield reading, unit, bodies[0]
