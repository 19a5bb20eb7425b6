"""Premises: what a question supposes, held against the text that speaks of just that.

A correction needs a passage that says something else of the same thing: a false correction is worse than none. Which
clauses suppose is `forest.suppositions`; values, names and the rest have modules or functions of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from forest.basis import units_of_basis
from forest.catalog import NodeRow
from forest.contrasts import others
from forest.fitting import Asking, changes_of, claim_of_units, names_held
from forest.picking import names_in
from forest.premises_names import corrected_name
from forest.premises_values import corrected_value
from forest.ranking import Found
from forest.reading import Reading, read_passage
from forest.state import State
from forest.suppositions import Correction
from forest.text import fold
from forest.units import Unit, numbered

_ASKS_OF_CHANGE = re.compile(
    r"\b(?:recorr|modific|cambi|reform|corrig|correg|movi|pospus|pospon|prorrog|ampli|aument|reduj|reduc|adelant|aplaz)"
)
_ASKS_OF_END = re.compile(
    r"\b(?:dej(?:o|aron|a|an) de (?:aplicar|regir|estar|tener|valer|usar)|perdi(?:o|eron) (?:su )?vigencia|"
    r"venci(?:o|eron)|expir(?:o|aron)|termin(?:o|aron) (?:de aplicar|su vigencia)|ces(?:o|aron))"
)
_LASTS = re.compile(
    r"\bdurante todo el (?:ejercicio|ano)\b[^.;]{0,30}|\bpor tiempo indefinido\b|"
    r"\bvigencia (?:indefinida|permanente)\b|\bde manera permanente\b"
)
_READ = 3  # passages of a text that changed another


def correction_of(state: State, found: Sequence[Found], asking: Asking) -> Correction | None:
    """Return the first thing that a question supposes and that a passage denies, None when nothing is denied.

    Args:
        state: of the forest.
        found: passages that a search for the question gave.
        asking: the question.
    """
    return (
        corrected_value(state, found, asking)
        or corrected_name(state, found, asking)
        or _of_what_changed(state, asking)
        or _of_an_end(state, found, asking)
    )


def _of_what_changed(state: State, asking: Asking) -> Correction | None:
    """Correct "¿a qué día recorrió la tercera etapa?" where the change is of the second."""
    if not _ASKS_OF_CHANGE.search(fold(asking.text)):
        return None
    for anchor in asking.plan.anchors:
        node = state.catalog.find(anchor.nodes[0]) if len(anchor.nodes) == 1 else None
        changes = changes_of(state, node, asking.clock, ("amends", "corrects")) if node is not None else ()
        told = [(r, u) for change in changes for r, u in _units(state, change)]
        texts = " ".join(unit.text for _, unit in told)
        for asked, said in others(asking.plan.rest, texts):
            for reading, unit in told:
                if said in unit.text and names_in(unit.text, anchor.words):
                    supposed = f"a change of «{asked}»"
                    return Correction(supposed, f"«{said}»", claim_of_units(state, reading, (unit.number,), said))
    return None


def _units(state: State, change: NodeRow) -> Iterator[tuple[Reading, Unit]]:
    for ordinal in range(1, min(_READ, state.catalog.count_passages(change)) + 1):
        reading = read_passage(state, change, ordinal)
        for unit in numbered(reading.text, ordinal, reading.passage.heading):
            if not unit.text.startswith("#"):
                yield reading, unit


def _of_an_end(state: State, found: Sequence[Found], asking: Asking) -> Correction | None:
    """Correct "¿en qué mes dejaron de aplicarse?" where the text says that it holds throughout."""
    plan = asking.plan
    if not plan.anchors or not _ASKS_OF_END.search(fold(asking.text)):
        return None
    for passage in found:
        reading = passage.reading
        if names_held(state, reading.node, "", asking.scales) < len(plan.anchors):
            continue
        for unit in numbered(reading.text, reading.passage.ordinal, reading.passage.heading):
            lasts = _LASTS.search(fold(unit.text))
            if lasts is not None and len(fold(unit.text)) == len(unit.text):
                said = unit.text[lasts.start() : lasts.end()].strip(" ,")
                claim = claim_of_units(state, reading, (unit.number,), said)
                return Correction(f"that {plan.anchors[0].words} ceased to apply", f"«{said}»", claim)
    return _of_an_open_end(state, asking)


def _of_an_open_end(state: State, asking: Asking) -> Correction | None:
    """Correct the same where the text says from when on it holds, with no end, and no other text ends it."""
    anchor = asking.plan.anchors[0]
    node = state.catalog.find(anchor.nodes[0]) if len(anchor.nodes) == 1 else None
    if node is None or not node.open_ended or changes_of(state, node, asking.clock, ("supersedes", "repeals")):
        return None
    reading, units = units_of_basis(state, node, node.in_force_basis)
    if reading is None:
        return None
    claim = claim_of_units(state, reading, tuple(unit.number for unit in units), "")
    return Correction(f"that {anchor.words} ceased to apply", "from when it applies, and no end", claim)
