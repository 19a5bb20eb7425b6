"""When a decree says that it enters into force.

Owns the few formulas whose date can be computed from the text and the day of publication; anything else is unknown.
"""

import re
from datetime import date, timedelta

from curation.dates import long_dates
from forest.passport import Period

_ENTERS = re.compile(
    r"(?:(?:El presente|Este) (?:Decreto|Código|Reglamento|[Aa]cuerdo|Estatuto|[Aa]viso|Convenio|Manual|Programa)"
    r"|(?:La presente|Esta) (?:Ley|Norma(?: Oficial Mexicana)?|Circular|Resolución|Convocatoria)"
    r"|(?:Las presentes|Estas) (?:Normas|Reglas|Bases|Disposiciones)"
    r"|(?:Los presentes|Estos) (?:Lineamientos|Criterios)) "
    r"(?:entrarán? en vigor|comenzarán? a regir|iniciarán? su vigencia|surtirán? efectos)(?P<when>[^.;\n]{3,160})"
)
_OWN_PUBLICATION = r"(?:(?:de|a) )?su publicación(?: en el Diario Oficial(?: de la Federación)?)?\s*$"
_NEXT_DAY = re.compile(
    rf"\s*(?:a partir del? |al |el )(?:día )?siguiente (?:día )?(?:al )?(?:día )?(?:del? )?{_OWN_PUBLICATION}"
)
_SAME_DAY = re.compile(rf"\s*(?:a partir d)?el (?:mismo )?día {_OWN_PUBLICATION}")
_FIXED = re.compile(r"\s*(?:a partir d)?el (?:día )?(?=\d|primero)")


def entry_into_force(text: str, published: date) -> Period | None:
    """The period that a text opens for its own decree, None when its words do not name a day."""
    match = _ENTERS.search(text)
    if match is None:
        return None
    when, basis = match["when"], match.group()
    if _NEXT_DAY.fullmatch(when):
        return Period(published + timedelta(days=1), None, open_ended=False, basis=basis)
    if _SAME_DAY.fullmatch(when):
        return Period(published, None, open_ended=False, basis=basis)
    if fixed := _FIXED.match(when):
        for day, end in long_dates(when):
            if end >= len(when.rstrip()) and when[fixed.end() :].find(str(day.year)) >= 0:
                return Period(day, None, open_ended=False, basis=basis)
    return None
