"""A question made ready: what it names, what else it asks about, and how much of that a text holds.

Owns the measure of coverage that ranking, quoting and abstaining share. What a question names is read by
`forest.legal`, everyday words are widened by `forest.vocabulary`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from math import fsum

from forest.analyzer import question_stems, stem_of, stems
from forest.edge import BUILT_IN
from forest.legal import Named, identifiers
from forest.spelling import wording_of
from forest.state import State
from forest.validity import Clock, clock_for
from forest.vocabulary import widen
from forest.wording import Wording

_ALIKE = 5
_YEAR_LENGTH = len("2026")


@dataclass(frozen=True, slots=True)
class Query:
    """A question made ready for search.

    Attributes:
        text: as it is searched: as asked, but slips mended, and in Spanish (`wording` has what was asked).
        named: instruments and articles that it names.
        stems: its other words, each once, in order: what the answer is about.
        widened: for some of its stems, others that count as the same (`forest.vocabulary`, `forest.spelling`).
        weights: rarity of each stem, `log(1 + N / (1 + df))` over the passages known on the clock's day; words that
            name a relation have none.
        clock: the days it is about.
        wording: what was asked, and what was done to its words.
    """

    text: str
    named: Named
    stems: tuple[str, ...]
    widened: dict[str, tuple[str, ...]]
    weights: dict[str, float]
    clock: Clock
    wording: Wording

    def notes(self) -> tuple[str, ...]:
        """Return sentences that say as what the question's words were searched, where that is not as they stand."""
        wider = widen(self.text) if self.widened else ()
        told = (f"«{entry.said}» was also searched as: {entry.means}." for entry in wider)
        return (*self.wording.notes(), *told)


def ask(
    state: State,
    question: str,
    *,
    today: date,
    as_of: date | None = None,
    in_force_on: date | None = None,
) -> Query:
    """Make a question ready, with the clock that it, the options and the day decide.

    Args:
        state: of the forest; nothing known after the earlier of its day and `as_of` counts.
        question: in a person's words, Spanish or English.
        today: the day it is.
        as_of: as if nothing published later existed.
        in_force_on: texts in force that day; beats a date read in the question.
    """
    state = state.on(as_of)
    wording = wording_of(state, question)
    named = identifiers(wording.text, state.catalog)
    clock = clock_for(wording.text, as_of=state.as_of, in_force_on=in_force_on, today=today, named=named.spans)
    return _query(state, wording, clock, named)


def read_question(
    state: State, question: str, clock: Clock, named: Named | None = None, *, widened: bool = True
) -> Query:
    """Make a question ready: what it names, and the words that are left, as of the clock's day.

    Args:
        state: of the forest.
        question: in a person's words, Spanish or English.
        clock: its days; where it was read in words that are searched otherwise, it is read again in those.
        named: what the question names as it was asked, if that is known already.
        widened: whether words count as the same by the vocabulary, or by slips that may mean several.
    """
    state = state.on(clock.as_of)
    wording = wording_of(state, question)
    if wording.text != question:
        named = identifiers(wording.text, state.catalog)
        if clock.span[1]:
            day = clock.start if clock.source == "option" else None
            again = clock_for(wording.text, as_of=clock.as_of, in_force_on=day, today=clock.start, named=named.spans)
            clock = again if again.source == clock.source else replace(clock, span=(0, 0))
    return _query(state, wording, clock, named or identifiers(question, state.catalog), widened=widened)


def _query(state: State, wording: Wording, clock: Clock, named: Named, *, widened: bool = True) -> Query:
    question = wording.text
    spans = [(m.start, m.end) for m in named.mentions if m.instruments or m.articles]
    if named.articles or clock.span[1] - clock.span[0] > _YEAR_LENGTH:
        # A day or a month only sets the clock; texts that are about a year often say it, so a year is searched too.
        spans.append(clock.span)
    rest = _without(question, spans)
    words = question_stems(rest)
    same = _widened(rest, wording, words) if widened else {}
    counted = [word for word in words if word not in _relation_stems()]
    weights = {word: _rarity(state, (word, *same.get(word, ()))) for word in counted}
    return Query(question, named, words, same, weights, clock, wording)


def _widened(rest: str, wording: Wording, words: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return what counts as the same as each of some stems: by the vocabulary, and by slips that may mean several."""
    found: dict[str, dict[str, None]] = {}
    slips = ((stem_of(c.meant[0]), tuple(map(stem_of, c.meant[1:]))) for c in wording.corrected if len(c.meant) > 1)
    same = [(stem, entry.meant) for entry in (*wording.translated, *widen(rest)) for stem in entry.stems]
    for stem, meant in (*same, *slips):
        if stem in words and meant:
            found.setdefault(stem, {}).update(dict.fromkeys(meant))
    return {stem: tuple(meant) for stem, meant in found.items()}


def _rarity(state: State, stems_of_one_word: Collection[str]) -> float:
    """Return how telling a word is: `log(1 + N / (1 + df))`, the law's word for it standing in for an everyday one."""
    counts = [state.index.frequency(stem, state.as_of) for stem in stems_of_one_word]
    return math.log(1 + state.index.size(state.as_of) / (1 + max(counts)))


def coverage(query: Query, texts: Iterable[str]) -> float:
    """Return the share of the question's words, weighted by rarity, that some texts hold; see `share_held`."""
    return share_held(query, stems(" ".join(texts)))


def share_held(query: Query, tokens: Iterable[str]) -> float:
    """Return the share of the question's words, weighted by rarity, that are among some tokens; 1 when it has none.

    A word counts as held, too, by one that begins alike (`emitir`, `emisión`): this measures whether a text speaks of
    the same things, and stemming Spanish verbs is not exact. The words that name a relation (`sustituyó`, `emite`) do
    not count: an answer says what stands in the relation, rarely its name.
    """
    total = fsum(query.weights.values())
    if not total:
        return 1.0
    held = _held(query, set(tokens))
    return fsum(query.weights[word] for word in held) / total


def held_words(query: Query, text: str) -> frozenset[str]:
    """Return which of the question's search tokens a text holds."""
    return _held(query, set(stems(text)))


def _held(query: Query, tokens: set[str]) -> frozenset[str]:
    told = ((word, *query.widened.get(word, ())) for word in query.weights)
    return frozenset(same[0] for same in told if any(_holds(tokens, word) for word in same))


def _holds(held: set[str], word: str) -> bool:
    return word in held or any(alike(word, other) for other in held)


def alike(word: str, token: str) -> bool:
    """Tell whether a search token counts as a word that is asked for: the same, or one that begins alike."""
    return f" {token} ".startswith(begins_like(word))


def begins_like(word: str) -> str:
    """Return what stands where a text of search tokens, each with a space before and after, holds one that counts."""
    if len(word) < _ALIKE or not word.isalpha():
        return f" {word} "
    return f" {word[: max(_ALIKE, len(word) - 2)]}"


@lru_cache(maxsize=1)
def _relation_stems() -> frozenset[str]:
    phrases = (words for kind in BUILT_IN for words in (*kind.words, *kind.inverse_words))
    return frozenset(stem for phrase in phrases if " " not in phrase for stem in question_stems(phrase))


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text
