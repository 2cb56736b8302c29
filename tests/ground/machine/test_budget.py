"""What may be asked for on the word of a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError
from fairvec.core.memory import (
    ALWAYS_BYTES,
    ALWAYS_ROWS,
    HIGHEST_RATIO,
    most_bytes,
    most_rows,
    refuse_beyond,
    refuse_rows_beyond,
)

SIZES = st.integers(0, 10**13)


@given(SIZES, SIZES)
def test_a_larger_file_may_ask_for_no_less(one: int, other: int) -> None:
    small, large = sorted((one, other))
    assert most_bytes(small) <= most_bytes(large)
    assert most_rows(small) <= most_rows(large)


@given(SIZES)
def test_what_a_file_holds_unpacked_is_always_allowed(size: int) -> None:
    refuse_beyond("m.bin", "its vectors", size, size)
    refuse_rows_beyond("m.bin", "words", size, size)
    assert most_bytes(size) <= max(ALWAYS_BYTES, HIGHEST_RATIO * size)


@pytest.mark.parametrize("asked", [-1, ALWAYS_BYTES + 1, 10**30, 10**400])
def test_more_is_refused_in_one_sentence(asked: int) -> None:
    with pytest.raises(FileFormatError, match=r"m\.npz asks for .* and is a file of 1 kB") as error:
        refuse_beyond("m.npz", "the array words", asked, 500)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize("asked", [-1, ALWAYS_ROWS + 1, 10**30])
def test_more_rows_than_bytes_are_refused(asked: int) -> None:
    with pytest.raises(FileFormatError, match="which cannot hold them"):
        refuse_rows_beyond("m.npz", "words", asked, 500)
