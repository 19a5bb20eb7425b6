"""Heat: what a question feels of the trails, bounded, decayed, the same to the last bit whatever came first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forest.config import parse_config
from forest.errors import NotAForest
from forest.heat import NO_HEAT, Felt, Heat, Warm, open_heat
from forest.heat_parameters import BOUNDS, HeatParameters
from forest.history import open_snapshot
from forest.state import State, open_state
from forest.trail import Trail, signature_of
from forest.trail_index import INDEX_NAME, Count, TrailIndex
from forest.warmth import decay
from tests.conftest import commit, node, plant
from tests.forest.kept_trails import TODAY, Kept, older, walked
from tests.forest.test_trail_index import some_trails, verdict

VACATIONS = "¿Cuántos días de vacaciones da el artículo 76 de la Ley Federal del Trabajo?"
PARAPHRASE = "¿Cuántos días de vacaciones otorga el artículo 76 de la Ley Federal del Trabajo?"
# The same law, and no more than that in common.
UNRELATED = (
    "¿Quién vigila el cumplimiento de la Ley Federal de Armas?",
    "¿Qué sanciones prevé la Ley Federal de Telecomunicaciones?",
    "¿Cuándo entró en vigor la Ley Federal de Derechos?",
    "¿Qué es una marca según la Ley Federal de Propiedad Industrial?",
)
PARAMETERS = HeatParameters()
LAW_DOOR = ("lft", "lft/art-76")


class Counted:
    """Counts that are given, where an index would have them."""

    def __init__(self, *counts: Count) -> None:
        self._counts = counts

    def counts(self, _: object, source: str | None = None, until: date = date.max) -> list[Count]:
        limit = until.toordinal()
        return [row for row in self._counts if source in (None, row.source) and row.day <= limit]


def felt_from(*counts: Count, parameters: HeatParameters = PARAMETERS, day: date = TODAY) -> Warm:
    index: TrailIndex = Counted(*counts)  # type: ignore[assignment]
    return Warm(index, parameters, day, ((("s",), 1.0),))


def all_heat(felt: Felt) -> list[tuple[str, str, str, str, str]]:
    """Every door's heat and boost, as the bits that they are."""
    return [
        (source, to, warm.useful.hex(), warm.useless.hex(), felt.boost(source, to).hex())
        for source, to, warm in felt.warmest()
    ]


# --- properties ---------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(data=st.data(), kept_ones=some_trails)
def test_heat_is_the_same_to_the_last_bit_whatever_came_when(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, kept_ones: list[Trail]
) -> None:
    near = tuple(
        (trail.signature, data.draw(st.floats(0.5, 1.0)))
        for trail in {trail.signature: trail for trail in kept_ones}.values()
    )
    parameters = PARAMETERS
    verdicts = {trail.id: data.draw(verdict) for trail in kept_ones}
    seen = []
    for place, order in enumerate((kept_ones, data.draw(st.permutations(kept_ones)))):
        kept, folder = Kept(), tmp_path_factory.mktemp("calor")
        for trail in order:
            kept.keep(trail)
            if place and data.draw(st.booleans()):  # it comes, is seen, is called bad, goes, and comes again
                kept.judge(trail.id, 0, 1)
                kept.index(folder).close()
                kept.judge(trail.id, 0, 0)
                kept.forget(trail.id)
                kept.index(folder).close()
                kept.keep(trail)
            kept.judge(trail.id, *verdicts[trail.id])
        with kept.index(folder) as index:
            seen.append([all_heat(Warm(index, parameters, TODAY, felt)) for felt in (near, None)])
    assert seen[0] == seen[1]


counts = st.builds(
    Count,
    source=st.just("a"),
    to=st.sampled_from(("b", "c")),
    signature=st.sampled_from((0, -1)),
    day=st.integers(TODAY.toordinal() - 4000, TODAY.toordinal() + 10),
    length=st.integers(1, 8),
    sign=st.sampled_from((1, -1)),
    walks=st.one_of(st.integers(1, 20), st.just(10**9)),
)
parameter_values = st.builds(
    HeatParameters,
    half_life_days=st.integers(1, 36_500),
    beta=st.floats(0, 0.9),
    gamma=st.floats(0, 1),
    k=st.floats(0.001, 10**6),
    a0=st.floats(0.001, 1000),
    a_min=st.floats(0.001, 1),
    a_max=st.floats(1, 1000),
    most_per_day=st.integers(1, 1000),
)


@given(rows=st.lists(counts, max_size=30), parameters=parameter_values)
def test_a_boost_stays_within_its_bound_for_any_counts(rows: list[Count], parameters: HeatParameters) -> None:
    felt = felt_from(*rows, parameters=parameters)
    for to in ("b", "c", "nowhere"):
        boost = felt.boost("a", to)
        assert 1 - parameters.beta * parameters.gamma <= boost <= 1 + parameters.beta
    assert felt.boost("a", "nowhere") == 1.0


@given(rows=st.lists(counts, min_size=1, max_size=12), score=st.floats(0.001, 1000))
def test_a_clear_winner_is_never_overtaken(rows: list[Count], score: float) -> None:
    felt = felt_from(*rows)
    ahead = score * PARAMETERS.clear_winner * (1 + 1e-12)
    assert ahead * felt.boost("a", "b") > score * felt.boost("a", "c")


@given(rows=st.lists(counts, max_size=12), half_life=st.integers(1, 200), halvings=st.integers(1, 5))
def test_heat_halves_exactly_after_every_half_life(rows: list[Count], half_life: int, halvings: int) -> None:
    rows = [row._replace(day=min(row.day, TODAY.toordinal())) for row in rows if row.day > TODAY.toordinal() - 400]
    parameters = replace(PARAMETERS, half_life_days=half_life)
    before = felt_from(*rows, parameters=parameters)
    after = felt_from(*rows, parameters=parameters, day=TODAY + timedelta(days=half_life * halvings))
    for to in ("b", "c"):
        now, then = before.warmth("a", to), after.warmth("a", to)
        assert then.useful.hex() == math.ldexp(now.useful, -halvings).hex()
        assert then.useless.hex() == math.ldexp(now.useless, -halvings).hex()


def test_decay_is_one_today_a_half_after_a_half_life_and_nothing_before() -> None:
    assert [decay(age, 90) for age in (-1, 0, 90, 180)] == [0.0, 1.0, 0.5, 0.25]
    assert decay(45, 90) == pytest.approx(math.sqrt(0.5))


@pytest.mark.parametrize("length", range(1, 9))
def test_a_longer_walk_leaves_less_on_each_door_within_its_bounds(length: int) -> None:
    assert PARAMETERS.a_min <= PARAMETERS.deposit(length) <= PARAMETERS.a_max
    assert PARAMETERS.deposit(length) <= PARAMETERS.deposit(max(length - 1, 1))


def test_a_question_asked_again_and_again_on_one_day_counts_to_the_cap() -> None:
    def boost(walks: int, days: int = 1) -> float:
        day = TODAY.toordinal()
        return felt_from(*(Count("a", "b", 0, day - n, 3, 1, walks) for n in range(days))).boost("a", "b")

    assert boost(1) < boost(PARAMETERS.most_per_day) == boost(10**9) < boost(PARAMETERS.most_per_day, days=2)


# --- in a forest --------------------------------------------------------------------------------------------------


def hundred(*more: Trail) -> Kept:
    """A hundred trails of one question on a hundred days, and others."""
    kept = Kept()
    one = walked(VACATIONS, ("", "lft"), LAW_DOOR, ("lft", "lft/art-77", False))
    kept.keep(*(older(one, days) for days in range(100)), *more)
    return kept


@pytest.fixture(scope="module")
def state(sample: Path) -> Iterator[State]:
    with open_state(open_snapshot(sample)) as opened:
        yield opened


def opened(state: State, kept: Kept, today: date = TODAY, *, conditioned: bool = True) -> Heat:
    # Each test has trails of its own: the index that the one before left stands for others.
    for name in (INDEX_NAME, f"{INDEX_NAME}-wal", f"{INDEX_NAME}-shm"):
        (state.folder.parent / name).unlink(missing_ok=True)
    return open_heat(state, today, conditioned, source=kept)


@pytest.mark.parametrize("question", UNRELATED)
def test_a_hundred_trails_of_another_question_are_not_felt(state: State, question: str) -> None:
    assert set(signature_of(question)) & set(signature_of(VACATIONS)), "they ought to share words"
    with opened(state, hundred()) as heat:
        assert dict(heat.similar(question))[signature_of(VACATIONS)] < PARAMETERS.tau
        felt = heat.felt_by(question)
        assert [felt.boost(*door) for door in (("", "lft"), LAW_DOOR, ("lft", "lft/art-77"))] == [1.0, 1.0, 1.0]
    with opened(state, hundred(), conditioned=False) as heat:
        felt = heat.felt_by(question)
        assert felt.boost(*LAW_DOOR) > 1.1
        assert felt.boost("lft", "lft/art-77") < 0.95


def test_a_similar_question_feels_them_and_a_little_less_than_the_same(state: State) -> None:
    with opened(state, hundred()) as heat:
        same, similar = heat.felt_by(VACATIONS), heat.felt_by(PARAPHRASE)
        assert 1 < similar.boost(*LAW_DOOR) <= same.boost(*LAW_DOOR) < 1 + PARAMETERS.beta
        assert same.near == ((signature_of(VACATIONS), 1.0),)


def test_days_to_come_are_not_felt(state: State) -> None:
    kept = Kept()
    kept.keep(walked(VACATIONS, ("", "lft"), LAW_DOOR))
    boosts = {}
    for ahead in (-1, 0, 90):
        with opened(state, kept, TODAY + timedelta(days=ahead)) as heat:
            boosts[ahead] = heat.felt_by(VACATIONS).boost(*LAW_DOOR)
            explained = heat.felt_by(VACATIONS).explained(*LAW_DOOR)
            assert len(explained.trails) == (ahead >= 0)
    assert boosts[-1] == 1.0
    assert boosts[0] > boosts[90] > 1.0


def test_as_of_a_day_later_trails_are_not_felt_and_ages_end_there(state: State) -> None:
    kept = Kept()
    early = TODAY - timedelta(days=100)
    kept.keep(walked(VACATIONS, ("", "lft"), LAW_DOOR, day=early))
    with opened(state.on(early), kept) as heat:
        then = heat.felt_by(VACATIONS).boost(*LAW_DOOR)
    kept.keep(walked(VACATIONS, ("", "lft"), LAW_DOOR))
    with opened(state.on(early), kept) as heat:
        assert heat.felt_by(VACATIONS).boost(*LAW_DOOR).hex() == then.hex()
    with opened(state.on(early - timedelta(days=1)), kept) as heat:
        assert heat.felt_by(VACATIONS).boost(*LAW_DOOR) == 1.0
    with opened(state, kept, early) as heat:
        assert heat.felt_by(VACATIONS).warmth(*LAW_DOOR).useful == 1.0


def test_without_trails_nothing_is_opened(state: State) -> None:
    with opened(state, Kept()) as heat:
        assert heat.felt_by(VACATIONS) is NO_HEAT
        assert heat.similar(VACATIONS) == ()
        assert heat.walked_alike(signature_of(VACATIONS), "lft", "lft/art-76") == ()
    assert not (state.folder.parent / INDEX_NAME).exists()
    assert NO_HEAT.boost("lft", "lft/art-76") == 1.0
    assert NO_HEAT.warmest() == ()
    assert NO_HEAT.explained("lft", "lft/art-76").boost == 1.0


def test_feedback_turns_a_boost_around_and_back(state: State) -> None:
    kept, trail = Kept(), walked(VACATIONS, ("", "lft"), LAW_DOOR)
    kept.keep(trail)
    boosts = []
    for said in ((0, 0), (1, 0), (0, 1), (1, 1)):
        kept.judge(trail.id, *said)
        with opened(state, kept) as heat:
            boosts.append(heat.felt_by(VACATIONS).boost(*LAW_DOOR))
    assert boosts[2] < 1 < boosts[0] < boosts[1]
    assert boosts[3].hex() == boosts[0].hex()


def test_another_half_life_needs_no_new_index(tmp_path: Path) -> None:
    folder = tmp_path / "bosque"
    plant(folder, {"index.md": node("raiz", "texto", kind="topic")})
    kept = Kept()
    kept.keep(older(walked(VACATIONS, ("", "a"), ("a", "b")), 90))
    warmths = []
    for half_life in (90, 45):
        commit(folder, {"forest.yaml": f"name: prueba\nheat: {{half_life_days: {half_life}}}\n"})
        with open_state(open_snapshot(folder)) as state, open_heat(state, TODAY, source=kept) as heat:
            warmths.append(heat.felt_by(VACATIONS).warmth("a", "b").useful)
    assert warmths == [0.5, 0.25]
    assert kept.asked == [""]


def test_another_forest_weighs_words_anew_without_a_new_index(tmp_path: Path) -> None:
    folder = tmp_path / "bosque"
    plant(folder, {"index.md": node("raiz", "vacaciones", kind="topic")})
    kept = Kept()
    kept.keep(walked("vacaciones aguinaldo", ("", "a")))
    kappas = []
    for number in range(2):
        body = "\n\n".join(f"# Parte {part}\n\naguinaldo {part}" for part in range(30 * number))
        commit(folder, {"otro.md": node("otro", body)})
        with open_state(open_snapshot(folder)) as state, open_heat(state, TODAY, source=kept) as heat:
            kappas.append(heat.similar("vacaciones")[0][1])
    assert kappas[0] < kappas[1]  # what the other question is about beside it became common
    assert kept.asked == [""]


def test_an_explanation_adds_up(state: State) -> None:
    kept = hundred(
        walked(PARAPHRASE, ("", "lft"), LAW_DOOR),
        older(walked(PARAPHRASE, ("", "lft"), (*LAW_DOOR, False), ("lft", "lft/art-77")), 20),
        walked(UNRELATED[0], ("", "lft"), LAW_DOOR),
    )
    for conditioned in (True, False):
        with opened(state, kept, conditioned=conditioned) as heat:
            felt = heat.felt_by(VACATIONS)
            told = felt.explained(*LAW_DOOR, 1000)
            assert felt.explained(*LAW_DOOR, 3).trails == told.trails[:3]
            assert (told.useful, told.useless) == (felt.warmth(*LAW_DOOR).useful, felt.warmth(*LAW_DOOR).useless)
            assert told.boost == felt.boost(*LAW_DOOR)
            assert math.fsum(share.useful for share in told.signatures) == pytest.approx(told.useful)
            assert math.fsum(share.useless for share in told.signatures) == pytest.approx(told.useless)
            assert len(told.trails) == told.trails_in_all == 102 + (not conditioned)
            assert {known.weight for known in told.trails} == {1, -1}


def test_the_warmest_doors_come_first(state: State) -> None:
    with opened(state, hundred()) as heat:
        doors = [(source, to) for source, to, _ in heat.felt_by(VACATIONS).warmest()]
        assert doors == [("", "lft"), LAW_DOOR, ("lft", "lft/art-77")]
        assert [to for _, to, _ in heat.felt_by(VACATIONS).warmest("lft")] == ["lft/art-76", "lft/art-77"]


def test_ways_are_those_of_similar_questions(state: State) -> None:
    with opened(state, hundred(walked(UNRELATED[0], ("", "lft"), LAW_DOOR))) as heat:
        assert len(heat.walked_alike(signature_of(PARAPHRASE), "lft", "lft/art-76")) == 100
        assert len(heat.walked_alike(signature_of(UNRELATED[0]), "lft", "lft/art-76")) == 1


# --- parameters ---------------------------------------------------------------------------------------------------


def test_a_forest_sets_the_parameters_of_heat() -> None:
    set_ones = parse_config("name: x\nheat: {half_life_days: 30, tau: 0.65, beta: 0}\n").heat
    assert set_ones == replace(PARAMETERS, half_life_days=30, tau=0.65, beta=0.0)
    assert parse_config("name: x\n").heat == parse_config("name: x\nheat: {}\n").heat == PARAMETERS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("heat: caliente", "line 2: heat is a mapping"),
        ("heat:\n  calor: 1", "line 3: unknown parameter of heat 'calor'"),
        ("heat:\n  beta: 0.1\n  tau: 0", "line 4: '0' is no tau of heat"),
        ("heat: {half_life_days: 1.5}", "line 2: '1.5' is no half_life_days"),
        ("heat: {half_life_days: 0}", "line 2: '0' is no half_life_days"),
        ("heat: {beta: 1}", "from 0 to 0.9"),
        ("heat: {k: nan}", "'nan' is no k"),
        ("heat: {k: -1}", "'-1' is no k"),
        ("heat: {k: [1]}", "'' is no k"),
        ("heat: {a_min: 2}", "a_min of heat is above a_max"),
        ("heat: {nearest: 99999999999}", "'99999999999' is no nearest"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(NotAForest) as refused:
        parse_config(f"name: x\n{text}\n")
    assert words in str(refused.value)


# --- the page -----------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "heat.md").read_text(encoding="utf-8")


def test_the_page_lists_the_parameters_with_their_defaults_and_bounds() -> None:
    told = re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+), (\S+) \|", PAGE, re.MULTILINE)
    assert told == [
        (field.name, *(f"{value:.9g}" for value in (field.default, *BOUNDS[field.name])))
        for field in fields(HeatParameters)
    ]


def test_the_page_tells_how_heat_saturates() -> None:
    table = PAGE.partition("<!-- saturation -->")[2].partition("<!-- end -->")[0]
    rows = re.findall(r"^\| (\d+) \| (\S+) \| (\S+) \|", table, re.MULTILINE)
    assert len(rows) == 6
    for walks, lifted, lowered in rows:
        heat = int(walks) * PARAMETERS.deposit(3)
        assert (lifted, lowered) == (f"{PARAMETERS.boost(heat, 0):.3f}", f"{PARAMETERS.boost(0, heat):.3f}")
