"""`forest.yaml`: what a forest says of itself. Never a host, a key or anything that acts.

Budgets are tokens by `forest.text.count_tokens`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from forest.edge import BUILT_IN, EdgeKind, EdgeKinds, edge_kind_from
from forest.errors import NotAForest
from forest.heat_parameters import HeatParameters, heat_parameters
from forest.ids import slug
from forest.text import fold
from forest.versions import FORMAT_VERSION
from forest.yaml_data import Entry, YamlProblem, read_yaml

CONFIG_NAME = "forest.yaml"


@dataclass(frozen=True, slots=True)
class ShortcutSettings:
    """When a way that trails walked becomes a door of its own.

    Attributes:
        min_trails: how many trails of similar questions must have walked it.
        most_per_node: how many may lead from one node.
        cold_after_days: days without a trail after which one is proposed for retirement.
        by_itself: shortcuts are applied (committed as edges) as soon as they are minted, where the files are clean.
    """

    min_trails: int = 2
    most_per_node: int = 5
    cold_after_days: int = 180
    by_itself: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one forest.

    Attributes:
        name: what people call it; its slug names the folder of its derived state.
        language: of its texts, as in `es`.
        format_version: of the node format; this code reads version 1.
        summary_budget_tokens: the most that a passport's summary may have.
        passage_budget_tokens: what a passage is split towards.
        outline_budget_tokens: the most that an outline shows at once.
        scent_budget_tokens: the same of a scent.
        read_budget_tokens: the same of a read.
        search_budget_tokens: the same of a search.
        edge_kinds: the built-in kinds and those the forest adds.
        shortcuts: when a way that trails walked becomes a door of its own.
        heat: how much trails weigh.
    """

    name: str
    language: str = "es"
    format_version: int = FORMAT_VERSION
    summary_budget_tokens: int = 60
    passage_budget_tokens: int = 400
    outline_budget_tokens: int = 800
    scent_budget_tokens: int = 900
    read_budget_tokens: int = 1200
    search_budget_tokens: int = 900
    edge_kinds: EdgeKinds = field(default=BUILT_IN)
    shortcuts: ShortcutSettings = ShortcutSettings()
    heat: HeatParameters = field(default_factory=HeatParameters)

    @property
    def slug(self) -> str:
        """The name as a folder name."""
        return slug(fold(self.name)) or "forest"


# The least that shows something beside what it says of the rest; a read must have room for one unit (`forest.units`).
_LEAST = {"outline_tokens": 400, "scent_tokens": 400, "read_tokens": 600, "search_tokens": 400}
_NUMBERS = {
    "format": "format_version",
    "summary_tokens": "summary_budget_tokens",
    "passage_tokens": "passage_budget_tokens",
    "outline_tokens": "outline_budget_tokens",
    "scent_tokens": "scent_budget_tokens",
    "read_tokens": "read_budget_tokens",
    "search_tokens": "search_budget_tokens",
}
_KNOWN = {"name", "language", "format", "budgets", "edge_kinds", "heat", "shortcuts"}
_SHORTCUT_NUMBERS = ("min_trails", "most_per_node", "cold_after_days")
MOST_SHORTCUTS_PER_NODE = 50
_BY_HAND, _BY_ITSELF = "by hand", "auto"


def parse_config(text: str, where: str = CONFIG_NAME) -> Config:
    """Read the text of a `forest.yaml`.

    Raises:
        NotAForest: it is not YAML data within limits, has no name, an unknown key, or a format newer than this code.
    """
    try:
        root = read_yaml(text)
    except YamlProblem as problem:
        raise NotAForest(f"{where}, line {problem.line}: {problem.message}.", problem.hint) from None
    entries = root.mapping()
    unknown = sorted(set(entries) - _KNOWN)
    if unknown:
        raise NotAForest(f"{where}: unknown key {unknown[0]!r}.", f"Known keys: {', '.join(sorted(_KNOWN))}.")
    name = entries["name"].scalar() if "name" in entries else ""
    if not name:
        raise NotAForest(f"{where} has no name.", "Add a line such as `name: mi-bosque`.")
    budgets = entries["budgets"].mapping() if "budgets" in entries else {}
    numbers = {_NUMBERS["format"]: _whole(entries["format"], where)} if "format" in entries else {}
    for key, entry in budgets.items():
        if key not in _NUMBERS or key == "format":
            known = ", ".join(name for name in _NUMBERS if name != "format")
            raise NotAForest(f"{where}: unknown budget {key!r}.", f"Known budgets: {known}.")
        numbers[_NUMBERS[key]] = _whole(entry, where)
        if numbers[_NUMBERS[key]] < _LEAST.get(key, 1):
            raise NotAForest(f"{where}, line {entry.line}: {key} is below {_LEAST[key]}, too little to show anything.")
    if numbers.get("format_version", FORMAT_VERSION) > FORMAT_VERSION:
        raise NotAForest(
            f"{where} says format {numbers['format_version']}, this forest reads up to {FORMAT_VERSION}.",
            "Install a newer version of forest.",
        )
    return Config(
        name=name,
        language=entries["language"].scalar() if "language" in entries else "es",
        edge_kinds=BUILT_IN.extended(_extra_kinds(entries.get("edge_kinds"), where)),
        shortcuts=_shortcuts(entries["shortcuts"], where) if "shortcuts" in entries else ShortcutSettings(),
        heat=heat_parameters(entries.get("heat"), where),
        **numbers,
    )


def _whole(entry: Entry, where: str) -> int:
    text = entry.scalar()
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1_000_000):
        raise NotAForest(f"{where}, line {entry.line}: {text!r} is not a whole number above zero.")
    return int(text)


def _shortcuts(entry: Entry, where: str) -> ShortcutSettings:
    numbers: dict[str, int] = {}
    by_itself = False
    for key, value in entry.mapping().items():
        if key in _SHORTCUT_NUMBERS:
            numbers[key] = _whole(value, where)
        elif key == "apply" and value.scalar() in (_BY_HAND, _BY_ITSELF):
            by_itself = value.scalar() == _BY_ITSELF
        elif key == "apply":
            raise NotAForest(
                f"{where}, line {value.line}: shortcuts are applied {_BY_HAND!r} or {_BY_ITSELF!r}, "
                f"not {value.scalar()!r}."
            )
        else:
            known = ", ".join((*_SHORTCUT_NUMBERS, "apply"))
            raise NotAForest(f"{where}, line {value.line}: unknown setting {key!r} of shortcuts.", f"Known: {known}.")
    if numbers.get("most_per_node", 0) > MOST_SHORTCUTS_PER_NODE:
        raise NotAForest(f"{where}, line {entry.line}: most_per_node is {MOST_SHORTCUTS_PER_NODE} at most.")
    return ShortcutSettings(**numbers, by_itself=by_itself)


def _extra_kinds(entry: Entry | None, where: str) -> tuple[EdgeKind, ...]:
    if entry is None:
        return ()
    kinds = []
    for name, settings in entry.mapping().items():
        values = settings.mapping()
        try:
            kinds.append(
                edge_kind_from(
                    name,
                    inverse=values["inverse"].scalar() if "inverse" in values else "",
                    acyclic=values["acyclic"].scalar() == "true" if "acyclic" in values else False,
                    words=tuple(e.scalar() for e in values["words"].sequence()) if "words" in values else (),
                )
            )
        except ValueError as error:
            raise NotAForest(f"{where}, line {settings.line}: {error}") from None
    return tuple(kinds)
