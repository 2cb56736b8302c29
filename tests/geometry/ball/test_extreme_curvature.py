"""The ball at every curvature that a float can be, held against sixty digits."""

import warnings
from collections.abc import Iterator
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import GeometryError, SettingError
from fairvec.geometry import NEGATIVE_DISTANCE, Geometry, Poincare, ProductOfBalls
from fairvec.geometry.base import FloatArray
from fairvec.geometry.nearest import nearest

EXTREME = [1e300, 1.7e308, 1e30, 1e-30, 1e-300, 5e-324]
extreme = pytest.mark.parametrize("c", EXTREME)


@pytest.fixture(autouse=True)
def no_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def points(c: float, count: int = 6, far: float = 0.9) -> FloatArray:
    """Return points of a ball of curvature c, as far as a share of its radius."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(count, 3))
    rows *= rng.uniform(0.1, far, (count, 1)) / np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * Poincare(c).radius


def exact_distance(x: FloatArray, y: FloatArray, c: float) -> float:
    """2/sqrt(c) asinh(z), asinh(z) = log(z + sqrt(1 + z^2)), in sixty digits."""
    with localcontext() as context:
        context.prec = 60
        curved = Decimal(c)

        def square(rows: list[Decimal]) -> Decimal:
            return sum((each * each for each in rows), Decimal(0))

        a, b = ([Decimal(float(each)) for each in row] for row in (x, y))
        apart = square([p - q for p, q in zip(a, b, strict=True)])
        gaps = (1 - curved * square(a)) * (1 - curved * square(b))
        z = (curved * apart / gaps).sqrt()
        return float(2 / curved.sqrt() * (z + (1 + z * z).sqrt()).ln())


@extreme
def test_distances_are_those_of_sixty_digits(c: float) -> None:
    some = points(c)
    found = Poincare(c).distances(some, some)
    exact = np.array([[exact_distance(x, y, c) for y in some] for x in some])
    np.testing.assert_allclose(found, exact, rtol=1e-13)
    np.testing.assert_allclose(Poincare(c).distance(some[:-1], some[1:]), exact.diagonal(1))


@settings(max_examples=20)
@given(k=st.integers(-500, 500), seed=st.integers(0, 99))
def test_a_ball_of_another_radius_is_the_same_ball(k: int, seed: int) -> None:
    """Multiplying points by 2^k and dividing c by 4^k rounds nothing and changes nothing."""
    one, other = Poincare(1.5), Poincare(float(np.ldexp(1.5, -2 * k)))
    rng = np.random.default_rng(seed)
    x, y, v = rng.uniform(-0.4, 0.4, size=(3, 4, 3))
    far = [np.ldexp(each, k) for each in (x, y, v)]

    def results(ball: Geometry, x: FloatArray, y: FloatArray, v: FloatArray) -> list[FloatArray]:
        return [
            ball.add(x, y),
            ball.gyrovector(x, y),
            ball.scale(0.7, x),
            ball.exp(x, v),
            ball.log(x, y),
            ball.exp0(v),
            ball.log0(x),
            ball.transport(x, y, v),
            ball.distances(x, y),
            ball.mean(x).point,
            ball.midpoint(x),
        ]

    for near, scaled in zip(results(one, x, y, v), results(other, *far), strict=True):
        np.testing.assert_allclose(np.ldexp(scaled, -k), near, rtol=1e-9, atol=1e-12)


@extreme
@pytest.mark.parametrize("balls", [1, 3])
def test_the_way_there_is_the_way_back(c: float, balls: int) -> None:
    space: Geometry = Poincare(c) if balls == 1 else ProductOfBalls(balls, c)
    some = points(c, far=0.5)
    np.testing.assert_allclose(space.exp0(space.log0(some)), some, rtol=1e-12)
    back = space.exp(some[:1], space.log(some[:1], some[1:]))
    np.testing.assert_allclose(back, some[1:], rtol=1e-9)
    middle = space.mean(some)
    assert np.isfinite(middle.point).all()
    assert space.contains(middle.point[None]).all()
    near = nearest(some, some, 2, space, NEGATIVE_DISTANCE)
    np.testing.assert_array_equal(near.rows[:, 0], np.arange(len(some)))


@extreme
def test_points_on_the_border_come_inside_and_stay_apart(c: float) -> None:
    ball = Poincare(c)
    edge = np.array([[1.0, 0], [0, 1], [3e5, 0], [0.5, 0]]) * ball.radius
    found = ball.project(edge)
    assert found.moved >= 2
    assert ball.contains(found.points).all()
    assert np.isfinite(ball.distances(found.points, found.points)).all()


@pytest.mark.parametrize("point", [1e-200, 1e-310])
def test_points_beside_the_origin_are_twice_as_far_as_in_flat_space(point: float) -> None:
    x, y = np.array([[point, 0.0]]), np.array([[0.0, 2 * point]])
    flat = Decimal(point) * Decimal(5).sqrt()
    found = float(Poincare().distances(x, y)[0, 0])
    # A number below the normal ones is stored with fewer digits.
    assert found == pytest.approx(float(2 * flat), rel=1e-12 if point == 1e-200 else 1e-9)
    np.testing.assert_allclose(Poincare().log(x, y), y - x, rtol=1e-9)


@pytest.mark.parametrize("c", [0.0, -1.0, np.inf, -np.inf, np.nan])
def test_what_is_no_curvature_is_refused(c: float) -> None:
    for made in (lambda: Poincare(c), lambda: ProductOfBalls(2, c)):
        with pytest.raises(SettingError, match="curvature c > 0"):
            made()


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_no_number_is_never_projected(number: float) -> None:
    with pytest.raises(GeometryError, match="NaN or infinite"):
        Poincare().project(np.array([[0.1, 0.2], [number, 0.0]]))
