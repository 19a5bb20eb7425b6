"""Routes: the ways in which a question can be hunted. Packages add theirs by the entry-point group `forest.routes`.

A route is a callable that takes an open state and a question and returns something with an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.metadata import entry_points
from typing import Literal, Protocol

from forest.answer import Answer
from forest.errors import WrongUsage
from forest.state import State

ENTRY_POINTS = "forest.routes"
ONESHOT = "oneshot"
WALK = "walk"
DEFAULT_NAVIGATOR = "scout"


class Hunted(Protocol):
    """What a route brings back."""

    @property
    def answer(self) -> Answer:
        """What it says."""

    def told(self) -> str:
        """Return for a terminal how it came to its answer."""

    def as_json(self, *, explain: bool) -> dict[str, object]:
        """Return it as JSON-ready data; with the steps if asked."""


Route = Callable[..., Hunted]


HeatFelt = Literal["on", "off", "unconditioned"]


@dataclass(frozen=True, slots=True)
class Memory:
    """What a walk takes from earlier walks, and what it leaves to later ones.

    Attributes:
        deposit: a walk whose answer was verified leaves a trail.
        private: its trail stays in this repository, out of every sync.
        heat: what trails left on doors is felt by similar questions, by none, or by all alike.
        shortcuts: doors that trails earned are seen, and minted.
        cases: nodes that verified answers to similar questions cite are offered as places to visit.
    """

    deposit: bool = True
    private: bool = False
    heat: HeatFelt = "on"
    shortcuts: bool = True
    cases: bool = False


@dataclass(frozen=True, slots=True)
class Walking:
    """How a walk is to be taken, as named by whoever asks; a route without walks refuses it.

    Attributes:
        navigator: who decides the steps.
        endpoint: where a model is asked, "" for wherever the environment or the user's configuration says.
        model: its name, "" likewise.
        key: for the endpoint, "" likewise.
        tell: is told each step as it happens, as text for a terminal; None for nobody.
        memory: what it takes from earlier walks and leaves to later ones.
    """

    navigator: str = DEFAULT_NAVIGATOR
    endpoint: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    tell: Callable[[str], None] | None = None
    memory: Memory = field(default_factory=Memory)


@dataclass(frozen=True, slots=True)
class Oneshot:
    """What one search brought back."""

    answer: Answer

    def told(self) -> str:
        """Return the parts of its confidence: there are no steps."""
        parts = ", ".join(f"{name} {amount}" for name, amount in self.answer.confidence.items())
        return f"One search, no walk. Confidence: {parts}."

    def as_json(self, *, explain: bool) -> dict[str, object]:  # noqa: ARG002 - it has no steps
        """Return the answer."""
        return asdict(self.answer)


def load_route(name: str) -> Route:
    """Return the route of a name.

    Raises:
        WrongUsage: there is none, or it cannot be loaded.
    """
    if name == ONESHOT:
        return _oneshot
    points = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if name not in points:
        raise WrongUsage(f"There is no route {name!r}.", f"Routes: {', '.join(sorted((ONESHOT, *points)))}.")
    try:
        route: Route = points[name].load()
    except (ImportError, AttributeError) as error:
        raise WrongUsage(f"The route {name} cannot be loaded: {error}.", "Install it again.") from None
    return route


def _oneshot(
    state: State,
    question: str,
    *,
    today: date,
    as_of: date | None,
    in_force_on: date | None,
    walking: Walking,
) -> Oneshot:
    from forest.oneshot import hunt

    if walking != Walking(tell=walking.tell, memory=walking.memory):
        raise WrongUsage(
            "One search has no navigator and asks no model, so none can be named.",
            "Leave them out, or name who is to walk: --navigator llm.",
        )
    if walking.memory.private or walking.memory.cases or walking.memory.heat == "unconditioned":
        raise WrongUsage(
            "One search leaves no trail and feels none.",
            "Leave out --private, --case-memory and --unconditioned-heat, or walk: --route walk.",
        )
    return Oneshot(hunt(state, question, today=today, as_of=as_of, in_force_on=in_force_on))
