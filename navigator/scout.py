"""The scout: a navigator without a model. It follows the relations that a question asks for, reads, and picks.

It keeps a list of doors seen and not yet taken, and always takes the one that leaves least of the question
unexplained. It answers when hardly anything is left, and abstains with what it found otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from forest.edge import EdgeKinds
from forest.heat import NO_HEAT
from forest.weighing import Scales
from navigator.actions import Answer, Decision, GiveUp
from navigator.closing import ENOUGH, false_premise, follow_changes, note
from navigator.explorer import Explorer, Steps, explorer_of
from navigator.published import list_published, period_asked
from navigator.walk import Navigator
from navigator.world import World

_STEPS = 140  # after which it decides with what it has
_FOR_CHANGES = 16  # more steps, to see whether the answer was changed
_PLENTY = 0.86  # how well a candidate must answer for the walk to stop looking
_LEAD = 0.12  # and by how much it must lead
# Told as missing.
TOO_LITTLE = "what the question is about: name a text, or say more"
COMPUTED = "a value computed from several: what was found is quoted, not computed with"
SEVERAL = "which of several rows is meant: what was found is one of them"


@dataclass(frozen=True, slots=True)
class Patience:
    """After how many steps without progress a walk concludes with what it has.

    Progress is something that answers better, or a way that explains more of the question.

    Attributes:
        satisfied: when what it has may be answered.
        searching: when it may not.
    """

    satisfied: int
    searching: int


# Of a walk that is only one of several ways to answer; docs/decisions/0012-the-router.md says how it was chosen.
PATIENCE = Patience(satisfied=15, searching=36)


def scout(scales: Scales, world: World, question: str, kinds: EdgeKinds, patience: Patience | None = None) -> Navigator:
    """Return the scout's decisions for a question.

    Args:
        scales: the question's plan, and what its words weigh.
        world: where it walks; read, never changed: only decisions change it.
        question: as asked.
        kinds: the forest's edge kinds.
        patience: when it concludes before its last step; never unless given.
    """
    return _walk(explorer_of(scales, world, question, kinds), patience)


def _walk(explorer: Explorer, patience: Patience | None) -> Navigator:
    """Look at what a search finds, then follow doors from what the question names, and conclude."""
    if period := period_asked(explorer):
        yield from list_published(explorer, *period)
        return
    yield from scouted(explorer, patience)
    yield from conclude(explorer)


def scouted(explorer: Explorer, patience: Patience | None) -> Steps:
    """Take the most promising ways until what was found is plenty, or patience or steps are at an end."""
    if begin_at := explorer.world.begin_at:
        explorer.world.show(begin_at)
        explorer.offer(explorer.judge.entry(begin_at), None)
    else:
        yield from explorer.find_names()
        yield from _follow_heat(explorer)
        if not is_plenty(explorer):
            yield from explorer.glance()
            explorer.offer_named()
    while explorer.world.steps < _STEPS and not (is_plenty(explorer) or _is_settled(explorer, patience)):
        way = explorer.best_way()
        if way is None:
            break
        yield from explorer.take(way)
    best = explorer.judge.best()
    if best is not None and best.fit >= ENOUGH:
        length = len(best.place.links) + 1
        on = (way for way in explorer.ways() if len(way.place.links) == length)
        changes = (way for way in on if way.place.links[-1].source == best.place.node)
        better = yield from follow_changes(explorer, best, changes, _STEPS + _FOR_CHANGES)
        if better is not None:
            explorer.judge.candidates.append(replace(better, score=best.score + 1))


def _follow_heat(explorer: Explorer) -> Steps:
    """Begin where earlier walks of similar questions succeeded, for as long as what they lift comes first anyway."""
    world = explorer.world
    if world.felt is NO_HEAT:
        return
    explorer.offer_named()
    if world.with_cases:
        explorer.offer_cases()
    yield from _warm_ways(explorer)
    if not is_plenty(explorer):
        yield from explorer.glance(warm_only=True)
        yield from _warm_ways(explorer)


def _warm_ways(explorer: Explorer) -> Steps:
    while explorer.world.steps < _STEPS and not is_plenty(explorer):
        way = explorer.warm_way()
        if way is None:
            break
        yield from explorer.take(way)


def is_plenty(explorer: Explorer) -> bool:
    """Tell whether looking further is not worth it."""
    best, asked = explorer.judge.best(), explorer.scales.plan.asked
    if best is None or (asked.many and asked.kind in ("words", "open") and not (best.pick and best.pick.is_list)):
        return False
    return best.fit >= _PLENTY and explorer.judge.lead(best) >= _LEAD


def _is_settled(explorer: Explorer, patience: Patience | None) -> bool:
    """Tell whether nothing better was found for longer than there is patience for."""
    best = explorer.judge.best()
    enough = best is not None and best.fit >= ENOUGH
    if patience is None:
        # What similar questions were answered from, and answers this one, is not likely to be bettered.
        is_warm = best is not None and enough and best.place.node in explorer.warmed
        return is_warm and explorer.world.steps - explorer.improved >= PATIENCE.satisfied
    return explorer.world.steps - explorer.improved >= (patience.satisfied if enough else patience.searching)


def conclude(explorer: Explorer) -> Steps:
    """Note the evidence of the way and the answer, or abstain."""
    best = explorer.judge.best()
    if best is None:
        yield Decision(GiveUp(explorer.judge.missing(None)), "nothing that was read holds an answer")
        return
    truth, remark = false_premise(explorer, best)
    if truth is not None:
        yield from note(explorer, replace(best, pick=truth, value=truth.value))
        yield Decision(Answer(remark), "the question supposes what the text denies")
        return
    yield from note(explorer, best)
    if explorer.scales.plan.asked.computed:
        yield Decision(GiveUp(COMPUTED), "it reads values, and does not compute with them")
    elif best.fit < ENOUGH:
        yield Decision(GiveUp(explorer.judge.missing(best)), f"the best answers only {best.fit:.0%} of the question")
    elif not explorer.scales.says_enough:
        yield Decision(GiveUp(TOO_LITTLE), "one word alone tells no answer from another")
    elif explorer.judge.is_one_of_several(best):
        yield Decision(GiveUp(SEVERAL), "several rows answer equally well")
    elif remark:
        yield Decision(GiveUp(remark), "the question supposes what nothing read confirms")
    else:
        yield Decision(Answer(), f"it answers {best.fit:.0%} of the question")
