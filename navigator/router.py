"""The route `auto`: the cheap path first. One search answers, or its signs say that the question must be walked for.

Owns the decision and its reasons. What each route does is `forest.oneshot`'s and `navigator.route`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date

from forest.answer import Answer
from forest.confidence import OVERALL, SAFE
from forest.oneshot import Attempt, attempt
from forest.routes import Memory, Walking
from forest.state import State
from forest.text import fold, printable
from navigator.chat import Chat
from navigator.period import published_in
from navigator.route import hunt as walk_for
from navigator.route import model_of
from navigator.scout import PATIENCE
from navigator.walk import Walk

# Chosen on the development split of the fixture's questions (docs/decisions/0012-the-router.md).
KEEP = SAFE  # confidence from which a one-shot answer without any sign is kept
# Statuses after which a walk would find no more: the names are not there, or mean several texts.
_SETTLED = frozenset(("corrected", "not_held", "ambiguous", "partial"))
_ALL = re.compile(
    r"\b(?:tod[oa]s (?:l[oa]s)?|cada un[oa] de|enumera|lista de|cuant[oa]s \w+ (?:hay|existen|son|tiene))\b"
)
_EXTREME = re.compile(
    r"\b(?:mas|menos) (?:alt|baj|grand|numeros|larg|car|barat|antigu|recient|pequen)|\b(?:mayor|menor)\b"
)
_COMPARED = re.compile(r"\b(?:diferencia|comparad|en comparacion|respecto del? (?:ano|texto)|que con l[ao]|mas que)\b")
_SEVERAL = re.compile(r"\by (?:a |en |de |desde |hasta |por |con )?(?:que|quien|cuando|cuant[oa]s?|cual|donde)\b")


@dataclass(frozen=True, slots=True)
class Decision:
    """Which route a question takes.

    Attributes:
        route: `oneshot` or `walk`.
        reasons: for a walk the signs that ask for one, else why one search is enough; one clause each.
        confidence: of the one-shot answer.
    """

    route: str
    reasons: tuple[str, ...]
    confidence: float

    def told(self) -> str:
        """Return the decision in one sentence."""
        return f"Route {self.route} (confidence of one search {self.confidence}): {'; '.join(self.reasons)}."


def decide(tried: Attempt) -> Decision:
    """Return whether a one-shot answer is kept, and why."""
    answer, confidence = tried.answer, tried.answer.confidence[OVERALL]
    if answer.status in _SETTLED:
        return Decision("oneshot", (f"one search settles it: {answer.status.replace('_', ' ')}",), confidence)
    if tried.is_named:
        return Decision("oneshot", ("what is named is quoted, and nothing else is asked",), confidence)
    signs = tuple(signs_of(tried))
    if not answer.claims:
        return Decision("walk", (f"one search answers nothing: {answer.status.replace('_', ' ')}", *signs), confidence)
    if signs:
        return Decision("walk", signs, confidence)
    if confidence < KEEP:
        return Decision("walk", (f"confidence below {KEEP}",), confidence)
    return Decision("oneshot", ("confident, and no sign of more than one step",), confidence)


def signs_of(tried: Attempt) -> Iterator[str]:
    """Yield what in a question, beside what answers it best, asks for more than one search."""
    plan, scales, best = tried.asking.plan, tried.asking.scales, tried.best
    text = fold(tried.asking.text)
    held = scales.held(best.pick.text) if best is not None else frozenset[str]()
    for number, relation in enumerate(plan.relations):
        if not scales.names(number, held):
            yield f"chain: «{relation.words}» leads to another text"
    if plan.asked.computed or _EXTREME.search(text):
        yield "aggregation: a value is computed or chosen from several"
    if _ALL.search(text):
        yield "aggregation: all of a kind are asked for"
    if plan.asked.many and not (best is not None and best.pick.is_list):
        yield "list: several things are asked for, and no list was found"
    if _COMPARED.search(text):
        yield "comparison"
    if _SEVERAL.search(text):
        yield "several things are asked"
    if published_in(tried.asking.text) is not None:
        yield "period: what was published in it"


@dataclass(frozen=True, slots=True)
class Auto:
    """What the cheapest sufficient route brought back.

    Attributes:
        decision: which route was taken, and why.
        answer: what it says.
        tried: the one-shot answer.
        walk: the walk, None when there was none.
    """

    decision: Decision
    answer: Answer
    tried: Attempt
    walk: Walk | None

    def told(self) -> str:
        """Return the decision, and every step of the walk if there was one."""
        lines = [printable(self.decision.told())]
        return "\n\n".join([*lines, self.walk.told()] if self.walk is not None else lines)

    def as_json(self, *, explain: bool) -> dict[str, object]:
        """Return the answer with the decision, and how the walk went if there was one."""
        walked = self.walk.as_json(explain=explain)["walk"] if self.walk is not None else None
        return {**asdict(self.answer), "router": asdict(self.decision), "walk": walked}


def hunt(
    state: State,
    question: str,
    *,
    today: date,
    as_of: date | None = None,
    in_force_on: date | None = None,
    navigator: str = "scout",
    journal: bool = False,
    chat: Chat | None = None,
    language: str = "",
    tell: Callable[[str], None] | None = None,
    memory: Memory | None = None,
) -> Auto:
    """Answer by one search if that is enough, else by a walk.

    A walk that abstains leaves a one-shot answer standing that was safe, and this is said.

    Args:
        state: of the forest, opened for the same `as_of`.
        question: in a person's words.
        today: the day it is.
        as_of: as if nothing published later existed.
        in_force_on: texts in force that day; beats a date read in the question.
        navigator: who decides the steps of a walk.
        journal: whether a walk is kept on disk as it happens.
        chat: the model that the navigator asks, if it asks one.
        language: of the prompts; "" for the question's own.
        tell: is told each step of a walk as it happens.
        memory: what a walk takes from earlier ones and leaves to later ones; None for nothing either way.

    Raises:
        WrongUsage: there is no such navigator, or it needs a model and there is none.
    """
    tried = attempt(state, question, today=today, as_of=as_of, in_force_on=in_force_on)
    decision = decide(tried)
    if decision.route == "oneshot":
        return Auto(decision, tried.answer, tried, None)
    walk = walk_for(
        state,
        question,
        today=today,
        as_of=as_of,
        in_force_on=in_force_on,
        navigator=navigator,
        journal=journal,
        patience=PATIENCE,
        decided=asdict(decision),
        chat=chat,
        language=language,
        tell=tell,
        memory=memory,
    )
    return Auto(decision, _of_both(tried, walk), tried, walk)


def _of_both(tried: Attempt, walk: Walk) -> Answer:
    """Return the walk's answer; where it has none, the one-shot's if it was safe to say."""
    if walk.answer.claims or not tried.answer.claims or tried.asking.plan.asked.computed:
        return walk.answer
    said = "A walk found nothing better; this is what one search answers."
    return replace(tried.answer, notes=(said, *tried.answer.notes))


def auto_route(
    state: State, question: str, *, today: date, as_of: date | None, in_force_on: date | None, walking: Walking
) -> Auto:
    """Take the route `auto`; a walk is journalled."""
    chat, language = model_of(walking)
    return hunt(
        state,
        question,
        today=today,
        as_of=as_of,
        in_force_on=in_force_on,
        navigator=walking.navigator,
        journal=True,
        chat=chat,
        language=language,
        tell=walking.tell,
        memory=walking.memory,
    )
