"""The control of learning: trails under the questions of other ones, so that their heat leads the wrong walks.

If questions get shorter under this control too, it is not what was learnt about them that made them shorter.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from bench.attempt import Posed
from bench.learning.asking import Hunt, scout_hunt
from bench.learning.passes import Lesson, ask, task_of
from forest.history import open_snapshot
from forest.routes import Memory
from forest.trail import Trail, question_id
from forest.trails import changes_since, deposit_all

_LEAVING = Memory(deposit=True, heat="off", shortcuts=False)


@dataclass(frozen=True, slots=True)
class Shuffler:
    """Leaves the trails of other questions in a forest, once for each pass.

    Attributes:
        scratch: a copy of the forest in which the questions are walked once, feeling nothing, for their trails.
        lesson: whose questions are walked.
        hunt: how.
        jobs: how many processes walk.
    """

    scratch: Path
    lesson: Lesson
    hunt: Hunt = scout_hunt
    jobs: int = 2

    def __call__(self, forest: Path, number: int) -> None:
        """Leave in a forest one trail for each question that leaves one, under the question of another.

        Args:
            forest: the copy in which the control is measured.
            number: of the pass; its trails are so many seconds younger than those that were walked. The same again
                leaves nothing new.
        """
        words = {question_id(q.question): q.question for q in self.lesson.asking.walked}
        trails = shuffle_questions(self._walked(words), self.lesson.heading.seed)
        later = [replace(trail, time=trail.time + timedelta(seconds=number)) for trail in trails]
        if later:
            deposit_all(open_snapshot(forest), [(trail, words[trail.question]) for trail in later])

    def _walked(self, words: dict[str, str]) -> list[Trail]:
        snapshot = open_snapshot(self.scratch)
        known = {trail.question for _, trail in changes_since(snapshot, "").added}
        done = self.scratch / ".walked"  # those that leave nothing would leave nothing again
        if not done.exists():
            left = [q for q in self.lesson.asking.walked if question_id(q.question) not in known]
            tasks = [task_of(self.lesson, 0, "walked", Posed(q, ()), _LEAVING) for q in left]
            for _ in ask(self.scratch, self.hunt, tasks, self.jobs):
                pass
            done.touch()
        return [trail for _, trail in changes_since(snapshot, "").added if trail.question in words]


def shuffle_questions(trails: Iterable[Trail], seed: int) -> list[Trail]:
    """Return the trails of some questions, each under the next question of a seeded ring through all of them.

    Args:
        trails: of each question one counts, that with the smallest id.
        seed: of the ring.

    Returns:
        Trails with the question and the signature of another; none when there are not two questions.
    """
    one = {trail.question: trail for trail in sorted(trails, key=lambda trail: trail.id, reverse=True)}
    ring = sorted(one)
    random.Random(f"{seed} ring").shuffle(ring)  # noqa: S311 - not for secrets
    if len(ring) < 2:
        return []
    return [
        replace(one[own], question=taken, signature=one[taken].signature, analyzer=one[taken].analyzer)
        for own, taken in zip(ring, ring[1:] + ring[:1], strict=True)
    ]
