"""Running: every arm on every question, each attempt written as it is made, and a run that was killed goes on.

Owns the order of attempts, the file they are appended to and the processes that make them. What an arm does is
`bench.arms`; what the attempts are worth is `bench.metrics`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from bench.arms.arm import Arm, ModelArm
from bench.arms.table import arms_named
from bench.attempt import Asked, Attempt, AttemptsWrong, Header, Posed, Run
from bench.attempt_file import attempt_line, header_line, posed_line, read_run
from bench.choosing import Choice, choose
from bench.controls import make_control
from bench.desk import Desk, Task, work
from bench.model import described
from bench.question import Question, gold_passages, load_questions
from forest.errors import WrongUsage
from forest.history import Snapshot, open_snapshot
from forest.processes import ordered_map
from forest.side_ref import SideRef
from forest.state import open_state
from forest.trails import tips_of
from forest.versions import VERSIONS
from navigator.endpoint import Endpoint

Progress = Callable[[int, int], None]
_ROOT = Path(__file__).parents[1]
_ANSWERING = ("forest", "navigator", "bench/arms")
_NAMED = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run: the forest's folder, the questions in order, the header that names all of it, the model."""

    folder: Path
    questions: tuple[Question, ...]
    header: Header
    endpoint: Endpoint | None = None


def plan_run(
    folder: Path,
    question_files: Iterable[Path],
    arms: Iterable[str],
    *,
    today: date,
    choice: Choice | None = None,
    seed: int = 1,
    repetitions: int = 1,
    repeat_every: int = 1,
    endpoint: Endpoint | None = None,
    called: str = "",
) -> Plan:
    """Read what a run needs and name it.

    Args:
        folder: of the forest, committed.
        question_files: of the schema of `bench.question`.
        arms: names, in the order in which they are asked.
        today: the day of questions that have none of their own.
        choice: of the questions; all when it is None.
        seed: of what controls shuffle, and of the order of what a model is shown in repetitions.
        repetitions: how often each arm is asked a question.
        repeat_every: repetitions after the first are of each so many-th question only.
        endpoint: of the model, when an arm needs one; the model is reached, so that the header can name it.
        called: how reports call the model, "" for its own name.

    Raises:
        WrongUsage: an arm that there is not or that needs a model, or no question at all.
        QuestionsWrong: questions that do not follow the schema.
        ModelGone: the model does not answer.
    """
    files = sorted(question_files)
    chosen = choice or Choice()
    questions = choose(load_questions(files), chosen)
    if not questions:
        raise WrongUsage("There is no question to ask.", "Name files of questions with --questions, or choose others.")
    named = arms_named(arms)
    if endpoint is None and (lost := [arm.name for arm in named if isinstance(arm, ModelArm)]):
        raise WrongUsage(f"Without a model {', '.join(lost)} cannot answer.", "Give one with --endpoint.")
    snapshot = open_snapshot(folder)
    header = Header(
        tree=snapshot.tree,
        base_tree=snapshot.tree,
        commit=snapshot.commit,
        versions=dict(VERSIONS),
        code=fingerprint(),
        arms={arm.name: _parameters(arm, snapshot) for arm in named},
        questions={path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
        control="",
        split=chosen.split,
        today=today,
        seed=seed,
        repetitions=repetitions,
        repeat_every=repeat_every,
        choice=str(chosen),
        model={} if endpoint is None else described(endpoint, called),
    )
    return Plan(folder, questions, header, endpoint)


def _parameters(arm: Arm | ModelArm, snapshot: Snapshot) -> dict[str, str | int | float]:
    """Return what would change an arm's answers: of a warm one also what walks have left."""
    if not (isinstance(arm, Arm) and arm.is_warm):
        return dict(arm.parameters)
    left = f"{tips_of(snapshot)} {SideRef(snapshot, 'shortcuts').tip()}"
    return {**arm.parameters, "left": hashlib.sha256(left.encode()).hexdigest()[:16]}


def plan_control(plan: Plan, name: str, folder: Path) -> Plan:
    """Make a control of a plan's forest in a new folder, and return the plan of asking it the same."""
    make_control(name, open_snapshot(plan.folder), folder, plan.questions, plan.header.seed)
    snapshot = open_snapshot(folder)
    header = replace(plan.header, control=name, tree=snapshot.tree, commit=snapshot.commit)
    return replace(plan, folder=folder, header=header)


def fingerprint() -> str:
    """Return a hash of the code that answers: a run must not go on with another one."""
    digest = hashlib.sha256()
    for package in _ANSWERING:
        for path in sorted((_ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def run(plan: Plan, out: Path, *, jobs: int = 2, progress: Progress | None = None) -> Run:
    """Make all attempts of a plan that `out` does not hold yet, each appended as soon as it is made.

    Args:
        plan: what is to be run.
        out: the file; made with its folders when missing. A torn last line is dropped.
        jobs: how many processes ask; 1 asks in this one. Lines come in the same order for any number.
        progress: called with (attempts made, attempts in all).

    Returns:
        The file as it is now.

    Raises:
        AttemptsWrong: `out` holds another run.
        ModelGone: the model stopped answering; what it answered is kept.
        WrongUsage: gold of the questions does not stand in the forest, and no control took it out.
    """
    with open_state(open_snapshot(plan.folder)) as state:
        posed = tuple(Posed(question, gold_passages(state, question)) for question in plan.questions)
    _check_gold(plan, posed)
    done = _begin(plan, posed, out)
    tasks = _tasks(plan)
    left = [task for task in tasks if task.key not in done]
    made = len(tasks) - len(left)
    with out.open("a", encoding="utf-8") as file:
        for attempt in _attempts(plan, left, jobs):
            file.write(attempt_line(attempt, plan.header) + "\n")
            file.flush()
            made += 1
            if progress is not None:
                progress(made, len(tasks))
    return read_run(out)


def _check_gold(plan: Plan, posed: tuple[Posed, ...]) -> None:
    lost = [p.question.id for p in posed if not all(p.gold)]
    if lost and not plan.header.control:
        told = ", ".join(lost[:_NAMED]) + (" …" if len(lost) > _NAMED else "")
        raise WrongUsage(
            f"The evidence of {len(lost)} questions does not stand in the committed forest: {told}.",
            "Commit the forest that the questions were written for.",
        )


def _begin(plan: Plan, posed: tuple[Posed, ...], out: Path) -> set[tuple[str, str, int]]:
    """Make the file ready for appending; return the keys of the attempts that it holds."""
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        lines = [header_line(plan.header), *(posed_line(p) for p in posed)]
        part = out.with_name(f"{out.name}.part")
        part.write_text("\n".join(lines) + "\n", encoding="utf-8")
        part.replace(out)  # so that a file of attempts always has all of its head
        return set()
    found = read_run(out)
    if others := found.header.differences(plan.header):
        raise AttemptsWrong(
            f"{out} holds a run with other {', '.join(others)}; one file holds one run.",
            "Name another file with --out, or delete this one.",
        )
    with out.open("r+b") as file:
        file.truncate(found.whole_bytes)
    return {attempt.key for attempt in found.attempts}


def _tasks(plan: Plan) -> list[Task]:
    """Return what is asked, in order: all of a repetition before the next, all of an arm before the next.

    What an arm tells a model first is the same for all questions, and a server that has it in its cache loses it when
    arms take turns.
    """
    header = plan.header
    return [
        Task(
            Asked(q.question, q.today or header.today, q.as_of, q.in_force_on, _shuffle(header.seed, q.id, repetition)),
            (q.id, arm, repetition),
        )
        for repetition in range(1, header.repetitions + 1)
        for arm in header.arms
        for place, q in enumerate(plan.questions)
        if header.is_asked(place, repetition)
    ]


def _shuffle(seed: int, question: str, repetition: int) -> int:
    """Return the seed of the order in which a repetition shows a model what it shows; the first keeps the arm's own."""
    if repetition == 1:
        return 0
    return 1 + int.from_bytes(hashlib.sha256(f"{seed} {question} {repetition}".encode()).digest()[:4], "big")


def _attempts(plan: Plan, tasks: list[Task], jobs: int) -> Iterator[Attempt]:
    """Yield attempts in the order of the tasks."""
    if jobs == 1 or len(tasks) < 2:
        with Desk(plan.folder, plan.endpoint) as desk:
            yield from map(desk.attempt, tasks)
        return
    yield from ordered_map(work, ((plan.folder, plan.endpoint, task) for task in tasks), jobs)
