"""Parts of articles that a question names: found, quoted with what introduces them, or said not to be there."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from forest.history import open_snapshot
from forest.oneshot import hunt
from forest.parts import marks
from forest.state import open_state
from tests.conftest import node, plant

TODAY = date(2026, 3, 1)
ARTICLE = """# Artículo 5

Son causas de cierre de una biblioteca, entre otras:

I. La falta de luz;

II. La falta de sillas, y

III. La lluvia.

Son obligaciones del personal:

I. Abrir a las nueve.
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    law = node("lmb", "# Ley de Muestra de Bibliotecas", kind="instrument", title="Ley de Muestra de Bibliotecas")
    files = {"lmb/index.md": law, "lmb/art-5.md": node("lmb/art-5", ARTICLE, title="LMB, artículo 5")}
    return plant(tmp_path / "bosque", files)


@pytest.mark.parametrize(
    ("kind", "label", "line"),
    [
        ("fraccion", "XL", "XL. Lo demás."),
        ("fraccion", "XXVII-bis", "XXVII Bis.- Otorgar permiso"),
        ("inciso", "b", "b) Los demás"),
        ("apartado", "A", "A. Entre los obreros"),
    ],
)
def test_a_line_that_marks_a_part_is_known(kind: str, label: str, line: str) -> None:
    assert marks(kind, label).search(f"Antes.\n{line}\n")
    assert not marks(kind, label).search("Antes.\nOtra cosa: nada más.\n")


def test_a_part_is_quoted_with_the_sentence_that_introduces_it(place: Path) -> None:
    with open_state(open_snapshot(place)) as state:
        answer = hunt(state, "fracción II del artículo 5 de la Ley de Muestra de Bibliotecas", today=TODAY)
    assert [claim.text for claim in answer.claims] == [
        "Son causas de cierre de una biblioteca, entre otras:\nII. La falta de sillas, y"
    ]


def test_a_part_that_the_text_does_not_mark_is_said_to_be_missing(place: Path) -> None:
    with open_state(open_snapshot(place)) as state:
        answer = hunt(state, "fracción XL del artículo 5 de la Ley de Muestra de Bibliotecas", today=TODAY)
    assert answer.status == "not_held"
    assert [gap.what for gap in answer.missing] == ["fracción XL"]
