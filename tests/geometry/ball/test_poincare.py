import mpmath
import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.geometry import Poincare, geometry
from fairvec.geometry.ball_formulas import boundary_gap, distance, distances, exp0, log0


def distance_to_50_digits(x: list[float], y: list[float], c: float) -> float:
    """The textbook formula (2/sqrt c) artanh(sqrt c |-x (+) y|), in arbitrary precision."""
    with mpmath.workdps(50):
        u, v = [-mpmath.mpf(n) for n in x], [mpmath.mpf(n) for n in y]
        c = mpmath.mpf(c)
        uv = sum(a * b for a, b in zip(u, v, strict=True))
        uu, vv = sum(a * a for a in u), sum(b * b for b in v)
        below = 1 + 2 * c * uv + c**2 * uu * vv
        sum_ = [
            ((1 + 2 * c * uv + c * vv) * a + (1 - c * uu) * b) / below
            for a, b in zip(u, v, strict=True)
        ]
        length = mpmath.sqrt(sum(s * s for s in sum_))
        return float(2 / mpmath.sqrt(c) * mpmath.atanh(mpmath.sqrt(c) * length))


@pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0.1, -0.2], [0.3, 0.05]),
        ([0.0, 0.0], [0.4, 0.1]),
        ([0.5, 0.0], [0.5, 1e-12]),
        ([0.57, 0.0], [-0.56, 0.01]),
    ],
)
def test_distance_equals_the_textbook_formula(x: list[float], y: list[float], c: float) -> None:
    ours = distances(np.array([x]), np.array([y]), c=c)[0, 0]
    assert ours == pytest.approx(distance_to_50_digits(x, y, c), rel=1e-12)


def test_distance_keeps_its_digits_near_the_border() -> None:
    x, y = [1 - 1e-9, 0.0], [0.0, 1 - 1e-9]
    ours = distances(np.array([x]), np.array([y]), c=1.0)[0, 0]
    assert ours == pytest.approx(distance_to_50_digits(x, y, 1.0), rel=1e-8)
    assert ours > 40


@pytest.mark.parametrize("c", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("inside", [1e-3, 1e-6, 1e-9, 1e-12])
def test_the_gap_to_the_border_has_all_its_digits(c: float, inside: float) -> None:
    noise = np.random.default_rng(3)
    x, y = noise.normal(size=(2, 7, 5))
    for rows in (x, y):
        rows *= (1 - inside) / np.linalg.norm(rows, axis=1, keepdims=True) / np.sqrt(c)
    with mpmath.workdps(50):
        gaps = [float(1 - mpmath.mpf(c) * sum(mpmath.mpf(v) ** 2 for v in row)) for row in x]
    np.testing.assert_allclose(boundary_gap(x, c=c), gaps, rtol=4e-14)
    assert boundary_gap(x[0], c=c) == boundary_gap(x, c=c)[0]
    far = [distance_to_50_digits(*rows, c) for rows in zip(x.tolist(), y.tolist(), strict=True)]
    np.testing.assert_allclose(distance(x, y, c=c), far, rtol=2e-14)
    with mpmath.workdps(50):
        norms = [mpmath.sqrt(sum(mpmath.mpf(v) ** 2 for v in row)) for row in x]
        lengths = [float(mpmath.atanh(mpmath.sqrt(c) * r) / mpmath.sqrt(c)) for r in norms]
    np.testing.assert_allclose(np.linalg.norm(log0(x, c=c), axis=1), lengths, rtol=2e-14)


def test_points_that_round_to_the_border_are_not_let_in() -> None:
    rows = np.random.default_rng(0).normal(size=(500, 6))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with mpmath.workdps(50):
        inside = [sum(mpmath.mpf(v) ** 2 for v in row) < 1 for row in rows.tolist()]
    found = Poincare().contains(rows)
    assert not found[~np.array(inside)].any()
    assert found.any()


def test_small_curvature_gives_twice_the_flat_distance() -> None:
    x, y = np.array([[0.3, 0.4]]), np.array([[-0.1, 0.2]])
    flat = np.linalg.norm(x - y)
    assert distances(x, y, c=1e-12)[0, 0] == pytest.approx(2 * flat, rel=1e-10)


def test_the_border_is_outside() -> None:
    ball = Poincare(4.0)
    points = np.array([[0.49, 0.0], [0.5, 0.0], [0.0, 0.7], [np.nan, 0.0]])
    assert ball.contains(points).tolist() == [True, False, False, False]


def test_projecting_moves_only_what_is_outside_and_counts_it() -> None:
    ball = Poincare()
    points = np.array([[0.3, 0.4], [3.0, 4.0], [0.0, 1.0]])
    inside, moved = ball.project(points)
    assert moved == 2
    assert ball.contains(inside).all()
    np.testing.assert_array_equal(inside[0], points[0])
    np.testing.assert_allclose(inside[1], [0.6, 0.8], rtol=1e-9)


@pytest.mark.parametrize("c", [0.0, -1.0, float("nan"), float("inf")])
def test_a_ball_needs_positive_curvature(c: float) -> None:
    with pytest.raises(SettingError, match="c > 0"):
        geometry("poincare", c)


def radial_to_50_digits(v: list[float], c: float, map_: str) -> list[float]:
    """tanh(sqrt c |v|) v / (sqrt c |v|), or artanh for the logarithm, in arbitrary precision."""
    with mpmath.workdps(50):
        row = [mpmath.mpf(n) for n in v]
        reach = mpmath.sqrt(mpmath.mpf(c) * sum(n * n for n in row))
        factor = getattr(mpmath, map_)(reach) / reach
        return [float(factor * n) for n in row]


@pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("v", [[0.1, -0.2], [1e-9, 2e-9], [0.0, 0.5], [-3e-100, 0.0], [0.4, 0.4]])
def test_exponential_and_logarithm_at_the_origin(v: list[float], c: float) -> None:
    np.testing.assert_allclose(
        exp0(np.array([v]), c=c)[0], radial_to_50_digits(v, c, "tanh"), rtol=1e-14
    )
    np.testing.assert_allclose(
        log0(np.array([v]), c=c)[0], radial_to_50_digits(v, c, "atanh"), rtol=1e-13
    )


@pytest.mark.parametrize("c", [0.25, 1.0, 3.0])
def test_they_undo_each_other_and_lengths_are_half_distances(c: float) -> None:
    v = np.random.default_rng(0).normal(size=(20, 4))
    v[0] = 0
    points = exp0(v, c=c)
    assert Poincare(c).contains(points).all()
    np.testing.assert_allclose(log0(points, c=c), v, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(
        distances(points, np.zeros((1, 4)), c=c)[:, 0], 2 * np.linalg.norm(v, axis=1), rtol=1e-8
    )
    np.testing.assert_array_equal(points[0], 0)
