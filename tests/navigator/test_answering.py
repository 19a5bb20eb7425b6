"""The answer of a walk: what its notes let it say, and what it tells instead of what they do not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forest.answer import Answer
from forest.history import open_snapshot
from forest.proof import verify
from forest.state import State
from forest.validity import Clock
from navigator.answering import conclude
from navigator.world import World
from tests.conftest import node, plant
from tests.navigator.beach import clock, door, opened, take, world_at

NORM = "nom-901-playa-2011"
FINE = "La norma fija 45 centímetros entre sombrillas y una multa de 315.04 pesos."


def answer_of(world: World, *lines: str) -> Answer:
    take(world, *lines)
    return conclude("¿…?", world, "answered", "")


def of_norm(state: State, *notes: str) -> Answer:
    return answer_of(world_at(state, NORM), "read 1", *(f"note {NORM}#1 {note}" for note in notes))


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", ["45 centímetros", "45 CENTIMETROS", "cuarenta y cinco centímetros", "$315.04", "315.04 pesos"]
)
def test_a_value_that_stands_in_the_words_noted_is_said_however_it_is_written(state: State, value: str) -> None:
    answer = of_norm(state, f"3 = {value}")
    assert [claim.value for claim in answer.claims] == [value]
    assert answer.notes == ()


@pytest.mark.parametrize(
    "value", ["46 centímetros", "15.04", "5", "315", "315.0", "45 días", "sombrilla", "12", "norte"]
)
def test_a_value_that_does_not_stand_in_the_words_noted_is_not_said_and_that_is_told(state: State, value: str) -> None:
    answer = of_norm(state, f"3 = {value}")
    assert answer.claims == ()
    assert answer.status == "not_found"
    assert answer.notes == (f"«{value}» was not said: it does not stand in the words noted of {NORM}#1.",)


def test_a_value_may_stand_in_the_heading_or_the_title_over_the_words(state: State) -> None:
    answer = of_norm(state, "2 = NOM-901-PLAYA-2011")
    assert [claim.value for claim in answer.claims] == ["NOM-901-PLAYA-2011"]


def test_a_value_made_of_the_ends_of_two_notes_is_not_said(state: State) -> None:
    answer = of_norm(state, "3,5 = pesos. | Norte")
    assert answer.claims == ()


def test_a_value_of_a_table_stands_in_its_row(state: State) -> None:
    assert [claim.value for claim in of_norm(state, "5 = 12").claims] == ["12"]
    assert of_norm(state, "5 = 30").claims == ()


@given(number=st.integers(0, 400), cents=st.one_of(st.none(), st.integers(0, 99)))
@example(315, 4)
@example(45, None)
def test_a_number_is_said_only_if_the_words_have_just_that_number(state: State, number: int, cents: int | None) -> None:
    value = f"{number}" if cents is None else f"{number}.{cents:02}"
    world = world_at(state, NORM)
    take(world, "read 1", f"note {NORM}#1 3 = {value}")
    assert bool(conclude("", world, "answered", "").claims) == (value in ("45", "45.00", "315.04"))


# --- days -------------------------------------------------------------------------------------------------------------


def at_version(state: State, version: str, at: Clock) -> Answer:
    return answer_of(world_at(state, version, at), "read 1", f"note {version}#1 2 = *")


def test_a_text_not_in_force_on_the_day_is_not_given(state: State) -> None:
    answer = at_version(state, "ley/art-1@1999-01-04", clock())
    assert answer.claims == ()
    assert answer.notes == (
        "ley/art-1@1999-01-04 was read but not given as an answer: it is not in force on 2026-03-01.",
    )


def test_a_text_in_force_on_the_day_asked_about_is_given(state: State) -> None:
    at = clock(on=date(2010, 1, 1))
    assert [c.text for c in at_version(state, "ley/art-1@1999-01-04", at).claims] == ["La veda dura sesenta días."]
    assert at_version(state, "ley/art-1@2019-12-02", at).claims == ()


def test_the_first_day_of_a_period_is_in_it_and_the_last_bound_is_not(state: State) -> None:
    assert at_version(state, "ley/art-1@1999-01-04", clock(on=date(1999, 2, 1))).claims
    assert at_version(state, "ley/art-1@1999-01-04", clock(on=date(2019, 12, 31))).claims
    assert not at_version(state, "ley/art-1@1999-01-04", clock(on=date(2020, 1, 1))).claims


def test_a_notice_that_tells_of_the_very_day_that_is_asked_about_is_given(state: State) -> None:
    asked = clock("¿Cuánto midieron las olas el 9 de agosto de 2006?")
    answer = answer_of(world_at(state, "oleaje", asked), "read 1", "note oleaje#1 2 = 4.20 metros")
    assert [claim.value for claim in answer.claims] == ["4.20 metros"]


@pytest.mark.parametrize(
    "asked", [clock("¿Cuánto midieron las olas el 8 de agosto de 2006?"), clock(on=date(2006, 8, 9))]
)
def test_a_notice_is_not_given_for_other_days_nor_for_a_day_that_only_an_option_names(
    state: State, asked: Clock
) -> None:
    answer = answer_of(world_at(state, "oleaje", asked), "read 1", "note oleaje#1 2 = 4.20 metros")
    assert answer.claims == ()


def test_a_repealed_text_is_not_given_as_an_answer_but_may_lead_to_one(state: State) -> None:
    world = world_at(state, "ley/art-2")
    answer = answer_of(world, "read 1", "note ley/art-2#1 2 = *", "note ley/art-2#1 2")
    assert answer.claims == ()
    assert answer.notes == ("ley/art-2 was read but not given as an answer: it is repealed.",)
    assert [claim.leads for claim in answer.near] == [True]


DRAFTS = {
    "index.md": node("raiz", kind="topic", title="Raíz"),
    "proy/index.md": node(
        "proy-playa",
        "# Proyecto\n\nFija 50 centímetros.",
        kind="publication",
        title="PROYECTO de Norma Oficial Mexicana",
    ),
    "proy/parte.md": node("proy-parte", "# Parte\n\nFija 60 centímetros.", kind="provision", title="Numeral 1"),
    "codigo.md": node("codigo", "# Código\n\nFija 70 centímetros.", title="PROY-NOM-901-PLAYA-2024, sombrillas"),
    "oficina.md": node("oficina", "# Oficina\n\nFija 80 centímetros.", title="Oficina de Proyectos Especiales"),
    "obra.md": node("obra", "# Obra\n\nFija 90 centímetros.", title="Proyecto de obra del malecón"),
}


@pytest.mark.parametrize(
    ("draft", "value", "given"),
    [
        ("proy-playa", "50 centímetros", False),
        ("proy-parte", "60 centímetros", False),
        ("codigo", "70 centímetros", False),
        ("oficina", "80 centímetros", True),
        ("obra", "90 centímetros", True),
    ],
)
def test_a_draft_is_not_given_as_law_unless_drafts_are_asked_for(
    tmp_path: Path, draft: str, value: str, given: bool
) -> None:
    with opened(plant(tmp_path / "b", DRAFTS)) as state:
        world = world_at(state, draft)
        answer = answer_of(world, "read 1", f"note {draft}#1 2 = {value}")
        assert [claim.value for claim in answer.claims] == ([value] if given else [])
        if not given:
            assert answer.notes == (f"{draft} was read but not given as an answer: it is a draft.",)
        world.question = "¿Qué fija el proyecto de norma?"
        assert conclude(world.question, world, "answered", "").claims


# --- claims -----------------------------------------------------------------------------------------------------------


def of_chain(state: State) -> Answer:
    world = world_at(state, "nom-901-playa-2001")
    first = door(world, "superseded_by", NORM).number
    take(world, f"basis {first}", f"note {NORM}#1 7", f"hop {first}")
    second = door(world, "issued_by", "playas").number
    take(world, f"basis {second}", f"note {NORM}#1 2", f"hop {second}", "read 1", "note playas#1 2 = Salina Cruz")
    return conclude("¿Dónde está quien emitió la que sustituyó a la NOM-901-PLAYA-2001?", world, "answered", "")


def test_the_answer_comes_first_and_what_leads_to_it_follows_in_the_order_of_the_way(state: State) -> None:
    answer = of_chain(state)
    assert [(claim.value, claim.leads) for claim in answer.claims] == [("Salina Cruz", False), ("", True), ("", True)]
    assert [claim.text for claim in answer.claims[1:]] == [
        "Esta norma sustituye a la NOM-901-PLAYA-2001.",
        "La Secretaría de Playas expide esta norma.",
    ]


def test_every_citation_of_a_claim_is_proven_by_git_alone(state: State, beach: Path) -> None:
    answer = of_chain(state)
    proofs = [verify(cited, open_snapshot(beach)) for claim in answer.claims for cited in claim.citations]
    assert [(proof.origin, proof.at_head) for proof in proofs] == [("commit", "unchanged")] * 3


def test_notes_of_sentences_apart_are_one_claim_with_a_proof_for_each_run(state: State, beach: Path) -> None:
    (claim,) = of_norm(state, "2,3,5 = 45 centímetros").claims
    assert [cited.quote for cited in claim.citations] == [
        f"La Secretaría de Playas expide esta norma. {FINE}",
        "| Norte | 12 |",
    ]
    assert all(verify(cited, open_snapshot(beach)).origin == "commit" for cited in claim.citations)


def test_a_claim_counts_what_of_its_text_is_not_quoted(state: State, tmp_path: Path) -> None:
    (claim,) = of_norm(state, "2 = *").claims
    assert claim.left_out == 5  # of its only passage: three sentences and a table of three rows, one of them quoted
    body = "## Uno\n\nLas focas duermen.\n\n## Dos\n\nLas algas crecen."
    with opened(plant(tmp_path / "bosque", {"index.md": node("raiz", kind="topic"), "a.md": node("a", body)})) as other:
        (whole,) = answer_of(world_at(other, "a"), "read 1", "note a#1 1,2 = *").claims
    assert whole.left_out == 1  # the other passage


def test_the_words_themselves_may_be_the_answer_and_have_then_no_value(state: State) -> None:
    (claim,) = of_norm(state, "3 = *").claims
    assert (claim.value, claim.leads) == ("", False)
    assert claim.text == FINE


def test_what_stands_is_said_beside_what_does_not_which_is_told(state: State) -> None:
    answer = of_norm(state, "3 = 45 centímetros", "3 = 46 centímetros")
    assert [claim.value for claim in answer.claims] == ["45 centímetros"]
    assert len(answer.notes) == 1
    assert answer.confidence == {"claims standing": 0.5}


def test_an_answer_names_its_commit_its_clock_and_what_as_of_left_out(state: State) -> None:
    day = date(2012, 1, 1)
    world = World(state.on(day), clock(as_of=day))
    world.show(NORM)
    answer = answer_of(world, f"enter {NORM}", "read 1", f"note {NORM}#1 3 = *")
    assert answer.commit == state.snapshot.commit
    assert answer.clock.as_of == day
    assert answer.notes == ("Texts published, or consolidated with reforms, after 2012-01-01 were left out.",)
