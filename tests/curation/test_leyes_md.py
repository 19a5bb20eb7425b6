"""What the reader makes of an invented law in the Chamber's format, rule by rule."""

import os
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from curation.invalidity import article_invalid_since, law_invalid_since
from curation.law import Article, Law
from curation.readers import labels, leyes_md
from forest.legal import article_key

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


@pytest.mark.parametrize(
    "spelled",
    (
        "bis ter quater cuater quates quinquies quinties quintus quintis sexies sexties sextus sextis septies septimus "
        "septimis octies octavus octavis nonies novies nonus nonis novenus novenis decies undecies duodecies terdecies "
        "quaterdecies quindecies quinquiesdecies sexdecies sexiesdecies septdecies septiesdecies octodecies "
        "octiesdecies novodecies noniesdecies"
    ).split(),
)
def test_a_suffix_has_one_key_in_a_label_and_in_a_citation(spelled: str) -> None:
    number = labels.parse_label(f"Artículo 7o. {spelled.capitalize()}")
    assert number is not None
    assert number.key == article_key(f"artículo 7 {spelled}") == f"7-{spelled}"


def test_articles_may_be_numbered_in_roman_numerals() -> None:
    law = read("### Artículo I\n.- Uno.\n\n### Artículo II\n.- Dos.\n\n### Artículo IV Bis\n.- Más.\n")
    assert [(a.key, a.label) for a in law.articles] == [
        ("1", "Artículo I"),
        ("2", "Artículo II"),
        ("4-bis", "Artículo IV Bis"),
    ]


def test_rows_of_a_table_stay_together_and_an_annex_apart() -> None:
    law = read(
        "### Artículo 1\n.- Las cuotas son:\n\n| Prado | Cuota |\n|---|---|\n| 1 | 5 |\n\n## Anexo\n\nLista de prados\n"
    )
    assert law.articles[0].text.split("\n\n") == [
        "Las cuotas son:",
        "| Prado | Cuota |\n|---|---|\n| 1 | 5 |",
        "Anexo",
        "Lista de prados",
    ]


def test_the_end_of_the_law_is_found_where_no_article_has_a_heading() -> None:
    law = read(
        "Decreta: LEY X ARTICULO 1o.- Uno. ARTICULO 2o.- Dos.\n\n## TRANSITORIO\n\nUNICO.- Esta Ley rige desde hoy.\n"
    )
    assert [a.text for a in law.articles] == ["Uno.", "Dos."]
    assert [t.text for t in law.decrees[0].transitories] == ["Esta Ley rige desde hoy."]


@pytest.mark.parametrize(
    ("end", "texts"),
    [
        ("Transitorios\n\n, en leyes y convenios, se leerán así.", []),
        (
            "**Primero.** El primer\n\n## Transitorio\n\nrige desde hoy.\n\n**Segundo.** Y este.",
            ["El primer", "Y este."],
        ),
        ("de la Ley X\n\n**Único.** Rige desde hoy.", ["Rige desde hoy."]),
        ("DEL DECRETO POR EL QUE SE EXPIDE LA LEY\n\n**Único.** Rige desde hoy.", ["Rige desde hoy."]),
        (
            "**Único.** Rige desde hoy. SALÓN DE SESIONES DE LA CÁMARA.- México, a 2 de mayo de 1990.",
            ["Rige desde hoy."],
        ),
        ("**Único.** Rige desde hoy. Atentamente Sufragio Efectivo. No Reelección.", ["Rige desde hoy."]),
    ],
)
def test_only_what_is_ruled_is_a_transitory_article(end: str, texts: list[str]) -> None:
    head = "" if end.startswith("Transitorios") else "## TRANSITORIO\n\n"
    law = read(
        "### Artículo 1\n.- Uno.\n\nDECRETO por el que se reforma la Ley X.\n"
        f"Publicado en el Diario Oficial de la Federación el 1 de mayo de 1991\n\n{head}{end}\n"
    )
    assert [t.text.partition("\n")[0] for t in law.decrees[-1].transitories] == texts


def test_a_note_of_the_chamber_is_no_part_of_a_heading() -> None:
    law = read("## TITULO PRIMERO — Del riego Nota: Por Decreto DOF 01-05-2001 cambió.\n\n### Artículo 1\n.- Uno.\n")
    assert law.divisions[0][-1].heading == "Del riego"
    assert law.divisions[0][-1].notes == ("Nota: Por Decreto DOF 01-05-2001 cambió.",)


def test_a_heading_may_follow_a_word_that_ends_like_an_article() -> None:
    law = read("## TITULO PRIMERO — Del riego federal\n\nPERSONAL CAPITULO I De la tutela\n\n### Artículo 1\n.- Uno.\n")
    assert [d.segment for d in law.articles[0].divisions] == ["titulo-1", "capitulo-1"]
    law = read("## TITULO PRIMERO — De la Tutela CAPITULO I Del juez\n\n### Artículo 1\n.- Véase el CAPITULO II.\n")
    assert [(d.segment, d.heading) for d in law.articles[0].divisions] == [
        ("titulo-1", "De la Tutela"),
        ("capitulo-1", "Del juez"),
    ]


def test_a_stray_transitory_heading_does_not_end_the_law() -> None:
    law = read(
        "### Artículo 1\n.- Según el artículo Cuarto\n\n## Transitorio\n\nde la Ley de Acequias, se riega.\n\n"
        "### Artículo 2\n.- Dos.\n\n## TRANSITORIOS\n\n**Primero.** Rige desde hoy.\n"
    )
    assert [a.key for a in law.articles] == ["1", "2"]
    assert "Transitorio" in law.articles[0].text
    assert [t.key for t in law.decrees[0].transitories] == ["1"]


def test_a_transitory_heading_ends_the_law_where_its_numbers_do_not_go_on() -> None:
    law = read(
        "### Artículo 1\n.- Uno.\n\n## TRANSITORIOS\n\n### Artículo Primero\n.- Rige.\n\n### Artículo 2\n.- Cesa.\n"
    )
    assert [a.key for a in law.articles] == ["1"]


@pytest.mark.parametrize(
    ("note", "days"),
    [
        ("Tabla de cuotas reformada DOF 04-12-2023 | 1 | 5 |", [date(2023, 12, 4)]),
        ("Los prados 5 hectáreas reformados DOF 07-11-2025 y los montes.", [date(2025, 11, 7)]),
        ("Rige el texto publicado DOF 01-02-2001, 03-02-2002 en lo demás.", [date(2001, 2, 1), date(2002, 2, 3)]),
        ("Se rigen por la Ley de Acequias, publicada en el DOF 04-01-1994, los canales.", []),
        ("Por Decreto que reforma la Ley de Prados publicado en el DOF 05-01-1994 cambió.", [date(1994, 1, 5)]),
        ("De la pradería (sic DOF 01-04-1990) se dirá.", []),
    ],
)
def test_every_gazette_that_changed_an_article_is_among_its_reforms(note: str, days: list[date]) -> None:
    law = read(f"### Artículo 1\n.- Las cuotas son estas.\n\n{note}\n")
    assert list(law.articles[0].reforms) == days


def test_the_notes_above_a_law_are_kept_without_the_formulas() -> None:
    law = read(
        "TEXTO VIGENTE Nota de vigencia: El artículo 1 rige desde 2030. Al margen un sello que dice: Estados Unidos.\n"
        "ANA PRADO VEGA, Presidenta de los Estados Unidos, a sus habitantes sabed:\n\n### Artículo 1\n.- Uno.\n"
    )
    assert law.notes == (
        "Nueva Ley publicada en el Diario Oficial de la Federación el 1 de abril de 1990",
        "TEXTO VIGENTE",
        "Nota de vigencia: El artículo 1 rige desde 2030.",
    )


@pytest.mark.parametrize(
    ("note", "day"),
    [
        (
            "Declaración de invalidez total de esta Ley por Sentencia notificada 15-11-2018 y publicada DOF 30-05-2019",
            date(2019, 5, 30),
        ),
        (
            "Invalidez del Decreto DOF 02-03-2023 que expidió esta Ley, publicada el 24 de noviembre de 2023",
            date(2023, 11, 24),
        ),
        ("Declaratoria de invalidez del Decreto DOF 02-03-2023 que abrogó esta Ley, por Sentencia", None),
        ("Declaratoria de invalidez de artículos por Sentencia de la SCJN DOF 26-12-2025", None),
    ],
)
def test_only_a_whole_law_is_invalid(note: str, day: date | None) -> None:
    assert law_invalid_since((note,)) == day


@pytest.mark.parametrize(
    ("marks", "day"),
    [
        ("Artículo declarado inválido por sentencia de la SCJN DOF 07-12-2007", date(2007, 12, 7)),
        ("Artículo declarado inválido por sentencia de la SCJN DOF 07-12-2007 (En la porción normativa “y”)", None),
        ("Artículo declarado parcialmente inválido por sentencia de la SCJN DOF 07-12-2007", None),
        ("Artículo declarado inválido por sentencia DOF 07-12-2007\nArtículo reformado DOF 01-01-2009", None),
    ],
)
def test_only_a_whole_article_is_invalid(marks: str, day: date | None) -> None:
    found = article(read(f"### Artículo 1\n.- [Los prados se cercarán.]\n{marks}\n"), "1")
    assert article_invalid_since(found.text, found.reforms) == day


def test_article_numbers_may_have_five_digits() -> None:
    law = read("### Artículo 14999\n.- Uno.\n\n### Artículo 15000\n.- Dos.\n")
    assert [a.key for a in law.articles] == ["14999", "15000"]


def test_a_stop_on_its_own_line_belongs_to_the_label() -> None:
    assert read("### Artículo 1\n.\n\nLos prados.\n").articles[0].text == "Los prados."
    assert read("### Artículo 1\n...\n\nLos prados.\n").articles[0].text == "...\n\nLos prados."


def test_a_heading_without_number_goes_to_the_article_that_it_heads() -> None:
    law = read(
        "### Artículo 1\n.- Uno.\nArtículo reformado DOF 01-05-2001\nDe las Vacaciones\n\n### Artículo 2\n.- Dos son:\n"
        "Prados\n\n### Artículo 3\n.- Tres.\nSe deroga\n\n### Artículo 4\n.- Cuatro.\n"
    )
    assert [a.text.split("\n\n") for a in law.articles] == [
        ["Uno.", "Artículo reformado DOF 01-05-2001"],
        ["De las Vacaciones", "Dos son:", "Prados"],
        ["Tres.", "Se deroga"],
        ["Cuatro."],
    ]
