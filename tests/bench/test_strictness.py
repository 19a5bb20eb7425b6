"""A question is strictly multi-hop only when no text of the forest, passports and scents included, shortens it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.question import Question, check_against, load_nodes, load_questions
from bench.removal import rests_on, without
from bench.strictness import Refusal, check, main
from bench.texts import read_texts
from forest.text import one_line
from tests.conftest import CONFIG, node, plant, write

DATA = Path(__file__).parent / "strict"
QUESTIONS = (DATA / "questions.jsonl").read_text(encoding="utf-8")
BROKEN = [json.loads(line) for line in (DATA / "broken.jsonl").read_text(encoding="utf-8").splitlines()]

_PLANTS = {"azul": "NOM-971-PRUE-2019", "roja": "NOM-972-PRUE-2020", "verde": "NOM-973-PRUE-2021"}
_NORMS = {"NOM-971-PRUE-2019": "Cedro", "NOM-972-PRUE-2020": "Roble", "NOM-973-PRUE-2021": "Pino"}
_FEES = {"Cedro": "1,240.50 pesos", "Roble": "980 pesos", "Pino": "1,100 pesos", "Nogal": "1,315 pesos"}


def _edge(kind: str, to: str, scent: str, basis: str) -> str:
    return f"[{{kind: {kind}, to: {to}, scent: {scent}, basis: {basis}}}]"


def basin() -> dict[str, str]:
    """Plants, the norms that rule them, and the laboratories that those norms name: three chains of three hops."""
    files = {
        "index.md": node("raiz", "Una cuenca de ejemplo.", kind="topic", title="Cuenca"),
        "plantas/index.md": node("plantas", "Las plantas de la cuenca.", kind="topic", scent="las plantas"),
        "normas/index.md": node("normas", "Las normas de la cuenca.", kind="topic"),
        "laboratorios/index.md": node("laboratorios", "Quienes analizan.", kind="topic"),
    }
    for plant_name, norm in _PLANTS.items():
        files[f"plantas/{plant_name}.md"] = node(
            f"planta-{plant_name}",
            f"Sus descargas se rigen por la {norm}. Opera de día.",
            kind="entity",
            title=f"Planta {plant_name.title()}",
            edges=_edge("cites", norm.lower(), "la norma que la rige", f"se rigen por la {norm}"),
        )
    for norm, laboratory in _NORMS.items():
        files[f"normas/{norm[:7].lower()}.md"] = node(
            norm.lower(),
            f"Esta norma fija límites. Las muestras las analiza el Laboratorio {laboratory}. "
            "Los informes se entregan al cabo de un mes.",
            kind="instrument",
            edges=_edge(
                "cites",
                f"laboratorio-{laboratory.lower()}",
                "quien analiza",
                f"las analiza el Laboratorio {laboratory}",
            ),
        )
    for laboratory, fee in _FEES.items():
        files[f"laboratorios/{laboratory.lower()}.md"] = node(
            f"laboratorio-{laboratory.lower()}",
            f"El laboratorio cobra {fee} por muestra. Otorga recibo.",
            kind="entity",
            title=f"Laboratorio {laboratory}",
            aliases=f"[LAB{laboratory[:2].upper()}]",
        )
    return files


def replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def place(folder: Path, files: dict[str, str], questions: str = QUESTIONS) -> tuple[Path, tuple[Question, ...]]:
    write(folder, {"forest/forest.yaml": CONFIG, **{f"forest/{path}": text for path, text in files.items()}})
    write(folder, {"questions.jsonl": questions})
    return folder / "forest", load_questions([folder / "questions.jsonl"])


def refusals(folder: Path, questions: tuple[Question, ...], which: str = "AZUL") -> tuple[Refusal, ...]:
    asked = next(q for q in questions if q.id == which)
    return check(read_texts(load_nodes(folder)), asked, questions)


@pytest.mark.parametrize("which", ["AZUL", "ROJA"])
def test_a_chain_that_nothing_shortens_is_strict(tmp_path: Path, which: str) -> None:
    folder, questions = place(tmp_path, basin())
    assert check_against(questions, folder) == ()
    assert refusals(folder, questions, which) == ()


@pytest.mark.parametrize("case", BROKEN, ids=[case["why"] for case in BROKEN])
def test_a_question_broken_on_purpose_is_refused_for_that_reason_alone(tmp_path: Path, case: dict) -> None:  # type: ignore[type-arg]
    files = basin()
    for path, changes in case.get("forest", {}).items():
        files[path] = replaced(files[path], changes)
    folder, questions = place(tmp_path, files, replaced(QUESTIONS, case.get("question", {})))
    assert check_against(questions, folder) == ()
    found = refusals(folder, questions)
    assert {r.rule for r in found} == {case["rule"]}, found
    assert sorted({r.hop for r in found}) == case["hops"], found


def test_broken_questions_break_every_rule_and_the_subtle_ones_twice() -> None:
    broken = [case["rule"] for case in BROKEN]
    assert len(broken) >= 10
    assert all(broken.count(rule) >= (1 if rule in (1, 4) else 2) for rule in range(1, 6))


def test_a_declared_equivalent_may_hold_what_the_hop_holds(tmp_path: Path) -> None:
    files = basin()
    files["normas/nom-971.md"] = replaced(
        files["normas/nom-971.md"], {"Esta norma": "Rige a la Planta Azul. Esta norma"}
    )
    folder, questions = place(tmp_path, files)
    assert {(r.rule, r.hop) for r in refusals(folder, questions)} == {(3, 1)}
    bridge = '"bridge": "NOM-971-PRUE-2019"'
    same = '"equivalents": [{"node": "nom-971-prue-2019", "span": "Rige a la Planta Azul"}]'
    folder, questions = place(tmp_path / "otra", files, replaced(QUESTIONS, {bridge: f"{bridge}, {same}"}))
    assert refusals(folder, questions) == ()


def test_a_bridge_may_lead_through_the_node_that_it_names_when_the_next_span_states_the_edge(tmp_path: Path) -> None:
    files = basin()
    norm, said = "normas/nom-971.md", "Las muestras las analiza el Laboratorio Cedro."
    edges = next(line for line in files[norm].splitlines(keepends=True) if line.startswith("edges:"))
    files[norm] = replaced(files[norm], {edges: "", said: ""})
    files["avisos/uno.md"] = node(
        "aviso-uno",
        "Para la NOM-971-PRUE-2019 se acredita al Laboratorio Cedro.",
        edges="[{kind: implements, to: nom-971-prue-2019, scent: la norma, basis: Para la NOM-971-PRUE-2019}, "
        "{kind: cites, to: laboratorio-cedro, scent: quien analiza, basis: se acredita al Laboratorio Cedro}]",
    )
    old = '"nom-971-prue-2019", "span": "Las muestras las analiza el Laboratorio Cedro"'
    whole = '"aviso-uno", "span": "Para la NOM-971-PRUE-2019 se acredita al Laboratorio Cedro"'
    half = '"aviso-uno", "span": "se acredita al Laboratorio Cedro"'
    folder, questions = place(tmp_path, files, replaced(QUESTIONS, {old: whole}))
    assert refusals(folder, questions) == ()
    folder, questions = place(tmp_path, files, replaced(QUESTIONS, {old: half}))
    assert {(r.rule, r.hop) for r in refusals(folder, questions)} == {(1, 1)}


def test_the_command_lists_refusals_by_rule_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = place(tmp_path, basin())
    arguments = [str(folder), str(tmp_path / "questions.jsonl")]
    assert main(arguments) == 0
    assert "2 strict questions, 0 refused" in capsys.readouterr().out
    write(folder, {"nota.md": node("nota", "La Planta Azul paga 1,240.50 pesos.")})
    assert main(arguments) == 1
    said = capsys.readouterr().out
    assert (
        "AZUL: rule 3, question: nota holds the entity 'planta azul' together with the answer '1240.50 pesos'" in said
    )
    assert "| 3 | 1 | 1 |" in said


def test_the_command_tells_how_hard_bm25_finds_the_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = plant(tmp_path / "bosque", basin())
    write(tmp_path, {"questions.jsonl": QUESTIONS})
    assert main([str(folder), str(tmp_path / "questions.jsonl"), "--bm25"]) == 0
    said = capsys.readouterr().out
    assert "| question | hops | in the best 6 | in the best 20 |" in said
    assert "| AZUL | 3 |" in said


WORDS = st.lists(st.sampled_from(["la", "cuota", "es", "de", "diez", "pesos", "(hoy)"]), min_size=1, max_size=8)


@given(WORDS, WORDS, WORDS)
def test_a_span_that_was_removed_stands_nowhere(before: list[str], span: list[str], after: list[str]) -> None:
    body, cut = "  ".join([*before, *span, *after]), " ".join(span)
    rest = without(body, [cut])
    assert cut not in one_line(rest)
    assert without(rest, [cut]) == rest
    assert rests_on(cut, body, [cut])
