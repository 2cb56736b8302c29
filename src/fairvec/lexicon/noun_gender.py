"""Nouns by their grammatical gender: of one, of the other, or of either as dialects have it."""

from functools import cache
from itertools import chain
from typing import Self

from pydantic import model_validator

from fairvec.lexicon.of_language import WordsOfLanguage
from fairvec.lexicon.toml_file import table_of_language
from fairvec.lexicon.words import Word


class NounLists(WordsOfLanguage):
    """The nouns of a language by gender, and the forms that agree with them."""

    varying: tuple[Word, ...]
    masculine: tuple[Word, ...]
    feminine: tuple[Word, ...]
    masculine_forms: tuple[Word, ...]
    feminine_forms: tuple[Word, ...]

    @model_validator(mode="after")
    def _check(self) -> Self:
        nouns = [word.word for word in chain(self.varying, self.masculine, self.feminine)]
        if twice := sorted({word for word in nouns if nouns.count(word) > 1}):
            raise ValueError(f"has {', '.join(twice)} twice, and a noun has one place")
        return self


@cache
def noun_lists(language: str) -> NounLists:
    """Return the nouns of a language, or raise UnknownNameError with those that there are."""
    return table_of_language(language, "noun_gender", "nouns by gender", NounLists)
