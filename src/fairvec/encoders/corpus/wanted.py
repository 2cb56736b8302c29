"""Words to be found in sentences as whole tokens."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fairvec.encoders.contexts import Spellings
from fairvec.languages.spelling import plain
from fairvec.languages.tokens import token_pattern


class _Phrase(NamedTuple):
    """The tokens of a form, what stands between them, and the word of which it is a form."""

    tokens: tuple[str, ...]
    between: tuple[str, ...]
    word: Spellings


class Sighting(NamedTuple):
    """A word and where it stands first in a sentence, in letters and in tokens."""

    word: Spellings
    start: int
    end: int
    tokens: int


class Wanted:
    """The words that are sought, each by the forms that its spellings can have in a text.

    A spelling is found as it is listed and with a capital, in Title Case or in CAPITALS, as at the
    start of a sentence; a word listed with a capital is not found without it: Bill is no bill. An
    entry of several words is found where they follow one another with only spaces between them, or
    with what the entry has there.
    """

    def __init__(self, words: Iterable[Spellings]) -> None:
        self._starting: dict[str, list[_Phrase]] = {}
        for word in words:
            for form in _forms(word):
                tokens = [*token_pattern().finditer(form)]
                if tokens:
                    between = tuple(
                        form[one.end() : other.start()].strip() for one, other in pairwise(tokens)
                    )
                    phrase = _Phrase(tuple(one.group() for one in tokens), between, word)
                    self._starting.setdefault(phrase.tokens[0], []).append(phrase)

    def may_be_in(self, line: str) -> bool:
        """Whether a line has a token with which a word begins."""
        return not self._starting.keys().isdisjoint(token_pattern().findall(line))

    def sightings(self, sentence: str) -> tuple[int, list[Sighting]]:
        """Return how many tokens a sentence has, and where each word that is in it stands first."""
        tokens = [*token_pattern().finditer(sentence)]
        seen: dict[Spellings, Sighting] = {}
        for place, token in enumerate(tokens):
            for phrase in self._starting.get(token.group(), ()):
                last = place + len(phrase.tokens)
                if phrase.word in seen or last > len(tokens):
                    continue
                here = tokens[place:last]
                if len(here) == 1 or _same(phrase, here, sentence):
                    start, end = token.start(), here[-1].end()
                    seen[phrase.word] = Sighting(phrase.word, start, end, len(here))
        return len(tokens), [*seen.values()]


def _forms(word: Sequence[str]) -> Iterator[str]:
    """Give the forms in which a word may be written, each once."""
    seen = set()
    for spelling in word:
        listed = plain(spelling.replace("_", " "))
        for form in (listed, listed[:1].upper() + listed[1:], listed.title(), listed.upper()):
            if form not in seen:
                seen.add(form)
                yield form


def _same(phrase: _Phrase, here: Sequence[re.Match[str]], sentence: str) -> bool:
    """Whether tokens of a sentence, and what is between them, are those of a phrase."""
    return phrase.tokens == tuple(one.group() for one in here) and phrase.between == tuple(
        sentence[one.end() : other.start()].strip() for one, other in pairwise(here)
    )
