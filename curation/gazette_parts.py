"""How an act is divided: which of its blocks its own node holds, and which go into nodes below it.

Owns the levels of headings, the parts of an act that is too large for one node, and its transitory articles, which
always have a node each. No block is lost, none stands twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from curation.draft import first_words
from curation.gazette import ARTICLE, NUMERAL, PART, SECTION, Block
from curation.numerals import number
from curation.readers.labels import parse_label
from curation.readers.outline import is_reasons
from curation.readers.signatures import closes
from forest.ids import slug
from forest.text import count_tokens, fold

LARGEST_NODE_TOKENS = 6_000
# A part as small as this stays with its neighbours in the node above.
_LEAST_PART_TOKENS = 60
_LONGEST_SEGMENT_CHARS = 48
_DEEPEST_LEVEL = 6
_DIVISION = re.compile(r"(?P<kind>libro|titulo|capitulo|seccion|apartado)\s+(?P<number>\S+)")
_NUMERAL = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,5})\.?(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an act that has a node of its own.

    Attributes:
        segment: its name below the node above it.
        blocks: its heading and what it holds itself.
        parts: the pieces of it that have nodes below its own.
        transitory: whether it is a transitory article.
    """

    segment: str
    blocks: tuple[Block, ...]
    parts: tuple[Part, ...] = ()
    transitory: bool = False


@dataclass(slots=True)
class _Section:
    """A heading with everything under it, while the outline is built."""

    heading: Block | None
    own: list[Block] = field(default_factory=list)
    below: list[_Section] = field(default_factory=list)

    def blocks(self) -> Iterator[Block]:
        if self.heading is not None:
            yield self.heading
        yield from self.own
        for section in self.below:
            yield from section.blocks()

    def tokens(self) -> int:
        return sum(count_tokens(block.text) for block in self.blocks())


def divide(blocks: Sequence[Block]) -> Part:
    """An act as its own node, the part with segment "", with the parts below it."""
    kept, transitories = _without_transitories(blocks)
    root = _outline(kept)
    if root.tokens() <= LARGEST_NODE_TOKENS:
        return Part("", tuple(kept), _named(transitories))
    whole = _cut(root)
    return Part("", whole.blocks, _named([*whole.parts, *transitories]))


def body(blocks: Iterable[Block], top: int) -> str:
    """Blocks as Markdown, their headings marked from level `top` on, each under those of a lower rank."""
    above: list[Block] = []
    lines: list[str] = []
    for block in blocks:
        if block.kind != "heading":
            lines.append(block.text)
            continue
        while above and _ends(above[-1], block):
            above.pop()
        level = min(_DEEPEST_LEVEL, top + len(above))
        above.append(block)
        lines.append(f"{'#' * level} {block.text}")
    return "\n\n".join(lines)


def _without_transitories(blocks: Sequence[Block]) -> tuple[list[Block], list[Part]]:
    """The blocks that are no transitory article, and those articles."""
    kept: list[Block] = []
    articles: list[Part] = []
    at = 0
    while at < len(blocks):
        kept.append(blocks[at])
        at += 1
        if not blocks[at - 1].transitory:
            continue
        while at < len(blocks) and not _ends_transitories(blocks[at]):
            end = at + 1
            while end < len(blocks) and not _ends_transitories(blocks[end]) and blocks[end].kind != "heading":
                end += 1
            articles.append(_transitory(blocks[at:end]))
            at = end
    return kept, articles


def _ends_transitories(block: Block) -> bool:
    if block.kind == "heading":
        return block.rank != ARTICLE
    return block.kind == "text" and closes(block.text)


def _transitory(blocks: Sequence[Block]) -> Part:
    label = parse_label(blocks[0].text) if blocks[0].kind == "heading" else None
    return Part(f"trans-{label.key if label else 'unico'}", tuple(blocks), transitory=True)


def _outline(blocks: Iterable[Block]) -> _Section:
    root = _Section(None)
    open_sections = [root]
    for block in blocks:
        if block.kind != "heading":
            open_sections[-1].own.append(block)
            continue
        while (above := open_sections[-1].heading) is not None and _ends(above, block):
            open_sections.pop()
        section = _Section(block)
        open_sections[-1].below.append(section)
        open_sections.append(section)
    return root


def _ends(above: Block, heading: Block) -> bool:
    """Whether a heading ends what stands under another: chapters are no part of an act's reasons."""
    return above.rank >= heading.rank or (PART < heading.rank <= SECTION and is_reasons(above.text))


def _cut(section: _Section) -> Part:
    """A section as a part; where it is over the budget, the sections under it are parts below."""
    segment = _segment(section.heading) if section.heading is not None else ""
    if section.tokens() <= LARGEST_NODE_TOKENS or not section.below:
        return Part(segment, tuple(section.blocks()))
    own = [*([section.heading] if section.heading else []), *section.own]
    parts: list[Part] = []
    for below in section.below:
        if below.tokens() < _LEAST_PART_TOKENS or (below.heading is not None and below.heading.transitory):
            own.extend(below.blocks())
        else:
            parts.append(_cut(below))
    return Part(segment, tuple(own), _named(parts))


def _segment(heading: Block) -> str:
    """The name of a part: its numeral, its division and number, or the first words of its heading."""
    text = fold(heading.text)
    numbered = heading.rank == PART or heading.rank >= NUMERAL
    if numbered and (match := _NUMERAL.match(text)):
        return match["number"].replace(".", "-")
    if (match := _DIVISION.match(text)) and (value := number(match["number"].strip(".-"))) is not None:
        return f"{match['kind']}-{value}"
    words = slug(fold(first_words(heading.text, 6)))
    cut = words if len(words) <= _LONGEST_SEGMENT_CHARS else words[:_LONGEST_SEGMENT_CHARS].rpartition("-")[0]
    return cut or "parte"


def _named(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts beside each other with different names: one that repeats is numbered."""
    used: set[str] = set()
    named: list[Part] = []
    for part in parts:
        name, count = part.segment, 1
        while name in used or name == "index":
            count += 1
            name = f"{part.segment}-{count}"
        used.add(name)
        named.append(replace(part, segment=name))
    return tuple(named)
