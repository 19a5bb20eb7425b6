"""Tools about references: which text held when, and where references lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from forest.catalog import NodeRow
from forest.ids import work_of
from forest.state import State
from forest.tools.documents import MOST_LISTED, chunks_of, number_in, whole_of
from forest.tools.reply import Outcome, Refusal, tool
from forest.tools.session import Session, day_of
from forest.validity import version_in_force as verdict_of

DIRECTIONS = ("out", "in", "both")


@dataclass(frozen=True, slots=True)
class Version:
    """One text of a rule.

    Attributes:
        id: of its node.
        title: of the node.
        document_id: of what document.
        in_force_from: first day in force, None when unknown.
        in_force_to: first day no longer in force, None when unknown or open.
        open_ended: it says that it is in force until something ends it.
        basis: the words that say when it holds, "" when none do.
        chunk_ids: its passages.
    """

    id: str
    title: str
    document_id: str
    in_force_from: date | None
    in_force_to: date | None
    open_ended: bool
    basis: str
    chunk_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """One edge, seen from a node.

    Attributes:
        kind: of the edge, or its inverse's name when it arrives.
        direction: `out` when the node states it, `in` when another does.
        node_id: its other end.
        document_id: of what document that is.
        title: of the other end.
        scent: what lies there.
        basis: the words by which its source establishes it.
    """

    kind: str
    direction: str
    node_id: str
    document_id: str
    title: str
    scent: str
    basis: str


@tool
def version_in_force(session: Session, id: str, date: str) -> Outcome[Version]:  # noqa: A002 - the contract's names
    """Tell which text of a rule was in force on a day; never guesses.

    Args:
        session: the caller's.
        id: of a work, or of one of its versions.
        date: a day as YYYY-MM-DD.

    Returns:
        One version; none (`empty`); several (`ambiguous`); or those that do not say when they hold (`partial`).
    """
    day = day_of(date, "date")
    state = session.now
    work = work_of(id) if state.catalog.find(work_of(id)) is not None else session.node(id).id
    clock = session.clock(in_force_on=day)
    verdict = verdict_of(state.catalog, work, clock.start, clock.end)
    items = tuple(_version(state, node) for node in verdict.versions)
    session.discover((item.document_id for item in items), (chunk for item in items for chunk in item.chunk_ids))
    if verdict.status == "one":
        return Outcome(items)
    texts = ", ".join(text.id for text in state.catalog.versions(work))
    if verdict.status == "none":
        return Outcome((), "empty", f"No text of {work} was in force on {day}.", f"Its texts: {texts or work}.")
    if verdict.status == "several":
        return Outcome(items, "ambiguous", f"Several texts of {work} were in force on {day}.", "Read what each says.")
    why = f"Which text of {work} was in force on {day} is not known: these do not say when they hold."
    return Outcome(items, "partial", why, "Read what each says of its entry into force.", complete=False)


@tool
def follow_references(
    session: Session,
    id: str,  # noqa: A002 - the contract's name
    *,
    direction: str = "out",
    kinds: Sequence[str] = (),
    limit: int = 100,
) -> Outcome[Reference]:
    """Show where the typed references of a node lead, and which reach it.

    Args:
        session: the caller's.
        id: of a node.
        direction: `out` (what it states), `in` (what is stated of it), or `both`.
        kinds: of edges, by name or by the name of the inverse; empty means all.
        limit: how many at most, 1 to 1,000.
    """
    number_in("limit", limit, 1, MOST_LISTED)
    if direction not in DIRECTIONS:
        raise Refusal("invalid", f"There is no direction {str(direction)[:20]!r}.", f"Try: {', '.join(DIRECTIONS)}.")
    state = session.now
    node = session.node(id)
    inverses = {kind.name: kind.inverse for kind in state.config.edge_kinds}
    known = {*inverses, *inverses.values()}
    if isinstance(kinds, str) or not all(kind in known for kind in kinds):
        raise Refusal("invalid", f"kinds must be a list of: {', '.join(sorted(inverses))}.", "Leave it out for all.")
    wanted = {name for name, inverse in inverses.items() if not kinds or name in kinds or inverse in kinds}
    found = _references(state, node, direction, wanted, inverses)
    items = tuple(found[:limit])
    session.discover((item.document_id for item in items), ())
    total = len(found)
    if not items:
        return Outcome((), "empty", f"{id} has no such references.", "Try direction both, or other kinds.")
    more = f"{total - limit:,} more follow." if total > limit else ""
    hint = "Give a larger limit." if more else ""
    return Outcome(items, message=more, hint=hint, complete=not more, scanned={"references": total})


def _references(
    state: State, node: NodeRow, direction: str, wanted: set[str], inverses: dict[str, str]
) -> list[Reference]:
    out = [edge for edge in state.catalog.edges_out(node) if edge[0] in wanted] if direction != "in" else []
    ids = dict.fromkeys((node.id, work_of(node.id)))  # an edge usually means the work and not one wording of it
    arriving = [
        (kind, num, to)
        for to in ids
        for kind, num in state.catalog.edges_in(to)
        if kind in wanted and direction != "out"
    ]
    ends = state.catalog.by_ids(to for _, to, _, _ in out)
    sources = state.catalog.by_numbers(num for _, num, _ in arriving)
    documents = state.catalog.by_numbers(row.document for row in (*ends.values(), *sources.values()))
    found = [
        Reference(kind, "out", to, documents[ends[to].document].id, ends[to].title, scent, basis)
        for kind, to, scent, basis in out
        if to in ends
    ]
    for kind, num, to in arriving:
        if (source := sources.get(num)) is not None:
            basis = next(b for k, t, _, b in state.catalog.edges_out(source) if (k, t) == (kind, to))
            found.append(
                Reference(
                    inverses.get(kind, kind),
                    "in",
                    source.id,
                    documents[source.document].id,
                    source.title,
                    source.scent,
                    basis,
                )
            )
    return found


def _version(state: State, node: NodeRow) -> Version:
    return Version(
        node.id,
        node.title,
        whole_of(state, node).id,
        node.in_force_from,
        node.in_force_to,
        node.open_ended,
        node.in_force_basis,
        chunks_of(state, node),
    )
