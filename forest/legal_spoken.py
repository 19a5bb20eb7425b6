"""Names of instruments as people type them in questions: in small letters, without their ends, with a year or a state.

Owns where such a name ends and which registered names it may be the beginning of. It never guesses: several bearers
make it ambiguous. Names as texts write them are `forest.legal_names`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from forest.legal_names import (
    BYGONE,
    LINKS_OF_UNKNOWN,
    NAMING_NOUNS,
    NOT_OF_A_NAME,
    NOUNS,
    QUALIFIERS,
    TERRITORIES,
    BeginningsRegister,
    Register,
    goes_on,
    is_abbreviation,
)
from forest.legal_numbers import Words, fold

_SPOKEN_NOUNS = NAMING_NOUNS | {"tratado", "convencion", "protocolo", "pacto"}
# What people leave out of a name when they ask: "ley de protección al consumidor", "código civil", "ley de aguas".
_LEFT_OUT = ("federal", "general", "nacional", "organica", "organico")
_LEFT_OUT_AT_END = (
    *_LEFT_OUT, "nacionales", "federales", "generales", "mexicana", "mexicano", "mexicanos", "mexicanas",
    "de la federacion", "de la republica", "de mexico", "de los estados unidos mexicanos",
)  # fmt: skip
_NOT_TELLING = frozenset((*_LEFT_OUT, *NOUNS, "local", "estatal", "federales", "generales", "nacionales"))
_ENDING_A_NAME = NOT_OF_A_NAME - LINKS_OF_UNKNOWN - {"numero"} | frozenset(
    (
        "sobre segun respecto cual cuales cuanto cuanta cuantos cuantas donde quien quienes porque pero entonces hay "
        "es son era fue fueron esta estan estaba sera seria ser sigue siguen tiene tienen tenia puede pueden podia "
        "debe deben debia dice dicen decia diria habla hablan habra trata tratan establece establecen establecia "
        "establecio permite permiten prohibe prohiben define definen dispone disponen disponia regula regulan regulaba "
        "senala senalan senalaba contempla contemplan preve preven menciona mencionan indica indican ordena ordenan "
        "obliga obligan exige exigen castiga castigan sanciona sancionan impone imponen protege protegen garantiza "
        "otorga concede reconoce prescribe estipula marca fija pide autoriza aplica aplican aplicable aplicables entra "
        "entro vigor vigente vigentes actual actualmente actualizada actualizado hoy ayer durante hasta desde entre "
        "tras mediante conforme antes despues cambio cambia dicen dijo existe existen explica explicame dime gracias "
        "favor me te le les lo nos mi mis tu tus su sus este estos estas esa ese aquella aquel anterior letra inciso "
        "incisos fracc apartados numerales punto transitoria o u ni"
    ).split()
)
_ENDING_PAIRS = frozenset(("con", word) for word in ("relacion", "respecto", "base", "fundamento", "el", "la"))
# After "y", "e": what shows that the name is over.
_AFTER_AND = _ENDING_A_NAME | {"articulo", "articulos", "art", "arts", "que", "en", "con", "a"}
_STATES = frozenset(
    (
        "aguascalientes", "baja california", "baja california sur", "campeche", "coahuila", "colima", "chiapas",
        "chihuahua", "ciudad de mexico", "cdmx", "df", "edomex", "durango", "guanajuato", "guerrero", "hidalgo",
        "jalisco", "michoacan", "morelos", "nayarit", "nuevo leon", "oaxaca", "puebla", "queretaro", "quintana roo",
        "san luis potosi", "sinaloa", "sonora", "tabasco", "tamaulipas", "tlaxcala", "veracruz", "yucatan",
        "zacatecas", "espana", "francia", "argentina", "chile", "colombia", "peru", "brasil", "guatemala", "italia",
        "alemania", "portugal", "cuba", "venezuela", "ecuador", "bolivia", "uruguay", "paraguay", "honduras",
        "nicaragua", "panama", "california", "texas",
    )
)  # fmt: skip
_PEOPLES = re.compile(
    r"(?:\w{3,}ense|espanola?|frances(?:a)?|ingles(?:a)?|aleman(?:a)?|italian[oa]|argentin[oa]|chilen[oa]|"
    r"colombian[oa]|peruan[oa]|cuban[oa]|venezolan[oa]|ecuatorian[oa]|bolivian[oa]|urugua\w{1,2}|paragua\w{1,2}|"
    r"brasilen[oa]|hondurena?|salvadoren[oa]|panamen[oa]|portugues(?:a)?|japones(?:a)?|chin[oa]|rus[oa]|suiz[oa]|"
    r"suec[oa]|holandes(?:a)?|belga|europe[oa]|(?:norte|sud)?american[oa]|guatemaltec[oa]|oaxaquen[oa]|tabasquen[oa]|"
    r"poblan[oa]|michoacan[oa]|veracruzan[oa]|mexiquenses?|yucatec[oa]|zacatecan[oa]|queretan[oa]|chiapanec[oa]|"
    r"tapati[oa]|tlaxcaltec[oa]|potosin[oa]|regiomontan[oa]|campechan[oa]|guerrerense|capitalin[oa])s?\Z"
)
_BEFORE_A_RULED_ARTICLE = frozenset("de del los el articulo articulos y , o".split())
_LONGEST_SPOKEN_WORDS = 24
_NAMES_OF_ONE_BEGINNING = 40


def is_spoken_noun(word: str) -> bool:
    """Return whether a name that a person types may begin with this noun and be in no register."""
    return word in _SPOKEN_NOUNS


def _is_year(words: Words, i: int) -> bool:
    return len(words.at(i)) == 4 and words.at(i).isdigit() and words.at(i)[:2] in ("18", "19", "20")


def neutral_end(words: Words, i: int) -> int:
    """Return the position after words at `i` that add nothing to a Mexican law's name, or `i`.

    "mexicana", "de México", "reglamentaria del artículo 27 constitucional".
    """
    if words.at(i) in ("reglamentaria", "reglamentario") and words.at(i + 1) in ("de", "del"):
        k = i + 1
        while k < i + 12 and (words.at(k) in _BEFORE_A_RULED_ARTICLE or words.at(k).isdigit()):
            k += 1
        return k + (words.at(k) == "constitucional") if words.at(k - 1).isdigit() or words.at(k - 1) == "o" else i
    if words.at(i) in ("mexicana", "mexicano", "mexicanas", "mexicanos"):
        return i + 1
    if words.at(i) in ("de", "en") and words.at(i + 1) == "mexico":
        return i + 2
    mexico = [words.at(k) for k in range(i, i + 5)] == ["de", "los", "estados", "unidos", "mexicanos"]
    return i + 5 if mexico else i


def _place_end(words: Words, i: int) -> int:
    """Return the position after a state, country or word like `municipio` at `i`, or `i`."""
    for count in (3, 2, 1):
        if " ".join(words.at(k) for k in range(i, i + count)) in _STATES:
            return i + count
    return i + 1 if words.at(i) in TERRITORIES else i


def foreign_end(words: Words, i: int) -> int:
    """Return the position after words at `i` which say that the law named before is another one's, or `i`.

    "de Jalisco", "del estado de Nuevo León", "española", "de 1931", "abrogada".
    """
    if neutral_end(words, i) > i and words.at(i) != "en":
        return i
    if words.at(i) in BYGONE or _PEOPLES.match(words.at(i)):
        return i + 1
    k = i
    while words.at(k) in ("de", "del", "la", "el", "los", "las", "para") and k < i + 3:
        k += 1
    if k > i and words.at(i) not in ("de", "del", "para"):
        return i
    if _is_year(words, k) and words.at(i) in ("de", "del"):
        return k + 1
    end = _place_end(words, k)
    if k > i and end == k and words.capital(k) and words.at(k) not in NOUNS | NOT_OF_A_NAME:
        end = k if is_abbreviation(words, k) and not words.raw(k).isupper() else k + 1
    if end == k:
        return i
    for _ in range(8):
        k = end
        while words.at(k) in ("de", "del", "la", "el", "los", "las"):
            k += 1
        after = _place_end(words, k)
        if after == k and words.capital(k) and words.at(k) not in NOUNS | NOT_OF_A_NAME:
            after = k + 1
        if after == k or (_place_end(words, k) == k and not words.capital(k)):
            break
        end = after
    return end


def goes_on_spoken(words: Words, i: int, end: int) -> bool:
    """Return whether the words after the registered name at `[i, end)` in a question make it another name."""
    if neutral_end(words, end) > end:
        return False
    return foreign_end(words, end) > end or goes_on(words, i, end)


def spoken_end(words: Words, i: int) -> int:
    """Return where the name that a person types from the noun at `i` on ends; `i + 1` when only the noun is said.

    It goes on to a mark, to a word that no name has ("dice", "según", "y artículo"), or, when it is written with
    capitals, to the first word without one.
    """
    end, capitals, k = i + 1, False, i + 1
    while k < i + _LONGEST_SPOKEN_WORDS:
        word = words.at(k)
        if word.isdigit():
            day = words.at(k - 1) in ("del", "de") and words.at(k + 1) == "de" and words.is_word(k + 2)
            if _is_year(words, k):
                return k + 1 if end > i + 1 or words.at(k - 1) in ("de", "del") else end
            if not day or len(word) > 2:
                break
        elif (place := _place_end(words, k)) > k:
            end, k = place, place
            continue
        elif not words.is_word(k) or (word in _ENDING_A_NAME and not _about(words, i, k)):
            break
        elif word in ("y", "e"):
            following = k + 1 + (words.at(k + 1) in ("el", "la", "los", "las"))
            over = words.at(following) in _AFTER_AND | NOUNS or not words.is_word(following)
            if over or not _spoken_word(words, following, capitals=capitals):
                break
        elif _link_ends_spoken(words, k):
            break
        elif word in LINKS_OF_UNKNOWN or word == "sobre":
            pass
        elif _ends_spoken(words, k, capitals=capitals):
            break
        else:
            end = k + 1
            capitals = capitals or (words.capital(k) and word not in QUALIFIERS)
        k += 1
    return end


def _about(words: Words, i: int, k: int) -> bool:
    """Return whether `sobre` at `k` belongs to a name: "impuesto sobre la renta", "Ley sobre el Contrato"."""
    following = k + 1 + (words.at(k + 1) in ("el", "la", "los", "las"))
    usual = words.at(k - 1) in ("impuesto", "impuestos") or words.at(i) in ("tratado", "convencion", "protocolo")
    return words.at(k) == "sobre" and (usual or (words.capital(following) and words.at(following) not in NOUNS))


def _link_ends_spoken(words: Words, i: int) -> bool:
    word, following = words.at(i), words.at(i + 1)
    return word == "que" or (word, following) in _ENDING_PAIRS or (word == "en" and following != "materia")


def _ends_spoken(words: Words, i: int, *, capitals: bool) -> bool:
    another = words.at(i) in NOUNS and words.at(i - 1) not in ("de", "del", "la", "el", "las", "los", "sobre")
    return another or not _spoken_word(words, i, capitals=capitals)


def _spoken_word(words: Words, i: int, *, capitals: bool) -> bool:
    return not capitals or words.capital(i) or _place_end(words, i) > i or words.at(i) == "republica"


def tells_whose(words: Words, i: int, end: int) -> bool:
    """Return whether a state, another country or a people is said in `[i, end)`: "constitución española"."""
    peoples = any(_PEOPLES.match(words.at(k)) for k in range(i, end))
    return peoples or any(
        " ".join(words.at(n) for n in range(k, k + count)) in _STATES for k in range(i, end) for count in (1, 2, 3)
    )


def tells_which(words: Words, i: int, end: int) -> bool:
    """Return whether a typed name says more than a noun and words like `federal`."""
    return any(words.at(k) not in LINKS_OF_UNKNOWN | _NOT_TELLING for k in range(i + 1, end))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a typed name up to `end` may stand for.

    Attributes:
        end: Position after its last word, and after words that add nothing.
        whole: Names that lack nothing, with one qualifier that was left out.
        beginnings: What longer names may begin with; () where more words follow that may belong to the name.
        year: A year that the law's name must hold, "" for any.
    """

    end: int
    whole: tuple[str, ...]
    beginnings: tuple[str, ...] = ()
    year: str = ""


def _said(words: Words, i: int, end: int) -> str:
    return fold(words.text[words.starts[i] : words.ends[end - 1]])


def _whole_names(name: str, *, acronym: bool) -> tuple[str, ...]:
    noun, _, rest = name.partition(" ")
    more = (f"{noun[0]}{name.rpartition(' ')[2]}",) if acronym and noun == "ley" else ()
    return (
        name, *(f"{noun} {word} {rest}" for word in _LEFT_OUT), *(f"{name} {word}" for word in _LEFT_OUT_AT_END), *more,
    )  # fmt: skip


def spoken_readings(words: Words, i: int, end: int) -> list[Reading]:
    """Return what the name typed at `[i, end)` may stand for, the longest reading first."""
    out: list[Reading] = []
    year = words.at(end - 1) if _is_year(words, end - 1) else ""
    undated = end - 1 if year else end
    while year and words.at(undated - 1) in ("de", "del"):
        undated -= 1
    for k in range(end, i + 1, -1):
        if words.at(k - 1) in LINKS_OF_UNKNOWN or (year and undated < k < end) or not tells_which(words, i, k):
            continue
        whole = k in (end, undated) or neutral_end(words, k) == end
        if not whole and goes_on_spoken(words, i, k):
            continue
        name = _said(words, i, k)
        only_word = sum(words.at(n) not in ("de", "del", "la", "el") for n in range(i + 1, k)) == 1
        names = _whole_names(name, acronym=only_word)
        beginnings = (name, *names[1 : 1 + len(_LEFT_OUT)]) if whole else ()
        out.append(Reading(max(k, neutral_end(words, k)), names, beginnings, year if k < end and year else ""))
    return out


def bearers_of(reading: Reading, known: Mapping[str, tuple[str, ...]], register: Register) -> tuple[str, ...]:
    """Return the ids of all instruments that a reading may mean, in order; () when there is none, or too many to tell.

    Args:
        reading: Of a typed name.
        known: What the register says of the names that lack nothing.
        register: Asked for longer names if it can be.
    """
    if reading.whole[0] in known and not reading.year:
        return tuple(known[reading.whole[0]])
    found = {name: known[name] for name in reading.whole if name in known}
    if isinstance(register, BeginningsRegister):
        for beginning in reading.beginnings:
            longer = register.names_beginning(beginning, _NAMES_OF_ONE_BEGINNING)
            if len(longer) >= _NAMES_OF_ONE_BEGINNING:
                return ()
            found |= longer
    kept = [ids for name, ids in found.items() if not reading.year or reading.year in name.split()]
    return tuple(sorted({one for ids in kept for one in ids}))
