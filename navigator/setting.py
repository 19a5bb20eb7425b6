"""The setting of a walk: everything that a navigator is given to decide by, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from forest.errors import WrongUsage
from forest.fitting import Asking
from forest.state import State
from navigator.chat import Chat
from navigator.scout import Patience
from navigator.walk import Limits
from navigator.world import World


@dataclass(frozen=True, slots=True)
class Setting:
    """What a navigator decides by.

    Attributes:
        state: of the forest.
        asking: the question, with its plan, its clock and the weights of its words.
        world: where the walk takes place.
        limits: where the walk will be stopped.
        seconds_left: how much of the time limit is left, in seconds.
        patience: when the walk concludes before its last step; None for never.
        chat: the model; None when there is none.
        language: of the prompts, `es` or `en`; "" for the question's own.
        shuffle: seed of another order of the options that a model is shown; 0 for the navigator's own order.
    """

    state: State
    asking: Asking
    world: World
    limits: Limits
    seconds_left: Callable[[], float]
    patience: Patience | None = None
    chat: Chat | None = None
    language: str = ""
    shuffle: int = 0

    def model_for(self, navigator: str) -> Chat:
        """Return the model.

        Args:
            navigator: who needs it, for the message.

        Raises:
            WrongUsage: there is none; the message says how one is named.
        """
        if self.chat is None:
            raise WrongUsage(
                f"The navigator {navigator} needs a model, and no endpoint is named.",
                "Name one: --endpoint URL, FOREST_ENDPOINT, or `endpoint` in the configuration (docs/models.md).",
            )
        return self.chat
