"""Whether a text holds some words: whole words, folded, numbers never cut.

Owns the normal form in which questions are compared with texts. Values are compared by `bench.sought`; which texts are
compared, and what follows, is for `bench.question` and `bench.strictness`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from forest.text import fold

# A number is one word with its separators, so that 1,315.04 does not hold 315.04.
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@lru_cache(maxsize=65536)
def words_of(text: str) -> str:
    """Return the folded words and numbers of `text`, one space before, between and after.

    Marks do not count, thousands are joined: two texts whose words are equal say the same to a search by eye.

    Examples:
        >>> words_of("El salario: $1,315.04 (NOM-035)")
        ' el salario 1315.04 nom 035 '
    """
    return f" {' '.join(_WORD.findall(_THOUSANDS.sub('', fold(text))))} "


def holds_words(words: str, phrase: str) -> bool:
    """Tell whether `phrase` stands as whole words in a text.

    Args:
        words: the text, from `words_of`.
        phrase: as written; one without any word stands nowhere.
    """
    sought = words_of(phrase)
    return bool(sought.strip()) and sought in words
