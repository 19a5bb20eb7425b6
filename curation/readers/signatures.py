"""Where a decree's articles end and its signatures begin.

Owns the formulas that close a publication: place and date, names with `Rúbrica`, the order to publish.
"""

import re

_DAY = r"a(?:l| los)? [\w ]{1,60} (?:de|del mes de) [a-z]+ (?:de|del)\b"
SIGNED = re.compile(
    r"(?:(?:(?:Ciudad de |Cd\. de )?M[eé]xico(?:, D(?:istrito|\.) ?F(?:ederal|\.)?)?|Sal[oó]n de [Ss]esiones"
    r"|SAL[OÓ]N DE SESIONES|Palacio|Dad[oa] en"
    rf"|Quer[eé]taro|Sala de|Residencia del Poder)[^.\n]{{0,120}}?,? (?:D\. ?F\., )?{_DAY}"
    r"|S(?:al[oó]n de [Ss]|AL[OÓ]N DE S)(?i:esiones del?)\b[^.\n]{4,100}(?:\.\s?-|[.,]?$))"
)
ORDERED = re.compile(
    r"(?:Y,? )?[Ee]n cumplimiento (?:de|a) lo dispuesto (?:por|en) (?:la|el)\b[^\n]{0,60}\b89\b"
    r"|Por (?:lo )?tanto, mando se imprima|(?:Atentamente,? )?(?i:sufragio efectivo)\b|Atentamente[.,]?$"
    r"|Lo que (?:comunico|hago saber|participo) a (?:usted|Ud)"
)
# Place and day followed by a name close a decree even where the sentence before them lost its end.
NAMED_AFTER = re.compile(r"(?:Ciudad de )?M[eé]xico,(?: D\. ?F\.,)? a \d{1,2} de [a-z]+ de \d{4}\.- ?[A-Z]")
NAMED = re.compile(r"R[uú]brica(?:s|do)?\b(?! (?:del?|de la)\b)")
_LONGEST_CHARS = 3000


def closes(text: str) -> bool:
    """Whether a paragraph is part of the signatures or of the order to publish."""
    return bool(ORDERED.match(text) or (len(text) < _LONGEST_CHARS and (SIGNED.match(text) or NAMED.search(text))))
