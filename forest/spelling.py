"""Spelling: a question's words held against a forest's texts, slips of one letter mended, English put into Spanish.

Nothing is mended silently: `forest.wording` holds what was done. Only a word or name that no text has is mended, and
numbers never are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from forest.analyzer import QUESTION_WORDS, STOP_WORDS, plain_stems, stem_of
from forest.days import MONTHS
from forest.edge import BUILT_IN
from forest.english import cognates, in_spanish, is_small, leaning, small_words
from forest.legal import aliases_of, identifiers, norm_codes
from forest.legal_numbers import fold as fold_name
from forest.legal_parts import PART_HEADS
from forest.slips import is_form, is_slip, misread, neighbours, transpositions
from forest.state import State
from forest.text import fold
from forest.vocabulary import has_word, words_meant, words_said
from forest.wording import Correction, Wording

_WORD = re.compile(r"[^\W_]+(?:[-./,'’@#][^\W_]+)*")
_FIELDS = ("body", "title", "heading", "summary", "scent", "tags")
_SHORTEST, _LONGEST = 4, 30  # letters of a word that is mended
_ANY_SLIP_IN_ENGLISH = 7  # letters; shorter words are mended where two letters changed places only
_SHORT_NAME = 3  # letters: `lye`, `LTF`
_MOST_WORDS = 64  # of one question that are looked at
_MOST_MEANT = 3
_AS_FREQUENT = 0.1  # of the most frequent: a rarer one would outweigh it in search
_CERTAIN = 10
_NEAREST = 3

Finder = Callable[[str], tuple[str, ...]]


def wording_of(state: State, question: str) -> Wording:
    """Return a question's words as they are to be searched in a forest, as of the state's day."""
    if _is_english(state, question):
        typed, mended = _mend(question, lambda word: _meant_in_english(state, word))
        rendered = in_spanish(typed)
        lacking = [word for word in rendered.left if word not in STOP_WORDS and not _count(state, word)]
        text, alike = _mend(rendered.text, lambda word: _alike_in_spanish(state, word) if word in lacking else ())
        text, names = _with_names_mended(state, text)
        told = {fold(correction.said) for correction in alike}
        not_found = tuple(word for word in lacking if word not in told)
        return Wording(question, text, "en", (*mended, *alike, *names), rendered.entries, not_found)
    text, names = _with_names_mended(state, question)
    text, mended = _mended_in_spanish(state, text)
    text, more = _with_names_mended(state, text) if mended else (text, ())
    return Wording(question, text, corrected=(*names, *mended, *more))


def _is_english(state: State, question: str) -> bool:
    """Tell by a question's small words whether it is in English; without any, by whether the vocabulary knows it."""
    sure = leaning(question)
    if sure:
        return sure > 0
    words = [fold(word) for word in _WORD.findall(question) if word.isalpha()]
    held = [word for word in words if has_word(word, "es") or _count(state, word)]
    told = [word for word in words if word not in held and has_word(word, "en") and word not in words_meant()]
    return len(told) >= max(1, len(held))


def _mended_in_spanish(state: State, question: str) -> tuple[str, tuple[Correction, ...]]:
    """Mend the words of a question in Spanish.

    Those of a citation that is understood as it stands (`arts. 76 y 78 LFT`) are right, however rare in texts. Those of
    a name that would be unknown after it as well stay.
    """
    mentions = identifiers(question, state.catalog).mentions
    understood = (question[m.start : m.end] for m in mentions if m.scope != "unknown_name")
    right = {fold(word) for said in understood for word in _WORD.findall(said)}
    text, mended = _mend(question, lambda word: () if word in right else _meant_in_spanish(state, word))
    if not mended:
        return text, ()
    unknown = {word for name in identifiers(text, state.catalog).unknown for word in fold_name(name).split()}
    kept = {fold(correction.said) for correction in mended if correction.meant[0] in unknown}
    if not kept:
        return text, mended
    return _mend(question, lambda word: () if word in kept | right else _meant_in_spanish(state, word))


def _mend(text: str, meant_by: Finder) -> tuple[str, tuple[Correction, ...]]:
    """Return a text with each word for which others are found replaced by the first of them, and what was done."""
    meant = dict[str, tuple[str, ...]]()
    pieces, mended, at = [], dict[str, Correction](), 0
    for match in _WORD.finditer(text):
        word = fold(match.group())
        if word not in meant:
            meant[word] = meant_by(word) if len(meant) < _MOST_WORDS else ()
        if meant[word]:
            mended.setdefault(word, Correction(match.group(), meant[word]))
            pieces += [text[at : match.start()], _as_typed(match.group(), meant[word][0])]
            at = match.end()
    return "".join([*pieces, text[at:]]), tuple(mended.values())


def _as_typed(typed: str, meant: str) -> str:
    """Return a word in capitals or with a capital where the typed one is."""
    if typed.isupper():
        return meant.upper()
    return meant.capitalize() if typed[:1].isupper() else meant


def _meant_in_english(state: State, word: str) -> tuple[str, ...]:
    """Return the words of English that a folded word is a slip of; nothing for one that is known or may be a name."""
    if not word.isalpha() or not _SHORTEST <= len(word) <= _LONGEST or is_small(word) or has_word(word, "en"):
        return ()
    if _count(state, word):
        return ()
    # English has many short words that are no entry's and one letter from one (near, year; scales, sales): those stay.
    near = neighbours(word) if len(word) >= _ANY_SLIP_IN_ENGLISH else transpositions(word)
    return tuple(sorted(near & small_words()) or sorted(near & words_said("en")))[:1]


def _alike_in_spanish(state: State, word: str) -> tuple[str, ...]:
    """Return the Spanish word, of those that texts have, that an English one without an entry is spelled like."""
    return tuple(spanish for spanish in cognates(word) if _count(state, spanish))[:1]


def _meant_in_spanish(state: State, word: str) -> tuple[str, ...]:
    """Return the words of the forest's texts that a folded word is a slip of, best first; nothing for a known one."""
    if not word.isalpha():
        return _best(state, word, misread(word))
    if len(word) == _SHORT_NAME and not _is_known(state, word):
        return _of_names(state, transpositions(word))
    if not _SHORTEST <= len(word) <= _LONGEST or _is_known(state, word):
        return ()
    near = neighbours(word)
    # A word of asking is as short as others are that mean something: only what nothing else explains is one of them.
    asking = [one for one in near & _asking() if len(one) > len(word) or sorted(one) == sorted(word)]
    return tuple(sorted(asking))[:1] or _best(state, word, near)


def _best(state: State, word: str, near: Collection[str]) -> tuple[str, ...]:
    """Return those of some words that texts have, the most frequent first, one for each stem, those much rarer not.

    Texts are known by their stems; a word of the vocabulary is one for certain, and so counts as more frequent.
    """
    by_stem: dict[str, list[str]] = {}
    able = [one for one in near if len(one) >= _SHORT_NAME and one not in STOP_WORDS]
    typed_stem = stem_of(word)
    for one, stem in zip(able, plain_stems(able), strict=True):
        if _in_bodies(state, stem) and not is_form(one, stem, word, typed_stem):
            continue
        by_stem.setdefault(stem, []).append(one)
    counts = {stem: _in_bodies(state, stem) for stem in by_stem}
    if not any(counts.values()):
        counts = {stem: _count_stem(state, stem) for stem in by_stem}
    for stem, same in by_stem.items():
        certain = [one for one in same if one in words_meant()]
        counts[stem] *= _CERTAIN if certain else 1
        by_stem[stem] = certain or same
    least = max(1.0, max(counts.values(), default=0) * _AS_FREQUENT)
    held = sorted((-count, _likest(word, by_stem[stem])) for stem, count in counts.items() if count >= least)
    if not held:
        return tuple(sorted(one for one in near if one in words_said("es")))[:1] or _of_names(state, near)
    return tuple(one for _, one in held[:_MOST_MEANT])


def _likest(word: str, same: Iterable[str]) -> str:
    """Return that of several words of one stem which ends as the typed one, the first of the alphabet of equals."""
    return min(same, key=lambda one: (one[-2:] != word[-2:], one[-1:] != word[-1:], one))


def _of_names(state: State, near: Collection[str]) -> tuple[str, ...]:
    """Return the one of some words that an instrument is called, or that names begin with; nothing if several are."""
    found = [*state.catalog.names(near), *(["ley"] if "ley" in near else [])]
    return tuple(found) if len(found) == 1 else ()


def _is_known(state: State, word: str) -> bool:
    return word in _asking() or has_word(word, "es") or _count(state, word) > 0


def _count(state: State, word: str) -> int:
    return _count_stem(state, stem_of(word))


def _in_bodies(state: State, stem: str) -> int:
    return state.index.frequency(stem, state.as_of)


def _count_stem(state: State, stem: str) -> int:
    """Return how many passages have a stem: in their body, else in what stands above or about it."""
    counts = (state.index.frequency(stem, state.as_of, field) for field in _FIELDS)
    return next((count for count in counts if count), 0)


@lru_cache(maxsize=1)
def _asking() -> frozenset[str]:
    """Return the words by which people ask, date, cite and name relations: right however rare they are in texts."""
    phrases = (phrase for kind in BUILT_IN for phrase in (*kind.words, *kind.inverse_words))
    relations = frozenset(word for phrase in phrases for word in phrase.split())
    return STOP_WORDS | QUESTION_WORDS | relations | frozenset(MONTHS) | PART_HEADS


def _with_names_mended(state: State, text: str) -> tuple[str, tuple[Correction, ...]]:
    """Return a text with the names and norm codes that no text bears, but one does a slip away, replaced by its."""
    mended = []
    unheld = [name for name in identifiers(text, state.catalog).unknown if name in text]
    codes = [(text[start:end], code) for start, end, code in norm_codes(text)]
    unheld += [said for said, code in codes if not state.catalog.bearers([fold_name(code)]) and said not in unheld]
    for name in unheld:
        meant = _name_meant(state, name)
        if meant:
            text = text.replace(name, meant)
            mended.append(Correction(name, (meant,)))
    return text, tuple(mended)


def _name_meant(state: State, name: str) -> str:
    """Return the name, of those borne in the forest, that a name is a slip of; "" when none or several are."""
    folded = fold_name(name)
    found: set[str] = set()
    for node in state.catalog.nearest_named(folded, _NEAREST):
        codes = (code for _, _, code in norm_codes(node.title))
        found.update(borne for borne in (*aliases_of(node.title), *codes) if is_slip(folded, fold_name(borne)))
    return found.pop() if len(found) == 1 else ""
