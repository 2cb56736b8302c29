"""Every text can be written once it is whole, and one that could be is not touched."""

import json
import os
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.text import escape_control, escape_surrogates, is_valid_utf8, replace_surrogates

HALVES = st.text(st.characters(codec=None))
VALUES = st.recursive(
    st.none() | st.integers() | st.booleans() | HALVES,
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(HALVES, inner, max_size=4)
    ),
    max_leaves=10,
)


@given(VALUES)
def test_what_is_whole_can_be_written_and_stays(said: Any) -> None:
    made = escape_surrogates(said)
    json.dumps(made, ensure_ascii=False).encode()
    assert escape_surrogates(made) == made
    assert type(made) is type(said)


@given(st.text(st.characters(codec="utf-8")))
def test_text_that_can_be_written_is_not_touched(text: str) -> None:
    assert escape_surrogates(text) == text


def test_a_byte_that_is_no_character_is_shown_as_the_terminal_shows_it() -> None:
    name = os.fsdecode(b"m\xff.vec") if os.name != "nt" else "m\udcff.vec"
    assert escape_surrogates(name) == escape_control(name) == "m\\udcff.vec"


@given(HALVES)
def test_what_is_made_whole_can_be_written_and_loses_nothing_else(text: str) -> None:
    mended = replace_surrogates(text)
    mended.encode("utf-8")
    assert is_valid_utf8(text) == (mended == text)
    halves = [letter for letter in text if "\ud800" <= letter <= "\udfff"]
    assert len(mended) <= len(text)
    assert (not halves) == is_valid_utf8(text)


def test_a_name_that_is_no_utf8_is_shown_with_a_sign() -> None:
    assert replace_surrogates(b"caf\xe9.txt".decode("utf-8", "surrogateescape")) == "caf\ufffd.txt"
