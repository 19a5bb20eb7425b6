"""A forest of nine nodes, six questions about it, an arm that walks it, and attempts made by hand.

Among the questions are a chain of three hops, a list, a false premise and one that nothing answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bench.arms.arm import Answerer, Arm
from bench.attempt import Asked, Attempt, Header, Posed, Reply, Run, Statement
from bench.question import Answer, Gold, Question
from forest.analyzer import question_stems
from forest.catalog import NodeRow
from forest.citation import Citation
from forest.reading import read_passage
from forest.state import State
from tests.conftest import node


def edge(kind: str, to: str, basis: str, scent: str = "lo que sigue") -> str:
    return f'[{{kind: {kind}, to: {to}, scent: "{scent}", basis: "{basis}"}}]'


FOREST = {
    "index.md": node("raiz", "# Raíz\n\nBosque de prueba.", kind="topic", title="Raíz"),
    "normas/index.md": node("normas", "Normas de muestra.", kind="topic", title="Normas"),
    "normas/vieja.md": node(
        "nom-901-1996",
        "# Objeto\n\nEsta norma limita las descargas de tintorerías a 90 mg/L.\n\n"
        "# Sustitución\n\nEsta norma quedó sustituida por la NOM-902-SEMARNAT-2021.",
        kind="instrument",
        title="NOM-901-SEMARNAT-1996",
        tags="[descargas]",
        edges=edge("cites", "nom-902-2021", "quedó sustituida por la NOM-902-SEMARNAT-2021", "la que vino después"),
    ),
    "normas/nueva.md": node(
        "nom-902-2021",
        "# Objeto\n\nLímites de las descargas textiles.\n\n"
        "# Vigilancia\n\nLa vigilancia queda a cargo del Laboratorio Cenzontle.",
        kind="instrument",
        title="NOM-902-SEMARNAT-2021",
        edges=edge("concerns", "cenzontle", "La vigilancia queda a cargo del Laboratorio Cenzontle", "quién vigila"),
    ),
    "normas/cenzontle.md": node(
        "cenzontle",
        "# Cuotas\n\nEl laboratorio cobra una cuota de 4,750 pesos por muestra.\n\n# Sede\n\nTiene su sede en Toluca.",
        kind="entity",
        title="Laboratorio Cenzontle",
        summary="Laboratorio de aguas.",
    ),
    "normas/calandria.md": node(
        "calandria",
        "# Cuotas\n\nEl laboratorio cobra una cuota de 3,200 pesos por muestra.",
        kind="entity",
        title="Laboratorio Calandria",
        edges=edge("cites", "nom-901-1996", "", "otra puerta"),
    ),
    "trabajo/index.md": node("trabajo", "Normas del trabajo.", kind="topic", title="Trabajo"),
    "trabajo/salarios.md": node(
        "salarios",
        "# Montos\n\nEl salario mínimo general será de 315.04 pesos diarios por jornada.\n\n"
        "# Zonas\n\nHay dos zonas: la frontera norte y el resto del país.",
        title="Salarios mínimos 2026",
        summary="Montos del salario mínimo.",
        published="2025-12-09",
    ),
    "trabajo/vacaciones.md": node(
        "vacaciones",
        "# Vacaciones\n\nEl periodo anual de vacaciones será de doce días laborables.\n\n"
        "# Prima\n\nLa prima vacacional será de veinticinco por ciento.",
        title="Vacaciones",
        summary="Días de descanso.",
        published="2022-12-27",
    ),
}


def span(node_id: str, words: str, bridge: str = "") -> dict[str, Any]:
    return {"node": node_id, "span": words, **({"bridge": bridge} if bridge else {})}


def question(
    question_id: str, text: str, category: str, answer: dict[str, Any], *gold: Any, **more: Any
) -> dict[str, Any]:
    hops = more.pop("hops", len(gold))
    return {
        "id": question_id,
        "question": text,
        "category": category,
        "phrasing": "professional",
        "split": "dev",
        "chain": question_id.lower(),
        "hops": hops,
        "answer": answer,
        "gold": list(gold),
        **more,
    }


SALARY = span("salarios", "El salario mínimo general será de 315.04 pesos diarios")
HOLIDAYS = span("vacaciones", "El periodo anual de vacaciones será de doce días laborables")
FEE = span("cenzontle", "El laboratorio cobra una cuota de 4,750 pesos por muestra")
NEW = span("nom-901-1996", "Esta norma quedó sustituida por la NOM-902-SEMARNAT-2021")
WATCH = span("nom-902-2021", "La vigilancia queda a cargo del Laboratorio Cenzontle")
ZONES = span("salarios", "Hay dos zonas: la frontera norte y el resto del país")

QUESTIONS = (
    question(
        "Q-SALARIO",
        "¿De cuánto es el salario mínimo general diario?",
        "single_passage",
        {"type": "money", "value": "315.04 pesos", "traps": ["278.80 pesos"]},
        SALARY,
    ),
    question(
        "Q-VACACIONES",
        "¿Cuántos días laborables tiene el periodo anual de vacaciones?",
        "single_passage",
        {"type": "quantity", "value": "12 días", "accept": ["doce días laborables"]},
        HOLIDAYS,
        phrasing="everyday",
    ),
    question(
        "Q-CUOTA",
        "¿Qué cuota por muestra cobra quien vigila la norma que sustituyó a la NOM-901-SEMARNAT-1996?",
        "multi_document",
        {"type": "money", "value": "4,750 pesos", "traps": ["3,200 pesos"]},
        NEW,
        WATCH,
        FEE,
        split="test",
    ),
    question(
        "Q-ZONAS",
        "¿En qué zonas rige el salario mínimo general?",
        "list",
        {
            "type": "list",
            "items": [{"type": "name", "value": "frontera norte"}, {"type": "name", "value": "resto del país"}],
        },
        ZONES,
    ),
    question(
        "Q-PREMISA",
        "¿Por qué el periodo anual de vacaciones es de seis días laborables?",
        "false_premise",
        {"type": "none"},
        HOLIDAYS,
        premise="El periodo es de seis días.",
        correction={"type": "quantity", "value": "12 días", "accept": ["doce días laborables"]},
        chain="q-vacaciones",
    ),
    question(
        "Q-DRAGONES",
        "¿Cuántos dragones amaestrados autoriza el reglamento?",
        "unanswerable",
        {"type": "none"},
        twin="Q-SALARIO",
        chain="q-salario",
    ),
)


def write_questions(path: Path, records: tuple[dict[str, Any], ...] = QUESTIONS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def _open_walker(state: State) -> Answerer:
    """Search once, then go through the first door that has a scent until there is none, reading all on the way."""

    def answer(asked: Asked) -> Reply:
        found = state.index.search([(stem, 1.0) for stem in question_stems(asked.text)], 1)
        here: NodeRow | None = next(iter(state.catalog.by_numbers(hit.node for hit in found).values()), None)
        way: list[NodeRow] = []
        while here is not None and here not in way:
            way.append(here)
            doors = [to for _, to, scent, _ in state.catalog.edges_out(here) if scent]
            here = state.catalog.find(doors[0]) if doors else None
        readings = [read_passage(state, n, p.ordinal) for n in way for p in state.catalog.passages(n)]
        told = [r for r in readings if r.text.strip()]
        statements = [Statement(r.text, "", (r.cite(r.text),), leads=r.node != way[-1]) for r in told]
        ids = tuple(r.passage.id for r in told)
        ending = "answered" if told else "abstained"
        return Reply(tuple(statements), ending, ids, ids, steps=1 + len(way), hops=max(0, len(way) - 1))

    return answer


WALKER = Arm("walker", "goes through the first door with a scent", {"doors": 1}, _open_walker)


def cited(node_id: str, passage: int, quote: str) -> Citation:
    return Citation(node_id, passage, f"{node_id}.md", "0" * 40, "1" * 40, 0, 9, "2" * 64, quote)


def said(*statements: tuple[str, Sequence[Citation]], **more: Any) -> Reply:
    """A reply of some statements without values."""
    found = more.pop("found", ())
    told = tuple(Statement(text, "", tuple(citations)) for text, citations in statements)
    ending = more.pop("ending", "answered" if told else "abstained")
    return Reply(told, ending, tuple(found), tuple(more.pop("read", found)), **more)


def posed(question_id: str, answer: Answer, *hops: tuple[Gold, str], **more: Any) -> Posed:
    """A question with for each hop its gold and the passage that holds it."""
    fields = {"category": "single_passage", "phrasing": "professional", "split": "dev", "chain": question_id} | more
    fields.setdefault("hops", len(hops))
    asked = Question(
        id=question_id, question="¿De cuánto es?", answer=answer, gold=tuple(gold for gold, _ in hops), **fields
    )
    return Posed(asked, tuple(frozenset([passage]) for _, passage in hops))


def run_of(asked: Sequence[Posed], attempts: Sequence[Attempt], **header: Any) -> Run:
    """A run made by hand."""
    arms: Mapping[str, Mapping[str, int]] = {a.arm: {"k": 1} for a in attempts}
    values = {
        "tree": "a" * 40,
        "base_tree": "a" * 40,
        "commit": "c" * 40,
        "versions": {"format": "1"},
        "code": "f" * 16,
        "arms": arms,
        "questions": {"seis.jsonl": "b" * 64},
        "control": "",
        "split": "",
        "today": date(2026, 11, 30),
        "seed": 1,
        "repetitions": 1,
    }
    return Run(Header(**{**values, **header}), tuple(asked), tuple(attempts))
