"""What the reader makes of an invented law in the Chamber's format, rule by rule."""

import os
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from curation.law import Article, Law
from curation.readers import leyes_md

LAWS = Path(__file__).parent / "laws"
PRADOS = LAWS / "LPE_ley_de_prados_de_ejemplo.md"


@pytest.fixture(scope="module")
def law() -> Law:
    return leyes_md.read(PRADOS.name, PRADOS.read_text(encoding="utf-8"))


def article(law: Law, key: str) -> Article:
    return next(a for a in law.articles if a.key == key)


def read(body: str, name: str = "LX_ley_x.md") -> Law:
    opening = "# LEY X\n\nNueva Ley publicada en el Diario Oficial de la Federación el 1 de abril de 1990\n\n"
    return leyes_md.read(name, opening + body)


def test_names_and_dates_come_from_the_text(law: Law) -> None:
    assert (law.abbreviation, law.title) == ("LPE", "Ley de Prados de Ejemplo")
    assert law.former_names == ("Ley de Pastizales de Ejemplo",)
    assert law.published == date(1990, 4, 1)
    assert law.text_as_of == date(2006, 1, 15)


def test_suffixes_that_spilled_over_return_to_their_label(law: Law) -> None:
    assert [a.key for a in law.articles] == ["1", "2", "2-bis", "3", "4-a", "5", "6"]


def test_an_article_without_heading_is_found_by_the_gap_it_fills(law: Law) -> None:
    assert article(law, "3").text.startswith("La asamblea fijará la cuota anual.")
    assert article(law, "2-bis").text == "Los turnos nocturnos pagarán media cuota."


def test_an_article_quoted_from_another_law_stays_in_the_text(law: Law) -> None:
    assert "Artículo 54.- Este precepto es de otra ley." in article(law, "4-a").text
    assert [c.rule for c in law.complaints if c.rule == "label-out-of-sequence"] == ["label-out-of-sequence"]


def test_reform_marks_stand_on_lines_of_their_own(law: Law) -> None:
    assert article(law, "2").text.split("\n\n") == [
        "El riego de los prados se hará por turnos de doce horas, salvo lo que dispone el artículo 4.",
        "Párrafo reformado DOF 01-05-2001, 15-01-2006",
        "Los turnos se sortearán en asamblea cada primavera.",
        "Artículo reformado DOF 28-04-1995",
    ]
    assert article(law, "2").reforms == (date(1995, 4, 28), date(2001, 5, 1), date(2006, 1, 15))


def test_headings_inline_become_divisions_of_what_follows(law: Law) -> None:
    assert article(law, "1").text == "La presente Ley tiene por objeto regular los prados comunales y su riego."
    assert [(d.segment, d.heading) for d in article(law, "2").divisions] == [
        ("titulo-1", "Principios Generales"),
        ("capitulo-1", "Del riego"),
    ]
    assert [d.segment for d in article(law, "4-a").divisions] == ["titulo-1", "capitulo-2"]
    assert [d.segment for d in article(law, "5").divisions] == ["titulo-11"]


def test_a_false_heading_returns_to_its_sentence(law: Law) -> None:
    assert "en los términos del Título Séptimo; de otra ley." in article(law, "4-a").text


def test_page_headers_are_removed_and_told(law: Law) -> None:
    assert all("DE EJEMPLO Artículo" not in a.text for a in law.articles)


def test_decrees_have_titles_dates_and_transitory_articles(law: Law) -> None:
    found = [(d.published, [t.key for t in d.transitories]) for d in law.decrees]
    assert found == [
        (date(1990, 4, 1), ["1", "2"]),
        (date(2006, 1, 15), ["1", "2"]),
        (date(2006, 1, 15), ["unico"]),
    ]
    assert law.decrees[1].title.startswith("DECRETO por el que se reforman los artículos 2o. y 6")
    assert "primer, segundo y tercer párrafos, y 6" in law.decrees[1].text


def test_signatures_are_no_part_of_the_last_transitory_article(law: Law) -> None:
    assert law.decrees[1].transitories[1].text == "Las multas impuestas antes se rigen por el texto anterior."
    assert law.decrees[1].closing.startswith("Ciudad de México, a 14 de diciembre de 2005.")


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("### Artículo 1390\nBis 10.- En el juicio", "1390-bis-10"),
        ("### Artículo 228\na bis.- Los certificados", "228-a-bis"),
        ("### Artículo 84\nSexíes. La Junta", "84-sexies"),
        ("### Artículo 29-Ñ\n. Los derechos", "29-enie"),
        ("### Artículo 27-Z-2\n. Los derechos", "27-z-2"),
        ("ARTICULO 1/o. El Ejército", "1"),
        ("### Artículo 45-Bis\n3.- Para operar", "45-bis-3"),
        ("### ARTÍCULO ÚNICO\n.- Se aprueba", "unico"),
        ("### ARTÍCULO TRIGÉSIMO\nSEGUNDO.- Se aprueba", "32"),
        ("### Artículo 7\n. A quien cometa", "7"),
        ("### Artículo 1\n°.- Por el contrato", "1"),
    ],
)
def test_labels_of_every_shape_have_their_key(label: str, key: str) -> None:
    assert [a.key for a in read(f"{label} una cosa.\n").articles] == [key]


def test_repealed_divisions_without_articles_are_kept() -> None:
    law = read(
        "### Artículo 1\n.- Uno.\n\n"
        "## Capítulo II\n(Se deroga)\nCapítulo derogado DOF 01-01-2000\n\n"
        "## Capítulo III — De lo demás\n\n"
        "### Artículo 2\n.- Dos.\n"
    )
    assert [path[-1].segment for path in law.divisions] == ["capitulo-2", "capitulo-3"]


def test_a_file_without_articles_is_refused() -> None:
    with pytest.raises(ValueError, match="no article"):
        read("Nada que ver.\n")


def words_of(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def words_kept(law: Law) -> Counter[str]:
    parts = [law.title, *law.former_names]
    parts += [f"{a.label} {a.text}" for a in law.articles]
    parts += [" ".join((p[-1].label, p[-1].heading, *p[-1].notes)) for p in law.divisions]
    for decree in law.decrees:
        parts += [decree.title, decree.text, decree.closing, *(f"{t.label} {t.text}" for t in decree.transitories)]
    return words_of(" ".join(parts))


def test_no_word_of_the_source_is_lost(law: Law) -> None:
    source = re.sub(r"(?m)^> .*$", "", PRADOS.read_text(encoding="utf-8"))
    lost = words_of(source) - words_kept(law)
    # The running header, the banner over the decrees, and the word that says which name is the former one.
    assert sum(lost.values()) <= len(
        "LEY Antes DE EJEMPLO DE EJEMPLO ARTÍCULOS TRANSITORIOS DE DECRETOS DE REFORMA".split()
    )


@pytest.mark.real_data
def test_real_laws_lose_at_most_a_handful_of_words() -> None:
    files = sorted((Path(os.environ["FOREST_REAL_DATA"]) / "dof" / "leyes_md").glob("*.md"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        law = leyes_md.read(file.name, text)
        source = re.sub(r"(?m)^> (?:Documento generado|Fuente: Cám).*$", "", text)
        # The converter parts `1a.` and `Vigésima`; the reader joins them again.
        source = re.sub(r"(?m)^(## .*?[A-Z\d]) — (?=[a-záéíóú])", r"\1", source)
        lost = words_of(source) - words_kept(law)
        headers = next((c for c in law.complaints if c.rule == "page-header-removed"), None)
        if headers:
            lost -= Counter({word: n * int(headers.where) for word, n in words_of(headers.words).items()})
        assert sum(lost.values()) <= 8, (file.name, lost.most_common(9))
