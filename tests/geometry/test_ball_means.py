"""Means in the ball and Riemannian Adam."""

import numpy as np
import pytest
from scipy.optimize import minimize

from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.geometry import Euclidean, FloatArray, Poincare
from fairvec.geometry.ball_formulas import distance, exp, exp0, gyrovector, log, log0, mobius_add
from fairvec.geometry.ball_means import (
    frechet_mean,
    gyromidpoint,
)
from tests.geometry import balls
from tests.geometry.riemannian_adam import riemannian_adam, riemannian_adam_mean
from tests.loops import loop_over

# --- frechet ---


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


@pytest.mark.parametrize("size", [1e-20, 1e-100, 1e-140])
def test_points_whose_squares_vanish_beside_one_have_the_mean_of_flat_space(size: float) -> None:
    points = size * balls.points(5, 3)
    found = frechet_mean(points, c=1, tolerance=0)
    np.testing.assert_allclose(found.point, points.mean(axis=0), rtol=1e-12)


@every_c
def test_where_rounding_ends_it_no_step_is_taken_in_vain(c: float) -> None:
    """Without a tolerance: it stops as soon as the gradient shrinks no more."""
    for seed in range(5):
        points = balls.points(12, 3, c=c, far=4, seed=seed)
        mean = frechet_mean(points, c=c, tolerance=0)
        assert mean.gradient_norm < 1e-12
        assert mean.steps < 10


# --- midpoint ---


every_c_midpoint = pytest.mark.parametrize("c", [0.5, 1.0, 3.0])


def ungar(points: FloatArray, weights: FloatArray, c: float) -> FloatArray:
    """Ungar's formula as printed, whose root is fine far from the border."""
    factors = 2 / (1 - c * (points**2).sum(axis=1))
    raised = weights * np.array([factors - 1, *(np.sqrt(c) * factors * points.T)])
    height, *along = raised.sum(axis=1)
    root = np.sqrt(height**2 - np.square(along).sum())
    return np.asarray(along / (height + root) / np.sqrt(c))


@every_c_midpoint
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


@every_c_midpoint
def test_between_two_points_it_is_halfway(c: float) -> None:
    pair, ball = balls.points(2, 3, c=c), Poincare(c)
    to_both = ball.distances(gyromidpoint(pair, c=c)[None], pair)
    np.testing.assert_allclose(
        to_both, np.full((1, 2), ball.distances(pair[:1], pair[1:])[0, 0] / 2), rtol=1e-12
    )


@every_c_midpoint
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


# --- Riemannian Adam, step by step beside geoopt 0.5.1 (torch 2.13.0) ---
# The numbers in PATHS come from
#
#     points = geoopt.ManifoldParameter(
#         torch.tensor(START, dtype=torch.float64)[:, :d], manifold=geoopt.PoincareBall(c))
#     optimiser = geoopt.optim.RiemannianAdam([points], lr=lr)
#     for _ in range(steps):
#         optimiser.zero_grad()
#         (points * torch.tensor(TOWARDS, dtype=torch.float64)[:d]).sum(-1).sin().sum().backward()
#         optimiser.step()
#
# which the last test runs again where geoopt is installed.


START = np.array([[0.3, -0.4, 0.1], [0.9, 0.1, 0.0]])
TOWARDS = np.array([1.0, -2.0, 0.5])
PATHS = {
    (1.0, 0.01, 1, 2): [
        [0.29832294906096724, -0.3966458981219345],
        [0.8995975077901992, 0.10080498441960156],
    ],
    (1.0, 0.01, 2, 2): [
        [0.29663825288736695, -0.39327298244871045],
        [0.8991969519457365, 0.1016141890290703],
    ],
    (1.0, 0.01, 3, 2): [
        [0.2949453370155085, -0.3898802085588323],
        [0.8987982241868123, 0.10242758681179609],
    ],
    (1.0, 0.01, 100, 2): [
        [0.06187897097055201, 0.08599580296572588],
        [0.8585105215595162, 0.1996194820369345],
    ],
    (1.0, 0.01, 1, 3): [
        [0.2983851876588833, -0.3967703753177666, 0.09919259382944165],
        [0.8996072078224793, 0.1007855843550416, -0.0001963960887604009],
    ],
    (1.0, 0.01, 2, 3): [
        [0.2967628169611924, -0.39352216188692163, 0.09838054047173041],
        [0.8992164416973919, 0.10157520935733606, -0.00039369585575349503],
    ],
    (1.0, 0.01, 3, 3): [
        [0.2951322756112465, -0.39025423950943317, 0.09756355987735829],
        [0.898827592707143, 0.10236884775387758, -0.0005918957125725098],
    ],
    (1.0, 0.01, 100, 3): [
        [0.0656875625907757, 0.07856879524275291, -0.019642198810688228],
        [0.859925761250239, 0.19667473601154176, -0.023951233232990442],
    ],
    (0.25, 0.3, 1, 2): [
        [0.237110589455581, -0.27422117891116204],
        [0.8466697795211056, 0.20666044095778885],
    ],
    (0.25, 0.3, 2, 2): [
        [0.17346121616418012, -0.14616661942334233],
        [0.7952665444429606, 0.3167662783643561],
    ],
    (0.25, 0.3, 3, 2): [
        [0.10881389787588694, -0.015349800221648696],
        [0.7463048283079342, 0.4293097915586349],
    ],
    (0.25, 0.3, 100, 2): [
        [-0.16614655981239798, 0.6973553546524408],
        [0.8394873187259205, 1.2083833071949004],
    ],
    (0.25, 0.3, 1, 3): [
        [0.23878988318769304, -0.2775797663753861, 0.06939494159384653],
        [0.8479550339258354, 0.2040899321483292, -0.0260224830370823],
    ],
    (0.25, 0.3, 2, 3): [
        [0.17711184386517892, -0.15350231139137213, 0.03837557784784303],
        [0.7979138865937792, 0.311458841476029, -0.05276883386027583],
    ],
    (0.25, 0.3, 3, 3): [
        [0.11445633273581077, -0.026734959805616687, 0.006683739951404172],
        [0.7503790429215458, 0.4211294400006184, -0.07999436623905316],
    ],
    (0.25, 0.3, 100, 3): [
        [-0.15040979240747532, 0.6647819890226468, -0.1661954972556617],
        [0.861739636826124, 1.1553651543838308, -0.25096175664811426],
    ],
}


def waves(points: FloatArray) -> FloatArray:
    """The gradient of sin(x . TOWARDS)."""
    towards = TOWARDS[: points.shape[-1]]
    return np.asarray(np.cos(points @ towards)[..., None] * towards)


@loop_over(("c", "lr", "steps", "dimensions"), PATHS)
def test_steps_are_geoopts(c: float, lr: float, steps: int, dimensions: int) -> None:
    ends = riemannian_adam(START[:, :dimensions], waves, c=c, lr=lr, steps=steps)
    np.testing.assert_allclose(ends, PATHS[c, lr, steps, dimensions], rtol=0, atol=1e-12)


def test_a_path_in_a_plane_is_the_same_in_the_whole() -> None:
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))[0][:2]
    ends = riemannian_adam(START[:, :2], waves, c=1, lr=0.01, steps=40)
    wide = riemannian_adam(
        START[:, :2] @ turn, lambda x: waves(x @ turn.T) @ turn, c=1, lr=0.01, steps=40
    )
    np.testing.assert_allclose(wide, ends @ turn, atol=1e-13)


@pytest.mark.parametrize("dimensions", [2, 4])
def test_points_do_not_know_one_another_and_are_not_written_over(dimensions: int) -> None:
    points = balls.points(6, dimensions)
    before = points.copy()

    def outwards(x: FloatArray) -> FloatArray:
        return -x

    ends = riemannian_adam(points, outwards, c=1, lr=0.05, steps=20)
    np.testing.assert_array_equal(points, before)
    alone = [riemannian_adam(point, outwards, c=1, lr=0.05, steps=20) for point in points]
    np.testing.assert_allclose(ends, alone, rtol=1e-14)
    table = riemannian_adam(points.reshape(2, 3, -1), outwards, c=1, lr=0.05, steps=20)
    np.testing.assert_allclose(table.reshape(6, -1), ends, rtol=1e-14)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_no_step_leaves_the_ball(dimensions: int) -> None:
    ends = riemannian_adam(
        balls.points(6, dimensions, c=4, near=3, far=9), lambda x: -x, c=4, lr=2, steps=50
    )
    assert (np.linalg.norm(ends, axis=1) <= 0.5 * (1 - 1e-5) + 1e-15).all()


def test_it_starts_inside_the_ball() -> None:
    with pytest.raises(GeometryError, match="1 point"):
        riemannian_adam(START, waves, c=1.25, lr=0.1, steps=1)
    with pytest.raises(SettingError, match="c > 0"):
        riemannian_adam(START, waves, c=0.0, lr=0.1, steps=1)


def test_geoopt_still_walks_these_paths() -> None:
    torch = pytest.importorskip("torch", reason="geoopt is no part of the development extra")
    geoopt = pytest.importorskip("geoopt", reason="geoopt is no part of the development extra")
    for (c, lr, steps, dimensions), ends in PATHS.items():
        points = geoopt.ManifoldParameter(
            torch.tensor(START[:, :dimensions]), manifold=geoopt.PoincareBall(c)
        )
        optimiser = geoopt.optim.RiemannianAdam([points], lr=lr)
        for _ in range(steps):
            optimiser.zero_grad()
            (points * torch.tensor(TOWARDS[:dimensions])).sum(-1).sin().sum().backward()
            optimiser.step()
        np.testing.assert_allclose(points.detach().numpy(), ends, rtol=0, atol=1e-12)
