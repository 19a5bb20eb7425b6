"""The nodes that a forest of laws has besides the laws: its settings, its root and the folder of all laws.

Owns their first text; they are written once and belong to the curators afterwards.
"""

from curation.frame import ROOT, File
from forest.config import CONFIG_NAME
from forest.passport import Passport, render_node

# Not the folder's name: the same laws make the same tree wherever they are curated.
_NAME = "leyes-federales"


def scaffold() -> tuple[File, ...]:
    """The files that a new forest begins with."""
    root = Passport(
        id="raiz",
        kind="topic",
        title="Legislación federal de México",
        summary="Leyes federales mexicanas, artículo por artículo, con los decretos que las reforman.",
        scent="el bosque entero",
    )
    laws = Passport(
        id=ROOT,
        kind="topic",
        title="Leyes federales",
        summary="Una carpeta por ley: títulos, capítulos y artículos vigentes, y decretos con sus transitorios.",
        scent="las leyes, los códigos y los reglamentos, uno por carpeta",
    )
    return (
        File(CONFIG_NAME, f"name: {_NAME}\nlanguage: es\nformat: 1\n"),
        File("index.md", render_node(root, "# Legislación federal de México")),
        File(f"{ROOT}/index.md", render_node(laws, "# Leyes federales")),
    )
