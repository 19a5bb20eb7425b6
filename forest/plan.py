"""The plan of a walk: what a question names, the relations it asks for in the order of walking, and what it wants.

The innermost clause comes first: in "the limit of the norm that replaced X", X is where the walk begins, the
replacement is its first hop, the limit is read where it ends. Relations are known by the words of the edge kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from forest.analyzer import stems
from forest.asked import TEXT_NOUNS, Asked, asked_of
from forest.catalog import Catalog
from forest.edge import EdgeKind, EdgeKinds
from forest.legal import Named
from forest.legal_numbers import fold as fold_name
from forest.text import fold

_LONGEST_NAME_WORDS = 16
_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")
_PARTICIPLE = re.compile(r"\w{3,}[aií]d[oa]s?")


@dataclass(frozen=True, slots=True)
class Anchor:
    """Something that the question names.

    Attributes:
        nodes: ids that the name may mean.
        start: where in the question it stands.
        end: one past it.
        words: as written.
    """

    nodes: tuple[str, ...]
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that the question asks for by its words.

    Attributes:
        kinds: names of the edge kinds that the words may mean, each as seen from where the walker stands
            (`superseded_by`, `issued_by`), the likeliest first.
        start: where in the question the words stand.
        end: one past them.
        words: as written.
    """

    kinds: tuple[str, ...]
    start: int
    end: int
    words: str

    @property
    def asked(self) -> tuple[str, ...]:
        """The kinds that the words ask for as the grammar reads them, without the same edges the other way round."""
        return self.kinds[: (len(self.kinds) + 1) // 2]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is to be walked.

    Attributes:
        anchors: what it names, in the order of the question.
        relations: in the order of walking, from the innermost clause outwards.
        asked: what is wanted at the end.
        rest: the question without the names: what is left to be found.
        start: the name at which the walk begins, None when the question names nothing.
    """

    anchors: tuple[Anchor, ...]
    relations: tuple[Relation, ...]
    asked: Asked
    rest: str
    start: Anchor | None = None

    def sub_questions(self) -> tuple[str, ...]:
        """Return the chained sub-questions in words; `#1` is the result of the first."""
        result = self.start.words if self.start else "what a search finds"
        lines = []
        for number, relation in enumerate(self.relations, start=1):
            lines.append(f"#{number}: «{relation.words}» of {result} ({' or '.join(relation.kinds)})")
            result = f"#{number}"
        wanted = self.asked.noun or "/".join(sorted(self.asked.values)) or self.asked.kind
        return (*lines, f"then: {wanted} of {result}")


def plan_of(question: str, named: Named, catalog: Catalog, kinds: EdgeKinds) -> Plan:
    """Make the plan of a question.

    Args:
        question: as asked.
        named: what the grammar of citations reads in it.
        catalog: knows the names of all nodes.
        kinds: the forest's edge kinds, whose words ask for relations.
    """
    anchors = anchors_in(question, named, catalog)
    held = catalog.edge_kinds()
    present = EdgeKinds(tuple(kind for kind in kinds if kind.name in held))  # what no edge is of cannot be walked
    start = _start_of(anchors)
    relations = tuple(_relations(question, anchors, present, start))
    middle = (start.start, start.end) if start else (len(question), len(question))
    rest = question
    for anchor in reversed(anchors):
        rest = f"{rest[: anchor.start]}{' ' * (anchor.end - anchor.start)}{rest[anchor.end :]}"
    asked = asked_of(question)
    if asked.kind == "node" and not TEXT_NOUNS.fullmatch(asked.noun) and "entity" not in catalog.node_kinds():
        asked = replace(asked, kind="words")  # who does something stands in a sentence: there are no nodes of bodies
    return Plan(anchors, _outwards(relations, middle), asked, rest, start)


def _start_of(anchors: tuple[Anchor, ...]) -> Anchor | None:
    """Return where the walk begins: the innermost text named by its number, else the first thing named.

    In "el artículo de la ley X al que remite el artículo 5 de la ley Y" the law X is where the walk must arrive.
    """
    exact = [anchor for anchor in anchors if any("/art-" in node for node in anchor.nodes)]
    return exact[-1] if exact else next(iter(anchors), None)


def _outwards(relations: tuple[Relation, ...], anchor: tuple[int, int]) -> tuple[Relation, ...]:
    """Return relations in the order of walking: those before the name from right to left, then those after it."""
    before = [r for r in relations if r.end <= anchor[0]]
    after = [r for r in relations if r.start >= anchor[1]]
    return (*reversed(before), *after)


def anchors_in(question: str, named: Named, catalog: Catalog) -> tuple[Anchor, ...]:
    """Return what a question or sentence names: citations by the grammar, then the longest names of any node."""
    found = list(_cited(question, named))
    taken = [(anchor.start, anchor.end) for anchor in found]
    spots = list(_WORD.finditer(question))
    names: dict[str, list[tuple[int, int]]] = {}
    for first in range(len(spots)):
        for last in range(first, min(first + _LONGEST_NAME_WORDS, len(spots))):
            start, end = spots[first].start(), spots[last].end()
            if name := fold_name(question[start:end]):
                names.setdefault(name, []).append((start, end))
    bearers = catalog.bearers(tuple(names))
    spans = [(start, end, ids) for name, ids in bearers.items() for start, end in names[name]]
    for start, end, ids in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        if any(start < right and left < end for left, right in taken):
            continue
        if _is_a_name(question[start:end], question) or _is_an_acronym(question[start:end], ids, catalog):
            taken.append((start, end))
            found.append(Anchor(ids, start, end, question[start:end]))
    return tuple(sorted(found, key=lambda anchor: anchor.start))


def _is_an_acronym(word: str, ids: tuple[str, ...], catalog: Catalog) -> bool:
    """Tell whether a word is the short name of a body by which it goes in the forest, and no word of its title."""
    body = catalog.find(fold_name(word)) if fold_name(word) in ids else None
    return body is not None and body.kind == "entity" and fold_name(word) not in fold_name(body.title).split()


def _cited(question: str, named: Named) -> Iterator[Anchor]:
    for mention in named.mentions:
        ids = [f"{law}/art-{key}" for law in mention.instruments for key in mention.articles]
        existing = [node_id for node_id in ids if tuple(node_id.rsplit("/art-", 1)) in named.articles]
        nodes = tuple(existing or (mention.instruments if not mention.articles else ()))
        if nodes:
            yield Anchor(nodes, mention.start, mention.end, question[mention.start : mention.end])


def _is_a_name(text: str, question: str) -> bool:
    """Tell whether some words that a node bears as its name are one here, and not ordinary words of the question.

    Names are written with a capital; where the whole question has none, any two words of a name will do.
    """
    if " " not in text:  # of single words, which are aliases, only what cannot be another word
        return text.isupper() or any(char.isdigit() for char in text)
    if any(word[:1].isupper() for word in text.split()) or any(char.isdigit() for char in text):
        return True
    writes_capitals = any(char.isupper() for char in question.lstrip(' ¿¡"')[1:])
    return not writes_capitals and len(stems(text)) > 1


def _relations(
    question: str, anchors: tuple[Anchor, ...], kinds: EdgeKinds, begin: Anchor | None
) -> Iterator[Relation]:
    """Yield the relations that the words of a question ask for, in the order of the question."""
    spots = [
        spot
        for spot in _WORD.finditer(question)
        if not any(anchor.start <= spot.start() < anchor.end for anchor in anchors)
    ]
    tokens = [_forms(spot.group()) for spot in spots]
    anchor = begin.start if begin else len(question)
    at, earlier = 0, set[EdgeKind]()
    while at < len(tokens):
        matches = [
            (length, kind)
            for kind in kinds
            for phrase in (*kind.words, *kind.inverse_words)
            if (length := _length_at(tokens, at, phrase))
        ]
        if not matches:
            at += 1
            continue
        longest = max(length for length, _ in matches)
        start, end = spots[at].start(), spots[at + longest - 1].end()
        said = question[start:end]
        meant = dict.fromkeys(kind for length, kind in matches if length == longest)
        ways = [_by_voice(question, start, end, anchor, kind) for kind in meant]
        at += longest
        by = _BY_AFTER.match(fold(question[end : end + 12]))
        if earlier & set(meant) and _PARTICIPLE.fullmatch(said.casefold()) and not by:
            continue  # "ya corregido" after "se corrigió" speaks of the same hop
        earlier |= set(meant)
        # First what each kind's words ask for, then the same edges the other way round.
        yield Relation((*(way for way, _ in ways), *(way for _, way in ways)), start, end, said)


def _length_at(tokens: list[frozenset[str]], at: int, phrase: str) -> int:
    """Return how many tokens from `at` on say a phrase, 0 when they do not; verbs may be inflected otherwise."""
    wanted = [_forms(word) for word in phrase.split()]
    said = tokens[at : at + len(wanted)]
    alike = len(said) == len(wanted) and all(a & b for a, b in zip(said, wanted, strict=True))
    return len(wanted) if alike else 0


@lru_cache(maxsize=4096)
def _forms(word: str) -> frozenset[str]:
    """Return the search tokens of a word; its folded self for one that search passes over."""
    return frozenset(stems(word)) or frozenset((fold(word),))


_BY_AFTER = re.compile(r"\s+(?:\w+ )?por\b")
_PASSIVE_BEFORE = re.compile(
    r"\b(?:fue|fueron|es|son|ha sido|han sido|habia sido|sera|quedo|esta|estan|resulto|siendo) (?:\w+ )?$"
)
_CLITIC_BEFORE = re.compile(r"\b(?:l[aoe]s?|se l[aoe]s?)(?: (?:ha|han|habia))? $")
_OBLIQUE_BEFORE = re.compile(
    r"\b(?:a|al|ante|con|en|sobre|de) ?(?:el|la|los|las)? ?(?:que|cual|cuales|quien|quienes)(?: \w+){0,2} (?:\w+ )?$"
)
_ASKS_AGENT_BEFORE = re.compile(r"\bquien(?:es)? (?:\w+ )?$")
_WHICH_BEFORE = re.compile(r"\b(?:que|cual|cuales) (?:\w+ ){1,4}$")
_OBJECT_AFTER = re.compile(r"^ (?:a|al)\b")


def _by_voice(question: str, start: int, end: int, anchor: int, kind: EdgeKind) -> tuple[str, str]:
    """Return the two ways to walk a kind of edge, the one that the words ask for first.

    "la norma que sustituyó a X" wants from X what supersedes it; "la norma sustituida por X" and "X sustituyó a una
    norma" want what X supersedes. What is wanted is the doer of the verb, or what it is done to: the words around the
    verb tell. Only edges that exist can be walked, so a wrong guess costs a step and no answer.
    """
    text = fold(question) if len(fold(question)) == len(question) else question.casefold()
    before, after = text[max(0, start - 60) : start], text[end : end + 30]
    passive = bool(_BY_AFTER.match(after)) or bool(_PASSIVE_BEFORE.search(before))
    if end <= anchor:
        doer_wanted = not (passive or _OBLIQUE_BEFORE.search(before))
    else:
        doer_wanted = bool(
            passive
            or _CLITIC_BEFORE.search(before)
            or _ASKS_AGENT_BEFORE.search(before)
            or (_WHICH_BEFORE.search(before) and (_OBJECT_AFTER.match(after) or kind.target_acts))
        )
    source_wanted = doer_wanted != kind.target_acts
    return (kind.inverse, kind.name) if source_wanted else (kind.name, kind.inverse)
