"""Reform marks: the notes that the Chamber prints between paragraphs, as `Párrafo reformado DOF 01-05-2019`.

Owns finding them in running text and the dates they carry. A mark is never removed: it gets a line of its own. Knows
too an article's heading that carries no number.
"""

import re
from collections.abc import Iterable
from datetime import date

from curation.dates import short_dates

_SUBJECT = (
    r"P[aá]rrafos?|Fracci[oó]n(?:es)?|Incisos?|Sub ?incisos?|Art[ií]culos?|Numeral(?:es)?|Cap[ií]tulos?"
    r"|Secci[oó]n(?:es)?|T[ií]tulos?|Libros?|Apartados?|Denominaci[oó]n|Encabezado|Ep[ií]grafes?|Bases?|Tablas?"
    r"|Rubros?|Arancel|Multas?|Cantidad(?:es)?|Cuotas?|Montos?|Definici[oó]n|Conceptos?|Categor[ií]a|Zona|Ley|Código|Puntos?|Descripci[oó]n"
    r"|Anexos?|Transitorio|Derogaci[oó]n|Reforma|Modificaci[oó]n|Aclaraci[oó]n|Fe de erratas"
    r"|Declaratoria de invalidez|Por declaratoria"
    r"|Disposici[oó]n de vigencia|Características|Nota de vigencia|Decreto de reforma|Engrose notificado|Sustancia"
)
# A participle alone goes on with the mark before it: "Artículo adicionado DOF …. Reformado (antes Artículo 5) DOF …".
_PARTICIPLE = (
    r"(?:Reformad|Adicionad|Derogad|Recorrid|Reubicad|Actualizad|Compilad|Suprimid)[oa]s?"
    r"|Publicad[oa] (?:íntegr[oa] )?sin cambios"
)
_VERB = (
    r"inv[aá]lid|reformad|adicionad|derogad|recorrid|recorre|reubicad|publicad|actualizad|compilad|declarad"
    r"|declaratoria|erratas|suprimid|modificad|prorrogad|inconstitucional|vinculado|original|aclaraci|reforma|modificaci|notificado"
)
_DATES = r"DOF \d{2}-\d{2}-?\d{4}(?:(?:,| y|;) ?(?:DOF )?\d{2}-\d{2}-?\d{4})*"
_ASIDE = r"(?: ?[(\[][^()\[\]\n]{1,300}[)\]])?"
# After "Reforma DOF …: Derogó del artículo …" the note runs on in lower case, ordinals and parentheses.
_REPEALED = (
    r"(?:: (?:Derogó|Suprimió|Reubicó)(?: (?:\([^()\n]{1,300}\)|[a-záéíóúñ“”\"0-9][^\s(]{0,40}|[IVXLC]+(?: Bis)?,?))+)?"
)
_PLAIN = (
    r"(?:(?:Párrafo|Fracción|Inciso|Artículo|Numeral|Capítulo|Título|Sección|Apartado|Epígrafe|Libro)s? "
    r"(?:reformad|adicionad|derogad|recorrid|reubicad)[oa]s?"
    r"(?: y denominación reformada| y recorrid[oa]| con denominación reformada| \(antes [^()\n]{1,80}\))? DOF \d"
    r"|Fe de erratas a(?:l| la) [^\n.;]{1,80}? DOF \d|Denominación (?:del? [^\n.;]{1,60}? )?reformada DOF \d)"
)
MARK = re.compile(
    rf"(?:(?:^|(?<=[.;:,)\]”\"»…\d]\s)|(?<=\s[yoe]\s))(?=(?i:[^\n.;:]{{0,200}}?(?:{_VERB})))|(?<=\s)(?={_PLAIN}))"
    rf"(?:(?:{_SUBJECT})(?![a-záéíóú])(?:(?! DOF )[^\n.;]){{0,450}}? ?"
    rf"|(?:{_PARTICIPLE})(?: \([^()\n]{{1,200}}\)| [a-záéíóúñ,]{{1,20}}){{0,14}} )"
    rf"{_DATES}{_ASIDE}{_REPEALED}\.?(?=\s|$)"
)
_DATED = re.compile(r"\bDOF:? ?\d{2}-\d{2}-?\d{4}(?:(?: \(Ed[^()\n]{1,60}\))?(?:,| y|;) ?(?:DOF )?\d{2}-\d{2}-?\d{4})*")
# "… de la Ley de Navegación, publicada en el DOF"; what is said of a decree that changes a law is said of this text.
_OTHER_LAW = re.compile(
    r"(?<!\b[Ee]sta )(?<!\b[Ee]ste )(?<!\bpresente )\b(?:(?:Ley|Constitución)\b(?=[^.;]*\bpublicadas?\b[^.;]{0,60}$)"
    r"|(?:Código|Reglamento|Estatuto)\b(?=[^.;]*\bpublicados?\b[^.;]{0,60}$))"
    r"(?!.*\b(?:Decreto|Acuerdo|Sentencia|SCJN|reform|adici|derog|invál|inval))"
)
_DECREE = re.compile(r"\b(?:Decreto|Acuerdo)\b[^.;]*$")
_LONGEST_SENTENCE_CHARS = 400
# No word of less than two letters but the few that join others: vertical print comes as single letters.
_HEADING = re.compile(
    r"(?!(?i:ley|p[áa]gina|nota|(?:se )?deroga\w*)\b)[A-ZÁÉÍÓÚÑ][A-Za-zÁÉÍÓÚÑáéíóúñü]{3,}|"
    r"(?!(?i:ley|p[áa]gina|nota|(?:se )?deroga\w*)\b)(?=[^\n]{6,90}$)[A-ZÁÉÍÓÚÑ][A-Za-zÁÉÍÓÚÑáéíóúñü]+"
    r"(?: (?:[“”\"A-Za-zÁÉÍÓÚÑáéíóúñü]{2,}|[yeaou])){1,11}"
)
_GOES_ON = re.compile(_PARTICIPLE)


def is_heading(text: str) -> bool:
    """Whether a paragraph is an article's own heading: a few words in capitals or with one, and no sentence."""
    return _HEADING.fullmatch(text) is not None


def split_marks(text: str) -> tuple[str, ...]:
    """The text as pieces in which each reform mark stands alone; joined by blanks they give the text again."""
    if "DOF " not in text:
        return (text,)
    pieces: list[str] = []
    at = 0
    for match in MARK.finditer(text):
        before = text[at : match.start()].strip()
        if before:
            pieces.append(before)
        if not before and pieces and _GOES_ON.match(match.group()):
            pieces[-1] = f"{pieces[-1]} {match.group().strip()}"
        else:
            pieces.append(match.group().strip())
        at = match.end()
    if rest := text[at:].strip():
        pieces.append(rest)
    return tuple(pieces)


def is_mark(text: str) -> bool:
    """Whether a whole line is reform marks and nothing else."""
    match = MARK.match(text)
    while match:
        if match.end() >= len(text):
            return True
        rest = text[match.end() :].lstrip()
        text, match = rest, MARK.match(rest)
    return False


def reform_dates(lines: Iterable[str]) -> tuple[date, ...]:
    """The dates of all gazettes that changed the text of these lines, sorted: of its marks and of notes within it.

    Notes stand also in tables and amid sentences ("Tabla … reformada DOF 04-12-2023"); only a date that tells when
    another law was published is none of this text.
    """
    found: set[date] = set()
    for line in lines:
        if is_mark(line):
            found.update(short_dates(line))
            continue
        for match in _DATED.finditer(line):
            sentence = line[max(0, match.start() - _LONGEST_SENTENCE_CHARS) : match.start()]
            other = _OTHER_LAW.search(sentence)
            if other is None or _DECREE.search(sentence, 0, other.start()):
                found.update(short_dates(match.group()))
    return tuple(sorted(found))


def mark_dates(lines: Iterable[str]) -> tuple[date, ...]:
    """The dates of the marks among these lines, sorted."""
    return tuple(sorted({found for line in lines if is_mark(line) for found in short_dates(line)}))
