"""The forest that tests of the navigator walk in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from forest.state import State
from tests.conftest import plant
from tests.navigator.beach import BEACH, opened


@pytest.fixture(scope="session")
def beach(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small forest, committed. Shared: what tests leave in it is only its journal."""
    return plant(tmp_path_factory.mktemp("playa") / "bosque", BEACH)


@pytest.fixture
def state(beach: Path) -> Iterator[State]:
    """The state of the small forest."""
    with opened(beach) as state:
        yield state
