"""Typed edges: the table of kinds, and one edge as its node's passport states it.

The table says for each kind its inverse, whether cycles are allowed, which node kinds it may join, and the words by
which questions ask for it, so that a navigator without a model can follow the relation that a question names.
Inverse edges are derived from this table and never written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_NAME = re.compile(r"[a-z][a-z_]{1,30}")


@dataclass(frozen=True, slots=True)
class EdgeKind:
    """What one kind of edge means.

    Attributes:
        name: as written in passports, `supersedes`.
        inverse: the name of the same edge seen from its far end, `superseded_by`.
        acyclic: whether a cycle of this kind is a contradiction (a rule cannot supersede itself by detours).
        sources: node kinds it may leave; empty means any.
        targets: node kinds it may reach; empty means any.
        words: stems or phrases, folded, by which questions ask for it; direction as in source -> target.
        inverse_words: the same for the way back.
    """

    name: str
    inverse: str
    acyclic: bool = False
    sources: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    inverse_words: tuple[str, ...] = ()

    def may_join(self, source_kind: str, target_kind: str) -> bool:
        """Tell whether an edge of this kind may go from one node kind to another."""
        return (not self.sources or source_kind in self.sources) and (not self.targets or target_kind in self.targets)


@dataclass(frozen=True, slots=True)
class Edge:
    """One typed, directed link, as its source states it.

    Attributes:
        kind: name of an `EdgeKind`.
        to: id of a node: a work (the clock of a walk selects the version) or `work@date` (pinned).
        scent: one line that says what lies behind this door.
        basis: words of the source's own body that establish the edge.
        line: 1-based line of the passport where it is stated; 0 when it was made by code.
    """

    kind: str
    to: str
    scent: str
    basis: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class EdgeKinds:
    """The kinds that one forest knows, in the order in which they are told."""

    kinds: tuple[EdgeKind, ...]

    def __iter__(self) -> Iterator[EdgeKind]:
        return iter(self.kinds)

    def get(self, name: str) -> EdgeKind | None:
        """Return the kind called `name`, None when there is none."""
        return next((kind for kind in self.kinds if kind.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all kinds."""
        return tuple(kind.name for kind in self.kinds)

    def extended(self, more: Iterable[EdgeKind]) -> EdgeKinds:
        """Return these kinds and `more`; a kind of the same name is replaced."""
        added = tuple(more)
        replaced = {kind.name for kind in added}
        return EdgeKinds(tuple(kind for kind in self.kinds if kind.name not in replaced) + added)


def edge_kind_from(name: str, *, inverse: str, acyclic: bool, words: tuple[str, ...]) -> EdgeKind:
    """Make a kind that a forest adds to the table.

    Raises:
        ValueError: the name or the inverse is not lower-case words joined by `_`.
    """
    for text in (name, inverse or f"{name}_of"):
        if not _NAME.fullmatch(text):
            raise ValueError(f"edge kind {text!r} must be lower-case words joined by _")
    return EdgeKind(name, inverse or f"{name}_of", acyclic=acyclic, words=words)


_TEXTS = frozenset({"instrument", "provision", "publication"})

BUILT_IN = EdgeKinds(
    (
        EdgeKind(
            "supersedes",
            "superseded_by",
            acyclic=True,
            sources=_TEXTS,
            targets=_TEXTS,
            words=("sustituye", "sustituyo a", "reemplaza", "reemplazo a", "deja sin efecto"),
            inverse_words=("sustituyo", "sustituida por", "reemplazo", "que la reemplaza", "que vino despues"),
        ),
        EdgeKind(
            "amends",
            "amended_by",
            sources=_TEXTS,
            targets=_TEXTS,
            words=("reforma", "modifica", "adiciona"),
            inverse_words=("reformo", "reformado por", "modifico", "adiciono", "ultima reforma"),
        ),
        EdgeKind(
            "repeals",
            "repealed_by",
            acyclic=True,
            sources=_TEXTS,
            targets=_TEXTS,
            words=("abroga", "deroga", "cancela"),
            inverse_words=("abrogo", "derogo", "abrogada por", "derogado por", "cancelada por"),
        ),
        EdgeKind(
            "corrects",
            "corrected_by",
            acyclic=True,
            sources=frozenset({"publication"}),
            targets=_TEXTS,
            words=("corrige", "fe de erratas", "aclara"),
            inverse_words=("corrigio", "corregida por", "aclaracion de"),
        ),
        EdgeKind(
            "cites",
            "cited_by",
            words=("cita", "remite a", "a que se refiere", "refiere"),
            inverse_words=("citado por", "quien lo cita", "que lo citan"),
        ),
        EdgeKind(
            "implements",
            "implemented_by",
            sources=_TEXTS,
            targets=_TEXTS,
            words=("reglamenta", "desarrolla", "en cumplimiento de", "reglamentaria de"),
            inverse_words=("reglamentada por", "desarrollada por", "reglamento de"),
        ),
        EdgeKind(
            "defines",
            "defined_by",
            words=("define", "que se entiende por"),
            inverse_words=("definido en", "donde se define"),
        ),
        EdgeKind(
            "issued_by",
            "issues",
            sources=_TEXTS,
            targets=frozenset({"entity"}),
            words=("emite", "emitio", "expide", "expidio", "publica", "fija", "autoridad que"),
            inverse_words=("emitidas por", "que emite", "que ha emitido"),
        ),
        EdgeKind(
            "owns",
            "owned_by",
            acyclic=True,
            sources=frozenset({"entity"}),
            words=("tiene a su cargo", "de quien depende", "administra"),
            inverse_words=("depende de", "adscrita a", "a cargo de"),
        ),
        EdgeKind(
            "renames",
            "renamed_to",
            acyclic=True,
            sources=frozenset({"entity"}),
            targets=frozenset({"entity"}),
            words=("se llamaba", "antes llamada", "nombre anterior"),
            inverse_words=("ahora se llama", "cambio de nombre", "nombre actual"),
        ),
        EdgeKind(
            "concerns",
            "concerned_by",
            words=("trata de", "sobre que materia"),
            inverse_words=("tratado en", "donde se trata"),
        ),
        EdgeKind("mentions", "mentioned_by"),
        EdgeKind("shortcut", "shortcut_from"),
    )
)
