"""Moves that transforms are made of."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.mitigation import Transform, transform
from fairvec.mitigation.kernels import ROWS
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.mitigation.moves import Affine, GradedRotation, Loop, Move, Projection, Rows
from fairvec.mitigation.transform import Vectors
from fairvec.mitigation.transform_file import MOVES
from tests.loops import loop_over
from tests.mitigation.toys import concept, embedding

# --- linear ---


ROWS_LINEAR: FloatArray = np.random.default_rng(3).normal(size=(40, 6))


def made(kind: type[Move], strength: float, seed: int = 0) -> Move:
    noise = np.random.default_rng(seed)
    directions = noise.normal(size=(2, 6))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    tensors = {
        Projection: {"basis": np.linalg.qr(noise.normal(size=(6, 2)))[0].T},
        Affine: {"change": noise.normal(size=(6, 6)), "centre": noise.normal(size=(1, 6))},
        GradedRotation: {"directions": directions},
    }
    return kind.from_tensors(tensors[kind], strength)


@pytest.mark.parametrize("kind", [Projection, Affine, GradedRotation])
def test_a_move_is_its_arrays_and_its_strength(kind: type[Move]) -> None:
    assert kind in MOVES
    assert len({each.name for each in MOVES}) == len(MOVES)
    move = made(kind, 0.4)
    assert move.dimensions == 6
    again = kind.from_tensors(move.tensors(), 0.4)
    np.testing.assert_array_equal(again.rows(ROWS_LINEAR), move.rows(ROWS_LINEAR))
    np.testing.assert_array_equal(made(kind, 0.0).rows(ROWS_LINEAR), ROWS_LINEAR)
    assert np.abs(move.rows(ROWS_LINEAR) - ROWS_LINEAR).max() > 0.01


def test_affine_by_a_loop() -> None:
    noise = np.random.default_rng(1)
    matrix, centre = noise.normal(size=(6, 6)), noise.normal(size=6)
    whole = Affine(matrix - np.eye(6), centre, 1.0).rows(ROWS_LINEAR)
    some = Affine(matrix - np.eye(6), centre, 0.3).rows(ROWS_LINEAR)
    for row, moved, part in zip(ROWS_LINEAR, whole, some, strict=True):
        expected = centre + (row - centre) @ matrix
        np.testing.assert_allclose(moved, expected, atol=1e-12)
        np.testing.assert_allclose(part, row + 0.3 * (expected - row), atol=1e-12)


def turned_by_cases(row: FloatArray, v1: FloatArray, v2: FloatArray) -> FloatArray:
    """The four cases of the paper, for one row."""
    beside = v2 - (v1 @ v2) * v1
    beside /= np.sqrt(beside @ beside)
    x, y = row @ v1, row @ beside
    between = np.arccos(v1 @ v2)
    turn, phi = np.pi / 2 - between, np.arccos(x / np.hypot(x, y))
    if y > 0:
        angle = turn * (phi / between if phi < between else (np.pi - phi) / (np.pi - between))
    elif phi >= np.pi - between:
        angle = turn * (np.pi - phi) / between
    else:
        angle = turn * phi / (np.pi - between)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(row + (cos * x - sin * y - x) * v1 + (sin * x + cos * y - y) * beside)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_graded_rotation_by_the_cases_of_the_paper(seed: int) -> None:
    move = made(GradedRotation, 1.0, seed)
    v1, v2 = move.tensors()["directions"]
    expected = [turned_by_cases(row, v1, v2) for row in ROWS_LINEAR]
    np.testing.assert_allclose(move.rows(ROWS_LINEAR), expected, atol=1e-12)


def test_graded_rotation_turns_one_direction_and_keeps_the_other() -> None:
    for seed in range(10):
        v1, v2 = made(GradedRotation, 1.0, seed).tensors()["directions"]
        whole, half = (GradedRotation(np.array([v1, v2]), strength) for strength in (1.0, 0.5))
        one, two = whole.rows(np.array([v1, v2]))
        np.testing.assert_allclose(one, v1, atol=1e-12)
        assert abs(one @ two) < 1e-12 < 1e-3 < abs(v1 @ v2)
        angle = np.arccos(v1 @ half.rows(v2[None])[0])
        assert angle == pytest.approx((np.arccos(v1 @ v2) + np.pi / 2) / 2)


def test_graded_rotation_does_not_see_signs_and_keeps_lengths() -> None:
    move = made(GradedRotation, 1.0)
    v1, v2 = move.tensors()["directions"]
    for signs in ((1, -1), (-1, 1), (-1, -1)):
        other = GradedRotation(np.array([signs[0] * v1, signs[1] * v2]), 1.0)
        np.testing.assert_allclose(other.rows(ROWS_LINEAR), move.rows(ROWS_LINEAR), atol=1e-12)
    np.testing.assert_allclose(move.rows(-ROWS_LINEAR), -move.rows(ROWS_LINEAR), atol=1e-12)
    lengths = np.linalg.norm(move.rows(ROWS_LINEAR), axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm(ROWS_LINEAR, axis=1))


@pytest.mark.parametrize(
    ("kind", "tensors", "words"),
    [
        (Affine, {"change": np.eye(6), "centre": np.zeros((1, 5))}, r"a change of \(6, 6\)"),
        (Affine, {"change": np.ones((5, 6)), "centre": np.zeros((1, 6))}, "a change of"),
        (Affine, {"change": np.eye(6), "centre": np.zeros((2, 6))}, "a centre of"),
        (GradedRotation, {"directions": np.eye(6)[:3]}, "two vectors"),
        (GradedRotation, {"directions": 2 * np.eye(6)[:2]}, "length one"),
        (GradedRotation, {"directions": np.eye(6)[[0, 0]]}, "not parallel"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    kind: type[Move], tensors: dict[str, FloatArray], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        kind.from_tensors(tensors, 1.0)


# --- A transform runs any kind of move by what the move says of itself ---


@dataclass(frozen=True, eq=False)
class Shrinking(Move):
    """A move that nobody has registered: it notes how it was run."""

    name: ClassVar[str] = "shrinking"
    work: ClassVar[int] = 4
    rows_at_a_time: ClassVar[int] = 7

    strength: float
    given: list[int] = field(default_factory=list)
    looped: list[int] = field(default_factory=list)

    @property
    def dimensions(self) -> int:
        return 3

    def rows(self, rows: FloatArray) -> FloatArray:
        self.given.append(len(rows))
        return np.asarray(rows * (1 - self.strength))

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        def first_half(rows: Rows, out: Rows, still: NDArray[np.intp]) -> list[slice]:
            half = len(rows) // 2
            self.looped.append(half)
            out[:half] = rows[:half] * (1 - self.strength)
            out[still] = rows[still]
            return [slice(half, len(rows))]

        return None if geometry.curvature or lengths != "free" else first_half

    def tensors(self) -> dict[str, FloatArray]:
        return {}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        return cls(strength)


@settings(deadline=None)
@given(
    count=st.integers(1, 60),
    worth=st.integers(0, 400),
    ball=st.booleans(),
    stays=st.sets(st.integers(0, 59)),
)
def test_a_move_of_another_kind_is_run_as_it_asks(
    count: int, worth: int, ball: bool, stays: set[int]
) -> None:
    space: Geometry = Poincare(1.0) if ball else Euclidean()
    vectors = np.random.default_rng(count).uniform(-0.5, 0.5, size=(count, 3))
    model = Embedding([f"w{row}" for row in range(count)], vectors, space, "toy")
    move = Shrinking(0.5)
    change = Transform(
        "toy", {"strength": 0.5}, "toy", (), space, move,
        unmoved=frozenset(f"w{row}" for row in stays),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transform, "WORTH_COMPILING", worth)
        moved = change.transform(model).vectors
    by_loop = not ball and count * 3 >= worth // 4
    assert move.looped == ([count // 2] if by_loop else [])
    left = count - sum(move.looped)
    assert move.given == [7] * (left // 7) + [left % 7] * (left % 7 > 0)
    expected = space.exp0(space.log0(vectors) / 2)
    kept = [row for row in stays if row < count]
    expected[kept] = vectors[kept]
    np.testing.assert_allclose(moved, expected, atol=1e-12)


def test_a_transform_knows_no_kind_of_move() -> None:
    tree = ast.parse(Path(transform.__file__).read_text(encoding="utf-8"))
    known = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module for module in known if module and module.startswith("fairvec.mitigation")}
    assert ours == {"fairvec.mitigation.moves"}


# --- The compiled loop against the products of matrices that it stands for ---


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


@loop_over("dtype", ["float32", "float64"])
@loop_over("lengths", ["free", "kept", "unit"])
@loop_over(("k", "strength"), [(1, 1.0), (3, 1.0), (2, 0.4), (1, 0.0)])
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


def test_a_vector_too_large_to_be_squared_is_refused(compiling: Compiling) -> None:
    compiling(True)
    model = longer()
    change = LinearProjection().fit(model, concept())
    vectors = np.array(model.vectors)
    vectors[100] *= 1e200
    with pytest.raises(UndefinedError, match=f"{model.keys[100]!r} is so large .* one small num"):
        change.transform(Embedding(model.keys, vectors))


def test_a_row_inside_the_subspace_becomes_zero(compiling: Compiling) -> None:
    basis = np.array([[0.6, 0.8, 0.0]])
    change = Transform("m", {}, "c", (), embedding().geometry, Projection(basis, 1.0))
    model = Embedding(["inside", "zero", "outside"], np.array([[3.0, 4, 0], [0, 0, 0], [0, 0, 2]]))
    for compiled in (True, False):
        compiling(compiled)
        for lengths, length in (("unit", 1), ("kept", 2)):
            after = replace(change, lengths=lengths).transform(model).vectors
            np.testing.assert_array_equal(after, [[0, 0, 0], [0, 0, 0], [0, 0, length]])
