"""The adviser: asks a model to split a question, and to choose among what a page offers. It decides nothing itself.

Each reply is constrained by a schema that lists only what is possible now. One that cannot be read is answered with a
sentence that teaches, and counted: after a few the walk ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forest.text import count_tokens
from forest.weighing import Scales
from navigator.chat import Chat, Message, TooLong
from navigator.explorer import Way
from navigator.fencing import MARKS, fenced, line_of
from navigator.judging import Candidate
from navigator.page import Page
from navigator.prompting import prompt
from navigator.replies import WrongReply, parse_reply
from navigator.shape import Language
from navigator.split import SPLIT_SCHEMA, Split, split_from, split_of_plan
from navigator.walk import Malformed

_MOST_MALFORMED = 3  # in a row
_SPLIT_TOKENS = 240
_CHOICE_TOKENS = 40
_TAUGHT_TOKENS = 220  # of a reply that could not be read, and of the sentence on it
_AGAIN_CHARACTERS = 100  # of such a reply
# Other tokenizers make more tokens of Spanish than the one by which prompts are counted.
_TOKENS_OF_OTHERS = 1.5
_SHRUNK = 0.6  # of the budget, each time the server says that a prompt is too long
_LEAST_BUDGET = 200


@dataclass
class Adviser:
    """Asks one model for one walk.

    Attributes:
        chat: the model.
        language: of the prompts.
        clock: the days that the question is about, in words.
        seed: of the order in which options are shown; 0 for the order of their promise.
    """

    chat: Chat
    language: Language
    clock: str
    seed: int = 0

    def split(self, question: str, scales: Scales) -> Split:
        """Return a question divided by the model; by the grammar alone, where it does not fit into the model's window.

        Raises:
            Malformed: it gave nothing that can be read.
        """
        system = prompt("split", self.language, fence=MARKS)
        asked = fenced("Pregunta" if self.language == "es" else "Question", line_of(question))
        if count_tokens(asked) > self._room(system, _SPLIT_TOKENS):
            return split_of_plan(scales)
        try:
            return split_from(self._ask(system, asked, SPLIT_SCHEMA, _SPLIT_TOKENS), scales)
        except TooLong:
            return split_of_plan(scales)

    def choose(self, page: Page) -> Way | Candidate | None:
        """Return what the model chooses of a page, None for nothing of it; where it offers nothing, nobody is asked.

        Raises:
            Malformed: it gave nothing that can be read.
        """
        if not (page.found or page.here or page.elsewhere):
            return None
        system = prompt("walk", self.language, clock=self.clock)
        budget = max(self._room(system, _CHOICE_TOKENS), _LEAST_BUDGET)
        while True:
            shown = page.within(budget).shuffled(self.seed)
            schema = {
                "type": "object",
                "properties": {"opcion": {"type": "string", "enum": [*shown.options]}},
                "required": ["opcion"],
                "additionalProperties": False,
            }
            try:
                return shown.options[self._ask(system, shown.text, schema, _CHOICE_TOKENS)["opcion"]]
            except TooLong:
                if budget <= _LEAST_BUDGET:
                    raise
                budget = max(int(budget * _SHRUNK), _LEAST_BUDGET)

    def _room(self, system: str, limit_tokens: int) -> int:
        """Return how many tokens are left for what is asked beside a system prompt, the reply and a second try."""
        return int(self.chat.window_tokens / _TOKENS_OF_OTHERS) - count_tokens(system) - limit_tokens - _TAUGHT_TOKENS

    def _ask(self, system: str, asked: str, schema: Mapping[str, Any], limit_tokens: int) -> Any:
        messages = [Message("system", system), Message("user", asked)]
        for _ in range(_MOST_MALFORMED):
            said = self.chat.complete(messages, schema=schema, limit_tokens=limit_tokens)
            try:
                return parse_reply(said.text, schema, self.language)
            except WrongReply as error:
                messages = [
                    *messages[:2],
                    Message("assistant", line_of(said.text[:_AGAIN_CHARACTERS])),
                    Message("user", str(error)),
                ]
        raise Malformed("The replies of the model could not be read.")
