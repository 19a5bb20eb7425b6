"""How a run of `forest curate` ended, input by input.

Owns the outcomes and what is said of them in the commit; what the user sees is `curation.cli`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one input ended.

    Attributes:
        name: its file name.
        status: created, updated, unchanged or skipped.
        instrument: id of the law or publication, empty when there is none.
        reason: why it was skipped.
        nodes: how many nodes it has.
        edges_missed: citations that made no edge.
        complaints: how many things the reader could not place.
        kept: paths that a curator edited and that were left alone.
        kind: law or publication, empty when it is neither.
    """

    name: str
    status: str
    instrument: str = ""
    reason: str = ""
    nodes: int = 0
    edges_missed: int = 0
    complaints: int = 0
    kept: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did.

    Attributes:
        outcomes: one for each input.
        commit: empty when nothing changed.
        unreadable: how many of the skipped inputs could not be read although they should be.
        behind: laws of the forest that were not given and that name a law which came in this run.
        detached: whether the commit is on no branch.
    """

    outcomes: tuple[Outcome, ...]
    commit: str
    unreadable: int = 0
    behind: tuple[str, ...] = ()
    detached: bool = False

    @property
    def curated(self) -> bool:
        """Whether any input is in the forest now."""
        return any(outcome.status != "skipped" for outcome in self.outcomes)

    @property
    def counts(self) -> dict[str, int]:
        """How many inputs ended in each status."""
        return dict(sorted(Counter(outcome.status for outcome in self.outcomes).items()))


def counted(number: int, what: str) -> str:
    """A number with its noun: `1 law`, `280 laws`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def message(outcomes: Sequence[Outcome]) -> str:
    """The message of a run's commit."""
    done = [o for o in outcomes if o.status in ("created", "updated")]
    counts = Counter(outcome.status for outcome in done)
    kinds = Counter(outcome.kind for outcome in done)
    what = " and ".join(counted(kinds[kind], kind) for kind in ("law", "publication") if kinds[kind])
    nodes = counted(sum(outcome.nodes for outcome in done), "node")
    head = f"Curate {what or '0 laws'}: {counts['created']} created, {counts['updated']} updated, {nodes}"
    return f"{head}\n\n{' '.join(sorted(outcome.instrument for outcome in done))}\n"
