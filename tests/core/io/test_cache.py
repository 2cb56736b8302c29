"""Results that are kept by what decides them."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.io.cache import digest_of, entry_path, key_text, read_entry, write_entry


def test_the_key_is_what_is_given_and_not_its_order() -> None:
    one, other = {"a": [1, "é"], "b": None}, {"b": None, "a": [1, "é"]}
    assert key_text(one) == key_text(other) == '{"a": [1, "é"], "b": null}'
    assert key_text(one) != key_text({"a": [1, "e"], "b": None})
    assert json.loads(key_text({"half": "\ud800"}))


def test_a_digest_is_of_values_and_not_of_how_they_are_written() -> None:
    class Pair(NamedTuple):
        one: str
        other: float

    assert digest_of([Pair("a", 1.5), "\ud800"]) == digest_of((["a", 1.5], "\ud800"))
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    assert len({digest_of(each) for each in (["a", "b"], ["b", "a"], [["a"], "b"], "ab")}) == 4


@given(
    record=st.dictionaries(st.text(), st.integers() | st.text() | st.none()),
    other=st.dictionaries(st.text(), st.integers()),
    share=st.floats(0, 1, exclude_max=True),
    mask=st.integers(1, 255),
)
def test_what_was_kept_comes_back_and_nothing_else_does(
    record: dict[str, object], other: dict[str, object], share: float, mask: int
) -> None:
    with TemporaryDirectory() as folder:
        path, second = (entry_path(Path(folder), key) for key in ("one", "two"))
        write_entry(path, json.dumps(record))
        write_entry(second, json.dumps(other))
        assert json.loads(read_entry(path)) == record
        kept = path.read_bytes()
        damaged = bytearray(kept)
        damaged[int(share * len(kept))] ^= mask
        for content in (bytes(damaged), kept[:-1], kept + b" ", second.read_bytes()):
            path.write_bytes(content)
            with pytest.raises(ValueError, match="changed, renamed or copied"):
                read_entry(path)
