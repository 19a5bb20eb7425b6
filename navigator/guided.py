"""Guided: walks whose ways and answer are chosen by a model, one constrained decision at a time.

The environment searches, reads, ranks and offers; the model splits the question, chooses which way leads on, and says
which of what was read answers. `llm` asks it at every fork; `mixed` lets the scout walk first and asks only where its
ranking is not clear.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from forest.observation import Observation
from forest.spelling import wording_of
from navigator.actions import Answer, Decision, GiveUp
from navigator.adviser import Adviser
from navigator.closing import ENOUGH, false_premise, follow_changes, note, noted
from navigator.explorer import Explorer, Steps, Way, explorer_of
from navigator.fencing import inner_line, line_of, quoted
from navigator.judging import Candidate, Place
from navigator.offering import Offering, is_refused
from navigator.page import Page
from navigator.published import list_published, period_asked
from navigator.scout import COMPUTED, PATIENCE, TOO_LITTLE, conclude, scouted
from navigator.setting import Setting
from navigator.shape import Language
from navigator.split import Split
from navigator.walk import Navigator

_IDLE_TURNS = 4  # without anything that answers better, or a way that explains more, after which it concludes
_TURNS = 12
_WAYS_HERE, _WAYS = 5, 7
_FEW, _ELSEWHERE = 2, 2  # ways; below the one more are shown from elsewhere, else only the other many
_SAID_CHARACTERS = 160
_RETRIES = 1  # after an answer that does not stand
_RESERVED_STEPS = 30  # of the walk's limit, for its conclusion
_RESERVED_SHARE = 0.2  # of its limits of tokens and seconds


@dataclass
class _Guided:
    explorer: Explorer
    adviser: Adviser
    setting: Setting
    split: Split = field(default_factory=lambda: Split((), "", frozenset()))
    place: Place | None = None
    taken: set[tuple[str, str]] = field(default_factory=set)
    refused: list[Candidate] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def walk(self) -> Steps:
        """Ask for each way until an answer is chosen and stands, or it is time to conclude with what there is."""
        if not self.explorer.scales.says_enough:  # whatever has its one word would be on offer
            yield Decision(GiveUp(TOO_LITTLE), "one word alone tells no answer from another")
            return
        self.split = self.adviser.split(self.explorer.question, self.explorer.scales)
        yield from self.start()
        idle = 0
        for _ in range(_TURNS):
            ends = self.nears_a_limit()
            page = self.page()
            chosen = self.adviser.choose(replace(page, here=(), elsewhere=()) if ends else page)
            if isinstance(chosen, Candidate):
                if (yield from self.conclude(chosen)):
                    return
                if len(self.complaints) > _RETRIES:
                    break
            elif chosen is None or ends:
                break
            else:
                before = self.explorer.improved
                yield from self.go(chosen, f"option {page.key_of(chosen)} of {len(page.options) - 1}")
                idle = 0 if self.explorer.improved > before else idle + 1
                if idle >= _IDLE_TURNS:
                    break
        yield from self.abstain()

    def nears_a_limit(self) -> bool:
        """Tell whether what is left of the walk's steps, tokens or seconds is needed to conclude."""
        limits, world = self.setting.limits, self.explorer.world
        return (
            world.steps >= limits.steps - _RESERVED_STEPS
            or world.tokens >= limits.tokens * (1 - _RESERVED_SHARE)
            or self.setting.seconds_left() <= limits.wall_seconds * _RESERVED_SHARE
        )

    def start(self) -> Steps:
        """Enter what the question names, where that is one text: there is nothing to choose."""
        named = [way for way in self.explorer.ways(gone=True) if way.door is None and way.place.named > 0]
        if len(named) == 1:
            yield from self.go(named[0], "")

    def go(self, way: Way, chosen: str) -> Steps:
        """Take a way, and stand where it leads.

        Args:
            way: to be taken.
            chosen: what of the page the model chose, "" where it was not asked.
        """
        self.taken.add(_step_of(way))
        arrived = yield from _marked(self.explorer.take(way, again=True), chosen, self.split.told())
        self.place = arrived or self.place

    # --- what is on offer ----------------------------------------------------------------------------------------

    def page(self) -> Page:
        """Return what may be chosen now: the ways on from here first, then the best of elsewhere."""
        ways = [way for way in self.explorer.ways(gone=True) if _step_of(way) not in self.taken]
        on_it = self.place.way if self.place is not None else frozenset[str]()
        here = _each_node_once([way for way in ways if self._is_here(way)], on_it)
        # What the question names is where it begins: ways from other texts are shown where few lead on from there.
        elsewhere = _each_node_once(ways, on_it | {way.place.node for way in here})
        if len(named := [way for way in elsewhere if way.place.named > 0]) + len(here) >= _FEW:
            elsewhere = named
        hubs = self._hubs((*here, *elsewhere))
        if len({way.place.node for way in (*here, *elsewhere)} - hubs) >= _FEW:
            here = [way for way in here if way.place.node not in hubs]
            elsewhere = [way for way in elsewhere if way.place.node not in hubs]
        here = here[:_WAYS_HERE]
        elsewhere = elsewhere[: max(_ELSEWHERE, _WAYS - len(here) if len(here) < _FEW else 0)]
        found = Offering(self.explorer, self.split).on_offer(self.place, self.refused)
        nodes = {way.place.node for way in (*here, *elsewhere)} | {candidate.place.node for candidate in found} | on_it
        nodes |= {way.place.links[-1].source for way in elsewhere if way.place.links}
        titles = {node: row.title for node, row in self.explorer.world.state.catalog.by_ids(nodes).items()}
        walked = tuple(_told(self.place, titles)) if self.place is not None else ()
        walked += tuple(map(inner_line, self.complaints))
        question, language = self.explorer.question, self.adviser.language
        return Page(question, self.split, walked, tuple(here), tuple(elsewhere), found, titles, language)

    def _hubs(self, ways: Iterable[Way]) -> frozenset[str]:
        """Return the topics with texts below them that ways lead to: from there one only gets to their many others."""
        catalog = self.explorer.world.state.catalog
        topics = {way.place.node for way in ways if way.door is not None and way.door.node_kind == "topic"}
        return frozenset(node for node, row in catalog.by_ids(topics).items() if catalog.count_children(row))

    def _is_here(self, way: Way) -> bool:
        links = way.place.links
        return (
            self.place is not None
            and links[:-1] == self.place.links
            and links[-1:] != ()
            and (links[-1].source == self.place.node)
        )

    # --- the end -------------------------------------------------------------------------------------------------

    def conclude(self, chosen: Candidate) -> Generator[Decision, Observation[Any], bool]:
        """Answer with what was chosen, unless the text changed since or the question supposes what it denies.

        Returns:
            Whether the walk ended; not when what was chosen cannot be claimed: why is kept in `complaints`.
        """
        explorer = self.explorer
        ways = (_after(chosen.place, way) for way in explorer.ways(gone=True) if _source(way) == chosen.place.node)
        changed = yield from follow_changes(explorer, chosen, ways, explorer.world.steps + _RESERVED_STEPS // 2)
        best = changed or chosen
        truth, remark = false_premise(explorer, best)
        said = best if truth is None else replace(best, pick=truth, value=truth.value)
        if complaint := (yield from noted(explorer, said)):
            self.refused += [chosen, best, said]
            self.complaints.append(complaint)
            return False
        if truth is not None:
            yield Decision(Answer(remark), "the question supposes what the text denies")
        elif missing := COMPUTED if explorer.scales.plan.asked.computed else remark:
            yield Decision(GiveUp(missing), "what was chosen is not all that is asked")
        else:
            yield Decision(Answer(), "the model says that it answers", by_model=True, plan=self.split.told())
        return True

    def abstain(self) -> Steps:
        """Say what came nearest, and what is missing."""
        judge = self.explorer.judge
        open_to = (candidate for candidate in judge.candidates if not is_refused(candidate, self.refused))
        best = max(open_to, key=lambda candidate: candidate.score, default=None)
        if best is not None:
            yield from note(self.explorer, best)
        missing = "; ".join((judge.missing(best), *(line_of(one).rstrip(".") for one in self.complaints)))
        yield Decision(GiveUp(missing), "nothing that was read answers", plan=self.split.told())


def _source(way: Way) -> str:
    return way.place.links[-1].source if way.place.links else ""


def _step_of(way: Way) -> tuple[str, str]:
    """Return from where a way leads where."""
    return _source(way), way.place.node


def _after(place: Place, way: Way) -> Way:
    """Return a way on from a place as taken after the whole way to it."""
    return replace(way, place=replace(way.place, links=(*place.links, way.place.links[-1])))


def _each_node_once(ways: Iterable[Way], but: Collection[str]) -> list[Way]:
    """Return the first way to each node, without those to some nodes."""
    first: dict[str, Way] = {}
    for way in ways:
        if way.place.node not in but:
            first.setdefault(way.place.node, way)
    return list(first.values())


def _told(place: Place, titles: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each node of a way: where it is, and the words that lead on from it."""
    for link in place.links:
        yield inner_line(titles.get(link.source, link.source))
    said = f": {quoted(line_of(place.said)[:_SAID_CHARACTERS])}" if place.said else ""
    yield f"{inner_line(titles.get(place.node, place.node))}{said}"


def _marked(steps: Steps, chosen: str, plan: tuple[str, ...]) -> Steps:
    """Yield decisions as they are, the first with the plan that it follows, and as the model's if it chose it."""
    try:
        first = next(steps)
        why = f"{chosen}; {first.why}" if chosen else first.why
        observation = yield replace(first, by_model=bool(chosen), why=why, plan=plan)
        while True:
            observation = yield steps.send(observation)
    except StopIteration as end:
        return end.value


def _guided(setting: Setting, name: str) -> _Guided:
    asking = setting.asking
    explorer = explorer_of(asking.scales, setting.world, asking.text, setting.state.config.edge_kinds)
    told = setting.language or wording_of(setting.state, asking.text).language
    language: Language = "en" if told == "en" else "es"
    return _Guided(explorer, Adviser(setting.model_for(name), language, asking.clock.words, setting.shuffle), setting)


def llm(setting: Setting) -> Navigator:
    """Return the decisions of a walk on which a model is asked at every fork."""
    guided = _guided(setting, "llm")
    if period := period_asked(guided.explorer):
        yield from list_published(guided.explorer, *period)
        return
    yield from guided.explorer.begin()
    yield from guided.walk()


def mixed(setting: Setting) -> Navigator:
    """Return the decisions of a walk that the scout begins, and on which a model is asked where it is not sure."""
    guided = _guided(setting, "mixed")
    explorer = guided.explorer
    if period := period_asked(explorer):
        yield from list_published(explorer, *period)
        return
    yield from scouted(explorer, setting.patience or PATIENCE)
    best = explorer.judge.best()
    if best is not None and best.fit >= ENOUGH:
        yield from conclude(explorer)
    else:
        yield from guided.walk()
