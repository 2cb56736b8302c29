from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import LexiconError
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Suite, Test, parse_suite, read_suite, shipped_suites, suite_to_toml

WORDS = st.one_of(
    st.text(min_size=1, max_size=12),
    st.sampled_from(
        ['"', "\\", '"""', "'''", "हिंदी", "क्\u200dष", "ёлка", "\x00", "\x7f", "a#b", "]"]
    ),
).filter(lambda word: word.strip() and word.encode("utf-8", "replace").decode() == word)


@pytest.mark.parametrize("suite", shipped_suites(), ids=lambda suite: suite.id)
def test_every_shipped_suite_is_read_again_as_it_was(suite: Suite) -> None:
    assert parse_suite(suite_to_toml(suite)) == suite


@given(
    lists=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=4, max_size=4),
    title=WORDS,
    variant=WORDS,
)
def test_any_words_are_read_again_as_they_were(
    lists: list[list[str]], title: str, variant: str
) -> None:
    x, y, a, b = lists
    entry = Word(word=x[0], variants=(variant,), pos="NOUN", gloss=variant)
    sets = {
        role: WordSet(id=role, title=title, concept="idea", words=words)
        for role, words in zip("yab", (y, a, b), strict=True)
    }
    sets["x"] = WordSet(
        id="x", title=title, pos="NOUN", sensitive=True, sensitive_reason=title, words=(entry, *x)
    )
    test = Test(sets=sets, id="mine/one", title=title, category=title, tags=[title], language="hi")
    suite = Suite(tests=[test], id="mine", title=title, notes=title)
    assert parse_suite(suite_to_toml(suite)) == suite


def test_a_written_file_is_a_suite_of_its_own(tmp_path: Path) -> None:
    test = Test(x=["he said"], y=["ё"], a=["क"], b=['say "no"'], title="Quotes", language="en")
    suite = Suite(tests=[test])
    file = tmp_path / "own.toml"
    file.write_text(suite_to_toml(suite), encoding="utf-8")
    assert read_suite(file) == suite


def test_a_name_that_no_file_can_have_is_refused() -> None:
    test = Test(x=["a", "b"], y=["c", "d"], a=["e"], b=["f"], id="own/Of my own", language="en")
    with pytest.raises(LexiconError, match="small letters"):
        suite_to_toml(Suite(tests=[test]))


def test_lists_that_are_not_those_of_the_suite_are_refused() -> None:
    test = Test(x=["a", "b"], y=["c", "d"], a=["e"], b=["f"], id="own/one", language="en")
    other = WordSet(id=test.sets["x"].id, title="others", words=("g", "h"))
    sets = {wordset.id: wordset for wordset in test.sets.values()} | {other.id: other}
    with pytest.raises(LexiconError, match="would not be the same"):
        suite_to_toml(Suite(tests=[test], sets=sets))
