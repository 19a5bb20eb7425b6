"""An arm as a value: a name, its parameters, and how it is opened on a forest. What each one does is in its module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.attempt import Asked, Parameters, Reply
from forest.reading import Reading, read_passage
from forest.state import State
from navigator.chat import Chat

Answerer = Callable[[Asked], Reply]

# How many passages an arm that ranks them reports as found: the deepest k that reports ask for.
FOUND = 20


@dataclass(frozen=True, slots=True)
class Arm:
    """A way of answering.

    Attributes:
        name: in reports and on the command line.
        about: one line for help.
        parameters: what would change its answers if it were changed.
        open: prepares it on a forest (an index, say) and returns what answers; called once for each process and limit
            of what is known (`as_of`), with a state opened for it.
        is_warm: whether it feels what earlier walks left in the forest's repository. Such an arm is asked only when it
            is named.
    """

    name: str
    about: str
    parameters: Parameters
    open: Callable[[State], Answerer]
    is_warm: bool = False


@dataclass(frozen=True, slots=True)
class ModelArm:
    """A way of answering that asks a model.

    Attributes:
        name: in reports and on the command line.
        about: one line for help.
        parameters: what would change its answers if it were changed, the model and its prompts aside.
        open: as an arm's, with a chat of the process.
    """

    name: str
    about: str
    parameters: Parameters
    open: Callable[[State, Chat], Answerer]


def every_passage(state: State) -> tuple[Reading, ...]:
    """Return all passages with words, in the order of node ids: what an arm with an index of its own indexes."""
    nodes = (state.catalog.node(node_id) for node_id in state.catalog.ids(""))
    readings = (read_passage(state, node, p.ordinal) for node in nodes for p in state.catalog.passages(node))
    # A node without a body has an empty passage, by which its passport is found.
    return tuple(reading for reading in readings if reading.text.strip())
