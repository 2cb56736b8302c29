"""The container."""

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, UnknownNameError
from fairvec.embedding import Embedding, Step
from fairvec.geometry import Euclidean, Poincare

MATRIX = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], dtype=np.float32)


def embedding() -> Embedding:
    return Embedding(["a", "b", "c"], MATRIX.copy(), Poincare(0.5), "mine", (Step("made"),))


def test_rows_are_float64_in_the_order_asked_for() -> None:
    rows = embedding().rows(["c", "a", "c"])
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, MATRIX[[2, 0, 2]].astype(np.float64))
    with pytest.raises(UnknownNameError, match=r"no key named 'z'.*not in mine"):
        embedding().rows(["a", "z"])


def test_length_membership_and_positions() -> None:
    assert len(embedding()) == 3
    assert "a" in embedding()
    assert "z" not in embedding()
    assert embedding().dimensions == 2
    assert embedding().positions == {"a": 0, "b": 1, "c": 2}


def test_shape_and_distinct_keys_are_required() -> None:
    with pytest.raises(FileFormatError, match="2 keys do not match"):
        Embedding(["a", "b"], MATRIX)
    with pytest.raises(FileFormatError, match="do not match"):
        Embedding(["a", "b", "c"], MATRIX[:, 0])
    with pytest.raises(FileFormatError, match="1 key occurs more than once"):
        Embedding(["a", "b", "a"], MATRIX)


def test_nothing_changes_in_place() -> None:
    before = embedding()
    with pytest.raises(ValueError, match="read-only"):
        before.vectors[0, 0] = 9
    after = before.moved_to(before.vectors * 2, Step("doubled", {"by": 2}))
    np.testing.assert_array_equal(before.vectors, MATRIX)
    np.testing.assert_array_equal(after.vectors, MATRIX * 2)
    assert [str(step) for step in after.history] == ["made", "doubled by=2"]
    assert (after.keys, after.geometry, after.name) == (before.keys, before.geometry, before.name)


def test_equal_content_equal_hash() -> None:
    base = embedding()
    assert base.content_hash == embedding().content_hash
    assert base.content_hash == Embedding(["a", "b", "c"], MATRIX, Poincare(0.5)).content_hash
    others = [
        Embedding(["a", "b", "d"], MATRIX, Poincare(0.5)),
        Embedding(["a", "b", "c"], MATRIX, Poincare(0.25)),
        Embedding(["a", "b", "c"], MATRIX, Euclidean()),
        Embedding(["a", "b", "c"], MATRIX.astype(np.float64), Poincare(0.5)),
        Embedding(["a", "b", "c"], MATRIX[::-1], Poincare(0.5)),
    ]
    assert len({base.content_hash, *(other.content_hash for other in others)}) == 6


def test_it_says_what_it_is() -> None:
    assert repr(embedding()) == "Embedding('mine', 3 keys x 2, poincare, float32)"


def test_a_row_that_is_not_finite_is_never_handed_out() -> None:
    broken = MATRIX.copy()
    broken[1, 0] = np.nan
    damaged = Embedding(["a", "b", "c"], broken, name="damaged")
    np.testing.assert_array_equal(damaged.rows(["a", "c"]), MATRIX[[0, 2]].astype(np.float64))
    with pytest.raises(FileFormatError, match=r"damaged: the vector of 'b' holds NaN"):
        damaged.rows(["a", "b"])
