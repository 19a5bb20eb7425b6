"""The command `forest curate`.

Owns arguments, progress, the table and the exit status; the work is `curation.run`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.report import Report, counted
from forest.text import escaped, one_line, printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_SHOWN = 60
_EACH = 50
_NOTHING = (
    "Nothing was curated. Accepted are consolidated laws of the Chamber of Deputies as Markdown (text files named "
    "ABBR_name.md that begin with the law's title, # LEY …, and hold articles and the date of publication), and single "
    "publications of the official gazette as Markdown (text files that begin with the act's heading, ACUERDO por el "
    "que …, and its seal, Al margen un sello …; named YYYY-MM-DD_… or listed in a manifest.jsonl)."
)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--into",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The forest's folder; made when missing or empty.",
)
@click.option(
    "--manifest",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What is known of publications: JSON Lines; without it the manifest.jsonl beside or above the files.",
)
@click.option("--overwrite", is_flag=True, help="Generate again also the nodes that somebody edited.")
@click.option(
    "--jobs", default=2, show_default=True, type=click.IntRange(1, 64), help="How many processes read and render."
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcomes as JSON.")
def curate(
    paths: tuple[Path, ...], into: Path, manifest: Path | None, overwrite: bool, jobs: int, as_json: bool
) -> None:
    """Curate laws and gazette publications into a forest, in one commit.

    PATHS are files, or folders that are searched for files: the Chamber of Deputies' laws as Markdown
    (`LFT_ley_federal_del_trabajo.md`), and single publications of the official gazette as Markdown
    (`2024-04-12_020_norma.md`, or listed in a manifest). Nodes that somebody edited since are kept; a second run
    over the same files changes nothing.

    \b
    Example:
      forest curate leyes/ --into mi-bosque
      forest curate leyes/ publicaciones/ --into mi-bosque
    """  # noqa: D301 - \b tells click to keep the lines
    from curation.run import curate as run

    with _Bar() as bar:
        report = run(paths, into, manifest=manifest, overwrite=overwrite, jobs=jobs, progress=bar.show)
    if as_json:
        plain = {"commit": report.commit, "counts": report.counts, "outcomes": [asdict(o) for o in report.outcomes]}
        click.echo(escaped(json.dumps(plain, ensure_ascii=False, indent=1)))
    else:
        _show(report)
    if not report.curated:
        click.echo(_NOTHING, err=True)
    if report.unreadable or not report.curated:
        sys.exit(1)


def _show(report: Report) -> None:
    """Print the outcomes, one line each, and what to do next."""
    for outcome in report.outcomes:
        missed = counted(outcome.edges_missed, "citation")
        what = outcome.reason or f"{counted(outcome.nodes, 'node')}, {missed} unresolved"
        name = _line(outcome.name)[:_SHOWN]
        click.echo(f"{outcome.status:<9}  {name:<{_SHOWN}}  {outcome.instrument}  {_line(what)}")
        for path in outcome.kept:
            click.echo(f"           kept: edited by hand  {_line(path)}")
    total = ", ".join(f"{count} {status}" for status, count in report.counts.items()) or "no input"
    click.echo(f"{total}; " + (f"commit {report.commit[:12]}" if report.commit else "nothing to commit"))
    if report.detached:
        click.echo("HEAD is detached: the commit is on no branch.")
    if report.behind:
        click.echo(f"These laws cite what came now; curate them again for the edges: {', '.join(report.behind)}")


def _line(text: str) -> str:
    """Text from file names as one line that does nothing to a terminal; bytes that are no UTF-8 show as `?`."""
    return printable(one_line(text)).encode("utf-8", "replace").decode()


class _Bar:
    """Progress on stderr: a bar where somebody can see it, else a line at the start and one for each fifty texts."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> _Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def show(self, what: str, done: int, total: int) -> None:
        """Show that `done` of `total` are read or rendered; with "files", how many there are to begin with."""
        if self._progress is None:
            if what == "files":
                click.echo(f"Curating {counted(total, 'file')}…", err=True)
            elif what == "render" and done % _EACH == 0:
                click.echo(f"{done} of {counted(total, 'text')}", err=True)
            return
        if what == "files":
            return
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)
