"""The table of arms: what `--arms` may name. A new arm is a module with an `ARM` and a line here."""

from __future__ import annotations

from collections.abc import Iterable

from bench.arms import auto, bm25, closed_book, first, full_context, grep, oneshot, rag, scout, walked
from bench.arms.arm import Arm, ModelArm
from forest.errors import WrongUsage

# Without a model first, and `full-context`, whose calls are the longest, last: a run is watched as it grows.
ARMS: dict[str, Arm | ModelArm] = {
    arm.name: arm
    for arm in (
        bm25.ARM,
        grep.ARM,
        oneshot.ARM,
        scout.ARM,
        scout.WARM,
        auto.ARM,
        first.ARM,
        closed_book.ARM,
        rag.ARM,
        walked.TOOLS,
        walked.LLM,
        walked.MIXED,
        full_context.ARM,
    )
}
WITHOUT_MODEL = tuple(name for name, arm in ARMS.items() if isinstance(arm, Arm) and not arm.is_warm)
UNNAMED = tuple(name for name, arm in ARMS.items() if name in WITHOUT_MODEL or isinstance(arm, ModelArm))


def arms_named(names: Iterable[str]) -> tuple[Arm | ModelArm, ...]:
    """Return arms by name, in the order given, each once.

    Raises:
        WrongUsage: a name is none of theirs.
    """
    wanted = tuple(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in ARMS]
    if unknown or not wanted:
        raise WrongUsage(f"There is no arm {', '.join(unknown) or 'named'}.", f"Arms are {', '.join(ARMS)}.")
    return tuple(ARMS[name] for name in wanted)
