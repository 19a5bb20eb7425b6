"""Contrasts: words of closed sets of which a rule names one and means none of the others.

A question about the night is not answered by the sentence about the day, nor one about the second stage by the row of
the third, however many other words they share. Words of one group say the same thing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from forest.text import fold

# Each set is written as its groups; words of a group are regular expressions over folded words.
_SETS: tuple[tuple[str, ...], ...] = (
    (
        "primer[ao]?|1[ao]|1er|inicial",
        "segund[ao]|2d?[ao]",
        "tercer[ao]?|3r?[ao]",
        "cuart[ao]|4t?[ao]",
        "quint[ao]|5t?[ao]",
        "sext[ao]|6t?[ao]",
        "septim[ao]",
        "octav[ao]",
        "noven[ao]",
        "decim[ao]",
        "ultim[ao]",
    ),
    ("diurn[ao]s?|de dia", "nocturn[ao]s?|de noche|noches?", "mixt[ao]s?"),
    ("maxim[ao]s?", "minim[ao]s?", "promedio|medi[ao]"),
    ("urgentes?|expres", "ordinari[ao]s?|normal", "extraordinari[ao]s?"),
    ("norte", "sur", "centro"),
    ("mensual(?:es)?", "anual(?:es)?", "bimestral(?:es)?", "trimestral(?:es)?", "semestral(?:es)?", "semanal(?:es)?"),
    ("rural(?:es)?", "urban[ao]s?"),
    ("interior(?:es)?", "exterior(?:es)?"),
    ("nuev[ao]s?", "usad[ao]s?"),
    ("chic[ao]s?|pequen[ao]s?", "median[ao]s?", "grandes?"),
    ("public[ao]s?", "privad[ao]s?|particulares"),
    ("nacional(?:es)?", "extranjer[ao]s?"),
    ("hombres?|varon(?:es)?", "mujer(?:es)?"),
)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], ...], ...]:
    return tuple(tuple(re.compile(rf"\b(?:{group})\b") for group in groups) for groups in _SETS)


@lru_cache(maxsize=4096)
def _told(text: str) -> tuple[frozenset[int], ...]:
    """Return for each set which of its groups a text has words of."""
    folded = fold(text)
    return tuple(frozenset(i for i, group in enumerate(groups) if group.search(folded)) for groups in _patterns())


def contradicts(question: str, text: str) -> bool:
    """Tell whether a text speaks of another of a closed set than the question does, and not of the question's.

    Examples:
        >>> contradicts("¿Cuánto cuesta de noche?", "El importe diurno es de 17.25 pesos.")
        True
        >>> contradicts("¿Cuánto cuesta de noche?", "De día 17.25 pesos y de noche 19.60.")
        False
    """
    pairs = zip(_told(question), _told(text), strict=True)
    return any(asked and said and not asked & said for asked, said in pairs)


def agreeing(question: str, text: str) -> frozenset[str]:
    """Return the question's words of closed sets that a text says in these or other words, folded."""
    found: set[str] = set()
    folded = fold(question)
    for groups, said in zip(_patterns(), _told(text), strict=True):
        for i in said:
            found.update(match.group() for match in groups[i].finditer(folded))
    return frozenset(found)


def others(question: str, text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of what a question and what a text says, where the text never says the question's.

    Each pair is the words of one closed set, as written, with the word after them: ("tercera etapa", "segunda etapa").

    Examples:
        >>> others("¿A qué día pasó la tercera etapa?", "La segunda etapa se recorre al 15 de enero.")
        (('tercera etapa', 'segunda etapa'),)
    """
    pairs = []
    for groups, asked, said in zip(_patterns(), _told(question), _told(text), strict=True):
        if len(asked) == 1 and said and not asked & said:
            pairs.append((_as_written(groups[min(asked)], question), _as_written(groups[min(said)], text)))
    return tuple((one, other) for one, other in pairs if one and other and _after(one) == _after(other))


def _as_written(group: re.Pattern[str], text: str) -> str:
    folded = fold(text)
    match = re.search(rf"{group.pattern} \w+", folded) if len(folded) == len(text) else None
    return text[match.start() : match.end()] if match else ""


def _after(words: str) -> str:
    return fold(words).rpartition(" ")[2]
