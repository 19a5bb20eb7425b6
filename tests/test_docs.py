"""The documentation tells what the code does: pages are compared with it, their commands run, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import click
import pytest

from forest.answer import Answer, Claim, Missing, Near
from forest.citation import Citation
from forest.cli import cli
from forest.config import _KNOWN, _NUMBERS
from forest.edge import BUILT_IN
from forest.finding import Finding
from forest.passport import _KEYS, Passport, render_node
from forest.validity import Clock
from forest.versions import VERSIONS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "fixtures").glob("*.md")])
FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")
COMMANDS = cli.list_commands(click.Context(cli))


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading {heading}"
    return found[1]


def first_column(text: str) -> list[str]:
    """The words in code marks that the rows of the tables of a text begin with."""
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


def named_fields(text: str, row: str) -> list[str]:
    """What stands in code marks in the row of a table that begins with a word."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {row} |"))
    return re.findall(r"`([^`]+)`", line)


def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# --- pages made from the code -------------------------------------------------------------------------------------


def test_the_page_of_the_command_line_is_what_the_commands_say() -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert page == load("make_cli").render(), "run `make docs`"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_and_stands_on_the_page(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    shown = command.get_help(click.Context(command, info_name=name))
    assert "\n  Example:\n" in shown  # on a line of its own: `\b` before it, in a docstring that is not raw
    assert f"forest {name}" in shown.partition("\n  Example:\n")[2]
    assert f"## forest {name}\n" in (DOCS / "cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_readme_names_every_command(name: str) -> None:
    assert f"`forest {name}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["architecture.md", "formats.md"])
def test_the_tables_of_a_page_are_those_of_the_code(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert page == load("make_tables").render(page), "run `make docs`"


def test_the_tables_of_modules_follow_the_layers_that_are_checked() -> None:
    maker = load("make_tables")
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    order = [name for layer in maker.layers("forest") for name in layer]
    listed = [name.removeprefix("forest.") for name in re.findall(r"^\| `(forest\.\w+)` \|", page, re.MULTILINE)]
    assert listed == order


def test_every_module_that_a_page_names_exists() -> None:
    pattern = re.compile(r"`((?:forest|curation|navigator|bench)(?:\.\w+|/\w+(?:/\w+)*\.py))`")
    entry_points = {"forest.commands", "forest.yaml"}
    missing = [
        f"{page.name}: {name}"
        for page in PAGES
        for name in pattern.findall(page.read_text(encoding="utf-8"))
        if name not in entry_points
        and not (ROOT / name).is_file()
        and not (ROOT / f"{name.replace('.', '/')}.py").is_file()
        and not (ROOT / name.replace(".", "/") / "__init__.py").is_file()
    ]
    assert not missing


# --- commands in pages run ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
def test_the_commands_of_a_page_run_and_print_what_it_says(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    ran = load("transcripts").run((ROOT / page).read_text(encoding="utf-8"), folder)
    assert ran, "the page has no `console` block"
    assert [(r.command, r.status) for r in ran if r.status] == []
    wrong = [f"$ {r.command}\n{r.printed}" for r in ran if not r.same]
    assert not wrong, "run `make docs`"


def test_the_first_hunt_of_the_readme_is_that_of_make_hunt() -> None:
    question = re.search(r"^QUESTION \?= (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert question
    assert f'$ forest hunt "{question[1]}"' in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_make_target_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"(?:`|^)make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= targets, page.name


# --- links --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_internal_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        assert place.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(place), f"{page.name}: {target}"


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = {(ROOT / target.partition("#")[0]).resolve() for target in re.findall(r"\]\(([^)\s]+)\)", readme)}
    assert {page for page in [*ROOT.glob("*.md"), *DOCS.glob("*.md")] if page.name != "README.md"} <= linked


# --- docs/formats.md tells the formats ----------------------------------------------------------------------------


def test_the_formats_list_the_keys_of_passports() -> None:
    assert set(first_column(section(FORMATS, "Passport keys"))) == _KEYS
    assert len(first_column(section(FORMATS, "Passport keys"))) == len(_KEYS)


def test_the_formats_tell_the_order_in_which_keys_are_written() -> None:
    told = re.search(r"keys in the order (.+?)\.$", section(FORMATS, "Passport keys"), re.MULTILINE | re.DOTALL)
    assert told
    order = re.findall(r"`(\w+)`", told[1])
    assert set(order) == _KEYS
    assert [field.name for field in fields(Passport) if field.name != "lines"] == order
    text = render_node(Passport("a", "topic", "t", "s", "c", ("x",), ("y",)), "")
    assert [line.partition(":")[0] for line in text.splitlines()[1:-1]] == order[:7]


def test_the_formats_list_the_edge_kinds() -> None:
    rows = [
        [
            f"`{kind.name}`",
            f"`{kind.inverse}`",
            "no" if kind.acyclic else "yes",
            ", ".join(sorted(kind.sources)) or "any",
            ", ".join(sorted(kind.targets)) or "any",
            "; ".join(kind.words) or "-",
            "; ".join(kind.inverse_words) or "-",
        ]
        for kind in BUILT_IN
    ]
    table = re.findall(r"^\| `.+$", section(FORMATS, "Edge kinds"), re.MULTILINE)
    assert [[cell.strip() for cell in row.strip("|").split("|")] for row in table] == rows


def test_the_formats_list_the_keys_of_forest_yaml() -> None:
    text = section(FORMATS, "forest.yaml")
    assert set(first_column(text)) == _KNOWN
    assert set(_NUMBERS) - {"format"} <= set(re.findall(r"`(\w+)`", text))


def test_the_formats_list_the_fields_of_citations_and_findings() -> None:
    assert first_column(section(FORMATS, "Citation")) == [field.name for field in fields(Citation)]
    assert first_column(section(FORMATS, "lint")) == [field.name for field in fields(Finding)]


@pytest.mark.parametrize(
    ("row", "value"), [("answer", Answer), ("clock", Clock), ("claim", Claim), ("missing", Missing), ("near", Near)]
)
def test_the_formats_list_the_keys_of_answers(row: str, value: type) -> None:
    assert named_fields(section(FORMATS, "hunt"), row) == [field.name for field in fields(value)]


def test_the_formats_tell_the_versions_of_derived_state() -> None:
    told = dict(re.findall(r"^\| (\w+) \| `([^`]+)` \|$", section(FORMATS, "Derived state"), re.MULTILINE))
    assert told == VERSIONS


def test_the_licence_is_the_one_that_the_project_states() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{project['license']} License")
