"""What walks leave to later ones, and what these make of it: trails, heat, shortcuts."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from forest.errors import RepositoryUnusable
from forest.heat import Cold
from forest.journal import read_walk
from forest.routes import Memory
from forest.shortcut import SHORTCUT
from forest.shortcuts import shortcuts_of
from forest.state import State
from forest.trails import find_trail, stored_trails
from navigator.route import hunt
from navigator.walk import Walk
from navigator.world import World
from tests.conftest import Forest, git, plant
from tests.navigator.beach import BEACH, TODAY, clock, door, opened, take, world_at
from tests.navigator.test_route import THREE_HOPS, TWO_HOPS

OLD, NEW = "nom-901-playa-2001", "nom-901-playa-2011"
OTHER_WORDS = "La NOM-901-PLAYA-2001 fue sustituida por otra norma: ¿en qué ciudad tiene su sede quien la emitió?"
UNRELATED = "¿Cuánto midieron las olas el 9 de agosto de 2006?"
COLD = Memory(deposit=False, heat="off", shortcuts=False)


@pytest.fixture
def shore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small forest of the test's own."""
    monkeypatch.delenv("FOREST_NO_DEPOSIT")
    return plant(tmp_path / "bosque", BEACH)


@pytest.fixture
def state(shore: Path) -> Iterator[State]:
    with opened(shore) as state:
        yield state


def asked(state: State, question: str = THREE_HOPS, today: date = TODAY, **memory: object) -> Walk:
    return hunt(state, question, today=today, memory=replace(Memory(), **memory))  # type: ignore[arg-type]


def refs(folder: Path) -> str:
    return git(folder, "for-each-ref", "--format=%(refname)")


# --- trails -----------------------------------------------------------------------------------------------------------


def test_a_verified_walk_leaves_one_trail_of_its_doors_and_citations(state: State) -> None:
    walk = asked(state)
    stored = find_trail(state.snapshot, walk.deposited)
    useful = [(one.source, one.to) for one in stored.trail.doors if one.useful]
    assert useful == [("", OLD), (OLD, NEW), (NEW, "playas")]
    assert stored.trail.cited[0].node == "playas"
    assert {cited.id for cited in stored.trail.cited} == {
        f"{cited.node}#{cited.passage}" for claim in walk.answer.claims for cited in claim.citations
    }
    assert stored.trail.day == TODAY
    assert (stored.trail.ending, stored.trail.navigator) == ("answered", "scout")
    assert not stored.private


def test_neither_branch_nor_index_nor_work_tree_knows_of_a_trail(shore: Path, state: State) -> None:
    head, status = git(shore, "rev-parse", "HEAD"), git(shore, "status", "--porcelain")
    assert asked(state).deposited
    assert git(shore, "rev-parse", "HEAD") == head
    assert git(shore, "status", "--porcelain") == status
    assert git(shore, "branch", "--all", "--format=%(refname)").split() == ["refs/heads/main"]


@pytest.mark.parametrize("question", ["¿Cuánto pesa la luna?", "¿Quién emitió la NOM-999-MAR-1999?"])
def test_a_walk_that_abstains_leaves_nothing(shore: Path, state: State, question: str) -> None:
    walk = asked(state, question)
    assert not walk.answer.claims
    assert not walk.deposited
    assert "refs/forest" not in refs(shore)


def test_a_hunt_without_memory_takes_and_leaves_nothing(shore: Path, state: State) -> None:
    for _ in range(3):
        asked(state)
    before = refs(shore), git(shore, "rev-parse", *refs(shore).split())
    cold = hunt(state, THREE_HOPS, today=TODAY)
    assert not cold.deposited
    assert (refs(shore), git(shore, "rev-parse", *refs(shore).split())) == before
    assert [step.action for step in cold.steps] == [step.action for step in asked(state, **vars_of(COLD)).steps]
    assert not any(SHORTCUT in step.why for step in cold.steps)


def vars_of(memory: Memory) -> dict[str, object]:
    return {name: getattr(memory, name) for name in Memory.__dataclass_fields__}


def test_a_private_trail_is_kept_apart_and_mints_nothing(shore: Path, state: State) -> None:
    for _ in range(3):
        assert asked(state, private=True).deposited
    assert [stored.private for stored in stored_trails(state.snapshot)] == [True] * 3
    assert shortcuts_of(state, OLD) == ()
    names = refs(shore).split()
    assert any(name.endswith("/private") for name in names)
    assert not any(name.endswith(("/trails", "/shortcuts")) for name in names)


def test_an_answer_stands_where_no_trail_can_be_left(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise RepositoryUnusable("The disk is full.", "Make room.")

    monkeypatch.setattr("forest.trails.deposit", refuse)
    walk = asked(state)
    assert walk.answer.claims
    assert not walk.deposited
    assert "left no trail: The disk is full." in walk.remark
    assert walk.remark in walk.told()


def test_the_journal_tells_which_trail_a_walk_left(shore: Path, forest: Forest, state: State) -> None:
    ran = forest("hunt", THREE_HOPS, "--route", "walk", "--forest", shore, "--today", "2026-03-01", "--json")
    deposited = ran.json["walk"]["deposited"]
    record = read_walk(state.folder.parent, "last")
    assert record.ending is not None
    lines = (state.folder.parent / "walks" / f"{record.id}.jsonl").read_text(encoding="utf-8").splitlines()
    assert f'{{"deposited": "{deposited}"}}' == lines[-1]


@pytest.mark.parametrize(
    ("options", "leaves"),
    [((), ["/trails"]), (("--private",), ["/private"]), (("--no-deposit",), [])],
)
def test_the_options_of_a_hunt_say_what_it_leaves(
    shore: Path, forest: Forest, options: tuple[str, ...], leaves: list[str]
) -> None:
    forest("hunt", THREE_HOPS, "--route", "walk", "--forest", shore, "--today", "2026-03-01", *options)
    assert [f"/{name.rpartition('/')[2]}" for name in refs(shore).split() if "refs/forest/" in name] == leaves


@pytest.mark.parametrize("options", [("--no-heat", "--unconditioned-heat"), ("--private", "--no-deposit")])
def test_options_that_contradict_each_other_are_refused(shore: Path, forest: Forest, options: tuple[str, ...]) -> None:
    ran = forest("hunt", THREE_HOPS, "--route", "walk", "--forest", shore, *options)
    assert ran.code == 2
    assert all(option in ran.err for option in options)


# --- heat -------------------------------------------------------------------------------------------------------------


def test_a_similar_question_begins_where_the_walks_before_it_succeeded(state: State) -> None:
    cold = hunt(state, OTHER_WORDS, today=TODAY)
    asked(state)
    warm = asked(state, OTHER_WORDS, deposit=False, shortcuts=False)
    assert warm.answer.claims[0].value == cold.answer.claims[0].value == "Salina Cruz"
    assert warm.steps[0].action == f"enter {OLD}"
    assert len(warm.steps) <= len(cold.steps)


def test_an_unrelated_question_walks_as_if_nobody_had_walked_before(state: State) -> None:
    cold = hunt(state, UNRELATED, today=TODAY)
    for _ in range(5):
        asked(state)
    warm = asked(state, UNRELATED, deposit=False)
    assert [(s.action, s.observation) for s in warm.steps] == [(s.action, s.observation) for s in cold.steps]


def test_unconditioned_heat_is_felt_by_unrelated_questions(state: State) -> None:
    for _ in range(5):
        asked(state)
    search = world_feeling(state, UNRELATED, "unconditioned").take(find("¿Qué normas hay sobre sombrillas?"))
    plain = world_feeling(state, UNRELATED, "on").take(find("¿Qué normas hay sobre sombrillas?"))
    lifted = {hit.reading.node.id for hit in search.items if "heat" in dict(hit.why)}
    assert OLD in lifted
    assert not any("heat" in dict(hit.why) for hit in plain.items)


def world_feeling(state: State, question: str, heat: str) -> World:
    from forest.heat import open_heat

    felt = open_heat(state, TODAY, conditioned=heat == "on").felt_by(question)
    return World(state, clock(), question=question, felt=felt)


def find(words: str) -> object:
    from navigator.actions import Search

    return Search(words)


def test_heat_that_is_switched_off_is_not_felt(state: State) -> None:
    cold = hunt(state, THREE_HOPS, today=TODAY)
    for _ in range(5):
        asked(state)
    off = asked(state, heat="off", shortcuts=False, deposit=False)
    assert [step.action for step in off.steps] == [step.action for step in cold.steps]


def test_heat_evaporates(state: State) -> None:
    asked(state)
    later = TODAY + timedelta(days=36_500)
    warm = asked(state, OTHER_WORDS, today=later, deposit=False, shortcuts=False)
    cold = hunt(state, OTHER_WORDS, today=later)
    assert warm.answer.claims[0].value == cold.answer.claims[0].value


class Hot(Cold):
    """Everything is lifted as far as it may be."""

    def boost(self, source: str, to: str) -> float:  # noqa: ARG002
        return 1.15 if to.startswith("ley/art-1@1999") else 1.0


def test_a_text_that_is_not_in_force_is_not_lifted(state: State) -> None:
    words = "sesenta días de veda"
    on = clock(on=date(2026, 3, 1))
    hot = World(state, on, question=words, felt=Hot()).take(find(words))
    assert not any("heat" in dict(hit.why) for hit in hot.items)
    then = World(state, clock(on=date(2010, 3, 1)), question=words, felt=Hot()).take(find(words))
    assert any("heat" in dict(hit.why) for hit in then.items if hit.reading.node.id == "ley/art-1@1999-01-04")


def test_no_lift_changes_the_first_of_what_is_found_where_it_wins_clearly(state: State) -> None:
    plain = World(state, clock()).take(find("multa entre sombrillas")).items
    first = plain[0]
    assert first.score > 1.15 / 0.925 * max(hit.score for hit in plain[1:] if hit.reading.node != first.reading.node)

    class Against(Cold):
        def boost(self, source: str, to: str) -> float:  # noqa: ARG002
            return 0.925 if to == first.reading.node.id else 1.15

    lifted = World(state, clock(), felt=Against()).take(find("multa entre sombrillas")).items
    assert lifted[0].reading.passage.id == first.reading.passage.id


# --- shortcuts --------------------------------------------------------------------------------------------------------


def learnt(state: State) -> None:
    """Let two walks of one question go the same way: then it is a door of its own."""
    asked(state)
    asked(state)


def test_two_walks_of_one_way_mint_a_shortcut_that_carries_what_they_cited(state: State) -> None:
    asked(state)
    assert shortcuts_of(state, OLD) == ()
    asked(state)
    (shortcut,) = shortcuts_of(state, OLD)
    assert (shortcut.source, shortcut.to) == (OLD, "playas")
    assert [one.to for one in shortcut.way] == [NEW, "playas"]
    assert {f"{NEW}#1", "playas#1"} <= {passage.id for passage in shortcut.passages}


def test_a_shortcut_is_taken_by_the_same_and_by_another_wording_and_the_answer_is_the_same(state: State) -> None:
    cold = {question: hunt(state, question, today=TODAY) for question in (THREE_HOPS, OTHER_WORDS)}
    learnt(state)
    for question, before in cold.items():
        after = asked(state, question, deposit=False)
        assert any(step.why.startswith("shortcut") for step in after.steps)
        assert after.answer.claims[0].value == before.answer.claims[0].value
        assert {c.citations[0].node for c in after.answer.claims} == {c.citations[0].node for c in before.answer.claims}
        assert len(after.steps) < len(before.steps)


def test_a_hop_through_a_shortcut_reads_what_it_carries_in_one_step(state: State) -> None:
    learnt(state)
    world = world_at(state, OLD)
    (shown,) = take(world, f"hop {door(world, SHORTCUT, 'playas').number}")
    assert world.here is not None
    assert world.here.id == "playas"
    assert world.hops == 1
    carried = [passage.id for passage in shortcuts_of(state, OLD)[0].passages]
    assert set(carried) <= set(world.read)
    assert "Salina Cruz" in shown.text
    assert "sustituye a la NOM-901-PLAYA-2001" in shown.text
    assert world.take(parse(f"note {carried[0]} 2")).text.startswith("Note 1:")


def parse(line: str) -> object:
    from navigator.actions import parse_action

    return parse_action(line)


def test_what_a_shortcut_carries_beyond_a_read_is_told_and_not_counted_as_read(tmp_path: Path) -> None:
    # Two nodes on the way are longer than a read has room for.
    long = "".join(f"\n\nEl apartado {n} dice que la medida es de {n} metros y nada más que eso." for n in range(40))
    files = dict(BEACH)
    files["normas/nom-901-playa-2011.md"] = files["normas/nom-901-playa-2011.md"].replace(
        "La norma fija", f"{long}\n\nLa norma fija"
    )
    with opened(plant(tmp_path / "largo", {**files, "forest.yaml": _SMALL})) as state:
        learnt(state)
        (shortcut,) = shortcuts_of(state, OLD)
        world = world_at(state, OLD)
        (shown,) = take(world, f"hop {door(world, SHORTCUT, 'playas').number}")
        left = [passage.id for passage in shortcut.passages if passage.id not in world.read]
        if left:
            assert shown.truncated
            assert f"NOT SHOWN of what the shortcut carries: {', '.join(left)}" in shown.text
        assert set(world.read) <= {passage.id for passage in shortcut.passages}


_SMALL = "name: largo\nbudgets: {read_tokens: 600, passage_tokens: 900}\n"


def test_a_walk_over_a_shortcut_leaves_the_trail_of_the_doors_that_it_spans(state: State) -> None:
    learnt(state)
    walk = asked(state)
    assert any(step.why.startswith("shortcut") for step in walk.steps)
    trail = find_trail(state.snapshot, walk.deposited).trail
    useful = [(one.source, one.to) for one in trail.doors if one.useful]
    assert useful == [("", OLD), (OLD, NEW), (NEW, "playas")]
    (shortcut,) = shortcuts_of(state, OLD)
    assert walk.deposited in shortcut.trails


def test_a_sister_question_is_not_led_to_the_end_of_another(tmp_path: Path) -> None:
    renamed = {"901": "902", "playa": "lago", "PLAYA": "LAGO", "Playas": "Lagos", "Salina Cruz": "Chapala"}
    sisters: dict[str, str] = {}
    for path in ("normas/nom-901-playa-2001.md", "normas/nom-901-playa-2011.md", "dependencias/playas.md"):
        text = BEACH[path]
        for word, other in renamed.items():
            text = text.replace(word, other)
        sisters[path.replace("901", "902").replace("playas", "lagos")] = text
    with opened(plant(tmp_path / "dos", {**BEACH, **sisters})) as state:
        question = THREE_HOPS.replace("901-PLAYA", "902-LAGO")
        before = hunt(state, question, today=TODAY)
        assert before.answer.claims[0].value == "Chapala"
        for _ in range(3):
            asked(state)
        after = asked(state, question, deposit=False)
        assert after.answer.claims[0].value == "Chapala"
        reading = [next(s.number for s in walk.steps if "lagos#1" in s.read) for walk in (before, after)]
        assert reading[1] <= reading[0]


def test_two_hops_are_answered_after_three_were_learnt(state: State) -> None:
    learnt(state)
    assert asked(state, TWO_HOPS, deposit=False).answer.claims[0].value == "Secretaría de Playas"


def test_a_walk_can_begin_at_a_node_instead_of_by_a_search(state: State) -> None:
    walk = hunt(state, THREE_HOPS, today=TODAY, begin_at="raiz")
    assert walk.steps[0].action == "enter raiz"
    assert not any(step.action.startswith("search") for step in walk.steps)
    assert not any("the question names it" in step.why for step in walk.steps[1:])


# --- case memory ------------------------------------------------------------------------------------------------------


def test_cases_are_places_to_visit_only_when_switched_on(state: State) -> None:
    asked(state)
    world_off = asked(state, OTHER_WORDS, deposit=False, shortcuts=False)
    world_on = asked(state, OTHER_WORDS, deposit=False, shortcuts=False, cases=True)
    assert world_on.answer.claims[0].value == world_off.answer.claims[0].value
    read = {passage.rpartition("#")[0] for passage in world_on.read}
    cited = {c.node for claim in world_on.answer.claims for c in claim.citations}
    assert cited <= read  # nothing is cited that this walk did not read itself
