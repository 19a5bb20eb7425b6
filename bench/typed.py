"""How questions are typed: whether search still finds the right node without accents, in capitals, with a slip.

Questions are JSON lines of either form: those of `bench.hunts` (`question`, `gold` as ids) and those of
`bench.question`, of which the split `dev` is asked and any gold node counts. Those without gold are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import unicodedata
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from bench.hunts import rank_of
from forest.analyzer import asked_words
from forest.history import open_snapshot
from forest.state import State, open_state

FIRST = (1, 3, 10)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST = 4


def without_accents(text: str) -> str:
    """Return a text as typed on a keyboard without accents; its capitals stay."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def with_a_slip(text: str) -> str:
    """Return a text with one letter of its longest content word dropped, doubled, replaced or swapped with the next.

    Which slip is drawn from the text itself, so that the same question always gets the same one. A text without a word
    of four letters stays as it is.
    """
    chance = random.Random(text)  # noqa: S311 - repeatable on purpose
    longest = max((word for word, _ in asked_words(text) if word.isalpha()), key=len, default="")
    at = text.casefold().find(longest)
    if len(longest) < _SHORTEST or at < 0:
        return text
    word = text[at : at + len(longest)]
    place = chance.randrange(1, len(word) - 1)
    head, letter, tail = word[:place], word[place], word[place + 1 :]
    slip = chance.choice((head + tail, f"{head}{letter}{letter}{tail}", "", f"{head}{tail[0]}{letter}{tail[1:]}"))
    return text[:at] + (slip or head + chance.choice(_LETTERS) + tail) + text[at + len(word) :]


TYPED: dict[str, Callable[[str], str]] = {
    "as typed": str,
    "without accents": without_accents,
    "in capitals": str.upper,
    "one slip": with_a_slip,
}


def questions_of(path: Path) -> Iterator[tuple[str, frozenset[str], date | None]]:
    """Yield (question, ids of gold nodes, its own day) of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line) if line.strip() else {}
        gold = frozenset(str(g["node"] if isinstance(g, dict) else g) for g in asked.get("gold", ()))
        if gold and asked.get("split", "dev") == "dev":
            yield asked["question"], gold, date.fromisoformat(asked["today"]) if "today" in asked else None


def ranks(state: State, path: Path, typed: Callable[[str], str], today: date) -> list[int]:
    """Return the place of the first gold work for each question of a file, 0 when it is not among the first 20."""
    return [rank_of(state, typed(text), gold, day or today) for text, gold, day in questions_of(path)]


def main() -> None:
    """Run from the command line: python -m bench.typed FOREST QUESTIONS..."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forest", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--today", type=date.fromisoformat, default=date(2026, 11, 30))
    parser.add_argument("--missed", action="store_true", help="print each question whose gold is not among the first 3")
    options = parser.parse_args()
    with open_state(open_snapshot(options.forest)) as state:
        for path in options.questions:
            for name, typed in TYPED.items():
                found = ranks(state, path, typed, options.today)
                told = ", ".join(f"{sum(0 < rank <= k for rank in found)} among the first {k}" for k in FIRST)
                print(f"{path.stem}, {name}: of {len(found)}, {told}", flush=True)
                if options.missed:
                    for (text, gold, _), rank in zip(questions_of(path), found, strict=True):
                        if not 0 < rank <= FIRST[1]:
                            print(f"    rank {rank:2}  {typed(text)}  -> {', '.join(sorted(gold))}")


if __name__ == "__main__":
    main()
