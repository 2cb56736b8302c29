from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import MissingExtraError
from fairvec.documents.check import REWRITERS, proposals
from fairvec.embedding.embedding import Embedding
from fairvec.languages.language import languages_with, script_of_language, scripts
from fairvec.languages.rewriting import Aim, Proposal, apply_edits, rewrite_table
from fairvec.languages.sentences import templates
from fairvec.languages.spelling import normalize
from fairvec.languages.text import parse_document
from fairvec.languages.words import Word
from fairvec.lexicon import Suite, lint_suite, read_suite, resolve, select_tests, shipped_suites

# --- What holds for every suite that comes with fairvec ---


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


def test_words_off_the_latin_script_can_be_read_by_everybody(suite: Suite) -> None:
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


def test_sensitive_lists_say_why_in_a_sentence(suite: Suite) -> None:
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
            made = found.sentences(word.word, found.pos_of(word, wordset))
            assert len(made) == len(set(made)) >= 3
            for sentence in made:
                assert word.word.casefold() in sentence.casefold()
                assert not {"_", "("} & set(sentence)


@pytest.mark.parametrize("language", languages_with("templates"))
def test_templates_are_written_in_the_script_of_their_language(language: str) -> None:
    found = templates(language)
    assert found.language == language
    for each in found.kinds.values():
        assert len(set(each)) == len(each)
        for template in each:
            assert scripts(template) == {script_of_language(language, ())}
            assert template == normalize(template)


def test_whole_pairs_are_found_wherever_their_words_are(suite: Suite) -> None:
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


# --- Laws of every language that can be rewritten, on texts made of the words of its own table


AIMS = st.sampled_from(["neutral", "swap"])
every_language = pytest.mark.parametrize("language", REWRITERS)
some_texts = settings(max_examples=25, deadline=None)


@cache
def words_rewriters(language: str) -> list[str]:
    """Return every term of a table, and signs between them."""
    terms = rewrite_table(language).terms
    listed = {word for term in terms for word in (term.a, term.b, term.neutral) if word}
    return [*sorted(listed), ".", ",", "!", "\n", "“", "-", "7", "\u200d"]


def texts(language: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words_rewriters(language)), max_size=15).map(" ".join)


def found(text: str, language: str, aim: Aim) -> tuple[Proposal, ...]:
    try:
        return proposals(parse_document(text, language), aim)
    except MissingExtraError as absent:
        pytest.skip(str(absent))


def changed(text: str, language: str, aim: Aim) -> str:
    """Return a text with all that is certain done to it."""
    return apply_edits(text, [one for one in found(text, language, aim) if one.certain])


def test_every_table_has_its_rules_and_every_rewriter_its_table() -> None:
    assert {*REWRITERS} == {*languages_with("rewrites")}


@every_language
@some_texts
@given(st.data(), AIMS)
def test_a_proposal_stands_where_it_says_and_gives_a_rule_of_the_table(
    language: str, data: st.DataObject, aim: Aim
) -> None:
    text = data.draw(texts(language))
    ends = []
    for each in found(text, language, aim):
        assert 0 <= each.start < each.end <= len(text)
        assert each.rule in rewrite_table(language).rules
        assert each.why
        for edit in each.edits:
            assert text[edit.start : edit.end] == edit.old != edit.new
        ends.append((each.start, each.end))
    assert ends == sorted(ends)


@every_language
@some_texts
@given(st.data())
def test_a_neutral_text_stays_as_it_is(language: str, data: st.DataObject) -> None:
    once = changed(data.draw(texts(language)), language, "neutral")
    assert changed(once, language, "neutral") == once


@every_language
@some_texts
@given(st.data(), AIMS)
def test_lines_stay_lines(language: str, data: st.DataObject, aim: Aim) -> None:
    text = data.draw(texts(language))
    assert changed(text, language, aim).count("\n") == text.count("\n")


@every_language
def test_some_term_of_every_table_is_proposed_to_be_swapped(language: str) -> None:
    """The laws above would hold of rules that do nothing."""
    pairs = [term for term in rewrite_table(language).terms if term.a and term.b]
    told = [found(f"{term.a}.", language, "swap") for term in pairs]
    assert sum(map(bool, told)) > len(pairs) / 2
