"""What may be asked for on the word of a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError
from fairvec.core.memory import (
    ALWAYS_BYTES,
    ALWAYS_ROWS,
    HIGHEST_RATIO,
    check_claimed_bytes,
    check_claimed_rows,
    max_rows,
    max_unpacked_bytes,
)

SIZES = st.integers(0, 10**13)


@given(SIZES, SIZES)
def test_a_larger_file_may_ask_for_no_less(one: int, other: int) -> None:
    small, large = sorted((one, other))
    assert max_unpacked_bytes(small) <= max_unpacked_bytes(large)
    assert max_rows(small) <= max_rows(large)


@given(SIZES)
def test_what_a_file_holds_unpacked_is_always_allowed(size: int) -> None:
    check_claimed_bytes("m.bin", "its vectors", size, size)
    check_claimed_rows("m.bin", "words", size, size)
    assert max_unpacked_bytes(size) <= max(ALWAYS_BYTES, HIGHEST_RATIO * size)


@pytest.mark.parametrize("asked", [-1, ALWAYS_BYTES + 1, 10**30, 10**400])
def test_more_is_refused_in_one_sentence(asked: int) -> None:
    with pytest.raises(FileFormatError, match=r"m\.npz asks for .* and is a file of 1 kB") as error:
        check_claimed_bytes("m.npz", "the array words", asked, 500)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize("asked", [-1, ALWAYS_ROWS + 1, 10**30])
def test_more_rows_than_bytes_are_refused(asked: int) -> None:
    with pytest.raises(FileFormatError, match="which cannot hold them"):
        check_claimed_rows("m.npz", "words", asked, 500)
