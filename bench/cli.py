"""The commands `forest bench run` and `forest bench report`.

Owns arguments, progress and where reports go; the work is `bench.runner` and `bench.report`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from forest.errors import WrongUsage

if TYPE_CHECKING:
    from bench.runner import Plan, Progress

_HELP = {"help_option_names": ["-h", "--help"]}
_TOLD_EACH = 200


@click.group(context_settings=_HELP)
def bench() -> None:
    """Measure ways of answering on questions with known answers.

    \b
    Example:
      forest bench run my-forest --questions fixtures/questions --out attempts.jsonl
      forest bench report attempts.jsonl
    """  # noqa: D301 - \b tells click to keep the lines


@bench.command(context_settings=_HELP)
@click.argument("folder", metavar="FOREST", type=click.Path(path_type=Path))
@click.argument("more", metavar="[QUESTIONS]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--questions",
    "questions",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file of questions, or a folder of *.jsonl. May be repeated.",
)
@click.option("--arms", default="bm25,grep,oneshot,scout,auto", show_default=True, help="Names of arms, with commas.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file of attempts.")
@click.option("--control", default="", metavar="NAME", help="Ask a copy of the forest from which NAME took something.")
@click.option(
    "--all-controls", is_flag=True, help="After the forest itself ask every control; each has its own file beside OUT."
)
@click.option("--split", type=click.Choice(["dev", "test"]), help="Only the questions of this split.")
@click.option("--today", metavar="DAY", help="The day of questions that have none. [default: today]")
@click.option("--seed", default=1, show_default=True, help="Of what a control shuffles.")
@click.option("--repetitions", default=1, show_default=True, type=click.IntRange(1, 100), help="Of each attempt.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64), help="How many processes ask.")
def run(
    folder: Path,
    more: tuple[Path, ...],
    questions: tuple[Path, ...],
    arms: str,
    out: Path,
    control: str,
    all_controls: bool,
    split: str | None,
    today: str | None,
    seed: int,
    repetitions: int,
    jobs: int,
) -> None:
    """Put questions to arms and keep every attempt.

    OUT gets a line for each attempt as soon as it is made. A run that was stopped goes on where it was when the same
    command is given again; a file that holds another run is refused. What is asked is what is committed in FOREST.

    \b
    Example:
      forest bench run my-forest --questions fixtures/questions --arms bm25,oneshot --out attempts.jsonl
      forest bench run my-forest --questions fixtures/questions --all-controls --out attempts.jsonl
    """  # noqa: D301 - \b tells click to keep the lines
    from bench.controls import CONTROLS
    from bench.runner import plan_run
    from forest.validity import read_day

    if control and all_controls:
        raise WrongUsage("--control and --all-controls exclude each other.", "Give one of them.")
    plan = plan_run(
        folder,
        _files((*questions, *more)),
        [name.strip() for name in arms.split(",") if name.strip()],
        today=read_day(today, "--today") if today else date.today(),  # noqa: DTZ011 - the user's own day is meant
        split=split or "",
        seed=seed,
        repetitions=repetitions,
    )
    if not control:
        _run(plan, out, jobs)
    for name in CONTROLS if all_controls else (control,) if control else ():
        _run_control(plan, name, out.with_name(f"{out.stem}.{name}{out.suffix}") if all_controls else out, jobs)


@bench.command(context_settings=_HELP)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["category", "hops", "phrasing", "split"]),
    help="Break the figures down by this. May be repeated. [default: all]",
)
@click.option("--metric", "metrics", multiple=True, metavar="METRIC", help="Only this metric. May be repeated.")
@click.option("--seed", default=1, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of Markdown.")
def report(files: tuple[Path, ...], by: tuple[str, ...], metrics: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Tell what attempts are worth.

    FILEs are what `forest bench run` wrote: one run, and any controls of it. Single-hop and multi-hop questions are
    never averaged together.

    \b
    Example:
      forest bench report attempts.jsonl attempts.gold_removed.jsonl
      forest bench report attempts.jsonl --by hops --metric answer_correct
    """  # noqa: D301 - \b tells click to keep the lines
    from bench.attempt_file import read_run
    from bench.report import BY
    from bench.report import report as make
    from bench.tables import markdown, plain
    from forest.text import escaped

    made = make([read_run(path) for path in files], by=by or tuple(BY), metrics=metrics, seed=seed)
    click.echo(
        escaped(json.dumps(plain(made), ensure_ascii=False, indent=1)) if as_json else markdown(made), nl=as_json
    )


def _files(given: tuple[Path, ...]) -> list[Path]:
    """Return the files of questions that paths mean: files themselves, or all *.jsonl of a folder."""
    files = [file for path in given for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    if not files:
        raise WrongUsage("No file of questions is named.", "Name files, or a folder of *.jsonl, with --questions.")
    return list(dict.fromkeys(files))


def _run(plan: Plan, out: Path, jobs: int) -> None:
    from bench.runner import run as make

    try:
        with _progress(out) as progress:
            made = make(plan, out, jobs=jobs, progress=progress)
    except KeyboardInterrupt:
        click.echo(f"Stopped; {out} keeps what was made, and the same command goes on.", err=True)
        raise
    errors = sum(bool(attempt.error) for attempt in made.attempts)
    told = f"; {errors} raised an error" if errors else ""
    click.echo(f"{out}: {len(made.attempts)} attempts at {len(made.posed)} questions{told}.", err=True)


def _run_control(plan: Plan, name: str, out: Path, jobs: int) -> None:
    from bench.runner import plan_control

    with tempfile.TemporaryDirectory(prefix="forest-control-", ignore_cleanup_errors=True) as place:
        _run(plan_control(plan, name, Path(place) / name), out, jobs)


@contextmanager
def _progress(out: Path) -> Iterator[Progress]:
    """Show on standard error how far a run is."""

    def told(made: int, planned: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{out.name}: {made:,} of {planned:,} attempts", nl=made == planned, err=True)
        elif made % _TOLD_EACH == 0:
            click.echo(f"{out.name}: {made:,} of {planned:,} attempts", err=True)

    yield told
