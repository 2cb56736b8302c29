"""Laws of every language that can be rewritten, on texts made of the words of its own table."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import MissingExtraError
from fairvec.documents.check import REWRITERS, proposals
from fairvec.languages.language import languages_with
from fairvec.languages.rewriting import Aim, Proposal, apply_edits, rewrite_table
from fairvec.languages.text import parse_document

AIMS = st.sampled_from(["neutral", "swap"])
every_language = pytest.mark.parametrize("language", REWRITERS)
some_texts = settings(max_examples=25, deadline=None)


@cache
def words(language: str) -> list[str]:
    """Return every term of a table, and signs between them."""
    terms = rewrite_table(language).terms
    listed = {word for term in terms for word in (term.a, term.b, term.neutral) if word}
    return [*sorted(listed), ".", ",", "!", "\n", "“", "-", "7", "\u200d"]


def texts(language: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words(language)), max_size=15).map(" ".join)


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
