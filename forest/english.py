"""Questions in English: how they are told from Spanish ones, and how they are put into Spanish, word by word.

Words of content are those of the English vocabulary (`forest.vocabulary`); the small words that make a question are
here. The result is for search, which does not mind grammar: names, numbers and words without an entry stay as typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forest.analyzer import QUESTION_WORDS, STOP_WORDS, question_stems
from forest.days import MONTHS
from forest.text import fold
from forest.vocabulary import Match, Widening, matches

# What each small word is in a Spanish question; "" where Spanish asks without it.
_SMALL_WORDS = {
    **dict.fromkeys(
        (
            "do does did be been being have had having will would shall there that this these those it its i my "
            "you your we our us he his him she her hers they their them to into out off up so get gets getting "
            "got gotten need needs want much many such while please am im whose own yet just then it's there's me "
            "use used using make makes made give gives given giving long near something anything very really "
            "always never ever else too let lets take takes taking took put puts"
        ).split(),
        "",
    ),
    "the": "la", "a": "un", "an": "un", "of": "de", "for": "para", "in": "en", "on": "en", "at": "en", "by": "por",
    "with": "con", "without": "sin", "from": "de", "until": "hasta", "till": "hasta", "under": "según", "about":
    "sobre", "between": "entre", "and": "y", "or": "o", "if": "si", "not": "no", "no": "no", "any": "cualquier", "all":
    "todos", "each": "cada", "every": "cada", "than": "que", "more": "más", "less": "menos", "before": "previo a",
    "after": "después de", "during": "durante", "since": "desde", "as": "como", "say": "dice", "says": "dice", "said":
    "dice", "also": "también", "only": "sólo", "other": "otro", "what": "qué", "which": "cuál", "who": "quién", "whom":
    "quién", "when": "cuándo", "where": "dónde", "why": "por qué", "how": "cómo", "is": "es", "are": "son", "was":
    "fue", "were": "fueron", "can": "puede", "could": "puede", "may": "puede", "might": "puede", "must": "debe",
    "should": "debe", "has": "tiene", "through": "mediante", "against": "contra", "mexico": "México", "mexican":
    "mexicano", "whether": "si", "within": "en", "per": "por", "both": "ambos", "some": "algún", "one": "uno",
    "mean": "significa", "means": "significa", "don't": "no", "doesn't": "no", "isn't": "no es", "can't": "no puede",
    "cannot": "no puede", "upon": "en", "here": "", "someone": "alguien", "somebody": "alguien", "anyone": "alguien",
    "people": "personas", "now": "ahora", "today": "hoy", "currently": "actualmente", "happens": "pasa", "happen":
    "pasa", "two": "dos",
}  # fmt: skip
_SMALL_PHRASES = {
    ("how", "much"): "cuánto",
    ("how", "many"): "cuántos",
    ("how", "long"): "cuánto tiempo",
    ("how", "old"): "qué edad",
    ("how", "often"): "cada cuánto",
    ("of", "the"): "de la",
    ("in", "the"): "en la",
    ("there", "is"): "hay",
    ("there", "are"): "hay",
    ("is", "there"): "hay",
    ("are", "there"): "hay",
}
_SHARED = frozenset("a no me he has as son sin legal mexico sea so entre te dan ten sean sobre".split())
_ENGLISH = frozenset(_SMALL_WORDS) - _SHARED
_SPANISH = (STOP_WORDS | QUESTION_WORDS) - _SHARED
_COMPOUND = re.compile(r"[^\W_]+(?:[-./,'’][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+(?:['’](?:s|t|re|ll|ve|d|m)\b)?", re.IGNORECASE)
_MEANS = re.compile(r"\bwhat (?:does|do|is) (.{1,80}?) (?:mean|meant by)\b", re.IGNORECASE)
_ENGLISH_MONTHS = dict(
    zip(
        "january february march april may june july august september october november december".split(),
        MONTHS,
        strict=True,
    )
)
_NAMES_OF_MONTHS = "|".join(_ENGLISH_MONTHS)
_DAY, _YEAR = r"(\d{1,2})(?:st|nd|rd|th)?", r"(?:of )?(\d{4})\b"
_DATES = tuple(
    (re.compile(pattern, re.IGNORECASE), order)
    for pattern, order in (
        (rf"\b({_NAMES_OF_MONTHS}) {_DAY},? {_YEAR}", "{2} de {1} de {3}"),
        (rf"\b{_DAY} (?:of )?({_NAMES_OF_MONTHS}),? {_YEAR}", "{1} de {2} de {3}"),
        (rf"\b({_NAMES_OF_MONTHS}),? {_YEAR}", "{1} de {2}"),
    )
)


# Endings by which English and Spanish words of one Latin or Greek root differ, English=Spanish, longer before shorter.
_ENDINGS = tuple(
    (english, spanish)
    for english, _, spanish in (
        pair.partition("=")
        for pair in (
            "ological=ologico graphical=grafico ization=izacion ational=acional ology=ologia graphy=grafia "
            "tional=cional tially=cialmente ssion=sion ction=ccion tion=cion sion=sion ical=ico tial=cial "
            "ment=mento ence=encia ance=ancia ency=encia ancy=ancia ible=ible able=able ity=idad ive=ivo "
            "ary=ario ory=orio ous=oso ism=ismo ist=ista ure=ura ent=ente ant=ante ate=ado ute=uto ic=ico al=al "
            "or=or id=ido y=ia e=o e=a = =o =a"
        ).split(" ")
    )
)
_COGNATE = 6  # letters: shorter words are alike by chance
_DOUBLED = re.compile(r"([^aeiourlc])\1")


def cognates(word: str) -> tuple[str, ...]:
    """Return the folded Spanish words that a folded English one may be by its ending: `notification` as `notificacion`.

    Whether one of them exists is for who knows the texts to say. Words of less than six letters have none.
    """
    if len(word) < _COGNATE or not word.isalpha():
        return ()
    found = []
    for one in dict.fromkeys((word, word.removesuffix("s"))):
        for english, spanish in _ENDINGS:
            if one.endswith(english):
                begun = one.removesuffix(english).replace("ph", "f").replace("th", "t").replace("y", "i")
                found.append(_DOUBLED.sub(r"\1", begun) + spanish)
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Rendered:
    """A question in English, put into Spanish.

    Attributes:
        text: in Spanish, for search.
        entries: of the vocabulary that were used; their stems are those of the first phrase that they mean, which
            stands in the text, what else they mean counts as the same.
        left: words of letters that stand in the text as typed, folded.
    """

    text: str
    entries: tuple[Widening, ...]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    word: str  # folded; "" for what has a digit, which nothing may change


def leaning(question: str) -> int:
    """Return how many more small words of English than of Spanish a question has; negative for Spanish."""
    spoken = [token.word for token in _tokens(question)]
    return sum(word in _ENGLISH for word in spoken) - sum(word in _SPANISH for word in spoken)


def is_small(word: str) -> bool:
    """Tell whether a folded word is one of the small ones of an English question."""
    return word in _SMALL_WORDS


def small_words() -> frozenset[str]:
    """Return the small words of English questions."""
    return frozenset(_SMALL_WORDS)


def in_spanish(question: str) -> Rendered:
    """Put a question in English into Spanish.

    Examples:
        >>> in_spanish("How much is the minimum wage in 2026?").text
        'cuánto es la salario mínimo en 2026?'
    """
    text = _MEANS.sub(r"what means \1", question)
    for pattern, order in _DATES:
        text = pattern.sub(lambda match, order=order: _date(match, order), text)  # type: ignore[misc]
    pieces, entries, left, at = [], [], [], 0
    for run in _runs(text, _tokens(text)):
        for first, last, spanish, match in _put(run):
            pieces += [text[at : first.start], spanish if spanish is not None else text[first.start : last.end]]
            at = last.end
            entry = _widening(text[first.start : last.end], match) if match else None
            entries += [entry] if entry else []
            left += [first.word] if spanish is None and first.word and fold(first.word) not in MONTHS else []
    rendered = " ".join("".join([*pieces, text[at:]]).split())
    return Rendered(rendered, tuple(dict.fromkeys(entries)), tuple(dict.fromkeys(left)))


def _date(match: re.Match[str], order: str) -> str:
    parts = [_ENGLISH_MONTHS.get(part.casefold(), part) for part in match.groups()]
    return order.format("", *parts)


def _tokens(text: str) -> Iterator[_Token]:
    for compound in _COMPOUND.finditer(text):
        if any(letter.isdigit() for letter in compound.group()):
            yield _Token(*compound.span(), "")
            continue
        for match in _WORD.finditer(compound.group()):
            word = fold(match.group().replace("’", "'"))
            word = word.removesuffix("'s") if word not in _SMALL_WORDS else word
            yield _Token(compound.start() + match.start(), compound.start() + match.end(), word)


def _runs(text: str, tokens: Iterator[_Token]) -> Iterator[list[_Token]]:
    """Yield tokens that nothing but blanks or a hyphen stands between."""
    run: list[_Token] = []
    for token in tokens:
        if run and (text[run[-1].end : token.start].strip(" \t\n-–") or not token.word or not run[-1].word):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _put(run: Sequence[_Token]) -> Iterator[tuple[_Token, _Token, str | None, Match | None]]:
    """Yield (first token, last token, the Spanish for them or None, entry used) of a run, in order."""
    words = [token.word for token in run]
    found = {match.start: match for match in matches(words, "en")} if words[0] else {}
    at = 0
    while at < len(run):
        match = found.get(at)
        if match:
            yield run[at], run[match.end - 1], match.means[0], match
            at = match.end
            continue
        pair = _SMALL_PHRASES.get((words[at], words[at + 1])) if at + 1 < len(run) and at + 1 not in found else None
        if pair:
            yield run[at], run[at + 1], pair, None
            at += 2
            continue
        yield run[at], run[at], _SMALL_WORDS.get(words[at]), None
        at += 1


def _widening(said: str, match: Match) -> Widening | None:
    """Return an entry as it is told; None for one that only says how to ask."""
    stems = question_stems(match.means[0])
    others = tuple(stem for stem in question_stems(", ".join(match.means[1:])) if stem not in stems)
    return Widening(" ".join(fold(said).split()), stems, ", ".join(match.means), others) if stems else None
