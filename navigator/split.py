"""Splits: a question as a model divides it, into steps that are chained and the datum that is asked for at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Return the split that a reply gives."""
    return _split(reply["pasos"], reply["dato"], scales)


def split_of_plan(scales: Scales) -> Split:
    """Return the split that the grammar reads in a question, for when no model can be asked for one."""
    *steps, datum = scales.plan.sub_questions()
    return _split(steps, datum.removeprefix("then: "), scales)


def _split(steps: Sequence[str], datum: str, scales: Scales) -> Split:
    """Return a split with the words of its datum.

    Of these those count that say something; where none does, all of them; where the question has none of them, those
    of its asking clause.
    """
    told = scales.held(datum) & frozenset(scales.query.weights)
    return Split(tuple(steps), datum, told & scales.telling or told or scales.clause & scales.telling)
