"""What lint promises: one run, every problem, each at its line, in a stable order."""

from __future__ import annotations

import ast
import os
import random
import re
from pathlib import Path

import pytest

from forest.config import Config
from forest.edge import BUILT_IN, EdgeKind
from forest.finding import Finding
from forest.graph import cycles, reachable
from forest.lint import lint
from forest.node import MAX_NODE_BYTES, load_node
from forest.rules import RULES
from forest.store import Loaded, load_folder, read_folder_config

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "fixtures" / "broken"
CONFIG = Config("prueba")

EXPECTED = [
    ("basis-not-in-body.md", 7, "basis-not-in-body"),
    ("basis-not-in-body.md", 9, "basis-not-in-body"),
    ("conflict-marker.md", 14, "conflict-marker"),
    ("cycle.md", 8, "cycle"),
    ("date-impossible.md", 7, "date-impossible"),
    ("date-impossible.md", 8, "date-impossible"),
    ("date-missing.md", 7, "date-missing"),
    ("dates-contradict-between.md", 9, "dates-contradict"),
    ("dates-contradict.md", 9, "dates-contradict"),
    ("dates-contradict.md", 10, "dates-contradict"),
    ("dates-contradict.md", 11, "dates-contradict"),
    ("dates-contradict.md", 11, "dates-contradict"),
    ("edge-basis-missing.md", 8, "edge-basis-missing"),
    ("edge-duplicate.md", 12, "edge-duplicate"),
    ("edge-incomplete.md", 8, "edge-incomplete"),
    ("edge-incomplete.md", 10, "edge-incomplete"),
    ("edge-incomplete.md", 12, "edge-incomplete"),
    ("edge-kind-forbidden.md", 8, "edge-kind-forbidden"),
    ("edge-kind-unknown.md", 8, "edge-kind-unknown"),
    ("edge-kind-unknown.md", 12, "edge-kind-unknown"),
    ("edge-target-unknown.md", 8, "edge-target-unknown"),
    ("edge-target-unknown.md", 12, "edge-target-unknown"),
    ("edge-to-itself.md", 8, "edge-to-itself"),
    ("encoding-bom.md", 1, "encoding"),
    ("encoding-crlf.md", 1, "encoding"),
    ("encoding-nfd.md", 1, "encoding"),
    ("encoding-windows-1252.md", 1, "encoding"),
    ("id-duplicate.md", 2, "id-duplicate"),
    ("id-malformed.md", 2, "id-malformed"),
    ("id-missing.md", 1, "id-missing"),
    ("in-force-basis.md", 7, "in-force-basis"),
    ("index-missing/index.md", 0, "index-missing"),
    ("key-unknown.md", 7, "key-unknown"),
    ("key-unknown.md", 8, "key-unknown"),
    ("key-unknown.md", 14, "key-unknown"),
    ("kind-missing.md", 1, "kind-missing"),
    ("passport-missing.md", 1, "passport-missing"),
    ("scent-missing.md", 1, "scent-missing"),
    ("scent-missing.md", 7, "scent-missing"),
    ("scent-not-one-line.md", 6, "scent-not-one-line"),
    ("scent-not-one-line.md", 12, "scent-not-one-line"),
    ("scent-not-one-line.md", 17, "scent-not-one-line"),
    ("scents-not-neighbour.md", 9, "scents-not-neighbour"),
    ("summary-missing.md", 1, "summary-missing"),
    ("summary-over-budget.md", 5, "summary-over-budget"),
    ("title-missing.md", 1, "title-missing"),
    ("title-not-one-line.md", 4, "title-not-one-line"),
    ("undecodable.md", 0, "undecodable"),
    ("unreachable/index.md", 0, "index-missing"),
    ("unreachable/isla.md", 2, "unreachable"),
    ("value-unknown.md", 7, "value-unknown"),
    ("value-unknown.md", 8, "value-unknown"),
    ("version-without-work.md", 2, "version-without-work"),
    ("versions-overlap/2020-01-01.md", 7, "versions-overlap"),
    ("yaml-alias.md", 7, "yaml"),
    ("yaml-deep.md", 7, "yaml"),
    ("yaml-key-twice.md", 7, "yaml"),
    ("yaml-large.md", 1, "yaml"),
    ("yaml-shape.md", 7, "yaml"),
    ("yaml-shape.md", 8, "yaml"),
    ("yaml-syntax.md", 4, "yaml"),
    ("yaml-tag.md", 7, "yaml"),
]

# What git or some file system cannot keep is made by the tests named here.
MADE_BY_TESTS = {"link", "too-large", "name-not-portable", "names-collide", "root-missing", "unreadable"}


def node(node_id: str, *more: str, body: str = "Cuerpo.", kind: str = "topic") -> str:
    """Return the text of a node without faults, with more lines in its passport; the first of them is line 7."""
    front = [f"id: {node_id}", f"kind: {kind}", "title: T", "summary: R", "scent: S", *more]
    return "\n".join(["---", *front, "---", "", body, ""])


def edge(kind: str, to: str, basis: str = "Cuerpo") -> str:
    return f"  - {{kind: {kind}, to: {to}, scent: S, basis: {basis}}}"


def forest(**texts: str) -> dict[str, str]:
    """Return a forest with a root; `a_b` names the file a/b.md."""
    return {"index.md": node("inicio")} | {f"{name.replace('_', '/')}.md": text for name, text in texts.items()}


def found(files: dict[str, str], config: Config = CONFIG) -> list[Finding]:
    return list(lint((Loaded(path, *load_node(text.encode(), path)) for path, text in files.items()), config))


def rules(files: dict[str, str], config: Config = CONFIG) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.rule) for f in found(files, config)]


def test_one_run_lists_every_fault_of_the_broken_forest_and_nothing_else() -> None:
    findings = lint(load_folder(BROKEN), read_folder_config(BROKEN))
    assert [(f.path, f.line, f.rule) for f in findings] == EXPECTED


def test_every_broken_file_is_named_after_the_rule_it_breaks() -> None:
    for path, _, rule in EXPECTED:
        assert path.startswith(rule) or path == "unreachable/index.md"


def test_findings_are_the_same_whatever_order_files_come_in() -> None:
    files = list(load_folder(BROKEN))
    expected = lint(files, CONFIG)
    random.Random(7).shuffle(files)  # noqa: S311
    assert lint(files, CONFIG) == expected


def test_every_finding_says_what_is_wrong_and_what_to_do() -> None:
    for finding in lint(load_folder(BROKEN), CONFIG):
        assert finding.message.endswith(".")
        assert finding.hint


def test_every_rule_is_broken_somewhere() -> None:
    assert {rule for _, _, rule in EXPECTED} | MADE_BY_TESTS == set(RULES)


def test_every_rule_has_its_paragraph() -> None:
    page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^### (.+)$", page, re.MULTILINE)) == sorted(RULES)
    for paragraph in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        assert len(paragraph.partition("\n")[2].split()) > 4


def test_code_knows_no_rule_outside_the_table() -> None:
    # The rule is the third argument of Finding, of lint_node's _finding, and the second of a method that complains.
    place = {"Finding": 2, "_finding": 2, "complain": 1, "finding": 1}
    used: set[str] = set()
    for path in (ROOT / "forest").glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            if name in place and len(call.args) > place[name]:
                rule = call.args[place[name]]
                used |= {str(rule.value)} if isinstance(rule, ast.Constant) else set()
    # Two rules' names are put together from the key that they are about.
    assert used | {"title-not-one-line", "scent-not-one-line"} == set(RULES)


def test_summary_over_budget_says_both_numbers() -> None:
    files = {"index.md": node("inicio").replace("summary: R", "summary: uno dos tres")}
    config = Config("prueba", summary_budget_tokens=2)
    [finding] = found(files, config)
    assert re.fullmatch(r"The summary has \d tokens, the limit is 2\.", finding.message)


def test_an_unknown_target_is_answered_with_the_nearest_id() -> None:
    files = forest(a=node("salarios-2025"), b=node("otro", "edges:", edge("cites", "salarios-2052")))
    assert [(f.line, f.hint) for f in found(files)] == [(8, "Did you mean salarios-2025?")]


def test_an_unknown_version_is_answered_with_the_versions_there_are() -> None:
    files = forest(
        a=node("obra"),
        b=node("obra@2020-01-01"),
        c=node("otro", "edges:", edge("cites", "obra@2021-01-01")),
    )
    assert [f.hint for f in found(files)] == ["Versions of obra: obra@2020-01-01."]


def test_a_work_without_node_is_told_once_and_not_by_each_edge_to_it() -> None:
    files = forest(a=node("obra@2020-01-01"), b=node("b", "edges:", edge("cites", "obra")), c=node("obra@2021-01-01"))
    assert rules(files) == [("a.md", 2, "version-without-work")]


def test_a_basis_may_run_over_line_ends_but_not_over_words() -> None:
    body = "Esta resolución\n   sustituye\ta la anterior."
    good = node("a", "edges:", edge("cites", "inicio", "resolución sustituye a la anterior"), body=body)
    bad = node("b", "edges:", edge("cites", "inicio", "sustituye la anterior"), body=body)
    assert rules(forest(a=good, b=bad)) == [("b.md", 8, "basis-not-in-body")]


def test_the_passport_itself_is_no_basis() -> None:
    files = forest(a=node("a", "edges:", edge("cites", "inicio", "kind")))
    assert rules(files) == [("a.md", 8, "basis-not-in-body")]


def test_a_shortcut_needs_no_words_of_the_body() -> None:
    files = forest(a=node("a", "edges:", "  - {kind: shortcut, to: inicio, scent: S}", edge("shortcut", "b", "rastro")))
    files["b.md"] = node("b")
    assert rules(files) == []


def test_circles_are_told_once_each_from_their_lowest_id() -> None:
    def ring(node_id: str, to: str) -> str:
        return node(node_id, "edges:", edge("owns", to), kind="entity")

    files = forest(x=ring("c", "a"), y=ring("a", "b"), z=ring("b", "c"), v=ring("e", "f"), w=ring("f", "e"))
    circles = [(f.path, f.line, f.message) for f in found(files)]
    assert circles == [
        ("v.md", 8, "owns goes in a circle: e -> f -> e."),
        ("y.md", 8, "owns goes in a circle: a -> b -> c -> a."),
    ]


def test_kinds_that_allow_circles_may_go_round() -> None:
    files = forest(a=node("a", "edges:", edge("cites", "b")), b=node("b", "edges:", edge("cites", "a")))
    assert rules(files) == []


def test_a_forest_may_add_edge_kinds() -> None:
    files = forest(a=node("a", "edges:", edge("translates", "inicio")))
    assert [rule for *_, rule in rules(files)] == ["edge-kind-unknown"]
    extended = Config("prueba", edge_kinds=BUILT_IN.extended([EdgeKind("translates", "translated_by")]))
    assert rules(files, extended) == []


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        ("from: 2000-01-01, to: 2010-01-01", "from: 2010-01-01, to: open", False),
        ("from: 2000-01-01, to: 2010-01-02", "from: 2010-01-01, to: open", True),
        ("from: 2000-01-01, to: open", "from: 2010-01-01, to: open", True),
        ("from: 2000-01-01", "from: 2010-01-01, to: open", False),
        ("from: 2010-01-01", "from: 2010-01-01", True),
        ("to: 2010-01-01", "from: 2000-01-01", False),
        ("from: 2000-01-01, to: 9999-12-31", "from: 9999-12-31", False),
    ],
)
def test_versions_overlap_only_when_that_is_certain(first: str, second: str, overlap: bool) -> None:
    files = forest(
        a=node("obra"),
        b=node("obra@2000-01-01", f"in_force: {{{first}, basis: Cuerpo}}"),
        c=node("obra@2010-01-01", f"in_force: {{{second}, basis: Cuerpo}}"),
    )
    assert [rule for *_, rule in rules(files)] == ["versions-overlap"] * overlap


def test_scents_may_be_for_every_kind_of_neighbour() -> None:
    overrides = "scents: {inicio: x, hijo: x, destino: x, origen: x, obra@2020-01-01: x}"
    files = forest(
        a_index=node("a", "edges:", edge("cites", "destino"), edge("cites", "obra"), overrides),
        a_b=node("hijo"),
        c=node("destino"),
        d=node("origen", "edges:", edge("cites", "a")),
        e=node("obra"),
        f=node("obra@2020-01-01"),
    )
    assert rules(files) == []
    files["f.md"] = node("ajeno")
    assert rules(files) == [("a/index.md", 10, "scents-not-neighbour")]


def test_an_edge_in_either_direction_makes_reachable_what_its_folder_does_not() -> None:
    files = forest(a_b=node("b", "edges:", edge("cites", "inicio")), c_d=node("d"), e_f=node("f"))
    files["index.md"] = node("inicio", "edges:", edge("cites", "d"))
    assert [(f, rule) for f, _, rule in rules(files) if rule == "unreachable"] == [("e/f.md", "unreachable")]


def test_an_unreadable_index_does_not_make_its_folder_unreachable() -> None:
    files = forest(a_index="sin pasaporte", a_b=node("b"))
    assert rules(files) == [("a/index.md", 1, "passport-missing")]


def test_a_forest_without_root_is_told_so_once() -> None:
    assert rules({"a.md": node("a"), "b.md": node("b")}) == [("index.md", 0, "root-missing")]


def test_names_that_some_file_system_refuses_are_told() -> None:
    long = "x" * 100
    files = {"index.md": node("inicio"), "con.md": node("a"), "a?.md": node("b"), f"{long}.md": node("c")}
    files |= {"b./index.md": node("d"), "b./e.md": node("e"), "\udcff.md": node("f")}
    names = [(f, rule) for f, _, rule in rules(files)]
    assert names == sorted((f, "name-not-portable") for f in ("b.", "con.md", "a?.md", f"{long}.md", "\udcff.md"))


@pytest.mark.parametrize(("one", "other"), [("Ley.md", "ley.md"), ("n\u0303.md", "ñ.md"), ("STRASSE.md", "straße.md")])
def test_names_that_are_one_on_another_machine_collide(one: str, other: str) -> None:
    files = {"index.md": node("inicio"), one: node("a"), other: node("b")}
    assert rules(files) == [(max(one, other), 0, "names-collide")]


def test_folders_that_collide_are_told_once() -> None:
    files = {"index.md": node("inicio")}
    files |= {"A/index.md": node("a"), "A/x.md": node("b"), "a/index.md": node("c"), "a/x.md": node("d")}
    assert rules(files) == [("a", 0, "names-collide")]


def test_links_and_nested_repositories_are_told_and_not_followed(tmp_path: Path) -> None:
    forest_folder, outside = tmp_path / "bosque", tmp_path / "fuera"
    for folder in (forest_folder, outside, forest_folder / "ajeno" / ".git"):
        folder.mkdir(parents=True)
    (outside / "secreto.md").write_text(node("secreto"), encoding="utf-8")
    (forest_folder / "index.md").write_text(node("inicio"), encoding="utf-8")
    (forest_folder / "ajeno" / "a.md").write_text(node("a"), encoding="utf-8")
    (forest_folder / "carpeta").symlink_to(outside, target_is_directory=True)
    (forest_folder / "archivo.md").symlink_to(outside / "secreto.md")
    found_there = [(f.path, f.rule) for f in lint(load_folder(forest_folder), CONFIG)]
    assert found_there == [("ajeno", "link"), ("archivo.md", "link"), ("carpeta", "link")]


def test_a_name_that_is_not_utf8_is_told_in_printable_words(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text(node("inicio"), encoding="utf-8")
    try:
        (tmp_path / "a\udcf1o.md").write_text(node("a"), encoding="utf-8")
    except OSError:
        pytest.skip("this file system keeps only UTF-8 names")
    [finding] = lint(load_folder(tmp_path), CONFIG)
    assert (finding.path, finding.rule) == ("a\\udcf1o.md", "name-not-portable")


def test_a_file_over_the_limit_is_told_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text(node("inicio"), encoding="utf-8")
    with (tmp_path / "enorme.md").open("wb") as file:
        file.truncate(MAX_NODE_BYTES + 1)
    assert [(f.path, f.rule) for f in lint(load_folder(tmp_path), CONFIG)] == [("enorme.md", "too-large")]


def test_reachable_counts_the_start_itself() -> None:
    assert reachable("a", []) == {"a"}
    assert reachable("a", [("b", "a"), ("b", "c"), ("d", "e")]) == {"a", "b", "c"}


def test_a_knot_of_circles_gives_one_shortest_circle() -> None:
    links = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a"), ("x", "x"), ("c", "d")]
    assert cycles(links) == (("a", "b"),)
    assert cycles([]) == ()


def test_what_the_system_refuses_is_told_and_the_rest_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cerrado").mkdir()
    (tmp_path / "otro.md").write_text("sin pasaporte", encoding="utf-8")
    scandir = os.scandir

    def refuses(folder: Path) -> object:
        if folder.name == "cerrado":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr("forest.store.os.scandir", refuses)
    found = [finding for loaded in load_folder(tmp_path) for finding in loaded.findings]
    assert [(f.path, f.rule) for f in found] == [("cerrado", "unreadable"), ("otro.md", "passport-missing")]
