"""What the Supreme Court declared invalid, as the Chamber's notes say.

Owns deciding that a whole law or a whole article is invalid and since which gazette; one that lost only some of its
words, or whose earlier text came back, is not.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from curation.dates import long_dates, short_dates
from curation.readers.marks import is_mark

TAG = "invalidado"
_LAW = re.compile(
    r"(?i:invalidez total de esta (?:ley|código))|(?:Ley|Código) declarad[oa] inv[aá]lid[oa]"
    r"|Decreto que expide\b.{0,250}?\bdeclarado inv[aá]lido"
    r"|(?i:invalidez) del Decreto\b.{0,60}?\bque expidió est[ae] (?:Ley|Código)"
)
_ARTICLE = re.compile(r"Artículo declarado inv[aá]lido\b")
_IN_PART = re.compile(r"porci[oó]n|porciones|recupera su vigencia|parcial", re.IGNORECASE)


def law_invalid_since(notes: Iterable[str]) -> date | None:
    """The day of the gazette that published that a whole law is invalid, None when none of its notes says so."""
    days = [
        day
        for note in notes
        if _LAW.search(note)
        for day in (*short_dates(note[note.find("DOF") :]), *(found for found, _ in long_dates(note)))
    ]
    return max(days, default=None)


def article_invalid_since(text: str, reforms: Sequence[date]) -> date | None:
    """The day of the gazette that says that a whole article is invalid, None when it is not or was reformed since."""
    marks = [part for part in text.split("\n\n") if is_mark(part)]
    said = [mark for mark in marks if _ARTICLE.search(mark)]
    if not said or any(_IN_PART.search(mark) for mark in marks):
        return None
    if len(said) > 1 and not text.startswith("["):
        return None
    days = short_dates(" ".join(mark[mark.find("DOF") :] for mark in said))
    return days[-1] if days and days[-1] == max(reforms, default=None) else None
