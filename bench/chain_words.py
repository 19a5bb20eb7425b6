"""The Spanish of generated questions: how a start is named, a relation said and a datum asked, in two ways each.

The second way is for paraphrases and shares as few words with the first as can be. Nothing here knows any forest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forest.values import Value

_TIME = frozenset(("day", "business_day", "week", "month", "year", "hour"))
_FINE = frozenset(("UMA", "UMA_month", "UMA_year", "minimum_wage", "wage_day", "fine_day"))


@dataclass(frozen=True, slots=True)
class Datum:
    """What may be asked of a value.

    Attributes:
        noun: the word before the value by which it is known, folded; "" for any value of its class.
        first: how it is asked, from "¿" on, without what it is asked of.
        second: how a paraphrase asks.
    """

    noun: str
    first: str
    second: str


# By class, those with a noun first: the nearest noun before the value decides.
DATA: Mapping[str, tuple[Datum, ...]] = {
    "time": (
        Datum("plazo", "qué plazo fija", "cuánto tiempo dan en"),
        Datum("termino", "qué término fija", "cuántos días o meses dan en"),
        Datum("prorroga", "qué prórroga permite", "cuánto tiempo de más dan en"),
        Datum("vigencia", "qué vigencia fija", "cuánto dura lo que dan en"),
        Datum("duracion", "qué duración fija", "cuánto debe durar eso según"),
        Datum("prision", "qué pena de prisión fija", "cuánta cárcel dan en"),
        Datum("suspension", "qué suspensión fija", "cuánto dejan a uno parado según"),
        Datum("inhabilitacion", "qué inhabilitación fija", "cuánto dejan a uno sin cargo según"),
        Datum("arresto", "qué arresto fija", "cuánto encierran a uno según"),
        Datum("anticipacion", "con qué anticipación se debe actuar según", "cuánto antes hay que moverse por"),
        Datum("edad", "qué edad fija", "cuántos años hay que tener según"),
        Datum("experiencia", "qué experiencia pide", "cuántos años de oficio quieren en"),
        Datum("", "qué lapso señala", "de cuánto tiempo hablan en"),
    ),
    "fine": (
        Datum("multa", "qué multa fija", "cuánto hay que pagar de castigo según"),
        Datum("sancion", "qué sanción fija", "cuánto cobran por la falta según"),
        Datum("", "qué cantidad de unidades señala", "cuánto ponen, en medidas o salarios, en"),
    ),
    "percentage": (
        Datum("tasa", "qué tasa fija", "cuánto por ciento cobran según"),
        Datum("recargo", "qué recargo fija", "cuánto por ciento suben según"),
        Datum("porcentaje", "qué porcentaje fija", "cuánto por ciento ponen en"),
        Datum("capital", "qué porcentaje del capital señala", "cuánto por ciento ponen en"),
        Datum("", "qué porcentaje señala", "cuánto por ciento ponen en"),
    ),
    "money": (
        Datum("multa", "qué multa en pesos fija", "cuánto dinero hay que pagar de castigo según"),
        Datum("cuota", "qué cuota en pesos fija", "cuánto dinero cuesta eso según"),
        Datum("", "qué cantidad de pesos señala", "cuánto dinero ponen en"),
    ),
}
CLASSES = tuple(DATA)
KINDS: Mapping[str, str] = {"time": "quantity", "fine": "quantity", "percentage": "percentage", "money": "money"}

# What a walker meets by an edge, said in two ways.
RELATIONS: Mapping[str, tuple[str, str]] = {
    "cites": ("remite a", "manda ver"),
    "amends": ("reforma", "cambia"),
    "repeals": ("deroga", "deja sin efecto"),
    "regulates": ("reglamenta", "detalla"),
}
_NEXT = ("otro artículo", "un segundo", "un tercero", "un cuarto", "un quinto")
_ALSO = ("otra disposición", "una segunda", "una tercera", "una cuarta", "una quinta")
MOST_HOPS = len(_NEXT)
_FEWEST_WORDS = 2  # of a phrase that tells what a datum is about, small ones aside
_MOST_WORDS = 9
_BREAK = re.compile(r"[,;:.()\[\]«»\"“”—–]|\b(?:que|si|cuando|salvo|así como|o bien)\b")
_SMALL = re.compile(
    r"a|al|ante|antes|con|contados?|contadas?|conforme|de|del|desde|durante|el|ella?s?|en|entre|hasta|la|las|lo|los|más|no|o|"
    r"para|partir|por|se|según|será|serán|sin|sobre|su|sus|un|una|unos|unas|y|e|u|siguientes?|cual|cuales|dicha?s?|dichos|"
    r"días?|meses|mes|años?|horas?|hábiles|naturales|plazo|término|ciento|pesos|artículos?|fracción|ley|presente|este|esta|"
    r"vez|veces|mismo|misma|haya|sea|caso|deberá|deberán|podrá|podrán|dentro|cada|menos|mayor|menor|igual|multa|unidad"
)

_ARTICLE = re.compile(r"(?P<law>[A-Za-zÁÉÍÓÚÑáéíóúñ]{2,12}), (?P<part>[^.]{3,80})(?:\.\s|$)")
_GAZETTE = re.compile(r"DOF (?P<day>\d{2}-\d{2}-\d{4}): ")
_FEMININE = ("Ley", "Constitución", "Ordenanza")


def class_of(value: Value) -> str:
    """Return the class of data that a value is, "" when it is none that is asked for."""
    if value.kind == "percentage":
        return "percentage"
    if value.kind == "money":
        return "money" if value.unit == "MXN" else ""
    if value.kind != "quantity":
        return ""
    return "time" if value.unit in _TIME else "fine" if value.unit in _FINE else ""


def datum_of(kind: str, before: Sequence[str]) -> Datum:
    """Return how a value of a class is asked.

    Args:
        kind: the class.
        before: folded words of its sentence, up to the value.
    """
    named = {datum.noun: datum for datum in DATA[kind]}
    return next((named[word] for word in reversed(before) if word in named), named[""])


@dataclass(frozen=True, slots=True)
class Start:
    """How the first node of a chain is called: `first` in full, `second` as a paraphrase does."""

    first: str
    second: str


def start_of(title: str, law: str) -> Start | None:
    """Return how a node is called by its title, None when the title does not begin as one of a law's part does.

    Args:
        title: of the node: `LISF, artículo 219. De las instituciones`, or `DOF 19-12-2016: DECRETO …`.
        law: title of the instrument that it is part of.
    """
    if (part := _ARTICLE.match(title)) is not None and law:
        return Start(f"el {part['part']} {_of(law)} {law}", f"el {_shortened(part['part'])}, {law}")
    if (day := _GAZETTE.match(title)) is not None and law:
        return Start(
            f"el decreto de reforma {_of(law)} {law}, DOF {day['day']}",
            f"lo que salió en el DOF {day['day']} sobre {law}",
        )
    return None


def _shortened(part: str) -> str:
    return re.sub(r"^artículo\b", "art.", part)


@dataclass(frozen=True, slots=True)
class Relation:
    """How one edge of a chain is told: its kind, and the law that it leads to where only that tells it from others.

    Attributes:
        kind: of the edge.
        law: title of the other law, "" when the edge is the only one.
        short: the same law's short name.
    """

    kind: str
    law: str = ""
    short: str = ""


def topics(before: str, after: str) -> tuple[str, str] | None:
    """Return what a datum is about in two ways, each with words of its own; None when its sentence does not tell.

    Args:
        before: of its sentence, the words before the value.
        after: those after it.

    Returns:
        The phrase after the value, then the last one before it.
    """
    following = next((p for part in _BREAK.split(after) if (p := _phrase(part.split()[:_MOST_WORDS]))), "")
    parts = reversed(_BREAK.split(before))
    preceding = next((p for part in parts if (p := _phrase(part.split()[-_MOST_WORDS:]))), "")
    return (following, preceding) if following and preceding else None


def _phrase(words: Sequence[str]) -> str:
    """Return words without small ones at either end, "" when too few are left that say something."""
    kept = list(words)
    while kept and _SMALL.fullmatch(kept[0].lower()):
        del kept[0]
    while kept and _SMALL.fullmatch(kept[-1].lower()):
        del kept[-1]
    telling = [word for word in kept if not _SMALL.fullmatch(word.lower()) and len(word) > 3 and word.isalpha()]
    return " ".join(kept) if len(telling) >= _FEWEST_WORDS else ""


def telling_words(phrase: str) -> str:
    """Return the words of a phrase that say something, in its order, with commas."""
    return ", ".join(word for word in phrase.split() if not _SMALL.fullmatch(word.lower()))


def first_wording(start: Start, relations: Sequence[Relation], datum: Datum, about: str) -> str:
    """Return a question that says each relation in turn, then asks for the datum."""
    way = _upper(start.first)
    for at, (relation, following) in enumerate(zip(relations, _NEXT, strict=False)):
        to = f"un artículo {_of(relation.law)} {relation.law}" if relation.law else following
        way += f"{', que a su vez' if at else ''} {RELATIONS[relation.kind][0]} {to}"
    return f"{way}. ¿{_upper(datum.first)} este último donde habla de «{about}»?"


def second_wording(start: Start, relations: Sequence[Relation], datum: Datum, about: str) -> str:
    """Return a question that says the same in other words, the datum first."""
    way = start.second
    for at, (relation, following) in enumerate(zip(relations, _ALSO, strict=False)):
        to = f"una parte de la {relation.short}" if relation.law else following
        way += f"{' y ella' if at else ''} {RELATIONS[relation.kind][1]} {to}"
    return f"Cuando {way}, ¿{datum.second} la disposición final, por lo de «{about}»?"


def _of(law: str) -> str:
    return "de la" if law.startswith(_FEMININE) else "del"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
