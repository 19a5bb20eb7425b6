"""Weighing: how much of a question a walk explains, and how well a sentence at its end answers.

A word of the question is explained by a relation walked, by the scents, titles and sentences on the way, or by the
sentence that answers. Words weigh by their rarity in the forest; words that carry little meaning weigh little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import fsum, sqrt

from forest.analyzer import stems
from forest.plan import Plan
from forest.question import Query, held_words

_RELATION = "relation "
_LIGHT_WEIGHT = 0.25
# Words that a question may be asked with and that say little of what it is about.
_LIGHT = frozenset(
    stems(
        "consistir consiste consisten sede despacha ubica ubicada encuentra ciudad antes después ahora actual "
        "nuevo nueva anterior luego entonces mismo misma texto nombre día fecha dinero cantidad saber viene venir "
        "cuál no ya ahí aquí allá hoy poner pone puse tener tenía hacer hizo deber decir dijo tocar toca llevar "
        "lleva salir salió ir va van iba dejar dejó quedar quedó tomar toma usar usa usan querer pedir pide piden "
        "regir rige tratar andar acabar corresponder aplicar señalar señala señalada establecer fijar prever "
        "indicar indica mencionar contar recibir recibe seguir sigue conforme según verdad real realmente pa para "
        "más menos máximo mínimo tolerar admitir admite permite permitir dar dan daba cobrar cobran pagar pago "
        "paga cuesta costar materia caso parte cosa cosas gente persona personas alguien favor donde forma manera "
        "tipo clase vez veces exacto exactamente oficial vigente trae traer mandar manda ordenar ordena obligar "
        "obliga exigir exigible exige mover movieron maneja manejar cuidar cuida cuidado cargo prestar presta "
        "ocupar ocupa determinar determine indique precise diga"
    )
)
_TELLING = 2  # words that a clause must have to be asked by itself
# A capital inside a sentence, or a digit.
_NAMING = re.compile(r"(?<=[\w,;:»)] )[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+|\b[A-Z]+-\d[\w-]*|\b(?:19|20)\d\d\b")
_A_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TITLED = re.compile(r"[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+ $")  # "Reglas de Operación 2027": the year belongs to a name
_OF_A_DAY = 6  # characters that a day has beside its year, at least; a month and its year name what is of that month
_SAID = 0.7  # a relation whose words a scent or sentence holds, beside one that was walked as an edge
_RELATION_WORDS = 1.6  # how many words of middling weight a relation counts for
_ON_THE_WAY = 0.6  # a word of the asking clause that only the way holds
_BY_ITSELF = 0.4  # of the fit that a sentence must earn by holding words of the asking clause itself
_GIVEN_WORDS = 0.5  # words taken as explained, so that a single light word left over does not decide


@dataclass(frozen=True, slots=True)
class Scales:
    """The question's words with their weights.

    Attributes:
        plan: of the question.
        query: its words without the names.
        clause: those of the clause that asks.
        proper: those that name something: written with a capital, or with digits. Nothing else can stand in for them.
        is_titled: whether the year that the clock was read from is part of a title.
        is_named: whether the question names any text.
        telling: the words that say something of what is asked, whatever they weigh in this forest.
    """

    plan: Plan
    query: Query
    clause: frozenset[str]
    proper: frozenset[str]
    is_titled: bool
    is_named: bool
    telling: frozenset[str]

    def held(self, text: str) -> frozenset[str]:
        """Return which of the question's words, and of the words that name its relations, a text holds."""
        said = frozenset(stems(text))
        named = (i for i, relation in enumerate(self.plan.relations) if said & frozenset(stems(relation.words)))
        return held_words(self.query, text) | frozenset(f"{_RELATION}{i}" for i in named)

    @property
    def says_enough(self) -> bool:
        """Whether the question names a text, or has words enough to tell one answer from another."""
        return self.is_named or _is_enough(self.telling)

    def names(self, number: int, held: frozenset[str]) -> bool:
        """Tell whether what is held has the words of a relation."""
        return f"{_RELATION}{number}" in held

    def share(self, explained: frozenset[str], used: frozenset[int]) -> float:
        """Return the share of the whole question that is explained, 0 to 1."""
        return self.of_way(explained, used, frozenset(self.query.weights))

    def of_way(self, explained: frozenset[str], used: frozenset[int], words: frozenset[str] | None = None) -> float:
        """Return the share of some words, and of all relations, that is explained, 0 to 1.

        Args:
            explained: what the way holds.
            used: numbers of the relations walked.
            words: those that count; the words outside the asking clause unless given.
        """
        weights = self.query.weights
        counted = frozenset(weights) - self.clause if words is None else words
        middling = fsum(weights.values()) / len(weights) if weights else 1.0
        each = _RELATION_WORDS * middling
        walked = sum(
            1.0 if i in used else _SAID if self.names(i, explained) else 0.0 for i in range(len(self.plan.relations))
        )
        given = _GIVEN_WORDS * middling
        total = fsum(weights[word] for word in counted) + each * len(self.plan.relations) + given
        return (fsum(weights[word] for word in explained & counted) + each * walked + given) / total

    def of_clause(self, unit: frozenset[str], way: frozenset[str]) -> float:
        """Return the share of the asking clause that a sentence and its place hold, 0 to 1; less for the way's."""
        own = self.of_words(self.clause, unit)
        return own + _ON_THE_WAY * (self.of_words(self.clause, unit | way) - own)

    def fit(
        self,
        unit: frozenset[str],
        own: frozenset[str],
        way: frozenset[str],
        explained: frozenset[str],
        used: frozenset[int],
    ) -> float:
        """Return how well a sentence answers where it stands, 0 to about 1.

        Args:
            unit: what the sentence holds, with its headings and its table's head.
            own: what the title of its node and what that stands under hold.
            way: what may stand in for words of the asking clause, at a discount.
            explained: what the way there, or all that is known of its place, holds.
            used: numbers of the relations walked to it.
        """
        itself = self.of_words(self.clause, unit)
        share = sqrt(self.of_clause(unit | own, way) * self.of_way(explained | unit, used))
        return share * (1 - _BY_ITSELF + _BY_ITSELF * min(1.0, 2 * itself))

    def of_words(self, words: frozenset[str], held: frozenset[str]) -> float:
        """Return the share of some words, by weight, that is held.

        Words that say next to nothing are held by what the question names ("¿En cuánto quedó el índice X?"); where it
        names nothing either, nothing can be said to answer it.
        """
        if not words & self.telling:
            return 1.0 if self.is_named else 0.0
        total = fsum(self.query.weights[word] for word in words)
        return fsum(self.query.weights[word] for word in held & words) / total


def without(scales: Scales, words: str) -> Scales:
    """Return scales on which some words no longer weigh: they turned out to be the name of something."""
    gone = held_words(scales.query, words)
    left = {word: weight for word, weight in scales.query.weights.items() if word not in gone}
    clause = scales.clause - gone
    return replace(
        scales,
        query=replace(scales.query, weights=left),
        clause=clause if _is_enough(clause & scales.telling) else frozenset(left),
        proper=scales.proper - gone,
        is_named=True,
        telling=scales.telling - gone,
    )


def _is_enough(words: frozenset[str]) -> bool:
    """Tell whether words are enough to be asked by themselves; "¿cuánto dan?" asks with the rest of its question."""
    return sum(word.isalpha() for word in words) >= _TELLING


def scales_of(plan: Plan, query: Query) -> Scales:
    """Return the scales for a question.

    Args:
        plan: of the question.
        query: its words without the names, weighed by rarity.
    """
    light = _LIGHT | frozenset(stems(plan.asked.noun) if plan.asked.is_generic or plan.asked.kind == "name" else ())
    weights = {word: weight * (_LIGHT_WEIGHT if word in light else 1.0) for word, weight in query.weights.items()}
    middling = fsum(query.weights.values()) / len(query.weights) if query.weights else 1.0
    start, end = query.clock.span
    for year in _A_YEAR.finditer(plan.rest):
        # Whatever the clock makes of it: a text that is of no day must say it. A whole day only sets the clock.
        if not (start <= year.start() < end and end - start > len(year.group()) + _OF_A_DAY):
            weights.setdefault(year.group(), middling)
    weighed = replace(query, weights=weights)
    clause = held_words(weighed, plan.rest[plan.asked.start : plan.asked.end])
    telling = frozenset(weights) - light
    if not _is_enough(clause & telling):
        clause = frozenset(weights)
    is_titled = bool(_TITLED.search(plan.rest[: query.clock.span[0]]))
    return Scales(plan, weighed, clause, frozenset(_proper(weighed, plan.rest)), is_titled, bool(plan.anchors), telling)


def _proper(query: Query, question: str) -> Iterator[str]:
    """Yield the search tokens of words that name something."""
    for match in _NAMING.finditer(question):
        yield from held_words(query, match.group())
