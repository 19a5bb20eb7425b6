"""Values: what counts as one, what equals what, and where values stand in a text."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forest.days import MONTHS
from forest.values import (
    Kind,
    Value,
    find_values,
    holds_value,
    parse_value,
    same_amount,
    same_value,
)

ONES = "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis".split()
ONES += "diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco".split()
ONES += "veintiséis veintisiete veintiocho veintinueve".split()
TENS = "_ _ _ treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
HUNDREDS = "_ ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos".split()
HUNDREDS += ["novecientos"]


def spell(number: int) -> str:
    """Return a number from 0 to 10**12 - 1 in Spanish words."""
    if number < 30:
        return ONES[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return TENS[ten] + (f" y {ONES[one]}" if one else "")
    if number == 100:
        return "cien"
    if number < 1000:
        hundred, rest = divmod(number, 100)
        return HUNDREDS[hundred] + (f" {spell(rest)}" if rest else "")
    if number < 10**6:
        thousands, rest = divmod(number, 1000)
        return (f"{short(thousands)} mil" if thousands > 1 else "mil") + (f" {spell(rest)}" if rest else "")
    millions, rest = divmod(number, 10**6)
    return (f"{short(millions)} millones" if millions > 1 else "un millón") + (f" {spell(rest)}" if rest else "")


def short(number: int) -> str:
    """Return a number as it stands before what is counted: `veintiún`, `treinta y un`."""
    words = spell(number)
    if words.endswith("veintiuno"):
        return words.removesuffix("uno") + "ún"
    return words.removesuffix("o") if words.endswith("uno") else words


NUMBERS = st.one_of(st.integers(0, 3000), st.integers(0, 10**6), st.integers(0, 10**9))
CENTS = st.integers(0, 10**11 - 1).map(lambda n: Decimal(n) / 100)
DAYS = st.dates(date(1824, 1, 1), date(2099, 12, 31))


@given(NUMBERS)
def test_a_number_in_words_is_the_number(number: int) -> None:
    assert parse_value(spell(number), "number") == Value("number", Decimal(number))


@given(NUMBERS.filter(lambda number: number != 1))  # "un trabajador" counts nobody
def test_a_number_in_words_is_found_whole(number: int) -> None:
    text = f"se fijan {short(number)} trabajadores en total"
    found = find_values(text)
    assert [one.value for one in found] == [Value("quantity", Decimal(number), "worker")]
    assert text[found[0].start : found[0].end] == f"{short(number)} trabajadores"


def renderings_of_money(amount: Decimal) -> list[str]:
    pesos, cents = divmod(int(amount * 100), 100)
    noun = "peso" if pesos == 1 else "de pesos" if pesos and pesos % 10**6 == 0 else "pesos"
    words = f"{short(pesos)} {noun} {cents:02d}/100 M.N."
    grouped = f"{amount:,.2f}"
    return [
        f"${grouped}", f"$ {grouped} M.N.", f"{grouped} pesos", f"{grouped.replace(',', ' ')} pesos",
        f"{grouped.replace(',', chr(0x2009))} pesos", words, words.upper(), f"${grouped} ({words})",
        f"{grouped} moneda nacional", f"$\u00a0{grouped}\u00a0pesos", f"MXN {amount:.2f}", f"${amount:.2f} MXN",
    ]  # fmt: skip


@given(CENTS)
def test_every_writing_of_a_sum_of_money_is_the_same_value(amount: Decimal) -> None:
    for text in renderings_of_money(amount):
        assert parse_value(text) == Value("money", amount, "MXN"), text


@given(CENTS, CENTS, st.integers(0, 11), st.integers(0, 11))
def test_different_sums_of_money_are_never_the_same(a: Decimal, b: Decimal, i: int, j: int) -> None:
    first, second = parse_value(renderings_of_money(a)[i]), parse_value(renderings_of_money(b)[j])
    assert first is not None
    assert second is not None
    assert same_value(first, second) == (a == b)


def renderings_of_day(day: date) -> list[str]:
    month, first = MONTHS[day.month - 1], "primero" if day.day == 1 else str(day.day)
    return [
        day.isoformat(), f"{day:%d/%m/%Y}", f"{day:%d-%m-%Y}", f"{day.day}/{day.month}/{day.year}", f"{day:%d.%m.%Y}",
        f"{day.day} de {month} de {day.year}", f"{first} de {month.upper()} del {day.year}",
        f"el {first} de {month} de {day.year}", f"{day.day}o. de {month} del año {day.year}",
        f"{short(day.day)} de {month} de {spell(day.year)}", f"DOF {day:%d/%m/%Y}",
        f"{day.day}\u00a0de\u00a0{month}\u00a0de\u00a0{day.year}", f"{day.day}-{month[:3]}-{day.year}",
    ]  # fmt: skip


@given(DAYS)
def test_every_writing_of_a_day_is_the_same_value(day: date) -> None:
    for text in renderings_of_day(day):
        assert parse_value(text) == Value("date", day=(day.year, day.month, day.day)), text


@pytest.mark.parametrize(
    ("text", "kind", "amount", "unit"),
    [
        ("1,234.56", "number", "1234.56", ""),
        ("1.5 millones", "number", "1500000", ""),
        ("un millón doscientos mil", "number", "1200000", ""),
        ("2 mil 300", "number", "2300", ""),
        ("mil doscientos millones", "number", "1200000000", ""),
        ("treinta y un", "number", "31", ""),
        ("veintiún", "number", "21", ""),
        ("diez y ocho", "number", "18", ""),
        ("12 (doce)", "number", "12", ""),
        ("ciento cinco punto cinco", "number", "105.5", ""),
        ("cero punto cero cinco", "number", "0.05", ""),
        ("medio", "number", "0.5", ""),
        ("tres y medio", "number", "3.5", ""),
        ("1½", "number", "1.5", ""),
        ("un octavo", "number", "0.125", ""),
        ("50 %", "percentage", "50", ""),
        ("13.0%", "percentage", "13", ""),
        ("trece por ciento", "percentage", "13", ""),
        ("0,28 por ciento", "percentage", "0.28", ""),
        ("cinco al millar", "percentage", "0.5", ""),
        ("200 veces la UMA", "quantity", "200", "UMA"),
        ("200 UMA", "quantity", "200", "UMA"),
        ("doscientas Unidades de Medida y Actualización", "quantity", "200", "UMA"),
        ("doscientas veces el valor diario de la Unidad de Medida y Actualización", "quantity", "200", "UMA"),
        ("200 veces el valor mensual de la UMA", "quantity", "200", "UMA_month"),
        ("cien veces el salario mínimo general vigente", "quantity", "100", "minimum_wage"),
        ("tres días hábiles", "quantity", "3", "business_day"),
        ("180 días naturales", "quantity", "180", "day"),
        ("12 (doce) días", "quantity", "12", "day"),
        ("12 días (doce días)", "quantity", "12", "day"),
        ("dieciocho meses", "quantity", "18", "month"),
        ("un año y medio", "quantity", "1.5", "year"),
        ("5 mg/L", "quantity", "5", "mg/L"),
        ("cinco miligramos por litro", "quantity", "5", "mg/L"),
        ("6.5 µg/m³", "quantity", "6.5", "µg/m3"),
        ("45 °C", "quantity", "45", "°C"),
        ("45ºC", "quantity", "45", "°C"),
        ("-5 °C", "quantity", "-5", "°C"),
        ("treinta metros cúbicos", "quantity", "30", "m3"),
        ("30 m3", "quantity", "30", "m3"),
        ("50 trabajadores", "quantity", "50", "worker"),
        ("décimo segundo", "ordinal", "12", ""),
        ("vigésima primera", "ordinal", "21", ""),
        ("12o.", "ordinal", "12", ""),
        ("XII", "ordinal", "12", ""),
        ("US$1'234,567.00", "money", "1234567", "USD"),
        ("cien dólares de los Estados Unidos de América", "money", "100", "USD"),
        ("1.5 millones de pesos", "money", "1500000", "MXN"),
        ("315 pesos con cuatro centavos", "money", "315.04", "MXN"),
        ("(Trescientos quince 04/100 M.N.)", "money", "315.04", "MXN"),
        ("cincuenta centavos", "money", "0.5", "MXN"),
        (
            "$10.8386 M.N. (DIEZ PESOS CON OCHO MIL TRESCIENTOS OCHENTA Y SEIS DIEZMILÉSIMOS MONEDA NACIONAL)",
            "money", "10.8386", "MXN",
        ),
    ],
)  # fmt: skip
def test_a_text_is_one_amount(text: str, kind: Kind, amount: str, unit: str) -> None:
    assert parse_value(text) == Value(kind, Decimal(amount), unit)
    assert parse_value(text.upper() if "m" not in unit.lower() else text, kind) == Value(kind, Decimal(amount), unit)


@pytest.mark.parametrize("text", ["1/3", "un tercio", "la tercera parte", "una tercera parte"])
def test_a_third_is_exact(text: str) -> None:
    assert parse_value(text) == Value("number", Fraction(1, 3))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("diciembre de 2025", (2025, 12, None)),
        ("mayo del año 2025", (2025, 5, None)),
        ("1 de febrero", (0, 2, 1)),
        ("1o. de mayo", (0, 5, 1)),
        ("año 2026", (2026, None, None)),
        ("2026", (2026, None, None)),
        ("a partir del primero de enero del año dos mil veintiséis", (2026, 1, 1)),
        ("27 (veintisiete) de diciembre de 2022", (2022, 12, 27)),
        ("a los veintiocho días del mes de agosto de mil novecientos treinta y cuatro", (1934, 8, 28)),
        ("31 de diciembre del ejercicio fiscal 2024", (2024, 12, 31)),
    ],
)
def test_a_date_may_be_partial(text: str, day: tuple[int, int | None, int | None]) -> None:
    assert parse_value(text) == Value("date", day=day)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("NOM-001-SEMARNAT-2021", "nom-001-semarnat-2021"),
        ("NOM–001–SEMARNAT–2021", "nom-001-semarnat-2021"),
        ("NOM 001 SEMARNAT 2021", "nom-001-semarnat-2021"),
        ("nom 001 semarnat 2021", "nom-001-semarnat-2021"),
        ("nom‑001‑semarnat‑2021", "nom-001-semarnat-2021"),
        ("la NOM-001-SEMARNAT- 2021", "nom-001-semarnat-2021"),
        ("PROY-NOM-001-SSA1-2021", "proy-nom-001-ssa1-2021"),
        ("artículo 76 de la LFT", "articulo 76 lft"),
        ("art. 76 LFT", "articulo 76 lft"),
        ("fracción II del artículo 76 de la LFT", "articulo 76 fraccion 2 lft"),
        ("Artículo 76, fracción II, de la LFT", "articulo 76 fraccion 2 lft"),
        ("artículo 123, apartado A, fracción XXIX", "articulo 123 apartado a fraccion 29"),
        ("fracción XXV", "fraccion 25"),
        ("inciso b)", "inciso b"),
        ("numeral 5.1.2", "numeral 5.1.2"),
        ("segundo párrafo", "parrafo 2"),
        ("párrafo segundo", "parrafo 2"),
        ("Quinto Transitorio", "transitorio 5"),
        ("ACDO.SA2.HCT.300322/90.P.DIR", "acdo-sa2-hct-300322-90-p-dir"),
    ],
)
def test_an_identifier_has_one_normal_form(text: str, normal: str) -> None:
    assert parse_value(text) == Value("identifier", text=normal)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("12 meses", "un año"),
        ("12 días", "12 días hábiles"),
        ("50 %", "la mitad"),
        ("315.04 pesos", "315.04 dólares"),
        ("315.04 pesos", "1,315.04 pesos"),
        ("315.04 pesos", "315.4 pesos"),
        ("200 UMA", "200 UMA mensuales"),
        ("enero de 2026", "1 de enero de 2026"),
        ("NOM-001-SEMARNAT-1996", "NOM-001-SEMARNAT-2021"),
        ("NOM-001", "NOM-001-SEMARNAT-2021"),
        ("artículo 76 de la LFT", "artículo 76 de la LSS"),
        ("artículo 7", "artículo 76"),
        ("12", "12o."),
        ("5 m", "5 m2"),
        ("1.234", "1,234"),
    ],
)
def test_near_is_not_the_same(a: str, b: str) -> None:
    first, second = parse_value(a), parse_value(b)
    assert first is not None
    assert second is not None
    assert not same_value(first, second)
    assert not holds_value(b, first)
    assert not holds_value(a, second)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "hola", "31/02/2022", "8.5.1", "41/2006", "315.04 pesos y 12 días", "m3", "1,2,3", "27/12/22", "9" * 50],
)  # fmt: skip
def test_some_texts_are_no_value(text: str) -> None:
    assert parse_value(text) is None


def test_values_are_found_in_order_and_longest_first() -> None:
    text = (
        "Artículo 76.- A partir del 1o. de enero de 2023 corresponden doce (12) días laborables; la multa será de "
        "50 a 250 veces la UMA, esto es, $5,187.00 (cinco mil ciento ochenta y siete pesos 00/100 M.N.), o el 13.5 % "
        "de dos terceras partes, según la NOM-035-STPS-2018."
    )
    assert [(text[one.start : one.end], one.value.kind) for one in find_values(text)] == [
        ("Artículo 76", "identifier"),
        ("1o. de enero de 2023", "date"),
        ("doce (12) días laborables", "quantity"),
        ("50", "quantity"),
        ("250 veces la UMA", "quantity"),
        ("$5,187.00 (cinco mil ciento ochenta y siete pesos 00/100 M.N.)", "money"),
        ("13.5 %", "percentage"),
        ("dos terceras partes", "number"),
        ("NOM-035-STPS-2018", "identifier"),
    ]


def test_the_first_end_of_a_range_has_the_unit_of_the_second() -> None:
    text = "multa de 50 a 250 veces la UMA o entre el cinco y el diez por ciento; 3-5 días"
    assert [one.value for one in find_values(text)] == [
        Value("quantity", Decimal(50), "UMA"),
        Value("quantity", Decimal(250), "UMA"),
        Value("percentage", Decimal(5)),
        Value("percentage", Decimal(10)),
        Value("quantity", Decimal(3), "day"),
        Value("quantity", Decimal(5), "day"),
    ]


def test_a_list_of_articles_holds_no_numbers() -> None:
    found = find_values("los artículos 76, 78 y 80 de la LFT y las fracciones I, II y IX; 30 días después")
    assert [one.value.text for one in found] == [
        "articulo 76", "articulo 78", "articulo 80 lft", "fraccion 1", "fraccion 2", "fraccion 9", "",
    ]  # fmt: skip
    assert found[-1].value == Value("quantity", Decimal(30), "day")


def test_emphasis_does_not_part_a_number_from_its_unit() -> None:
    assert [one.value for one in find_values("son **12** días y **$315.04**")] == [
        Value("quantity", Decimal(12), "day"),
        Value("money", Decimal("315.04"), "MXN"),
    ]


def test_una_vez_is_no_quantity() -> None:
    assert find_values("Una vez que una persona lo solicite, un trabajador lo hará.") == ()


PIECES = st.sampled_from(
    "12 doce días ( ) $ 315.04 1,234 pesos mil cien y de enero 2026 1o. un medio tercio tercera parte XII la "
    "NOM-035-STPS-2018 artículo 76 fracción II de la LFT % por ciento UMA veces , . / - ° m 3 27/12/2022 millones "
    "punto cero con centavos 04/100 M.N. a entre artículos año".split()
)


@given(st.lists(st.tuples(PIECES, st.sampled_from([" ", "", "\u00a0", "\n"]))))
def test_found_values_do_not_overlap_and_reproduce(pieces: list[tuple[str, str]]) -> None:
    text = "".join(piece + blank for piece, blank in pieces)
    last = 0
    for one in find_values(text):
        assert last <= one.start < one.end <= len(text)
        last = one.end
        if one.value.kind != "identifier":  # the member of a list has its head before the list
            alone = parse_value(text[one.start : one.end])
            assert alone is not None
            # The first end of a range has the unit of the second.
            assert same_amount(alone, one.value), text[one.start : one.end]


@given(st.lists(PIECES).map(" ".join), st.sets(st.sampled_from(["money", "date", "number", "quantity", "ordinal"])))
def test_asking_for_kinds_only_leaves_others_out(text: str, kinds: set[Kind]) -> None:
    assert find_values(text, kinds) == tuple(one for one in find_values(text) if one.value.kind in kinds)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    find_values(text)
    parse_value(text)


def test_a_name_is_held_as_whole_words() -> None:
    name = parse_value("la Secretaría del Trabajo", "name")
    assert name is not None
    assert holds_value("Lo emitió la SECRETARIA DE TRABAJO y Previsión Social.", name)
    assert not holds_value("Lo emitió la Subsecretaría del Trabajo.", name)
    assert not holds_value("Lo emitió la Secretaría del Trabajador.", name)


def test_names_are_never_found() -> None:
    assert find_values("la Secretaría de Economía", {"name"}) == ()


def test_an_amount_is_not_held_by_another_that_contains_its_figures() -> None:
    wage = parse_value("315.04 pesos")
    assert wage is not None
    assert not holds_value("El monto es de $1,315.04.", wage)
    assert not holds_value("El monto es de $315.045.", wage)
    assert not holds_value("| 2026 | 315.04 |", wage)
    assert holds_value("| 2026 | 315.04 |", wage, bare=True)
    assert holds_value("Serán TRESCIENTOS QUINCE PESOS CON CUATRO CENTAVOS diarios.", wage)


def test_a_bare_number_may_stand_for_an_amount_only_by_request() -> None:
    bare, days = parse_value("12"), parse_value("12 días")
    assert bare is not None
    assert days is not None
    assert not same_value(bare, days)
    assert same_amount(bare, days)


UNITS_OF_HOSTILITY = (
    "1", "123,", "1,", "cien ", "mil ", "1 ", "100 ", "(", "12 (", "y medio ", "1/", "A-1-", "artículo 1, ",
    "veces el ", "NOM-", "$", "décimo ", "1 de enero de ", "un millón ", "cero punto cero ",
    "artículos 1, fracción I, ",     "I, ", "*",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS_OF_HOSTILITY)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    find_values(text)
    parse_value(text)
    # A quadratic reading of 100,000 characters takes minutes; a linear one a second or two.
    assert time.process_time() - began < 20
