"""Article labels: where one begins in running text and how it is numbered.

Owns the grammar of `Artículo 3o. Bis.-`, `ARTICULO 390 Bis-1.`, `PRIMERO.-`; whether a label at some place is an
article of the law is decided by its sequence, in `curation.readers.sequence`.
"""

import re
from dataclasses import dataclass

from curation.numerals import ORDINAL_WORD, number, roman
from forest.text import fold

_LATIN = (
    r"bis|t[eé]r|[qc]u[aá]ter|qu[aá]tes|quint[ui]s|quinquies|quinties|sext[ui]s|sex[ií]es|sexties|s[eé]ptim[ui]s|septies|octav[ui]s"
    r"|oct[ií]es|non[ui]s|noven[ui]s|non[ií]es|nov[ií]es|dec[ií]es|undecies|duodecies|terdecies|tercies|quaterdecies|quindecies"
    r"|(?:quinquies|sexies|septies|octies|nonies|sept|octo|novo|quin|sex)decies"
)
_ADVERB = rf"(?i:(?:{_LATIN})(?![a-záéíóú]))"
_ADVERBS = rf"{_ADVERB}(?:[ -]?(?:\d{{1,2}}|[A-Z])(?![A-Za-záéíóú0-9]))?"
# A letter is part of a label only where punctuation follows it: `Artículo 4o.-A.- Los`, but not `Artículo 7. A quien`.
_LETTER = rf"(?:[A-ZÑ]{{1,2}}|[a-zñ])(?=[ ]?(?:[.:-]|{_ADVERB}))(?:-\d{{1,2}})?(?:[ ]{_ADVERBS})?"
SUFFIX = re.compile(rf"[.\s-]{{0,4}}(?P<suffix>{_LETTER}|{_ADVERBS}|(?<=-)\d{{1,2}}(?=[.:-]))(?![a-zA-Záéíóú])")
# A full stop alone on its line belongs to the label; more dots stand for text that is left out.
_OPENING = re.compile(r"[\s.:–—-]{1,12}(?=[^.\s–—-])|\.\s?[–—-]?$|[\s:–—-]+")
_UNIQUE = r"(?:[uú]nic[oa])"
_WORDS = rf"(?i:(?:{ORDINAL_WORD}(?:[ ]{ORDINAL_WORD})?|{_UNIQUE})(?![a-záéíóú]))"
_DIGITS = r"\d{1,6}(?:,\d{3})?(?:[ /]?[oaº°ª](?![a-zA-Z]))?(?:-[A-ZÑ](?![a-zA-Z])(?:-\d{1,2})?|-\d{1,2}(?!\d))?"
_SENTENCE_START = r"(?:^|(?<=[.;:)\]”\"»…\d,]\s)|(?<=[.;:)\]”\"»…,])(?=A))"
_FOLLOWS = r"(?=[A-ZÁÉÍÓÚÑ(\[\"“¿\d.…]|$)"
# A label whose paragraph was lost stands anywhere; the sequence then says whether it fills a gap.
INLINE = re.compile(
    rf"(?:{_SENTENCE_START}|(?<=\s)(?=ART|Art[ií]culo[ ]\d{{1,6}}[oº°]?\.))"
    rf"(?P<label>(?:ART[IÍ]CULO|Art[ií]culo)[ ]+(?P<number>{_DIGITS}|{_WORDS}))"
    rf"(?P<tail>(?:{SUFFIX.pattern})?[ ]?(?:\.\s?[-–—]|[.:–—-]))[ ]?{_FOLLOWS}"
)
ITEM = re.compile(
    rf"(?:^|(?<=[.;:)\]”\"»…\d]\s))(?P<label>(?:(?:ART[IÍ]CULO|Art[ií]culo)[ ]+)?"
    rf"(?P<number>{_WORDS}|(?<=[oO][ ])\d{{1,3}}[oº°]?))"
    rf"(?P<tail>(?:[ ]?(?i:bis|ter)(?![a-z]))?[ ]?(?:\.\s?[-–—:]|[.:–—-]))[ ]?{_FOLLOWS}"
)
_WORDED = re.compile(rf"({_WORDS})(.*)", re.DOTALL)
_NUMBERED = re.compile(r"(\d{1,6}(?:,\d{3})?)[ /]?(?:[oaº°ª](?![a-zA-Z]))?(.*)", re.DOTALL)
_ROMAN = re.compile(r"([IVXLC]{1,8})(?![A-Za-záéíóú])(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Number:
    """What a label counts: its number, the canonical suffix, and whether it was written in words."""

    value: int
    suffix: str
    worded: bool

    @property
    def key(self) -> str:
        """The canonical key, spelled as `forest.legal_numbers.article_key` does: `3-bis`, `15-a`, `unico`."""
        head = "unico" if self.worded and self.value == 0 else str(self.value)
        return f"{head}-{self.suffix}" if self.suffix else head


def parse_label(label: str) -> Number | None:
    """The number of a label such as `Artículo 15-C` or `ARTÍCULO DÉCIMO PRIMERO`; None when it has none."""
    text = re.sub(r"^(?i:art[ií]culo)\s+", "", label.strip()).strip(" .:-–—")
    if worded := _WORDED.match(text):
        head, rest = worded.groups()
        value = 0 if fold(head).startswith("unic") else number(head)
        return Number(value or 0, _canonical(rest), worded=True)
    if digits := _NUMBERED.match(text):
        return Number(int(digits.group(1).replace(",", "")), _canonical(digits.group(2)), worded=False)
    if (numeral := _ROMAN.match(text)) and (value := roman(numeral.group(1))):
        return Number(value, _canonical(numeral.group(2)), worded=False)
    return None


def _canonical(text: str) -> str:
    """A label's tail as words joined by hyphens, in lower case without accents."""
    spelled = re.sub(r"\bñ\b", "enie", text.lower())
    return "-".join(re.findall(r"[a-z]+|\d+", fold(spelled)))


def read_suffix(label: str, text: str) -> tuple[str, str]:
    """Move a suffix that spilled over to the next line back to its label.

    Returns:
        The completed label and the text that is left, without the punctuation that opened it.
    """
    match = SUFFIX.match(text)
    if match is None and fold(label[-3:]) in ("bis", "ter"):
        match = re.match(r"(?P<suffix>\d{1,2})(?=\.-)", text)
    if match:
        suffix = match["suffix"].strip()
        # A hyphen keeps a lone letter apart from the `a` and `o` of ordinals: `228 a` would read as `228a`.
        label, text = f"{label}{'-' if suffix[1:2].strip() == '' else ' '}{suffix}", text[match.end() :]
    elif ordinal := re.match(rf"(?P<word>{_WORDS})(?=\s?[.:-])", text):
        label, text = f"{label} {ordinal['word']}", text[ordinal.end() :]
    elif text[:1] in ("°", "º"):
        label, text = label + text[0], text[1:]
    opening = _OPENING.match(text)
    return label, text[opening.end() :] if opening else text
