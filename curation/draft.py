"""Titles, summaries and scents drawn from a text without a model.

Owns which of a text's own words tell what it rules, within budgets; it never adds a statement of its own. Which node
gets them is decided in `curation.nodes`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile

from curation.readers.marks import is_heading, is_mark
from forest.text import count_tokens, fold, sentences

SUMMARY_TOKENS = 60
SCENT_WORDS = 18
LONGEST_TITLE_CHARS = 300
_REPEALED = re.compile(
    r"\W{0,3}(?:se )?(?:deroga(?:d[oa]s?|n)?|abrogad[oa]|suprimid[oa])\b\W{0,6}"
    r"(?:$|art[ií]culo |fe de erratas|transitorios?\b|(?P<note>nota: ))",
    re.IGNORECASE,
)
_TABLE = re.compile(r"\|[-:| ]+\||\s*\|\s*")
# Dots that lead to an amount, or that stand for the text that a decree leaves out.
_FILLER = re.compile(r"\s*(?:…[.…]+|\.{3,}…?|(?:[.…] ){3,}[.…]?|^…)[.…]*")
_ENUMERATOR = re.compile(r"^(?:(?:[IVXLC]{1,8}(?: (?:Bis|Ter))?|[a-z]{1,2}|\d{1,2}|[A-Z])[.)]\s?-?\s*|[-–•]\s*)")
# Leads that every article could begin with and that say nothing of what it rules.
_LEAD = re.compile(
    r"^(?:Para (?:los )?efectos de (?:la presente|esta|este) (?:Ley|Código|Reglamento|artículo)"
    r"|Para (?:la|el) (?:aplicación|cumplimiento) de (?:la presente|esta|este) (?:Ley|Código)"
    r"|En (?:los )?términos de (?:la presente|esta) Ley|De conformidad con (?:la presente|esta) Ley"
    r"|Para los efectos (?:del?|a que se refiere) (?:el )?artículo anterior|Asimismo|Además|En todo caso"
    r"|En consecuencia|En (?:dicho|este|tal|ese|estos|tales) (?:contexto|casos?|supuestos?|sentido)"
    r"|Para tal(?:es)? efectos?|Al efecto"
    r"|Para (?:ello|lo anterior)|Por lo anterior|(?:No obstante|Sin perjuicio de) lo anterior|Por (?:lo )?tanto"
    r"|Lo anterior|Sin perjuicio de lo dispuesto[^,]{0,80}"
    r"|En el caso (?:del artículo anterior|a que se refiere[^,]{0,80})),? ",
)
# A lead that names the texts by which the clause rules; the clause says what is ruled.
_REFERRING = re.compile(
    r"(?:Para (?:los )?efectos d|De conformidad con|En (?:los )?términos d|Conforme a|De acuerdo con|Con fundamento en)"
    r"(?:[^;:.]|(?<=\d[oº])\.){3,220}?, (?=(?:el|la|los|las|se|no|una?|quien(?:es)?|tod[oa]s?|dich[oa]s?)\b)"
)
# How the clause that commands, allows or forbids begins, after whatever condition a sentence opens with.
_RULING = re.compile(
    r"(?:[^\s,;]{1,24} ){0,4}?(?:no )?(?:se |les? |lo |la )?"
    r"(?:deber[áa]n?|podr[áa]n?|será[n]?|tendrán?|habrá|corresponderá?n?|procederá?n?|quedan?|queda(?:rá)n?"
    r"|(?:[a-záéíóúñ]{2,16})(?:ará|arán|erá|erán|irá|irán|drá|drán|brá|brán))\b"
)
_CONDITION = re.compile(
    r"(?:Cuando|Si|En caso|En los casos|Tratándose|Para|Salvo|A fin|Con el fin|Durante|Una vez|Al|A efecto)\b"
)
_FUTURE = re.compile(
    r"\b(?:[a-záéíóúñ]{2,16}(?:rá|rán|remos)|debe|deben|puede|pueden|tiene|tienen|es|son|corresponde)\b"
)
_CONDITION_WORDS = 13
_EPIGRAPH = re.compile(
    r"^(?P<topic>[A-ZÁÉÍÓÚÑ][^.;:\n]{3,140}?[a-záéíóúñ)”]) "
    r"(?=(?:El|La|Los|Las|Se|Es|Este|Esta|Estos|Estas|Para|Cuando|En|Toda|Todo|Todos|Todas|Si|Son|Una|Un|Quien|Quienes"
    r"|No|Al|A|Durante|Cualquier|Corresponde|Podrán?|Deberán?|Tratándose|Con|Sin|Por|Además|Concluid[oa]|De) )"
)
_PARENTHESIS = re.compile(r"^\((?P<topic>[^()]{4,160})\)\.?-?\s+")
_ROMAN_WORD = re.compile(r"(?=[IVXLC])(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})[.,]?")
_DANGLING = re.compile(
    r"(?:[\s,;:]+(?:y|e|o|u|de|del|la|el|los|las|lo|en|a|al|que|con|por|para|su|sus|se|un|una|así|como|no|sin|o/y))+$"
)
_STOP = frozenset(
    "para como cuando donde desde hasta entre sobre ante bajo esta este estos estas dicho dicha dichos dichas cual "
    "cuales sera seran debera deberan podra podran sean sido haya hayan tenga tengan tendra tendran ley codigo "
    "reglamento articulo articulos fraccion fracciones parrafo presente terminos caso casos dispuesto refiere refieren "
    "siguiente siguientes conformidad disposiciones aplicables mismo misma mismos mismas todo toda todos todas otro "
    "otra otros otras ademas segun respecto mediante dentro cada sino pero".split()
)


@dataclass(frozen=True, slots=True)
class Topic:
    """An article's own heading and the text after it; `name` is empty when it has none."""

    name: str
    rest: str


@lru_cache(maxsize=1 << 16)
def _tokens(word: str) -> int:
    return count_tokens(f" {word}")


def shorten(text: str, tokens: int) -> str:
    """The text within a budget of tokens, cut after a whole word and, where that loses little, after a clause."""
    words = text.split()
    totals = accumulate(_tokens(word) for word in words)
    fits = sum(1 for _ in takewhile(lambda total: total <= tokens - 2, totals))
    if fits == len(words):
        return " ".join(words)
    kept = " ".join(words[:fits])
    clause = max(kept.rfind(mark) for mark in (". ", "; ", ": ", ", "))
    kept = kept[:clause] if clause > 0.7 * len(kept) else kept
    kept = _DANGLING.sub("", kept.rstrip(" ,;:.…"))
    result = f"{kept}…"
    return result if count_tokens(result) <= tokens else shorten(kept.rsplit(" ", 2)[0], tokens)


def first_words(text: str, words: int) -> str:
    """The first words of a text, with an ellipsis when there are more."""
    split = text.split()
    if len(split) <= words:
        return text.strip(" ,;:")
    kept = _DANGLING.sub("", " ".join(split[:words]).rstrip(" ,;:.…"))
    return f"{kept}…"


def cut_title(text: str) -> str:
    """A title within what a passport holds, cut after a whole word; the body has it whole."""
    if len(text) <= LONGEST_TITLE_CHARS:
        return text
    kept = text[: LONGEST_TITLE_CHARS - 1]
    return f"{_DANGLING.sub('', (kept.rpartition(' ')[0] or kept).rstrip(' ,;:.…'))}…"


def rules(text: str) -> tuple[str, ...]:
    """The paragraphs of a text that are not reform marks, without the dots that stand for nothing."""
    plain = (_TABLE.sub(" ", part) if part.startswith("|") else part for part in text.split("\n\n"))
    parts = (_FILLER.sub(" ", part).strip() for part in plain if part and not is_mark(part))
    return tuple(part for part in parts if part.strip(" .:;"))


def is_repealed(text: str) -> bool:
    """Whether a text says of itself that it is derogated and rules nothing else."""
    own = " ".join(rules(_headed(text)[1]))
    if not own:
        return "derogad" in fold(text) or "suprimid" in fold(text)
    match = _REPEALED.match(own)
    return match is not None and (len(own) < 160 or match["note"] is not None)


def _headed(text: str) -> tuple[str, str]:
    """The heading that is a text's first paragraph, "" when it has none, and the rest."""
    first, _, rest = text.partition("\n\n")
    return (sentence_case(first), rest) if rest and is_heading(first) and not _FUTURE.search(first) else ("", text)


def topic_of(text: str, *, epigraphs: bool) -> Topic:
    """The article's own heading: in parentheses, or before the first sentence in a law that has `epigraphs`."""
    heading, rest = _headed(text)
    if heading:
        return Topic(heading, rest)
    match = _PARENTHESIS.match(text) or (_EPIGRAPH.match(text) if epigraphs else None)
    if match is None or fold(match["topic"]).startswith(("se deroga", "derogad")):
        return Topic("", text)
    return Topic(match["topic"].strip(" ."), text[match.end() :])


def has_epigraphs(texts: Sequence[str]) -> bool:
    """Whether a law's articles begin with a heading of their own that runs into the text."""
    found = sum(1 for text in texts if _EPIGRAPH.match(text) and len(text) > 80)
    return len(texts) >= 8 and found > 0.5 * len(texts)


def unbracketed(text: str) -> str:
    """A text without the brackets that print all of it as invalid; brackets around some of its words stay."""
    if text.startswith("[") and text.find("]") in (-1, len(text) - 1):
        return text.strip("[]")
    return text.removesuffix("]") if "[" not in text else text


def _clean(sentence: str) -> str:
    """A sentence without enumerator and without a lead that says nothing."""
    plain = _ENUMERATOR.sub("", unbracketed(sentence.strip()).lstrip(" ,;.-–—"))
    lead = _LEAD.match(plain) or _REFERRING.match(plain)
    if lead is None or len(plain) - lead.end() <= 15:
        return plain
    if lead.re is _REFERRING and not _RULING.match(plain, lead.end()):
        return plain
    return plain[lead.end()].upper() + plain[lead.end() + 1 :]


def summarise(text: str, tokens: int = SUMMARY_TOKENS) -> str:
    """What a text rules in its own words within `tokens`: its first sentences, or a lead with the items of its list."""
    own = rules(text)
    if not own:
        return ""
    parts: list[str] = []
    total = 0
    for paragraph in own:
        for start, end in sentences(paragraph):
            sentence = paragraph[start:end]
            listed = parts and parts[0].endswith(":")
            cleaned = _clean(sentence)
            if len(cleaned) < 4:
                continue
            item = re.sub(r"[,;.]?(?: [yeo])?[,;.]?$", "", first_words(cleaned, 12))
            parts.append(f"{item};" if listed else cleaned)
            total += len(cleaned) if not listed else len(parts[-1])
            if total > tokens * 5:
                return shorten(_join(parts, tokens), tokens)
    return shorten(_join(parts, tokens), tokens)


def _join(parts: Sequence[str], tokens: int) -> str:
    """The parts as one text; a first sentence that would not fit loses the middle of its opening condition."""
    text = " ".join(parts).strip().rstrip(";")
    if count_tokens(parts[0] if parts else "") <= tokens:
        return text
    return condense(parts[0])


def condense(sentence: str) -> str:
    """A long sentence with its opening cut short, so that the clause that rules is still told.

    "Cuando a juicio de la autoridad se puedan comprometer los efectos que …, no será necesario …" keeps the first words
    of the condition and the whole of "no será necesario …". A sentence without such a clause is returned as it is.
    """
    for match in re.finditer(r", (?=[a-záéíóúñ])", sentence):
        if not _CONDITION.match(sentence) and _FUTURE.search(sentence, 0, match.start()):
            return sentence
        if len(sentence[: match.start()].split()) <= _CONDITION_WORDS:
            if match.start() > 30 and _RULING.match(sentence[match.end() :]):
                return sentence
            continue
        if _RULING.match(sentence[match.end() :]):
            return f"{first_words(sentence, _CONDITION_WORDS)} {sentence[match.end() :]}"
    return sentence


def content_words(text: str) -> list[str]:
    """The folded words of a text that could tell it from another, in order."""
    return [word for word in re.findall(r"[a-z]{4,}|\d{2,}", fold(text)) if word not in _STOP]


# A law's texts are weighed against their chapter and against the whole law; the largest law has 3,000 articles.
@lru_cache(maxsize=4096)
def _word_set(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def weights(texts: Iterable[str]) -> Mapping[str, float]:
    """How much each word tells one of these texts from the others: the logarithm of how few have it."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        total += 1
        counts.update(_word_set(text))
    return {word: math.log((total + 1) / (count + 0.5)) for word, count in counts.items()}


def scent_of(text: str, weight: Mapping[str, float]) -> str:
    """The clause of a text's beginning that tells it best from its siblings, at most `SCENT_WORDS` words.

    Args:
        text: the text; reform marks are passed over.
        weight: the words' weights among the siblings, see `weights`.
    """
    best, best_score = "", -1.0
    seen = 0
    for paragraph in rules(text):
        for start, end in sentences(paragraph):
            for at, clause in _clauses(condense(_clean(paragraph[start:end]))):
                words = set(content_words(clause))
                if len(words) < 2:
                    continue
                value = sum(sorted((weight.get(word, 0.0) for word in words), reverse=True)[:6])
                # Later sentences hold exceptions and details; a clause without its verb says little by itself.
                score = value * 0.93 ** (seen + at) * (1.0 if at == 0 else 0.95 if _RULING.match(clause) else 0.75)
                if score > best_score:
                    best, best_score = clause, score
            seen += 2
            if seen > 12:
                return best
    return best or first_words(" ".join(rules(text)), SCENT_WORDS)


def _clauses(sentence: str) -> list[tuple[int, str]]:
    """Windows of at most `SCENT_WORDS` words that begin where a clause does, with the clause's place."""
    starts = [0, *(m.end() for m in re.finditer(r"[,;:]\s+(?:y |e |o |así como |que )?", sentence))]
    found: list[tuple[int, str]] = []
    for place, start in enumerate(starts[:8]):
        clause = first_words(sentence[start:], SCENT_WORDS).strip(" .")
        if len(clause.split()) >= 4 or place == 0:
            found.append((place, clause))
    return found


def sentence_case(text: str) -> str:
    """A heading in capitals as an ordinary phrase; one that is not all in capitals is left as it is."""
    letters = [c for c in text if c.isalpha()]
    if not letters or sum(c.isupper() for c in letters) < 0.8 * len(letters):
        return text
    words = [word if _ROMAN_WORD.fullmatch(word) else word.lower() for word in re.split(r"([ -])", text)]
    phrase = "".join(words)
    return phrase[:1].upper() + phrase[1:]
