"""Single publications of the official gazette, as Markdown converted from its pages.

Owns the recognition of such a file, where each of its acts begins and ends, and what in it belongs to none: the header
of the section that follows, the gazette's own notices. Pages are `curation.readers.pages`, headings
`curation.readers.outline`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from curation.gazette import Act, Dropped, Paragraph
from curation.readers.outline import read_blocks
from curation.readers.pages import in_capitals, read_pages
from curation.readers.signatures import closes
from forest.text import fold

VERSION = 1
NAME = "publicaciones"
# "ACUERDO por el que …", "SEGUNDO Convenio Modificatorio …", "NORMA Oficial Mexicana …": the gazette prints the first
# word of an act in capitals and goes on in ordinary letters.
_HEADING = re.compile(
    r"[A-ZÁÉÍÓÚÑ]{4,20}(?: [A-ZÁÉÍÓÚÑ]{4,20}){0,2}(?: (?:No\. )?[A-Z]{0,4}\d[\d/.-]{0,12})? "
    r"(?=\S*[a-záéíóúñ]).{10,1400}"
)
# A text that holds later changes is not what the gazette printed.
_COMPILED = re.compile(r"texto (?:compilado|vigente|actualizado|integrado)\b")
_SEAL = re.compile(
    r"(?:[-•] )?Al margen (?:izquierdo |superior )*un[oa]? (?:sello|logotipo|escudo|emblema|rúbrica|logo)\b"
)
_BEGINNING_CHARS = 4_000
_NOTICES = ("diario oficial de la federacion", "aviso al publico", "directorio")
_NEAR, _FIRST = 4, 8


def recognises(text: str, *, listed: bool) -> bool:
    """Whether a text opens as the gazette prints an act.

    Args:
        text: the file.
        listed: whether a manifest lists it; otherwise the seal at the margin must say it.
    """
    paragraphs, _ = read_pages(text[: 4 * _BEGINNING_CHARS])
    first = [paragraph for paragraph in paragraphs if not paragraph.table][:_FIRST]
    if any(_COMPILED.match(fold(paragraph.text)) for paragraph in first):
        return False
    sealed = any(_SEAL.match(paragraph.text) for paragraph in first)
    return sealed or (listed and bool(first) and _opens(first[_leading_headers(first)]))


def read(text: str) -> tuple[Act, ...]:
    """The acts of a file in order; most files hold one.

    Raises:
        ValueError: there is no text in it.
    """
    paragraphs, dropped = read_pages(text)
    if not paragraphs:
        raise ValueError("it holds no text")
    above = _leading_headers(paragraphs)
    starts = [above, *(at for at in range(above + 1, len(paragraphs)) if _begins(paragraphs, at))]
    acts: list[Act] = []
    header = " ".join(paragraph.text for paragraph in paragraphs[:above])
    dropped = (*dropped, *(Dropped("section_header", p.line, p.text) for p in paragraphs[:above]))
    for start, end in zip(starts, [*starts[1:], len(paragraphs)], strict=True):
        own, left, following = _without_tail(paragraphs[start:end])
        first, last = own[0].line, paragraphs[end].line if end < len(paragraphs) else None
        pages = [d for d in dropped if (start == above or d.line >= first) and (last is None or d.line < last)]
        acts.append(_act(own, header, (*pages, *left)))
        header = following
    return tuple(acts)


def _leading_headers(paragraphs: Sequence[Paragraph]) -> int:
    """How many paragraphs stand above the first act: the header of its section."""
    for at, paragraph in enumerate(paragraphs[:_NEAR]):
        if _opens(paragraph):
            return at
        if not in_capitals(paragraph.text):
            break
    return 0


def _opens(paragraph: Paragraph) -> bool:
    return bool(_HEADING.fullmatch(paragraph.text)) and not paragraph.table


def _begins(paragraphs: Sequence[Paragraph], at: int) -> bool:
    """Whether another act begins here: a heading as the gazette prints it, and its seal or its title once more."""
    here = paragraphs[at]
    if not _opens(here) or not any(_ends_act(p) for p in paragraphs[max(0, at - _NEAR) : at]):
        return False
    words = fold(here.text).split()[:4]
    return any(
        _SEAL.match(p.text) or (in_capitals(p.text) and fold(p.text).split()[:4] == words)
        for p in paragraphs[at + 1 : at + _NEAR]
    )


def _ends_act(paragraph: Paragraph) -> bool:
    return closes(paragraph.text) or bool(paragraph.table or paragraph.hashes) or in_capitals(paragraph.text)


def _without_tail(paragraphs: Sequence[Paragraph]) -> tuple[Sequence[Paragraph], list[Dropped], str]:
    """The act without what the gazette prints after it, that as dropped, and the header of the next section."""
    end = len(paragraphs)
    notice = next((at for at in range(1, end) if _is_notice(paragraphs, at)), end)
    dropped = [Dropped("gazette_notice", p.line, p.text) for p in paragraphs[notice:]]
    header: list[str] = []
    while notice > 1 and _is_section_header(paragraphs[notice - 1]):
        notice -= 1
        header.insert(0, paragraphs[notice].text)
        dropped.insert(0, Dropped("section_header", paragraphs[notice].line, paragraphs[notice].text))
    if not header:
        last = [d.words for d in dropped if d.words and in_capitals(d.words)][-1:]
        header = last if dropped and dropped[-1].words in last else []
    return paragraphs[:notice], dropped, " ".join(header)


def _is_notice(paragraphs: Sequence[Paragraph], at: int) -> bool:
    here = paragraphs[at]
    if fold(here.text).strip(" .:") not in _NOTICES or not (here.bold or here.hashes or in_capitals(here.text)):
        return False
    return any(closes(p.text) or p.table or p.text.startswith("(R.-") for p in paragraphs[max(0, at - 3) : at])


def _is_section_header(paragraph: Paragraph) -> bool:
    """Whether a last paragraph is the header of the section that follows on the page."""
    shown = paragraph.hashes or paragraph.breaks
    return bool(shown) and not paragraph.table and in_capitals(paragraph.text) and len(paragraph.text.split()) >= 2


def _act(paragraphs: Sequence[Paragraph], header: str, dropped: Iterable[Dropped]) -> Act:
    first = paragraphs[0]
    seal = next((p.text for p in paragraphs[:_NEAR] if _SEAL.match(p.text)), "")
    whole_capitals = first.bold and in_capitals(first.text) and not _SEAL.match(first.text)
    heading = first.text if _opens(first) or whole_capitals else ""
    body = paragraphs[1:] if heading else paragraphs
    return Act(heading, seal, header, read_blocks(body, heading), tuple(dropped))
