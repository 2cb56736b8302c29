"""Halves of characters are found and replaced, whole ones left alone."""

from hypothesis import given
from hypothesis import strategies as st

from fairvec.ground.text.whole_characters import is_whole, with_signs

ANY = st.text(st.characters() | st.sampled_from("\ud800\udcff\ude00"))


@given(ANY)
def test_what_is_made_whole_can_be_written_and_loses_nothing_else(text: str) -> None:
    mended = with_signs(text)
    mended.encode("utf-8")
    assert is_whole(text) == (mended == text)
    halves = [letter for letter in text if "\ud800" <= letter <= "\udfff"]
    assert len(mended) <= len(text)
    assert (not halves) == is_whole(text)


def test_a_name_that_is_no_utf8_is_shown_with_a_sign() -> None:
    assert with_signs(b"caf\xe9.txt".decode("utf-8", "surrogateescape")) == "caf\ufffd.txt"
