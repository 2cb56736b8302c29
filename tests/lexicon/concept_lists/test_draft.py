import pytest

from fairvec.core.errors import LexiconError
from fairvec.languages.language import scripts
from fairvec.lexicon import lint_concept, new_concept, parse_concepts


@pytest.mark.parametrize("language", ["en", "ru", "hi", "ar", "ja", "el"])
@pytest.mark.parametrize("name", ["my-own", "my_own", "1"])
def test_a_new_file_loads_and_has_no_findings(language: str, name: str) -> None:
    (draft,) = parse_concepts(new_concept(name, language, 'A "quoted" \\ title\x7f'))
    assert draft.name == f"{language}/{name}:pairs"
    assert draft.title == 'A "quoted" \\ title\x7f'
    assert lint_concept(draft) == ()
    assert len(draft.definition.pairs) >= 5
    assert len(draft.variants["one-pair"].pairs) == 1
    assert draft.about == "gender"


@pytest.mark.parametrize("language", ["ru", "hi"])
def test_examples_off_the_latin_script_show_how_to_help_readers(language: str) -> None:
    (draft,) = parse_concepts(new_concept("n", language))
    words = [*draft.definition.entries, *draft.specific]
    words += [word for each in draft.equalise for word in each]
    assert all(word.transliteration and word.gloss for word in words)
    assert not any("LATIN" in scripts(word.word) for word in words)


def test_every_comment_with_a_key_can_be_uncommented() -> None:
    text = new_concept()
    lines = text.splitlines()
    keys = ("# notes", "# [", "# pairs", "# finding", "# where", "# reason")
    opened = [line[2:] if line.startswith(keys) else line for line in lines]
    (draft,) = parse_concepts("\n".join(opened))
    assert draft.notes
    assert draft.keep["verbs"].pairs
    assert draft.waivers


@pytest.mark.parametrize(
    ("name", "language", "words"),
    [
        ("My own", "en", "concepts.My own is 'My own' and may hold only small letters"),
        ("mine", "English", "language is 'English' and must be an ISO 639 code"),
        ("gender", "en", "en/gender comes with fairvec; call yours otherwise, as in my-gender"),
        ('x"]', "en", "may hold only"),
        ("", "en", "may hold only"),
    ],
)
def test_names_that_the_file_could_not_have_are_refused(
    name: str, language: str, words: str
) -> None:
    with pytest.raises(LexiconError, match=words):
        new_concept(name, language)
