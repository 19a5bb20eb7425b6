"""Pages: what a model is shown when it must choose, and what its options stand for.

Ways have numbers, answers that were read have letters. The order of the page is made for prefix caches and small
models: question, steps and the way so far first, which only grow; the options last. Words of nodes, of the question and
of the model are one harmless line each, so that none can look like an option.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from forest.picking import WORDS
from forest.text import count_tokens
from navigator.explorer import Way
from navigator.fencing import fenced, inner_line, line_of, quoted
from navigator.judging import Candidate
from navigator.split import Split

NEITHER = "0"
_LETTERS = "ABCDEFGH"
_WORDS_OF = {"title": 16, "scent": 16, "said": 26, "text": 40}
_CHARACTERS_OF_A_WORD = 14  # with room to spare, so that only what is no prose is cut by it
_LEAST_QUESTION = 200  # characters
_TOLD = {
    "es": {
        "question": "Pregunta",
        "steps": "Pasos",
        "datum": "Dato pedido",
        "walked": "Recorrido",
        "folded": "({} pasos antes)",
        "read": "Respuestas leídas",
        "here": "Caminos desde aquí",
        "elsewhere": "Caminos desde otros textos",
        "neither": "Ninguna de las respuestas ni de los caminos",
        "from": "desde",
        "in": "en",
        "choose": "¿Qué opción?",
    },
    "en": {
        "question": "Question",
        "steps": "Steps",
        "datum": "Asked for",
        "walked": "Way so far",
        "folded": "({} steps before)",
        "read": "Answers read",
        "here": "Ways from here",
        "elsewhere": "Ways from other texts",
        "neither": "None of the answers and none of the ways",
        "from": "from",
        "in": "in",
        "choose": "Which option?",
    },
}


@dataclass(frozen=True, slots=True)
class Page:
    """What may be chosen now.

    Attributes:
        question: as asked.
        split: the question divided.
        walked: a line for each step taken so far, the first first.
        here: ways on from where one stands, in the order shown.
        elsewhere: ways on from other texts that were read.
        found: that may answer, in the order shown.
        titles: of the nodes on the page, by id.
        language: of the words around.
        folded: how many steps before those of `walked` are told as a number only.
    """

    question: str
    split: Split
    walked: tuple[str, ...]
    here: tuple[Way, ...]
    elsewhere: tuple[Way, ...]
    found: tuple[Candidate, ...]
    titles: Mapping[str, str]
    language: str
    folded: int = 0

    @property
    def options(self) -> Mapping[str, Way | Candidate | None]:
        """What each option stands for; None for neither."""
        numbered: dict[str, Way | Candidate | None] = dict(zip(_LETTERS, self.found, strict=False))
        numbered |= {str(number): way for number, way in enumerate((*self.here, *self.elsewhere), start=1)}
        return {**numbered, NEITHER: None}

    def key_of(self, chosen: Way | Candidate) -> str:
        """Return what an option is chosen by."""
        return next(key for key, option in self.options.items() if option is chosen)

    def shuffled(self, seed: int) -> Page:
        """Return it with its options in another order; 0 leaves them as they are."""
        if not seed:
            return self
        dice = random.Random(f"{seed} {self.folded + len(self.walked)}")  # noqa: S311 - an order that can be repeated
        here, elsewhere, found = list(self.here), list(self.elsewhere), list(self.found)
        for options in (here, elsewhere, found):
            dice.shuffle(options)
        return replace(self, here=tuple(here), elsewhere=tuple(elsewhere), found=tuple(found))

    def within(self, budget: int) -> Page:
        """Return the page as it fits into a budget of tokens, as nearly as it can.

        What was walked first is folded; then the options that promise least are left out; of what nothing can be
        chosen without, the question is cut at last.
        """
        page = self
        while count_tokens(page.text) > budget and (less := page._less()) is not None:
            page = less
        return page

    def _less(self) -> Page | None:
        """Return the page with the next thing left out, None when no more can be."""
        if self.walked:
            return replace(self, walked=self.walked[1:], folded=self.folded + 1)
        if self.elsewhere:
            return replace(self, elsewhere=self.elsewhere[:-1])
        if len(self.here) > 1:
            return replace(self, here=self.here[:-1])
        if len(self.found) > 1:
            return replace(self, found=self.found[:-1])
        if self.split.steps:
            return replace(self, split=replace(self.split, steps=self.split.steps[:-1]))
        if len(self.question) > _LEAST_QUESTION:
            return replace(self, question=f"{self.question[: len(self.question) // 2]} …")
        return None

    @property
    def text(self) -> str:
        """The page as it is shown; each option is one line that begins with what it is chosen by."""
        told = _TOLD[self.language]
        steps = "; ".join(f"{number}) {step}" for number, step in enumerate(self.split.steps, start=1))
        lines = [
            fenced(told["question"], line_of(self.question)),
            f"{told['steps']}: {line_of(steps)}",
            f"{told['datum']}: {line_of(self.split.datum)}",
            f"{told['walked']}:",
            *([told["folded"].format(self.folded)] if self.folded else []),
            *(f"- {line}" for line in self.walked),
        ]
        options = self.options
        if self.found:
            lines.append(f"{told['read']}:")
            lines += [f"{key}. {self._answer(c)}" for key, c in options.items() if isinstance(c, Candidate)]
        begins = {self.here[:1]: "here", self.elsewhere[:1]: "elsewhere"}
        for key, way in options.items():
            if isinstance(way, Way):
                lines += [f"{told[begins[(way,)]]}:"] if (way,) in begins else []
                lines.append(f"{key}. {self._way(way)}")
        lines += [f"{NEITHER}. {told['neither']}.", told["choose"]]
        return "\n".join(lines)

    def _answer(self, found: Candidate) -> str:
        value = "" if found.value == WORDS or found.pick is None else f"{inner_line(found.value)}: "
        text = found.pick.text if found.pick is not None else found.value
        where = self.titles.get(found.place.node, found.place.node)
        return f"{value}{quoted(_short(text, 'text'))} {_TOLD[self.language]['in']} {_short(where, 'title')}"

    def _way(self, way: Way) -> str:
        place, door = way.place, way.door
        title = _short(self.titles.get(place.node, place.node), "title")
        if door is None:
            return title
        said = f" {quoted(_short(place.said, 'said'))}" if place.said else ""
        source = self.titles.get(place.links[-1].source, "") if way in self.elsewhere else ""
        begun = f", {_TOLD[self.language]['from']} {_short(source, 'title')}" if source else ""
        return f"{title}: {_short(door.scent, 'scent')}{said}{begun}"


def _short(text: str, what: str) -> str:
    """Return the first words of a text as one harmless line."""
    line = inner_line(text)
    words = line.split()[: _WORDS_OF[what]]
    short = " ".join(words)[: _WORDS_OF[what] * _CHARACTERS_OF_A_WORD]
    return short if short == line else f"{short} …"
