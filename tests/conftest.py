"""Helpers of all tests: a forest made of texts in a real repository, and the command line run on it.

Every test has a home of its own, so that neither the configuration of whoever runs the tests nor their cache is seen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings

settings.register_profile(
    "forest", deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("forest")

FIXTURES = Path(__file__).parents[1] / "fixtures"
CONFIG = "name: prueba\n"


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of the command line did."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    for name in [*os.environ]:
        if name.startswith(("GIT_", "FOREST_", "OPENAI_")) and name != "FOREST_REAL_DATA":
            monkeypatch.delenv(name)
    monkeypatch.setenv("FOREST_NO_DEPOSIT", "1")  # forests are shared by tests; those of trails have their own


def git(folder: Path, *arguments: str, data: bytes | None = None) -> str:
    """Run git as a curator would and return what it printed."""
    identity = ("-c", "user.name=Curadora", "-c", "user.email=c@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], input=data, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files by path, text as UTF-8."""
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)


def commit(folder: Path, files: Mapping[str, str | bytes] | None = None, message: str = "cambio") -> str:
    """Write files, commit everything, and return the commit's id."""
    write(folder, files or {})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def plant(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make `folder` a repository whose only commit is a forest of these files; `forest.yaml` is added if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, {"forest.yaml": CONFIG, **files}, "bosque")
    return folder


def node(node_id: str, body: str = "", **passport: str) -> str:
    """Return the text of a node; the values of the passport are YAML as written."""
    fields = {"kind": "publication", "title": node_id, "summary": "Un texto.", "scent": "un texto"} | passport
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items() if value)
    return f"---\nid: {node_id}\n{lines}---\n\n{body}\n"


SALARIOS = node(
    "dof-salarios",
    "# Salarios\n\nEl salario mínimo general será de 315.04 pesos diarios por jornada.\n\n"
    "La resolución entra en vigor el 1 de enero de 2026.",
    title="Salarios mínimos 2026",
    summary="Montos del salario mínimo.",
    tags="[salario-minimo]",
    published="2025-12-09",
)
VACACIONES = node(
    "dof-vacaciones",
    "# Vacaciones\n\nEl periodo anual de vacaciones será de doce días laborables.\n\nLas tortugas anidan en mayo.",
    title="Vacaciones",
    summary="Días de descanso.",
    published="2022-12-27",
)
SMALL = {
    "index.md": node("raiz", "# Raíz\n\nBosque de prueba.", kind="topic", title="Raíz"),
    "trabajo/index.md": node("trabajo", "# Trabajo\n\nNormas del trabajo.", kind="topic", title="Trabajo"),
    "trabajo/salarios.md": SALARIOS,
    "trabajo/vacaciones.md": VACACIONES,
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A forest of four nodes."""
    return plant(tmp_path / "bosque", SMALL)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample forest, committed. Shared: tests only read it."""
    folder = tmp_path_factory.mktemp("muestra") / "bosque"
    files = {p.relative_to(FIXTURES / "forest").as_posix(): p.read_bytes() for p in (FIXTURES / "forest").rglob("*.*")}
    return plant(folder, files)


Forest = Callable[..., Ran]


@pytest.fixture
def forest() -> Forest:
    """Run the command line in this process. What is no error of ours fails the test as the exception it is."""

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Ran:
        from forest.cli import cli

        result = CliRunner().invoke(cli, [str(a) for a in arguments], input=stdin, prog_name="forest")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def program() -> Forest:
    """Run the command line as a process of its own, as a person does; a minute without an end fails the test."""

    def run(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "forest.cli", *map(str, arguments)],
            cwd=cwd,
            input=stdin,
            capture_output=True,
            timeout=60,
            check=False,
            env={**os.environ, **environment},
        )
        return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    return run


def assert_one_clear_sentence(ran: Ran, *words: str) -> None:
    """The run refused: exit 1 or 2, nothing on standard output, a sentence that names what and where, no traceback."""
    assert ran.code in (1, 2), ran
    assert ran.out == "", ran
    assert "Traceback" not in ran.err, ran.err
    said = [line for line in ran.err.splitlines() if not line.startswith("Indexing")]
    assert said, ran
    assert len(said) <= 4, ran.err
    for word in words:
        assert word in ran.err, ran.err
