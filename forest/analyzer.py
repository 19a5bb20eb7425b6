"""What a word is for search: the tokens of Spanish text, stemmed and folded, the same for index and question.

People type with and without accents. Stemming an accented word and folding the result keeps inflections together
(`entró`, `entrará`); folding first meets what is typed without accents. Where the two differ a text is indexed under
both, and a question asks for the one that it was typed in. Numbers and identifiers (`315.04`, `NOM-035-STPS-2018`,
`15-A`) stay whole. The index receives these tokens ready-made, so the analyzer's version names derived state.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from forest.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import Stemmer

_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+|(?<=[0-9])[,'’´][0-9]{3}(?![0-9]))*")
_SPLIT = re.compile(r"[-./,'’´]")
_THOUSANDS = re.compile(r"[,'’´]")
# Hyphens that word processors write; a dash is one only where it joins a letter and a digit (`NOM–035`), as in `10–15`
# it is a range.
_DASH = re.compile("[‐‑–−]")
_HYPHEN = re.compile(r"[‐‑]|(?<=[^\W\d_])[–−](?=\d)|(?<=\d)[–−](?=[^\W\d_])")
# An amount and its unit are two words: `315.04/día`, `mg/125`. Longer chains are file numbers.
_PER = re.compile(r"(?:[0-9][0-9.,]*/[^\W\d_]+|(?:mg|g|kg|mcg|µg|ui|ml|l|m|km)/[0-9][0-9.,]*)\Z")
_DIGIT = re.compile(r"\d")

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

# Words by which people ask, not what they ask about; dropped from questions only.
QUESTION_WORDS = frozenset(
    (
        "vale valen decia decian dicen decir cuesta cuestan toca tocan corresponde corresponden establece "
        "establecen senala senalan dispone disponen preve regula regulan necesito quiero saber conocer existe "
        "existen hacer hago hace hacen pasa sucede significa entiende llama llaman son era actualmente hoy ahora "
        "vigente vigentes favor podria pueden deben debe dime explica explicame cuentame tengo tenemos tienes "
        "tener hay derecho sirve consiste encuentra aplica habla entro entra entran entraron entrara entrar empezo "
        "empieza comenzo comienza dan dar doy ver sirven fija fijan di digan marca marcan manda mexico ley leyes "
        "legal articulo articulos numeral fraccion fracciones inciso parrafo apartado dame lee leer"
    ).split()
)

# No Spanish word is longer; the stemmer takes the square of a word's length where it has accents.
_LONGEST = 60


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    import Stemmer

    return Stemmer.Stemmer("spanish")


def _forms(word: str) -> tuple[str, ...]:
    """Return the tokens of one lower-case word: its own, and the one it has when typed without accents."""
    folded = fold(word)
    if len(word) > _LONGEST or _DIGIT.search(word):
        return (folded,)
    stem = _stemmer().stemWord
    own, plain = fold(stem(word)), stem(folded)
    return (own,) if own == plain else (own, plain)


def words(text: str) -> Iterator[str]:
    """Yield the lower-case words of `text` with their accents.

    A compound with a digit is one word, its thousands separators removed (`3,566.22`, `3'566.22` -> `3566.22`); others
    are split, and so are an amount and its unit (`315.04/día`).
    """
    lower = text.casefold()
    for match in _WORD.finditer(_HYPHEN.sub("-", lower) if _DASH.search(lower) else lower):
        word = match.group()
        if word.isalpha():
            yield word
        elif _DIGIT.search(word):
            whole = _THOUSANDS.sub("", word)
            yield from whole.split("/") if "/" in word and _PER.match(word) else (whole,)
        else:
            yield from _SPLIT.split(word)


def stems(text: str) -> tuple[str, ...]:
    """Return the search tokens of a text in order: stop words dropped, a word with accents perhaps under two forms.

    Examples:
        >>> stems("Los trabajadores de la NOM-035-STPS-2018 ganarán 3,566.22")
        ('trabaj', 'nom-035-stps-2018', 'gan', '3566.22')
    """
    return tuple(form for word in words(text) for form in _indexed(word))


@lru_cache(maxsize=200_000)
def _indexed(word: str) -> tuple[str, ...]:
    """Return the tokens that a word is indexed under; a stop word has none."""
    return () if fold(word) in STOP_WORDS else _forms(word)


def asked_words(question: str) -> tuple[tuple[str, str], ...]:
    """Return (word, search token) of what a question asks about: neither stop words nor the words of asking."""
    asked = (word for word in words(question) if fold(word) not in STOP_WORDS | QUESTION_WORDS)
    return tuple((word, stem_of(word)) for word in asked)


def stem_of(word: str) -> str:
    """Return the search token that a question asks for by one lower-case word."""
    return _forms(word)[0]


def question_stems(question: str) -> tuple[str, ...]:
    """Return the search tokens of what a question asks about, in order, each once."""
    return tuple(dict.fromkeys(token for _, token in asked_words(question)))


def plain_stems(folded: Sequence[str]) -> tuple[str, ...]:
    """Return the search token of each of many folded words: quicker than one `stem_of` after the other."""
    return tuple(_stemmer().stemWords(list(folded)))
