"""Repositories, nodes and questions from people who mean harm, or who are unlucky: nothing runs, nothing leaks, nothing
hangs, and each case ends in a sentence."""

from __future__ import annotations

import json
import os
import shutil
import stat
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forest.commit import Batch
from forest.history import open_snapshot
from forest.limits import MAX_NODE_BYTES
from forest.node import load_node
from forest.oneshot import hunt
from forest.record import Record, digest
from forest.render import answer_text
from forest.state import State, open_state
from tests.conftest import SMALL, Forest, assert_one_clear_sentence, commit, git, node, plant, write

QUESTION = "¿De cuánto es el salario mínimo general?"
HOOKS = (
    "applypatch-msg pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-merge pre-push "
    "post-rewrite reference-transaction post-index-change fsmonitor-watchman pre-auto-gc"
).split()


def arm(folder: Path, marker: Path) -> None:
    """Set everything in a repository's own configuration that makes git run a command."""
    tool = folder.parent / "herramienta"
    tool.write_text(f'#!/bin/sh\necho "$0 $@" >> "{marker}"\ncat\n')
    tool.chmod(0o755)
    hooks = folder.parent / "ganchos"
    hooks.mkdir()
    for name in HOOKS:
        for place in (hooks, folder / ".git/hooks"):
            place.mkdir(exist_ok=True)
            shutil.copy(tool, place / name)
    keys = (
        "core.fsmonitor core.sshCommand core.pager core.editor core.askPass core.gitProxy "
        "core.alternateRefsCommand "
        "diff.external diff.malo.textconv diff.malo.command filter.malo.clean filter.malo.smudge filter.malo.process "
        "merge.malo.driver gpg.program credential.helper sequence.editor interactive.diffFilter "
        "uploadpack.packObjectsHook "
        "pager.ls-tree pager.grep pager.rev-parse pager.cat-file pager.show"
    ).split()
    for key in keys:
        git(folder, "config", key, str(tool))
    for command in (
        "rev-parse",
        "cat-file",
        "ls-tree",
        "grep",
        "show",
        "status",
        "fast-import",
        "read-tree",
        "update-ref",
    ):
        git(folder, "config", f"alias.{command}", f"!{tool}")
    for key, value in {
        "core.hooksPath": str(hooks),
        "filter.malo.required": "true",
        "commit.gpgSign": "true",
        "color.ui": "always",
        "remote.origin.url": f"ext::{tool} %S",
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
        "remote.origin.promisor": "true",
        "remote.origin.partialCloneFilter": "blob:none",
        "remote.origin.uploadpack": str(tool),
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
        "protocol.ext.allow": "always",
    }.items():
        git(folder, "config", key, value)
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/attributes").write_text("* filter=malo diff=malo merge=malo\n")


def test_no_command_of_a_repositorys_configuration_is_ever_run(tmp_path: Path, forest: Forest, program: Forest) -> None:
    folder = plant(tmp_path / "bosque", {**SMALL, ".gitattributes": "* filter=malo diff=malo merge=malo text\n"})
    first = git(folder, "rev-parse", "HEAD")
    commit(folder, {"nuevo.md": node("nuevo", "Palabras nuevas.")})
    marker = tmp_path / "corrio"
    arm(folder, marker)

    answer = program("hunt", QUESTION, "--json", "--forest", folder)
    assert answer.code == 0, answer
    assert not marker.exists(), marker.read_text()
    for arguments in (
        ("hunt", QUESTION),
        ("search", "salario"),
        ("status",),
        ("lint",),
        ("show", "dof-salarios"),
        ("show", "dof-salarios", "--passport"),
        ("show", "dof-salarios", "--at", "HEAD~1"),
        ("show", "dof-salarios", "--at", first),
        ("show", "no-hay"),
        ("verify", answer.out),
    ):
        ran = forest(*arguments, "--forest", folder)
        assert ran.code in (0, 1), ran
        assert not marker.exists(), f"{arguments}: {marker.read_text()}"

    write(folder, {"index.md": SMALL["index.md"]})
    os.utime(folder / "index.md", (1, 1))  # git must look at the content again, which is when filters run
    with Batch(folder) as batch:
        batch.put("index.md", node("raiz", "Otra raíz.", kind="topic").encode())
        batch.put("otra/mas.md", node("mas").encode())
        batch.delete("nuevo.md")
        assert batch.commit("cambio")
    assert not marker.exists(), marker.read_text()
    assert git(folder, "cat-file", "-t", "HEAD") == "commit"


def test_the_same_configuration_does_run_commands_when_git_is_called_plainly(tmp_path: Path) -> None:
    # The control of the test above: without it a spelling mistake in the configuration would look like safety.
    import subprocess

    folder = plant(tmp_path / "bosque", {**SMALL, ".gitattributes": "* filter=malo diff=malo\n"})
    marker = tmp_path / "corrio"
    arm(folder, marker)
    write(folder, {"index.md": "otra cosa"})
    subprocess.run(["git", "-C", folder, "status"], capture_output=True, check=False, timeout=60)
    assert marker.exists()


def test_a_missing_blob_of_a_partial_clone_is_not_fetched(tmp_path: Path, forest: Forest) -> None:
    folder = plant(tmp_path / "bosque", SMALL)
    answer = forest("hunt", QUESTION, "--json", "--forest", folder)
    shutil.rmtree(folder / ".git/forest")
    marker = tmp_path / "corrio"
    arm(folder, marker)
    blob = git(folder, "rev-parse", "HEAD:trabajo/salarios.md")
    (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    for arguments, says in (
        (("hunt", QUESTION), "lacks the content of trabajo/salarios.md"),
        (("status",), "lacks the content of trabajo/salarios.md"),
        (("show", "dof-salarios"), "no node 'dof-salarios'"),
    ):
        assert_one_clear_sentence(forest(*arguments, "--forest", folder), says)
        assert not marker.exists(), f"{arguments}: {marker.read_text()}"
    assert forest("verify", answer.out, "--forest", folder).code == 1
    assert not marker.exists(), marker.read_text()


@pytest.mark.parametrize(
    "revision", ["--output=x", "-h", "HEAD:index.md", "HEAD\nx", "nada", "HEAD~99", "--", "\udcff"]
)
def test_a_revision_that_is_none_is_refused_and_writes_nothing(small: Path, forest: Forest, revision: str) -> None:
    before = sorted(small.rglob("*"))
    ran = forest("show", "raiz", f"--at={revision}", "--forest", small)
    assert_one_clear_sentence(ran, "names no commit")
    assert sorted(small.rglob("*")) == before


def test_links_out_of_the_forest_are_never_followed(small: Path, tmp_path: Path, forest: Forest) -> None:
    secret = tmp_path / "secreto"
    write(secret, {"clave.md": node("clave", "La clave es 4711.")})
    (small / "nodo.md").symlink_to(secret / "clave.md")
    (small / "carpeta").symlink_to(secret)
    commit(small)
    for arguments in (("hunt", "¿Cuál es la clave?"), ("search", "clave"), ("show", "clave"), ("status",), ("lint",)):
        ran = forest(*arguments, "--forest", small)
        assert "4711" not in ran.said, arguments
    assert forest("status", "--json", "--forest", small).json["nodes"] == 4
    assert "carpeta: link: A symbolic link" in forest("lint", "--forest", small).out


def test_a_submodule_is_not_entered(small: Path, forest: Forest) -> None:
    git(small, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},modulo.md")
    git(small, "commit", "-q", "-m", "módulo")
    assert forest("status", "--json", "--forest", small).json["nodes"] == 4
    assert forest("hunt", QUESTION, "--forest", small).code == 0


@pytest.mark.parametrize(
    "node_id", ["../../x", "/etc/passwd", "a//b", "A", "", "-x y", "x" * 300, "raiz\n", "\udcff", "a@b", "\x1b[31m"]
)
@pytest.mark.parametrize("passport", [(), ("--passport",)])
def test_an_id_that_cannot_be_one_is_refused(
    small: Path, forest: Forest, node_id: str, passport: tuple[str, ...]
) -> None:
    ran = forest("show", *passport, "--forest", small, "--", node_id)
    assert_one_clear_sentence(ran, "cannot be a node's id")


def test_a_node_of_50_megabytes_is_left_out_and_told(small: Path, forest: Forest) -> None:
    with (small / "a-enorme.md").open("w") as file:
        file.write(node("enorme", "dof-salarios"))
        file.write("salario mínimo general dof-salarios\n" * 1_500_000)
    assert (small / "a-enorme.md").stat().st_size > 50_000_000 > MAX_NODE_BYTES
    commit(small)
    ran = forest("hunt", QUESTION, "--forest", small)
    assert ran.code == 0
    assert "1 files of this forest could not be read as nodes" in ran.out
    assert forest("show", "dof-salarios", "--forest", small).code == 0
    assert_one_clear_sentence(forest("show", "enorme", "--forest", small), "no node 'enorme'")


@pytest.mark.parametrize("piece", ["a", "á", ".", "IV. "])
def test_the_time_that_an_endless_line_takes_is_in_proportion_to_its_length(piece: str) -> None:
    # No clock: what takes the square of this length would not end today.
    data = node("linea", piece * (1_000_000 // len(piece))).encode()
    found = load_node(data, "linea.md")[0]
    assert found is not None
    assert len(digest(found, "0" * 40, 400).passages) == 1


ESCAPES = "\x1b[31mrojo\x1b]0;título\x07\x9b2J\u202eoculto\u2066\u061c\u200b\r\x08"


def test_control_characters_of_a_node_reach_no_terminal(tmp_path: Path, forest: Forest) -> None:
    quoted = json.dumps(f"Salario {ESCAPES}")
    files = {
        "forest.yaml": f"name: {json.dumps(f'bosque {ESCAPES}')}\n",
        "index.md": node("raiz", f"# Salario {ESCAPES}\n\nEl salario es de 5 pesos {ESCAPES} diarios.", kind="topic")
        .replace("title: raiz", f"title: {quoted}")
        .replace("summary: Un texto.", f"summary: {quoted}\ntags: [{quoted}]")
        .replace("scent: un texto", f"scent: {quoted}"),
        "hoja.md": node("hoja", "Hoja.", scent=quoted, title=quoted),
    }
    folder = plant(tmp_path / "bosque", files)
    answer = forest("hunt", "¿De cuánto es el salario?", "--json", "--forest", folder)
    assert answer.json["claims"], answer
    for arguments in (
        ("hunt", "¿De cuánto es el salario?"),
        ("hunt", f"¿De cuánto es el salario? {ESCAPES}"),
        ("search", "salario", "--explain"),
        ("search", "salario", "--json"),
        ("show", "raiz"),
        ("show", "raiz", "--json"),
        ("show", "raiz", "--passport"),
        ("show", "raiz", "--passport", "--json"),
        ("show", "raiz", "--passport", "--at", "HEAD"),
        ("status",),
        ("status", "--json"),
        ("lint",),
        ("verify", answer.out),
        ("verify", answer.out, "--json"),
        ("show", f"no{ESCAPES}"),
        ("show", "raiz", "--at", ESCAPES),
        ("hunt", "x", "--as-of", ESCAPES),
        ("verify", ESCAPES),
    ):
        ran = forest(*arguments, "--forest", folder)
        assert not {c for c in ran.said if c in ESCAPES and not c.isprintable()}, (arguments, ran.said)


def test_a_forest_yaml_with_control_characters_complains_without_them(small: Path, forest: Forest) -> None:
    commit(small, {"forest.yaml": f"name: x\n{json.dumps(ESCAPES)}: y\n"})
    ran = forest("status", "--forest", small)
    assert_one_clear_sentence(ran, "unknown key")
    assert not {"\x1b", "\x9b", "\u202e"} & set(ran.err)


@pytest.mark.parametrize(
    "question",
    [
        "¿¡...!?,;:-_()[]{}",
        "🌵🦎" * 100,
        "ما هو الحد الأدنى للأجور؟",
        "שכר מינימום",
        "最低工资是多少",
        "salario\0mínimo",
        "\u202esalario",
        "a" * 2000,
        "salario " * 250,
        "artículo " * 200,
        "artículo 1 a 999999999999 de la LFT",
        "artículos " + ", ".join(str(n) for n in range(300)),
        "NOM-" * 400,
        "² ³ artículo ² del ½",
        "((((((" * 300,
        "el 31 de diciembre de 9999",
        "en diciembre de 9999",
        "en enero de 0000",
        "el 2026-13-45 y el 0000-00-00",
        "-- --help -h",
    ],
)
def test_any_question_gets_an_answer_or_a_plain_no(sample: Path, forest: Forest, question: str) -> None:
    for command in ("hunt", "search"):
        ran = forest(command, "--forest", sample, "--", question)
        assert ran.code in (0, 1), ran
        assert ran.out
        assert forest(command, "--json", "--forest", sample, "--", question).json is not None


@pytest.mark.parametrize("question", ["", "   ", "\n", "x" * 10_000])
@pytest.mark.parametrize("command", ["hunt", "search"])
def test_a_question_that_is_none_or_too_long_is_wrong_usage(
    small: Path, forest: Forest, command: str, question: str
) -> None:
    ran = forest(command, "--forest", small, "--", question)
    assert ran.code == 2
    assert_one_clear_sentence(ran, "The question")
    assert not (small / ".git/forest").exists(), "nothing was built for it"


def test_a_question_in_bytes_that_are_no_text_is_read_as_far_as_it_goes(small: Path, program: Forest) -> None:
    import subprocess
    import sys

    command = [os.fsencode(sys.executable), b"-m", b"forest.cli", b"hunt", b"salario m\xednimo general", b"--json"]
    done = subprocess.run([*command, b"--forest", os.fsencode(small)], capture_output=True, check=False, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["question"] == "salario m�nimo general"


@pytest.mark.parametrize("option", ["--as-of", "--in-force-on"])
@pytest.mark.parametrize(
    "day", ["2026-13-01", "2026-02-30", "ayer", "2026-1-1", "2026-W01-1", "20260101", "-1", "２０２６-01-01"]
)
def test_a_day_that_is_none_is_wrong_usage(small: Path, forest: Forest, option: str, day: str) -> None:
    ran = forest("hunt", "salario", f"{option}={day}", "--forest", small)
    assert ran.code == 2
    assert_one_clear_sentence(ran, option, "is not a day of the calendar", "YYYY-MM-DD")


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
@pytest.mark.parametrize("option", ["--as-of", "--in-force-on", "--today"])
def test_the_first_and_the_last_day_are_days(small: Path, forest: Forest, option: str, day: str) -> None:
    for command in ("hunt", "search"):
        assert forest(command, "salario", option, day, "--forest", small).code in (0, 1)


COMMANDS: list[tuple[str, ...]] = [
    ("hunt", "salario"),
    ("search", "salario"),
    ("show", "raiz"),
    ("status",),
    ("verify", "{}"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda a: a[0])
def test_a_place_that_is_no_forest_ends_in_one_sentence(
    tmp_path: Path, forest: Forest, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "vacio").mkdir()
    (tmp_path / "sin-commits").mkdir()
    git(tmp_path / "sin-commits", "init", "-q")
    (tmp_path / "archivo").write_text("x")
    for name, says in {
        "vacio": "not a git repository",
        "sin-commits": "without commits",
        "archivo": "is not a folder",
        "no-existe": "is not a folder",
        "no\nexiste": "is not a folder",
        "x" * 300: "",
    }.items():
        ran = forest(*arguments, "--forest", tmp_path / name)
        assert_one_clear_sentence(ran, says, "forest:")
        assert ran.code == 1


def test_a_repository_that_is_no_forest_says_what_it_lacks(tmp_path: Path, forest: Forest) -> None:
    folder = tmp_path / "codigo"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, {"codigo.py": "x = 1\n"})
    for arguments in COMMANDS[:2] + COMMANDS[3:4]:
        assert_one_clear_sentence(forest(*arguments, "--forest", folder), "has no forest.yaml", "--forest")


def test_without_git_every_command_says_so(small: Path, program: Forest) -> None:
    for arguments in COMMANDS[::2]:
        ran = program(*arguments, "--forest", small, PATH="")
        assert_one_clear_sentence(ran, "no `git` on this machine's PATH", "Install git")
        assert ran.code == 1


def test_outside_a_forest_the_error_says_where_it_looked(tmp_path: Path, program: Forest) -> None:
    assert_one_clear_sentence(program("hunt", "salario", cwd=tmp_path), "no forest.yaml", str(tmp_path), "FOREST_DIR")


def test_inside_a_forest_no_place_needs_to_be_named(small: Path, program: Forest) -> None:
    assert program("show", "dof-salarios", cwd=small / "trabajo").code == 0


def test_a_broken_repository_ends_in_one_sentence(small: Path, forest: Forest) -> None:
    tree = git(small, "rev-parse", "HEAD^{tree}")
    (small / ".git/objects" / tree[:2] / tree[2:]).unlink()
    for arguments in COMMANDS[:4]:
        assert_one_clear_sentence(forest(*arguments, "--forest", small))


def test_a_blob_that_is_corrupt_is_not_quoted(small: Path, forest: Forest) -> None:
    blob = git(small, "rev-parse", "HEAD:trabajo/salarios.md")
    path = small / ".git/objects" / blob[:2] / blob[2:]
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    assert forest("status", "--forest", small).code == 0
    path.write_bytes(b"\x00" * 100)
    for arguments in (("hunt", QUESTION), ("search", "salario"), ("show", "dof-salarios")):
        ran = forest(*arguments, "--forest", small)
        assert_one_clear_sentence(ran)


def test_a_hostile_repositorys_gitfile_leads_nowhere(tmp_path: Path, forest: Forest) -> None:
    write(tmp_path / "x", {".git": "gitdir: /no/such/place\n", "forest.yaml": "name: x\n"})
    assert_one_clear_sentence(forest("status", "--forest", tmp_path / "x"), "Git cannot use")


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda s: s.encode("utf-8", "surrogatepass")))
@example(b"---\nid: a\n---\n\xff\x81")
@example(b"\xef\xbb\xbf---\nid: a\n---\nx")
@example(b'---\nid: a\ntitle: "\\0\\x1b"\n---\n# \n#  x\n')
@example(b"---\nid: a\n---\n" + b"x\r\ry\x0b\x0c\x1c\xc2\x85z")
@settings(max_examples=100)
def test_any_bytes_are_a_node_or_findings_and_every_node_survives_digestion(data: bytes) -> None:
    for whole in (data, b"---\nid: a\n---\n" + data, b"---\nid: a\ntitle: " + data + b"\n---\ntexto\n"):
        found, findings = load_node(whole, "a.md")
        assert found is not None or findings
        if found is not None:
            record = digest(found, "0" * 40, 20)
            assert Record.from_json(record.to_json()) == record
            empty = not found.body.strip()
            assert len(record.passages) == 1 if empty else record.passages
            for cut in record.passages:
                assert 0 <= cut.start <= cut.end <= len(whole)
                assert (cut.start == cut.end) == empty


@pytest.fixture(scope="module")
def state(sample: Path) -> State:
    return open_state(open_snapshot(sample))


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=200))
@settings(max_examples=60)
def test_any_text_may_be_asked(state: State, question: str) -> None:
    answer = hunt(state, question, today=date(2026, 1, 1))
    assert answer_text(answer)


@pytest.mark.parametrize("mark", ["\u094d", "\u0301", "salario \u0301 mínimo"])
def test_a_mark_that_stands_on_no_letter_may_be_asked(state: State, mark: str) -> None:
    assert answer_text(hunt(state, mark, today=date(2026, 1, 1)))


WORDS = (
    "artículo artículos 76 78 123 bis transitorio segundo de la LFT ley federal del trabajo NOM-035-STPS-2018 "
    "constitución reglamento código 2022 2026 enero 31 vigente en el DOF fracción IV inciso a) y , . : — ² decreto "
    "publicado salario uma"
).split()


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join))
@settings(max_examples=60)
def test_any_heap_of_legal_words_may_be_asked(state: State, question: str) -> None:
    assert answer_text(hunt(state, question, today=date(2026, 1, 1), as_of=date(2023, 6, 1)))
