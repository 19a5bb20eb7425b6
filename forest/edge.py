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
ISSUED_BY = "issued_by"


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

    @property
    def target_acts(self) -> bool:
        """Whether the target is the doer of the verb that names the kind: who issues, in `issued_by`."""
        return self.name.endswith("_by")

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
            words=("sustituye", "sustituyo", "reemplaza", "reemplazo", "releva", "deja sin efecto", "dejo sin efecto"),
            inverse_words=(
                "sustituida",
                "sustituido",
                "reemplazada",
                "reemplazado",
                "vino despues",
                "tomo el lugar",
                "en su lugar",
                "sin efectos",
                "tomo su lugar",
                "ocupo el lugar",
                "ocupo su lugar",
                "sucesora",
                "sucedio",
                "relevo",
            ),
        ),
        EdgeKind(
            "amends",
            "amended_by",
            sources=_TEXTS,
            targets=_TEXTS,
            words=("reforma", "modifica", "adiciona"),
            inverse_words=(
                "reformo",
                "reformada",
                "modifico",
                "modificada",
                "adiciono",
                "enmendo",
                "modificatorio",
            ),
        ),
        EdgeKind(
            "repeals",
            "repealed_by",
            acyclic=True,
            sources=_TEXTS,
            targets=_TEXTS,
            words=("abroga", "deroga", "cancela"),
            inverse_words=("abrogo", "derogo", "cancelo", "abrogada", "derogada", "cancelada"),
        ),
        EdgeKind(
            "corrects",
            "corrected_by",
            acyclic=True,
            sources=frozenset({"publication"}),
            targets=_TEXTS,
            words=("corrige", "aclara", "rectifica"),
            inverse_words=(
                "corrigio",
                "corregida",
                "correccion",
                "rectifico",
                "fe de erratas",
                "nota aclaratoria",
                "aclaracion",
            ),
        ),
        EdgeKind(
            "cites",
            "cited_by",
            words=("cita", "remite", "refiere", "invoca", "manda", "se apoya", "se basa"),
            inverse_words=("citada", "citado", "citan", "invocada", "mencionada"),
        ),
        EdgeKind(
            "implements",
            "implemented_by",
            sources=_TEXTS,
            targets=_TEXTS,
            words=("reglamenta", "desarrolla", "reglamentaria", "ejecuta"),
            inverse_words=("reglamentada", "desarrollada"),
        ),
        EdgeKind(
            "defines",
            "defined_by",
            words=("define", "se entiende por"),
            inverse_words=("definido", "definida", "definicion"),
        ),
        EdgeKind(
            ISSUED_BY,
            "issues",
            sources=_TEXTS,
            targets=frozenset({"entity"}),
            words=(
                "emite",
                "emitio",
                "expide",
                "expidio",
                "publica",
                "publico",
                "dicta",
                "dicto",
                "aprueba",
                "aprobo",
                "suscribe",
                "suscribio",
                "otorga",
                "otorgo",
                "elabora",
                "elaboro",
                "emisora",
            ),
            inverse_words=("emitida", "expedida", "emitidas", "expedidas", "publicada", "aprobada", "otorgada"),
        ),
        EdgeKind(
            "owns",
            "owned_by",
            acyclic=True,
            sources=frozenset({"entity"}),
            words=("tiene a su cargo", "administra", "supervisa", "coordina", "encabeza", "maneja"),
            inverse_words=(
                "depende",
                "adscrita",
                "adscrito",
                "pertenece",
                "forma parte",
                "administrada",
                "administrado",
            ),
        ),
        EdgeKind(
            "renames",
            "renamed_to",
            acyclic=True,
            sources=frozenset({"entity"}),
            targets=frozenset({"entity"}),
            words=("se llamaba", "antes llamada", "nombre anterior", "antigua", "denominaba"),
            inverse_words=(
                "ahora se llama",
                "hoy se llama",
                "se llama hoy",
                "se llama ahora",
                "se llama",
                "cambio de nombre",
                "cambio su nombre",
                "nombre actual",
                "nuevo nombre",
                "se convirtio",
                "paso a ser",
                "paso a llamarse",
                "denomina",
            ),
        ),
        EdgeKind(
            "concerns",
            "concerned_by",
            words=("trata", "versa"),
            inverse_words=("tratado", "regulada", "regulado"),
        ),
        EdgeKind("mentions", "mentioned_by"),
        EdgeKind("shortcut", "shortcut_from"),
    )
)
