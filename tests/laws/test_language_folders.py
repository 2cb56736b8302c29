"""Laws of every folder of a language, and of one that fairvec does not come with."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain, combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.languages.detect import detect_language
from fairvec.languages.equity import PersonPair, equity_languages, equity_table
from fairvec.languages.language import (
    language,
    language_folders,
    languages_with,
    scripts,
)
from fairvec.languages.people import forms_listed, noun_lists, paired_names, people_lists
from fairvec.languages.sentences import templates
from fairvec.lexicon import (
    lint_concept,
    lint_suite,
    new_concept,
    new_suite,
    parse_concepts,
    parse_suite,
    shipped_concepts,
    shipped_suites,
)
from tests.languages.folders.search_path import more_languages

some_texts = settings(max_examples=25, deadline=None)


@pytest.fixture(autouse=True, scope="module")
def one_more_language() -> Iterator[None]:
    with more_languages():
        yield


every_folder = pytest.mark.parametrize("code", [*language_folders(), "ml"])


def words_of_tables(code: str) -> Iterator[str]:
    """Give the words of every table of a language that lists words."""
    known = language(code)
    yield from (*known.function_words.split(), known.example_word)
    for examples in chain.from_iterable(kind.values() for kind in known.examples.values()):
        for example in re.split("[ -]", examples):
            yield example.partition("|")[0]
    for each in shipped_concepts():
        if each.language == code:
            yield from (word.word for word in (*each.definition.entries, *each.axis))
    if code in languages_with("people"):
        lists = people_lists(code)
        yield from chain.from_iterable(chain(*map(dict.values, lists.persons.values())))
        for listed in (*lists.describing.values(), lists.occupations):
            for word, forms in listed.items():
                yield from (word, *forms_listed(forms))
    if code in languages_with("first_names"):
        yield from (name for pair in paired_names(code) for name in pair)
    if code in languages_with("noun_gender"):
        nouns = noun_lists(code)
        yield from (word.word for word in (*nouns.varying, *nouns.masculine, *nouns.feminine))


def equity_pairs(code: str) -> Iterator[tuple[str, str, PersonPair]]:
    """Give every pair of sentences that differ in the person, and the persons."""
    if code in equity_languages():
        table = equity_table(code)
        for each in table.sets:
            for pair in table.sentences(each):
                yield pair.a, pair.b, each.pairs[pair.pair]


@every_folder
def test_all_words_of_a_language_are_in_its_script_and_normal_form(code: str) -> None:
    known = language(code)
    texts = [*words_of_tables(code)]
    texts += [sentence for a, b, _ in equity_pairs(code) for sentence in (a, b)]
    texts += [template for listed in templates(code).kinds.values() for template in listed]
    assert len(texts) > 50
    for text in texts:
        assert scripts(text.replace(known.indefinite_article or "_", "")) <= {known.script}, text
        assert known.spelling.normalize(text) == text


@every_folder
def test_every_template_takes_every_word(code: str) -> None:
    known, found = language(code), templates(code)
    for kind in found.kinds.values():
        assert len({*kind}) == len(kind)
    for word in islice(dict.fromkeys(words_of_tables(code)), 200):
        for pos in ("PROPN", "NOUN", "VERB", "ADJ", "PRON", None):
            sentences = found.sentences(word, pos)
            assert len({*sentences}) == len(sentences) >= 3
            for sentence in sentences:
                assert word.casefold() in sentence.casefold()
                assert "_" not in sentence
                assert not known.indefinite_article or known.indefinite_article not in sentence


@every_folder
def test_the_sentences_of_two_persons_differ_in_one_place(code: str) -> None:
    for a, b, persons in equity_pairs(code):
        assert a != b
        assert any(
            b.casefold() in {a.casefold().replace(first.casefold(), second.casefold(), 1)}
            for first, second in persons.forms.values()
        ), (a, b)


MARKS_OF_ANY_SCRIPT = "\u0301\u0306\u0308\u093c\u0901\u0902\u094d\u0d4d\u200c\u200d"


@every_folder
@some_texts
@given(st.data())
def test_folding_a_spelling_twice_is_folding_it_once(code: str, data: st.DataObject) -> None:
    spelling = language(code).spelling
    letters = sorted({letter for word in words_of_tables(code) for letter in word})
    text = data.draw(st.text([*letters, *MARKS_OF_ANY_SCRIPT], max_size=8))
    normal, folded = spelling.normalize(text), spelling.fold(text)
    assert spelling.normalize(normal) == normal
    assert spelling.fold(folded) == spelling.normalize(folded) == folded
    assert spelling.fold(unicodedata.normalize("NFD", text)) == folded
    assert spelling.rules_between(text, folded) in (
        subset
        for size in range(len(spelling.rules) + 1)
        for subset in combinations([rule.name for rule in spelling.rules], size)
    )


@every_folder
def test_what_a_folder_declares_of_its_language_agrees_with_its_files(code: str) -> None:
    known = language(code)
    assert known.code == code
    assert known.name.isalpha()
    assert known.default_suite in {suite.id for suite in shipped_suites() if suite.language == code}
    assert known.has_module("rewriting") == (code in languages_with("rewrites"))
    assert (known.indefinite_article != "") == (
        known.from_module("spelling", "article") is not None
    )
    text = " ".join(known.function_words.split() * 3)
    assert detect_language(text, "a").language == code
    assert detect_language(text, "a", code).remark == ""


@every_folder
def test_drafts_in_every_language_have_no_letter_of_another_script(code: str) -> None:
    suite_findings = lint_suite(parse_suite(new_suite("mine", code)))
    (drafted,) = parse_concepts(new_concept("mine", code))
    found = {each.code for each in (*suite_findings, *lint_concept(drafted))}
    assert not found & {"mixed-scripts", "unnormalised", "duplicate-word"}
