from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.navec import Quantised, decode, refuse_unreadable

RANDOM = np.random.default_rng(1)
CODES = RANDOM.integers(0, 7, (5000, 4), dtype=np.uint8)
BOOKS = RANDOM.standard_normal((4, 7, 3)).astype(np.float32)
KEYS = [str(row) for row in range(5000)]


def test_decoding_joins_the_short_vectors_of_all_parts() -> None:
    expected = [np.concatenate([BOOKS[j, code] for j, code in enumerate(row)]) for row in CODES]
    np.testing.assert_array_equal(decode(CODES, BOOKS), expected)


def test_a_subset_decodes_to_the_same_rows() -> None:
    some = Quantised(KEYS, CODES, BOOKS).select([4000, 7])
    assert some.keys == ["4000", "7"]
    np.testing.assert_array_equal(some.vectors(), decode(CODES, BOOKS)[[4000, 7]])
    assert Quantised(KEYS, CODES, BOOKS).select([]).vectors().shape == (0, 12)


@pytest.mark.parametrize(
    "quantised",
    [
        Quantised(KEYS[1:], CODES, BOOKS),
        Quantised([], CODES[:0], BOOKS),
        Quantised(KEYS, CODES[:, :3], BOOKS),
        Quantised(KEYS, CODES, BOOKS[:, :, :0]),
        Quantised(KEYS, CODES, BOOKS[:, :3]),
        Quantised(KEYS, CODES, np.repeat(BOOKS, 40, axis=1)),
        Quantised(KEYS, CODES, BOOKS * np.float32(np.nan)),
        Quantised(KEYS, CODES.astype(np.int64), BOOKS),
        Quantised(KEYS, CODES, BOOKS.astype(np.float64)),
    ],
)
def test_parts_that_do_not_fit_are_refused(quantised: Quantised) -> None:
    with pytest.raises(FileFormatError, match=r"q\.tar holds"):
        refuse_unreadable(Path("q.tar"), quantised)
