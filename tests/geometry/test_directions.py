import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import UndefinedError
from fairvec.geometry.directions import (
    between_means,
    explained_variance_ratio,
    first_component,
    leading_components,
    residual_direction,
)


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
