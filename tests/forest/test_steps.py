"""Steps: what outline, scent, read and search show of a node, in budget, under a clock, and where a door leads."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.errors import NodeNotFound, NodeNotKnownYet, NotAForest, PassageNotFound, WrongUsage
from forest.history import open_snapshot
from forest.observation import Observation
from forest.outline import outline
from forest.scent import scent
from forest.state import State, open_state
from forest.steps import land, read, search_step, step_clock
from forest.text import count_tokens
from forest.units import UNIT_TOKENS, units_of
from tests.conftest import Forest, node, plant

TODAY = date(2026, 3, 1)
NOW = step_clock(today=TODAY)

LONG_SCENT = " ".join(f"aroma{n}" for n in range(2_000))
LONGEST_ID = "".join(f"{n * n % 97}{chr(97 + n * 7 % 26)}" for n in range(100))[:200]
OTHERS = (
    "2 other versions, not in force on 2026-03-01 (since 2000-02-01, 2010-01-01): "
    "forest outline ley/art-1 --in-force-on 2010-01-01"
)
TABLE = "\n".join(["| Año | Días |", "|---|---|", *(f"| {n} | {n * 2} |" for n in range(1, 200))])


def version(work: str, day: str, body: str, **passport: str) -> str:
    return node(f"{work}@{day}", body, kind="provision", published=day, **passport)


FILES = {
    "index.md": node("raiz", "Bosque.", kind="topic", title="Raíz"),
    "ley/index.md": node("ley", "# Ley\n\nLa ley.", kind="instrument", title="Ley de Nidos", published="2000-01-01"),
    "ley/art-1/index.md": node("ley/art-1", "Cuántos nidos hay.", kind="provision", title="Artículo 1", tags="[nido]"),
    "ley/art-1/a.md": version("ley/art-1", "2000-01-01", "Un nido.", in_force="{from: 2000-02-01, to: 2010-01-01}"),
    "ley/art-1/b.md": version("ley/art-1", "2010-01-01", "Dos nidos.", in_force="{from: 2010-01-01, to: 2020-01-01}"),
    "ley/art-1/c.md": version("ley/art-1", "2020-01-01", "Tres nidos.", in_force="{from: 2020-01-01, to: open}"),
    "ley/art-2/index.md": node("ley/art-2", "Playas.", kind="provision", title="Artículo 2"),
    "ley/art-2/a.md": version("ley/art-2", "2005-01-01", "Una playa."),
    "ley/art-2/b.md": version("ley/art-2", "2006-01-01", "Dos playas."),
    "ley/art-3/index.md": node("ley/art-3", "Arenas.", kind="provision", title="Artículo 3"),
    "ley/art-3/a.md": version("ley/art-3", "2005-01-01", "Arena.", in_force="{from: 2005-01-01, to: open}"),
    "ley/art-3/b.md": version("ley/art-3", "2006-01-01", "Arenas.", in_force="{from: 2006-01-01, to: open}"),
    "nota.md": node("nota", "# Nota\n\nCita el artículo 1.\n\n" + TABLE, title="Nota", published="2021-05-05").replace(
        "---\n\n",
        "edges:\n  - {kind: cites, to: ley/art-1, scent: el artículo, basis: Cita el artículo 1}\n"
        "  - {kind: cites, to: no-hay, scent: nada, basis: Cita}\n"
        "scents:\n  raiz: la raíz vista desde la nota\n---\n\n",
        1,
    ),
    "largo.md": node("largo", "Corto.", scent=LONG_SCENT, title=" ".join(["Título"] * 400)),
    "resumen.md": node("resumen", "Corto.", summary=" ".join(["palabra"] * 200)),
    "vacio.md": node("vacio"),
    "id.md": node(LONGEST_ID, "Un id muy largo. " * 300, scent=LONG_SCENT),
    "raro.md": node("raro", "Texto\x1b[31m rojo \u202e revés.", title='"Con \\e[31m color"'),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("pasos") / "bosque", FILES)


@pytest.fixture(scope="module")
def state(place: Path) -> Iterator[State]:
    with open_state(open_snapshot(place)) as state:
        yield state


def on(day: str, as_of: str | None = None) -> Any:
    return step_clock(
        as_of=date.fromisoformat(as_of) if as_of else None, in_force_on=date.fromisoformat(day), today=TODAY
    )


def targets(shown: Observation[Any]) -> list[str]:
    return [door.to for door in shown.items]


# --- what is shown ------------------------------------------------------------------------------------------------


def test_an_outline_says_where_a_node_stands_what_it_is_and_of_what_it_consists(state: State) -> None:
    shown = outline(state, "ley/art-1", NOW)
    assert shown.text.splitlines() == [
        "COMPLETE: all 2 parts of ley/art-1.",
        "under: ley (Ley de Nidos) < raiz (Raíz)",
        "ley/art-1  (provision)  Artículo 1",
        "Un texto.",
        "tags: nido",
        "text: 1 passage, 7 tokens; children: 1",
        OTHERS,
        "[1] ley/art-1#1  (7 tokens): Cuántos nidos hay.",
        "[2] child ley/art-1@2020-01-01  ley/art-1@2020-01-01: un texto",
        "COMPLETE: all 2 parts of ley/art-1.",
    ]
    assert [(part.kind, part.id, part.number) for part in shown.items] == [
        ("passage", "ley/art-1#1", 1),
        ("child", "ley/art-1@2020-01-01", 2),
    ]
    assert (shown.truncated, shown.next, shown.tokens) == (False, "", count_tokens(shown.text))


def test_without_a_name_the_outline_is_that_of_the_root(state: State) -> None:
    assert [part.id for part in outline(state, None, NOW).items] == [
        part.id for part in outline(state, "raiz", NOW).items
    ]


def test_a_forest_without_a_root_says_so(tmp_path: Path) -> None:
    with (
        open_state(open_snapshot(plant(tmp_path / "bosque", {"a.md": node("a")}))) as state,
        pytest.raises(NodeNotFound, match="has no root"),
    ):
        outline(state, None, NOW)


def test_a_scent_has_every_door_that_leads_somewhere_numbered_with_one_line(state: State) -> None:
    shown = scent(state, "nota", NOW)
    assert shown.text.splitlines()[-3:] == [
        "[1] parent raiz  (topic) Raíz: la raíz vista desde la nota",
        "[2] cites ley/art-1  (provision) Artículo 1: el artículo",
        "COMPLETE: all 2 doors of nota.",
    ]
    back = scent(state, "ley/art-1", NOW).items[-1]
    assert (back.kind, back.to, back.title, back.node_kind, back.number) == (
        "cited_by",
        "nota",
        "Nota",
        "publication",
        3,
    )


def test_a_summary_over_the_budget_is_withheld_aloud(state: State) -> None:
    text = scent(state, "resumen", NOW).text
    assert re.search(r"WITHHELD: its summary has \d+ tokens, over the 60 allowed: forest show resumen --passport", text)
    assert "palabra palabra" not in text


def test_a_read_numbers_sentences_and_rows_and_a_node_without_text_is_complete(state: State) -> None:
    shown = read(state, "nota#1", NOW)
    assert [(unit.passage, unit.number) for unit in shown.items][:4] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert [unit.text for unit in shown.items][:4] == [
        "# Nota",
        "Cita el artículo 1.",
        "| Año | Días |\n|---|---|",
        "| 1 | 2 |",
    ]
    assert {unit.heading for unit in shown.items} == {("Nota",)}
    empty = read(state, "vacio", NOW)
    assert (empty.total, empty.text.splitlines()[0]) == (0, "COMPLETE: no sentences and rows of vacio.")


def test_the_words_of_a_unit_are_those_of_its_passage(state: State) -> None:
    from forest.reading import read_passage

    for unit in read(state, "nota", NOW).items:
        text = read_passage(state, state.catalog.node("nota"), unit.passage).text
        assert text[unit.start : unit.end] == unit.text


def test_a_search_shows_the_best_and_says_whether_there_may_be_more(state: State) -> None:
    shown = search_step(state, "nidos", NOW, limit=2)
    assert (shown.shown, shown.total) == (2, 2)
    assert "MORE MAY BE FOUND, as only 2 were looked for: forest search nidos --limit 50" in shown.text
    assert search_step(state, "nidos", NOW, limit=50).text.startswith("COMPLETE: all ")
    assert "score" in search_step(state, "nidos", NOW, explain=True).text


def test_nothing_found_and_something_cut_off_never_look_alike(state: State) -> None:
    assert search_step(state, "dinosaurios", NOW).text.startswith("COMPLETE: no passages found for «dinosaurios».")
    assert read(state, "nota", NOW, budget=600).text.startswith("CUT OFF: ")


def test_what_could_rewrite_a_terminal_is_not_shown(state: State) -> None:
    found = search_step(state, "nidos \x1b[31m \u202e\n playa", NOW, limit=2)
    assert "forest search 'nidos [31m playa' --limit 50" in found.text
    for shown in (outline(state, "raro", NOW), scent(state, "raiz", NOW), read(state, "raro", NOW), found):
        assert not {"\x1b", "\u202e"} & set(shown.text)


# --- budgets ------------------------------------------------------------------------------------------------------


def test_a_line_longer_than_the_budget_is_shortened_aloud_with_the_command_that_shows_it_whole(
    state: State, place: Path, forest: Forest
) -> None:
    number = targets(scent(state, "raiz", NOW, budget=100_000)).index("largo") + 1
    shown = scent(state, "raiz", NOW, number, 500)
    assert (shown.tokens <= 500, shown.truncated, targets(shown)[0]) == (True, True, "largo")
    first, *_, last = shown.text.splitlines()
    assert first == last
    assert first.endswith("Lines that end in … are SHORTENED.")
    [line] = (line for line in shown.text.splitlines() if f"[{number}] child largo" in line)
    told = re.findall(r" … \([\d,]+ tokens LEFT OUT; whole: (forest show largo .+?)\) …", line)
    assert told
    assert LONG_SCENT in forest(*shlex.split(told[-1])[1:], "--forest", place).out


def pages(step: Callable[[int], Observation[Any]], budget: int) -> list[Any]:
    items: list[Any] = []
    while True:
        shown = step(len(items) + 1)
        assert shown.tokens == count_tokens(shown.text) <= budget
        assert shown.shown == len(shown.items) > 0
        items += shown.items
        if not shown.next:
            assert len(items) == shown.total
            return items


@given(st.integers(400, 2_000), st.sampled_from(["raiz", "nota", "largo", "ley", "resumen", LONGEST_ID]))
@settings(max_examples=40)
def test_the_pages_of_a_step_put_together_give_each_item_once(state: State, budget: int, node_id: str) -> None:
    doors = pages(lambda at: scent(state, node_id, NOW, at, budget), budget)
    assert [door.number for door in doors] == list(range(1, len(doors) + 1))
    parts = pages(lambda at: outline(state, node_id, NOW, at, budget), budget)
    assert [part.number for part in parts] == list(range(1, len(parts) + 1))
    found = pages(lambda at: search_step(state, "nidos playa texto", NOW, at, budget, limit=50), budget)
    assert len({hit.reading.passage.id for hit in found}) == len(found)


@given(st.integers(600, 3_000))
@settings(max_examples=20)
def test_the_pages_of_a_read_put_together_give_each_unit_once_whatever_the_budget(state: State, budget: int) -> None:
    for node_id in ("nota", LONGEST_ID):
        units = pages(lambda at, i=node_id: read(state, i, NOW, at, budget), budget)
        assert units == list(read(state, node_id, NOW, budget=100_000).items)


def test_words_as_long_as_a_budget_leave_room_for_what_they_find(state: State) -> None:
    shown = search_step(state, "nidos " * 330, NOW, budget=400, limit=12)
    assert shown.tokens <= 400
    assert "LEFT OUT. To go on: the same command with --from" in shown.text
    assert shlex.split(shown.next)[2] == " ".join(["nidos"] * 330)


def test_a_page_ends_with_a_passage_when_one_fits(state: State) -> None:
    first = read(state, "nota", NOW, budget=1_000)
    assert first.truncated
    counts = state.catalog.units(state.catalog.node("nota"))
    last = first.items[-1]
    assert last.number == counts[last.passage - 1]


@given(st.text(alphabet="ab .\n|#-áñ🌵", max_size=300), st.integers(0, 4))
def test_the_units_of_a_text_leave_nothing_out_and_do_not_overlap(text: str, endless: int) -> None:
    text += "palabra " * (endless * 300) + "x" * (endless * 900)
    spans = units_of(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())
    assert all(count_tokens(text[s.start : s.end]) <= UNIT_TOKENS for s in spans)


@pytest.mark.parametrize("name", ["outline_tokens", "scent_tokens", "read_tokens", "search_tokens"])
def test_a_budget_too_small_to_show_anything_is_refused(tmp_path: Path, name: str) -> None:
    folder = plant(
        tmp_path / "bosque", {"forest.yaml": f"name: x\nbudgets: {{{name}: 99}}\n", "index.md": node("raiz")}
    )
    with pytest.raises(NotAForest, match=f"{name} is below"):
        open_state(open_snapshot(folder))


def test_the_budgets_of_the_forest_are_kept(tmp_path: Path) -> None:
    files = {f"n{n:03}.md": node(f"n{n:03}") for n in range(60)} | {"index.md": node("raiz", kind="topic")}
    yaml = "name: x\nbudgets: {outline_tokens: 500, scent_tokens: 450}\n"
    with open_state(open_snapshot(plant(tmp_path / "bosque", {"forest.yaml": yaml, **files}))) as state:
        assert 400 < outline(state, None, NOW).tokens <= 500
        assert 350 < scent(state, "raiz", NOW).tokens <= 450


# --- clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "text"), [("2005-01-01", "2000-01-01"), ("2015-01-01", "2010-01-01"), ("2025-01-01", "2020-01-01")]
)
def test_of_the_versions_of_a_work_only_the_one_in_force_is_a_door_and_the_others_are_counted(
    state: State, place: Path, forest: Forest, day: str, text: str
) -> None:
    shown = scent(state, "ley/art-1", on(day))
    assert targets(shown) == ["ley", f"ley/art-1@{text}", "nota"]
    told = re.search(r"^2 other versions, not in force on .*?: (forest scent .+)$", shown.text, re.MULTILINE)
    assert told
    other = forest(*shlex.split(told[1])[1:], "--json", "--forest", place).json
    assert other["items"][1]["to"] != f"ley/art-1@{text}"
    assert land(state, "ley/art-1", on(day)).node.id == f"ley/art-1@{text}"


@pytest.mark.parametrize(
    ("node_id", "day", "lands", "line"),
    [
        ("ley/art-1", "1990-01-01", "ley/art-1", "No text of ley/art-1 was in force on 1990-01-01"),
        ("ley/art-1", "2015-01-01", "ley/art-1@2010-01-01", "in force on 2015-01-01"),
        ("ley/art-2", "2015-01-01", "ley/art-2", "is not known"),
        ("ley/art-3", "2015-01-01", "ley/art-3", "Several texts of ley/art-3"),
        ("ley/art-1@2000-01-01", "2015-01-01", "ley/art-1@2000-01-01", ""),
        ("nota", "2015-01-01", "nota", ""),
    ],
)
def test_a_door_to_a_work_lands_on_the_text_in_force_and_a_pinned_one_on_what_it_names(
    state: State, node_id: str, day: str, lands: str, line: str
) -> None:
    landing = land(state, node_id, on(day))
    assert landing.node.id == lands
    assert line in landing.line
    assert bool(line) == bool(landing.line)


def test_what_was_not_known_yet_is_refused_with_the_day_since_which_it_is(place: Path) -> None:
    day = date(2009, 1, 1)
    with open_state(open_snapshot(place), as_of=day) as state:
        clock = step_clock(as_of=day, today=TODAY)
        for step in (outline, scent, read):
            with pytest.raises(
                NodeNotKnownYet, match="nota is known only since 2021-05-05, after 2009-01-01"
            ) as raised:
                step(state, "nota", clock)
            assert raised.value.hint == "Ask again with --as-of 2021-05-05, or later."
            with pytest.raises(NodeNotKnownYet, match="largo does not say when it was published"):
                step(state, "largo", clock)
            with pytest.raises(NodeNotFound, match="has no node 'dragon'"):
                step(state, "dragon", clock)
        assert targets(scent(state, "ley/art-1", clock)) == ["ley", "ley/art-1@2000-01-01"]


def test_a_clock_confines_a_state_that_was_opened_without_a_day(state: State) -> None:
    shown = scent(state, "ley/art-1", on("2015-01-01", as_of="2015-06-01"))
    assert targets(shown) == ["ley", "ley/art-1@2010-01-01"]
    assert "shown: nothing known later than 2015-06-01; texts in force on 2015-01-01" in shown.text


def test_the_commands_keep_the_clock_and_the_place(place: Path, forest: Forest) -> None:
    days = ("--as-of", "2022-01-01", "--in-force-on", "2015-01-01")
    ran = forest("read", "nota", *days, "--json", "--forest", place)
    following = ran.json["next"]
    place_and_days = f"--forest {place} --as-of 2022-01-01 --from {ran.json['shown'] + 1} --in-force-on 2015-01-01"
    assert following == f"forest read nota {place_and_days}"
    assert forest(*shlex.split(following)[1:]).code == 0


# --- wrong requests -----------------------------------------------------------------------------------------------


def test_a_page_that_does_not_exist_is_refused_with_the_first_one(state: State) -> None:
    for step, what in ((outline, "parts"), (scent, "doors"), (read, "sentences and rows")):
        with pytest.raises(WrongUsage, match=f"There is no place 9,999 among the [\\d,]+ {what} of nota") as raised:
            step(state, "nota", NOW, 9_999)
        assert raised.value.hint == f"Begin with: forest {step.__name__} nota"


@pytest.mark.parametrize("ref", ["nota#0", "nota#99", "nota#x", "nota#-1", "nota#²", "nota#" + "9" * 5_000])
def test_a_passage_that_does_not_exist_is_refused(state: State, ref: str) -> None:
    with pytest.raises(PassageNotFound, match=r"nota has no passage '.{1,20}'; it has #1 to #\d+\."):
        read(state, ref, NOW)
