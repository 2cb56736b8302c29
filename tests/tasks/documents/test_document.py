"""A document's words and sentences stand where they say."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fairvec.languages.text import parse_document

TEXT = st.text(st.sampled_from("aB .!?।\n\r\u2028कि\u200dя'\t"), max_size=60)


@given(TEXT)
def test_every_word_stands_at_its_place_and_once(text: str) -> None:
    document = parse_document(text, "en")
    places = [(token.start, token.end) for token in document.tokens]
    assert [text[start:end] for start, end in places] == [one.text for one in document.tokens]
    assert places == sorted(places)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))


@given(TEXT)
def test_no_letter_is_outside_a_sentence(text: str) -> None:
    document = parse_document(text, "en")
    inside = {i for one in document.sentences for i in range(one.start, one.end)}
    assert all(i in inside for i, letter in enumerate(text) if letter.isalpha())


def test_sentences_and_paragraphs() -> None:
    document = parse_document("She left. He stayed!\n\nDr. Rao came.", "en")
    found = [(document.text[one.start : one.end], one.paragraph) for one in document.sentences]
    assert found == [("She left.", 0), ("He stayed!", 0), ("Dr. Rao came.", 2)]


def test_only_what_people_read_is_read() -> None:
    text = "<p>She <b>left</b>.</p>"
    document = parse_document(text, "en", blocks=((3, 7), (10, 14)))
    assert [token.text for token in document.tokens] == ["She", "left"]
    assert [one.paragraph for one in document.sentences] == [0, 1]
