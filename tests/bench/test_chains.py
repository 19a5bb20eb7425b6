"""Questions made from chains of citations: one way to walk, a datum that stands once, the same every time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.chain_words import datum_of, start_of, topics
from bench.chains import Chain, beside, chains, main
from bench.paraphrases import load_paraphrases, shared_words
from bench.question import check_against, load_questions
from forest.history import open_snapshot
from forest.state import open_state
from tests.bench.wood import edge
from tests.conftest import commit, node, plant

DATUM = (
    "Quien reciba la visita deberá avisar a la oficina del ramo en un plazo de {} contados desde la entrega del acta."
)


def article(law: str, number: int, text: str, *cited: int | str) -> str:
    """An article of a law that cites others, by number of its own law or by id."""
    ids = [f"{law}/art-{one}" if isinstance(one, int) else one for one in cited]
    basis = [f"artículo {one.rpartition('-')[2]} de la materia" for one in ids]
    edges = "[" + ", ".join(edge("cites", to, words)[1:-1] for to, words in zip(ids, basis, strict=True)) + "]"
    body = "\n\n".join([text, *(f"Se estará a lo que dispone el {words}." for words in basis)])
    title = f'"{law.upper()}, artículo {number}. De las visitas"'
    more = {"edges": edges} if cited else {}
    return node(f"{law}/art-{number}", body, kind="provision", title=title, **more)


def law(name: str, title: str, days: str) -> dict[str, str]:
    return {
        f"{name}/index.md": node(name, "Ley de prueba.", kind="instrument", title=title),
        f"{name}/art-1.md": article(name, 1, "Las visitas se ordenan por escrito.", 2),
        f"{name}/art-2.md": article(name, 2, "El acta se levanta ante testigos.", 3),
        f"{name}/art-3.md": article(name, 3, DATUM.format(days)),
    }


LAWS = {
    "index.md": node("raiz", "Bosque de leyes.", kind="topic", title="Raíz"),
    **law("lva", "Ley de Visitas Agrarias", "doce días"),
    **law("lvb", "Ley de Visitas a Barcos", "treinta días hábiles"),
}


def found_in(folder: Path, hops: int = 3) -> list[Chain]:
    with open_state(open_snapshot(folder)) as state:
        return chains(state, ("cites",), (hops,))


def ends(files: Mapping[str, str], folder: Path, hops: int = 3) -> list[tuple[str, ...]]:
    return [chain.way.nodes for chain in found_in(plant(folder, files), hops)]


def test_a_chain_of_single_citations_is_found_with_its_datum(tmp_path: Path) -> None:
    first, second = found_in(plant(tmp_path / "leyes", LAWS))
    assert first.way.nodes == ("lva/art-1", "lva/art-2", "lva/art-3")
    assert (first.found.words, first.found.datum.noun) == ("doce días", "plazo")
    assert second.found.words == "treinta días hábiles"
    assert first.found.about == ("entrega del acta", "oficina del ramo")


def test_a_datum_that_stands_in_several_places_is_not_asked_for(tmp_path: Path) -> None:
    twice = {"lva/art-3.md": article("lva", 3, DATUM.format("doce días") + "\n\n" + DATUM.format("diez días"))}
    assert ends(LAWS | twice, tmp_path / "a") == [("lvb/art-1", "lvb/art-2", "lvb/art-3")]
    earlier = {"lva/art-2.md": article("lva", 2, "El acta se guarda doce días.", 3)}
    assert ends(LAWS | earlier, tmp_path / "b") == [("lvb/art-1", "lvb/art-2", "lvb/art-3")]


def test_a_node_that_leads_on_in_two_ways_is_no_link_unless_the_other_law_is_named(tmp_path: Path) -> None:
    open_end = {"lva/art-4.md": article("lva", 4, "Otra cosa."), "lva/art-2.md": article("lva", 2, "Acta.", 3, 4)}
    assert ends(LAWS | open_end, tmp_path / "a") == [("lvb/art-1", "lvb/art-2", "lvb/art-3")]
    across = {"lva/art-2.md": article("lva", 2, "Acta.", 3, "lvb/art-3")}
    (chain, _) = found_in(plant(tmp_path / "b", LAWS | across))
    assert chain.way.nodes == ("lva/art-1", "lva/art-2", "lvb/art-3")
    assert chain.way.links[-1].relation.law == "Ley de Visitas a Barcos"


def test_a_chain_never_comes_back_to_where_it_was(tmp_path: Path) -> None:
    round_again = {"lva/art-3.md": article("lva", 3, DATUM.format("doce días"), 1)}
    assert not [way for way in ends(LAWS | round_again, tmp_path / "a", hops=4) if len(set(way)) < 4]


def test_the_files_are_questions_that_hold_in_the_forest_and_the_same_every_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forest = plant(tmp_path / "leyes", LAWS)
    out = tmp_path / "q" / "cadenas.jsonl"
    arguments = [str(forest), "--out", str(out), "--count", "5", "--hops", "3", "--seed", "7"]
    assert main(arguments) == 0
    assert "2 chains can be asked." in capsys.readouterr().out
    (question,) = load_questions([out])
    (sister,) = load_questions([beside(out, "sisters")])
    (paraphrase,) = load_paraphrases([beside(out, "paraphrases")], [question])
    assert check_against([question, sister], forest) == ()
    assert {question.answer.value, sister.answer.value} == {"doce días", "treinta días hábiles"}
    assert (question.hops, question.gold_hops, paraphrase.gold) == (3, 3, question.gold)
    assert shared_words(question.question, paraphrase.question) < 0.75
    written = {path: path.read_bytes() for path in out.parent.iterdir()}
    assert main(arguments) == 0
    assert {path: path.read_bytes() for path in out.parent.iterdir()} == written
    assert len(written) == 4
    (distant,) = load_paraphrases([beside(out, "distant")], [question])
    assert shared_words(question.question, distant.question) < shared_words(question.question, paraphrase.question)


def test_what_cannot_be_asked_for_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forest = plant(tmp_path / "leyes", LAWS)
    for option, value in (("--kinds", "sueña"), ("--hops", "2")):
        assert main([str(forest), "--out", str(tmp_path / "q.jsonl"), option, value]) != 0
        assert option in capsys.readouterr().err


def test_a_forest_without_chains_gives_no_question(tmp_path: Path) -> None:
    forest = plant(tmp_path / "bosque", {"index.md": node("raiz", "Nada.", kind="topic")})
    commit(forest)
    assert main([str(forest), "--out", str(tmp_path / "q.jsonl")]) == 1


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        ("LVA, artículo 3. De las visitas", "el artículo 3 de la Ley de Visitas", "el art. 3, Ley de Visitas"),
        ("LVA, transitorio Quinto del decreto", "el transitorio Quinto del decreto de la Ley de Visitas",
         "el transitorio Quinto del decreto, Ley de Visitas"),
    ],
)  # fmt: skip
def test_a_start_is_called_in_full_and_in_short(title: str, first: str, second: str) -> None:
    start = start_of(title, "Ley de Visitas")
    assert start is not None
    assert (start.first, start.second) == (first, second)


def test_what_has_no_such_title_is_no_start() -> None:
    assert start_of("Salarios mínimos", "Ley de Visitas") is None
    assert start_of("LVA, artículo 3. De las visitas", "") is None


def test_the_nearest_noun_before_a_value_says_how_it_is_asked() -> None:
    assert datum_of("time", ["la", "multa", "y", "el", "plazo", "de"]).noun == "plazo"
    assert datum_of("time", ["se", "archiva", "a", "los"]).noun == ""


def test_a_sentence_that_does_not_tell_what_its_datum_is_about_is_not_asked_for() -> None:
    assert topics("El plazo será de", "contados desde ese día.") is None
