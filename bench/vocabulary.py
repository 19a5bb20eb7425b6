"""Whether the vocabulary says what texts say: its entries held against the passages of a forest.

An entry whose legal words stand in no passage widens nothing: it is for a curator to look at.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from forest.analyzer import question_stems, stems
from forest.history import open_snapshot
from forest.reading import read_passage
from forest.state import State, open_state
from forest.vocabulary import LANGUAGES, VERSION, Language, said_and_meant

_LOOKED_AT = 25  # of the passages that speak most of a phrase


def unheld(state: State, language: Language) -> tuple[str, ...]:
    """Return what the texts should say and no passage says: a word is nowhere, or the words never stand together."""
    phrases = dict.fromkeys(phrase for _, means in said_and_meant(language) for phrase in means)
    return tuple(phrase for phrase in phrases if not _is_said(state, question_stems(phrase)))


def _is_said(state: State, words: tuple[str, ...]) -> bool:
    """Tell whether one of the passages that speak most of some words, or its node's title, has all of them."""
    hits = state.index.search([(stem, 1.0) for stem in words], _LOOKED_AT)
    nodes = state.catalog.by_numbers(hit.node for hit in hits)
    texts = ((read_passage(state, nodes[hit.node], hit.ordinal).text, nodes[hit.node].title) for hit in hits)
    return not words or any(set(words) <= set(stems(" ".join(text))) for text in texts)


def main() -> None:
    """Run from the command line: python -m bench.vocabulary FOREST; exits with 1 when some are said by none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forest", type=Path)
    options = parser.parse_args()
    count = 0
    with open_state(open_snapshot(options.forest)) as state:
        for language in LANGUAGES:
            lacking = unheld(state, language)
            count += len(lacking)
            for phrase in lacking:
                print(f"{language}: «{phrase}» is said by no passage")
            entries = said_and_meant(language)
            print(f"{language}: {len(entries)} phrases, {len({means for _, means in entries})} meanings")
    print(f"vocabulary {VERSION}: {count} phrases are said by no passage")
    raise SystemExit(1 if count else 0)


if __name__ == "__main__":
    main()
