"""The arm `bm25`: plain retrieval by bm25s over the forest's passages, and the best sentence of the best passage.

It is what a retrieval system without curation does: it sees titles, headings and bodies, no summaries, scents or doors,
and of dates only `as_of`, which every arm's forest is opened for. It abstains only when no passage has any word of the
question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from bench.arms.arm import FOUND, Answerer, Arm, every_passage
from bench.attempt import Asked, Reply, Statement
from forest.analyzer import question_stems, stems
from forest.reading import Reading
from forest.state import State
from forest.text import sentences

_K1, _B, _METHOD = 1.5, 0.75, "lucene"


def _open(state: State) -> Answerer:
    import bm25s

    passages = every_passage(state)
    texts = [stems(" ".join((p.node.title, *p.passage.heading, p.text))) for p in passages]
    counts = Counter(token for tokens in texts for token in set(tokens))
    rarity = {token: math.log(1 + len(texts) / count) for token, count in counts.items()}
    index = bm25s.BM25(method=_METHOD, k1=_K1, b=_B)
    if rarity:
        index.index([list(tokens) for tokens in texts], show_progress=False)

    def answer(asked: Asked) -> Reply:
        words = [token for token in question_stems(asked.text) if token in rarity]
        scores = index.get_scores(words).tolist() if words else [0.0] * len(passages)
        order = sorted((at for at in range(len(passages)) if scores[at] > 0), key=lambda at: (-scores[at], at))
        best = [passages[at] for at in order[:FOUND]]
        if not best:
            return Reply((), "abstained", steps=1)
        said = best_sentence(best[0], dict.fromkeys(words), rarity)
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
