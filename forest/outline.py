"""Outline: where a node stands and what it consists of, passages and children. One step of a walk.

Owns, too, the lines and commands that outline, scent and read share: what a node is, and how a step is asked for again
under the same clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from forest.catalog import NodeRow, Period
from forest.config import Config
from forest.observation import Line, Observation, Page, check_page, clean, fitted, most_items, shell_command
from forest.passage import Passage
from forest.reading import read_passage
from forest.state import State
from forest.text import count_tokens
from forest.validity import Clock

_FIRST_WORDS = 12
_DAYS_TOLD = 4


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a node.

    Attributes:
        kind: `passage` or `child`.
        id: `node#ordinal` of a passage, the id of a child.
        title: the headings of a passage, outermost first, joined by " > "; the title of a child.
        line: the first words of a passage; the scent of a child, or what the node states in its place.
        tokens: of a passage; 0 for a child.
        number: 1-based place among all parts under the clock.
    """

    kind: str
    id: str
    title: str
    line: str
    tokens: int
    number: int


def outline(
    state: State, node_id: str | None, clock: Clock, start: int = 1, budget: int | None = None
) -> Observation[Part]:
    """Show where a node stands, what it says of itself, and its parts: passages in order, then children by id.

    Args:
        state: of the forest; the earlier of its day and the clock's `as_of` limits what is known.
        node_id: of the node; None is the root.
        clock: of versions among the children, only those in force in its period are parts.
        start: 1-based number of the first part shown.
        budget: tokens; `outline_tokens` of `forest.yaml` unless given.

    Raises:
        NodeNotFound: there is no such node, or (`NodeNotKnownYet`) none yet on the day.
        WrongUsage: there is no part with the number `start`.
    """
    state = state.on(clock.as_of)
    node = state.catalog.node(node_id) if node_id is not None else state.catalog.root()
    config = state.config
    budget = budget or config.outline_budget_tokens
    sizes = state.catalog.passage_tokens(node)
    count = len(sizes) + state.catalog.count_children(node, period_of(clock))
    name = [node.id] if node_id is not None else []

    def command(at: int) -> str:
        return step_command(state, clock, "outline", *name, at=at)

    check_page(start, count, f"parts of {node.id}", command)
    parts = _parts(state, node, clock, len(sizes), start, most_items(budget))
    children = count - len(sizes)
    plural = "" if len(sizes) == 1 else "s"
    told = f"text: {len(sizes):,} passage{plural}, {sum(sizes):,} tokens" if sizes else "text: none of its own"
    head = [
        *_path(state, node, clock),
        *standing(state, node, clock, config),
        Line(f"{told}; children: {children:,}"),
        *other_versions(state, node, clock, "outline"),
    ]
    page = Page(budget, start, count, f"parts of {node.id}", command)
    return fitted(page, head, parts, [_part_line(state, clock, part) for part in parts])


def _parts(state: State, node: NodeRow, clock: Clock, passages: int, start: int, limit: int) -> tuple[Part, ...]:
    parts = []
    if start <= passages:
        parts = [_passage_part(state, node, p) for p in state.catalog.passages(node, limit, start - 1)]
    rest = limit - len(parts)
    if rest > 0:
        first = max(start, passages + 1)
        below = state.catalog.children(node, rest, first - passages - 1, period_of(clock))
        for number, child in enumerate(below, start=first):
            line = state.catalog.override(node, child.id) or child.scent
            parts.append(Part("child", child.id, child.title, line, 0, number))
    return tuple(parts)


def _passage_part(state: State, node: NodeRow, passage: Passage) -> Part:
    text = read_passage(state, node, passage.ordinal).text
    body = "\n".join(line for line in text[:2_000].splitlines() if not line.startswith("#")) or text
    words = body.split(maxsplit=_FIRST_WORDS)
    first = " ".join(words[:_FIRST_WORDS]) + (" …" if len(words) > _FIRST_WORDS else "")
    return Part("passage", passage.id, " > ".join(passage.heading), first, passage.tokens, passage.ordinal)


def _part_line(state: State, clock: Clock, part: Part) -> Line:
    if part.kind == "passage":
        name, whole = f"[{part.number}] {part.id}", step_command(state, clock, "read", part.id)
        told = f"{clean(part.title)}  ({part.tokens:,} tokens)" if part.title else f"({part.tokens:,} tokens)"
    else:
        name, whole = f"[{part.number}] child {part.id}", passport_command(state, part.id)
        told = clean(part.title)
    return Line(f"{name}  {told}: {clean(part.line)}", whole, len(name))


def _path(state: State, node: NodeRow, clock: Clock) -> list[Line]:
    """Return the line of the nodes above, nearest last; none at the root."""
    above = state.catalog.ancestors(node)
    if not above:
        return []
    nearest_first = " < ".join(f"{one.id} ({clean(one.title)})" for one in above)
    return [Line(f"under: {nearest_first}", step_command(state, clock, "outline", above[0].id))]


# --- what the steps at a node share -----------------------------------------------------------------------------------


def standing(state: State, node: NodeRow, clock: Clock, config: Config) -> list[Line]:
    """Return the lines that say what a node is (id, kind, title, summary, days, tags) and under which clock."""
    whole = passport_command(state, node.id)
    lines = [Line(f"{node.id}  ({node.kind})  {clean(node.title)}", whole, len(node.id))]
    summary = count_tokens(node.summary)
    if summary > config.summary_budget_tokens:
        told = f"WITHHELD: its summary has {summary:,} tokens, over the {config.summary_budget_tokens} allowed: {whole}"
        lines.append(Line(told))
    elif node.summary:
        lines.append(Line(clean(node.summary), whole))
    facts = facts_of(node)
    lines += [Line("; ".join(facts), whole)] if facts else []
    known = [f"nothing known later than {state.as_of}"] if state.as_of is not None else []
    holds = [f"texts in force on {clock.words}"] if clock.source != "today" else []
    return [*lines, *([Line("shown: " + "; ".join([*known, *holds]))] if known or holds else [])]


def facts_of(node: NodeRow) -> list[str]:
    """Return what a passport says of days and tags, each as `name: value`."""
    facts = [f"tags: {', '.join(map(clean, node.tags))}"] if node.tags else []
    facts += [f"published: {node.published}"] if node.published else []
    facts += [f"text as of: {node.text_as_of}"] if node.text_as_of else []
    if node.in_force_from or node.in_force_to:
        end = node.in_force_to or ("open" if node.open_ended else "unknown")
        facts.append(f"in force: from {node.in_force_from or 'unknown'} to {end}")
    return facts


def other_versions(state: State, node: NodeRow, clock: Clock, step: str) -> list[Line]:
    """Return the line that counts the versions which the clock leaves out, and says how to see them; none if none."""
    versions = state.catalog.count_children(node) - state.catalog.count_children(node, period_of(clock))
    if not versions:
        return []
    others = state.catalog.other_versions(node, period_of(clock), _DAYS_TOLD)
    days = [day for text in others if (day := text.in_force_from or text.since or text.published) is not None]
    told = f"{versions:,} other version{'' if versions == 1 else 's'}, not in force on {clock.words}"
    if not days:
        return [Line(f"{told}: {passport_command(state, node.id)}")]
    more = ", …" if versions > len(days) else ""
    since = f" (since {', '.join(map(str, days))}{more})" if versions > 1 else ""
    asked = shell_command(*_words(state, step, node.id), "--in-force-on", str(days[-1]))
    return [Line(f"{told}{since}: {asked}")]


def period_of(clock: Clock) -> Period:
    """Return the half-open period that selects versions."""
    return clock.start, clock.end


def step_command(state: State, clock: Clock, step: str, *arguments: str, at: int = 1) -> str:
    """Return the command that takes a step under the same clock, from a place on."""
    begin = ("--from", str(at)) if at > 1 else ()
    # A period read in a question that is longer than a day has no option; its first day is nearest. The words of a
    # search bring theirs along.
    told = clock.source == "option" or (clock.source == "question" and step != "search")
    on = ("--in-force-on", clock.start.isoformat()) if told else ()
    return shell_command(*_words(state, step, *arguments), *begin, *on)


def passport_command(state: State, node_id: str) -> str:
    """Return the command that prints a passport as written, however long."""
    place = ("--forest", state.place) if state.place else ()
    return shell_command("forest", "show", node_id, "--passport", "--at", "HEAD", *place)


def _words(state: State, step: str, *arguments: str) -> tuple[str, ...]:
    place = ("--forest", state.place) if state.place else ()
    known = ("--as-of", state.as_of.isoformat()) if state.as_of is not None else ()
    return ("forest", step, *arguments, *place, *known)
