import pytest
from pydantic import ValidationError

from fairvec.languages.words import Word, WordSet


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
