"""A node digested: everything that catalog and index keep of one file, computed from its bytes alone.

Digesting is the expensive part of a build and needs no other node, so it may run in other processes; a record is plain
data that survives JSON.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import date

from forest.analyzer import stems
from forest.edge import ISSUED_BY
from forest.legal_numbers import fold
from forest.node import Node
from forest.passport import Passport
from forest.text import slice_codec
from forest.traits import digest_sentences
from forest.units import units_of, with_lf

# Kinds that are the forest's structure and not texts of the gazette: without a date they belong to any day.
TIMELESS_KINDS = frozenset(("topic", "entity"))
# Kinds that are documents: what a search finds before it looks for passages inside.
DOCUMENT_KINDS = frozenset(("publication", "instrument"))


@dataclass(frozen=True, slots=True)
class Cut:
    """One passage as the catalog and the index keep it.

    Attributes:
        start: where it is in the blob, with `end`.
        units: how many a read shows of it (`forest.units`).
        header_in: ordinal of the passage with the header of the table that this one begins inside of; 0 when it does
            not begin inside a table.
        heading_stems: of its headings.
        body_stems: of its text, sentence by sentence.
        traits: of its sentences, see `forest.traits`.
    """

    heading: tuple[str, ...]
    start: int
    end: int
    sha256: str
    tokens: int
    units: int
    header_in: int
    heading_stems: str
    body_stems: str
    traits: str


@dataclass(frozen=True, slots=True)
class Record:
    """What one file contributes.

    Attributes:
        lines: kind, title, summary, scent, text_state.
        section: of the gazette, "" when it does not say.
        issuers: ids of the bodies that issued it, by its edges.
        tags: a JSON list.
        dates: published, text_as_of, in force from, to (ISO or None), open-ended (0 or 1), basis.
        changed: the day from which it can have read as it does: where it says from when it is in force that day, else
            its last reform, else its publication (ISO or None).
        edges: (kind, target, scent, basis).
        scents: (neighbour, line) that the node states in place of the neighbour's own.
        names: folded names by which texts and questions may call the node.
        timeless: whether it may be shown for any `as_of` when it has no date.
        stems: of title, tags with aliases, scent and summary, joined by spaces.
        passages: the body, cut; a node without a body has one empty cut, so that its passport can be found.
    """

    id: str
    path: str
    blob: str
    encoding: str
    lines: tuple[str, ...]
    section: str
    issuers: tuple[str, ...]
    tags: str
    dates: tuple[str | int | None, ...]
    changed: str | None
    edges: tuple[tuple[str, str, str, str], ...]
    scents: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    timeless: bool
    stems: dict[str, str]
    passages: tuple[Cut, ...]

    @property
    def kind(self) -> str:
        """Its node kind."""
        return self.lines[0]

    @property
    def known(self) -> str | None:
        """The day since which the node is known by what it says itself: "" for always, None when it does not say."""
        days = [str(day) for day in self.dates[:2] if day]
        return max(days) if days else "" if self.timeless else None

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read what `to_json` wrote."""
        values = json.loads(text)
        for key in ("lines", "issuers", "dates", "names"):
            values[key] = tuple(values[key])
        for key in ("edges", "scents"):
            values[key] = tuple(tuple(pair) for pair in values[key])
        values["passages"] = tuple(Cut(**{**cut, "heading": tuple(cut["heading"])}) for cut in values["passages"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Filed:
    """What filters ask of a document: its kind, its tags, and the day of the gazette (ISO or None)."""

    kind: str
    tags: tuple[str, ...]
    published: str | None

    @classmethod
    def of(cls, record: Record) -> Filed:
        """Return what a record says of itself."""
        return cls(record.kind, tuple(json.loads(record.tags)), str(record.dates[0]) if record.dates[0] else None)


@dataclass(frozen=True, slots=True)
class Place:
    """What a node has from where it stands; worked out when all records are there.

    Attributes:
        parent: path of its parent's file, "" at the root.
        known: day since which it is known, ISO; "" always, `forest.catalog.NEVER_KNOWN` on no day.
        since: day since which its text can have read as it does: its own, else that on which the nearest folder that
            says so was published (the law of an article that bears no mark of a reform); ISO or None.
        titles: stems of the titles above it, nearest first, without the root's.
        document: number of the document that it is part of: the nearest publication or instrument, itself or above;
            its own where there is none.
        filed: what that document says of itself.
        section: its own, else that of the nearest folder that has one.
        issuers: the same of ids of the bodies that issued it.
    """

    parent: str
    known: str
    since: str | None
    titles: str
    document: int
    filed: Filed
    section: str
    issuers: tuple[str, ...]


def digest(node: Node, blob: str, budget_tokens: int) -> Record:
    """Digest one loaded node.

    Args:
        node: as loaded.
        blob: id of its bytes.
        budget_tokens: what its passages are cut towards.
    """
    passport = node.passport
    return Record(
        id=node.id,
        path=node.path,
        blob=blob,
        encoding=node.encoding,
        lines=(passport.kind, passport.title, passport.summary, passport.scent, passport.text_state),
        section=passport.section,
        issuers=tuple(dict.fromkeys(e.to for e in passport.edges if e.kind == ISSUED_BY)),
        tags=json.dumps(passport.tags, ensure_ascii=False),
        dates=_dates(passport),
        changed=_iso(_changed(passport)),
        edges=tuple((e.kind, e.to, e.scent, e.basis) for e in passport.edges),
        scents=tuple(passport.scents.items()),
        names=_names(passport),
        timeless=passport.kind in TIMELESS_KINDS,
        stems={
            "title": _joined(passport.title),
            "tags": _joined(" ".join((*passport.tags, *passport.aliases))),
            "scent": _joined(passport.scent),
            "summary": _joined(passport.summary),
        },
        passages=_cuts(node, budget_tokens),
    )


def _cuts(node: Node, budget_tokens: int) -> tuple[Cut, ...]:
    codec = slice_codec(node.encoding)
    data = node.text.encode(codec)
    shift = 3 if node.encoding == "utf-8-sig" else 0
    cuts: list[Cut] = []
    table = 0  # where the header is of the table in which the passage before ends
    for p in node.passages(budget_tokens):
        text = with_lf(data[p.start - shift : p.end - shift].decode(codec))
        spans = units_of(text)
        gap = with_lf(data[(cuts[-1].end if cuts else p.start) - shift : p.start - shift].decode(codec))
        header_in = table if text.startswith("|") and gap.count("\n") == 1 else 0
        last = spans[-1]
        goes_on = header_in and (last.header or (last.start,))[0] == 0
        table = 0 if not text.startswith("|", last.start) else header_in if goes_on else len(cuts) + 1
        words, traits = digest_sentences(text)
        heading = _joined(" ".join(p.heading))
        cuts.append(Cut(p.heading, p.start, p.end, p.sha256, p.tokens, len(spans), header_in, heading, words, traits))
    end = len(data) + shift
    return tuple(cuts) or (Cut((), end, end, hashlib.sha256(b"").hexdigest(), 0, 0, 0, "", "", ""),)


def _dates(passport: Passport) -> tuple[str | int | None, ...]:
    force = passport.in_force
    return (
        _iso(passport.published),
        _iso(passport.text_as_of),
        _iso(force.start) if force else None,
        _iso(force.end) if force else None,
        int(force.open_ended) if force else 0,
        force.basis if force else "",
    )


def _changed(passport: Passport) -> date | None:
    if passport.in_force is not None and passport.in_force.start is not None:
        return passport.in_force.start
    return max(passport.reforms, default=passport.published)


def _names(passport: Passport) -> tuple[str, ...]:
    names = {fold(alias) for alias in passport.aliases}
    if passport.kind != "provision":  # "Artículo 5" names nothing by itself
        names.add(fold(passport.title))
    return tuple(sorted(name for name in names if name))


def _joined(text: str) -> str:
    return " ".join(stems(text))


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
