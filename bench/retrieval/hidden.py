"""Publications known by quotes, hidden in a forest: a copy of it that holds them too, each as a node of its quotes.

A node's title is the beginning of its first quote, and nothing in it looks at what is asked. Which publications a
forest holds already is for `bench.retrieval.standing` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.retrieval.quoted import Publication
from forest.commit import Batch, create_repository
from forest.config import CONFIG_NAME
from forest.errors import WrongUsage
from forest.history import ObjectReader, Snapshot, list_tree
from forest.passport import Passport, render_node
from forest.store import is_node_path
from forest.text import count_tokens

FOLDER = "citadas"
_TITLE_WORDS, _SCENT_WORDS, _SUMMARY_TOKENS = 18, 14, 60


def node_id(publication: Publication) -> str:
    """Return the id of the node that is made of a publication's quotes."""
    return f"dof-{publication.code}"


def hide(snapshot: Snapshot, made: Sequence[Publication], folder: Path) -> None:
    """Copy the nodes of a committed forest into a repository of its own, with a node for each publication, and commit.

    Args:
        snapshot: the forest.
        made: of which nodes are made.
        folder: of the new repository; made when missing, and must be empty.

    Raises:
        WrongUsage: the folder holds something, or the forest has a node in the place of one that is made.
    """
    if folder.exists() and any(folder.iterdir()):
        raise WrongUsage(f"{folder} is not empty.", "The forest is made in a folder of its own.")
    create_repository(folder)
    with Batch(folder) as batch, ObjectReader(snapshot.folder) as objects:
        for entry in list_tree(snapshot):
            if entry.path.startswith(f"{FOLDER}/"):
                raise WrongUsage(f"The forest has a folder {FOLDER} already.", "Name a forest without it.")
            if entry.plain and (is_node_path(entry.path) or entry.path == CONFIG_NAME):
                batch.put(entry.path, objects.read(entry.blob) or b"")
        for path, text in quoted_nodes(made).items():
            batch.put(path, text.encode())
        batch.commit("Publications known by quotes")


def quoted_nodes(made: Sequence[Publication]) -> dict[str, str]:
    """Return the nodes of publications that are known by quotes alone, by path; none for none."""
    if not made:
        return {}
    title = "Publicaciones del Diario Oficial de la Federación"
    above = Passport(id=FOLDER, kind="topic", title=title, summary=f"{title}.", scent=title)
    files = {f"{FOLDER}/index.md": render_node(above, f"# {title}")}
    return files | {f"{FOLDER}/{node_id(p)}.md": _node(p) for p in made}


def _node(publication: Publication) -> str:
    quotes = [quote for chunk in publication.quotes for quote in chunk]
    first, day = quotes[0].split(), f"{publication.published:%d-%m-%Y}"
    summary = first
    while count_tokens(" ".join(summary)) > _SUMMARY_TOKENS:
        summary = summary[:-1]
    passport = Passport(
        id=node_id(publication),
        kind="publication",
        title=_beginning(first, _TITLE_WORDS),
        summary=" ".join(summary),
        scent=f"DOF {day}: {_beginning(first, _SCENT_WORDS)}",
        published=publication.published,
        section=publication.section,
        text_state="as_published",
        source={"code": publication.code},
    )
    # Each chunk is a passage of its own, as it was; the heading has no words or numbers of any one.
    return render_node(passport, "\n\n".join("\n\n".join(("# Fragmento", *chunk)) for chunk in publication.quotes))


def _beginning(words: Sequence[str], count: int) -> str:
    return " ".join(words[:count]) + ("…" if len(words) > count else "")
