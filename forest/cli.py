"""The `forest` command: a thin group over the packages, and the one place where errors become sentences.

Commands load when they are called: a search must not pay for what it does not use. Other packages add theirs through
the entry-point group `forest.commands`.
"""

from __future__ import annotations

import errno
import importlib
import sys
from typing import Any

import click

from forest.errors import ForestError

ENTRY_POINTS = "forest.commands"

# name -> (module, what it is for). The line stands here, and not only in the command, so that `forest --help` need not
# import every command.
_BUILT_IN = {
    "feedback": ("trail_commands", "Say of a hunt that it was good or bad."),
    "heat": ("heat_commands", "Tell which doors trails have warmed, and why."),
    "hunt": ("commands", "Answer a question from the forest, with citations."),
    "lint": ("commands", "List everything that is wrong with a forest."),
    "outline": ("step_commands", "Show where a node stands and what it consists of."),
    "read": ("step_commands", "Read a node as numbered sentences and table rows."),
    "scent": ("step_commands", "Show a node's passport and every door on from it."),
    "search": ("commands", "Find passages by words, names and identifiers."),
    "shortcuts": ("shortcut_commands", "List, apply and retire doors that trails earned."),
    "show": ("commands", "Print a node, now or at a revision."),
    "status": ("commands", "Tell which forest this is and what there is of it."),
    "tools": ("tool_commands", "Call a retrieval tool: JSON in, JSON out."),
    "trails": ("trail_commands", "List, share and forget the trails that hunts left."),
    "verify": ("commands", "Prove citations from git alone."),
}


class ForestGroup(click.Group):
    """A group whose commands are imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands, sorted."""
        return sorted({*_BUILT_IN, *(point.name for point in _entry_points())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command by name, None when there is none."""
        if cmd_name in _BUILT_IN:
            command = getattr(importlib.import_module(f"forest.{_BUILT_IN[cmd_name][0]}"), cmd_name)
            return command if isinstance(command, click.Command) else None
        point = next((point for point in _entry_points() if point.name == cmd_name), None)
        return _load(point) if point is not None else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands."""
        rows = {name: purpose for name, (_, purpose) in _BUILT_IN.items()}
        for point in _entry_points():
            rows[point.name] = _load(point).get_short_help_str(80)
        with formatter.section("Commands"):
            formatter.write_dl(sorted(rows.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors of ours become one sentence and their exit status."""
        try:
            return super().invoke(ctx)
        except ForestError as error:
            if ctx.params.get("debug"):
                raise
            _say(error.message, error.hint)
            ctx.exit(error.exit_code)
        except OSError as error:
            if ctx.params.get("debug") or error.errno == errno.EPIPE:  # click ends quietly when nobody reads on
                raise
            where = f" {error.filename}" if error.filename else ""
            _say(f"The system refused{where}: {error.strerror or error}.", "Look at permissions and free space.")
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("forest: interrupted; nothing was left half-written.", err=True)
            ctx.exit(130)


def _say(message: str, hint: str) -> None:
    """Print an error; it may hold words of a node, of git or of a file's name."""
    from forest.text import one_line, printable

    click.echo(f"forest: {printable(one_line(message))}", err=True)
    if hint:
        click.echo(f"  {printable(one_line(hint))}", err=True)


def _entry_points() -> list[Any]:
    from importlib.metadata import entry_points

    return sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name)


def _load(point: Any) -> click.Command:
    """Import a package's command; one that cannot be imported says so instead of taking `forest --help` with it."""
    try:
        command = point.load()
    except (ImportError, AttributeError) as error:
        return click.Command(point.name, callback=lambda: None, help=f"Cannot be loaded: {error}.")
    return command if isinstance(command, click.Command) else click.Command(point.name, help="Not a command.")


@click.group(cls=ForestGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="dof-forest", prog_name="forest")
def cli(debug: bool) -> None:
    """Ask a forest of Mexican law and gazette publications, curate it, and prove what it said.

    \b
    Example:
      forest hunt "¿Cuáles son los salarios mínimos de 2026?" --forest my-forest
    """  # noqa: D301 - \b tells click to keep the lines


def main() -> None:
    """Run the command line; the console script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that is not UTF-8 shows a substitute rather than a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    cli()


if __name__ == "__main__":
    main()
