"""From a law to the nodes of its folder: ids, paths, passports and bodies.

Owns where articles and divisions live in the forest and which facts their passports state; decrees are
`curation.publications`. Words come from `curation.draft`, edges from `curation.edges`; nothing touches git or the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.draft import (
    LONGEST_TITLE_CHARS,
    SCENT_WORDS,
    cut_title,
    first_words,
    has_epigraphs,
    is_repealed,
    scent_of,
    sentence_case,
    shorten,
    summarise,
    topic_of,
    unbracketed,
    weights,
)
from curation.edges import Known, Missed, citing_edges
from curation.frame import File, Frame, spoken
from curation.invalidity import TAG, article_invalid_since
from curation.law import Article, Division, Law
from curation.publications import decree_names, decree_nodes, decrees_folder
from forest.ids import slug
from forest.legal import aliases_of
from forest.passport import Passport, render_node
from forest.text import fold

# How a law says what it is about, the clearest first.
_AIMS = (
    re.compile(r"tienen? (?:por|como) (?:objeto|finalidad)\b|[Ee]l objeto de (?:la presente|esta) [Ll]ey"),
    re.compile(r"(?:La presente|Esta) [Ll]ey (?:es|establece|regula|rige|determina|reglamenta)\b"),
)
_SAID_REPEALED = re.compile(r"\s*\((?:se deroga|derogad[oa])\)\W*$", re.IGNORECASE)
# The Chamber's word that a misprint is the gazette's.
_SIC = re.compile(r"\s*\((?i:sic) DOF [^()]{1,40}\)")
# What every law says of itself before it tells its object.
_PUBLIC_ORDER = re.compile(
    r"(?:La presente|Est[ae]|Las disposiciones (?:contenidas en|de) (?:la presente|est[ae])) (?:[Ll]ey|Código)\b"
    r"[^.:]{0,260}?(?=tienen? (?:por|como) (?:objeto|finalidad)\b)"
)
_ACCENTED = {
    fold(word): word
    for word in (
        "título subtítulo capítulo sección subsección único única décimo décima séptimo séptima undécimo duodécimo "
        "vigésimo vigésima trigésimo trigésima"
    ).split()
}


@dataclass(frozen=True, slots=True)
class Rendered:
    """All nodes of one law, in the order of their paths, and the citations that made no edge."""

    files: tuple[File, ...]
    missed: tuple[Missed, ...]


def division_label(division: Division) -> str:
    """A division's label in ordinary letters, with the accents that its capitals may lack: `Capítulo único`."""
    return " ".join(_accented(word) for word in sentence_case(division.label).split())


def _accented(word: str) -> str:
    spelled = _ACCENTED.get(fold(word), word)
    return spelled.capitalize() if word[:1].isupper() and spelled != word else spelled


def division_name(path: Sequence[Division]) -> str:
    """The heading in ordinary letters of the last division that has one, the last one's label when none has."""
    headings = (sentence_case(unbracketed(_SIC.sub("", division.heading).strip(" ."))) for division in reversed(path))
    return next((heading for heading in headings if heading), division_label(path[-1]) if path else "")


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
    frame = Frame(law, instrument, law.abbreviation.replace("_", " "), source, known, order)
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
    files.append(decrees_folder(frame))
    for name, decree in zip(decree_names(law.decrees), law.decrees, strict=True):
        more_files, unresolved = decree_nodes(frame, name, decree, original=decree is law.decrees[0])
        files.extend(more_files)
        missed.extend(unresolved)
    return Rendered(tuple(sorted(files, key=lambda file: file.path)), tuple(missed))


def counted(articles: Sequence[Article]) -> str:
    """How many articles: `1 artículo`, `7 artículos`."""
    return f"{len(articles)} artículo{'' if len(articles) == 1 else 's'}"


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


def _by_division(articles: Sequence[Article]) -> Iterator[list[Article]]:
    group: list[Article] = []
    for article in articles:
        if group and group[-1].divisions != article.divisions:
            yield group
            group = []
        group.append(article)
    if group:
        yield group


def _instrument(frame: Frame, *, epigraphs: bool) -> File:
    law = frame.law
    alive = [article for article in law.articles if not is_repealed(article.text)] or law.articles[:1]
    aim = next((a for pattern in _AIMS for a in alive[:6] if pattern.search(a.text)), alive[0])
    about = summarise(_PUBLIC_ORDER.sub("", topic_of(aim.text, epigraphs=epigraphs).rest, count=1))
    about = about[:1].upper() + about[1:]
    names = dict.fromkeys((frame.abbreviation, *aliases_of(law.title), *law.former_names))
    names.pop(law.title, None)
    title = cut_title(law.title)
    invalid = f"declarada inválida, DOF {spoken(frame.invalid)}" if frame.invalid else ""
    what = f"{invalid}. {about}" if invalid else about
    passport = Passport(
        id=frame.id,
        kind="instrument",
        title=title,
        summary=shorten(f"{what[0].upper()}{what[1:]}", 60) if invalid else about or title,
        scent=first_words(f"{frame.abbreviation}, {counted(law.articles)}: {what}", SCENT_WORDS + 6),
        tags=(slug(fold(law.title.split()[0])), *((TAG,) if invalid else ())),
        aliases=tuple(name for name in names if len(name) <= LONGEST_TITLE_CHARS),
        published=law.published,
        text_state="consolidated",
        text_as_of=law.text_as_of,
        reforms=tuple(sorted({decree.published for decree in law.decrees[1:] if decree.published >= law.published})),
        source=frame.source,
    )
    return File(f"{frame.folder}/index.md", render_node(passport, "\n\n".join((f"# {law.title}", *law.notes))))


def _article(
    frame: Frame,
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
    number = article.label.split(" ", 1)[-1].rstrip(". ")
    name = _SAID_REPEALED.sub("", topic.name or near)
    heading = f"{frame.abbreviation}, artículo {number}" + (f". {first_words(name, 24)}" if name else "")
    if repealed:
        scent = f"artículo {number}, derogado" + (f" (DOF {spoken(article.reforms[-1])})" if article.reforms else "")
        summary = f"El artículo {number} está derogado" + (f"; trataba de: {name}" if name else "") + "."
    else:
        scent = scent_of(topic.rest, weight)
        summary = summarise(topic.rest)
    invalid = _invalid(frame, article)
    if invalid:
        summary, scent = f"Artículo {invalid}. {summary}", f"{invalid}: {scent}"
    passport = Passport(
        id=node,
        kind="provision",
        title=f"{cut_title(heading)} (derogado)" if repealed else cut_title(heading),
        summary=shorten(summary or heading, 60),
        scent=scent or heading,
        tags=tuple(
            tag for tag in (frame.id, _tag(near), "derogado" if repealed else "", TAG if invalid else "") if tag
        ),
        text_state="consolidated",
        text_as_of=frame.law.text_as_of,
        reforms=article.reforms,
        source=frame.file,
        edges=edges,
    )
    folder = "/".join(part for part in (frame.folder, folders.get(article.divisions, "")) if part)
    file = File(f"{folder}/art-{article.key}.md", render_node(passport, f"# {article.label}\n\n{article.text}"))
    return file, topic.name or scent, missed


def _invalid(frame: Frame, article: Article) -> str:
    """How an article's passport says that it or its whole law was declared invalid, "" when neither was."""
    if own := article_invalid_since(article.text, article.reforms):
        return f"declarado inválido, DOF {spoken(own)}"
    return f"de ley declarada inválida, DOF {spoken(frame.invalid)}" if frame.invalid else ""


def _division(frame: Frame, path: tuple[Division, ...], folder: str, lines: Sequence[tuple[str, str]]) -> File:
    division = path[-1]
    name = division_name(path)
    numbers = [label.split(" ", 1)[-1].rstrip(". ") for label, _ in lines]
    span = (
        f"artículos {numbers[0]} a {numbers[-1]}"
        if len(numbers) > 1
        else f"artículo {numbers[0]}"
        if numbers
        else "sin artículos"
    )
    step = max(1, len(lines) // 7)
    matters = "; ".join(
        f"{number}: {first_words(line, 7).rstrip('…')}"
        for number, (_, line) in list(zip(numbers, lines, strict=True))[::step][:8]
    )
    where = ", ".join(division_label(part) for part in path)
    passport = Passport(
        id=f"{frame.id}/{folder}",
        kind="topic",
        title=cut_title(first_words(f"{frame.abbreviation}, {where}" + (f". {name}" if division.heading else ""), 40)),
        summary=shorten(f"{name}: {span}. {matters}", 60),
        scent=first_words(f"{name} ({span})", SCENT_WORDS + 6),
        tags=(frame.id,),
        text_state="consolidated",
        text_as_of=frame.law.text_as_of,
        source=frame.file,
    )
    heading = f"# {division.label}" + (f"\n\n{division.heading}" if division.heading else "")
    body = "\n\n".join((heading, *division.notes))
    return File(f"{frame.folder}/{folder}/index.md", render_node(passport, body))
