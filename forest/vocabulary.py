"""The vocabulary: everyday words mapped to the words by which the law says the same, from Spanish and from English.

Curated, versioned text files in the package (docs/vocabulary.md); they widen what a question asks for and never what a
text says. How a question in English is put into Spanish with them is `forest.english`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from forest.analyzer import question_stems, words
from forest.text import fold

Language = Literal["es", "en"]
LANGUAGES: tuple[Language, ...] = ("es", "en")
_SHORTEST = 3  # letters that must be left of a word without its ending


@dataclass(frozen=True, slots=True)
class Widening:
    """One entry that a question uses.

    Attributes:
        said: the words of the question, folded.
        stems: their search tokens.
        means: what the texts say instead.
        meant: its search tokens.
    """

    said: str
    stems: tuple[str, ...]
    means: str
    meant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Words that stand together in some words and have an entry.

    Attributes:
        start: place of the first of them.
        end: place after the last.
        means: what the texts say instead, the phrases of the entry in its order.
    """

    start: int
    end: int
    means: tuple[str, ...]


@lru_cache(maxsize=len(LANGUAGES))
def _text(language: Language) -> str:
    return (files("forest") / "data" / f"vocabulary-{language}.txt").read_text(encoding="utf-8")


def version() -> str:
    """Return which vocabulary this is, as replies say it: the number in the first line of each file, `es-3 en-1`."""
    numbers = (_text(language).partition("\n")[0].rpartition(":")[2].strip() for language in LANGUAGES)
    return " ".join(f"{language}-{number}" for language, number in zip(LANGUAGES, numbers, strict=True))


VERSION = version()


def widen(question: str) -> tuple[Widening, ...]:
    """Return the entries whose words stand in a question, longest first, each word used by one entry at most."""
    typed = list(words(question))
    spoken = [fold(word) for word in typed]
    found = []
    for match in sorted(matches(spoken, "es"), key=lambda match: (match.start - match.end, match.start)):
        said = " ".join(spoken[match.start : match.end])
        # The stems of the words as typed: without its accent a word may have another one.
        own = question_stems(" ".join(typed[match.start : match.end])) or (said,)
        means = ", ".join(match.means)
        meant = tuple(stem for stem in question_stems(means) if stem not in own)
        if meant:
            found.append(Widening(said, own, means, meant))
    return tuple(found)


def matches(spoken: Sequence[str], language: Language) -> tuple[Match, ...]:
    """Return where folded words have an entry, in their order.

    Longer entries come before shorter ones, earlier before later; a word belongs to one entry at most. Plurals count
    as their singulars.
    """
    known = entries(language)
    keys = [_key(word, language) for word in spoken]
    longest = max(map(len, known), default=0)
    found, used = [], set[int]()
    for size in range(min(longest, len(keys)), 0, -1):
        for start in range(len(keys) - size + 1):
            means = known.get(tuple(keys[start : start + size]))
            places = range(start, start + size)
            if means and used.isdisjoint(places):
                used.update(places)
                found.append(Match(start, start + size, means))
    return tuple(sorted(found, key=lambda match: match.start))


@lru_cache(maxsize=len(LANGUAGES))
def entries(language: Language) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the entries of one language: the words that people say, without their endings, and what the texts say."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for phrase, means in said_and_meant(language):
        found.setdefault(tuple(_key(fold(word), language) for word in words(phrase)), means)
    return found


def said_and_meant(language: Language) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each (phrase as people say it, phrases of the texts) of a file, in its order."""
    found = []
    for line in _text(language).splitlines():
        said, colon, meant = line.partition(":")
        if colon and not line.startswith("#"):
            means = tuple(phrase.strip() for phrase in meant.split(","))
            found += [(phrase.strip(), means) for phrase in said.split(",")]
    return tuple(found)


@lru_cache(maxsize=len(LANGUAGES))
def words_said(language: Language) -> frozenset[str]:
    """Return all folded words of what people say in one language."""
    return frozenset(fold(word) for phrase, _ in said_and_meant(language) for word in words(phrase))


@lru_cache(maxsize=1)
def words_meant() -> frozenset[str]:
    """Return all folded words of Spanish in both files: what texts say, and what people say."""
    meant = (phrase for language in LANGUAGES for _, means in said_and_meant(language) for phrase in means)
    return words_said("es").union(fold(word) for phrase in meant for word in words(phrase))


def has_word(word: str, language: Language) -> bool:
    """Tell whether a folded word stands in some entry, in the singular or the plural."""
    return _key(word, language) in _keys_said(language)


@lru_cache(maxsize=len(LANGUAGES))
def _keys_said(language: Language) -> frozenset[str]:
    return frozenset(_key(word, language) for word in words_said(language))


def _key(word: str, language: Language) -> str:
    """Return a folded word without the endings by which singular and plural differ."""
    if language == "en" and word.endswith("ies") and len(word) > _SHORTEST + 2:
        return f"{word.removesuffix('ies')}y"
    for ending in ("s", "e"):
        if word.endswith(ending) and len(word) > _SHORTEST:
            word = word.removesuffix(ending)
    return word
