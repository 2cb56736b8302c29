"""Tokens, sentences and documents, by simple rules that hold in every script.

token_pattern    letters with their marks and digits, joined by hyphen or apostrophe
sentence_spans   where sentences start and end
Document         a text whose tokens and sentences know their offsets
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256

from fairvec.core.errors import SettingError

_JOINED_BY = "'’\\-‐‑"
_JOINERS = "\u200c\u200d"
# Beyond the first plane letters come in blocks, and pictures have one of their own: two ranges are
# near enough there, and hundreds would make the search ten times slower.
_SUPPLEMENTARY = "\U00010000-\U0001efff\U00020000-\U0003ffff"

# Possessive, and only from the first stop of several: a million dots in a row are read in one go.
_END = re.compile(r"(?<![.!?…।॥])[.!?…।॥]++[\"'”’»)\]]*+\s++")
_ABBREVIATION = re.compile(r"(?:^|[\W_])(?:[^\W\d_]|Dr|Mr|Mrs|Ms|Prof|St|डॉ)$")


@cache
def token_pattern() -> re.Pattern[str]:
    r"""Return what finds the tokens: letters, their marks and digits, joined by - and ' within.

    Not \w, which knows no marks and cuts कि into क and a vowel sign. Joiners (ZWJ, ZWNJ) within a
    word change its look alone.
    """
    return re.compile(f"[{_letters()}]+(?:(?:[{_JOINED_BY}]|[{_JOINERS}]++)[{_letters()}]+)*")


@cache
def _letters() -> str:
    """Return letters, marks and numbers as what stands within the brackets of a pattern."""
    is_letter = [unicodedata.category(chr(code))[0] in "LMN" for code in range(0x10000)]
    ends = [
        code for code in range(0x10000) if is_letter[code] != (code > 0 and is_letter[code - 1])
    ]
    ranges = zip(ends[::2], ends[1::2], strict=True)
    return "".join(f"{chr(start)}-{chr(end - 1)}" for start, end in ranges) + _SUPPLEMENTARY


def sentences_of(line: str) -> Iterator[str]:
    """Give the sentences of a line, without the space around them."""
    for start, end in sentence_spans(line):
        yield line[start:end]


def sentence_spans(line: str) -> Iterator[tuple[int, int]]:
    """Give where each sentence of a line starts and ends: a stop, its closing quotes and a space.

    Not before a small letter (approx. five), and a full stop not after an initial or a title (J.
    Smith, Dr. Rao).
    """
    end = len(line.rstrip())
    start = len(line) - len(line.lstrip())
    for stop in _END.finditer(line, start, end):
        if line[stop.end()].islower():
            continue
        if stop.group()[0] == "." and _ABBREVIATION.search(
            line, max(0, stop.start() - 6), stop.start()
        ):
            continue
        yield start, start + len(line[start : stop.end()].rstrip())
        start = stop.end()
    if start < end:
        yield start, end


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text, and where it starts and ends there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentenceInText:
    """A sentence: where it starts and ends in the text, its words, and its paragraph's number."""

    start: int
    end: int
    tokens: tuple[Token, ...]
    paragraph: int


@dataclass(frozen=True)
class Document:
    """A text in one language, by name; every place counts characters of `text`.

    `text` is what a person wrote, character for character: marks and changes refer to it, and what
    is written back differs from it in the accepted changes alone.
    """

    name: str
    text: str
    language: str
    sentences: tuple[SentenceInText, ...]

    @property
    def tokens(self) -> Iterator[Token]:
        """All words, in their order."""
        for sentence in self.sentences:
            yield from sentence.tokens

    @cached_property
    def sha256(self) -> str:
        """The hash of the text."""
        return sha256(self.text.encode()).hexdigest()


def parse_document(
    text: str,
    language: str,
    name: str = "text",
    *,
    blocks: tuple[tuple[int, int], ...] | None = None,
    read: str | None = None,
) -> Document:
    """Return the document of a text; a paragraph ends where a line does.

    `read` is what people read of it, character under character: a page of HTML has tags, which are
    blank there, and its lines are the paragraphs. Without it `blocks` may be the places that people
    read, each a paragraph.
    """
    found: list[SentenceInText] = []
    visible = text if read is None else read
    if len(visible) != len(text):
        raise SettingError(
            f"{name}: what is read has {len(visible)} characters and the text {len(text)}; blank "
            "out what is not read instead of leaving it out."
        )
    paragraphs = _lines(visible) if blocks is None else blocks
    for number, (first, last) in enumerate(paragraphs):
        for start, end in sentence_spans(visible[first:last]):
            start, end = first + start, first + end
            tokens = tuple(
                Token(match.group(), match.start(), match.end())
                for match in token_pattern().finditer(visible, start, end)
            )
            if tokens:
                found.append(SentenceInText(start, end, tokens, number))
    return Document(name, text, language, tuple(found))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)
