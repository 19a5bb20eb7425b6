"""The nodes that a forest has besides those of laws and publications: its settings, its root and their folders.

Owns their first text; they are written once and belong to the curators afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable

from curation.frame import ROOT, File
from curation.gazette_nodes import INSTITUTIONS
from curation.gazette_nodes import ROOT as PUBLICATIONS
from forest.config import CONFIG_NAME
from forest.passport import Passport, render_node

# Not the folder's name: the same texts make the same tree wherever they are curated.
_NAME = "leyes-federales"


def scaffold(*, laws: bool, years: Iterable[int]) -> tuple[File, ...]:
    """The files that a forest needs to hold what a run brings.

    Args:
        laws: whether that is laws.
        years: in which the publications among it were published.
    """
    files = [File(CONFIG_NAME, f"name: {_NAME}\nlanguage: es\nformat: 1\n"), _root()]
    if laws:
        files.append(
            _folder(
                ROOT,
                "Leyes federales",
                "Una carpeta por ley: títulos, capítulos y artículos vigentes, y decretos con sus transitorios.",
                "las leyes, los códigos y los reglamentos, uno por carpeta",
            )
        )
    files += (
        _folder(
            f"{PUBLICATIONS}/{year}",
            f"Publicaciones de {year}",
            f"Los actos que el Diario Oficial de la Federación publicó en {year}, uno por carpeta.",
            f"lo publicado en {year}",
        )
        for year in sorted(set(years))
    )
    if len(files) > 2 + laws:
        files += _gazette()
    return tuple(files)


def _root() -> File:
    root = Passport(
        id="raiz",
        kind="topic",
        title="Legislación federal de México",
        summary="Leyes federales artículo por artículo con los decretos que las reforman, y publicaciones del Diario "
        "Oficial de la Federación.",
        scent="el bosque entero",
    )
    return File("index.md", render_node(root, "# Legislación federal de México"))


def _gazette() -> tuple[File, ...]:
    return (
        _folder(
            PUBLICATIONS,
            "Publicaciones del Diario Oficial de la Federación",
            "Acuerdos, normas, convenios, circulares y avisos como se publicaron, por año.",
            "los actos publicados, por año",
        ),
        _folder(
            INSTITUTIONS,
            "Instituciones",
            "Las instituciones que emiten las publicaciones del bosque.",
            "quién emite las publicaciones",
        ),
    )


def _folder(path: str, title: str, summary: str, scent: str) -> File:
    passport = Passport(id=path, kind="topic", title=title, summary=summary, scent=scent)
    return File(f"{path}/index.md", render_node(passport, f"# {title}"))
