import tomllib
from importlib.resources import files

import pytest

from fairvec.core.errors import UnknownNameError
from fairvec.languages.language import file_of_language, languages_with

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
