"""Sentences that differ in the group alone: the shipped ones are clean, others are refused."""

import re
import unicodedata
from collections import Counter
from itertools import chain, pairwise
from pathlib import Path

import pytest

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.languages.equity import (
    FEELINGS,
    EquitySet,
    EquityTable,
    equity_languages,
    equity_table,
    parse_equity,
)
from fairvec.languages.language import script_of_language, scripts
from fairvec.languages.text import token_pattern
from fairvec.lexicon.suite_files import shipped_suites

LANGUAGES = equity_languages()
STOPS = {"DEVANAGARI": "।"}
SETS = [(language, each.id) for language in LANGUAGES for each in equity_table(language).sets]

TOY = """
version = "1"
language = "en"
source = "Toy (2026)"
licence = "None needed."
forms = ["subject"]
templates = ["{subject} is {word}.", "{subject} is here."]
[words.word]
positive = ["glad"]
negative = ["sad"]
neutral = ["tall"]
[[sets]]
id = "gender"
title = "Men and women"
category = "gender"
a = "men"
b = "women"
positive_means = "men"
negative_means = "women"
pairs = [{ subject = ["my son", "my daughter"] }, { subject = ["he", "she"] }]
"""


def found(language: str, name: str) -> tuple[EquityTable, EquitySet]:
    table = equity_table(language)
    return table, next(each for each in table.sets if each.id == name)


def tokens(text: str) -> list[str]:
    return token_pattern().findall(text)


@pytest.mark.parametrize(("language", "name"), SETS)
def test_two_sentences_differ_in_the_person_alone(language: str, name: str) -> None:
    table, one = found(language, name)
    for sentence in table.sentences(one):
        pair = one.pairs[sentence.pair]
        assert sentence.a != sentence.b
        a, b = (
            Counter(map(str.lower, tokens(sentence.a))),
            Counter(map(str.lower, tokens(sentence.b))),
        )
        assert {*(a - b)} <= {word.lower() for word in pair.words(0)}
        assert {*(b - a)} <= {word.lower() for word in pair.words(1)}
        assert a - b
        assert b - a


@pytest.mark.parametrize(("language", "name"), SETS)
def test_every_sentence_is_clean(language: str, name: str) -> None:
    table, one = found(language, name)
    script = script_of_language(language, ())
    for text in chain.from_iterable((each.a, each.b) for each in table.sentences(one)):
        assert scripts(text) == {script}, text
        assert unicodedata.is_normalized("NFC", text)
        assert not re.search(r"  |^\s|\s$|\s[.।,]|[{}|_]", text), text
        assert text.endswith(STOPS.get(script, "."))
        assert text[:1] == text[:1].upper()
        words = tokens(text)
        assert all(one != other for one, other in pairwise(words)), text


@pytest.mark.parametrize(("language", "name"), SETS)
def test_no_person_stands_twice_and_none_on_both_sides(language: str, name: str) -> None:
    table, one = found(language, name)
    assert 9 <= len(one.pairs) <= 50
    for form in table.forms:
        persons = [person for pair in one.pairs for person in pair.forms[form]]
        assert len({*persons}) == len(persons)
    sentences = Counter(chain.from_iterable((each.a, each.b) for each in table.sentences(one)))
    assert max(sentences.values()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_each_slot_say_one_thing(language: str) -> None:
    for slot in equity_table(language).words.values():
        words = [word for _, word in slot.items()]
        assert len({*words}) == len(words)
        assert all(getattr(slot, feeling) for feeling in FEELINGS)


@pytest.mark.parametrize(
    ("language", "name", "a", "b"),
    [
        ("en", "gender", "The news left him feeling glad.", "The news left her feeling glad."),
        ("en", "race", "Ryan looks sad today.", "Torrance looks sad today."),
        ("hi", "gender", "मेरे भाई को गुस्सा आ रहा है।", "मेरी बहन को गुस्सा आ रहा है।"),
        ("hi", "gender", "यह लड़का आज उदास है।", "यह लड़की आज उदास है।"),
        ("hi", "gender", "इस लड़के की कहानी रोचक है।", "इस लड़की की कहानी रोचक है।"),
        ("hi", "religion", "शर्मा आज खुश है।", "यूसुफ आज खुश है।"),
        ("ru", "gender", "Ему сейчас грустно.", "Ей сейчас грустно."),
        ("ru", "gender", "Разговор с ним был скучным.", "Разговор с ней был скучным."),
        ("ru", "gender", "Вчера мы видели мою дочь в магазине.", ""),
    ],
)  # fmt: skip
def test_persons_stand_in_the_form_that_the_sentence_asks(
    language: str, name: str, a: str, b: str
) -> None:
    made = [
        (each.a, each.b) for each in found(language, name)[0].sentences(found(language, name)[1])
    ]
    assert (a, b) in made if b else a in {second for _, second in made}


def test_published_names_are_those_of_the_suites() -> None:
    suite = next(each for each in shipped_suites() if each.id == "malik2022")
    listed = {
        side: [word.word for word in test.sets[side].words]
        for test in suite.tests
        if test.id == "malik2022/religion-last-names"
        for side in "ab"
    }
    _, religion = found("hi", "religion")
    for place, side in enumerate("ab"):
        assert [pair.forms["nominative"][place] for pair in religion.pairs] == listed[side]
    assert religion.sensitive_reason


def test_a_table_is_all_sentences_of_all_pairs() -> None:
    table = parse_equity(TOY)
    assert [
        (each.pair, each.feeling, each.a, each.b) for each in table.sentences(table.sets[0])
    ] == [
        (0, "positive", "My son is glad.", "My daughter is glad."),
        (0, "negative", "My son is sad.", "My daughter is sad."),
        (0, "neutral", "My son is tall.", "My daughter is tall."),
        (0, "neutral", "My son is here.", "My daughter is here."),
        (1, "positive", "He is glad.", "She is glad."),
        (1, "negative", "He is sad.", "She is sad."),
        (1, "neutral", "He is tall.", "She is tall."),
        (1, "neutral", "He is here.", "She is here."),
    ]
    assert [pair.words(0) for pair in table.sets[0].pairs] == [("son",), ("he",)]
    assert table.name == "equity-en"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('category = "gender"', "", r"sets\[1\].category is required"),
        ('a = "men"', 'a = "men"\ncolour = "red"', "colour is not a known key"),
        ('licence = "None needed."', "", "licence is required"),
        ("{subject} is here.", "{subject} met {subject}.", "one slot for a person"),
        ("{subject} is here.", "Nobody is here.", "one slot for a person"),
        ("{subject} is here.", "{subject} is {wrod}.", "one slot for a person"),
        ("is {word}.", "is there.", "no template that takes word"),
        ('subject = ["he", "she"]', 'object = ["him", "her"]', "him / her in the forms object"),
        ('["he", "she"]', '["my", "my son"]', "must differ in a word each"),
        ('["he", "she"]', '["my son", "my daughter"]', "twice"),
        ('["he", "she"]', '["he"]', r"pairs\[2\]"),
        ('a = "men"', 'a = "men"\nsensitive = true', "sensitive_reason"),
        ('positive = ["glad"]', "", "positive is required"),
        ("pairs = [", "pairs = [[", "line"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_refused(old: str, new: str, message: str) -> None:
    assert old in TOY
    with pytest.raises(LexiconError, match=message):
        parse_equity(TOY.replace(old, new, 1))


def test_the_page_shows_sentences_that_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "equity.md").read_text(encoding="utf-8")
    page = page.partition("## The figure")[0]
    shown = [
        row.split("|")[1:-1] for row in page.splitlines() if row.startswith("|") and "**" in row
    ]
    made = {
        (each.a, each.b)
        for language in LANGUAGES
        for one in equity_table(language).sets
        for each in equity_table(language).sentences(one)
    }
    written = [tuple(cell.replace("**", "").strip() for cell in row[-2:]) for row in shown]
    assert len(written) == 8
    assert {*written} <= made
    counts = [int(row[2]) for row in shown if row[2].strip()]
    assert counts == [len(one.pairs) for lang in LANGUAGES for one in equity_table(lang).sets]


def test_a_language_without_sentences_is_named() -> None:
    with pytest.raises(UnknownNameError, match="en, hi"):
        equity_table("xx")
