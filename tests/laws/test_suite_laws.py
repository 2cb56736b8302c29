"""Laws of every suite that comes with fairvec."""

from importlib.resources import files

import numpy as np
import pytest

from fairvec.embedding.embedding import Embedding
from fairvec.languages.language import scripts
from fairvec.languages.sentences import templates
from fairvec.languages.spelling import normalize
from fairvec.languages.words import Word
from fairvec.lexicon import Suite, lint_suite, read_suite, resolve, select_tests, shipped_suites

DATA = files("fairvec.lexicon") / "data"
FILES = sorted((DATA / "suites").iterdir(), key=lambda file: file.name.removesuffix(".toml"))


@pytest.fixture(params=FILES, ids=[file.name for file in FILES])
def suite(request: pytest.FixtureRequest) -> Suite:
    return read_suite(request.param)


def words(suite: Suite) -> list[Word]:
    return [word for wordset in suite.sets.values() for word in wordset.words]


def test_all_are_shipped_under_their_file_names() -> None:
    assert [f"{suite.id}.toml" for suite in shipped_suites()] == [file.name for file in FILES]


def test_every_finding_is_waived_and_no_waiver_is_idle(suite: Suite) -> None:
    open_findings = [finding for finding in lint_suite(suite) if finding.waived is None]
    assert open_findings == []


def test_words_off_the_latin_script_have_a_transliteration_and_a_gloss(suite: Suite) -> None:
    for word in words(suite):
        if scripts(word.word) - {"LATIN"}:
            assert word.transliteration, word.word
            assert word.gloss, word.word
            assert scripts(word.transliteration) == {"LATIN"}, word.word


def test_all_words_are_normalised(suite: Suite) -> None:
    for word in words(suite):
        for spelling in word.spellings:
            assert spelling == normalize(spelling)


def test_variants_are_other_spellings(suite: Suite) -> None:
    for word in words(suite):
        assert len(set(word.spellings)) == len(word.spellings), word.word


def test_sensitive_lists_give_their_reason_in_a_sentence(suite: Suite) -> None:
    for wordset in suite.sets.values():
        if wordset.sensitive:
            assert wordset.sensitive_reason.endswith("."), wordset.id


def test_every_test_can_be_selected_by_its_id() -> None:
    for suite in shipped_suites():
        for test in suite.tests:
            assert [each.test for each in select_tests([test.id])] == [test]
            assert test in [each.test for each in select_tests([suite.language])]


def test_every_word_makes_its_sentences(suite: Suite) -> None:
    found = templates(suite.language)
    for wordset in suite.sets.values():
        assert wordset.pos, wordset.id
        for word in wordset.words:
            sentences = found.sentences(word.word, found.pos_of(word, wordset))
            assert len(sentences) == len(set(sentences)) >= 3
            for sentence in sentences:
                assert word.word.casefold() in sentence.casefold()
                assert not {"_", "("} & set(sentence)


def test_complete_pairs_are_found_wherever_their_words_are(suite: Suite) -> None:
    for test in suite.tests:
        keys = sorted({word.word for each in test.sets.values() for word in each.words})
        groups = resolve(test, Embedding(keys, np.eye(len(keys))))
        for role, group in groups.groups.items():
            assert not group.missing
            assert len(group.found) == len({word.word for word in test.sets[role].words})
        if test.paired:
            for side in groups.pairs():
                assert [each.word for each in side.found] == list(side.wordset.words)


def test_meanings_name_all_lists(suite: Suite) -> None:
    for test in suite.tests:
        for meaning in (test.positive_means, test.negative_means):
            assert all(wordset.title in meaning for wordset in test.sets.values())
