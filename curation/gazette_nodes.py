"""From an act to the nodes of its folder: ids, paths, passports and bodies.

Owns where an act's nodes live in the forest and which facts their passports state. How it is divided is
`curation.gazette_parts`, words come from `curation.draft`, edges from `curation.edges`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from curation.draft import SCENT_WORDS, cut_title, first_words, scent_of, sentence_case, shorten, summarise, weights
from curation.edges import Known, Missed, citing_edges
from curation.force import entry_into_force
from curation.frame import File, spoken
from curation.gazette import ARTICLE, Act, Block
from curation.gazette_parts import Part, body, divide
from curation.issuers import Issuer
from curation.readers.outline import DIVISION, is_reasons
from curation.readers.pages import in_capitals
from forest.edge import Edge
from forest.ids import slug
from forest.legal_names import norm_codes
from forest.passport import Passport, render_node
from forest.text import fold, one_line

ROOT = "publicaciones"
INSTITUTIONS = "instituciones"
_ORDER = frozenset("primer primero primera segundo segunda tercer tercero tercera cuarto cuarta quinto quinta".split())
# A number by which an act is called: `Acuerdo 49/2024`, `CIRCULAR No. AR07-016/2024`, `INE/CG281/2024`.
_NUMBER = re.compile(
    r"(?:(?:ACUERDO|CIRCULAR|RESOLUCI[OÓ]N|OFICIO|AVISO|DECRETO|Acuerdo|Circular|Resolución|Oficio|Aviso|Decreto)"
    r"(?: (?:No\.|N[uú]m\.|número))? )?(?=[^\s]*\d)[A-Z0-9][A-Za-z0-9/.-]{3,40}"
)
_LAST_OF_SEAL = re.compile(r"(?P<number>[A-Z]{2,10}/[A-Z0-9]{2,12}/\d{4}|[A-Z]{2,8}/\d{1,5}/\d{4})\.?$")
# Where the opening paragraph stops naming its grounds and says what the act does.
_TELLS = re.compile(
    r"\b(?:informa|(?:se )?comunica(?=,? (?:que|a)\b)|se les comunica|hace (?:del|de su) conocimiento|se dan? a conocer"
    r"|da a conocer|(?:tengo|tiene|tienen|han?|he|hemos|ha) (?:tenido )?a bien|se le impuso|deberán abstenerse)\b"
)
_OBJECT = re.compile(
    r"(?:\d{1,2}[. ]+)?(?:del? )?objet(?:iv)?o(?: y campo de aplicacion)?|(?:primera|1)[. ]+(?:del )?objeto[. -]*"
)
# A converter reads the ordinal "4o." as "40."; a number that is no ordinal has no full stop inside a sentence.
_MISREAD = r"\.(?=[,;]|\s+[a-záéíóú])"
_HEAD_BLOCKS, _FEWEST_WORDS = 5, 4


@dataclass(frozen=True, slots=True)
class Frame:
    """What every node of one act shares.

    Attributes:
        id: of its own node.
        act: the act as read.
        title: the heading as a reader would write it.
        published: the day of the gazette.
        section: MAT, VES or EXT, "" when unknown.
        source: what its own node says of where its text came from.
        issuer: who issued it, None when the text does not say.
    """

    id: str
    act: Act
    title: str
    published: date
    section: str
    source: Mapping[str, str]
    issuer: Issuer | None

    @property
    def folder(self) -> str:
        """Its folder in the forest."""
        return f"{ROOT}/{self.published.year}/{self.id}"

    @property
    def kind(self) -> str:
        """The kind of act as a tag: `acuerdo`, `norma`, `convenio`."""
        words = (word for word in fold(self.title).split() if word not in _ORDER)
        return slug(next(words, ""))

    @property
    def short(self) -> str:
        """What its parts call it: its code or number, else its kind with the day."""
        names = aliases_of(self.act, self.title)
        return names[0] if names else f"{self.kind.capitalize()} DOF {spoken(self.published)}"


@dataclass(frozen=True, slots=True)
class Rendered:
    """All nodes of one act, in the order of their paths, and the citations that made no edge."""

    files: tuple[File, ...]
    missed: tuple[Missed, ...]


def title_of(heading: str) -> str:
    """An act's heading as a reader would write it: what the gazette prints in capitals in ordinary letters."""
    # The full stop that ends a heading goes, that of an abbreviation stays: `B.C.S.`
    text = re.sub(r"(?<!\.[A-ZÁÉÍÓÚÑ])\.$", "", one_line(heading)).strip()
    if in_capitals(text):
        return sentence_case(text)
    words = text.split()
    capitals = next((at for at, word in enumerate(words) if any(c.islower() for c in word)), 0)
    lead = " ".join(words[:capitals])
    return " ".join(filter(None, (lead[:1] + lead[1:].lower(), *words[capitals:])))


def codes_of(title: str) -> tuple[str, ...]:
    """The code of the norm that an act is, by its title; none when its title only speaks of one."""
    first = fold(title).split()[:1]
    codes = norm_codes(title) if first in (["norma"], ["proyecto"]) else ()
    return tuple(code for _, _, code in codes[:1])


def aliases_of(act: Act, title: str) -> tuple[str, ...]:
    """The code and the numbers by which texts call an act, as its first lines give them."""
    numbers = (block.text.strip(" .") for block in act.blocks[:_HEAD_BLOCKS] if block.kind != "table")
    seal = _LAST_OF_SEAL.search(act.seal)
    own = _NUMBER.match(title)
    found = (
        *codes_of(title),
        *((own.group(),) if own and " " in own.group() else ()),
        *(number for number in numbers if _NUMBER.fullmatch(number)),
        *((seal["number"],) if seal else ()),
    )
    return tuple(dict.fromkeys(title_of(name) if " " in name else name for name in found))


def render_act(frame: Frame, known: Known) -> Rendered:
    """All nodes of an act.

    Args:
        frame: the act and what is known of it.
        known: the instruments that its text may refer to.
    """
    root = divide(frame.act.blocks)
    files: list[File] = []
    missed: list[Missed] = []
    text = body(root.blocks, 2)
    heading = f"# {frame.act.heading or frame.title}"
    files.append(_publication(frame, f"{heading}\n\n{text}", known, missed))
    files.extend(_parts(frame, root, frame.id, frame.folder, known, missed))
    return Rendered(tuple(sorted(files, key=lambda file: file.path)), tuple(missed))


def _publication(frame: Frame, text: str, known: Known, missed: list[Missed]) -> File:
    edges = _edges(frame, frame.id, text, known, missed)
    if frame.issuer is not None:
        scent = f"la emite {frame.issuer.name}"
        edges = (Edge("issued_by", institution_id(frame.issuer.slug), scent, frame.issuer.basis), *edges)
    else:
        missed.append(Missed(frame.id, "issuer_unknown", frame.act.seal[:160], frame.act.header))
    ruling = _ruling(frame.act.blocks)
    day = spoken(frame.published)
    said = summarise(ruling) or frame.title
    passport = Passport(
        id=frame.id,
        kind="publication",
        title=cut_title(frame.title),
        summary=shorten(f"DOF {day}. {said}", 60),
        scent=first_words(f"DOF {day}: {said}", SCENT_WORDS + 6),
        tags=tuple(filter(None, (frame.kind,))),
        aliases=tuple(name for name in aliases_of(frame.act, frame.title) if name != frame.title),
        published=frame.published,
        section=frame.section,
        text_state="as_published",
        source=frame.source,
        edges=edges,
    )
    return File(f"{frame.folder}/index.md", render_node(passport, text))


def institution_id(name: str) -> str:
    """The id of an institution's node."""
    return f"{INSTITUTIONS}/{name}"


def _parts(frame: Frame, above: Part, node: str, folder: str, known: Known, missed: list[Missed]) -> Iterator[File]:
    """The nodes below a part, each before its own."""
    texts = [body(part.blocks, 1) for part in above.parts]
    weight = weights(texts)
    for part, text in zip(above.parts, texts, strict=True):
        own = f"{node}/{part.segment}"
        place = f"{folder}/{part.segment}"
        path = f"{place}/index.md" if part.parts else f"{place}.md"
        yield File(path, _part(frame, part, own, text, weight, known, missed))
        yield from _parts(frame, part, own, place, known, missed)


def _part(
    frame: Frame, part: Part, node: str, text: str, weight: Mapping[str, float], known: Known, missed: list[Missed]
) -> str:
    name = _name(part, frame.title)
    prose = "\n\n".join(block.text for block in part.blocks if block.kind == "text")
    below = "; ".join(_name(one, frame.title) for one in part.parts)
    said = summarise(prose) if len(prose.split()) > 3 else ""
    line = scent_of(prose, weight) if prose else ""
    title = f"{frame.short}, {'transitorio ' if part.transitory else ''}{name}"
    passport = Passport(
        id=node,
        kind="provision",
        title=cut_title(first_words(title, 40)),
        summary=shorten(said or (f"{name}: {below}" if below else title), 60),
        scent=first_words(f"{name}: {line or below}".strip(" :"), SCENT_WORDS + 6),
        tags=tuple(filter(None, (frame.kind, "transitorio" if part.transitory else ""))),
        published=frame.published,
        section=frame.section,
        text_state="as_published",
        in_force=entry_into_force(one_line(prose), frame.published) if part.transitory else None,
        source={"file": frame.source["file"]},
        edges=_edges(frame, node, text, known, missed),
    )
    return render_node(passport, text)


def _name(part: Part, title: str = "") -> str:
    """What a part is called: its heading in ordinary letters without the punctuation that ends it."""
    heading = next((block.text for block in part.blocks if block.kind == "heading"), "").strip(' .:;–-“”"')
    if part.transitory:
        return sentence_case(re.sub(r"^(?i:art[ií]culo)\s+", "", heading)).lower() or "único"
    if title and fold(heading).split()[:4] == fold(title).split()[:4]:
        return title
    if match := DIVISION.fullmatch(heading):
        label = sentence_case(f"{match['kind']} {match['number']}")
        name = sentence_case(match["rest"].strip(" .-"))
        return f"{label}. {name}" if name else label
    return sentence_case(heading)


def _edges(frame: Frame, node: str, text: str, known: Known, missed: list[Missed]) -> tuple[Edge, ...]:
    """The citations of a node's text; what it says of its own act is none.

    Of an article whose number was probably misread only the instrument is sure.
    """
    edges, unresolved = citing_edges(node, text, instrument="", order=(), here="", published=None, known=known)
    missed.extend(unresolved)
    kept: dict[str, Edge] = {}
    for edge in edges:
        instrument, _, key = edge.to.partition("/art-")
        if key.endswith("0") and re.search(rf"\b{key}{_MISREAD}", edge.basis):
            missed.append(Missed(node, "doubtful_number", edge.basis, edge.to))
            kept.setdefault(instrument, replace(edge, to=instrument))
        elif instrument != frame.id:
            kept.setdefault(edge.to, edge)
    return tuple(kept.values())


def _ruling(blocks: Sequence[Block]) -> str:
    """The words in which an act says what it does.

    They are its object, where it has a heading for that, else its first article, else the end of its opening.
    """
    first, reasons = "", False
    for at, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        if block.transitory:
            break
        reasons = is_reasons(block.text) or (reasons and block.rank >= ARTICLE)
        own = "\n\n".join(one.text for one in _until_heading(blocks[at + 1 :]) if one.kind == "text")
        if len(own.split()) <= _FEWEST_WORDS or reasons:
            continue
        if _OBJECT.fullmatch(fold(block.text).strip(" .:")):
            return own
        first = first or (own if block.rank == ARTICLE else "")
    return first or _announced(blocks)


def _announced(blocks: Iterable[Block]) -> str:
    """What an act without articles tells, from the verb on with which it tells it; "" when there is none."""
    reasons = False
    for block in blocks:
        reasons = is_reasons(block.text) if block.kind == "heading" else reasons
        tells = _TELLS.search(block.text) if block.kind == "text" and not reasons else None
        if tells and len(block.text) > 80:
            return block.text[tells.start()].upper() + block.text[tells.start() + 1 :]
    return ""


def _until_heading(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "heading":
            return
        yield block
