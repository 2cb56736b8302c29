import pytest

from fairvec.core.errors import LexiconError
from fairvec.languages.language import scripts
from fairvec.lexicon import lint_suite, new_suite, parse_suite


@pytest.mark.parametrize("language", ["en", "ru", "hi", "ar", "ja", "el"])
def test_a_new_file_loads_and_has_no_findings(language: str) -> None:
    suite = parse_suite(new_suite("new-one", language, 'A "quoted" \\ title\x7f'))
    assert (suite.id, suite.language) == ("new-one", language)
    assert suite.title == 'A "quoted" \\ title\x7f'
    assert lint_suite(suite) == ()


@pytest.mark.parametrize("language", ["ru", "hi"])
def test_examples_off_the_latin_script_show_how_to_help_readers(language: str) -> None:
    words = [w for s in parse_suite(new_suite("n", language)).sets.values() for w in s.words]
    assert all(word.transliteration and word.gloss for word in words)
    assert not any("LATIN" in scripts(word.word) for word in words)


def test_every_comment_with_a_key_can_be_uncommented() -> None:
    lines = new_suite().splitlines()
    opened = [
        line[2:] if line.startswith(("# doi", "# notes", "# tags")) else line for line in lines
    ]
    suite = parse_suite("\n".join(opened))
    assert suite.doi
    assert suite.notes
    assert suite.tests[0].tags == ("translated",)


@pytest.mark.parametrize(("id", "language"), [("My suite", "en"), ("mine", "English")])
def test_names_that_the_file_could_not_have_are_refused(id: str, language: str) -> None:
    with pytest.raises(LexiconError, match="the new suite: "):
        new_suite(id, language)
