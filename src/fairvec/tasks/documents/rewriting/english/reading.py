"""The words of an English paragraph, with what their places say of them."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from fairvec.tasks.documents.document import Document, SentenceInText, document_of
from fairvec.tasks.documents.rewriting.english.names import first_names_in, named_places
from fairvec.tasks.documents.rewriting.english.table import listed

_LONGEST = 200
_BREAKS = ("\n", "\r")
_CLOSING = ".!?:;…\"'”’)»]"
_QUOTES = re.compile(r'"+[^"]*(?:"+|\Z)|[“„][^”]*(?:”|\Z)|«[^»]*(?:»|\Z)', re.DOTALL)


@dataclass(frozen=True)
class EnglishWord:
    """A word, its small letters without a possessive ending, and what stands before it."""

    text: str
    start: int
    end: int
    core: str
    ending: str
    gap: str
    """The characters since the word before it."""
    quoted: bool = False
    fixed: bool = False
    """Whether it is in a fixed expression."""

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()


@dataclass(frozen=True)
class EnglishSentence:
    """The words of a sentence; `names` are the places of those that may be of a proper name."""

    text: str
    start: int
    words: tuple[EnglishWord, ...]
    tail: str
    """What follows the last word."""
    names: frozenset[int]
    first_names: frozenset[int] = frozenset()
    """The places of first names that are to be swapped, which are none of `names`."""

    def after(self, place: int, gap: str = " ") -> EnglishWord | None:
        """Return the next word, if nothing but `gap` stands between."""
        follows = place + 1 < len(self.words)
        return self.words[place + 1] if follows and self.words[place + 1].gap == gap else None

    def before(self, place: int, gap: str = " ") -> EnglishWord | None:
        """Return the word before, if nothing but `gap` stands between."""
        return self.words[place - 1] if place > 0 and self.words[place].gap == gap else None

    def ends_with(self, place: int) -> str:
        """Return the characters between a word and the next one."""
        return self.words[place + 1].gap if place + 1 < len(self.words) else self.tail

    @property
    def endless(self) -> bool:
        """Whether it has more words than a sentence has: a list, or a text without stops."""
        return len(self.words) > _LONGEST

    def says(self, place: int, *cores: str) -> bool:
        """Whether these words stand in a row from a place on, with spaces between."""
        here = self.words[place : place + len(cores)]
        return tuple(word.core for word in here) == cores and all(
            word.gap == " " for word in here[1:]
        )


def paragraphs_of(
    document: Document, *, swap_names: bool = False
) -> Iterator[tuple[EnglishSentence, ...]]:
    """Give the sentences of each paragraph; lines that break a sentence are one paragraph.

    With `swap_names` first names that have a counterpart are gendered words, and no names.
    """
    for sentences in _unwrapped(document):
        first, last = sentences[0].start, sentences[-1].end
        quotes = _quoted_spans(document.text, first, last)
        read = (_read(document.text, sentence, quotes) for sentence in sentences)
        yield tuple(_with_first_names(each) if swap_names else each for each in read)


def _unwrapped(document: Document) -> Iterator[list[SentenceInText]]:
    text = document.text
    lines = [list(group) for _, group in groupby(document.sentences, key=lambda s: s.paragraph)]
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and _is_next_line(text, lines[end - 1], lines[end]):
            end += 1
        block, start = lines[start:end], end
        if all(text[line[-1].end - 1] in _CLOSING for line in block[:-1]):
            yield from block
        else:
            span = (block[0][0].start, block[-1][-1].end)
            yield list(document_of(text, document.language, blocks=(span,)).sentences)


def _is_next_line(text: str, line: list[SentenceInText], other: list[SentenceInText]) -> bool:
    between = text[line[-1].end : other[0].start]
    return between.isspace() and len(between.splitlines()) == 2 - between.endswith(_BREAKS)


def _quoted_spans(text: str, first: int, last: int) -> list[tuple[int, int]]:
    """Return where quotations stand; everything, where a mark has no partner."""
    found = [match.span() for match in _QUOTES.finditer(text, first, last)]
    outside = [(first, *(end for _, end in found)), (*(start for start, _ in found), last)]
    plain = "".join(text[start:end] for start, end in zip(*outside, strict=True))
    partnerless = len(re.findall('"+', text[first:last])) % 2 or any(mark in plain for mark in "”»")
    return [(first - 1, last)] if partnerless else found


def _read(text: str, sentence: SentenceInText, quotes: list[tuple[int, int]]) -> EnglishSentence:
    words: list[EnglishWord] = []
    done = sentence.start
    for token in sentence.tokens:
        core = token.text.lower().replace("’", "'")
        ending = (
            token.text[-2:]
            if core.endswith("'s") and core not in listed("pronouns", "contracted")
            else ""
        )
        if core in ("'s", "s's"):
            ending = ""
        nearest = bisect_right(quotes, (token.start, 0)) - 1
        quoted = nearest >= 0 and token.start < quotes[nearest][1]
        core = core.removesuffix("'s") if ending else core
        gap = text[done : token.start]
        gap = " " if gap.isspace() else gap
        words.append(EnglishWord(token.text, token.start, token.end, core, ending, gap, quoted))
        done = token.end
    fixed = set(_fixed_places(words))
    marked = tuple(
        EnglishWord(w.text, w.start, w.end, w.core, w.ending, w.gap, w.quoted, place in fixed)
        for place, w in enumerate(words)
    )
    inside = text[sentence.start : sentence.end]
    # Capitals throughout hide which words are names, so that each may be one.
    names = frozenset(range(len(words))) if inside.isupper() else named_places(words)
    return EnglishSentence(inside, sentence.start, marked, text[done : sentence.end], names)


def _with_first_names(sentence: EnglishSentence) -> EnglishSentence:
    if sentence.text.isupper():
        return sentence
    first, surnames = first_names_in(sentence.words, sentence.names)
    return replace(sentence, names=sentence.names - first - surnames, first_names=first)


def _fixed_places(words: list[EnglishWord]) -> Iterator[int]:
    whole = [word.core + word.ending.replace("’", "'") for word in words]
    for place in range(len(words)):
        for length in (2, 3, 4):
            if " ".join(whole[place : place + length]) in listed("fixed"):
                yield from range(place, min(place + length, len(words)))
