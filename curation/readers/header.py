"""The Chamber's notes above a law: when it was published, whether it is in force, what a court said of it.

Owns cutting these notes from the formulas of the president and of Congress that follow them.
"""

import re

# What a converted page leaves of the running header stands before the first of these.
_FIRST = re.compile(
    r"Nuev[ao]s? (?:[A-ZÁÉÍÓÚ]\w+)|TEXTO VIGENTE|Constituci[oó]n publicada|(?:Ley|Código|Reglamento) publicad|Publicad"
)
_FORMULA = re.compile(
    r"[\[“\"]*(?:Al margen\b|\b(?:El|La|EL|LA) (?:C\.|Ciudadan[oa]|Presidente|PRESIDENTE|H\.|Honorable|Congreso"
    r"|CONGRESO|C[AÁ]MARA)|[A-ZÁÉÍÓÚÑ][A-ZÁÉÍÓÚÑ. ]{8,60}, (?:Primer|Presidente|PRESIDENTE)"
    r"|Que (?:el|la) |Presidencia de la Rep|Estados Unidos Mexicanos\.|Artículo [UuÚú]nico\b|SE EXPIDE"
    r"|D ?E ?C ?R ?E ?T ?A)"
)
# Where one note ends and the next begins on the same line.
_NEXT = re.compile(
    r"(?<=[\dE.”\"])\s+(?=TEXTO VIGENTE|Nuev[ao] |Declara(?:toria|ci[oó]n) |Notas? |[ÚU]ltimas? reformas? |Cantidades "
    r"|Cuotas |Actualizaci[oó]n |Fe de erratas|Sentencia |Ley Abrogada|Texto “)"
)
# A court's word that is printed among the formulas.
_INVALID = re.compile(
    r"(?:Ley|(?:Decreto que expide|Abrogación de la Ley)\b[^.\n]{0,250}?) ?\bdeclarad[oa] inv[aá]lid[oa]\b"
    r"[^\n]{0,400}?DOF \d{2}-\d{2}-\d{4}"
)


def header_notes(preamble: str) -> tuple[str, ...]:
    """The notes of a law's preamble in their order, each a paragraph, without the formulas."""
    formula = _FORMULA.search(preamble)
    head = preamble[: formula.start()] if formula else preamble
    first = _FIRST.search(head)
    head = head[first.start() :] if first else ""
    parts: list[str] = []
    for part in (piece.strip() for text in head.split("\n\n") for piece in _NEXT.split(text)):
        if parts and part[:1].islower():
            parts[-1] = f"{parts[-1]} {part}"
        elif part:
            parts.append(part)
    after = preamble[formula.start() :] if formula else ""
    return (*parts, *(match.group() for match in _INVALID.finditer(after)))
