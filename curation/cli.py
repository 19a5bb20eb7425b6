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

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_SHOWN = 60


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--into",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The forest's folder; made when missing or empty.",
)
@click.option("--overwrite", is_flag=True, help="Generate again also the nodes that somebody edited.")
@click.option(
    "--jobs", default=2, show_default=True, type=click.IntRange(1, 64), help="How many processes read and render."
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcomes as JSON.")
def curate(paths: tuple[Path, ...], into: Path, overwrite: bool, jobs: int, as_json: bool) -> None:
    """Curate law texts into a forest, in one commit.

    PATHS are files, or folders that are searched for files, in the format of the Chamber of Deputies' laws as
    Markdown (`LFT_ley_federal_del_trabajo.md`). Nodes that somebody edited since are kept; a second run over the
    same files changes nothing.

    \b
    Example:
      forest curate leyes/ --into mi-bosque
    """  # noqa: D301 - \b tells click to keep the lines
    from curation.run import curate as run

    with _Bar() as bar:
        report = run(paths, into, overwrite=overwrite, jobs=jobs, progress=bar.show)
    if as_json:
        plain = {"commit": report.commit, "counts": report.counts, "outcomes": [asdict(o) for o in report.outcomes]}
        click.echo(json.dumps(plain, ensure_ascii=False, indent=1))
    else:
        for outcome in report.outcomes:
            what = outcome.reason or f"{outcome.nodes} nodes, {outcome.edges_missed} citations unresolved"
            click.echo(f"{outcome.status:<9}  {outcome.name[:_SHOWN]:<{_SHOWN}}  {outcome.instrument}  {what}")
            for path in outcome.kept:
                click.echo(f"           kept: edited by hand  {path}")
        total = ", ".join(f"{count} {status}" for status, count in report.counts.items()) or "no input"
        click.echo(f"{total}; " + (f"commit {report.commit[:12]}" if report.commit else "nothing to commit"))
    if report.counts.get("failed"):
        sys.exit(1)


class _Bar:
    """A progress bar on stderr, only where somebody can see it."""

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
        """Show that `done` of `total` are read or rendered."""
        if self._progress is None:
            return
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)
