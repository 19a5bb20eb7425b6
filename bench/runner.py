"""Running: every arm on every question, each attempt written as it is made, and a run that was killed goes on.

Owns the order of attempts, the file they are appended to and the processes that make them. What an arm does is
`bench.arms`; what the attempts are worth is `bench.metrics`.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from bench.arms.arm import Answerer
from bench.arms.table import ARMS, arms_named
from bench.attempt import Asked, Attempt, AttemptsWrong, Header, Posed, Reply, Run
from bench.attempt_file import attempt_line, header_line, posed_line, read_run
from bench.controls import make_control
from bench.question import Question, gold_passages, load_questions
from forest.citation import Citation
from forest.errors import CitationRefused, ForestError, WrongUsage
from forest.history import open_snapshot
from forest.processes import ordered_map
from forest.proof import verify
from forest.state import State, open_state
from forest.text import one_line
from forest.versions import VERSIONS

Progress = Callable[[int, int], None]
_ROOT = Path(__file__).parents[1]
_ANSWERING = ("forest", "navigator", "bench/arms")
_NAMED = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run: the forest's folder, the questions in order, and the header that names all of it."""

    folder: Path
    questions: tuple[Question, ...]
    header: Header


@dataclass(frozen=True, slots=True)
class Task:
    """One attempt to be made; its key is the attempt's."""

    asked: Asked
    key: tuple[str, str, int]


def plan_run(
    folder: Path,
    question_files: Iterable[Path],
    arms: Iterable[str],
    *,
    today: date,
    split: str = "",
    seed: int = 1,
    repetitions: int = 1,
) -> Plan:
    """Read what a run needs and name it.

    Args:
        folder: of the forest, committed.
        question_files: of the schema of `bench.question`.
        arms: names, in the order in which each question is put to them.
        today: the day of questions that have none of their own.
        split: only the questions of this one, "" for all.
        seed: of what controls shuffle.
        repetitions: how often each arm is asked each question.

    Raises:
        WrongUsage: an arm that there is not, or no question at all.
        QuestionsWrong: questions that do not follow the schema.
    """
    files = sorted(question_files)
    questions = tuple(q for q in load_questions(files) if split in ("", q.split))
    if not questions:
        raise WrongUsage("There is no question to ask.", "Name files of questions with --questions.")
    snapshot = open_snapshot(folder)
    header = Header(
        tree=snapshot.tree,
        base_tree=snapshot.tree,
        commit=snapshot.commit,
        versions=dict(VERSIONS),
        code=_fingerprint(),
        arms={arm.name: dict(arm.parameters) for arm in arms_named(arms)},
        questions={path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
        control="",
        split=split,
        today=today,
        seed=seed,
        repetitions=repetitions,
    )
    return Plan(folder, questions, header)


def plan_control(plan: Plan, name: str, folder: Path) -> Plan:
    """Make a control of a plan's forest in a new folder, and return the plan of asking it the same."""
    make_control(name, open_snapshot(plan.folder), folder, plan.questions, plan.header.seed)
    snapshot = open_snapshot(folder)
    header = replace(plan.header, control=name, tree=snapshot.tree, commit=snapshot.commit)
    return Plan(folder, plan.questions, header)


def _fingerprint() -> str:
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
        for attempt in _attempts(plan.folder, left, jobs):
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
    return [
        Task(Asked(q.question, q.today or plan.header.today, q.as_of, q.in_force_on), (q.id, arm, repetition))
        for q in plan.questions
        for arm in plan.header.arms
        for repetition in range(1, plan.header.repetitions + 1)
    ]


def _attempts(folder: Path, tasks: list[Task], jobs: int) -> Iterator[Attempt]:
    """Yield attempts in the order of the tasks."""
    if jobs == 1 or len(tasks) < 2:
        with Desk(folder) as desk:
            yield from map(desk.attempt, tasks)
        return
    yield from ordered_map(_work, ((folder, task) for task in tasks), jobs)


class Desk:
    """A forest opened for asking, and the arms opened on it so far. Use it in `with`, or for a process's whole life."""

    def __init__(self, folder: Path) -> None:
        self._snapshot = open_snapshot(folder)
        self._states: dict[date | None, State] = {}
        self._answerers: dict[tuple[str, date | None], Answerer] = {}
        self._proven: dict[Citation, bool] = {}

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exc: object) -> None:
        for state in self._states.values():
            state.close()

    def attempt(self, task: Task) -> Attempt:
        """Make an attempt; whatever an arm raises is the attempt's error, and the run goes on."""
        answer = self._answerer(task.key[1], task.asked.as_of)
        start = time.perf_counter()
        try:
            reply, error = answer(task.asked), ""
        except Exception as raised:
            reply, error = Reply((), "error"), one_line(f"{type(raised).__name__}: {raised}")
        seconds = time.perf_counter() - start
        return Attempt(*task.key, reply, sum(map(self._is_proven, reply.citations)), seconds, error)

    def _answerer(self, arm: str, as_of: date | None) -> Answerer:
        if as_of not in self._states:
            self._states[as_of] = open_state(self._snapshot, as_of=as_of)
        if (arm, as_of) not in self._answerers:
            try:
                self._answerers[arm, as_of] = ARMS[arm].open(self._states[as_of])
            except ImportError as error:
                raise ForestError(f"The arm {arm} cannot be opened: {error}.", "Leave it out of --arms.") from None
        return self._answerers[arm, as_of]

    def _is_proven(self, citation: Citation) -> bool:
        if citation not in self._proven:
            self._proven[citation] = False
            with suppress(CitationRefused):
                self._proven[citation] = verify(citation, self._snapshot).origin == "commit"
        return self._proven[citation]


@lru_cache(maxsize=1)
def _desk(folder: Path) -> Desk:
    return Desk(folder)


def _work(folder_and_task: tuple[Path, Task]) -> Attempt:
    """Make an attempt in a worker process, which keeps its desk."""
    folder, task = folder_and_task
    return _desk(folder).attempt(task)
