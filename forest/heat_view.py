"""Heat as a person sees it: the warmest doors of a forest or of a node, and the trails behind each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from forest.heat import Heat
from forest.state import State
from forest.text import one_line, printable
from forest.trail_index import Signature
from forest.trails import private_among, questions_of
from forest.warmth import ExplainedHeat, FeltSignature, Warmth

_ID = 12  # digits of a trail's id that are shown; commands take so many
_MOST_CHARACTERS = 80  # of a question


@dataclass(frozen=True, slots=True)
class SimilarSignature:
    """A signature that shares words with the question: its stems, its similarity, whether that is enough to be felt."""

    signature: Signature
    kappa: float
    felt: bool


@dataclass(frozen=True, slots=True)
class TrailBehind:
    """A trail behind the heat of a door.

    Attributes:
        id: of the trail.
        day: UTC, on which it was walked.
        kappa: similarity of its question to the one asked, 1.0 when every question is felt.
        weight: what it counts; below zero where the door led nowhere, or the answer was called bad.
        private: whether it is kept from every sync.
        question: its words, None when they are not kept.
    """

    id: str
    day: date
    kappa: float
    weight: int
    private: bool
    question: str | None


@dataclass(frozen=True, slots=True)
class WarmDoor:
    """A door with heat.

    Attributes:
        source: id of the node from which it leads, "" for an entry.
        to: id behind it.
        known: whether the forest has the node behind it, on the day asked for.
        useful: h+.
        useless: h−.
        boost: the factor for its score.
        signatures: of the walks that left it; empty where no node was asked for.
        trails: behind it, newest first, as many as are shown; empty where no node was asked for.
        more_trails: how many are not shown.
    """

    source: str
    to: str
    known: bool
    useful: float
    useless: float
    boost: float
    signatures: tuple[FeltSignature, ...] = ()
    trails: tuple[TrailBehind, ...] = ()
    more_trails: int = 0


@dataclass(frozen=True, slots=True)
class HeatPage:
    """What is told of the heat of a forest.

    Attributes:
        day: ages are counted up to it.
        node: id of the node asked for, "" for the whole forest.
        question: that feels it, as it is searched; "" when every walk is felt.
        conditioned: whether only similar questions are felt.
        similar: signatures that share words with the question, most similar first; empty when every walk is felt.
        doors: most lifted first, as many as are shown.
        more_doors: how many are not shown.
    """

    day: date
    node: str
    question: str
    conditioned: bool
    similar: tuple[SimilarSignature, ...]
    doors: tuple[WarmDoor, ...]
    more_doors: int


def heat_page(state: State, heat: Heat, node_id: str, question: str, *, conditioned: bool, limit: int) -> HeatPage:
    """Return what there is to tell.

    Args:
        state: of the forest.
        heat: of it, opened with the same `conditioned`.
        node_id: whose doors are told with their trails, its entry first; "" tells the warmest doors of the forest.
        question: that feels it, as it is searched.
        conditioned: whether only similar questions are felt.
        limit: how many doors at most, and how many signatures, and trails of each door.
    """
    felt = heat.felt_by(question)
    tau = state.config.heat.tau
    near = heat.similar(question, limit) if conditioned else ()
    similar = tuple(SimilarSignature(signature, kappa, kappa >= tau) for signature, kappa in near)
    doors = [(source, to) for source, to, _ in felt.warmest(node_id or None)]
    if node_id and felt.warmth("", node_id) != Warmth():
        doors = [("", node_id), *doors]
    known = state.catalog.by_ids(to for _, to in doors[:limit])
    told: list[WarmDoor] = []
    for source, to in doors[:limit]:
        if node_id:
            told.append(_explained(state, felt.explained(source, to, limit), to in known, limit))
        else:
            warm = felt.warmth(source, to)
            told.append(WarmDoor(source, to, to in known, warm.useful, warm.useless, felt.boost(source, to)))
    return HeatPage(heat.day, node_id, question, conditioned, similar, tuple(told), max(len(doors) - limit, 0))


def _explained(state: State, heat: ExplainedHeat, known: bool, limit: int) -> WarmDoor:
    ids = [one.trail.id for one in heat.trails]
    texts, private = questions_of(state.snapshot, ids), private_among(state.snapshot, ids)
    trails = tuple(
        TrailBehind(
            one.trail.id, one.trail.day, one.kappa, one.weight, one.trail.id in private, texts.get(one.trail.id)
        )
        for one in heat.trails
    )
    more = heat.trails_in_all - len(trails)
    signatures = heat.signatures[:limit]
    return WarmDoor(heat.source, heat.to, known, heat.useful, heat.useless, heat.boost, signatures, trails, more)


def heat_text(page: HeatPage) -> str:
    """Return a page for a terminal."""
    lines = [f"Heat of {page.node or 'the forest'} on {page.day}, {_feeling(page)}."]
    if page.similar:
        lines += ["", "Questions walked before that share words with it, by their stems:"]
        lines += [f"  {one.kappa:.3f}  {_felt(one)}  {' '.join(one.signature)}" for one in page.similar]
    lines += ["", *_doors(page)]
    return printable("\n".join(lines))


def _feeling(page: HeatPage) -> str:
    asked = f" by «{_short(page.question)}»" if page.question else ""
    return f"as it is felt{asked}" if page.conditioned else f"unconditioned: every walk is felt{asked}"


def _felt(one: SimilarSignature) -> str:
    return "felt     " if one.felt else "below tau"


def _doors(page: HeatPage) -> Iterator[str]:
    if not page.doors:
        yield "No trail is felt here."
    for door in page.doors:
        gone = "" if door.known else "  (not in this forest now)"
        heat = f"{door.boost:.3f}  h+ {door.useful:.3f}  h- {door.useless:.3f}"
        yield f"{heat}  {door.source or '(entry)'} -> {door.to}{gone}"
        yield from _trails(door.trails)
        if door.more_trails:
            yield f"         and {door.more_trails:,} older trails"
    if page.more_doors:
        yield f"\n{page.more_doors:,} more doors are warm; --limit shows more."


def _trails(trails: Iterable[TrailBehind]) -> Iterator[str]:
    for one in trails:
        words = "(question not kept)" if one.question is None else f"«{_short(one.question)}»"
        private = "  private" if one.private else ""
        yield f"         {one.id[:_ID]}  {one.day}  kappa {one.kappa:.3f}  counts {one.weight:+d}  {words}{private}"


def _short(question: str) -> str:
    text = one_line(question)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
