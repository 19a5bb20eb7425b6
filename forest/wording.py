"""The wording of a question: as it was typed, as it is searched, and everything that was done between, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from forest.vocabulary import VERSION, Language, Widening


@dataclass(frozen=True, slots=True)
class Correction:
    """A word or name that no text has, and those one slip away that texts have.

    Attributes:
        said: as typed.
        meant: what it was searched as, best first.
    """

    said: str
    meant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """A question's words as they are searched.

    Attributes:
        asked: the question as typed.
        text: as it is searched: in Spanish, slips mended.
        language: in which it was asked.
        corrected: slips that were mended.
        translated: entries of the English vocabulary that were used; empty for a question in Spanish.
        not_found: words of a question in English that have no entry and that no text of the forest has.
        vocabulary: version of the vocabulary.
    """

    asked: str
    text: str
    language: Language = "es"
    corrected: tuple[Correction, ...] = ()
    translated: tuple[Widening, ...] = ()
    not_found: tuple[str, ...] = ()
    vocabulary: str = VERSION

    def notes(self) -> tuple[str, ...]:
        """Return sentences that say what was done, for whoever asked."""
        told = [f"«{entry.said}» was searched as: {', '.join(entry.meant)}." for entry in self.corrected]
        told += [f"«{entry.said}» was searched as: {entry.means}." for entry in self.translated]
        if self.language == "en":
            told.append(f"The texts of this forest are in Spanish; the question was searched as: «{self.text}».")
        if self.not_found:
            words = ", ".join(f"«{word}»" for word in self.not_found)
            told.append(f"No text of this forest has these English words, and the vocabulary has no entry: {words}.")
        return tuple(told)
