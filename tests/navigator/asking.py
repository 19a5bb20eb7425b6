"""A navigator that asks a model for every step, so that walks over bad endpoints can be tested without prompts."""

from __future__ import annotations

import pytest

from navigator import route
from navigator.actions import Decision, parse_action
from navigator.chat import Message
from navigator.replies import WrongReply, parse_reply
from navigator.setting import Setting
from navigator.walk import Malformed, Navigator

PROMPT = "la pregunta que nadie debe ver"


def asker(*options: str, patience: int = 2) -> route.Make:
    """Return a navigator that lets the model choose among actions, and gives up after some replies that are none."""
    schema = {"type": "object", "properties": {"do": {"enum": list(options)}}, "required": ["do"]}

    def make(setting: Setting) -> Navigator:
        chat = setting.model_for("llm")
        messages = [Message("user", PROMPT)]
        wrong = 0
        while True:
            said = chat.complete(messages, schema=schema)
            try:
                chosen = parse_reply(said.text, schema)["do"]
            except WrongReply as error:
                wrong += 1
                if wrong == patience:
                    raise Malformed("The replies cannot be read.") from None
                messages.append(Message("user", str(error)))
                continue
            yield Decision(parse_action(chosen), "the model says so", by_model=True)

    return make


def register(monkeypatch: pytest.MonkeyPatch, make: route.Make, name: str = "llm") -> None:
    """Let a navigator be called by a name."""
    monkeypatch.setattr(route, "NAVIGATORS", {**route.NAVIGATORS, name: make})
