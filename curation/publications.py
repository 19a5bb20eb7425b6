"""The nodes of a law's publications: the decrees that issued and reformed it, with their transitory articles.

Owns where they live in the law's folder and which facts their passports state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from curation.dates import long_dates, short_dates
from curation.draft import (
    SCENT_WORDS,
    cut_title,
    first_words,
    is_repealed,
    rules,
    scent_of,
    sentence_case,
    shorten,
    summarise,
    weights,
)
from curation.edges import Missed, amending_edges, citing_edges
from curation.force import entry_into_force
from curation.frame import File, Frame, spoken
from curation.law import Article, Decree
from curation.readers.marks import is_mark
from forest.edge import Edge
from forest.passport import Passport, render_node
from forest.text import fold

_HEADING = re.compile(r"(?i:(?:art[ií]culos? |disposici[oó]n(?:es)? )?transitori[oa]s?)\W*$")
_LABEL = re.compile(r"^(?i:acuerdo\s+|decreto\s+)?(?i:art[ií]culo\s+)?(?i:[uú]nico|primero)\s?[.:-]+\s*")
_AS_FOLLOWS = re.compile(
    r",? (?:para quedar|para que queden?|quedando|el que quedará|que quedarán?) (?:redactad[oa]s? )?como siguen?\W*$",
    re.IGNORECASE,
)


def decree_names(decrees: Sequence[Decree]) -> tuple[str, ...]:
    """The name of each decree: its day, numbered from the second of a day on, in the order of the text."""
    seen: dict[date, int] = {}
    names: list[str] = []
    for decree in decrees:
        seen[decree.published] = count = seen.get(decree.published, 0) + 1
        names.append(f"dof-{decree.published}" + (f"-{count}" if count > 1 else ""))
    return tuple(names)


def decrees_folder(frame: Frame) -> File:
    """The folder of all publications of a law."""
    decrees = frame.law.decrees
    days = f"{spoken(decrees[0].published)} a {spoken(max(d.published for d in decrees))}"
    passport = Passport(
        id=f"{frame.id}/decretos",
        kind="topic",
        title=f"{frame.abbreviation}, decretos que la expiden y la reforman",
        summary=shorten(
            f"Las {len(decrees)} publicaciones de {frame.law.title} en el DOF, {days}, con sus artículos transitorios.",
            60,
        ),
        scent=f"publicación original y reformas de {frame.abbreviation} con sus transitorios ({len(decrees)})",
        tags=(frame.id,),
        text_state="consolidated",
        text_as_of=frame.law.text_as_of,
    )
    return File(f"{frame.folder}/decretos/index.md", render_node(passport, f"# Decretos de {frame.law.title}"))


def holds_later_notes(text: str, published: date) -> bool:
    """Tell whether a publication's text carries notes of later days: then it is not what the gazette printed.

    The Chamber's consolidated files put such notes into the decrees that they reprint: of reforms to what a decree
    said, and of rulings of the Supreme Court.
    """
    notes = (part for part in text.split("\n\n") if is_mark(part) or "DOF" in part)
    return any(
        day > published
        for note in notes
        for day in (*short_dates(note), *((found for found, _ in long_dates(note)) if is_mark(note) else ()))
    )


def decree_nodes(frame: Frame, name: str, decree: Decree, *, original: bool) -> tuple[list[File], list[Missed]]:
    """The nodes of one publication and its transitory articles, and the citations that made no edge."""
    node = f"{frame.id}/{name}"
    folder = f"{frame.folder}/decretos/{name}"
    edges: tuple[Edge, ...] = ()
    missed: tuple[Missed, ...] = ()
    if not original:
        edges, missed = amending_edges(
            node,
            f"{decree.title}\n\n{decree.text}",
            instrument=frame.id,
            order=frame.order,
            published=decree.published,
            known=frame.known,
        )
    day = spoken(decree.published)
    title = (
        f"{frame.abbreviation}, publicación original, DOF {day}"
        if original
        else first_words(f"DOF {day}: {decree.title}", 45)
    )
    changes = "" if original else _changes(decree)
    body = "\n\n".join(part for part in (f"# {decree.title}", decree.text, decree.closing) if part)
    later = holds_later_notes(body, decree.published)
    passport = Passport(
        id=node,
        kind="publication",
        title=cut_title(title),
        summary=shorten(f"DOF {day}. {changes or decree.title}", 60),
        scent=cut_title(f"publicación original de {frame.law.title}")
        if original
        else first_words(f"DOF {day}: {changes or decree.title}", SCENT_WORDS + 4),
        tags=(frame.id, "publicacion-original" if original else "reforma"),
        published=decree.published,
        text_state="consolidated" if later else "as_published",
        text_as_of=frame.law.text_as_of if later else None,
        source=frame.file,
        edges=edges,
    )
    files = [File(f"{folder}/index.md", render_node(passport, body))]
    more: list[Missed] = list(missed)
    weight = weights(article.text for article in decree.transitories)
    for article in decree.transitories:
        file, unresolved = _transitory(frame, node, folder, decree, article, weight)
        files.append(file)
        more.extend(unresolved)
    return files, more


def _changes(decree: Decree) -> str:
    """What a decree says that it changes, "" where its source kept only the end of the sentence."""
    acts = [part for part in rules(decree.text) if not part.startswith(("#", "Publicad")) and not _HEADING.match(part)]
    changes = _LABEL.sub("", _AS_FOLLOWS.sub("", " ".join(acts)).strip(" :;,"))
    return "" if changes[:1].islower() or len(changes.split()) < 3 else f"{changes}{'' if changes[-1] in '.…' else '.'}"


def _transitory(
    frame: Frame, decree_id: str, folder: str, decree: Decree, article: Article, weight: Mapping[str, float]
) -> tuple[File, tuple[Missed, ...]]:
    node = f"{decree_id}/trans-{article.key}"
    edges, missed = citing_edges(
        node,
        article.text,
        instrument=frame.id,
        order=frame.order,
        here="",
        published=decree.published,
        known=frame.known,
    )
    number = sentence_case(
        article.label.split(" ", 1)[-1] if fold(article.label).startswith("articulo ") else article.label
    )
    day = spoken(decree.published)
    repealed = is_repealed(article.text)
    summary = "" if repealed else summarise(article.text)
    line = f"transitorio {number}, derogado" if repealed else scent_of(article.text, weight) or f"transitorio {number}"
    passport = Passport(
        id=node,
        kind="provision",
        title=cut_title(f"{frame.abbreviation}, transitorio {number} del decreto DOF {day}"),
        summary=summary or f"Transitorio {number} del decreto DOF {day}{', derogado' if repealed else ''}.",
        scent=line,
        tags=(frame.id, "transitorio", *(("derogado",) if repealed else ())),
        published=decree.published,
        text_state="consolidated" if article.reforms else "as_published",
        text_as_of=frame.law.text_as_of if article.reforms else None,
        in_force=entry_into_force(article.text, decree.published),
        reforms=article.reforms,
        source=frame.file,
        edges=edges,
    )
    body = f"# {article.label} transitorio\n\n{article.text}"
    return File(f"{folder}/trans-{article.key}.md", render_node(passport, body)), missed
