"""Names of Mexican instruments (laws, codes, regulations, norms) as texts write them.

Owns the register protocol, the short forms that a title safely has, and the rule that says where a name in a text
begins and ends. It never guesses: a name that goes on beyond a registered one is another name. A person types names
in small letters and leaves words out; where such a name ends, and what it may stand for, is read here too. Which
article is cited, and of what, is `forest.legal`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from forest.legal_numbers import Words, fold

CONSTITUTION = "constitucion politica de los estados unidos mexicanos"

# Nouns that begin the name of an instrument whose articles can be cited.
NOUNS = frozenset(
    (
        "ley codigo reglamento constitucion estatuto decreto acuerdo convenio convencion tratado norma "
        "lineamientos reglas ordenanza presupuesto resolucion circular leyes codigos reglamentos "
        "estatutos tarifa protocolo pacto manual bando proyecto impuesto nom nmx"
    ).split()
)
# Those that are an instrument's own name for itself: "esta Ley". A decree only carries one, so "este Decreto" is not.
SELF_NOUNS = frozenset(
    ("ley codigo reglamento constitucion estatuto ordenamiento norma ordenanza lineamientos reglas").split()
)
# Those that name an instrument by themselves, in a sentence that cites no article.
NAMING_NOUNS = frozenset(("ley", "codigo", "reglamento", "constitucion", "estatuto"))

_LONGEST_NAME_WORDS = 48
_LINKS = frozenset(["de", "del", "la", "las", "lo", "los", "el", "y", "e", "para", "en", "sobre", "contra", "que"])
_LINKS_OF_UNKNOWN = _LINKS | {"a", "al", "con", "un", "una"}
QUALIFIERS = frozenset(
    (
        "federal general organica organico nacional reglamentaria estatal local civil penal fiscal "
        "mercantil familiar interior interno electoral monetaria aduanera agraria minera militar"
    ).split()
)
# Capitalised words that may stand right after a complete name without being part of it.
_NOT_OF_A_NAME = frozenset(
    (
        "articulo articulos art titulo capitulo seccion libro publicado publicada publicados publicadas "
        "dof nueva nuevo parrafo parrafos fraccion fracciones inciso incisos apartado transitorio "
        "transitorios numeral fe texto unico primero segundo tercero cuarto quinto sexto septimo octavo "
        "noveno decimo se en el la los las para cuando no si este esta asimismo ademas por con al del lo "
        "las dicha dicho reforma reformado reformada adicionado adicionada derogado derogada vigente "
        "numero tambien salvo toda todo sin ser son que como"
    ).split()
)
_TERRITORIES = frozenset(
    ("estado estados entidad entidades municipio municipios ciudad distrito jalisco mexico departamento").split()
)
# Words after a name which say that another law of the same name is meant.
_BYGONE = frozenset(["abrogado", "abrogada", "abrogados", "abrogadas", "anterior"])
_ADJECTIVE_ENDING = re.compile(r"(?:al|il|ari[oa]|ic[oa]|iv[oa]|ori[oa])(?:e?s)?\Z")
_ROMAN = re.compile(r"[IVXLCDM]{1,8}\Z")
_NORM = re.compile(
    r"\b(?:PROY-)?(?:NOM|NMX)(?:[ ]\d{1,4}[ ][A-Z]{2,10}(?:[ ]\d{4})?"
    r"|(?:[-–][A-Z]{1,3})?[-– ]\d{1,4}(?:/\d{1,2})?(?:[-–][A-Z0-9/]{1,12}){0,4})\b",
    re.IGNORECASE,
)


class Register(Protocol):
    """What names instruments have, and which articles; a catalog answers it with one query for many names."""

    def names(self, folded: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Return, for those of the folded names or abbreviations that are known, the ids of who bears them."""
        ...

    def has_article(self, instrument_id: str, key: str) -> bool:
        """Return whether that instrument has an article of that key (see `article_key`)."""
        ...


@runtime_checkable
class BeginningsRegister(Register, Protocol):
    """A register that can also be asked for names of which only the beginning is known."""

    def names_beginning(self, folded: str, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return the folded names that are `folded` or go on after it with a blank, and the ids of who bears them.

        At most `limit` names, the first in the order of their characters: as many as `limit` means that there may be
        more. "ley de aguas" begins "ley de aguas nacionales", and not "ley de aguaspotables".
        """
        ...


class NameRegister:
    """A register in memory."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._sorted: tuple[str, ...] = ()
        self._articles: dict[str, frozenset[str]] = {}

    def add(self, instrument_id: str, names: Iterable[str], article_keys: Iterable[str] = ()) -> None:
        """Say that an instrument bears `names` (titles, short forms, abbreviations) and has these articles.

        A name that several instruments bear is kept for all of them: it is ambiguous.
        """
        for name in filter(None, map(fold, names)):
            self._names[name] = tuple(sorted({*self._names.get(name, ()), instrument_id}))
        self._sorted = ()
        self._articles[instrument_id] = self._articles.get(instrument_id, frozenset()) | frozenset(article_keys)

    def names(self, folded: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the ids that bear each known one of the folded names, in order of id."""
        return {name: self._names[name] for name in folded if name in self._names}

    def names_beginning(self, folded: str, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return the first `limit` names, in order, that are `folded` or go on after it with a blank."""
        self._sorted = self._sorted or tuple(sorted(self._names))
        found = [folded] if folded in self._names else []
        first, end = bisect_left(self._sorted, f"{folded} "), bisect_left(self._sorted, f"{folded}!")
        return {name: self._names[name] for name in [*found, *self._sorted[first:end]][:limit]}

    def has_article(self, instrument_id: str, key: str) -> bool:
        """Return whether the instrument was added with that article; False for an unknown instrument."""
        return key in self._articles.get(instrument_id, frozenset())


_FORMER = re.compile(r"\(\s{0,3}antes\b([^()]{0,400})\)", re.IGNORECASE)
_TAIL = re.compile(r",\s{1,3}(?:reglamentari[oa]s?|relativ[oa]s?|en materia|en lo que se refiere)\b", re.IGNORECASE)
_CONSTITUTION_SHORT = (
    "Constitución", "Constitución Política", "Constitución Federal", "Constitución General",
    "Constitución General de la República", "Constitución Política Federal", "Constitución Mexicana",
    "Constitución Política Mexicana", "Constitución de los Estados Unidos Mexicanos", "Carta Magna",
)  # fmt: skip


def aliases_of(title: str) -> tuple[str, ...]:
    """Return the names under which a text can cite the instrument of that title without meaning another.

    The title itself without what it says in parentheses; what stands before ", Reglamentaria …" or a like tail; for
    the federal constitution the customary short forms. No name is cut at any other comma: titles are full of them.

    Args:
        title: The official title, in any case.

    Returns:
        Names, the longest first, none twice; none when `title` has no words.
    """
    full = " ".join(re.sub(r"\([^()]{0,600}\)", " ", title).split()).strip(" .,;")
    tail = _TAIL.search(full)
    names = [full, full[: tail.start()] if tail else full]
    if fold(full) == CONSTITUTION:
        names.extend(_CONSTITUTION_SHORT)
    return tuple(dict.fromkeys(name for name in names if fold(name)))


def former_names(title: str) -> tuple[str, ...]:
    """Return the names that the title itself says the instrument had: `… (Antes "Ley Minera")`."""
    found = (" ".join(m.group(1).split()).strip(' "“”.,;') for m in _FORMER.finditer(title))
    return tuple(dict.fromkeys(name for name in found if fold(name)))


def norm_codes(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return each technical norm named in `text` as (start, end, code), the code in capitals with hyphens."""
    return tuple((m.start(), m.end(), re.sub("[– ]", "-", m.group()).upper()) for m in _NORM.finditer(text))


@dataclass(frozen=True, slots=True)
class NameHit:
    """A registered name in a text: whose it is, and the position after its last word."""

    instruments: tuple[str, ...]
    end: int


def name_candidates(words: Words, i: int) -> list[tuple[str, int]]:
    """Return every folded name that could begin at position `i`, shortest first, with the position after it."""
    out: list[tuple[str, int]] = []
    name, count, j = "", 0, i
    while count < _LONGEST_NAME_WORDS and (word := words.at(j)):
        if word[0].isalnum():
            name = name + word if words.glued(j) and words.at(j - 1)[0].isalnum() else f"{name} {word}".lstrip()
            count += 1
            if not (words.glued(j + 1) and words.at(j + 1)[0].isalnum()):
                out.append((name, j + 1))
        elif word not in (",", "-", "–", "/") and not (word == "." and words.at(j - 1) == "o" and words.glued(j)):
            break
        j += 1
    return out


def is_abbreviation(words: Words, i: int) -> bool:
    """Return whether what stands at `i` is written like an abbreviation: at least two of its letters are capitals."""
    raw = words.raw(i)
    return 2 <= len(raw) <= 12 and raw[0].isupper() and sum(c.isupper() for c in raw) >= 2


def goes_on(words: Words, i: int, end: int) -> bool:
    """Return whether the words after the registered name at `[i, end)` make it the name of something else.

    "Ley Federal de Derechos" is no mention of that law in "Ley Federal de Derechos de Autor Universitario", nor
    "Constitución" one of the federal constitution in "Constitución del Estado de Jalisco".
    """
    word = words.at(end)
    if not words.is_word(end):
        return False
    if word in _BYGONE or (word == "que" and words.at(end + 1) == "se" and words.at(end + 2).startswith("abrog")):
        return True
    # Written all in small letters, a name and what is said about it look alike; then its grammar must decide.
    small = not any(words.capital(k) for k in range(i + 1, end)) and not words.capital(i)
    if word in _LINKS:
        k = end
        while words.at(k) in _LINKS and k < end + 4:
            k += 1
        after = words.at(k)
        if after in _TERRITORIES and word in ("de", "del", "para"):
            return True
        if after.isdigit():
            return word in ("de", "del") and len(after) == 4
        proper = words.capital(k) and after not in NOUNS and after not in _NOT_OF_A_NAME
        if word in ("y", "e"):
            return proper and k == end + 1 and not _ROMAN.match(words.raw(k))
        if word == "en":
            return proper and after == "materia"
        if word in ("de", "del", "para", "sobre", "contra"):
            return proper or (small and word in ("de", "del") and words.is_word(k))
        return False
    if words.capital(end) and not words.raw(i).isupper() | (word in NOUNS) | (word in _NOT_OF_A_NAME):
        return not is_abbreviation(words, end) and not _ROMAN.match(words.raw(end))
    return small and bool(_ADJECTIVE_ENDING.search(word)) and word not in ("actual", "tal", "cual", "cuales")


def unknown_end(words: Words, i: int) -> tuple[int, bool]:
    """Return where a name that begins at `i` and is in no register ends, and whether it clearly is a name.

    It is clear when a capitalised word belongs to it, or when a word like `federal` qualifies the noun: "ley federal
    de dragones" names a law, "la ley sobre vacaciones" and "la ley del trabajo" do not.
    """
    if is_abbreviation(words, i + 1) and words.raw(i + 1).isupper() and not words.raw(i).isupper():
        return i + 1, False  # "Código CIE-11"
    end, clear = i + 1, False
    while end < i + _LONGEST_NAME_WORDS:
        k = _after_links(words, end, first=not clear)
        noun_again = words.at(k) in NOUNS and clear and k > end
        if not words.is_word(k) or not words.capital(k) or noun_again or (k == end and words.at(k) in _NOT_OF_A_NAME):
            break
        end, clear = k + 1, True
    if clear:
        shouting = words.raw(i).isupper() and end == i + 2 and words.at(i + 1) not in QUALIFIERS
        return end, not shouting
    if words.at(end) in QUALIFIERS:
        while words.at(end) in QUALIFIERS:
            end += 1
        while words.at(end) in ("de", "del", "para", "sobre", "contra") and end < i + 16:
            k = end
            while words.at(k) in _LINKS:
                k += 1
            if not words.is_word(k) or words.at(k) == "materia":
                break
            end, clear = k + 1, True
    return end, clear or (words.at(i) in ("codigo", "reglamento") and end > i + 1)


def _after_links(words: Words, i: int, *, first: bool) -> int:
    """Return the position after the small words at `i` that can join two words of one name, `i` when none can.

    "su Reglamento y las Reglas", "la Ley de Ciencia y en el Plan" name two things each.
    """
    word, following = words.at(i), words.at(i + 1)
    if (first and word in ("y", "e", "que", "en", "el", "la", "a", "al", "con")) or (
        word in ("y", "e", "en") and following in ("el", "la", "los", "las", "en", "para", "con", "su")
    ):
        return i
    k = i
    while words.at(k) in _LINKS_OF_UNKNOWN and k < i + 4:
        k += 1
    return k


# --- names as people type them ---

_SPOKEN_NOUNS = NAMING_NOUNS | {"tratado", "convencion", "protocolo", "pacto"}
# What people leave out of a name when they ask: "ley de protección al consumidor", "código civil", "ley de aguas".
_LEFT_OUT = ("federal", "general", "nacional", "organica", "organico")
_LEFT_OUT_AT_END = (
    *_LEFT_OUT, "nacionales", "federales", "generales", "mexicana", "mexicano", "mexicanos", "mexicanas",
    "de la federacion", "de la republica", "de mexico", "de los estados unidos mexicanos",
)  # fmt: skip
_NOT_TELLING = frozenset((*_LEFT_OUT, *NOUNS, "local", "estatal", "federales", "generales", "nacionales"))
_ENDING_A_NAME = _NOT_OF_A_NAME - _LINKS_OF_UNKNOWN - {"numero"} | frozenset(
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
    return i + 1 if words.at(i) in _TERRITORIES else i


def foreign_end(words: Words, i: int) -> int:
    """Return the position after words at `i` which say that the law named before is another one's, or `i`.

    "de Jalisco", "del estado de Nuevo León", "española", "de 1931", "abrogada".
    """
    if neutral_end(words, i) > i and words.at(i) != "en":
        return i
    if words.at(i) in _BYGONE or _PEOPLES.match(words.at(i)):
        return i + 1
    k = i
    while words.at(k) in ("de", "del", "la", "el", "los", "las", "para") and k < i + 3:
        k += 1
    if k > i and words.at(i) not in ("de", "del", "para"):
        return i
    if _is_year(words, k) and words.at(i) in ("de", "del"):
        return k + 1
    end = _place_end(words, k)
    if k > i and end == k and words.capital(k) and words.at(k) not in NOUNS | _NOT_OF_A_NAME:
        end = k if is_abbreviation(words, k) and not words.raw(k).isupper() else k + 1
    if end == k:
        return i
    for _ in range(8):
        k = end
        while words.at(k) in ("de", "del", "la", "el", "los", "las"):
            k += 1
        after = _place_end(words, k)
        if after == k and words.capital(k) and words.at(k) not in NOUNS | _NOT_OF_A_NAME:
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
        elif word in _LINKS_OF_UNKNOWN or word == "sobre":
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
    return any(words.at(k) not in _LINKS_OF_UNKNOWN | _NOT_TELLING for k in range(i + 1, end))


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
        if words.at(k - 1) in _LINKS_OF_UNKNOWN or (year and undated < k < end) or not tells_which(words, i, k):
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
