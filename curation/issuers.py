"""Who issued an act, as its own text says.

Owns the reading of the seal at the margin and of the opening words; the institution's node is `curation.institutions`.
Where the text does not establish an issuer there is none.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from curation.gazette import Act, Block
from curation.readers.pages import in_capitals
from forest.ids import slug
from forest.text import fold, one_line

_SAYS = re.compile(r"que dicen?:\s*")
# The seal's lines are run together with ".-", which a converter may lose before a capital.
_PART = re.compile(
    r"\s*\.\s?[-–]\s*|\.(?=[A-ZÁÉÍÓÚÑ]{2,}|[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+ (?:de|del|Ejecutiva|Nacional|Federal)\b)"
)
_COUNTRY = "estados unidos mexicanos"
_NAME = re.compile(r"[A-ZÁÉÍÓÚÑ][^\d“”\"'/:;]{6,150}")
_IN_PARENTHESES = re.compile(r"\s*\((?P<short>[A-ZÁÉÍÓÚÑ][A-ZÁÉÍÓÚÑ-]{1,19})\)")
_OPENING_CHARS, _LONGEST_BASIS_CHARS = 3_000, 160
_VOWELS = {"a": "aáà", "e": "eéè", "i": "iíì", "o": "oóò", "u": "uúüù", "n": "nñ"}


@dataclass(frozen=True, slots=True)
class Issuer:
    """An institution that issued an act: its name as the text spells it, and the words that say so."""

    name: str
    basis: str
    aliases: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The name of its node."""
        return slug(fold(self.name))


def issuer_of(act: Act, header: str) -> Issuer | None:
    """The institution that issued an act, None when its text does not establish one.

    Args:
        act: the act.
        header: the gazette's header of its section, "" when unknown. It chooses among the institutions that the text
            names, and gives none by itself.
    """
    parts = _seal_parts(act.seal)
    wanted = fold(one_line(header))
    found = next((part for part in parts if wanted and _same(fold(part), wanted)), "")
    opening = _spelled(header, act) if wanted and not found else None
    if opening is not None:
        name, basis = opening
    elif found or parts:
        name = found or parts[0]
        basis = _seal_basis(act.seal, name)
    else:
        return None
    short = _IN_PARENTHESES.search(name)
    plain = one_line(_IN_PARENTHESES.sub("", name)) if short else one_line(name)
    given = (one_line(header),) if wanted and _same(fold(plain), _plain(wanted)) else ()
    shorts = (short["short"],) if short else _shorts(plain, act)
    aliases = dict.fromkeys(alias for alias in (*shorts, *given) if alias != plain)
    return Issuer(plain, basis, tuple(aliases))


def _seal_parts(seal: str) -> tuple[str, ...]:
    """The institutions that a seal names, in its order: no country, no slogan in capitals, no file number."""
    says = _SAYS.search(seal)
    if says is None:
        return ()
    parts = (part.strip(" .-") for part in _PART.split(seal[says.end() :]))
    return tuple(
        part
        for part in parts
        if _NAME.fullmatch(part) and " " in part and not in_capitals(part) and fold(part) != _COUNTRY
    )


def _plain(folded: str) -> str:
    return re.sub(r"\s*\([^()]{0,40}\)", "", folded)


def _same(name: str, header: str) -> bool:
    """Whether a header, which the gazette may shorten, is of the institution with that name; both folded."""
    return name == header or name.startswith(f"{header} ")


def _seal_basis(seal: str, name: str) -> str:
    """The words of the seal from what it says on to the name."""
    says = _SAYS.search(seal)
    start = says.end() if says else 0
    end = seal.index(name, start) + len(name)
    whole = seal[start:end]
    return whole if len(whole) <= _LONGEST_BASIS_CHARS else name


def _spelled(header: str, act: Act) -> tuple[str, str] | None:
    """The header's institution as the act's opening spells it in ordinary letters, with the words around it."""
    letters = (_VOWELS.get(c, re.escape(c)) for c in one_line(unicodedata.normalize("NFC", fold(header))))
    pattern = "".join(
        f"[{c}]" if len(c) > 1 and not c.startswith("\\") else r"\s+" if c == "\\ " else c for c in letters
    )
    for text in (act.heading, *(block.text for block in _opening(act))):
        for match in re.finditer(rf"\b{pattern}(?!\w)", text, re.IGNORECASE):
            if not in_capitals(match.group()):
                before = text[: match.start()].split()[-8:]
                return match.group(), " ".join((*before, match.group()))
    return None


def _opening(act: Act) -> list[Block]:
    """The paragraphs before the act begins to give its reasons."""
    opening: list[Block] = []
    size = 0
    for block in act.blocks:
        if size > _OPENING_CHARS or (block.kind == "heading" and opening and size > 400):
            break
        opening.append(block)
        size += len(block.text)
    return opening


def _shorts(name: str, act: Act) -> tuple[str, ...]:
    """The acronym that the act gives an institution: after its name in parentheses, or before it in a glossary."""
    spelled = re.escape(name)
    after = re.compile(rf"{spelled}\s+\(\s*[“\"]?(?P<short>[A-ZÁÉÍÓÚÑ][A-ZÁÉÍÓÚÑ-]{{1,14}})[”\"]?\s*\)")
    entry = re.compile(rf"(?P<short>[A-ZÁÉÍÓÚÑ]{{2,12}})(?:/\w{{1,20}})?\s+{spelled}\.?")
    for block in act.blocks:
        match = after.search(block.text) or entry.fullmatch(block.text)
        if match and _abbreviates(fold(match["short"]), tuple(fold(name).split())):
            return (match["short"],)
    return ()


def _abbreviates(short: str, words: tuple[str, ...]) -> bool:
    """Whether an acronym is put together of beginnings of some of the words, in their order: `sedatu`, `semarnat`.

    What stands before parentheses may be part of a longer name, which they then abbreviate.
    """
    ends = {0}
    for place, word in enumerate(words):
        reached = {
            at + size
            for at in ends
            for size in range(1, min(len(word), len(short) - at) + 1)
            if short.startswith(word[:size], at)
        }
        ends = reached if place == 0 else ends | reached
    return len(short) in ends
