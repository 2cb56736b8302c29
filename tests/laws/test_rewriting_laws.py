"""Laws of every language that can be rewritten, and of one that fairvec does not come with.

They are tried on texts made of the words of its own table.
"""

import ast
import string
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import MissingExtraError
from fairvec.documents.check import suggestions
from fairvec.languages.language import known_languages, language_folders, languages_with
from fairvec.languages.rewriting import reason_template, rewrite_table, shared_reasons
from fairvec.languages.text import parse_document
from fairvec.results.documents import Aim, Suggestion, apply_edits
from tests.languages.folders.search_path import more_languages
from tests.loops import loop_over

some_texts = settings(max_examples=25, deadline=None)


@pytest.fixture(autouse=True, scope="module")
def one_more_language() -> Iterator[None]:
    with more_languages():
        yield


AIMS = st.sampled_from(["neutral", "swap"])
every_language = pytest.mark.parametrize("language", [*languages_with("rewrites"), "ml"])


@cache
def words_rewriters(language: str) -> list[str]:
    """Return every term of a table, and signs between them."""
    terms = rewrite_table(language).terms
    listed = {word for term in terms for word in (term.a, term.b, term.neutral) if word}
    return [*sorted(listed), ".", ",", "!", "\n", "“", "-", "7", "\u200d"]


def texts(language: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words_rewriters(language)), max_size=15).map(" ".join)


def found(text: str, language: str, aim: Aim) -> tuple[Suggestion, ...]:
    try:
        return tuple(suggestions(parse_document(text, language), aim))
    except MissingExtraError as absent:
        pytest.skip(str(absent))


def changed(text: str, language: str, aim: Aim) -> str:
    """Return a text with all that is certain done to it."""
    return apply_edits(text, [one for one in found(text, language, aim) if one.certain])


def test_every_table_has_its_rules_and_every_rewriter_its_table() -> None:
    rewriters = {known.code for known in known_languages() if known.has_module("rewriting")}
    assert rewriters == {*languages_with("rewrites")}


def calls_and_constants(language: str) -> Iterator[ast.Call | ast.Constant]:
    """Give the calls and the constants in a language's rules."""
    for file in language_folders()[language].glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call | ast.Constant):
                yield node


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


REASON_CALLS = {"UncertainError": 0, "reason": 1, "reason_sentence": 1}
"""What takes the key of a reason, and as which of its arguments."""


@every_language
def test_each_reason_is_given_by_a_rule_with_the_words_that_it_names(language: str) -> None:
    constants = set()
    for node in calls_and_constants(language):
        if isinstance(node, ast.Constant):
            constants.add(node.value)
            continue
        place = REASON_CALLS.get(ast.unparse(node.func))
        if place is None or not isinstance(key := node.args[place], ast.Constant):
            continue
        template = reason_template(language, str(key.value))
        assert fields_of(template) == {keyword.arg for keyword in node.keywords}, key.value
    own = {*rewrite_table(language).reasons}
    assert own <= constants
    assert own.isdisjoint(shared_reasons())


def test_a_shared_reason_is_given_in_several_languages() -> None:
    for key in shared_reasons():
        users = [
            language
            for language in languages_with("rewrites")
            if any(getattr(node, "value", None) == key for node in calls_and_constants(language))
        ]
        assert len(users) > 1, key


@every_language
@some_texts
@given(st.data(), AIMS)
def test_a_proposal_is_at_its_stated_place_and_names_a_rule_of_the_table(
    language: str, data: st.DataObject, aim: Aim
) -> None:
    text = data.draw(texts(language))
    ends = []
    for each in found(text, language, aim):
        assert 0 <= each.start < each.end <= len(text)
        assert each.rule in rewrite_table(language).rules
        assert each.reason
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
def test_the_word_for_all_of_every_term_is_neutral_itself(language: str) -> None:
    table = rewrite_table(language)
    neutral = {term.neutral for term in table.terms if term.neutral}
    rewritten = {
        word: once
        for word in (*neutral, *(word for term in table.terms for word in (term.a, term.b) if word))
        if (once := changed(f"{word}.", language, "neutral")) != f"{word}."
    }
    assert not neutral & rewritten.keys()
    again = {once: changed(once, language, "neutral") for once in rewritten.values()}
    assert {once for once, twice in again.items() if once != twice} == set()


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
    proposals = [found(f"{term.a}.", language, "swap") for term in pairs]
    assert sum(map(bool, proposals)) > len(pairs) / 2


QUOTATION_MARKS = ("“”", "„“", "„”", '""', "«»", "‹›", "‘’", "‚‘", "''")
SPOKEN = {
    "en": (
        "Each chairman must bring his book.",
        "The policemen left. She met her husband.",
        "The dogs' owner didn't tell the fireman, and he or she left.",
    ),
    "hi": ("छात्रों को किताबें दो।", "उस लड़के को बुलाओ।", "वह एक अच्छा लड़का है।"),
    "ru": ("Мы видели журналисток.", "Учительница ушла.", "Отцы-основатели ушли."),
}
"""Sentences in which grammar decides; of a language without any, its terms alone are quoted."""
AROUND = {"en": ("They said, {}", "{} they said.", "They ({}) left."), "hi": ("उसने कहा, {}",)}


@every_language
@loop_over("aim", ["neutral", "swap"])
@loop_over("marks", QUOTATION_MARKS)
def test_quoted_text_is_never_rewritten(language: str, aim: Aim, marks: str) -> None:
    terms = [f"{word}." for term in rewrite_table(language).terms[:9] for word in (term.a, term.b)]
    for spoken in (*SPOKEN.get(language, ()), *terms):
        for around in (*AROUND.get(language, ()), "{}", "— {}", "{}\n{}"):
            quoted = f"{marks[0]}{spoken}{marks[1]}"
            text = around.format(quoted, quoted)
            assert changed(text, language, aim) == text


@every_language
def test_the_same_words_are_rewritten_without_quotation_marks(language: str) -> None:
    """The law above would hold of rules that do nothing."""
    plain = [*SPOKEN.get(language, ()), *(f"{term.a}." for term in rewrite_table(language).terms)]
    assert any(changed(text, language, aim) != text for text in plain for aim in get_args(Aim))
    for aim in get_args(Aim) if language in SPOKEN else ():
        assert any(changed(text, language, aim) != text for text in SPOKEN[language])


@pytest.mark.parametrize(
    "text",
    [
        "The dogs' owner met the foreman.",
        "It isn't the foreman's turn, and the bosses’ men don't know the foreman.",
        "In the '90s they didn't meet the foreman.",
        "'Tis the foreman of the workers' union.",
        "Rock 'n' roll is what the foreman plays.",
        "He's {0}'s foreman; the (now old) boss's foreman.",
        "They said 'yes' to the foreman.",
        "They said ‘yes’ to the bosses’ foreman.",
    ],
)
def test_an_apostrophe_is_no_quotation_mark(text: str) -> None:
    rules = [each.rule for each in found(text, "en", "neutral")]
    assert "job" in rules
    assert "in-quotes" not in rules
