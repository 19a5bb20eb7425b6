"""Passes: the questions are walked again and again, and what was left is measured on others after each time.

Owns the order of trials. In the cold pass, number 0, everything is asked without any memory. In each later one the
questions that leave trails are walked one after the other, each feeling what was left so far; then paraphrases and
sisters are asked, which leave nothing. So walks of pass n have felt n - 1 passes, and a beginning of the n-th.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.attempt import Asked, Posed
from bench.learning.asking import Asker, Hunt, Task, scout_hunt, work
from bench.learning.choosing import Asking
from bench.learning.course import Course, Heading, begin, read_course
from bench.learning.trial import ROLES, Role, Trial, trial_line
from bench.question import Question, gold_passages
from forest.errors import WrongUsage
from forest.forgetting import forget
from forest.history import open_snapshot
from forest.processes import ordered_map
from forest.routes import Memory
from forest.state import State, open_state
from forest.trails import changes_since

Progress = Callable[[int, int], None]
# What is done between the walks of a pass and the questions that measure it: (forest, number of the pass).
Meanwhile = Callable[[Path, int], None]
_NAMED = 10


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be learnt: the copy of the forest, the questions, the heading that names all of it, how often."""

    forest: Path
    asking: Asking
    heading: Heading
    passes: int


def learn(
    lesson: Lesson,
    out: Path,
    *,
    hunt: Hunt = scout_hunt,
    meanwhile: Meanwhile | None = None,
    cold: Course | None = None,
    jobs: int = 2,
    progress: Progress | None = None,
) -> Course:
    """Make all trials of a lesson that `out` does not hold yet, each appended as soon as it is made.

    Args:
        lesson: what is to be learnt.
        out: the file; made with its folders when missing.
        hunt: how a question is walked.
        meanwhile: instead of deposits by the walks themselves, what is done after them in each pass.
        cold: a course of the same forest and questions under another condition, whose cold trials are taken: no memory
            is in them.
        jobs: how many processes ask what leaves no trail. What leaves one is asked in this process, in order, so that
            any number of them gives the same trials.
        progress: called with (trials made, trials in all).

    Returns:
        The file as it is now.

    Raises:
        AttemptsWrong: `out` holds another course.
        WrongUsage: gold of the questions does not stand in the forest.
    """
    with open_state(open_snapshot(lesson.forest)) as state:
        posed = {role: _posed(state, lesson.asking.of(role)) for role in ROLES}
    found = begin(out, lesson.heading, posed).trials
    made = {trial.key for trial in found}
    if meanwhile is None:
        _forget_others(lesson.forest, {trial.deposited for trial in found})
    taken = [trial for trial in _cold(cold, lesson, posed) if trial.key not in made]
    made |= {trial.key for trial in taken}
    total, count = (lesson.passes + 1) * sum(map(len, posed.values())), len(made)
    with out.open("a", encoding="utf-8") as file:
        file.writelines(trial_line(trial) + "\n" for trial in taken)
        for trial in _trials(lesson, posed, made, hunt, meanwhile, jobs):
            file.write(trial_line(trial) + "\n")
            file.flush()
            count += 1
            if progress is not None:
                progress(count, total)
    return read_course(out)


def _forget_others(forest: Path, known: Collection[str]) -> None:
    """Forget trails of which no trial tells: a walk was stopped between leaving its trail and being written down."""
    snapshot = open_snapshot(forest)
    if others := [trail_id for trail_id, _ in changes_since(snapshot, "").added if trail_id not in known]:
        forget(snapshot, others)


def _cold(course: Course | None, lesson: Lesson, posed: dict[Role, tuple[Posed, ...]]) -> Iterator[Trial]:
    """Yield the cold trials of a course if they are those of a lesson too."""
    if course and course.posed == posed and course.heading.differences(lesson.heading) == ("condition",):
        yield from (trial for trial in course.trials if not trial.number)


def _posed(state: State, questions: Iterable[Question]) -> tuple[Posed, ...]:
    posed = tuple(Posed(question, gold_passages(state, question)) for question in questions)
    if lost := [p.question.id for p in posed if not all(p.gold)]:
        told = ", ".join(lost[:_NAMED]) + (" …" if len(lost) > _NAMED else "")
        raise WrongUsage(
            f"The evidence of {len(lost)} questions does not stand in the committed forest: {told}.",
            "Commit the forest that the questions were written for.",
        )
    return posed


def _trials(
    lesson: Lesson,
    posed: dict[Role, tuple[Posed, ...]],
    made: set[tuple[int, str, str]],
    hunt: Hunt,
    meanwhile: Meanwhile | None,
    jobs: int,
) -> Iterator[Trial]:
    condition = lesson.heading.condition
    felt = condition.memory(deposit=False)

    def left(number: int, roles: Iterable[Role], memory: Memory | None) -> list[Task]:
        tasks = [task_of(lesson, number, role, one, memory) for role in roles for one in posed[role]]
        return [task for task in tasks if task.key not in made]

    yield from ask(lesson.forest, hunt, left(0, ROLES, None), jobs)
    for number in range(1, lesson.passes + 1):
        measured = left(number, ("paraphrase", "sister"), felt)
        if meanwhile is None:
            yield from ask(lesson.forest, hunt, left(number, ("walked",), condition.memory(deposit=True)), 1)
        else:
            yield from ask(lesson.forest, hunt, left(number, ("walked",), felt), jobs)
            if len(measured) == sum(len(posed[role]) for role in ("paraphrase", "sister")):
                meanwhile(lesson.forest, number)
        yield from ask(lesson.forest, hunt, measured, jobs)


def task_of(lesson: Lesson, number: int, role: Role, posed: Posed, memory: Memory | None) -> Task:
    """Return what is to be asked in a pass."""
    q = posed.question
    asked = Asked(q.question, q.today or lesson.heading.today, q.as_of, q.in_force_on)
    return Task(number, role, q.id, asked, posed.gold, memory)


def ask(forest: Path, hunt: Hunt, tasks: list[Task], jobs: int) -> Iterator[Trial]:
    """Yield trials in the order of the tasks, made by so many processes."""
    if jobs == 1 or len(tasks) < 2:
        with Asker(forest, hunt) as asker:
            yield from map(asker.trial, tasks)
        return
    yield from ordered_map(work, ((forest, hunt, task) for task in tasks), jobs)
