"""Models compared: figures, prices, and which differences are ties, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.attempt import Attempt, AttemptsWrong, Reply, Run
from bench.cli import bench
from bench.models import Price, Verdict, compare, markdown, plain, read_price
from bench.question import Answer, Gold
from forest.errors import WrongUsage
from navigator.chat import Usage
from navigator.meter import Use
from tests.bench.wood import cited, posed, run_of, said

GOLD = (Gold("lab", "cobra una cuota de 4,750 pesos"), "lab#1")
ASKED = tuple(posed(f"q{i}", Answer("money", "4,750 pesos"), GOLD) for i in range(20))
CITED = [cited("lab", 1, "cobra una cuota de 4,750 pesos")]


def use(prompt: int) -> Use:
    return Use("m", 1, Usage(prompt, 10, prompt // 2), 1.0, 1)


def answered(right: bool, prompt: int) -> Reply:
    return said((f"Cobra {'4,750' if right else '3,200'} pesos.", CITED), steps=2, use=use(prompt))


def run_with(name: str, right: int, *, again: int | None = None, prompt: int = 1_000, **header: object) -> Run:
    """A run in which the first so many questions are right, and when they are asked again so many others."""
    counts = [right] if again is None else [right, again]
    attempts = [
        Attempt(p.question.id, arm, repetition, answered(at < count, prompt) if arm == "rag" else said(), 1, 2.0)
        for repetition, count in enumerate(counts, start=1)
        for arm in ("rag", "bm25")
        for at, p in enumerate(ASKED)
    ]
    model = {"name": name, "model": name, "window_tokens": 8_192, "prompts": "a"}
    return run_of(ASKED, attempts, model=model, repetitions=len(counts), **header)


def verdict(one: Run, other: Run) -> Verdict:
    told = [v for v in compare([one, other]).verdicts if v.metric == "answer_correct"]
    assert [(v.group, v.arm) for v in told] == [("single-hop", "rag")]
    return told[0]


def test_a_clear_difference_names_the_better_model() -> None:
    told = verdict(run_with("chico", 2), run_with("grande", 18))
    assert (told.one, told.other, told.better, told.why) == ("chico", "grande", "grande", "")
    assert told.difference.mean == pytest.approx(-0.8)
    assert verdict(run_with("grande", 18), run_with("chico", 2)).better == "grande"


def test_a_difference_whose_interval_holds_0_is_a_tie() -> None:
    told = verdict(run_with("chico", 10), run_with("grande", 11))
    assert (told.better, told.why, told.margin) == ("", "the interval holds 0", None)


def test_a_difference_within_the_repetition_margin_of_either_is_a_tie() -> None:
    small, large = run_with("chico", 2, again=3), run_with("grande", 14, again=1)
    told = verdict(small, large)
    assert told.difference.is_clear
    assert told.margin == pytest.approx(0.65)
    assert (told.better, told.why) == ("", "within the repetition margin")
    assert verdict(small, run_with("grande", 14, again=13)).better == "grande"


def test_only_the_first_repetition_is_the_score() -> None:
    rows = {row.model: row for row in compare([run_with("a", 10, again=0), run_with("b", 10, again=20)]).rows}
    assert {row.figures["answer_correct"].mean for row in rows.values()} == {0.5}
    assert {row.figures["answer_correct"].n for row in rows.values()} == {20}


def test_what_a_model_costs_is_told_by_its_price() -> None:
    priced = {"caro": Price(2.0, 10.0)}
    rows = {row.model: row for row in compare([run_with("caro", 5), run_with("libre", 0, prompt=500)], priced).rows}
    # 20 attempts of 1,000 tokens at 2 and 10 tokens at 10 a million.
    assert rows["caro"].cost == pytest.approx(0.042)
    assert rows["caro"].cost_per_correct == pytest.approx(0.042 / 5)
    assert rows["caro"].figures["tokens_per_correct"].mean == 1_010 * 20 / 5
    assert rows["caro"].figures["seconds_per_correct"].mean == 2.0 * 20 / 5
    assert rows["libre"].cost is None
    assert rows["libre"].figures["tokens_per_correct"].mean is None
    assert rows["libre"].figures["prompt_tokens"].mean == 500


def test_a_comparison_is_told_whole_as_markdown_and_as_data() -> None:
    told = compare([run_with("uno", 2), run_with("dos", 18)], {"uno": Price(1, 1)})
    text = markdown(told)
    assert "| single-hop | rag | uno − dos | -80.0 [" in text
    assert "| rag | uno | 10.0 % [" in text
    assert "| bm25 |" not in text
    data = plain(told)
    assert data["models"]["dos"]["window_tokens"] == 8_192
    assert [d["better"] for d in data["differences"]] == ["dos", "dos"]
    assert (
        plain(compare([run_with("uno", 0), run_with("dos", 1)]))["rows"][1]["figures"]["tokens_per_correct"]["high"]
        is None
    )


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([run_with("uno", 1)], "nothing to compare"),
        ([run_with("uno", 1), run_with("uno", 2)], "Two runs have the model uno"),
        ([run_with("uno", 1), run_with("dos", 2, tree="b" * 40)], "other tree"),
        ([run_with("uno", 1), run_with("dos", 2, choice="limit 3")], "other choice"),
        ([run_with("uno", 1), replace(run_with("x", 1), header=replace(run_with("x", 1).header, model={}))], "without"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(runs: list[Run], words: str) -> None:
    with pytest.raises(AttemptsWrong, match=words):
        compare(runs)


def test_a_price_reads_as_it_is_written() -> None:
    assert read_price("qwen2.5=0.30,0.60") == ("qwen2.5", Price(0.3, 0.6))
    for text in ("qwen", "qwen=1", "qwen=1,x", "=1,2", "qwen=-1,2", f"qwen={'9' * 10},1"):
        with pytest.raises(WrongUsage, match="--price"):
            read_price(text)
    with pytest.raises(WrongUsage, match="no run with the model 'nadie'"):
        compare([run_with("uno", 1), run_with("dos", 1)], {"nadie": Price(1, 1)})


# --- from the command line ----------------------------------------------------------------------------------------


def script(path: Path, answer: str) -> str:
    path.write_text(f'{{"cites": [1], "abstain": false, "answer": "{answer}"}}\n' * 40, encoding="utf-8")
    return f"script:{path}"


def invoke(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(bench, [str(a) for a in arguments], prog_name="forest bench")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def test_several_models_are_run_and_compared_in_one_go(wood: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "r" / "out.jsonl"
    given = (
        *("run", wood, "--questions", asked, "--arms", "bm25,rag", "--out", out, "--today", "2026-11-30"),
        *("--endpoint", f"buena={script(tmp_path / 'b.jsonl', '315.04 pesos')}"),
        *("--endpoint", f"mala={script(tmp_path / 'm.jsonl', '1 peso')}"),
        *("--repetitions", 2, "--repeat-every", 3, "--report"),
    )
    code, text, err = invoke(*given)
    assert code == 0
    assert "out.buena.jsonl: 16 attempts at 6 questions." in err
    assert sorted(path.name for path in out.parent.iterdir()) == [
        *("out.buena.jsonl", "out.buena.md", "out.mala.jsonl", "out.mala.md", "out.models.md")
    ]
    assert text.count("# Bench report\n") == 2
    assert text.count("# Models compared\n") == 1
    assert (out.parent / "out.models.md").read_text(encoding="utf-8") in text
    code, told, _ = invoke(
        "models", out.parent / "out.buena.jsonl", out.parent / "out.mala.jsonl", "--price", "mala=1,1"
    )
    assert code == 0
    assert "| single-hop | rag | buena − mala | +" in told
    assert "- model mala: model script" in told
    assert invoke("models", *sorted(out.parent.glob("*.jsonl")), "--json")[1].startswith("{")


def test_a_folder_keeps_each_run_in_a_file_of_its_own(wood: Path, asked: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corridas"
    folder.mkdir()

    def go(*more: object) -> set[str]:
        invoke("run", wood, "--questions", asked, "--arms", "grep", "--out", folder, "--today", "2026-11-30", *more)
        return {path.name for path in folder.iterdir()}

    first = go()
    assert len(first) == 1
    assert go("--jobs", 1) == first
    assert len(go("--limit", 2)) == 2
    assert len(go("--limit", 2, "--report")) == 3
