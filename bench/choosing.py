"""Choosing questions: groups by what they ask for, and a choice of some of them that comes out the same every time."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.question import CATEGORIES, Question
from forest.errors import WrongUsage

GROUPS: dict[str, Callable[[Question], bool]] = {
    "single-hop": lambda q: q.is_answerable and not q.is_multi_hop,
    "multi-hop": lambda q: q.is_answerable and q.is_multi_hop,
    "strictly multi-hop": lambda q: q.is_answerable and q.strict,
    "unanswerable": lambda q: q.category == "unanswerable",
    "false premise": lambda q: q.correction is not None,
}
# As `--sample` names them.
SAMPLED: Mapping[str, str] = {
    "single": "single-hop",
    "multi": "multi-hop",
    "strict": "strictly multi-hop",
    "unanswerable": "unanswerable",
    "premise": "false premise",
}
_SAMPLE = re.compile(r"(?P<group>[a-z]{1,20})=(?P<count>[1-9]\d{0,5})")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which questions are asked; the default is all of them.

    Attributes:
        split: only of this one, "" for all.
        categories: only of these, empty for all.
        hops: only with so many, empty for all.
        strict: only the strictly multi-hop ones.
        sample: of a group of `SAMPLED` so many, and of no other group; empty for all.
        limit: so many at most, 0 for all.
    """

    split: str = ""
    categories: tuple[str, ...] = ()
    hops: tuple[int, ...] = ()
    strict: bool = False
    sample: Mapping[str, int] = field(default_factory=dict)
    limit: int = 0

    def __str__(self) -> str:
        """Return it in words, without the split; "" for all questions."""
        told = [
            f"category {','.join(sorted(set(self.categories)))}" if self.categories else "",
            f"hops {','.join(map(str, sorted(set(self.hops))))}" if self.hops else "",
            "strict" if self.strict else "",
            f"sample {','.join(f'{name}={n}' for name, n in sorted(self.sample.items()))}" if self.sample else "",
            f"limit {self.limit}" if self.limit else "",
        ]
        return "; ".join(filter(None, told))


def read_sample(text: str) -> dict[str, int]:
    """Read `strict=33,single=20`; "" is no sample.

    Raises:
        WrongUsage: it is not of that form, or names a group that there is not, or one twice.
    """
    sample: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _SAMPLE.fullmatch(part)
        if match is None or match["group"] not in SAMPLED or match["group"] in sample:
            raise WrongUsage(
                f"--sample cannot be {part[:40]!r}.",
                f"Write GROUP=N with commas, each group once: {', '.join(SAMPLED)}.",
            )
        sample[match["group"]] = int(match["count"])
    return sample


def choose(questions: Iterable[Question], choice: Choice) -> tuple[Question, ...]:
    """Return the chosen questions in the order in which they come.

    A sample takes one question of each chain before it takes a second one of any, and which ones does not depend on
    order nor on which others there are; the limit takes in the same way.

    Raises:
        WrongUsage: a category that there is not, or fewer questions in a group than a sample wants.
    """
    if unknown := sorted(set(choice.categories) - set(CATEGORIES)):
        raise WrongUsage(f"There is no category {unknown[0]!r}.", f"Categories are {', '.join(CATEGORIES)}.")
    here = [
        q
        for q in questions
        if choice.split in ("", q.split)
        and (not choice.categories or q.category in choice.categories)
        and (not choice.hops or q.hops in choice.hops)
        and (q.strict or not choice.strict)
    ]
    if choice.sample:
        taken = {question.id for name, count in choice.sample.items() for question in _sample(here, name, count)}
        here = [q for q in here if q.id in taken]
    if choice.limit:
        kept = {question.id for question in _spread(here)[: choice.limit]}
        here = [q for q in here if q.id in kept]
    return tuple(here)


def _sample(questions: Sequence[Question], name: str, count: int) -> list[Question]:
    group = [q for q in questions if GROUPS[SAMPLED[name]](q)]
    if len(group) < count:
        raise WrongUsage(f"There are {len(group)} {SAMPLED[name]} questions, not {count}.", "Ask for fewer.")
    return _spread(group)[:count]


def _spread(questions: Iterable[Question]) -> list[Question]:
    """Return questions so that the first ones are of as many chains as can be."""
    seen: Counter[str] = Counter()
    order = []
    for question in sorted(questions, key=_mark):
        order.append((seen[question.chain], _mark(question), question))
        seen[question.chain] += 1
    return [question for *_, question in sorted(order, key=lambda placed: placed[:2])]


def _mark(question: Question) -> str:
    return hashlib.sha256(question.id.encode()).hexdigest()
