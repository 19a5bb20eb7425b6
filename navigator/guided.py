"""Guided: walks whose ways and answer are chosen by a model, one constrained decision at a time.

The environment searches, reads, ranks and offers; the model splits the question, chooses which way leads on, and says
which of what was read answers. `llm` asks it at every fork; `mixed` lets the scout walk first and asks only where its
ranking is not clear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from navigator.actions import Answer, Decision, GiveUp
from navigator.adviser import Adviser
from navigator.closing import ENOUGH, false_premise, follow_changes, note
from navigator.explorer import Explorer, Steps, Way, explorer_of
from navigator.fencing import line_of
from navigator.judging import Candidate
from navigator.page import Page
from navigator.published import list_published, period_asked
from navigator.scout import Patience, conclude, scouted
from navigator.setting import Setting
from navigator.shape import Language
from navigator.split import Split
from navigator.walk import Navigator

_TURNS = 10
_WAYS_HERE, _WAYS = 6, 9
_FOUND = 3
_HOLDS = 0.5  # of the datum's words, by weight, that an answer on offer must hold
_RESERVED_STEPS = 30  # of the walk's limit, for its conclusion
PATIENCE = Patience(satisfied=15, searching=36)  # of the scout, before the model is asked


@dataclass
class _Guided:
    explorer: Explorer
    adviser: Adviser
    setting: Setting
    split: Split = field(default_factory=lambda: Split((), "", frozenset()))
    walked: list[str] = field(default_factory=list)
    at: str = ""

    def walk(self) -> Steps:
        """Ask for each way until an answer is chosen, and conclude with it."""
        self.split = self.adviser.split(self.explorer.question, self.explorer.scales)
        for _ in range(_TURNS):
            if self.explorer.world.steps >= self.setting.limits.steps - _RESERVED_STEPS:
                break
            page = self.page()
            chosen = self.adviser.choose(page)
            if isinstance(chosen, Candidate):
                yield from self.conclude(chosen)
                return
            if chosen is None:
                break
            yield from self.take(chosen)
        yield from self.abstain()

    def page(self) -> Page:
        """Return what may be chosen now: the ways on from here first, then the best of elsewhere."""
        ways = [way for way in self.explorer.ways() if way.key not in self.explorer.visited]
        distinct = {way.place.node: way for way in reversed(ways)}
        best = [way for way in ways if distinct[way.place.node] is way]
        here = [way for way in best if way.door is not None and way.place.links[-1].source == self.at][:_WAYS_HERE]
        shown = (*here, *[way for way in best if way not in here][: _WAYS - len(here)])
        found = tuple(self.on_offer())
        nodes = {way.place.node for way in shown} | {candidate.place.node for candidate in found}
        nodes |= {way.place.links[-1].source for way in shown if way.place.links}
        titles = {node: row.title for node, row in self.explorer.world.state.catalog.by_ids(nodes).items()}
        walked = tuple(self.walked)
        return Page(self.explorer.question, self.split, walked, shown, found, titles, self.adviser.language)

    def on_offer(self) -> Iterator[Candidate]:
        """Yield what may answer: a few that say different things and hold most of what the datum is named by."""
        scales, kept = self.explorer.scales, list[Candidate]()
        for candidate in sorted(self.explorer.judge.candidates, key=lambda c: -c.score):
            unit = candidate.place.door if candidate.pick is None else candidate.pick.held
            held = scales.of_words(self.split.words, unit | candidate.place.own | scales.held(candidate.value))
            if held < _HOLDS or any(candidate.says_as(other) for other in kept):
                continue
            kept.append(candidate)
            yield candidate
            if len(kept) == _FOUND:
                return

    def take(self, way: Way) -> Steps:
        """Go a way, and remember it in a line."""
        door = way.door
        yield from by_model(self.explorer.take(way))
        self.at = self.explorer.here()
        here = self.explorer.world.here
        title = line_of(here.title) if here is not None else ""
        said = f": «{line_of(way.place.said)[:160]}»" if way.place.said else ""
        self.walked.append(f"{title}{said}" if door is not None else title)

    def conclude(self, chosen: Candidate) -> Steps:
        """Answer with what was chosen, unless the text changed since or the question supposes what it denies."""
        explorer = self.explorer
        before = len(explorer.judge.candidates)
        yield from follow_changes(explorer, chosen, explorer.world.steps + _RESERVED_STEPS // 2)
        changed = explorer.judge.candidates[before:]
        best = changed[-1] if changed and changed[-1].score == chosen.score + 1 else chosen
        truth, remark = false_premise(explorer, best)
        if truth is not None:
            yield from note(explorer, replace(best, pick=truth, value=truth.value))
            yield Decision(Answer(remark), "the question supposes what the text denies")
            return
        yield from note(explorer, best)
        yield Decision(Answer(), "the model says that it answers", by_model=True)

    def abstain(self) -> Steps:
        """Say what came nearest, and what is missing."""
        best = self.explorer.judge.best()
        if best is not None:
            yield from note(self.explorer, best)
        yield Decision(GiveUp(self.explorer.judge.missing(best)), "nothing that was read answers")


def by_model(steps: Steps) -> Steps:
    """Yield decisions as they are, the first marked as the model's own."""
    try:
        observation = yield replace(next(steps), by_model=True)
        while True:
            observation = yield steps.send(observation)
    except StopIteration as end:
        return end.value


def _guided(setting: Setting, name: str) -> _Guided:
    asking = setting.asking
    explorer = explorer_of(asking.scales, setting.world, asking.text, setting.state.config.edge_kinds)
    language: Language = "en" if setting.language == "en" else "es"
    return _Guided(explorer, Adviser(setting.model_for(name), language, asking.clock.words), setting)


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
