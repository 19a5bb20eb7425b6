"""What an article's text refers to. The law is invented: ten articles, a 3 bis, and three lettered ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.references import Reference, Unresolved, references
from forest.legal import NameRegister

ORDER = ("1", "2", "3", "3-bis", "4", "5", "6", "7", "8", "9", "9-a", "9-b", "9-c", "10")


def known() -> NameRegister:
    register = NameRegister()
    register.add("mareas", ["Ley de Mareas"], ORDER)
    register.add("puertos", ["Ley de Puertos"], [str(n) for n in range(1, 100)])
    register.add("faros", ["Ley de Faros"], ["1"])
    register.add("faros-viejos", ["Ley de Faros"], ["1"])
    return register


def read(text: str, here: str = "5") -> tuple[tuple[Reference, ...], tuple[Unresolved, ...]]:
    return references(text, instrument="mareas", order=ORDER, here=here, register=known())


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("lo dispuesto en el artículo 2 de esta Ley", ["mareas/art-2"]),
        ("lo dispuesto en el artículo 3o. Bis", ["mareas/art-3-bis"]),
        ("lo dispuesto en el artículo anterior", ["mareas/art-4"]),
        ("lo dispuesto en el artículo siguiente", ["mareas/art-6"]),
        ("los artículos 2 a 4", ["mareas/art-2", "mareas/art-4", "mareas/art-3", "mareas/art-3-bis"]),
        ("los artículos 9-A a 9-C de esta Ley", ["mareas/art-9-a", "mareas/art-9-c", "mareas/art-9-b"]),
        ("los artículos 7 a 9 de la Ley de Puertos", ["puertos/art-7", "puertos/art-9", "puertos/art-8"]),
        ("conforme a la Ley de Puertos", ["puertos"]),
        ("el artículo 5 de esta Ley y la Ley de Mareas", []),
        ("este artículo y el artículo 5", []),
    ],
)
def test_targets_of_a_text(text: str, targets: list[str]) -> None:
    resolved, unresolved = read(text)
    assert [reference.target for reference in resolved] == targets
    assert unresolved == ()


@pytest.mark.parametrize(
    ("text", "here", "reason", "wanted"),
    [
        ("la Ley de Dragones", "5", "unknown_instrument", "Ley de Dragones"),
        ("el artículo 3 de dicha Ley", "5", "unclear_instrument", "dicha Ley"),
        ("el artículo 1 de la Ley de Faros", "5", "ambiguous_instrument", "Ley de Faros"),
        ("el artículo 77", "5", "no_such_article", "77"),
        ("el artículo Segundo Transitorio de esta Ley", "5", "transitory", "esta Ley"),
        ("el artículo anterior", "1", "relative_out_of_range", ""),
        ("el artículo siguiente", "10", "relative_out_of_range", ""),
        ("el artículo 2", "trans-1", "outside_articles", ""),
        ("los artículos 4 a 2", "5", "range_unreadable", "4..2"),
        ("los artículos 1 a 90 de la Ley de Puertos", "5", "range_too_long", "1..90"),
    ],
)
def test_reasons_why_a_citation_has_no_target(text: str, here: str, reason: str, wanted: str) -> None:
    _, (unresolved,) = read(text, here)
    assert (unresolved.reason, unresolved.wanted) == (reason, wanted)
    assert text[unresolved.start : unresolved.end] == unresolved.basis


def test_one_reference_for_each_target_with_the_first_words_that_make_it() -> None:
    text = "según el artículo 2, fracción I, y luego el artículo 2 de esta Ley"
    (reference,), _ = read(text)
    assert (reference.basis, reference.detail) == ("artículo 2, fracción I", "fracción I")


def test_the_ends_of_a_range_that_is_too_long_are_still_references() -> None:
    resolved, _ = read("los artículos 1 a 90 de la Ley de Puertos")
    assert [reference.target for reference in resolved] == ["puertos/art-1", "puertos/art-90"]


def test_outside_a_law_only_names_are_resolved() -> None:
    text = "el artículo 2 de esta Ley y el artículo 3 de la Ley de Puertos"
    resolved, (unresolved,) = references(text, instrument="", order=(), here="", register=known())
    assert [reference.target for reference in resolved] == ["puertos/art-3"]
    assert unresolved.reason == "outside_articles"


_PIECES = st.sampled_from(
    "artículo artículos 2 5 3 Bis de esta Ley la Puertos Mareas y a anterior siguiente fracción I , . Segundo "
    "Transitorio  \n".split(" ")
)


@given(st.lists(_PIECES, max_size=30).map(" ".join), st.sampled_from(ORDER))
def test_a_basis_stands_in_the_text_and_a_target_exists_and_is_not_the_article_itself(text: str, here: str) -> None:
    register = known()
    resolved, unresolved = read(text, here)
    for found in (*resolved, *unresolved):
        assert text[found.start : found.end] == found.basis != ""
    targets = [reference.target for reference in resolved]
    assert len(targets) == len(set(targets))
    for target in targets:
        instrument, _, article = target.partition("/art-")
        assert target not in ("mareas", f"mareas/art-{here}")
        assert not article or register.has_article(instrument, article)
