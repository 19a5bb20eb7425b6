"""Splits: a question as a model divides it, into steps that are chained and the datum that is asked for at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forest.weighing import Scales

_MOST_STEPS = 5
_CHARACTERS = 90

# How a reply of the prompt `split` must look.
SPLIT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "pasos": {
            "type": "array",
            "items": {"type": "string", "maxLength": _CHARACTERS},
            "minItems": 1,
            "maxItems": _MOST_STEPS,
        },
        "dato": {"type": "string", "maxLength": _CHARACTERS},
    },
    "required": ["pasos", "dato"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Split:
    """A question divided.

    Attributes:
        steps: what is to be found, each from the one before.
        datum: what is asked of the last.
        words: the question's words that the datum has, as `Scales` know them: what answers must hold most of them.
    """

    steps: tuple[str, ...]
    datum: str
    words: frozenset[str]

    def told(self) -> tuple[str, ...]:
        """Return it as the lines of a plan."""
        return (*(f"#{number}: {step}" for number, step in enumerate(self.steps, start=1)), f"then: {self.datum}")


def split_from(reply: Mapping[str, Any], scales: Scales) -> Split:
    """Return the split that a reply gives; a datum that has no telling word of the question is its asking clause."""
    words = scales.held(reply["dato"]) & scales.telling
    return Split(tuple(reply["pasos"]), reply["dato"], words or scales.clause & scales.telling)
