"""Citing: from a short value and some passages to the sentences and rows that are quoted for it.

A model names passages and says a value; which of their words it means, it cannot be trusted to copy. Here they are
found, among what was shown of each passage; whether they may be said is `navigator.answering`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from forest.analyzer import stems
from forest.contrasts import contradicts
from forest.ids import work_of
from forest.picking import WORDS
from forest.reading import Reading
from forest.state import State
from forest.text import fold, one_line
from forest.units import Span, units_of
from forest.values import Value, find_values, holds_value
from navigator.answering import stands_in
from navigator.world import Noted

_SAME_WORDS = 2  # stems that a sentence shares with the question, or with names, to be quoted as a step on the way


@dataclass(frozen=True, slots=True)
class Citing:
    """What is cited for an answer.

    Attributes:
        state: of the forest.
        question: as asked.
        readings: the passages cited, each read.
        shown: for each passage, by its id, up to which character of its text it was shown.
    """

    state: State
    question: str
    readings: tuple[Reading, ...]
    shown: Mapping[str, int]

    def value(self, answer: str) -> str:
        """Return an answer as it is cited; of a sentence about it, the one value in it that the question lacks."""
        if any(self._holding(reading, answer) for reading in self.readings):
            return answer
        new = {one.value: one for one in find_values(answer) if not holds_value(self.question, one.value)}
        if len(new) == 1:
            one = next(iter(new.values()))
            words = answer[one.start : one.end]
            if any(self._holding(reading, words) for reading in self.readings):
                return words
            return next(
                (own for reading in self.readings if (own := self._own_words(reading, words, one.value))), answer
            )
        return answer

    def _own_words(self, reading: Reading, words: str, value: Value) -> str:
        """Return how a passage says an amount of which the answer leaves something out: six days, six working days."""
        text, wanted = self._seen(reading), {stem for stem in stems(words) if stem.isalpha()}
        for found in find_values(text, {value.kind}) if value.amount is not None and wanted else ():
            own = text[found.start : found.end]
            if found.value.amount == value.amount and wanted <= set(stems(own)):
                return own
        return ""

    def _seen(self, reading: Reading) -> str:
        return reading.text[: self.shown[reading.passage.id]]

    def _spans(self, reading: Reading) -> list[Span]:
        return [span for span in units_of(reading.text) if span.end <= self.shown[reading.passage.id]]

    def _holding(self, reading: Reading, value: str) -> list[Span]:
        """Return the sentences and rows shown of a passage that hold a value."""
        text, above = reading.text, (*reading.passage.heading, reading.node.title)
        return [
            span
            for span in self._spans(reading)
            if stands_in(
                value,
                (text[span.start : span.end],),
                (text[span.header[0] : span.header[1]], *above) if span.header is not None else above,
            )
        ]

    def noted(self, reading: Reading, value: str) -> Noted:
        """Return the sentence or row that holds a value and is most about the question; where none does, the latter."""
        text, spans = self._seen(reading), self._spans(reading)
        if holding := self._holding(reading, value):
            best = max(holding, key=lambda span: self._about(text, span))
            whole = fold(one_line(text[best.start : best.end])).strip(" .") == fold(one_line(value)).strip(" .")
            return Noted(reading, _runs(best), WORDS if whole else value)
        if spans and stands_in(value, (text,)):  # words that go over several sentences
            return Noted(reading, ((spans[0].start, spans[-1].end),), value)
        best_of_all = max(spans, key=lambda span: self._about(text, span), default=Span(0, len(text)))
        return Noted(reading, _runs(best_of_all), value)

    def _about(self, text: str, span: Span) -> tuple[bool, int, int]:
        words = text[span.start : span.end]
        shared = len(set(stems(self.question)) & set(stems(words)))
        return not contradicts(self.question, words), shared, -span.start

    def lead(self, reading: Reading, best: Noted) -> Noted | None:
        """Return the sentence of another cited passage that leads to the answer, None when none does.

        It is the one that establishes an edge to another cited node, or holds the answer too, or else speaks most of
        the question and of what the other nodes are called.
        """
        text, others = self._seen(reading), [one.node for one in self.readings if one.node.id != reading.node.id]
        if (
            stated := self._stated(reading, {name for one in others for name in (one.id, work_of(one.id))})
        ) is not None:
            return Noted(reading, _runs(stated), "")
        if best.value != WORDS and (holding := self._holding(reading, best.value)):
            return Noted(reading, _runs(max(holding, key=lambda span: self._about(text, span))), "")
        wanted = set(stems(" ".join((self.question, *(one.title for one in others)))))
        shared = {span: len(wanted & set(stems(text[span.start : span.end]))) for span in self._spans(reading)}
        most = max(shared, key=lambda span: (shared[span], -span.start), default=None)
        return Noted(reading, _runs(most), "") if most is not None and shared[most] >= _SAME_WORDS else None

    def _stated(self, reading: Reading, ids: set[str]) -> Span | None:
        """Return the sentence of a passage by which its node establishes an edge to one of some nodes."""
        bases = [one_line(basis) for _, to, _, basis in self.state.catalog.edges_out(reading.node) if to in ids]
        for span in self._spans(reading):
            words = one_line(reading.text[span.start : span.end])
            if any(basis and basis in words for basis in bases):
                return span
        return None


def _runs(span: Span) -> tuple[tuple[int, int], ...]:
    """Return what is quoted: a row with the header of its table."""
    own = (span.start, span.end)
    return (span.header, own) if span.header is not None else (own,)
