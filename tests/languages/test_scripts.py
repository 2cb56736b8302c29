import pytest

from fairvec.languages.language import script_of_language, scripts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("папа", {"CYRILLIC"}),
        ("пapa", {"CYRILLIC", "LATIN"}),
        ("ज़मींदार", {"DEVANAGARI"}),
        ("naïve-2", {"LATIN"}),
        ("e\u0301", {"LATIN"}),
        ("42", set()),
        ("東京タワー", {"CJK"}),
    ],
)
def test_the_scripts_of_letters_are_named(text: str, found: set[str]) -> None:
    assert scripts(text) == found


def test_a_language_has_its_script_whatever_the_words() -> None:
    assert script_of_language("ru", ["papa", "mama"]) == "CYRILLIC"
    assert script_of_language("hi", []) == "DEVANAGARI"


def test_other_languages_take_the_script_of_most_letters() -> None:
    assert script_of_language("el", ["άνδρας", "man"]) == "GREEK"
    assert script_of_language("el", ["1"]) == ""
