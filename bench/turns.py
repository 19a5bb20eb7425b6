"""What each call of a model cost along recorded walks: the share of its prompt that the server had cached, and sizes.

Reads journals (`forest walks`) and asks nobody. Run it as `python -m bench.turns FOREST [--navigator llm]`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from forest.errors import ForestError
from forest.history import open_snapshot
from forest.journal import WalkRecord, read_walks
from forest.state import open_state


@dataclass(frozen=True, slots=True)
class Turn:
    """The n-th call of walks, on average over those that made so many.

    Attributes:
        number: of the call within a walk, from 1.
        walks: how many made it.
        prompt_tokens: sent, in the model's tokens.
        cached: share of these that the server had, 0 to 1.
        completion_tokens: of the reply.
        wall_seconds: until it was whole.
        shown_tokens: what the steps since the call before showed, by `count_tokens`; most of it no model saw.
    """

    number: int
    walks: int
    prompt_tokens: float
    cached: float
    completion_tokens: float
    wall_seconds: float
    shown_tokens: float


def turns(records: Iterable[WalkRecord]) -> Iterator[Turn]:
    """Yield what the first call of each walk cost on average, then the second, and so on."""
    walks = [calls for record in records if (calls := list(_calls(record)))]
    for at in range(max(map(len, walks), default=0)):
        nth = [calls[at] for calls in walks if len(calls) > at]
        prompts = sum(call["prompt_tokens"] for call in nth)
        yield Turn(
            at + 1,
            len(nth),
            prompts / len(nth),
            sum(call["cached_tokens"] for call in nth) / prompts if prompts else 0.0,
            mean(call["completion_tokens"] for call in nth),
            mean(call["wall_seconds"] for call in nth),
            mean(call["shown"] for call in nth),
        )


def _calls(record: WalkRecord) -> Iterator[Mapping[str, Any]]:
    """Yield the calls of a walk that did not fail, with the tokens shown since the one before."""
    shown = 0
    for step in record.steps:
        for call in step.get("calls", ()):
            if not call.get("failed"):
                yield {**call, "shown": shown}
                shown = 0
        shown += step["observation"]["tokens"]


def table(made: Iterable[Turn]) -> str:
    """Return turns as a Markdown table."""
    rows = [
        f"| {t.number} | {t.walks} | {t.prompt_tokens:,.0f} | {t.cached:.0%} | {t.completion_tokens:.0f} "
        f"| {t.wall_seconds:.1f} | {t.shown_tokens:,.0f} |"
        for t in made
    ]
    head = "| call | walks | tokens in | cached | tokens out | seconds | shown since |"
    return "\n".join([head, "|---|---|---|---|---|---|---|", *rows])


def main(arguments: list[str] | None = None) -> int:
    """Print the table of the walks recorded for a forest."""
    parser = argparse.ArgumentParser(prog="python -m bench.turns", description=__doc__)
    parser.add_argument("forest", type=Path)
    parser.add_argument("--navigator", default="llm", help="only walks of this navigator")
    chosen = parser.parse_args(arguments)
    try:
        with open_state(open_snapshot(chosen.forest)) as state:
            records, _ = read_walks(state.folder.parent)
    except ForestError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    made = list(turns(r for r in records if r.header["navigator"] == chosen.navigator))
    print(table(made) if made else f"No walk by {chosen.navigator} that asked a model is recorded here.")
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main())
