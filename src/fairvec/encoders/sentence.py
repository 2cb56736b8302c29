"""A word in a sentence."""

import unicodedata
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Sentence:
    """A word in a sentence: all that an encoder needs.

    `keys` are those under which a word list reached the word, which the text does not tell where
    it was a spelling variant, a tagged key or a mean of parts; only the mean of word vectors asks
    for them.
    """

    before: str
    word: str
    after: str
    keys: tuple[str, ...] = ()

    @classmethod
    def alone(cls, word: str) -> "Sentence":
        """Return the sentence that is the word and nothing else."""
        return cls("", word, "")

    @property
    def as_read(self) -> "Sentence":
        """The sentence without the keys of a word list, which an encoder does not ask for."""
        return replace(self, keys=()) if self.keys else self

    @property
    def text(self) -> str:
        """The sentence as it is written."""
        return self.before + self.word + self.after

    @property
    def span(self) -> tuple[int, int]:
        """Where the word begins and ends in the text."""
        return len(self.before), len(self.before) + len(self.word)

    @property
    def surroundings(self) -> tuple[str, ...]:
        """The other words: what spaces separate, without the punctuation at both ends."""
        tokens = (*self.before.split(), *self.after.split())
        return tuple(word for token in tokens if (word := _bare(token)))


def _bare(token: str) -> str:
    """Return a token without dandas, guillemets, full stops and the like at its ends."""
    marks = {letter for letter in token if unicodedata.category(letter).startswith("P")}
    return token.strip("".join(marks)) if marks else token
