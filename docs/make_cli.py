"""Writes `docs/cli.md`: what every command says with `--help`, so that the page and the program cannot differ.

Run by `make docs`. With `--check` it writes nothing and ends with status 1 when the page is not what it would write.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from forest.cli import cli

PAGE = Path(__file__).with_name("cli.md")
_WIDTH = 96
_HEAD = """\
# The command line

This page is made by `make docs` from what the commands say of themselves; do not edit it.

Every command ends with status 0 when all is well, 1 when there are findings, nothing was found or something failed,
and 2 when it was called wrongly. Errors are one sentence and the next thing to try; `forest --debug COMMAND` shows the
traceback. Without `--forest`, commands take the folder that `FOREST_DIR` names, else the nearest one from here upwards
with a `forest.yaml`. What each JSON output holds is in [formats.md](formats.md).
"""


def render() -> str:
    """Return the page.

    Raises:
        RuntimeError: a command of an installed package cannot be loaded, so its help is not known.
    """
    top = click.Context(cli, info_name="forest", terminal_width=_WIDTH, **cli.context_settings)
    parts = [_HEAD, _section("forest", cli.get_help(top))]
    for name in cli.list_commands(top):
        command = cli.get_command(top, name)
        if command is None or (command.help or "").startswith("Cannot be loaded"):
            raise RuntimeError(f"the command {name} cannot be loaded")
        parts += _sections(f"forest {name}", command, top)
    return "\n".join(parts)


def _sections(title: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    """Yield the section of a command, and of a group those of its commands after it."""
    context = click.Context(command, info_name=title.rpartition(" ")[2], parent=parent, terminal_width=_WIDTH)
    yield _section(title, command.get_help(context))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _sections(f"{title} {name}", below, context)


def _section(title: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n{lines}\n```\n"


def main() -> None:
    """Write the page, or compare it."""
    page = render()
    if "--check" in sys.argv[1:]:
        sys.exit(int(not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page))
    PAGE.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
