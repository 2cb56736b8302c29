import numpy as np
import pytest

from fairvec.core.errors import GeometryError, SettingError, UnknownNameError
from fairvec.geometry import (
    NEGATIVE_DISTANCE,
    Poincare,
    ProductOfBalls,
    default_similarity,
    geometry,
)
from tests.geometry import balls

C = 0.5
SPACE = ProductOfBalls(5, C)
X = balls.points(7 * 5, 2, c=C).reshape(7, 10)
Y = balls.points(7 * 5, 2, c=C, seed=1).reshape(7, 10)


def test_the_squared_distance_is_the_sum_over_balls() -> None:
    ball = Poincare(C)
    by_hand = sum(
        ball.distances(X[:, start : start + 2], Y[:, start : start + 2]) ** 2
        for start in range(0, 10, 2)
    )
    np.testing.assert_allclose(SPACE.distances(X, Y) ** 2, by_hand, rtol=1e-12)
    np.testing.assert_allclose(SPACE.distance(X, Y), np.diag(SPACE.distances(X, Y)), rtol=1e-12)
    assert default_similarity(SPACE) is NEGATIVE_DISTANCE


@pytest.mark.parametrize("name", ["add", "gyrovector", "log", "exp"])
def test_operations_are_done_ball_by_ball(name: str) -> None:
    whole = getattr(SPACE, name)(X, Y)
    for start in range(0, 10, 2):
        run = slice(start, start + 2)
        np.testing.assert_allclose(
            whole[:, run], getattr(Poincare(C), name)(X[:, run], Y[:, run]), rtol=1e-13
        )


def test_means_are_found_ball_by_ball_and_certified_together() -> None:
    mean = SPACE.mean(X, weights=np.arange(7.0))
    slope = (np.arange(7.0) / 21) @ SPACE.log(mean.point, X)
    assert np.abs(slope).max() < 1e-12
    assert mean.gradient_norm < 1e-11
    parts = [Poincare(C).mean(X[:, start : start + 2]).point for start in range(0, 10, 2)]
    np.testing.assert_allclose(SPACE.mean(X).point, np.concatenate(parts), rtol=1e-12)
    parts = [Poincare(C).midpoint(X[:, start : start + 2]) for start in range(0, 10, 2)]
    np.testing.assert_allclose(SPACE.midpoint(X), np.concatenate(parts), rtol=1e-12)


def test_one_ball_outside_puts_the_point_outside() -> None:
    strays = X.copy()
    strays[2, :4] = 1.0, 1.0, 9.0, 9.0
    strays[5, 8:] = np.sqrt(2), 0
    assert SPACE.contains(strays).tolist() == [True, True, False, True, True, False, True]
    inside, moved = SPACE.project(strays)
    assert moved == 2
    assert SPACE.contains(inside).all()
    np.testing.assert_array_equal(inside[2, 4:], X[2, 4:])
    # Longer than the radius of any ball, and yet inside.
    assert np.linalg.norm(X, axis=1).max() > Poincare(C).radius


def test_a_name_says_the_whole_space() -> None:
    assert SPACE.name == "poincare-x5"
    assert geometry(SPACE.name, SPACE.curvature) == SPACE
    assert geometry("poincare-x50") == ProductOfBalls(50, 1.0)
    for name in ("poincare-x0", "poincare-x", "poincare-x-2", "poincare-x1000000000"):
        with pytest.raises(UnknownNameError):
            geometry(name)


def test_bad_settings() -> None:
    with pytest.raises(SettingError, match="one ball at the least"):
        ProductOfBalls(0)
    with pytest.raises(SettingError, match="c > 0"):
        ProductOfBalls(2, -1.0)
    with pytest.raises(GeometryError, match="10 dimensions cannot be shared equally among 3 balls"):
        ProductOfBalls(3).contains(X)
