"""Citations read beside their neighbours.

Owns the rules by which a citation without an instrument takes that of a neighbour, or loses the right to be read as
one of the text's own instrument: a wrong edge is worse than a missing one.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from forest.legal_names import NOUNS
from forest.legal_numbers import Words, ordinal_at
from forest.legal_owner import POINTING_BACK
from forest.legal_parts import CONJUNCTIONS, PART_HEADS
from forest.legal_reading import Found

# "los previstos en el Código X de la manera siguiente:" announces articles of X, "la Ley X, deberá:" does not.
_CONTENTS = frozenset("delito delitos manera articulos preceptos disposiciones supuestos".split())
_FEW_WORDS = 14
_LONGEST_SENTENCE_WORDS = 1500
_JOINING = frozenset(", ; asi como el la los las en del de con relacion relacionado relacionada concordancia".split())


def _only_joins(words: Words, first: int, end: int) -> bool:
    """Return whether nothing but conjunctions and names of parts stands between two citations."""
    joins = CONJUNCTIONS | PART_HEADS | _JOINING
    return end - first <= 14 and all(
        words.at(k) in joins or words.at(k) in (")", "ultimo", "primer", "tercer") or len(words.at(k)) == 1
        or words.raw(k).isupper() or ordinal_at(words, k) is not None
        for k in range(first, end)
    )  # fmt: skip


def _belongs_to_name_before(words: Words, before: Found, found: Found) -> bool:
    """Return whether a bare citation is of the instrument named just before: "la LFT, en su artículo 76"."""
    if before.mention.articles or before.mention.relative or before.mention.scope not in ("named", "unknown_name"):
        return False
    between = [words.at(k) for k in range(before.last, found.first)]
    if between[:1] and between[0] in (",", ":", "(", "-"):
        between = between[1:]
    return between in ([], ["en", "su"], ["en", "sus"], ["su"], ["sus"], ["los"], ["el"])


def _of_a_name_soon_after(words: Words, bare: Found, after: Found) -> bool:
    """Return whether a bare citation may be of the instrument named a few words later.

    "artículo 73, fracción XXI, en materia de trata de personas, de la Ley X": what stands between is no part of an
    article, and only a reader of the whole sentence could say what `de` belongs to.
    """
    between = [words.at(k) for k in range(bare.last, after.first)]
    if after.mention.articles or after.mention.scope == "this" or len(between) > _FEW_WORDS:
        return False
    if between[:1] == ["."] and words.at(bare.last - 1) == "o":
        between = between[1:]  # "artículo 4o."
    linked = between[-1:] in (["de"], ["del"]) or between[-2:] in (["de", "la"], ["de", "las"], ["de", "los"])
    return linked and not {".", ";", ":"} & set(between)


def _of_something_after_an_aside(words: Words, bare: Found) -> bool:
    """Return whether an aside and then the instrument follow: "artículo 5, según sea el caso, del citado Código"."""
    if bare.mention.relative or words.at(bare.last) not in (",", "("):
        return False
    for k in range(bare.last + 1, bare.last + _FEW_WORDS):
        if words.at(k) in (".", ";", ":", ""):
            return False
        if words.at(k - 1) in (",", ")") and words.at(k) in ("de", "del"):
            owner = k + 1 + (words.at(k + 1) in ("la", "el", "los", "las"))
            return words.at(owner) in NOUNS or words.at(owner) in POINTING_BACK
    return False


def _owned_by_a_later_all(words: Words, found: list[Found]) -> set[int]:
    """Return the indices of bare citations in a sentence that ends in "todos de la Ley X" or "ambos del Código Y"."""
    out: set[int] = set()
    for i, item in enumerate(found):
        if item.mention.scope not in ("named", "unknown_name"):
            continue
        tail = range(item.first, item.last) if item.mention.articles else range(item.first - 5, item.first)
        if not any(words.at(k) in ("todos", "todas", "ambos", "ambas") for k in tail):
            continue
        for before in range(i - 1, -1, -1):
            if item.first - found[before].last > _LONGEST_SENTENCE_WORDS:
                break
            between = range(found[before].last, found[before + 1].first)
            if any(words.at(k) == "." and words.capital(k + 1) for k in between):
                break
            if found[before].mention.scope == "bare":
                out.add(before)
    return out


def _opens_a_foreign_list(words: Words, item: Found) -> bool:
    """Return whether what follows a name may list that instrument's articles by their numbers alone.

    "Del Código Penal Federal: a) Terrorismo, previsto en el artículo 139; b) …", or an item that begins "De la Ley
    Federal de Armas de Fuego, el delito previsto en el artículo 84 Bis". Nothing says where such a list ends.
    """
    if item.mention.articles or item.mention.scope not in ("named", "unknown_name"):
        return False
    before = item.first - 1 - (words.at(item.first - 1) in ("la", "el", "los", "las"))
    if words.at(before) in ("de", "del") and words.capital(before):
        return True
    about_contents = words.at(item.last) == ":"
    for k in range(item.last, item.last + 25):
        if words.at(k) in (":", ".", ";", ""):
            return words.at(k) == ":" and about_contents
        about_contents = about_contents or words.at(k) in _CONTENTS
    return False


def in_context(words: Words, found: list[Found], *, loose: bool = False) -> list[Found]:
    """Return the citations with each bare one read beside its neighbours.

    One that follows a name is of that instrument. One that is joined by a mere conjunction to a citation of another
    instrument could belong to either, so it is of neither; in a question, which has no text of its own that a bare
    number could be of, it stays bare (`loose`).
    """
    out: list[Found] = []
    for item in found:
        if out and item.mention.scope == "bare" and not item.mention.relative:
            before = out[-1]
            if _belongs_to_name_before(words, before, item):
                owner = before.mention
                joined = replace(
                    item.mention, start=owner.start, scope=owner.scope, instruments=owner.instruments, name=owner.name
                )
                out[-1] = Found(joined, before.first, item.last)
                continue
        out.append(item)
    if loose:
        return out
    unclear: set[int] = set()
    for order in (range(1, len(out)), range(len(out) - 2, -1, -1)):
        for i in order:
            other = i - 1 if order.step == 1 else i + 1
            if out[i].mention.scope != "bare" or out[i].mention.relative or not out[other].mention.articles:
                continue
            left, right = min(i, other), max(i, other)
            foreign = out[other].mention.scope in ("named", "unknown_name") or other in unclear
            if foreign and _only_joins(words, out[left].last, out[right].first):
                unclear.add(i)
    unclear |= _owned_by_a_later_all(words, out)
    bare = [i for i, item in enumerate(out) if item.mention.scope == "bare"]
    unclear |= {i for i in bare if _of_something_after_an_aside(words, out[i])}
    for i, (item, after) in enumerate(pairwise(out)):
        if item.mention.scope == "bare" and not item.mention.relative and _of_a_name_soon_after(words, item, after):
            unclear.add(i)
    foreign_from = min((item.last for item in out if _opens_a_foreign_list(words, item)), default=len(words.folded))
    return [
        replace(item, mention=replace(item.mention, scope="unknown_name"))
        if i in unclear or (item.mention.scope == "bare" and item.mention.articles and item.first >= foreign_from)
        else item
        for i, item in enumerate(out)
    ]
