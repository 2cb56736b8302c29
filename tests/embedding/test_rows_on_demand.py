"""Some rows of a matrix are those that an index takes, and are fetched piece by piece."""

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.embedding.lazy_matrix import RowSubset, take_rows

SOURCE = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
ENDS = st.none() | st.integers(-12, 12)
ROWS = st.lists(st.integers(0, 19), max_size=9).map(lambda rows: np.array(rows, np.int64))


@given(rows=ROWS, start=ENDS, stop=ENDS, step=st.sampled_from([None, 1, 2, -1]))
def test_a_slice_of_them(rows: Any, start: int | None, stop: int | None, step: int | None) -> None:
    some = slice(start, stop, step)
    np.testing.assert_array_equal(take_rows(SOURCE, rows)[some], SOURCE[rows][some])
    lazy = RowSubset(SOURCE, rows, SOURCE.dtype)
    np.testing.assert_array_equal(lazy[some], SOURCE[rows][some])
    assert lazy[some].dtype == np.float32


@pytest.mark.parametrize(
    "index",
    [[], [0, -1, 2], [[0, 1, 2], [2, 2, -3]], np.empty((0, 3), np.int64), [True, False, True]],
    ids=["none", "signed", "table", "empty table", "mask"],
)
def test_numbers_and_masks(index: Any) -> None:
    rows = np.array([7, 3, 11])
    lazy = RowSubset(SOURCE, rows, SOURCE.dtype)
    expected = SOURCE[rows][np.asarray(index, None if len(index) else np.int64)]
    np.testing.assert_array_equal(lazy[index], expected)
    assert lazy[index].shape == expected.shape


@pytest.mark.parametrize("row", [3, -4])
def test_what_lies_beyond_is_refused(row: int) -> None:
    with pytest.raises(IndexError, match=f"no row {row} among 3"):
        RowSubset(SOURCE, np.array([7, 3, 11]), SOURCE.dtype)[[0, row]]


def test_it_is_an_array_for_numpy_also_in_other_floats() -> None:
    rows = np.array([7, 3, 11])
    lazy = RowSubset(SOURCE, rows, SOURCE.dtype)
    assert (len(lazy), lazy.shape, lazy.size, lazy.nbytes) == (3, (3, 3), 9, 36)
    np.testing.assert_array_equal(np.asarray(lazy), SOURCE[rows])
    np.testing.assert_array_equal(np.asarray(lazy, np.float64), SOURCE[rows])
    narrow = lazy.astype(np.float16)
    assert narrow.nbytes == 18
    np.testing.assert_array_equal(narrow[:], SOURCE[rows].astype(np.float16))


def test_rows_of_an_array_that_stand_together_are_a_view() -> None:
    assert np.shares_memory(take_rows(SOURCE, np.arange(4, 9)), SOURCE)


def test_rows_of_what_is_on_demand_are_asked_for_piece_by_piece() -> None:
    asked = []

    class Spy(RowSubset):
        def taken(self, rows: Any) -> Any:
            asked.append(len(rows))
            return super().taken(rows)

    below = cast(Any, Spy(SOURCE, np.arange(20), SOURCE.dtype))
    first = take_rows(below, np.arange(15))
    assert not asked
    np.testing.assert_array_equal(first[4:6], SOURCE[4:6])
    np.testing.assert_array_equal(first[[14, 2]], SOURCE[[14, 2]])
    assert asked == [2, 2]
