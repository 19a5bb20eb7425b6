"""From a law to the nodes of its folder: ids, paths, passports and bodies.

Owns where each part of a law lives in the forest and which facts its passport states. Words come from
`curation.draft`, edges from `curation.edges`; nothing here touches git or the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from curation.draft import (
    SCENT_WORDS,
    first_words,
    has_epigraphs,
    is_repealed,
    rules,
    scent_of,
    sentence_case,
    shorten,
    summarise,
    topic_of,
    weights,
)
from curation.edges import Known, Missed, amending_edges, citing_edges
from curation.force import entry_into_force
from curation.law import Article, Decree, Division, Law
from forest.edge import Edge
from forest.ids import slug
from forest.legal import aliases_of
from forest.passport import Passport, render_node
from forest.text import fold

ROOT = "leyes"
# How a law says what it is about, the clearest first.
_AIMS = (
    re.compile(r"tienen? (?:por|como) (?:objeto|finalidad)\b|[Ee]l objeto de (?:la presente|esta) [Ll]ey"),
    re.compile(r"(?:La presente|Esta) [Ll]ey (?:es|establece|regula|rige|determina|reglamenta)\b"),
)
_LONGEST_TITLE_CHARS = 240
_HEADING = re.compile(r"(?i:(?:art[ií]culos? |disposici[oó]n(?:es)? )?transitori[oa]s?)\W*$")


@dataclass(frozen=True, slots=True)
class File:
    """One node as it will be written: its path in the forest and its text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """All nodes of one law, in the order of their paths, and the citations that made no edge."""

    files: tuple[File, ...]
    missed: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What every node of one law shares."""

    law: Law
    id: str
    abbreviation: str
    source: Mapping[str, str]
    known: Known
    order: tuple[str, ...]

    @property
    def file(self) -> dict[str, str]:
        """What a part of the law says of its source: the name alone, or every reform would change every node."""
        return {"file": self.source["file"]}

    @property
    def folder(self) -> str:
        return f"{ROOT}/{self.id}"


def spoken(day: date) -> str:
    """A date as the Chamber's reform marks write it."""
    return f"{day:%d-%m-%Y}"


def division_name(path: Sequence[Division]) -> str:
    """The heading in ordinary letters of the last division that has one, the last one's label when none has."""
    headings = (sentence_case(division.heading.strip(" .")) for division in reversed(path))
    return next((heading for heading in headings if heading), sentence_case(path[-1].label) if path else "")


def _tag(heading: str) -> str:
    """A heading as a tag: its first words without the preposition that opens it."""
    return slug(fold(first_words(re.sub(r"^(?i:de las?|de los|del|de) ", "", heading), 6)))


def render_law(law: Law, *, instrument: str, source: Mapping[str, str], known: Known) -> Rendered:
    """All nodes of a law.

    Args:
        law: the law as read.
        instrument: its id, also the name of its folder.
        source: what every node says of where its text came from.
        known: the instruments that its text may refer to, this one among them.
    """
    order = tuple(article.key for article in law.articles)
    frame = _Frame(law, instrument, law.abbreviation.replace("_", " "), source, known, order)
    folders = division_folders(law.divisions)
    texts = [article.text for article in law.articles]
    epigraphs = has_epigraphs(texts)
    files: list[File] = [_instrument(frame, epigraphs=epigraphs)]
    missed: list[Missed] = []
    lines: dict[str, list[tuple[str, str]]] = {}
    weight_all = weights(texts)
    for siblings in _by_division(law.articles):
        weight_near = weights(article.text for article in siblings)
        weight = {word: value + weight_all.get(word, 0.0) for word, value in weight_near.items()}
        for article in siblings:
            file, line, more = _article(frame, article, folders, weight, epigraphs=epigraphs)
            files.append(file)
            missed.extend(more)
            for depth in range(len(article.divisions)):
                lines.setdefault(folders[article.divisions[: depth + 1]], []).append((article.label, line))
    files.extend(_division(frame, path, folder, lines.get(folder, [])) for path, folder in folders.items())
    files.append(_decrees_folder(frame))
    for name, decree in zip(decree_names(law.decrees), law.decrees, strict=True):
        more_files, unresolved = _decree(frame, name, decree, original=decree is law.decrees[0])
        files.extend(more_files)
        missed.extend(unresolved)
    return Rendered(tuple(sorted(files, key=lambda file: file.path)), tuple(missed))


def division_folders(paths: Sequence[tuple[Division, ...]]) -> dict[tuple[Division, ...], str]:
    """A folder for each path of divisions, in order; a heading that repeats beside itself is numbered."""
    folders: dict[tuple[Division, ...], str] = {}
    used: set[str] = set()
    for path in paths:
        if path in folders:
            continue
        base = "/".join(part for part in (folders.get(path[:-1], ""), path[-1].segment) if part)
        folder, count = base, 1
        while folder in used:
            count += 1
            folder = f"{base}-{count}"
        used.add(folder)
        folders[path] = folder
    return folders


def decree_names(decrees: Sequence[Decree]) -> tuple[str, ...]:
    """The name of each decree: its day, numbered from the second of a day on, in the order of the text."""
    seen: dict[date, int] = {}
    names: list[str] = []
    for decree in decrees:
        seen[decree.published] = count = seen.get(decree.published, 0) + 1
        names.append(f"dof-{decree.published}" + (f"-{count}" if count > 1 else ""))
    return tuple(names)


def _by_division(articles: Sequence[Article]) -> Iterator[list[Article]]:
    group: list[Article] = []
    for article in articles:
        if group and group[-1].divisions != article.divisions:
            yield group
            group = []
        group.append(article)
    if group:
        yield group


def _instrument(frame: _Frame, *, epigraphs: bool) -> File:
    law = frame.law
    alive = [article for article in law.articles if not is_repealed(article.text)] or law.articles[:1]
    aim = next((a for pattern in _AIMS for a in alive[:6] if pattern.search(a.text)), alive[0])
    about = summarise(topic_of(aim.text, epigraphs=epigraphs).rest)
    names = dict.fromkeys((frame.abbreviation, *aliases_of(law.title), *law.former_names))
    names.pop(law.title, None)
    passport = Passport(
        id=frame.id,
        kind="instrument",
        title=law.title,
        summary=about or law.title,
        scent=first_words(f"{frame.abbreviation}, {len(law.articles)} artículos: {about}", SCENT_WORDS + 6),
        tags=(slug(fold(law.title.split()[0])),),
        aliases=tuple(names),
        published=law.published,
        text_state="consolidated",
        text_as_of=law.text_as_of,
        reforms=tuple(sorted({decree.published for decree in law.decrees[1:] if decree.published >= law.published})),
        source=frame.source,
    )
    return File(f"{frame.folder}/index.md", render_node(passport, f"# {law.title}"))


def _article(
    frame: _Frame,
    article: Article,
    folders: Mapping[tuple[Division, ...], str],
    weight: Mapping[str, float],
    *,
    epigraphs: bool,
) -> tuple[File, str, tuple[Missed, ...]]:
    node = f"{frame.id}/art-{article.key}"
    topic = topic_of(article.text, epigraphs=epigraphs)
    near = division_name(article.divisions)
    repealed = is_repealed(article.text)
    edges, missed = citing_edges(
        node, article.text, instrument=frame.id, order=frame.order, here=article.key, published=None, known=frame.known
    )
    number = article.label.split(" ", 1)[-1]
    name = topic.name or near
    heading = f"{frame.abbreviation}, artículo {number}" + (f". {first_words(name, 24)}" if name else "")
    if repealed:
        scent = f"artículo {number}, derogado" + (f" (DOF {spoken(article.reforms[-1])})" if article.reforms else "")
        summary = f"El artículo {number} está derogado" + (f"; trataba de: {name}" if name else "") + "."
    else:
        scent = scent_of(topic.rest, weight)
        summary = summarise(topic.rest)
    passport = Passport(
        id=node,
        kind="provision",
        title=f"{heading} (derogado)" if repealed else heading,
        summary=shorten(summary or heading, 60),
        scent=scent or heading,
        tags=tuple(tag for tag in (frame.id, _tag(near), "derogado" if repealed else "") if tag),
        text_state="consolidated",
        text_as_of=frame.law.text_as_of,
        reforms=article.reforms,
        source=frame.file,
        edges=edges,
    )
    folder = "/".join(part for part in (frame.folder, folders.get(article.divisions, "")) if part)
    file = File(f"{folder}/art-{article.key}.md", render_node(passport, f"# {article.label}\n\n{article.text}"))
    return file, topic.name or scent, missed


def _division(frame: _Frame, path: tuple[Division, ...], folder: str, lines: Sequence[tuple[str, str]]) -> File:
    division = path[-1]
    name = division_name(path)
    numbers = [label.split(" ", 1)[-1] for label, _ in lines]
    span = (
        f"artículos {numbers[0]} a {numbers[-1]}"
        if len(numbers) > 1
        else f"artículo {numbers[0]}"
        if numbers
        else "sin artículos"
    )
    step = max(1, len(lines) // 7)
    matters = "; ".join(
        f"{label.split(' ', 1)[-1]}: {first_words(line, 7).rstrip('…')}" for label, line in lines[::step][:8]
    )
    where = ", ".join(sentence_case(part.label) for part in path)
    passport = Passport(
        id=f"{frame.id}/{folder}",
        kind="topic",
        title=first_words(f"{frame.abbreviation}, {where}" + (f". {name}" if division.heading else ""), 40),
        summary=shorten(f"{name}: {span}. {matters}", 60),
        scent=first_words(f"{name} ({span})", SCENT_WORDS + 6),
        tags=(frame.id,),
        source=frame.file,
    )
    heading = f"# {division.label}" + (f"\n\n{division.heading}" if division.heading else "")
    body = "\n\n".join((heading, *division.notes))
    return File(f"{frame.folder}/{folder}/index.md", render_node(passport, body))


def _decrees_folder(frame: _Frame) -> File:
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
    )
    return File(f"{frame.folder}/decretos/index.md", render_node(passport, f"# Decretos de {frame.law.title}"))


def _decree(frame: _Frame, name: str, decree: Decree, *, original: bool) -> tuple[list[File], list[Missed]]:
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
    acts = [part for part in rules(decree.text) if not part.startswith(("#", "Publicad")) and not _HEADING.match(part)]
    changes = " ".join(acts) if not original else ""
    passport = Passport(
        id=node,
        kind="publication",
        title=title[:_LONGEST_TITLE_CHARS],
        summary=shorten(f"DOF {day}. {changes or decree.title}", 60),
        scent=f"publicación original de {frame.law.title}"
        if original
        else first_words(f"DOF {day}: {changes or decree.title}", SCENT_WORDS + 4),
        tags=(frame.id, "publicacion-original" if original else "reforma"),
        published=decree.published,
        text_state="as_published",
        source=frame.file,
        edges=edges,
    )
    body = "\n\n".join(part for part in (f"# {decree.title}", decree.text, decree.closing) if part)
    files = [File(f"{folder}/index.md", render_node(passport, body))]
    more: list[Missed] = list(missed)
    weight = weights(article.text for article in decree.transitories)
    for article in decree.transitories:
        file, unresolved = _transitory(frame, node, folder, decree, article, weight)
        files.append(file)
        more.extend(unresolved)
    return files, more


def _transitory(
    frame: _Frame, decree_id: str, folder: str, decree: Decree, article: Article, weight: Mapping[str, float]
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
    passport = Passport(
        id=node,
        kind="provision",
        title=f"{frame.abbreviation}, transitorio {number} del decreto DOF {day}",
        summary=summarise(article.text) or f"Transitorio {number} del decreto DOF {day}.",
        scent=scent_of(article.text, weight) or f"transitorio {number}",
        tags=(frame.id, "transitorio"),
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
