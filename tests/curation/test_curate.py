"""`forest curate` as its user meets it: real git, invented laws."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import curation.rendering as rendering
import curation.writing as writing
from curation.cli import curate
from curation.inputs import list_inputs
from forest.lint import lint
from forest.passport import Passport
from forest.store import load_folder, read_folder_config

LAWS = Path(__file__).parent / "laws"
PRADOS, ACEQUIAS = "LPE_ley_de_prados_de_ejemplo.md", "LAE_ley_de_acequias_de_ejemplo.md"


@pytest.fixture
def curated(tmp_path: Path) -> Path:
    """A forest made of both laws."""
    assert into(tmp_path / "bosque", LAWS).exit_code == 0
    return tmp_path / "bosque"


def into(forest: Path, *arguments: object) -> Result:
    return CliRunner().invoke(curate, [*map(str, arguments), "--into", str(forest), "--jobs", "1"])


def statuses(result: Result) -> dict[str, tuple[str, str]]:
    plain = json.loads(result.stdout)
    return {o["name"]: (o["status"], o["reason"]) for o in plain["outcomes"]}


def git(forest: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", forest, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def tree(forest: Path) -> str:
    return git(forest, "rev-parse", "HEAD^{tree}")


def passports(forest: Path) -> dict[str, Passport]:
    return {loaded.node.id: loaded.node.passport for loaded in load_folder(forest) if loaded.node}


def altered(tmp_path: Path, name: str, change: Callable[[str], str]) -> Path:
    folder = tmp_path / "otra"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(change((LAWS / name).read_text(encoding="utf-8")), encoding="utf-8")
    return folder / name


def test_a_new_forest_is_one_clean_commit_without_findings(curated: Path) -> None:
    assert git(curated, "rev-list", "--count", "HEAD") == "1"
    assert git(curated, "status", "--porcelain") == ""
    assert lint(load_folder(curated), read_folder_config(curated)) == ()


def test_nodes_match_the_expected_files(curated: Path) -> None:
    expected = LAWS.parent / "expected"
    files = sorted(p.relative_to(expected) for p in expected.rglob("*.md"))
    assert files
    for file in files:
        assert (curated / file).read_text(encoding="utf-8") == (expected / file).read_text(encoding="utf-8"), file


def test_the_order_of_the_inputs_does_not_change_a_byte(curated: Path, tmp_path: Path) -> None:
    for place, paths in enumerate(permutations([LAWS / PRADOS, LAWS / ACEQUIAS], 2)):
        into(tmp_path / str(place), *paths)
        assert tree(tmp_path / str(place)) == tree(curated)


def test_processes_do_not_change_a_byte(curated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_FEW", 2)
    forest = tmp_path / "bis"
    CliRunner().invoke(curate, [str(LAWS), "--into", str(forest), "--jobs", "2"])
    assert tree(forest) == tree(curated)


def test_a_second_run_changes_nothing(curated: Path) -> None:
    before = git(curated, "rev-parse", "HEAD")
    result = into(curated, LAWS, "--json")
    assert set(statuses(result).values()) == {("unchanged", "")}
    assert git(curated, "rev-parse", "HEAD") == before


def test_citations_become_edges_with_their_words(curated: Path) -> None:
    nodes = passports(curated)
    cited = {(edge.kind, edge.to) for edge in nodes["lae/art-2"].edges}
    assert cited == {("cites", "lpe/art-2"), ("cites", "lpe/art-3")}
    decree = {(edge.kind, edge.to) for edge in nodes["lpe/dof-2006-01-15"].edges}
    assert decree == {("amends", "lpe/art-2"), ("amends", "lpe/art-6"), ("repeals", "lpe/art-5")}
    assert ("repeals", "lae") in {(edge.kind, edge.to) for edge in nodes["lpe/dof-1990-04-01/trans-2"].edges}


def test_what_is_not_resolved_is_in_the_ledger(curated: Path) -> None:
    ledger = json.loads((curated / ".curation" / "lae.json").read_text(encoding="utf-8"))
    assert [(m["reason"], m["words"]) for m in ledger["missed"]] == [("unknown_instrument", "Ley de Abejas de Ejemplo")]


def test_entry_into_force_is_stated_only_where_the_text_names_the_day(curated: Path) -> None:
    nodes = passports(curated)
    starts = {key: p.in_force.start.isoformat() for key, p in nodes.items() if p.in_force and p.in_force.start}
    assert starts == {
        "lae/dof-1980-03-02/trans-unico": "1980-03-03",
        "lpe/dof-1990-04-01/trans-1": "1990-04-02",
        "lpe/dof-2006-01-15/trans-1": "2006-02-01",
        "lpe/dof-2006-01-15-2/trans-unico": "2006-01-15",
    }


def test_a_node_that_somebody_edited_is_kept_and_reported(curated: Path, tmp_path: Path) -> None:
    node = curated / "leyes/lae/art-1.md"
    node.write_text(node.read_text(encoding="utf-8").replace("dos veces", "tres veces"), encoding="utf-8")
    git(curated, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qam", "a mano")
    newer = altered(tmp_path, ACEQUIAS, lambda text: text.replace("por año", "cada año"))
    result = into(curated, newer)
    assert "kept: edited by hand" in result.output
    assert "tres veces" in node.read_text(encoding="utf-8")
    assert "cada año" in (into(curated, newer, "--overwrite"), node.read_text(encoding="utf-8"))[1]


def test_uncommitted_changes_in_the_way_are_refused(curated: Path, tmp_path: Path) -> None:
    node = next((curated / "leyes" / "lae").rglob("art-1.md"))
    node.write_text("a medias", encoding="utf-8")
    result = into(curated, altered(tmp_path, ACEQUIAS, lambda text: text.replace("por año", "cada año")))
    assert result.exit_code != 0
    assert "not committed" in str(result.exception)
    assert node.read_text(encoding="utf-8") == "a medias"


def test_files_of_articles_that_are_gone_go_too(curated: Path, tmp_path: Path) -> None:
    newer = altered(tmp_path, PRADOS, lambda text: text.replace("### Artículo 6\n. Para", "Para"))
    assert (curated / "leyes/lpe/titulo-11/art-6.md").exists()
    assert into(curated, newer).exit_code == 0
    assert not (curated / "leyes/lpe/titulo-11/art-6.md").exists()


def test_an_older_text_never_replaces_a_newer_one(curated: Path, tmp_path: Path) -> None:
    older = altered(tmp_path, PRADOS, lambda text: text.replace("2006", "2003"))
    status, reason = statuses(into(curated, older, "--json"))[PRADOS]
    assert status == "skipped"
    assert "the forest has that of 2006-01-15" in reason


def test_two_laws_with_one_abbreviation_both_live(tmp_path: Path) -> None:
    other = altered(tmp_path, ACEQUIAS, lambda text: text.replace("Acequias", "Abejas"))
    twin = other.rename(other.with_name("LAE_ley_de_abejas_de_ejemplo.md"))
    into(tmp_path / "bosque", LAWS / ACEQUIAS, twin)
    assert {p.name for p in (tmp_path / "bosque" / "leyes").iterdir() if p.is_dir()} == {
        "lae-ley-de-abejas-de-ejemplo",
        "lae-ley-de-acequias-de-ejemplo",
    }


def test_a_law_keeps_its_short_id_when_a_namesake_arrives(curated: Path, tmp_path: Path) -> None:
    other = altered(tmp_path, ACEQUIAS, lambda text: text.replace("Acequias", "Abejas"))
    twin = other.rename(other.with_name("LAE_ley_de_abejas_de_ejemplo.md"))
    into(curated, twin)
    assert {p.name for p in (curated / "leyes").iterdir() if p.is_dir()} == {
        "lae",
        "lae-ley-de-abejas-de-ejemplo",
        "lpe",
    }


@pytest.mark.parametrize(
    ("name", "content", "status", "reason"),
    [
        ("foto.png", b"\x89PNG\x00\x00", "skipped", "is not text"),
        ("notas.txt", b"hola", "skipped", "no known format"),
        ("LX_ley_x.md", "# LEY X\n\n### Artículo 1\n.- Nada.\n".encode(), "skipped", "no date of publication"),
        (
            PRADOS,
            (LAWS / PRADOS).read_bytes() + b"\n",
            "skipped",
            "is another text of the same law and day as",
        ),
        ("LPE_a.md", (LAWS / PRADOS).read_bytes(), "skipped", "duplicate of"),
    ],
)
def test_every_input_ends_with_a_status_and_a_reason(
    tmp_path: Path, name: str, content: bytes, status: str, reason: str
) -> None:
    folder = tmp_path / "entrada"
    shutil.copytree(LAWS, folder)
    (folder / "mas").mkdir()
    (folder / "mas" / name).write_bytes(content)
    result = into(tmp_path / "bosque", folder, "--json")
    outcomes = [(o["status"], o["reason"]) for o in json.loads(result.stdout)["outcomes"] if o["name"] == name]
    assert any(s == status and reason in r for s, r in outcomes), outcomes
    assert result.exit_code == (1 if "no date" in reason else 0)


def test_a_run_that_dies_leaves_the_forest_as_it_was(
    curated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (git(curated, "rev-parse", "HEAD"), sorted(curated.rglob("*.md")))
    newer = altered(tmp_path, PRADOS, lambda text: text.replace("doce horas", "trece horas"))
    shutil.copy(LAWS / ACEQUIAS, newer.parent)

    def die(*_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writing, "dump_ledger", die)
        into(curated, newer.parent)
    assert (git(curated, "rev-parse", "HEAD"), sorted(curated.rglob("*.md"))) == before
    assert git(curated, "status", "--porcelain") == ""
    assert into(curated, newer.parent).exit_code == 0
    assert "trece horas" in next((curated / "leyes/lpe").rglob("art-2.md")).read_text(encoding="utf-8")


def test_a_folder_with_other_things_is_no_place_for_a_forest(tmp_path: Path) -> None:
    (tmp_path / "carta.txt").write_text("hola", encoding="utf-8")
    result = into(tmp_path, LAWS)
    assert result.exit_code != 0
    assert "is not empty" in str(result.exception)


def test_laws_that_wait_for_what_came_are_named_and_get_their_edges(tmp_path: Path) -> None:
    forest = tmp_path / "bosque"
    into(forest, LAWS / ACEQUIAS)
    alone = passports(forest)["lae/art-2"].edges
    assert "curate them again for the edges: lae" in into(forest, LAWS / PRADOS).output
    again = into(forest, LAWS / ACEQUIAS)
    assert again.stdout.startswith("updated")
    assert "curate them again" not in again.output
    assert (alone, len(passports(forest)["lae/art-2"].edges)) == ((), 2)


def test_a_link_is_followed_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "entrada").mkdir()
    link = tmp_path / "entrada" / ACEQUIAS
    link.symlink_to(LAWS / ACEQUIAS)
    assert statuses(into(tmp_path / "uno", link, "--json"))[ACEQUIAS][0] == "created"
    assert statuses(into(tmp_path / "dos", link.parent, "--json"))[ACEQUIAS] == (
        "skipped",
        "is a symbolic link within a folder",
    )


def test_a_forest_in_a_code_repository_leaves_the_code_alone(tmp_path: Path) -> None:
    code, forest = tmp_path, tmp_path / "bosque"
    forest.mkdir()
    (forest / "forest.yaml").write_text("name: bosque\n", encoding="utf-8")
    (code / "a.py").write_text("1", encoding="utf-8")
    git(code, "init", "-q")
    git(code, "add", ".")
    git(code, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "código")
    (code / "a.py").write_text("2", encoding="utf-8")
    (code / "b.py").write_text("3", encoding="utf-8")
    git(code, "add", "b.py")
    assert into(forest, LAWS).exit_code == 0
    assert git(code, "status", "--porcelain").split("\n") == ["M a.py", "A  b.py"]
    assert {path.partition("/")[0] for path in git(code, "diff", "--name-only", "HEAD~1").split()} >= {"bosque"}
    assert "a.py" not in git(code, "show", "--name-only", "--format=", "HEAD").split()


def test_passports_say_each_thing_once_and_nothing_of_the_frame(tmp_path: Path) -> None:
    law = tmp_path / "LX_ley_x.md"
    law.write_text(
        "# LEY X\n\nNueva Ley publicada en el Diario Oficial de la Federación el 1 de abril de 1990\n\n"
        "### Artículo 1o.\n- Esta Ley es de orden público y tiene por objeto regular los prados.\n\n"
        "## CAPITULO UNICO — De la competencia (Se deroga)\n\n### Artículo 2o.\n- (Se deroga).\n\n"
        "## TRANSITORIO\n\n**Único.** Rige desde hoy.\n\nDECRETO por el que se reforma la Ley X.\n"
        "Publicado en el Diario Oficial de la Federación el 1 de mayo de 1991\n\n"
        "ARTÍCULO ÚNICO.- Se deroga el artículo 2 de la Ley X, para quedar como sigue: ………\n\n"
        "## TRANSITORIOS\n\n**Primero.** Se deroga.\n",
        encoding="utf-8",
    )
    into(tmp_path / "bosque", law)
    nodes = passports(tmp_path / "bosque")
    assert nodes["lx"].summary == "Tiene por objeto regular los prados."
    assert nodes["lx/art-2"].title == "LX, artículo 2o. De la competencia (derogado)"
    assert nodes["lx/dof-1991-05-01"].summary == "DOF 01-05-1991. Se deroga el artículo 2 de la Ley X."
    assert nodes["lx/dof-1991-05-01/trans-1"].scent == "transitorio Primero, derogado"


def opening(title: str = "X") -> str:
    return f"# LEY {title}\n\nNueva Ley publicada en el Diario Oficial de la Federación el 1 de abril de 1990\n\n"


def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "entrada"
    shutil.copytree(LAWS, folder)
    os.mkfifo(folder / "LFA_ley.md")
    zero = tmp_path / "LFB_ley.md"
    zero.symlink_to("/dev/zero")
    found = statuses(into(tmp_path / "bosque", folder, zero, "--json"))
    assert found["LFA_ley.md"] == found["LFB_ley.md"] == ("skipped", "is no regular file")
    assert found[PRADOS][0] == "created"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("CON_ley.md", opening() + "### Artículo 1\n.- Uno.\n", "its abbreviation CON"),
        ("LG_ley.md", opening() + "### Artículo 1\n.- Uno." + " largo" * 1_500_000, "the limit of a node is"),
    ],
)
def test_a_law_that_no_forest_can_hold_is_skipped_alone(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = statuses(into(tmp_path / "bosque", tmp_path / name, LAWS, "--json"))
    assert found[name][0] == "skipped"
    assert reason in found[name][1]
    assert found[PRADOS][0] == found[ACEQUIAS][0] == "created"


def test_a_long_title_is_cut_in_the_passport_alone(tmp_path: Path) -> None:
    title = "de " + "Prados " * 9_000
    (tmp_path / "LX_ley.md").write_text(opening(title) + "### Artículo 1\n.- Uno.\n", encoding="utf-8")
    assert into(tmp_path / "bosque", tmp_path / "LX_ley.md").exit_code == 0
    assert len(passports(tmp_path / "bosque")["lx"].title) <= 300
    assert title.strip() in (tmp_path / "bosque/leyes/lx/index.md").read_text(encoding="utf-8")
    assert lint(load_folder(tmp_path / "bosque"), read_folder_config(tmp_path / "bosque")) == ()


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "invalid"])
def test_a_forest_whose_settings_cannot_be_used_is_refused(tmp_path: Path, kind: str) -> None:
    config = tmp_path / "bosque" / "forest.yaml"
    config.parent.mkdir()
    (tmp_path / "otro.yaml").write_text("name: otro\n", encoding="utf-8")
    make = {
        "link": lambda: config.symlink_to(tmp_path / "otro.yaml"),
        "folder": config.mkdir,
        "pipe": lambda: os.mkfifo(config),
        "invalid": lambda: config.write_text("- 1\n", encoding="utf-8"),
    }
    make[kind]()
    result = into(config.parent, LAWS)
    assert result.exit_code == 1
    assert "forest.yaml" in str(result.exception)
    assert not (config.parent / "leyes").exists()


def test_divisions_are_of_the_day_of_their_law(curated: Path) -> None:
    nodes = passports(curated)
    timed = {n.text_as_of for key, n in nodes.items() if key.startswith("lpe/") and n.kind == "topic"}
    assert {day.isoformat() for day in timed if day} == {"2006-01-15"}
    assert None not in timed
    assert nodes["leyes"].text_as_of is None


def test_an_invalid_law_says_so(tmp_path: Path) -> None:
    note = "Declaración de invalidez total de esta Ley por Sentencia de la SCJN publicada DOF 30-05-2019"
    (tmp_path / "LX_ley.md").write_text(f"{opening()}{note}\n\n### Artículo 1\n.- Uno dos tres.\n", encoding="utf-8")
    into(tmp_path / "bosque", tmp_path / "LX_ley.md")
    law, article = (passports(tmp_path / "bosque")[key] for key in ("lx", "lx/art-1"))
    assert "invalidado" in law.tags
    assert "invalidado" in article.tags
    assert law.summary.startswith("Declarada inválida, DOF 30-05-2019.")
    assert "1 artículo: declarada inválida, DOF 30-05-2019" in law.scent
    assert note in (tmp_path / "bosque/leyes/lx/index.md").read_text(encoding="utf-8")


def test_a_run_that_curates_nothing_fails_and_says_what_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "mala\x1b[2J\n.txt").write_text("hola", encoding="utf-8")
    result = into(tmp_path / "bosque", tmp_path / "mala\x1b[2J\n.txt")
    assert result.exit_code == 1
    assert "Accepted are" in result.stderr
    assert len(result.stdout.splitlines()) == 2
    assert "\x1b" not in result.stdout


def test_progress_goes_to_stderr_and_a_detached_head_is_said(curated: Path, tmp_path: Path) -> None:
    git(curated, "checkout", "-q", "--detach")
    result = into(curated, altered(tmp_path, ACEQUIAS, lambda text: text.replace("por año", "cada año")))
    assert "Curating 1 file…" in result.stderr
    assert "HEAD is detached: the commit is on no branch." in result.stdout


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    (found,) = list_inputs([tmp_path])
    assert found.problem == "folder cannot be read: Permission denied"
    assert found.failed
