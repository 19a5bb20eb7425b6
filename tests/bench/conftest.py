"""The forest and the questions that tests of the bench share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.wood import FOREST, write_questions
from tests.conftest import plant


@pytest.fixture
def wood(tmp_path: Path) -> Path:
    """The forest of these tests, committed."""
    return plant(tmp_path / "bosque", FOREST)


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """The file of the six questions."""
    return write_questions(tmp_path / "preguntas" / "seis.jsonl")
