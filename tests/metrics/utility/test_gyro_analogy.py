import numpy as np
import pytest

from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare, ProductOfBalls
from fairvec.geometry.ball_formulas import mobius_add
from fairvec.metrics.utility.gyro_analogy import gyro_translate, gyro_weights
from tests.metrics.utility import questions


def three(space: Geometry, count: int = 20) -> tuple[FloatArray, FloatArray, FloatArray]:
    model = questions.embedding(space, 3 * count)
    a, b, c = model.vectors.astype(np.float64).reshape(3, count, -1)
    return a, b, c


def plus(*points: FloatArray, curvature: float) -> FloatArray:
    """Möbius addition from the right: x (+) (y (+) z)."""
    *others, total = points
    for point in reversed(others):
        total = mobius_add(point, total, c=curvature)
    return total


def gyr(u: FloatArray, v: FloatArray, w: FloatArray, curvature: float) -> FloatArray:
    """The paper's definition: -(u (+) v) (+) (u (+) (v (+) w))."""
    back = -plus(u, v, curvature=curvature)
    return plus(back, plus(u, v, w, curvature=curvature), curvature=curvature)


@pytest.mark.parametrize("curvature", [0.3, 1.0, 4.0])
def test_the_ends_are_the_two_solutions_of_the_paper(curvature: float) -> None:
    a, b, c = three(Poincare(curvature))
    for t, (to, other) in ((0.0, (c, b)), (1.0, (b, c))):
        way = plus(-a, other, curvature=curvature)
        expected = plus(to, gyr(to, -a, way, curvature), curvature=curvature)
        found = gyro_translate(a, b, c, t, Poincare(curvature))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("gap", [1e-5, 1e-8, 1e-11])
@pytest.mark.parametrize("space", [Poincare(), Poincare(3.0), ProductOfBalls(2)], ids=repr)
def test_points_near_the_border_lead_into_the_ball(space: Geometry, gap: float) -> None:
    a, b, c = np.random.default_rng(1).normal(size=(3, 40, 8))
    for rows in (a, b, c):
        runs = rows.reshape(40, getattr(space, "balls", 1), -1)
        runs *= (1 - gap) / np.linalg.norm(runs, axis=-1, keepdims=True) / space.curvature**0.5
    for t in (0.0, 0.3, 1.0):
        assert space.contains(gyro_translate(a, b, c, t, space)).all()


def test_t_is_the_share_of_the_way() -> None:
    space = Poincare()
    a, b, c = three(space)
    ends = [gyro_translate(a, b, c, t, space) for t in (0, 1)]
    between = gyro_translate(a, b, c, 0.3, space)
    whole = space.distance(*ends)
    np.testing.assert_allclose(space.distance(ends[0], between), 0.3 * whole, rtol=1e-7)
    np.testing.assert_allclose(space.distance(between, ends[1]), 0.7 * whole, rtol=1e-7)


def test_where_curvature_fades_the_point_is_that_of_flat_space() -> None:
    a, b, c = three(Euclidean())
    flat = gyro_translate(a, b, c, 0.3, Euclidean())
    np.testing.assert_array_equal(flat, b - a + c)
    np.testing.assert_allclose(
        gyro_translate(a, b, c, 0.3, Poincare(1e-9)), flat, rtol=1e-5, atol=1e-6
    )


def test_a_product_of_balls_is_translated_ball_by_ball() -> None:
    a, b, c = three(ProductOfBalls(2))
    found = gyro_translate(a, b, c, 0.4, ProductOfBalls(2))
    halves = [
        gyro_translate(a[:, run], b[:, run], c[:, run], 0.4, Poincare())
        for run in (slice(4), slice(4, 8))
    ]
    np.testing.assert_allclose(found, np.concatenate(halves, axis=1), rtol=1e-14)


@pytest.mark.parametrize("space", [Euclidean(), Poincare(), Poincare(3.0)], ids=repr)
def test_weights_add_up_to_the_point(space: Geometry) -> None:
    a, b, c = three(space)
    ts = (0.0, 0.3, 1.0)
    for t, found in zip(ts, gyro_weights(a, b, c, ts, space), strict=True):
        total = found[:, :1] * a + found[:, 1:2] * b + found[:, 2:] * c
        np.testing.assert_allclose(total, gyro_translate(a, b, c, t, space), rtol=1e-8, atol=1e-10)


def test_words_that_are_one_point_have_weights_too() -> None:
    a, b, _ = three(Poincare())
    (found,) = gyro_weights(a, b, b, (0.5,), Poincare())
    total = found[:, :1] * a + found[:, 1:2] * b + found[:, 2:] * b
    np.testing.assert_allclose(
        total, gyro_translate(a, b, b, 0.5, Poincare()), rtol=1e-7, atol=1e-9
    )
