"""A document as text whose words and sentences know their places in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from fairvec.ground.errors import SettingError
from fairvec.languages.tokens import sentence_spans, token_pattern


@dataclass(frozen=True, slots=True)
class WordInText:
    """A word of a text, and where it starts and ends there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentenceInText:
    """A sentence: where it starts and ends in the text, its words, and its paragraph's number."""

    start: int
    end: int
    tokens: tuple[WordInText, ...]
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
    def tokens(self) -> Iterator[WordInText]:
        """All words, in their order."""
        for sentence in self.sentences:
            yield from sentence.tokens

    @cached_property
    def sha256(self) -> str:
        """The hash of the text."""
        return sha256(self.text.encode()).hexdigest()


def document_of(
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
    seen = text if read is None else read
    if len(seen) != len(text):
        raise SettingError(
            f"{name}: what is read has {len(seen)} characters and the text {len(text)}; blank out "
            "what is not read instead of leaving it out."
        )
    paragraphs = _lines(seen) if blocks is None else blocks
    for number, (first, last) in enumerate(paragraphs):
        for start, end in sentence_spans(seen[first:last]):
            start, end = first + start, first + end
            tokens = tuple(
                WordInText(match.group(), match.start(), match.end())
                for match in token_pattern().finditer(seen, start, end)
            )
            if tokens:
                found.append(SentenceInText(start, end, tokens, number))
    return Document(name, text, language, tuple(found))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)
