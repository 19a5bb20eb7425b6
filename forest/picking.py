"""Picking: which sentence or table row of a passage holds the kind of answer wanted, and the value in it.

Works on what a read showed, by numbers, so that code copies the words. Whether the text is the right one is for the
walk to say; this only says how much of the question's words a unit holds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum

from forest.analyzer import stems
from forest.asked import TIME, Asked
from forest.question import Query, held_words
from forest.quoting import pick_units
from forest.text import fold
from forest.units import Unit
from forest.values import FoundValue, Kind, Value, find_values, parse_value, same_value

WORDS = "*"  # the value of what answers by its words alone
_WORD = re.compile(r"[^\W_]+(?:[-./,][^\W_]+)*")
_CAPITAL = r"[A-ZÁÉÍÓÚÑ][\wáéíóúüñ]+"
_NAME = re.compile(rf"(?<![\w.]){_CAPITAL}(?:(?:,? (?:de|del|la|las|los|el|y|e|para|en))* {_CAPITAL}|, {_CAPITAL})*")
_ITEM = re.compile(r"(?:[-*]|(?:[IVXLC]{1,7}|[a-zñ]{1,2}|\d{1,3})[.)])[ -]", re.IGNORECASE)
_RULE = re.compile(r"[|\s:-]+")
_AWAY = re.compile(
    r"\b(?:y no|donde (?:se )?(?:dice|lee|decia|leia|dijo)|decia|se leia|en lugar de|en vez de|en sustitucion de|"
    r"antes (?:era|eran|de)|hasta entonces|pas[aeo]\w{0,3} de)"
    r"(?: (?:el|la|los|las|de|del|que|importe|monto|cantidad|cifra|valor|dia|fecha|siguiente|son|es|eran?|lo)){0,5}\W*$"
)
_REFORM_NOTE = re.compile(r"[^\n]{0,80}\bDOF \d{2}-\d{2}-\d{4}[^\n]{0,120}$")
_ENUMERATOR = re.compile(r"[\W_]{0,4}(?:\d{1,3}|[IVXLC]{1,7}|[a-zñ]{1,2})[o°º]?[.)-]")
_SAYS = re.compile(r"\b(?:dice|lee)\b\W*(?:\w+\W+){0,4}$")
_SHOULD_SAY = re.compile(r"\b(?:debe|debera|debia|debio|ha de) (?:decir|leerse|ser)\b")
_PAYS = re.compile(r"peso|\$|mont|import|cuot|tarif|salari|pag[oa]|cost|preci|mult|valor|uma\b|cantidad")
_LIST = 2  # items that make a list
_PLACE_NOUNS = frozenset(("", "ciudad", "municipio", "estado", "domicilio", "lugar", "sede", "poblacion", "puerto"))
_AT = re.compile(
    r"\b(?:en|ciudad de|municipio de|puerto de)(?: (?:la|el))?(?: (?:ciudad|municipio|puerto) de)? $", re.IGNORECASE
)
_EACH = re.compile(r"\bcada $", re.IGNORECASE)
_ALONE = re.compile(r" (?:en|para|si|cuando|por|tratándose|de (?:noche|día)|los|las)\b")
_DATES = frozenset(("date",))
_QUANTITY: frozenset[Kind] = frozenset(("quantity",))
_WITHIN = re.compile(r"\b(?:dentro de|a mas tardar|antes de|en (?:los|un plazo|un termino)|en el plazo)(?: \w+){0,3} $")
_AND = re.compile(r"(?:\b[yo]|[,;])(?: (?:de|en|a))? $")
_CLOCK_HOURS = re.compile(r"\b(?:de|desde|entre)(?: las?)? [\w:.]+ (?:horas )?(?:a|hasta|y)(?: las?)? $")
# Between two values: words of the first one that begin with a preposition, and what leads to the second.
_OWN_WORDS = re.compile(
    r"(?: (?!y\b|o\b)[^\W\d_]+){0,2},? (?:en|para|por|a|si|cuando|tratándose|de (?:la|los|las|el)|del)\b"
    r"[^.;\d]{3,120}?(?:[,;]| y| o)(?: (?:de|en|a|por|con))? ?\$? ?$"
)
_FAR = 12  # words beyond which nearness no longer counts


@dataclass(frozen=True, slots=True)
class Pick:
    """Some units of one passage that may answer.

    Attributes:
        passage: as `node#n`.
        units: their numbers, the one with the value last when it completes an introduction.
        value: the short value, or `WORDS`.
        held: the question's search tokens that they, their headings and their table's head hold.
        text: their words.
        is_list: whether they are a list, with what introduces it.
        is_one_of_several: whether another value stands there that nothing in the question tells from this one.
    """

    passage: str
    units: tuple[int, ...]
    value: str
    held: frozenset[str]
    text: str
    is_list: bool = False
    is_one_of_several: bool = False


def picks(units: Sequence[Unit], node: str, asked: Asked, query: Query, said: Sequence[Value]) -> Iterator[Pick]:
    """Yield what of a passage may answer, in the order of the text.

    Args:
        units: all that was read of one passage.
        node: id of its node.
        asked: what is wanted.
        query: the question's words, names apart.
        said: values that stand in the question itself: they are not its answer.
    """
    if not units:
        return
    passage = f"{node}#{units[0].passage}"
    if asked.kind in ("words", "node", "open"):
        texts = [unit.text for unit in units]
        items = _items(units, query) if asked.many else []
        numbers = items or [i for i in pick_units(texts, query, named=False) if not texts[i].startswith("#")]
        if numbers:
            words = "\n".join(texts[i] for i in numbers)
            held = held_words(query, f"{words} {' '.join(units[0].heading)}")
            yield Pick(passage, tuple(units[i].number for i in numbers), WORDS, held, words, bool(items))
        if asked.kind != "open" or asked.many:
            return
    head = ""
    for at, unit in enumerate(units):
        if not unit.text.startswith("|"):
            head = ""
        elif not head:
            head = unit.text
            continue
        if unit.text.startswith("#") or _RULE.fullmatch(unit.text) or _REFORM_NOTE.match(unit.text):
            continue
        lead = _lead(units, at)
        around = " ".join((*unit.heading, head, lead.text if lead else ""))
        held = held_words(query, f"{unit.text} {around}")
        for value, several in _values(unit.text, head, asked, query, said):
            completed = ((lead.number,) if lead else ()) + (unit.number,)
            # "°C" says "grados" as well as the word does.
            in_unit = held_words(query, asked.noun) if _is_in_unit(value, unit.text, asked) else frozenset[str]()
            yield Pick(passage, completed, value, held | in_unit, unit.text, is_one_of_several=several)


def _is_in_unit(value: str, row: str, asked: Asked) -> bool:
    found = parse_value(value)
    return bool(asked.units) and (
        (found is not None and found.unit in asked.units) or bool(_units_of_row(row) & asked.units)
    )


def _items(units: Sequence[Unit], query: Query) -> list[int]:
    """Return the places of a list and of what introduces it, when the question asks for such a list; else nothing."""
    items = [i for i, unit in enumerate(units) if _ITEM.match(unit.text)]
    if len(items) < _LIST:
        return []
    lead = [i for i in range(items[0]) if not units[i].text.startswith("#")][-1:]
    about = " ".join((*units[0].heading, *(units[i].text for i in lead)))
    return [*lead, *items] if held_words(query, about) else []


def _lead(units: Sequence[Unit], at: int) -> Unit | None:
    """Return the sentence that a list item completes; an item alone may say the opposite of its list."""
    if not _ITEM.match(units[at].text):
        return None
    before = (units[i] for i in range(at - 1, -1, -1))
    return next((unit for unit in before if unit.text.endswith(":") and not _ITEM.match(unit.text)), None)


def _values(text: str, head: str, asked: Asked, query: Query, said: Sequence[Value]) -> Iterator[tuple[str, bool]]:
    """Yield the value wanted in a unit: the one nearest to the question's words; several when several are wanted.

    Beside it stands whether another one is as near.
    """
    if asked.kind == "name":
        names = [(m.start(), m.end()) for m in _NAME.finditer(text) if m.start() > 0]
        names = [(a, b) for a, b in names if not held_words(query, text[a:b])]
        if asked.noun in _PLACE_NOUNS:
            names = [(a, b) for a, b in names if _AT.search(text[:a])]
        spans, tied = _nearest(text, head, names, query)
    else:
        found = [
            f
            for f in find_values(text, asked.values)
            if _wanted(f, asked, said, head=fold(head), before=fold(text[max(0, f.start - 30) : f.start]))
            and not left_behind(text, f.start)
            and not _counts_something_else(f, text, query)
        ]
        if asked.units:
            found = sorted([*found, *elliptic(text, asked.units)], key=lambda f: f.start)
        if not found and asked.values == _DATES:  # "dentro de los sesenta días siguientes" is when, too
            found = [f for f in find_values(text, _QUANTITY) if _is_term(f, text, said)]
        mark = _ENUMERATOR.match(text)
        found = [f for f in found if mark is None or f.start >= mark.end()]
        found = [f for f in found if f.value.unit in asked.units] or found
        if head and asked.units and (units := _units_of_row(text)) and not units & asked.units:
            found = []  # "| Ruido | dB(A) | 85 |": the row is of something else
        spans, tied = _nearest(text, head, [(f.start, f.end) for f in found], query)
    chosen = spans if asked.many else spans[:1]
    for start, end in chosen:
        every = _EACH.search(text[:start])
        yield text[every.start() if every else start : end], len(chosen) > 1 if asked.many else tied


def _wanted(found: FoundValue, asked: Asked, said: Sequence[Value], *, head: str, before: str) -> bool:
    value = found.value
    if asked.units and value.unit and value.unit not in asked.units:
        return False
    if value.unit == "hour" and "hour" not in asked.units and _CLOCK_HOURS.search(before):
        return False  # "de veintidós a seis horas" is when, not how long
    if "MXN" in asked.units and value.kind == "number" and not _PAYS.search(head):
        return False  # an amount has its currency beside it, or in the head of its column
    if asked.kind == "open" and value.kind == "number" and not head:
        return False  # a bare number in prose is mostly that of an article
    if "date" in asked.values and value.day is not None and value.day[1] is None:
        return False  # a year alone says of what a text is, rarely when
    return not any(same_value(value, other) for other in said)


def _is_term(found: FoundValue, text: str, said: Sequence[Value]) -> bool:
    within = _WITHIN.search(fold(text[max(0, found.start - 40) : found.start]))
    return bool(within) and found.value.unit in TIME and not any(same_value(found.value, other) for other in said)


def elliptic(text: str, units: Collection[str]) -> Iterator[FoundValue]:
    """Yield numbers that go without the unit said before: "ocho días hábiles, y de tres en servicio urgente"."""
    before: Value | None = None
    for found in find_values(text, ("quantity", "money", "number")):
        if found.value.unit in units:
            before = found.value
        elif (
            before is not None
            and found.value.kind == "number"
            and _ALONE.match(text, found.end)
            and _AND.search(text[: found.start])
        ):
            yield replace(found, value=replace(found.value, kind=before.kind, unit=before.unit))


def _units_of_row(row: str) -> frozenset[str]:
    """Return the units that cells of a table row name without an amount."""
    cells = (cell.strip() for cell in row.split("|"))
    found = (
        find_values(f"2 {cell}", ("quantity", "money")) for cell in cells if cell and not any(map(str.isdigit, cell))
    )
    return frozenset(values[0].value.unit for values in found if values and values[0].value.unit)


def _counts_something_else(found: FoundValue, text: str, query: Query) -> bool:
    """Tell whether a bare number counts things that the question does not ask about ("dos colores")."""
    if found.value.kind != "number":
        return False
    following = _WORD.match(text, found.end + 1)
    return following is not None and following.group().isalpha() and not held_words(query, following.group())


def left_behind(text: str, start: int) -> bool:
    """Tell whether what stands at an offset is what a change did away with: "donde dice X, debe decir Y"."""
    before = fold(text[max(0, start - 80) : start])
    return bool(_AWAY.search(before)) or (bool(_SAYS.search(before)) and bool(_SHOULD_SAY.search(fold(text[start:]))))


def _nearest(text: str, head: str, spans: list[tuple[int, int]], query: Query) -> tuple[list[tuple[int, int]], bool]:
    """Return spans, those nearest to words of the question first; in a table, those under a head that speaks of it.

    Beside them stands whether the words of the question that speak of the first one speak of another as well.
    """
    marks = [
        (match.start(), weight)
        for match in _WORD.finditer(text)
        if (weight := _weight(query, match.group())) and not any(a <= match.start() < b for a, b in spans)
    ]
    words_before = [match.start() for match in _WORD.finditer(text)]
    reaches = reach(text, spans)

    def nearness(span: tuple[int, int]) -> float:
        if head:
            column = text.count("|", 0, span[0])
            cells = head.split("|")
            return _share(query, cells[column] if column < len(cells) else "")
        total = 0.0
        first, last = reaches[span]
        for start, weight in marks:
            if not first <= start < last:
                continue
            low, high = sorted((start, span[0]))
            distance = sum(low <= word < high for word in words_before)
            total += weight * max(0.0, 1 - distance / _FAR)
        return total

    order = sorted(spans, key=lambda span: (-nearness(span), span[0]))
    others = {text[start:end] for start, end in order[1:]} - {text[start:end] for start, end in order[:1]}
    if head:
        tied = len(order) > 1 and nearness(order[0]) == nearness(order[1])
    else:  # where words of their own follow the values, the first one needs one of its own that was asked for
        apart = [span for span in spans if reaches[span] != (0, len(text))]
        tied = bool(apart) and not _own(text, order[0], spans, reaches, query)
    return order, tied and bool(others)


def reach(text: str, spans: Sequence[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for each span where the words stand that may speak of it: in "X en A y Y en B" A is of X and not of Y.

    What stands before the first of them is of all of them.
    """
    ordered = sorted(spans)
    if len(ordered) < 2:
        return dict.fromkeys(spans, (0, len(text)))
    follow = all(_OWN_WORDS.match(text[a[1] : b[0]]) for a, b in pairwise(ordered))
    if not follow:
        return dict.fromkeys(spans, (0, len(text)))
    ends = [*(after[0] for after in ordered[1:]), len(text)]
    return {span: (span[0], end) for span, end in zip(ordered, ends, strict=True)}


def _own(
    text: str,
    span: tuple[int, int],
    spans: list[tuple[int, int]],
    reaches: dict[tuple[int, int], tuple[int, int]],
    query: Query,
) -> frozenset[str]:
    """Return the question's words that follow a value, and neither lead to all of them nor follow every other."""
    lead = held_words(query, text[: min(start for start, _ in spans)])
    after = [held_words(query, text[end : reaches[start, end][1]]) for start, end in spans]
    return held_words(query, text[span[1] : reaches[span][1]]) - lead - frozenset.intersection(*after)


def _weight(query: Query, word: str) -> float:
    return fsum(query.weights[stem] for stem in held_words(query, word))


def _share(query: Query, text: str) -> float:
    return fsum(query.weights[stem] for stem in held_words(query, text))


def same_thing(units: Sequence[Unit], node: str, value: Value, query: Query) -> Pick | None:
    """Return what a passage says of the thing that a question gives a value of: the truth beside a false premise.

    Args:
        units: all that was read of one passage.
        node: id of its node.
        value: as the question gives it.
        query: the question's words.
    """
    asked = Asked("value", frozenset((value.kind,)), frozenset((value.unit,)) if value.unit else frozenset())
    found = [pick for pick in picks(units, node, asked, query, (value,)) if pick.held]
    return max(found, key=lambda pick: fsum(query.weights[word] for word in pick.held), default=None)


def names_in(text: str, title: str) -> bool:
    """Tell whether a text speaks of a node by its title, or by what stands before or in its parentheses."""
    folded = f" {' '.join(stems(text))} "
    forms = [title, title.partition("(")[0], title.partition("(")[2].rstrip(")"), title.partition(",")[0]]
    return any(f" {' '.join(stems(form))} " in folded for form in forms if len(stems(form)) > 0) or (
        fold(title) in fold(text)
    )


def tells(noun: str, text: str) -> bool:
    """Tell whether a sentence says what something is, and does not only speak of it: "El saldo es de …"."""
    beginning = re.escape(noun[: max(4, len(noun) - 2)])
    verbs = "es|sera|son|seran|fue|consiste|consisten|asciende|corresponde|comprende|incluye|tiene por"
    return bool(re.search(rf"\b{beginning}\w*(?:\W+\w+){{0,8}}?\W+(?:{verbs})\b|\b{beginning}\w*:", fold(text)))
