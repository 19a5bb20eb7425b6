"""Which paragraphs of an act are its headings.

Owns the recognition of headings that the page shows only by capitals or bold letters (CONSIDERANDO, TRANSITORIOS,
CAPÍTULO I, ARTÍCULO PRIMERO.-, `5.2. Criterios`) and their ranks. A label that runs into its paragraph is parted from
it; no word is lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from curation.gazette import (
    ARTICLE,
    BOOK,
    CHAPTER,
    GROUP,
    ITEM,
    LISTING,
    NUMERAL,
    PART,
    SECTION,
    TITLE,
    Block,
    Paragraph,
)  # fmt: skip
from curation.numerals import ORDINAL_WORD
from curation.readers.pages import in_capitals
from forest.text import fold

_TRANSITORY = re.compile(
    r"(?:\d{1,2}[. ]+)?(?:articulos? |disposicion(?:es)? |regimen )?transitori[oa]s?|t r a n s i t o r i o s?"
)
_PARTS = re.compile(
    r"(?:c ?o ?n ?s ?i ?d ?e ?r ?a ?n ?d ?o ?s?|resultandos?|antecedentes?|declaraciones|(?:puntos de )?acuerdos?"
    r"|decreto|aviso|resolucion|resolutivos?|puntos resolutivos|resuelve|circular|lineamientos|reglas|bases"
    r"|clausulas|glosario|indice|contenido|prefacio"
    r"|introduccion|presentacion|objeto|objetivos?|definiciones|bibliografia|vigencia|fundamento legal|marco juridico"
    r"|exposicion de motivos|convenio|estatuto|manual|programa|convocatoria|extracto|sentencia|votos?)"
)
_ANNEX = re.compile(r"(?:anexos?|ap[eé]ndices?|formatos?)\b(?! (?:de|a) l)", re.IGNORECASE)
DIVISION = re.compile(
    r"(?P<kind>LIBRO|T[IÍ]TULO|CAP[IÍ]TULO|SECCI[OÓ]N|APARTADO|Libro|T[ií]tulo|Cap[ií]tulo|Secci[oó]n|Apartado)\s+"
    rf"(?P<number>[IVXLC]{{1,7}}|\d{{1,3}}[oº°]?|[A-Z]|(?i:[uú]nic[oa]|{ORDINAL_WORD}(?:\s+{ORDINAL_WORD})?))"
    r"(?P<rest>\b[^a-z]{0,200}|[.\s-].{0,200})"
)
_DIVISION_RANKS = {"libro": BOOK, "titulo": TITLE, "capitulo": CHAPTER, "seccion": SECTION, "apartado": SECTION}
_ORDINAL = rf"(?:[ÚUúu][Nn][Ii][Cc][OoAa]|(?i:{ORDINAL_WORD})(?:\s+(?i:{ORDINAL_WORD}))?)"
_CLOSING = r"\s?(?:\.\s?[-–—]+|[.:;]|[-–—]+)(?=\s|$|[A-ZÁÉÍÓÚ“\"])"
_ARTICLE_LABEL = re.compile(
    rf"[“\"]?(?:ART[IÍ]CULO|Art[ií]culo)\s+"
    rf"(?:\d{{1,4}}[oº°]?(?:[- ](?:[A-Z]|(?i:bis|ter|qu[aá]ter)))?|{_ORDINAL}|[IVXLC]{{1,7}})"
    rf"(?:\s(?i:transitorio))?{_CLOSING}\s*"
)
_ORDINAL_LABEL = re.compile(rf"[“\"]?(?=[A-ZÁÉÍÓÚ]){_ORDINAL}(?:\s(?i:transitorio))?{_CLOSING}\s*")
# What a clause is called, in capitals after its ordinal: `PRIMERA. OBJETO.`
_NAME = re.compile(r"[A-ZÁÉÍÓÚÑ“”\"«»,;/() -]{4,160}\.(?:\s?[-–])?(?=\s|$)\s*")
_NUMERAL = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})\.?\s+(?=[A-ZÁÉÍÓÚÑ“\"¿])")
_TITLE_END = re.compile(r"[:.](?=\s|$)")
_ROMAN = re.compile(r"[IVXLC]{1,7}\s?[.-]\s")
_PERSON = re.compile(r"(?:C|LIC|DR|DRA|MTRO|MTRA|ING|ACT|ARQ|PROF|L\.?C|C\.?P)\b\.", re.IGNORECASE)
_LONGEST_HEADING_WORDS, _LONGEST_NAME_CHARS = 45, 160
_FEWEST_NUMERALS, _PRINTED_LINE_CHARS = 3, 60
_REASONS = re.compile(r"c ?o ?n ?s ?i ?d ?e ?r ?a ?n ?d ?o ?s?|resultandos?|antecedentes?|glosario|declaraciones")
_LISTING = re.compile(r"indice(?: general)?|contenido|tabla de contenido")
_MOST_ROWS = 1_000  # each is compared with every heading in bold capitals
_LONGEST_ENTRY_WORDS, _LEAST_REPEATED_WORDS, _LEAST_NAME_WORDS = 25, 4, 3


def is_reasons(heading: str) -> bool:
    """Whether a heading is that of the reasons an act gives, before it rules."""
    return bool(_REASONS.fullmatch(fold(heading).strip(" .:")))


def read_blocks(paragraphs: Sequence[Paragraph], title: str) -> tuple[Block, ...]:
    """The blocks of an act, in order.

    Args:
        paragraphs: all of the act but its heading.
        title: that heading, which the act often repeats in capitals where it begins to rule.
    """
    numbered = _is_numbered(paragraphs, title)
    rows = _header_rows(paragraphs)
    blocks: list[Block] = []
    listed: set[str] | None = None
    transitory = False
    last = ""
    for paragraph in paragraphs:
        if listed is not None and _is_entry(paragraph, listed):
            listed.add(fold(paragraph.text))
            blocks.append(Block("text", paragraph.text))
            continue
        listed = None
        if blocks and _names(paragraph, blocks[-1]):
            blocks[-1] = replace(blocks[-1], text=f"{blocks[-1].text} {paragraph.text}")
            continue
        for block in _read(paragraph, title, after=last if numbered else None, transitory=transitory):
            if block.kind == "heading" and block.rank == GROUP and _is_row(block.text, rows):
                blocks.append(Block("text", block.text))
                continue
            if block.kind == "heading" and block.rank < ARTICLE:
                transitory = block.transitory
            if block.kind == "heading" and (match := _NUMERAL.match(block.text)):
                last = match["number"]
            if _LISTING.fullmatch(fold(block.text).strip(" .:")):
                listed = set()
            if blocks and _goes_on(blocks[-1], block, title):
                blocks[-1] = replace(blocks[-1], text=f"{blocks[-1].text} {block.text}")
            else:
                blocks.append(block)
    return tuple(blocks)


def _header_rows(paragraphs: Sequence[Paragraph]) -> tuple[tuple[str, frozenset[str]], ...]:
    """The cells of the tables' first rows, folded: each row as its text and as the set of its words."""
    rows: dict[str, frozenset[str]] = {}
    for paragraph in paragraphs:
        if paragraph.table and len(rows) < _MOST_ROWS:
            folded = fold(re.sub(r"<br>", " ", "\n".join(paragraph.text.split("\n")[:4])))
            rows[folded] = frozenset(re.findall(r"\w+", folded))
    return tuple(rows.items())


def _is_row(text: str, rows: Iterable[tuple[str, frozenset[str]]]) -> bool:
    """Whether bold words are a table's header, which the converter printed as a line too: from several cells."""
    plain = " ".join(fold(text).split())
    words = set(re.findall(r"\w+", plain))
    return any(words <= row and plain not in folded for folded, row in rows)


def _is_entry(paragraph: Paragraph, listed: Collection[str]) -> bool:
    """Whether a paragraph is an entry of the table of contents above it, which names headings and is none."""
    if paragraph.breaks or paragraph.table or len(paragraph.text.split()) > _LONGEST_ENTRY_WORDS:
        return False
    again = fold(paragraph.text) in listed and any(c.isalpha() for c in paragraph.text)
    return not again or bool(DIVISION.fullmatch(paragraph.text))


def _is_numbered(paragraphs: Sequence[Paragraph], title: str) -> bool:
    """Whether decimal numerals are the act's headings, as in a norm."""
    found = sum(1 for p in paragraphs if (m := _NUMERAL.match(p.lead)) and "." in m["number"])
    return found >= _FEWEST_NUMERALS or fold(title).startswith("norma oficial")


def _names(paragraph: Paragraph, before: Block) -> bool:
    """Whether a paragraph is the name of the division whose label stands above it."""
    match = DIVISION.fullmatch(before.text) if before.kind == "heading" else None
    text = paragraph.text
    if match is None or match["rest"].strip(" .-") or len(text.split()) > _LONGEST_ENTRY_WORDS or paragraph.table:
        return False
    shown = paragraph.bold or paragraph.hashes or in_capitals(text)
    plain = fold(text).strip(" .:")
    other = _PARTS.fullmatch(plain) or _TRANSITORY.fullmatch(plain) or DIVISION.match(text)
    labelled = _ARTICLE_LABEL.match(text) or _ORDINAL_LABEL.match(text) or _NUMERAL.match(text)
    return bool(shown) and not other and not labelled


def _goes_on(before: Block, block: Block, title: str) -> bool:
    """Whether a heading goes on with the title that the act repeats and that is broken over two paragraphs."""
    if before.kind != "heading" or block.kind != "heading" or block.transitory or block.rank > GROUP:
        return False
    plain = fold(f"{before.text} {block.text}").strip(' .:;"“”')
    return len(plain.split()) > _LEAST_REPEATED_WORDS and plain in fold(title)


def _read(paragraph: Paragraph, title: str, *, after: str | None, transitory: bool) -> Iterator[Block]:
    text = paragraph.text
    if paragraph.table:
        yield Block("table", text)
        return
    marked = bool(paragraph.bold or paragraph.hashes or in_capitals(text))
    plain = fold(text).strip(' .:;"“”')
    if (_TRANSITORY.fullmatch(plain) and text[:1].isupper()) or (marked and _TRANSITORY.fullmatch(plain)):
        yield Block("heading", text, PART, transitory=True)
    elif (rank := _whole(paragraph, plain, title, marked=marked)) is not None:
        yield Block("heading", text, rank)
    elif (cut := _run_in(paragraph, after=after, transitory=transitory)) is not None:
        end, rank = cut
        yield Block("heading", text[:end].strip(), rank)
        if text[end:].strip():
            yield Block("text", text[end:].strip())
    else:
        yield Block("text", text)


def _whole(paragraph: Paragraph, plain: str, title: str, *, marked: bool) -> int | None:
    """The rank of a paragraph that is a heading and nothing else, None when it is none."""
    text = paragraph.text
    words = len(text.split())
    if not marked or words > _LONGEST_HEADING_WORDS or _PERSON.match(text) or "rubrica" in plain:
        return None
    if (match := DIVISION.fullmatch(text)) and not text.endswith((";", ",")):
        return _DIVISION_RANKS[fold(match["kind"])]
    if _LISTING.fullmatch(plain):
        return LISTING
    if _PARTS.fullmatch(plain) or (_ANNEX.match(text) and words <= 14):
        return PART
    if _ORDINAL_LABEL.match(text) or _ARTICLE_LABEL.match(text) or _NUMERAL.match(text):
        return None
    if not in_capitals(text):
        return GROUP if paragraph.hashes and words >= 2 else None
    if _ROMAN.match(text):
        return ITEM if words >= 2 else None
    if _repeats(plain, title):
        return PART
    named = (paragraph.bold or paragraph.hashes) and words >= _LEAST_NAME_WORDS and sum(c.isalpha() for c in text) >= 8
    return GROUP if named and not any(c in text for c in "$%=<>") else None


def _repeats(plain: str, title: str) -> bool:
    own, words = fold(title).split(), plain.split()
    return len(words) >= 5 and words[:4] == own[:4]


def _run_in(paragraph: Paragraph, *, after: str | None, transitory: bool) -> tuple[int, int] | None:
    """Where a label that opens a paragraph ends, and its rank.

    Args:
        paragraph: the paragraph.
        after: the last numeral that was a heading, "" before the first; None in an act without such headings.
        transitory: whether it stands among transitory articles, whose labels need no capitals.
    """
    text = paragraph.text
    if match := _ARTICLE_LABEL.match(text):
        return match.end(), ARTICLE
    if (match := _ORDINAL_LABEL.match(text)) and (match.group().isupper() or paragraph.lead or transitory):
        name = _NAME.match(text, match.end())
        return (name or match).end(), ARTICLE
    if after is None or (match := _NUMERAL.match(text)) is None:
        return None
    number, lead = match["number"], paragraph.lead
    # A bold number alone leads an item of a list; one in plain letters must follow the numeral before it.
    named = lead.startswith(number) and len(lead) > match.end()
    if not named and not _follows(number, after):
        return None
    depth = number.count(".")
    return _name_end(paragraph, match.end()), (NUMERAL + depth if depth else PART)


def _name_end(paragraph: Paragraph, start: int) -> int:
    """Where the name after a numeral ends: with its bold letters, at its colon or full stop, or before it begins."""
    text, lead = paragraph.text, paragraph.lead
    end = _TITLE_END.search(text, start, start + _LONGEST_NAME_CHARS)
    if paragraph.bold and len(text) <= _LONGEST_NAME_CHARS and (end is None or end.end() == len(text)):
        return len(text)
    # Bold letters that end before the printed line does are the name's own.
    if start < len(lead) <= _PRINTED_LINE_CHARS and (end is None or end.start() > len(lead)):
        return len(lead)
    return end.end() if end else start


def _follows(number: str, after: str) -> bool:
    """Whether a numeral of several parts is a later one of those that share its beginning with the last."""
    own, last = [int(part) for part in number.split(".")], [int(part) for part in after.split(".") if part]
    return len(own) > 1 and own[:-1] == last[: len(own) - 1] and own > last
