"""Passports: the front matter of a node as a checked value, and a value as front matter.

Owns the fields of format version 1 and the rules about one passport alone; rules about several nodes live in
`forest.lint`. The door to python-frontmatter, which finds the fences; the YAML between them is read as plain data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

import yaml
from frontmatter.default_handlers import YAMLHandler

from forest.days import parse_day
from forest.edge import Edge
from forest.finding import Finding
from forest.ids import problem_of_id
from forest.text import one_line
from forest.yaml_data import Entry, YamlProblem, read_yaml

KINDS = ("topic", "entity", "instrument", "provision", "publication")
SECTIONS = ("MAT", "VES", "EXT")
TEXT_STATES = ("as_published", "consolidated")
OPEN = "open"

_KIND = re.compile(r"[a-z][a-z0-9_-]{1,30}")
_KEYS = frozenset(
    (
        "id kind title summary scent tags aliases published section text_state text_as_of in_force "
        "reforms source edges scents"
    ).split()
)
_EDGE_ORDER = ("kind", "to", "scent", "basis")
_EDGE_KEYS = frozenset(_EDGE_ORDER)
_FENCES = YAMLHandler()
_FENCE = re.compile(r"-{3,}\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Period:
    """When a text is in force: half-open, `[start, end)`.

    Attributes:
        start: first day, None when unknown.
        end: first day no longer in force, None when unknown or open.
        open_ended: the passport says `to: open`: in force until something ends it.
        basis: quoted words that say so.
    """

    start: date | None
    end: date | None
    open_ended: bool
    basis: str


@dataclass(frozen=True, slots=True)
class Passport:
    """What a node says of itself. Missing texts are "", missing dates None: unknown, never invented.

    Attributes:
        id: unique in the forest, survives `git mv`.
        kind: topic, entity, instrument, provision, publication, or a kind the forest adds.
        title: the name a reader would use.
        summary: what it says, at most 60 tokens.
        scent: one line: what lies behind a door to here.
        tags: few words to filter by.
        aliases: other names and abbreviations by which texts and questions call it.
        published: when the gazette printed it.
        section: MAT, VES or EXT.
        text_state: as_published, or consolidated with `text_as_of`.
        text_as_of: up to which day a consolidated text holds reforms.
        in_force: the period, None when nothing says it.
        reforms: dates of the gazettes that changed this text.
        source: where the text came from: strings by key (code, file, url, sha256).
        edges: typed links that this node states.
        scents: lines for neighbours whose meaning depends on standing here, by id.
        lines: 1-based line of each key in its file, `scents.ID` for an override; empty when made by code.
    """

    id: str
    kind: str = ""
    title: str = ""
    summary: str = ""
    scent: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    published: date | None = None
    section: str = ""
    text_state: str = ""
    text_as_of: date | None = None
    in_force: Period | None = None
    reforms: tuple[date, ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    scents: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)


def split_front_matter(text: str) -> tuple[str, int] | None:
    """Return (the YAML, offset of the body in `text`), None when `text` does not begin with a fenced block.

    The YAML begins on the line of the opening fence, so its line n is the file's line n.
    """
    fence = _FENCE.match(text)
    if fence is None:
        return None
    try:
        front, body = _FENCES.split(text)
    except ValueError:  # an opening fence that is never closed
        return None
    # The fence's pattern swallows blank lines; give them back, or every line number below would be too low.
    return "\n" * text.count("\n", 0, fence.end()) + front, len(text) - len(body)


def parse_passport(front: str, path: str) -> tuple[Passport, tuple[Finding, ...]]:
    """Read a passport as far as it can be read.

    Args:
        front: the YAML, its first line being line 1 of the file.
        path: the file, for the findings.

    Returns:
        The passport (id "" when there is no usable id) and what is wrong with it, in the order of the file.
    """
    try:
        root = read_yaml(front)
    except YamlProblem as problem:
        return Passport(""), (Finding(path, problem.line, "yaml", f"{problem.message}.", problem.hint),)
    reader = _Reader(root.mapping(), path)
    passport = reader.passport()
    findings = tuple(sorted(Finding(f.path, f.line, f.rule, f.message, f.hint, passport.id) for f in reader.findings))
    return passport, findings


class _Reader:
    """Collects findings while it turns entries into fields; lives for one passport."""

    def __init__(self, entries: Mapping[str, Entry], path: str) -> None:
        self.entries = entries
        self.path = path
        self.findings: list[Finding] = []

    def complain(self, line: int, rule: str, message: str, hint: str) -> None:
        self.findings.append(Finding(self.path, line, rule, message, hint))

    def passport(self) -> Passport:
        for key in self.entries.keys() - _KEYS:
            self.complain(
                self.entries[key].line,
                "key-unknown",
                f"The passport has a key {key!r} that the format does not know.",
                f"Use one of: {', '.join(sorted(_KEYS))}.",
            )
        text_state = self.choice("text_state", TEXT_STATES)
        text_as_of = self.day("text_as_of")
        if text_state == "consolidated" and text_as_of is None and "text_as_of" not in self.entries:
            self.complain(
                self.entries["text_state"].line,
                "date-missing",
                "A consolidated text must say up to which day it holds reforms.",
                "Add `text_as_of: YYYY-MM-DD`.",
            )
        return Passport(
            id=self.id(),
            kind=self.kind(),
            title=self.line("title"),
            summary=one_line(self.scalar("summary")),
            scent=self.line("scent"),
            tags=self.texts("tags"),
            aliases=self.texts("aliases"),
            published=self.day("published"),
            section=self.choice("section", SECTIONS),
            text_state=text_state,
            text_as_of=text_as_of,
            in_force=self.period(),
            reforms=self.days("reforms"),
            source=self.fields("source"),
            edges=self.edges(),
            scents=self.scents(),
            lines=self.lines(),
        )

    def lines(self) -> dict[str, int]:
        lines = {key: entry.line for key, entry in self.entries.items()}
        overrides = self.entries["scents"].mapping() if "scents" in self.entries else {}
        return lines | {f"scents.{key}": entry.line for key, entry in overrides.items()}

    def scalar(self, key: str) -> str:
        entry = self.entries.get(key)
        if entry is None:
            return ""
        if not isinstance(entry.value, str):
            self.complain(entry.line, "yaml", f"{key} must be text.", f"Write `{key}: words` on one line.")
        return entry.scalar()

    def line(self, key: str) -> str:
        text = self.scalar(key).strip()
        if "\n" in text:
            rule = "scent-not-one-line" if key == "scent" else f"{key}-not-one-line"
            self.complain(
                self.entries[key].line,
                rule,
                f"The {key} has {len(text.splitlines())} lines.",
                "Say it in a single line.",
            )
        return one_line(text)

    def id(self) -> str:
        text = self.scalar("id")
        if not text:
            self.complain(
                self.entries["id"].line if "id" in self.entries else 1,
                "id-missing",
                "The node has no id.",
                "Add `id: ` with a name that is unique in the forest.",
            )
            return ""
        problem = problem_of_id(text)
        if problem:
            self.complain(
                self.entries["id"].line,
                "id-malformed",
                f"The id {text!r} {problem}.",
                "Rename it, and the edges to it.",
            )
            return ""
        return text

    def kind(self) -> str:
        text = self.scalar("kind")
        if not _KIND.fullmatch(text):
            line = self.entries["kind"].line if "kind" in self.entries else 1
            what = f"The kind {text!r} is not a lower-case word." if text else "The node has no kind."
            self.complain(line, "kind-missing", what, f"Use one of: {', '.join(KINDS)}.")
            return ""
        return text

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        text = self.scalar(key)
        if text and text not in choices:
            self.complain(
                self.entries[key].line, "value-unknown", f"{key} is {text!r}.", f"Use one of: {', '.join(choices)}."
            )
            return ""
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        entry = self.entries.get(key)
        if entry is None:
            return ()
        if not isinstance(entry.value, tuple) or any(not isinstance(e.value, str) for e in entry.value):
            self.complain(entry.line, "yaml", f"{key} must be a list of texts.", f"Write `{key}: [one, two]`.")
        return tuple(one_line(e.scalar()) for e in entry.sequence() if e.scalar().strip())

    def fields(self, key: str) -> dict[str, str]:
        entry = self.entries.get(key)
        if entry is None:
            return {}
        if not isinstance(entry.value, Mapping) or any(not isinstance(e.value, str) for e in entry.value.values()):
            self.complain(entry.line, "yaml", f"{key} must be `name: text` pairs.", f"Write `{key}: {{name: text}}`.")
        return {name: one_line(e.scalar()) for name, e in entry.mapping().items()}

    def day(self, key: str) -> date | None:
        entry = self.entries.get(key)
        return self.day_of(key, entry) if entry is not None else None

    def day_of(self, key: str, entry: Entry) -> date | None:
        day = parse_day(entry.scalar())
        if day is None:
            self.complain(
                entry.line,
                "date-impossible",
                f"{key} is {entry.scalar()!r}, which is not a day of the calendar.",
                "Write it as YYYY-MM-DD, or leave the key out when the day is unknown.",
            )
        return day

    def days(self, key: str) -> tuple[date, ...]:
        entry = self.entries.get(key)
        if entry is None:
            return ()
        if not isinstance(entry.value, tuple):
            self.complain(entry.line, "yaml", f"{key} must be a list of days.", f"Write `{key}: [YYYY-MM-DD]`.")
        return tuple(day for e in entry.sequence() if (day := self.day_of(key, e)) is not None)

    def period(self) -> Period | None:
        entry = self.entries.get("in_force")
        if entry is None:
            return None
        fields = entry.mapping()
        unknown = sorted(fields.keys() - {"from", "to", "basis"})
        if unknown or not fields:
            self.complain(
                entry.line,
                "key-unknown",
                f"in_force has {unknown[0]!r}." if unknown else "in_force says nothing.",
                'Write `in_force: {from: YYYY-MM-DD, to: open, basis: "words"}`.',
            )
        start = self.day_of("in_force.from", fields["from"]) if "from" in fields else None
        open_ended = "to" in fields and fields["to"].scalar() == OPEN
        end = self.day_of("in_force.to", fields["to"]) if "to" in fields and not open_ended else None
        if start is not None and end is not None and end <= start:
            self.complain(
                entry.line,
                "dates-contradict",
                f"in_force ends on {end}, not after it begins on {start}.",
                "The period is half-open: `to` is the first day on which it no longer holds.",
            )
        basis = one_line(fields["basis"].scalar()) if "basis" in fields else ""
        if not basis:
            self.complain(
                entry.line, "in-force-basis", "in_force has no basis.", "Quote the words that say from when it holds."
            )
        return Period(start, end, open_ended, basis)

    def edges(self) -> tuple[Edge, ...]:
        entry = self.entries.get("edges")
        if entry is None:
            return ()
        if not isinstance(entry.value, tuple):
            self.complain(entry.line, "yaml", "edges must be a list.", "Begin each edge with `- kind: ...`.")
        return tuple(edge for item in entry.sequence() if (edge := self.edge(item)) is not None)

    def edge(self, item: Entry) -> Edge | None:
        fields = item.mapping()
        texts = {key: one_line(e.scalar()) for key, e in fields.items()}
        for key in sorted(fields.keys() - _EDGE_KEYS):
            self.complain(
                fields[key].line, "key-unknown", f"An edge has a key {key!r}.", f"Use {', '.join(sorted(_EDGE_KEYS))}."
            )
        missing = [key for key in ("kind", "to") if not texts.get(key)]
        if missing:
            self.complain(
                item.line, "edge-incomplete", f"An edge has no {' and no '.join(missing)}.", "Add it or drop the edge."
            )
            return None
        if not texts.get("scent"):
            self.complain(
                item.line,
                "scent-missing",
                f"The edge to {texts['to']} has no scent.",
                "Say in one line what lies behind this door.",
            )
        elif "\n" in fields["scent"].scalar().strip():
            self.complain(
                fields["scent"].line,
                "scent-not-one-line",
                f"The scent of the edge to {texts['to']} has more than one line.",
                "Say it in a single line.",
            )
        return Edge(texts["kind"], texts["to"], texts.get("scent", ""), texts.get("basis", ""), item.line)

    def scents(self) -> dict[str, str]:
        for key, item in (self.entries["scents"].mapping() if "scents" in self.entries else {}).items():
            if "\n" in item.scalar().strip() or not item.scalar().strip():
                self.complain(
                    item.line, "scent-not-one-line", f"The scent for {key} is not one line.", "Say it in a single line."
                )
        return self.fields("scents")


def render_node(passport: Passport, body: str) -> str:
    """Return the canonical text of a node: fenced passport in a fixed key order, blank line, body, final LF.

    The same passport and body always give the same text, and `parse_passport` reads the same passport back.
    """
    fields: list[tuple[yaml.Node, yaml.Node]] = []

    def put(key: str, value: yaml.Node | None) -> None:
        if value is not None:
            fields.append((_scalar(key), value))

    put("id", _scalar(passport.id))
    put("kind", _scalar(passport.kind))
    for key in ("title", "summary", "scent"):
        put(key, _optional(getattr(passport, key)))
    put("tags", _flow(passport.tags))
    put("aliases", _flow(passport.aliases))
    put("published", _optional(_iso(passport.published)))
    put("section", _optional(passport.section))
    put("text_state", _optional(passport.text_state))
    put("text_as_of", _optional(_iso(passport.text_as_of)))
    put("in_force", _period(passport.in_force))
    put("reforms", _flow(tuple(day.isoformat() for day in passport.reforms)))
    put("source", _pairs(passport.source, flow=True))
    put("edges", _edges(passport.edges))
    put("scents", _pairs(passport.scents, flow=False))
    front = _serialized(yaml.MappingNode(_MAP, fields, flow_style=False))
    return f"---\n{front}---\n\n{body.strip()}\n" if body.strip() else f"---\n{front}---\n"


def render_edge(edge: Edge, *, flow: bool) -> str:
    """Return the canonical text of one edge: a list with one item, or, in flow style, a mapping on one line."""
    node = _edge(edge, flow=flow)
    return _serialized(node if flow else yaml.SequenceNode(_SEQ, [node], flow_style=False)).removesuffix("\n")


def _serialized(node: yaml.Node) -> str:
    return str(yaml.serialize(node, Dumper=_Dumper, allow_unicode=True, width=1 << 20, line_break="\n"))


_Dumper = getattr(yaml, "CBaseDumper", yaml.BaseDumper)
_STR, _SEQ, _MAP = "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"


def _scalar(text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode(_STR, one_line(text))


def _optional(text: str) -> yaml.ScalarNode | None:
    return _scalar(text) if text else None


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _flow(texts: tuple[str, ...]) -> yaml.SequenceNode | None:
    return yaml.SequenceNode(_SEQ, [_scalar(t) for t in texts], flow_style=True) if texts else None


def _pairs(pairs: Mapping[str, str], *, flow: bool) -> yaml.MappingNode | None:
    if not pairs:
        return None
    return yaml.MappingNode(_MAP, [(_scalar(k), _scalar(v)) for k, v in pairs.items()], flow_style=flow)


def _period(period: Period | None) -> yaml.MappingNode | None:
    if period is None:
        return None
    end = OPEN if period.open_ended else _iso(period.end)
    pairs = {"from": _iso(period.start), "to": end, "basis": period.basis}
    return _pairs({k: v for k, v in pairs.items() if v}, flow=True)


def _edges(edges: tuple[Edge, ...]) -> yaml.SequenceNode | None:
    nodes = [_edge(edge, flow=False) for edge in edges]
    return yaml.SequenceNode(_SEQ, nodes, flow_style=False) if nodes else None


def _edge(edge: Edge, *, flow: bool) -> yaml.MappingNode:
    pairs = [(_scalar(key), _scalar(text)) for key in _EDGE_ORDER if (text := getattr(edge, key))]
    return yaml.MappingNode(_MAP, pairs, flow_style=flow)
