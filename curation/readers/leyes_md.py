"""The Chamber of Deputies' consolidated laws, as Markdown converted from its PDF files.

Owns the reading of one such file into a `Law`: its names and dates, and where articles end and decrees begin. How
lines, articles and decrees are read is in the modules beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from curation.dates import long_dates
from curation.law import Article, Complaint, Law
from curation.readers.articles import paragraphs, read_body
from curation.readers.decrees import read_decrees
from curation.readers.header import header_notes
from curation.readers.labels import INLINE, parse_label
from curation.readers.lines import Line, drop_header, read_lines, running_header
from curation.readers.marks import mark_dates
from curation.readers.signatures import SIGNED

VERSION = 3
NAME = "leyes_md"
_FILE_NAME = re.compile(
    r"(?P<abbreviation>[A-Z][A-Za-z0-9]{0,15}(?:_[A-Za-z0-9]*[A-Z][A-Za-z0-9]*)*)_(?P<slug>[a-z0-9_]+)\.md"
)
_GAZETTE = re.compile(r"publicad[oa]s? en el Diario Oficial de la Federaci[oó]n", re.IGNORECASE)
_BANNER = re.compile(r"ART[IÍ]CULOS TRANSITORIOS DE (?:LOS )?DECRETOS DE REFORMA")
# What stands after a law's last article and never between two of them.
_ENDS = re.compile(rf"{_BANNER.pattern}|{SIGNED.pattern}|{_GAZETTE.pattern}", re.IGNORECASE)
_FORMER = re.compile(r"\(\s*Antes [\"“]([^\"”]+)[\"”]\s*\)")
_INLINE_TRANSITORY = re.compile(
    r"(?:^|(?<=[.)\"”\d]\s))(?:ART[IÍ]CULOS TRANSITORIOS|DISPOSICIONES TRANSITORIAS|TRANSITORI[OA]S?"
    r"|Art[ií]culos [Tt]ransitorios|Disposiciones [Tt]ransitorias|Transitorios?|T R A N S I T O R I O S?)"
    r"(?=\s+(?:[A-ZÁÉÍÓÚ][A-ZÁÉÍÓÚa-z]+|$)|$)"
)


def recognises(name: str, text: str) -> bool:
    """Whether a file looks like one of these laws: its name, a title and at least one article or decree line."""
    return (
        bool(_FILE_NAME.fullmatch(name))
        and text.lstrip("\ufeff").lstrip().startswith("# ")
        and (re.search(r"(?i)\bart[ií]culo\s+\S", text) is not None)
    )


def _body_end(lines: Sequence[Line]) -> int:
    """The index of the line where the law's transitory articles, or else its reform decrees, begin."""
    seen = False
    for at, line in enumerate(lines):
        label = re.match(r"(?i)art[ií]culo (?:\d|primero|[uú]nico)", line.text) or INLINE.search(line.text)
        if line.kind == "article" or (line.kind == "text" and label):
            seen = True
        elif (line.kind == "transitory" and seen) or (line.kind == "text" and _BANNER.search(line.text)):
            return at
    return len(lines)


def _keep_strays(lines: Sequence[Line]) -> list[Line]:
    """The lines with each transitory heading that stands within the law as words of the article around it.

    "… el artículo Cuarto" / "## Transitorio" / "de la Ley …": the converter took a word that begins a line for a
    heading. The law goes on where the next article after it, before any other such heading, has the next number.
    """
    kept: list[Line] = []
    before = 0
    for at, line in enumerate(lines):
        label = parse_label(line.text) if line.kind == "article" else None
        if label is not None and not label.worded:
            before = label.value
        stray = line.kind == "transitory" and before > 0 and _next_number(lines[at + 1 :]) == before + 1
        kept.append(Line("text", line.text) if stray else line)
    return kept


def _next_number(lines: Sequence[Line]) -> int | None:
    """The number of the next article heading, None where something else of a decree's end comes first."""
    for line in lines:
        if line.kind in ("transitory", "item", "title") or (line.kind == "text" and _ENDS.search(line.text)):
            return None
        if line.kind == "article":
            label = parse_label(line.text)
            return None if label is None or label.worded else label.value
    return None


def _split_inline(lines: Sequence[Line]) -> list[Line]:
    """The lines with a transitory heading or the reform banner that run on from a paragraph set apart."""
    split: list[Line] = []
    for line in lines:
        if line.kind != "text":
            split.append(line)
            continue
        text = line.text
        if banner := _BANNER.search(text):
            split += [
                Line("text", part.strip()) for part in (text[: banner.start()], text[banner.start() :]) if part.strip()
            ]
            continue
        match = next((m for m in _INLINE_TRANSITORY.finditer(text) if m.start() > 0 or m.end() < len(text)), None)
        if match is None or (match.start() == 0 and not text[match.end() :].strip()[:1].isupper()):
            split.append(line)
            continue
        before, after = text[: match.start()].strip(), text[match.end() :].strip()
        split += [Line("text", before)] if before else []
        split.append(Line("transitory", match.group()))
        split += [Line("text", after)] if after else []
    return split


def _title(line: str) -> tuple[str, tuple[str, ...]]:
    """The law's name with its first word in ordinary capitals, and its former names."""
    former = tuple(name.strip() for name in _FORMER.findall(line))
    name = " ".join(_FORMER.sub("", line).split())
    first, _, rest = name.partition(" ")
    return (f"{first.capitalize() if first.isupper() else first} {rest}".strip(), former)


def _published(preamble: str) -> date | None:
    at = _GAZETTE.search(preamble)
    if at is None:
        return None
    return next((found for found, _ in long_dates(preamble[at.start() : at.end() + 200])), None)


def read(name: str, text: str) -> Law:
    """The law that a file holds.

    Args:
        name: the file's name, `ABBR_slug.md`.
        text: its text, already decoded.

    Raises:
        ValueError: the file has no title, no date of publication or no article.
    """
    file_name = _FILE_NAME.fullmatch(name)
    lines = read_lines(text)
    if file_name is None or not lines or lines[0].kind != "title":
        raise ValueError("no law title")
    header = running_header(lines[0].text, lines)
    lines, headers = drop_header(lines, header)
    title, former = _title(lines[0].text)
    split = _split_inline(_keep_strays(lines[1:]))
    end = _body_end(split)
    body = read_body(split[:end])
    if not body.articles:
        raise ValueError("no article found")
    preamble = paragraphs(body.preamble)
    published = _published(preamble) or _published(" ".join(line.text for line in split[:12]))
    if published is None:
        raise ValueError("no date of publication found")
    blocks = read_decrees([*body.trailing, *split[end:]], title=title, published=published, preamble=preamble)
    complaints = [*body.complaints, *blocks.complaints, *_gaps([a.label for a in body.articles])]
    if headers:
        complaints.append(Complaint("page-header-removed", str(headers), header))
    notes = (note for path in body.divisions for note in path[-1].notes)
    articles = tuple(_reformed_after(article, published) for article in body.articles)
    texts = [*articles, *(article for decree in blocks.decrees for article in decree.transitories)]
    marked = (*mark_dates(notes), *(day for text in texts for day in text.reforms))
    dates = [published, *(d.published for d in blocks.decrees), *marked]
    return Law(
        abbreviation=file_name["abbreviation"],
        slug=file_name["slug"],
        title=title,
        former_names=former,
        published=published,
        text_as_of=max(dates),
        preamble=preamble,
        articles=articles,
        divisions=body.divisions,
        decrees=blocks.decrees,
        complaints=tuple(complaints),
        notes=header_notes(preamble),
    )


def _reformed_after(article: Article, published: date) -> Article:
    """The article without dates that cannot be reforms: a misprint of the law's own publication, an older law's day."""
    return replace(article, reforms=tuple(day for day in article.reforms if day > published))


def _gaps(labels: Sequence[str]) -> list[Complaint]:
    """The numbers that the sequence of articles jumps over."""
    found: list[Complaint] = []
    before = 0
    for label in labels:
        number = parse_label(label)
        if number is None:
            continue
        if number.value > before + 1:
            found.append(Complaint("articles-missing", f"{before}..{number.value}", label))
        before = max(before, number.value)
    return found
