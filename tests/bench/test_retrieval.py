"""The retrieval bench: what ought to be found, what a ranking is worth, and the command that tells it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bench.question import QuestionsWrong
from bench.retrieval.rankers import BASELINE, Plain, rankers
from bench.retrieval.report import ALL, Report, make_report
from bench.retrieval.run import rank_all
from bench.retrieval.scores import METRICS, Metric, Ranked, recall, reciprocal_rank
from bench.retrieval.tables import markdown, plain
from bench.retrieval.wanted import Wanted, read_wanted
from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.state import State, open_state
from tests.bench.wood import FOREST
from tests.conftest import node, plant

TODAY = date(2026, 11, 30)
LAW = {
    "leyes/ly/index.md": node(
        "ly", "# Ley de Yates\n\nDe los yates.", kind="instrument", title="Ley de Yates", published="1990-01-01"
    ),
    "leyes/ly/cap-1/index.md": node("ly/cap-1", "# De las amarras", kind="topic", title="De las amarras"),
    "leyes/ly/cap-1/art-1.md": node(
        "ly/art-1",
        "# Artículo 1\n\nLas amarras se revisan cada trimestre.\n\n# Notas\n\nQuien no las revise paga.",
        kind="provision",
        title="LY, artículo 1",
        published="1990-01-01",
    ),
    "leyes/ly/cap-1/art-1@2020-02-02.md": node(
        "ly/art-1@2020-02-02", "# Artículo 1\n\nLas amarras se revisan cada mes.", kind="provision", title="LY, 1"
    ),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    folder = plant(tmp_path_factory.mktemp("hallazgos") / "bosque", {**FOREST, **LAW})
    with open_state(open_snapshot(folder)) as state:
        yield state


def wanted(question_id: str, text: str, documents: Sequence[str], evidence: Sequence[str], **more: object) -> Wanted:
    told = Wanted(
        question_id,
        text,
        "single_passage",
        "everyday",
        question_id,
        1,
        tuple(frozenset([d]) for d in documents),
        tuple(frozenset([e]) for e in evidence),
    )
    return replace(told, **more)  # type: ignore[arg-type]


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_gold_is_found_by_its_words_and_belongs_to_the_nearest_document(state: State, asked: Path) -> None:
    found = {w.id: w for w in read_wanted(state, [asked])}
    assert found["Q-CUOTA"].documents == (
        frozenset(["nom-901-1996"]),
        frozenset(["nom-902-2021"]),
        frozenset(["cenzontle"]),
    )
    assert found["Q-CUOTA"].evidence == (
        frozenset(["nom-901-1996#2"]),
        frozenset(["nom-902-2021#2"]),
        frozenset(["cenzontle#1"]),
    )
    assert "Q-DRAGONES" not in found, "what nothing answers has nothing to be found"


def test_of_a_question_over_laws_every_passage_of_every_version_is_as_good(state: State, tmp_path: Path) -> None:
    file = write(
        tmp_path / "leyes.jsonl",
        {"question": "¿Cada cuánto se revisan las amarras?", "gold": ["ly/art-1"], "asks": "topic"},
        {"question": "¿Qué dice la Ley de Globos?", "gold": [], "asks": "absent"},
    )
    (found,) = read_wanted(state, [file])
    assert (found.id, found.category, found.phrasing) == ("leyes.jsonl:1", "topic", "everyday")
    assert found.documents == (frozenset(["ly"]),)
    assert found.evidence == (frozenset(["ly/art-1#1", "ly/art-1#2", "ly/art-1@2020-02-02#1"]),)


def test_questions_of_another_forest_are_refused_by_name(state: State, tmp_path: Path) -> None:
    file = write(tmp_path / "otras.jsonl", {"question": "¿?", "gold": ["lft/art-1"], "asks": "topic"})
    with pytest.raises(QuestionsWrong, match=r"otras\.jsonl:1"):
        read_wanted(state, [file])


def test_all_problems_of_a_file_over_laws_are_told_with_their_lines(state: State, tmp_path: Path) -> None:
    file = write(
        tmp_path / "mal.jsonl",
        {"question": "¿?", "gold": ["ly/art-1"], "asks": "topic"},
        {"question": 7, "gold": ["ly/art-1"], "asks": "topic"},
        {"question": "¿?", "gold": "ly/art-1", "asks": "topic", "color": "verde"},
    )
    with pytest.raises(QuestionsWrong) as told:
        read_wanted(state, [file])
    assert "mal.jsonl:2: question must be text" in str(told.value)
    assert "mal.jsonl:3: color is not a field of the format" in str(told.value)
    assert "mal.jsonl:3: gold must be a list of texts" in str(told.value)


def test_questions_without_any_evidence_are_refused(state: State, tmp_path: Path) -> None:
    file = write(tmp_path / "nada.jsonl", {"question": "¿?", "gold": [], "asks": "absent"})
    with pytest.raises(WrongUsage, match="No question has evidence"):
        read_wanted(state, [file])


@pytest.mark.parametrize(
    ("found", "gold", "at_one", "at_five", "rank"),
    [
        ("a b c", [{"a"}], 1.0, 1.0, 1.0),
        ("x a b", [{"a"}, {"b"}], 0.0, 1.0, 1 / 2),
        ("b x x a", [{"a"}, {"b"}], 0.5, 1.0, 1.0),
        ("x y other", [{"a", "other"}], 0.0, 1.0, 1 / 3),
        ("x x x x x a", [{"a"}], 0.0, 0.0, 1 / 6),
        ("x y", [{"a"}, {"b"}], 0.0, 0.0, 0.0),
        ("", [{"a"}], 0.0, 0.0, 0.0),
    ],
)
def test_recall_is_the_share_of_gold_and_rank_that_of_the_first(
    found: str, gold: list[set[str]], at_one: float, at_five: float, rank: float
) -> None:
    groups = tuple(frozenset(group) for group in gold)
    assert recall(found.split(), groups, 1) == at_one
    assert recall(found.split(), groups, 5) == at_five
    assert reciprocal_rank(found.split(), groups, 0) == pytest.approx(rank)


def test_metrics_have_names_of_their_own() -> None:
    names = [str(metric) for metric in METRICS]
    assert len(set(names)) == len(names)
    assert {"document_recall@20", "document_mrr", "all_documents@10", "evidence_recall@1.frozen"} <= set(names)


class Told:
    """A ranker that finds what it is told to, and remembers where it was sent to look."""

    def __init__(self, documents: Sequence[str], evidence: Sequence[str]) -> None:
        self._documents, self._evidence = tuple(documents), tuple(evidence)
        self.sent: list[tuple[str, ...]] = []

    def documents(self, _: Wanted, limit: int) -> tuple[str, ...]:
        return self._documents[:limit]

    def evidence(self, _: Wanted, documents: Sequence[str], limit: int) -> tuple[str, ...]:
        self.sent.append(tuple(documents))
        return tuple(e for e in self._evidence if e.partition("#")[0] in documents)[:limit]


def run(*asked: Wanted, **arms: Told) -> tuple[Ranked, ...]:
    return rank_all(arms, asked, lambda *_: None)


def test_evidence_is_searched_in_own_frozen_and_gold_documents() -> None:
    first, other = Told("abc", ["a#1", "c#1"]), Told("xa", ["x#1", "a#2", "z#1"])
    question = wanted("Q", "¿?", ["z"], ["z#1"])
    _, ranked = run(question, first=first, other=other)
    assert sorted(first.sent) == [("a", "b", "c"), ("z",)], "what is the same is not searched twice"
    assert sorted(other.sent) == [("a", "b", "c"), ("a", "x"), ("z",)]
    assert ranked.evidence == {"own": ("x#1", "a#2"), "frozen": ("a#2",), "gold": ("z#1",)}


def test_where_no_document_is_found_no_evidence_is() -> None:
    (ranked,) = run(wanted("Q", "¿?", ["z"], ["z#1"]), first=Told("", ["z#1"]))
    assert ranked.evidence == {"own": (), "frozen": (), "gold": ("z#1",)}


def reported(*asked: Wanted, **arms: Told) -> Report:
    return make_report(
        {"forest": "one"}, asked, run(*asked, **arms), main=["lexical", BASELINE], baseline=BASELINE, seed=1
    )


def test_first_hits_that_got_worse_are_said_to_be_worse() -> None:
    asked = [wanted(f"Q{n}", "¿?", ["a"], ["a#1"]) for n in range(20)]
    report = reported(*asked, lexical=Told("ba", ["a#2", "a#1"]), bm25s=Told("ab", ["a#1"]))
    change = report.compared["questions", ALL, "lexical", "bm25s", "document_recall@1"]
    assert (change.mean, change.is_clear) == (-1.0, True)
    lines = [line for line in markdown(report).split("\n") if line.startswith("| document_recall@1 |")]
    assert lines == [
        "| document_recall@1 | 0.0 [0.0, 0.0] | 100.0 [100.0, 100.0] | -100.0 [-100.0, -100.0] * | worse |"
    ]


def test_equal_rankings_show_no_difference() -> None:
    asked = [wanted(f"Q{n}", "¿?", ["a"], ["a#1"]) for n in range(3)]
    report = reported(*asked, lexical=Told("ab", ["a#1"]), bm25s=Told("ab", ["a#1"]))
    assert {change.mean for change in report.compared.values()} == {0.0}
    assert "no clear difference" in markdown(report)
    assert "worse" not in markdown(report)


def test_groups_are_told_apart_and_levers_over_all_questions_only() -> None:
    asked = [
        wanted("Q1", "¿?", ["a"], ["a#1"], category="list"),
        wanted("Q2", "¿?", ["z"], ["z#1"], phrasing="", hops=2),
    ]
    told = {"lexical": Told("a", ["a#1"]), "without coverage": Told("z", []), BASELINE: Told("", [])}
    report = reported(*asked, **told)
    assert report.groups("category") == ("list", "single_passage")
    assert report.groups("phrasing") == ("everyday",)
    assert report.groups("hops") == ("one hop", "several hops")
    assert report.summaries["category", "list", "lexical", "document_recall@1"].mean == 1.0
    assert report.summaries["category", "single_passage", "lexical", "document_recall@1"].mean == 0.0
    assert {by for by, _, arm, _ in report.summaries if arm == "without coverage"} == {"questions"}
    assert "lexical − without coverage" in markdown(report)


def test_json_has_every_figure_under_the_name_of_its_metric() -> None:
    report = reported(wanted("Q", "¿?", ["a"], ["a#1"]), lexical=Told("ab", ["a#1"]), bm25s=Told("b", []))
    told = json.loads(json.dumps(plain(report)))
    figures = told["metrics"]["questions"][ALL]["lexical"]
    assert set(figures) == {str(metric) for metric in METRICS}
    assert figures["document_recall@1"] == {"n": 1, "unscored": 0, "mean": 1.0, "low": None, "high": None}
    assert told["rankings"][0] == {
        "arm": "lexical",
        "question": "Q",
        "documents": ["a", "b"],
        "evidence": {"own": ["a#1"], "frozen": ["a#1"], "gold": ["a#1"]},
    }


def test_a_document_of_bm25s_is_as_good_as_its_best_passage(state: State) -> None:
    arm = Plain(state)
    question = wanted("Q", "¿Se revisan cada trimestre?", ["ly"], ["ly/art-1#1"])
    found = arm.documents(question, 20)
    assert found[0] == "ly"
    assert len(set(found)) == len(found)
    assert arm.evidence(question, ["ly"], 1) == ("ly/art-1#1",)
    assert arm.evidence(question, ["salarios"], 10) == ()


def test_bm25s_knows_what_was_known_on_the_day(state: State) -> None:
    arm = Plain(state)
    question = wanted("Q", "salario mínimo general diario", ["salarios"], ["salarios#1"])
    assert arm.documents(question, 20)[0] == "salarios"
    assert "salarios" not in arm.documents(replace(question, as_of=date(2025, 12, 8)), 20)
    assert arm.documents(replace(question, as_of=date(2025, 12, 9)), 20)[0] == "salarios"
    assert arm.documents(question, 20)[0] == "salarios"


def test_questions_come_back_in_their_order_whatever_their_days() -> None:
    asked = [wanted("Q1", "¿?", ["a"], ["a#1"], as_of=date(2020, 1, 1)), wanted("Q2", "¿?", ["a"], ["a#1"])]
    assert [(r.arm, r.question) for r in run(*asked, one=Told("a", []), two=Told("a", []))] == [
        ("one", "Q1"),
        ("one", "Q2"),
        ("two", "Q1"),
        ("two", "Q2"),
    ]


def test_the_tools_find_evidence_only_in_the_documents_they_are_given(state: State) -> None:
    arms = rankers(state, TODAY, levers=True)
    question = wanted("Q", "¿Qué cuota por muestra cobra el laboratorio?", ["calandria"], ["calandria#1"])
    for arm in arms.values():
        assert {p.partition("#")[0] for p in arm.evidence(question, ["calandria"], 10)} == {"calandria"}


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.retrieval", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_command_prints_the_same_twice_and_writes_json_beside(wood: Path, asked: Path, tmp_path: Path) -> None:
    first = command(wood, asked, "--json", tmp_path / "uno.json")
    again = command(wood, asked.parent, "--json", tmp_path / "dos.json")
    assert first.returncode == 0, first.stderr
    assert first.stdout == again.stdout
    assert (tmp_path / "uno.json").read_bytes() == (tmp_path / "dos.json").read_bytes()
    assert "## First hits" in first.stdout
    assert "5 with evidence" in first.stdout
    assert "bm25s: 5 of 5 questions" in first.stderr


def test_the_command_refuses_with_a_sentence(wood: Path, tmp_path: Path) -> None:
    ran = command(wood, tmp_path / "falta.jsonl")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "falta.jsonl cannot be read" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_metric_prints_as_its_name_depth_and_candidates() -> None:
    assert str(Metric("evidence_recall", recall, 5, "gold")) == "evidence_recall@5.gold"
