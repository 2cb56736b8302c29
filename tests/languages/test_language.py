import tomllib
from importlib.resources import files

import pytest

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.languages.detect import detect_language
from fairvec.languages.language import file_of_language, languages_with, script_of_language, scripts

# --- languages ---


FOLDERS = sorted(
    folder.name for folder in (files("fairvec.lexicon") / "data").iterdir() if folder.is_dir()
)


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if folder != "suites"])
def test_every_file_is_of_the_language_that_it_is_named_by(folder: str) -> None:
    for language in languages_with(folder):
        text = file_of_language(language, folder, "lists").read_text(encoding="utf-8")
        assert tomllib.loads(text)["language"] == language


@pytest.mark.parametrize("folder", ["concepts", "templates", "people", "equity", "rewrites"])
def test_the_languages_of_the_papers_have_their_lists(folder: str) -> None:
    assert {"en", "hi", "ru"} <= {*languages_with(folder)}


def test_another_language_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(UnknownNameError, match=r"language of lists named 'fr'; known: en, hi, ru"):
        file_of_language("fr", "templates", "lists")


# --- scripts ---


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


# --- The language of a text: what was said, else its script, and a doubt where there is one ---


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
