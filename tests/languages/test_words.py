"""Words with variants, and sentences made of templates."""

import pytest
from pydantic import ValidationError

from fairvec.core.errors import UnknownNameError
from fairvec.languages.en.spelling import article
from fairvec.languages.sentences import Templates, sentences, template_kind, templates
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import shipped_suites
from tests.loops import loop_over

# --- words ---


def test_a_word_may_be_plain_text() -> None:
    assert Word.model_validate("aster") == Word(word="aster")


def test_spellings_begin_with_the_listed_one() -> None:
    assert Word(word="सुन्दर", variants=("सुंदर",)).spellings == ("सुन्दर", "सुंदर")


def test_words_inherit_the_part_of_speech_of_their_list_unless_they_have_one() -> None:
    words = ({"word": "сила"}, {"word": "сильный", "pos": "ADJ"})
    wordset = WordSet.model_validate({"id": "s", "title": "s", "pos": "NOUN", "words": words})
    assert [word.pos for word in wordset.words] == ["NOUN", "ADJ"]


def test_a_list_without_part_of_speech_leaves_its_words_without() -> None:
    wordset = WordSet.model_validate({"id": "s", "title": "s", "words": ["a"]})
    assert wordset.words == (Word(word="a"),)


@pytest.mark.parametrize("extra", [{"sensitive": True}, {"sensitive_reason": "why"}])
def test_sensitive_and_its_reason_come_together(extra: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="both sensitive = true and a sensitive_reason"):
        WordSet.model_validate({"id": "s", "title": "s", "words": ["a"], **extra})


def test_records_cannot_be_changed() -> None:
    word = Word(word="aster")
    with pytest.raises(ValidationError):
        word.word = "rose"  # type: ignore[misc]


# --- sentences ---


def made(kinds: dict[str, list[str]]) -> Templates:
    return Templates.model_validate(
        {"language": "en", "source": "s", "licence": "l", "chosen_by": "word", "kinds": kinds}
    )


def test_parts_of_speech_have_their_kinds() -> None:
    kinds = {
        pos: template_kind(pos) for pos in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "PRON", "NUM")
    }
    assert list(kinds.values()) == [
        "common-noun", "name", "verb", "adjective", "adjective", "pronoun", "common-noun",
    ]  # fmt: skip
    assert template_kind(None) == "common-noun"


@loop_over(
    ("word", "pos", "language", "sentence"),
    [
        ("rose", "NOUN", "en", "There is a rose."),
        ("aster", "NOUN", "en", "There is an aster."),
        ("honor", "NOUN", "en", "This is an honor."),
        ("European", "NOUN", "en", "This is a European."),
        ("uncle", "NOUN", "en", "Here is an uncle."),
        ("university", "NOUN", "en", "Here is a university."),
        ("unit", "NOUN", "en", "Here is a unit."),
        ("unison", "NOUN", "en", "Here is a unison."),
        ("unimportant", "NOUN", "en", "Here is an unimportant."),
        ("uninteresting", "NOUN", "en", "Here is an uninteresting."),
        ("unidentified", "NOUN", "en", "Here is an unidentified."),
        ("unimodal", "NOUN", "en", "Here is a unimodal."),
        ("aide", "PROPN", "en", "Aide is a person."),
        ("Mary", "PROPN", "en", "The person's name is Mary."),
        ("kill", "VERB", "en", "That may kill."),
        ("happy", "ADJ", "en", "They are happy."),
        ("he", "PRON", "en", "This is he."),
        ("गणित", "NOUN", "hi", "गणित यहाँ है"),
        ("वह", "PRON", "hi", "ये वह है"),
        ("शर्मा", "PROPN", "hi", "उसका नाम शर्मा है"),
        ("गया", "VERB", "hi", "वहाँ गया है"),
        ("сдаться", "VERB", "ru", "Сдаться можно."),
        ("умный", "ADJ", "ru", "Этот умный."),
        ("дом", "NOUN", "ru", "Здесь есть дом."),
    ],
)
def test_sentences_are_filled_in(word: str, pos: str, language: str, sentence: str) -> None:
    assert sentence in sentences(word, pos, language)


def test_hindi_lists_decide_and_english_words_do() -> None:
    word = Word(word="शर्म", pos="NOUN")
    adjectives = WordSet(id="x", title="adjectives", pos="ADJ", words=(word,))
    assert templates("hi").pos_of(word, adjectives) == "ADJ"
    assert templates("en").pos_of(word, adjectives) == "NOUN"


def test_a_language_without_templates_is_refused_with_those_that_have_some() -> None:
    with pytest.raises(UnknownNameError, match=r"templates named 'fr'; known: en, hi, ru\."):
        templates("fr")


def test_templates_need_every_kind_and_one_slot() -> None:
    good = {kind: ["This is _."] for kind in ("name", "common-noun", "verb", "adjective")}
    assert made(good).sentences("x", "VERB") == ("This is x.",)
    with pytest.raises(ValidationError, match="no templates for verb, adjective"):
        made({**good, "verb": [], "adjective": []})
    for template in ("This is.", "_ is _."):
        with pytest.raises(ValidationError, match="must have one _ for the word"):
            made({**good, "verb": [template]})


AN = (
    "hour honest honour honorary heir heiress heirloom onerous oneiric usher utter urge urn urban "
    "urchin unimportant uninformed unidentified unissued unanswered umbrella uncle unable up ugly "
    "egg ear engineer eye oven onion owl only ox x-ray yttrium apple artist idea"
)
A = (
    "European euphemism eulogy ewe ewer once one one-off onesie ouija ukulele Ukrainian union "
    "unicorn uniform unique unit university unimodal uninuclear user useful usual usurer utensil "
    "utility utopia uranium urine urologist ubiquitous UFO U-turn unanimous UNESCO uvula houri "
    "hospital house year yacht"
)


def test_the_article_goes_by_the_sound() -> None:
    assert {word for word in AN.split() if article(word) == "a"} == set()
    assert {word for word in A.split() if article(word) == "an"} == set()


def test_articles_against_the_first_letter_in_the_shipped_lists_were_read() -> None:
    """Of all words of the English suites, only these begin otherwise than spelt."""
    words = {
        word.word
        for suite in shipped_suites()
        for test in suite.tests
        if test.language == "en"
        for wordset in test.sets.values()
        for word in wordset.words
    }
    by_letter = {word: "an" if word[0].lower() in "aeiou" else "a" for word in words}
    assert {word for word, letter in by_letter.items() if article(word) != letter} == {
        "honest",
        "honor",
    }
