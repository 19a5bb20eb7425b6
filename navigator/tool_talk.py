"""The talk with a model that calls tools: its messages, kept within the model's window, and what it said read back.

Old replies of tools are folded to one line when the next prompt would not fit. Models whose endpoint takes no tools are
told of them in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from forest.text import count_tokens, one_line
from navigator.chat import Chat, Completion, Message, Schema, ToolCall, TooLong

CALL_TOKENS = 256  # of a reply that calls
CONCLUSION_TOKENS = 320
_MESSAGE_TOKENS = 8  # what a template puts around each
_SPARE_TOKENS = 32
_FOREIGN = 1.3  # other tokenizers make more of Spanish than the one that counts here; measured as soon as usage is told
# Characters of what the model said that it is sent again.
_MOST_TEXT, _MOST_SENT, _MOST_NAME = 2_000, 4_000, 64


@dataclass(slots=True)
class _Turn:
    """A message, and the line that stands for it once it is folded; "" for what is never folded."""

    message: Message
    brief: str = ""


@dataclass
class Talk:
    """One conversation.

    Attributes:
        chat: the model.
        native: whether the endpoint is sent the tools as such; else they stand in the first message.
        folded: how many replies of tools were folded.
    """

    chat: Chat
    native: bool = True
    folded: int = 0
    _turns: list[_Turn] = field(default_factory=list)
    _ratio: float = _FOREIGN

    def begin(self, system: str, question: str) -> None:
        """Begin, or begin anew, with the procedure and the question."""
        self._turns = [_Turn(Message("system", system)), _Turn(Message("user", question))]

    def tell(self, text: str, brief: str = "") -> None:
        """Say something to the model."""
        self._turns.append(_Turn(Message("user", text), brief))

    def keep(self, completion: Completion, calls: Sequence[ToolCall]) -> None:
        """Keep what the model said; calls in a form that every server takes back."""
        if self.native and calls:
            self._turns.append(_Turn(Message("assistant", "", tuple(map(_sendable, calls)))))
        else:
            written = "\n".join(f'{{"name": "{made.name[:_MOST_NAME]}", …}}' for made in calls)
            self._turns.append(_Turn(Message("assistant", completion.text[:_MOST_TEXT] or written or "(…)")))

    def show(self, made: ToolCall, text: str) -> None:
        """Answer a call."""
        brief = f"{made.name[:_MOST_NAME]}: {one_line(text)[:60]}… (folded to save room)"
        if self.native:
            self._turns.append(_Turn(Message("tool", text, call_id=made.id), brief))
        else:
            self.tell(text, brief)

    def ask(
        self, *, tools: Sequence[Schema] = (), schema: Schema | None = None, limit_tokens: int = CALL_TOKENS
    ) -> Completion:
        """Ask the model to go on, with a prompt that fits.

        Raises:
            ModelFailed: as the chat raises it; `TooLong` when nothing more can be folded.
        """
        sent = tools if self.native else ()
        while True:
            self._fit(sent, limit_tokens)
            messages = _alternating(turn.message for turn in self._turns)
            try:
                completion = self.chat.complete(messages, schema=schema, tools=sent, limit_tokens=limit_tokens)
            except TooLong:
                if not self._fold():
                    raise
                continue
            self._learn(completion, sent)
            return completion

    def _fit(self, tools: Sequence[Schema], limit_tokens: int) -> None:
        while self._size(tools) + limit_tokens + _SPARE_TOKENS > self.chat.window_tokens:
            if not self._fold():
                raise TooLong("The question and the tools do not fit into the window of the model.")

    def _size(self, tools: Sequence[Schema]) -> int:
        return int(self._counted(tools) * self._ratio) + 1

    def _counted(self, tools: Sequence[Schema]) -> int:
        return sum(_tokens_of(turn.message) for turn in self._turns) + tokens_of_tools(tools)

    def _fold(self) -> bool:
        """Fold the oldest reply that is not; tell whether there was one."""
        for turn in self._turns:
            if turn.brief and turn.message.text != turn.brief:
                message = turn.message
                turn.message = Message(message.role, turn.brief, message.calls, message.call_id)
                self.folded += 1
                return True
        return False

    def _learn(self, completion: Completion, tools: Sequence[Schema]) -> None:
        """Measure how many of the model's tokens one of ours is."""
        usage, counted = completion.usage, self._counted(tools)
        if not usage.estimated and usage.prompt_tokens and counted:
            self._ratio = min(max(usage.prompt_tokens / counted * 1.05, 0.5), 4.0)


def _alternating(messages: Iterable[Message]) -> list[Message]:
    """Return messages with what is said in a row by the user as one: some templates refuse it otherwise."""
    told: list[Message] = []
    for message in messages:
        if told and message.role == told[-1].role == "user":
            told[-1] = Message("user", f"{told[-1].text}\n\n{message.text}")
        else:
            told.append(message)
    return told


def _tokens_of(message: Message) -> int:
    calls = "".join(f"{made.name}{made.arguments}{made.id}" for made in message.calls)
    return count_tokens(message.text + calls) + _MESSAGE_TOKENS * (1 + len(message.calls))


def tokens_of_tools(tools: Sequence[Schema]) -> int:
    """Return about how many tokens some definitions take in a prompt."""
    return count_tokens(json.dumps(list(tools), ensure_ascii=False)) if tools else 0


def _sendable(made: ToolCall) -> ToolCall:
    """Return a call that no server chokes on: some parse the arguments of earlier turns; and not a long one."""
    try:
        sound = len(made.arguments) <= _MOST_SENT and isinstance(json.loads(made.arguments), dict)
    except (ValueError, RecursionError):
        sound = False
    return ToolCall(made.id, made.name[:_MOST_NAME], made.arguments if sound else "{}")
