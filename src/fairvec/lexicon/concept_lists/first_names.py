"""First names of men and of women, each with the one that is as common among the others."""

from functools import cache
from typing import Self

from pydantic import model_validator

from fairvec.lexicon.concept_lists.counterparts import Counterparts
from fairvec.lexicon.of_language import WordsOfLanguage
from fairvec.lexicon.toml_file import table_of_language
from fairvec.lexicon.words import Text


class FirstNames(WordsOfLanguage):
    """The names of a language, the most common first, as many of men as of women."""

    men: tuple[Text, ...]
    women: tuple[Text, ...]

    @model_validator(mode="after")
    def _check(self) -> Self:
        every = [name.casefold() for name in (*self.men, *self.women)]
        if len(self.men) != len(self.women) or len({*every}) != len(every):
            raise ValueError("needs as many names of men as of women, each once")
        return self


@cache
def paired_names(language: str) -> Counterparts:
    """Return every first name with its counterpart: that of the same rank in the other list.

    After Hall Maudslay et al. (2019), who pair names that are about as frequent; they match by
    counts and by how surely a name is of one gender, here the rank in the lists stands for both.
    """
    names = table_of_language(language, "first_names", "pairs of first names", FirstNames)
    pairs = zip(names.men, names.women, strict=True)
    return tuple(
        swap
        for man, woman in pairs
        for swap in ((man.casefold(), woman.casefold()), (woman.casefold(), man.casefold()))
    )
