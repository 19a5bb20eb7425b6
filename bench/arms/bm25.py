"""The arm `bm25`: plain retrieval by bm25s over the forest's passages, and the best sentence of the best passage.

It is what a retrieval system without curation does: it sees titles, headings and bodies, no summaries, scents or doors,
and of dates only `as_of`, which every arm's forest is opened for. It abstains only when no passage has any word of the
question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from bench.arms.arm import FOUND, Answerer, Arm, every_passage
from bench.attempt import Asked, Reply, Statement
from forest.analyzer import question_stems, stems
from forest.reading import Reading
from forest.state import State
from forest.text import sentences

_K1, _B, _METHOD = 1.5, 0.75, "lucene"


class PlainIndex:
    """bm25s over texts that are given as their search tokens.

    Attributes:
        rarity: of each token, `log(1 + N / df)`.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        import bm25s

        counts = Counter(token for tokens in texts for token in set(tokens))
        self.rarity = {token: math.log(1 + len(texts) / count) for token, count in counts.items()}
        self._index = bm25s.BM25(method=_METHOD, k1=_K1, b=_B)
        if self.rarity:
            self._index.index([list(tokens) for tokens in texts], show_progress=False)

    def known(self, question: str) -> list[str]:
        """Return the search tokens of a question that some text has."""
        return [token for token in question_stems(question) if token in self.rarity]

    def order(self, question: str) -> list[int]:
        """Return the places of the texts that have a token of the question, best first, ties to the earlier."""
        import numpy as np

        words = self.known(question)
        if not words:
            return []
        scores = self._index.get_scores(words)
        order = np.argsort(-scores, kind="stable")[: int(np.count_nonzero(scores > 0))]
        return [int(at) for at in order]


def plain_tokens(reading: Reading) -> tuple[str, ...]:
    """Return what a system without curation sees of a passage, as search tokens: title, headings and text."""
    return stems(" ".join((reading.node.title, *reading.passage.heading, reading.text)))


def _open(state: State) -> Answerer:
    passages = every_passage(state)
    index = PlainIndex([plain_tokens(p) for p in passages])

    def answer(asked: Asked) -> Reply:
        best = [passages[at] for at in index.order(asked.text)[:FOUND]]
        if not best:
            return Reply((), "abstained", steps=1)
        said = best_sentence(best[0], dict.fromkeys(index.known(asked.text)), index.rarity)
        return Reply(
            (Statement(said, "", (best[0].cite(said),)),),
            "answered",
            found=tuple(p.passage.id for p in best),
            read=(best[0].passage.id,),
            steps=1,
            tokens=best[0].passage.tokens,
        )

    return answer


def best_sentence(reading: Reading, words: Mapping[str, None], rarity: Mapping[str, float]) -> str:
    """Return the sentence or line of a passage that holds most of some search tokens, weighted by rarity.

    The first of equals; a heading only when the passage has nothing else.
    """
    pieces = [reading.text[start:end] for start, end in sentences(reading.text)]
    told = [piece for piece in pieces if not piece.startswith("#")] or pieces

    def weight(piece: str) -> float:
        held = set(stems(piece))
        return sum(rarity[word] for word in words if word in held)

    return max(told, key=weight)


ARM = Arm(
    "bm25",
    "bm25s over the same passages; the best sentence of the best one",
    {"method": _METHOD, "k1": _K1, "b": _B, "found": FOUND},
    _open,
)
