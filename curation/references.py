"""References that the text of an article makes to other articles and instruments.

Owns what a citation inside a law resolves to: "this Law", the article before, every article of a range, and why
something cannot be resolved. How citations are read is `forest.legal`; edges and their scents are made elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from forest.legal import Mention, Register, find_citations

Reason = Literal[
    "unknown_instrument",  # its name is not in the register
    "ambiguous_instrument",  # several instruments bear the name
    "unclear_instrument",  # the words leave open which instrument is meant ("dicha Ley", "los artículos anteriores")
    "no_such_article",  # the instrument has no article of that number
    "transitory",  # transitory articles belong to a decree, which the words seldom tell
    "outside_articles",  # a bare number in a text that is no article of the law: a decree cites many laws
    "relative_out_of_range",  # there is no article before the first or after the last
    "range_too_long",
    "range_unreadable",  # the ends are not in the order of the law
]

WIDEST_RANGE = 30
_LETTERED = re.compile(r"(?P<stem>.*-)(?P<letter>[a-z])")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference whose target exists.

    Attributes:
        target: `<instrument>/art-<key>`, or the instrument's id when no article is named.
        start: Offset of the basis in the text.
        end: Offset after it.
        basis: The words that make the reference, exactly as the text has them between the offsets.
        detail: What the words say of parts ("fracción II"), "" if nothing.
    """

    target: str
    start: int
    end: int
    basis: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A citation, or one article or range of it, that has no target, and why.

    Attributes:
        reason: One of the closed set `Reason`.
        start: Offset of the basis in the text.
        end: Offset after it.
        basis: The words of the citation, exactly as the text has them.
        wanted: The article key or `low..high` that was looked for, or the instrument's name; "" if neither is known.
    """

    reason: Reason
    start: int
    end: int
    basis: str
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a text stands: its instrument, the places of all its articles, and which one the text is."""

    instrument: str
    places: dict[str, int]
    order: Sequence[str]
    here: str
    register: Register

    def has(self, instrument: str, key: str) -> bool:
        own = instrument == self.instrument and key in self.places
        return own or self.register.has_article(instrument, key)


def _target(instrument: str, key: str) -> str:
    return f"{instrument}/art-{key}" if key else instrument


def _between(place: _Place, instrument: str, low: str, high: str) -> tuple[str, ...] | Reason:
    """Return the keys of the existing articles strictly between the ends of a range, or why it cannot be said."""
    if instrument == place.instrument and low in place.places and high in place.places:
        first, last = place.places[low], place.places[high]
        if first >= last:
            return "range_unreadable"
        return tuple(place.order[first + 1 : last]) if last - first < WIDEST_RANGE else "range_too_long"
    if low.isdigit() and high.isdigit() and int(low) < int(high):
        if int(high) - int(low) >= WIDEST_RANGE:
            return "range_too_long"
        return tuple(key for key in map(str, range(int(low) + 1, int(high))) if place.has(instrument, key))
    one, two = _LETTERED.fullmatch(low), _LETTERED.fullmatch(high)
    if one and two and one["stem"] == two["stem"] and one["letter"] < two["letter"]:
        keys = (one["stem"] + chr(c) for c in range(ord(one["letter"]) + 1, ord(two["letter"])))
        return tuple(key for key in keys if place.has(instrument, key))
    return "range_unreadable"


def _keys(mention: Mention, instrument: str, place: _Place) -> Iterator[tuple[str, Reason | None]]:
    """Yield each article key that the mention means in that instrument, or what it wanted with the reason why not."""
    for key in mention.articles:
        yield key, None if place.has(instrument, key) else "no_such_article"
    for low, high in mention.ranges:
        inner = _between(place, instrument, low, high)
        if isinstance(inner, str):
            yield f"{low}..{high}", inner
        else:
            for key in inner:
                yield key, None


def _relative(mention: Mention, place: _Place) -> Iterator[tuple[str, Reason | None]]:
    at = place.places.get(place.here)
    there = -1 if at is None else at + mention.relative
    if 0 <= there < len(place.order):
        yield place.order[there], None
    else:
        yield "", "relative_out_of_range"


def _resolve(mention: Mention, place: _Place) -> Iterator[tuple[str, str, Reason | None]]:
    """Yield (instrument, key or wanted, reason) for everything that a mention means."""
    own = mention.scope in ("this", "bare")
    instrument = place.instrument if own else "".join(mention.instruments[:1])
    reason: Reason | None = None
    if mention.scope == "unknown_name":
        reason = "unknown_instrument" if mention.name and not mention.points_back else "unclear_instrument"
    elif len(mention.instruments) > 1:
        reason = "ambiguous_instrument"
    elif mention.transitory:
        reason = "transitory"
    elif own and (not instrument or (mention.scope == "bare" and place.here not in place.places)):
        reason = "outside_articles"
    elif mention.relative and not own:
        reason = "unclear_instrument"
    if reason is not None:
        yield instrument, mention.name, reason
    elif mention.relative:
        yield from ((instrument, key, why) for key, why in _relative(mention, place))
    elif mention.articles:
        yield from ((instrument, key, why) for key, why in _keys(mention, instrument, place))
    elif own:
        yield instrument, "", "unclear_instrument"
    else:
        yield instrument, "", None


def references(
    text: str, *, instrument: str, order: Sequence[str], here: str, register: Register
) -> tuple[tuple[Reference, ...], tuple[Unresolved, ...]]:
    """Return what the text of one article refers to, and what could not be resolved.

    Args:
        text: The article's text, without its heading.
        instrument: Id of the instrument that the article belongs to; what the text calls "esta Ley". "" when the text
            belongs to none: then only names are resolved.
        order: Keys of all articles of that instrument in the order of its text, none twice.
        here: Key of this article. When it is not in `order` (a decree, a transitory article), bare numbers and
            "artículo anterior" are not resolved: such texts speak of several laws.
        register: Knows the other instruments.

    Returns:
        References in the order of the text, one for each target, with the first words that make it; none to the
        article itself, nor to its own instrument as a whole. Then the unresolved, in the order of the text.
    """
    place = _Place(instrument, {key: i for i, key in enumerate(order)}, order, here, register)
    resolved: dict[str, Reference] = {}
    unresolved: list[Unresolved] = []
    itself = {instrument, _target(instrument, here)}
    for mention in find_citations(text, register):
        basis = text[mention.start : mention.end]
        for owner, wanted, reason in _resolve(mention, place):
            if reason is not None:
                unresolved.append(Unresolved(reason, mention.start, mention.end, basis, wanted))
                continue
            target = _target(owner, wanted)
            if target not in itself:
                resolved.setdefault(target, Reference(target, mention.start, mention.end, basis, mention.detail))
    return tuple(resolved.values()), tuple(unresolved)
