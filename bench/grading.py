"""Is a typed answer right? The grader of `answer_correct`: compares by value, and never by substring.

Owns the rules of `grade`. What equals what is `forest.values`; what an answer claims is `bench.claims`; expected
answers are `bench.question`. Whether the cited passages support an answer is for other metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bench.affirming import bound_asked
from bench.claims import Claim, ClaimReader, Said, is_candidate, occurrences, parse_form
from bench.question import Answer
from forest.legal_numbers import fold, split_words
from forest.values import Value, same_value
from forest.values_names import without_articles
from forest.values_units import names_unit

__all__ = ["Grade", "Said", "grade"]

_ASKS_PER_CENT = ("porcentaje", "por ciento", "tasa", "proporcion")
# What may stand around a name in a short answer without making it another name.
_FILLERS = frozenset(
    "o u y e es son fue hoy la el los las lo de antes actual actualmente llamada llamado es por".split()
)


@dataclass(frozen=True, slots=True)
class Grade:
    """What an answer is worth.

    Attributes:
        correct: whether it is right as a whole.
        share: of the items of a list that are there, from 0 to 1; of anything else 1 or 0.
        trapped: the traps that it claims, as the question's record writes them.
        why: one clause in English.
    """

    correct: bool
    share: float
    trapped: tuple[str, ...]
    why: str


def grade(expected: Answer, said: Said, question: str = "") -> Grade:
    """Return whether an answer is the expected one.

    Args:
        expected: from the question's record.
        said: the answer.
        question: its words: values that stand in it are not taken for answers, and units that it names need not be
            repeated.

    Returns:
        A grade by these rules.

        1. *By value.* "trescientos quince pesos 04/100 M.N." is 315.04 pesos; 1,315.04 pesos, 315.04 dollars, and 12
           months for 12 days are not. Nothing is rounded, no unit converted (`forest.values.same_value`). Names and
           `text` are compared as whole words, accents, case and articles aside; a name that goes on with capitals
           ("Secretaría de Economía Digital") is another.
        2. *Short values first.* When `said.values` is given, these are the claims, and `said.text` is only read for
           words that take them back. When it is empty, the claims are the values of the asked type in the text, without
           those that stand in the question. Of names and `text`, only accepted forms and traps are seen in sentences.
        3. *One claim.* Claims that differ, one right and one of the same type that is not, are no answer: nobody was
           told which. So a sentence with several values answers only if a short value picks one. The same figures with
           another unit compete too, the year of the right day does not. `text` is free words: only its traps compete.
        4. *Taken back.* A value that is denied ("no son 12 días") or said to be past ("antes eran 6 días", unless the
           question asks about the past) is not claimed. Neither is a rough one ("cerca de 300 pesos") or, in a
           sentence, an end of a range ("entre 10 y 20 días").
        5. *Bounds.* "No menos de 12 días", "hasta 12 días" and "al menos" claim 12 days, unless the question asks for
           the other end (the most, and a lower bound is given).
        6. *Bare numbers.* A number without unit stands for pesos, for a percentage if the question asks for one, and
           for a unit that the question names. An expected bare number is matched by what is counted too ("500
           diputados").
        7. *Articles.* "artículo 76" stands for "artículo 76 de la LFT" if the question names that law.
        8. *Lists.* `share` counts the items that are claimed; right only with all of them (one, when not `complete`),
           no trap, and no other value of the items' types.
        9. *None.* Right when it abstains or says nothing at all. Anything else is wrong when it abstains.

        Traps that are claimed make any answer wrong and are reported.
    """
    silent = said.abstained or not (said.values or said.text.strip())
    if expected.type == "none":
        return Grade(silent, float(silent), (), "abstained" if silent else "answered what has no answer")
    if silent:
        return Grade(False, 0.0, (), "abstained")
    judge = _Judge(said, question)
    return _grade_list(expected, judge) if expected.type == "list" else _grade_one(expected, judge)


def _grade_one(expected: Answer, judge: _Judge) -> Grade:
    claims = judge.claims(expected, expected.traps)
    trapped = tuple(t for t in expected.traps if any(judge.matches(expected.type, t, claim) for claim in claims))
    right = [claim for claim in claims if judge.is_right(expected, claim)]
    others = [claim for claim in claims if claim not in right and judge.competes(expected, claim)]
    asked = bound_asked(judge.question)
    if not claims:
        return Grade(False, 0.0, (), f"claims no {expected.type}")
    if trapped:
        return Grade(False, 0.0, trapped, "claims a trap")
    if not right:
        return Grade(False, 0.0, (), f"claims {_quoted(claims)}")
    if others:
        return Grade(False, 0.0, (), f"claims {_quoted(others)} as well")
    if asked and all(claim.bound not in ("", asked) for claim in right):
        return Grade(False, 0.0, (), f"gives a {right[0].bound} bound where the {asked} one is asked for")
    return Grade(True, 1.0, (), f"claims {_quoted(right)}")


def _grade_list(expected: Answer, judge: _Judge) -> Grade:
    claims: list[Claim] = []
    for item in expected.items:
        claims += [claim for claim in judge.claims(item, expected.traps) if claim not in claims]
    found = [any(judge.is_right(item, claim) for claim in claims) for item in expected.items]
    traps = (*expected.traps, *(trap for item in expected.items for trap in item.traps))
    kinds = {item.type for item in expected.items}
    trapped = tuple(t for t in dict.fromkeys(traps) if any(judge.matches(k, t, c) for k in kinds for c in claims))
    extra = [
        claim
        for claim in claims
        if not any(judge.is_right(item, claim) for item in expected.items)
        and any(judge.competes(item, claim) for item in expected.items)
    ]
    share = sum(found) / len(found) if found else 0.0
    enough = all(found) if expected.complete else any(found)
    if trapped:
        return Grade(False, share, trapped, "claims a trap")
    if extra:
        return Grade(False, share, (), f"claims {_quoted(extra)} as well")
    return Grade(enough and bool(found), share, (), f"has {sum(found)} of {len(found)} items")


def _quoted(claims: list[Claim]) -> str:
    return ", ".join(f"“{claim.text}”" for claim in claims[:4])


class _Judge:
    """Compares the claims of one answer to one question with what is expected."""

    def __init__(self, said: Said, question: str) -> None:
        self.question = question
        self._question_words = split_words(question)
        self._reader = ClaimReader(said, question)

    def claims(self, expected: Answer, traps: tuple[str, ...]) -> list[Claim]:
        """Return what the answer claims, of the type that is expected."""
        return self._reader.claims(expected, traps)

    def is_right(self, expected: Answer, claim: Claim) -> bool:
        """Tell whether a claim is one of the accepted forms."""
        return any(self.matches(expected.type, form, claim) for form in expected.forms)

    def matches(self, kind: str, form: str, claim: Claim) -> bool:
        """Tell whether a claim says what a form of an answer of some type says."""
        if kind in ("name", "text"):
            return _same_words(form, claim.text, whole=kind == "name")
        value = parse_form(form, kind)
        if value is None:
            return fold(form) == fold(claim.text)
        said = (
            claim.value if claim.value is not None and claim.value.kind == value.kind else parse_form(claim.text, kind)
        )
        said = said or claim.value
        if said is None:
            return False
        return same_value(value, said) or self._stands_for(value, said)

    def _stands_for(self, value: Value, said: Value) -> bool:
        """Tell whether what is said, less than the whole value, is enough beside the question's words."""
        if value.kind == "identifier" and said.kind == "identifier":
            rest = value.text.removeprefix(f"{said.text} ")
            return rest != value.text and f" {rest} " in f" {without_articles(self.question)} "
        if value.amount is None or said.amount is None or Fraction(value.amount) != Fraction(said.amount):
            return False
        if value.kind == "number":
            return said.kind == "quantity"
        if said.kind != "number":
            return False
        if value.kind == "percentage":
            return any(word in fold(self.question) for word in _ASKS_PER_CENT)
        return value.unit == "MXN" or (bool(value.unit) and names_unit(self._question_words, value.unit))

    def competes(self, expected: Answer, claim: Claim) -> bool:
        """Tell whether a claim that is not right could be taken for the answer, so that nobody is told which it is."""
        if expected.type in ("name", "text"):
            return expected.type == "name" and (claim.value is None or claim.value.kind == "identifier")
        if claim.value is None or any(same_value(claim.value, asked) for asked in self._reader.asked):
            return False
        known = [value for form in expected.forms if (value := parse_form(form, expected.type)) is not None]
        if claim.value.kind == "date" and any(_is_part_of(claim.value, value) for value in known):
            return False
        same_kind = claim.value.kind == expected.type != "identifier"
        return same_kind or is_candidate(claim.value, expected.type, known)


def _is_part_of(date: Value, whole: Value) -> bool:
    """Tell whether a partial date is the year or the month of another: "2026" beside the first of January of 2026."""
    if date.day is None or whole.day is None:
        return False
    return all(said in (None, full) for said, full in zip(date.day, whole.day, strict=True))


def _same_words(form: str, text: str, *, whole: bool) -> bool:
    """Tell whether `text` says `form`; as a `whole` name with nothing that makes it another name."""
    if without_articles(form) == without_articles(text):
        return True
    places = list(occurrences(text, form))
    if not whole or not places:
        return bool(places)
    start, end = places[0]
    around = f"{text[:start]} {text[end:]}"
    apposition = text[end:].lstrip()[:1] == "(" or text[:start].rstrip()[-1:] == "("
    return apposition or all(word in _FILLERS for word in fold(around).split())
