"""The nodes of institutions that issue publications.

Owns an institution's first text. It is written once, from the publications that came with it, and belongs to the
curators afterwards: one more publication changes nothing in it, and edges lead to it from the publications.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from curation.frame import File
from curation.gazette_nodes import INSTITUTIONS, institution_id
from curation.issuers import Issuer
from forest.passport import Passport, render_node

_MOST_ALIASES = 8


def institution_files(issuers: Iterable[Issuer]) -> Mapping[str, File]:
    """A node by slug for each institution of some publications; their order does not matter.

    An institution that is spelled in several ways has the commonest as its title, among equals the first by letters.
    """
    spellings: dict[str, Counter[str]] = {}
    aliases: dict[str, set[str]] = {}
    for issuer in issuers:
        spellings.setdefault(issuer.slug, Counter())[issuer.name] += 1
        aliases.setdefault(issuer.slug, set()).update(issuer.aliases)
    return {slug: _file(slug, counts, aliases[slug]) for slug, counts in sorted(spellings.items())}


def _file(slug: str, counts: Counter[str], aliases: Iterable[str]) -> File:
    title = min(counts, key=lambda name: (-counts[name], name))
    others = sorted({*aliases, *counts} - {title}, key=lambda name: (len(name), name))
    passport = Passport(
        id=institution_id(slug),
        kind="entity",
        title=title,
        summary=f"{title}: institución que emite actos en el Diario Oficial de la Federación.",
        scent=f"{title} y lo que emite en el DOF",
        tags=("institucion",),
        aliases=tuple(others[:_MOST_ALIASES]),
    )
    return File(f"{INSTITUTIONS}/{slug}.md", render_node(passport, f"# {title}"))
