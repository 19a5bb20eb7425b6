"""The values that a reader makes of one file of gazette text.

Owns the shape of an act as the gazette printed it (its heading, its blocks, what was left out of the page) and nothing
else: `curation.readers.publicaciones` fills it, `curation.gazette_nodes` turns it into files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "text", "table"]

# Ranks of headings, outermost first: a heading stands under the last one of a lower rank.
PART, GROUP, BOOK, TITLE, CHAPTER, SECTION, ARTICLE, ITEM, NUMERAL, LISTING = 0, 1, 2, 3, 4, 5, 6, 7, 10, 99


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of the page, its broken lines joined and its markup removed.

    Attributes:
        text: its words; a table keeps its lines.
        line: 1-based line of the source where it begins.
        bold: whether all of it is printed bold.
        lead: the bold words that it begins with, "" when it begins plain.
        hashes: level of the converter's own heading, 0 when it is none.
        table: whether it is a table.
        breaks: whether a page begins before it.
    """

    text: str
    line: int
    bold: bool = False
    lead: str = ""
    hashes: int = 0
    table: bool = False
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of an act: a heading with its rank, a paragraph or a table.

    `transitory` is true of the heading above transitory articles.
    """

    kind: BlockKind
    text: str
    rank: int = 0
    transitory: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """Words of the page that belong to no act: headers, page numbers, the gazette's own notices."""

    what: str
    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a file.

    Attributes:
        heading: the heading that opens it, as printed, on one line; "" when its text has none.
        seal: the paragraph that says whose seal stands at the margin; "" when there is none.
        header: the gazette's own header of the section, in capitals, when it stands in the file above the act.
        blocks: everything after the heading, in order.
        dropped: what was left out of its pages.
    """

    heading: str
    seal: str
    header: str
    blocks: tuple[Block, ...]
    dropped: tuple[Dropped, ...] = ()
