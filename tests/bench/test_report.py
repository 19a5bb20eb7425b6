"""Reports: a golden pair, figures never mixed over hops, and the commands that make them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.arms.table import ARMS
from bench.attempt import Attempt, AttemptsWrong, Reply, Run
from bench.choosing import GROUPS
from bench.cli import bench
from bench.controls import CONTROLS
from bench.failures import FAILURES
from bench.metrics import MEASURES
from bench.question import Answer, Gold
from bench.report import report
from bench.tables import markdown, plain
from forest.errors import ForestError, WrongUsage
from navigator.chat import Usage
from navigator.meter import Use
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


def again(arm: str, *replies: Reply, repetition: int = 1) -> list[Attempt]:
    return [
        Attempt(p.question.id, arm, repetition, reply, len(reply.citations), 1.0)
        for p, reply in zip(ASKED, replies, strict=False)
    ]


def test_figures_are_of_the_first_repetition_and_the_others_tell_the_margin() -> None:
    attempts = [*again("walks", *[RIGHT] * 4), *again("walks", WRONG, RIGHT, repetition=2)]
    told = report([run_of(ASKED, attempts, repetitions=2, repeat_every=3)])
    assert (told.made, told.planned) == (6, 8)
    table = next(t for t in told.groups if t.metric == "answer_correct")
    assert (table.cells["walks", "single-hop"].mean, table.cells["walks", "single-hop"].n) == (1.0, 2)
    first = told.repeated[0]
    assert (first.metric, first.group, first.means, first.same, first.n) == (
        "answer_correct",
        "single-hop",
        (1.0, 0.5),
        0.5,
        2,
    )
    assert first.margin == 0.5
    text = markdown(told)
    assert "| answer_correct | single-hop | walks | 100.0 %, 50.0 % | 50.0 | 50.0 % | 2 |" in text
    assert "repetitions 2 of each third question" in text


def test_what_a_model_adds_is_told_whichever_way_the_arms_stand() -> None:
    for arms in (("mixed", "scout", "rag", "llm"), ("rag", "llm", "scout", "mixed")):
        attempts = [a for arm in arms for a in again(arm, *[RIGHT if arm in ("mixed", "llm") else WRONG] * 6)]
        told = report([run_of(ASKED, attempts)])
        assert list(dict.fromkeys((c.one, c.other) for c in told.pairs)) == [
            ("mixed", "scout"),
            ("llm", "rag"),
            ("mixed", "llm"),
        ]
        gained = next(c for c in told.pairs if (c.one, c.metric, c.group) == ("llm", "right_and_cited", "multi-hop"))
        assert gained.difference.mean == 1
        assert "| llm − rag | +100.0" in markdown(told).partition("## What the model adds")[2]


def test_a_run_with_a_model_tells_what_it_cost() -> None:
    use = Use("uno", 2, Usage(900, 30, 600, estimated=True), 1.5, 1)
    replies = [replace(reply, use=use, left_out=3) for reply in (RIGHT, WRONG, RIGHT)]
    attempts = [
        *again("llm", *replies),
        *again("grep", WRONG),
        *again("full-context", Reply((), "too_long", use=Use())),
    ]
    told = report([run_of(ASKED, attempts, model={"name": "uno", "window_tokens": 8192})])
    text = markdown(told)
    assert "- model: name uno, window_tokens 8192" in text
    assert "- tokens of 3 attempts are estimated: the server did not count them" in text
    assert "- llm: attempts whose window was too small for all that is shown: 3" in text
    assert "- full-context: attempts whose window was too small for all that is shown: 1" in text
    figures = plain(told)["metrics"]
    single = figures["tokens_per_correct"]["group"]["single-hop"]
    assert (single["llm"]["mean"], single["llm"]["high"]) == (1860, None)
    assert single["grep"] | {"unscored": 0} == {"n": 0, "unscored": 0, "mean": None, "low": None, "high": None}
    assert figures["decided_by_model"]["group"]["multi-hop"]["llm"]["mean"] == 0.25
    assert "model_calls" not in plain(report([run_of(ASKED, attempts)]))["metrics"]


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
        (("--sample", "strict"), "--sample"),
        (("--sample", "strict=9"), "There are 0 strictly multi-hop questions"),
        (("--arms", "bm25,rag"), "No model is named"),
        (("--arms", "bm25", "--endpoint", "http://127.0.0.1:1/v1"), "None of these arms asks a model"),
        (("--endpoint", "http://127.0.0.1:1/v1?key=x"), "without ? and #"),
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


@pytest.mark.parametrize("command", [(), ("run",), ("report",), ("models",)])
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
