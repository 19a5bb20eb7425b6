"""Reports: a golden pair, figures never mixed over hops, and the commands that make them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.arms.table import ARMS
from bench.attempt import Attempt, AttemptsWrong, Run
from bench.cli import bench
from bench.controls import CONTROLS
from bench.failures import FAILURES
from bench.metrics import MEASURES
from bench.question import Answer, Gold
from bench.report import GROUPS, report
from bench.tables import markdown, plain
from forest.errors import ForestError, WrongUsage
from tests.bench.wood import cited, posed, run_of, said

GOLDEN = Path(__file__).parent / "golden" / "report.md"
FEE = (Gold("lab", "cobra una cuota de 4,750 pesos"), "lab#1")
NEW = (Gold("norma", "quedó sustituida por la NOM-902"), "norma#2")
MONEY = Answer("money", "4,750 pesos", traps=("3,200 pesos",))
ASKED = (
    posed("q-cuota", MONEY, FEE),
    posed("q-cuota-2", MONEY, FEE, phrasing="everyday", chain="otra"),
    posed("q-cadena", MONEY, NEW, FEE, category="multi_document", split="test"),
    posed("q-cadena-2", MONEY, NEW, FEE, category="multi_document", split="test"),
    posed("q-nada", Answer("none"), category="unanswerable"),
    posed("q-premisa", Answer("none"), FEE, category="false_premise", correction=MONEY),
)
BOTH = [cited("norma", 2, "quedó sustituida por la NOM-902"), cited("lab", 1, "cobra una cuota de 4,750 pesos")]
RIGHT = said(("El laboratorio cobra una cuota de 4,750 pesos.", BOTH), found=["norma#2", "lab#1"], steps=4, hops=1)
WRONG = said(("Cobra 3,200 pesos.", [cited("otro", 1, "Cobra 3,200 pesos.")]), found=["otro#1", "lab#1"], steps=1)
NONE = said(found=["lab#1"], steps=2)
WHOLE = run_of(
    ASKED,
    [
        Attempt(p.question.id, arm, 1, reply, proven=len(reply.citations))
        for p, walked in zip(ASKED, (RIGHT, RIGHT, RIGHT, NONE, NONE, RIGHT), strict=True)
        for arm, reply in (("plain", WRONG), ("walks", walked))
    ],
)
REMOVED = run_of(
    ASKED,
    [
        Attempt(p.question.id, arm, 1, reply, proven=len(reply.citations))
        for p in ASKED
        for arm, reply in (("plain", WRONG), ("walks", NONE))
    ],
    control="gold_removed",
    tree="d" * 40,
)


def test_the_report_of_known_attempts_is_the_golden_one() -> None:
    assert markdown(report([WHOLE, REMOVED])) == GOLDEN.read_text(encoding="utf-8")


def test_no_figure_of_right_answers_mixes_single_hop_and_multi_hop() -> None:
    told = report([WHOLE])
    for table in (*told.groups, *told.by):
        for arm, group in table.cells:
            if table.metric in ("answer_correct", "right_and_cited"):
                assert group != "all questions"
            if table.by in ("category", "phrasing", "split"):
                assert group.endswith(("single-hop", "multi-hop", "no hop")), (arm, group)
    hops = {p.question.id: p.question.is_multi_hop for p in ASKED}
    for name in ("single-hop", "multi-hop", "strictly multi-hop"):
        assert len({hops[p.question.id] for p in ASKED if GROUPS[name](p.question)}) <= 1


def test_a_report_of_chosen_metrics_has_only_those() -> None:
    told = plain(report([WHOLE], by=["hops"], metrics=["evidence_recall@1", "steps"]))
    assert list(told["metrics"]) == ["evidence_recall@1", "steps"]
    assert list(told["metrics"]["steps"]) == ["group", "hops"]
    assert {arm: s["mean"] for arm, s in told["metrics"]["evidence_recall@1"]["hops"]["2"].items()} == {
        "plain": 0,
        "walks": 0.5,
    }


def test_what_is_right_without_its_evidence_is_named() -> None:
    gone = [type(p)(p.question, tuple(frozenset[str]() for _ in p.gold)) for p in ASKED]
    guessed = run_of(gone, WHOLE.attempts, control="gold_removed", tree="d" * 40)
    told = report([WHOLE, guessed])
    assert told.still_right["gold_removed"] == tuple(
        ("walks", question) for question in ("q-cuota", "q-cuota-2", "q-cadena", "q-premisa")
    )
    assert "Right without its evidence: 4: q-cuota (walks)" in markdown(told)


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([], "no run"),
        ([WHOLE, WHOLE], "no control"),
        ([WHOLE, REMOVED, REMOVED], "gold_removed"),
        ([REMOVED, run_of(ASKED, REMOVED.attempts, control="bodies_only")], "only controls"),
        ([run_of(ASKED, REMOVED.attempts, control="nada")], "no control 'nada'"),
        ([WHOLE, run_of(ASKED, REMOVED.attempts, control="gold_removed", base_tree="e" * 40)], "base_tree"),
    ],
)
def test_runs_that_do_not_belong_together_are_refused(runs: list[Run], words: str) -> None:
    with pytest.raises(AttemptsWrong, match=words):
        report(runs)


def test_an_unfinished_run_says_so() -> None:
    told = markdown(report([run_of(ASKED, WHOLE.attempts[:5])]))
    assert "- attempts: 5 of 12; 0 raised an error" in told


def invoke(*arguments: object) -> tuple[int, str, str, BaseException | None]:
    result = CliRunner().invoke(bench, [str(a) for a in arguments], prog_name="forest bench")
    return result.exit_code, result.stdout, result.stderr, result.exception


def test_run_and_report_from_the_command_line(wood: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "a" / "attempts.jsonl"
    given = ("run", wood, "--questions", asked.parent, "--arms", "bm25,grep", "--out", out, "--today", "2026-11-30")
    code, _, err, _ = invoke(*given, "--jobs", 1, "--all-controls")
    assert code == 0
    assert f"{out}: 12 attempts at 6 questions." in err
    files = sorted(out.parent.glob("*.jsonl"))
    assert [file.name for file in files] == [
        "attempts.bodies_only.jsonl",
        "attempts.doors_shuffled.jsonl",
        "attempts.gold_removed.jsonl",
        "attempts.jsonl",
        "attempts.scents_blanked.jsonl",
    ]
    code, text, _, _ = invoke("report", *files)
    assert code == 0
    assert text.startswith("# Bench report\n")
    assert text.count("## Control ") == 4
    code, data, _, _ = invoke("report", out, "--by", "hops", "--metric", "answer_correct", "--json")
    assert code == 0
    assert json.loads(data)["metrics"]["answer_correct"]["hops"]["1"]["bm25"]["n"] == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--arms", "dragon"), "no arm dragon"),
        (("--control", "nada"), "no control 'nada'"),
        (("--control", "gold_removed", "--all-controls"), "exclude each other"),
        (("--today", "ayer"), "--today"),
    ],
)
def test_what_cannot_be_run_is_refused_with_a_sentence(
    wood: Path, asked: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    out = tmp_path / "attempts.jsonl"
    _, _, _, error = invoke("run", wood, "--questions", asked, "--out", out, "--jobs", 1, *arguments)
    assert isinstance(error, WrongUsage)
    assert words in str(error)
    assert not out.exists()


def test_a_run_without_questions_is_refused(wood: Path, tmp_path: Path) -> None:
    for more in ((), ("--questions", wood)):
        error = invoke("run", wood, "--out", tmp_path / "x.jsonl", *more)[3]
        assert isinstance(error, ForestError)
        assert "--questions" in str(error)


@pytest.mark.parametrize("command", [(), ("run",), ("report",)])
def test_help_has_an_example(command: tuple[str, ...]) -> None:
    code, text, _, _ = invoke(*command, "--help")
    assert code == 0
    assert "Example:" in text


PAGE = (Path(__file__).parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Arms", [f"`{name}`" for name in ARMS]),
        ("Metrics", [f"`{name}@k`" if measure.needs_k else f"`{name}`" for name, measure in MEASURES.items()]),
        ("Failures", list(FAILURES)),
        ("Controls", [f"`{name}`" for name in CONTROLS]),
    ],
)
def test_the_page_tells_every_one(heading: str, names: list[str]) -> None:
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    assert rows[1:] == names
