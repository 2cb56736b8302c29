"""The minimum of the objective, against the objective itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.geometry import FloatArray
from fairvec.mitigation.methods.pgd import PgdWeights, minimum, objective, out_of_plane, plane


def points(seed: int, rows: int = 12, columns: int = 6) -> tuple[FloatArray, FloatArray]:
    noise = np.random.default_rng(seed)
    axis = noise.normal(size=columns)
    return noise.normal(size=(rows, columns)) * 0.3, axis * noise.uniform(1.5, 2) / np.sqrt(
        axis @ axis
    )


def straight_from_the_paper(
    after: FloatArray, before: FloatArray, h: FloatArray, stay: float
) -> list[float]:
    found = []
    for u, a in zip(after, before, strict=True):
        alike = u @ a / np.sqrt((u @ u) * (a @ a))
        found.append(stay * abs(alike - 1) / 2 + (1 - stay) * abs(u @ h / np.sqrt(u @ u)) / 2)
    return found


@given(st.integers(0, 10_000), st.floats(0.01, 0.99))
def test_no_other_direction_is_better(seed: int, stay: float) -> None:
    before, axis = points(seed)
    weights = PgdWeights(stay, 1 - stay)
    best = minimum(before, axis, weights)
    least = objective(best, before, axis, weights)
    np.testing.assert_allclose(
        least, straight_from_the_paper(best, before, axis, stay), rtol=1e-9, atol=1e-12
    )
    noise = np.random.default_rng(seed)
    for reach in (1e-6, 1e-3, 0.1, 1.0):
        other = best + reach * noise.normal(size=best.shape)
        assert (objective(other, before, axis, weights) >= least - 1e-12).all()
    assert (objective(before, before, axis, weights) >= least - 1e-15).all()


@given(st.integers(0, 10_000))
def test_at_equal_weights_no_bias_is_left_and_lengths_are_kept(seed: int) -> None:
    before, axis = points(seed)
    after = minimum(before, axis, PgdWeights(0.5, 0.5))
    assert np.abs(after @ axis).max() < 1e-14
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), np.linalg.norm(before, axis=1))


def test_a_word_that_prefers_to_stay_gives_up_only_some_of_its_bias() -> None:
    before = np.array([[0.8, 0.6]])
    axis = np.array([2.0, 0.0])
    after = minimum(before, axis, PgdWeights(0.9, 0.1))
    # l1 a - l2 h = (0.72 - 0.2, 0.54), brought to length one.
    np.testing.assert_allclose(after, np.array([[0.52, 0.54]]) / np.hypot(0.52, 0.54))


def test_the_origin_and_words_on_the_axis_stay() -> None:
    axis = np.array([0.0, 1.9, 0.0])
    before = np.array([[0.0, 0.0, 0.0], [0.0, -0.4, 0.0], [0.1, 0.2, 0.0]])
    after = minimum(before, axis, PgdWeights(0.5, 0.5))
    np.testing.assert_array_equal(after[:2], before[:2])
    assert after[2] == pytest.approx([np.sqrt(0.05), 0, 0])


@given(st.integers(0, 10_000))
def test_the_plane_and_back_is_where_one_was(seed: int) -> None:
    before, axis = points(seed)
    spread = plane(before, axis)
    np.testing.assert_allclose(out_of_plane(spread.points, axis, spread.axes), before, atol=1e-15)
