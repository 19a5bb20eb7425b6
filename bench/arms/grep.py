"""The arm `grep`: what a person with a text search does.

It takes the question's rarest words, looks for them in all files, passports included, without regard to case and
accents, opens the file that has most of them and copies the line that has most of them. It knows no stems and no doors,
and abstains when none of the words stands anywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from bench.arms.arm import FOUND, Answerer, Arm, every_passage
from bench.attempt import Asked, Reply, Statement
from forest.analyzer import asked_words
from forest.reading import Reading
from forest.state import State
from forest.text import fold

_WORDS = 4
_WORD = re.compile(r"[^\W_]+(?:[-./,][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class _File:
    """A file that has a body: its words, passport included, and its lines with the passage that each stands in."""

    words: frozenset[str]
    lines: tuple[tuple[frozenset[str], str, Reading], ...]


def _open(state: State) -> Answerer:
    by_node: dict[int, list[Reading]] = {}
    for reading in every_passage(state):
        by_node.setdefault(reading.node.num, []).append(reading)
    files = [_file(state, readings) for readings in by_node.values()]
    counts = Counter(word for file in files for word in file.words)

    def answer(asked: Asked) -> Reply:
        asked_for = dict.fromkeys(fold(word) for word, _ in asked_words(asked.text))
        rarest = frozenset(sorted((w for w in asked_for if counts[w]), key=lambda w: counts[w])[:_WORDS])
        # Stable sorts: the first file, in the order of ids, and the first line of equals.
        best = sorted((f for f in files if f.words & rarest), key=lambda f: -len(f.words & rarest))[:FOUND]
        if not best:
            return Reply((), "abstained", steps=1)
        lines = [max(file.lines, key=lambda line: len(line[0] & rarest)) for file in best]
        _, line, reading = lines[0]
        return Reply(
            (Statement(line, "", (reading.cite(line),)),),
            "answered",
            found=tuple(r.passage.id for _, _, r in lines),
            read=(reading.passage.id,),
            steps=2,
            tokens=reading.passage.tokens,
        )

    return answer


def _file(state: State, readings: list[Reading]) -> _File:
    node = readings[0].node
    told = [line for reading in readings for line in _lines(reading)]
    data = state.read_blob(node.blob) or b""
    whole = data.decode(node.encoding, "replace")
    return _File(_words(whole), tuple(told))


def _lines(reading: Reading) -> list[tuple[frozenset[str], str, Reading]]:
    return [(_words(line), line.strip(), reading) for line in reading.text.splitlines() if line.strip()]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


ARM = Arm(
    "grep",
    "the line with most of the question's rarest words, from the file with most of them",
    {"words": _WORDS, "found": FOUND},
    _open,
)
