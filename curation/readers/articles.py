"""The articles of a law's body, with their divisions.

Owns turning typed lines into `Article` values: candidates, their sequence, the headings cut from each article's end.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.law import Article, Complaint, Division
from curation.readers.divisions import cut_headings, descend
from curation.readers.labels import INLINE, Number, parse_label, read_suffix
from curation.readers.lines import Line
from curation.readers.marks import is_heading, is_mark, reform_dates, split_marks
from curation.readers.sequence import Candidate, longest_chain
from curation.readers.signatures import closes


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line after marks and labels were set apart; `raw` is a label as printed, for when it is no article."""

    line: Line
    number: Number | None = None
    strong: bool = False
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """What the reader found before the transitory articles.

    `divisions` are the paths of all headings in order, also of those without articles; `trailing` are articles of the
    decree that issued the law, not of the law.
    """

    preamble: tuple[Line, ...]
    articles: tuple[Article, ...]
    divisions: tuple[tuple[Division, ...], ...]
    trailing: tuple[Line, ...]
    complaints: tuple[Complaint, ...]


def paragraphs(lines: Sequence[Line]) -> str:
    """Lines as the text of a node: one paragraph each, but the rows of a table together."""
    parts: list[str] = []
    for line in lines:
        if parts and line.text[:1] == "|" == parts[-1][:1]:
            parts[-1] = f"{parts[-1]}\n{line.text}"
        elif line.text:
            parts.append(line.text)
    return "\n\n".join(parts)


def explode(lines: Sequence[Line]) -> tuple[_Piece, ...]:
    """The lines with each reform mark and each possible article label set apart."""
    pieces: list[_Piece] = []
    for place, line in enumerate(lines):
        if line.kind == "article":
            follows = lines[place + 1].text if place + 1 < len(lines) and lines[place + 1].kind == "text" else ""
            label, _ = read_suffix(line.text, follows)
            pieces.append(_Piece(Line("article", label), parse_label(label), strong=True, raw=line.text))
            continue
        text = line.text
        if line.kind == "text" and pieces and pieces[-1].strong and pieces[-1].line.kind == "article":
            _, rest = read_suffix(pieces[-1].raw, text)
            head = text[: len(text) - len(rest)]
            pieces[-1] = _Piece(pieces[-1].line, pieces[-1].number, strong=True, raw=f"{pieces[-1].raw}{head}")
            text = rest
        if line.kind in ("division", "transitory"):
            pieces.extend(_Piece(Line(line.kind, part)) for part in split_marks(text)[:1])
            pieces.extend(_Piece(Line("text", part)) for part in split_marks(text)[1:])
            continue
        for part in split_marks(text):
            pieces.extend(_labels(Line("text", part)))
    return tuple(pieces)


def _labels(line: Line) -> list[_Piece]:
    """A line cut before each inline article label."""
    found: list[_Piece] = []
    at = 0
    for match in INLINE.finditer(line.text):
        if match.start() > at:
            found.append(_Piece(Line("text", line.text[at : match.start()].strip())))
        label = match["label"] + (f" {match['suffix'].strip()}" if match["suffix"] else "")
        found.append(_Piece(Line("article", label), parse_label(label), raw=match.group()))
        at = match.end()
    if at < len(line.text):
        found.append(_Piece(Line("text", line.text[at:].strip())))
    return found


def read_body(lines: Sequence[Line]) -> Body:
    """The articles of a law's body in order; what precedes the first one is its preamble and first headings."""
    pieces = explode(lines)
    candidates = [Candidate(at, p.number, p.strong) for at, p in enumerate(pieces) if p.number is not None]
    weights = Counter[bool]()
    for candidate in candidates:
        weights[candidate.number.worded] += 1
    worded = weights[True] > weights[False]
    chain = {c.place: c for c in longest_chain([c for c in candidates if c.number.worded == worded])}
    last = max(chain, default=0)
    stop = next(
        (at for at, p in enumerate(pieces) if at > last and p.strong and p.number and p.number.worded and not worded),
        len(pieces),
    )
    complaints: list[Complaint] = []
    groups: list[tuple[str, str, list[Line]]] = [("", "", [])]
    for at, piece in enumerate(pieces[:stop]):
        if at in chain and piece.number is not None:
            groups.append((piece.number.key, piece.line.text, []))
        elif piece.line.kind == "article":
            _fold_back(groups[-1][2], piece, pieces[at - 1] if at else None)
            if piece.strong and len(groups) > 1:
                complaints.append(Complaint("label-out-of-sequence", groups[-1][0], piece.raw.strip()))
        else:
            _append(
                groups[-1][2],
                piece.line,
                after_label=bool(at) and pieces[at - 1].line.kind == "article" and at - 1 not in chain,
            )
    preamble, opened, rest = cut_headings(groups[0][2])
    paths = list(_walk((), _with_notes(opened, rest)))
    articles: list[Article] = []
    signed: Sequence[Line] = ()
    if len(groups) > 1:
        own = groups[-1][2]
        end = next((at for at, line in enumerate(own) if at and closes(line.text)), len(own))
        signed, groups[-1][2][:] = own[end:], own[:end]
    heading: tuple[Line, ...] = ()
    for place, (key, label, own) in enumerate(groups[1:], start=1):
        path = paths[-1] if paths else ()
        kept, opened, rest = cut_headings([*heading, *own])
        kept, heading = _cut_loose_heading(kept) if not opened and place + 1 < len(groups) else (kept, ())
        articles.append(Article(key, label, paragraphs(kept), path, reform_dates(line.text for line in kept)))
        paths.extend(_walk(path, _with_notes(opened, rest)))
    trailing = (*signed, *(piece.line for piece in pieces[stop:]))
    return Body(preamble, tuple(articles), tuple(paths), trailing, tuple(complaints))


def _cut_loose_heading(lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """An article's lines and the heading without a number, as "De las vacaciones", that heads the article after it."""
    if len(lines) < 2 or not is_heading(lines[-1].text):
        return lines, ()
    before = lines[-2].text
    ends = before.endswith((".", ".”", '."', ".)")) or is_mark(before)
    return (lines[:-1], lines[-1:]) if ends and not is_heading(before) else (lines, ())


def _walk(path: tuple[Division, ...], opened: Sequence[Division]) -> Iterator[tuple[Division, ...]]:
    """The path after each of these headings."""
    for division in opened:
        path = descend(path, division)
        yield path


def _with_notes(opened: Sequence[Division], rest: Sequence[Line]) -> tuple[Division, ...]:
    """The divisions, the last of them carrying the lines that stand under its heading."""
    if not opened or not rest:
        return tuple(opened)
    last = opened[-1]
    notes = (*last.notes, *(line.text for line in rest))
    return (*opened[:-1], Division(last.kind, last.number, last.label, last.heading, notes))


def _append(lines: list[Line], line: Line, *, after_label: bool) -> None:
    """Add a line, joined to a label that turned out to be running text."""
    if after_label and lines and line.kind == "text":
        lines[-1] = Line("text", f"{lines[-1].text} {line.text}".strip())
    elif line.text:
        lines.append(line)


def _fold_back(lines: list[Line], piece: _Piece, before: _Piece | None) -> None:
    """Return a label that is no article of this law to the text, where it stood."""
    inline = not piece.strong and before is not None and before.line.kind == "text" and lines
    if inline and not lines[-1].text.endswith((".", ":", ";", '"', "”")):
        lines[-1] = Line("text", f"{lines[-1].text} {piece.raw.strip()}")
    else:
        lines.append(Line("text", piece.raw.strip()))
