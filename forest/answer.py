"""What a hunt says: claims with their proof, what is missing, what came near. `forest.oneshot` makes these values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from forest.citation import Citation
from forest.validity import Clock
from forest.wording import Wording

Status = Literal["answered", "partial", "corrected", "ambiguous", "unanswerable", "not_held", "not_found", "stopped"]


@dataclass(frozen=True, slots=True)
class Near:
    """Something that came near: a node's id and title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that answer, as they stand in one passage.

    Attributes:
        text: the words, complete sentences, list items or table rows.
        title: of the node.
        heading: the headings they stand under.
        citations: the proof, one for each unbroken run of words.
        left_out: how many more sentences of the passage's node were not quoted.
        value: the short value among the words that answers by itself ("12 días"), "" when the words are the answer.
        leads: the words do not answer: they establish a step on the way to the claim that does.
    """

    text: str
    title: str
    heading: tuple[str, ...]
    citations: tuple[Citation, ...]
    left_out: int
    value: str = ""
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Something the question names that cannot be given.

    Attributes:
        what: as the question names it.
        why: one sentence.
        nearest: what the forest has instead.
    """

    what: str
    why: str
    nearest: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one hunt found.

    Attributes:
        question: as asked.
        status: answered; partial (some of what is named is missing); corrected (the question supposes what the text
            claimed denies); ambiguous (a name means several instruments); unanswerable (the forest holds what the
            question is about, and not what is asked of it); not_held (what is named is not in the forest); not_found
            (nothing speaks of it).
        clock: the days it is about, and where they came from.
        claims: the answer, best first.
        missing: what is not here.
        near: where nothing answers, words that speak of part of the question, quoted and cited but not claimed.
        nearest: other nodes that came near, for the reader to go on with.
        notes: sentences about versions and limits.
        confidence: from 0 to 1 by name: `overall`, and the parts that it is made of (`forest.confidence`); a walk has
            others.
        commit: what was read.
        tree: of the forest in it.
        wording: how the question was put to search, None where it was not.
        kind: of answer that was asked for.
    """

    question: str
    status: Status
    clock: Clock
    claims: tuple[Claim, ...]
    missing: tuple[Missing, ...]
    near: tuple[Claim, ...]
    nearest: tuple[Near, ...]
    notes: tuple[str, ...]
    confidence: dict[str, float]
    commit: str
    tree: str
    wording: Wording | None = None
    kind: str = "any"
