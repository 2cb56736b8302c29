import re

import pytest

from fairvec.benchmarks import AnalogyQuestion, Choice, RatedPair, Section
from fairvec.benchmarks.parsers import parse_analogies, parse_sembias, parse_similarity
from fairvec.core.errors import LexiconError

PAIRS = (RatedPair("Tiger", "cat", 7.35), RatedPair("книга", "ёж", -0.5))


@pytest.mark.parametrize(
    "text",
    [
        "Tiger\tcat\t7.35\nкнига\tёж\t-0.5\n",
        "Tiger\tcat\t7.35\r\nкнига\tёж\t-0.5",
        "Tiger cat 7.35\nкнига  ёж -.5\n\n",
        "word1;word2;sim\nTiger; cat; 7.35\nкнига;ёж;-0.5\n",
        "Word 1\tWord 2\tScore\nTiger\tcat\t7.35\nкнига\tёж\t-0.5\n",
        ',word1,word2,similarity\n0,Tiger,cat,7.35\n1,"книга","ёж",-0.5\n',
        ",similarity,word1,word2\n0,7.35,Tiger,cat\n1,-0.5,книга,ёж\n",
    ],
)
def test_pairs_are_read_in_every_published_form(text: str) -> None:
    assert parse_similarity(text, "here") == PAIRS


def test_an_entry_may_have_several_words() -> None:
    assert parse_similarity("New York,big apple,9\n", "here") == (
        RatedPair("New York", "big apple", 9.0),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "here: the file holds no pairs"),
        ("word1,word2,sim\n", "here: the file holds no pairs"),
        ("a\tb\t1\n\na\tb\n", "here, line 3: 2 cells stand where 3 should"),
        ("a,b,1\na,b,c,1\n", "here, line 2: 4 cells stand where 3 should"),
        ("a,b,1\na,,2\n", "here, line 2: a word is empty"),
        ("a,b,x\n", "here, line 1: the score 'x' is not a number"),
        ("a;b;7,35\n", "here, line 1: the score '7,35' is not a number; write it like 7.35."),
        ("a,b,nan\n", "here, line 1: the score 'nan' is not a number"),
        ("word1,word2,liking\na,b,1\n", "here, line 1: the header names no score"),
    ],
)
def test_an_odd_table_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(LexiconError, match=re.escape(complaint)):
        parse_similarity(text, "here")


def test_sections_have_their_kinds() -> None:
    text = ": family\nboy girl man woman\n\n: gram1-x\r\na b c d\r\nE f g h\r\n: empty\n"
    assert parse_analogies(text, "here", {"family": "semantic", "gram1-x": "syntactic"}) == (
        Section("family", "semantic", (AnalogyQuestion("boy", "girl", "man", "woman"),)),
        Section("gram1-x", "syntactic", (AnalogyQuestion(*"abcd"), AnalogyQuestion(*"Efgh"))),
    )


def test_questions_need_no_heading() -> None:
    assert parse_analogies("a b c d\n", "here", {}) == (
        Section("", "", (AnalogyQuestion(*"abcd"),)),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (": family\n", "here: the file holds no questions"),
        (": x\na b c d\na b c\n", "here, line 3: a question has four words, not 3"),
        (": x\na b c d\n: x\n", "here, line 3: the section 'x' begins twice"),
    ],
)
def test_an_odd_file_of_questions_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(LexiconError, match=re.escape(complaint)):
        parse_analogies(text, "here", {})


def test_rows_of_choices_are_read() -> None:
    assert parse_sembias("priest:nun\tdog:bitch\tbook:magazine\tdoctor:nurse\r\n", "here") == (
        Choice(
            definition=("priest", "nun"),
            none=(("dog", "bitch"), ("book", "magazine")),
            stereotype=("doctor", "nurse"),
        ),
    )


@pytest.mark.parametrize("row", ["a:b\tc:d\te:f", "a:b\tc:d\te:f\tg", "a:b\tc:d\te:f\tg:", "x"])
def test_an_odd_row_of_choices_is_refused(row: str) -> None:
    with pytest.raises(LexiconError, match="here, line 2: a row has four pairs"):
        parse_sembias(f"a:b\tc:d\te:f\tg:h\n{row}\n", "here")


def test_a_file_without_choices_is_refused() -> None:
    with pytest.raises(LexiconError, match="here: the file holds no rows"):
        parse_sembias("\n", "here")
