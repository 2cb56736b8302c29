"""The compiled loop against the products of matrices that it stands for."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.embedding import Embedding
from fairvec.geometry import Poincare
from fairvec.mitigation import HardDebiasing, LinearProjection, Transform, transform
from fairvec.mitigation.kernels import ROWS
from fairvec.mitigation.moves import Projection
from fairvec.mitigation.transform import Vectors
from tests.mitigation.toys import concept, embedding

Compiling = Callable[[bool], None]


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> Compiling:
    """Let every matrix be large enough for the compiled loop, or none."""
    return lambda wanted: monkeypatch.setattr(transform, "WORTH_COMPILING", 0 if wanted else 2**62)


def longer(dtype: str = "float64") -> Embedding:
    """The toy embedding with enough noise for several blocks of either kind."""
    model = embedding()
    noise = np.random.default_rng(1).normal(size=(2 * ROWS + 5, model.dimensions))
    keys = [*model.keys, *(f"more{number}" for number in range(len(noise)))]
    return Embedding(keys, np.vstack([model.vectors, noise]).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("lengths", ["free", "kept", "unit"])
@pytest.mark.parametrize(("k", "strength"), [(1, 1.0), (3, 1.0), (2, 0.4), (1, 0.0)])
def test_it_gives_what_numpy_gives(
    compiling: Compiling, dtype: str, lengths: str, k: int, strength: float
) -> None:
    model = longer(dtype)
    method = HardDebiasing(k=k, strength=strength, lengths=lengths)  # type: ignore[arg-type]
    change = method.fit(model, concept())
    assert change.unmoved
    assert change.placed
    compiling(False)
    expected = change.transform(model).vectors
    compiling(True)
    found = change.transform(model).vectors
    assert found.dtype == dtype
    last_bit = float(np.finfo(dtype).eps) if dtype == "float32" else 1e-12
    np.testing.assert_allclose(found, expected, rtol=last_bit, atol=1e-14)
    stored = [model.positions[key] for key in change.unmoved]
    if lengths != "unit":
        np.testing.assert_array_equal(found[stored], model.vectors[stored])
    placed = [model.positions[key] for key in change.placed]
    np.testing.assert_array_equal(found[placed], expected[placed])


def test_only_large_flat_projections_are_compiled(
    compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []

    def spy(rows: Vectors, *_: object) -> list[slice]:
        used.append(len(rows))
        return [slice(0, len(rows))]

    monkeypatch.setattr("fairvec.mitigation.kernels.project_rows", spy)
    model = longer()
    change = LinearProjection().fit(model, concept())
    change.transform(model)
    assert not used, "small matrices are not worth it"
    compiling(True)
    change.transform(model)
    assert used == [len(model)]
    half = longer("float16")
    change.transform(half)
    change.into(model, np.empty(model.vectors.shape, np.float32))
    change.into(model, np.empty(model.vectors.shape, order="F"))
    ball = embedding(Poincare())
    LinearProjection().fit(ball, concept()).transform(ball)
    assert used == [len(model)]


def test_in_place_and_in_parts(compiling: Compiling) -> None:
    compiling(True)
    model = longer("float32")
    change = HardDebiasing().fit(model, concept())
    whole = change.transform(model).vectors
    for start, stop in [(0, 1), (3, 20), (ROWS - 2, 2 * ROWS + 9), (len(model) - 1, len(model))]:
        part = np.empty((stop - start, model.dimensions), np.float32)
        change.write(model, start, part)
        np.testing.assert_array_equal(part, whole[start:stop])
    owned = np.array(model.vectors)
    change.into(Embedding(model.keys, owned), owned)
    np.testing.assert_array_equal(owned, whole)


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 77, ROWS + 3])
def test_broken_rows_are_refused_by_name(compiling: Compiling, broken: float, row: int) -> None:
    compiling(True)
    model = longer("float32")
    change = LinearProjection(lengths="unit").fit(model, concept())
    vectors = np.array(model.vectors)
    vectors[row, 4] = broken
    with pytest.raises(FileFormatError, match=f"{model.keys[row]!r} is no point"):
        change.transform(Embedding(model.keys, vectors))


def test_numbers_too_large_to_be_squared_move_all_the_same(compiling: Compiling) -> None:
    compiling(True)
    model = longer()
    change = LinearProjection().fit(model, concept())
    vectors = np.array(model.vectors)
    vectors[100] *= 1e200
    after = change.transform(Embedding(model.keys, vectors)).vectors
    np.testing.assert_allclose(after[100] / 1e200, change.transform(model).vectors[100], atol=1e-14)
    np.testing.assert_allclose(after[101:], change.transform(model).vectors[101:], atol=1e-14)


def test_a_row_inside_the_subspace_becomes_zero(compiling: Compiling) -> None:
    basis = np.array([[0.6, 0.8, 0.0]])
    change = Transform("m", {}, "c", (), frozenset(), embedding().geometry, Projection(basis, 1.0))
    model = Embedding(["inside", "zero", "outside"], np.array([[3.0, 4, 0], [0, 0, 0], [0, 0, 2]]))
    for compiled in (True, False):
        compiling(compiled)
        for lengths, length in (("unit", 1), ("kept", 2)):
            after = replace(change, lengths=lengths).transform(model).vectors
            np.testing.assert_array_equal(after, [[0, 0, 0], [0, 0, 0], [0, 0, length]])
