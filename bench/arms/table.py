"""The table of arms: what `--arms` may name. A new arm is a module with an `ARM` and a line here."""

from __future__ import annotations

from collections.abc import Iterable

from bench.arms import auto, bm25, grep, oneshot, scout
from bench.arms.arm import Arm
from forest.errors import WrongUsage

ARMS: dict[str, Arm] = {arm.name: arm for arm in (bm25.ARM, grep.ARM, oneshot.ARM, scout.ARM, auto.ARM)}


def arms_named(names: Iterable[str]) -> tuple[Arm, ...]:
    """Return arms by name, in the order given, each once.

    Raises:
        WrongUsage: a name is none of theirs.
    """
    wanted = tuple(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in ARMS]
    if unknown or not wanted:
        raise WrongUsage(f"There is no arm {', '.join(unknown) or 'named'}.", f"Arms are {', '.join(ARMS)}.")
    return tuple(ARMS[name] for name in wanted)
