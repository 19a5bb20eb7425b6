"""Steps: reading a node, searching, and landing behind a door, under one clock.

Outlines and scents have modules of their own. What is chosen among what a step shows is a navigator's to decide.
"""

from __future__ import annotations

import textwrap
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate

from forest.catalog import NodeRow
from forest.ids import is_version
from forest.observation import Line, Observation, Page, check_page, clean, fitted, shortened
from forest.outline import passport_command, step_command
from forest.question import read_question
from forest.ranking import Found
from forest.reading import Reading, no_passage, ordinal_of, read_passage
from forest.retrieval import search_passages
from forest.state import State
from forest.text import count_tokens
from forest.units import Span, Unit, units_of
from forest.validity import Clock, clock_for, version_in_force

DEFAULT_LIMIT = 10
MOST_HITS = 50
_LIFTED_FROM = 2  # times as many are looked at, so that some may come up among the first
_HEADING_TOKENS = 40
_HEADER_TOKENS = 40
_FIRST_CHARACTERS = 92


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a walker stands after a door.

    Attributes:
        node: the version in force, or the node itself.
        line: why it is this one, "" where there was nothing to select.
    """

    node: NodeRow
    line: str


def step_clock(*, as_of: date | None = None, in_force_on: date | None = None, today: date) -> Clock:
    """Return the clock of a step that has no question: the days given, else today."""
    return clock_for("", as_of=as_of, in_force_on=in_force_on, today=today)


def land(state: State, node_id: str, clock: Clock) -> Landing:
    """Return where a walker lands behind a door.

    Returns:
        Of a work with versions the one in force in the clock's period, if exactly one is; else the work itself, with a
        line that says whether none is, several are, or nobody can tell. A version, or a rule without versions, itself.

    Raises:
        NodeNotFound: there is no such node, or (`NodeNotKnownYet`) none yet on the day.
    """
    state = state.on(clock.as_of)
    node = state.catalog.node(node_id)
    if is_version(node_id) or not state.catalog.versions(node_id):
        return Landing(node, "")
    verdict = version_in_force(state.catalog, node_id, clock.start, clock.end)
    if verdict.status == "one":
        return Landing(verdict.versions[0], f"This is the text of {node_id} in force on {clock.words}.")
    ids = ", ".join(text.id for text in verdict.versions)
    lines = {
        "none": f"No text of {node_id} was in force on {clock.words}; this is the rule over time.",
        "several": f"Several texts of {node_id} were in force on {clock.words}: {ids}; this is the rule over time.",
        "unknown": f"Which text of {node_id} was in force on {clock.words} is not known; {ids} do not say.",
    }
    return Landing(node, lines[verdict.status])


# --- reading ----------------------------------------------------------------------------------------------------------


def read(state: State, ref: str, clock: Clock, start: int = 1, budget: int | None = None) -> Observation[Unit]:
    """Show a node's text as numbered sentences and table rows.

    A page ends where a passage ends, if a whole passage fits; a passage over the budget goes on from page to page.

    Args:
        state: of the forest; the earlier of its day and the clock's `as_of` limits what is known.
        ref: `node`, all its passages in order, or `node#n`, one of them.
        clock: kept by the commands that go on.
        start: 1-based place of the first unit shown, among those of the node or of the passage.
        budget: tokens; `read_tokens` of `forest.yaml` unless given.

    Raises:
        NodeNotFound: there is no such node, or (`NodeNotKnownYet`) none yet on the day.
        PassageNotFound: it has no such passage.
        WrongUsage: there is no unit at the place `start`.
    """
    state = state.on(clock.as_of)
    node_id, _, number = ref.partition("#")
    node = state.catalog.node(node_id)
    budget = budget or state.config.read_budget_tokens
    counts = state.catalog.units(node)
    first = _ordinal(node, number, len(counts)) if number else 1
    ends = list(accumulate(counts[first - 1 : first] if number else counts))
    total = ends[-1] if ends else 0

    def command(at: int) -> str:
        return step_command(state, clock, "read", ref, at=at)

    what = f"sentences and rows of {ref}"
    check_page(start, total, what, command)
    at = bisect_right(ends, start - 1)
    skipped = start - 1 - (ends[at - 1] if at else 0)
    units: list[Unit] = []
    lines: list[Line] = []
    room = budget
    for unit, line in _units(state, node, range(first + at, first + len(ends)), skipped, len(counts)):
        units.append(unit)
        lines.append(line)
        room -= count_tokens(line.text)
        if room < 0:
            break
    whole = [end - start + 1 for end in ends[at:]]

    def settle(count: int) -> int:
        """Return the last end of a passage that still fits; where the first does not, all that fits of it."""
        return max((end for end in whole if end <= count), default=count)

    head = [Line(f"{node.id}  {clean(node.title)}", passport_command(state, node.id))]
    return fitted(Page(budget, start, total, what, command), head, units, lines, settle)


def _ordinal(node: NodeRow, number: str, count: int) -> int:
    ordinal = ordinal_of(number) or 0
    if not 1 <= ordinal <= count:
        raise no_passage(node, count, number)
    return ordinal


def _units(state: State, node: NodeRow, ordinals: range, skipped: int, count: int) -> Iterator[tuple[Unit, Line]]:
    """Yield the units of passages with their lines; before the first of each passage on the page, which one it is."""
    for ordinal in ordinals:
        reading = read_passage(state, node, ordinal)
        spans = units_of(reading.text)
        for number, span in enumerate(spans[skipped:], start=skipped + 1):
            unit = Unit(
                ordinal, number, reading.text[span.start : span.end], span.start, span.end,
                reading.passage.heading, span.piece, span.pieces,
            )  # fmt: skip
            begins = number == skipped + 1
            before = [_passage_line(state, node, reading, count), *_header(state, reading, span)] if begins else []
            yield unit, Line("\n".join([*before, _unit_line(unit)]))
        skipped = 0


def _unit_line(unit: Unit) -> str:
    piece = f" (piece {unit.piece:,} of {unit.pieces:,} of ONE sentence)" if unit.pieces > 1 else ""
    text = unit.text.partition("\n|")[0] if unit.text.startswith("|") else unit.text  # without the rule under a header
    return f"[{unit.number}]{piece} {clean(text)}"


def _passage_line(state: State, node: NodeRow, reading: Reading, count: int) -> str:
    heading = " > ".join(map(clean, reading.passage.heading))
    told = f"{heading}  " if heading else ""
    short = shortened(told, _HEADING_TOKENS, passport_command(state, node.id)) if told else ""
    return f"--- {short}passage #{reading.passage.ordinal} of {count:,}"


def _header(state: State, reading: Reading, span: Span) -> list[str]:
    """Return the header of the table in which a page begins, shown again so that the rows can be read."""
    text, place = reading.text, span.header
    if text.startswith("|") and (place or (span.start,))[0] == 0:
        elsewhere = state.catalog.header_in(reading.node, reading.passage.ordinal)
        if elsewhere:
            text = read_passage(state, reading.node, elsewhere).text
            last = units_of(text)[-1]
            place = last.header or (last.start, last.end)
    if place is None:
        return []
    row = clean(text[place[0] : place[1]].splitlines()[0])
    whole = f"forest read {reading.node.id}"
    return [f"(header of the table) {shortened(row, _HEADER_TOKENS, whole)}"]


# --- searching --------------------------------------------------------------------------------------------------------


def search_step(
    state: State,
    words: str,
    clock: Clock,
    start: int = 1,
    budget: int | None = None,
    limit: int = DEFAULT_LIMIT,
    *,
    explain: bool = False,
    lift: Callable[[NodeRow], float] | None = None,
) -> Observation[Found]:
    """Show the best passages for some words.

    Args:
        state: of the forest; the earlier of its day and the clock's `as_of` limits what is known.
        words: what to look for.
        clock: the days it is about.
        start: 1-based place of the first passage shown.
        budget: tokens; `search_tokens` of `forest.yaml` unless given.
        limit: how many passages are looked for, 1 to 50.
        explain: show the parts of each score.
        lift: gives what the scores of a node's passages are multiplied by; what is named stays in its place.

    Raises:
        WrongUsage: there is no passage at the place `start`.
    """
    state = state.on(clock.as_of)
    query = read_question(state, words, clock)
    found = search_passages(state, query, limit if lift is None else limit * _LIFTED_FROM)
    if lift is not None:
        found = _lifted(found, lift)[:limit]
    budget = budget or state.config.search_budget_tokens

    def command(at: int, most: int = limit) -> str:
        options = (*(("--limit", str(most)) if most != DEFAULT_LIMIT else ()), *(("--explain",) if explain else ()))
        return step_command(state, clock, "search", clean(words), *options, at=at)

    what = f"passages found for «{shortened(clean(words), _HEADING_TOKENS, 'as asked')}»"
    check_page(start, len(found), what, command)
    more = limit < MOST_HITS and len(found) == limit
    wider = command(1, MOST_HITS) if len(words) < budget // 4 else f"the same with --limit {MOST_HITS}"
    beyond = f"MORE MAY BE FOUND, as only {limit} were looked for: {wider}" if more else ""
    lines = [
        _hit_line(number, hit, step_command(state, clock, "read", hit.reading.passage.id), explain=explain)
        for number, hit in enumerate(found[start - 1 :], start=start)
    ]
    told = [Line(clean(note)) for note in query.notes()] if start == 1 else []
    return fitted(Page(budget, start, len(found), what, command, beyond), told, found[start - 1 :], lines)


def _lifted(found: tuple[Found, ...], lift: Callable[[NodeRow], float]) -> tuple[Found, ...]:
    """Return passages in the order of their scores as lifted, within their tiers."""
    boosts = {node: lift(node) for node in {hit.reading.node for hit in found}}

    def lifted(hit: Found) -> Found:
        boost = boosts[hit.reading.node]
        if not hit.tier or boost == 1.0:
            return hit
        return replace(hit, score=hit.score * boost, why=(*hit.why, ("heat", boost)))

    return tuple(sorted(map(lifted, found), key=lambda hit: (hit.tier, -hit.score if hit.tier else 0.0)))


def _hit_line(number: int, hit: Found, whole: str, *, explain: bool) -> Line:
    reading = hit.reading
    body = "\n".join(line for line in reading.text.splitlines() if not line.startswith("#")) or reading.text
    first = textwrap.shorten(clean(body), _FIRST_CHARACTERS, placeholder=" …")
    score = f"  [score {hit.score:.3f} = {'  '.join(f'{name} {amount:.3f}' for name, amount in hit.why)}]"
    name = f"[{number}] {reading.passage.id}"
    return Line(f"{name}  {clean(reading.node.title)}: {first}{score if explain else ''}", whole, len(name))
