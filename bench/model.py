"""The model of a run: how each process gets its chat, and what the run's header says of it.

Reaching a model is `navigator`'s. Nothing that is kept says where it is reached, nor with which key.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from bench.attempt import Parameters
from forest.errors import ForestError, WrongUsage
from navigator.chat import Chat, Message, ModelFailed
from navigator.endpoint import Endpoint, endpoint_for
from navigator.opening import open_chat

_ROOT = Path(__file__).parents[1]
_PROMPTS = ("navigator/prompts", "bench/prompts")
# By whose reply it is seen that a model is there: short, with room for those that think before they say anything.
_LOOK = "Responde solo con una palabra: sí."
_LOOK_TOKENS = 64
_NAMED = re.compile(r"(?P<name>\w[\w.-]{0,59})=(?P<url>.+)")


class ModelGone(ForestError):
    """The model does not answer anything, so that a run would only collect failures."""


def endpoints_named(given: Sequence[str], model: str = "") -> dict[str, Endpoint]:
    """Return the endpoints that `--endpoint` names, by the name that reports call their models; "" for its own.

    Args:
        given: `URL` or `NAME=URL` each; with none, the one that the environment or the configuration names.
        model: which of an endpoint's models, "" for the one that it names first.

    Raises:
        WrongUsage: one is malformed, a name is there twice or missing beside others, or there is none.
    """
    found: dict[str, Endpoint] = {}
    for text in given or ("",):
        match = _NAMED.fullmatch(text)
        name, url = (match["name"], match["url"]) if match else ("", text)
        endpoint = endpoint_for(url=url, model=model)
        if endpoint is None:
            raise WrongUsage("No model is named.", "Give --endpoint URL, or set FOREST_ENDPOINT.")
        if name in found or (len(given) > 1 and not name):
            raise WrongUsage("Each of several endpoints has a name of its own.", "Give --endpoint NAME=URL for each.")
        found[name] = endpoint
    return found


def described(endpoint: Endpoint, called: str = "") -> Parameters:
    """Return what the header of a run says of its model.

    Args:
        endpoint: is asked something, as one that is not there tells no window and the run would not be found again.
        called: how reports call the model, "" for its own name.

    Raises:
        ModelGone: it does not answer.
    """
    chat = open_chat(endpoint)
    check_alive(chat)
    return {
        "name": called or chat.model,
        "model": chat.model,
        "window_tokens": chat.window_tokens,
        "kind": type(chat).__name__,
        "prompts": _prompts(),
    }


def check_alive(chat: Chat) -> None:
    """Return when a model answers at all.

    Raises:
        ModelGone: it does not.
    """
    try:
        chat.complete([Message("user", _LOOK)], limit_tokens=_LOOK_TOKENS)
    except ModelFailed as error:
        raise ModelGone(
            f"The model does not answer: {error.message}", "Start it; then the same command goes on where the run was."
        ) from None


def _prompts() -> str:
    """Return a hash of all prompts: a run must not go on with others."""
    digest = hashlib.sha256()
    for folder in _PROMPTS:
        for path in sorted((_ROOT / folder).rglob("*.md")):
            digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
