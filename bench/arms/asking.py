"""Asking a model once: what the arms `rag`, `full-context` and `closed-book` share.

Owns what a model is shown, that it fits, how its reply is read, and the quotes of what it cites. Which passages are
shown is each arm's. The prompts are files, `bench/prompts/NAME.md`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bench.attempt import MODEL_ERROR, TOO_LONG, Asked, Reply, Statement
from forest.citation import Citation
from forest.reading import Reading
from forest.text import count_tokens, fold, one_line, sentences
from forest.values import find_values, holds_value
from navigator.chat import Chat, Message, ModelFailed, Schema, TooLong
from navigator.fencing import fenced, line_of
from navigator.meter import Meter
from navigator.replies import WrongReply, parse_reply

LIMIT_TOKENS = 256
_MALFORMED = "malformed_replies"
# Tokens are counted by another tokenizer than the model's: small models need up to a third more of them for Spanish.
_MARGIN = 1.35
_TOKENS_OF_FRAME = 16  # of the marks around a message, generously
# What is read of a reply: citations that are none cost it those, not the answer.
_READ = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"cites": {}, "abstain": {}, "answer": {"type": "string"}},
            "required": ["answer"],
        },
        {"type": "object", "properties": {"abstain": {"const": True}}, "required": ["abstain"]},
    ]
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a model answered.

    Attributes:
        ending: answered, abstained, or an ending of a model that did not answer.
        answer: its words, "" unless it answered.
        cites: places of the passages that it cites, from 0, each once.
    """

    ending: str
    answer: str = ""
    cites: tuple[int, ...] = ()


def answer_from(meter: Meter, prompt: str, asked: Asked, ranked: Sequence[Reading], *, whole: bool = False) -> Reply:
    """Ask a model once, with passages before it.

    Args:
        meter: the model, not asked before.
        prompt: name of the prompt.
        asked: the question.
        ranked: passages, best first; in a repetition they are shown in another order.
        whole: whether fewer than all of them would be something else; otherwise the last ones are left out until the
            rest fits into the window.

    Returns:
        Its answer as one statement, cited by the sentences that hold it, or by the whole passage where none does. Its
        ending is `too_long` when nothing could be asked.
    """
    kept, said = list(ranked), Said(TOO_LONG)
    while kept and said.ending == TOO_LONG:
        shown = _shuffled(kept, asked.shuffle)
        said = _put(meter, prompt, asked, shown)
        if said.ending == TOO_LONG:
            kept = [] if whole else kept[:-1]
    citations = tuple(c for place in said.cites for c in quotes(shown[place], said.answer))
    ids = tuple(reading.passage.id for reading in kept)
    return Reply(
        (Statement(said.answer, "", citations),) if said.answer else (),
        said.ending,
        found=ids,
        read=ids,
        steps=1,
        tokens=sum(reading.passage.tokens for reading in kept),
        use=meter.use(decided=1 if said.ending in ("answered", "abstained") else 0),
        left_out=len(ranked) - len(kept),
    )


def answer_alone(meter: Meter, prompt: str, asked: Asked) -> Reply:
    """Ask a model once, with nothing before it but the question."""
    said = _put(meter, prompt, asked, ())
    decided = 1 if said.ending in ("answered", "abstained") else 0
    statements = (Statement(said.answer, "", ()),) if said.answer else ()
    return Reply(statements, said.ending, steps=1, use=meter.use(decided=decided))


def window_holds(chat: Chat, texts: Sequence[str]) -> bool:
    """Tell whether texts and a reply surely fit into a model's window, by tokens that are not the model's own."""
    tokens = sum(count_tokens(text) + _TOKENS_OF_FRAME for text in texts)
    return tokens * _MARGIN + LIMIT_TOKENS <= chat.window_tokens


def quotes(reading: Reading, answer: str) -> tuple[Citation, ...]:
    """Return the sentences or rows of a passage that hold a value or the words of an answer; else all of it."""
    values = [found.value for found in find_values(answer)]
    words = fold(one_line(answer)).strip(" .;:«»\"'")
    pieces = [reading.text[start:end] for start, end in sentences(reading.text)]
    holding = [
        piece
        for piece in pieces
        if any(holds_value(piece, value) for value in values) or (words and words in fold(one_line(piece)))
    ]
    return tuple(reading.cite(piece) for piece in (holding or [reading.text]))


def _put(meter: Meter, prompt: str, asked: Asked, shown: Sequence[Reading]) -> Said:
    messages = [Message("system", _prompt(prompt)), Message("user", _request(asked, shown))]
    if not window_holds(meter, [message.text for message in messages]):
        return Said(TOO_LONG)
    try:
        completion = meter.complete(messages, schema=_schema(len(shown)), limit_tokens=LIMIT_TOKENS)
    except TooLong:
        return Said(TOO_LONG)
    except ModelFailed:
        return Said(MODEL_ERROR)
    return read_reply(completion.text, len(shown))


def _request(asked: Asked, shown: Sequence[Reading]) -> str:
    """Return what is asked: passages first, as they may be the same for many questions, the question last."""
    days = [f"Hoy es {asked.today}."]
    if asked.as_of:
        days.append(f"Nada publicado después del {asked.as_of} se conoce.")
    if asked.in_force_on:
        days.append(f"Se pregunta por lo que estaba en vigor el {asked.in_force_on}.")
    passages = [_passage(number, reading) for number, reading in enumerate(shown, start=1)]
    return "\n\n".join([*passages, " ".join(days), f"Pregunta: {one_line(asked.text)}"])


def _passage(number: int, reading: Reading) -> str:
    node = reading.node
    day = f"publicado el {node.published}" if node.published else ""
    head = "; ".join(filter(None, (node.title, " > ".join(reading.passage.heading), day)))
    return f"Pasaje {number}: {line_of(head)}\n{fenced(f'pasaje {number}', reading.text)}"


@cache
def _prompt(name: str) -> str:
    return files("bench").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


_ANSWER_CHARACTERS = 300  # small models do not stop by themselves


def _schema(passages: int) -> Schema:
    """Return the form of a reply; flat, because some servers constrain nothing else."""
    number = {"type": "integer", "minimum": 1, "maximum": passages}
    cites = {"cites": {"type": "array", "items": number, "maxItems": min(passages, 8)}} if passages else {}
    properties = {
        **cites,
        "abstain": {"type": "boolean"},
        "answer": {"type": "string", "maxLength": _ANSWER_CHARACTERS},
    }
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def read_reply(text: str, passages: int) -> Said:
    """Read what a model replied, whatever it is: the first JSON in it that answers or abstains.

    Args:
        text: its words.
        passages: how many it was shown; other numbers that it cites are left out.
    """
    try:
        value = parse_reply(text, _READ)
    except WrongReply:
        return Said(_MALFORMED)
    answer = one_line(value.get("answer", ""))
    if value.get("abstain") is True or not answer:
        return Said("abstained")
    cites = value.get("cites")
    numbers = [n for n in cites if type(n) is int and 1 <= n <= passages] if isinstance(cites, list) else []
    return Said("answered", answer, tuple(n - 1 for n in dict.fromkeys(numbers)))


def _shuffled(readings: Sequence[Reading], seed: int) -> list[Reading]:
    """Return passages in an order that only they and a seed decide; 0 leaves them as they are."""
    if not seed:
        return list(readings)
    return sorted(readings, key=lambda reading: hashlib.sha256(f"{seed} {reading.passage.id}".encode()).digest())
