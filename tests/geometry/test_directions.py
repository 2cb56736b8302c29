"""Directions between lists, the gyro axis, indirect bias."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import UndefinedError
from fairvec.geometry import Euclidean, FloatArray, Poincare
from fairvec.geometry.directions import (
    NOTHING_LEFT,
    beta,
    between_means,
    cosine_without_direction,
    explained_variance_ratio,
    first_component,
    gyro_axis,
    leading_components,
    residual_direction,
)

# --- directions ---


def test_the_component_of_a_list_is_the_top_eigenvector_of_its_covariance() -> None:
    rows = np.random.default_rng(0).normal(size=(8, 4)) * [3, 1, 1, 1] + [0, 5, 0, 0]
    units = rows / np.sqrt((rows**2).sum(1))[:, None]
    top = np.linalg.eigh(np.cov(units.T))[1][:, -1]
    (found,) = leading_components(units - units.mean(axis=0), 1, of=units)
    assert abs(found @ top) == pytest.approx(1, abs=1e-12)


def test_a_list_of_one_direction_has_no_component() -> None:
    with pytest.raises(UndefinedError, match=r"vary in 0 direction\(s\) and 1 are needed"):
        leading_components(np.zeros((3, 2)), 1, of=np.ones((3, 2)))


@given(seed=st.integers(0, 10**6), pairs=st.integers(1, 5), scale=st.sampled_from((1e-5, 1, 1e5)))
def test_pairs_that_point_both_ways_have_no_sign_and_a_little_more_one_way_gives_it(
    seed: int, pairs: int, scale: float
) -> None:
    """Whatever the unit of length; rounding is no reason to choose a side."""
    rng = np.random.default_rng(seed)
    axis, sizes = rng.normal(size=4), rng.uniform(0.5, 2, size=pairs)
    for more in (0, 1e-14, -1e-14, 1e-9, -1e-9):
        along = np.concatenate([sizes, -sizes])
        along[0] += more * sizes.sum()
        a = scale * np.outer(along, axis)
        if abs(more) < 1e-12:
            with pytest.raises(UndefinedError, match="both ways equally"):
                first_component(a, np.zeros_like(a))
        else:
            expected = np.sign(more) * axis / np.linalg.norm(axis)
            np.testing.assert_allclose(first_component(a, np.zeros_like(a)), expected, atol=1e-12)


def test_axes_are_orthonormal_and_no_more_than_there_are() -> None:
    rows = np.random.default_rng(1).normal(size=(5, 3))
    axes = leading_components(rows, 3, of=rows)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    flat = rows * [1, 1, 0]
    with pytest.raises(UndefinedError, match="vary in 2"):
        leading_components(flat, 3, of=flat)


def test_shares_of_components_are_those_of_the_scatter_matrix() -> None:
    stack = np.random.default_rng(0).normal(size=(3, 6, 9))
    for rows, shares in zip(stack, explained_variance_ratio(stack), strict=True):
        eigenvalues = np.sort(np.linalg.eigvalsh(rows.T @ rows))[::-1][:6]
        assert shares == pytest.approx(eigenvalues / eigenvalues.sum())
    with pytest.raises(UndefinedError, match="do not differ"):
        explained_variance_ratio(np.zeros((2, 3)))


def test_what_is_left_outside_a_span() -> None:
    d = np.array([1.0, 1.0, 1.0])
    others = np.array([[1.0, 0.0, 0.0], [1.0, 1e-3, 0.0]])
    np.testing.assert_allclose(residual_direction(d, others), [0, 0, 1], atol=1e-12)
    # A direction that is named twice spans no more than once.
    np.testing.assert_allclose(
        residual_direction(d, others[[0, 0]]), np.array([0, 1, 1]) / np.sqrt(2), atol=1e-12
    )
    with pytest.raises(UndefinedError, match="Nothing is left"):
        residual_direction(np.array([2.0, 3.0, 0.0]), others)


def test_means_that_meet_have_nothing_between_them() -> None:
    a = np.array([[1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(between_means(a, 0 * a), [np.sqrt(0.5)] * 2)
    with pytest.raises(UndefinedError, match="do not differ"):
        between_means(a, a[::-1])


@given(seed=st.integers(0, 10_000), scale=st.sampled_from((1e-5, 1, 1e5)))
def test_rounding_alone_gives_no_direction(seed: int, scale: float) -> None:
    """Lists in another order, and pairs that differ equally in two directions, in any frame."""
    noise = np.random.default_rng(seed)
    rows = scale * noise.normal(size=(9, 4))
    with pytest.raises(UndefinedError, match="do not differ"):
        between_means(rows, noise.permutation(rows))
    frame = np.linalg.qr(noise.normal(size=(4, 4)))[0][:2]
    with pytest.raises(UndefinedError, match="several directions equally"):
        first_component(scale * frame, np.zeros((2, 4)))
    stretched = frame * [[1 + 1e-9], [1]]
    np.testing.assert_allclose(
        np.abs(first_component(scale * stretched, np.zeros((2, 4))) @ frame[0]), 1, atol=1e-6
    )


# --- gyro axis ---


def test_the_axis_by_hand_in_the_unit_ball() -> None:
    a, b = np.array([0.3, -0.1]), np.array([-0.2, 0.4])

    def add(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        top = (1 + 2 * x @ y + y @ y) * x + (1 - x @ x) * y
        return np.asarray(top / (1 + 2 * x @ y + (x @ x) * (y @ y)))

    there, back = add(-a, b), add(-b, a)
    expected = there / np.sqrt(there @ there) - back / np.sqrt(back @ back)
    np.testing.assert_allclose(gyro_axis(a, b, Poincare()), expected, rtol=1e-13)


def test_in_flat_space_it_is_twice_the_unit_difference() -> None:
    a, b = np.array([1.0, 2.0, 2.0]), np.array([1.0, 5.0, 6.0])
    np.testing.assert_allclose(gyro_axis(a, b, Euclidean()), [0, 1.2, 1.6], rtol=1e-14)


def test_the_other_way_round_it_is_the_opposite() -> None:
    a, b = np.array([0.3, -0.1]), np.array([-0.2, 0.4])
    ball = Poincare(1.7)
    np.testing.assert_allclose(gyro_axis(a, b, ball), -gyro_axis(b, a, ball), rtol=1e-13)


@pytest.mark.parametrize("centre", [(0.3, -0.1), (0.0, 0.0)], ids=["beside", "at the origin"])
def test_equal_centres_have_none(centre: tuple[float, float]) -> None:
    a = np.array(centre)
    with pytest.raises(UndefinedError, match="coincide"):
        gyro_axis(a, a, Poincare())


# --- indirect ---


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


@given(
    seed=st.integers(0, 10_000),
    columns=st.integers(2, 9),
    smallest=st.integers(-9, 0),
)
def test_beta_takes_g_away_or_calls_the_word_g(seed: int, columns: int, smallest: int) -> None:
    """Words at every distance from g: one that the code does not call g loses its part along g."""
    noise = np.random.default_rng(seed)
    g = unit(noise.normal(size=columns))
    rows = noise.normal(size=(2, 50, columns))
    rests = unit(rows - (rows @ g)[..., None] * g)
    rests = unit(rests - (rests @ g)[..., None] * g)
    sizes = 10 ** noise.uniform(smallest, 1, size=(2, 50, 1))
    w, v = unit(noise.choice([-1, 1], size=(2, 50, 1)) * g + sizes * rests)
    alike, word, other = np.einsum("nd,nd->n", w, v), w @ g, v @ g
    on_g = np.minimum(1 - word**2, 1 - other**2) <= NOTHING_LEFT
    without = np.where(on_g, 0, np.einsum("nd,nd->n", *rests))
    np.testing.assert_allclose(cosine_without_direction(alike, word, other), without, atol=3e-6)
    expected = np.where(alike > 1e-12, (alike - without) / alike, 0)
    scale = np.maximum(1, 1 / np.maximum(np.abs(alike), 1e-12))
    assert (np.abs(beta(alike, word, other) - expected) <= 3e-6 * scale).all()


@given(alike=st.floats(1e-6, 1), other=st.floats(-1, 1))
def test_a_word_on_g_owes_it_all(alike: float, other: float) -> None:
    numbers = np.array([alike]), np.array([1.0]), np.array([other])
    assert (cosine_without_direction(*numbers)[0], beta(*numbers)[0]) == (0, 1)
