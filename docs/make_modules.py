"""Writes the tables of modules in `docs/architecture.md` from the modules' own first sentences and their layers.

Run by `make docs`. The layers are those that import-linter holds, in `pyproject.toml`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("architecture.md")
_BLOCK = re.compile(r"(<!-- modules of (?P<package>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def modules(package: str) -> dict[str, str]:
    """Return the modules of a package, sorted, with the first sentence of each; empty ones are left out."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if text:
            name = path.relative_to(ROOT / package).with_suffix("").as_posix().replace("/", ".")
            found[name] = re.split(r"(?<=\.)\s", " ".join(text.split("\n\n")[0].split()))[0]
    return found


def layers(package: str) -> list[list[str]]:
    """Return the layers that import-linter holds inside a package, top first; empty when it holds none."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get("containers") == [package]:
            return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    return []


def table(package: str) -> str:
    """Return the table of a package: by layer, where it has layers, top first; else by name."""
    known = modules(package)
    order = [name for layer in layers(package) for name in layer if name in known]
    order += [name for name in known if name not in order]
    rows = [f"| `{package}.{name}` | {known[name]} |" for name in order if name != "__init__"]
    return "\n".join(["| module | what it says of itself |", "|---|---|", *rows, ""])


def render(page: str) -> str:
    """Return the page with its tables made anew."""
    return _BLOCK.sub(lambda match: f"{match[1]}{table(match['package'])}{match[3]}", page)


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
