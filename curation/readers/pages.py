"""From the pages of a converted gazette to paragraphs.

Owns the habits of the converters: lines broken inside a paragraph, with or without a blank line between them, bold that
covers a printed line rather than a word, page breaks in the middle of a sentence, running headers. What a page holds
besides its text is returned as such. Knows nothing of acts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curation.gazette import Dropped, Paragraph
from curation.numerals import ORDINAL_WORD
from forest.days import MONTHS

_DAY = (
    r"(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)\s+\d{1,2}\s+de\s+"
    rf"(?:{'|'.join(MONTHS)})\s+de\s+\d{{4}}"
)
_ISSUE = r"\(?(?:primera|segunda|tercera|cuarta|quinta|sexta|única|edición)\s+(?:secci[oó]n|vespertina)\)?"
_RUNNING = re.compile(rf"(?:{_ISSUE}|(?<!\d)\d{{1,4}}(?!\d)|DIARIO OFICIAL|{_DAY}|\s)+", re.IGNORECASE)
_NUMBERS = re.compile(r"[\d\s]+")
_CHUNK = re.compile(r"</?chunk\b(?:[^<>]{0,40}?pages=\"(?P<page>\d{1,4})\")?[^<>]{0,40}>|<|`{3}\w{0,10}")
_RULE = re.compile(r"(?:\\?[_*●•=~·—–-]|\s)+")
_HASHES = re.compile(r"(#{1,6})[ \t]+(?=\S)")
_BOLD_LEAD = re.compile(r"\*\*([^*\n]{1,400})\*\*")
_ITALIC = re.compile(r"(?<![\w\\/.-])_(?=[^\s_])([^_\n]{0,400}?[^\s_])_(?![\w/])")
_SPACES = re.compile(r"[ \t\u00a0]+")
# A line that begins like this begins a paragraph.
_STARTS = re.compile(
    rf"(?:ART[IÍ]CULO|Art[ií]culo)\s+(?:\d|[A-ZÁÉÍÓÚÑ])|(?=[A-ZÚ])(?i:{ORDINAL_WORD}|[úu]nic[oa])\s?\.\s?[-–]|(?:{ORDINAL_WORD.upper()}|[ÚU]NIC[OA])\b[^a-z]{{0,40}}?[.:–-]"
    r"|\d{1,2}(?:\.\d{1,2}){1,5}\.?\s|[IVXLC]{1,6}\.\s?[-–]?\s|\(?[a-zñ]\)\s|\d{1,3}[.)][-–]?\s+[A-ZÁÉÍÓÚÑ“\"]"
    r"|[-–•●▪]\s|o\s(?=[A-ZÁÉÍÓÚ])"
    r"|Que,?\s|Al margen\b|Atentamente\b|(?:Figura|Tabla|Cuadro|Anexo|ANEXO)\s+\S{1,6}[.:]"
    r"|(?:CAP[IÍ]TULO|T[IÍ]TULO|SECCI[OÓ]N|Cap[ií]tulo|T[ií]tulo|Secci[oó]n)\s+(?:[IVXLC]+|[A-ZÁÉÍÓÚ]\w+)\b\W*$"
)
_ENDS = re.compile(r"[.;:!?][)\]”\"»’']{0,2}$")
# Words after which a sentence goes on, whatever the next line begins with.
_UNFINISHED = re.compile(
    r"(?:,|\b(?i:el|la|los|las|del|de|al|y|e|o|u|en|su|sus|con|por|a|que|un|una|presente|art[ií]culos?|fracci[oó]n"
    r"|fracciones|incisos?|numeral|anexos?|cap[ií]tulos?|t[ií]tulos?))$"
)
_ITEM = re.compile(r"[-–•●▪]\s|Que,?\s|Al margen\b|Atentamente\b")
# Headings of one word or two that never run into the next line.
_ALONE = re.compile(
    r"(?:C ?O ?N ?S ?I ?D ?E ?R ?A ?N ?D ?O ?S?|ANTECEDENTES?|DECLARACIONES|CL[AÁ]USULAS|ACUERDOS?|DECRETO"
    r"|RESOLUCI[OÓ]N|PREFACIO|AVISO|CIRCULAR|GLOSARIO|[IÍ]NDICE|CONTENIDO|(?:(?:ART[IÍ]CULOS?|Art[ií]culos?)\s+)?(?:TRANSITORI[OA]S?|Transitori[oa]s?))\W*"
)
_NARROWEST_CHARS, _LONGEST_HEADER_CHARS = 60, 120
_FEW_LINES, _HEAD_LINES = 6, 15


@dataclass(frozen=True, slots=True)
class _Line:
    """One printed line that holds words of the text."""

    text: str
    number: int
    bold: bool
    lead: str
    hashes: int
    table: bool
    gap: bool
    breaks: bool
    capitals: bool


def in_capitals(text: str) -> bool:
    """Whether a text has letters and all but a few of them are capitals."""
    upper, lower = sum(map(str.isupper, text)), sum(map(str.islower, text))
    return upper + lower >= 2 and upper >= 0.95 * (upper + lower)


def without_markup(text: str) -> str:
    """A line's words: no bold, no italics, no escapes of the converter, single spaces."""
    plain = text.replace("**", " " if text.count("**") % 2 else "")
    plain = re.sub(r"\\([_*#\[\]])", r"\1", _ITALIC.sub(r"\1", plain))
    return _SPACES.sub(" ", plain).strip()


def read_pages(text: str) -> tuple[tuple[Paragraph, ...], tuple[Dropped, ...]]:
    """The paragraphs of a file in order, and the words that are page furniture."""
    dropped: list[Dropped] = []
    lines = tuple(_lines(text.lstrip("\ufeff"), dropped))
    lengths = sorted(len(line.text) for line in lines if not line.table and len(line.text) >= _NARROWEST_CHARS)
    width = lengths[int(0.9 * (len(lengths) - 1))] if lengths else _NARROWEST_CHARS
    gaps = sum(line.gap for line in lines) > 0.05 * len(lines)
    return tuple(_paragraph(group) for group in _groups(lines, width, gaps=gaps)), tuple(dropped)


def _lines(text: str, dropped: list[Dropped]) -> Iterator[_Line]:
    """The lines with words, without furniture; what they were preceded by is in their flags."""
    gap, breaks, header, page, begun = False, False, 0, "", 0
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line:
            gap = True
            continue
        if marker := _CHUNK.fullmatch(line):
            dropped.append(Dropped("page_marker", number, line))
            gap, breaks, header, page, begun = True, True, _FEW_LINES, marker["page"] or page, number
            continue
        if line == page and number - begun <= _HEAD_LINES:
            # A model that reads a page may put its number below the first words.
            dropped.append(Dropped("page_header", number, line))
            page = ""
            continue
        if _RULE.fullmatch(line) and not line.startswith("|"):
            gap, breaks = True, breaks or line.startswith("---")
            continue
        header = max(0, header - 1)
        if (
            len(line) <= _LONGEST_HEADER_CHARS
            and _RUNNING.fullmatch(line)
            and (header if _NUMBERS.fullmatch(line) else True)
        ):
            dropped.append(Dropped("page_header", number, line))
            breaks, header = True, max(header - 2, 2)
            continue
        yield _line(line, number, gap=gap, breaks=breaks)
        gap, breaks = False, False


def _line(line: str, number: int, *, gap: bool, breaks: bool) -> _Line:
    if line.startswith("|"):
        return _Line(_SPACES.sub(" ", line), number, False, "", 0, True, gap, breaks, False)
    hashes = _HASHES.match(line)
    body = line[hashes.end() :] if hashes else line
    outside = re.sub(r"\*\*[^*]{0,600}\*\*", "", body)
    bold = "**" in body and not any(c.isalnum() for c in outside)
    lead = "".join(f"{part} " for part in _leading_bold(body)).strip()
    text = without_markup(body)
    level = len(hashes[1]) if hashes else 0
    return _Line(text, number, bold, lead, level, False, gap, breaks, in_capitals(text))


def _leading_bold(body: str) -> Iterator[str]:
    at = 0
    while match := _BOLD_LEAD.match(body, at):
        yield without_markup(match[1])
        at = match.end()
        while body[at : at + 1] == " ":
            at += 1


def _groups(lines: Iterable[_Line], width: int, *, gaps: bool) -> Iterator[list[_Line]]:
    group: list[_Line] = []
    bold = True
    for line in lines:
        if group and not _joins(group[-1], line, width, gaps=gaps, bold=bold):
            yield group
            group, bold = [], True
        group.append(line)
        bold = bold and line.bold
    if group:
        yield group


def _joins(a: _Line, b: _Line, width: int, *, gaps: bool, bold: bool) -> bool:
    """Whether a line goes on with the sentence of the line before it."""
    if a.table or b.table:
        # A page break inside a table gives two: each has a header row of its own.
        return a.table and b.table and not b.gap
    if a.hashes or b.hashes or _ALONE.fullmatch(a.text) or _ALONE.fullmatch(b.text):
        return False
    wraps = len(a.text) >= 0.6 * width and not _ENDS.search(a.text)
    goes_on = wraps and not b.gap and bool(_UNFINISHED.search(a.text) or (a.capitals and b.capitals and not bold))
    if _STARTS.match(b.text) and not (goes_on and not _ITEM.match(b.text)):
        return False
    if goes_on and _UNFINISHED.search(a.text) and not bold:
        return True
    if a.capitals != b.capitals and (not b.text[:1].islower() or a.capitals):
        return False
    if b.gap or b.breaks:
        # A title in bold capitals stands apart from what follows it; a sentence that a page breaks does not.
        lower = b.text[:1].islower() and len(a.text) >= 0.45 * width and not _ENDS.search(a.text)
        return lower or (wraps and (not bold or (b.bold and not b.capitals)))
    ended = bool(_ENDS.search(a.text))
    if b.text[:1].islower():
        return not a.text.endswith(":")
    if a.capitals:
        return not ended
    if ended:
        full = len(a.text) >= (0.8 * width if gaps else width - 12)
        return full and (a.text[-1] not in ";:" or (a.text[-1] == ";" and not b.text[:1].isupper()))
    return gaps or len(a.text) >= 0.6 * width


def _paragraph(group: list[_Line]) -> Paragraph:
    first = group[0]
    if first.table:
        return Paragraph("\n".join(line.text for line in group), first.number, table=True, breaks=first.breaks)
    lead: list[str] = []
    for line in group:
        lead.append(line.lead)
        if not line.bold:
            break
    return Paragraph(
        " ".join(line.text for line in group),
        first.number,
        all(line.bold for line in group),
        " ".join(filter(None, lead)),
        first.hashes,
        breaks=first.breaks,
    )
