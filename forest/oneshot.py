"""One-shot answers, without a model: the sentences of the best passages that carry the answer, each cited.

An answer is made only of words that were read. What the question names and the forest does not hold is said to be so,
with what came nearest, instead of an answer about something else.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from datetime import date

from forest.analyzer import asked_words, words
from forest.answer import Answer, Claim, Missing, Status
from forest.asked import AnswerKind, answer_kind
from forest.confidence import OVERALL, PARTS, SAFE, overall, parts_of
from forest.edge import BUILT_IN, EdgeKind
from forest.fitting import Asking, Candidate, as_changed, asking_of, candidates, claim_of_pick
from forest.gaps import gaps_of, nears, with_known_later
from forest.ids import work_of
from forest.legal import Named
from forest.naming import nodes_of_names, verdicts
from forest.premises import correction_of
from forest.question import Query, coverage, held_words, read_question
from forest.quoting import claim_of
from forest.ranking import Found
from forest.reading import read_passage
from forest.retrieval import PART_NAMED, search_passages
from forest.search import Window, Within, family_of
from forest.spelling import wording_of
from forest.state import State
from forest.text import fold, one_line, sentences
from forest.validity import Clock

WEIGHED = 12  # of the passages that a search returns
_MAX_CLAIMS = 3
_CONSIDERED = 6
# From this share of the question's words on, a passage speaks of what is asked where no value can show it.
_SPEAKS = 0.8
_INVALID = [(stem, 1.0) for stem in ("inval", "invalidez", "invalid")]
_DECLARED = re.compile(
    r"\bdeclar\w{1,8} (?:la )?invalid|\binvalidez\b.{0,80}\b(?:declarad|accion|sentencia)|recupera su vigencia"
)
_WARNED = 300
_ALIKE = 6  # letters by which a word of a question is one of an edge kind's
_MOST_RELATED = 4
# Below this share it is not even near.
_PART = 0.35


def hunt(
    state: State, question: str, *, today: date, as_of: date | None = None, in_force_on: date | None = None
) -> Answer:
    """Answer a question from one forest without a model.

    Args:
        state: the forest's derived state; passages are read from its commit.
        question: in a person's words.
        today: the day it is.
        as_of: as if nothing published later existed; the earlier of this and the state's own day counts.
        in_force_on: texts in force that day; beats a date read in the question.
    """
    return attempt(state, question, today=today, as_of=as_of, in_force_on=in_force_on).answer


@dataclass(frozen=True, slots=True)
class Attempt:
    """A one-shot answer with what it was made of.

    Attributes:
        answer: what it says.
        asking: the question.
        found: the passages that were read, best first.
        best: what answers best, said or not; None when nothing was found that may answer.
        is_named: whether it quotes what the question names and asks nothing else of.
    """

    answer: Answer
    asking: Asking
    found: tuple[Found, ...]
    best: Candidate | None
    is_named: bool


def attempt(
    state: State, question: str, *, today: date, as_of: date | None = None, in_force_on: date | None = None
) -> Attempt:
    """Answer a question as `hunt` does, and tell what the answer was made of."""
    state = state.on(as_of)
    # A question in English is asked of the texts as search reads it; words mended as slips would lose their grammar.
    wording = wording_of(state, question)
    text = question if wording.language == "es" else wording.text
    asking = asking_of(state, text, today=today, as_of=state.as_of, in_force_on=in_force_on)
    query = read_question(state, question, asking.clock)
    found = search_passages(state, query, WEIGHED)
    gaps = gaps_of(state, query, found)
    missing = with_known_later(state, query, gaps)
    told = candidates(state, found, asking)
    best = as_changed(state, told[0], asking) if told else None
    kind = answer_kind(text, asking.plan.asked)
    confidence = _confidence(state, best, told, kind, asking.clock)
    correction = correction_of(state, found, asking) if not gaps else None
    chosen = _choose(found, gaps, asking)
    is_named = bool(chosen) and not gaps
    if is_named:
        confidence[OVERALL] = 1.0  # it is quoted because it is what is asked for: nothing was chosen
    if correction is not None:
        claims: tuple[Claim, ...] = (correction.claim,)
    elif chosen:
        claims = tuple(claim for f in chosen if (claim := claim_of(state, f, query)) is not None)
    elif best is not None and not gaps and not asking.plan.asked.computed and confidence[OVERALL] >= SAFE:
        claims = (claim_of_pick(state, best),)
    else:
        chosen = _tells_in_words(found, asking, best) if not gaps else ()
        claims = tuple(claim for f in chosen if (claim := claim_of(state, f, query)) is not None)
    partly = () if claims or gaps else _near_passages(found)
    near = tuple(claim for f in partly if (claim := claim_of(state, f, query)) is not None)
    cited = {claim.citations[0].node for claim in (*claims, *near)}
    quoted = chosen or partly or tuple(f for f in found if f.reading.node.id in cited)
    status = "corrected" if correction is not None else _status(query.named, claims, missing, asking, best)
    answer = Answer(
        question=question,
        status=status,
        clock=asking.clock,
        claims=claims,
        missing=missing,
        near=near,
        nearest=nears(tuple(f for f in found if f.reading.node.id not in cited)),
        notes=(
            *([correction.told] if correction is not None else []),
            *_warnings(state, quoted),
            *_silent(query, chosen),
            *_relations(state, query),
            *_lacking(query, partly),
            *_notes(state, query),
        ),
        confidence=confidence,
        commit=state.snapshot.commit,
        tree=state.snapshot.tree,
        wording=query.wording,
        kind=kind,
    )
    return Attempt(answer, asking, found, best, is_named)


def _choose(found: tuple[Found, ...], missing: tuple[Missing, ...], asking: Asking) -> tuple[Found, ...]:
    """Return the passages that are quoted because the question names them and asks nothing else, or is in part missing.

    Of a node one passage is quoted, of parts that the question names each one.
    """
    named = [f for f in found if f.tier == 0]
    asks_words = asking.plan.asked.kind in ("words", "open") and any("/art-" in f.reading.node.id for f in named)
    parts = any(f.why[0][0] == PART_NAMED for f in named)
    if asking.scales.telling and not missing and not parts and not asks_words:
        return ()
    firsts: dict[str, Found] = {}
    for f in named:
        firsts.setdefault(f.reading.passage.id if f.why[0][0] == PART_NAMED else f.reading.node.id, f)
    return tuple(firsts.values())


def _tells_in_words(found: tuple[Found, ...], asking: Asking, best: Candidate | None) -> tuple[Found, ...]:
    """Return the best passage where sentences are asked for, not a value, and it speaks of all that is asked."""
    plan = asking.plan
    if plan.asked.kind != "words" or plan.asked.many or plan.asked.computed or plan.relations or plan.anchors:
        return ()
    if best is None or best.names < 1 or found[0].coverage < _SPEAKS:
        return ()
    return found[:1]


def _near_passages(found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Return the best passage of each of the first nodes that speak of a good part of the question."""
    firsts: dict[str, Found] = {}
    for f in found:
        if f.coverage >= _PART:
            firsts.setdefault(f.reading.node.id, f)
    return tuple(firsts.values())[:_MAX_CLAIMS]


def _status(
    named: Named, claims: tuple[Claim, ...], missing: tuple[Missing, ...], asking: Asking, best: Candidate | None
) -> Status:
    if claims:
        return "partial" if missing else "answered"
    if named.ambiguous:
        return "ambiguous"
    if missing:
        return "not_held"
    return "unanswerable" if _is_of_what_is_asked_about(asking, best) else "not_found"


def _is_of_what_is_asked_about(asking: Asking, best: Candidate | None) -> bool:
    """Tell whether what came nearest is of all that the question names, and nothing is left to be walked to."""
    names = asking.plan.anchors or asking.scales.proper
    return best is not None and bool(names) and best.names >= 1 and not asking.plan.relations


def _warnings(state: State, quoted: tuple[Found, ...]) -> tuple[str, ...]:
    """Return what the texts quoted, or the laws that they are of, say of having been declared invalid."""
    warnings: dict[str, None] = {}
    for node in dict.fromkeys(f.reading.node for f in quoted):
        law = state.catalog.find(family_of(node.id))
        for holder in dict.fromkeys((node, law) if law is not None else (node,)):
            for hit in state.index.search(_INVALID, _CONSIDERED, Window(state.as_of), Within(node=holder.num)):
                text = read_passage(state, holder, hit.ordinal).text
                said = next((one_line(text[a:b]) for a, b in sentences(text) if _DECLARED.search(fold(text[a:b]))), "")
                if said:
                    warnings.setdefault(
                        f"Beware: {holder.id} says: «{textwrap.shorten(said, _WARNED, placeholder=' …')}»"
                    )
    return tuple(warnings)[:_MAX_CLAIMS]


def _silent(query: Query, chosen: tuple[Found, ...]) -> tuple[str, ...]:
    """Return a note for each text that was quoted because the question names it, though it says nothing of the rest."""
    asked = {word for word in query.weights if word.isalpha()}
    return tuple(
        f"{f.reading.node.id} is what the question names; it has none of the question's other words."
        for f in chosen
        if f.tier == 0 and asked and coverage(query, (f.reading.text,)) == 0
    )


def _relations(state: State, query: Query) -> tuple[str, ...]:
    """Return the edges, of a kind that the question asks for by its words, of the nodes that it names.

    What stands in the relation is in another node: this says which, and leaves it to be read there.
    """
    asked = {word[:_ALIKE] for word in map(fold, words(query.text)) if len(word) >= _ALIKE}
    kinds = {kind.name: kind.inverse for kind in BUILT_IN if asked & _beginnings(kind)}
    notes = []
    for node in nodes_of_names(state, query):
        # An edge usually means the work and not one wording of it.
        ids = dict.fromkeys((node.id, work_of(node.id)))
        arriving = [edge for i in ids for kind in kinds for edge in state.catalog.edges_in(i, _MOST_RELATED, kind)]
        sources = state.catalog.by_numbers(num for _, num in arriving)
        ends = [(kind, state.catalog.find(to)) for kind, to, _, _ in state.catalog.edges_out(node) if kind in kinds]
        ends += [(kinds[kind], sources.get(num)) for kind, num in arriving]
        told = [(name, end) for name, end in ends if end is not None]
        notes += [
            f"{node.id} {name.replace('_', ' ')} {end.id} ({end.title}): forest show {end.id}"
            for name, end in told[:_MOST_RELATED]
        ]
    return tuple(notes)


def _beginnings(kind: EdgeKind) -> set[str]:
    told = (word for phrase in (*kind.words, *kind.inverse_words) for word in phrase.split())
    return {word[:_ALIKE] for word in told if len(word) >= _ALIKE}


def _lacking(query: Query, partly: tuple[Found, ...]) -> tuple[str, ...]:
    """Return a note with the question's words that the nearest passage does not have."""
    if not partly:
        return ()
    held = held_words(query, partly[0].reading.text)
    lacking = [word for word, stem in asked_words(query.text) if stem in query.weights and stem not in held]
    said = ", ".join(f"«{word}»" for word in lacking)
    return (f"{partly[0].reading.node.id} came nearest; it has nothing of {said}.",) if lacking else ()


def _notes(state: State, query: Query) -> tuple[str, ...]:
    notes = list(query.notes())
    for work, verdict in verdicts(state, query):
        texts = ", ".join(text.id for text in state.catalog.versions(work))
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


def _confidence(
    state: State, best: Candidate | None, told: tuple[Candidate, ...], kind: AnswerKind, clock: Clock
) -> dict[str, float]:
    """Return the overall confidence and its parts; where nothing may answer, 0 of everything."""
    parts = parts_of(state, best, told, kind, clock) if best is not None else dict.fromkeys(PARTS, 0.0)
    return {OVERALL: overall(parts) if best is not None else 0.0, **parts}
