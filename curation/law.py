"""The values that a reader makes of one law's text.

Owns the shape of a law (divisions, articles, reform decrees, transitory articles) and nothing else: readers fill it,
`curation.nodes` turns it into files. Text is held as paragraphs joined by blank lines, in the law's own words.
"""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Division:
    """A book, title, chapter or section; `notes` are the reform marks printed under its heading."""

    kind: str
    number: str
    label: str
    heading: str = ""
    notes: tuple[str, ...] = ()

    @property
    def segment(self) -> str:
        """The division's folder name, as in `capitulo-3-bis`."""
        return f"{self.kind}-{self.number}" if self.number else self.kind


@dataclass(frozen=True, slots=True)
class Article:
    """One article: `key` is its number in canonical form (`3-bis`), `label` its heading as printed."""

    key: str
    label: str
    text: str
    divisions: tuple[Division, ...] = ()
    reforms: tuple[date, ...] = ()


@dataclass(frozen=True, slots=True)
class Decree:
    """One publication that made or changed the law; `closing` holds signatures and the order to publish."""

    title: str
    published: date
    text: str
    transitories: tuple[Article, ...] = ()
    closing: str = ""


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something in a text that was kept but could not be placed with certainty."""

    rule: str
    where: str
    words: str


@dataclass(frozen=True, slots=True)
class Law:
    """A consolidated law.

    `divisions` are the paths of all its headings in order, also of those that hold no article any more; `decrees[0]`
    is the publication that issued the law, the others follow in text order. `notes` are the Chamber's own words above
    the law.
    """

    abbreviation: str
    slug: str
    title: str
    former_names: tuple[str, ...]
    published: date
    text_as_of: date
    preamble: str
    articles: tuple[Article, ...]
    divisions: tuple[tuple[Division, ...], ...]
    decrees: tuple[Decree, ...]
    complaints: tuple[Complaint, ...] = ()
    notes: tuple[str, ...] = ()
