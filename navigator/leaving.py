"""Leaving a trail: what a walk whose answer was verified leaves to later ones, once, at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from forest.errors import ForestError
from forest.routes import Memory
from forest.state import State
from navigator.trailing import trail_of
from navigator.walk import Walk
from navigator.world import World


def leave_trail(
    state: State,
    walk: Walk,
    world: World,
    memory: Memory,
    record: Callable[[Mapping[str, object]], None],
    *,
    searched: str,
    navigator: str,
    now: datetime,
) -> Walk:
    """Deposit the trail of a walk, if its answer was verified; the answer stands also where that cannot be done.

    Args:
        state: of the forest.
        walk: that ended.
        world: in which it was taken.
        memory: whether a trail is left at all, and where.
        record: keeps its id beside the walk's steps, for `forest feedback`.
        searched: the question as it was searched.
        navigator: who decided the steps.
        now: when it ended, UTC.

    Returns:
        The walk with the id of its trail, or with a remark on why there is none.
    """
    if not memory.deposit or walk.ending != "answered":
        return walk
    trail = trail_of(
        walk.answer,
        world.gone,
        world.proven,
        world.named,
        searched=searched,
        ending=walk.ending,
        navigator=navigator,
        now=now,
    )
    if trail is None:
        return walk
    from forest.trails import deposit

    try:
        deposited = deposit(state.snapshot, trail, walk.answer.question, private=memory.private)
    except ForestError as error:
        return replace(walk, remark=f"The answer stands, but it left no trail: {error}")
    record({"deposited": deposited})
    walk = replace(walk, deposited=deposited)
    if memory.shortcuts and not memory.private:  # what others see must not be earned by what they may not
        from forest.minting import consider

        try:
            consider(state, trail, now.date())
        except ForestError as error:
            return replace(walk, remark=f"The trail was left, but it earned no shortcut: {error}")
    return walk
