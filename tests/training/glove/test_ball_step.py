"""One step in the ball is the exponential map of the Riemannian gradient, whatever the plane."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.geometry import FloatArray, Poincare
from fairvec.training.glove.kernels import like, step

BALL = Poincare(1.0)


def point(generator: np.random.Generator, length: float, dimensions: int) -> FloatArray:
    drawn = generator.normal(size=dimensions)
    return np.asarray(drawn / np.linalg.norm(drawn) * length)


def cosh_of_distance(x: FloatArray, y: FloatArray) -> float:
    return float(1 + 2 * ((x - y) @ (x - y)) / ((1 - x @ x) * (1 - y @ y)))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.floats(0.001, 0.95),
    st.floats(0.001, 0.95),
    st.floats(-3, 3).filter(lambda slope: abs(slope) > 1e-3),
    st.floats(0, 5),
)
def test_a_step_follows_the_geodesic_against_the_gradient(
    seed: int, dimensions: int, near: float, far: float, slope: float, squares: float
) -> None:
    generator = np.random.default_rng(seed)
    x, y = point(generator, near, dimensions), point(generator, far, dimensions)
    rate, tiny = 0.1, 1e-6
    steps = tiny * (1 - near) * np.eye(dimensions)
    plain = np.array([cosh_of_distance(x + e, y) - cosh_of_distance(x - e, y) for e in steps])
    plain *= slope / (2 * tiny * (1 - near))
    shrunk = (1 - x @ x) / 2
    total = squares + (shrunk * np.linalg.norm(plain)) ** 2
    expected = BALL.exp(x[None], (-rate / np.sqrt(total) * shrunk**2 * plain)[None])[0]
    sums = float(1 - x @ x), float(1 - y @ y), float((x - y) @ (x - y))
    p, q, new = step(*sums, slope, rate, squares)
    assert new == pytest.approx(total, rel=1e-5)
    np.testing.assert_allclose(p * x + q * y, expected, atol=1e-6)


@pytest.mark.parametrize("squares", [False, True])
@pytest.mark.parametrize("distance", [1e-6, 1e-3, 0.5, 2.0, 5.0])
def test_likeness_and_its_slope(squares: bool, distance: float) -> None:
    coshes = float(np.cosh(distance))
    wanted = distance**2 if squares else coshes**2
    slope = 2 * distance / np.sinh(distance) if squares else 2 * coshes
    found = like(squares, coshes)
    # cosh d - 1 has lost most of its digits where d is tiny.
    assert found[0] == pytest.approx(wanted, rel=1e-6, abs=1e-11)
    assert found[1] == pytest.approx(slope, rel=1e-5)


def test_points_that_are_one_stay_where_they_are() -> None:
    assert step(0.75, 0.75, 0.0, 1.0, 0.1, 0.0)[:2] == (1.0, 0.0)
