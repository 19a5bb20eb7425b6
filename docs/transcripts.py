"""Runs the `console` blocks of README.md and docs/tutorial.md, and writes or compares what they print.

A line that begins with `$ ` is a command; the lines up to the next one are what it prints. The commands of a page run
in order, in one folder that holds a copy of `fixtures/` and the sample forest as `make demo` makes it. Ids of commits
and of walks are not compared: they depend on who commits or walks, and when. `make docs` runs this to put the present
output into the pages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorial.md")
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PASSING = re.compile(r"(?<=commit )[0-9a-f]{12}|(?<=\"commit\": \")[0-9a-f]{40}|\b[0-9]{8}T[0-9]{6}-[0-9a-f]{8}\b")


@dataclass(frozen=True, slots=True)
class Ran:
    """One command of a page: what it is, what the page says it prints, what it printed, and its exit status."""

    command: str
    expected: str
    printed: str
    status: int

    @property
    def same(self) -> bool:
        """Whether the page says what was printed, ids of commits and walks apart."""
        return _PASSING.sub("", self.expected) == _PASSING.sub("", self.printed)


def steps(page: str) -> list[tuple[str, str]]:
    """Return (command, output) of all `console` blocks of a page, in order."""
    found: list[tuple[str, str]] = []
    for block in _BLOCK.findall(page):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], ""))
            else:
                command, output = found[-1]
                found[-1] = (command, f"{output}{line}\n")
    return found


def run(page: str, folder: Path) -> list[Ran]:
    """Run the commands of a page in an empty folder."""
    environment = prepare(folder)
    ran = []
    for command, expected in steps(page):
        # Status and output of the shell that a reader has; nothing of it comes from outside the repository.
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        ran.append(Ran(command, expected, done.stdout, done.returncode))
    return ran


def prepare(folder: Path) -> dict[str, str]:
    """Put the sample into a folder and return the environment that commands run in there."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "FOREST_"))}
    environment = kept | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONUTF8": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
    }
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {
            f"GIT_{who}_NAME": "A reader",
            f"GIT_{who}_EMAIL": "reader@localhost",
            f"GIT_{who}_DATE": "2026-01-02T00:00:00Z",
        }
    shutil.copytree(ROOT / "fixtures", folder / "fixtures")
    shutil.copytree(ROOT / "fixtures" / "forest", folder / ".demo" / "forest")
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Sample forest"]):
        subprocess.run(["git", *arguments], cwd=folder / ".demo" / "forest", env=environment, check=True)
    return environment


def refreshed(page: str, ran: list[Ran]) -> str:
    """Return a page with what was printed in the place of what it said, where the two differ."""
    results = iter(ran)

    def block(match: re.Match[str]) -> str:
        count = sum(line.startswith("$ ") for line in match[1].splitlines())
        done = [next(results) for _ in range(count)]
        body = "".join(f"$ {r.command}\n{r.expected if r.same else r.printed}" for r in done)
        return f"```console\n{body}```"

    return _BLOCK.sub(block, page)


def main() -> None:
    """Write the pages."""
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            ran = run(page, Path(folder))
        failed = [r.command for r in ran if r.status]
        if failed:  # what they print is not what the page should show
            sys.exit(f"{path.name}: these commands failed: {'; '.join(failed)}")
        path.write_text(refreshed(page, ran), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
