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
from functools import cached_property, lru_cache
from pathlib import Path

from bench.arms.arm import Answerer, ModelArm
from bench.arms.table import ARMS, arms_named
from bench.attempt import MODEL_ERROR, Asked, Attempt, AttemptsWrong, Header, Parameters, Posed, Reply, Run
from bench.attempt_file import attempt_line, header_line, posed_line, read_run
from bench.choosing import Choice, choose
from bench.controls import make_control
from bench.model import check_alive, described
from bench.question import Question, gold_passages, load_questions
from forest.citation import Citation
from forest.errors import CitationRefused, ForestError, WrongUsage
from forest.history import open_snapshot
from forest.processes import ordered_map
from forest.proof import verify
from forest.state import State, open_state
from forest.text import one_line
from forest.versions import VERSIONS
from navigator.chat import Chat, ModelFailed
from navigator.endpoint import Endpoint
from navigator.opening import open_chat

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
        code=_fingerprint(),
        arms={arm.name: dict(arm.parameters) for arm in named},
        questions={path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
        control="",
        split=chosen.split,
        today=today,
        seed=seed,
        repetitions=repetitions,
        repeat_every=repeat_every,
        choice=str(chosen),
        model={} if endpoint is None else _described(endpoint, called),
    )
    return Plan(folder, questions, header, endpoint)


def _described(endpoint: Endpoint, called: str) -> Parameters:
    chat = open_chat(endpoint)
    check_alive(chat)  # a server that is not there tells no window, and the run would not be found again
    return described(chat, called)


def plan_control(plan: Plan, name: str, folder: Path) -> Plan:
    """Make a control of a plan's forest in a new folder, and return the plan of asking it the same."""
    make_control(name, open_snapshot(plan.folder), folder, plan.questions, plan.header.seed)
    snapshot = open_snapshot(folder)
    header = replace(plan.header, control=name, tree=snapshot.tree, commit=snapshot.commit)
    return replace(plan, folder=folder, header=header)


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
    yield from ordered_map(_work, ((plan.folder, plan.endpoint, task) for task in tasks), jobs)


class Desk:
    """A forest opened for asking, and the arms opened on it so far. Use it in `with`, or for a process's whole life."""

    def __init__(self, folder: Path, endpoint: Endpoint | None = None) -> None:
        self._snapshot = open_snapshot(folder)
        self._endpoint = endpoint
        self._states: dict[date | None, State] = {}
        self._answerers: dict[tuple[str, date | None], Answerer] = {}
        self._proven: dict[Citation, bool] = {}

    @cached_property
    def _chat(self) -> Chat:
        if self._endpoint is None:
            raise WrongUsage("There is no model to ask.", "Give one with --endpoint.")
        return open_chat(self._endpoint)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *exc: object) -> None:
        for state in self._states.values():
            state.close()

    def attempt(self, task: Task) -> Attempt:
        """Make an attempt; whatever an arm raises is the attempt's error, and the run goes on.

        Raises:
            ModelGone: the arm's model failed, and does not answer anything else either.
        """
        answer = self._answerer(task.key[1], task.asked.as_of)
        start = time.perf_counter()
        try:
            reply, error = answer(task.asked), ""
        except ModelFailed as failed:
            reply, error = Reply((), MODEL_ERROR), one_line(f"{type(failed).__name__}: {failed}")
        except Exception as raised:
            reply, error = Reply((), "error"), one_line(f"{type(raised).__name__}: {raised}")
        seconds = time.perf_counter() - start
        if reply.ending == MODEL_ERROR:
            check_alive(self._chat)
        return Attempt(*task.key, reply, sum(map(self._is_proven, reply.citations)), seconds, error)

    def _answerer(self, name: str, as_of: date | None) -> Answerer:
        if as_of not in self._states:
            self._states[as_of] = open_state(self._snapshot, as_of=as_of)
        if (name, as_of) not in self._answerers:
            state, arm = self._states[as_of], ARMS[name]
            try:
                opened = arm.open(state, self._chat) if isinstance(arm, ModelArm) else arm.open(state)
            except ImportError as error:
                raise ForestError(f"The arm {name} cannot be opened: {error}.", "Leave it out of --arms.") from None
            self._answerers[name, as_of] = opened
        return self._answerers[name, as_of]

    def _is_proven(self, citation: Citation) -> bool:
        if citation not in self._proven:
            self._proven[citation] = False
            with suppress(CitationRefused):
                self._proven[citation] = verify(citation, self._snapshot).origin == "commit"
        return self._proven[citation]


@lru_cache(maxsize=1)
def _desk(folder: Path, endpoint: Endpoint | None) -> Desk:
    return Desk(folder, endpoint)


def _work(given: tuple[Path, Endpoint | None, Task]) -> Attempt:
    """Make an attempt in a worker process, which keeps its desk."""
    folder, endpoint, task = given
    return _desk(folder, endpoint).attempt(task)
