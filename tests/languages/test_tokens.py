"""Tokens and sentences in Latin, Devanagari and Cyrillic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.languages.text import sentence_spans, sentences_of, token_pattern

ALPHABETS = {"latin": "abcéñz", "devanagari": "कखगिीुँं़्", "cyrillic": "абвёйя"}
SIGNS = ' .,!?;:"()«»“”—।॥…[]/'
words = st.sampled_from([*ALPHABETS.values()]).flatmap(
    lambda letters: st.text(letters, min_size=1, max_size=6)
)


@given(st.lists(words, min_size=1), st.data())
def test_tokens_are_the_words_between_signs(listed: list[str], data: st.DataObject) -> None:
    apart = st.text(SIGNS, min_size=1, max_size=3)
    text = "".join(word + data.draw(apart) for word in listed)
    assert token_pattern().findall(text) == listed


@pytest.mark.parametrize(
    "whole",
    ["Spider-Man", "don't", "woman’s", "кто-то", "माता-पिता", "COVID19", "पत्\u200dनी", "क्\u200cष"],
)
def test_what_is_joined_within_is_one_token(whole: str) -> None:
    assert token_pattern().findall(f"({whole}), '{whole}' -{whole}-") == [whole] * 3


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("She sat. He ran! Why? So…", ["She sat.", "He ran!", "Why?", "So…"]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("Mr. J. Smith saw ca. five. No.", ["Mr. J. Smith saw ca. five.", "No."]),
        ("वह घर गई। वह आया॥ क्यों? डॉ. राव।", ["वह घर गई।", "वह आया॥", "क्यों?", "डॉ. राव।"]),
        ("Он ушёл. Она (да!) здесь. И т. д.", ["Он ушёл.", "Она (да!) здесь.", "И т. д."]),
        ("  no stop at all  ", ["no stop at all"]),
        ("", []),
    ],
)  # fmt: skip
def test_a_line_is_split_into_sentences(line: str, sentences: list[str]) -> None:
    assert [*sentences_of(line)] == sentences


@given(st.text("aB. !?।\n", max_size=60))
def test_splitting_loses_nothing_but_spaces(line: str) -> None:
    assert "".join("".join(sentences_of(line)).split()) == "".join(line.split())


def test_stops_without_number_are_read_in_one_pass() -> None:
    line = "." * 300_000 + "ok. Y"
    assert [line[start:end][-2:] for start, end in sentence_spans(line)] == ["k.", "Y"]
    assert [*sentences_of("Wait... ?! What?!) Yes.")] == ["Wait...", "?!", "What?!)", "Yes."]
