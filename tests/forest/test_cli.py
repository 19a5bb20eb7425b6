"""The command line: arguments, exit status, output. Ids of git, hashes and places are shown as ID, HASH and HERE."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from forest.cli import cli
from tests.conftest import SMALL, Forest, assert_one_clear_sentence, plant

TODAY = ("--today", "2026-03-01")
WAGE = "¿De cuánto es el salario mínimo general?"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forest that the cases below only read."""
    return plant(tmp_path_factory.mktemp("mesa") / "bosque", SMALL)


def said(text: str, place: Path) -> str:
    text = text.replace(str(place), "HERE")
    text = re.sub(r"\b[0-9a-f]{20}-[0-9a-f]{8}\b", "STATE", text)
    text = re.sub(r"(?<=sha256 )[0-9a-f]{16}\b", "HASH", text)
    text = re.sub(r"\b(?:[0-9a-f]{40}|[0-9a-f]{12})\b", "ID", text)
    return re.sub(r"^Indexing .*\n", "", text, flags=re.MULTILINE)


def no_node(node_id: str) -> str:
    return (
        f"forest: Commit ID has no node '{node_id}' that can be read.\n"
        "  Find ids with `forest search WORDS`; `forest lint` names files that cannot be read.\n"
    )


BEST = (
    "COMPLETE AS ASKED: all 1 passages found for «tortugas». MORE MAY BE FOUND, as only 1 were looked for: "
    "forest search tortugas --limit 50 --forest HERE"
)

CASES: list[tuple[tuple[str, ...], int, str]] = [
    (
        ("hunt", WAGE, *TODAY),
        0,
        """\
Answer: 315.04 pesos

[1] Salarios mínimos 2026
    El salario mínimo general será de 315.04 pesos diarios por jornada.
    (1 more parts not quoted here: forest show dof-salarios)

Citations
[1] dof-salarios#1  sha256 HASH  blob ID  commit ID

In force: 2026-03-01 (from the date of today). Not legal advice; not the official edition. Check the gazette before \
you rely on it.
""",
    ),
    (
        ("search", "tortugas", "--limit", "1"),
        0,
        f"""\
{BEST}
[1] dof-vacaciones#1  Vacaciones: El periodo anual de vacaciones será de doce días laborables. Las tortugas anidan en \
mayo.
{BEST}
""",
    ),
    (("search", "zzz"), 1, "COMPLETE: no passages found for «zzz».\n" * 2),
    (
        ("show", "dof-vacaciones"),
        0,
        """\
dof-vacaciones  Vacaciones
trabajo/vacaciones.md  commit ID  blob ID

# Vacaciones

El periodo anual de vacaciones será de doce días laborables.

Las tortugas anidan en mayo.
""",
    ),
    (
        ("show", "index", "--at", "HEAD"),
        1,
        no_node("index"),
    ),
    (
        ("show", "trabajo", "--passport"),
        0,
        """\
trabajo  (topic)
Trabajo

Un texto.

Doors: all 3 doors
  parent         raiz  un texto
  child          dof-salarios  un texto
  child          dof-vacaciones  un texto
""",
    ),
    (
        ("show", "nada"),
        1,
        no_node("nada"),
    ),
    (
        ("show", "dof-salario", "--passport"),
        1,
        "forest: The forest has no node 'dof-salario'.\n  Did you mean dof-salarios?\n",
    ),
    (
        ("show", "raiz", "--at", "nunca"),
        1,
        "forest: 'nunca' names no commit of the repository at HERE.\n  List commits with `git log --oneline`.\n",
    ),
    (
        ("status",),
        0,
        """\
     name  prueba
   commit  ID
     tree  ID
    nodes  4
    edges  0
 passages  4
 left_out  0
    state  HERE/.git/forest/root-e3b0c442/STATE
   trails  none
  private  0 trails
    walks  0 in the journal, 0 without an ending
""",
    ),
    (
        ("verify", "{}"),
        2,
        "forest: There is no citation in it.\n  A citation has node, blob, commit, sha256 and quote.\n",
    ),
    (
        ("verify", "nada.json"),
        2,
        "forest: 'nada.json' is neither JSON nor a file.\n  Give a citation, a file, or - for standard input.\n",
    ),
    (("hunt", " "), 2, 'forest: The question is empty.\n  Ask something: forest hunt "¿…?"\n'),
    (
        ("hunt", "salario", "--as-of", "2026-13-01"),
        2,
        "forest: --as-of '2026-13-01' is not a day of the calendar.\n  Write it as YYYY-MM-DD, e.g. 2023-01-01.\n",
    ),
    (("hunt",), 2, "Error: Missing argument 'QUESTION...'.\n"),
    (("nada",), 2, "Error: No such command 'nada'.\n"),
    (("search", "x", "--limit", "0"), 2, "Error: Invalid value for '--limit': 0 is not in the range 1<=x<=50.\n"),
]


@pytest.mark.parametrize(("arguments", "code", "output"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_command(place: Path, forest: Forest, arguments: tuple[str, ...], code: int, output: str) -> None:
    ran = forest(*arguments, "--forest", place)
    shown = said(ran.said, place)
    assert ran.code == code, ran
    if shown.startswith("Usage:"):  # click's own words come first
        assert shown.endswith(output)
    else:
        assert shown == output
    if code == 2:
        assert ran.out == ""


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("hunt", WAGE), {"question", "status", "clock", "claims", "missing", "nearest", "notes", "confidence"}),
        (("hunt", "dinosaurios"), {"status", "claims"}),
        (("hunt", "artículo 999 de la LFT"), {"status", "missing"}),
        (("show", "raiz"), {"id", "path", "commit", "blob", "title", "text"}),
        (("show", "raiz", "--passport"), {"node", "doors", "doors_in_all"}),
        (("search", "salario"), {"shown", "total", "truncated", "next", "tokens", "items"}),
        (("search", "zzz"), {"shown", "items"}),
        (("outline",), {"shown", "total", "truncated", "next", "tokens", "items"}),
        (("scent", "trabajo"), {"shown", "items"}),
        (("read", "raiz#1"), {"shown", "items"}),
        (("status",), {"name", "commit", "tree", "nodes", "edges", "passages", "left_out", "state"}),
    ],
)
def test_json_is_an_object_with_these_keys(
    place: Path, forest: Forest, arguments: tuple[str, ...], keys: set[str]
) -> None:
    ran = forest(*arguments, "--json", "--forest", place)
    assert keys <= ran.json.keys()


def test_json_of_findings_is_a_list(place: Path, forest: Forest) -> None:
    assert isinstance(forest("lint", "--json", "--forest", place).json, list)


@pytest.mark.parametrize("words", ["salario", "zzz", "🌵"])
def test_json_of_a_search_has_as_many_items_as_it_says(place: Path, forest: Forest, words: str) -> None:
    shown = forest("search", words, "--json", "--forest", place).json
    assert len(shown["items"]) == shown["shown"] == shown["total"]


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (
            ("hunt", WAGE, "--as-of", "2025-01-01", *TODAY),
            "2025-01-01 (from the option); nothing later than 2025-01-01",
        ),
        (("hunt", "dinosaurios", "--in-force-on", "2024-02-29"), "2024-02-29 (from the option)"),
        (("hunt", "¿Qué dinosaurios había en 2024?"), "2024-01-01 to 2024-12-31 (from the question)"),
        (("hunt", "dinosaurios", *TODAY), "2026-03-01 (from the date of today)"),
    ],
)
def test_a_hunt_that_finds_nothing_ends_with_1_and_says_for_when_it_looked(
    place: Path, forest: Forest, arguments: tuple[str, ...], last: str
) -> None:
    ran = forest(*arguments, "--forest", place)
    assert ran.code == 1
    assert ran.out.startswith("Nothing in this forest")
    assert ran.out.splitlines()[-1].startswith(f"In force: {last}. Not legal advice;")
    assert "315.04" not in ran.out


def test_a_passage_named_is_shown_alone(place: Path, forest: Forest) -> None:
    shown = forest("show", "raiz#1", "--forest", place)
    assert (shown.code, shown.out.splitlines()[0].split()[0]) == (0, "raiz#1")
    assert forest("show", "raiz#99", "--forest", place).code == 1


def _commands() -> list[str]:
    return cli.list_commands(click.Context(cli))


@pytest.mark.parametrize("name", ["", *_commands()])
def test_the_help_of_every_command_says_what_it_does_and_shows_an_example(name: str) -> None:
    shown = CliRunner().invoke(cli, [*([name] if name else []), "--help"], prog_name="forest")
    assert shown.exit_code == 0
    assert re.search(rf"^ +Examples?:\s+forest .*{name}", shown.output, re.MULTILINE), shown.output
    assert CliRunner().invoke(cli, [*([name] if name else []), "-h"], prog_name="forest").output == shown.output


def test_the_list_of_commands_names_each_with_its_purpose() -> None:
    shown = CliRunner().invoke(cli, ["--help"], prog_name="forest").output
    for name in _commands():
        assert re.search(rf"^  {name} +\S", shown, re.MULTILINE)


def test_the_version_is_told(program: Forest) -> None:
    ran = program("--version")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(r"forest, version \d+\.\d+\.\d+\n", ran.out)


def test_debug_lets_the_traceback_through(tmp_path: Path, program: Forest) -> None:
    plain = program("status", "--forest", tmp_path)
    assert_one_clear_sentence(plain, "not a git repository")
    assert "Traceback" in program("--debug", "status", "--forest", tmp_path).err


def test_the_place_may_come_from_the_environment(place: Path, program: Forest, tmp_path: Path) -> None:
    assert program("show", "raiz", cwd=tmp_path, FOREST_DIR=str(place)).code == 0


def test_progress_goes_to_standard_error_once_and_json_stays_json(tmp_path: Path, program: Forest) -> None:
    folder = plant(tmp_path / "bosque", SMALL)
    ran = program("hunt", WAGE, "--json", "--forest", folder)
    assert ran.json["status"] == "answered"
    assert ran.err == "Indexing 4 nodes (once for each committed state).\n"
    assert program("hunt", WAGE, "--json", "--forest", folder).err == ""


def test_a_terminal_that_is_not_utf8_shows_a_substitute(place: Path, program: Forest) -> None:
    ran = program("hunt", WAGE, "--forest", place, PYTHONIOENCODING="koi8-r", PYTHONUTF8="0")
    assert ran.code == 0
    assert "El salario m?nimo general ser? de 315.04 pesos" in ran.out


def test_a_reader_that_goes_away_is_no_error(place: Path) -> None:
    import subprocess
    import sys

    command = f"'{sys.executable}' -m forest.cli search vacaciones salario --json --forest '{place}' | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr
    assert done.stdout == "{"


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys, forest.cli, forest.commands\n"
        "print(sorted({'git', 'networkx', 'tantivy', 'tiktoken', 'openai', 'sqlite3', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
