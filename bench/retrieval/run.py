"""One run: every ranker on every question. Rankings come out, in the order of arms and questions; nothing is scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bench.retrieval.rankers import Ranker
from bench.retrieval.scores import CANDIDATES, DOCUMENTS, PASSAGES, Ranked
from bench.retrieval.wanted import Wanted

Progress = Callable[[str, int, int], None]


def rank_all(rankers: Mapping[str, Ranker], asked: Sequence[Wanted], progress: Progress) -> tuple[Ranked, ...]:
    """Ask every ranker every question.

    Args:
        rankers: by name; what the first one finds are the documents that are frozen for all.
        asked: the questions.
        progress: called with the arm, the questions done and the questions in all.

    Returns:
        The rankings, arm by arm, in the order of the questions.
    """
    # Questions of one day come together, so that a ranker with an index for each day makes each once.
    order = sorted(asked, key=lambda q: (q.as_of is not None, q.as_of))
    frozen: dict[str, tuple[str, ...]] = {}
    made: dict[tuple[str, str], Ranked] = {}
    for arm, ranker in rankers.items():
        for done, question in enumerate(order, start=1):
            documents = ranker.documents(question, DOCUMENTS)
            first = documents[:CANDIDATES]
            made[arm, question.id] = Ranked(
                arm, question.id, documents, _evidence(ranker, question, first, frozen.setdefault(question.id, first))
            )
            progress(arm, done, len(order))
    return tuple(made[arm, question.id] for arm in rankers for question in asked)


def _evidence(
    ranker: Ranker, question: Wanted, own: tuple[str, ...], frozen: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    given = {"own": own, "frozen": frozen, "gold": tuple(frozenset[str]().union(*question.documents))}
    # The order of documents does not matter to evidence, and the same ones are not searched twice.
    sets = {name: tuple(sorted(documents)) for name, documents in given.items()}
    found = {documents: ranker.evidence(question, documents, PASSAGES) for documents in set(sets.values()) if documents}
    return {name: found.get(documents, ()) for name, documents in sets.items()}
