import numpy as np
import pytest

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.geometry import FloatArray, Poincare
from fairvec.geometry.ball_formulas import mobius_add
from fairvec.geometry.ball_means import gyromidpoint
from tests.geometry import balls

every_c = pytest.mark.parametrize("c", [0.5, 1.0, 3.0])


def ungar(points: FloatArray, weights: FloatArray, c: float) -> FloatArray:
    """Ungar's formula as printed, whose root is fine far from the border."""
    factors = 2 / (1 - c * (points**2).sum(axis=1))
    raised = weights * np.array([factors - 1, *(np.sqrt(c) * factors * points.T)])
    height, *along = raised.sum(axis=1)
    root = np.sqrt(height**2 - np.square(along).sum())
    return np.asarray(along / (height + root) / np.sqrt(c))


@every_c
def test_it_is_ungars(c: float) -> None:
    points = balls.points(7, 3, c=c)
    weights = np.arange(7.0)
    np.testing.assert_allclose(gyromidpoint(points, c=c), ungar(points, np.ones(7), c), rtol=1e-12)
    np.testing.assert_allclose(
        gyromidpoint(points, c=c, weights=weights), ungar(points, weights, c), rtol=1e-12
    )


def test_as_c_vanishes_it_is_the_mean() -> None:
    points = balls.points(7, 3)
    np.testing.assert_allclose(gyromidpoint(points, c=1e-12), points.mean(axis=0), rtol=1e-9)


@every_c
def test_between_two_points_it_is_halfway(c: float) -> None:
    pair, ball = balls.points(2, 3, c=c), Poincare(c)
    to_both = ball.distances(gyromidpoint(pair, c=c)[None], pair)
    np.testing.assert_allclose(
        to_both, np.full((1, 2), ball.distances(pair[:1], pair[1:])[0, 0] / 2), rtol=1e-12
    )


@every_c
@pytest.mark.parametrize("far", [1.0, 8.0])
def test_it_moves_with_the_points(c: float, far: float) -> None:
    points = balls.points(7, 3, c=c)
    step = np.array([0.6, 0, 0.8]) * np.tanh(far / 2) / np.sqrt(c)
    moved = gyromidpoint(mobius_add(step, points, c=c), c=c)
    wanted = mobius_add(step, gyromidpoint(points, c=c), c=c)
    assert Poincare(c).distance(moved, wanted) < 1e-12 * np.exp(far) / np.sqrt(c)


def test_it_stays_in_the_ball_at_the_border() -> None:
    near = np.array([[1 - 1e-12, 0], [1 - 1e-13, 0]])
    middle = gyromidpoint(near, c=1)
    assert near[0, 0] <= middle[0] <= near[1, 0]


def test_what_has_no_middle() -> None:
    with pytest.raises(UndefinedError, match="no points"):
        gyromidpoint(np.empty((0, 2)), c=1)
    with pytest.raises(GeometryError, match="1 point"):
        gyromidpoint(np.array([[0.1, 0.0], [1.0, 0.0]]), c=1)
    for weights in ([1.0], [0.0, 0.0], [1.0, -0.5], [1.0, np.nan], [1.0, np.inf]):
        with pytest.raises(SettingError, match="2 finite numbers"):
            gyromidpoint(balls.points(2, 2), c=1, weights=np.array(weights))
