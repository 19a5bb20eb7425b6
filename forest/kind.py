"""The kind of answer that a question asks for, and whether some words carry one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from forest.days import MONTHS
from forest.text import fold

Kind = Literal["amount", "date", "definition", "any"]

_ASKS_AMOUNT = re.compile(
    r"\b(?:cuant[oa]s?|montos?|valor|valores|precios?|salarios? minimos?|tasas?|porcentajes?|tarifas?|cuotas?|plazos?|"
    r"que edad|cuanto tiempo|que multa|que sancion|how (?:much|many|long|old)|amounts?|prices?|rates?|minimum wages?|"
    r"deadlines?)\b"
)
_ASKS_DATE = re.compile(
    r"\b(?:cuando|que dia|que fecha|desde que fecha|hasta que fecha|en que fecha|a partir de que|when|what da(?:y|te)|"
    r"which da(?:y|te)|since what date)\b"
)
_ASKS_DEFINITION = re.compile(
    r"^\W*(?:que|cual) (?:es|son|se entiende por|significa|quiere decir) (?:(?:el|la|los|las|un|una|unos|unas) )?"
    r"(?!plazo|monto|pena|multa|tasa|valor|edad|requisit|dia|derecho|obligacion)|"
    r"^\W*what (?:(?:is|are) (?:meant by )?(?:(?:the|an?) )?(?!penalt|fine|term|age|requirement|right|obligation|dut)|"
    r"does \w[\w ]{0,60} mean\b)"
)
_DEFINES = re.compile(
    r"^\W{0,4}(?:(?:para (?:los )?efectos|se entiende(?:ra)? por|se considera|por|comete|es|son)\b|"
    r".{1,90}?\b(?:es|son|consiste|se entiende|se considera|tiene por objeto)\b)"
)
_UNIT = (
    r"(?:pesos|por ciento|%|veces|dias?|meses|mes|anos?|horas?|semanas?|minutos?|salarios?|unidades|umas?|metros|"
    r"kilometros|hectareas|kilogramos|tercios?|partes|personas|trabajadores|votos|diputad[oa]s|senador[ea]s)"
)
_FIGURE = (
    r"(?:\d[\d,]*(?:\.\d+)?|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|"
    r"dieciseis|diecisiete|dieciocho|veinte|veinticinco|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|"
    r"ciento|doscient[oa]s|trescient[oa]s|quinient[oa]s|mil|millon|millones|medio|media|doble|triple)"
)
_AMOUNT = re.compile(rf"\b{_FIGURE}(?: \w{{1,14}}){{0,2}} {_UNIT}\b|\$ ?\d|\d ?%|\b\d[\d,]*\.\d+\b")
_DATE = re.compile(
    rf"\bde (?:{'|'.join(MONTHS)})\b|\b\d{{4}}-\d{{2}}-\d{{2}}\b|\bdia siguiente\b|\bdentro de l[ao]s? |"
    r"\ba mas tardar\b|"
    r"\bantes del? (?:dia )?\w+|\bdias? (?:habil|natural|siguiente|posterior)|\bcada (?:ano|mes|seis|tres|dos)\b"
)


def kind_asked(question: str) -> Kind:
    """Return the kind of answer that a question, in Spanish or English, asks for; `any` when its words do not tell.

    Examples:
        >>> kind_asked("¿Cuántos días de vacaciones corresponden?"), kind_asked("¿Qué es un sindicato?")
        ('amount', 'definition')
    """
    text = fold(question)
    if _ASKS_DATE.search(text):
        return "date"
    if _ASKS_AMOUNT.search(text):
        return "amount"
    return "definition" if _ASKS_DEFINITION.search(text) else "any"


def carries(kind: Kind, text: str) -> bool:
    """Tell whether a sentence holds an answer of a kind; every one carries `any`."""
    if kind == "any":
        return True
    return bool(_PATTERNS[kind].search(fold(text)))


_PATTERNS = {"amount": _AMOUNT, "date": _DATE, "definition": _DEFINES}
# One letter for each kind that the index remembers of every sentence.
MARKS: Mapping[str, str] = {"amount": "a", "date": "d", "definition": "f"}


def marks_of(text: str) -> str:
    """Return the letters of the kinds that a sentence carries, in the order of `MARKS`."""
    return "".join(mark for kind, mark in MARKS.items() if _PATTERNS[kind].search(fold(text)))
