"""Every problem of a forest in one run, among them those that need more than one node to see.

The loader finds what is wrong with one file's bytes, YAML and dates; `forest.lint_node` judges a node against its own
body; here come the rules about nodes together and about names. Nodes are judged as they stream by and only a brief of
each is kept, so that a run needs memory for the edges and not for the texts. Graph questions go to `forest.graph`;
nothing here prints or decides an exit status.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from forest.config import Config
from forest.edge import EdgeKind, EdgeKinds
from forest.finding import Finding
from forest.graph import cycles, reachable
from forest.ids import is_version, nearest, problem_of_name, work_of
from forest.lint_node import judge_node
from forest.node import Node
from forest.passport import Period
from forest.store import INDEX_NAME, Loaded, is_node_path, parent_path

# Edges whose source cannot have been published before its target.
_LOOKING_BACK = frozenset({"supersedes", "repeals", "corrects"})

# Similar ids are sought for so many unknown ones; beyond that the forest has another problem than typing errors.
_SIMILAR_SOUGHT = 100


class _Link(NamedTuple):
    kind: str
    to: str
    line: int


@dataclass(frozen=True, slots=True)
class _Brief:
    """What later rules need of a node that has streamed by."""

    id: str
    path: str
    id_line: int
    kind: str
    published: date | None
    span: tuple[date, date] | None
    span_line: int
    links: tuple[_Link, ...]
    scents: tuple[tuple[str, int], ...]

    def finding(self, line: int, rule: str, message: str, hint: str) -> Finding:
        return Finding(self.path, line, rule, message, hint, self.id)


def lint(loaded: Iterable[Loaded], config: Config) -> tuple[Finding, ...]:
    """Return every problem of a forest.

    Args:
        loaded: every file of the forest, each once, in any order; consumed as a stream.
        config: the forest's settings: the summaries' budget and the edge kinds.

    Returns:
        The findings of the loader and of the rules here, sorted by path, line and rule; empty for a clean forest.
        The same files give the same findings whatever their order.
    """
    findings: list[Finding] = []
    paths: set[str] = set()
    briefs: list[_Brief] = []
    for file in loaded:
        findings += file.findings
        paths.add(file.path)
        if file.node is not None:
            findings += judge_node(file.node, config)
            briefs.append(_brief(file.node))
    briefs.sort(key=lambda brief: brief.path)
    by_id: dict[str, _Brief] = {}
    for brief in briefs:
        by_id.setdefault(brief.id, brief)
    findings += _names(paths)
    findings += _folders(paths)
    findings += _duplicates(briefs, by_id)
    findings += _edges(briefs, by_id, config.edge_kinds)
    findings += _cycles(by_id, config.edge_kinds)
    findings += _versions(by_id)
    findings += _overrides(briefs, by_id)
    findings += _unreachable(paths, briefs, by_id)
    return tuple(sorted(findings))


def _brief(node: Node) -> _Brief:
    passport = node.passport
    return _Brief(
        id=passport.id,
        path=node.path,
        id_line=passport.lines.get("id", 1),
        kind=passport.kind,
        published=passport.published,
        span=_span(passport.in_force),
        span_line=passport.lines.get("in_force", 1),
        links=tuple(_Link(edge.kind, edge.to, edge.line) for edge in passport.edges),
        scents=tuple((key, passport.lines.get(f"scents.{key}", 1)) for key in passport.scents),
    )


# --- names and folders ----------------------------------------------------------------------------------------------


def _names(paths: Iterable[str]) -> Iterator[Finding]:
    """Judge every name once, folders at the path of the folder."""
    seen: dict[str, str] = {}
    for path in sorted({place for file in paths for place in (file, *_folders_of(file))}):
        folder, _, name = path.rpartition("/")
        problem = problem_of_name(name)
        if problem:
            yield Finding(path, 0, "name-not-portable", f"The name {name!r} {problem}.", "Rename it with `git mv`.")
        # Only the last name is folded: when two folders collide, what is inside them is not told again.
        alike = f"{folder}/{unicodedata.normalize('NFC', unicodedata.normalize('NFC', name).casefold())}"
        first = seen.setdefault(alike, path)
        if first != path:
            yield Finding(
                path,
                0,
                "names-collide",
                f"{path} and {first} are one name on macOS and Windows.",
                "Rename one of them with `git mv`.",
            )


def _folders_of(path: str) -> Iterator[str]:
    """Yield the folders a path lies in, nearest first; none for a file at the root."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _folders(paths: set[str]) -> Iterator[Finding]:
    if INDEX_NAME not in paths:
        yield Finding(
            INDEX_NAME, 0, "root-missing", "The forest has no root node.", f"Add {INDEX_NAME} beside forest.yaml."
        )
    for folder in sorted({folder for path in paths if is_node_path(path) for folder in _folders_of(path)}):
        index = f"{folder}/{INDEX_NAME}"
        if index not in paths:
            yield Finding(
                index,
                0,
                "index-missing",
                f"The folder {folder} has no node of its own, so its nodes have no parent.",
                f"Add {index}.",
            )


def _unreachable(paths: set[str], briefs: list[_Brief], by_id: Mapping[str, _Brief]) -> Iterator[Finding]:
    if INDEX_NAME not in paths:  # told by root-missing; every node would be unreachable
        return
    # Paths rather than ids are the vertices: an index.md whose passport cannot be read still joins its folder to the
    # rest, so that one bad file does not make a hundred good ones unreachable.
    doors = [(path, parent) for path in paths if (parent := parent_path(path)) in paths]
    doors += [(brief.path, by_id[link.to].path) for brief in briefs for link in brief.links if link.to in by_id]
    reached = reachable(INDEX_NAME, doors)
    for brief in briefs:
        if brief.path not in reached:
            yield brief.finding(
                brief.id_line,
                "unreachable",
                f"No walk from the root reaches {brief.id}.",
                "Give its folder an index.md, or join it to another node by an edge.",
            )


# --- nodes together -------------------------------------------------------------------------------------------------


def _duplicates(briefs: Iterable[_Brief], by_id: Mapping[str, _Brief]) -> Iterator[Finding]:
    for brief in briefs:
        first = by_id[brief.id]
        if first.path != brief.path:
            yield brief.finding(
                brief.id_line,
                "id-duplicate",
                f"{brief.path} and {first.path} have the id {brief.id}.",
                "Give one of them another id.",
            )


def _edges(briefs: Iterable[_Brief], by_id: Mapping[str, _Brief], kinds: EdgeKinds) -> Iterator[Finding]:
    table = {kind.name: kind for kind in kinds}
    inverses = {kind.inverse: kind.name for kind in kinds}
    # A work of which only versions exist is told once, by version-without-work, and not by every edge to it.
    works = {work_of(node_id) for node_id in by_id if is_version(node_id)}
    targets = _TargetHints(by_id)
    for brief in briefs:
        for link in brief.links:
            kind = table.get(link.kind)
            target = by_id.get(link.to)
            if kind is None:
                yield brief.finding(
                    link.line,
                    "edge-kind-unknown",
                    f"No edge kind is called {link.kind!r}.",
                    _kind_hint(link.kind, tuple(table), inverses),
                )
            if target is None:
                if link.to not in works:
                    yield brief.finding(
                        link.line,
                        "edge-target-unknown",
                        f"The {link.kind} edge leads to {link.to}, which no node is.",
                        targets.hint(link.to),
                    )
                continue
            if kind is not None and brief.kind and target.kind and not kind.may_join(brief.kind, target.kind):
                yield brief.finding(
                    link.line,
                    "edge-kind-forbidden",
                    f"{kind.name} may not go from kind {brief.kind} to kind {target.kind} ({target.id}).",
                    f"It goes from {_any(kind.sources)} to {_any(kind.targets)}.",
                )
            if (
                link.kind in _LOOKING_BACK
                and brief.published
                and target.published
                and brief.published < target.published
            ):
                yield brief.finding(
                    link.line,
                    "dates-contradict",
                    f"Published on {brief.published}, it {link.kind} {target.id}, published on {target.published}.",
                    "Correct a date, or turn the edge round.",
                )


def _any(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(kinds)) or "any kind"


def _kind_hint(name: str, known: tuple[str, ...], inverses: Mapping[str, str]) -> str:
    if name in inverses:
        return f"It is derived: state `{inverses[name]}` on the other node."
    similar = nearest(name, known)
    return f"Did you mean {similar[0]}?" if similar else f"Use one of: {', '.join(known)}."


class _TargetHints:
    """Says what an unknown id may have meant; searches the ids once for each, and not for ever more of them."""

    def __init__(self, by_id: Mapping[str, _Brief]) -> None:
        self.ids = sorted(by_id)
        self.told: dict[str, str] = {}

    def hint(self, wanted: str) -> str:
        if wanted not in self.told:
            self.told[wanted] = self._hint(wanted)
        return self.told[wanted]

    def _hint(self, wanted: str) -> str:
        if is_version(wanted):
            versions = [node_id for node_id in self.ids if node_id.startswith(f"{work_of(wanted)}@")]
            if versions:
                return f"Versions of {work_of(wanted)}: {', '.join(versions)}."
        similar = nearest(wanted, self.ids) if len(self.told) < _SIMILAR_SOUGHT else ()
        return f"Did you mean {similar[0]}?" if similar else "Add that node, or drop the edge."


def _cycles(by_id: Mapping[str, _Brief], kinds: Iterable[EdgeKind]) -> Iterator[Finding]:
    for kind in kinds:
        if not kind.acyclic:
            continue
        links = (
            (brief.id, link.to)
            for brief in by_id.values()
            for link in brief.links
            if link.kind == kind.name and link.to in by_id
        )
        for cycle in cycles(links):
            first = by_id[cycle[0]]
            line = next(link.line for link in first.links if link.kind == kind.name and link.to == cycle[1])
            yield first.finding(
                line,
                "cycle",
                f"{kind.name} goes in a circle: {' -> '.join((*cycle, cycle[0]))}.",
                "Drop or turn round the edge that is wrong.",
            )


def _versions(by_id: Mapping[str, _Brief]) -> Iterator[Finding]:
    works: dict[str, list[_Brief]] = defaultdict(list)
    for node_id in sorted(by_id):
        if is_version(node_id):
            works[work_of(node_id)].append(by_id[node_id])
    for work, versions in works.items():
        if work not in by_id:
            yield versions[0].finding(
                versions[0].id_line,
                "version-without-work",
                f"No node is {work}, of which there are versions: {', '.join(v.id for v in versions)}.",
                f"Add a node with `id: {work}`, usually the index.md of the versions' folder.",
            )
        yield from _overlaps(versions)


def _overlaps(versions: Iterable[_Brief]) -> Iterator[Finding]:
    """Compare each version with the one before it that lasts longest; what is unknown contradicts nothing."""
    dated = sorted(
        ((version.span, version) for version in versions if version.span),
        key=lambda entry: (entry[0], entry[1].id),
    )
    lasting, last_end = "", date.min
    for (start, end), version in dated:
        if start < last_end:
            yield version.finding(
                version.span_line,
                "versions-overlap",
                f"{version.id} begins on {start}, when {lasting} is still in force.",
                f"End {lasting} on {start} or correct the dates: periods are half-open.",
            )
        if end > last_end:
            lasting, last_end = version.id, end


def _span(period: Period | None) -> tuple[date, date] | None:
    """Return the days on which a text certainly was in force, half-open; None when not even the first is known."""
    if period is None or period.start is None:
        return None
    if period.open_ended:
        return period.start, date.max
    # Of a text whose end is unknown the first day alone is certain.
    return period.start, period.end or min(period.start, date.max - timedelta(1)) + timedelta(1)


def _overrides(briefs: Iterable[_Brief], by_id: Mapping[str, _Brief]) -> Iterator[Finding]:
    for brief in briefs:
        for key, line in brief.scents:
            other = by_id.get(key)
            if other is None or not (_is_near(brief, other) or _is_near(other, brief)):
                yield brief.finding(
                    line,
                    "scents-not-neighbour",
                    f"There is a scent for {key}, to which no door leads from here.",
                    "Name a parent, a child or a node at the other end of an edge, or drop the line.",
                )


def _is_near(source: _Brief, target: _Brief) -> bool:
    """Tell whether a door that `source` itself states or stands in leads to `target`, or to its work."""
    if parent_path(source.path) == target.path:
        return True
    return any(link.to in (target.id, work_of(target.id)) for link in source.links)
