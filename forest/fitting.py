"""Fitting: how well a sentence or row answers a question where it stands, without walking, told in parts.

A candidate is what picking found in one passage. It is weighed by what of the question its words hold, what only its
place holds (headings, title, what it stands under), what nobody there holds, and what speaks against it. How sure an
answer made of it is, is `forest.confidence`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from forest.answer import Claim
from forest.catalog import NodeRow
from forest.contrasts import agreeing, contradicts
from forest.ids import work_of
from forest.legal import identifiers
from forest.picking import WORDS, Pick, names_in, picks, tells
from forest.plan import Plan, plan_of
from forest.question import read_question
from forest.ranking import Found
from forest.reading import Reading, read_passage
from forest.state import State
from forest.text import one_line
from forest.units import Unit, numbered
from forest.validity import Clock, clock_for, may_be_given, meets
from forest.values import Value, find_values, parse_value, same_value
from forest.weighing import Scales, scales_of

_NAME_LEFT_OUT = 0.4
_PROPER_LEFT_OUT = 0.4
_NOT_IN_FORCE = 0.5
_ANOTHER_OF_ITS_SET = 0.3
_NOT_SAID = 0.3
_SUPERSEDED = 0.2
_NOT_A_NODE = 0.25
_NO_LIST = 0.2
# How much the search's own order counts: it knows of laws and instruments what no sentence says. The more where a
# sentence as a whole answers, which has no value to be told by.
_BY_STANDING, _BY_STANDING_OF_WORDS = 0.15, 0.5
_THE_SAME = 0.6
_AS_FITTING = 0.75  # how well a change must answer beside what it changed
_READ_OF_A_CHANGE = 3  # passages
_CHANGES_SEEN = 4
_CHANGED = ("supersedes", "amends", "repeals", "corrects")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may answer, and what it holds of the question.

    Attributes:
        found: the passage, as it was found.
        pick: the sentences or rows in it.
        rank: place of the passage in the order of the search, from 0.
        fit: how well it answers, 0 to 1 or below 0 when much speaks against it.
        own: share of the words of the asking clause that it holds itself, 0 to 1.
        held: share of all the question's words that it and its place hold, 0 to 1.
        names: share of the question's names and proper words that it and its place hold, 0 to 1.
        lacks: the question's words that neither holds.
    """

    found: Found
    pick: Pick
    rank: int
    fit: float
    own: float
    held: float
    names: float
    lacks: frozenset[str]

    @property
    def value(self) -> str:
        """The short value, "" when the words answer."""
        return "" if self.pick.value == WORDS else self.pick.value

    def says_as(self, other: Candidate) -> bool:
        """Tell whether two candidates say the same: the same value, or the same words."""
        if self.pick.value != WORDS and other.pick.value != WORDS:
            one, two = parse_value(self.pick.value), parse_value(other.pick.value)
            if one is not None and two is not None:
                return same_value(one, two)
            return one_line(self.pick.value).casefold() == one_line(other.pick.value).casefold()
        return one_line(self.pick.text) == one_line(other.pick.text)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question made ready to be answered.

    Attributes:
        text: as asked.
        scales: its plan, and its words with their weights.
        clock: the days it is about.
        said: the values that stand in it: they are not its answer.
    """

    text: str
    scales: Scales
    clock: Clock
    said: tuple[Value, ...]

    @property
    def plan(self) -> Plan:
        """What it names, the relations it asks for, and what it wants."""
        return self.scales.plan


def asking_of(
    state: State, question: str, *, today: date, as_of: date | None, in_force_on: date | None, dated: bool = False
) -> Asking:
    """Make a question ready to be answered.

    Args:
        state: of the forest.
        question: as asked.
        today: the day it is.
        as_of: as if nothing published later existed.
        in_force_on: texts in force that day; beats a date read in the question.
        dated: its days are those of the gazette, not those on which a rule holds.
    """
    named = identifiers(question, state.catalog)
    plan = plan_of(question, named, state.catalog, state.config.edge_kinds)
    names = (*named.spans, *((anchor.start, anchor.end) for anchor in plan.anchors))  # a year in a name is no day
    names = ((0, len(question)),) if dated else names
    clock = clock_for(question, as_of=as_of, in_force_on=in_force_on, today=today, named=names)
    scales = scales_of(plan, read_question(state, plan.rest, clock))
    return Asking(question, scales, clock, tuple(found.value for found in find_values(question)))


def candidates(state: State, found: Iterable[Found], asking: Asking) -> tuple[Candidate, ...]:
    """Return everything in some passages, the best found first, that may answer; what answers best comes first."""
    found = tuple(found)
    best: dict[int, float] = {}
    for passage in found:
        best[passage.tier] = max(best.get(passage.tier, 0.0), passage.score)
    weighed = [
        weigh(state, passage, pick, asking, rank, passage.score / best[passage.tier] if best[passage.tier] else 1.0)
        for rank, passage in enumerate(found)
        for pick in _picks(passage.reading, asking.scales, asking.said)
    ]
    return tuple(sorted(weighed, key=lambda c: (-c.fit, c.rank, c.pick.units)))


def as_changed(state: State, best: Candidate, asking: Asking) -> Candidate:
    """Return what a text that amended or corrected the best candidate's says instead; the candidate where none does.

    A change answers instead of what it changed when it speaks of the same: when it holds most of the words of the
    asking clause that the candidate holds.
    """
    node, words = best.found.reading.node, asking.scales.clause & best.pick.held
    for changing in changes_of(state, node, asking.clock, ("amends", "corrects")):
        count = min(_READ_OF_A_CHANGE, state.catalog.count_passages(changing))
        readings = (read_passage(state, changing, ordinal) for ordinal in range(1, count + 1))
        read = [Found(r, best.found.tier, best.found.score, best.found.coverage, (("changes", 1.0),)) for r in readings]
        for told in candidates(state, read, asking):
            same = asking.scales.of_words(words, told.pick.held) >= _THE_SAME
            if same and told.fit >= best.fit * _AS_FITTING and not told.says_as(best):
                return told
    return best


def _picks(reading: Reading, scales: Scales, said: tuple[Value, ...]) -> Iterator[Pick]:
    units = numbered(reading.text, reading.passage.ordinal, reading.passage.heading)
    return picks(units, reading.node.id, scales.plan.asked, scales.query, said)


def weigh(state: State, found: Found, pick: Pick, asking: Asking, rank: int, standing: float) -> Candidate:
    """Return a pick with how well it answers; see `Candidate`.

    Args:
        state: of the forest.
        found: its passage.
        pick: the sentences or rows.
        asking: the question.
        rank: place of the passage in the order of the search, from 0.
        standing: its score beside the best of its tier, 0 to 1.
    """
    scales, clock = asking.scales, asking.clock
    node, asked = found.reading.node, scales.plan.asked
    unit = pick.held | scales.held(pick.text) | scales.held(" ".join(agreeing(scales.plan.rest, pick.text)))
    above = " ".join(node.title for node in state.catalog.ancestors(node)[:-1])
    own = scales.held(f"{node.title} {above}")
    way = own | scales.held(f"{node.scent} {node.summary} {' '.join(node.tags)} {found.reading.text}")
    of_names = names_held(state, node, pick.text, scales)
    proper = scales.proper - way - unit - years_of(node, scales, clock)
    fit = scales.fit(unit, own, way, way, frozenset())
    fit -= _NAME_LEFT_OUT * (len(scales.plan.anchors) - of_names) + _PROPER_LEFT_OUT * min(2, len(proper))
    fit -= _ANOTHER_OF_ITS_SET * contradicts(scales.plan.rest, pick.text)
    fit -= _NOT_IN_FORCE * (not may_be_given(node, clock, pick.text))
    fit -= _SUPERSEDED * is_superseded(state, node, scales, clock)
    if asked.kind == "open" and not asked.many and pick.value == WORDS and not tells(asked.noun, pick.text):
        fit -= _NOT_SAID
    fit -= _NOT_A_NODE * (asked.kind == "node")
    fit -= _NO_LIST * (asked.many and asked.kind in ("words", "open") and not pick.is_list)
    counted = len(scales.plan.anchors) + len(scales.proper)
    words = frozenset(scales.query.weights)
    return Candidate(
        found,
        pick,
        rank,
        fit - (_BY_STANDING_OF_WORDS if pick.value == WORDS else _BY_STANDING) * (1 - standing),
        scales.of_words(scales.clause, unit),
        scales.of_words(words, unit | own) if words & scales.telling else 1.0,
        (of_names + len(scales.proper) - len(proper)) / counted if counted else 1.0,
        words - unit - own,
    )


def names_held(state: State, node: NodeRow, text: str, scales: Scales) -> int:
    """Return how many of the texts that the question names a node is, stands below, or speaks of."""
    line = works_above(state, node)
    return sum(
        bool(line & {work_of(named) for named in anchor.nodes})
        or any(node.id.startswith(f"{named}/") for named in anchor.nodes)
        or names_in(text, anchor.words)
        for anchor in scales.plan.anchors
    )


def works_above(state: State, node: NodeRow) -> frozenset[str]:
    """Return the ids of a node's work and of all that it stands under: the value of a year is of its topic."""
    return frozenset(work_of(one.id) for one in (node, *state.catalog.ancestors(node)))


def is_superseded(state: State, node: NodeRow, scales: Scales, clock: Clock) -> bool:
    """Tell whether a text that the question does not name was replaced by another."""
    line = works_above(state, node)
    if any(line & {work_of(named) for named in anchor.nodes} for anchor in scales.plan.anchors):
        return False
    return any(changes_of(state, text, clock, ("supersedes", "repeals")) for text in _line(state, node))


def _line(state: State, node: NodeRow) -> tuple[NodeRow, ...]:
    """Return a node and what it is a part of: an instrument's article goes with the instrument."""
    return (node, *(above for above in state.catalog.ancestors(node) if node.id.startswith(f"{above.id}/")))


def years_of(node: NodeRow, scales: Scales, clock: Clock) -> frozenset[str]:
    """Return the question's years that a text may be in force in; what does not say when it holds must name them."""
    if scales.is_titled or node.in_force_from is None:
        return frozenset()
    return frozenset(str(year) for year in range(clock.start.year, clock.end.year + 1))


def changes_of(state: State, node: NodeRow, clock: Clock, kinds: Iterable[str] = _CHANGED) -> tuple[NodeRow, ...]:
    """Return the texts, in force on a clock's days, that changed a node since it reads as it does; a few of a kind."""
    ids = dict.fromkeys((node.id, work_of(node.id)))
    numbers = [n for i in ids for kind in kinds for _, n in state.catalog.edges_in(i, _CHANGES_SEEN, kind)]
    rows = state.catalog.by_numbers(numbers).values()
    return tuple(
        row
        for row in rows
        if meets(row, clock.start, clock.end) and not (node.since and row.published and row.published < node.since)
    )


def claim_of_pick(state: State, candidate: Candidate) -> Claim:
    """Return a candidate as a claim, its words cited."""
    value = "" if candidate.pick.is_one_of_several else candidate.value
    return claim_of_units(state, candidate.found.reading, candidate.pick.units, value)


def claim_of_units(state: State, reading: Reading, numbers: tuple[int, ...], value: str) -> Claim:
    """Return some units of a passage, by their numbers, as a claim with a short value, its words cited."""
    units = numbered(reading.text, reading.passage.ordinal, reading.passage.heading)
    picked = [unit for unit in units if unit.number in numbers]
    told = sum(not unit.text.startswith("#") for unit in units)
    return Claim(
        text="\n".join(unit.text if unit.text.startswith("|") else one_line(unit.text) for unit in picked),
        title=reading.node.title,
        heading=reading.passage.heading,
        citations=tuple(reading.cite(reading.text[start:end]) for start, end in _runs(picked)),
        left_out=told - len(picked) + state.catalog.count_passages(reading.node) - 1,
        value=value,
    )


def _runs(units: list[Unit]) -> list[tuple[int, int]]:
    """Return the offsets of each unbroken run of units."""
    runs: list[tuple[int, int]] = []
    last = 0
    for unit in units:
        if runs and unit.number == last + 1:
            runs[-1] = (runs[-1][0], unit.end)
        else:
            runs.append((unit.start, unit.end))
        last = unit.number
    return runs
