"""What a sentence does with a value that it holds: affirms it, denies it, calls it past, or sets a bound.

Owns the few Spanish constructions by which an answer takes a value back ("no son 12 días", "antes eran 6 días", "entre
10 y 20 días", "cerca de 300 pesos", "dice: 12; debe decir: 6") and the words that look like denial and are bounds ("no
menos de 12 días"). It reads the clause around a value and nothing more; which values an answer claims is
`bench.claims`, whether they are right `bench.grading`.
"""

from __future__ import annotations

import re
from typing import Literal

from forest.text import fold

Bound = Literal["lower", "upper", ""]

# Where the words before or after a value stop having to do with it.
_CLAUSE_ENDS = re.compile(
    r"[.;!?\n]\s|[;\n]|\b(?:sino|pero|mientras|aunque|ahora|hoy|actualmente)\b|\bdesde (?=\d{4}\b)"
)
_REACH = 160
_SMALL = r"(?:de|del|a|al|el|la|los|las|en|por|que|un|una|lo|le|se|les|ya|con|como)"
_VERB = r"(?:[a-z]{2,16})"
_DENIAL = r"(?:no(?! (?:solo|solamente|unicamente)\b)|nunca|jamas|tampoco|ni)"
# "no son 12", "no lo calcula el INEGI", "ya no se pagan 315": at most one word that is not small before the value.
_DENIED_BEFORE = re.compile(
    rf"(?<!\bsi )\b{_DENIAL}(?: {_SMALL}){{0,3}}(?: {_VERB})?(?: {_SMALL}){{0,3}} ?\W{{0,3}}$"
    r"|\b(?:en lugar|en vez|a diferencia|distinto|diferente|salvo|excepto)(?: de)?(?: (?:el|la|los|las))? ?\W{0,3}$"
)
_DENIED_AFTER = re.compile(r"\W{0,3}(?:ya )?no(?: (?:es|son|era|eran|fue|rige|rigen|aplica|corresponde)\b|[,.;]|$)")
# Corrections: "donde dice 1,310 pesos, debe decir 1,630 pesos".
_MISPRINT_BEFORE = re.compile(r"\b(?:dice|decia|se lee|se leia)\W{0,4}$")
_MISPRINT_AFTER = re.compile(r"\b(?:debe decir|debio decir|debe leerse|lease)\b")
_LESS = r"(?:inferior(?:es)?|menor(?:es)?|menos|baj[ae]\w{0,3})"
_MORE = r"(?:superior(?:es)?|mayor(?:es)?|mas|exced\w{1,9}|pas[ae]\w{0,3}|rebas\w{1,9}|sobrepas\w{1,9})"
_DENIES = re.compile(r"\b(?:no|ni|nunca|ningun|ninguna|sin)\b")
_LESS_SAID = re.compile(rf"\b{_LESS}(?: de| a| al| que)?(?: (?:el|la|los|las))? ?\W{{0,3}}$")
_MORE_SAID = re.compile(rf"\b{_MORE}(?: de| a| al| que)?(?: (?:el|la|los|las))? ?\W{{0,3}}$")
_LOWER = re.compile(
    r"\b(?:al menos|por lo menos|cuando menos|(?:un|el|como) minimo(?: de)?|minimo|minima de) ?\W{0,3}$"
)
_UPPER = re.compile(
    r"\b(?:hasta(?: por)?|a lo mas|a lo sumo|cuando mas|(?:un|el|como) maximo(?: de)?|maximo|maxima de) ?\W{0,3}$"
)
_PAST = re.compile(
    r"\b(?:antes(?! de)|anteriormente|previamente|antiguamente|era|eran|habia|regia|regian|correspondia|correspondian|"
    r"pagaba|pagaban|fijaba|establecia|tenia|tenian)\b"
)
_PRESENT = re.compile(r"\b(?:es|son|sera|seran|queda|quedan|pasa|pasan|rige|rigen|corresponden?|debe|deben)\b")
_ASKS_PAST = re.compile(
    rf"{_PAST.pattern}|\b(?:hasta|fue|fueron|anterior|anteriores|abrogad[oa]|derogad[oa])\b|\b[a-z]{{3,}}(?:aban?|ian)\b"
)
_RANGE_BEFORE = re.compile(
    r"\bentre (?:\S+ ){0,6}y ?\W{0,3}$|(?:^|\b(?:de|entre) |\$)\W?[\d.,]+ (?:a|y|hasta) ?\W{0,3}$"
)
_RANGE_AFTER = re.compile(r" (?:a|y|hasta) \W{0,2}\d")
_IN_RANGE_BEFORE = re.compile(r"\b(?:de|entre)(?: (?:el|la|los|las))? ?\W{0,3}$")
_ABOUT = re.compile(r"\b(?:aproximadamente|alrededor de|cerca de|casi|mas o menos|en torno a) ?\W{0,3}$")
_ASKS_LEAST = re.compile(r"\b(?:al menos|cuando menos|por lo menos|minim[oa]s?|lo menos)\b")
_ASKS_MOST = re.compile(r"\b(?:maxim[oa]s?|tope|a lo mas|hasta cuant[oa]s?|lo mas)\b")
_MINIMUM_WAGE = re.compile(r"\bsalarios? minimos?\b")


def _before(text: str, start: int) -> str:
    piece = fold(text[max(0, start - _REACH) : start])
    cut = max((match.end() for match in _CLAUSE_ENDS.finditer(piece)), default=0)
    return " ".join(piece[cut:].split()) + (" " if piece[-1:].isspace() else "")


def _after(text: str, end: int) -> str:
    piece = fold(text[end : end + _REACH])
    match = _CLAUSE_ENDS.search(piece)
    return piece[: match.start()] if match and match[0] != "sino" else piece


def is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether the words at `[start, end)` are denied: "no son doce días", "12 días no", "dice 12, debe decir 6".

    "No menos de", "no podrá ser inferior a" and the like are bounds and deny nothing.
    """
    before = _before(text, start)
    if bound_at(text, start):
        return False
    if _MISPRINT_BEFORE.search(before) and _MISPRINT_AFTER.search(fold(text[end : end + _REACH])):
        return True
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(_after(text, end)))


def is_past(text: str, start: int) -> bool:
    """Tell whether the clause before `start` speaks of how it was: "antes eran 6", not "era 6 y será 12"."""
    before = _before(text, start)
    last = max((match.end() for match in _PAST.finditer(before)), default=-1)
    return last >= 0 and not _PRESENT.search(before, last)


def asks_past(question: str) -> bool:
    """Tell whether a question asks how it was, so that a past value is no slip."""
    return bool(_ASKS_PAST.search(fold(question)))


def is_end_of_range(text: str, start: int, end: int) -> bool:
    """Tell whether the value at `[start, end)` is one end of a range: "entre 10 y 20 días", "de 50 a 250 UMA"."""
    before, after = _before(text, start), _after(text, end)
    return bool(_RANGE_BEFORE.search(before) or (_RANGE_AFTER.match(after) and _IN_RANGE_BEFORE.search(before)))


def is_rough(text: str, start: int) -> bool:
    """Tell whether the value at `start` is only said to be near: "aproximadamente"."""
    return bool(_ABOUT.search(_before(text, start)))


def bound_at(text: str, start: int) -> Bound:
    """Return which bound the value at `start` is said to be: `no menos de` is lower, `hasta` upper, "" for none."""
    before = _before(text, start)
    denies = bool(_DENIES.search(before))
    if _LOWER.search(before):
        return "lower"
    if _UPPER.search(before):
        return "upper"
    if _LESS_SAID.search(before):
        return "lower" if denies else "upper"
    if _MORE_SAID.search(before):
        return "upper" if denies else "lower"
    return ""


def bound_asked(question: str) -> Bound:
    """Return which bound a question asks for: `lower` for the least, `upper` for the most, "" for none or both."""
    folded = _MINIMUM_WAGE.sub(" ", fold(question))
    least, most = bool(_ASKS_LEAST.search(folded)), bool(_ASKS_MOST.search(folded))
    return "" if least == most else "lower" if least else "upper"
