"""The words by which people are mentioned and described, and their jobs, language by language.

Also the gender-coded words of job advertisements, where a language has a published list.
"""

from functools import cache
from typing import Literal

from fairvec.ground.errors import UnknownNameError
from fairvec.lexicon.languages import languages_with
from fairvec.lexicon.of_language import WordsOfLanguage
from fairvec.lexicon.toml_file import table_of_language
from fairvec.lexicon.words import Id, Text, Word

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


class PeopleLists(WordsOfLanguage):
    """The lists of one language; group a first.

    An entry with a capital letter is found as written, any other one in any case.
    """

    groups: tuple[Text, Text]
    persons: dict[Literal["a", "b"], dict[PersonRole, tuple[Text, ...]]]
    describing: dict[Id, Forms]
    occupations: Forms


class CodedWords(WordsOfLanguage):
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
