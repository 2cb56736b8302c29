"""Listed words are found in their forms, at their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.documents.find import CodedWordMatcher, word_matcher
from fairvec.languages.text import parse_document


def found(text: str, language: str, *, names: bool = True) -> list[tuple[str, str]]:
    index = word_matcher(language, names)
    return [
        (text[one.start : one.end], one.entry.side or one.entry.word)
        for one in index.find(parse_document(text, language))
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "She's HIS; Mary's", [("She", "b"), ("HIS", "a"), ("Mary", "b")]),
        ("en", "women’s", [("women", "b")]),
        ("en", "Miss Lee would miss a man-made mark", [("Miss", "b")]),
        ("en", "mr will; Mr Will", [("Mr", "a")]),
        ("en", "her father-in-law", [("her", "b"), ("father-in-law", "a")]),
        ("en", "police officers", [("police officers", "police officer")]),
        ("en", "police, officer", [("officer", "officer")]),
        ("en", "the shepherd's theme, usher, mankind, women-only", []),
        ("en", "prettier nurses", [("prettier", "pretty"), ("nurses", "nurse")]),
        ("hi", "माता-पिता", [("माता", "b"), ("पिता", "a")]),
        ("hi", "लड़कियों को सुन्दर", [("लड़कियों", "b"), ("सुन्दर", "सुंदर")]),
        ("hi", "वह उसका", []),
        ("ru", "женщина-врач", [("женщина", "b"), ("врач", "врач")]),
        ("ru", "Её тетя умнее", [("Её", "b"), ("тетя", "b"), ("умнее", "умный")]),
        ("ru", "им ними Александра супруги дам", []),
    ],
    ids=lambda each: None,
)  # fmt: skip
def test_forms_are_found(language: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, language) == expected


def test_names_can_be_left_out() -> None:
    assert found("Mary and John", "en") == [("Mary", "b"), ("John", "a")]
    assert found("Mary and John", "en", names=False) == []


@given(st.text(st.sampled_from("Shei'’- rs.\nmaчн"), max_size=60))
def test_every_word_found_lies_in_its_sentence_and_after_the_one_before(text: str) -> None:
    document = parse_document(text, "en")
    end = 0
    for one in word_matcher("en").find(document):
        sentence = document.sentences[one.sentence]
        assert sentence.start <= one.start < one.end <= sentence.end
        assert one.start >= end
        end = one.end


def test_coded_words_are_those_of_the_paper_by_their_beginnings() -> None:
    text = "self-confident Leaders, opinions kinder kind co-operate childish team-supporting nags"
    document = parse_document(text, "en")
    coded = [
        (text[one.start : one.end], one.entry.word, one.entry.side)
        for one in CodedWordMatcher("en").find(document)
    ]
    assert coded == [
        ("self-confident", "self-confiden*", "a"),
        ("Leaders", "lead*", "a"),
        ("kind", "kind", "b"),
        ("co-operate", "cooperat*", "b"),
        ("childish", "child*", "b"),
        ("supporting", "support*", "b"),
    ]
    assert [*CodedWordMatcher("ru").find(parse_document("leader", "ru"))] == []
