import numpy as np
import pytest

from fairvec.geometry import FloatArray
from fairvec.mitigation.moves import Affine, GradedRotation, Move, Projection
from fairvec.mitigation.transform_file import MOVES

ROWS: FloatArray = np.random.default_rng(3).normal(size=(40, 6))


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
    np.testing.assert_array_equal(again.rows(ROWS), move.rows(ROWS))
    np.testing.assert_array_equal(made(kind, 0.0).rows(ROWS), ROWS)
    assert np.abs(move.rows(ROWS) - ROWS).max() > 0.01


def test_affine_by_a_loop() -> None:
    noise = np.random.default_rng(1)
    matrix, centre = noise.normal(size=(6, 6)), noise.normal(size=6)
    whole = Affine(matrix - np.eye(6), centre, 1.0).rows(ROWS)
    some = Affine(matrix - np.eye(6), centre, 0.3).rows(ROWS)
    for row, moved, part in zip(ROWS, whole, some, strict=True):
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
    expected = [turned_by_cases(row, v1, v2) for row in ROWS]
    np.testing.assert_allclose(move.rows(ROWS), expected, atol=1e-12)


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
        np.testing.assert_allclose(other.rows(ROWS), move.rows(ROWS), atol=1e-12)
    np.testing.assert_allclose(move.rows(-ROWS), -move.rows(ROWS), atol=1e-12)
    lengths = np.linalg.norm(move.rows(ROWS), axis=1)
    np.testing.assert_allclose(lengths, np.linalg.norm(ROWS, axis=1))


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
