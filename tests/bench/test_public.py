"""Public questions: publications known by quotes are hidden in a forest, found there by words, and asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bench.question import QuestionsWrong
from bench.retrieval.hidden import hide, quoted_nodes
from bench.retrieval.quoted import Publication, Quote, Record, load_public
from bench.retrieval.standing import Found, find_public, pieces_of, real_text
from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.lint import lint
from forest.reading import read_passage
from forest.state import State, open_state
from forest.store import load_folder, read_folder_config
from tests.conftest import node, plant

DECREE = "2022/12/27122022/VES/003_DOF_20221227_VES_5675888.md"
RATE = "2019/08/10082019/MAT/005_DOF_20190810_MAT_4927660.md"
WHOLE = "2024/04/12042024/MAT/009_DOF_20240412_MAT_5722222.md"
HOLIDAYS = "Artículo 78.- La persona navegante disfrutará de doce días de descanso continuos, por lo menos."
FORCE = "Primero.- El presente Decreto entrará en vigor al día siguiente de su publicación."
TERM = f"{FORCE} Segundo.- Los puertos tendrán noventa días naturales para ajustar sus tarifas."
DOLLAR = "el tipo de cambio obtenido el día de hoy fue de $10.8386 M.N. por un dólar."
FIRST = "Se fija la cuota de amarre en 900 pesos."
LONG = "Se revisan las boyas cada mes. " + " ".join(
    f"La boya número {n} se pinta de nuevo antes de la temporada de lluvias." for n in range(30)
)

BASE = {
    "index.md": node("raiz", "# Raíz", kind="topic"),
    "ly/index.md": node("ly", "# Ley de Yates", kind="instrument", title="Ley de Yates", published="1990-01-01"),
    "ly/art-78.md": node(
        "ly/art-78",
        "# Artículo 78\n\nLa persona navegante disfrutará de doce días de descanso continuos, por lo menos.",
        kind="provision",
        title="LY, artículo 78",
        text_state="consolidated",
        text_as_of="2026-01-15",
        reforms="[2022-12-27]",
    ),
    "ly/decreto/index.md": node("ly/dof-2022-12-27", "# Decreto", title="DOF 27-12-2022", published="2022-12-27"),
    "ly/decreto/trans-1.md": node(
        "ly/dof-2022-12-27/trans-1",
        "# Primero transitorio\n\nEl presente Decreto entrará en vigor al día siguiente de su publicación.",
        kind="provision",
        published="2022-12-27",
    ),
    "ly/decreto/trans-2.md": node(
        "ly/dof-2022-12-27/trans-2",
        "# Segundo transitorio\n\nLos puertos tendrán noventa días naturales para ajustar sus tarifas.",
        kind="provision",
        published="2022-12-27",
    ),
    "ly/otro.md": node(
        "ly/dof-2021-01-01",
        "# Primero\n\nEl presente Decreto entrará en vigor al día siguiente de su publicación.",
        published="2021-01-01",
    ),
    "dof/cuota.md": node(
        "cuota-2024",
        f"# Cuotas\n\n{FIRST}\n\n# Boyas\n\n{LONG}",
        title="Acuerdo de cuotas",
        published="2024-04-12",
    ),
}
# Formulas of gazettes stand in more texts than a search brings back.
BASE |= {
    f"ly/d{n}.md": node(
        f"ly/decreto-{n}",
        "# Primero\n\nEl presente Decreto entrará en vigor al día siguiente de su publicación.",
        published="2001-01-01",
    )
    for n in range(60)
}
SPANS = {
    DECREE: {"7": [TERM, FORCE], "0": [HOLIDAYS, "disfrutará de doce días de descanso"]},
    RATE: {"0": [DOLLAR]},
    WHOLE: {"0": [FIRST], "3": [LONG]},
}


def gold(path: str, chunk: int, *quotes: str) -> dict[str, Any]:
    return {
        "relpath": path,
        "publication_date": f"{path[-23:-19]}-{path[-19:-17]}-{path[-17:-15]}",
        "section": path[-14:-11],
        "evidence": [{"chunk_id": 1, "chunk_index": chunk, "quote": quote} for quote in quotes],
    }


def record(question_id: str, text: str, *documents: dict[str, Any], **more: Any) -> dict[str, Any]:
    fields = {"id": question_id, "category": "single_passage", "question": text, "as_of": "2026-04-24"}
    return {**fields, "required_hops": 1, "gold_documents": list(documents), "persona": "marino", **more}


RECORDS = [
    record("A", "¿Cuántos días descansa quien navega?", gold(DECREE, 0, HOLIDAYS), as_of="2023-01-01"),
    record("B", "¿Cuándo entró en vigor?", gold(DECREE, 7, TERM)),
    record("C", "¿Cuál fue el tipo de cambio del dólar?", gold(RATE, 0, DOLLAR), as_of="2019-08-11"),
    record(
        "D", "¿De cuánto es la cuota y cada cuándo se revisan las boyas?", gold(WHOLE, 0, FIRST), gold(WHOLE, 3, LONG)
    ),
    record("E", "¿Cuántos dragones hay?"),
]


def write(folder: Path, records: list[dict[str, Any]], spans: Any = SPANS) -> tuple[Path, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    questions, quotes = folder / "preguntas.jsonl", folder / "citas.json"
    questions.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    quotes.write_text(json.dumps(spans), encoding="utf-8")
    return questions, quotes


@dataclass(frozen=True)
class Hidden:
    """The forest that was made, its state, and what was hidden in it."""

    state: State
    folder: Path
    records: tuple[Record, ...]
    publications: tuple[Publication, ...]
    real: dict[str, str]

    @property
    def found(self) -> Found:
        return find_public(self.state, self.records, self.publications, self.real)


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hidden]:
    place = tmp_path_factory.mktemp("escondidas")
    records, publications = load_public(*write(place, RECORDS))
    base = open_snapshot(plant(place / "base", BASE))
    with open_state(base) as state:
        real = {p.code: found for p in publications if (found := real_text(state, p))}
    hide(base, [p for p in publications if p.code not in real], place / "bosque")
    with open_state(open_snapshot(place / "bosque")) as state:
        yield Hidden(state, place / "bosque", records, publications, real)


def test_a_publication_is_told_by_its_path_and_its_quotes_come_in_the_order_of_the_text(tmp_path: Path) -> None:
    _, publications = load_public(*write(tmp_path, RECORDS))
    decree = next(p for p in publications if p.code == "5675888")
    assert (decree.published, decree.section) == (date(2022, 12, 27), "VES")
    assert decree.quotes == ((HOLIDAYS,), (TERM,)), "a quote that another holds is left out"


def test_quotes_that_the_second_file_lacks_are_taken_from_the_questions(tmp_path: Path) -> None:
    _, publications = load_public(*write(tmp_path, RECORDS, {}))
    assert {p.code: p.quotes for p in publications} == {
        "5675888": ((HOLIDAYS,), (TERM,)),
        "4927660": ((DOLLAR,),),
        "5722222": ((FIRST,), (LONG.strip(),)),
    }


def test_every_problem_is_told_with_its_line(tmp_path: Path) -> None:
    wrong = deepcopy(RECORDS)
    wrong[0]["gold_documents"][0]["publication_date"] = "2022-12-28"
    wrong[1]["as_of"] = "2026-13-01"
    wrong[2]["gold_documents"][0]["relpath"] = "../../etc/passwd"
    del wrong[3]["question"]
    wrong[4]["id"] = "A"
    with pytest.raises(QuestionsWrong) as told:
        load_public(*write(tmp_path, wrong, {RATE: {"x": ["y"]}}))
    said = str(told.value)
    for words in (
        "preguntas.jsonl:1: gold_documents[0].publication_date is not that of 2022",
        "preguntas.jsonl:2: as_of must be a day",
        "'../../etc/passwd' does not tell day, section and code",
        "preguntas.jsonl:4: question is missing",
        "preguntas.jsonl: A is there twice",
        f"citas.json: {RATE} must have quotes by number of chunk",
    ):
        assert words in said


def test_a_publication_that_the_forest_holds_in_full_stays_what_it_is(hidden: Hidden) -> None:
    assert hidden.real == {"5722222": "cuota-2024"}
    assert hidden.state.catalog.find("dof-5722222") is None


def test_a_node_by_the_code_of_a_publication_must_be_that_publication(tmp_path: Path) -> None:
    _, publications = load_public(*write(tmp_path, RECORDS))
    other = node("dof-4927660", "# Aviso\n\nSe avisa de otra cosa.", published="2019-08-10")
    base = open_snapshot(plant(tmp_path / "base", {**BASE, "dof/aviso.md": other}))
    rate = next(p for p in publications if p.code == "4927660")
    with open_state(base) as state, pytest.raises(WrongUsage, match="dof-4927660 of the forest does not hold"):
        real_text(state, rate)


def test_two_publications_are_two_documents_though_one_text_holds_both(hidden: Hidden) -> None:
    both = Record("Z", "¿?", "multi_document", None, 2, (Quote("5675888", HOLIDAYS), Quote("5722222", FIRST)))
    (asked,) = find_public(hidden.state, [both], hidden.publications, hidden.real).asked
    assert asked.documents == (frozenset(["dof-5675888", "ly"]), frozenset(["cuota-2024"]))
    assert asked.hops == 2


def test_what_is_not_there_is_made_of_its_quotes_alone(hidden: Hidden) -> None:
    made = hidden.state.catalog.node("dof-5675888")
    assert (made.kind, made.published, made.text_state) == ("publication", date(2022, 12, 27), "as_published")
    assert made.title == HOLIDAYS
    texts = [read_passage(hidden.state, made, n).text for n in (1, 2)]
    assert texts == [f"# Fragmento\n\n{HOLIDAYS}", f"# Fragmento\n\n{TERM}"]
    assert hidden.state.catalog.count_passages(made) == 2


def test_the_rest_of_the_forest_is_as_it_was_and_lint_finds_nothing_new(hidden: Hidden) -> None:
    for path, text in BASE.items():
        assert (hidden.folder / path).read_text(encoding="utf-8") == text
    findings = lint(load_folder(hidden.folder), read_folder_config(hidden.folder))
    assert not [f for f in findings if f.path.startswith("citadas")]


def test_evidence_counts_in_other_texts_of_its_day_and_in_no_others(hidden: Hidden) -> None:
    asked = {w.id: w for w in hidden.found.asked}
    assert asked["A"].evidence == (frozenset(["dof-5675888#1", "ly/art-78#1"]),), "the article that was reformed"
    assert asked["A"].documents == (frozenset(["dof-5675888", "ly"]),)
    first, second = "ly/dof-2022-12-27/trans-1#1", "ly/dof-2022-12-27/trans-2#1"
    assert asked["B"].evidence == (frozenset(["dof-5675888#2", first, second]),), "the formula of 2021 is no evidence"
    assert asked["B"].documents == (frozenset(["dof-5675888", "ly/dof-2022-12-27"]),)
    assert hidden.found.elsewhere == 2


def test_a_quote_is_compared_sentence_by_sentence_without_labels() -> None:
    assert pieces_of(TERM) == (
        "El presente Decreto entrará en vigor al día siguiente de su publicación.",
        "Los puertos tendrán noventa días naturales para ajustar sus tarifas.",
    )
    assert pieces_of(HOLIDAYS) == (HOLIDAYS.removeprefix("Artículo 78.- "),)
    assert pieces_of("143.042") == ("143.042",), "what is short is compared whole"


def test_evidence_that_no_passage_holds_whole_is_in_those_that_hold_some_of_it(hidden: Hidden) -> None:
    (asked,) = (w for w in hidden.found.asked if w.id == "D")
    assert hidden.found.split == 1
    assert asked.documents == (frozenset(["cuota-2024"]),)
    assert asked.evidence[0] == frozenset(["cuota-2024#1"])
    assert asked.evidence[1] >= {"cuota-2024#2", "cuota-2024#3"}
    assert "cuota-2024#1" not in asked.evidence[1]


def test_a_question_without_evidence_is_left_out_and_the_others_keep_their_day(hidden: Hidden) -> None:
    assert [w.id for w in hidden.found.asked] == ["A", "B", "C", "D"]
    assert hidden.found.asked[0].as_of == date(2023, 1, 1)


def test_titles_look_at_nothing_that_is_asked(tmp_path: Path) -> None:
    other = [record("Z", "¿Algo muy distinto?", gold(RATE, 0, DOLLAR))]
    made = [load_public(*write(tmp_path / str(n), r)) for n, r in enumerate((RECORDS, other))]
    assert quoted_nodes(made[0][1]) == quoted_nodes(made[1][1])


def test_a_folder_that_holds_something_is_refused(hidden: Hidden, tmp_path: Path) -> None:
    (tmp_path / "nota.txt").write_text("algo", encoding="utf-8")
    with pytest.raises(WrongUsage, match="is not empty"):
        hide(hidden.state.snapshot, hidden.publications, tmp_path)
    with pytest.raises(WrongUsage, match="has a folder citadas already"):
        hide(hidden.state.snapshot, hidden.publications, tmp_path / "nuevo")


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.public", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def test_the_command_measures_with_and_without_the_day_beside_the_published_figures(tmp_path: Path) -> None:
    files = write(tmp_path, RECORDS)
    base = plant(tmp_path / "base", BASE)
    ran = command(*files, "--base", base, "--forest", tmp_path / "hecho", "--json", tmp_path / "t.json", "--no-levers")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("# Retrieval\n") == 2
    assert "3: 1 in full, 2 made of their quotes" in ran.stdout
    assert "1 of 5 questions, which have no evidence" in ran.stdout
    assert "2019-08-11: 1 questions" in ran.stdout
    assert "not comparable" in ran.stdout
    assert "document_recall@5 0.381" in ran.stdout
    honoured, free = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert honoured["header"]["as_of"].startswith("honoured")
    assert free["header"]["as_of"].startswith("not honoured")
    found = {(r["arm"], r["question"]): r["documents"] for r in honoured["rankings"] if r["question"] in ("A", "C")}
    assert all("ly" not in documents for documents in found.values()), "consolidated later than the day"
    assert (tmp_path / "hecho" / "citadas" / "dof-4927660.md").exists()


def test_the_command_refuses_with_a_sentence(tmp_path: Path) -> None:
    ran = command(*write(tmp_path, RECORDS))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no forest to hide" in ran.stderr
    assert "Traceback" not in ran.stderr
    empty = command(*write(tmp_path, RECORDS), "--data", tmp_path)
    assert (empty.returncode, empty.stdout) == (1, "")
    assert "nothing to curate" in empty.stderr
