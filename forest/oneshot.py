"""One-shot answers, without a model: the sentences of the best passages that carry the answer, each cited.

An answer is made only of words that were read. What the question names and the forest does not hold is said to be so,
with what came nearest, instead of an answer about something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from forest.analyzer import asked_words
from forest.catalog import Catalog, NodeRow
from forest.citation import Citation
from forest.kind import carries, kind_asked
from forest.legal import Named, identifiers
from forest.legal_numbers import fold as fold_name
from forest.retrieval import (
    Found,
    Query,
    coverage,
    held_words,
    known_then,
    nodes_of_names,
    read_question,
    search_passages,
    transitory_articles,
    verdicts,
)
from forest.state import State
from forest.text import one_line, sentences
from forest.validity import Clock, clock_for, reads_so
from forest.vocabulary import widen

Status = Literal["answered", "partial", "ambiguous", "not_held", "not_found"]

_POOL = 12
_MAX_CLAIMS = 3
_CONSIDERED = 6
_MAX_UNITS = 4
_MAX_UNITS_OF_NAMED = 8
_MAX_ITEMS = 12
# Below this share of the question's words the best passage is about something else: it came near, it does not answer.
_ENOUGH = 0.62
_AS_GOOD = 0.8
_COVERS_AS_MUCH = 0.9
# Below this share it is not even near.
_PART = 0.35
_NEARLY = 0.7
_SPEAKS_OF_IT = 0.25
_KIND_BONUS = 0.15
_QUOTED_WHOLE = 2
_NEAREST = 4
_MARK = re.compile(r"[^\n]{0,80}\bDOF \d{2}-\d{2}-\d{4}[^\n]{0,200}")
_ITEM = re.compile(r"(?:[IVXLC]{1,7}|[a-zñ]{1,2}|\d{1,3})(?: (?:bis|ter|qu[aá]ter|quinquies))?[.)]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Near:
    """Something that came near: a node's id and title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that answer, as they stand in one passage.

    Attributes:
        text: the words, complete sentences, list items or table rows.
        title: of the node.
        heading: the headings they stand under.
        citations: the proof, one for each unbroken run of words.
        left_out: how many more sentences of the passage's node were not quoted.
    """

    text: str
    title: str
    heading: tuple[str, ...]
    citations: tuple[Citation, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Missing:
    """Something the question names that cannot be given.

    Attributes:
        what: as the question names it.
        why: one sentence.
        nearest: what the forest has instead.
    """

    what: str
    why: str
    nearest: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one hunt found.

    Attributes:
        question: as asked.
        status: answered; partial (some of what is named is missing); ambiguous (a name means several instruments);
            not_held (what is named is not in the forest); not_found (nothing speaks of it).
        clock: the days it is about, and where they came from.
        claims: the answer, best first.
        missing: what is not here.
        near: where nothing answers, words that speak of part of the question, quoted and cited but not claimed.
        nearest: other nodes that came near, for the reader to go on with.
        notes: sentences about versions and limits.
        confidence: parts from 0 to 1 by name: coverage of the question's words, margin over the next node, identifiers.
        commit: what was read.
        tree: of the forest in it.
    """

    question: str
    status: Status
    clock: Clock
    claims: tuple[Claim, ...]
    missing: tuple[Missing, ...]
    near: tuple[Claim, ...]
    nearest: tuple[Near, ...]
    notes: tuple[str, ...]
    confidence: dict[str, float]
    commit: str
    tree: str


def hunt(
    state: State, question: str, *, today: date, as_of: date | None = None, in_force_on: date | None = None
) -> Answer:
    """Answer a question from one forest without a model.

    Args:
        state: the forest's derived state; passages are read from its commit.
        question: in a person's words.
        today: the day it is.
        as_of: as if nothing published later existed.
        in_force_on: texts in force that day; beats a date read in the question.
    """
    named = identifiers(question, state.catalog)
    clock = clock_for(question, as_of=as_of, in_force_on=in_force_on, today=today, named=named.spans)
    query = read_question(state, question, clock, named)
    found = search_passages(state, query, _POOL)
    missing = _missing(state, query, found)
    chosen = _choose(found, missing)
    claims = tuple(claim for f in chosen if (claim := _claim(state, f, query)) is not None)
    partly = () if claims or missing else _near_passages(found)
    near = tuple(claim for f in partly if (claim := _claim(state, f, query)) is not None)
    cited = {claim.citations[0].node for claim in (*claims, *near)}
    return Answer(
        question=question,
        status=_status(named, claims, missing),
        clock=clock,
        claims=claims,
        missing=missing,
        near=near,
        nearest=_nears(tuple(f for f in found if f.reading.node.id not in cited)),
        notes=(*_silent(query, chosen), *_lacking(query, partly), *_notes(state, query)),
        confidence=_confidence(found, chosen),
        commit=state.snapshot.commit,
        tree=state.snapshot.tree,
    )


def _choose(found: tuple[Found, ...], missing: tuple[Missing, ...]) -> tuple[Found, ...]:
    """Return the passages to quote: those of named nodes, else the best ones if they speak of what is asked."""
    named = [f for f in found if f.tier == 0]
    if named:
        firsts: dict[str, Found] = {}
        for f in named:
            firsts.setdefault(f.reading.node.id, f)
        return tuple(firsts.values())
    if missing or not found or found[0].coverage < _ENOUGH:
        return ()
    best, chosen = found[0], dict[str, Found]()
    for f in found[:_CONSIDERED]:
        if f.tier == best.tier and f.score >= best.score * _AS_GOOD and f.coverage >= best.coverage * _COVERS_AS_MUCH:
            chosen.setdefault(f.reading.node.id, f)
    return tuple(chosen.values())[:_MAX_CLAIMS]


def _near_passages(found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Return the best passage of each of the first nodes that speak of a good part of the question."""
    firsts: dict[str, Found] = {}
    for f in found:
        if f.coverage >= _PART:
            firsts.setdefault(f.reading.node.id, f)
    return tuple(firsts.values())[:_MAX_CLAIMS]


def _claim(state: State, found: Found, query: Query) -> Claim | None:
    reading = found.reading
    units = split_units(reading.text)
    if not units:
        return None
    picked = pick_units([reading.text[a:b] for a, b in units], query, named=found.tier == 0)
    runs = [(units[run[0]][0], units[run[-1]][1]) for run in _runs(picked)]
    quotes = [reading.text[start:end] for start, end in runs]
    others = len(state.catalog.passages(reading.node)) - 1
    return Claim(
        text="\n".join(_flowing(reading.text[units[i][0] : units[i][1]]) for i in picked),
        title=reading.node.title,
        heading=reading.passage.heading,
        citations=tuple(reading.cite(quote) for quote in quotes),
        left_out=len(units) - len(picked) + others,
    )


def _flowing(unit: str) -> str:
    """Return a unit without the line breaks of the editor that wrapped it; the rows of a table keep theirs."""
    return unit if unit.startswith("|") else one_line(unit)


def split_units(text: str) -> tuple[tuple[int, int], ...]:
    """Return the offsets of what may be quoted from a passage: sentences, list items, whole small tables.

    Headings and reform marks ("Párrafo reformado DOF 01-05-2019") are not among them.
    """
    units: list[tuple[int, int]] = []
    in_table = 0
    for start, end in sentences(text):
        piece = text[start:end]
        if piece.startswith("#") or _MARK.fullmatch(piece):
            in_table = 0
            continue
        row = piece.startswith("|")
        if row and 0 < in_table < _MAX_ITEMS:
            units[-1] = (units[-1][0], end)
        else:
            units.append((start, end))
        in_table = in_table % _MAX_ITEMS + 1 if row else 0
    return tuple(units)


def pick_units(units: list[str], query: Query, *, named: bool) -> list[int]:
    """Return which units carry the answer, in order.

    Args:
        units: from `split_units`, in order.
        query: what is asked.
        named: whether the question names the node itself, so that its beginning answers when nothing else does.
    """
    scores = [_unit_score(unit, query) for unit in units]
    best = max(scores)
    if named and (not query.stems or best < _SPEAKS_OF_IT):
        return list(range(min(len(units), _MAX_UNITS_OF_NAMED)))
    if len(units) <= _QUOTED_WHOLE:
        return list(range(len(units)))
    order = sorted(range(len(units)), key=lambda i: (-scores[i], i))
    picked = {i for i in order[:_MAX_UNITS] if scores[i] >= best * _NEARLY}
    for i in sorted(picked):
        if _ITEM.match(units[i]):
            picked |= _introduction(units, i)
        if units[i].endswith(":"):
            picked |= _items_after(units, i)
    return sorted(picked)


def _introduction(units: list[str], item: int) -> set[int]:
    """Return the sentence that a list item completes; an item alone may say the opposite of its list."""
    before = item - 1
    while before >= 0 and _ITEM.match(units[before]):
        before -= 1
    return {before} if before >= 0 and units[before].endswith(":") else set()


def _items_after(units: list[str], introduction: int) -> set[int]:
    end = introduction + 1
    while end < len(units) and end - introduction <= _MAX_ITEMS and _ITEM.match(units[end]):
        end += 1
    return set(range(introduction + 1, end))


def _unit_score(unit: str, query: Query) -> float:
    kind = kind_asked(query.text)
    bonus = _KIND_BONUS if kind != "any" and carries(kind, unit) else 0.0
    return coverage(query, (unit,)) + bonus


def _runs(picked: list[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for i in picked:
        if runs and runs[-1][-1] == i - 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def _status(named: Named, claims: tuple[Claim, ...], missing: tuple[Missing, ...]) -> Status:
    if claims:
        return "partial" if missing else "answered"
    if named.ambiguous:
        return "ambiguous"
    return "not_held" if missing else "not_found"


def _missing(state: State, query: Query, found: tuple[Found, ...]) -> tuple[Missing, ...]:
    """Return everything that the question names and that cannot be given, each with what is nearest."""
    named, catalog = query.named, state.catalog
    gaps = [
        Missing(name, "no text of this forest has that name", _nearest_names(catalog, name, query.clock))
        for name in named.unknown
    ]
    gaps += [
        Missing(name, f"{len(ids)} texts of this forest have that name", _nears_of(catalog, ids, query.clock))
        for name, ids in named.ambiguous
    ]
    for instrument, key in named.missing:
        law = catalog.node(instrument)
        near = catalog.nearest(f"{instrument}/art-{key}", limit=_NEAREST)
        why = f"«{law.title}» has no article {key} in this forest"
        gaps.append(Missing(f"{instrument}/art-{key}", why, _nears_of(catalog, near, query.clock)))
    told = {fold_name(name) for name in named.unknown}
    for code in named.norms:
        if fold_name(code) not in told and not catalog.bearers([fold_name(code)]):
            gaps.append(
                Missing(code, "no text of this forest has that name", _nearest_names(catalog, code, query.clock))
            )
    if named.bare and not named.articles:
        keys = ", ".join(named.bare)
        gaps.append(Missing(f"artículo {keys}", "the question does not say of which law", _nears(found)))
    for key, nodes in transitory_articles(state, query).items():
        what = f"artículo transitorio {key.removeprefix('trans-')}"
        if not nodes:
            gaps.append(Missing(what, "the law named has no such transitory article of that date", ()))
        elif len(nodes) > 1:
            why = f"{len(nodes)} decrees have one; say of which day"
            gaps.append(Missing(what, why, tuple(_near(node) for node in nodes[:_NEAREST])))
    for work, verdict in verdicts(state, query):
        if verdict.status == "none":
            texts = tuple(_near(text) for text in catalog.versions(work) if known_then(text, query.clock))
            gaps.append(Missing(work, f"no text of it was in force on {query.clock.words}", texts))
    for node in nodes_of_names(state, query):
        if not known_then(node, query.clock):
            why = f"its text holds changes up to {node.known_on}; how it read on {query.clock.as_of} is not known"
            gaps.append(Missing(node.id, why, ()))
        elif not reads_so(node, query.clock.end):
            why = f"its text is of {node.since}; how it read on {query.clock.words} is not in this forest"
            gaps.append(Missing(node.id, why, (_near(node),)))
    return tuple(gaps)


def _silent(query: Query, chosen: tuple[Found, ...]) -> tuple[str, ...]:
    """Return a note for each text that was quoted because the question names it, though it says nothing of the rest."""
    asked = {word for word in query.stems if not word.isdigit()}
    return tuple(
        f"{f.reading.node.id} is what the question names; it has none of the question's other words."
        for f in chosen
        if f.tier == 0 and asked and coverage(query, (f.reading.text,)) == 0
    )


def _lacking(query: Query, partly: tuple[Found, ...]) -> tuple[str, ...]:
    """Return a note with the question's words that the nearest passage does not have."""
    if not partly:
        return ()
    held = held_words(query, partly[0].reading.text)
    lacking = [word for word, stem in asked_words(query.text) if stem in query.weights and stem not in held]
    said = ", ".join(f"«{word}»" for word in lacking)
    return (f"{partly[0].reading.node.id} came nearest; it has nothing of {said}.",) if lacking else ()


def _nearest_names(catalog: Catalog, name: str, clock: Clock) -> tuple[Near, ...]:
    near = catalog.nearest_named(fold_name(name), _NEAREST)
    return tuple(_near(node) for node in near if known_then(node, clock))


def _nears_of(catalog: Catalog, ids: Iterable[str], clock: Clock) -> tuple[Near, ...]:
    return tuple(_near(node) for node in map(catalog.node, ids) if known_then(node, clock))


def _nears(found: tuple[Found, ...]) -> tuple[Near, ...]:
    return tuple(dict.fromkeys(_near(f.reading.node) for f in found))[:_NEAREST]


def _near(node: NodeRow) -> Near:
    return Near(node.id, node.title)


def _notes(state: State, query: Query) -> tuple[str, ...]:
    notes = [f"«{entry.said}» was also searched as: {entry.means}." for entry in widen(query.text)]
    for work, verdict in verdicts(state, query):
        texts = ", ".join(text.id for text in state.catalog.versions(work) if known_then(text, query.clock))
        if verdict.status == "several":
            notes.append(f"{work} changed within {query.clock.words}; its texts are {texts}.")
        elif verdict.status == "unknown":
            notes.append(
                f"Which text of {work} was in force on {query.clock.words} is not known; its texts are {texts}."
            )
        elif verdict.status == "one" and ", " in texts:
            notes.append(f"{work} has several texts ({texts}); the one in force on {query.clock.words} was read.")
    notes += [
        f"{claimed.id} changed on {claimed.since}, within {query.clock.words}; this is the later text."
        for claimed in nodes_of_names(state, query)
        if claimed.since is not None and query.clock.start < claimed.since < query.clock.end
    ]
    if query.clock.as_of is not None:
        notes.append(f"Texts published, or consolidated with reforms, after {query.clock.as_of} were left out.")
    left_out = state.catalog.meta.get("left_out", "0")
    if left_out != "0":
        notes.append(f"{left_out} files of this forest could not be read as nodes; `forest lint` names them.")
    return tuple(notes)


def _confidence(found: tuple[Found, ...], chosen: tuple[Found, ...]) -> dict[str, float]:
    if not chosen:
        return {"identifiers": 0.0, "coverage": round(found[0].coverage, 3) if found else 0.0, "margin": 0.0}
    best = chosen[0]
    rivals = [f.score for f in found if f.tier == best.tier and f.reading.node.id != best.reading.node.id]
    margin = 1.0 - max(rivals) / best.score if rivals and best.tier else 1.0
    return {
        "identifiers": 1.0 if best.tier == 0 else 0.0,
        "coverage": round(best.coverage, 3),
        "margin": round(max(margin, 0.0), 3),
    }
