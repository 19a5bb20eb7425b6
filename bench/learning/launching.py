"""Launching an experiment: copies of the forest, a course for each condition, progress, and what is told at the end."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import click

from bench.attempt import AttemptsWrong
from bench.learning.asking import scout_hunt, scout_hunt_from_root
from bench.learning.choosing import Asking
from bench.learning.condition import HEATS, Condition
from bench.learning.copying import blank_forest, copy_forest
from bench.learning.course import Course, Heading, read_course
from bench.learning.passes import Lesson, Progress, learn
from bench.learning.shuffling import Shuffler
from bench.runner import fingerprint
from forest.history import Snapshot, open_snapshot
from forest.versions import VERSIONS

_TOLD_EACH = 50
_TOLD_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is to be learnt under which conditions.

    Attributes:
        snapshot: the forest that was given; it is only read.
        asking: the questions.
        conditions: each has a forest and a file of its own.
        passes: after the cold one.
        blanked: whether every scent is taken out of the copies.
        at_root: whether walks begin at the root instead of by a search.
        today: the day of questions that have none of their own.
        seed: of what is shuffled.
        out: the folder for all of it.
        jobs: how many processes ask what leaves no trail.
    """

    snapshot: Snapshot
    asking: Asking
    conditions: tuple[Condition, ...]
    passes: int
    blanked: bool
    at_root: bool
    today: date
    seed: int
    out: Path
    jobs: int

    def file_of(self, condition: Condition) -> Path:
        """Return the file of a condition's trials."""
        return self.out / f"{self._named(condition)}.jsonl"

    def forest_of(self, condition: Condition) -> Path:
        """Return the folder of the repository in which a condition is learnt."""
        return self.out / "forests" / self._named(condition)

    def _named(self, condition: Condition) -> str:
        return str(condition) + ".blanked" * self.blanked + ".at-root" * self.at_root


def launch(experiment: Experiment) -> list[Course]:
    """Make all trials that are not made yet, telling how far they are, and return the courses.

    Raises:
        KeyboardInterrupt: as it came; what was made is kept.
        AttemptsWrong: a file holds another course, or the forest in which one was learnt is gone.
    """
    courses: list[Course] = []
    for condition in experiment.conditions:
        file = experiment.file_of(condition)
        forest = _forest(experiment, condition, file)
        lesson = Lesson(forest, experiment.asking, _heading(experiment, condition, forest), experiment.passes)
        shuffler = None
        if condition.shuffled:
            scratch = _repository(experiment, experiment.out / "forests" / f"{file.stem}.walked")
            shuffler = Shuffler(scratch, lesson, jobs=experiment.jobs)
        try:
            with _progress(file) as progress:
                cold = courses[0] if courses else None
                course = learn(
                    lesson,
                    file,
                    meanwhile=shuffler,
                    cold=cold,
                    hunt=scout_hunt_from_root if experiment.at_root else scout_hunt,
                    jobs=experiment.jobs,
                    progress=progress,
                )
        except KeyboardInterrupt:
            click.echo(f"Stopped; {file} keeps what was made, and the same command goes on.", err=True)
            raise
        courses.append(course)
    return courses


def _forest(experiment: Experiment, condition: Condition, file: Path) -> Path:
    folder = experiment.forest_of(condition)
    if file.exists() and not folder.exists() and any(trial.number for trial in read_course(file).trials):
        raise AttemptsWrong(
            f"{file} holds passes, and the forest in which they were learnt is gone.",
            "Delete the file, or name another folder with --out.",
        )
    return _repository(experiment, folder)


def _repository(experiment: Experiment, folder: Path) -> Path:
    if not folder.exists():
        part = folder.with_name(f"{folder.name}.part")  # so that what is there is whole
        shutil.rmtree(part, ignore_errors=True)
        if experiment.blanked:
            blank_forest(experiment.snapshot, part, experiment.asking.walked)
        else:
            copy_forest(experiment.snapshot, part)
        part.rename(folder)
    return folder if experiment.blanked else folder / experiment.snapshot.prefix


def _heading(experiment: Experiment, condition: Condition, forest: Path) -> Heading:
    return Heading(
        tree=open_snapshot(forest).tree,
        base_tree=experiment.snapshot.tree,
        commit=experiment.snapshot.commit,
        versions=dict(VERSIONS),
        code=fingerprint(),
        condition=condition,
        blanked=experiment.blanked,
        at_root=experiment.at_root,
        today=experiment.today,
        seed=experiment.seed,
    )


@contextmanager
def _progress(file: Path) -> Iterator[Progress]:
    """Show on standard error how far a course is: as it goes on a terminal, else now and then."""
    last = time.monotonic()

    def told(made: int, planned: int) -> None:
        nonlocal last
        if sys.stderr.isatty():
            click.echo(f"\r{file.name}: {made:,} of {planned:,} trials", nl=made == planned, err=True)
        elif made % _TOLD_EACH == 0 or made == planned or time.monotonic() - last >= _TOLD_SECONDS:
            last = time.monotonic()
            click.echo(f"{file.name}: {made:,} of {planned:,} trials", err=True)

    yield told


def conditions_of(heats: Sequence[str], *, shortcuts: bool, cases: bool, shuffled: bool) -> tuple[Condition, ...]:
    """Return the conditions that options name, each once; the control comes last and is under the first of them.

    Nothing is minted from trails that no walk left, so the control has heat alone.
    """
    felt = [heat for heat in HEATS if heat in heats]
    named = tuple(Condition(heat, shortcuts, cases) for heat in felt)
    return (*named, replace(named[0], shortcuts=False, shuffled=True)) if shuffled else named
