"""Tokens, sentences and documents, by simple rules that hold in every script.

A language says which signs end its sentences and which abbreviations do not.

token_pattern    letters with their marks and digits, joined by hyphen or apostrophe
sentence_spans   where sentences start and end
Document         a text whose tokens and sentences know their offsets
"""

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain, islice, pairwise
from typing import overload

from fairvec.core.errors import SettingError
from fairvec.languages.language import UNKNOWN_LANGUAGES, Language, known_languages
from fairvec.languages.language import language as language_named
from fairvec.languages.spelling import JOINERS

_JOINED_BY = "'’\\-‐‑"
# Beyond the first plane letters come in blocks, and pictures have one of their own: two ranges are
# near enough there, and hundreds would make the search ten times slower.
_SUPPLEMENTARY = "\U00010000-\U0001efff\U00020000-\U0003ffff"


@cache
def _end_pattern(ends: str) -> re.Pattern[str]:
    # Possessive, and only from the first stop of several: a million dots are read in one go.
    stop = f"[{re.escape(ends)}]"
    return re.compile(rf"(?<!{stop}){stop}++[\"'”’»)\]]*+\s++")


@cache
def _abbreviation_pattern(abbreviations: tuple[str, ...]) -> re.Pattern[str]:
    choices = "|".join(["[^\\W\\d_]", *map(re.escape, abbreviations)])
    return re.compile(rf"(?:^|[\W_])(?:{choices})$")


def _abbreviations(language: Language) -> tuple[str, ...]:
    """Return those of the language, or of all languages where it is not known."""
    if language.code not in UNKNOWN_LANGUAGES:
        return language.abbreviations
    return tuple(sorted({word for known in known_languages() for word in known.abbreviations}))


@cache
def token_pattern() -> re.Pattern[str]:
    r"""Return what finds the tokens: letters, their marks and digits, joined by - and ' within.

    Not \w, which knows no marks and cuts कि into क and a vowel sign. Joiners (ZWJ, ZWNJ) belong to
    a word within it, and after a virama at its end: in Malayalam they make another letter.
    """
    more = f"(?:(?:[{_JOINED_BY}]|[{JOINERS}]++)[{_letters()}]+)*"
    return re.compile(f"[{_letters()}]+{more}(?:(?<=[{_viramas()}])\u200d)?")


def _viramas() -> str:
    return "".join(filter(lambda sign: unicodedata.combining(sign) == 9, map(chr, range(0x10000))))


@cache
def _letters() -> str:
    """Return letters, marks and numbers as what stands within the brackets of a pattern."""
    is_letter = [unicodedata.category(chr(code))[0] in "LMN" for code in range(0x10000)]
    ends = [
        code for code in range(0x10000) if is_letter[code] != (code > 0 and is_letter[code - 1])
    ]
    ranges = zip(ends[::2], ends[1::2], strict=True)
    return "".join(f"{chr(start)}-{chr(end - 1)}" for start, end in ranges) + _SUPPLEMENTARY


def without_punctuation(token: str) -> str:
    """Return a token without dandas, guillemets, full stops and the like at its ends."""
    start, end = 0, len(token)
    while start < end and unicodedata.category(token[start])[0] == "P":
        start += 1
    while start < end and unicodedata.category(token[end - 1])[0] == "P":
        end -= 1
    return token[start:end]


def sentences_of(line: str, language: str = "") -> Iterator[str]:
    """Give the sentences of a line, without the space around them."""
    for start, end in sentence_spans(line, language):
        yield line[start:end]


def sentence_spans(line: str, language: str = "") -> Iterator[tuple[int, int]]:
    """Give where each sentence of a line starts and ends: a stop, its closing quotes and a space.

    Not before a small letter (approx. five), and a full stop not after an initial or a title (J.
    Smith, Dr. Rao).
    """
    end = len(line.rstrip())
    start = len(line) - len(line.lstrip())
    spoken = language_named(language)
    abbreviations = _abbreviations(spoken)
    longest = max(map(len, abbreviations), default=1)
    abbreviation = _abbreviation_pattern(abbreviations)
    for stop in _end_pattern(spoken.sentence_ends).finditer(line, start, end):
        if line[stop.end()].islower():
            continue
        if stop.group()[0] == "." and abbreviation.search(
            line, max(0, stop.start() - longest - 1), stop.start()
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
    """A sentence: where it starts and ends in the text, and its paragraph's number."""

    start: int
    end: int
    paragraph: int
    read: str = field(repr=False, compare=False)
    """What people read of the whole text."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its words, read anew each time: a million of them would take a hundred times the text."""
        return tuple(
            Token(match.group(), match.start(), match.end())
            for match in token_pattern().finditer(self.read, self.start, self.end)
        )


class SentencesInText(Sequence[SentenceInText]):
    """The sentences of a text that hold a word, in 16 bytes each."""

    def __init__(self, read: str, columns: Sequence["array[int]"] | None = None) -> None:
        self.read = read
        self._columns = columns or [array("I") for _ in range(4)]
        self._starts, self._ends, self.paragraphs, self.word_counts = self._columns
        """Of each sentence its place, the number of its paragraph, and how many words it has."""

    def append(self, start: int, end: int, paragraph: int, words: int) -> None:
        """Add a sentence."""
        for column, value in zip(self._columns, (start, end, paragraph, words), strict=True):
            column.append(value)

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, place: int) -> SentenceInText: ...
    @overload
    def __getitem__(self, place: slice) -> "SentencesInText": ...
    def __getitem__(self, place: int | slice) -> "SentenceInText | SentencesInText":
        if isinstance(place, slice):
            if place.indices(len(self)) == (0, len(self), 1):
                return self
            return SentencesInText(self.read, [column[place] for column in self._columns])
        start, end, paragraph = self._starts[place], self._ends[place], self.paragraphs[place]
        return SentenceInText(start, end, paragraph, self.read)

    def __iter__(self) -> Iterator[SentenceInText]:
        for start, end, paragraph in zip(self._starts, self._ends, self.paragraphs, strict=True):
            yield SentenceInText(start, end, paragraph, self.read)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentencesInText) and self._columns == other._columns

    __hash__ = None  # type: ignore[assignment]

    @property
    def paragraph_ranges(self) -> Iterator[tuple[int, int]]:
        """The first sentence of each paragraph, and the one after its last."""
        first = 0
        for place, (number, following) in enumerate(pairwise(self.paragraphs), 1):
            if number != following:
                yield first, place
                first = place
        if len(self):
            yield first, len(self)

    def in_parts(self) -> Iterator[SentenceInText]:
        """Give the sentences; one of more than LONGEST_PART words in parts of about one size.

        What has so many words without a stop is a list, or a text without marks. No part has fewer
        than half of LONGEST_PART words, so that each is too long for a sentence itself.
        """
        for sentence, words in zip(self, self.word_counts, strict=True):
            if words <= LONGEST_PART:
                yield sentence
                continue
            size = -(-words // -(-words // LONGEST_PART))
            found = token_pattern().finditer(self.read, sentence.start, sentence.end)
            starts = (match.start() for match in islice(found, 0, None, size))
            for start, end in pairwise(chain(starts, [sentence.end])):
                yield SentenceInText(start, end, sentence.paragraph, self.read)

    @property
    def endless(self) -> bool:
        """Whether these sentences, as one paragraph, are too long to be read at once."""
        return self._ends[-1] - self._starts[0] > LONGEST_PARAGRAPH

    def paragraph_parts(self) -> Iterator[list[SentenceInText]]:
        """Give these sentences, as one paragraph, in parts that can be read at once."""
        part: list[SentenceInText] = []
        for sentence in self.in_parts():
            if part and sentence.end - part[0].start > LONGEST_PARAGRAPH:
                yield part
                part = []
            part.append(sentence)
        yield part


LONGEST_PART = 2_000
"""Words of what rewriters read at once as one sentence."""

LONGEST_PARAGRAPH = 20_000
"""Characters of what rewriters read at once as one paragraph; what is longer is never swapped."""


def line_starts(text: str) -> "array[int]":
    """Return where each line of a text starts, as editors count them."""
    return array("I", chain([0], (match.end() for match in re.finditer("\r\n?|\n", text))))


@dataclass(frozen=True)
class Document:
    """A text in one language, by name; every place counts characters of `text`.

    `text` is what a person wrote, character for character: marks and changes refer to it, and what
    is written back differs from it in the accepted changes alone.
    """

    name: str
    text: str
    language: str
    sentences: SentencesInText

    @property
    def tokens(self) -> Iterator[Token]:
        """All words, in their order."""
        for sentence in self.sentences:
            yield from sentence.tokens

    def position(self, place: int) -> tuple[int, int]:
        """Return the line and the column of a character, both from 1, as editors count them."""
        line = bisect_right(self._line_starts, place)
        return line, place - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line of the text, the first being 1, without its end."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    @cached_property
    def _line_starts(self) -> "array[int]":
        return line_starts(self.text)

    @property
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
    visible = text if read is None else read
    if len(visible) != len(text):
        raise SettingError(
            f"{name}: what is read has {len(visible)} characters and the text {len(text)}; blank "
            "out what is not read instead of leaving it out."
        )
    found = SentencesInText(visible)
    find_tokens = token_pattern().finditer
    paragraphs = _lines(visible) if blocks is None else blocks
    for number, (first, last) in enumerate(paragraphs):
        for start, end in sentence_spans(visible[first:last], language):
            if words := sum(1 for _ in find_tokens(visible, first + start, first + end)):
                found.append(first + start, first + end, number, words)
    return Document(name, text, language, found)


_CLOSING = ".!?:;…\"'”’)»]"


def wrapped_paragraphs(document: Document) -> Iterator[tuple[int, int]]:
    """Give the first sentence of each paragraph, and the one after its last, of wrapped lines.

    Lines that follow one another are one paragraph if one of them ends no sentence.
    """
    text, sentences = document.text, document.sentences
    lines = sentences.paragraph_ranges
    line = next(lines, None)
    while line is not None:
        first, last = line
        closed = True
        while (line := next(lines, None)) and _is_next_line(
            text, sentences[last - 1], sentences[last]
        ):
            closed = closed and text[sentences[last - 1].end - 1] in _CLOSING
            last = line[1]
        if closed:
            for start, end in sentences[first:last].paragraph_ranges:
                yield first + start, first + end
        else:
            yield first, last


def _is_next_line(text: str, last: SentenceInText, following: SentenceInText) -> bool:
    between = text[last.end : following.start]
    return between.isspace() and len(between.splitlines()) == 2 - between.endswith(("\n", "\r"))


# Where str.splitlines ends a line, which would make all lines at once.
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _LINE_END.finditer(text):
        yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)
