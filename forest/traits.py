"""Traits of sentences: what ranking asks of each sentence of a passage, worked out once when the index is built.

A passage's body is indexed as the tokens of its sentences in order; its traits say how many tokens each sentence has,
which kinds of answer it carries, and how many tokens stand before a colon that may end a defined term. With them a hit
is ranked by its sentences without being read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from forest.analyzer import stems
from forest.kind import marks_of
from forest.text import sentences

# Characters within which the colon of an entry of a list of terms stands.
LONGEST_TERM = 90


@dataclass(frozen=True, slots=True)
class Trait:
    """What is known of one sentence.

    Attributes:
        start: place of its first token in the passage's body.
        end: one past its last.
        marks: letters of the kinds of answer that it carries (`forest.kind.MARKS`).
        term_end: one past the last token before its first colon; `start` when no term can stand there.
    """

    start: int
    end: int
    marks: str
    term_end: int


def digest_sentences(text: str) -> tuple[str, str]:
    """Return the search tokens of a passage's text, and the traits of its sentences, each joined by spaces."""
    tokens: list[str] = []
    traits = []
    for start, end in sentences(text):
        sentence = text[start:end]
        own = stems(sentence)
        term, colon, _ = sentence[:LONGEST_TERM].partition(":")
        traits.append(f"{len(own)}:{marks_of(sentence)}:{len(stems(term)) if colon else 0}")
        tokens += own
    return " ".join(tokens), " ".join(traits)


def read_traits(traits: str) -> Iterator[Trait]:
    """Yield what `digest_sentences` wrote, in the order of the sentences."""
    start = 0
    for told in traits.split():
        size, marks, term = told.split(":")
        yield Trait(start, start + int(size), marks, start + int(term))
        start += int(size)
