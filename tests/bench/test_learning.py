"""Learning: what is asked in which order and with what of the memory, what is kept, and what it is worth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.attempt import Asked, Attempt, AttemptsWrong, Reply
from bench.learning.chart import draw
from bench.learning.choosing import Asking, choose_questions
from bench.learning.condition import Condition
from bench.learning.copying import copy_forest
from bench.learning.course import Course, Heading, read_course
from bench.learning.figures import Told, tell
from bench.learning.passes import Lesson, learn
from bench.learning.shuffling import Shuffler, shuffle_questions
from bench.learning.tables import markdown, plain
from bench.learning.told import main as tell_again
from bench.learning.trial import Trial, doors_walked, reached, trial_from, trial_line, way_of
from forest.errors import WrongUsage
from forest.history import open_snapshot
from forest.routes import Memory
from forest.state import State, open_state
from forest.trail import Trail, question_id
from forest.trails import changes_since, tips_of
from forest.versions import VERSIONS
from navigator.walk import Step, Walk
from tests.bench.pupil import IDLE, NOTHING, SAVED, pupil
from tests.bench.wood import QUESTIONS, SALARY, question, write_questions
from tests.conftest import Forest, git

TODAY = date(2026, 11, 30)
OTHER = question(
    "Q-OTRA",
    "¿De cuántos pesos es la cuota de muestra de la norma que siguió a la NOM-901-SEMARNAT-1996?",
    "multi_document",
    QUESTIONS[2]["answer"],
    *QUESTIONS[2]["gold"],
    split="test",
)
WORDS = "¿Cuánto cuesta cada prueba con el laboratorio que cuida lo que vino tras la NOM-901-SEMARNAT-1996?"


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    questions = write_questions(tmp_path / "q" / "preguntas.jsonl", (*QUESTIONS, OTHER))
    others = tmp_path / "q" / "otras" / "p.jsonl"
    others.parent.mkdir()
    others.write_text(json.dumps({"id": "P-CUOTA", "paraphrases": "Q-CUOTA", "question": WORDS}), encoding="utf-8")
    sisters = write_questions(tmp_path / "q" / "hermanas" / "s.jsonl", (question(
        "S-SALARIO", "¿De cuánto es el salario?", "single_passage", {"type": "money", "value": "315.04 pesos"}, SALARY
    ),))  # fmt: skip
    return choose_questions([questions], [others], [sisters])


def lesson(wood: Path, folder: Path, asking: Asking, passes: int = 2, condition: Condition | None = None) -> Lesson:
    copied = folder if folder.exists() else copy_forest(open_snapshot(wood), folder)
    tree = open_snapshot(wood).tree
    heading = Heading(tree, tree, "c" * 40, dict(VERSIONS), "f" * 16, condition or Condition(), False, False, TODAY, 1)
    return Lesson(copied, asking, heading, passes)


@pytest.fixture
def course(wood: Path, tmp_path: Path, asking: Asking) -> Course:
    return learn(lesson(wood, tmp_path / "copia", asking), tmp_path / "out.jsonl", hunt=pupil, jobs=1)


# --- trials -------------------------------------------------------------------------------------------------------


def steps(*told: tuple[str, str, Sequence[str]]) -> tuple[Step, ...]:
    return tuple(
        Step(number, at, action, "", NOTHING, 0, read=tuple(read)) for number, (at, action, read) in enumerate(told, 1)
    )


def test_a_hop_is_reached_at_the_step_that_first_reads_a_passage_of_it() -> None:
    walked = steps(
        ("", "search x", ()), ("a", "read 1 1", ("a#1",)), ("a", "hop 2", ("b#1", "b#2")), ("b", "read 3 1", ("b#3",))
    )
    gold = (frozenset(("b#2", "b#3")), frozenset(("a#1",)), frozenset(("c#1",)))
    assert reached(walked, gold) == (3, 2, 0)


def test_the_way_is_where_the_walk_stood_and_doors_are_hops_and_entries() -> None:
    walked = steps(
        ("", "search x", ()), ("", "enter a", ()), ("a", "read 1 1", ()), ("a", "hop 2", ()), ("b", "back", ())
    )
    assert way_of(walked) == ("a", "b")
    assert doors_walked(walked) == 2


def trial(reached_at: tuple[int, ...] = (3, 9), **more: Any) -> Trial:
    reply = Reply((), "abstained", steps=more.pop("steps", 20))
    return Trial(1, "walked", Attempt("Q", "scout", 1, reply), reached_at, ("a", "b"), 2, "t" * 64)


def test_steps_to_gold_are_censored_at_the_last_step_when_a_hop_was_not_read() -> None:
    assert (trial((3, 9)).has_all, trial((3, 9)).steps_to_gold) == (True, 9)
    assert (trial((3, 0)).has_all, trial((3, 0)).steps_to_gold) == (False, 20)


@given(st.lists(st.integers(0, 99), min_size=1).map(tuple), st.lists(st.text(), max_size=3).map(tuple))
def test_a_trial_is_read_back_as_it_was_written(reached_at: tuple[int, ...], way: tuple[str, ...]) -> None:
    written = Trial(2, "sister", Attempt("Q", "scout", 1, Reply((), "answered", found=way)), reached_at, way, 3)
    assert trial_from(json.loads(trial_line(written))) == written


# --- the order of trials, and what is kept ------------------------------------------------------------------------


def test_questions_are_walked_by_length_and_others_only_asked(asking: Asking) -> None:
    assert [q.id for q in asking.walked] == ["Q-CUOTA", "Q-OTRA"]
    assert [q.id for q in asking.paraphrases] == ["P-CUOTA"]
    assert [q.id for q in asking.sisters] == ["S-SALARIO"]


def test_strict_questions_can_be_held_out_as_sisters() -> None:
    fixture = Path(__file__).parents[2] / "fixtures" / "questions"
    asking = choose_questions(
        sorted(fixture.glob("*.jsonl")), [fixture / "paraphrases" / "tres-saltos.jsonl"], [], hold_out=1
    )
    assert len(asking.walked) >= 40
    assert {q.paraphrases for q in asking.paraphrases} == {q.id for q in asking.walked}
    walked = {q.chain for q in asking.walked}
    assert asking.sisters
    assert all(q.strict and q.chain in walked for q in asking.sisters)


def test_nothing_to_walk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="9 hops"):
        choose_questions([write_questions(tmp_path / "q.jsonl")], [], [], hops=9)


def test_the_cold_pass_has_no_memory_and_only_walked_questions_leave_trails(
    wood: Path, tmp_path: Path, asking: Asking
) -> None:
    asked: list[tuple[str, Memory | None]] = []

    def watched(state: State, one: Asked, memory: Memory | None) -> Walk:
        asked.append((one.text[:9], memory))
        return pupil(state, one, memory)

    made = learn(lesson(wood, tmp_path / "copia", asking, 1), tmp_path / "out.jsonl", hunt=watched, jobs=1)
    cold, later = asked[:4], asked[4:]
    assert {memory for _, memory in cold} == {None}
    assert [memory.deposit for _, memory in later if memory is not None] == [True, True, False, False]
    assert [t.role for t in made.trials] == ["walked", "walked", "paraphrase", "sister"] * 2
    assert [bool(t.deposited) for t in made.trials] == [False] * 4 + [True, True, False, False]
    assert made.passes == 1


def test_nothing_is_left_in_the_forest_that_was_given(wood: Path, course: Course, tmp_path: Path) -> None:
    assert len(list(changes_since(open_snapshot(tmp_path / "copia"), "").added)) == 4
    assert tips_of(open_snapshot(wood)) == ""
    assert git(wood, "status", "--porcelain") == ""


def test_a_course_that_was_stopped_goes_on_and_asks_nothing_twice(
    wood: Path, tmp_path: Path, asking: Asking, course: Course
) -> None:
    whole = (tmp_path / "out.jsonl").read_bytes()
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(whole[: whole.rfind(b'{"kind": "trial", "pass": 2') + 40])
    kept = len(read_course(torn).trials)
    left = {t.question for _, t in changes_since(open_snapshot(tmp_path / "copia"), "").added}
    told: list[tuple[int, int]] = []
    made = learn(
        lesson(wood, tmp_path / "copia", asking), torn, hunt=pupil, jobs=1, progress=lambda *now: told.append(now)
    )
    assert 0 < kept < len(course.trials)
    assert told == [(n, len(course.trials)) for n in range(kept + 1, len(course.trials) + 1)]
    assert [t.key for t in made.trials] == [t.key for t in course.trials]
    standing = dict(changes_since(open_snapshot(tmp_path / "copia"), "").added)
    assert set(standing) == {t.deposited for t in made.trials if t.deposited}  # and none of a walk that was not kept
    assert {t.question for t in standing.values()} == left


def test_ctrl_c_keeps_what_was_made(wood: Path, tmp_path: Path, asking: Asking) -> None:
    def stopped(made: int, planned: int) -> None:
        if made == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(lesson(wood, tmp_path / "copia", asking), tmp_path / "out.jsonl", hunt=pupil, jobs=1, progress=stopped)
    assert len(read_course(tmp_path / "out.jsonl").trials) == 3


def test_a_file_of_another_course_is_refused(wood: Path, tmp_path: Path, asking: Asking, course: Course) -> None:
    other = lesson(wood, tmp_path / "copia", asking, condition=Condition("unconditioned"))
    with pytest.raises(AttemptsWrong, match="condition"):
        learn(other, course.path, hunt=pupil, jobs=1)
    fewer = lesson(wood, tmp_path / "copia", Asking(asking.walked[:1], (), ()))
    with pytest.raises(AttemptsWrong, match="questions"):
        learn(fewer, course.path, hunt=pupil, jobs=1)


@pytest.mark.parametrize("text", ["", "{}\n", '{"kind": "run"}\n', "no\n"])
def test_what_is_no_course_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(AttemptsWrong):
        read_course(tmp_path / "x.jsonl")


def test_cold_trials_are_taken_from_a_course_of_the_same_questions(
    wood: Path, tmp_path: Path, asking: Asking, course: Course
) -> None:
    asked: list[str] = []

    def watched(state: State, one: Asked, memory: Memory | None) -> Walk:
        asked.append("cold" if memory is None else memory.heat)
        return pupil(state, one, memory)

    off = lesson(wood, tmp_path / "otra", asking, 1, Condition("off"))
    made = learn(off, tmp_path / "off.jsonl", hunt=watched, cold=course, jobs=1)
    assert asked == ["off"] * 4
    assert [t for t in made.trials if not t.number] == [t for t in course.trials if not t.number]


def test_a_walk_that_raises_is_an_error_and_the_course_goes_on(wood: Path, tmp_path: Path, asking: Asking) -> None:
    def raising(state: State, one: Asked, memory: Memory | None) -> Walk:
        raise ValueError("no hay puerta")

    made = learn(lesson(wood, tmp_path / "copia", asking, 1), tmp_path / "out.jsonl", hunt=raising, jobs=1)
    assert {t.attempt.error for t in made.trials} == {"ValueError: no hay puerta"}
    told = tell(made)
    assert told.errors == len(made.trials)
    assert told.figure("steps_to_gold", "walked", 1).mean.n == 0


def test_evidence_that_does_not_stand_in_the_forest_is_refused(wood: Path, tmp_path: Path, asking: Asking) -> None:
    lost = question(
        "Q-X", "¿Qué?", "single_passage", {"type": "text", "value": "x"}, {"node": "raiz", "span": "no está"}, hops=3
    )
    more = choose_questions([write_questions(tmp_path / "lost.jsonl", (lost,))], [], [])
    with pytest.raises(WrongUsage, match="Q-X"):
        learn(lesson(wood, tmp_path / "copia", more), tmp_path / "out.jsonl", hunt=pupil, jobs=1)


# --- copies -------------------------------------------------------------------------------------------------------


def test_a_copy_has_the_commit_and_what_is_derived_but_nothing_that_walks_left(wood: Path, tmp_path: Path) -> None:
    snapshot = open_snapshot(wood)
    with open_state(snapshot) as state:
        pupil(state, Asked("¿Algo?", TODAY), Memory())
        name = state.folder.name
    copied = open_snapshot(copy_forest(snapshot, tmp_path / "copia"))
    assert (copied.commit, copied.tree) == (snapshot.commit, snapshot.tree)
    assert tips_of(snapshot) != ""
    assert tips_of(copied) == ""
    assert (copied.common_dir / "forest" / copied.forest_id / name / "manifest.json").is_file()
    with pytest.raises(WrongUsage, match="not empty"):
        copy_forest(snapshot, tmp_path / "copia")


def test_a_forest_inside_a_repository_is_copied_with_its_place(wood: Path, tmp_path: Path) -> None:
    outer = tmp_path / "fuera"
    (outer / "datos").mkdir(parents=True)
    git(outer, "init", "-q")
    git(outer, "pull", "-q", str(wood))
    for path in list(outer.iterdir()):
        if path.name not in (".git", "datos"):
            git(outer, "mv", path.name, f"datos/{path.name}")
    git(outer, "commit", "-q", "-m", "dentro")
    forest = copy_forest(open_snapshot(outer / "datos"), tmp_path / "copia")
    assert forest == tmp_path / "copia" / "datos"
    with open_state(open_snapshot(forest)) as state:
        assert state.catalog.node("cenzontle").title == "Laboratorio Cenzontle"


# --- figures ------------------------------------------------------------------------------------------------------


def test_figures_tell_how_many_steps_each_pass_took_beside_the_cold_one(course: Course) -> None:
    told = tell(course)
    to_gold = IDLE + 6  # after the idle steps: enter, read, hop, read, hop, read
    means = [told.figure("steps_to_gold", "walked", number).mean.mean for number in range(3)]
    # Of two questions the second feels the first in its own pass.
    assert means == [to_gold, to_gold - SAVED / 2, to_gold - SAVED * 2.5]
    last = told.figure("steps_to_gold", "paraphrase", 2)
    assert last.difference.mean == -SAVED * 4
    assert last.ratio is not None
    assert last.ratio.mean == pytest.approx((to_gold - SAVED * 4) / to_gold)
    assert told.figure("waste", "walked", 0).mean.mean == 0
    assert told.figure("answer_correct", "walked", 2).mean.mean == 1
    assert told.figure("every_hop_cited", "paraphrase", 2).mean.mean == 1
    assert told.figure("answer_correct", "sister", 2).mean.mean == 0
    assert [(d.walked, d.left, d.wrong.mean) for d in told.deposits] == [(2, 2, 0.0), (2, 2, 0.0)]


def test_only_questions_of_which_both_passes_read_all_are_compared_apart(course: Course) -> None:
    told = tell(course)
    assert told.figure("steps_to_gold_read", "sister", 2).mean.n == 0
    assert told.figure("steps_to_gold_read", "walked", 2).mean.n == 2
    assert told.figure("all_read", "sister", 2).mean.mean == 0
    assert told.figure("steps_to_gold_taught", "paraphrase", 2).mean.n == 1
    assert told.figure("steps_to_gold_taught", "sister", 2).mean.n == 0


def test_tables_have_every_measure_and_the_last_difference(course: Course) -> None:
    told = tell(course)
    page = markdown([told])
    assert "## heat-on" in page
    assert "| `steps_to_gold` | 18.0 |" in page
    assert "| heat-on | paraphrase | 1 | 33.3 % | 100.0 → 100.0 % | 100.0 → 100.0 % | 0.0 → 0.0 % |  |" in page
    walked = next(line for line in page.splitlines() if line.startswith("| heat-on | walked | 2 | 58.3 % ["))
    assert walked.endswith("| 100.0 → 100.0 % | 100.0 → 100.0 % | 0.0 → 0.0 % | 0 of 4 |")
    assert "-12.0 (n 1)" in page
    assert page.count("| `waste` |") == 3
    assert plain([told])[0]["condition"] == "heat-on"


def test_courses_made_before_are_told_without_asking(
    course: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chart = tmp_path / "c.svg"
    assert tell_again([str(course.path), str(course.path), "--chart", str(chart), "--measure", "tokens"]) == 0
    assert capsys.readouterr().out.count("\n## heat-on\n") == 2
    assert "tokens" in "".join(ElementTree.parse(chart).getroot().itertext())  # noqa: S314 - our own
    assert tell_again([str(course.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["passes"] == 2
    (tmp_path / "no.jsonl").write_text("no\n", encoding="utf-8")
    assert tell_again([str(tmp_path / "no.jsonl")]) != 0
    assert "no.jsonl" in capsys.readouterr().err


def test_a_pass_without_all_its_trials_is_not_told(wood: Path, tmp_path: Path, asking: Asking) -> None:
    def stopped(made: int, planned: int) -> None:
        if made == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(lesson(wood, tmp_path / "copia", asking), tmp_path / "out.jsonl", hunt=pupil, jobs=1, progress=stopped)
    assert tell(read_course(tmp_path / "out.jsonl")).passes == 0


def test_a_chart_is_well_formed_and_holds_the_figures(course: Course) -> None:
    told = tell(course)
    strange = Told("heat-on <&> «calor»", told.passes, told.questions, told.figures, told.deposits, 0)
    root = ElementTree.fromstring(draw([told, strange], "steps_to_gold", "Pasos & puertas"))  # noqa: S314 - our own
    tips = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(tips) == 2 * 3 * 3
    assert any(tip.startswith("heat-on, pass 2: 6.00") for tip in tips)
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Pasos & puertas" in texts
    assert any("heat-on <&> «calor»" in text for text in texts)
    heights = [float(c.attrib["cy"]) for c in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert all(0 < height < float(root.attrib["height"]) for height in heights)


# --- the control --------------------------------------------------------------------------------------------------


def trails(count: int, forest: Path) -> list[Trail]:
    found = []
    with open_state(open_snapshot(forest)) as state:
        for number in range(count):
            pupil(state, Asked(f"¿Qué cuota número{'x' * number}?", TODAY), Memory())
    found += [one for _, one in changes_since(open_snapshot(forest), "").added]
    return found


def test_every_trail_gets_the_question_of_another(wood: Path) -> None:
    real = trails(4, wood)
    shuffled = shuffle_questions(real, seed=1)
    own = {one.question: one for one in real}
    assert {one.question for one in shuffled} == set(own)
    assert all(one.signature == own[one.question].signature for one in shuffled)
    assert all(one.time != own[one.question].time for one in shuffled)
    assert shuffle_questions(reversed(real), seed=1) == shuffled
    assert shuffle_questions(real[:1], seed=1) == []


def test_the_control_leaves_shuffled_trails_alone_and_none_twice(wood: Path, tmp_path: Path, asking: Asking) -> None:
    control = lesson(wood, tmp_path / "copia", asking, condition=Condition(shuffled=True, shortcuts=False))
    shuffler = Shuffler(copy_forest(open_snapshot(wood), tmp_path / "borrador"), control, pupil, jobs=1)
    made = learn(control, tmp_path / "out.jsonl", hunt=pupil, meanwhile=shuffler, jobs=1)
    assert not any(t.deposited for t in made.trials)
    left = [trail for _, trail in changes_since(open_snapshot(tmp_path / "copia"), "").added]
    assert sorted(trail.question for trail in left) == sorted(question_id(q.question) for q in asking.walked * 2)
    shuffler(tmp_path / "copia", 2)
    assert len(list(changes_since(open_snapshot(tmp_path / "copia"), "").added)) == len(left)


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_learns_and_tells(forest: Forest, wood: Path, tmp_path: Path) -> None:
    asked = write_questions(tmp_path / "q.jsonl")
    out = tmp_path / "salida"
    arguments = ["learn", wood, "--questions", asked, "--passes", "1", "--today", "2026-11-30", "--out", out]
    ran = forest(*arguments, "--heat", "on", "--heat", "off", "--shuffled", "--jobs", "1", "--chart", out / "c.svg")
    assert ran.code == 0, ran
    assert "## heat-on" in ran.out
    assert "## heat-off" in ran.out
    assert "## heat-on.no-shortcuts.shuffled" in ran.out
    assert (out / "report.md").read_text(encoding="utf-8") == ran.out
    ElementTree.parse(out / "c.svg")  # noqa: S314 - our own
    assert tips_of(open_snapshot(wood)) == ""
    again = forest(*arguments, "--json")
    assert again.json[0]["passes"] == 1
    assert "trials" not in again.err


def test_the_command_can_blank_scents(forest: Forest, wood: Path, tmp_path: Path) -> None:
    asked = write_questions(tmp_path / "q.jsonl")
    ran = forest(
        "learn", wood, "--questions", asked, "--passes", "0", "--out", tmp_path / "o", "--blank-scents", "--jobs", "1"
    )
    assert ran.code == 0, ran
    assert "## heat-on, scents blanked" in ran.out


def test_the_command_can_begin_at_the_root(forest: Forest, wood: Path, tmp_path: Path) -> None:
    asked, out = write_questions(tmp_path / "q.jsonl"), tmp_path / "o"
    ran = forest("learn", wood, "--questions", asked, "--passes", "0", "--out", out, "--at-root", "--jobs", "1")
    assert ran.code == 0, ran
    assert "## heat-on, from the root" in ran.out
    course = read_course(out / "heat-on.at-root.jsonl")
    root = next(iter(course.trials)).way[0]
    assert {trial.way[0] for trial in course.trials} == {root}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--chart", "c.png"], "SVG"),
        (["--hops", "9"], "9 hops"),
        (["--today", "ayer"], "--today"),
    ],
)
def test_what_cannot_be_learnt_is_one_sentence(
    forest: Forest, wood: Path, tmp_path: Path, more: list[str], words: str
) -> None:
    ran = forest("learn", wood, "--questions", write_questions(tmp_path / "q.jsonl"), "--out", tmp_path / "o", *more)
    assert ran.code != 0
    assert words in ran.err


def test_passes_whose_forest_is_gone_are_not_gone_on_with(forest: Forest, wood: Path, tmp_path: Path) -> None:
    arguments = ["learn", wood, "--questions", write_questions(tmp_path / "q.jsonl"), "--passes", "1", "--jobs", "1"]
    assert forest(*arguments, "--out", tmp_path / "o").code == 0
    (tmp_path / "o" / "forests" / "heat-on").rename(tmp_path / "lejos")
    ran = forest(*arguments, "--out", tmp_path / "o")
    assert ran.code == 1
    assert "is gone" in ran.err
