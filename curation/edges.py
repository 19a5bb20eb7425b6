"""Typed edges from what a node's text says, with the words that establish each.

Owns which verb makes which kind and the line that a citation's door shows: what the citing clause says of its target,
never the target's own scent, so that no node's bytes depend on another's text. What words refer to is
`curation.references`; what cannot be resolved exactly is returned as such and never becomes an edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, takewhile

from curation.dates import long_dates
from curation.references import Reference, references
from forest.edge import Edge
from forest.legal import Register

_VERB = re.compile(
    r"\b(?P<repeals>derog\w{1,6}|abrog\w{1,6})\b|\b(?P<amends>reform\w{1,6}|adicion\w{1,6}|modific\w{1,6}|recorr\w{1,6}|sustitu\w{1,6})\b"
    r"|\b(?P<none>expid\w{1,4}|publicad\w{1,2}|dispuesto|términos|conformidad|refier\w{1,3}|establec\w{1,4})\b",
    re.IGNORECASE,
)
# "Decreto por el que se reforman …": the act of another text, unless it is the title of this one.
_REPORTED = re.compile(
    r"\b(?:por (?:el|la|los|las) (?:que|cual(?:es)?)|que|mediante el cual) (?:se )?(?:\w+[ ,]+(?:y )?){0,4}$",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?:DECRETO|LEY|ACUERDO|Decreto|Ley|Acuerdo)\b")
_COORDINATED = re.compile(r"\b(?:reform|adicion|modific)\w{1,6}(?:,? y (?:se )?|, )$", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:fracci|p[aá]rrafo|inciso|numeral|apartado|disposici|segund[oa] |[uú]ltim|pen[uú]ltim|base )", re.IGNORECASE
)
_PUBLISHED = re.compile(r"[ ,(]{1,3}publicad(?P<gender>[oa])s?(?: en)? el (?:Diario Oficial|DOF)")
# "Decreto por el que se reforma la Ley …, publicado …" speaks of the decree: the law would be "publicada".
_FEMININE = re.compile(r"\b(?:Ley|Constitución|Norma)\b")
_WORDS_BEFORE, _CITED_WORDS, _WORDS_AFTER = 11, 14, 7
_LONGEST_BASIS_CHARS = 160
# A passport's YAML has a limit of 32 KB (`forest.yaml_data`); each edge also writes its four keys.
_LARGEST_EDGES_BYTES, _KEYS_BYTES = 26_000, 60
_VERB_REACH_CHARS = 4_000
# A key that no article has: bare numbers are then resolved, and nothing is the text's own article.
_NOWHERE = "-"


@dataclass(frozen=True, slots=True)
class Missed:
    """A citation that made no edge: where, why, and its words."""

    node: str
    reason: str
    words: str
    wanted: str


@dataclass(frozen=True, slots=True)
class Known:
    """What resolving needs to know of all instruments: their names and articles, and when they were published."""

    register: Register
    published: Mapping[str, date]


def door_line(text: str, start: int, end: int) -> str:
    """What a text says around a citation, on one line: the clause that it stands in, its words and no others."""
    left = max(text.rfind(mark, 0, start) for mark in (". ", "; ", ": ", "\n"))
    right = min((at for mark in (". ", "; ", ":", "\n") if (at := text.find(mark, end)) >= 0), default=len(text))
    lead = text[max(left + 1, 0) : start].split()
    cited = text[start:end].split()
    tail = text[end:right]
    shown = f"{' '.join(cited[:_CITED_WORDS])}{'…' if len(cited) > _CITED_WORDS else ''}"
    after = tail.split()[:_WORDS_AFTER] if len(cited) <= _CITED_WORDS else []
    glue = "" if tail[:1] in ",.;:)" else " "
    line = f"{' '.join(lead[-_WORDS_BEFORE:])} {shown}{glue}{' '.join(after)}".strip(" ,;.")
    return (
        f"{'… ' if len(lead) > _WORDS_BEFORE else ''}{line}{'…' if len(tail.split()) > _WORDS_AFTER and after else ''}"
    )


def citing_edges(
    node: str, text: str, *, instrument: str, order: Sequence[str], here: str, published: date | None, known: Known
) -> tuple[tuple[Edge, ...], tuple[Missed, ...]]:
    """The edges of an article, or of a transitory article.

    Args:
        node: the node's id.
        text: its text.
        instrument: the law that it belongs to.
        order: the keys of that law's articles.
        here: its own key, "" for a transitory article, whose verbs may repeal or amend.
        published: when a transitory article was published; None for an article of the consolidated text.
        known: all instruments.
    """
    found, unresolved = references(text, instrument=instrument, order=order, here=here, register=known.register)
    missed = [Missed(node, item.reason, item.basis, item.wanted) for item in unresolved]
    edges = list(_edges(node, text, found, published, known, missed))
    return _fitting(node, _distinct(edges), missed), tuple(missed)


def amending_edges(
    node: str, text: str, *, instrument: str, order: Sequence[str], published: date, known: Known
) -> tuple[tuple[Edge, ...], tuple[Missed, ...]]:
    """The edges of a reform decree: what its text says it reforms or adds (`amends`), repeals, or merely cites.

    A paragraph that names no instrument but `instrument` speaks of it alone, so there its bare numbers are resolved.
    """
    edges: list[Edge] = []
    missed: list[Missed] = []
    for paragraph in text.split("\n\n"):
        found, unresolved = references(paragraph, instrument="", order=(), here="", register=known.register)
        named = {ref.target.partition("/art-")[0] for ref in found}
        others = any(item.reason in ("unknown_instrument", "ambiguous_instrument") for item in unresolved)
        if named == {instrument} and not others and _VERB.search(paragraph):
            bare, still = references(
                paragraph, instrument=instrument, order=(*order, _NOWHERE), here=_NOWHERE, register=known.register
            )
            listed = {ref.target for ref in found}
            relative = ("anterior", "siguiente", "precede")
            found = (*found, *(r for r in bare if r.target not in listed and not any(w in r.basis for w in relative)))
            unresolved = still
        missed += [Missed(node, item.reason, item.basis, item.wanted) for item in unresolved]
        edges += _edges(node, paragraph, found, published, known, missed)
    return _fitting(node, _distinct(edges), missed), tuple(missed)


def _fitting(node: str, edges: Sequence[Edge], missed: list[Missed]) -> tuple[Edge, ...]:
    """The first edges, as many as a passport may hold; the others are missed, not dropped."""
    sizes = accumulate(len(f"{e.kind}{e.to}{e.scent}{e.basis}".encode()) + _KEYS_BYTES for e in edges)
    fits = sum(1 for _ in takewhile(lambda size: size <= _LARGEST_EDGES_BYTES, sizes))
    missed += [Missed(node, "too_many_edges", edge.basis, edge.to) for edge in edges[fits:]]
    return tuple(edges[:fits])


def _edges(
    node: str, text: str, found: Iterable[Reference], published: date | None, known: Known, missed: list[Missed]
) -> Iterator[Edge]:
    """An edge for each reference, except where the text means an earlier law of the same name."""
    for ref in found:
        if ref.target == node:
            continue
        instrument = ref.target.partition("/art-")[0]
        issued = known.published.get(instrument)
        printed = None
        said = _PUBLISHED.match(text, ref.end)
        if said and not (said["gender"] == "o" and _FEMININE.search(ref.basis)):
            printed = next((day for day, _ in long_dates(text[ref.end : ref.end + 140])), None)
        if issued and ((printed and printed != issued) or (published and published < issued)):
            missed.append(Missed(node, "other_publication", ref.basis, ref.target))
            continue
        kind = "cites" if published is None else _kind(text, ref)
        basis = " ".join(ref.basis.split())
        if len(basis) > _LONGEST_BASIS_CHARS:
            basis = basis[:_LONGEST_BASIS_CHARS].rpartition(" ")[0]
        yield Edge(kind, ref.target, door_line(text, ref.start, ref.end), basis)


def _kind(text: str, ref: Reference) -> str:
    """The kind that the last verb before a reference gives it; `cites` when that verb changes nothing here.

    Only a whole article is repealed, and only a whole instrument that is said to be abrogated: a text that derogates a
    paragraph, or "provisions of" a law, amends it.
    """
    left = max(text.rfind("\n", 0, ref.start) + 1, ref.start - _VERB_REACH_CHARS)
    last: re.Match[str] | None = None
    for match in _VERB.finditer(text, left, ref.start):
        last = match
    if last is None or last["none"]:
        return "cites"
    if _REPORTED.search(text, left, last.start()) and not _TITLE.match(text, left):
        return "cites"
    between = text[last.end() : ref.start]
    if not last["repeals"] or _PART.search(between) or _COORDINATED.search(text, left, last.start()):
        return "amends"
    article = ref.target.partition("/art-")[2]
    if not article:
        return "repeals" if last["repeals"].lower().startswith("abrog") else "amends"
    number = r"\W{0,4}".join(article.split("-"))
    own = re.search(rf"(?i)\b{number}[oº°]?\b(?![\W_]{{0,2}}[a-z]\b)[^;\d]{{0,60}}", ref.basis)
    return "amends" if own is None or _PART.search(own.group()) else "repeals"


def _distinct(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """The edges without repeats: the first for each kind and target, and no citation of what is changed anyway."""
    changed = {edge.to for edge in edges if edge.kind != "cites"}
    kept: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        if edge.kind != "cites" or edge.to not in changed:
            kept.setdefault((edge.kind, edge.to), edge)
    return tuple(kept.values())
