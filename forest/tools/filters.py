"""Filters: what a search of documents is confined to, and whether this forest can honour it.

Filters are about documents: an article is found when its law passes. A filter on something that some documents of the
forest do not state (section, institution) is refused, unless the caller accepts that those are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from forest.catalog import Catalog, DocumentQuery, NodeRow
from forest.legal_numbers import fold
from forest.passport import SECTIONS
from forest.search import Within
from forest.tools.reply import Refusal
from forest.tools.session import Session, day_of

FILTERS = (
    "published",
    "published_from",
    "published_to",
    "section",
    "kind",
    "institution",
    "tag",
    "as_of",
    "in_force_on",
    "only_stated",
)
_NEAREST = 3
_MOST_VALUES = 20
_LONGEST_VALUE = 300


@dataclass(frozen=True, slots=True)
class Filters:
    """What documents must be; what is empty confines nothing.

    Attributes:
        published: day of the gazette. An undated document passes no filter on days.
        published_from: first day.
        published_to: last day.
        section: MAT, VES or EXT; any of them.
        kind: of documents, any of them.
        institution: ids or names of bodies, any of which issued it.
        tag: of documents, any of them.
        as_of: as if nothing known later existed.
        in_force_on: texts in force that day, as far as their period is known.
        only_stated: leave out documents that do not state what a filter asks for, instead of refusing the filter.
    """

    published: date | None = None
    published_from: date | None = None
    published_to: date | None = None
    section: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    institution: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    as_of: date | None = None
    in_force_on: date | None = None
    only_stated: bool = False

    @property
    def first_day(self) -> date | None:
        """The first day of the gazette that passes."""
        days = [day for day in (self.published, self.published_from) if day is not None]
        return max(days) if days else None

    @property
    def last_day(self) -> date | None:
        """The last day of the gazette that passes."""
        days = [day for day in (self.published, self.published_to) if day is not None]
        return min(days) if days else None


@dataclass(frozen=True, slots=True)
class Honoured:
    """Filters that this forest honours.

    Attributes:
        query: of the catalog.
        within: of the index.
        notes: what follows for the reader.
    """

    query: DocumentQuery
    within: Within
    notes: tuple[str, ...]


def read_filters(given: Filters | Mapping[str, object] | None) -> Filters:
    """Return filters as a program gave them.

    Raises:
        Refusal: there is no such filter, or its value is not of its kind.
    """
    if given is None:
        return Filters()
    if isinstance(given, Filters):
        return given
    for name in given:
        if name not in FILTERS:
            raise Refusal("invalid", f"There is no filter {str(name)[:40]!r}.", f"Filters: {', '.join(FILTERS)}.")
    values: dict[str, object] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name == "only_stated":
            if not isinstance(value, bool):
                raise Refusal("invalid", "only_stated must be true or false.")
            values[name] = value
        elif name in ("section", "kind", "institution", "tag"):
            values[name] = _texts(name, value)
        else:
            if not isinstance(value, str | date):
                raise Refusal("invalid", f"{name} must be a day.", "Write it as YYYY-MM-DD, e.g. 2023-01-01.")
            values[name] = value if isinstance(value, date) else day_of(value, name)
    return Filters(**values)  # type: ignore[arg-type]


def honour(session: Session, filters: Filters) -> Honoured:
    """Return filters as this forest honours them, as of the session's day or an earlier one of the filters.

    Raises:
        Refusal: the forest cannot honour one for all documents that pass the others, or knows no such value.
    """
    catalog = session.state.on(session.clock(as_of=filters.as_of, in_force_on=filters.in_force_on).as_of).catalog
    if filters.first_day and filters.last_day and filters.first_day > filters.last_day:
        raise Refusal("invalid", f"No day is from {filters.first_day} to {filters.last_day}.", "Turn the days round.")
    for section in filters.section:
        if section not in SECTIONS:
            raise Refusal("invalid", f"There is no section {section[:40]!r}.", f"Sections: {', '.join(SECTIONS)}.")
    kinds = catalog.node_kinds()
    for kind in filters.kind:
        if kind not in kinds:
            raise Refusal("invalid", f"This forest has no kind {kind[:40]!r}.", f"Kinds: {', '.join(sorted(kinds))}.")
    query = DocumentQuery(
        published_from=filters.first_day, published_to=filters.last_day, kinds=filters.kind, tags=filters.tag
    )
    notes: list[str] = []
    for name, values in (("section", filters.section), ("institution", filters.institution)):
        if values:
            notes += _stated(catalog, query, name, only_stated=filters.only_stated)
    issuers = _issuers(catalog, filters.institution)
    query = replace(query, sections=filters.section, issuers=issuers)
    within = Within(
        published_from=filters.first_day,
        published_to=filters.last_day,
        sections=filters.section,
        kinds=filters.kind,
        issuers=issuers,
        tags=filters.tag,
    )
    return Honoured(query, within, tuple(notes))


def passes(document: NodeRow, filters: DocumentQuery) -> bool:
    """Tell whether one document passes."""
    day = document.published
    dated = filters.published_from is not None or filters.published_to is not None
    return (
        not (dated and day is None)
        and not (filters.published_from is not None and day is not None and day < filters.published_from)
        and not (filters.published_to is not None and day is not None and day > filters.published_to)
        and (not filters.sections or document.section in filters.sections)
        and (not filters.kinds or document.kind in filters.kinds)
        and (not filters.issuers or not set(filters.issuers).isdisjoint(document.issuers))
        and (not filters.tags or not set(filters.tags).isdisjoint(document.tags))
    )


def _texts(name: str, value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if (
        not isinstance(values, Sequence)
        or not values
        or len(values) > _MOST_VALUES
        or not all(isinstance(one, str) and one.strip() and len(one) <= _LONGEST_VALUE for one in values)
    ):
        raise Refusal("invalid", f"{name} must be a text, or a list of 1 to {_MOST_VALUES} texts.")
    return tuple(values)


def _stated(catalog: Catalog, query: DocumentQuery, name: str, *, only_stated: bool) -> list[str]:
    """Refuse a filter that some documents cannot answer; return a note when those are to be left out."""
    total, stating = catalog.count_stating(query, name)
    silent = total - stating
    if not silent:
        return []
    if only_stated and catalog.count_stating(DocumentQuery(), name)[1]:
        return [f"{silent:,} of {total:,} documents do not state their {name}: they were left out."]
    honoured = ", ".join(one for one in FILTERS if one not in ("section", "institution", "only_stated"))
    also = [other for other in ("section", "institution") if other != name and _all_state(catalog, query, other)]
    whole = f"Filters that can be honoured: {', '.join([honoured, *also])}."
    some = f" With only_stated, the {stating:,} that state it are searched." if stating else ""
    whom = "none of them states" if not stating else f"{silent:,} of them do not state"
    told = f"The filter {name} cannot be honoured for all {total:,} documents: {whom} it."
    raise Refusal("refused", told, whole + some)


def _all_state(catalog: Catalog, query: DocumentQuery, name: str) -> bool:
    total, stating = catalog.count_stating(query, name)
    return total == stating


def _issuers(catalog: Catalog, names: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the bodies that bear each name.

    Raises:
        Refusal: no body of the forest bears one.
    """
    found: dict[str, None] = {}
    for name in names:
        node = catalog.find(name)
        ids = (
            (node.id,)
            if node is not None and node.kind == "entity"
            else catalog.bearers([fold(name)], "entity").get(fold(name), ())
        )
        if not ids:
            near = [row for row in catalog.nearest_named(fold(name), _NEAREST * 4) if row.kind == "entity"][:_NEAREST]
            hint = (
                f"Did you mean {', '.join(f'{row.title} ({row.id})' for row in near)}?"
                if near
                else "Look for it: search_documents."
            )
            raise Refusal("not_found", f"No body of this forest is called {name[:80]!r}.", hint)
        found |= dict.fromkeys(ids)
    return tuple(found)
