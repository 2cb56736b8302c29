from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import GeometryError
from fairvec.embedding import Embedding
from fairvec.embedding.neighbours import neighbours_of
from fairvec.geometry import Geometry, Poincare
from fairvec.mitigation import RAN, HardDebiasing, LinearProjection, Transform, transform
from fairvec.mitigation import out_of_core as moved_vectors
from fairvec.mitigation.out_of_core import lazy_transform, transform_within_memory
from tests.mitigation.toys import concept, embedding


@pytest.mark.parametrize("space", [None, Poincare()], ids=repr)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_lazily_is_what_transforming_gives(space: Geometry | None, dtype: str) -> None:
    model = embedding(space, dtype=dtype)
    change = HardDebiasing().fit(model, concept())
    lazy, whole = lazy_transform(change, model), change.transform(model)
    assert lazy.vectors.dtype == whole.vectors.dtype
    assert lazy.vectors.shape == whole.vectors.shape
    assert lazy.vectors.nbytes == whole.vectors.nbytes
    assert lazy.history == whole.history
    np.testing.assert_array_equal(np.asarray(lazy.vectors), whole.vectors)
    np.testing.assert_array_equal(np.asarray(lazy.vectors, np.float64), whole.vectors)
    last_bit = 1e-12 if dtype == "float64" else float(np.finfo(np.float32).eps)
    for rows in (slice(3, 11), slice(5, 5), slice(-4, None), slice(None, None, 7)):
        np.testing.assert_allclose(
            lazy.vectors[rows], whole.vectors[rows], rtol=last_bit, atol=1e-15
        )
    keys = ["neutral3", "man", "beard"]
    np.testing.assert_allclose(lazy.rows(keys), whole.rows(keys), rtol=last_bit, atol=1e-15)


def test_with_the_compiled_loop_it_is_the_same_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transform, "WORTH_COMPILING", 0)
    model = embedding(dtype="float32")
    change = HardDebiasing().fit(model, concept())
    lazy, whole = lazy_transform(change, model), change.transform(model)
    assert lazy.content_hash == whole.content_hash
    np.testing.assert_array_equal(lazy.rows(model.keys), whole.rows(model.keys))


def test_other_floats_are_rounded_on_the_way() -> None:
    model = embedding()
    change = LinearProjection().fit(model, concept())
    vectors = lazy_transform(change, model).vectors
    assert vectors.astype(np.float64, copy=False) is vectors
    narrow = vectors.astype(np.float32)
    np.testing.assert_array_equal(narrow[:], change.transform(model).vectors.astype(np.float32))


def test_another_space_is_refused_at_once() -> None:
    change = LinearProjection().fit(embedding(), concept())
    with pytest.raises(GeometryError, match="toy has 7 dimensions"):
        lazy_transform(change, embedding(columns=7))


def test_rows_are_taken_by_numbers_in_any_shape_and_neighbours_found_among_them() -> None:
    model = embedding(dtype="float32")
    change = LinearProjection().fit(model, concept())
    lazy, whole = lazy_transform(change, model), change.transform(model)
    table = np.array([[3, 0, -1], [5, 5, 2]])
    assert lazy.vectors[table].shape == (2, 3, model.dimensions)
    np.testing.assert_allclose(lazy.vectors[table], whole.vectors[table], rtol=1e-6)
    assert lazy.vectors[[]].shape == (0, model.dimensions)
    found, expected = (neighbours_of(one, ["neutral3"], 5) for one in (lazy, whole))
    assert found.rows.tolist() == expected.rows.tolist()
    np.testing.assert_allclose(found.similarities, expected.similarities, rtol=1e-6)


def test_rows_by_numbers_are_moved_in_blocks_and_to_the_same_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a large model tens of thousands are asked for, also of words that stay or are placed."""
    monkeypatch.setattr(transform, "WORTH_COMPILING", 0)
    model = embedding(dtype="float32")
    change = HardDebiasing().fit(model, concept())
    assert change.unmoved
    assert change.placed
    rows = np.random.default_rng(0).integers(0, len(model), 700)
    calls: list[int] = []
    write_rows = transform.Transform.write_rows

    def counted(self: Transform, of: Embedding, some: Any, out: Any) -> None:
        calls.append(len(some))
        write_rows(self, of, some, out)

    monkeypatch.setattr(transform.Transform, "write_rows", counted)
    monkeypatch.setattr(moved_vectors, "PIECE_BYTES", 1)
    found = lazy_transform(change, model).vectors[rows]
    np.testing.assert_array_equal(found, change.transform(model).vectors[rows])
    assert calls == [transform.BLOCK, transform.BLOCK, 700 - 2 * transform.BLOCK]


def test_a_mask_takes_its_rows_and_a_row_that_is_not_there_is_refused() -> None:
    model = embedding(dtype="float32")
    change = LinearProjection().fit(model, concept())
    lazy, whole = lazy_transform(change, model).vectors, change.transform(model).vectors
    mask = np.arange(len(model)) % 3 == 1
    np.testing.assert_allclose(lazy[mask], whole[mask], rtol=1e-6)
    for row in (len(model), -len(model) - 1):
        with pytest.raises(IndexError):
            lazy[[row]]


def test_a_single_row_does_not_ask_after_every_word_with_a_place_of_its_own() -> None:
    """A method may place tens of thousands, and rows are asked for one by one by the thousand."""
    model = embedding(dtype="float32")
    change = RAN(neighbours=5).fit(model, concept())
    asked: list[str] = []

    class Counted(dict[str, int]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.append(key)
            return super().get(key, default)

    whole = change.transform(model).vectors
    object.__setattr__(model, "positions", Counted(model.positions))
    np.testing.assert_allclose(
        lazy_transform(change, model).vectors[[3, 5]], whole[[3, 5]], rtol=1e-6
    )
    assert len(change.placed) > 20
    assert not asked


@pytest.mark.parametrize(
    ("more", "held"), [(0, True), (-1, False), (None, True)], ids=["enough", "one short", "unsaid"]
)
def test_vectors_are_held_up_to_an_eighth_of_what_is_free(
    monkeypatch: pytest.MonkeyPatch, more: int | None, held: bool
) -> None:
    model = embedding(dtype="float16")  # which is moved to float32: twice the bytes
    change = LinearProjection().fit(model, concept())
    free = None if more is None else 8 * 4 * len(model) * model.dimensions + more
    monkeypatch.setattr(moved_vectors, "available_memory", lambda: free)
    moved = transform_within_memory(change, model)
    assert isinstance(moved.vectors, np.ndarray) is held
    (axis,) = change.move.tensors()["basis"]
    start = model.rows(["neutral3"])[0]
    np.testing.assert_allclose(moved.rows(["neutral3"])[0], start - start @ axis * axis, atol=1e-6)
