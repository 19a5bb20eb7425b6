"""What a question wants to be told: the kind of its answer, and the noun that says so.

Read from the question's words alone. `forest.kind` tells the coarse kinds that search ranks by; this tells the value
to be picked from a sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from forest.kind import kind_asked
from forest.text import fold
from forest.values import Kind, find_values

AskedKind = Literal["value", "node", "name", "words", "open"]
AnswerKind = Literal["amount", "date", "who", "name", "text", "list", "definition", "yes_no", "any"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted.

    Attributes:
        kind: `value` (a figure or date in a sentence); `node` (a text or body that a door leads to, told by its name);
            `name` (a name in a sentence: a place, a person); `words` (sentences); `open` (a value where a sentence has
            one, else the sentence: the noun does not tell).
        values: which kinds of value, for `value`.
        is_generic: whether the noun says no more than the kind of value ("monto", "plazo", "días").
        units: the units that fit ("day", "°C", "MXN"); empty when the question does not say.
        noun: the folded word that says what is wanted ("dependencia", "plazo"), "" when none does.
        many: whether several are wanted.
        computed: whether it must be computed from several values: a sum, a difference, the greatest of some.
        start: where in the question the words that ask stand.
        end: one past the clause that they begin: what is said of the thing wanted itself.
    """

    kind: AskedKind
    values: frozenset[Kind] = frozenset()
    units: frozenset[str] = frozenset()
    noun: str = ""
    is_generic: bool = False
    many: bool = False
    computed: bool = False
    start: int = 0
    end: int = 0


_TEXTS = (
    "norma|ley|codigo|reglamento|decreto|acuerdo|resolucion|programa|articulo|procedimiento|convenio|lineamientos?|"
    "disposicion|instrumento|documento|publicacion|aviso|circular|reglas|manual|metodo|anexo|tratado|criterio|contrato|"
    "titulo|concesion|fideicomiso|fondo|convocatoria|calendario|fe de erratas|nota aclaratoria|version|texto|oficio"
)
_BODIES = (
    "dependencia|autoridad|organismo|secretaria|comision|comite|laboratorio|unidad|empresa|instituto|direccion|"
    "institucion|banco|fiduciari[ao]|organo|oficina|entidad|area|subsecretaria|agencia|procuraduria|consejo|centro|"
    "sociedad|titular|concesionari[ao]|permisionari[ao]|coordinacion|administracion|delegacion|junta|camara|tribunal|"
    "grupo|subcomite|ministerio"
)
TEXT_NOUNS = re.compile(_TEXTS)
TIME = frozenset(("day", "business_day", "month", "year", "hour", "week", "minute"))
_MONEY = frozenset(("MXN", "USD", "EUR", "UMA", "minimum_wage", "UDI"))
_UNITS: tuple[tuple[str, frozenset[str]], ...] = (
    (r"dias?", frozenset(("day", "business_day"))),
    (r"meses|mes", frozenset(("month",))),
    (r"anos?", frozenset(("year",))),
    (r"horas?", frozenset(("hour",))),
    (r"semanas?", frozenset(("week",))),
    (r"minutos?", frozenset(("minute",))),
    (
        r"pag(?:a|an|ar|aba|aban|ando|o)|cobr(?:a|an|ar|aba|aban|ando)|cuesta|costaba|vale|valia|dinero|gana|ganaba",
        _MONEY,
    ),
    (
        r"pesos|montos?|importes?|cuotas?|precios?|tarifas?|costos?|salarios?|multas?|fianza|contraprestacion",
        _MONEY,
    ),
    (r"cada cuan(?:do|to)|plazos?|vigencia|duracion|antelacion|anticipacion|periodicidad|tiempo", TIME),
    (r"temperatura|grados?", frozenset(("°C",))),
)
_NUMERIC: frozenset[Kind] = frozenset(("money", "number", "percentage", "quantity"))
# "qué plazo", "cuál es el plazo", "indique el plazo"
_WH = (
    r"(?:(?:que|cual|cuales|cuyo|cuya)(?: (?:es|son|fue|fueron|era|sera|seria)(?: (?:el|la|los|las))?)?|"
    r"(?:determine|indique|senale|precise|diga|dime|digame|identifique|mencione|calcule|informe|especifique)(?: usted)?"
    r"(?: (?:el|la|los|las|cual es (?:el|la)))?)"
)

_AMOUNTS = (
    "montos?|importes?|cuotas?|precios?|tarifas?|costos?|salarios?|multas?|cantidad|garantia|contraprestacion|pago|fianza|"
    "derechos?|apoyo|valor|valores|tipo de cambio"
)
_MEASURES = (
    "plazos?|limites?|nivel|niveles|concentracion|dosis|umbral|superficie|distancia|altura|peso|volumen|velocidad|"
    "capacidad|edad|temperatura|vigencia|duracion|antelacion|anticipacion|periodicidad|maximo|minimo|tope|presion|"
    "frecuencia|numero de|margen|desgaste|humedad|tolerancia|espesor|diametro|profundidad|potencia|consumo|contenido|"
    "densidad|longitud|ancho|indice|factor|masa|rango|intervalo|tamano|cupo|aumento|incremento|diferencia"
)
_MARKS = (
    "clave|folio|codigo|numeral|registro|expediente|"
    "numero de (?:inscripcion|registro|expediente|titulo|oficio|folio|contrato|clave)"
)
_PLACES = "ciudad|municipio|estado|domicilio|lugar|sede|poblacion|puerto"
_NOT_COUNTED = "me|se|te|le|les|lo|la|nos|es|son|fue|hay|de|en|debe|puede|cuesta|vale|paga|cobra"
_PAID = (
    "paga|pagan|pagar|pagaba|pagaban|pagando|pago|cobra|cobran|cobrar|cobraba|cobraban|cobrando|cuesta|costaba|vale|"
    "valia|sale|salia|salen|dan|daban|dinero|gana|ganaba"
)
_WHEN = (
    r"\b(?:desde |hasta |a partir de |para )?(?<!cada )cuando\b|\bfecha\b|"
    rf"\b(?:en|desde|hasta|de|para|a partir de)? ?{_WH} (?:mismo )?(?:dia|fecha|mes|ano)\b(?! habil)"
)
_CALLED = (
    r"\bcomo se (?:llama|llamaba|llamo|denomina|denominaba)\b|"
    r"\b(?:que|cual) (?:es (?:el )?|era (?:el )?)?(?:otro )?nombre\b"
)
_DATE: frozenset[Kind] = frozenset(("date",))
_SHARE: frozenset[Kind] = frozenset(("percentage", "number"))
_MARK: frozenset[Kind] = frozenset(("identifier", "number"))
_NOTHING: frozenset[Kind] = frozenset()

# (pattern over the folded question, what it asks for, of which kinds); of several at one place the first counts.
_PATTERNS: tuple[tuple[str, AskedKind, frozenset[Kind]], ...] = (
    (
        _WHEN,
        "value",
        _DATE,
    ),
    (r"\b(?P<noun>cada cuan(?:do|to))\b", "value", _NUMERIC),
    (rf"\b(?:a|desde|hasta) {_WH} (?P<noun>horas?)\b", "value", _NUMERIC),
    (rf"\bcuant[oa]s? (?!(?:{_NOT_COUNTED})\b)(?P<noun>\w+)\b", "value", _NUMERIC),
    (rf"\bcuanto (?:\w+ ){{0,3}}?(?P<noun>{_PAID})\b", "value", _NUMERIC),
    (r"\bcuant[oa]s?\b", "value", _NUMERIC),
    (rf"\b{_WH} (?:\w+ )?(?P<noun>{_MARKS})\b", "value", _MARK),
    (rf"\b{_WH} (?P<noun>porcentaje|tasa|proporcion|por ciento)\b", "value", _SHARE),
    (rf"\b{_WH} (?P<noun>{_AMOUNTS})\b", "value", _NUMERIC),
    (rf"\b{_WH} (?:\w+ )?(?P<noun>{_MEASURES})\b", "value", _NUMERIC),
    (rf"\b{_WH} (?:\w+ )?(?P<noun>{_BODIES})s?\b", "node", _NOTHING),
    (
        _CALLED,
        "node",
        _NOTHING,
    ),
    (r"(?<!cada )\b(?:(?:a cargo de|ante|por|de|a|con) )?(?<!cada )quien(?:es)?\b", "node", _NOTHING),
    (rf"\b{_WH} (?:\w+ )?(?P<noun>{_TEXTS})(?:e?s)?\b", "node", _NOTHING),
    (rf"\b(?:en |a |de )?(?:donde|{_WH} (?P<noun>{_PLACES}))\b", "name", _NOTHING),
)
_COMPUTED = re.compile(
    r"\b(?:suma|suman|sumando|en total|diferencia|cuanto (?:aumento|subio|crecio|bajo|disminuyo)|"
    r"(?:aumento|subio|bajo) de \d{4}|(?:dias|pesos|anos|meses|horas) mas (?:de \w+ )?(?:\w+ ){0,3}que|"
    r"cual (?:\w+ ){1,6}mas (?:alt[oa]|baj[oa]|numeros[oa]|grande|larg[oa]|car[oa])|es el mas|es la mas|promedio|"
    r"porcentaje de aumento|cuantas veces)\b"
)
_GENERIC = frozenset(
    (
        "dias dia meses mes anos ano horas hora semanas minutos pesos dinero monto montos importe importes cantidad "
        "valor valores precio costo paga pagan pagar pago cobra cobran cobrar cuesta vale gana plazo plazos tiempo "
        "duracion grados periodicidad numero porcentaje"
    ).split()
)
_OPEN = re.compile(
    rf"\b{_WH} "
    r"(?!(?:deben?|pueden?|comete|pasa|dice|hace|contiene|ocurre|sucede|significa|procede)\b)(?P<noun>\w{4,})\b"
)
_NEXT_CLAUSE = re.compile(
    r"[?!]|\b(?:(?:a|al|ante|con|de|del|en|por|para|sobre)? ?(?:el |la |los |las )?(?:que|cual|cuales)|quien|cuy[oa]s?|"
    r"segun|conforme|cuando|de acuerdo|en terminos|señalad\w*|senalad\w*|indicad\w*|previst\w*|designad\w*|citad\w*|"
    r"mencionad\w*|sustituid\w*|emitid\w*|expedid\w*)\b"
)
# Who writes one accent writes all; a question without any is read without them.
_INTERROGATIVE = re.compile(
    r"\b(?:qué|cuáles|cuál|quiénes|quién|cuándo|cuánt[oa]s?|dónde|cómo|determine|indique|señale|precise|diga|dime|dígame|"
    r"identifique|mencione|calcule|informe|especifique)\b"
)
_MANY = re.compile(
    r"\ben que consist\w+\b|\bque (?:\w+ )?(?!meses\b|dias\b)\w{3,}[aeiou]s\b|\bcuales son\b|\bque (?!es\b)\w+s \w+n\b|"
    r"\bcuales\b|\btod[oa]s l[oa]s\b|\benumera|\blista\b|\bmenciona l[oa]s\b"
)


def asked_of(question: str) -> Asked:
    """Return what a question wants to be told.

    Where several words ask ("que autoridad emite la norma y desde cuando rige"), the last one is wanted: the others
    are steps on the way to it.
    """
    text, accented = _folded(question), bool(_INTERROGATIVE.search(question.casefold()))
    found: list[tuple[int, int, Asked]] = []
    for rank, (pattern, kind, values) in enumerate(_PATTERNS):
        for match in re.finditer(pattern, text):
            if accented and not _INTERROGATIVE.search(question[match.start() : match.end()].casefold()):
                continue  # a relative pronoun ("la norma que la ley cita") does not ask
            noun = (match.groupdict().get("noun") or "").strip()
            found.append(
                (
                    match.start(),
                    -rank,
                    Asked(kind, values, _units(noun), noun, noun in _GENERIC, start=match.start(), end=match.end()),
                )
            )
    if not found and kind_asked(question) != "definition":
        for match in _OPEN.finditer(text):
            if not accented or _INTERROGATIVE.search(question[match.start() : match.end()].casefold()):
                open_one = Asked("open", _NUMERIC, noun=match["noun"], start=match.start(), end=match.end())
                found.append((match.start(), 0, open_one))
                break
    firsts = {start: asked for start, _, asked in sorted(found, key=lambda item: (item[0], item[1]))}
    many = bool(_MANY.search(text))  # of texts and bodies, or of sentences: "qué requisitos", not "cuántos días"
    computed = bool(_COMPUTED.search(text))
    if not firsts:
        return Asked("words", many=many, computed=computed)
    last = firsts[max(firsts)]
    return replace(last, many=many, computed=computed, end=_end_of_clause(text, last.end))


_YES_NO = re.compile(
    r"^\W*(?:(?:si|y|entonces|oye|disculpe)\W+)?(?:(?:me|se|te|le|les|nos|lo|la) )?"
    r"(?:es|son|esta|estan|puedo|puede|pueden|podemos|debo|debe|deben|tengo|tiene|tienen|hay|existe|procede|corresponde|aplica|sigue|fue|ha|han|obliga|permite|"
    r"prohibe|requiere|necesito|necesita)\b"
)


def answer_kind(question: str, asked: Asked) -> AnswerKind:
    """Return the kind of answer that a question asks for, as it is told to a reader.

    `text` is a publication or instrument, `who` a body or person, `any` what the words do not tell.

    Examples:
        >>> [answer_kind(q, asked_of(q)) for q in ("¿Cuánto cuesta?", "¿Quién la emitió?", "¿Es obligatoria?")]
        ['amount', 'who', 'yes_no']
    """
    text = fold(question)
    if asked.kind == "value":
        return "date" if asked.values == _DATE else "name" if asked.values == _MARK else "amount"
    if asked.many:
        return "list"
    if asked.kind == "node":
        return "text" if asked.noun and TEXT_NOUNS.fullmatch(asked.noun) else "who"
    if asked.kind == "name":
        return "name"
    if kind_asked(question) == "definition":
        return "definition"
    return "yes_no" if asked.kind == "words" and _YES_NO.search(text) else "any"


def _end_of_clause(text: str, at: int) -> int:
    boundary = _NEXT_CLAUSE.search(text, at)
    return boundary.start() if boundary else len(text)


def _folded(question: str) -> str:
    """Return a question folded, letter for letter, so that offsets stay."""
    folded = fold(question)
    return folded if len(folded) == len(question) else question.casefold()


def _units(noun: str) -> frozenset[str]:
    for pattern, units in _UNITS:
        if re.fullmatch(pattern, noun):
            return units
    counted = find_values(f"2 {noun}", frozenset(("quantity",))) if noun else ()  # "cuántos luxes"
    return frozenset((counted[0].value.unit,)) if counted and counted[0].value.unit else frozenset()
