"""A hub of 3,000 children and edges, and nodes of 200,000 words: every page in budget, and walking on reaches all."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from forest.text import count_tokens
from tests.conftest import Forest, node, plant

CHILDREN = 3_000
WORDS = 200_000
BUDGETS = {"outline": 800, "scent": 900, "read": 1200, "search": 900}
LEFT_OUT = re.compile(r"^CUT OFF: .*[\d,]+ to [\d,]+ of [\d,]+ .*LEFT OUT\. To go on: (forest .+)$")


def bodies() -> dict[str, str]:
    words = [f"palabra{n % 700}" for n in range(WORDS)]
    rows = ["| Año | Monto | Nota |", "|---|---|---|"]
    rows += [f"| {n} | {' '.join(words[n * 8 : n * 8 + 8])} | {n} |" for n in range(WORDS // 10)]
    paragraphs = [f"{' '.join(words[n : n + 50]).capitalize()}." for n in range(0, WORDS, 50)]
    return {"oracion": " ".join(words), "tabla": "\n".join(rows), "parrafos": "\n\n".join(paragraphs)}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hub = {"kind": "instrument", "title": "Centro", "scent": "el centro de todo"}
    cites = "edges:\n  - {kind: cites, to: centro, scent: lo cita, basis: cita}\n---\n\n"
    files = {"index.md": node("raiz", kind="topic"), "centro/index.md": node("centro", "El centro.", **hub)}
    for n in range(CHILDREN):
        text = node(f"hija-{n:04}", "Una hija cita.", title=f"Hija número {n}", scent=f"lo que dice la hija {n}")
        files[f"centro/h{n:04}.md"] = text.replace("---\n\n", cites, 1)
    files |= {f"{name}.md": node(name, body, title=name.capitalize()) for name, body in bodies().items()}
    return plant(tmp_path_factory.mktemp("grande") / "bosque", files)


def follow(forest: Forest, *command: str) -> list[dict[str, Any]]:
    """Run a command and what each page says comes next, to the end; every page is checked on the way."""
    pages = []
    arguments = list(command)
    while True:
        ran = forest(*arguments, "--json")
        page, text = ran.json, ran.json["text"]
        first, *_, last = text.splitlines()
        assert ran.code == 0
        assert count_tokens(text) == page["tokens"] <= BUDGETS[arguments[0]]
        assert first == last
        pages.append(page)
        if not page["next"]:
            assert first.startswith("LAST PAGE: " if len(pages) > 1 else "COMPLETE: ")
            return pages
        told = LEFT_OUT.match(first)
        assert told, first
        assert told[1] == page["next"]
        program, *arguments = shlex.split(page["next"])
        assert program == "forest"


def test_walking_on_reaches_every_child_of_a_hub_once(place: Path, forest: Forest) -> None:
    pages = follow(forest, "outline", "centro", "--forest", str(place))
    ids = [part["id"] for page in pages for part in page["items"]]
    assert ids == ["centro#1", *(f"hija-{n:04}" for n in range(CHILDREN))]
    assert {page["total"] for page in pages} == {CHILDREN + 1}


def test_walking_on_reaches_every_door_of_a_hub_once(place: Path, forest: Forest) -> None:
    pages = follow(forest, "scent", "centro", "--forest", str(place))
    doors = [(door["kind"], door["to"], door["number"]) for page in pages for door in page["items"]]
    ids = [f"hija-{n:04}" for n in range(CHILDREN)]
    assert doors == [
        ("parent", "raiz", 1),
        *(("child", node_id, number) for number, node_id in enumerate(ids, start=2)),
        *(("cited_by", node_id, number) for number, node_id in enumerate(ids, start=CHILDREN + 2)),
    ]


@pytest.mark.parametrize("name", ["oracion", "tabla", "parrafos"])
def test_walking_on_reads_every_word_of_a_node_of_200_000_words(place: Path, forest: Forest, name: str) -> None:
    pages = follow(forest, "read", name, "--forest", str(place))
    assert len(pages) > 100
    text = " ".join(unit["text"] for page in pages for unit in page["items"])
    assert text.split() == bodies()[name].split()
    places = [(unit["passage"], unit["number"]) for page in pages for unit in page["items"]]
    assert len(set(places)) == len(places) == pages[0]["total"]
    assert places == sorted(places)


def test_a_page_that_begins_inside_a_table_shows_its_header_again(place: Path, forest: Forest) -> None:
    shown = forest("read", "tabla", "--from", "1234", "--forest", place).out.splitlines()
    assert "(header of the table) | Año | Monto | Nota |" in shown[3]
    assert shown[4].startswith("[")


def test_the_pieces_of_one_sentence_say_aloud_that_they_are_pieces(place: Path, forest: Forest) -> None:
    shown = forest("read", "oracion", "--forest", place).out
    assert re.search(r"^\[1\] \(piece 1 of \d,?\d\d\d of ONE sentence\) palabra0 palabra1 ", shown, re.MULTILINE)


@pytest.mark.parametrize("command", ["outline", "scent"])
def test_the_last_page_of_a_hub_costs_what_the_first_does(place: Path, forest: Forest, command: str) -> None:
    def seconds(start: int) -> float:
        begun = time.perf_counter()
        assert forest(command, "centro", "--from", str(start), "--forest", place).code == 0
        return time.perf_counter() - begun

    assert min(seconds(2_990) for _ in range(3)) < 5 * min(seconds(1) for _ in range(3))
