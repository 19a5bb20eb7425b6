"""Publications among the inputs: the acts that a file holds, and the id under which each lives.

Owns what an act is known by before it is rendered. Files are `curation.inputs`, rendering is `curation.rendering`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from curation.draft import first_words
from curation.gazette import Act
from curation.gazette_nodes import Frame, codes_of, title_of
from curation.inputs import Input, load_text
from curation.issuers import issuer_of
from curation.ledger import Ledger, Names
from curation.manifest import Entry
from curation.readers import publicaciones
from forest.ids import slug
from forest.text import fold

_ID_WORDS, _LONGEST_ID_CHARS = 8, 72


@dataclass(frozen=True, slots=True)
class ReadAct:
    """One act of a file: its place there from 0, and what the register needs of it but its settled id."""

    source: Input
    at: int
    base: str
    names: Names


def published(entry: Entry) -> date:
    """The day of a publication.

    Raises:
        ValueError: nothing says it.
    """
    if entry.published is None:
        raise ValueError("no day of publication")
    return entry.published


def read_acts(source: Input) -> tuple[ReadAct, ...]:
    """The acts of one input.

    Raises:
        ValueError: the reader finds none, or an act has no title.
    """
    entry = source.entry
    day = published(entry)
    acts = publicaciones.read(load_text(source))
    return tuple(_named(source, at, _title(act, entry, at), day) for at, act in enumerate(acts))


def frame_of(source: Input, at: int, node: str, reader: str) -> Frame:
    """Everything that the nodes of one act share.

    Args:
        source: its file.
        at: the act's place in the file.
        node: the act's id.
        reader: name and version of the reader.

    Raises:
        ValueError: the file changed, or holds no such act.
    """
    entry = source.entry
    acts = publicaciones.read(load_text(source))
    if at >= len(acts):
        raise ValueError("changed while it was read")
    # The gazette prints a section's header once, above its first act.
    header = next((act.header for act in reversed(acts[1 : at + 1]) if act.header), entry.header or acts[0].header)
    act = acts[at]
    code = {"code": entry.code} if entry.code and at == 0 else {}
    origin = {**code, "file": source.name, "sha256": source.sha256, "reader": reader}
    title = _title(act, entry, at)
    return Frame(node, act, title, published(entry), entry.section, origin, issuer_of(act, header))


def _title(act: Act, entry: Entry, at: int) -> str:
    title = title_of(act.heading or (entry.title if at == 0 else ""))
    if not title:
        raise ValueError("neither its text nor a manifest gives a title")
    return title


def _named(source: Input, at: int, title: str, day: date) -> ReadAct:
    entry = source.entry
    if entry.code:
        base = f"dof-{entry.code}"
    elif entry.ordinal:
        base = f"dof-{day}-{int(entry.ordinal):03}"
    else:
        base = f"dof-{day}-{_words(title)}"
    names = Names("", "", title, codes_of(title), (), day, day)
    return ReadAct(source, at, base if at == 0 else f"{base}-{at + 1}", names)


def _words(title: str) -> str:
    words = slug(fold(first_words(title, _ID_WORDS)))
    return words if len(words) <= _LONGEST_ID_CHARS else words[:_LONGEST_ID_CHARS].rpartition("-")[0]


def settle_act_ids(acts: Iterable[ReadAct], living: Callable[[str, date], Ledger | None]) -> dict[ReadAct, str]:
    """The id of each act: its day and number in the issue, with its title where different acts have the same.

    Args:
        acts: all acts that were read.
        living: the ledger of the act that the forest has under an id and day, None when it has none.

    Returns:
        Ids by act, in an order that does not depend on that of the inputs.
    """
    ordered = sorted(acts, key=lambda act: (act.base, fold(act.names.title), act.source.sha256, act.at))
    titles: dict[str, set[str]] = {}
    for act in ordered:
        titles.setdefault(act.base, set()).add(fold(act.names.title))
    ids: dict[ReadAct, str] = {}
    for act in ordered:
        there = living(act.base, act.names.published)
        known = there is not None and fold(there.names.title) == fold(act.names.title)
        alone = there is None and len(titles[act.base]) == 1
        ids[act] = act.base if known or alone else f"{act.base}-{_words(act.names.title)}"
    return ids
