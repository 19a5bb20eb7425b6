"""What an explorer remembers of ways, whoever takes them."""

from __future__ import annotations

from forest.fitting import asking_of
from forest.state import State
from navigator.explorer import Explorer, explorer_of
from navigator.world import World
from tests.navigator.beach import TODAY


def exploring(state: State, question: str) -> Explorer:
    asking = asking_of(state, question, today=TODAY, as_of=None, in_force_on=None)
    return explorer_of(asking.scales, World(state, asking.clock), question, state.config.edge_kinds)


def begun(state: State, question: str) -> Explorer:
    explorer = exploring(state, question)
    steps = explorer.begin()
    observation = None
    try:
        while True:
            decision = next(steps) if observation is None else steps.send(observation)
            observation = explorer.world.take(decision.action)
    except StopIteration:
        return explorer


def test_ways_are_told_the_most_promising_first_and_the_best_is_taken_out(state: State) -> None:
    explorer = begun(state, "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?")
    ways = explorer.ways()
    assert len(ways) > 2
    assert [way.promise for way in ways] == sorted((way.promise for way in ways), reverse=True)
    assert explorer.best_way() is ways[0]
    assert explorer.ways() == ways[1:]


def test_a_way_that_was_taken_out_is_still_known_to_whoever_asks_for_all(state: State) -> None:
    explorer = begun(state, "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?")
    before = explorer.ways()
    while explorer.best_way() is not None:
        pass
    assert explorer.ways() == ()
    assert explorer.ways(gone=True) == before
