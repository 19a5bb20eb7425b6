"""Structural headings: books, titles, chapters and sections, also where they stand inline after an article.

Owns recognising a heading, cutting the headings at the end of an article's paragraphs and keeping the path of open
divisions. Lines come typed from `curation.readers.lines`, with reform marks already on lines of their own.
"""

import re
from collections.abc import Sequence

from curation.law import Division
from curation.numerals import number
from curation.readers.lines import DIVISION_WORDS, Line
from curation.readers.marks import is_mark
from forest.ids import slug
from forest.text import fold

_RANK = {
    "libro": 0, "parte": 1, "titulo": 2, "subtitulo": 3, "capitulo": 4, "seccion": 5, "apartado": 6, "subseccion": 7,
}  # fmt: skip
_WORD_NUMBER = (
    r"(?:(?:PRIMER|SEGUND|TERCER|CUART|QUINT|SEXT|S[EÉ]PTIM|OCTAV|NOVEN|D[EÉ]CIM|UND[EÉ]CIM|DUOD[EÉ]CIM|VIG[EÉ]SIM"
    r"|TRIG[EÉ]SIM|CUADRAG[EÉ]SIM|[UÚ]NIC|D[EÉ]CIMO\w{5,8}|VIG[EÉ]SIMO\w{5,8})[OA]?|PRELIMINAR|ESPECIAL"
    r"|ONCE|DOCE|TRECE|CATORCE|QUINCE|DIECIS[EÉ]IS|DIECISIETE|DIECIOCHO|DIECINUEVE|VEINTE)"
)
_NUMBER = (
    rf"(?:{_WORD_NUMBER}(?:\s+{_WORD_NUMBER})?|[IVXLC]{{1,8}}|\d{{1,3}}[aoªº°]?|[A-H](?=[.\s]|$))"
    r"(?:[ -](?:BIS|Bis|TER|Ter|QU[AÁ]TER|QUINQUIES|SEXIES|[A-H](?=\s|$))(?![A-ZÁÉÍÓÚa-z])(?:\s\d{1,2}(?!\d))?)?"
)
_CAPITALS = re.compile(
    r"(?<![\w“\"])(?<!\bDEL )(?<!\bEL )(?<!\bAL )(?<!\bDE )(?<!\bLA )(?<!\bY )"
    r"(?<!\bdel )(?<!\bel )(?<!\bal )(?<!\bde )(?<!\bla )(?<!\by )"
    rf"(?P<label>(?P<kind>{DIVISION_WORDS})\s+(?P<number>{_NUMBER}))(?![\wáéíóúÁÉÍÓÚ])"
    rf"|(?<![\w“\"])(?P<label2>(?P<number2>PRIMERA|SEGUNDA|TERCERA|CUARTA) (?P<kind2>PARTE))(?!\w)"
)
_MIXED = re.compile(
    rf"(?:^|(?<=[.;:)\]”\"»…\d]\s)|(?<=\s)(?=Cap[ií]tulo \w+ :))"
    rf"(?P<label>(?P<kind>(?i:{DIVISION_WORDS}))\s+(?P<number>(?i:{_NUMBER})))"
    r"(?![\wáéíóúÁÉÍÓÚ])"
)
_CARDINALS: dict[str, int] = dict(
    zip(
        ("once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte").split(),
        range(11, 21),
        strict=True,
    )
)
_OPENING = re.compile(r"[\s.:–—-]+")
_LONGEST_HEADING_CHARS = 320
# Headings before the next article are few; these bounds keep a hostile text from costing its length squared.
_LONGEST_TAIL_LINES, _LONGEST_LINE_CHARS = 80, 40_000
_LONGEST_INTRODUCTION_CHARS = 8_000
# The Chamber's notes that run on from a heading.
_NOTE = re.compile(
    r"(?:^|(?<=\s))(?:Nota: |(?:T[ií]tulo|Cap[ií]tulo|Secci[oó]n|Subsecci[oó]n|Libro)"
    r" (?:con denominaci[oó]n )?(?:reformad|adicionad|derogad|reubicad|recorrid|reenumerad|reestructurad)[oa] "
    r"|Denominaci[oó]n (?:del? [^\n.;]{1,40}? )?(?:reformad|adicionad|suprimid)a DOF|Declaratoria terminada DOF"
    r"|Disposici[oó]n de vigencia DOF|Reestablecid[oa] por referencia )"
)
_ENUMERATED = re.compile(r"(?:[IVXLC]{1,7}|[a-z]|\d{1,2})[.)]-?\s")


def _canonical(kind: str, number_text: str) -> tuple[str, str]:
    """A division's kind without accents and its number as a path word (`3`, `3-bis`, `unico`, `preliminar`, `a`)."""
    head, *tail = re.split(r"[ -](?=(?i:bis|ter|qu[aá]ter|quinquies|sexies)\b|[A-H]$)", number_text, maxsplit=1)
    plain = fold(head).rstrip(".")
    names = {"preliminar": "preliminar", "unico": "unico", "unica": "unico"}
    value = number(head) or _CARDINALS.get(plain, 0)
    word = names.get(plain) or str(value or plain)
    return fold(kind), slug(fold(" ".join((word, *tail))))


def _make(match: re.Match[str], heading: str, notes: Sequence[str]) -> Division:
    groups = match.groupdict()
    kind, number_text = groups.get("kind") or groups.get("kind2"), groups["number"] or groups.get("number2")
    label = groups["label"] or groups.get("label2")
    kind, word = _canonical(kind or "", number_text or "")
    plain = _OPENING.sub("", heading, count=1) if _OPENING.match(heading) else heading
    noted = _NOTE.search(plain)
    if noted is not None:
        notes = (plain[noted.start() :].strip(), *notes)
        plain = plain[: noted.start()].strip()
    return Division(kind, word, label or "", plain, tuple(notes))


def _starts(text: str, *, loose: bool) -> list[re.Match[str]]:
    """The headings that a line could hold, in order and without overlap."""
    found = [
        *_CAPITALS.finditer(text),
        *(m for m in _MIXED.finditer(text) if loose or m.start() > 0 or len(text) < 200),
    ]
    kept: list[re.Match[str]] = []
    for match in sorted(found, key=lambda m: (m.start(), -m.end())):
        if not kept or match.start() >= kept[-1].end():
            kept.append(match)
    return kept


def _believable(heading: str) -> bool:
    """Whether the words after a label read as a heading rather than as the rest of a sentence."""
    if len(heading) > _LONGEST_HEADING_CHARS:
        return False
    return not heading or not (heading[0].islower() or heading[0] in ',;)”"')


def read_headings(lines: Sequence[Line]) -> tuple[Division, ...] | None:
    """The divisions that these lines are, None when they hold anything that is not a heading or its marks."""
    divisions: list[Division] = []
    current: re.Match[str] | None = None
    heading = ""
    notes: list[str] = []
    for line in lines:
        if is_mark(line.text) or line.text.startswith("(") or not line.text.strip("."):
            if current is None:
                return None
            notes.append(line.text)
            continue
        starts = _starts(line.text, loose=line.kind == "division")
        first = starts[0].start() if starts else len(line.text)
        lead = line.text[:first].strip()
        if lead:
            if current is None or _ENUMERATED.match(lead):
                return None
            heading = f"{heading} {lead}".strip()
        for place, match in enumerate(starts):
            if current is not None:
                if not _believable(_OPENING.sub("", heading, count=1) if _OPENING.match(heading) else heading):
                    return None
                divisions.append(_make(current, heading, notes))
            end = starts[place + 1].start() if place + 1 < len(starts) else len(line.text)
            current, heading, notes = match, line.text[match.end() : end].strip(), []
    if current is None or not _believable(_OPENING.sub("", heading, count=1) if _OPENING.match(heading) else heading):
        return None
    return (*divisions, _make(current, heading, notes))


def cut_headings(lines: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[Division, ...], tuple[Line, ...]]:
    """Split an article's lines where the headings of what follows begin.

    Returns:
        The article's own lines, the divisions after them, and what stands under the last heading but is no heading
        (an introduction before the next article).
    """
    for place, line in enumerate(lines):
        left = len(lines) - place
        if line.kind != "division" and (left > _LONGEST_TAIL_LINES or len(line.text) > _LONGEST_LINE_CHARS):
            continue
        for match in _starts(line.text, loose=line.kind == "division"):
            tail = (Line(line.kind, line.text[match.start() :]), *lines[place + 1 :])
            divisions = read_headings(tail) if left <= _LONGEST_TAIL_LINES else None
            under: tuple[Line, ...] = ()
            if divisions is None and line.kind == "division":
                divisions, under = _longest_prefix(tail)
                if sum(len(line.text) for line in under) > _LONGEST_INTRODUCTION_CHARS:
                    # A heading within an annex, as in a tariff: the article goes on.
                    divisions, under = None, ()
            if divisions is not None:
                own = line.text[: match.start()].strip()
                return (*lines[:place], *((Line(line.kind, own),) if own else ())), divisions, under
    return tuple(lines), (), ()


def _longest_prefix(lines: Sequence[Line]) -> tuple[tuple[Division, ...] | None, tuple[Line, ...]]:
    """The divisions that the first of these lines make, with the other lines."""
    for end in range(min(len(lines), 6), 0, -1):
        divisions = read_headings(lines[:end])
        if divisions is not None and (end == 1 or len(lines[end - 1].text) < _LONGEST_HEADING_CHARS // 2):
            return divisions, tuple(lines[end:])
    return None, tuple(lines)


def descend(path: tuple[Division, ...], opened: Division) -> tuple[Division, ...]:
    """The path of open divisions after a heading: it closes its equals and everything below them."""
    return (*(d for d in path if _RANK[d.kind] < _RANK[opened.kind]), opened)
