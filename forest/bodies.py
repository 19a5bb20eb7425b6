"""The bodies that a question names: ministries, agencies, courts, by name or acronym."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forest.analyzer import stems
from forest.legal_numbers import fold
from forest.state import State

_MOST_WORDS = 40
_LONGEST_NAME = 12
# What stands in capitals among other words: INEGI, SEMARNAT.
_ACRONYM = re.compile(r"\b[A-ZÁÉÍÓÚÑ]{3,12}\b")


@dataclass(frozen=True, slots=True)
class Body:
    """A body that a question names.

    Attributes:
        id: of its node, "" when the forest has none for it.
        said: the words of the question that name it.
        stems: their search tokens.
    """

    id: str
    said: str
    stems: tuple[str, ...]


def bodies_in(state: State, question: str) -> tuple[Body, ...]:
    """Return the bodies that a question names, in the order of the question, the longest name where some overlap.

    A name is one that an entity of the forest bears. An acronym that none bears counts, too, unless all is in capitals.
    """
    spoken = question.split()[:_MOST_WORDS]
    plain = [fold(word.strip("¿?¡!.,;:()«»\"'")) for word in spoken]
    spans = [(at, end) for at in range(len(plain)) for end in range(at + 1, min(at + _LONGEST_NAME, len(plain)) + 1)]
    borne = state.catalog.bearers({" ".join(plain[a:b]) for a, b in spans}, "entity")
    found: list[Body] = []
    taken: set[int] = set()
    for at, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        name = " ".join(plain[at:end])
        if name in borne and taken.isdisjoint(range(at, end)):
            taken.update(range(at, end))
            found += [Body(node_id, name, stems(name)) for node_id in borne[name]]
    if not question.isupper():
        acronyms = dict.fromkeys(match[0] for match in _ACRONYM.finditer(question))
        others = {body.said for body in found} | set(state.catalog.names(map(fold, acronyms)))
        found += [Body("", one, stems(one)) for one in acronyms if fold(one) not in others and stems(one)]
    return tuple(found)
