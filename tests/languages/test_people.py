"""Words for people, noun gender and first names."""

import unicodedata
from collections import Counter
from itertools import chain
from unicodedata import is_normalized

import pytest

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.io.toml_files import parse_toml
from fairvec.languages.language import language as language_named
from fairvec.languages.language import languages_with, script_of_language, scripts
from fairvec.languages.people import (
    ROLE_TITLES,
    FirstNames,
    NounLists,
    coded_words,
    forms_listed,
    names_of_men,
    noun_lists,
    paired_names,
    people_lists,
)
from fairvec.lexicon import shipped_suites

# --- The lists of words for people hold no word twice, and none that two groups share ---


LANGUAGES = languages_with("people")


def fold(word: str, language: str) -> str:
    return language_named(language).spelling.fold(word).casefold()


def entries(language: str) -> dict[str, list[str]]:
    """Return every form of a language under what it is of."""
    lists = people_lists(language)
    found = {
        f"{group} {role}": [*words]
        for group, roles in lists.persons.items()
        for role, words in roles.items()
    }
    for kind, words in {**lists.describing, "occupations": lists.occupations}.items():
        found |= {f"{kind} {word}": [word, *forms_listed(forms)] for word, forms in words.items()}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_form_stands_twice(language: str) -> None:
    """Group a and group b share none, and no describing word is an occupation or a person."""
    counts = Counter(
        form
        for forms in entries(language).values()
        for form in {fold(word, language) for word in forms}
    )
    assert [form for form, count in counts.items() if count > 1] == []
    for what, forms in entries(language).items():
        assert len({*forms}) == len(forms), what


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_is_in_the_script_and_normalised(language: str) -> None:
    expected = {script_of_language(language, [])}
    for form in chain(*entries(language).values()):
        assert scripts(form) == expected, form
        assert unicodedata.normalize("NFC", form) == form
        assert form == form.strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_groups_have_the_same_roles_and_there_are_enough_words(language: str) -> None:
    lists = people_lists(language)
    assert list(lists.persons["a"]) == list(lists.persons["b"])
    assert set(lists.persons["a"]) <= set(ROLE_TITLES)
    assert sum(len(words) for words in lists.describing.values()) >= 150
    assert len(lists.occupations) >= 100
    for group in lists.persons.values():
        assert len(group["name"]) >= 60


def test_hindi_pronouns_name_no_gender_and_are_not_listed() -> None:
    assert not any("pronoun" in role for role in people_lists("hi").persons["a"])
    listed = set(chain(*people_lists("ru").persons["a"].values()))
    assert not listed & {"им", "ним", "их", "супруги", "Александра"}


def test_another_language_is_named() -> None:
    with pytest.raises(UnknownNameError, match="language of lists of words for people named 'de'"):
        people_lists("de")


def test_coded_words_are_of_the_languages_that_have_a_list_of_them() -> None:
    listed = [language for language in LANGUAGES if coded_words(language)]
    assert listed == [language for language in LANGUAGES if language in languages_with("coded")]
    assert coded_words("ru") is None


def test_the_coded_words_are_those_of_the_paper() -> None:
    coded = coded_words("en")
    assert coded is not None
    assert (len(coded.a), len(coded.b)) == (42, 40)
    assert not {*coded.a} & {*coded.b}
    assert all(word == word.lower() and "*" not in word[:-1] for word in (*coded.a, *coded.b))


# --- noun gender ---


HINDI = noun_lists("hi")
SMALL = """
version = "1"
language = "hi"
source = "made up"
licence = "CC0"
varying = ["दही"]
masculine = ["घर"]
feminine = ["रात"]
masculine_forms = ["गया"]
feminine_forms = ["गई"]
"""


def words(suite: str, *lists: str) -> list[str]:
    (found,) = (each for each in shipped_suites() if each.id == suite)
    return [word.word for name in lists for word in found.sets[name].words]


def test_the_forms_are_those_of_the_paper_pair_by_pair() -> None:
    masculine = [word.word for word in HINDI.masculine_forms]
    feminine = [word.word for word in HINDI.feminine_forms]
    assert masculine == words("malik2022", "male-verbs", "masculine-adjectives")
    assert feminine == words("malik2022", "female-verbs", "feminine-adjectives")


def test_the_paper_has_certain_nouns_too_and_calls_none_of_them_otherwise() -> None:
    own = {word.word for word in HINDI.masculine}, {word.word for word in HINDI.feminine}
    papers = (
        {*words("malik2022", "masculine-entities")},
        {*words("malik2022", "feminine-entities")},
    )
    assert len(own[0] & papers[0]) == len(own[1] & papers[1]) == 7
    assert not own[0] & papers[1]
    assert not own[1] & papers[0]


def test_every_entry_is_readable_and_written_in_one_way() -> None:
    lists = (HINDI.varying, HINDI.masculine, HINDI.feminine)
    assert [len(each) for each in lists] == [17, 18, 18]
    for word in (word for each in lists for word in each):
        assert word.gloss
        assert word.transliteration.isascii()
        assert all(is_normalized("NFC", spelling) for spelling in word.spellings)


def test_a_noun_has_one_place_and_a_language_its_file() -> None:
    text = SMALL.replace('["रात"]', '["घर"]')
    with pytest.raises(LexiconError, match="घर twice"):
        parse_toml(text, "nouns", NounLists, lambda _: NounLists.model_fields)
    with pytest.raises(UnknownNameError, match="nouns by gender"):
        noun_lists("en")


# --- Every first name has one counterpart, which has it in turn ---


def test_the_way_there_and_back_leads_to_the_name() -> None:
    found = dict(paired_names("en"))
    assert all(found[its] == name != its for name, its in found.items())
    assert (found["james"], found["john"]) == ("mary", "patricia")


def test_the_names_of_men_are_those_of_their_list() -> None:
    men = names_of_men("en")
    assert {"james", "john"} <= men
    assert not men & {dict(paired_names("en"))[name] for name in men}
    assert 2 * len(men) == len(paired_names("en"))


@pytest.mark.parametrize("women", ['["Ann", "Jo"]', '["Ann", "ann"]', '["Ann"]'])
def test_a_name_that_stands_twice_or_has_no_counterpart_is_refused(women: str) -> None:
    head = 'version = "1"\nlanguage = "en"\nsource = "Somebody."\nlicence = "None needed."\n'
    text = f'{head}men = ["Tom", "Jo"]\nwomen = {women}\n'
    with pytest.raises(LexiconError, match="as many names of men as of women, each once"):
        parse_toml(text, "a", FirstNames, lambda _: FirstNames.model_fields)


def test_a_language_without_a_list_is_named() -> None:
    with pytest.raises(UnknownNameError, match="first names"):
        paired_names("hi")
