"""Trails that hold: made from what a forest has committed, as a verified walk would leave them."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from forest.history import find_in_tree, open_snapshot
from forest.state import open_state
from forest.trail import CitedPassage, Trail, WalkedDoor, question_id, signature_of

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def made_trail(folder: Path, question: str, *, node: str = "dof-salarios", minutes: int = 0) -> Trail:
    """A walk from the root by its child `trabajo` to a node whose first passage was cited."""
    snapshot = open_snapshot(folder)
    with open_state(snapshot) as state:
        row = state.catalog.node(node)
        passage = state.catalog.passages(row)[0]
        entry = find_in_tree(snapshot, row.path)
        assert entry is not None
        data = state.read_blob(entry.blob)
        assert data is not None
    cited = CitedPassage(
        node=node,
        passage=passage.ordinal,
        path=row.path,
        blob=entry.blob,
        start=passage.start,
        end=passage.end,
        sha256=hashlib.sha256(data[passage.start : passage.end]).hexdigest(),
    )
    return Trail(
        question=question_id(question),
        signature=signature_of(question),
        analyzer="es-2",
        doors=(
            WalkedDoor("", "entry", "trabajo", True),
            WalkedDoor("trabajo", "child", node, True),
            WalkedDoor("trabajo", "parent", "raiz", False),
        ),
        cited=(cited,),
        ending="answered",
        navigator="scout",
        commit=snapshot.commit,
        tree=snapshot.tree,
        time=NOON + timedelta(minutes=minutes),
    )
