"""Controls: copies of a forest in which something was taken away that an arm ought to need.

Each control is a forest in a repository of its own, made from a committed one; the forest itself is only read. The
bench runs the same arms and questions on it, and a score that stays where it ought to fall measures nothing. What each
control is expected to do stands beside it and is printed with its figures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.question import Question
from forest.commit import Batch, create_repository
from forest.config import CONFIG_NAME
from forest.edge import Edge
from forest.errors import WrongUsage
from forest.history import ObjectReader, Snapshot, list_tree
from forest.node import Node, load_node
from forest.passport import render_node
from forest.store import is_node_path, read_config
from forest.text import one_line


@dataclass(frozen=True, slots=True)
class Source:
    """A committed forest as loaded: its configuration's bytes, its nodes in path order, its passage budget."""

    config: bytes
    nodes: tuple[Node, ...]
    passage_budget_tokens: int


@dataclass(frozen=True, slots=True)
class Control:
    """A way of taking something away.

    Attributes:
        name: on the command line and in reports.
        expectation: what ought to happen to the figures.
        metrics: the figures that say it.
        change: gives the texts of the nodes by path.
        takes_evidence: whether the gold itself goes, so that nothing can be right but an abstention.
    """

    name: str
    expectation: str
    metrics: tuple[str, ...]
    change: Callable[[Source, Sequence[Question], int], dict[str, str]]
    takes_evidence: bool = False


def load_source(snapshot: Snapshot) -> Source:
    """Read all nodes of a committed forest; files that are no nodes are left out."""
    with ObjectReader(snapshot.folder) as objects:
        budget = read_config(snapshot, objects).passage_budget_tokens
        entries = [e for e in list_tree(snapshot) if e.plain and (is_node_path(e.path) or e.path == CONFIG_NAME)]
        data = {entry.path: objects.read(entry.blob) or b"" for entry in entries}
    nodes = (load_node(data[path], path)[0] for path in sorted(data) if path != CONFIG_NAME)
    return Source(data[CONFIG_NAME], tuple(node for node in nodes if node is not None), budget)


def make_control(name: str, snapshot: Snapshot, folder: Path, questions: Sequence[Question], seed: int) -> None:
    """Make a control's forest and commit it; equal arguments give equal trees.

    Args:
        name: of the control.
        snapshot: the forest it is made from.
        folder: of the new repository; made when missing, and must be empty.
        questions: whose evidence `gold_removed` takes out.
        seed: of what is shuffled.

    Raises:
        WrongUsage: there is no such control, or the folder holds something.
    """
    if name not in CONTROLS:
        raise WrongUsage(f"There is no control {name!r}.", f"Controls are {', '.join(CONTROLS)}.")
    if folder.exists() and any(folder.iterdir()):
        raise WrongUsage(f"{folder} is not empty.", "A control is made in a folder of its own.")
    source = load_source(snapshot)
    create_repository(folder)
    with Batch(folder) as batch:
        batch.put(CONFIG_NAME, source.config)
        for path, text in CONTROLS[name].change(source, questions, seed).items():
            batch.put(path, text.encode())
        batch.commit(f"Control {name}")


def _gold_removed(source: Source, questions: Sequence[Question], _: int) -> dict[str, str]:
    """Take out of the bodies every passage that holds a gold span, and every edge whose basis goes with it."""
    spans: dict[str, set[str]] = {}
    for place in (place for question in questions for gold in question.gold for place in gold.places):
        spans.setdefault(place.node, set()).add(one_line(place.span))
    return {
        node.path: _without_passages(node, spans.get(node.id, set()), source.passage_budget_tokens)
        for node in source.nodes
    }


def _without_passages(node: Node, spans: Iterable[str], budget_tokens: int) -> str:
    texts = node.passage_texts(budget_tokens)
    kept = [text for text in texts if not any(span in one_line(text) for span in spans)]
    body = "\n\n".join(kept)
    rest, before = one_line(body), one_line(node.body)
    # A basis that never stood in the body did not go with it.
    edges = tuple(e for e in node.passport.edges if one_line(e.basis) in rest or one_line(e.basis) not in before)
    return render_node(replace(node.passport, edges=edges), body)


def _doors_shuffled(source: Source, _: Sequence[Question], seed: int) -> dict[str, str]:
    """Give every edge the target of another edge of its kind; sources, kinds, scents and bases stay."""
    by_kind: dict[str, list[tuple[int, int]]] = {}
    for at, node in enumerate(source.nodes):
        for number, edge in enumerate(node.passport.edges):
            by_kind.setdefault(edge.kind, []).append((at, number))
    edges = {(at, n): edge for at, node in enumerate(source.nodes) for n, edge in enumerate(node.passport.edges)}
    moved: dict[tuple[int, int], Edge] = {}
    for kind in sorted(by_kind):
        places = by_kind[kind]
        random.Random(f"{seed} {kind}").shuffle(places)  # noqa: S311 - not for secrets
        # Each takes the target of the next in a shuffled ring: none keeps its own place.
        for place, following in zip(places, places[1:] + places[:1], strict=True):
            moved[place] = replace(edges[place], to=edges[following].to)
    return {
        node.path: render_node(
            replace(node.passport, edges=tuple(moved[at, n] for n in range(len(node.passport.edges)))), node.body
        )
        for at, node in enumerate(source.nodes)
    }


def _scents_blanked(source: Source, _: Sequence[Question], __: int) -> dict[str, str]:
    """Blank every scent: the nodes' own, the edges', and the overrides."""
    return {
        node.path: render_node(
            replace(
                node.passport,
                scent="",
                scents={},
                edges=tuple(replace(edge, scent="") for edge in node.passport.edges),
            ),
            node.body,
        )
        for node in source.nodes
    }


def _bodies_only(source: Source, _: Sequence[Question], __: int) -> dict[str, str]:
    """Blank what curation wrote for search: summaries, scents, tags and aliases. Titles, bodies and edges stay."""
    return {
        node.path: render_node(replace(node.passport, summary="", scent="", tags=(), aliases=()), node.body)
        for node in source.nodes
    }


CONTROLS: dict[str, Control] = {
    control.name: control
    for control in (
        Control(
            "gold_removed",
            "The evidence is gone: every arm must abstain. bm25 and grep answer with whatever is nearest and will not, "
            "which shows what this control catches. An answer that is still right was guessed, or the questions do not "
            "name all the evidence there is.",
            ("abstained", "answer_correct"),
            _gold_removed,
            takes_evidence=True,
        ),
        Control(
            "doors_shuffled",
            "Doors lead to wrong nodes of the right kind: an arm that walks must lose its multi-hop answers, arms "
            "that use no doors must stay as they are.",
            ("right_and_cited", "answer_correct"),
            _doors_shuffled,
        ),
        Control(
            "scents_blanked",
            "No line says what lies behind a door: an arm that chooses doors by scent must lose answers; bm25 must "
            "stay as it is.",
            ("right_and_cited", "answer_correct"),
            _scents_blanked,
        ),
        Control(
            "bodies_only",
            "Search sees titles and bodies alone: whoever enters by summaries, tags and other names must find less; "
            "bm25, which never sees them, must stay as it is.",
            ("evidence_recall@6", "answer_correct"),
            _bodies_only,
        ),
    )
}
