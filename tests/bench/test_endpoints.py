"""The table of bad endpoints: every walk ends in the closed set, with a whole journal and nothing leaked."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import get_args

import pytest

from bench.endpoints import Walker, outcomes, table
from bench.unruly import MISBEHAVIOURS
from forest.history import open_snapshot
from forest.state import open_state
from navigator.actions import Ending
from navigator.transport import MAX_REPLY_BYTES
from tests.conftest import plant
from tests.navigator.asking import asker, register
from tests.navigator.beach import BEACH, TODAY, opened


def test_every_bad_endpoint_ends_its_walk_soon_small_and_whole(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, asker("search vacaciones", "give up"))
    with open_state(open_snapshot(small)) as state:
        found = list(outcomes(Walker(state, "¿Qué?", "llm", date(2026, 3, 1), 0.4)))
    assert [one.endpoint for one in found] == ["obedient", *MISBEHAVIOURS, "redirect"]
    for outcome in found[1:]:
        assert outcome.ending in get_args(Ending), outcome
        assert outcome.ending == "model_error", outcome
        assert outcome.wall_seconds < 3, outcome
        assert outcome.peak_kilobytes * 1024 < 4 * MAX_REPLY_BYTES, outcome
        assert (outcome.journal, outcome.leaks) == ("whole", 0), outcome
        assert "127.0.0.1" in outcome.said, outcome
    assert table(found).count("\n") == len(found) + 1


def test_a_walk_that_a_model_guides_ends_as_soon_and_as_whole_whichever_way_its_endpoint_is_bad(tmp_path: Path) -> None:
    question = "¿Quién emitió la norma que sustituyó a la NOM-901-PLAYA-2001?"
    with opened(plant(tmp_path / "bosque", BEACH)) as state:
        found = list(outcomes(Walker(state, question, "llm", TODAY, 0.3)))
    assert found[0].ending in ("answered", "abstained")
    for outcome in found[1:]:
        assert (outcome.ending, outcome.journal, outcome.leaks) == ("model_error", "whole", 0), outcome
        assert outcome.wall_seconds < 3, outcome
        assert outcome.calls == (2 if outcome.endpoint == "dies mid-walk" else 1), outcome
