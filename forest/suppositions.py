"""Suppositions: the clauses in which a question states something, and what a correction of one is.

Only what a question states is a supposition ("si la tarifa es de 312.50", "ya que la ley da 15 días", "por qué lo
dejaron en 900 mil"), never what it asks, nor the conditions of whoever asks ("si pago el servicio urgente").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from forest.answer import Claim
from forest.text import fold
from forest.values import FoundValue, find_values

_MEASURED = ("money", "percentage", "quantity")
_OPENS = re.compile(
    r"\b(?:si|ya que|dado que|puesto que|ahora que|visto que|toda vez que|en vista de que|considerando que|"
    r"sabiendo que|aunque|como|porque|cuando)\b"
)
# "¿Es cierto que …?" states all that follows.
_IS_IT_SO = re.compile(
    r"\b(?:es|sera|seria) (?:cierto|verdad|correcto|exacto) (?:que|eso de que)\b|\bconfirm\w{1,4} (?:que|si)\b"
)
_WHY = re.compile(r"\b(?:por que|a que se debe|como es que|cual es la razon)\b")
_ENDS = re.compile(
    r"[?;]|, ?(?:y )?(?=(?:¿|por que|que|cual|cuales|cuando|cuant[oa]s?|cada cuan|desde|hasta|quien|donde|en que|a que|"
    r"de que|como|entonces)\b|¿)|\. "
)
_STATES = re.compile(
    r"\b(?:es|son|era|eran|fue|fueron|sera|da|dan|daba|daban|fija|fijan|fijo|establece|establecio|marca|cobra|cobran|"
    r"cuesta|vale|paga|pagan|pide|piden|exige|exigen|permite|permiten|tolera|admite|sube|subio|bajo|bajaron|subieron|"
    r"queda|quedo|quedaron|dejo|dejaron|otorga|otorgan|dura|tiene|tienen|senala|dice|ordena|preve|con)\b"
)
_STATES_DAY = re.compile(
    r"\b(?:entr\w{1,4} en vigor|public\w{1,5}|exigibles?|obligatori[oa]s?|rige|regia|venc\w{1,4}|empez\w{1,4}|"
    r"comenz\w{1,4}|inici\w{1,4}|firm\w{1,4}|termin\w{1,4}|cierra|cerro|cerraba)"
    r"(?: \w+){0,3} (?:el|del|al)? ?(?:dia )?$"
)
_STATES_COUNT = re.compile(r"\b(?:es de|son|tiene|tienen|preve|fija|fijan|establece|exige|pide|forman|integran|hay) $")
_NOUN = re.compile(r" (?!de\b|por\b|a\b|y\b|o\b|en\b)[a-z]{4,}")
_SELF = re.compile(
    r"\b(?:tengo|tenemos|cumpli|cumplo|llevo|trabajo|gano|vendo|compro|pago|pague|soy|debo|me faltan|mi|mis)\b"
)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a question supposes and a text denies.

    Attributes:
        supposed: what the question supposes, in English around its own words.
        says: what the text says instead.
        claim: the words that say so, cited.
    """

    supposed: str
    says: str
    claim: Claim

    @property
    def told(self) -> str:
        """One sentence on both."""
        return f"The question supposes {self.supposed}; the text says {self.says}."


def folded(question: str) -> str:
    """Return a question folded letter for letter, so that offsets stay; "" where folding moves them."""
    text = fold(question)
    return text if len(text) == len(question) else ""


def clauses(question: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of the clauses in which a question states something.

    After "por qué" and "es cierto que" that is all of it.
    """
    text = folded(question)
    why = _WHY.search(text)
    if why is not None:
        mark = text.find("?", why.end())
        yield why.end(), mark if mark >= 0 else len(text)
        return
    so = _IS_IT_SO.search(text)
    if so is not None:
        mark = text.find("?", so.end())
        yield so.end(), mark if mark >= 0 else len(text)
        return
    for opening in _OPENS.finditer(text):
        if text[opening.end() : opening.end() + 3] == " se" and opening.group() == "como":
            continue  # "¿cómo se llama?" asks
        stop = _ENDS.search(text, opening.end())
        yield opening.end(), stop.start() if stop else len(text)


def stated_values(question: str) -> Iterator[tuple[int, int, FoundValue]]:
    """Yield the measured values that a question states, each with the (start, end) of the clause that states it."""
    text = folded(question)
    values = find_values(question)
    for start, end in clauses(question):
        for found in (f for f in values if start <= f.start < end):
            between = text[start : found.start]
            if _SELF.search(between):
                continue
            if _is_stated(between, found, text[found.end :]):
                yield start, end, found


def _is_stated(before: str, found: FoundValue, after: str) -> bool:
    """Tell whether a value is what a clause states, by the words before and after it."""
    value = found.value
    if value.kind == "date":
        return bool(_STATES_DAY.search(before)) and value.day is not None and value.day[2] is not None
    if value.kind in _MEASURED or is_exact(found):
        return bool(_STATES.search(before))
    # A count stands beside the verb, with what it counts after it.
    return value.kind == "number" and bool(_STATES_COUNT.search(before)) and bool(_NOUN.match(after))


def without_stating(question: str) -> str:
    """Return a question with blanks for the verbs that state a value: they say nothing of what it is a value of."""
    return _blank(question, _STATES)


def _blank(question: str, pattern: re.Pattern[str]) -> str:
    text = folded(question)
    for match in pattern.finditer(text):
        question = f"{question[: match.start()]}{' ' * (match.end() - match.start())}{question[match.end() :]}"
    return question


def is_exact(found: FoundValue) -> bool:
    """Tell whether a bare number is an amount, which has decimals, rather than a count or a year."""
    amount = found.value.amount
    return found.value.kind == "number" and amount is not None and amount != int(amount)
