from unicodedata import is_normalized

import pytest

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.io.toml_files import parse_toml
from fairvec.languages.people import NounLists, noun_lists
from fairvec.lexicon import shipped_suites

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
