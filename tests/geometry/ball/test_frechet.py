import numpy as np
import pytest
from scipy.optimize import minimize

from fairvec.geometry import Euclidean, FloatArray, Poincare
from fairvec.geometry.ball_formulas import distance, exp, exp0, gyrovector, log, log0, mobius_add
from fairvec.geometry.ball_means import frechet_mean, riemannian_adam_mean
from tests.geometry import balls

every_c = pytest.mark.parametrize("c", [0.25, 1.0, 3.0])


def spread(at: FloatArray, points: FloatArray, weights: FloatArray, c: float) -> float:
    return float(weights @ distance(at, points, c=c) ** 2 / weights.sum())


@every_c
@pytest.mark.parametrize("weighted", [False, True])
def test_nothing_has_a_smaller_mean_squared_distance(c: float, weighted: bool) -> None:
    points = balls.points(12, 3, c=c, far=4)
    weights = np.arange(12.0) if weighted else np.ones(12)
    mean = frechet_mean(points, c=c, weights=weights if weighted else None)

    def objective(v: FloatArray) -> float:
        return spread(exp0(v, c=c), points, weights, c)

    found = minimize(objective, log0(mean.point, c=c) + 0.1, method="BFGS", tol=1e-9)
    assert distance(mean.point, exp0(found.x, c=c), c=c) < 1e-5
    assert spread(mean.point, points, weights, c) <= found.fun * (1 + 1e-14)


@every_c
@pytest.mark.parametrize(
    ("count", "dimensions", "near", "far"),
    [(218, 100, 3, 6), (218, 2, 5, 30), (3, 2, 30, 34), (20, 3, 0, 1e-3), (40, 60, 5, 9)],
)
def test_it_converges_on_spread_sets(
    count: int, dimensions: int, near: float, far: float, c: float
) -> None:
    points = balls.points(count, dimensions, c=c, near=near, far=far)
    mean = frechet_mean(points, c=c)
    assert mean.gradient_norm < 1e-12
    assert mean.steps < 10
    # Independently: the mean of the logarithms there vanishes.
    assert np.linalg.norm(log(mean.point, points, c=c).mean(axis=0)) < 1e-12


def test_where_the_plain_karcher_flow_of_unit_steps_does_not() -> None:
    points = balls.points(218, 2, near=5, far=30)
    at, mean = points.mean(axis=0), frechet_mean(points, c=1)
    for _ in range(50):
        at = Poincare().project(exp(at, log(at, points, c=1).mean(axis=0), c=1)).points
    assert distance(at, mean.point, c=1) > 0.1


def test_it_converges_from_afar_near_the_border() -> None:
    step = np.array([np.tanh(7), 0, 0])
    points = balls.points(30, 3, far=3)
    there = frechet_mean(mobius_add(step, points, c=1), c=1)
    assert there.gradient_norm < 1e-9
    back = gyrovector(step, there.point, c=1)
    np.testing.assert_allclose(back, frechet_mean(points, c=1).point, atol=1e-9)


def test_the_gradient_bounds_the_distance_to_the_mean() -> None:
    points = balls.points(50, 5, far=6)
    mean = frechet_mean(points, c=1).point
    for tolerance in (1.0, 1e-2, 1e-5):
        rough = frechet_mean(points, c=1, tolerance=tolerance)
        assert distance(rough.point, mean, c=1) <= rough.gradient_norm <= tolerance


def test_simple_means() -> None:
    point, *others = balls.points(3, 4)
    assert frechet_mean(point[None], c=1).gradient_norm < 1e-15
    np.testing.assert_allclose(frechet_mean(np.array([point] * 3), c=1).point, point, rtol=1e-14)
    weighted = frechet_mean(np.array([point, *others]), c=1, weights=np.array([1.0, 0, 0]))
    np.testing.assert_allclose(weighted.point, point, rtol=1e-12)
    np.testing.assert_allclose(frechet_mean(np.array([point, -point]), c=1).point, 0, atol=1e-15)
    pair = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert Euclidean().mean(pair, np.array([1.0, 3.0])).point.tolist() == [2.5, 5.0]


def test_the_papers_optimiser_stops_short_and_says_so() -> None:
    points = mobius_add(np.array([0.5, 0, 0]), balls.points(20, 3, far=5), c=1)
    mean = frechet_mean(points, c=1)
    paper = riemannian_adam_mean(points, c=1)
    short = distance(paper.point, mean.point, c=1)
    assert 0.01 < short <= paper.gradient_norm
    patient = riemannian_adam_mean(points, c=1, lr=1e-2, steps=2000)
    assert patient.gradient_norm < 1e-5
    assert distance(patient.point, mean.point, c=1) < 1e-5


@every_c
def test_where_rounding_ends_it_no_step_is_taken_in_vain(c: float) -> None:
    """Without a tolerance: it stops as soon as the gradient shrinks no more."""
    for seed in range(5):
        points = balls.points(12, 3, c=c, far=4, seed=seed)
        mean = frechet_mean(points, c=c, tolerance=0)
        assert mean.gradient_norm < 1e-12
        assert mean.steps < 10
