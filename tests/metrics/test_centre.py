import numpy as np
import pytest

from fairvec.geometry import FloatArray, Poincare
from fairvec.metrics.bias.centre import centre


def moebius_sum(x: FloatArray, y: FloatArray, c: float) -> FloatArray:
    """The textbook formula of Möbius addition, row by row."""
    dot = (x * y).sum(-1, keepdims=True)
    xx, yy = (x * x).sum(-1, keepdims=True), (y * y).sum(-1, keepdims=True)
    above = (1 + 2 * c * dot + c * yy) * x + (1 - c * xx) * y
    return np.asarray(above / (1 + 2 * c * dot + c**2 * xx * yy))


def points(c: float) -> FloatArray:
    return np.random.default_rng(0).normal(size=(7, 3)) * 0.15 / float(np.sqrt(c))


def test_in_flat_space_it_is_the_mean() -> None:
    np.testing.assert_allclose(centre(points(1), c=0), points(1).mean(axis=0), rtol=1e-14)


@pytest.mark.parametrize("c", [0.5, 1.0, 3.0])
def test_between_two_points_it_is_halfway(c: float) -> None:
    pair, ball = points(c)[:2], Poincare(c)
    to_both = ball.distances(centre(pair, c=c)[None], pair)
    np.testing.assert_allclose(
        to_both, np.full((1, 2), ball.distances(pair[:1], pair[1:])[0, 0] / 2), rtol=1e-12
    )


@pytest.mark.parametrize("c", [0.5, 1.0, 3.0])
def test_it_moves_with_the_points(c: float) -> None:
    step = np.array([0.3, -0.2, 0.4]) / np.sqrt(c)
    moved = centre(moebius_sum(np.broadcast_to(step, (7, 3)), points(c), c), c=c)
    np.testing.assert_allclose(moved, moebius_sum(step, centre(points(c), c=c), c), rtol=1e-10)


def test_it_stays_in_the_ball_at_the_border() -> None:
    near = np.array([[1 - 1e-12, 0], [1 - 1e-13, 0]])
    middle = centre(near, c=1)
    assert near[0, 0] <= middle[0] <= near[1, 0]
