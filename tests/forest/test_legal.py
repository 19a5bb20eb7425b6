"""Citations as people and laws write them, each beside what is read in it. All names of laws but a few are invented."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.legal import (
    Mention,
    Named,
    NameRegister,
    aliases_of,
    article_key,
    find_citations,
    fold,
    former_names,
    identifiers,
    norm_codes,
)

CONSTITUTION = "Constitución Política de los Estados Unidos Mexicanos"
NUMBERS = tuple(str(n) for n in range(1, 200))


@pytest.fixture(scope="module")
def register() -> NameRegister:
    known = NameRegister()
    for instrument, title, abbreviation, more in (
        ("cpeum", CONSTITUTION, "CPEUM", ()),
        ("lft", "LEY Federal del Trabajo", "LFT", ("3-bis", "15-a", "15-b", "15-c", "unico")),
        ("lfd", "LEY Federal de Derechos", "LFD", ()),
        ("lgs", "LEY General de Salud", "LGS", ()),
        ("lamp", f"LEY de Amparo, Reglamentaria de los artículos 103 y 107 de la {CONSTITUTION}", "LAmp", ()),
        ("lp", "LEY de Puertos", "LP", ()),
        ("la", "LEY de Amnistía", "LA", ()),
        ("faros", "LEY de Faros, Boyas y Balizas", "LFBB", ()),
        ("faros-2", "LEY de Fomento de los Balnearios", "LFBB", ()),
    ):
        known.add(instrument, (*aliases_of(title), abbreviation), (*NUMBERS, *more))
    known.add("nom-035", ["NOM-035-STPS-2018"])
    return known


def only(text: str, register: NameRegister) -> Mention:
    mentions = find_citations(text, register)
    assert len(mentions) == 1, mentions
    return mentions[0]


# --- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("1o.", "1"),
        ("1º", "1"),
        ("1°", "1"),
        ("1.°", "1"),
        ("1", "1"),
        ("primero", "1"),
        ("Artículo 5o.-", "5"),
        ("3o. Bis", "3-bis"),
        ("3o Bis", "3-bis"),
        ("3 bis", "3-bis"),
        ("15-A", "15-a"),
        ("15 A", "15-a"),
        ("15A", "15-a"),
        ("1o.-A", "1-a"),
        ("279 Quáter", "279-quater"),
        ("103 Bis 1", "103-bis-1"),
        ("114 Bis-1", "114-bis-1"),
        ("212 Bis A", "212-bis-a"),
        ("27-Z-2", "27-z-2"),
        ("29-Ñ", "29-enie"),
        ("29-N", "29-n"),
        ("26-LL", "26-ll"),
        ("Décimo Segundo", "12"),
        ("decimosegundo", "12"),
        ("DUODÉCIMO", "12"),
        ("undécimo", "11"),
        ("vigésimo primero", "21"),
        ("vigesimoctavo", "28"),
        ("Nonagésimo Noveno", "99"),
        ("centésimo vigésimo tercero", "123"),
        ("ÚNICO", "unico"),
        ("3 y", None),
        ("14 a", None),
        ("primer", None),
        ("segundo décimo", None),
        ("IV", None),
        ("0", None),
        ("20-25-2", None),
        ("", None),
    ],
)
def test_all_ways_of_writing_an_article_number_have_one_key(label: str, key: str | None) -> None:
    assert article_key(label) == key


@given(st.text(st.sampled_from("0123456789oºª°.-– ABZñbister"), max_size=14))
def test_a_key_is_its_own_normal_form_and_fits_an_id(label: str) -> None:
    key = article_key(label)
    if key is not None:
        assert re.fullmatch("[a-z0-9-]+", key)
        assert article_key(key) == key


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_accents_case_and_punctuation_do_not_tell_names_apart() -> None:
    assert fold("LEY FEDERAL  DEL\nTRABAJO.") == fold("Ley Federal del Trábajo") == "ley federal del trabajo"
    assert fold("5º") == fold("5°") == fold("5o") == "5o"


# --- names ---------------------------------------------------------------------------------------------------------


def test_a_title_gives_only_safe_short_names() -> None:
    assert aliases_of('LEY de Faros, Boyas y Balizas (Antes "Ley de Faros")') == ("LEY de Faros, Boyas y Balizas",)
    assert aliases_of("LEY de Mareas, Reglamentaria del artículo 5o. Constitucional")[1] == "LEY de Mareas"
    assert "Constitución" in aliases_of("CONSTITUCIÓN Política de los Estados Unidos Mexicanos")
    assert aliases_of(" (Antes X) ") == ()


def test_a_title_says_what_the_law_was_called_before() -> None:
    assert former_names('LEY de Mareas (Antes "Ley Mareal")') == ("Ley Mareal",)
    assert former_names("LEY de Mareas (de 1990)") == ()


def test_codes_of_norms_are_read_with_hyphens_or_blanks() -> None:
    text = "nom 035 stps 2018, NMX-AA-006-SCFI-2010, NOM–001–SEMARNAT–2021 y la NOM-035"
    assert [code for _, _, code in norm_codes(text)] == [
        "NOM-035-STPS-2018",
        "NMX-AA-006-SCFI-2010",
        "NOM-001-SEMARNAT-2021",
        "NOM-035",
    ]


# --- citations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cited", "articles", "instruments"),
    [
        ("según el artículo 76 de la LFT, rige", "artículo 76 de la LFT", ("76",), ("lft",)),
        ("en los artículos 76 y 78 de la Ley Federal del Trabajo rige", None, ("76", "78"), ("lft",)),
        ("los ARTICULOS 20 Y 21 DE LA LEY FEDERAL DEL TRABAJO", None, ("20", "21"), ("lft",)),
        ("art. 15-A, fracción II, de la Ley Federal del Trabajo", None, ("15-a",), ("lft",)),
        ("conforme al artículo 123 constitucional", "artículo 123 constitucional", ("123",), ("cpeum",)),
        (f"como manda el 123 de la {CONSTITUTION}", f"123 de la {CONSTITUTION}", ("123",), ("cpeum",)),
        ("artículo 4o. de la Constitución Federal", None, ("4",), ("cpeum",)),
        ("artículos 10, 11 y 13 de la Ley de Amparo", None, ("10", "11", "13"), ("lamp",)),
        ("se adiciona un artículo 14 a la Ley General de Salud", None, ("14",), ("lgs",)),
        ("la Ley de Puertos, en su artículo 9", "Ley de Puertos, en su artículo 9", ("9",), ("lp",)),
        ("LFT art 76", "LFT art 76", ("76",), ("lft",)),
        ("artículo 8 del Título Segundo de la Ley de Puertos", None, ("8",), ("lp",)),
        ("artículo 8 de la citada Ley de Puertos", None, ("8",), ("lp",)),
        ("artículo 3 de la Ley de Faros, Boyas y Balizas.", None, ("3",), ("faros",)),
        ("artículos 5, 7 y 9, todos ellos de la Ley de Puertos", None, ("5", "7", "9"), ("lp",)),
        ("artículo 5 y demás relativos y aplicables de la Ley de Puertos", None, ("5",), ("lp",)),
        ("artículo 5, fracción III, segundo párrafo, de la Ley de Puertos", None, ("5",), ("lp",)),
        ("artículo 3 de la LFBB", None, ("3",), ("faros", "faros-2")),
        ("artículo 3 de la LA", None, ("3",), ("la",)),
    ],
)
def test_articles_of_a_named_instrument(
    text: str, cited: str | None, articles: tuple[str, ...], instruments: tuple[str, ...], register: NameRegister
) -> None:
    mention = only(text, register)
    assert (mention.scope, mention.articles, mention.instruments) == ("named", articles, instruments)
    if cited is not None:
        assert text[mention.start : mention.end] == cited


@pytest.mark.parametrize(
    "text",
    [
        "artículo 5o. de esta Ley",
        "artículo 5 de este Código",
        "artículo 5 del presente Reglamento",
        "artículo 5 del presente ordenamiento",
        "artículo 5, fracción III, segundo párrafo, de la presente Ley",
    ],
)
def test_this_instrument(text: str, register: NameRegister) -> None:
    mention = only(text, register)
    assert (mention.scope, mention.articles, mention.start, mention.end) == ("this", ("5",), 0, len(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("la Ley Federal de Dragones rige", "Ley Federal de Dragones"),
        ("la Ley Federal de Derechos de Autor Universitario", "Ley Federal de Derechos de Autor Universitario"),
        ("la Ley General de Salud Mental", "Ley General de Salud Mental"),
        ("el Código Penal para el Estado de Sonora", "Código Penal para el Estado de Sonora"),
        ("la Constitución Política del Estado de Jalisco", "Constitución Política del Estado de Jalisco"),
        ("el artículo 2 del Reglamento de la Ley General de Salud", "Reglamento de la Ley General de Salud"),
        ("el artículo 2 de dicha Ley", "dicha Ley"),
        ("el artículo 2 de la Ley", "Ley"),
        ("el artículo 2 del presente Decreto", "presente Decreto"),
        ("la Ley de Puertos de 1931", "Ley de Puertos"),
        ("la Ley de Puertos que se abroga", "Ley de Puertos"),
    ],
)
def test_a_name_that_goes_on_or_is_not_registered_is_unknown(text: str, name: str, register: NameRegister) -> None:
    mention = only(text, register)
    assert (mention.scope, mention.name, mention.instruments) == ("unknown_name", name, ())


@pytest.mark.parametrize(
    "text",
    ["la ley sobre vacaciones", "según la ley del trabajo", "la constitución de sociedades", "gas LP", "esta Ley rige"],
)
def test_common_words_name_no_instrument(text: str, register: NameRegister) -> None:
    assert find_citations(text, register) == ()


def test_each_article_of_a_distributive_list_has_its_own_law(register: NameRegister) -> None:
    first, second = find_citations("artículos 3 y 4 de la Ley de Puertos y 7 de la Ley de Amparo", register)
    assert (first.articles, first.instruments) == (("3", "4"), ("lp",))
    assert (second.articles, second.instruments) == (("7",), ("lamp",))


def test_parts_and_ranges_of_a_long_list(register: NameRegister) -> None:
    text = "artículos 5, fracciones I, II y último párrafo, 7, numeral 1; 8 a 10; y 15-A a 15-C, incisos a) y b)"
    mention = only(text, register)
    assert mention.articles == ("5", "7", "8", "10", "15-a", "15-c")
    assert mention.ranges == (("8", "10"), ("15-a", "15-c"))
    assert mention.detail == "fracciones I, II y último párrafo; numeral 1; incisos a) y b)"
    assert (mention.scope, mention.end) == ("bare", len(text))


@pytest.mark.parametrize(
    ("text", "articles"),
    [
        ("artículo 5, 30 días después", ("5",)),
        ("artículo 5 y 10% más", ("5",)),
        ("artículo 14 a la autoridad", ("14",)),
        ("artículo 3 y los demás", ("3",)),
        ("artículos 4 y 6; 2) el robo", ("4", "6")),
    ],
)
def test_not_every_number_after_an_article_is_an_article(
    text: str, articles: tuple[str, ...], register: NameRegister
) -> None:
    assert only(text, register).articles == articles


def test_transitory_articles_are_never_articles_of_the_law(register: NameRegister) -> None:
    text = "el artículo Segundo Transitorio del Decreto que reforma la Ley de Puertos"
    transitory, law = find_citations(text, register)
    assert (transitory.transitory, transitory.articles, transitory.scope) == (True, ("trans-2",), "unknown_name")
    assert (law.articles, law.instruments) == ((), ("lp",))
    assert only("artículos transitorios Tercero y Cuarto", register).articles == ("trans-3", "trans-4")


@pytest.mark.parametrize(
    ("text", "relative"),
    [
        ("el artículo anterior", -1),
        ("el artículo que antecede", -1),
        ("el precedente artículo", -1),
        ("el artículo inmediato anterior", -1),
        ("el artículo siguiente", 1),
    ],
)
def test_relative_articles(text: str, relative: int, register: NameRegister) -> None:
    mention = only(text, register)
    assert (mention.relative, mention.scope, text[mention.start :]) == (relative, "bare", text.removeprefix("el "))


@pytest.mark.parametrize(
    "text",
    [
        "ARTÍCULO 5.- Los puertos son libres.",
        "### Artículo 5\nLos puertos son libres.",
        "DOF 29-04-2004 ARTÍCULO 13 BIS 1. Los consejos",
        "Artículo recorrido (antes artículo 185)",
        "ARTÍCULOS SEGUNDO A SEXTO.- Se reforman",
        "Artículo Cuarto ……",
        "artículos 3605.00 de la tarifa",
    ],
)
def test_headings_and_former_numbers_are_no_citations(text: str, register: NameRegister) -> None:
    assert find_citations(text, register) == ()


@pytest.mark.parametrize(
    "text",
    [
        "el artículo 5 y el artículo 8 de la Ley de Puertos",
        "el artículo 46, fracción XV, en relación con el artículo 117 de la Ley de Puertos",
        "las fracciones I del artículo 8 y II del artículo 9, ambas de la Ley de Puertos",
        "Los previstos en la Ley de Puertos: a) Robo, previsto en el artículo 5",
        "De la Ley de Puertos, el delito previsto en el artículo 5",
        "el artículo 5, en materia de pesca con red, de la Ley de Puertos",
        "los artículos 5 o 6, según sea el caso, del ordenamiento citado",
        "los artículos 5, 6, 7 Publicado",
        "los artículos 5, segundo párrafo; IV. Los demás",
    ],
)
def test_a_bare_number_beside_another_law_belongs_to_neither(text: str, register: NameRegister) -> None:
    bare = next(m for m in find_citations(text, register) if m.articles)
    assert (bare.scope, bare.name, bare.instruments) == ("unknown_name", "", ())


_PIECES = st.sampled_from(
    (
        "artículo artículos art. 5 76 15-A 3o. Bis de la del esta Ley Federal Trabajo Puertos Constitución LFT todos "
        "fracción II inciso a) y , ; . : ( ) 20 a 25 primero segundo párrafo transitorio anterior constitucional "
        "NOM-035-STPS-2018 numeral 5.2 \n"
    ).split(" ")
)


@given(st.lists(_PIECES, max_size=40).map(" ".join))
def test_mentions_are_in_order_and_do_not_overlap_and_hold_their_numbers(text: str) -> None:
    known = NameRegister()
    known.add("lft", ["Ley Federal del Trabajo", "LFT"], NUMBERS)
    known.add("cpeum", aliases_of(CONSTITUTION), NUMBERS)
    end = 0
    for mention in find_citations(text, known):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end
        cited = text[mention.start : mention.end]
        assert cited == cited.strip()
        assert mention.name in cited
        for key in mention.articles:
            first = key.removeprefix("trans-").split("-")[0]
            assert first in cited or {"primero", "segundo"} & set(cited.split())


@given(st.text(max_size=200))
def test_no_text_is_too_strange_to_read(text: str) -> None:
    known = NameRegister()
    find_citations(text, known)
    identifiers(text, known)


@pytest.mark.parametrize(
    "piece",
    [
        "el 1 y ",
        "artículo 5, ",
        "ley ",
        "NOM-035, inciso a, b, ",
        "artículo 5, todos de la Ley X, ",
        "NOM-",
        "5 de la ",
    ],
)
def test_hostile_repetition_costs_no_more_than_its_length(piece: str, register: NameRegister) -> None:
    def seconds(part: str) -> float:
        spent = []
        for _ in range(3):  # the least counts, as noise only adds
            begun = time.process_time()
            find_citations(part, register)
            spent.append(time.process_time() - begun)
        return min(spent)

    # Quadratic work would take sixteen times as long; the margin is for a noisy machine.
    assert seconds(piece * 1600) < 9 * seconds(piece * 400) + 0.1


# --- questions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("articulo 76 de la ley federal del trabajo", Named(articles=(("lft", "76"),), instruments=("lft",))),
        ("¿qué dice el art 76 de la lft?", Named(articles=(("lft", "76"),), instruments=("lft",))),
        ("vacaciones, artículo 76 LFT", Named(articles=(("lft", "76"),), instruments=("lft",))),
        ("¿y el 123 constitucional?", Named(articles=(("cpeum", "123"),), instruments=("cpeum",))),
        ("artículo 2000 de la LFT", Named(missing=(("lft", "2000"),), instruments=("lft",))),
        ("artículo 76", Named(bare=("76",))),
        ("artículo 76 de la ley", Named(bare=("76",))),
        ("ley federal de dragones", Named(unknown=("ley federal de dragones",))),
        ("¿Qué dice la Ley Federal de Dragones?", Named(unknown=("Ley Federal de Dragones",))),
        ("ley general de salud mental", Named(unknown=("ley general de salud mental",))),
        ("¿qué dice la ley sobre vacaciones?", Named()),
        ("¿y según la ley del trabajo?", Named()),
        ("artículo 3 de la LFBB", Named(ambiguous=(("LFBB", ("faros", "faros-2")),))),
        ("NOM-035-STPS-2018, numeral 5.2", Named(instruments=("nom-035",), norms=("NOM-035-STPS-2018",))),
        ("nom-999-stps-2018", Named(unknown=("NOM-999-STPS-2018",), norms=("NOM-999-STPS-2018",))),
        ("DOF 27-12-2022", Named(gazette_dates=("2022-12-27",))),
        ("el Diario Oficial de la Federación del 27 de diciembre de 2022", Named(gazette_dates=("2022-12-27",))),
        ("DOF 31-02-2022", Named()),
        ("¿cuánto cuesta el gas LP en la LA?", Named()),
    ],
)
def test_what_a_question_names(question: str, named: Named, register: NameRegister) -> None:
    found = identifiers(question, register)
    for field in ("articles", "missing", "instruments", "unknown", "ambiguous", "bare", "norms", "gazette_dates"):
        assert getattr(found, field) == getattr(named, field), field


@pytest.fixture(scope="module")
def typed() -> NameRegister:
    """A register of laws whose names people shorten, some of them alike."""
    known = NameRegister()
    for instrument, names in (
        ("cpeum", (*aliases_of(CONSTITUTION), "CPEUM")),
        ("lft", ("Ley Federal del Trabajo", "LFT")),
        ("cff", ("Código Fiscal de la Federación", "CFF")),
        ("lmar", ("Ley de Mares Nacionales", "LMar")),
        ("lgmar", ("Ley General de Mares", "LGMar")),
        ("lfaros", ("Ley Federal de Faros de Puerto y Boyas", "LN")),
        ("reg-faro", ("Reglamento del Faro de la República",)),
        ("lisfar", ("Ley del Instituto de Seguros de los Fareros", "LISFAR")),
        ("ling-2026", ("Ley de Ingresos del Faro para el Año de 2026",)),
        ("ccaza", ("Código de Caza",)),
    ):
        known.add(instrument, names, (*NUMBERS, "4-a", "29-a"))
    known.add("nom-035", ["NOM-035-STPS-2018"])
    return known


TELLING = ("articles", "missing", "unknown", "ambiguous", "bare")


def told(question: str, register: NameRegister) -> dict[str, tuple[object, ...]]:
    named = identifiers(question, register)
    return {field: getattr(named, field) for field in TELLING if getattr(named, field)}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("artículo 1 de la constitución española", "constitución española"),
        ("¿qué dice la Constitución española?", "Constitución española"),
        ("artículo 1 de la constitución de 1857", "constitución de 1857"),
        ("artículo 1 de la constitución de Jalisco", "constitución de Jalisco"),
        ("artículo 12 de la LGMar de Jalisco", "LGMar de Jalisco"),
        ("artículo 12 de la LFT de 1931", "LFT de 1931"),
        ("artículo 76 de la Ley Federal del Trabajo de 1931", "Ley Federal del Trabajo de 1931"),
        ("artículo 3 de la ley de mares de jalisco", "ley de mares de jalisco"),
        ("artículo 42 del código fiscal del estado de Nuevo León", "código fiscal del estado de Nuevo León"),
        ("artículo 42 del codigo fiscal del estado de nuevo leon", "codigo fiscal del estado de nuevo leon"),
        ("artículo 5 de la ley de profesiones", "ley de profesiones"),
        ("artículo 5 de la ley de profesiones en 2020", "ley de profesiones"),
        ("artículo 5 de la ley de profesiones que rige hoy", "ley de profesiones"),
        ("¿artículo 5 de la ley de datos personales según quién?", "ley de datos personales"),
        ("ley de profesiones artículo 5", "ley de profesiones"),
        ("artículo 5 de la ley de faros rojos", "ley de faros rojos"),
        ("artículo 5 del reglamento de la ley federal del trabajo", "reglamento de la ley federal del trabajo"),
        ("¿qué dice el reglamento de la LFT?", "reglamento de la LFT"),
        ("tratado de Tlatelolco artículo 1", "tratado de Tlatelolco"),
        ("ley del impuesto sobre la sal artículo 9", "ley del impuesto sobre la sal"),
        ("artículo 5 de la ley del infofaro", "ley del infofaro"),
        ("artículo 2 de la ley de ingresos 2025", "ley de ingresos 2025"),
    ],
)
def test_a_name_of_no_text_is_told_as_it_was_typed(question: str, name: str, typed: NameRegister) -> None:
    assert told(question, typed) == {"unknown": (name,)}


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("artículo 16 del reglamento del faro", ("reg-faro", "16")),
        ("artículo 16 del reglamento del faro obliga a los fareros", ("reg-faro", "16")),
        ("artículo 5 de la ley de faros de puerto", ("lfaros", "5")),
        ("artículo 5 del código fiscal", ("cff", "5")),
        ("artículo 5 del código fiscal mexicano", ("cff", "5")),
        ("artículo 5 de la ley del trabajo", ("lft", "5")),
        ("artículo 5 de la ley federal del trabajo de México", ("lft", "5")),
        ("artículo 5 de la Ley Federal del Trabajo vigente en 2019", ("lft", "5")),
        ("artículo 5 de la LFT en 2019", ("lft", "5")),
        ("artículo 4 de la constitución mexicana", ("cpeum", "4")),
        ("artículo 5 de la ley del isfar", ("lisfar", "5")),
        ("artículo 2 de la ley de ingresos 2026", ("ling-2026", "2")),
        ("artículo 4 A de la LFT", ("lft", "4-a")),
        ("articulo 4 a de la lft", ("lft", "4-a")),
        ("art. 20 LN", ("lfaros", "20")),
        ("art 5 LFT", ("lft", "5")),
        ("LFT 76", ("lft", "76")),
        ("CFF 29-A", ("cff", "29-a")),
        ("vacaciones LFT art 76", ("lft", "76")),
        ("CPEUM art 123", ("cpeum", "123")),
        ("qué dice 123 CPEUM", ("cpeum", "123")),
        ("constitucion art 123", ("cpeum", "123")),
        ("numeral 19 de la LFT", ("lft", "19")),
        ("artículo ciento veintitrés constitucional", ("cpeum", "123")),
        ("artículo cuarenta y cinco de la lft", ("lft", "45")),
    ],
)
def test_a_name_is_known_by_what_people_keep_of_it(
    question: str, article: tuple[str, str], typed: NameRegister
) -> None:
    assert told(question, typed) == {"articles": (article,)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("artículo 3 de la Ley de Mares", {"ambiguous": (("Ley de Mares", ("lgmar", "lmar")),)}),
        ("artículo 0 de la LFT", {"missing": (("lft", "0"),)}),
        ("artículo 999999 de la LFT", {"missing": (("lft", "999999"),)}),
        ("artículos 1 a 5000 de la LFT", {"articles": (("lft", "1"),), "missing": (("lft", "5000"),)}),
        ("artículos 74-A de la LFT", {"missing": (("lft", "74-a"),)}),
        ("art. 20 LN y art. 999 LN", {"articles": (("lfaros", "20"),), "missing": (("lfaros", "999"),)}),
        ("artículo 45 de la LFT y artículo 46", {"articles": (("lft", "45"), ("lft", "46"))}),
        ("artículo 45 y el artículo 46 de la LFT", {"articles": (("lft", "45"), ("lft", "46"))}),
        ("artículo 45 de la LFT y el 46 de dicha ley", {"articles": (("lft", "45"), ("lft", "46"))}),
        ("LFT 76 y 80", {"articles": (("lft", "76"), ("lft", "80"))}),
        ("arts 74,75 LFT", {"articles": (("lft", "74"), ("lft", "75"))}),
        ("art. 74/75 LFT", {"articles": (("lft", "74"), ("lft", "75"))}),
        ("la LFT, ¿y el artículo 5 del reglamento?", {"bare": ("5",)}),
        ("LFT, CFF y artículo 5", {"bare": ("5",)}),
        ("la NOM-035-STPS-2018 y el artículo 5", {"bare": ("5",)}),
        (
            "artículo 5 de la ley de profesiones y el artículo 8 de la LFT",
            {"articles": (("lft", "8"),), "unknown": ("ley de profesiones",)},
        ),
        ("LFT 2019", {}),
        ("LFT 40 horas", {}),
        ("la constitución de una sociedad anónima", {}),
        ("La Constitución protege a los trabajadores", {}),
    ],
)
def test_nothing_that_a_question_names_is_dropped(
    question: str, expected: dict[str, object], typed: NameRegister
) -> None:
    assert told(question, typed) == expected


@pytest.mark.parametrize("question", ["artículos 74-76 de la LFT", "arts. 74 - 76 LFT", "artículos 74 a 76 de la LFT"])
def test_a_hyphen_between_two_articles_makes_a_range(question: str, typed: NameRegister) -> None:
    assert sorted(identifiers(question, typed).articles) == [("lft", "74"), ("lft", "75"), ("lft", "76")]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("artículo 51 fracción XL inciso z) de la LFT", [("51", "fraccion", "XL"), ("51", "inciso", "z")]),
        ("fracción VII del artículo 51 de la LFT", [("51", "fraccion", "VII")]),
        ("artículo 51 fracción 7 de la lft", [("51", "fraccion", "VII")]),
        ("artículo 51 de la LFT, fracciones I a III", [("51", "fraccion", label) for label in ("I", "II", "III")]),
        ("artículo 27 fracción II Bis de la LFT", [("27", "fraccion", "II-bis")]),
        ("artículo 27 de la LFT párrafo décimo", [("27", "parrafo", "10")]),
        ("primer y último párrafos del artículo 14 LFT", [("14", "parrafo", "1"), ("14", "parrafo", "ultimo")]),
        ("apartado D del artículo 12 de la LFT", [("12", "apartado", "D")]),
        (
            "inciso a) de la fracción II del artículo 28 de la LFT y segundo párrafo del artículo 5 de la LFT",
            [("28", "inciso", "a"), ("28", "fraccion", "II"), ("5", "parrafo", "2")],
        ),
        ("artículos 5 fracción II y 7 numeral 4 de la LFT", [("5", "fraccion", "II"), ("7", "numeral", "4")]),
        ("artículo 999 fracción II de la LFT", []),
        ("artículo 5 fracción II", []),
    ],
)
def test_parts_of_articles_that_a_question_names(
    question: str, parts: list[tuple[str, str, str]], typed: NameRegister
) -> None:
    assert identifiers(question, typed).parts == tuple(("lft", *part) for part in parts)


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("segundo transitorio de la LFT", ("trans-2",)),
        ("transitorio segundo de la lft", ("trans-2",)),
        ("décimo transitorio de la LFT", ("trans-10",)),
        ("2o transitorio de la LFT", ("trans-2",)),
        ("transitorios segundo y tercero de la LFT", ("trans-2", "trans-3")),
        ("artículo segundo transitorio de la LFT", ("trans-2",)),
    ],
)
def test_transitory_articles_need_no_word_article(question: str, keys: tuple[str, ...], typed: NameRegister) -> None:
    (mention,) = identifiers(question, typed).mentions
    assert (mention.articles, mention.instruments, told(question, typed)) == (keys, ("lft",), {})


def test_names_that_begin_alike_come_in_order_and_not_more_than_asked_for(typed: NameRegister) -> None:
    assert dict(typed.names_beginning("ley de mares", 5)) == {"ley de mares nacionales": ("lmar",)}
    assert dict(typed.names_beginning("ley de mar", 5)) == {}
    assert list(typed.names_beginning("ley", 2)) == sorted(typed.names_beginning("ley", 50))[:2]


def test_a_register_that_knows_no_beginnings_is_asked_for_whole_names_only(typed: NameRegister) -> None:
    class Whole:
        names = staticmethod(typed.names)
        has_article = staticmethod(typed.has_article)

    assert identifiers("artículo 3 de la ley de mares", Whole()).ambiguous == (("ley de mares", ("lgmar", "lmar")),)
    assert identifiers("artículo 5 de la ley de faros de puerto", Whole()).unknown == ("ley de faros de puerto",)


@pytest.mark.parametrize("piece", ["artículo 5 de la ley de x ", "fracción II del ", "numeral 1, ", "transitorio 2, "])
def test_hostile_questions_cost_no_more_than_their_length(piece: str, typed: NameRegister) -> None:
    def seconds(question: str) -> float:
        begun = time.process_time()
        identifiers(question, typed)
        return time.process_time() - begun

    assert seconds(piece * 1600) < 9 * seconds(piece * 400) + 0.1


@given(st.lists(_PIECES, max_size=40).map(" ".join))
def test_citations_of_a_question_are_in_order_and_do_not_overlap(question: str) -> None:
    known = NameRegister()
    known.add("lft", ["Ley Federal del Trabajo", "LFT"], NUMBERS)
    known.add("cpeum", aliases_of(CONSTITUTION), NUMBERS)
    end = 0
    for mention in identifiers(question, known).mentions:
        assert end <= mention.start < mention.end <= len(question)
        end = mention.end


def test_a_range_in_a_question_names_every_number_between(register: NameRegister) -> None:
    found = identifiers("artículos 20 a 23 de la LFT", register)
    assert sorted(key for _, key in found.articles) == ["20", "21", "22", "23"]


def test_the_numeral_of_a_norm_is_its_detail(register: NameRegister) -> None:
    for text in ("NOM-035-STPS-2018, numeral 5.2", "numeral 5.2 de la Norma Oficial Mexicana NOM-035-STPS-2018"):
        mention = only(text, register)
        assert (mention.detail, mention.instruments, mention.end) == ("numeral 5.2", ("nom-035",), len(text))


def test_names_are_asked_for_in_one_call(register: NameRegister) -> None:
    class Counting(NameRegister):
        calls = 0

        def names(self, folded):  # type: ignore[no-untyped-def]
            self.calls += 1
            return register.names(folded)

    counting = Counting()
    assert len(find_citations("artículo 5 de la Ley de Puertos y artículo 6 de la Ley de Amparo", counting)) == 2
    assert counting.calls == 1
