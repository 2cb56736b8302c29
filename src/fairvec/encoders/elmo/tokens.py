"""A sentence as the tokens that an ELMo reads, and which of them are its word."""

import string
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from fairvec.encoders.sentence import Sentence
from fairvec.languages.spelling import plain


@dataclass(frozen=True)
class ReadSentence:
    """The tokens of a sentence, and where those of its word begin and end among them."""

    tokens: tuple[str, ...]
    word: slice


def read_sentence(sentence: Sentence) -> ReadSentence:
    """Split a sentence at white space and around each punctuation mark, as BERT does.

    In NFC and without joiners; nothing is lower-cased, the characters being what is read. A token
    belongs to the word if any of its characters does.
    """
    text, upto_word = plain(sentence.text), plain(sentence.before + sentence.word)
    start, end = _shared_start(plain(sentence.before), upto_word), len(upto_word)
    spans = [*_spans(text)]
    of_word = [n for n, (one, two) in enumerate(spans) if max(one, start) < min(two, end)]
    tokens = tuple(text[one:two] for one, two in spans)
    return ReadSentence(tokens, slice(of_word[0], of_word[-1] + 1) if of_word else slice(0, 0))


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text."""
    return read_sentence(Sentence.alone(text)).tokens


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Give where each token begins and ends."""

    def token(place: int) -> int | None:
        letter = text[place]
        if letter.isspace():
            return None
        return place if _is_mark(letter) else -1  # a mark is a token of its own

    for of, places in groupby(range(len(text)), key=token):
        if of is not None:
            within = [*places]
            yield within[0], within[-1] + 1


def _is_mark(letter: str) -> bool:
    """Say whether BERT counts a character as punctuation.

    Of ASCII, all that is no letter, digit or space; beyond it, what Unicode says.
    """
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


def _shared_start(before: str, upto_word: str) -> int:
    """Return where the word begins: an accent of it may have merged with the letter before."""
    for place, (one, other) in enumerate(zip(before, upto_word, strict=False)):
        if one != other:
            return place
    return min(len(before), len(upto_word))
