"""From the Markdown of a converted PDF to typed lines.

Owns the converter's habits: which `##` are headings, bold that is noise, sentences broken by a page, running page
headers. Knows nothing of articles' sequence or of decrees.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from curation.numerals import ORDINAL_WORD, number, ordinal
from forest.text import fold

Kind = Literal["title", "division", "transitory", "article", "item", "text"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line and what its markup claims it to be; `text` is without the markup."""

    kind: Kind
    text: str


DIVISION_WORDS = r"LIBRO|PARTE|T[IÍ]TULO|SUBT[IÍ]TULO|CAP[IÍ]TULO|SECCI[OÓ]N|SUBSECCI[OÓ]N|APARTADO"
_BOILERPLATE = ("> Documento generado automáticamente", "> Fuente: Cámara de Diputados")
_BOLD = re.compile(r"\*\*(?P<label>[^*]{1,60}?)\*\*\s*(?P<rest>.*)")
_HEADING = re.compile(
    rf"(?P<label>(?i:{DIVISION_WORDS})\s+(?P<number>\S+(?:\s+(?i:bis|ter))?))(?:\s+—\s*(?P<rest>.*))?"
)
_TRANSITORY = re.compile(
    r"(?:(?:ART[IÍ]CULOS?|Art[ií]culos?|DISPOSICION(?:ES)?|Disposici[oó]n(?:es)?)\s+)?"
    r"(?:TRANSITORI[OA]S?|Transitori[oa]s?|T ?R ?A ?N ?S ?I ?T ?O ?R ?I ?O ?S?)\W*"
)
_HALF_ORDINAL = re.compile(rf"(?i:{ORDINAL_WORD})\s?[.:-]")
_HEADED_ARTICLE = re.compile(r"(?P<heading>[^—]+?) — (?P<label>ART[IÍ]CULO \d{1,4})\.")
_ANNEX = re.compile(r"(?i:(?:anexo|ap[eé]ndice)\b)")
_UNFINISHED = re.compile(
    r"(?:,|\b(?:el|la|los|las|del|de|al|y|e|o|u|en|su|sus|con|por|a|que|un|una|presente|artículo|artículos))$"
)


def _heading(text: str, before: str) -> Line | None:
    """A `##` line as a division or transitory heading, None when it is running text that the converter misread."""
    if _TRANSITORY.fullmatch(text):
        return Line("transitory", text)
    match = _HEADING.fullmatch(text)
    if match is None or _UNFINISHED.search(before):
        return None
    rest = (match["rest"] or "").strip()
    whole = fold(match["number"] + rest) if match["number"].isupper() else ""
    if rest[:1].islower() and number(whole) is not None:
        # "Capítulo D — uodécimo": the converter took the first letter for a Roman numeral.
        return Line("division", f"{match['label'].split()[0]} {match['number']}{rest}")
    if rest in ("a.", "."):
        ends = not before or before.endswith((".", ":", ")", "”", '"'))
        return Line("division", match["label"] + rest[:-1]) if ends else None
    if rest and (rest[0].islower() or not rest[0].isalnum()) and rest[0] not in '("“¿[':
        return None
    return Line("division", f"{match['label']} {rest}".strip())


def _item(label: str, rest: str) -> Line | None:
    """A bold lead as a transitory article's label, None when it is an ordinal in a sentence."""
    if label[:1].islower() or rest[:1].islower() or rest[:1] in ",;)" or fold(rest).startswith("transitorio"):
        return None
    # "**TRIGÉSIMO.** SEGUNDO.- La": the converter took the first half of an ordinal for the whole.
    half = _HALF_ORDINAL.match(rest)
    return Line("item", f"{label.rstrip('.-')} {rest}" if half and ordinal(label.rstrip(".- ")) else f"{label} {rest}")


def _rejoin(text: str) -> str:
    """The words of a line that was wrongly marked up, as they ran before the converter touched them."""
    if bold := _BOLD.fullmatch(text):
        label, rest = bold.groups()
        label = label.removesuffix(".") if rest[:1].islower() or rest[:1] in ",;)" else label
        return f"{label}{'' if rest[:1] in ',;' else ' '}{rest}".strip()
    plain = re.sub(r"^#+\s+", "", text)
    glued = re.sub(r"\b([A-Z]) — (?=[a-záéíóú]{3})", r"\1", plain)
    return re.sub(r" — (?=[,;.)])", "", glued).replace(" — ", " ")


def _continues(before: str, text: str) -> bool:
    """Whether a line goes on with the sentence of the line before it."""
    return bool(before) and (text[0].islower() or text[0] in ",;") and not before.endswith((".", ":", ";"))


def read_lines(text: str) -> tuple[Line, ...]:
    """The typed lines of a law's Markdown, without blank lines, boilerplate and rules."""
    lines: list[Line] = []
    clean = unicodedata.normalize("NFC", text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    for raw in clean.split("\n"):
        stripped = " ".join(raw.split())
        if not stripped or stripped == "---" or stripped.startswith(_BOILERPLATE):
            continue
        before = lines[-1].text if lines and lines[-1].kind in ("text", "item") else ""
        line: Line | None = None
        forced = False
        if stripped.startswith("# ") and not lines:
            line = Line("title", stripped[2:])
        elif stripped.startswith("### "):
            line = Line("article", stripped[4:])
        elif stripped.startswith("## "):
            headed = _HEADED_ARTICLE.fullmatch(stripped[3:])
            line = _heading(headed["heading"] if headed else stripped[3:], before)
            forced = line is None
            if headed and line is not None:
                lines += [line, Line("article", headed["label"])]
                continue
        elif bold := _BOLD.fullmatch(stripped):
            line = _item(bold["label"], bold["rest"])
            forced = line is None
        elif _TRANSITORY.fullmatch(stripped):
            line = Line("transitory", stripped)
        if line is None:
            words = _rejoin(stripped).removeprefix("> ")
            if before and ((forced and not _ANNEX.match(words)) or _continues(before, words)):
                glue = "" if words[:1] in ",;.)" else " "
                lines[-1] = Line(lines[-1].kind, f"{before}{glue}{words}")
                continue
            line = Line("text", words)
        lines.append(line)
    return tuple(lines)


def running_header(title: str, lines: tuple[Line, ...]) -> str:
    """The remainder of the page header that the converter left among the text, empty when there is none.

    The header is the law's title in capitals; only the last of its printed lines survives, and it opens the preamble.
    """
    opening = next((line.text for line in lines if line.kind == "text"), "")
    head = re.split(r"(?:Nuev[ao]s? |TEXTO VIGENTE|Publicad|Constituci[oó]n publicada)", opening, maxsplit=1)[0].strip()
    if not head or len(head) > 2 * len(title) + 40:
        return ""
    folded, name = fold(head), fold(re.sub(r"\s*\(Antes .*", "", title))
    at = folded.rfind(name)
    residue = head[:at].strip() if at > 0 else head
    return "" if len(residue.split()) < 2 or residue.startswith("(") else residue


def drop_header(lines: tuple[Line, ...], header: str) -> tuple[tuple[Line, ...], int]:
    """The lines without the page header that interrupts them, and how often it did."""
    if not header:
        return lines, 0
    # Within a longer phrase in capitals the words are the law's own, not the page's.
    pattern = re.compile(rf"(?<![\w“\"])(?<![A-ZÁÉÍÓÚÑ] ){re.escape(header)}(?!\w)\s?")
    if sum(header in line.text for line in lines[2:]) < 2:
        return lines, 0
    kept: list[Line] = []
    count = 0
    for place, line in enumerate(lines):
        if line.kind in ("title", "article") or place < 2:
            kept.append(line)
            continue
        text, found = pattern.subn("", line.text)
        count += found
        if text.strip():
            kept.append(Line(line.kind, text.strip()) if found else line)
    return tuple(kept), count
