"""Citations in the ways that people and texts cite: the passages are those of what is named, or the reply says not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from forest.history import open_snapshot
from forest.state import State, open_state
from forest.tools import Reply, Session, resolve_citation
from tests.conftest import node, plant

FILLER = " ".join(["Dicha obligación se cumplirá en los términos que señale la autoridad competente."] * 60)
LISTED = f"""# Artículo 9

A. Del riego:

I. Medir.

II. Informar:

a) cada mes, y

b) cada año.

{FILLER}

{FILLER}

III. Pagar.

B. De la pesca:

I. Avisar:

a) antes de zarpar.

II. Contar.
"""
LAW = {
    f"ley/{number}.md": node(f"ley/art-{number}", f"Texto {number}.", kind="provision", title=f"LR, artículo {number}")
    for number in (*range(1, 9), "10-a", "10-b", "10-c", "40")
}
DECREES = {
    f"ley/t/{day}.md": node(f"ley/dof-{day}/trans-2", f"De {day}.", kind="provision", title="LR, transitorio Segundo")
    for day in ("2001-02-03", "2011-02-03")
}
NORM = "# NOM-001-AGUA-2020\n\n" + "\n\n".join(f"5.{at} Medir {at}. {FILLER}" for at in range(1, 6))
FILES = {
    "index.md": node("raiz", "# Raíz", kind="topic"),
    "ley/index.md": node(
        "ley",
        "# Ley del Riego",
        kind="instrument",
        title="Ley del Riego",
        aliases="[LR]",
        published="2001-02-03",
    ),
    **LAW,
    **DECREES,
    "ley/9.md": node("ley/art-9", LISTED, kind="provision", title="LR, artículo 9"),
    "norma.md": node(
        "norma", NORM, kind="instrument", title="NOM-001-AGUA-2020, del agua", aliases="[NOM-001-AGUA-2020]"
    ),
    "a.md": node("aviso-1", "Uno.", title="Aviso de las presas"),
    "b.md": node("aviso-2", "Dos.", title="Aviso de las presas"),
    "c.md": node("solo", "Solo.", title="Aviso que nadie más se llama así"),
}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    with open_state(open_snapshot(plant(tmp_path_factory.mktemp("bosque") / "b", FILES))) as state:
        yield state


def resolved(state: State, text: str) -> Reply[Any]:
    return resolve_citation(Session(state, date(2026, 3, 1)), text)


def texts(state: State, reply: Reply[Any]) -> list[str]:
    from forest.tools import read_chunks

    current = Session(state, date(2026, 3, 1))
    chunks = [chunk for item in reply.items for chunk in item.chunk_ids]
    current.discover((), chunks)
    return [chunk.text for chunk in read_chunks(current, chunks, budget_tokens=100_000).items]


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("artículos 5 a 8 de la LR", [f"ley/art-{at}" for at in (5, 6, 7, 8)]),
        ("artículos 1, 5 a 7 y 40 de la Ley del Riego", [f"ley/art-{at}" for at in (1, 5, 6, 7, 40)]),
        ("ARTICULOS 10-A A 10-C DE LA LEY DEL RIEGO", [f"ley/art-10-{at}" for at in "abc"]),
    ],
)
def test_a_range_is_all_that_is_between_its_ends_in_order(state: State, text: str, nodes: list[str]) -> None:
    reply = resolved(state, text)
    assert (reply.status, [item.node_id for item in reply.items]) == ("ok", nodes)


@pytest.mark.parametrize("text", ["artículos 1 a 40 de la LR", "artículos 8 a 5 de la LR"])
def test_a_range_of_which_only_the_ends_are_given_says_so(state: State, text: str) -> None:
    reply = resolved(state, text)
    assert (reply.status, reply.complete, len(reply.items)) == ("partial", False, 2)
    assert "between the ends" in reply.message


@pytest.mark.parametrize(
    ("text", "begins", "without"),
    [
        ("artículo 9, apartado A, fracción II, inciso a) de la LR", "II. Informar", "B. De la pesca"),
        ("artículo 9, apartado B, fracción I, inciso a) de la LR", "a) antes de zarpar", "II. Informar"),
        ("inciso a) de la fracción I del apartado B del artículo 9 de la LR", "a) antes de zarpar", "II. Informar"),
        ("artículo 9, apartado B de la LR", "B. De la pesca", "II. Informar"),
    ],
)
def test_a_part_is_looked_for_inside_of_the_coarser_one(state: State, text: str, begins: str, without: str) -> None:
    reply = resolved(state, text)
    assert reply.status == "ok"
    read = "\n".join(texts(state, reply))
    assert begins in read
    assert without not in read


def test_a_part_that_goes_over_several_passages_is_all_of_them(state: State) -> None:
    reply = resolved(state, "artículo 9, apartado A, fracción II de la LR")
    chunks = reply.items[0].chunk_ids
    assert len(chunks) > 1
    read = texts(state, reply)
    assert "II. Informar" in read[0]
    assert "".join(read).count("Dicha obligación") == 120


@pytest.mark.parametrize("text", ["artículo 9, apartado A, fracción I, inciso a) de la LR", "art. 9 A fracción IX LR"])
def test_a_part_that_stands_only_elsewhere_is_said_to_be_missing(state: State, text: str) -> None:
    reply = resolved(state, text)
    assert reply.status != "ok"
    assert reply.message


def test_numerals_between_two_are_given_each_once(state: State) -> None:
    reply = resolved(state, "numerales 5.1 a 5.4 de la NOM-001-AGUA-2020")
    assert reply.status == "ok"
    read = texts(state, reply)
    assert len(read) == len(set(read))
    assert all(any(f"5.{at} Medir" in one for one in read) for at in (1, 2, 3, 4))


@pytest.mark.parametrize(
    "text",
    ["Título Cuarto de la Ley del Riego", "artículo XL de la Ley del Riego", "apéndice B de la NOM-001-AGUA-2020",
     "Ley del Riego publicada el 3 de febrero de 1999"],
)  # fmt: skip
def test_words_beside_a_name_that_mean_nothing_known_are_said(state: State, text: str) -> None:
    reply = resolved(state, text)
    assert (reply.status, reply.complete) == ("partial", False)
    assert "as a whole" in reply.message


@pytest.mark.parametrize(
    "text", ["Ley del Riego", "LR", "Ley del Riego publicada el 3 de febrero de 2001", "solo", "ley/art-5#1",
             "Aviso que nadie más se llama así", "NOM-001-AGUA-2020"],
)  # fmt: skip
def test_a_name_an_id_or_a_title_is_one_text(state: State, text: str) -> None:
    reply = resolved(state, text)
    assert (reply.status, len(reply.items), reply.message) == ("ok", 1, "")


def test_a_passage_that_is_not_there_is_not_found(state: State) -> None:
    for number in ("9", "999999999"):
        reply = resolved(state, f"ley/art-5#{number}")
        assert (reply.status, reply.items) == ("not_found", ())
        assert f"ley/art-5#{number}" in reply.message


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("transitorio segundo de la LR", ["ley/dof-2001-02-03/trans-2", "ley/dof-2011-02-03/trans-2"]),
        ("Aviso de las presas", ["aviso-1", "aviso-2"]),
    ],
)
def test_what_two_texts_may_be_is_ambiguous(state: State, text: str, nodes: list[str]) -> None:
    reply = resolved(state, text)
    assert (reply.status, [item.node_id for item in reply.items]) == ("ambiguous", nodes)
    assert "2" in reply.message


def test_what_a_slip_was_read_as_is_told(state: State) -> None:
    reply = resolved(state, "artículo 5 de la Ley del Reigo")
    assert reply.status != "ok" or reply.notes
