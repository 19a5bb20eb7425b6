"""What a word is for search: the tokens of Spanish text, folded and stemmed, the same for index and question.

Folding comes before stemming: people type without accents, and stem-then-fold loses 8 of 46 such words (measured), at
the price of a few inflections. Numbers and identifiers (`315.04`, `NOM-035-STPS-2018`, `15-A`) stay whole. The index
receives these tokens ready-made, so the analyzer's version names derived state.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from forest.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    import Stemmer

ANALYZER_VERSION = "es-1"

_WORD = re.compile(r"[a-z0-9]+(?:[-./][a-z0-9]+|,[0-9]{3}(?![0-9]))*")
_SPLIT = re.compile(r"[-./,]")

# Function words of Spanish; dropped from questions and index alike. Negations and numbers stay.
STOP_WORDS = frozenset(
    (
        "a al ante aquel aquella aquellas aquellos asi aun aunque bajo cada como con contra cual cuales "
        "cualquier cuando cuanta cuantas cuanto cuantos cuyo cuya cuyas cuyos de del desde donde dos "
        "durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estan estas este "
        "esto estos fue fueron ha haber habia han hasta hay he la las le les lo los mas me mi mis misma "
        "mismas mismo mismos muy nos o os otra otras otro otros para pero por porque pues que quien "
        "quienes se sea sean segun ser si sido sin sobre son su sus tal tales tambien tan tanto te tiene "
        "tienen toda todas todo todos tras tu tus u un una unas uno unos y ya yo dice debo puedo puede "
        "dan da dicha dicho dichas dichos presente mediante respecto"
    ).split()
) - {"dos"}


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    import Stemmer

    return Stemmer.Stemmer("spanish")


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return word if any(c.isdigit() for c in word) else str(_stemmer().stemWord(word))


def words(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (folded word, start, end) of every word of `text`, offsets into the folded text.

    A compound with a digit is one word, its thousands separators removed (`3,566.22` -> `3566.22`); others are split.
    """
    for match in _WORD.finditer(fold(text)):
        word = match.group()
        if any(c.isdigit() for c in word):
            yield word.replace(",", ""), match.start(), match.end()
            continue
        start = match.start()
        for part in _SPLIT.split(word):
            yield part, start, start + len(part)
            start += len(part) + 1


def stems(text: str) -> tuple[str, ...]:
    """Return the search tokens of `text` in order: folded, stop words dropped, stemmed.

    Examples:
        >>> stems("Los trabajadores de la NOM-035-STPS-2018 ganarán 3,566.22")
        ('trabaj', 'nom-035-stps-2018', 'gan', '3566.22')
    """
    return tuple(_stem(word) for word, _, _ in words(text) if word not in STOP_WORDS)
