"""Slips of one letter: the words that a mistyped word may have been meant to be.

Two words are a slip apart when one becomes the other by one letter left out, put in, taken for another, or changed
places with its neighbour (Damerau's four errors). Which of them exists is for whoever knows the texts to say.
"""

from __future__ import annotations

import re

_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of folded words: ñ is n
_LOOK_ALIKE = {"0": "o", "1": "il", "3": "e", "5": "s"}
_MISREAD = re.compile(r"[^\W\d_]{3,}[0135][^\W\d_]*|[^\W\d_]+[0135][^\W\d_]{3,}")
# What Spanish words have after their stems.
_ENDINGS = frozenset(
    (
        "o a e os as es s ar er ir al ales ando iendo ado ada ados adas ido ida idos idas aron ieron aba aban ia "
        "ian io ios ias ara aran era eran are ere ire aras ase asen iera ieran an en on amos emos imos ion iones "
        "cion ciones acion aciones icion iciones sion siones mente amente able ables ible ibles dad dades idad "
        "idades ivo iva ivos ivas oso osa osos osas ico ica icos icas ismo ismos ista istas miento mientos "
        "amiento amientos imiento imientos ante antes ente entes encia encias ancia ancias or ora ores oras ador "
        "adora adores adoras idor idora idores ero eros eras ario aria arios arias orio oria orios orias ez eza "
        "ezas ura uras arse erse irse arle arlo arla"
    ).split()
)
_DIGITS = re.compile(r"\d+")


def neighbours(word: str) -> frozenset[str]:
    """Return all words that are one slip from a folded word; digits are never put in or changed."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {head + tail[1:] for head, tail in cuts if tail}
    found |= {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    found |= {head + letter + tail[1:] for head, tail in cuts if tail for letter in _LETTERS}
    found |= {head + letter + tail for head, tail in cuts for letter in _LETTERS}
    return frozenset(found - {word})


def transpositions(word: str) -> frozenset[str]:
    """Return all words that a folded word becomes when two neighbouring letters change places."""
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    return frozenset(swapped - {word})


def misread(word: str) -> frozenset[str]:
    """Return the words that a word with one digit in place of a letter (`aguinald0`) may be; empty for any other.

    A digit other than 0 at the end is a number (`anexo5`) and stays one.
    """
    digits = _DIGITS.findall(word)
    if not _MISREAD.fullmatch(word) or len(digits) != 1 or (word[-1].isdigit() and word[-1] != "0"):
        return frozenset()
    return frozenset(word.replace(digits[0], letter) for letter in _LOOK_ALIKE[digits[0]])


def is_slip(typed: str, meant: str) -> bool:
    """Tell whether two folded names are one slip apart and have the same numbers."""
    from rapidfuzz.distance import OSA

    same_numbers = _DIGITS.findall(typed) == _DIGITS.findall(meant)
    return same_numbers and OSA.distance(typed, meant, score_cutoff=1) == 1


def is_form(word: str, stem: str, typed: str, typed_stem: str) -> bool:
    """Tell whether a word may be one of a stem that texts have: stems alone would make words of any letters after one.

    Args:
        word: folded, a slip away from the typed one.
        stem: its own.
        typed: the word as typed, folded.
        typed_stem: its own.
    """
    from rapidfuzz.distance import OSA

    ending = word[len(stem) :] if word.startswith(stem) else None
    regular = ending is not None and (not ending or ending in _ENDINGS or typed.endswith(ending))
    return regular or OSA.distance(stem, typed_stem, score_cutoff=1) <= 1
