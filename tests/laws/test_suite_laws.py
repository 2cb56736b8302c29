"""What holds for every suite that comes with fairvec."""

from importlib.resources import files

import pytest

from fairvec.embedding.spelling import plain
from fairvec.lexicon import Suite, Word, lint, read_suite, select, shipped_suites
from fairvec.lexicon.scripts import scripts

FILES = sorted((files("fairvec.lexicon") / "data" / "suites").iterdir(), key=lambda file: file.name)


@pytest.fixture(params=FILES, ids=[file.name for file in FILES])
def suite(request: pytest.FixtureRequest) -> Suite:
    return read_suite(request.param)


def words(suite: Suite) -> list[Word]:
    return [word for wordset in suite.sets.values() for word in wordset.words]


def test_all_are_shipped_under_their_file_names() -> None:
    assert [f"{suite.id}.toml" for suite in shipped_suites()] == [file.name for file in FILES]


def test_every_finding_is_waived_and_no_waiver_is_idle(suite: Suite) -> None:
    open_findings = [finding for finding in lint(suite) if finding.waived is None]
    assert open_findings == []


def test_words_off_the_latin_script_can_be_read_by_everybody(suite: Suite) -> None:
    for word in words(suite):
        if scripts(word.word) - {"LATIN"}:
            assert word.transliteration, word.word
            assert word.gloss, word.word
            assert scripts(word.transliteration) == {"LATIN"}, word.word


def test_all_words_are_normalised(suite: Suite) -> None:
    for word in words(suite):
        for spelling in word.spellings:
            assert spelling == plain(spelling)


def test_variants_are_other_spellings(suite: Suite) -> None:
    for word in words(suite):
        assert len(set(word.spellings)) == len(word.spellings), word.word


def test_sensitive_lists_say_why_in_a_sentence(suite: Suite) -> None:
    for wordset in suite.sets.values():
        if wordset.sensitive:
            assert wordset.sensitive_reason.endswith("."), wordset.id


def test_every_test_can_be_selected_by_its_id(suite: Suite) -> None:
    for test in suite.tests:
        assert [each.test for each in select([test.id])] == [test]
        assert test in [each.test for each in select([suite.language])]


def test_meanings_name_all_four_lists(suite: Suite) -> None:
    for test in suite.tests:
        for meaning in (test.positive_means, test.negative_means):
            assert all(wordset.title in meaning for wordset in test.sets.values())
