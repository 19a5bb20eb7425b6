"""The rules about one node that need its body or the forest's settings, and so not the loader but lint.

Owns: the lines that a walker is shown, words quoted as a basis, dates and edges of one passport against each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from forest.config import Config
from forest.finding import Finding
from forest.ids import is_version
from forest.node import Node
from forest.text import count_tokens, one_line

# Shortcuts are earned by trails; their basis names those, not words of a text.
_EARNED = "shortcut"


def judge_node(node: Node, config: Config) -> Iterator[Finding]:
    """Yield what is wrong with one node that the loader could read, in no particular order."""
    yield from _lines_shown(node, config.summary_budget_tokens)
    yield from _bases(node)
    yield from _own_dates(node)
    yield from _own_edges(node)


def _finding(node: Node, key: str, rule: str, message: str, hint: str) -> Finding:
    return Finding(node.path, node.passport.lines.get(key, 1), rule, message, hint, node.id)


def _lines_shown(node: Node, budget: int) -> Iterator[Finding]:
    passport = node.passport
    if not passport.title:
        yield _finding(node, "title", "title-missing", "The node has no title.", "Add the name a reader would use.")
    if not passport.scent:
        yield _finding(
            node,
            "scent",
            "scent-missing",
            "The node has no scent.",
            "Say in one line what lies behind a door to this node.",
        )
    if not passport.summary:
        yield _finding(
            node, "summary", "summary-missing", "The node has no summary.", f"Say in {budget} tokens what it says."
        )
    # A token has at least one byte, so a short summary needs no count.
    elif len(passport.summary.encode()) > budget and (size := count_tokens(passport.summary)) > budget:
        yield _finding(
            node,
            "summary",
            "summary-over-budget",
            f"The summary has {size} tokens, the limit is {budget}.",
            "Shorten it; walkers are told that it is withheld.",
        )


def _bases(node: Node) -> Iterator[Finding]:
    passport = node.passport
    claims = [
        (edge.line, f"of the {edge.kind} edge to {edge.to}", edge.basis)
        for edge in passport.edges
        if edge.kind != _EARNED
    ]
    for line, what, basis in claims:
        if not basis:
            yield Finding(
                node.path,
                line,
                "edge-basis-missing",
                f"No basis {what}.",
                "Quote the words of this node's body that establish the edge.",
                node.id,
            )
    if passport.in_force is not None:
        claims.append((passport.lines.get("in_force", 1), "of in_force", passport.in_force.basis))
    claims = [claim for claim in claims if claim[2]]
    if not claims:
        return
    # Most quotations stand on one line, where the body need not be normalised to find them.
    claims = [claim for claim in claims if node.text.find(claim[2], node.body_start) < 0]
    body = one_line(node.body) if claims else ""
    for line, what, basis in claims:
        if one_line(basis) not in body:
            yield Finding(
                node.path,
                line,
                "basis-not-in-body",
                f"The basis {what} does not stand in the body.",
                "Quote the body word for word; line breaks do not matter.",
                node.id,
            )


def _own_dates(node: Node) -> Iterator[Finding]:
    passport = node.passport
    published, as_of = passport.published, passport.text_as_of
    if published and as_of and as_of < published:
        yield _finding(
            node,
            "text_as_of",
            "dates-contradict",
            f"The text holds reforms up to {as_of}, before it was published on {published}.",
            "Correct one of the two dates.",
        )
    # A version is published by the reform that made it, and may list the reforms of the work before it.
    early = [day for day in passport.reforms if published and day < published and not is_version(node.id)]
    late = [day for day in passport.reforms if as_of and day > as_of]
    for day, what in [(day, f"before publication on {published}") for day in early] + [
        (day, f"which the text, holding reforms up to {as_of}, cannot have") for day in late
    ]:
        yield _finding(
            node, "reforms", "dates-contradict", f"A reform of {day}, {what}.", "Correct one of the two dates."
        )


def _own_edges(node: Node) -> Iterator[Finding]:
    seen: dict[tuple[str, str], int] = {}
    for edge in node.passport.edges:
        if edge.to == node.id:
            yield Finding(
                node.path,
                edge.line,
                "edge-to-itself",
                f"The {edge.kind} edge leads to its own node.",
                "Drop it, or name the node that is meant.",
                node.id,
            )
        key = (edge.kind, edge.to)
        if key in seen:
            yield Finding(
                node.path,
                edge.line,
                "edge-duplicate",
                f"The {edge.kind} edge to {edge.to} stands on line {seen[key]} already.",
                "Keep one of them.",
                node.id,
            )
        seen.setdefault(key, edge.line)
