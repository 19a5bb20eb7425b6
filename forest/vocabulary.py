"""The vocabulary: everyday words mapped to the words by which the law says the same.

A curated, versioned text file in the package; it widens what a question asks for and never what a text says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from forest.analyzer import question_stems, words
from forest.text import fold

_FILE = "vocabulary-es.txt"


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


def widen(question: str) -> tuple[Widening, ...]:
    """Return the entries whose words stand in a question, longest first, each word used by one entry at most."""
    spoken = [fold(word) for word in words(question)]
    found, used = [], set[int]()
    for phrase, means in _entries():
        size = len(phrase)
        for at in range(len(spoken) - size + 1):
            places = range(at, at + size)
            if tuple(spoken[at : at + size]) == phrase and used.isdisjoint(places):
                used.update(places)
                said = " ".join(phrase)
                own = question_stems(said) or (said,)
                meant = tuple(stem for stem in question_stems(means) if stem not in own)
                if meant:
                    found.append(Widening(said, own, means, meant))
    return tuple(found)


@lru_cache(maxsize=1)
def _entries() -> tuple[tuple[tuple[str, ...], str], ...]:
    return tuple(sorted(_read(), key=lambda entry: (-len(entry[0]), entry[0])))


def _read() -> Iterator[tuple[tuple[str, ...], str]]:
    text = (files("forest") / "data" / _FILE).read_text(encoding="utf-8")
    for line in text.splitlines():
        said, colon, meant = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        for phrase in said.split(","):
            yield tuple(fold(word) for word in words(phrase)), meant.strip()
