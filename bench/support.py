"""Support: whether what a claim says stands in the words that it cites."""

from __future__ import annotations

from bench.attempt import Statement
from forest.analyzer import stems
from forest.values import find_values, holds_value, parse_value, same_value


def is_supported(claim: Statement, question: str) -> bool:
    """Tell whether the words that a claim cites hold what it claims.

    Of a short value, the value; of a sentence, every value in it that is not the question's. What has no value is
    supported when each of its words stands, by its stem, in the words cited or in the question.

    Args:
        claim: of an answer. One that cites nothing is not supported.
        question: to which it is the answer.
    """
    cited = [citation.quote for citation in claim.citations]
    if not cited:
        return False
    said = claim.value or claim.text
    short = parse_value(said) if claim.value else None
    asked = [found.value for found in find_values(question)]
    found = [short] if short else [one.value for one in find_values(said)]
    values = [value for value in found if value is short or not any(same_value(value, other) for other in asked)]
    if values:
        return all(any(holds_value(quote, value) for quote in cited) for value in values)
    known = set(stems(" ".join([*cited, question])))
    return all(stem in known for stem in stems(said))
