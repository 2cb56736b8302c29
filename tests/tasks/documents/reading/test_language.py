"""The language of a text: what was said, else its script, and a doubt where there is one."""

import pytest

from fairvec.core.errors import SettingError
from fairvec.languages.detect import detect_language


@pytest.mark.parametrize(("text", "language"), [("She", "en"), ("Она a", "ru"), ("वह x", "hi")])
def test_the_script_tells_the_language_and_that_is_said(text: str, language: str) -> None:
    found = detect_language(text, "a")
    assert found.language == language
    assert f"The language {language} was assumed" in found.remark
    assert detect_language(text, "a", language).remark == ""


@pytest.mark.parametrize(
    ("text", "said", "sentence"),
    [
        ("", None, "nothing to read here .it is empty"),
        (" \n", "en", "it is empty"),
        ("12 + 3", None, "it has no letters"),
        ("Она ушла", "en", "100% of its letters are Cyrillic, and 'en' is written in Latin"),
        ("She", "hi", "'hi' is written in Devanagari"),
        ("她走了", None, "most of its letters are Cjk"),
        ("She", "English", "named by its code"),
    ],
    ids=["empty", "space", "numbers", "cyrillic", "latin", "chinese", "name"],
)
def test_another_script_is_said(text: str, said: str | None, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        detect_language(text, "a", said)


def test_a_text_of_another_language_in_the_same_script_is_doubted() -> None:
    german = "Der Hund und die Katze gehen durch den Wald nach Hause. " * 10
    assert "is it another language" in detect_language(german, "a", "en").remark
    english = "The dog and the cat go home through the wood in the night. " * 10
    assert detect_language(english, "a", "en").remark == ""
