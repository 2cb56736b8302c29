import pytest

from fairvec.ground.errors import UnknownNameError
from fairvec.lexicon.languages import file_of_language


@pytest.mark.parametrize("folder", ["concepts", "templates"])
def test_every_language_has_its_file(folder: str) -> None:
    for language in ("en", "hi", "ru"):
        text = file_of_language(language, folder, "lists").read_text(encoding="utf-8")
        assert f'language = "{language}"' in text


def test_another_language_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(UnknownNameError, match=r"language of lists named 'fr'; known: en, hi, ru"):
        file_of_language("fr", "templates", "lists")
