"""Writes the tables that pages take from the code: modules, edge kinds, versions of derived state.

A table stands between two comments, `<!-- modules of forest -->` and `<!-- end -->`. Run by `make docs`. The layers of
modules are those that import-linter holds, in `pyproject.toml`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from forest.edge import BUILT_IN
from forest.versions import VERSIONS

ROOT = Path(__file__).parents[1]
PAGES = tuple(Path(__file__).with_name(name) for name in ("architecture.md", "formats.md"))
_BLOCK = re.compile(r"(<!-- (?P<what>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def modules(package: str) -> dict[str, str]:
    """Return the modules of a package, sorted, with the first sentence of each; empty ones are left out."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        name = path.relative_to(ROOT / package).with_suffix("").as_posix().replace("/", ".")
        name = name.removesuffix(".__init__")
        if text and name != "__init__":
            found[name] = re.split(r"(?<=\.)\s", " ".join(text.split("\n\n")[0].split()))[0]
    return found


def layers(package: str) -> list[list[str]]:
    """Return the layers that import-linter holds inside a package, top first; empty when it holds none."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get("containers") == [package]:
            return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    return []


def table_of_modules(package: str) -> str:
    """Return the modules of a package: by layer, where it has layers, top first; else by name."""
    known = modules(package)
    order = [name for layer in layers(package) for name in layer if name in known]
    order += [name for name in known if name not in order]
    rows = ((f"`{package}.{name}`", known[name]) for name in order)
    return _table(("module", "what it says of itself"), rows)


def table_of_edge_kinds() -> str:
    """Return the built-in edge kinds."""
    rows = (
        (
            f"`{kind.name}`",
            f"`{kind.inverse}`",
            "no" if kind.acyclic else "yes",
            ", ".join(sorted(kind.sources)) or "any",
            ", ".join(sorted(kind.targets)) or "any",
            "; ".join(kind.words) or "-",
            "; ".join(kind.inverse_words) or "-",
        )
        for kind in BUILT_IN
    )
    return _table(("kind", "inverse", "circles", "from", "to", "asked by", "asked back by"), rows)


def table_of_versions() -> str:
    """Return the versions that derived state is a function of."""
    return _table(("part", "version"), ((part, f"`{version}`") for part, version in VERSIONS.items()))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _made(what: str) -> str:
    if what.startswith("modules of "):
        return table_of_modules(what.removeprefix("modules of "))
    return {"edge kinds": table_of_edge_kinds, "versions": table_of_versions}[what]()


def render(page: str) -> str:
    """Return a page with its tables made anew.

    Raises:
        KeyError: a page asks for a table that is not made here.
    """
    return _BLOCK.sub(lambda match: f"{match[1]}\n{_made(match['what'])}\n{match[3]}", page)


def main() -> None:
    """Write the pages."""
    for path in PAGES:
        path.write_text(render(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
