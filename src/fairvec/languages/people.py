"""Words for people, nouns by grammatical gender and first names, by language.

Also the gender-coded words of job advertisements, where a language has a published list.
"""

from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Literal, NamedTuple, Self

from pydantic import model_validator

from fairvec.core.errors import UnknownNameError
from fairvec.languages.language import languages_with, table_of_language
from fairvec.languages.words import Id, LanguageTable, Text, Word

PersonRole = Literal[
    "subject-pronoun",
    "object-or-possessive-pronoun",
    "reflexive-pronoun",
    "title",
    "kinship",
    "noun",
    "job",
    "name",
]

ROLE_TITLES: dict[PersonRole, str] = {
    "subject-pronoun": "subject pronouns",
    "object-or-possessive-pronoun": "object and possessive pronouns",
    "reflexive-pronoun": "reflexive pronouns",
    "title": "titles",
    "kinship": "words for kin",
    "noun": "nouns for persons",
    "job": "gendered nouns for jobs",
    "name": "first names",
}
"""The roles in which a person may be mentioned, each as a sentence goes on."""

Forms = dict[Text, str]
"""A word and its other forms, with commas between."""


class PeopleLists(LanguageTable):
    """The lists of one language; group a first.

    An entry with a capital letter is found as written, any other one in any case.
    """

    groups: tuple[Text, Text]
    persons: dict[Literal["a", "b"], dict[PersonRole, tuple[Text, ...]]]
    describing: dict[Id, Forms]
    occupations: Forms


class CodedWords(LanguageTable):
    """Words of advertisements that are coded masculine (a) or feminine (b).

    A * at the end stands for whatever follows.
    """

    a: tuple[Text, ...]
    b: tuple[Text, ...]


def forms_listed(forms: str) -> tuple[str, ...]:
    """Return the other forms of a word, one by one."""
    return tuple(form.strip() for form in forms.split(",") if form.strip())


@cache
def people_lists(language: str) -> PeopleLists:
    """Return the lists of a language, or raise UnknownNameError with those that there are."""
    return table_of_language(language, "people", "lists of words for people", PeopleLists)


@cache
def coded_words(language: str) -> CodedWords | None:
    """Return the gender-coded words of a language; None where no list is published."""
    if language not in languages_with("coded"):
        return None
    return table_of_language(language, "coded", "gender-coded words", CodedWords)


def person_words(language: str) -> tuple[Word, ...]:
    """Return the listed words that mean a man or a woman; none in a language without lists.

    Names and words for jobs are not among them: the first mean nobody, the second may be said of
    anybody in some languages, and are what tests of bias ask about. Nor are titles with a capital,
    which a vocabulary of small letters mixes up with other words (Miss, miss).
    """
    try:
        lists = people_lists(language)
    except UnknownNameError:
        return ()
    listed = (
        word
        for roles in lists.persons.values()
        for role, words in roles.items()
        if role not in ("name", "job")
        for word in words
        if word == word.lower()
    )
    return tuple(Word(word=word) for word in dict.fromkeys(listed))


class NounLists(LanguageTable):
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


Counterparts = tuple[tuple[str, str], ...]
"""Spellings, each with the one to put in its place."""


class SwapByContext(NamedTuple):
    """A word whose counterpart depends on the word after it: her is his or him."""

    given: tuple[str, str]
    """The swap without which it is not made: his, her."""
    others: Counterparts
    """Further swaps that it makes possible: him, her."""
    word: str
    choose: Callable[[str | None], str]
    """Takes the word after it, None at the end of a line, and returns the counterpart."""


class FirstNames(LanguageTable):
    """The names of a language, the most common first, as many of men as of women."""

    men: tuple[Text, ...]
    women: tuple[Text, ...]

    @model_validator(mode="after")
    def _check(self) -> Self:
        names = [name.casefold() for name in (*self.men, *self.women)]
        if len(self.men) != len(self.women) or len({*names}) != len(names):
            raise ValueError("needs as many names of men as of women, each once")
        return self


@cache
def paired_names(language: str) -> Counterparts:
    """Return every first name with its counterpart: that of the same rank in the other list.

    After Hall Maudslay et al. (2019), who pair names that are about as frequent; they match by
    counts and by how surely a name is of one gender, here the rank in the lists stands for both.
    """
    names = _first_names(language)
    pairs = zip(names.men, names.women, strict=True)
    return tuple(
        swap
        for man, woman in pairs
        for swap in ((man.casefold(), woman.casefold()), (woman.casefold(), man.casefold()))
    )


@cache
def names_of_men(language: str) -> frozenset[str]:
    """Return the first names of men that have a counterpart, in small letters."""
    return frozenset(name.casefold() for name in _first_names(language).men)


def _first_names(language: str) -> FirstNames:
    return table_of_language(language, "first_names", "pairs of first names", FirstNames)
