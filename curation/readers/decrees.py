"""The decrees that issued and reformed a law, with their transitory articles.

Owns the part of a consolidated text after the last article: the law's own transitory articles, then one block per
publication (title, date, what it reforms, its transitory articles, signatures).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from curation.dates import long_dates
from curation.law import Article, Complaint, Decree
from curation.readers.articles import paragraphs
from curation.readers.labels import ITEM, parse_label, read_suffix
from curation.readers.lines import Line
from curation.readers.marks import mark_dates, split_marks
from curation.readers.signatures import NAMED, NAMED_AFTER, ORDERED, SIGNED, closes

_TITLE_WORDS = (
    r"DECRETO|LEY|ACUERDO|SENTENCIA|VOTO|VERSIÓN pública|FE DE|FE de|RESOLUCI[OÓ]N|ACLARACI[OÓ]N|DECLARATORIA|ANEXOS?"
    r"|C[OÓ]DIGO|TARIFA|ACTUALIZACI[OÓ]N|[A-Z]+ Resolución|Decreto|Ley|Acuerdo|Fe de|Resoluci[oó]n|Aclaraci[oó]n|Código"
    r"|Reglamento|REGLAMENTO|OFICIO|REFORMAS?|NOTA|REGLAS|MONTOS?|CANTIDADES|PUNTOS?|MODIFICACI[OÓ]N|CONVOCATORIA"
    r"|INCONSTITUCIONALIDAD|PROYECTO|EXTRACTO|SE |ADICI[OÓ]N(?:ES)?"
)
_TITLE = re.compile(rf"(?:{_TITLE_WORDS})\b")
_BANNER = re.compile(
    r"ART[IÍ]CULOS TRANSITORIOS DE (?:LOS )?DECRETOS DE REFORMAS?"
    r"(?: A partir (?:de|del) [\w ]{4,40}?(?=\s[A-ZÁÉÍÓÚ]{2}|\s[A-Z][a-z]+ que|$))?",
)
_ANCHOR = re.compile(
    r"Publicad[oa]s? (?:de manera íntegra )?en (?:el )?(?:Diario Oficial de la Federaci[oó]n|DOF|el Diario Oficial)\b",
    re.IGNORECASE,
)
_SPLITS = (
    re.compile(rf"(?<=R[uú]brica[.s])[.\"”’']{{0,3}}\s+(?=(?:{_TITLE_WORDS})\s)"),
    re.compile(r"(?<=[\w.,\"”])\s+(?=Publicad[oa]s? en el Diario Oficial de la Federación (?:el|los|del) )"),
    re.compile(r"(?<=[.…\"”;])\s+(?=(?:TRANSITORIOS?|T R A N S I T O R I O S?|Transitorios?)\s+[A-ZÁÉÍÓÚ*\"“])"),
    re.compile(rf"(?<=[.\"”;…])\s+(?={SIGNED.pattern})"),
    re.compile(rf"(?<=[.\"”])\s+(?={ORDERED.pattern})"),
    re.compile(rf"(?<!\bde)\s+(?={NAMED_AFTER.pattern})"),
    re.compile(r"(?<=[.…)\]”\"])\s+(?=ART[IÍ]CULO TRANSITORIO\b)"),
)
_SOLE = re.compile(
    r"((?:ART[IÍ]CULO|Art[ií]culo)(?: [UÚ]NICO| [UÚú]nico)? (?:TRANSITORIO|[Tt]ransitorio))\s?[.:-]+\s*(?=[A-ZÁÉÍÓÚ])"
)
# No beginning of an article: a heading's second line ("TRANSITORIO" / "DEL DECRETO …"), the rest of a sentence.
_NO_OPENING = re.compile(r"DEL (?:PRESENTE )?(?:DECRETO|ART[IÍ]CULO)\b|[a-záéíóúñ,;]")
_LONGEST_TITLE_LINES = 14


@dataclass(slots=True)
class _Draft:
    """A block being filled, in the order of its lines."""

    title: list[str]
    published: date
    body: list[Line] = field(default_factory=list)
    closing: list[Line] = field(default_factory=list)
    items: list[tuple[str, str, list[Line]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Blocks:
    """The law's own transitory articles and signatures as the first decree, then the reform decrees."""

    decrees: tuple[Decree, ...]
    complaints: tuple[Complaint, ...]


def _prepare(lines: Sequence[Line]) -> list[Line]:
    """The lines cut where a title, a publication line, a heading or signatures run on from another text."""
    prepared: list[Line] = []
    for line in lines:
        texts = [line.text]
        if line.kind in ("text", "item"):
            for pattern in _SPLITS:
                texts = [part for text in texts for part in pattern.split(text)]
            texts = [part for text in texts for part in _cut_banner(text)]
            texts = [part for text in texts for part in split_marks(text)]
        prepared.append(Line(line.kind, texts[0]))
        for text in texts[1:]:
            head = re.match(r"(TRANSITORIOS?|T R A N S I T O R I O S?|Transitorios?)\s+(?=[A-ZÁÉÍÓÚ*\"“])", text)
            if head:
                prepared += [Line("transitory", head.group(1)), Line("text", text[head.end() :])]
            elif text:
                prepared.append(Line("text", text))
    return [line for line in prepared if line.text]


def _cut_banner(text: str) -> list[str]:
    match = _BANNER.search(text)
    if match is None or (match.start() > 0 and text[match.start() - 2] not in '."”'):
        return [text]
    return [part for part in (text[: match.start()].strip(), match.group(), text[match.end() :].strip()) if part]


def _title_start(lines: Sequence[Line], anchor: int, floor: int) -> int:
    """The index where the title above a publication line begins."""
    start = anchor
    for at in range(anchor - 1, max(floor, anchor - _LONGEST_TITLE_LINES) - 1, -1):
        line = lines[at]
        if line.kind != "text" or NAMED.search(line.text) or _BANNER.fullmatch(line.text):
            break
        if _TITLE.match(line.text):
            return at
        if _ANCHOR.match(line.text) or line.text.endswith(":") or len(line.text) > 1500:
            break
        start = at
    # Without a title word only the line just above is taken: the rest belongs to the text before it.
    above = start < anchor and anchor - 1 > floor and not ITEM.match(lines[anchor - 1].text)
    return anchor - 1 if above else anchor


def _opens(line: Line) -> tuple[date, str] | None:
    """The date of a publication line and what follows it on the line, None for any other line."""
    match = _ANCHOR.match(line.text) if line.kind == "text" else None
    if match is None:
        return None
    for found, end in long_dates(line.text[: match.end() + 160]):
        return found, line.text[end:].lstrip(" .;")
    return None


def read_decrees(lines: Sequence[Line], *, title: str, published: date, preamble: str) -> Blocks:
    """The decrees of a law from the lines after its last article."""
    prepared = _prepare(lines)
    anchors = [(at, found) for at, line in enumerate(prepared) if (found := _opens(line)) is not None]
    complaints: list[Complaint] = []
    first = anchors[0][0] if anchors else len(prepared)
    drafts: list[_Draft] = []
    starts: list[int] = []
    floor = 0
    for at, _ in anchors:
        starts.append(_title_start(prepared, at, floor))
        floor = at + 1
    original = _Draft([title], published)
    _fill(original, prepared[: starts[0] if starts else first], complaints)
    for place, (at, (day, rest)) in enumerate(anchors):
        end = starts[place + 1] if place + 1 < len(anchors) else len(prepared)
        draft = _Draft([line.text for line in prepared[starts[place] : at]], day)
        publication = prepared[at].text[: len(prepared[at].text) - len(rest)].strip() if rest else prepared[at].text
        draft.body.append(Line("text", publication))
        _fill(draft, [*([Line("text", rest)] if rest else []), *prepared[at + 1 : end]], complaints)
        drafts.append(draft)
    decrees = [_decree(original, preamble), *(_decree(draft, "") for draft in drafts)]
    return Blocks(tuple(decrees), tuple(complaints))


def _fill(draft: _Draft, lines: Sequence[Line], complaints: list[Complaint]) -> None:
    """Distribute a block's lines over its body, transitory articles and closing."""
    zone = "body"
    last = 0
    opened = -1
    expanded = _expand(lines)
    at = -1
    while (at := at + 1) < len(expanded):
        line, label = expanded[at]
        if line.kind == "transitory" and not (zone == "transitory" and _goes_on(expanded, at)):
            zone, last, opened = "transitory", 0, len(draft.items)
            (draft.items[-1][2] if draft.items and zone == "closing" else draft.body).append(Line("text", line.text))
            continue
        if _BANNER.fullmatch(line.text):
            draft.closing.append(line)
            continue
        if sole := _SOLE.match(line.text) if line.kind == "text" and not label else None:
            zone, last = "transitory", 1
            draft.items.append(("unico", sole.group(1), [Line("text", line.text[sole.end() :])]))
            continue
        number = parse_label(label) if label else None
        in_sequence = number is not None and (
            line.kind != "text" or number.value in (last + 1, 0) or (number.value == 1)
        )
        if (
            zone == "transitory"
            and not label
            and len(draft.items) == opened
            and len(line.text) > 3
            and not closes(line.text)
            and not _NO_OPENING.match(line.text)
        ):
            # An only transitory article often has no label at all.
            draft.items.append(("unico", "Único", [line]))
            continue
        if zone == "transitory" and number is not None and in_sequence and line.text.strip(" .…"):
            rises = number.value > last or number.value in (0, 1) or number.suffix
            if rises:
                draft.items.append((number.key, label, [Line("text", line.text)] if line.text else []))
                last = number.value
                continue
            complaints.append(Complaint("transitory-out-of-sequence", draft.published.isoformat(), label))
        if line.kind == "text" and not label and closes(line.text):
            zone = "closing" if zone != "body" or draft.closing else zone
            if zone == "body":
                draft.closing.append(line)
                continue
        words = Line(
            "text", f"{label}{'.-' if label and line.text else ''} {line.text}".strip() if label else line.text
        )
        if label and zone == "closing":
            zone = "transitory" if number is not None else zone
            if number is not None:
                draft.items.append((number.key, label, [Line("text", line.text)] if line.text else []))
                last = number.value
                continue
        target = draft.closing if zone == "closing" else draft.body
        # A label with dots alone is an article of the decree that this law's text leaves out.
        if zone == "transitory" and draft.items and not (label and not line.text.strip(" .…")):
            target = draft.items[-1][2]
        heading = "## " if line.kind == "article" and target is draft.body else ""
        target.append(Line("text", f"{heading}{label}") if heading else words)
        if heading and line.text:
            target.append(Line("text", line.text))


def _goes_on(expanded: Sequence[tuple[Line, str]], at: int) -> bool:
    """Whether a transitory heading is words of a sentence that the next line goes on with."""
    following, label = expanded[at + 1] if at + 1 < len(expanded) else (Line("text", ""), "")
    return not label and (following.text[:1].islower() or following.text[:1] in (",", ";"))


def _expand(lines: Sequence[Line]) -> list[tuple[Line, str]]:
    """Each line with its label, empty when it has none; a heading takes the line that follows as its text."""
    expanded: list[tuple[Line, str]] = []
    at = -1
    while (at := at + 1) < len(lines):
        line = lines[at]
        if line.kind == "article":
            follows = lines[at + 1].text if at + 1 < len(lines) and lines[at + 1].kind == "text" else ""
            label, rest = read_suffix(line.text, follows)
            expanded.append((Line("article", rest), label))
            at += bool(follows)
            continue
        if line.kind not in ("text", "item"):
            expanded.append((line, ""))
            continue
        cuts = list(ITEM.finditer(line.text))
        if not cuts:
            expanded.append((Line("text", line.text), ""))
            continue
        if cuts[0].start() > 0:
            expanded.append((Line("text", line.text[: cuts[0].start()].strip()), ""))
        for place, cut in enumerate(cuts):
            end = cuts[place + 1].start() if place + 1 < len(cuts) else len(line.text)
            kind = line.kind if place == 0 and cut.start() == 0 else "text"
            expanded.append((Line(kind, line.text[cut.end() : end].strip()), f"{cut['label']}{_adverb(cut['tail'])}"))
    return expanded


def _adverb(tail: str) -> str:
    found = re.match(r"\s?([A-Za-z]+)", tail)
    return f" {found.group(1)}" if found else ""


def _decree(draft: _Draft, preamble: str) -> Decree:
    keys: dict[str, int] = {}
    transitories: list[Article] = []
    for key, label, lines in draft.items:
        keys[key] = keys.get(key, 0) + 1
        unique = key if keys[key] == 1 else f"{key}-{keys[key]}"
        transitories.append(Article(unique, label, paragraphs(lines), (), mark_dates(line.text for line in lines)))
    text = "\n\n".join(part for part in (preamble, paragraphs(draft.body)) if part)
    title = " ".join(draft.title) or f"Publicación en el Diario Oficial de la Federación, {draft.published:%d-%m-%Y}"
    return Decree(title, draft.published, text, tuple(transitories), paragraphs(draft.closing))
