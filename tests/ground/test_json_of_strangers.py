"""JSON of strangers is understood as json does it, or is a ValueError."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.ground.json_text import json_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
SAID = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(SAID, st.booleans())
def test_what_was_written_is_read(said: Any, escaped: bool) -> None:
    text = json.dumps(said, ensure_ascii=escaped)
    assert json_of(text) == said
    assert json_of(text.encode()) == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 5000 + "]" * 5000,
        "9" * 5000,
        '{"a": 1, "a": 1}',
        '{"b": [{"a": 1, "a": 2}]}',
        r'"\ud800"',
        r'{"\udcff": 1}',
        r'[["\ude00\ud83d"]]',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        '{"a": 1}'.encode("utf-16"),
    ],
    ids=range(14),
)
def test_anything_else_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        json_of(text)


def test_a_pair_of_halves_is_a_character() -> None:
    assert json_of(r'"\ud83d\ude00"') == "\U0001f600"


@given(st.binary(max_size=30))
def test_any_bytes_are_read_or_a_value_error(content: bytes) -> None:
    try:
        said = json_of(content)
    except ValueError:
        return
    assert said == json.loads(content.decode()) or said != said  # NaN is no equal of itself
