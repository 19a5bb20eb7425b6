"""What is counted or paid: currencies and units as Spanish legal texts name them, found after an amount.

Owns the table of units and their spellings. Units are not converted: a year is not 12 months, a working day is no day,
a kilometre is not 1,000 metres, because a rule that says one does not say the other.
"""

from __future__ import annotations

from forest.legal_numbers import Words, split_words

# unit: its spellings, `|` between; "(s)" marks a plural that adds an s.
_SPELLED = {
    "business_day": (
        "dia habil|dias habiles|dia laborable|dias laborables|dia laboral|dias laborales|dia de trabajo|dias de trabajo"
    ),
    "day": "dia natural|dias naturales|dias corridos|dia calendario|dias calendario|dia(s)",
    "fine_day": "dia(s) multa|dia(s) de multa",
    "wage_day": "dia(s) de salario|dia(s) de salario minimo|dia(s) de salario minimo general",
    "week": "semana(s)",
    "month": "mes|meses|mes calendario|meses calendario",
    "year": "ano(s)|ano(s) calendario",
    "hour": "hora(s)",
    "minute": "minuto(s)",
    "second": "segundos",
    "UMA": (
        "uma(s)|uma diaria|uma diarias|umas diarias|unidad de medida y actualizacion|"
        "unidades de medida y actualizacion|unidad de medida y actualizacion diaria|"
        "unidades de medida y actualizacion diarias"
    ),
    "UMA_month": "uma mensual|uma mensuales|umas mensuales|unidad de medida y actualizacion mensual",
    "UMA_year": "uma anual|uma anuales|umas anuales|unidad de medida y actualizacion anual",
    "UDI": "udi(s)|unidad de inversion|unidades de inversion",
    "minimum_wage": (
        "salario(s) minimo(s)|salario(s) minimo(s) general|salarios minimos generales|salario minimo general vigente|"
        "salarios minimos generales vigentes|smg|smgv"
    ),
    "percentage_point": "punto(s) porcentual|puntos porcentuales",
    "times": "vez|veces",
    "person": "persona(s)",
    "worker": "trabajador|trabajadora|trabajadores|trabajadoras|persona(s) trabajadora(s)",
    "inhabitant": "habitante(s)",
    "member": "integrante(s)|miembro(s)",
    "vote": "voto(s)",
    "deputy": "diputado(s)|diputada(s)|diputaciones",
    "senator": "senador|senadora|senadores|senadoras|senaduria(s)",
    "mm": "milimetro(s)",
    "cm": "centimetro(s)",
    "m": "metro(s)",
    "km": "kilometro(s)",
    "m2": "metro(s) cuadrado(s)",
    "km2": "kilometro(s) cuadrado(s)",
    "ha": "hectarea(s)",
    "m3": "metro(s) cubico(s)",
    "L": "litro(s)",
    "mL": "mililitro(s)",
    "mg": "miligramo(s)",
    "g": "gramo(s)",
    "kg": "kilogramo(s)|kilo(s)",
    "t": "tonelada(s)",
    "mg/L": "miligramo(s) por litro",
    "L/s": "litro(s) por segundo",
    "km/h": "kilometro(s) por hora",
    "m3/s": "metro(s) cubico(s) por segundo",
    "µg/m3": "microgramo(s) por metro cubico",
    "ppm": "parte(s) por millon",
    "°C": "grado(s) celsius|grado(s) centigrado(s)|grado(s) c",
    "degree": "grado(s)",
    "rpm": "revoluciones por minuto",
    "mA": "miliamper|miliamperes|miliampere|miliamperio(s)",
    "lx": "lux|luxes",
    "piece": "pieza(s)",
    "dB": "decibel|decibeles|decibelio(s)",
    "W": "watt(s)|vatio(s)",
    "kW": "kilowatt(s)|kilovatio(s)",
    "MW": "megawatt(s)|megavatio(s)",
    "V": "volt(s)|voltio(s)",
}
# After digits only, and never when glued to another letter.
_ABBREVIATED = {
    "mm": "mm", "cm": "cm", "m": "m", "km": "km", "m2": "m2|m 2", "km2": "km2", "ha": "ha|has", "m3": "m3",
    "L": "l|lt|lts", "mL": "ml", "mg": "mg", "g": "g|gr|grs", "kg": "kg|kgs", "t": "t|ton|tons",
    "hour": "h|hr|hrs", "minute": "min",
    "mg/L": "mg/l", "mg/kg": "mg/kg", "mg/m3": "mg/m3", "µg/m3": "μg/m3|ug/m3", "µg/L": "μg/l|ug/l", "L/s": "l/s",
    "m3/s": "m3/s", "m3/year": "m3/ano", "km/h": "km/h", "km/L": "km/l", "ppm": "ppm", "ppb": "ppb", "°C": "oc|o c",
    "dB": "db", "dB(A)": "db(a)", "W": "w", "kW": "kw", "MW": "mw", "kWh": "kwh", "MWh": "mwh", "GWh": "gwh", "V": "v",
    "kV": "kv", "Hz": "hz", "kHz": "khz", "MHz": "mhz", "Pa": "pa", "kPa": "kpa", "lx": "lux|luxes|lx",
    "rpm": "rpm", "mEq/L": "meq/l", "mOsm/L": "mosm/l", "mA": "ma",
    "g/L": "g/l", "mg/mL": "mg/ml", "g/m2": "g/m2", "kg/m3": "kg/m3", "g/km": "g/km",
    "percentage_point": "pp", "NMP/100 mL": "nmp/100 ml|nmp/100ml",
}  # fmt: skip
_CURRENCIES = {
    "MXN": "peso(s)|peso(s) mexicano(s)|peso(s) moneda nacional|moneda nacional|m.n.|m.n|m. n.|mn|mxn|mxp",
    "USD": (
        "dolar|dolares|dolar(es) americano(s)|dolar(es) estadounidense(s)|dolar(es) norteamericano(s)|usd|us dollars|"
        "dolar(es) de los estados unidos|dolar(es) de los estados unidos de america|dolar(es) de estados unidos|"
        "dolar(es) de los ee.uu.|dolar(es) de los ee.uu.a.|dolar(es) de los e.u.a.|dolar(es) de los eua"
    ),
    "EUR": "euro(s)|eur|€",
    "CAD": "dolar(es) canadiense(s)|cad",
    "GBP": "libra(s) esterlina(s)|gbp|£",
    "JPY": "yen|yenes|jpy",
}
# (words, currency) before digits
_PREFIXED = {
    "$": "MXN", "mx$": "MXN", "us$": "USD", "u.s.$": "USD", "usd": "USD", "usd$": "USD", "mxn": "MXN", "mxn$": "MXN",
    "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP",
}  # fmt: skip


def _spellings(forms: str) -> list[str]:
    """Return the spellings of a table's entry, the marked plurals all together: "metro(s) cuadrado(s)" is two."""
    out: list[str] = []
    for form in forms.split("|"):
        one = form.replace("(s)", "").replace("(es)", "")
        out += [one, form.replace("(s)", "s").replace("(es)", "es")]
    return list(dict.fromkeys(out))


def _table(units: dict[str, str]) -> dict[tuple[str, ...], str]:
    return {split_words(text).folded: unit for unit, forms in units.items() for text in _spellings(forms)}


_UNITS = _table(_SPELLED)
_SHORT_UNITS = _table(_ABBREVIATED)
_MONEY = _table(_CURRENCIES)
_BEFORE = {split_words(text).folded: currency for text, currency in _PREFIXED.items()}
# Words and signs that a sum of money can begin with, besides digits.
MONEY_STARTS = frozenset(key[0] for key in _BEFORE)
_FIRST = frozenset(key[0] for table in (_UNITS, _SHORT_UNITS, _MONEY) for key in table)
_LONGEST = max(len(key) for table in (_UNITS, _SHORT_UNITS, _MONEY) for key in table)
_LONGEST_PREFIX = max(map(len, _BEFORE))

# What "un" and "una" do not count: "una persona", "una vez que".
COUNTED = frozenset(("times", "person", "worker", "inhabitant", "member", "vote", "deputy", "senator", "piece"))

# "200 veces el valor diario de la UMA": words between `veces` and the unit that is meant.
_OF_TIMES = frozenset("el la los las del de valor vigente importe monto equivalente a diario diaria general".split())
_MOST_OF_TIMES = 8
_TIMES_OF = frozenset(("UMA", "UMA_month", "UMA_year", "UDI", "minimum_wage"))


def _longest(words: Words, i: int, table: dict[tuple[str, ...], str], limit: int) -> tuple[str, int] | None:
    for count in range(min(limit, len(words.folded) - i), 0, -1):
        unit = table.get(words.folded[i : i + count])
        end = i + count
        if unit and not (words.glued(end) and words.at(end)[:1].isalnum() and words.at(end - 1)[:1].isalnum()):
            return unit, end
    return None


def currency_before(words: Words, i: int) -> tuple[str, int] | None:
    """Return the currency whose sign begins at `i` before digits ("$", "US$", "USD") and the position after it."""
    found = _longest_prefix(words, i)
    return found if found and words.at(found[1])[:1].isdigit() else None


def _longest_prefix(words: Words, i: int) -> tuple[str, int] | None:
    for count in range(min(_LONGEST_PREFIX, len(words.folded) - i), 0, -1):
        currency = _BEFORE.get(words.folded[i : i + count])
        if currency:
            return currency, i + count
    return None


def currency_at(words: Words, i: int) -> tuple[str, int] | None:
    """Return the currency named at `i` after an amount and the position after its name."""
    return _longest(words, i, _MONEY, _LONGEST) if words.at(i) in _FIRST else None


def unit_at(words: Words, i: int, *, figures: bool) -> tuple[str, int] | None:
    """Return the unit named at `i` after an amount and the position after its name.

    Args:
        words: the text.
        i: where it should begin.
        figures: whether the amount is in digits, so that abbreviations count: "5 m" has metres, "cinco m" has none.
    """
    if words.at(i) not in _FIRST:
        return None
    found = _longest(words, i, _UNITS, _LONGEST)
    short = _longest(words, i, _SHORT_UNITS, _LONGEST) if figures else None
    best = max((one for one in (found, short) if one), key=lambda one: one[1], default=None)
    return _times_of(words, best[1]) or best if best and best[0] == "times" else best


def _times_of(words: Words, i: int) -> tuple[str, int] | None:
    """Return the unit of which `veces` before `i` counts, and the position after it."""
    j, period = i, ""
    while j < i + _MOST_OF_TIMES and (words.at(j) in _OF_TIMES or words.at(j) in ("mensual", "anual")):
        period = {"mensual": "_month", "anual": "_year"}.get(words.at(j), period)
        j += 1
    found = _longest(words, j, _UNITS, _LONGEST) if words.at(j) in _FIRST else None
    if found is None or found[0] not in _TIMES_OF:
        return None
    return (found[0] + period if found[0] == "UMA" else found[0]), found[1]


def names_unit(words: Words, unit: str) -> bool:
    """Return whether a text names a unit or currency anywhere: a question that asks "¿cuántos días…?" names `day`."""
    return any(
        found[0] == unit
        for i in range(len(words.folded))
        if words.at(i) in _FIRST
        for found in (_longest(words, i, _UNITS, _LONGEST), _longest(words, i, _MONEY, _LONGEST))
        if found
    )
