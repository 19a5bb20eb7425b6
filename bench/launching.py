"""Launching runs from the command line: where attempts go, progress, every control, every model, and the report."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from bench.arms.arm import ModelArm
from bench.arms.table import ARMS, UNNAMED, WITHOUT_MODEL, arms_named
from bench.attempt import Run
from bench.attempt_file import header_line
from bench.runner import Plan, Progress, plan_control, run
from forest.errors import WrongUsage

_TOLD_EACH = 200
_TOLD_SECONDS = 30.0


def arms_given(text: str, *, with_model: bool) -> tuple[str, ...]:
    """Return the arms that `--arms` names; when it names none, all that can be asked of a forest without trails.

    Raises:
        WrongUsage: an arm that there is not, or a model for arms that ask none.
    """
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names and not text:
        return UNNAMED if with_model else WITHOUT_MODEL
    named = arms_named(names)
    if with_model and not any(isinstance(arm, ModelArm) for arm in named):
        raise WrongUsage("None of these arms asks a model.", "Leave --endpoint out, or name other arms.")
    return tuple(arm.name for arm in named)


def needs_model(arms: Iterable[str]) -> bool:
    """Tell whether one of these arms asks a model."""
    return any(isinstance(ARMS[arm], ModelArm) for arm in arms)


def question_files(given: Iterable[Path]) -> list[Path]:
    """Return the files of questions that paths mean: files themselves, or all *.jsonl of a folder.

    Raises:
        WrongUsage: there is none.
    """
    files = [file for path in given for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if not files:
        raise WrongUsage("No file of questions is named.", "Name files, or a folder of *.jsonl, with --questions.")
    return list(dict.fromkeys(files))


def place_of(plan: Plan, out: Path, called: str = "") -> Path:
    """Return the file of a run's attempts.

    In a folder it is named after all that makes the run, so that the same command finds it again and any other run has
    a file of its own.

    Args:
        plan: the run.
        out: a file, or a folder that is there.
        called: the model, where several are asked.
    """
    if out.is_dir():
        whole = header_line(replace(plan.header, commit=""))
        return out / f"attempts-{hashlib.sha256(whole.encode()).hexdigest()[:12]}.jsonl"
    return out.with_name(f"{out.stem}.{called}{out.suffix}") if called else out


def launch(plan: Plan, out: Path, jobs: int, controls: Sequence[str], *, alone: bool) -> list[Run]:
    """Make a run and its controls, telling how far they are, and return them.

    Args:
        plan: of the forest itself.
        out: the file of its attempts; each control has one of its own beside it.
        jobs: how many processes ask.
        controls: names.
        alone: only the one control, in `out`.

    Raises:
        KeyboardInterrupt: as it came; what was made is kept.
    """
    runs = [] if alone else [_told(plan, out, jobs)]
    for name in controls:
        with tempfile.TemporaryDirectory(prefix="forest-control-", ignore_cleanup_errors=True) as place:
            file = out if alone else out.with_name(f"{out.stem}.{name}{out.suffix}")
            runs.append(_told(plan_control(plan, name, Path(place) / name), file, jobs))
    return runs


def publish(text: str, file: Path) -> None:
    """Write a report to a file and to standard output."""
    file.write_text(text, encoding="utf-8")
    click.echo(text, nl=False)
    click.echo(f"{file}: the report.", err=True)


def _told(plan: Plan, out: Path, jobs: int) -> Run:
    try:
        with _progress(out) as progress:
            made = run(plan, out, jobs=jobs, progress=progress)
    except KeyboardInterrupt:
        click.echo(f"Stopped; {out} keeps what was made, and the same command goes on.", err=True)
        raise
    errors = sum(bool(attempt.error) for attempt in made.attempts)
    told = f"; {errors} raised an error" if errors else ""
    click.echo(f"{out}: {len(made.attempts)} attempts at {len(made.posed)} questions{told}.", err=True)
    return made


@contextmanager
def _progress(out: Path) -> Iterator[Progress]:
    """Show on standard error how far a run is: as it goes on a terminal, else now and then."""
    last = time.monotonic()

    def told(made: int, planned: int) -> None:
        nonlocal last
        if sys.stderr.isatty():
            click.echo(f"\r{out.name}: {made:,} of {planned:,} attempts", nl=made == planned, err=True)
        elif made % _TOLD_EACH == 0 or time.monotonic() - last >= _TOLD_SECONDS:
            last = time.monotonic()
            click.echo(f"{out.name}: {made:,} of {planned:,} attempts", err=True)

    yield told
