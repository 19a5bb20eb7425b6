"""Single publications: how their pages are read, and what `forest curate` makes of them; invented acts and laws."""

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from datetime import date
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from curation.cli import curate
from curation.gazette import ARTICLE, Act
from curation.gazette_nodes import title_of
from curation.gazette_parts import body
from curation.issuers import issuer_of
from curation.manifest import Entry, entry_of
from curation.readers import publicaciones
from curation.readers.pages import read_pages
from forest.cli import cli
from forest.lint import lint
from forest.node import Node
from forest.store import load_folder, read_folder_config

GAZETTE = Path(__file__).parent / "gazette"
LAWS = Path(__file__).parent / "laws"
ACUERDO, NORMA, DOS = sorted(path.name for path in GAZETTE.glob("*.md"))
WORD = re.compile(r"\w+")


def into(forest: Path, *arguments: object) -> Result:
    return CliRunner().invoke(curate, [*map(str, arguments), "--into", str(forest), "--jobs", "1"])


def git(forest: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", forest, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def nodes(forest: Path) -> dict[str, Node]:
    return {loaded.node.id: loaded.node for loaded in load_folder(forest) if loaded.node}


def statuses(result: Result) -> dict[str, str]:
    return {o["instrument"] or o["name"]: o["status"] for o in json.loads(result.stdout)["outcomes"]}


def acts(name: str) -> tuple[Act, ...]:
    return publicaciones.read((GAZETTE / name).read_text(encoding="utf-8"))


def headings(act: Act) -> list[str]:
    return [block.text for block in act.blocks if block.kind == "heading"]


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forest of both laws and all publications."""
    place = tmp_path_factory.mktemp("gazette") / "bosque"
    assert into(place, LAWS, GAZETTE).exit_code == 0
    return place


def test_lines_that_the_page_broke_are_joined_also_across_a_page() -> None:
    paragraphs, _ = read_pages((GAZETTE / ACUERDO).read_text(encoding="utf-8"))
    texts = [paragraph.text for paragraph in paragraphs]
    assert texts[0].endswith("delegan las atribuciones que se indican.")
    assert any("que se usan en cada turno, por lo que" in text for text in texts)
    assert "|Turno|Horas|\n|---|---|\n|Matutino|6|\n|Vespertino|5|" in texts


def test_page_furniture_is_told_from_text() -> None:
    page = 'Uno.\n</chunk>\n<chunk pages="3">\n3\nDIARIO OFICIAL\nLunes 4 de marzo de 2024\nDos 20 30\n20 30\n'
    _, dropped = read_pages(page)
    assert [item.words for item in dropped] == [
        "</chunk>", '<chunk pages="3">', "3", "DIARIO OFICIAL", "Lunes 4 de marzo de 2024",
    ]  # fmt: skip


def test_a_long_line_of_digits_costs_no_more_than_its_length() -> None:
    paragraphs, dropped = read_pages("1 " * 60 + "x\n" + "1" * 100_000 + "\n" + "_" * 100_000 + "x\n")
    assert len(paragraphs) > 0
    assert dropped == ()


@pytest.mark.parametrize("name", [ACUERDO, NORMA, DOS])
def test_no_word_of_a_source_is_lost_or_moved(forest: Path, name: str) -> None:
    source = WORD.findall((GAZETTE / name).read_text(encoding="utf-8").replace("**", ""))
    found: Counter[str] = Counter()
    for path in forest.glob(".curation/publicaciones/*/*.json"):
        ledger = json.loads(path.read_text(encoding="utf-8"))
        if ledger["file"] != name:
            continue
        found.update(word for item in ledger.get("dropped", []) for word in WORD.findall(item["words"]))
        for file in ledger["files"]:
            words = WORD.findall((forest / file).read_text(encoding="utf-8").split("\n---\n", 1)[1])
            found.update(words)
            left = iter(source)
            assert all(word in left for word in words), file
    assert found == Counter(word for word in source if word.strip("_"))


def test_headings_are_those_that_the_page_shows_by_capitals_or_bold_letters() -> None:
    assert headings(acts(ACUERDO)[0]) == [
        "CONSIDERANDO", "ACUERDO", "ARTÍCULO PRIMERO.-", "ARTÍCULO SEGUNDO.-", "TRANSITORIOS", "PRIMERO.-", "SEGUNDO.-",
    ]  # fmt: skip


def test_a_norm_has_its_numerals_as_headings_and_not_its_index_nor_its_references() -> None:
    assert headings(acts(NORMA)[0]) == [
        "NORMA OFICIAL MEXICANA NOM-901-SEPRA-2023, COMPUERTAS DE ACEQUIA. ESPECIFICACIONES", "ÍNDICE",
        "1. Objetivo", "2. Medidas", "2.1. Ancho de la hoja", "2.2. Altura:", "2.2.1 Tolerancia", "3. Vigilancia",
        "4. Transitorio", "ÚNICO.",
    ]  # fmt: skip


def test_a_division_has_the_name_below_it_and_ends_the_reasons() -> None:
    text = "\n\n".join(
        (
            "REGLAS de los vados de ejemplo.",
            "**CONSIDERANDO**",
            "Que hay vados;",
            "**CAPÍTULO I**",
            "**DISPOSICIONES GENERALES**",
            "**ARTÍCULO PRIMERO. - Los vados se abren al alba.**",
            "**CAPÍTULO II**",
            "**ARTÍCULO SEGUNDO. - Se cierran de noche.**",
        )
    )
    act = publicaciones.read(text)[0]
    assert body(act.blocks, 2).split("\n\n") == [
        "## CONSIDERANDO", "Que hay vados;", "## CAPÍTULO I DISPOSICIONES GENERALES", "### ARTÍCULO PRIMERO. -",
        "Los vados se abren al alba.", "## CAPÍTULO II", "### ARTÍCULO SEGUNDO. -", "Se cierran de noche.",
    ]  # fmt: skip


def test_the_header_row_of_a_table_is_no_heading() -> None:
    text = (
        "AVISO por el que se publica la tabla.\n\nEs la siguiente:\n\n**PRECIO TOTAL DE COMPUERTAS**\n\n"
        "|PRECIO|TOTAL DE|COMPUERTAS|\n|---|---|---|\n|1|2|3|\n\n**PRECIOS DE LA TEMPORADA SECA**\n\nNo los hay.\n"
    )
    assert headings(publicaciones.read(text)[0]) == ["PRECIOS DE LA TEMPORADA SECA"]


def test_a_text_with_later_changes_is_no_publication() -> None:
    seal = "Al margen un sello, que dice: Banco de Ejemplo."
    assert publicaciones.recognises(f"CIRCULAR 4/2012 dirigida a los vados de ejemplo.\n\n{seal}\n", listed=False)
    assert not publicaciones.recognises(f"TEXTO COMPILADO de la Circular 4/2012 de ejemplo.\n\n{seal}\n", listed=True)


def test_one_file_may_hold_several_acts() -> None:
    first, second = acts(DOS)
    assert first.heading.startswith("AVISO por el que se informa del cierre")
    assert second.heading.endswith("y el Municipio de Vado Hondo.")
    assert second.header == "SECRETARIA DE PRADOS Y ACEQUIAS"
    assert [block.text for block in second.blocks if block.rank == ARTICLE] == ["PRIMERA. OBJETO.-", "SEGUNDA.-"]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("ACUERDO por el que se abre el vado.", "Acuerdo por el que se abre el vado"),
        ("PRIMER Convenio del puerto de San Lucas, B.C.S.", "Primer Convenio del puerto de San Lucas, B.C.S."),
        ("NORMA Oficial Mexicana NOM-901-SEPRA-2023, Vados.", "Norma Oficial Mexicana NOM-901-SEPRA-2023, Vados"),
        ("AVISO AL PÚBLICO DEL VADO", "Aviso al público del vado"),
    ],
)  # fmt: skip
def test_titles_lose_the_capitals_that_are_only_the_gazettes(heading: str, title: str) -> None:
    assert title_of(heading) == title


def test_the_title_is_the_acts_own_and_not_the_manifests(forest: Path) -> None:
    passport = nodes(forest)["dof-2023-05-10-001"].passport
    assert passport.title == (
        "Acuerdo por el que se dan a conocer los turnos de riego de los prados comunales y se delegan las atribuciones "
        "que se indican"
    )
    assert passport.aliases == ("Acuerdo 7/2023",)
    assert (passport.published.isoformat() if passport.published else "", passport.section) == ("2023-05-10", "MAT")
    assert (passport.text_state, passport.tags) == ("as_published", ("acuerdo",))


def test_the_gazettes_code_is_the_id_where_it_is_known(forest: Path) -> None:
    passport = nodes(forest)["dof-7654321"].passport
    assert passport.aliases == ("NOM-901-SEPRA-2023",)
    assert passport.source["code"] == "7654321"
    assert passport.summary.startswith("DOF 10-05-2023. Esta norma fija las medidas")


def test_the_issuer_is_the_seals_institution_with_words_of_the_body(forest: Path) -> None:
    found = nodes(forest)
    edges = {key: [e for e in node.passport.edges if e.kind == "issued_by"] for key, node in found.items()}
    issued = {key: (e[0].to, e[0].basis) for key, e in edges.items() if e}
    assert issued == {
        "dof-2023-05-10-001": (
            "instituciones/secretaria-de-prados-y-acequias",
            "Estados Unidos Mexicanos.- PRADOS.- Secretaría de Prados y Acequias",
        ),
        "dof-7654321": (
            "instituciones/secretaria-de-prados-y-acequias",
            "Estados Unidos Mexicanos.- PRADOS.- Secretaría de Prados y Acequias",
        ),
        "dof-2024-02-02-004": ("instituciones/consejo-de-molinos-de-ejemplo", "Consejo de Molinos de Ejemplo"),
        "dof-2024-02-02-004-2": (
            "instituciones/secretaria-de-prados-y-acequias",
            "cuidado de las acequias menores, que celebran la Secretaría de Prados y Acequias",
        ),
    }  # fmt: skip
    entity = found["instituciones/secretaria-de-prados-y-acequias"].passport
    assert (entity.kind, entity.title) == ("entity", "Secretaría de Prados y Acequias")
    assert entity.aliases == ("SEPRA", "SECRETARIA DE PRADOS Y ACEQUIAS")


def test_an_issuer_that_the_text_does_not_establish_is_none() -> None:
    text = "AVISO por el que se abre el vado de los molinos.\n\nEl vado se abre el lunes.\n"
    act = publicaciones.read(text)[0]
    assert issuer_of(act, "SECRETARIA DE PRADOS Y ACEQUIAS") is None


def test_an_acronym_of_something_else_is_no_alias() -> None:
    seal = "Al margen un sello, que dice: Estados Unidos Mexicanos.- Secretaría de Prados y Acequias."
    said = "El Sistema de Riego de la Secretaría de Prados y Acequias (SIRI)."
    text = f"AVISO por el que se abre el vado.\n\n{seal}\n\n{said}\n"
    issuer = issuer_of(publicaciones.read(text)[0], "")
    assert issuer is not None
    assert issuer.aliases == ()


def test_citations_of_laws_and_norms_become_edges(forest: Path) -> None:
    found = nodes(forest)
    cited = [edge.to for edge in found["dof-2023-05-10-001"].passport.edges if edge.kind == "cites"]
    assert cited == ["lpe/art-1", "lpe/art-2", "lae", "dof-7654321"]
    assert "lpe" in [edge.to for edge in found["dof-2024-02-02-004"].passport.edges]


def test_what_is_not_resolved_is_in_the_ledger(forest: Path) -> None:
    ledger = json.loads((forest / ".curation/publicaciones/2023/dof-2023-05-10-001.json").read_text(encoding="utf-8"))
    missed = {(item["reason"], item["wanted"]) for item in ledger["missed"]}
    assert ("unknown_instrument", "Reglamento de Cercas de Ejemplo") in missed
    assert {item["words"] for item in ledger["dropped"]} == {"SECRETARIA DE MOLINOS"}


def test_transitory_articles_have_nodes_and_the_day_that_they_name(forest: Path) -> None:
    found = nodes(forest)
    periods = {key: node.passport.in_force for key, node in found.items() if "/trans-" in key and key.startswith("dof")}
    starts = {key: p.start.isoformat() for key, p in periods.items() if p is not None and p.start}
    assert starts == {"dof-2023-05-10-001/trans-1": "2023-05-11", "dof-7654321/trans-unico": "2023-07-01"}
    assert "dof-2023-05-10-001/trans-2" in periods


def test_a_large_act_is_divided_by_its_headings(tmp_path: Path) -> None:
    prose = "La hoja de la compuerta se mide a la mitad de la acequia con regla de madera. " * 130
    text = (GAZETTE / NORMA).read_text(encoding="utf-8")
    text = text.replace("80 cm.", f"80 cm.\n\n{prose}").replace("15 cm cuando menos", f"15 cm cuando menos. {prose}")
    text = text.replace("acequia.\n\n**2.2.1", f"acequia.\n\n{prose}\n\n{prose}\n\n**2.2.1")
    (tmp_path / NORMA).write_text(text, encoding="utf-8")
    assert into(tmp_path / "bosque", tmp_path / NORMA).exit_code == 0
    found = nodes(tmp_path / "bosque")
    parts = {key: node.path for key, node in found.items() if node.passport.kind == "provision"}
    assert parts["dof-2023-05-10-002/2"].endswith("dof-2023-05-10-002/2/index.md")
    assert parts["dof-2023-05-10-002/2/2-1"].endswith("dof-2023-05-10-002/2/2-1.md")
    assert found["dof-2023-05-10-002/2/2-2"].passport.title == "NOM-901-SEPRA-2023, 2.2. Altura"
    assert lint(load_folder(tmp_path / "bosque"), read_folder_config(tmp_path / "bosque")) == ()


def test_a_new_forest_has_no_findings(forest: Path) -> None:
    assert git(forest, "rev-list", "--count", "HEAD") == "1"
    assert git(forest, "status", "--porcelain") == ""
    assert lint(load_folder(forest), read_folder_config(forest)) == ()


def test_the_order_of_the_inputs_does_not_change_a_byte(tmp_path: Path) -> None:
    files = [GAZETTE / ACUERDO, GAZETTE / NORMA, GAZETTE / DOS]
    trees = set()
    for place, paths in enumerate(permutations(files)):
        into(tmp_path / str(place), *paths)
        trees.add(git(tmp_path / str(place), "rev-parse", "HEAD^{tree}"))
    assert len(trees) == 1


def test_a_second_run_changes_nothing(forest: Path) -> None:
    before = git(forest, "rev-parse", "HEAD")
    assert set(statuses(into(forest, GAZETTE, "--json")).values()) == {"unchanged", "skipped"}
    assert git(forest, "rev-parse", "HEAD") == before


def test_laws_that_the_forest_has_are_what_publications_cite(forest: Path, tmp_path: Path) -> None:
    into(tmp_path / "bosque", LAWS)
    into(tmp_path / "bosque", GAZETTE)
    for folder in ("publicaciones", "instituciones"):
        tree = f"HEAD:{folder}"
        assert git(tmp_path / "bosque", "rev-parse", tree) == git(forest, "rev-parse", tree)


def test_one_more_publication_rewrites_no_institution(tmp_path: Path) -> None:
    into(tmp_path / "bosque", GAZETTE / ACUERDO)
    path = "instituciones/secretaria-de-prados-y-acequias.md"
    before = (tmp_path / "bosque" / path).read_bytes()
    result = into(tmp_path / "bosque", GAZETTE / NORMA, GAZETTE / DOS, "--json")
    assert result.exit_code == 0
    assert path not in git(tmp_path / "bosque", "diff", "--name-only", "HEAD~1").splitlines()
    assert (tmp_path / "bosque" / path).read_bytes() == before


def test_an_institution_that_was_moved_is_not_made_again(tmp_path: Path) -> None:
    place = tmp_path / "bosque"
    into(place, GAZETTE / ACUERDO)
    git(place, "mv", "instituciones/secretaria-de-prados-y-acequias.md", "instituciones/sepra.md")
    git(place, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "a mano")
    into(place, GAZETTE / NORMA)
    assert sorted(p.name for p in (place / "instituciones").iterdir()) == ["index.md", "sepra.md"]
    assert lint(load_folder(place), read_folder_config(place)) == ()


def test_a_node_that_somebody_edited_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "bosque"
    shutil.copy(GAZETTE / ACUERDO, tmp_path)
    into(place, tmp_path / ACUERDO)
    node = place / "publicaciones/2023/dof-2023-05-10-001/index.md"
    node.write_text(node.read_text(encoding="utf-8").replace("primavera", "otoño"), encoding="utf-8")
    git(place, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qam", "a mano")
    text = (tmp_path / ACUERDO).read_text(encoding="utf-8")
    (tmp_path / ACUERDO).write_text(text.replace("en lo que se oponga", "en todo"), encoding="utf-8")
    assert "kept: edited by hand" in into(place, tmp_path / ACUERDO).output
    assert "otoño" in node.read_text(encoding="utf-8")
    assert "en todo" in (node.parent / "trans-2.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("2024-04-12_texto_020_norma.md", Entry(date(2024, 4, 12), ordinal="020")),
        ("006_DOF_20251209_MAT_5775533.md", Entry(date(2025, 12, 9), section="MAT", code="5775533", ordinal="006")),
        ("2024-02-30_020_norma.md", Entry(ordinal="020")),
        ("norma.md", Entry()),
    ],
)
def test_a_name_says_day_section_and_code(name: str, entry: Entry) -> None:
    assert entry_of(Path(name), {}) == entry


def test_a_manifest_is_found_above_or_given(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    shutil.copy(GAZETTE / NORMA, folder / "compuertas.md")
    entry = {"file": "b/compuertas.md", "date": "2023-05-10", "url": "https://ejemplo/nota?codigo=7654321&fecha=x"}
    (tmp_path / "a" / "manifest.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    assert statuses(into(tmp_path / "uno", folder, "--json")) == {"dof-7654321": "created"}
    (tmp_path / "a" / "manifest.jsonl").rename(tmp_path / "a" / "otro.jsonl")
    result = into(tmp_path / "dos", folder, "--json")
    assert statuses(result) == {"compuertas.md": "skipped"}
    assert "publication without a day" in result.stdout
    assert result.exit_code == 1
    given = into(tmp_path / "tres", folder, "--manifest", tmp_path / "a" / "otro.jsonl", "--json")
    assert statuses(given) == {"dof-7654321": "created"}


def test_without_number_the_title_names_the_act_and_two_texts_of_one_act_are_one(tmp_path: Path) -> None:
    text = (GAZETTE / DOS).read_text(encoding="utf-8").partition("</chunk>")[0]
    (tmp_path / "2024-02-02-aviso.md").write_text(text, encoding="utf-8")
    (tmp_path / "2024-02-02-otra-vez.md").write_text(text.replace("limpieza,", "limpieza general,"), encoding="utf-8")
    result = into(tmp_path / "bosque", tmp_path, "--json")
    assert sorted(statuses(result)) == ["dof-2024-02-02-aviso-por-el-que-se-informa-del-cierre"]
    assert "another text of the same act" in result.stdout


def test_different_acts_with_one_number_have_different_ids(tmp_path: Path) -> None:
    folder = tmp_path / "textos"
    folder.mkdir()
    shutil.copy(GAZETTE / ACUERDO, folder / "2023-05-10_uno_001_a.md")
    shutil.copy(GAZETTE / NORMA, folder / "2023-05-10_dos_001_b.md")
    found = statuses(into(tmp_path / "bosque", folder, "--json"))
    assert len(found) == 2
    assert all(key.startswith("dof-2023-05-10-001-") for key in found)
    assert set(statuses(into(tmp_path / "bosque", folder, "--json")).values()) == {"unchanged"}


def test_prose_and_lists_are_no_publications(tmp_path: Path) -> None:
    (tmp_path / "2024-01-01_notas.md").write_text("Apuntes de la reunión.\n\nNada más.\n", encoding="utf-8")
    (tmp_path / "2024-01-02_001_aviso.md").write_text("AVISO de la biblioteca sobre horarios.\n", encoding="utf-8")
    result = into(tmp_path / "bosque", tmp_path)
    assert result.output.count("is of no known format") == 2
    assert result.exit_code == 1


def test_a_norm_that_is_a_publication_is_held_by_its_code(forest: Path) -> None:
    question = "¿Quién emitió la NOM-901-SEPRA-2023?"
    result = CliRunner().invoke(cli, ["hunt", question, "--forest", str(forest), "--json"])
    answer = json.loads(result.stdout)
    assert answer["missing"] == []
    assert answer["claims"][0]["citations"][0]["node"] == "dof-7654321"


@pytest.mark.real_data
def test_every_real_publication_becomes_nodes_without_findings(tmp_path: Path) -> None:
    root = Path(os.environ["FOREST_REAL_DATA"]) / "dof"
    result = into(tmp_path / "bosque", root / "publicaciones", "--json")
    outcomes = json.loads(result.stdout)["outcomes"]
    assert {o["status"] for o in outcomes} == {"created"}
    assert {o["name"] for o in outcomes} == {path.name for path in (root / "publicaciones").glob("*.md")}
    assert lint(load_folder(tmp_path / "bosque"), read_folder_config(tmp_path / "bosque")) == ()
    found = nodes(tmp_path / "bosque")
    own = [node.passport for key, node in found.items() if node.passport.kind == "publication"]
    assert all(any(edge.kind == "issued_by" for edge in passport.edges) for passport in own)
